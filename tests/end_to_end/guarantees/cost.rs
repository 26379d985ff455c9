//! Tests of each route's cost: sequential round trips, read units and write units, as DynamoDB reports them for one
//! table. The cost is the same with 100 records and with 2,000 (20,000 with `DEEP=1`).

use crate::twitch::webhook::{Message, sample};
use capture_core::resources::events::CHAT_MESSAGE_SOURCE;
use capture_core::resources::{EVENTS, TRANSACTIONS, USERS, events, transactions};
use capture_core::schema::{Id, Key, Record, Timestamp};
use capture_core::store::Store;
use capture_core::table::WriteSet;
use end_to_end::{Api, amount, samples};
use reqwest::Method;
use serde_json::{Value, json};

/// The records that the measured requests use.
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
    let document = samples::merged(samples::document(), &json!({"seal": 77_777}));
    let event = samples::event(&json!({"document": document, "user_name": "measured"}));
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

/// A request and its cost.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    /// Sequential round trips.
    pub(crate) trips: u32,
    pub(crate) read: f64,
    pub(crate) write: f64,
    /// The fewest write units that DynamoDB can charge: one for each item and each index entry that changes.
    floor: f64,
    /// The reason for costing more than the floor.
    excess: &'static str,
}

fn row(method: &'static str, path: String, trips: u32, read: f64) -> Row {
    Row { method, path, trips, read, write: 0.0, floor: 0.0, excess: "" }
}

impl Row {
    fn writes(self, write: f64, floor: f64, excess: &'static str) -> Self {
        Self { write, floor, excess, ..self }
    }
}

