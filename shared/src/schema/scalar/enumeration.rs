//! Enums: one of a fixed set of texts. Unlike texts, they are indexed without a digest.

use std::marker::PhantomData;

use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode, suggestion};
use crate::schema::{StoredValue, Value};

/// Values of an enum.
pub trait Variants: 'static {
    /// All values.
    const VARIANTS: &'static [&'static str];
}

/// One of the values of `V`.
pub struct Enum<V>(PhantomData<V>);

impl<V: Variants> Scalar for Enum<V> {
    type View<'a> = &'a str;
    const KIND: Kind = Kind::Enum;
    const VARIANTS: &'static [&'static str] = V::VARIANTS;

    fn from_json(json: Json) -> Result<Value, InvalidValue> {
        Self::from_text(json.as_str().ok_or_else(|| not_a_variant::<V>(ViolationCode::WrongType, ""))?)
    }

    fn from_text(text: &str) -> Result<Value, InvalidValue> {
        let is_variant = V::VARIANTS.contains(&text);
        is_variant
            .then(|| Value::Text(text.to_owned()))
            .ok_or_else(|| not_a_variant::<V>(ViolationCode::OutOfRange, text))
    }

    fn load(stored: StoredValue) -> Option<Value> {
        Self::from_text(stored.text()?).ok()
    }

    fn describe() -> Json {
        json!({"type": "string", "enum": V::VARIANTS})
    }

    fn view(value: &Value) -> Option<&str> {
        if let Value::Text(variant) = value { Some(variant) } else { None }
    }

    fn value(variant: &str) -> Value {
        Value::Text(variant.to_owned())
    }
}

fn not_a_variant<V: Variants>(code: ViolationCode, text: &str) -> InvalidValue {
    let suggestion = suggestion(text, V::VARIANTS.iter().copied(), 0);
    code.invalid_value(format!("Must be one of {}.{suggestion}", V::VARIANTS.join(", ")))
}
