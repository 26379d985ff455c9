//! Tests that inject every fault into every call to the table and the bucket, for every kind of request. The response
//! is either the one without faults, or a 503 that can be retried. The final state is exactly the one without faults.
//!
//! The calls are recorded from a run without faults, so each new call becomes a new case. `DEPTHS=10 cargo test
//! fault_injection` injects each fault once, twice and so on up to ten times in a row, and then into every later call.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use capture_core::lambda::upkeep;
use capture_core::schema::Timestamp;
use capture_core::store::Store;
use end_to_end::gate::{Fault, Gate, Injected};
use end_to_end::{Api, Reply, Slice, folder, invariants, is_deep, logs, options, samples};
use event_capture::{Options, Stack};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::twitch::webhook::{Message, sample};

mod kills;
mod upkeeps;

/// The faults that the process survives.
const FAULTS: [Fault; 6] =
    [Fault::Throttled, Fault::Conflict, Fault::LostBefore, Fault::LostAfter, Fault::Unprocessed, Fault::ShortPage];

/// Starts a separate service behind a gate.
async fn gated() -> (Api, Gate, Store, PathBuf) {
    let folder = folder();
    let options = Options { lambda: None, ..options(&folder) };
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let gate = Gate::default();
            let stack = Stack::start_with_layer(&options, Arc::new(gate.clone())).await.expect("the service starts");
            // The schedule has run once by now. Its next run is in a minute.
            tokio::time::sleep(Duration::from_millis(300)).await;
            let started = (format!("http://{}", stack.address), gate, stack.store.clone());
            assert!(sender.send(started).is_ok(), "somebody waits");
            std::future::pending::<()>().await;
        });
    });
    let (base, gate, store) = receiver.await.expect("the service starts");
    (Api::at(&base), gate, store, folder)
}

/// The records that each case uses.
struct Cast {
    user: Value,
    /// A platform identifier that no user has yet.
    newcomer: String,
    event: Value,
    document: Value,
    stamp: Value,
    specimen: Value,
    item: Value,
    product: Value,
    purchase: Value,
    other_user: Value,
    key: String,
}

async fn cast(api: &Api) -> Cast {
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let stamp = json!({"stamp_type": "x", "pos_x": 1, "pos_y": 1, "rotation": 0});
    let document = samples::merged(samples::document(), &json!({"stamps": [stamp, stamp]}));
    let event = samples::event(&json!({"document": document, "message": "m".repeat(3_000)}));
    let event = api.post(&format!("{home}/events"), &event).await.created();
    let specimen = api.post(&format!("{home}/specimen"), &json!({})).await.created();
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "hat"})).await.created();
    let document = event["document"].clone();
    let stamp = document["stamps"][0].clone();
    api.post(&format!("{home}/transactions"), &json!({"amount": 100, "description": "start"})).await.created();
    let product = json!({"name": samples::unique(), "price": 7, "stock": 9, "item_name": "hat", "max_per_user": 3});
    let product = api.post("/products", &product).await.created();
    let order = json!({"product_id": product["product_id"]});
    let purchase = api.post(&format!("{home}/purchases"), &order).await.created();
    let (newcomer, other_user, key) = (samples::unique(), api.user().await, samples::unique());
    Cast { user, newcomer, event, document, stamp, specimen, item, product, purchase, other_user, key }
}

/// Returns an identifier that no record has, higher than any that the service generates.
fn new_id(cast: &Cast) -> u64 {
    (1 << 52) + (u64::from_str_radix(&cast.key, 16).expect("a number") >> 13)
}

