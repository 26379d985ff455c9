//! The limits of DynamoDB that the service relies on
//! (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>). A call that exceeds a limit
//! is refused here as on AWS, so no test passes with a call that AWS would refuse.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use capture_core::schema::{Role, StoredValue, is_numeric};
use capture_core::store::{Call, Refusal};
use capture_core::table::{Item, Write, WriteKind};

use crate::refusal::invalid;
use crate::units::{size, value_size};

pub(crate) const MAX_ITEM: usize = 400 * 1_024;
/// Maximum bytes of the items in one page.
pub(crate) const MAX_PAGE: usize = 1 << 20;
/// Maximum bytes of the items in one batch.
pub(crate) const MAX_BATCH: usize = 16 << 20;
const MAX_TRANSACTION: usize = 4 << 20;
const MAX_HASH_KEY: usize = 2_048;
const MAX_RANGE_KEY: usize = 1_024;
/// Maximum bytes of each attribute that is a key of an index. Sort keys come last, since their limit is lower.
static MAX_KEY_BYTES: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
    let hashes = Role::ALL.iter().flat_map(|role| role.index().hash).map(|name| (*name, MAX_HASH_KEY));
    let ranges = Role::ALL.iter().flat_map(|role| role.index().range).map(|name| (*name, MAX_RANGE_KEY));
    hashes.chain(ranges).collect()
});
/// Maximum digits of a number.
const MAX_DIGITS: usize = 38;

/// Returns an error with a reason unless a condition holds.
fn require(holds: bool, reason: &str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(invalid(reason)) }
}

/// Checks everything that does not depend on stored items.
pub(crate) fn check(call: &Call<'_>) -> Result<(), Refusal> {
    match call {
        Call::Get { pks, .. } => {
            require((1..=100).contains(&pks.len()), "a batch reads 1 to 100 items")?;
            check_keys(pks)
        }
        Call::Delete { pks } => {
            require((1..=25).contains(&pks.len()), "a batch deletes 1 to 25 items")?;
            check_keys(pks)
        }
        Call::Query { range, limit, start, .. } => {
            let index = range.role.index();
            require(*limit > 0, "the limit is at least 1")?;
            require(range.partition.len() == index.hash.len(), "each attribute of the partition key needs a value")?;
            for (name, value) in index.hash.iter().zip(&range.partition) {
                check_key_value(name, value, MAX_HASH_KEY)?;
            }
            let is_ordered = range.lower.as_ref().zip(range.upper.as_ref()).is_none_or(|(lower, upper)| lower <= upper);
            require(is_ordered, "the lower bound must not exceed the upper bound")?;
            let Some(position) = start else { return Ok(()) };
            require(position.sort_values.len() == index.range.len(), "each attribute of the sort key needs a value")?;
            let first = position.sort_values.first().and_then(StoredValue::text);
            let is_inside = first.is_none_or(|first| {
                range.lower.as_deref().is_none_or(|lower| lower <= first)
                    && range.upper.as_deref().is_none_or(|upper| first <= upper)
                    && first.starts_with(&range.prefix)
            });
            require(is_inside, "the start must be inside the range")
        }
        Call::Write { pk, write } => check_write(pk, write),
        Call::Transact { writes, .. } => {
            require((1..=100).contains(&writes.len()), "a transaction has 1 to 100 writes")?;
            let bytes = writes.iter().map(|(pk, write)| pk.len() + write.set.values().map(value_size).sum::<usize>());
            require(bytes.sum::<usize>() <= MAX_TRANSACTION, "a transaction has at most 4 MB")?;
            writes.iter().try_for_each(|(pk, write)| check_write(pk, write))
        }
    }
}

fn check_keys(pks: &[String]) -> Result<(), Refusal> {
    let distinct: BTreeSet<_> = pks.iter().collect();
    require(distinct.len() == pks.len(), "the keys of a batch must be distinct")?;
    pks.iter().try_for_each(|pk| check_pk(pk))
}

fn check_pk(pk: &str) -> Result<(), Refusal> {
    require((1..=MAX_HASH_KEY).contains(&pk.len()), "a partition key has 1 to 2,048 bytes")
}

fn check_write(pk: &str, write: &Write) -> Result<(), Refusal> {
    check_pk(pk)?;
    let clauses = [
        write.set.keys().map(String::as_str).collect::<Vec<_>>(),
        write.sharded_by.map(|_| "shard").into_iter().collect(),
        write.remove.iter().map(String::as_str).collect(),
        write.add.keys().map(AsRef::as_ref).collect(),
        write.add_members.keys().copied().collect(),
        write.remove_members.keys().copied().collect(),
    ];
    let mut names = BTreeSet::new();
    require(clauses.iter().flatten().all(|name| names.insert(*name)), "an attribute may be in only one clause")?;
    require(names.iter().all(|name| !name.is_empty() && *name != "pk"), "an attribute has a name, and is not the key")?;
    let sets = write.add_members.values().chain(write.remove_members.values());
    require(sets.into_iter().all(|ids| !ids.is_empty()), "a set needs members")?;
    write.set.values().try_for_each(check_value)?;
    // The keys of an update are checked after its conditions.
    if write.kind == WriteKind::Put { check_index_keys(&write.set) } else { Ok(()) }
}

/// Checks a value of any attribute.
pub(crate) fn check_value(value: &StoredValue) -> Result<(), Refusal> {
    match value {
        StoredValue::Ids(ids) => require(!ids.is_empty(), "a set needs members"),
        StoredValue::Number(digits) => require(is_canonical(digits), "a number is an integer of at most 38 digits"),
        StoredValue::Text(_) | StoredValue::Bytes(_) => Ok(()),
    }
}

/// Returns true for an integer as DynamoDB returns it, without a plus sign or leading zeros.
fn is_canonical(digits: &str) -> bool {
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    let is_zero = unsigned == "0" && digits == "0";
    let is_number = unsigned.bytes().all(|byte| byte.is_ascii_digit()) && !unsigned.starts_with('0');
    is_zero || (is_number && (1..=MAX_DIGITS).contains(&unsigned.len()))
}

/// Checks an item after a write.
pub(crate) fn check_item(pk: &str, item: &Item) -> Result<(), Refusal> {
    require(size(pk, item) <= MAX_ITEM, "an item has at most 400 KB")?;
    check_index_keys(item)
}

/// Checks the attributes that are index keys.
fn check_index_keys(item: &Item) -> Result<(), Refusal> {
    item.iter().try_for_each(|(name, value)| {
        MAX_KEY_BYTES.get(name.as_str()).map_or(Ok(()), |max| check_key_value(name, value, *max))
    })
}

fn check_key_value(name: &str, value: &StoredValue, max: usize) -> Result<(), Refusal> {
    let is_valid = match value {
        StoredValue::Text(text) => !is_numeric(name) && (1..=max).contains(&text.len()),
        StoredValue::Number(digits) => is_numeric(name) && digits.parse::<i64>().is_ok(),
        StoredValue::Ids(_) | StoredValue::Bytes(_) => false,
    };
    if is_valid {
        return Ok(());
    }
    Err(invalid(&format!("{name} is an index key: it needs the right type and 1 to {max} bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_canonical_integers() {
        let valid = ["0", "7", "-7", "10", "99999999999999999999999999999999999999"];
        let invalid = ["", "-", "-0", "+7", "07", "1.5", "1e3", "999999999999999999999999999999999999999"];
        assert!(valid.into_iter().all(is_canonical) && !invalid.into_iter().any(is_canonical));
    }
}
