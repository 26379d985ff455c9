//! Tests of chat commands: what they do, that each message acts once, and the answers in the chat.

use std::time::{Duration, Instant};

use capture_core::lambda::follower;
use capture_core::lambda::stream::Batch;
use capture_core::operations::Execution;
use capture_core::resources::{EVENTS, events};
use capture_core::schema::{Id, Key, Record, Timestamp};
use capture_core::store::Language;
use end_to_end::faults::Faults;
use end_to_end::twitch_mock::Mock;
use end_to_end::{Api, TWITCH_CHANNEL, samples};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::twitch::connection::{connect, process, service, service_with, wait_for};
use crate::twitch::webhook::{Message, deliver, sample};

/// A viewer with a Twitch identifier and a name.
#[derive(Clone)]
struct Viewer {
    platform_id: String,
    name: String,
    user_id: Value,
}

/// Returns the notification of a viewer's chat message.
fn notification(viewer: &Viewer, text: &str) -> Value {
    let (mut message, _) = sample("channel.chat.message");
    message["event"]["chatter_user_id"] = json!(viewer.platform_id);
    message["event"]["chatter_user_login"] = json!(viewer.name.to_lowercase());
    message["event"]["chatter_user_name"] = json!(viewer.name);
    message["event"]["message"] = json!({"text": text, "fragments": []});
    message
}

/// Sends a viewer's message by the webhook. Returns its identifier.
async fn say(api: &Api, viewer: &Viewer, text: &str) -> String {
    let message = notification(viewer, text);
    deliver(api, &message).await;
    message["event"]["message_id"].as_str().expect("an identifier").to_owned()
}

async fn viewer(api: &Api, points: i64) -> Viewer {
    let name = format!("V{:08x}", fastrand::u32(..));
    named(api, &name, points).await
}

async fn named(api: &Api, name: &str, points: i64) -> Viewer {
    let platform_id = fastrand::u32(..).to_string();
    let user = api.post("/users", &json!({"platform_id": platform_id, "name": name})).await.created();
    let user_id = user["user_id"].clone();
    if points != 0 {
        let start = json!({"user_id": user_id, "amount": points, "description": "start"});
        api.post("/transactions", &start).await.created();
    }
    Viewer { platform_id, name: name.to_owned(), user_id }
}

async fn command(api: &Api, name: &str, action: &str, with: Value) -> Value {
    let body = samples::merged(json!({"name": name, "action": action, "enabled": true}), &with);
    api.post("/commands", &body).await.created()
}

async fn product(api: &Api, name: &str, with: Value) -> Value {
    api.post("/products", &samples::merged(json!({"name": name, "price": 10}), &with)).await.created()
}

async fn wallet(api: &Api, viewer: &Viewer) -> i64 {
    let wallet = api.get(&format!("/users/{}/wallet", viewer.user_id)).await.ok();
    wallet["wallet"].as_i64().expect("a balance")
}

async fn purchases(api: &Api, viewer: &Viewer) -> Vec<Value> {
    api.list(&format!("/users/{}/purchases", viewer.user_id)).await
}

