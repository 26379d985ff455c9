//! No input makes a parser panic, whatever it says.

use bytes::Bytes;
use end_to_end::samples;
use event_capture::platform::router::Route;
use event_capture::request::body::to_create;
use event_capture::request::image;
use event_capture::request::query::parameters;
use event_capture::request::{List, Payload};
use event_capture::resources::ALL;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any JSON, and often with names that mean something.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        any::<String>().prop_map(Value::from),
        Just(json!("2026-11-20T16:53:02Z")),
        Just(json!("data:,")),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let fields: Vec<_> = ALL.iter().flat_map(|resource| resource.fields).map(|field| field.name).collect();
        let name = prop_oneof![4 => prop::sample::select(fields).prop_map(str::to_owned), 1 => any::<String>()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..12)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_path_is_a_route_or_refused(path in ".*", tail in "(/(users|events|user|[0-9]{1,20}|specimen|owner|wallet))*") {
        let _ = Route::parse(&path);
        let _ = Route::parse(&tail);
    }

    #[test]
    fn any_query_is_a_list_or_refused(query in ".*", name in "[a-z_]+", value in ".*", which in 0..ALL.len()) {
        let _ = parameters(&query);
        let filters = ALL[which].filters.iter().map(|filter| (filter.name.to_owned(), value.clone()));
        let others = ["limit", "order", "cursor", name.as_str()].map(|name| (name.to_owned(), value.clone()));
        let _ = List::new(ALL[which], "/").with(filters.chain(others).collect(), None);
    }

    #[test]
    fn any_body_is_a_draft_or_refused(json in any_json(), which in 0..ALL.len()) {
        let read = to_create(ALL[which], Payload { json, file: None }, None);
        let broken = read.as_ref().ok().and_then(|read| read.as_ref().err());
        prop_assert!(broken.is_none_or(|broken| !broken.wrong.is_empty()));
        prop_assert!(read.is_ok(), "nothing is too large");
    }

    #[test]
    fn any_damage_to_an_image_leaves_an_image_or_none(which in 0..5usize, at in any::<prop::sample::Index>(), bit in 0..8u8, cut in any::<prop::sample::Index>()) {
        let whole = [samples::png(9, 9), samples::jpeg(), samples::gif(), samples::webp(), samples::animated_png(false)][which].clone();
        let mut damaged = whole.clone();
        damaged[at.index(whole.len())] ^= 1 << bit;
        let _ = image::inspect(&damaged);
        let _ = image::inspect(&whole[..cut.index(whole.len())]);
        let _ = image::inspect(&Bytes::from(damaged[..cut.index(whole.len())].to_vec()));
    }
}
