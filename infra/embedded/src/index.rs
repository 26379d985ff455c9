//! The table's indexes, one SQLite table per [`Role`]: the key attributes and the item's row number. A row number is
//! shorter than a key and finds its item in half the time.

use capture_core::request::Direction;
use capture_core::schema::{Role, StoredValue, is_numeric};
use capture_core::store::Refusal;
use capture_core::table::{IndexRange, Item, Position};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Row, params_from_iter};

use crate::item::decode;
use crate::limits::MAX_PAGE;
use crate::refusal::{sqlite_refusal, undecodable};
use crate::units;

type Sql<T> = rusqlite::Result<T>;

/// An index and its statements.
pub(crate) struct Index {
    pub(crate) role: Role,
    /// Key attributes: those of the partition key, then those of the sort key.
    names: Vec<&'static str>,
    insert: String,
    delete: String,
}

/// A page of items.
pub(crate) struct Page {
    pub(crate) items: Vec<(String, Item)>,
    /// Whether the partition may have more items.
    pub(crate) is_full: bool,
    /// Size of the items in bytes.
    pub(crate) bytes: usize,
}

/// Returns the first text after all that start with a prefix, in SQLite's UTF-8 order. `None` if no text is greater.
fn end_of(prefix: &str) -> Option<String> {
    let mut letters: Vec<char> = prefix.chars().collect();
    while let Some(last) = letters.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            letters.push(next);
            return Some(letters.into_iter().collect());
        }
    }
    None
}

impl Index {
    pub(crate) fn of(role: Role) -> Self {
        let index = role.index();
        let names: Vec<_> = index.hash.iter().chain(index.range).copied().collect();
        let marks = vec!["?"; names.len() + 1].join(", ");
        let equal: Vec<_> = names.iter().map(|name| format!("{name} = ?")).collect();
        Self {
            role,
            insert: format!("INSERT INTO {} ({}, n) VALUES ({marks})", index.name, names.join(", ")),
            delete: format!("DELETE FROM {} WHERE {} AND n = ?", index.name, equal.join(" AND ")),
            names,
        }
    }

    /// Returns the statement that creates the index.
    pub(crate) fn schema(&self) -> String {
        let column = |name: &&str| format!("{name} {} NOT NULL", if is_numeric(name) { "INTEGER" } else { "TEXT" });
        let columns: Vec<_> = self.names.iter().map(column).collect();
        format!(
            "CREATE TABLE {} ({}, n INTEGER NOT NULL, PRIMARY KEY ({}, n)) STRICT, WITHOUT ROWID",
            self.role.index().name,
            columns.join(", "),
            self.names.join(", ")
        )
    }

    /// Returns the entry of an item. `None` if it lacks a key attribute and is therefore not in the index.
    pub(crate) fn entry(&self, item: &Item) -> Option<Vec<Value>> {
        self.names.iter().map(|name| item.get(*name).and_then(value)).collect()
    }

    /// Replaces the entry of the item in row `n`.
    pub(crate) fn replace(
        &self,
        connection: &Connection,
        n: i64,
        old: Option<Vec<Value>>,
        new: Option<Vec<Value>>,
    ) -> Sql<()> {
        for (statement, entry) in [(&self.delete, old), (&self.insert, new)] {
            if let Some(mut values) = entry {
                values.push(Value::Integer(n));
                connection.prepare_cached(statement)?.execute(params_from_iter(values))?;
            }
        }
        Ok(())
    }

