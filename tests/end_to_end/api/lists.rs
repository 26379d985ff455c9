//! Tests of lists: order, pages and cursors.

use std::collections::BTreeSet;
use std::io::Read as _;

use end_to_end::{Api, amount, samples};
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
    let api = Api::start();
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
        // Deletes the page's last record, which the cursor points to, and adds records at both ends.
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
    // A record's ETag identifies its exact bytes.
    let event = samples::event(&json!({"user": samples::user(), "message": "x".repeat(4_000)}));
    let created = api.post("/events", &event).await.created();
    let record = api.send(get(&format!("/events/{}", created["event_id"]), "gzip")).await;
    assert_eq!((record.header("content-encoding"), record.ok()), ("", created));
}

/// Stores a plain event, a raid, and cheers of 5, 50 and 500 bits by a new user. Returns the user and the events'
/// identifiers.
async fn five_events(api: &Api) -> (Value, Vec<u64>) {
    let user = api.user().await["user_id"].clone();
    let mut created = Vec::new();
    for (position, fields) in [
        json!({"source": "bot/a"}),
        json!({"event_type": "raid", "viewer_count": 50, "message": null, "source": "bot/b"}),
        json!({"event_type": "cheer", "amount": 5, "source": "Bot/a"}),
        json!({"event_type": "cheer", "amount": 50}),
        json!({"event_type": "cheer", "amount": 500}),
    ]
    .iter()
    .enumerate()
    {
        let mut event = samples::event(fields);
        event["occurred_at"] = json!(format!("2026-01-01T00:00:0{position}Z"));
        let event = api.post(&format!("/users/{user}/events"), &event).await.created();
        created.push(event["event_id"].as_u64().expect("an identifier"));
    }
    (user, created)
}

