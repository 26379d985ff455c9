//! Items as bytes: a list of names and values, in postcard's format (<https://postcard.jamesmunns.com/wire-format>).

use std::borrow::Cow;

use capture_core::schema::{Id, StoredValue};
use capture_core::table::Item;
use serde::{Deserialize, Serialize, Serializer};

/// A value, borrowed from an item or from its bytes.
#[derive(Serialize, Deserialize)]
enum Value<'a> {
    #[serde(borrow)]
    Text(Cow<'a, str>),
    #[serde(borrow)]
    Number(Cow<'a, str>),
    Ids(Vec<Id>),
    #[serde(borrow)]
    Bytes(Cow<'a, [u8]>),
}

impl<'a> From<&'a StoredValue> for Value<'a> {
    fn from(stored: &'a StoredValue) -> Self {
        match stored {
            StoredValue::Text(text) => Self::Text(Cow::Borrowed(text)),
            StoredValue::Number(digits) => Self::Number(Cow::Borrowed(digits)),
            StoredValue::Ids(ids) => Self::Ids(ids.iter().copied().collect()),
            StoredValue::Bytes(bytes) => Self::Bytes(Cow::Borrowed(bytes)),
        }
    }
}

/// An item to encode.
struct Encoded<'a>(&'a Item);

impl Serialize for Encoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, stored)| (name, Value::from(stored))))
    }
}

pub(crate) fn encode(item: &Item) -> postcard::Result<Vec<u8>> {
    postcard::to_allocvec(&Encoded(item))
}

pub(crate) fn decode(bytes: &[u8]) -> postcard::Result<Item> {
    let values: Vec<(&str, Value<'_>)> = postcard::from_bytes(bytes)?;
    let stored = |value| match value {
        Value::Text(text) => StoredValue::Text(text.into_owned()),
        Value::Number(digits) => StoredValue::Number(digits.into_owned()),
        Value::Ids(ids) => StoredValue::Ids(ids.into_iter().collect()),
        Value::Bytes(bytes) => StoredValue::Bytes(bytes.into_owned()),
    };
    Ok(values.into_iter().map(|(name, value)| (name.to_owned(), stored(value))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_survive_their_encoding() {
        let ids = [1, 7, 1 << 52].into_iter().filter_map(Id::new).collect();
        let item = Item::from([
            ("empty".to_owned(), StoredValue::Text(String::new())),
            ("text".to_owned(), StoredValue::Text("é\u{1f436}\0".to_owned())),
            ("number".to_owned(), StoredValue::Number("-12345678901234567890123456789012345678".to_owned())),
            ("ids".to_owned(), StoredValue::Ids(ids)),
            ("bytes".to_owned(), StoredValue::Bytes(vec![0, 255])),
        ]);
        let bytes = encode(&item).expect("bytes");
        assert_eq!(decode(&bytes).expect("an item"), item);
        assert!(decode(&bytes[..bytes.len() - 1]).is_err(), "truncated bytes are not an item");
    }
}