/// A kind of request: its name, and a function that returns the method, path and body.
type Case = (&'static str, fn(&Cast) -> (Method, String, Value));

const CASES: [Case; 45] = [
    ("GET a user", |cast| (Method::GET, path(cast, "user"), Value::Null)),
    ("GET an event", |cast| (Method::GET, path(cast, "event"), Value::Null)),
    ("GET events", |cast| (Method::GET, format!("{}/events", path(cast, "user")), Value::Null)),
    ("GET an owner", |cast| (Method::GET, format!("{}/user/specimen/owner", path(cast, "event")), Value::Null)),
    ("GET a wallet", |cast| (Method::GET, format!("{}/wallet", path(cast, "user")), Value::Null)),
    ("POST a user", |cast| (Method::POST, "/users".to_owned(), json!({"platform_id": cast.newcomer, "name": "Bea"}))),
    ("POST an event", |cast| {
        (Method::POST, "/events".to_owned(), samples::event(&json!({"user_id": cast.user["user_id"]})))
    }),
    ("POST a long event", |cast| {
        let body = json!({"user_id": cast.user["user_id"], "message": "é".repeat(2_000)});
        (Method::POST, "/events".to_owned(), samples::event(&body))
    }),
    ("POST an event of a new user", |cast| {
        let user = json!({"platform_id": cast.newcomer, "name": "Bea"});
        (Method::POST, "/events".to_owned(), samples::event(&json!({"user": user})))
    }),
    ("POST an event with a document", |cast| {
        let stamp = json!({"stamp_type": "y", "pos_x": 1, "pos_y": 1, "rotation": 0});
        let document = samples::merged(samples::document(), &json!({"stamps": [stamp]}));
        let body = json!({"user_id": cast.user["user_id"], "document": document});
        (Method::POST, "/events".to_owned(), samples::event(&body))
    }),
    ("POST a document", |_| (Method::POST, "/documents".to_owned(), samples::document())),
    ("POST a stamp", |cast| (Method::POST, "/stamps".to_owned(), samples::stamp(&cast.document))),
    ("PUT stamps", |cast| {
        let stamp = samples::stamp(&cast.document);
        (Method::PUT, "/stamps".to_owned(), json!([stamp, stamp, stamp]))
    }),
    ("PUT a document's stamps", |cast| {
        let stamp = json!({"stamp_type": "z", "pos_x": 1, "pos_y": 1, "rotation": 0});
        (Method::PUT, format!("{}/stamps", path(cast, "document")), json!([stamp, stamp]))
    }),
    ("POST a specimen of a new owner", |cast| {
        (Method::POST, "/specimens".to_owned(), json!({"owner": {"platform_id": cast.newcomer, "name": "Bea"}}))
    }),
    ("POST an alert", |cast| (Method::POST, "/alerts".to_owned(), json!({"event_id": cast.event["event_id"]}))),
    ("POST an item", |cast| (Method::POST, format!("{}/inventory", path(cast, "user")), json!({"name": "sword"}))),
    ("POST a transaction", |cast| {
        let paid = json!({"amount": 7, "description": "x"});
        (Method::POST, format!("{}/transactions", path(cast, "user")), paid)
    }),
    ("POST a purchase", |cast| {
        let order = json!({"product_id": cast.product["product_id"], "quantity": 2});
        (Method::POST, format!("{}/purchases", path(cast, "user")), order)
    }),
    ("POST a transfer", |cast| {
        let body = json!({"to_user_id": cast.other_user["user_id"], "amount": 7, "description": "x"});
        (Method::POST, format!("{}/transfers", path(cast, "user")), body)
    }),
    ("PUT a purchase", |cast| {
        let body = json!({"user_id": cast.user["user_id"], "product_id": cast.product["product_id"], "price": 7,
            "name": "hat", "status": "pending", "transaction_id": 1});
        (Method::PUT, format!("/purchases/{}", new_id(cast)), body)
    }),
    ("PUT a user", |cast| {
        (Method::PUT, format!("/users/{}", new_id(cast)), json!({"platform_id": cast.newcomer, "name": "Bea"}))
    }),
    ("PUT an event", |cast| {
        let body = json!({"user_id": cast.user["user_id"], "message": "é".repeat(2_000)});
        (Method::PUT, format!("/events/{}", new_id(cast)), samples::event(&body))
    }),
    ("PUT a document", |cast| (Method::PUT, format!("/documents/{}", new_id(cast)), samples::document())),
    ("PUT a stamp", |cast| (Method::PUT, format!("/stamps/{}", new_id(cast)), samples::stamp(&cast.document))),
    ("PUT a transaction", |cast| {
        let paid = json!({"user_id": cast.user["user_id"], "amount": 7, "description": "x"});
        (Method::PUT, format!("/transactions/{}", new_id(cast)), paid)
    }),
    ("PUT an existing document", |cast| {
        let fields = ["seal", "created_at", "metadata"].map(|name| (name.to_owned(), cast.document[name].clone()));
        let same = Value::Object(fields.into_iter().collect());
        (Method::PUT, path(cast, "document"), samples::merged(samples::document(), &same))
    }),
    ("PATCH a user", |cast| (Method::PATCH, path(cast, "user"), json!({"name": "Cleo"}))),
    ("PATCH an event", |cast| (Method::PATCH, path(cast, "event"), json!({"message": "n".repeat(2_000)}))),
    ("PATCH a document", |cast| (Method::PATCH, path(cast, "document"), json!({"seal": 99}))),
    ("PATCH an image", |cast| (Method::PATCH, path(cast, "document"), samples::document())),
    ("PATCH a stamp", |cast| (Method::PATCH, path(cast, "stamp"), json!({"stamp_type": "other"}))),
    ("PATCH a specimen", |cast| {
        (Method::PATCH, path(cast, "specimen"), json!({"forgotten_at": "2100-01-01T00:00:00Z"}))
    }),
    ("PATCH an item", |cast| (Method::PATCH, path(cast, "item"), json!({"used_at": "2026-01-01T00:00:00Z"}))),
    ("PATCH a product", |cast| (Method::PATCH, path(cast, "product"), json!({"price": 8, "stock": 5}))),
    ("PATCH a purchase", |cast| (Method::PATCH, path(cast, "purchase"), json!({"status": "refunded"}))),
    ("DELETE a stamp", |cast| (Method::DELETE, path(cast, "stamp"), Value::Null)),
    ("DELETE a document", |cast| (Method::DELETE, path(cast, "document"), Value::Null)),
    ("DELETE an event", |cast| (Method::DELETE, path(cast, "event"), Value::Null)),
    ("DELETE a specimen", |cast| (Method::DELETE, path(cast, "specimen"), Value::Null)),
    ("DELETE an item", |cast| (Method::DELETE, path(cast, "item"), Value::Null)),
    ("DELETE a user", |cast| (Method::DELETE, path(cast, "user"), Value::Null)),
    ("anonymize a user", |cast| (Method::POST, format!("{}/anonymize", path(cast, "user")), json!({}))),
    ("POST an opt-out", |cast| {
        (Method::POST, "/opt-outs".to_owned(), json!({"platform_id": cast.user["platform_id"]}))
    }),
    ("a message of Twitch's", |cast| {
        let (mut message, _) = sample("channel.chat.message");
        message["event"]["chatter_user_id"] = json!(cast.newcomer);
        message["event"]["message_id"] = json!(cast.key);
        (Method::POST, "/webhooks/twitch".to_owned(), message)
    }),
];

fn path(cast: &Cast, what: &str) -> String {
    let (name, id) = match what {
        "user" => ("users", &cast.user["user_id"]),
        "event" => ("events", &cast.event["event_id"]),
        "document" => ("documents", &cast.document["document_id"]),
        "stamp" => ("stamps", &cast.stamp["stamp_id"]),
        "specimen" => ("specimens", &cast.specimen["specimen_id"]),
        "product" => ("products", &cast.product["product_id"]),
        "purchase" => ("purchases", &cast.purchase["purchase_id"]),
        _ => ("inventory", &cast.item["item_id"]),
    };
    format!("/{name}/{id}")
}

async fn send(api: &Api, cast: &Cast, kind: &Case) -> Reply {
    let (method, path, body) = kind.1(cast);
    if path.starts_with("/webhooks") {
        return Message::new(&body).send(api).await;
    }
    let request = api.request(method.clone(), &path).header("Idempotency-Key", &cast.key);
    api.send(if body.is_null() { request } else { request.json(&body) }).await
}

/// Returns the final state without identifiers and times.
async fn picture(api: &Api, cast: &Cast) -> Value {
    let mut seen = Vec::new();
    for what in ["user", "event", "document", "stamp", "specimen", "item", "product", "purchase"] {
        seen.push(rendered(api, &path(cast, what)).await);
    }
    for list in ["events", "transactions", "specimens", "inventory", "purchases"] {
        seen.push(rendered(api, &format!("{}/{list}", path(cast, "user"))).await);
    }
    let newcomers = api.get(&format!("/users?platform_id={}", cast.newcomer)).await.ok();
    for user in newcomers.as_array().expect("a list") {
        seen.push(rendered(api, &format!("/users/{}/events", user["user_id"])).await);
    }
    seen.push(newcomers.as_array().map_or(0, Vec::len).into());
    // A product's name is unique, and its transactions repeat it.
    let name = cast.product["name"].as_str().expect("a name");
    serde_json::from_str(&Value::Array(seen).to_string().replace(name, "product")).expect("JSON")
}

/// Returns true if a repeated request may have this status when its first attempt took effect: a deleted record cannot
/// be deleted again, and a purchase is refunded only once.
fn is_done_before(kind: &Case, status: u16) -> bool {
    (kind.0.starts_with("DELETE") && status == 404) || (kind.0 == "PATCH a purchase" && status == 409)
}

async fn rendered(api: &Api, path: &str) -> Value {
    let reply = api.get(path).await;
    let mut body = reply.json();
    plain(&mut body);
    json!([path.split('/').nth(1), reply.status.as_u16(), if reply.status == 200 { body } else { Value::Null }])
}

/// Replaces identifiers, times and images with a placeholder, unless they are null.
fn plain(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (name, value) in object.iter_mut() {
                let own = ["_id", "_at", "_data", "cause"].iter().any(|end| name.ends_with(end));
                if own && !value.is_null() {
                    *value = json!("some");
                } else {
                    plain(value);
                }
            }
        }
        Value::Array(array) => array.iter_mut().for_each(plain),
        _ => {}
    }
}

