//! A query string, as the list that it asks for.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::cursor::Cursor;
use crate::error::{Error, Result, Violation};
use crate::resources;
use crate::schema::{Filter, Id, Position, Record, Resource, Test, Timestamp, Value};

/// The most records that a page may be asked to have.
pub const MAX_LIMIT: usize = 1_000;

/// Which end of a list comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Newest first.
    Descending,
    /// Oldest first.
    Ascending,
}

/// Which records of a resource, in which order, and which page of them.
#[derive(Clone, Debug)]
pub struct List {
    /// The resource.
    pub resource: &'static Resource,
    /// All must hold.
    pub conditions: Vec<Condition>,
    /// The order.
    pub direction: Direction,
    /// The size of a page; all that match, for `None`.
    pub limit: Option<usize>,
    /// Where the page starts, exclusive.
    pub after: Option<Position>,
    /// The parameters as they came, but the cursor: for the link to the next page.
    parameters: Vec<(String, String)>,
    /// The route, which may bind more.
    path: String,
}

/// A filter with the value that was asked for.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The filter.
    pub filter: Filter,
    /// What to compare with.
    pub operand: Operand,
}

/// What a filter compares with.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A value of the field's kind.
    Value(Value),
    /// `true` or `false`, for filters that ask whether a field has a value.
    Flag(bool),
}

impl Condition {
    /// Whether a record fits, as far as it can tell by itself: what its parts say, it cannot.
    pub fn matches(&self, record: &Record) -> bool {
        let actual = record.value(self.filter.field);
        let time = || record.time(self.filter.field);
        match (&self.operand, self.filter.test) {
            (Operand::Flag(wanted), Test::IsSet) => actual.is_some() == *wanted,
            (Operand::Flag(wanted), Test::IsUnset) => actual.is_none() == *wanted,
            (Operand::Value(wanted), Test::Equals) => actual.is_some_and(|actual| actual.is(wanted)),
            (Operand::Value(Value::Time(bound)), Test::After) => time().is_some_and(|time| time > *bound),
            (Operand::Value(Value::Time(bound)), Test::Before) => time().is_some_and(|time| time < *bound),
            _ => self.filter.test == Test::HasPart,
        }
    }

    /// The moment of a filter by time.
    pub fn time(&self) -> Option<Timestamp> {
        match self.operand {
            Operand::Value(Value::Time(time)) => Some(time),
            _ => None,
        }
    }

    /// The identifier of a filter by one.
    pub fn id(&self) -> Option<Id> {
        match self.operand {
            Operand::Value(Value::Id(id)) => Some(id),
            _ => None,
        }
    }
}

/// Splits a query string into decoded pairs.
///
/// # Errors
/// 400 for what is no UTF-8, and for a parameter given twice.
pub fn parameters(query: &str) -> Result<Vec<(String, String)>> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut violations = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match (decode(name), decode(value)) {
            (Some(name), _) if pairs.iter().any(|(known, _)| *known == name) => {
                violations.push(Violation::parameter(name, "Give this parameter once."));
            }
            (Some(name), Some(value)) => pairs.push((name, value)),
            _ => violations.push(Violation::parameter(name, "Percent-encode the parameter as UTF-8.")),
        }
    }
    if violations.is_empty() { Ok(pairs) } else { Err(Error::bad_parameters(violations)) }
}

