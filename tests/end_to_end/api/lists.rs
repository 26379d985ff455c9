//! Tests of lists: order, pages and cursors.

use std::collections::BTreeSet;
use std::io::Read as _;

use end_to_end::{Api, samples};
use flate2::read::GzDecoder;
use http::Method;
use serde_json::{Value, json};

fn ids(records: &[Value], field: &str) -> Vec<u64> {
    records.iter().map(|record| record[field].as_u64().expect("an identifier")).collect()
}

#[tokio::test]
async fn list_events_sorts_by_occurred_at_then_identifier() {
    let api = Api::shared();
    let home = format!("/users/{}/events", api.user().await["user_id"]);
    let mut created = Vec::new();
    for time in
        ["2021-01-01T00:00:00Z", "2023-01-01T00:00:00.000000001Z", "2023-01-01T00:00:00Z", "2021-01-01T01:00:00+01:00"]
    {
        created.push(
            api.post(&home, &samples::event(&json!({"occurred_at": time}))).await.created()["event_id"]
                .as_u64()
                .expect("an identifier"),
        );
    }
    let descending = vec![created[1], created[2], created[3], created[0]];
    for limit in ["", "&limit=1", "&limit=3"] {
        assert_eq!(ids(&api.list(&format!("{home}?order=desc{limit}")).await, "event_id"), descending);
        let ascending: Vec<_> = descending.iter().rev().copied().collect();
        assert_eq!(ids(&api.list(&format!("{home}?order=asc{limit}")).await, "event_id"), ascending);
    }
    let strictly = api
        .list(&format!("{home}?occurred_after=2021-01-01T00:00:00Z&occurred_before=2023-01-01T00:00:00.000000001Z"))
        .await;
    assert_eq!(ids(&strictly, "event_id"), [created[2]]);
    let offset = api
        .list(&format!("{home}?occurred_after=2022-12-31T23:00:00-01:00&occurred_before=2023-01-01T02:00:00+02:00"))
        .await;
    assert!(offset.is_empty());
    let offset = api
        .list(&format!(
            "{home}?occurred_after=2023-01-01T01:59:59+02:00&occurred_before=2023-01-01T00:00:00.000000001Z"
        ))
        .await;
    assert_eq!(ids(&offset, "event_id"), [created[2]]);
}

#[tokio::test]
async fn next_link_keeps_the_parameters_and_pages_are_full() {
    let api = Api::shared();
    let home = format!("/users/{}/transactions", api.user().await["user_id"]);
    for amount in 0..7 {
        api.post(&home, &json!({"amount": amount, "description": "a&b=c d%", "reference": "é"})).await.created();
    }
    let mut page = api.get(&format!("{home}?description=a%26b%3Dc+d%25&reference=%C3%A9&limit=3&order=asc")).await;
    let mut sizes = Vec::new();
    let mut amounts = Vec::new();
    loop {
        let records = page.ok().as_array().expect("a list").clone();
        sizes.push(records.len());
        amounts.extend(records.iter().map(|record| record["amount"].as_i64().expect("an amount")));
        match page.next() {
            Some(next) => page = api.get(&next).await,
            None => break,
        }
    }
    assert_eq!((sizes, amounts), (vec![3, 3, 1], (0..7).collect()));
}

#[tokio::test]
async fn cursor_with_other_filters_or_order_returns_400() {
    let api = Api::shared();
    let (one, two) = (api.user().await, api.user().await);
    for user in [&one, &two] {
        for _ in 0..3 {
            api.event(user).await;
        }
    }
    let home = format!("/users/{}/events", one["user_id"]);
    let next = api.get(&format!("{home}?limit=1")).await.next().expect("another page");
    let cursor = next.split("cursor=").nth(1).expect("a cursor");
    api.get(&format!("{home}?limit=2&order=desc&cursor={cursor}")).await.ok();
    for path in [
        format!("{home}?order=asc&cursor={cursor}"),
        format!("{home}?event_type=plain&cursor={cursor}"),
        format!("/users/{}/events?cursor={cursor}", two["user_id"]),
        format!("/events?cursor={cursor}"),
        format!("/users?cursor={cursor}"),
        format!("{home}?cursor={}", &cursor[1..]),
        format!("{home}?cursor="),
    ] {
        assert_eq!(api.get(&path).await.refused(400), ["cursor"], "{path}");
    }
}

