//! What each route costs: sequential round trips, read units and write units, as DynamoDB reports them, in one
//! table; with 100 records and with 20,000 the same.

use end_to_end::{Api, samples};
use event_capture::record::{Key, Record};
use event_capture::resources::{EVENTS, TRANSACTIONS, USERS};
use event_capture::store::{Changes, Store};
use event_capture::value::{Timestamp, Value as Field};
use serde_json::{Value, json};

/// A cast that every measured request plays with.
struct Cast {
    user: Value,
    event: Value,
    document: Value,
    stamp: Value,
    specimen: Value,
    item: Value,
    paid: Value,
}

async fn cast(api: &Api) -> Cast {
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let event = samples::event(&json!({"document": samples::document(), "user_name": "measured"}));
    let event = api.post(&format!("{home}/events"), &event).await.created();
    let document = event["document"].clone();
    let stamp = api
        .post("/stamps", &samples::merged(samples::stamp(&document), &json!({"stamp_type": "measured"})))
        .await
        .created();
    let specimen = api.post(&format!("{home}/specimen"), &json!({"born_at": "2020-01-01T00:00:00Z"})).await.created();
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "measured"})).await.created();
    let paid = json!({"amount": 77_777, "description": "measured", "reference": "measured"});
    let paid = api.post(&format!("{home}/transactions"), &paid).await.created();
    Cast { user, event, document, stamp, specimen, item, paid }
}