#[tokio::test]
async fn filter_with_several_values_finds_records_with_any_of_them() {
    let api = Api::shared();
    let (user, created) = five_events(&api).await;
    let (other, further) = five_events(&api).await;
    let found = async |query: &str| ids(&api.list(&format!("/events?order=asc&{query}")).await, "event_id");
    let [plain, raid, small, middle, large] = created[..] else { panic!("five events") };
    let expected = [&created[..2], &further[..2]].concat();
    for limit in ["", "&limit=1", "&limit=3"] {
        let mut all = found(&format!("user_id={user},{other}&event_type=raid,plain{limit}")).await;
        all.sort_unstable();
        assert_eq!(all, expected, "{limit}");
    }
    assert_eq!(found(&format!("event_id={large},{plain},{plain},{middle}&limit=2")).await, [plain, middle, large]);
    assert_eq!(found(&format!("event_id={large},9&event_type=cheer")).await, [large]);
    assert_eq!(found(&format!("user_id={user}&event_type=raid%2Ccheer")).await, [raid, small, middle, large]);
    // Generated clients repeat the parameter.
    let expected = [raid, small, middle, large];
    assert_eq!(found(&format!("user_id={user}&event_type=raid&event_type=cheer")).await, expected);
    assert_eq!(found(&format!("event_type=raid&user_id={user}&event_type=cheer,raid&limit=1")).await, expected);
    let bound = api.list(&format!("/users/{user}/events?order=asc&user_id=x&user_id=,")).await;
    assert_eq!(ids(&bound, "event_id"), created);
    // The path overrides any value of the parameter.
    let bound = api.list(&format!("/users/{user}/events?order=asc&user_id=x,,{other}")).await;
    assert_eq!(ids(&bound, "event_id"), created);
    // A document belongs to one event.
    let mut documents = Vec::new();
    for event in [raid, large] {
        let document = api.post(&format!("/events/{event}/document"), &samples::document()).await.created();
        documents.push(document["document_id"].to_string());
    }
    assert_eq!(found(&format!("document_id={}", documents.join(","))).await, [raid, large]);
    // A cursor is bound to the values as written.
    let next = api.get(&format!("/events?event_id={plain},{raid}&limit=1")).await.next().expect("a page");
    api.get(&next.replace(&format!("{plain}%2C{raid}"), &format!("{raid}%2C{plain}"))).await.refused(400);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn record_that_moves_between_two_values_is_in_every_list_of_both() {
    let api = Api::start();
    let (ann, bob) = (api.user().await["user_id"].clone(), api.user().await["user_id"].clone());
    let pet = api.post("/specimens", &json!({"owner_id": ann})).await.created();
    // More records of both users, so reading each partition takes a list without a limit a while.
    for owner in [&ann, &bob] {
        let forgotten =
            json!({"owner_id": owner, "born_at": "2026-11-01T00:00:00Z", "forgotten_at": "2026-11-20T00:00:00Z"});
        let created = (0..40).map(|_| api.post("/specimens", &forgotten));
        futures_util::future::join_all(created).await.iter().for_each(|reply| assert_eq!(reply.status, 201));
    }
    let path = format!("/specimens/{}", pet["specimen_id"]);
    let is_done = std::sync::atomic::AtomicBool::new(false);
    let moves = async {
        for owner in [&bob, &ann].into_iter().cycle() {
            if is_done.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            api.patch(&path, &json!({"owner_id": owner})).await.ok();
        }
    };
    let lists = async {
        let list = async || {
            let mut lacking = 0;
            for _ in 0..amount("LISTS", 60, 1_500) {
                for limit in ["", "&limit=100", "&limit=7&order=asc"] {
                    let all = api.list(&format!("/specimens?owner_id={ann},{bob}{limit}")).await;
                    lacking += usize::from(
                        !ids(&all, "specimen_id").contains(&pet["specimen_id"].as_u64().expect("an identifier")),
                    );
                }
            }
            lacking
        };
        let lacking = tokio::join!(list(), list());
        is_done.store(true, std::sync::atomic::Ordering::Relaxed);
        lacking
    };
    let ((), lacking) = tokio::join!(moves, lists);
    assert_eq!(lacking, (0, 0));
}

#[tokio::test]
async fn filter_with_several_invalid_values_returns_400() {
    let api = Api::shared();
    let values = (1..=21).map(|id| id.to_string()).collect::<Vec<_>>();
    for query in ["user_id=1,,2", "user_id=1,", "event_type=raid,,", "event_type=raid,sub", "user_id=1, 2", "event_id="]
    {
        let parameter = query.split('=').next().expect("a name");
        assert_eq!(api.get(&format!("/events?{query}")).await.refused(400), [parameter], "{query}");
    }
    assert_eq!(api.get(&format!("/events?user_id={}", values.join(","))).await.refused(400), ["user_id"]);
    assert!(api.list(&format!("/events?event_id={}", vec!["7"; 20].join(","))).await.is_empty());
    assert_eq!(api.get(&format!("/events?event_id={}", vec!["7"; 21].join(","))).await.refused(400), ["event_id"]);
    let repeated = vec!["event_id=7"; 21].join("&");
    assert_eq!(api.get(&format!("/events?{repeated}")).await.refused(400), ["event_id"]);
    for query in
        ["event_type=raid&event_type=", "event_type=&event_type=raid", "limit=1&limit=1", "user_name=a&user_name=b"]
    {
        let parameter = query.split('=').next().expect("a name");
        assert_eq!(api.get(&format!("/events?{query}")).await.refused(400), [parameter], "{query}");
    }
    assert!(api.list("/purchases?status=pending,refunded&user_id=7").await.is_empty());
    // A text is a single value.
    assert!(api.list("/users?platform_id=a,b").await.is_empty());
}

#[tokio::test]
async fn amounts_and_beginnings_of_sources_select_events() {
    let api = Api::shared();
    let (user, created) = five_events(&api).await;
    let [plain, raid, small, middle, large] = created[..] else { panic!("five events") };
    let found =
        async |query: &str| ids(&api.list(&format!("/users/{user}/events?order=asc&{query}")).await, "event_id");
    // A raid's amount is its number of viewers, which is a different field.
    assert_eq!(found("amount_min=-7").await, [small, middle, large]);
    assert_eq!(found("amount_min=50").await, [middle, large]);
    assert_eq!(found("amount_max=50").await, [small, middle]);
    assert_eq!(found("amount_min=6&amount_max=499&limit=1").await, [middle]);
    assert!(found("amount_min=51&amount_max=50").await.is_empty());
    assert_eq!(found("source_prefix=bot/").await, [plain, raid]);
    assert_eq!(found("source_prefix=bot/a&source=bot/a").await, [plain]);
    for amount in ["", "x", "+1", "1.5", "9007199254740992", "1,2"] {
        let path = format!("/events?amount_min={}&amount_max=1", amount.replace('+', "%2B"));
        assert_eq!(api.get(&path).await.refused(400), ["amount_min"], "{amount}");
    }
    for prefix in [String::new(), "x".repeat(1_025)] {
        assert_eq!(api.get(&format!("/events?source_prefix={prefix}")).await.refused(400), ["source_prefix"]);
    }
    assert!(found(&format!("source_prefix={}", "é".repeat(1_024))).await.is_empty());
    let wallet = format!("/users/{user}/transactions");
    for amount in [-20, 0, 20] {
        api.post(&wallet, &json!({"amount": amount, "description": "a"})).await.created();
    }
    let amounts = api.list(&format!("{wallet}?amount_min=-20&amount_max=0&order=asc")).await;
    assert_eq!(amounts.iter().map(|one| &one["amount"]).collect::<Vec<_>>(), [&json!(-20), &json!(0)]);
}

#[tokio::test]
async fn page_before_records_without_the_children_of_a_filter_is_the_last() {
    let api = Api::shared();
    let mut ids = Vec::new();
    for has_stamp in [false, true, false, true, false] {
        let document = api.document().await;
        if has_stamp {
            let mut stamp = samples::stamp(&document);
            stamp["stamp_type"] = json!("rare");
            api.post("/stamps", &stamp).await.created();
        }
        ids.push(document["document_id"].to_string());
    }
    for order in ["asc", "desc"] {
        for (limit, sizes) in [(1, vec![1, 1]), (2, vec![2]), (3, vec![2])] {
            let path = format!("/documents?document_id={}&stamp_type=rare&order={order}&limit={limit}", ids.join(","));
            let (mut page, mut found) = (api.get(&path).await, Vec::new());
            loop {
                found.push(page.ok().as_array().expect("a list").len());
                let Some(next) = page.next() else { break };
                page = api.get(&next).await;
            }
            assert_eq!(found, sizes, "{order} {limit}");
        }
    }
}