/// The number of parts that the cases, and the calls of each case, are split into.
const PARTS: (usize, usize) = (12, 4);

/// Returns the indexes of the calls that can have a fault: one part of them, which differs for each fault.
fn positions(slice: Slice, fault: Fault, calls: &[String], parts: usize) -> Vec<usize> {
    let possible = (0..calls.len()).filter(|position| fault.is_possible(&calls[*position]));
    slice.shifted(fault as usize).of(possible, parts).collect()
}

/// Runs a kind of request with all faults. Returns the number of injected faults per operation.
async fn try_all(kind: &Case, slice: Slice, many: &[usize]) -> Injected {
    let (api, gate, store, folder) = gated().await;
    let own = cast(&api).await;
    gate.set(None);
    let right = send(&api, &own, kind).await;
    assert!(right.status.is_success(), "{}: {}", kind.0, String::from_utf8_lossy(&right.bytes));
    let calls = gate.calls();
    assert!(!calls.is_empty(), "{}", kind.0);
    let expected = picture(&api, &own).await;
    for fault in FAULTS {
        for position in positions(slice, fault, &calls, PARTS.1) {
            // New files may have a time a few milliseconds in the past.
            let before = Timestamp::now().checked_add(-time::Duration::SECOND).expect("a time");
            for many in many {
                let what = || format!("{}, {fault:?} from call {position} ({}) for {many}", kind.0, calls[position]);
                let own = cast(&api).await;
                gate.set(Some((position, *many, fault)));
                let mut reply = send(&api, &own, kind).await;
                gate.set(None);
                let answered = reply.status;
                assert!(
                    answered == right.status || answered == 503,
                    "{}: {answered} {}",
                    what(),
                    String::from_utf8_lossy(&reply.bytes)
                );
                for _ in 0..3 {
                    if reply.status != 503 {
                        break;
                    }
                    reply.refused(503);
                    reply = send(&api, &own, kind).await;
                }
                let is_done = reply.status == right.status || is_done_before(kind, reply.status.as_u16());
                assert!(is_done, "{}: {answered}, then {}", what(), reply.status);
                if kind.0.starts_with("DELETE") || ["anonymize a user", "POST an opt-out"].contains(&kind.0) {
                    // The upkeep completes a deletion or a redaction within a minute, without another request.
                    let deadline = Instant::now() + Duration::from_mins(1);
                    upkeep::run(&store, Timestamp::now(), deadline).await.expect("the upkeep");
                }
                assert_eq!(picture(&api, &own).await, expected, "{}: {answered}, then {}", what(), reply.status);
            }
            // The sweep deletes unused images an hour later. It runs often, since too many at once would stop it.
            store.reset_sweep(before).await.expect("the table");
            let later = Timestamp::now().checked_add(time::Duration::minutes(62)).expect("a time");
            upkeep::run(&store, later, Instant::now() + Duration::from_mins(1)).await.expect("the upkeep");
        }
    }
    invariants::check(&store).await;
    invariants::check_indexes(&folder);
    gate.injected()
}