#[tokio::test]
async fn pagination_returns_lasting_records_exactly_once() {
    let api = Api::own();
    let user = api.user().await;
    let mut events = Vec::new();
    for _ in 0..30 {
        events.push(api.event(&user).await["event_id"].as_u64().expect("an identifier"));
    }
    let (mut seen, mut next) = (Vec::new(), Some("/events?limit=4".to_owned()));
    let mut turn = 0;
    while let Some(path) = next {
        let page = api.get(&path).await;
        next = page.next();
        seen.extend(ids(page.ok().as_array().expect("a list"), "event_id"));
        // Deletes the last record of the page, which is the cursor's own, and adds records at both ends.
        api.delete(&format!("/events/{}", seen.last().expect("a record"))).await.ok();
        for time in ["2030-01-01T00:00:00Z", "2000-01-01T00:00:00Z"] {
            api.post("/events", &samples::event(&json!({"user_id": user["user_id"], "occurred_at": time})))
                .await
                .created();
        }
        turn += 1;
        assert!(turn < 40, "the pages end");
    }
    let distinct: BTreeSet<_> = seen.iter().collect();
    assert_eq!(distinct.len(), seen.len());
    assert!(events.iter().all(|event| seen.contains(event)));
}

#[tokio::test]
async fn list_without_limit_ends_at_5_mb() {
    let api = Api::shared();
    let home = format!("/users/{}/events", api.user().await["user_id"]);
    for message in ["x", "\"", "x", "\\"] {
        let body = samples::event(&json!({"message": message.repeat(100_000)}));
        let events = (0..12).map(|_| api.post(&home, &body));
        futures_util::future::join_all(events).await.iter().for_each(|reply| drop(reply.created()));
    }
    let first = api.get(&home).await;
    assert!(first.bytes.len() <= 5_000_000 && first.next().is_some());
    let limited = api.get(&format!("{home}?limit=80")).await;
    assert!(limited.bytes.len() <= 5_000_000 && limited.next().is_some());
    assert_eq!(api.list(&home).await.len(), 48);
}

#[tokio::test]
async fn text_filter_matches_exactly() {
    let api = Api::shared();
    let home = format!("/users/{}/inventory", api.user().await["user_id"]);
    let texts = [
        "a",
        "A",
        "a ",
        " a",
        "a\u{301}",
        "á",
        "%",
        "+",
        "&=",
        "\u{0}",
        "\u{10ffff}",
        "\\",
        "\"",
        &"x".repeat(1024),
        &"🦀".repeat(1000),
    ];
    for text in texts {
        api.post(&home, &json!({"name": text})).await.created();
    }
    for text in texts {
        let request = api.request(reqwest::Method::GET, &home).query(&[("name", text)]);
        let found = api.send(request).await.ok();
        assert_eq!(found.as_array().expect("a list").len(), 1, "{text:?}");
        assert_eq!(found[0]["name"], text);
    }
    let seal = fastrand::i64(1 << 40..1 << 50);
    let document = samples::merged(samples::document(), &json!({"metadata": "", "seal": seal}));
    api.post("/documents", &document).await.created();
    assert_eq!(api.list(&format!("/documents?metadata=&seal={seal}")).await.len(), 1);
}

#[tokio::test]
async fn long_list_is_compressed_for_clients_that_accept_it() {
    let api = Api::shared();
    let home = format!("/users/{}/inventory", api.user().await["user_id"]);
    for number in 0..12 {
        api.post(&home, &json!({"name": format!("Item {number}")})).await.created();
    }
    let get = |path: &str, coding: &str| api.request(Method::GET, path).header("accept-encoding", coding);
    let plain = api.send(get(&home, "gzip;q=0, identity")).await;
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), ("", "accept-encoding"));
    let compressed = api.send(get(&home, "deflate, gzip")).await;
    assert_eq!((compressed.header("content-encoding"), compressed.header("vary")), ("gzip", "accept-encoding"));
    assert!(compressed.bytes.len() < plain.bytes.len() / 3);
    let mut text = Vec::new();
    GzDecoder::new(&*compressed.bytes).read_to_end(&mut text).expect("compressed data");
    assert_eq!(text, plain.bytes);
    // A record's ETag names its exact bytes.
    let event = samples::event(&json!({"user": samples::user(), "message": "x".repeat(4_000)}));
    let created = api.post("/events", &event).await.created();
    let record = api.send(get(&format!("/events/{}", created["event_id"]), "gzip")).await;
    assert_eq!((record.header("content-encoding"), record.ok()), ("", created));
}
