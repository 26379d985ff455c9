//! Parses query strings into list requests.
//!
//! A list keeps its parameters as sent, for the link to its next page.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::cursor::Cursor;
use crate::error::{Error, InvalidValue, Result, Violation, ViolationCode, suggestion};
use crate::resources;
use crate::schema::scalar::MAX_SHORT_TEXT_CHARS;
use crate::schema::{Filter, Id, Operator, Record, Resource, SortKey, Timestamp, Value, lower_case, sort_name};

/// Maximum page size, in records.
pub const MAX_LIMIT: usize = 1_000;

/// Maximum length of a prefix of names, in characters.
pub const MAX_PREFIX: usize = 100;

/// Maximum number of values of one filter.
pub const MAX_VALUES: usize = 20;

/// The order of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Newest first.
    Descending,
    /// Oldest first.
    Ascending,
}

/// A list request.
#[derive(Clone, Debug)]
pub struct ListQuery {
    pub resource: &'static Resource,
    /// Conditions, all of which a record must match.
    pub conditions: Vec<ListCondition>,
    pub direction: Direction,
    /// Page size. `None` for all matches.
    pub limit: Option<usize>,
    /// Sort key that the page starts after.
    pub after: Option<SortKey>,
    /// Parameters as sent, except the cursor, for the link to the next page.
    parameters: Vec<(String, String)>,
    /// Path, which may bind a condition.
    path: String,
}

/// A filter with its operand.
#[derive(Clone, Debug)]
pub struct ListCondition {
    pub filter: Filter,
    pub operand: Operand,
}

/// An operand of a filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A value of the field's kind.
    Value(Value),
    /// Distinct values of the field's kind. A record must have one of them.
    AnyOf(Vec<Value>),
    /// `true` or `false`, for filters by the presence of a value.
    Flag(bool),
}

impl ListCondition {
    /// Returns true if a record matches. A condition on children cannot be tested here, and always matches.
    pub fn matches(&self, record: &Record) -> bool {
        let value = record.value(self.filter.field);
        let time = || record.time(self.filter.field);
        match (&self.operand, self.filter.operator) {
            (Operand::Flag(flag), Operator::IsSet) => value.is_some() == *flag,
            (Operand::Flag(flag), Operator::IsUnset) => value.is_none() == *flag,
            (Operand::Value(Value::Text(text)), Operator::Equals)
                if record.key.resource.ignores_case(self.filter.field) =>
            {
                record.text(self.filter.field).is_some_and(|value| lower_case(value) == lower_case(text))
            }
            (Operand::Value(operand), Operator::Equals) => value.is_some_and(|value| value.content_eq(operand)),
            (Operand::AnyOf(operands), _) => value.is_some_and(|value| operands.contains(value)),
            (Operand::Value(Value::Integer(bound)), Operator::AtLeast) => {
                matches!(value, Some(Value::Integer(integer)) if integer >= bound)
            }
            (Operand::Value(Value::Integer(bound)), Operator::AtMost) => {
                matches!(value, Some(Value::Integer(integer)) if integer <= bound)
            }
            (Operand::Value(Value::Text(prefix)), Operator::TextPrefix) => {
                record.text(self.filter.field).is_some_and(|text| text.starts_with(prefix))
            }
            (Operand::Value(Value::Time(bound)), Operator::After) => time().is_some_and(|time| time > *bound),
            (Operand::Value(Value::Time(bound)), Operator::Before) => time().is_some_and(|time| time < *bound),
            (Operand::Value(Value::Text(prefix)), Operator::NamePrefix) => {
                record.text(self.filter.field).is_some_and(|name| lower_case(name).starts_with(&lower_case(prefix)))
            }
            _ => self.filter.operator == Operator::HasChild,
        }
    }

    /// Returns the operand if it is an integer.
    pub fn integer(&self) -> Option<i64> {
        match self.operand {
            Operand::Value(Value::Integer(integer)) => Some(integer),
            _ => None,
        }
    }

    /// Returns the operand if it is a time.
    pub fn time(&self) -> Option<Timestamp> {
        match self.operand {
            Operand::Value(Value::Time(time)) => Some(time),
            _ => None,
        }
    }
}

/// A parameter of a query string: its name, and its value if it is valid.
pub type Parameter = (String, Result<String, InvalidValue>);

/// Splits a query string into decoded parameters. A value is invalid if it is not UTF-8 or if its name is repeated.
pub fn parameters(query: &str) -> Vec<Parameter> {
    joined_parameters(query, |_| false)
}

