//! Bodies that create records, and images of every format.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::resources::{PRODUCTS, RULES, products};
use capture_core::schema::scalar::Kind;
use capture_core::schema::{Field, Input, Resource};
use serde_json::{Map, Value, json};

/// Returns a text that no other record has.
pub fn unique() -> String {
    format!("{:016x}", fastrand::u64(..))
}

/// Returns the body of a user that does not exist yet.
pub fn user() -> Value {
    json!({"platform_id": unique(), "name": "Ann"})
}

/// Returns the body of a plain event, with additional fields.
pub fn event(with: &Value) -> Value {
    let base =
        json!({"event_type": "plain", "message": "hello", "user_name": "Ann", "occurred_at": "2026-11-20T16:53:02Z"});
    merged(base, with)
}

/// Returns a notification of every type that Twitch's webhook supports.
pub fn twitch() -> Vec<Value> {
    let lines = include_str!("../samples/twitch.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a notification")).collect()
}

/// Returns the body of a document without stamps.
pub fn document() -> Value {
    json!({"document_data": STANDARD.encode(png(2, 2)), "seal": 7})
}

/// Returns the body of a stamp on a document.
pub fn stamp(document: &Value) -> Value {
    json!({"document_id": document["document_id"], "stamp_type": "heart", "pos_x": 1, "pos_y": -2, "rotation": 0.5})
}

/// Returns the first object with the fields of the second.
pub fn merged(mut base: Value, with: &Value) -> Value {
    for (name, value) in with.as_object().expect("an object") {
        base[name] = value.clone();
    }
    base
}

/// Returns a resource's first variant, or `None` without variants.
pub fn variant(resource: &Resource) -> Option<&'static str> {
    resource.variant.and_then(|name| resource.field(name)).map(|field| field.codec.variants[0])
}

/// Returns a body that creates a record of any resource, from its declaration alone. References are omitted.
pub fn minimal(resource: &Resource) -> Map<String, Value> {
    with_rules(resource, filled(resource, |input| matches!(input, Input::Required)))
}

/// Returns such a body with every optional field, except the one that makes a record inactive.
pub fn full(resource: &Resource) -> Map<String, Value> {
    let mut body = filled(resource, |input| !input.is_assigned() && !matches!(input, Input::Expected));
    if resource == &PRODUCTS {
        // A purchase would create an item that the test does not expect.
        body.remove(products::ITEM_NAME.name);
    }
    if let Some(ending) = resource.belongs_to.as_ref().and_then(|relation| relation.while_unset) {
        body.remove(ending.name);
    }
    with_rules(resource, body)
}

/// Returns a body that satisfies the rules that span several fields. A rule does not pay for other tests' events.
pub fn with_rules(resource: &Resource, mut body: Map<String, Value>) -> Map<String, Value> {
    if resource.name == RULES.name {
        body.extend([("reference".to_owned(), json!(unique())), ("amount".to_owned(), json!(5))]);
        if body.remove("per_unit").is_some() {
            body.insert("every".to_owned(), json!(300));
        }
    }
    body
}

fn filled(resource: &Resource, wanted: impl Fn(&Input) -> bool) -> Map<String, Value> {
    let is_wanted = |field: &&Field| field.input_for(variant(resource)).is_some_and(&wanted);
    let fields = resource.fields.iter().filter(is_wanted);
    let mut body: Map<_, _> = fields.filter_map(|field| Some((field.name.to_owned(), value_of(field)?))).collect();
    if resource == &PRODUCTS {
        // Tests' users start without money.
        body.insert(products::PRICE.name.to_owned(), json!(0));
    }
    body
}

/// Returns a value that a field accepts, or `None` for an identifier.
pub fn value_of(field: &Field) -> Option<Value> {
    Some(match field.codec.kind {
        // Large numbers that no other record is likely to have.
        Kind::Integer => {
            let max = (field.codec.describe)()["maximum"].as_i64().expect("a maximum").min(1 << 50);
            json!(fastrand::i64(max / 2..max))
        }
        Kind::Boolean => json!(true),
        Kind::Float => json!(0.5),
        Kind::Object => json!({"z": unique(), "a": [1, 2.5, null]}),
        Kind::Text if (field.codec.describe)()["pattern"].is_string() => json!(format!("!{}", unique())),
        Kind::Text => json!(unique()),
        Kind::Enum => json!(field.codec.variants[0]),
        Kind::Time => json!("2026-11-20T16:53:02Z"),
        Kind::Image => json!(STANDARD.encode(png(2, 2))),
        Kind::Identifier => return None,
    })
}

/// Returns a PNG of a single colour.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&vec![0; width as usize * height as usize]).expect("pixels");
    writer.finish().expect("an end");
    bytes
}

/// Returns a PNG with three frames. The last one may be damaged.
pub fn animated_png(damaged: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_animated(3, 0).expect("frames");
    let mut writer = encoder.write_header().expect("a header");
    for shade in [0, 100, 200] {
        writer.write_image_data(&[shade; 4]).expect("pixels");
    }
    writer.finish().expect("an end");
    if damaged {
        let last = bytes.windows(4).rposition(|chunk| chunk == b"fdAT").expect("a frame");
        bytes[last + 10] ^= 0xff;
    }
    bytes
}

/// Returns a PNG with pixels that refer to a missing palette.
pub fn indexed_png_without_palette() -> Vec<u8> {
    let mut bytes = png(2, 2);
    bytes[25] = 3;
    let sum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

/// Returns the checksum of a PNG chunk (ISO 3309), bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}

/// Returns a GIF with two frames.
pub fn gif() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, 2, 2, &[0, 0, 0, 255, 255, 255]).expect("a header");
    for _ in 0..2 {
        encoder.write_frame(&gif::Frame::from_indexed_pixels(2, 2, vec![0, 1, 1, 0], None)).expect("a frame");
    }
    drop(encoder);
    bytes
}

/// Returns a GIF with a screen of 2 by 2 pixels, and a frame of this size and position.
///
/// # Panics
/// If the frame cannot be written.
pub fn gif_with_frame(left: u16, top: u16, width: u16, height: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, 2, 2, &[0, 0, 0, 255, 255, 255]).expect("a header");
    let pixels = vec![0; usize::from(width) * usize::from(height)];
    let frame = gif::Frame { left, top, ..gif::Frame::from_indexed_pixels(width, height, pixels, None) };
    encoder.write_frame(&frame).expect("a frame");
    drop(encoder);
    bytes
}

/// Returns a JPEG of 8 by 8 grey pixels.
pub fn jpeg() -> Vec<u8> {
    STANDARD.decode(include_str!("jpeg.base64").trim()).expect("base64")
}

/// Returns a lossless WebP of one pixel.
pub fn webp() -> Vec<u8> {
    STANDARD.decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==").expect("base64")
}
