//! Images: bytes in a request, a URL in a response. An item has at most 400 KB, so the record only stores the name of
//! an object in the bucket.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Value as Json, json};

use super::{Kind, Scalar};
use crate::error::{InvalidValue, ViolationCode};
use crate::schema::{StoredValue, Value};

/// An image, stored as the name of its object.
pub struct Image;

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

impl Scalar for Image {
    type View<'a> = &'a str;
    const KIND: Kind = Kind::Image;

    // The body parser checks the bytes. A record never contains them.
    fn from_json(_: Json) -> Result<Value, InvalidValue> {
        let detail = "Send the image in base64, as a data: URL, or as the file part of a form.";
        Err(ViolationCode::NotAnImage.invalid_value(detail))
    }

    fn from_text(_: &str) -> Result<Value, InvalidValue> {
        Err(ViolationCode::UnknownField.invalid_value("Lists cannot be filtered by an image."))
    }

    fn load(stored: StoredValue) -> Option<Value> {
        stored.into_text().map(Value::Text)
    }

    fn describe() -> Json {
        json!({"type": "string", "contentEncoding": "base64"})
    }

    fn view(value: &Value) -> Option<&str> {
        if let Value::Text(name) = value { Some(name) } else { None }
    }

    fn value(name: &str) -> Value {
        Value::Text(name.to_owned())
    }
}

/// Decodes base64, ignoring line breaks.
fn decoded(base64: impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = base64.filter(|byte| !b"\r\n".contains(byte)).collect();
    BASE64.decode(bytes).ok()
}

/// Decodes an image in a text: base64 (RFC 4648) or a `data:` URL (RFC 2397). Line breaks are ignored. Programs insert
/// them into base64, as MIME does (RFC 2045, section 6.8), and into URLs.
pub fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let text: &str =
        &if text.contains(['\r', '\n']) { Cow::Owned(text.replace(['\r', '\n'], "")) } else { text.into() };
    let url = match text.split_at_checked("data:".len()) {
        Some((scheme, url)) if scheme.eq_ignore_ascii_case("data:") => url,
        _ => return decoded(text.bytes()),
    };
    let (media_type, data) = url.split_once(',')?;
    let bytes = percent_encoding::percent_decode_str(data);
    if media_type.to_ascii_lowercase().ends_with(";base64") { decoded(bytes) } else { Some(bytes.collect()) }
}