/// Splits a query string into decoded parameters. The values of a name that may be repeated are joined by commas.
fn joined_parameters(query: &str, is_repeatable: impl Fn(&str) -> bool) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let malformed = || ViolationCode::InvalidFormat.invalid_value("Percent-encode the parameter as UTF-8.");
        let (Some(name), value) = (decode(name), decode(value)) else {
            parameters.push((name.to_owned(), Err(malformed())));
            continue;
        };
        match (parameters.iter_mut().find(|(other, _)| *other == name), value) {
            (Some((_, Ok(values))), Some(value)) if is_repeatable(&name) => *values = format!("{values},{value}"),
            (Some(_), Some(_)) => {
                let detail = "Send this parameter once. Only a filter that takes several values may be repeated.";
                parameters.push((name, Err(ViolationCode::Duplicate.invalid_value(detail))));
            }
            (None, Some(value)) => parameters.push((name, Ok(value))),
            (_, None) => parameters.push((name, Err(malformed()))),
        }
    }
    parameters
}

fn decode(text: &str) -> Option<String> {
    // The decoder would leave an incomplete escape as it is.
    let is_escape = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    if !text.split('%').skip(1).all(is_escape) {
        return None;
    }
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// Rejects all parameters of a route that takes none.
///
/// # Errors
/// 400 with the names of the parameters.
pub fn reject_parameters(query: &str) -> Result<()> {
    let violations = unexpected_parameters(query);
    if violations.is_empty() { Ok(()) } else { Err(Error::invalid_parameters(violations)) }
}

/// Reports each parameter of a route that takes none.
pub fn unexpected_parameters(query: &str) -> Vec<Violation> {
    let unknown = || ViolationCode::UnknownField.invalid_value("Unknown parameter. This route takes no parameters.");
    let violation = |(name, value): Parameter| Violation::parameter(name, value.err().unwrap_or_else(unknown));
    parameters(query).into_iter().map(violation).collect()
}

impl ListQuery {
    /// Creates a list of all records of a resource, newest first.
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

    /// Returns true if a record matches all conditions. Those on children cannot be tested here, and always match.
    pub fn matches(&self, record: &Record) -> bool {
        self.conditions.iter().all(|condition| condition.matches(record))
    }

    /// Parses the query of a list route. The path overrides the parameter `bound_field`, which is not validated.
    ///
    /// # Errors
    /// All violations.
    pub fn with(mut self, query: &str, bound_field: Option<&str>) -> Result<Self, Vec<Violation>> {
        let parameters =
            joined_parameters(query, |name| Some(name) == bound_field || takes_several(self.resource, name));
        let mut violations = Vec::new();
        let mut cursor = None;
        for (name, value) in parameters {
            let result = match value {
                Ok(text) if name == "cursor" => {
                    Cursor::decode(&text).map(|decoded| cursor = Some(decoded)).ok_or_else(invalid_cursor)
                }
                Ok(text) => {
                    let is_bound = Some(name.as_str()) == bound_field;
                    let result = if is_bound { Ok(()) } else { self.parse_parameter(&name, &text, violations.len()) };
                    self.parameters.push((name.clone(), text));
                    result
                }
                Err(invalid) => Err(invalid),
            };
            violations.extend(result.err().map(|invalid| Violation::parameter(&name, invalid)));
        }
        // A list by name ascends by default.
        if self.name_prefix().is_some() && !self.parameters.iter().any(|(name, _)| name == "order") {
            self.direction = Direction::Ascending;
        }
        // A cursor is valid only with the filters of its list, so it is checked last.
        if let Some(cursor) = cursor {
            self.after = cursor.sort_key_in(&self.canonical());
            if self.after.is_none() && violations.is_empty() {
                violations.push(Violation::parameter("cursor", invalid_cursor()));
            }
        }
        if violations.is_empty() { Ok(self) } else { Err(violations) }
    }

    fn parse_parameter(&mut self, name: &str, value: &str, before: usize) -> Result<(), InvalidValue> {
        match name {
            "limit" => {
                // A limit is written like an identifier, without a sign or leading zeros.
                let limit = Id::parse(value).and_then(|limit| usize::try_from(limit.number()).ok());
                let limit = limit.filter(|limit| *limit <= MAX_LIMIT);
                self.limit = Some(limit.ok_or_else(|| {
                    ViolationCode::of_integer(value)
                        .invalid_value(format!("Must be an integer between 1 and {MAX_LIMIT}."))
                })?);
            }
            "order" => {
                self.direction = match value {
                    "asc" => Direction::Ascending,
                    "desc" => Direction::Descending,
                    _ => return Err(ViolationCode::OutOfRange.invalid_value("Must be asc or desc.")),
                };
            }
            _ => {
                let filter = resources::filters(self.resource).iter().find(|filter| filter.name == name);
                let filter = *filter.ok_or_else(|| unknown_parameter(self.resource, name, before))?;
                let operand = parse_operand(self.resource, &filter, value)?;
                self.conditions.push(ListCondition { filter, operand });
            }
        }
        Ok(())
    }

    /// Returns the field and the prefix of the filter that orders the list by name.
    pub fn name_prefix(&self) -> Option<(&'static str, String)> {
        self.conditions.iter().find_map(|condition| match (&condition.operand, condition.filter.operator) {
            (Operand::Value(Value::Text(prefix)), Operator::NamePrefix) => {
                Some((condition.filter.field, sort_name(prefix)))
            }
            _ => None,
        })
    }

    /// Returns the sort key of a record in the order of the list.
    pub fn sort_key(&self, record: &Record) -> SortKey {
        match self.name_prefix() {
            Some((field, _)) => record.sort_key_by_name(field),
            None => record.sort_key(),
        }
    }

    /// Adds the condition that the path binds.
    pub fn bind(&mut self, field: &str, id: Id) {
        let filter = resources::filters(self.resource).iter().find(|filter| filter.name == field);
        self.conditions
            .extend(filter.map(|filter| ListCondition { filter: *filter, operand: Operand::AnyOf(vec![id.into()]) }));
    }

    /// Returns the query string of the page that starts after a sort key.
    pub fn next_page(&self, sort_key: &SortKey) -> String {
        let cursor = Cursor::new(sort_key, &self.canonical()).encode();
        let parameters = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let pairs = parameters.chain([("cursor", cursor.as_str())]).map(|(name, value)| {
            format!("{}={}", utf8_percent_encode(name, NON_ALPHANUMERIC), utf8_percent_encode(value, NON_ALPHANUMERIC))
        });
        pairs.collect::<Vec<_>>().join("&")
    }

    /// Returns a text that identifies the list: its path, order and filters. The path includes the bound condition.
    fn canonical(&self) -> String {
        let unpaged = self.parameters.iter().filter(|(name, _)| !matches!(name.as_str(), "limit" | "order"));
        let mut filters: Vec<_> = unpaged.map(|(name, value)| format!("{name}={value}")).collect();
        filters.sort_unstable();
        format!("{}\n{:?}\n{filters:?}", self.path, self.direction)
    }

    /// Returns true if a sort key is beyond the previous page.
    pub fn is_ahead(&self, sort_key: &SortKey) -> bool {
        self.after.as_ref().is_none_or(|after| match self.direction {
            Direction::Descending => sort_key < after,
            Direction::Ascending => sort_key > after,
        })
    }
}

/// Returns true if a parameter of a list is a filter that takes several values.
fn takes_several(resource: &'static Resource, name: &str) -> bool {
    let filter = resources::filters(resource).iter().find(|filter| filter.name == name);
    let field = filter.and_then(|filter| Some((filter, resources::field_of_filter(resource, filter)?)));
    field.is_some_and(|(filter, field)| filter.takes_several(field.codec.kind))
}

fn invalid_cursor() -> InvalidValue {
    ViolationCode::InvalidFormat
        .invalid_value("Use the link to the next page unchanged. A cursor belongs to its filters and order.")
}

fn unknown_parameter(resource: &Resource, name: &str, before: usize) -> InvalidValue {
    let filters = resources::filters(resource).iter().map(|filter| filter.name);
    let names: Vec<_> = filters.chain(["order", "limit", "cursor"]).collect();
    let suggestion = match name {
        "select" | "fields" | "expand" | "include" => {
            " Records are always complete, with those embedded in them.".into()
        }
        _ => suggestion(name, names.iter().copied(), before),
    };
    let detail = format!("Unknown parameter.{suggestion} This list takes {}.", names.join(", "));
    ViolationCode::UnknownField.invalid_value(detail)
}

fn parse_operand(resource: &Resource, filter: &Filter, text: &str) -> Result<Operand, InvalidValue> {
    if filter.is_flag() {
        return text
            .parse()
            .map(Operand::Flag)
            .map_err(|_| ViolationCode::InvalidFormat.invalid_value("Must be true or false."));
    }
    let field =
        resources::field_of_filter(resource, filter).ok_or_else(|| unknown_parameter(resource, filter.name, 0))?;
    let parse = field.codec.from_text;
    if filter.takes_several(field.codec.kind) {
        if text.split(',').count() > MAX_VALUES {
            let detail = format!("Must be at most {MAX_VALUES} values. Request the others in another list.");
            return Err(ViolationCode::TooMany.invalid_value(detail));
        }
        let mut values = Vec::new();
        for value in text.split(',') {
            let value = parse(value)?;
            // A repeated value would be looked up twice.
            if !values.contains(&value) {
                values.push(value);
            }
        }
        return Ok(Operand::AnyOf(values));
    }
    let longest = match filter.operator {
        Operator::NamePrefix => MAX_PREFIX,
        Operator::TextPrefix => MAX_SHORT_TEXT_CHARS,
        _ => return parse(text).map(Operand::Value),
    };
    if !(1..=longest).contains(&text.chars().count()) {
        let code = if text.is_empty() { ViolationCode::Empty } else { ViolationCode::TooLong };
        return Err(code.invalid_value(format!("Must have 1 to {longest} characters.")));
    }
    parse(text).map(Operand::Value)
}
