//! Choices: one of a few words.

use std::marker::PhantomData;

use serde_json::json;

use super::{Codec, Kind, Scalar};
use crate::schema::Value;

/// The words of a choice.
pub trait Words: 'static {
    /// All of them.
    const WORDS: &'static [&'static str];
}

/// One of the words of `W`.
pub struct Choice<W>(PhantomData<W>);

impl<W: Words> Scalar for Choice<W> {
    type View<'a> = &'a str;
    const CODEC: Codec = Codec {
        kind: Kind::Choice,
        from_json: |json| json.as_str().ok_or_else(wrong::<W>).and_then(word::<W>),
        from_query: word::<W>,
        load: |stored| word::<W>(stored.text()?).ok(),
        describe: || json!({"type": "string", "enum": W::WORDS}),
        words: W::WORDS,
        out_of_line: false,
    };

    fn view(value: &Value) -> Option<&str> {
        if let Value::Text(word) = value { Some(word) } else { None }
    }

    fn value(word: &str) -> Value {
        Value::Text(word.to_owned())
    }
}

fn word<W: Words>(text: &str) -> Result<Value, String> {
    if W::WORDS.contains(&text) { Ok(Value::Text(text.to_owned())) } else { Err(wrong::<W>()) }
}

fn wrong<W: Words>() -> String {
    format!("Give one of {}.", W::WORDS.join(", "))
}