/// Injects one fault, which the service should survive, and then enough of them to make it give up.
#[tokio::test(flavor = "multi_thread")]
async fn requests_survive_every_fault_at_every_call() {
    let started = Instant::now();
    let depths = std::env::var("DEPTHS").ok().and_then(|depths| depths.parse::<usize>().ok());
    // The last count acts like a kill at that call: no later call takes effect.
    let many: Vec<_> = depths.map_or_else(|| vec![1, 6], |depths| (1..=depths).chain([100_000]).collect());
    let mut injected = Injected::new();
    let slice = Slice::of_this_run();
    let cases: Vec<_> = slice.of(&CASES, PARTS.0).collect();
    for cases in cases.chunks(9) {
        let tried = join_all(cases.iter().map(|case| try_all(case, slice.beyond(PARTS.0), &many))).await;
        for (operation, times) in tried.into_iter().flatten() {
            *injected.entry(operation).or_default() += times;
        }
    }
    let all: usize = injected.values().sum();
    println!("{all} faults injected in {:?}, none lost, doubled or half done: {injected:?}", started.elapsed());
    assert!(all > if is_deep() { 500 } else { 5 }, "{injected:?}");
    assert!(!is_deep() || injected.contains_key("PutObject"), "{injected:?}");
}

/// Injects each fault into the removal of a chat message with a document. Once Twitch's redelivery is accepted, the
/// message is gone and stays gone.
#[tokio::test(flavor = "multi_thread")]
async fn removed_message_stays_removed_despite_faults() {
    let (slice, (api, gate, store, _)) = (Slice::of_this_run(), gated().await);
    let (viewer, mut injected) = (samples::unique(), 0);
    let said = || async {
        let (mut message, _) = sample("channel.chat.message");
        let id = samples::unique();
        message["event"]["message_id"] = json!(id);
        message["event"]["chatter_user_id"] = json!(viewer);
        assert_eq!(Message::new(&message).send(&api).await.status, 204);
        let event = api.list("/events").await.remove(0);
        let path = format!("/events/{}", event["event_id"]);
        api.post(&format!("{path}/document"), &samples::document()).await.created();
        let (mut removal, _) = sample("channel.chat.message_delete");
        removal["event"]["message_id"] = json!(id);
        (message, removal, path)
    };
    gate.set(None);
    let (_, removal, _) = said().await;
    gate.set(None);
    assert_eq!(Message::new(&removal).send(&api).await.status, 204);
    let calls = gate.calls();
    for fault in FAULTS {
        for position in positions(slice, fault, &calls, 5) {
            for many in [1, 100_000] {
                let what = format!("{fault:?} from call {position} ({}) for {many}", calls[position]);
                let (message, removal, path) = said().await;
                gate.set(Some((position, many, fault)));
                let mut reply = Message::new(&removal).send(&api).await;
                gate.set(None);
                for _ in 0..3 {
                    if reply.status == 204 {
                        break;
                    }
                    reply.refused(503);
                    reply = Message::new(&removal).send(&api).await;
                }
                assert_eq!(reply.status, 204, "{what}");
                for again in [&message, &removal] {
                    assert_eq!(Message::new(again).send(&api).await.status, 204, "{what}");
                }
                assert_eq!(api.get(&path).await.status, 404, "{what}");
                assert!(api.list("/events").await.is_empty(), "{what}");
                injected += 1;
            }
        }
    }
    let later = Timestamp::now().checked_add(time::Duration::minutes(2)).expect("a time");
    upkeep::run(&store, later, Instant::now() + Duration::from_mins(1)).await.expect("the upkeep");
    assert!(api.list("/documents").await.is_empty());
    invariants::check(&store).await;
    assert!(injected > if is_deep() { 40 } else { 5 }, "{injected}");
}