#[rustfmt::skip]
fn table(cast: &Cast) -> Vec<Row> {
    let Cast { user, event, document, stamp, specimen, item, paid } = cast;
    let (user, event, document) = (&user["user_id"], &event["event_id"], &document["document_id"]);
    let (stamp, specimen, item, paid) = (&stamp["stamp_id"], &specimen["specimen_id"], &item["item_id"], &paid["transaction_id"]);
    vec![
        // One record: the record itself, then its embedded records.
        row("GET", format!("/stamps/{stamp}"), 1, 1.0),
        row("GET", format!("/documents/{document}"), 2, 3.0),
        row("GET", format!("/events/{event}"), 3, 5.0),
        row("GET", format!("/users/{user}"), 2, 4.0),
        row("GET", format!("/users/{user}/wallet"), 1, 2.0),
        row("GET", "/leaderboards/wallet".to_owned(), 2, 2.0),
        // The head, whether there is any event, and one range of four kinds of events.
        row("GET", "/totals?from=2030-01-01T00:00:00Z".to_owned(), 2, 5.0),
        row("GET", format!("/specimens/{specimen}"), 2, 2.0),
        row("GET", format!("/inventory/{item}"), 2, 2.0),
        row("GET", format!("/transactions/{paid}"), 2, 2.0),
        // Each link takes one read.
        row("GET", format!("/events/{event}/document"), 3, 4.0),
        row("GET", format!("/events/{event}/user"), 3, 5.0),
        row("GET", format!("/events/{event}/user/specimen/owner"), 5, 8.0),
        row("GET", format!("/users/{user}/events/{event}/document/stamps/{stamp}"), 2, 2.0),
        // Lists: the index, then all embedded records. A list of all records of a resource reads all its shards.
        row("GET", "/stamps?limit=20".to_owned(), 1, 1.0),
        row("GET", "/events?limit=20".to_owned(), 3, 3.5),
        row("GET", "/events?limit=20&event_type=plain".to_owned(), 3, 3.5),
        row("GET", "/events?limit=20&order=asc".to_owned(), 2, 1.5),
        row("GET", "/transactions?limit=20".to_owned(), 2, 2.0),
        row("GET", format!("/events?event_id={event}"), 3, 3.0),
        row("GET", format!("/events?document_id={document}"), 4, 4.0),
        row("GET", format!("/events?user_id={user}"), 3, 2.5),
        row("GET", "/events?user_name=measured".to_owned(), 3, 3.0),
        row("GET", format!("/events?user_id={user}&occurred_after=2026-01-01T00:00:00Z"), 3, 2.5),
        row("GET", format!("/users/{user}/events"), 3, 3.5),
        row("GET", "/documents?stamp_type=measured".to_owned(), 3, 2.5),
        row("GET", "/documents?seal=77777".to_owned(), 3, 2.0),
        row("GET", "/documents?metadata=none".to_owned(), 1, 1.0),
        row("GET", "/specimens?forgotten=false".to_owned(), 2, 1.5),
        row("GET", "/specimens?forgotten_after=2020-01-01T00:00:00Z".to_owned(), 1, 1.0),
        row("GET", "/inventory?active=true".to_owned(), 2, 1.5),
        row("GET", "/stamps?stamp_type=measured".to_owned(), 1, 1.0),
        row("GET", format!("/users?user_id={user}"), 3, 2.5),
        row("GET", format!("/specimens?owner_id={user}"), 2, 1.0),
        row("GET", "/inventory?name=measured".to_owned(), 2, 1.5),
        row("GET", "/transactions?amount=77777".to_owned(), 2, 1.5),
        row("GET", "/transactions?description=measured".to_owned(), 2, 1.5),
        row("GET", "/transactions?reference=measured".to_owned(), 2, 1.5),
        // Writes: the independent reads, then one transaction.
        row("POST /users", "/users".to_owned(), 1, 0.0).writes(7.0, 5.0, "a transaction doubles user and reservation"),
        row("POST /transactions", format!("/users/{user}/transactions"), 2, 1.0).writes(10.0, 8.0, "a transaction doubles transaction and state"),
        row("POST /inventory", format!("/users/{user}/inventory"), 2, 1.0).writes(8.0, 6.0, "a transaction doubles item and state"),
        row("POST /events", format!("/users/{user}/events"), 2, 1.0).writes(6.0, 6.0, ""),
        row("PATCH /users", format!("/users/{user}"), 3, 5.0).writes(6.0, 6.0, ""),
        row("PATCH /events", format!("/events/{event}"), 4, 5.0).writes(7.0, 7.0, ""),
        row("POST /documents", "/documents".to_owned(), 2, 0.0).writes(3.0, 3.0, ""),
        row("POST /stamps", format!("/documents/{document}/stamps"), 2, 1.0).writes(8.0, 6.0, "a transaction doubles stamp and state"),
        row("PUT /stamps", format!("/documents/{document}/stamps"), 2, 1.0).writes(14.0, 11.0, "a transaction doubles two stamps and the state"),
        row("PATCH /stamps", format!("/stamps/{stamp}"), 2, 1.0).writes(5.0, 5.0, ""),
        row("PATCH /documents", format!("/documents/{document}"), 3, 6.0).writes(14.0, 12.0, "a transaction doubles document and event, which repeats the seal"),
        row("PATCH /specimens", format!("/specimens/{specimen}"), 3, 2.0).writes(9.0, 7.0, "a transaction doubles specimen and state"),
        row("PATCH /inventory", format!("/inventory/{item}"), 3, 2.0).writes(5.0, 5.0, ""),
        // Deletions: a read of the record, the transaction, then the remaining deletions.
        row("DELETE", format!("/stamps/{stamp}"), 2, 1.0).writes(8.0, 6.0, "a transaction doubles stamp and state"),
        row("DELETE", format!("/specimens/{specimen}"), 3, 2.0).writes(5.0, 5.0, ""),
        row("DELETE", format!("/inventory/{item}"), 3, 2.0).writes(8.0, 6.0, "a transaction doubles item and state"),
        row("DELETE", format!("/documents/{document}"), 5, 5.0).writes(37.0, 30.0, "a transaction doubles document, event, state, three stamps and the tombstone"),
        row("DELETE", format!("/events/{event}"), 3, 2.0).writes(6.0, 6.0, ""),
    ]
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

async fn measure(api: &Api, expected: Row) -> Row {
    let (method, path) = (expected.method, expected.path.as_str());
    let reply = match method.split(' ').next() {
        Some("GET") => api.get(path).await,
        Some("PATCH") => api.patch(path, &body(method)).await,
        Some("PUT") => api.put(path, &body(method)).await,
        Some("DELETE") => api.delete(path).await,
        _ => api.post(path, &body(method)).await,
    };
    assert!(reply.status.is_success(), "{method} {path}: {}", reply.status);
    let (trips, read, write) = reply.cost();
    Row { trips, read, write, ..expected }
}

async fn compare(api: &Api, expected: Vec<Row>, case: &str) {
    let mut differing = Vec::new();
    for expected in expected {
        let measured = measure(api, expected.clone()).await;
        if measured != expected {
            differing.push(format!("{measured:?}\n  expected {expected:?}"));
        }
    }
    assert!(differing.is_empty(), "{case}:\n{}", differing.join("\n"));
}

/// Writes a year of a channel's records directly to the table, which takes seconds.
async fn fill(store: &Store, user: &Value, count: usize) {
    fill_stored_at(store, user, count, None, "x").await;
}

/// Writes records like `fill`, with `stored_at` as their creation time. `None` means the time at which each occurred.
async fn fill_stored_at(store: &Store, user: &Value, count: usize, stored_at: Option<&str>, message: &str) {
    let stored_at = stored_at.and_then(Timestamp::parse);
    let user = Id::new(user["user_id"].as_u64().expect("an identifier")).expect("an identifier");
    let now = Timestamp::now();
    let times = ["2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"]
        .map(|time| Timestamp::parse(time).expect("a time"));
    let mut position = 0;
    while position < count {
        let mut work = WriteSet::default();
        for _ in 0..50 {
            let time = times[position % 3];
            let mut event = Record::new(Key::new(&EVENTS, store.next_id(now)));
            event.set(&events::USER_ID, user);
            event.set(&events::USER_NAME, &format!("u{position}"));
            event.set(&events::OCCURRED_AT, time);
            event.set(&events::CREATED_AT, stored_at.unwrap_or(time));
            event.set(&events::EVENT_TYPE, "plain");
            event.set(&events::MESSAGE, message);
            work.create(&event);
            let mut paid = Record::new(Key::new(&TRANSACTIONS, store.next_id(now)));
            paid.set(&transactions::USER_ID, user);
            paid.set(&transactions::AMOUNT, 1);
            paid.set(&transactions::DESCRIPTION, &format!("d{position}"));
            paid.set(&transactions::CREATED_AT, time);
            work.create(&paid);
            position += 2;
        }
        store.commit(&work).await.expect("stored");
    }
}

#[tokio::test]
async fn cost_of_each_route_is_independent_of_table_size() {
    let (api, store) = Api::start_with_store();
    let other = api.user().await;
    fill(&store, &other, 100).await;
    let first = cast(&api).await;
    compare(&api, table(&first), "with 100 records").await;
    api.delete(&format!("/users/{}", first.user["user_id"])).await.ok();
    fill(&store, &other, amount("RECORDS", 2_000, 20_000)).await;
    let second = cast(&api).await;
    compare(&api, table(&second), "with many records").await;
    assert!(api.list(&format!("/{}?limit=1&user_id={}", USERS.name, second.user["user_id"])).await.len() == 1);
}

#[test]
fn writes_above_the_floor_state_a_reason() {
    let none = || json!({});
    let cast = Cast {
        user: none(),
        event: none(),
        document: none(),
        stamp: none(),
        specimen: none(),
        item: none(),
        paid: none(),
    };
    for Row { method, path, write, floor, excess, .. } in table(&cast) {
        assert_eq!(write > floor, !excess.is_empty(), "{method} {path}");
    }
}

/// Returns typical requests of a channel with their costs. Messages have a few words, lists have as many users as
/// events, and viewers have records. The prices in docs/deploy.md are based on them.
pub(crate) fn typical(user: &Value) -> [Row; 4] {
    let row = |method, path: &str, trips, read| row(method, path.replace("{user}", &user.to_string()), trips, read);
    [
        row("POST /events", "/users/{user}/events?now", 2, 1.0).writes(5.0, 5.0, ""),
        row("GET", "/events?limit=20", 2, 12.0),
        row("GET", "/users/{user}", 2, 6.0),
        row("POST /transactions", "/users/{user}/transactions", 2, 1.0).writes(10.0, 8.0, "a transaction doubles both"),
    ]
}

#[tokio::test]
async fn typical_requests_cost_the_units_of_the_price_model() {
    let api = Api::start();
    let mut user = Value::Null;
    for _ in 0..30 {
        user = api.user().await["user_id"].clone();
        let message = "a message of some fourteen words, as viewers write them while they watch a stream";
        let now = Timestamp::now().to_string();
        let event = samples::event(&json!({"user_id": user, "message": message, "occurred_at": now}));
        api.post("/events", &event).await.created();
    }
    api.post(&format!("/users/{user}/specimen"), &json!({})).await.created();
    api.post(&format!("/users/{user}/transactions"), &body("POST /transactions")).await.created();
    for name in ["hat", "sword", "potion"] {
        api.post(&format!("/users/{user}/inventory"), &json!({"name": name})).await.created();
    }
    for expected in typical(&user) {
        let path = expected.path.replace("?now", "");
        let reply = match expected.method {
            "GET" => api.get(&path).await,
            "POST /events" => {
                let now = Timestamp::now().to_string();
                api.post(&path, &samples::event(&json!({"occurred_at": now}))).await
            }
            method => api.post(&path, &body(method)).await,
        };
        assert!(reply.status.is_success(), "{path}");
        let (trips, read, write) = reply.cost();
        // In one run out of a hundred, one of the two shards has so many of the records that it is queried twice.
        let again = u32::from(path.contains("limit=") && trips == expected.trips + 1);
        assert_eq!((trips - again, write), (expected.trips, expected.write), "{} {path}", expected.method);
        // The shards of the events make a difference of half a unit to two units.
        assert!((expected.read - 1.5..=expected.read).contains(&read), "{} {path}: {read}", expected.method);
    }
}

/// A purchase is one write of at most seven items. A transfer is one write of four.
#[tokio::test]
async fn purchases_and_transfers_cost_few_units() {
    let api = Api::start();
    let (user, other) = (api.user().await["user_id"].clone(), api.user().await["user_id"].clone());
    for user in [&user, &other] {
        api.post(&format!("/users/{user}/transactions"), &json!({"amount": 1_000, "description": "x"})).await.created();
    }
    let cost = |settings: Value| {
        let (api, path) = (api.clone(), format!("/users/{user}/purchases"));
        async move {
            let base = json!({"name": samples::unique(), "price": 5});
            let product = api.post("/products", &samples::merged(base, &settings)).await.created();
            let reply = api.post(&path, &json!({"product_id": product["product_id"]})).await;
            reply.created();
            reply.cost()
        }
    };
    // The indexes of a transaction and a wallet account for 7 of the units.
    assert_eq!(cost(json!({"automatic": true})).await, (2, 3.0, 18.0));
    assert_eq!(cost(json!({})).await, (2, 3.0, 19.0));
    assert_eq!(cost(json!({"stock": 5})).await, (2, 3.0, 21.0));
    assert_eq!(cost(json!({"stock": 5, "item_name": "hat"})).await, (2, 3.0, 27.0));
    let transfer = json!({"from_user_id": user, "to_user_id": other, "amount": 5, "description": "x"});
    let reply = api.post("/transfers", &transfer).await;
    reply.created();
    assert_eq!(reply.cost(), (2, 2.0, 22.0));
}

/// The read and write units of an imported chat message.
pub(crate) const IMPORTED_MESSAGE: (f64, f64) = (2.0, 5.0);

/// An import reads the record in addition to everything that a POST reads.
#[tokio::test]
async fn import_costs_one_read_unit_more_than_a_post() {
    let api = Api::start();
    let (user, document) = (api.user().await["user_id"].clone(), api.document().await);
    let occurred = json!({"user_id": user, "occurred_at": "2025-01-01T00:00:00Z", "created_at": "2025-01-01T00:00:01Z",
        "source": CHAT_MESSAGE_SOURCE});
    let paid = json!({"user_id": user, "amount": 5, "description": "x"});
    let item = json!({"owner_id": user, "name": "hat"});
    for (name, body, trips, read, write) in [
        ("events", samples::event(&occurred), 2, IMPORTED_MESSAGE.0, IMPORTED_MESSAGE.1),
        ("transactions", paid, 2, 2.0, 9.0),
        ("inventory", item, 2, 2.0, 8.0),
        ("stamps", samples::stamp(&document), 2, 2.0, 8.0),
        // The state is read and checked in case an earlier user is being deleted.
        ("users", samples::user(), 2, 2.0, 9.0),
        ("documents", samples::document(), 3, 2.0, 6.0),
    ] {
        let path = format!("/{name}/{}", fastrand::u64(1 << 50..1 << 51));
        let created = api.put(&path, &body).await;
        created.created();
        assert_eq!(created.cost(), (trips, read, write), "{name}");
        let again = api.put(&path, &body).await;
        again.ok();
        assert!(again.cost().1 <= 8.0 && again.cost().2 == 0.0, "{name} {:?}", again.cost());
    }
}

#[tokio::test]
async fn range_on_the_secondary_time_reads_only_its_matches() {
    let (api, store) = Api::start_with_store();
    let other = api.user().await;
    fill(&store, &other, 4_000).await;
    let before = Timestamp::now();
    let event = api.event(&other).await;
    let found = api.get(&format!("/events?created_after={before}")).await;
    assert_eq!(found.ok()[0]["event_id"], event["event_id"]);
    assert_eq!(found.cost(), (2, 2.5, 0.0));
    // Most events were stored when they occurred. A range of `created_at` therefore bounds `occurred_at`.
    for path in ["created_before=2021-06-01T00:00:00Z", "created_after=2020-06-01T00:00:00Z&order=asc"] {
        let page = api.get(&format!("/events?limit=50&{path}")).await;
        assert_eq!(page.ok().as_array().expect("a list").len(), 50, "{path}");
        assert!(page.cost().1 <= 5.0, "{path} {:?}", page.cost());
    }
}

#[tokio::test]
async fn contradictory_filters_read_nothing() {
    let api = Api::shared();
    for path in [
        "/specimens?forgotten=false&forgotten_after=2020-01-01T00:00:00Z",
        "/events?occurred_after=2021-01-01T00:00:00Z&occurred_before=2020-01-01T00:00:00Z",
        "/users?created_after=2021-01-01T00:00:00Z&created_before=2021-01-01T00:00:00Z",
    ] {
        let reply = api.get(path).await;
        assert_eq!((reply.ok(), reply.cost()), (json!([]), (0, 0.0, 0.0)), "{path}");
    }
}

#[tokio::test]
async fn list_reads_the_filter_with_fewer_matches() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    fill(&store, &user, 4_000).await;
    let rare =
        samples::event(&json!({"user_id": user["user_id"], "event_type": "raid", "viewer_count": 1, "message": null}));
    let rare = api.post("/events", &rare).await.created();
    for order in ["asc", "desc"] {
        let path = format!("/events?user_id={}&event_type=raid&order={order}&limit=50", user["user_id"]);
        let found = api.get(&path).await;
        assert_eq!(found.ok()[0]["event_id"], rare["event_id"]);
        assert!(found.cost().1 <= 6.0, "{order} {:?}", found.cost());
    }
    // The result is the same if the other filter is the rare one.
    let path = format!("/events?user_name=u7&event_type=plain&user_id={}", user["user_id"]);
    assert!(api.get(&path).await.cost().1 <= 20.0, "{:?}", api.get(&path).await.cost());
}