fn decode(text: &str) -> Option<String> {
    let escapes = text.split('%').skip(1);
    let well_formed = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    if !escapes.into_iter().all(well_formed) {
        return None;
    }
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// Refuses every parameter: only lists take any.
///
/// # Errors
/// 400, naming the parameters.
pub fn refuse(parameters: &[(String, String)]) -> Result<()> {
    if parameters.is_empty() {
        return Ok(());
    }
    let violation = |(name, _): &(String, String)| Violation::parameter(name, "This route takes no such parameter.");
    Err(Error::bad_parameters(parameters.iter().map(violation).collect()))
}

impl List {
    /// Every record of a resource, newest first.
    pub fn new(resource: &'static Resource, path: &str) -> Self {
        Self {
            resource,
            conditions: Vec::new(),
            direction: Direction::Descending,
            limit: None,
            after: None,
            parameters: Vec::new(),
            path: path.to_owned(),
        }
    }

    /// Reads the parameters of a list route. What the path binds is not looked at: it is overwritten.
    ///
    /// # Errors
    /// 400 with everything that is wrong with them.
    pub fn with(self, parameters: Vec<(String, String)>, bound: Option<&str>) -> Result<Self> {
        let mut list = self;
        let mut violations = Vec::new();
        let mut cursor = None;
        for (name, value) in parameters {
            if name == "cursor" {
                cursor = Some(value);
                continue;
            }
            if Some(name.as_str()) != bound
                && let Err(detail) = list.take(&name, &value)
            {
                violations.push(Violation::parameter(&name, detail));
            }
            list.parameters.push((name, value));
        }
        if !violations.is_empty() {
            return Err(Error::bad_parameters(violations));
        }
        if let Some(cursor) = cursor {
            let position = Cursor::decode(&cursor).and_then(|cursor| cursor.position_in(&list.whole()));
            list.after = Some(position.ok_or_else(bad_cursor)?);
        }
        Ok(list)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "limit" => {
                // As an identifier is written: no sign, no leading zero.
                let limit = Id::parse(value).and_then(|limit| usize::try_from(limit.number()).ok());
                let limit = limit.filter(|limit| *limit <= MAX_LIMIT);
                self.limit = Some(limit.ok_or(format!("Give a number of records from 1 to {MAX_LIMIT}."))?);
            }
            "order" => {
                self.direction = match value {
                    "asc" => Direction::Ascending,
                    "desc" => Direction::Descending,
                    _ => return Err("Give asc or desc.".to_owned()),
                };
            }
            _ => {
                let filter = resources::filters(self.resource).iter().find(|filter| filter.name == name);
                let filter = *filter.ok_or_else(|| unknown(self.resource))?;
                let operand = operand(self.resource, &filter, value)?;
                self.conditions.push(Condition { filter, operand });
            }
        }
        Ok(())
    }

    /// Adds the condition that the path binds.
    pub fn bind(&mut self, field: &str, id: Id) {
        let filter = resources::filters(self.resource).iter().find(|filter| filter.name == field);
        self.conditions.extend(filter.map(|filter| Condition { filter: *filter, operand: Operand::Value(id.into()) }));
    }

    /// The query string of the page that starts after a position.
    pub fn next_page(&self, position: Position) -> String {
        let cursor = Cursor::new(position, &self.whole()).encode();
        let own = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let pairs = own.chain([("cursor", cursor.as_str())]).map(|(name, value)| {
            format!("{}={}", utf8_percent_encode(name, NON_ALPHANUMERIC), utf8_percent_encode(value, NON_ALPHANUMERIC))
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    /// What tells this list from one with other filters or another order; what the path binds is in the path.
    fn whole(&self) -> String {
        let unpaged = self.parameters.iter().filter(|(name, _)| !matches!(name.as_str(), "limit" | "order"));
        let mut filters: Vec<_> = unpaged.map(|(name, value)| format!("{name}={value}")).collect();
        filters.sort_unstable();
        format!("{}\n{:?}\n{filters:?}", self.path, self.direction)
    }

    /// Whether a place in the order comes after the page before.
    pub fn is_ahead(&self, position: Position) -> bool {
        self.after.is_none_or(|after| match self.direction {
            Direction::Descending => position < after,
            Direction::Ascending => position > after,
        })
    }
}

fn bad_cursor() -> Error {
    let detail = "Follow the link of the page before as it is: a cursor belongs to its filters and order.";
    Error::bad_parameters(vec![Violation::parameter("cursor", detail)])
}

fn unknown(resource: &Resource) -> String {
    let filters: Vec<_> = resources::filters(resource).iter().map(|filter| filter.name).collect();
    format!("This list takes {}, order, limit and cursor.", filters.join(", "))
}

fn operand(resource: &Resource, filter: &Filter, text: &str) -> Result<Operand, String> {
    if filter.is_flag() {
        return text.parse().map(Operand::Flag).map_err(|_| "Give true or false.".to_owned());
    }
    let field = resources::tested(resource, filter).ok_or("This filter tests nothing.")?;
    (field.codec.from_query)(text).map(Operand::Value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::EVENTS;

    fn list(query: &str) -> Result<List> {
        List::new(&EVENTS, "/events").with(parameters(query)?, None)
    }

    #[test]
    fn a_limit_is_written_as_an_identifier_is() {
        assert_eq!(list("limit=20").expect("a list").limit, Some(20));
        for wrong in ["0", "01", "+1", "-1", "1001", "x", ""] {
            assert!(list(&format!("limit={wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_cursor_is_good_for_its_own_filters_and_order_only() {
        let position = Position { time: Timestamp::now(), id: Id::new(7).expect("an identifier") };
        let next = list("event_type=raid&limit=2").expect("a list").next_page(position);
        assert_eq!(list(&next).expect("a list").after, Some(position));
        assert_eq!(list(&next.replace("limit=2", "limit=3")).expect("a list").after, Some(position));
        for other in [next.replace("raid", "plain"), format!("{next}&order=asc"), next.replace("cursor=", "cursor=x")] {
            assert!(list(&other).is_err(), "{other}");
        }
    }
}