    /// Reads all entries in order, each with its row number at the end.
    pub(crate) fn entries(&self, connection: &Connection) -> Sql<Vec<Vec<Value>>> {
        let columns = self.names.len() + 1;
        let mut statement = connection.prepare(&format!("SELECT * FROM {}", self.role.index().name))?;
        let rows = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect())?;
        rows.collect()
    }

    pub(crate) fn page(
        &self,
        connection: &Connection,
        range: &IndexRange,
        direction: Direction,
        limit: usize,
        start: Option<&Position>,
    ) -> Result<Page, Refusal> {
        let index = self.role.index();
        let (order, beyond) = if direction == Direction::Ascending { ("ASC", ">") } else { ("DESC", "<") };
        let mut values: Vec<_> = range.partition.iter().filter_map(value).collect();
        let mut terms: Vec<_> = index.hash.iter().map(|name| format!("x.{name} = ?")).collect();
        let [first, ..] = index.range else { unreachable!("each index has a sort key") };
        let prefix = Some(&range.prefix).filter(|prefix| !prefix.is_empty());
        let bounds = [
            (">=", range.lower.clone()),
            ("<=", range.upper.clone()),
            (">=", prefix.cloned()),
            ("<", prefix.and_then(|prefix| end_of(prefix))),
        ];
        for (operator, bound) in bounds {
            if let Some(bound) = bound {
                terms.push(format!("x.{first} {operator} ?"));
                values.push(Value::Text(bound));
            }
        }
        let columns = |suffix: &str| -> String {
            let columns: Vec<_> = index.range.iter().map(|name| format!("x.{name}{suffix}")).collect();
            columns.join(", ")
        };
        if let Some(start) = start {
            let marks = vec!["?"; index.range.len()].join(", ");
            terms.push(format!("({}) {beyond} ({marks})", columns("")));
            values.extend(start.sort_values.iter().filter_map(value));
        }
        let selected = if index.keys_only { "x.*" } else { "i.item" };
        let statement = format!(
            "SELECT i.pk, {selected} FROM {} x JOIN items i ON i.n = x.n WHERE {} ORDER BY {} LIMIT ?",
            index.name,
            terms.join(" AND "),
            columns(&format!(" {order}"))
        );
        values.push(Value::Integer(i64::try_from(limit).unwrap_or(i64::MAX)));
        let mut statement = connection.prepare_cached(&statement).map_err(|error| sqlite_refusal(&error))?;
        let mut rows = statement.query(params_from_iter(values)).map_err(|error| sqlite_refusal(&error))?;
        let mut page = Page { items: Vec::new(), is_full: false, bytes: 0 };
        while let Some(row) = rows.next().map_err(|error| sqlite_refusal(&error))? {
            let (pk, item) = self.item(row)?;
            let bytes = units::size(&pk, &item);
            if page.bytes + bytes > MAX_PAGE && !page.items.is_empty() {
                page.is_full = true;
                return Ok(page);
            }
            page.bytes += bytes;
            page.items.push((pk, item));
        }
        page.is_full = page.items.len() >= limit;
        Ok(page)
    }

    /// Reads the item of a row, in full or only its keys.
    fn item(&self, row: &Row<'_>) -> Result<(String, Item), Refusal> {
        let pk = row.get(0).map_err(|error| sqlite_refusal(&error))?;
        let column = |column| row.get_ref(column).map_err(|error| sqlite_refusal(&error));
        if !self.role.index().keys_only {
            let bytes = column(1)?.as_blob().map_err(|error| sqlite_refusal(&error.into()))?;
            return Ok((pk, decode(bytes).map_err(|error| sqlite_refusal(&undecodable(error)))?));
        }
        let mut item = Item::new();
        for (number, name) in self.names.iter().enumerate() {
            let value = match column(number + 1)? {
                ValueRef::Integer(number) => capture_core::table::number(number),
                value => StoredValue::Text(value.as_str().map_err(|error| sqlite_refusal(&error.into()))?.to_owned()),
            };
            item.insert((*name).to_owned(), value);
        }
        Ok((pk, item))
    }
}

/// Returns the position of an item in an index.
pub(crate) fn position(role: Role, pk: &str, item: &Item) -> Position {
    let sort_values = role.index().range.iter().filter_map(|name| item.get(*name).cloned()).collect();
    Position { sort_values, pk: pk.to_owned() }
}

/// Converts a key attribute. `None` if the value cannot be a key.
fn value(stored: &StoredValue) -> Option<Value> {
    match stored {
        StoredValue::Text(text) => Some(Value::Text(text.clone())),
        StoredValue::Number(digits) => digits.parse().ok().map(Value::Integer),
        StoredValue::Ids(_) | StoredValue::Bytes(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_a_prefix_end_before_the_next_letter() {
        let ends = ["ab", "a\u{10ffff}", "\u{d7ff}", "\u{10ffff}"].map(end_of);
        assert_eq!(ends.each_ref().map(Option::as_deref), [Some("ac"), Some("b"), Some("\u{e000}"), None]);
    }
}