#[tokio::test]
async fn page_of_several_values_costs_at_most_the_lists_of_its_values() {
    let (api, store) = Api::start_with_store();
    let mut users = Vec::new();
    for _ in 0..4 {
        let user = api.user().await;
        fill(&store, &user, 60).await;
        users.push(user["user_id"].to_string());
    }
    let list = async |user: &str, limit: u32| api.get(&format!("/events?user_id={user}&limit={limit}")).await;
    for limit in [1, 20, 100] {
        let (mut trips, mut units) = (0, 0.0);
        for user in &users {
            let cost = list(user, limit).await.cost();
            (trips, units) = (trips.max(cost.0), units + cost.1);
        }
        let together = list(&users.join(","), limit).await;
        assert_eq!(together.ok().as_array().map(Vec::len), Some(limit as usize));
        // A value may take up more of the page than its share, and is then read once more.
        let (own_trips, own_units, _) = together.cost();
        assert!(
            own_trips <= trips + 2 && own_units <= units,
            "{limit}: {:?}, not {trips} and {units}",
            together.cost()
        );
    }
}

#[tokio::test]
async fn list_without_matches_reads_at_most_500_units_per_page() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    // An import: old events were stored later, so neither time bounds the other.
    fill_stored_at(&store, &user, amount("RECORDS", 8_000, 20_000), Some("2024-01-01T00:00:00Z"), &"x".repeat(900))
        .await;
    let mut next = Some("/events?created_before=2023-01-01T00:00:00Z".to_owned());
    let mut pages = 0;
    while let Some(path) = next {
        let page = api.get(&path).await;
        assert_eq!(page.ok(), json!([]));
        assert!(page.cost().1 <= 500.0, "{:?}", page.cost());
        pages += 1;
        next = page.next();
    }
    assert!((2..=5).contains(&pages), "{pages} pages");
}

