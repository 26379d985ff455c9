//! Choices: one of a fixed set of words.

use std::marker::PhantomData;

use serde_json::json;

use super::{Codec, Kind, Scalar};
use crate::error::{InvalidValue, Rule};
use crate::schema::Value;

/// The words of a choice.
pub trait Words: 'static {
    /// All words.
    const WORDS: &'static [&'static str];
}

/// One of the words of `W`.
pub struct Choice<W>(PhantomData<W>);

impl<W: Words> Scalar for Choice<W> {
    type View<'a> = &'a str;
    const CODEC: Codec = Codec {
        kind: Kind::Choice,
        from_json: |json| json.as_str().ok_or_else(|| Rule::WrongType.violation(words::<W>())).and_then(word::<W>),
        from_text: word::<W>,
        load: |stored| word::<W>(stored.text()?).ok(),
        describe: || json!({"type": "string", "enum": W::WORDS}),
        words: W::WORDS,
        out_of_line: false,
        most_json: 0,
    };

    fn view(value: &Value) -> Option<&str> {
        if let Value::Text(word) = value { Some(word) } else { None }
    }

    fn value(word: &str) -> Value {
        Value::Text(word.to_owned())
    }
}

fn word<W: Words>(text: &str) -> Result<Value, InvalidValue> {
    if W::WORDS.contains(&text) {
        Ok(Value::Text(text.to_owned()))
    } else {
        Err(Rule::OutOfRange.violation(words::<W>()))
    }
}

fn words<W: Words>() -> String {
    format!("Must be one of {}.", W::WORDS.join(", "))
}
