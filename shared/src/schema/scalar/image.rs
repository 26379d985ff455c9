//! Images: bytes in a request, a URL in a response. The record stores the name of the object in the bucket.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::json;

use super::{Codec, Kind, Scalar};
use crate::error::Rule;
use crate::schema::Value;

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
    const CODEC: Codec = Codec {
        kind: Kind::Image,
        // The body parser checks the bytes. A record never contains them.
        from_json: |_| {
            Err(Rule::NotAnImage.violation("Send the image in base64, as a data: URL, or as the file part of a form."))
        },
        from_text: |_| Err(Rule::UnknownField.violation("No list can be filtered by an image.")),
        load: |stored| stored.into_text().map(Value::Text),
        describe: || json!({"type": "string", "contentEncoding": "base64"}),
        words: &[],
        out_of_line: false,
        most_json: 0,
    };

    fn view(value: &Value) -> Option<&str> {
        if let Value::Text(name) = value { Some(name) } else { None }
    }

    fn value(name: &str) -> Value {
        Value::Text(name.to_owned())
    }
}

/// Decodes an image given as text: base64 (RFC 4648) or a `data:` URL (RFC 2397).
pub fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let url = match text.split_at_checked("data:".len()) {
        Some((scheme, url)) if scheme.eq_ignore_ascii_case("data:") => url,
        _ => return BASE64.decode(text).ok(),
    };
    let (media_type, data) = url.split_once(',')?;
    let bytes: Vec<u8> = percent_encoding::percent_decode_str(data).collect();
    if media_type.to_ascii_lowercase().ends_with(";base64") { BASE64.decode(bytes).ok() } else { Some(bytes) }
}