/// A chat message costs no more than an event without a source. Other events from Twitch may cost two more units.
#[tokio::test]
async fn sources_cost_two_write_units_and_none_for_chat() {
    let api = Api::start();
    let (mut chat, _) = sample("channel.chat.message");
    let (mut redemption, _) = sample("channel.channel_points_custom_reward_redemption.add");
    let emote = json!({"type": "emote", "text": "Kappa", "emote": {"id": "25"}});
    chat["event"]["message"] = json!({"text": "Kappa hi", "fragments": [emote, {"type": "text", "text": " hi"}]});
    let mut written = Vec::new();
    for sample in [&mut chat, &mut redemption] {
        // The first message of a viewer also stores the user.
        for number in 0..2 {
            for id in ["message_id", "id"] {
                sample["event"][id] = json!(samples::unique());
            }
            sample["event"]["redeemed_at"] = json!(Timestamp::now().to_string());
            let reply = Message::new(sample).send(&api).await;
            assert_eq!(reply.status, 204);
            if number == 1 {
                written.push(reply.cost().2);
            }
        }
    }
    // For a viewer who has opted out, the only cost is the reads that look up the user and a clear.
    let (mut dropped, viewer) = sample("channel.chat.message");
    dropped["event"]["message_id"] = json!(samples::unique());
    api.post("/opt-outs", &json!({"platform_id": viewer})).await.created();
    assert_eq!(Message::new(&dropped).send(&api).await.cost(), (1, 1.5, 0.0));
    let [chat, redemption] = written[..] else { panic!("two costs") };
    assert_eq!((chat, redemption), (5.0, 7.0));
    let events = api.list("/events?source=twitch/channel.chat.message").await;
    assert_eq!(events[0]["details"], json!({"emotes": [{"id": "25", "begin": 0, "end": 4}]}));
}