async fn until<T>(what: &str, mut probe: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = probe().await {
            return found;
        }
        assert!(Instant::now() < deadline, "{what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until everything said so far has been handled: the stream on one machine is in order.
async fn settle(api: &Api) {
    let sentinel = viewer(api, 1_000_000).await;
    let name = format!("settled {}", samples::unique());
    product(api, &name, json!({"price": 1})).await;
    if api.list("/commands").await.iter().all(|command| command["name"] != "!settle") {
        command(api, "!settle", "buy", json!({"answer": " "})).await;
    }
    for _ in 0..2 {
        say(api, &sentinel, &format!("!settle {name}")).await;
    }
    until("the last command is carried out", async || (purchases(api, &sentinel).await.len() == 2).then_some(())).await;
}

/// Waits for the answer to a message.
async fn answer(mock: &Mock, message_id: &str) -> String {
    let of_message = |body: &Value| body["reply_parent_message_id"] == message_id;
    until(&format!("an answer to {message_id}"), async || {
        let said = mock.said();
        let found = said.iter().find(|(_, body)| of_message(body))?;
        Some(found.1["message"].as_str().expect("a text").to_owned())
    })
    .await
}

async fn answering() -> (Mock, Api) {
    let (mock, api) = service().await;
    connect(&mock, &api).await;
    (mock, api)
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_act_and_are_answered() {
    let (mock, api) = answering().await;
    command(&api, "!Points", "balance", json!({})).await;
    command(&api, "!top", "top", json!({})).await;
    command(&api, "!buy", "buy", json!({"answer": "Enjoy {product}, {user} ({price} of {points}) {x} {"})).await;
    command(&api, "!give", "give", json!({})).await;
    product(&api, "Hat", json!({})).await;
    product(&api, "Hat stand", json!({"price": 1_200, "question": "Which colour?"})).await;
    let (ann, bob) = (named(&api, "Ann", 5_000).await, named(&api, "Bob", 0).await);

    let message = say(&api, &ann, "!pOINTS please").await;
    assert_eq!(answer(&mock, &message).await, "Ann, you have 5,000 points and rank 1.");
    let message = say(&api, &bob, "!points").await;
    assert_eq!(answer(&mock, &message).await, "Bob, you have 0 points.");

    let message = say(&api, &ann, "!buy HAT STAND  dark  blue").await;
    assert_eq!(answer(&mock, &message).await, "Enjoy Hat stand, Ann (1200 of 3800) {x} {");
    let bought = &purchases(&api, &ann).await[0];
    assert_eq!(
        (&bought["answer"], &bought["price"], &bought["quantity"]),
        (&json!("dark  blue"), &json!(1_200), &json!(1))
    );
    let message = say(&api, &ann, "!buy hat stan").await;
    assert_eq!(answer(&mock, &message).await, "Enjoy Hat, Ann (10 of 3790) {x} {");

    let message = say(&api, &ann, "!give @bOB 90").await;
    assert_eq!(answer(&mock, &message).await, "Ann gave Bob 90 points.");
    assert_eq!((wallet(&api, &ann).await, wallet(&api, &bob).await), (3_700, 90));
    let paid = &api.list(&format!("/users/{}/transactions", bob.user_id)).await[0];
    assert_eq!((&paid["description"], &paid["amount"]), (&json!("!give"), &json!(90)));

    let message = say(&api, &bob, "!top").await;
    assert_eq!(answer(&mock, &message).await, "Most points: 1. Ann 3,700, 2. Bob 90");
    let said = mock.said();
    assert!(
        said.iter().all(|(_, body)| body["broadcaster_id"] == TWITCH_CHANNEL && body["sender_id"] == TWITCH_CHANNEL)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_answered_by_their_reason() {
    let (mock, api) = service_with(|options| options.language = Language::German).await;
    connect(&mock, &api).await;
    assert_eq!(api.get("/connections/twitch").await.headers["content-language"], "de");
    command(&api, "!buy", "buy", json!({"answer": "/me never"})).await;
    command(&api, "!give", "give", json!({})).await;
    product(&api, "Sold", json!({"stock": 0})).await;
    product(&api, "Dear", json!({"price": 11})).await;
    product(&api, "Once", json!({"max_per_user": 1, "price": 0})).await;
    product(&api, "Rare", json!({"cooldown": 900, "price": 0})).await;
    product(&api, "Asks", json!({"question": "Farbe?"})).await;
    product(&api, "Off", json!({"enabled": false})).await;
    let (ann, bob) = (named(&api, "Ann", 10).await, named(&api, "Bob", 0).await);
    for twin in ["Twin", "twin"] {
        named(&api, twin, 0).await;
    }
    for text in ["!buy once", "!buy rare"] {
        say(&api, &ann, text).await;
    }
    settle(&api).await;
    let long = format!("!buy asks {}", "x".repeat(501));
    let cases = [
        ("!buy", "Ann, ein Produkt mit diesem Namen gibt es nicht."),
        ("!buy /ban Bob", "Ann, ein Produkt mit diesem Namen gibt es nicht."),
        ("!buy off", "Ann, ein Produkt mit diesem Namen gibt es nicht."),
        ("!buy sold", "Ann, „Sold“ ist ausverkauft."),
        ("!buy dear", "Ann, du hast nicht genug Punkte."),
        ("!buy once", "Ann, du kannst „Once“ nicht noch einmal kaufen."),
        ("!buy rare", "Ann, „Rare“ wurde gerade gekauft. Versuch es später noch einmal."),
        ("!buy asks", "Ann, schreib deine Antwort hinter den Namen des Produkts: Farbe?"),
        (&long, "Ann, deine Antwort ist zu lang."),
        ("!give Bob 11", "Ann, du hast nicht genug Punkte."),
        ("!give ann 1", "Ann, du kannst dir selbst nichts geben."),
        ("!give twin 1", "Ann, mehrere Zuschauer haben diesen Namen."),
        ("!give nobody\u{7} 1", "Ann, ich kenne niemanden mit diesem Namen."),
        ("!give Bob −5", "Ann, schreib einen Namen und eine ganze Zahl von Punkten."),
        ("!give Bob 1e9", "Ann, schreib einen Namen und eine ganze Zahl von Punkten."),
        ("!give", "Ann, schreib einen Namen und eine ganze Zahl von Punkten."),
    ];
    for (text, expected) in cases {
        let message = say(&api, &ann, text).await;
        assert_eq!(answer(&mock, &message).await, expected, "{text}");
    }
    assert_eq!((wallet(&api, &ann).await, wallet(&api, &bob).await), (10, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn cooldown_holds_for_messages_in_any_order() {
    let api = Api::start();
    command(&api, "!buy", "buy", json!({"user_cooldown": 60})).await;
    product(&api, "Hat", json!({"price": 1})).await;
    for _ in 0..5 {
        let ann = viewer(&api, 100).await;
        let now = Timestamp::now();
        let messages = [0, -3, -1, 0, -2, 0, -5, -4].map(|seconds| {
            let sent = now.checked_add(time::Duration::seconds(seconds)).expect("a time").to_string();
            Message::at(&notification(&ann, "!buy hat"), &samples::unique(), &sent)
        });
        for reply in join_all(messages.iter().map(|message| message.send(&api))).await {
            assert_eq!(reply.status, 204);
        }
        settle(&api).await;
        assert_eq!(wallet(&api, &ann).await, 99);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn strange_messages_are_harmless() {
    let api = Api::start();
    command(&api, "!buy", "buy", json!({})).await;
    command(&api, "!give", "give", json!({})).await;
    let ann = viewer(&api, 10).await;
    for text in ["!", "! buy", "!!buy", "!\n", "!buy\u{0}", "!give @ 5", "!give @@ 5", "!give % 5", "!give \u{202e} 5"]
    {
        say(&api, &ann, text).await;
    }
    for text in [format!("!buy {}", "🦊".repeat(500)), format!("!give {} 5", "a".repeat(90_000)), "!".repeat(3_000)] {
        say(&api, &ann, &text).await;
    }
    settle(&api).await;
    assert_eq!(wallet(&api, &ann).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn long_message_buys_with_its_answer() {
    let api = Api::start();
    command(&api, "!buy", "buy", json!({})).await;
    product(&api, "Poem", json!({"question": "Which?"})).await;
    let ann = viewer(&api, 10).await;
    // More than a kilobyte is stored out of line.
    say(&api, &ann, &format!("!buy poem {}", "🦊".repeat(480))).await;
    let bought = until("the purchase", async || purchases(&api, &ann).await.pop()).await;
    assert_eq!(bought["answer"], "🦊".repeat(480));
}

#[tokio::test(flavor = "multi_thread")]
async fn some_messages_are_no_commands() {
    let (mock, api) = answering().await;
    let buy = command(&api, "!buy", "buy", json!({"enabled": false})).await;
    product(&api, "Hat", json!({"price": 1})).await;
    let ann = viewer(&api, 100).await;
    say(&api, &ann, "!buy hat").await;
    settle(&api).await;
    api.patch(&format!("/commands/{}", buy["command_id"]), &json!({"enabled": true})).await.ok();
    say(&api, &ann, " !buy hat").await;
    say(&api, &ann, "buy hat").await;
    say(&api, &ann, "!buyhat").await;
    // Sent 31 seconds ago.
    let late = Timestamp::now().checked_add(time::Duration::seconds(-31)).expect("a time").to_string();
    assert_eq!(Message::at(&notification(&ann, "!buy hat"), &samples::unique(), &late).send(&api).await.status, 204);
    // Of another channel in a shared chat.
    let mut shared = notification(&ann, "!buy hat");
    shared["event"]["source_broadcaster_user_id"] = json!("4711");
    deliver(&api, &shared).await;
    // Of the account that answers.
    let channel = Viewer { platform_id: TWITCH_CHANNEL.to_owned(), ..ann.clone() };
    say(&api, &channel, "!buy hat").await;
    // Of a viewer who has opted out.
    let gone = viewer(&api, 100).await;
    say(&api, &gone, "hello").await;
    api.post("/opt-outs", &json!({"platform_id": gone.platform_id})).await.created();
    say(&api, &gone, "!buy hat").await;
    // By POST.
    let event = json!({"event_type": "plain", "message": "!buy hat", "user_id": ann.user_id, "user_name": "Ann",
        "occurred_at": Timestamp::now().to_string()});
    api.post("/events", &event).await.created();
    settle(&api).await;
    assert_eq!((wallet(&api, &ann).await, wallet(&api, &gone).await), (100, 100));
    // Still a message.
    let just_now = Timestamp::now().checked_add(time::Duration::seconds(-25)).expect("a time").to_string();
    assert_eq!(
        Message::at(&notification(&ann, "!buy hat"), &samples::unique(), &just_now).send(&api).await.status,
        204
    );
    until("a purchase", async || (wallet(&api, &ann).await == 99).then_some(())).await;
    drop(mock);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_message_acts_once() {
    let faults = Faults { conflicts: 7, lost_answers: 11, throttled: 13, ..Faults::default() };
    let (api, store) = Api::faulty_with_store(faults);
    let post = async |path: &str, body: Value| {
        let key = samples::unique();
        until(path, async || {
            let request = api.request(Method::POST, path).header("Idempotency-Key", &key).json(&body);
            let reply = api.send(request).await;
            (reply.status == 201).then(|| reply.json())
        })
        .await
    };
    post("/commands", json!({"name": "!buy", "action": "buy", "enabled": true})).await;
    post("/commands", json!({"name": "!give", "action": "give", "enabled": true})).await;
    let product = post("/products", json!({"name": samples::unique(), "price": 1})).await;
    let text = format!("!buy {}", product["name"].as_str().expect("a name"));
    let user = |name: &str| json!({"platform_id": fastrand::u32(..).to_string(), "name": name});
    let (ann, bob) = (post("/users", user("Ann")).await, post("/users", user("Bob")).await);
    let id = |user: &Value| user["user_id"].clone();
    post("/transactions", json!({"user_id": id(&ann), "amount": 100, "description": "start"})).await;
    let ann = Viewer {
        platform_id: ann["platform_id"].as_str().expect("a text").to_owned(),
        name: "Ann".to_owned(),
        user_id: id(&ann),
    };
    // 32 copies of a purchase and of a gift, at once.
    for text in [&text, "!give bob 7"] {
        let message = notification(&ann, text);
        join_all((0..32).map(async |_| {
            until("a delivery", async || (Message::new(&message).send(&api).await.status == 204).then_some(())).await;
        }))
        .await;
    }
    // The batches again, in three more followers at once.
    let events = until("the events", async || {
        let reply = api.get("/events").await;
        (reply.status == 200).then(|| reply.json())
    })
    .await;
    let keys = events.as_array().expect("a list").iter().map(|event| {
        Key::new(&EVENTS, Id::new(event["event_id"].as_u64().expect("an identifier")).expect("an identifier"))
    });
    let mut records = Vec::new();
    for key in keys {
        records.push(until("a record", async || store.get(key).await.ok().flatten()).await);
    }
    assert_eq!(records.len(), 2);
    join_all((0..3).map(async |_| {
        let execution = Execution::in_background(&store, Timestamp::now());
        while execution.run_commands(&records).await.is_err() {}
    }))
    .await;
    let expected = [json!(-7), json!(-1), json!(100)];
    let path = format!("/users/{}/transactions", ann.user_id);
    for _ in 0..2 {
        let paid = until("transactions", async || {
            let reply = api.get(&path).await;
            (reply.status == 200).then(|| reply.json())
        })
        .await;
        let mut amounts: Vec<_> = paid.as_array().expect("a list").iter().map(|paid| paid["amount"].clone()).collect();
        amounts.sort_by_key(Value::as_i64);
        assert_eq!(amounts, expected);
    }
    drop(bob);
}

#[tokio::test(flavor = "multi_thread")]
async fn both_transports_of_a_message_act_once() {
    let (mock, api) = answering().await;
    command(&api, "!buy", "buy", json!({})).await;
    product(&api, "Hat", json!({"price": 1})).await;
    let ann = viewer(&api, 100).await;
    let message = notification(&ann, "!buy hat");
    mock.command(&json!({"command": "notify", "id": samples::unique(), "body": message}));
    deliver(&api, &message).await;
    let id = message["event"]["message_id"].as_str().expect("an identifier");
    assert_eq!(answer(&mock, id).await, format!("{}, you bought Hat for 1 point.", ann.name));
    settle(&api).await;
    assert_eq!(wallet(&api, &ann).await, 99);
    assert_eq!(mock.said().iter().filter(|(_, body)| body["reply_parent_message_id"] == id).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn cooldown_is_kept_for_each_viewer() {
    let api = Api::start();
    command(&api, "!buy", "buy", json!({"user_cooldown": 600})).await;
    command(&api, "!buy2", "buy", json!({})).await;
    product(&api, "Hat", json!({"price": 1})).await;
    let (ann, bob) = (viewer(&api, 100).await, viewer(&api, 100).await);
    for viewer in [&ann, &ann, &bob] {
        say(&api, viewer, "!buy hat").await;
    }
    for _ in 0..2 {
        say(&api, &ann, "!buy2 hat").await;
    }
    settle(&api).await;
    assert_eq!((wallet(&api, &ann).await, wallet(&api, &bob).await), (97, 99));
}

#[tokio::test(flavor = "multi_thread")]
async fn twitch_troubles_never_repeat_an_answer() {
    let (mock, api) = answering().await;
    command(&api, "!points", "balance", json!({})).await;
    let ann = viewer(&api, 0).await;
    // Not sent, or unknown.
    for status in [1, 403, 400, 500, 0] {
        mock.command(&json!({"command": "chat", "status": status}));
        let before = mock.calls("chat");
        say(&api, &ann, "!points").await;
        until("a request", async || (mock.calls("chat") > before).then_some(())).await;
    }
    // After these, Twitch has certainly sent nothing.
    mock.command(&json!({"command": "chat", "status": 429}));
    let message = say(&api, &ann, "!points").await;
    answer(&mock, &message).await;
    mock.command(&json!({"command": "expire"}));
    let message = say(&api, &ann, "!points").await;
    answer(&mock, &message).await;
    assert_eq!(mock.said().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn late_answers_are_not_sent() {
    let (mock, api) = answering().await;
    command(&api, "!points", "balance", json!({})).await;
    let ann = viewer(&api, 0).await;
    for _ in 0..6 {
        mock.command(&json!({"command": "chat", "status": 429}));
    }
    let sent = Timestamp::now().checked_add(time::Duration::seconds(-27)).expect("a time").to_string();
    assert_eq!(Message::at(&notification(&ann, "!points"), &samples::unique(), &sent).send(&api).await.status, 204);
    // Each refusal is followed by a pause of a second. An answer after the last one would be three seconds too late.
    tokio::time::sleep(Duration::from_secs(8)).await;
    assert!(mock.said().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_answers_are_sent_in_thirty_seconds() {
    let (mock, api) = answering().await;
    command(&api, "!buy", "buy", json!({})).await;
    product(&api, "Hat", json!({"price": 1})).await;
    let viewers = join_all((0..20).map(|_| viewer(&api, 5))).await;
    for _ in 0..5 {
        join_all(viewers.iter().map(|viewer| say(&api, viewer, "!buy hat"))).await;
    }
    let bought = async || join_all(viewers.iter().map(|viewer| wallet(&api, viewer))).await.iter().sum::<i64>();
    until("all purchases", async || (bought().await == 0).then_some(())).await;
    until("20 answers", async || (mock.said().len() >= 20).then_some(())).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(mock.said().len(), 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_scope_is_reported_while_a_command_is_enabled() {
    let (mock, api) = service().await;
    mock.command(&json!({"command": "withhold", "scope": "user:write:chat"}));
    connect(&mock, &api).await;
    let missing = async || api.get("/connections/twitch").await.ok()["missing_scopes"].clone();
    assert_eq!(missing().await, json!([]));
    let created = command(&api, "!buy", "buy", json!({})).await;
    wait_for(&api, "the scope", |connection| connection["missing_scopes"] == json!(["user:write:chat"])).await;
    product(&api, "Hat", json!({"price": 1})).await;
    let ann = viewer(&api, 1).await;
    say(&api, &ann, "!buy hat").await;
    until("a purchase", async || (wallet(&api, &ann).await == 0).then_some(())).await;
    settle(&api).await;
    assert_eq!(mock.calls("chat"), 0);
    api.delete("/commands/1").await.refused(404);
    for command in api.list("/commands").await {
        api.patch(&format!("/commands/{}", command["command_id"]), &json!({"enabled": false})).await.ok();
    }
    assert_eq!(missing().await, json!([]));
    drop(created);
}

#[tokio::test(flavor = "multi_thread")]
async fn kills_leave_each_purchase_once_and_at_most_one_answer() {
    let mock = Mock::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut running = process(folder.path(), &mock);
    connect(&mock, &running.api).await;
    command(&running.api, "!buy", "buy", json!({})).await;
    product(&running.api, "Hat", json!({"price": 1})).await;
    let ann = viewer(&running.api, 100).await;
    let mut stored = 0;
    for _ in 0..8 {
        let api = running.api.clone();
        let messages: Vec<_> = (0..3).map(|_| notification(&ann, "!buy hat")).collect();
        for message in &messages {
            deliver(&api, message).await;
            stored += 1;
        }
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..60))).await;
        running.kill();
        running = process(folder.path(), &mock);
    }
    until("all purchases", async || (wallet(&running.api, &ann).await == 100 - stored).then_some(())).await;
    settle(&running.api).await;
    assert_eq!(i64::try_from(purchases(&running.api, &ann).await.len()).ok(), Some(stored));
    let mut answered: Vec<_> =
        mock.said().iter().map(|(_, body)| body["reply_parent_message_id"].to_string()).collect();
    answered.sort();
    let all = answered.len();
    answered.dedup();
    assert_eq!(answered.len(), all, "no message has two answers");
    running.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn message_without_a_command_costs_at_most_one_unit() {
    let (api, store) = Api::start_with_store();
    let ann = viewer(&api, 0).await;
    let now = Timestamp::now();
    let message = |text: &str, id: Option<&str>| {
        let mut event = Record::new(Key::new(&EVENTS, Id::new(5).expect("an identifier")));
        event.set(&events::USER_ID, Id::new(ann.user_id.as_u64().expect("an identifier")).expect("an identifier"));
        event.set(&events::EVENT_TYPE, "plain");
        event.set(&events::MESSAGE, text);
        event.set(&events::OCCURRED_AT, now);
        event.set(&events::CREATED_AT, now);
        if let Some(id) = id {
            event.set(&events::CHAT_COMMAND, id);
        }
        event
    };
    for (event, units) in [(message("hello", None), 0.0), (message("!so Ann", Some("!so m")), 1.0)] {
        let execution = Execution::in_background(&store, now);
        execution.run_commands(std::slice::from_ref(&event)).await.expect("nothing to do");
        let cost = execution.store.cost();
        assert_eq!((cost.read_units(), cost.write_units()), (units, 0.0));
    }
    follower::run(&store, &Batch::default(), now).await.expect("nothing to do");
}

#[tokio::test(flavor = "multi_thread")]
async fn points_of_another_bot_are_imported_once() {
    let mock = Mock::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let running = process(folder.path(), &mock);
    let api = &running.api;
    let file = folder.path().join("points.csv");
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_service-under-test"));
        command.arg("import-points").arg(&file).args(["--url", api.base()]).args(arguments);
        command.arg("--data-dir").arg(folder.path()).env("TWITCH_API_URL", format!("{}/helix", mock.base));
        let output = command.output().expect("a process");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout) + &text(&output.stderr))
    };
    std::fs::write(&file, "username,points\nAnn,5\n").expect("a file");
    let (is_done, text) = run(&[]);
    assert!(!is_done && text.contains("twitch connect"), "{text}");
    connect(&mock, api).await;
    let known = api.post("/users", &json!({"platform_id": "904", "name": "Old"})).await.created();
    api.post("/opt-outs", &json!({"platform_id": "905"})).await.created();
    let lines =
        "Username,Points\nAnn,1200\ndora,-5\nunknown_1,5\nemily,7\nfranzi,\"1,234\"\ngustavo,4\nHANNELE,4\nzero,0\n";
    std::fs::write(&file, lines).expect("a file");
    let expected = ["Line 4", "unknown_1", "Line 5", "opted", "Line 6", "1,234", "Line 7", "Line 8", "several lines"];
    let (is_done, text) = run(&["--dry-run"]);
    assert!(!is_done && text.contains("ANN (903): 1200") && text.contains("Nothing was stored"), "{text}");
    assert_eq!(api.list("/transactions").await.len(), 0);
    for new in [2, 0] {
        let (is_done, text) = run(&[]);
        assert!(!is_done && text.contains(&format!("{new} of 3 viewers")), "{text}");
        assert!(expected.iter().all(|part| text.contains(part)), "{text}");
        let stored = api.list("/transactions?order=asc").await;
        let mut found: Vec<_> =
            stored.iter().map(|paid| (paid["user"]["name"].as_str(), paid["amount"].as_i64())).collect();
        found.sort_unstable();
        assert_eq!(found, [(Some("ANN"), Some(1_200)), (Some("Old"), Some(-5))]);
    }
    assert_eq!(api.get(&format!("/users/{}/wallet", known["user_id"])).await.ok()["wallet"], -5);
    // Other points of a viewer who got theirs are not added.
    std::fs::write(&file, "903,7\n").expect("a file");
    let (is_done, text) = run(&[]);
    assert!(!is_done && text.contains("903 already got 1200 points"), "{text}");
    std::fs::write(&file, "903,1200\n").expect("a file");
    assert!(run(&[]).0);
    // 250 names take three requests.
    let many: Vec<_> = (1..=250).map(|number| format!("unknown_{number},5")).collect();
    std::fs::write(&file, many.join("\n")).expect("a file");
    let before = mock.calls("users");
    run(&["--dry-run"]);
    assert_eq!(mock.calls("users") - before, 3);
    running.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_command_is_left_of_an_anonymized_viewer() {
    let (api, store) = Api::start_with_store();
    let ann = viewer(&api, 0).await;
    say(&api, &ann, "!words of a viewer").await;
    let event = &api.list(&format!("/users/{}/events", ann.user_id)).await[0];
    let id = Id::new(event["event_id"].as_u64().expect("an identifier")).expect("an identifier");
    let stored = async || store.get(Key::new(&EVENTS, id)).await.expect("the table").expect("an event");
    assert!(stored().await.get(&events::CHAT_COMMAND).is_some_and(|command| command.starts_with("!words ")));
    api.post(&format!("/users/{}/anonymize", ann.user_id), &json!({})).await.ok();
    assert_eq!(stored().await.get(&events::CHAT_COMMAND), None);
}