/// Method, path, and the three numbers: round trips, read units, write units.
pub(crate) type Row = (&'static str, String, u32, f64, f64);

#[rustfmt::skip]
fn table(cast: &Cast) -> Vec<Row> {
    let Cast { user, event, document, stamp, specimen, item, paid } = cast;
    let (user, event, document) = (&user["user_id"], &event["event_id"], &document["document_id"]);
    let (stamp, specimen, item, paid) = (&stamp["stamp_id"], &specimen["specimen_id"], &item["item_id"], &paid["transaction_id"]);
    let row = |method, path: String, trips, read, write| (method, path, trips, read, write);
    vec![
        // One record: itself, then everything embedded in it.
        row("GET", format!("/stamps/{stamp}"), 1, 1.0, 0.0),
        row("GET", format!("/documents/{document}"), 2, 2.0, 0.0),
        row("GET", format!("/events/{event}"), 2, 4.0, 0.0),
        row("GET", format!("/users/{user}"), 2, 3.0, 0.0),
        row("GET", format!("/users/{user}/wallet"), 1, 1.0, 0.0),
        row("GET", format!("/specimens/{specimen}"), 2, 2.0, 0.0),
        row("GET", format!("/inventory/{item}"), 2, 2.0, 0.0),
        row("GET", format!("/transactions/{paid}"), 2, 2.0, 0.0),
        // A hop is one read.
        row("GET", format!("/events/{event}/document"), 3, 3.0, 0.0),
        row("GET", format!("/events/{event}/user"), 3, 4.0, 0.0),
        row("GET", format!("/events/{event}/user/specimen/owner"), 5, 6.0, 0.0),
        row("GET", format!("/users/{user}/events/{event}/document/stamps/{stamp}"), 2, 2.0, 0.0),
        // Lists: the index, then everything embedded. Those of a whole resource read its eight partitions.
        row("GET", "/stamps?limit=20".to_owned(), 1, 4.0, 0.0),
        row("GET", "/events?limit=20".to_owned(), 2, 6.0, 0.0),
        row("GET", "/events?limit=20&event_type=plain".to_owned(), 2, 6.0, 0.0),
        row("GET", "/events?limit=20&order=asc".to_owned(), 2, 4.5, 0.0),
        row("GET", "/transactions?limit=20".to_owned(), 2, 5.0, 0.0),
        row("GET", format!("/events?event_id={event}"), 2, 2.5, 0.0),
        row("GET", format!("/events?document_id={document}"), 2, 2.0, 0.0),
        row("GET", format!("/events?user_id={user}"), 2, 2.0, 0.0),
        row("GET", "/events?user_name=measured".to_owned(), 2, 2.0, 0.0),
        row("GET", format!("/events?user_id={user}&occurred_after=2026-01-01T00:00:00Z"), 2, 2.0, 0.0),
        row("GET", format!("/users/{user}/events"), 2, 3.0, 0.0),
        row("GET", "/documents?stamp_type=measured".to_owned(), 2, 1.5, 0.0),
        row("GET", "/documents?seal=7".to_owned(), 2, 1.0, 0.0),
        row("GET", "/documents?metadata=none".to_owned(), 1, 0.5, 0.0),
        row("GET", "/specimens?forgotten=false".to_owned(), 2, 4.5, 0.0),
        row("GET", "/specimens?forgotten_after=2020-01-01T00:00:00Z".to_owned(), 1, 4.0, 0.0),
        row("GET", "/inventory?active=true".to_owned(), 2, 4.5, 0.0),
        row("GET", "/stamps?stamp_type=measured".to_owned(), 1, 0.5, 0.0),
        row("GET", format!("/users?user_id={user}"), 2, 2.0, 0.0),
        row("GET", format!("/specimens?owner_id={user}"), 2, 1.0, 0.0),
        row("GET", "/inventory?name=measured".to_owned(), 2, 1.0, 0.0),
        row("GET", "/transactions?amount=77777".to_owned(), 2, 1.0, 0.0),
        row("GET", "/transactions?description=measured".to_owned(), 2, 1.0, 0.0),
        row("GET", "/transactions?reference=measured".to_owned(), 2, 1.0, 0.0),
        // Writing: reads that depend on nothing, then one transaction.
        row("POST /users", "/users".to_owned(), 1, 0.0, 7.0),
        row("POST /transactions", format!("/users/{user}/transactions"), 2, 1.0, 11.0),
        row("POST /inventory", format!("/users/{user}/inventory"), 2, 1.0, 11.0),
        row("POST /events", format!("/users/{user}/events"), 2, 1.0, 9.0),
        row("PATCH /users", format!("/users/{user}"), 2, 1.0, 6.0),
        row("PATCH /events", format!("/events/{event}"), 3, 4.0, 9.0),
        row("POST /documents", "/documents".to_owned(), 2, 0.0, 4.0),
        row("POST /stamps", format!("/documents/{document}/stamps"), 2, 1.0, 19.0),
        row("PUT /stamps", format!("/documents/{document}/stamps"), 2, 1.0, 25.0),
        row("PATCH /stamps", format!("/stamps/{stamp}"), 2, 1.0, 6.0),
        row("PATCH /documents", format!("/documents/{document}"), 3, 5.0, 15.0),
        row("PATCH /specimens", format!("/specimens/{specimen}"), 3, 2.0, 12.0),
        row("PATCH /inventory", format!("/inventory/{item}"), 3, 2.0, 6.0),
        // Deleting: the record as it was, the transaction, and what goes after it.
        row("DELETE", format!("/stamps/{stamp}"), 3, 2.0, 19.0),
        row("DELETE", format!("/specimens/{specimen}"), 3, 2.0, 6.0),
        row("DELETE", format!("/inventory/{item}"), 3, 2.0, 11.0),
        row("DELETE", format!("/documents/{document}"), 5, 4.0, 36.0),
        row("DELETE", format!("/events/{event}"), 3, 2.0, 7.0),
    ]
}

/// The rows as they are asserted, of a cast whose identifiers are all 1.
pub(crate) fn asserted() -> Vec<Row> {
    let names = ["user_id", "event_id", "document_id", "stamp_id", "specimen_id", "item_id", "transaction_id"];
    let one: Value = names.iter().map(|name| ((*name).to_owned(), json!(1))).collect::<serde_json::Map<_, _>>().into();
    let [user, event, document, stamp, specimen, item, paid] = std::array::from_fn(|_| one.clone());
    table(&Cast { user, event, document, stamp, specimen, item, paid })
}

fn body(method: &str) -> Value {
    match method {
        "POST /users" => samples::user(),
        "POST /transactions" => json!({"amount": 1, "description": "other"}),
        "POST /inventory" => json!({"name": "other"}),
        "POST /events" => samples::event(&json!({"occurred_at": "2025-01-01T00:00:00Z"})),
        "POST /documents" => samples::document(),
        "POST /stamps" => samples::stamp(&Value::Null),
        "PUT /stamps" => json!([samples::stamp(&Value::Null), samples::stamp(&Value::Null)]),
        "PATCH /stamps" => json!({"pos_x": 9}),
        "PATCH /documents" => json!({"seal": 9}),
        "PATCH /specimens" => json!({"forgotten_at": "2021-01-01T00:00:00Z"}),
        "PATCH /inventory" => json!({"quantity": 9}),
        "PATCH /users" => json!({"name": samples::unique()}),
        "PATCH /events" => json!({"message": samples::unique()}),
        _ => Value::Null,
    }
}

async fn measure(api: &Api, cast: &Cast) -> Vec<Row> {
    let mut measured = Vec::new();
    for (method, path, ..) in table(cast) {
        let reply = match method.split(' ').next() {
            Some("GET") => api.get(&path).await,
            Some("PATCH") => api.patch(&path, &body(method)).await,
            Some("PUT") => api.put(&path, &body(method)).await,
            Some("DELETE") => api.delete(&path).await,
            _ => api.post(&path, &body(method)).await,
        };
        assert!(reply.status.is_success(), "{method} {path}: {}", reply.status);
        let (trips, read, write) = reply.cost();
        measured.push((method, path, trips, read, write));
    }
    measured
}

fn compare(measured: &[Row], expected: &[Row], size: usize) {
    let differing = measured.iter().zip(expected).filter(|(measured, expected)| measured != expected);
    let lines: Vec<_> = differing
        .map(|(measured, expected)| format!("{measured:?}\n  expected {:?}", (expected.2, expected.3, expected.4)))
        .collect();
    assert!(lines.is_empty(), "with {size} records:\n{}", lines.join("\n"));
}

/// Records straight into the table: what a year of the channel leaves, in seconds.
async fn fill(store: &Store, user: &Value, count: usize) {
    let user = Field::Id(
        event_capture::value::Id::new(user["user_id"].as_u64().expect("an identifier")).expect("an identifier"),
    );
    let now = Timestamp::now();
    let times = ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"]
        .map(|time| Timestamp::parse(time).expect("a time"));
    let mut place = 0;
    while place < count {
        let mut changes = Changes::default();
        for _ in 0..50 {
            let mut event = Record::new(Key::new(&EVENTS, store.draw_id(now)));
            let time = times[place % 3];
            for (field, value) in [
                ("user_id", user.clone()),
                ("user_name", Field::Text(format!("u{place}"))),
                ("occurred_at", time.into()),
                ("created_at", time.into()),
                ("event_type", Field::Text("plain".to_owned())),
                ("message", Field::Text("x".to_owned())),
            ] {
                event.set(field, Some(value));
            }
            changes.create(&event);
            let mut paid = Record::new(Key::new(&TRANSACTIONS, store.draw_id(now)));
            for (field, value) in [
                ("user_id", user.clone()),
                ("amount", 1.into()),
                ("description", Field::Text(format!("d{place}"))),
                ("created_at", time.into()),
            ] {
                paid.set(field, Some(value));
            }
            changes.create(&paid);
            place += 2;
        }
        store.commit(&changes).await.expect("stored");
    }
}

#[tokio::test]
async fn each_route_costs_what_the_table_says_however_much_is_stored() {
    let (api, store) = Api::own_with_store();
    let other = api.user().await;
    fill(&store, &other, 100).await;
    let first = cast(&api).await;
    compare(&measure(&api, &first).await, &table(&first), 100);
    api.delete(&format!("/users/{}", first.user["user_id"])).await.ok();
    fill(&store, &other, 20_000).await;
    let second = cast(&api).await;
    compare(&measure(&api, &second).await, &table(&second), 20_000);
    assert!(api.list(&format!("/{}?limit=1&user_id={}", USERS.name, second.user["user_id"])).await.len() == 1);
}

#[tokio::test]
async fn a_range_of_another_time_reads_its_matches_only() {
    let (api, store) = Api::own_with_store();
    let other = api.user().await;
    fill(&store, &other, 4_000).await;
    let before = Timestamp::now();
    let event = api.event(&other).await;
    let found = api.get(&format!("/events?created_after={before}")).await;
    assert_eq!(found.ok()[0]["event_id"], event["event_id"]);
    assert_eq!(found.cost(), (2, 4.5, 0.0));
}