#[tokio::test]
async fn filters_without_common_matches_read_few_units() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    fill(&store, &user, amount("RECORDS", 2_000, 20_000)).await;
    for (path, most) in [
        // Every event is plain and belongs to the user. None has a document.
        (format!("/events?user_id={}&event_type=plain&document_seal=7", user["user_id"]), 8.0),
        (format!("/users/{}/events?created_before=2019-01-01T00:00:00Z&order=asc", user["user_id"]), 4.0),
        // No event stored in 2020 occurred in 2022.
        ("/events?created_before=2020-06-01T00:00:00Z&occurred_after=2021-06-01T00:00:00Z".to_owned(), 2.0),
        ("/transactions?amount=1&description=d3".to_owned(), 8.0),
    ] {
        let found = api.get(&path).await;
        assert!(found.ok().as_array().expect("a list").len() <= 1, "{path}");
        assert!(found.cost().1 <= most, "{path} {:?}", found.cost());
    }
}

#[tokio::test]
async fn long_text_is_written_once_and_not_indexed() {
    let api = Api::start();
    let user = api.user().await;
    let long = "x".repeat(100_000);
    let now = Timestamp::now().to_string();
    let event = samples::event(&json!({"user_id": user["user_id"], "message": long, "occurred_at": now}));
    let reply = api.post("/events", &event).await;
    let event = reply.created();
    // The text costs 98 units and the record 1, doubled by the transaction, plus the entries of four indexes.
    assert!(reply.cost().2 <= 204.0, "{:?}", reply.cost());
    let path = format!("/events/{}", event["event_id"]);
    let read = api.get(&path).await;
    assert_eq!((read.cost().0, read.ok()["message"].as_str()), (2, Some(long.as_str())), "with the embedded records");
    assert!(api.patch(&path, &json!({})).await.cost().2 == 0.0, "nothing changes");
    let same = api.patch(&path, &json!({"message": long})).await;
    assert!(same.cost().2 <= 2.0, "{:?}", same.cost());
    let short = api.patch(&path, &json!({"message": "short"})).await;
    assert!(short.cost().2 <= 204.0, "{:?}", short.cost());
    assert_eq!(api.get(&path).await.ok()["message"], "short");
}

#[tokio::test]
async fn idempotency_key_costs_at_most_three_write_units() {
    let api = Api::start();
    let user = api.user().await;
    let path = format!("/users/{}/events", user["user_id"]);
    let now = Timestamp::now().to_string();
    let message: String = (0..60).map(|_| "some words ").collect();
    let body = samples::event(&json!({"message": message, "occurred_at": now}));
    let without = api.post(&path, &body).await;
    let with =
        api.send(api.request(Method::POST, &path).header("Idempotency-Key", samples::unique()).json(&body)).await;
    assert!((900..1_300).contains(&with.bytes.len()), "an answer of 1 KB: {}", with.bytes.len());
    assert!(with.cost().2 - without.cost().2 <= 3.0, "{:?} {:?}", without.cost(), with.cost());
    assert_eq!((with.cost().0, with.cost().1), (without.cost().0, without.cost().1), "no read");
}
