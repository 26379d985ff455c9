//! Item sizes and the capacity units of calls, as DynamoDB computes them
//! (<https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>). The index
//! charges are those that dynoxide captured on AWS.

use capture_core::schema::{Index, StoredValue};
use capture_core::table::Item;

/// Returns the units of a read of this size.
pub(crate) fn read(bytes: usize) -> f64 {
    blocks(bytes, 4_096)
}

/// Returns the units of a write of an item or an index entry of this size.
pub(crate) fn write(bytes: usize) -> f64 {
    blocks(bytes, 1_024)
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn blocks(bytes: usize, block: usize) -> f64 {
    bytes.div_ceil(block).max(1) as f64
}

/// Returns the size of an item, with its partition key.
pub(crate) fn size(pk: &str, item: &Item) -> usize {
    key(pk) + item.iter().map(|(name, value)| name.len() + value_size(value)).sum::<usize>()
}

/// Returns the units of an item's entry in an index.
pub(crate) fn entry(pk: &str, index: &Index, item: &Item) -> f64 {
    let names = index.hash.iter().chain(index.range);
    let key_size = || key(pk) + names.map(|name| name.len() + item.get(*name).map_or(0, value_size)).sum::<usize>();
    write(if index.keys_only { key_size() } else { size(pk, item) })
}

fn key(pk: &str) -> usize {
    "pk".len() + pk.len()
}

pub(crate) fn value_size(value: &StoredValue) -> usize {
    match value {
        StoredValue::Text(text) => text.len(),
        StoredValue::Number(digits) => number_size(digits),
        StoredValue::Bytes(bytes) => bytes.len(),
        StoredValue::Ids(ids) => ids.iter().map(|id| number_size(&id.to_string())).sum(),
    }
}

/// Returns the size of an integer: one byte, one for every two significant digits, and one for a minus sign.
fn number_size(digits: &str) -> usize {
    let (sign, digits) = digits.strip_prefix('-').map_or((0, digits), |digits| (1, digits));
    let significant = digits.trim_end_matches('0').len();
    significant.div_ceil(2) + 1 + sign
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_a_byte_for_two_significant_digits() {
        let sizes = ["0", "7", "42", "-42", "100", "123", "-1230000", "9007199254740991"].map(number_size);
        assert_eq!(sizes, [1, 2, 2, 3, 2, 3, 4, 9]);
    }

    #[test]
    fn sizes_round_up_to_whole_units() {
        assert_eq!(format!("{:?}", [0, 1, 4_096, 4_097].map(read)), "[1.0, 1.0, 1.0, 2.0]");
        assert_eq!(format!("{:?}", [0, 1, 1_024, 1_025].map(write)), "[1.0, 1.0, 1.0, 2.0]");
    }
}
