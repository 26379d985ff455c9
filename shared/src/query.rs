//! A query string, as the list that it asks for. Pure.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::error::{Error, Result, Violation};
use crate::record::{Position, Record};
use crate::resource::{Field, Filter, Kind, Resource, Test};
use crate::store::{Direction, digest};
use crate::value::{Id, MAX_INTEGER, Timestamp, Value};

/// The most records that a page may be asked to have.
pub const MAX_LIMIT: usize = 1_000;

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
#[derive(Clone)]
pub struct Condition {
    /// The filter.
    pub filter: &'static Filter,
    /// What to compare with.
    pub operand: Operand,
}

impl std::fmt::Debug for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={:?}", self.filter.name, self.operand)
    }
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
    /// Whether a record fits, as far as it can tell by itself.
    pub fn matches(&self, record: &Record) -> bool {
        let actual = record.get(self.filter.field);
        match (&self.operand, self.filter.test) {
            (Operand::Flag(wanted), Test::IsSet) => actual.is_some() == *wanted,
            (Operand::Flag(wanted), Test::IsUnset) => actual.is_none() == *wanted,
            (Operand::Value(wanted), Test::Equals) => actual == Some(wanted),
            (Operand::Value(Value::Time(bound)), Test::After) => {
                record.time_of(self.filter.field).is_some_and(|time| time > *bound)
            }
            (Operand::Value(Value::Time(bound)), Test::Before) => {
                record.time_of(self.filter.field).is_some_and(|time| time < *bound)
            }
            _ => matches!(self.filter.test, Test::Holds(_)),
        }
    }

    /// The moment of a filter by time.
    pub fn time(&self) -> Option<Timestamp> {
        match self.operand {
            Operand::Value(Value::Time(time)) => Some(time),
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
        list.after =
            cursor.map(|cursor| Cursor::decode(&cursor)).transpose()?.map(|cursor| cursor.check(&list)).transpose()?;
        Ok(list)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
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
                let filter = self.resource.filters.iter().find(|filter| filter.name == name);
                let filter = filter.ok_or_else(|| unknown(self.resource))?;
                let operand = operand(self.resource, filter, value)?;
                self.conditions.push(Condition { filter, operand });
            }
        }
        Ok(())
    }

    /// Adds the condition that the path binds.
    pub fn bind(&mut self, field: &str, id: Id) {
        let filter = self.resource.filters.iter().find(|filter| filter.field == field && filter.is_equality());
        self.conditions.extend(filter.map(|filter| Condition { filter, operand: Operand::Value(Value::Id(id)) }));
    }

    /// The query string of the page that starts after a position.
    pub fn next_page(&self, position: Position) -> String {
        let cursor = Cursor { position, list: self.fingerprint() }.encode();
        let own = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let pairs = own.chain([("cursor", cursor.as_str())]).map(|(name, value)| {
            format!("{}={}", utf8_percent_encode(name, NON_ALPHANUMERIC), utf8_percent_encode(value, NON_ALPHANUMERIC))
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    /// What tells this list from one with other filters or another order; what the path binds is in the path.
    fn fingerprint(&self) -> String {
        let unpaged = self.parameters.iter().filter(|(name, _)| !matches!(name.as_str(), "limit" | "order"));
        let mut filters: Vec<_> = unpaged.map(|(name, value)| format!("{name}={value}")).collect();
        filters.sort_unstable();
        let whole = format!("{}\n{:?}\n{filters:?}", self.path, self.direction);
        digest(&whole)
    }
}

fn unknown(resource: &Resource) -> String {
    let filters: Vec<_> = resource.filters.iter().map(|filter| filter.name).collect();
    format!("This list takes {}, order, limit and cursor.", filters.join(", "))
}

fn operand(resource: &Resource, filter: &Filter, text: &str) -> Result<Operand, String> {
    if matches!(filter.test, Test::IsSet | Test::IsUnset) {
        return text.parse().map(Operand::Flag).map_err(|_| "Give true or false.".to_owned());
    }
    let holder = match filter.test {
        Test::Holds(held) => held,
        _ => resource,
    };
    let field = holder.field(filter.field).ok_or("This filter tests nothing.")?;
    value(field, text).map(Operand::Value)
}

fn value(field: &Field, text: &str) -> Result<Value, String> {
    match field.kind {
        Kind::Own | Kind::Reference(_) => {
            Id::parse(text).map(Value::Id).ok_or("Give a positive integer of at most 2^53−1.".to_owned())
        }
        Kind::Integer(_) => integer(text).map(Value::Integer).ok_or("Give an integer within ±(2^53−1).".to_owned()),
        // A plus sign that was not percent-encoded has become a space; nothing else can be meant there.
        Kind::Time => Timestamp::parse(&text.replacen(' ', "+", 1))
            .map(Value::Time)
            .ok_or_else(|| "Give an RFC 3339 time such as 2026-11-20T16:53:02Z.".to_owned()),
        Kind::Choice(words) if !words.contains(&text) => Err(format!("Give one of {}.", words.join(", "))),
        _ => Ok(Value::Text(text.to_owned())),
    }
}

fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?.filter(|number| (-MAX_INTEGER..=MAX_INTEGER).contains(number))
}

/// Where a page ended, for which list. Clients must not look inside.
struct Cursor {
    position: Position,
    list: String,
}

impl Cursor {
    fn encode(&self) -> String {
        let Position { time, id } = self.position;
        URL_SAFE_NO_PAD.encode(format!("{time} {id} {}", self.list))
    }

    fn decode(text: &str) -> Result<Self> {
        let parse = || {
            let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
            let plain = String::from_utf8(bytes).ok()?;
            let mut parts = plain.split(' ');
            let (time, id, list) = (parts.next()?, parts.next()?, parts.next()?);
            let position = Position { time: Timestamp::parse(time)?, id: Id::parse(id)? };
            parts.next().is_none().then(|| Self { position, list: list.to_owned() })
        };
        parse().ok_or_else(bad_cursor)
    }

    fn check(self, list: &List) -> Result<Position> {
        if self.list == list.fingerprint() { Ok(self.position) } else { Err(bad_cursor()) }
    }
}

fn bad_cursor() -> Error {
    let detail = "Follow the link of the page before as it is: a cursor belongs to its filters and order.";
    Error::bad_parameters(vec![Violation::parameter("cursor", detail)])
}
