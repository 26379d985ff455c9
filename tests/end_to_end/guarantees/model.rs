//! A reference model: all resources and rules in memory, as simple as possible. Random operations run against the model
//! and the service, and all responses are compared. The model shares only the JSON names with the service.
//!
//! `MODEL_OPERATIONS=100000 cargo test model` runs 100,000 operations.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use capture_core::resources;
use capture_core::schema::{Lifecycle, Resource};
use end_to_end::{Api, Reply, amount, invariants, samples};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::{Value, json};

/// The number of operations in one sequence.
const SEQUENCE_LENGTH: usize = 40;

/// The catalogue's resources: the name, the identifier, and the field with the parent's identifier.
static KINDS: LazyLock<Vec<(&str, &str, &str)>> = LazyLock::new(|| modelled().map(kind).collect());
/// The resources with records that can be changed.
static CHANGEABLE: LazyLock<Vec<(&str, &str, &str)>> =
    LazyLock::new(|| modelled().filter(|resource| resource.lifecycle != Lifecycle::Immutable).map(kind).collect());
/// The resources with records that can be deleted.
static DELETABLE: LazyLock<Vec<(&str, &str, &str)>> =
    LazyLock::new(|| modelled().filter(|resource| resource.is_deletable()).map(kind).collect());

/// Returns the model's resources. Resources with a limited number of records are left out, since the sequences share
/// one service. An opt-out changes a user, which `api/privacy.rs` tests.
fn modelled() -> impl Iterator<Item = &'static Resource> {
    resources::ALL.into_iter().filter(|resource| resource.limits.records.is_none() && resource.excludes().is_none())
}

fn kind(resource: &'static Resource) -> (&'static str, &'static str, &'static str) {
    let by = resource.belongs_to.as_ref().map_or("", |relation| relation.foreign_key.name);
    let is_visible = resource.field(by).is_some_and(|field| !field.hidden);
    (resource.name, resource.id.name, if is_visible { by } else { "" })
}

fn chosen(
    kinds: &[(&'static str, &'static str, &'static str)],
    choice: u8,
) -> (&'static str, &'static str, &'static str) {
    kinds[usize::from(choice) % kinds.len()]
}

type Records = BTreeMap<u64, Value>;

/// The model's state. Each record has only its own fields.
#[derive(Default)]
struct Model {
    records: BTreeMap<&'static str, Records>,
    /// All identifiers that have ever existed.
    known: BTreeMap<&'static str, Vec<u64>>,
    /// The responses to requests with an idempotency key: the request, the status and the body.
    outcomes: BTreeMap<String, (String, u16, Value)>,
    /// Each record's tag, and the record as rendered at that time.
    tags: BTreeMap<String, (String, Value)>,
}

/// The expected response to an operation.
enum Expected {
    /// This status, with no effect.
    Refused(u16),
    /// 201 with a record of these fields and those that the service assigns.
    Created(&'static str, Value),
    /// 201 with records of these fields, in this order.
    All(&'static str, Vec<Value>),
    /// 201 with a purchase of these fields, which the wallet, the stock and the inventory reflect.
    Purchased(Value),
    /// 200 with the purchase in this status. A refund returns the price.
    Settled(u64, &'static str),
    /// 201 with two transactions of these fields.
    Transferred([Value; 2]),
    /// 201 with this record, under this identifier.
    Imported(&'static str, u64, Value),
    /// 200 with this record, with no effect.
    Unchanged(&'static str, u64),
    /// 200 with this body, and the record that it renders, if any.
    Rendered(Option<(&'static str, u64)>, Value),
}

fn id(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn with(mut base: Value, more: &[(&str, Value)]) -> Value {
    for (name, value) in more {
        base[*name] = value.clone();
    }
    base
}

fn without(mut record: Value, field: &str) -> Value {
    if let Some(fields) = record.as_object_mut() {
        fields.shift_remove(field);
    }
    record
}

impl Model {
    fn of(&self, name: &str) -> impl DoubleEndedIterator<Item = &Value> {
        self.records.get(name).into_iter().flat_map(Records::values)
    }

    fn get(&self, name: &str, id: u64) -> Option<&Value> {
        self.records.get(name)?.get(&id)
    }

    fn put(&mut self, name: &'static str, id: u64, record: Value) {
        self.records.entry(name).or_default().insert(id, record);
        let known = self.known.entry(name).or_default();
        if !known.contains(&id) {
            known.push(id);
        }
    }

    /// Returns the identifier of a current or deleted record, or one that never existed.
    fn pick(&self, name: &str, choice: u8) -> u64 {
        let known = self.known.get(name).map(Vec::as_slice).unwrap_or_default();
        known.get(usize::from(choice) % (known.len() + 1)).copied().unwrap_or(4)
    }

    fn owned(&self, name: &str, by: &str, parent: u64) -> Vec<Value> {
        self.of(name).filter(|record| id(&record[by]) == parent).cloned().collect()
    }

    fn wallet(&self, user: u64) -> i64 {
        self.owned("transactions", "user_id", user).iter().filter_map(|paid| paid["amount"].as_i64()).sum()
    }

    fn has_product_named(&self, name: &Value, but: u64) -> bool {
        let lower = |name: &Value| name.as_str().unwrap_or_default().to_lowercase();
        self.of("products").any(|other| lower(&other["name"]) == lower(name) && id(&other["product_id"]) != but)
    }

    /// Returns the expected response to a purchase.
    fn purchase(&self, user: u64, product: u64, quantity: i64, answer: &Value) -> Expected {
        if self.get("users", user).is_none() {
            return Expected::Refused(404);
        }
        let Some(settings) = self.get("products", product) else { return Expected::Refused(422) };
        if !settings["question"].is_null() && answer.is_null() {
            return Expected::Refused(422);
        }
        let total = settings["price"].as_i64().unwrap_or_default() * quantity;
        let bought: i64 = self
            .owned("purchases", "user_id", user)
            .iter()
            .filter(|purchase| id(&purchase["product_id"]) == product && purchase["status"] != "refunded")
            .filter_map(|purchase| purchase["quantity"].as_i64())
            .sum();
        let is_allowed = settings["enabled"] == true
            && settings["stock"].as_i64().is_none_or(|stock| stock >= quantity)
            && settings["max_per_user"].as_i64().is_none_or(|max| bought + quantity <= max)
            && (total == 0 || self.wallet(user) >= total);
        let status = if settings["automatic"] == true { "fulfilled" } else { "pending" };
        let purchase = json!({"user_id": user, "product_id": product, "quantity": quantity, "price": total,
            "name": settings["name"], "answer": answer, "status": status, "refund_id": null});
        refused_unless(is_allowed, 409, Expected::Purchased(purchase))
    }

    /// Adds units to a product's stock, if it exists and has a stock.
    fn add_stock(&mut self, product: &Value, quantity: i64) {
        let products = self.records.entry("products").or_default();
        if let Some(product) = products.get_mut(&id(product))
            && let Some(stock) = product["stock"].as_i64()
        {
            product["stock"] = json!(stock + quantity);
        }
    }

    /// Applies an acknowledged purchase and checks the fields that the service assigned.
    fn apply_purchase(&mut self, purchase: &Value, rendered: &Value) {
        let (own, product) = (id(&rendered["purchase_id"]), purchase["product_id"].clone());
        let quantity = purchase["quantity"].as_i64().expect("a number");
        let settings = self.get("products", id(&product)).expect("a product").clone();
        let created = &rendered["created_at"];
        let closed = if purchase["status"] == "fulfilled" { created } else { &Value::Null };
        let assigned = ["purchase_id", "transaction_id", "item_id", "created_at"];
        let assigned = assigned.map(|field| (field, rendered[field].clone()));
        let record = with(with(purchase.clone(), &assigned), &[("closed_at", closed.clone())]);
        let paid = json!({"transaction_id": rendered["transaction_id"], "user_id": purchase["user_id"],
            "amount": -purchase["price"].as_i64().expect("a price"), "description": purchase["name"], "reference": null,
            "cause": format!("purchases/{own}"), "created_at": created});
        self.put("transactions", id(&rendered["transaction_id"]), paid);
        assert_eq!(rendered["item_id"].is_null(), settings["item_name"].is_null());
        if !rendered["item_id"].is_null() {
            let item = json!({"item_id": rendered["item_id"], "owner_id": purchase["user_id"], "name": settings["item_name"],
                "quantity": quantity, "metadata": null, "created_at": created, "used_at": null});
            self.put("inventory", id(&rendered["item_id"]), item);
        }
        self.add_stock(&product, -quantity);
        self.put("purchases", own, record);
    }

    /// Applies an acknowledged change of a purchase's status.
    fn apply_status(&mut self, own: u64, status: &str, rendered: &Value) {
        let before = self.get("purchases", own).expect("a purchase").clone();
        let changed = [("status", json!(status)), ("closed_at", rendered["closed_at"].clone())];
        let mut after = with(before.clone(), &changed);
        if status == "refunded" {
            after["refund_id"] = rendered["refund_id"].clone();
            let paid = json!({"transaction_id": rendered["refund_id"], "user_id": before["user_id"],
                "amount": before["price"], "description": before["name"], "reference": null,
                "cause": format!("purchases/{own}"), "created_at": rendered["closed_at"]});
            self.put("transactions", id(&rendered["refund_id"]), paid);
            let item = self.get("inventory", id(&before["item_id"]));
            if item.is_some_and(|item| item["used_at"].is_null() && item["owner_id"] == before["user_id"]) {
                self.delete("inventory", id(&before["item_id"]));
            }
            self.add_stock(&before["product_id"], before["quantity"].as_i64().expect("a number"));
        }
        self.put("purchases", own, after);
    }

    fn active_specimen(&self, user: u64) -> Option<Value> {
        self.owned("specimens", "owner_id", user).into_iter().find(|specimen| specimen["forgotten_at"].is_null())
    }

    /// Renders a record the way a GET does.
    fn render(&self, name: &str, record: &Value) -> Value {
        let user = |by: &str| self.get("users", id(&record[by])).cloned().unwrap_or_default();
        match name {
            "users" => {
                let own = id(&record["user_id"]);
                let mut items = self.owned("inventory", "owner_id", own);
                items.retain(|item| item["used_at"].is_null());
                newest_first(&mut items, "created_at", "item_id");
                let paid = self.owned("transactions", "user_id", own);
                let wallet: i64 = paid.iter().filter_map(|paid| paid["amount"].as_i64()).sum();
                let specimen = self.active_specimen(own).unwrap_or_default();
                with(record.clone(), &[("specimen", specimen), ("inventory", items.into()), ("wallet", wallet.into())])
            }
            "events" => {
                let document = self.get("documents", id(&record["document_id"]));
                let document = document.map_or(Value::Null, |document| self.render("documents", document));
                with(record.clone(), &[("document", document), ("user", user("user_id"))])
            }
            "documents" => {
                let stamps = self.owned("stamps", "document_id", id(&record["document_id"]));
                with(record.clone(), &[("stamps", stamps.into())])
            }
            "specimens" | "inventory" => with(record.clone(), &[("owner", user("owner_id"))]),
            "transactions" | "purchases" => with(record.clone(), &[("user", user("user_id"))]),
            _ => record.clone(),
        }
    }

    /// Returns the expected response to a GET, DELETE or PATCH of a record: 404 if it does not exist.
    fn rendered(&self, name: &'static str, own: u64) -> Expected {
        let rendered = |record| Expected::Rendered(Some((name, own)), self.render(name, record));
        self.get(name, own).map_or(Expected::Refused(404), rendered)
    }

    /// Adds a new record to the model: its fields, and the embedded records that were created with it.
    fn take_over(&mut self, name: &'static str, mut record: Value, rendered: &Value) {
        let own = KINDS.iter().find(|(kind, _, _)| *kind == name).expect("a resource").1;
        for (inside, by) in [("user", "user_id"), ("owner", "owner_id")] {
            let Some(mut user) = record.as_object_mut().and_then(|record| record.remove(inside)) else { continue };
            let taken = self.of("users").find(|other| other["platform_id"] == user["platform_id"]);
            let before = taken.unwrap_or(&rendered[inside]);
            for assigned in ["user_id", "created_at"] {
                user[assigned] = before[assigned].clone();
            }
            record[by] = user["user_id"].clone();
            self.put("users", id(&user["user_id"]), user);
        }
        if let Some(document) = record.as_object_mut().and_then(|record| record.remove("document")) {
            let inside = &rendered["document"];
            record["document_id"] = inside["document_id"].clone();
            self.take_over("documents", document, inside);
        }
        let stamps = record.as_object_mut().and_then(|record| record.remove("stamps")).unwrap_or_default();
        for (sent, rendered) in
            stamps.as_array().into_iter().flatten().zip(rendered["stamps"].as_array().into_iter().flatten())
        {
            self.take_over("stamps", with(sent.clone(), &[("document_id", rendered["document_id"].clone())]), rendered);
        }
        if name == "events" {
            for optional in ["document_id", "source", "reference", "details"] {
                record[optional] = record[optional].take();
            }
        }
        if name == "transactions" {
            record["cause"] = Value::Null;
        }
        // Fields that only the service assigns.
        for assigned in [own, "created_at", "born_at", "document_data"] {
            if !rendered[assigned].is_null() && (record[assigned].is_null() || assigned == "document_data") {
                record[assigned] = rendered[assigned].clone();
            }
        }
        // A field of another type is not rendered.
        if let Some(fields) = record.as_object_mut() {
            fields.retain(|field, value| !value.is_null() || rendered.get(field).is_some());
        }
        let created = id(&rendered[own]);
        assert!(self.known.get(name).is_none_or(|known| !known.contains(&created)), "{name}/{created} is not reused");
        self.put(name, created, record);
    }

    /// Deletes a record and its children.
    fn delete(&mut self, name: &'static str, gone: u64) {
        if let Some(records) = self.records.get_mut(name) {
            records.remove(&gone);
        }
        let below: Vec<(&'static str, u64)> = match name {
            "users" => KINDS
                .iter()
                .filter(|(_, _, by)| ["user_id", "owner_id"].contains(by))
                .flat_map(|(kind, own, by)| self.owned(kind, by, gone).into_iter().map(|of| (*kind, id(&of[*own]))))
                .collect(),
            "documents" => {
                for event in self.records.entry("events").or_default().values_mut() {
                    if id(&event["document_id"]) == gone {
                        event["document_id"] = Value::Null;
                    }
                }
                self.owned("stamps", "document_id", gone)
                    .iter()
                    .map(|stamp| ("stamps", id(&stamp["stamp_id"])))
                    .collect()
            }
            _ => Vec::new(),
        };
        for (kind, id) in below {
            self.delete_whole(kind, id);
        }
    }

    /// Deletes a record, its children, and an event's document.
    fn delete_whole(&mut self, name: &'static str, gone: u64) {
        let document = self.get(name, gone).map(|record| id(&record["document_id"])).filter(|_| name == "events");
        self.delete(name, gone);
        if let Some(document) = document.filter(|document| *document != 0) {
            self.delete("documents", document);
        }
    }
}

fn newest_first(records: &mut [Value], time: &str, own: &str) {
    // Timestamps never end in zeros. At equal length, their texts sort like the times.
    let position = |record: &Value| {
        let text = record[time].as_str().unwrap_or_default().trim_end_matches('Z').to_owned();
        let (seconds, fraction) =
            text.split_once('.').map_or((text.clone(), String::new()), |(one, two)| (one.to_owned(), two.to_owned()));
        (format!("{seconds}.{fraction:0<9}"), id(&record[own]))
    };
    records.sort_by_key(position);
    records.reverse();
}

/// A random operation: its kind, its operands, and the request's headers.
type Operation = [u8; 6];

/// A request and its expected response.
struct Step {
    method: Method,
    path: String,
    body: Value,
    expected: Expected,
}

fn text(choice: u8) -> String {
    ["", "short", &"long ".repeat(210), "\u{1}\"é"][usize::from(choice) % 4].to_owned()
}

fn create(path: &str, body: Value, expected: Expected) -> Step {
    Step { method: Method::POST, path: path.to_owned(), body, expected }
}

fn refused_unless(good: bool, status: u16, expected: Expected) -> Expected {
    if good { expected } else { Expected::Refused(status) }
}

/// Returns an operation's request for the current state.
fn step(model: &Model, operation: Operation, run: &str) -> Step {
    let [which, one, two, three, ..] = operation;
    let user = model.pick("users", one);
    let exists = |name: &str, id: u64| model.get(name, id).is_some();
    let platform_id = format!("{run} {}", two % 6);
    let taken =
        |but: u64| model.of("users").any(|user| user["platform_id"] == platform_id && id(&user["user_id"]) != but);
    match which % 30 {
        25..=29 => economy(model, operation, run),
        0 | 1 => {
            let body = json!({"platform_id": platform_id, "name": format!("name {two}")});
            create("/users", body.clone(), refused_unless(!taken(0), 409, Expected::Created("users", body)))
        }
        2 | 3 => {
            let base = json!({"user_id": user, "user_name": "Ann", "occurred_at": format!("2026-01-0{}T00:00:00Z", 1 + three % 8)});
            let fields = match two % 4 {
                0 => json!({"event_type": "plain", "message": text(three)}),
                1 => json!({"event_type": "subscriber", "tier": 1, "subscribed_length": three, "message": text(three)}),
                2 => json!({"event_type": "cheer", "amount": three, "cheer_type": null, "message": null}),
                _ => json!({"event_type": "raid", "viewer_count": three}),
            };
            let mut body = samples::merged(base, &fields);
            let document = (three % 3 == 0).then(|| model.pick("documents", two));
            let attached =
                document.is_some_and(|wanted| model.of("events").any(|event| id(&event["document_id"]) == wanted));
            body["document_id"] = json!(document);
            let known = exists("users", user) && document.is_none_or(|document| exists("documents", document));
            let expected = refused_unless(!attached || !known, 409, Expected::Created("events", body.clone()));
            create("/events", body, refused_unless(known, 422, expected))
        }
        4 => {
            let fields = json!({"seal": two, "metadata": text(three)});
            let body = samples::merged(samples::document(), &fields);
            create("/documents", body, Expected::Created("documents", fields))
        }
        5 | 6 => {
            let document = model.pick("documents", one);
            let body = json!({"document_id": document, "stamp_type": "x", "pos_x": two, "pos_y": -1, "rotation": 0.5});
            let expected =
                refused_unless(exists("documents", document), 422, Expected::Created("stamps", body.clone()));
            create("/stamps", body, expected)
        }
        7 => {
            let forgotten = if two % 2 == 0 { json!(null) } else { json!("2100-01-01T00:00:00Z") };
            let body = json!({"owner_id": user, "forgotten_at": forgotten});
            let free = !forgotten.is_null() || model.active_specimen(user).is_none();
            let expected = refused_unless(free, 409, Expected::Created("specimens", body.clone()));
            create("/specimens", body, refused_unless(exists("users", user), 422, expected))
        }
        8 => {
            let body = json!({"owner_id": user, "name": "hat", "quantity": 1 + i64::from(two), "metadata": text(three), "used_at": null});
            let expected = refused_unless(exists("users", user), 422, Expected::Created("inventory", body.clone()));
            create("/inventory", body, expected)
        }
        9 | 10 => {
            let fields = json!({"amount": i64::from(two) - 100, "description": text(three), "reference": null});
            let body = with(fields.clone(), &[("user_id", json!(user))]);
            let expected = refused_unless(exists("users", user), 404, Expected::Created("transactions", body));
            create(&format!("/users/{user}/transactions"), fields, expected)
        }
        11 | 12 => change(model, operation, &platform_id, &text(three), taken),
        13 => {
            let (name, _, _) = chosen(&DELETABLE, two);
            let id = model.pick(name, one);
            Step {
                method: Method::DELETE,
                path: format!("/{name}/{id}"),
                body: Value::Null,
                expected: model.rendered(name, id),
            }
        }
        14 | 15 => {
            let (name, _, _) = chosen(&KINDS, two);
            let id = model.pick(name, one);
            Step {
                method: Method::GET,
                path: format!("/{name}/{id}"),
                body: Value::Null,
                expected: model.rendered(name, id),
            }
        }
        16..=19 => whole(model, operation, &platform_id),
        20 => {
            let body =
                json!({"name": format!("name {two}"), "settings": {"scale": three}, "paused": false, "muted": true});
            create("/overlays", body.clone(), Expected::Created("overlays", body))
        }
        23 | 24 => import(model, operation, run, &platform_id, taken),
        _ => chain(model, operation),
    }
}

/// Returns an economy request: a new product, a purchase, a change of its status, or a transfer.
fn economy(model: &Model, operation: Operation, run: &str) -> Step {
    let [which, one, two, three, ..] = operation;
    let user = model.pick("users", one);
    let (product, purchase) = (model.pick("products", two), model.pick("purchases", two));
    match which % 30 {
        25 => {
            let body = product_fields(run, two, three);
            let free = !model.has_product_named(&body["name"], 0);
            create("/products", body.clone(), refused_unless(free, 409, Expected::Created("products", body)))
        }
        26 | 27 => {
            let quantity = 1 + i64::from(three % 3);
            let answer = (three % 4 > 0).then_some("yes");
            let body = json!({"product_id": product, "quantity": quantity, "answer": answer});
            let expected = model.purchase(user, product, quantity, &body["answer"]);
            create(&format!("/users/{user}/purchases"), body, expected)
        }
        28 => {
            let status = ["pending", "fulfilled", "refunded"][usize::from(three) % 3];
            let before = model.get("purchases", purchase).map(|purchase| purchase["status"].clone());
            let is_allowed = |before: Value| match status {
                "fulfilled" => before == "pending",
                "refunded" => before != "refunded",
                _ => false,
            };
            let expected = before.map_or(Expected::Refused(404), |before| {
                refused_unless(is_allowed(before), 409, Expected::Settled(purchase, status))
            });
            let (method, path) = (Method::PATCH, format!("/purchases/{purchase}"));
            Step { method, path, body: json!({"status": status}), expected }
        }
        _ => {
            let (to, amount) = (model.pick("users", two), 1 + i64::from(three));
            let body = json!({"from_user_id": user, "to_user_id": to, "amount": amount, "description": text(three)});
            let exists = |user: u64| model.get("users", user).is_some();
            let side = |user: u64, amount: i64| json!({"user_id": user, "amount": amount, "description": text(three), "reference": null});
            let can_pay = model.get("users", user).is_some_and(|_| model.wallet(user) >= amount);
            let expected = Expected::Transferred([side(user, -amount), side(to, amount)]);
            let expected = refused_unless(can_pay, 409, expected);
            create("/transfers", body, refused_unless(exists(user) && exists(to) && user != to, 422, expected))
        }
    }
}

/// Returns a product's fields. The name is one of six, in upper or lower case.
fn product_fields(run: &str, two: u8, three: u8) -> Value {
    let name = format!("{run} product {}", two % 6);
    let name = if three.is_multiple_of(2) { name.to_uppercase() } else { name };
    json!({"name": name, "description": null, "price": i64::from(two % 4) * 5, "stock": (!three.is_multiple_of(3)).then_some(three % 5),
        "max_per_user": three.is_multiple_of(4).then_some(2), "cooldown": null, "user_cooldown": null,
        "question": three.is_multiple_of(5).then_some("why?"), "item_name": three.is_multiple_of(2).then_some("hat"),
        "automatic": three.is_multiple_of(7), "enabled": !three.is_multiple_of(6)})
}

/// Returns a request that creates several records: embedded ones, or a list.
fn whole(model: &Model, operation: Operation, platform_id: &str) -> Step {
    let [which, one, two, three, ..] = operation;
    let user = model.pick("users", one);
    let exists = |name: &str, id: u64| model.get(name, id).is_some();
    match which % 30 {
        // A user object. The user may exist, and its name may be newer.
        16 => {
            let user = json!({"platform_id": platform_id, "name": format!("whole {three}")});
            let base = json!({"event_type": "raid", "viewer_count": three, "user_name": "Ann", "occurred_at": "2026-01-09T00:00:00Z"});
            let body = with(base, &[("user", user)]);
            create("/events", body.clone(), Expected::Created("events", body))
        }
        17 => {
            let owner = json!({"platform_id": platform_id, "name": format!("owner {three}")});
            let known =
                model.of("users").find(|user| user["platform_id"] == platform_id).map(|user| id(&user["user_id"]));
            let free = known.is_none_or(|user| model.active_specimen(user).is_none());
            let body = json!({"owner": owner, "forgotten_at": null});
            create("/specimens", body.clone(), refused_unless(free, 409, Expected::Created("specimens", body)))
        }
        // A document with its stamps, within an event or for an event that has none.
        18 => {
            let stamp = |position: u8| json!({"stamp_type": "in", "pos_x": position, "pos_y": 2, "rotation": 0.25});
            let stamps: Vec<_> = (0..two % 4).map(stamp).collect();
            let fields = json!({"seal": two, "metadata": text(three), "stamps": stamps});
            let document = samples::merged(samples::document(), &fields);
            let event = model.pick("events", one);
            if three % 2 == 0 {
                let base = json!({"event_type": "raid", "viewer_count": three, "user_name": "Ann", "occurred_at": "2026-01-09T00:00:00Z"});
                let body = with(base, &[("document", document), ("user_id", json!(user))]);
                let expected = Expected::Created("events", body.clone());
                create("/events", body, refused_unless(exists("users", user), 422, expected))
            } else {
                let free = model.get("events", event).is_some_and(|event| event["document_id"].is_null());
                let body = with(document, &[("event_id", json!(event))]);
                let expected = refused_unless(free, 409, Expected::Created("documents", body.clone()));
                let sent = without(body, "event_id");
                create(
                    &format!("/events/{event}/document"),
                    sent,
                    refused_unless(exists("events", event), 404, expected),
                )
            }
        }
        // Several stamps. Either all or none are created.
        _ => {
            let (one, other) = (model.pick("documents", one), model.pick("documents", three));
            let stamp = |position: u8| {
                let document = if position.is_multiple_of(2) { one } else { other };
                json!({"document_id": document, "stamp_type": "put", "pos_x": position, "pos_y": 3, "rotation": 1.5})
            };
            let stamps: Vec<_> = (0..=two % 4).map(stamp).collect();
            let known = stamps.iter().all(|stamp| exists("documents", id(&stamp["document_id"])));
            let expected = refused_unless(known, 422, Expected::All("stamps", stamps.clone()));
            Step { method: Method::PUT, path: "/stamps".to_owned(), body: stamps.into(), expected }
        }
    }
}

/// Returns a GET, PATCH or DELETE of a record at the end of several links.
fn chain(model: &Model, operation: Operation) -> Step {
    let [_, one, two, three, ..] = operation;
    let event = model.pick("events", one);
    let of_event = model.get("events", event);
    let user = of_event.map_or(0, |event| id(&event["user_id"]));
    let document = of_event.map_or(0, |event| id(&event["document_id"]));
    let specimen = model.active_specimen(user).map_or(0, |specimen| id(&specimen["specimen_id"]));
    let step = |method: Method, path: &str, expected: Expected| Step {
        method,
        path: format!("/events/{event}{path}"),
        body: Value::Null,
        expected,
    };
    match two % 7 {
        0 => step(Method::GET, "/user", model.rendered("users", user)),
        1 => step(Method::GET, "/user/specimen", model.rendered("specimens", specimen)),
        2 => {
            let owner = if specimen == 0 { 0 } else { user };
            step(Method::GET, "/user/specimen/owner", model.rendered("users", owner))
        }
        3 => step(Method::GET, "/document", model.rendered("documents", document)),
        4 => step(Method::DELETE, "/document", model.rendered("documents", document)),
        5 => {
            let wallet = model.get("users", user).map(|user| model.render("users", user)["wallet"].clone());
            let expected =
                wallet.map_or(Expected::Refused(404), |wallet| Expected::Rendered(None, json!({"wallet": wallet})));
            step(Method::GET, "/user/wallet", expected)
        }
        _ => {
            let name = format!("by a chain {three}");
            let after = model.get("users", user).map(|user| with(user.clone(), &[("name", json!(name))]));
            let expected =
                after.map_or(Expected::Refused(404), |after| Expected::Rendered(Some(("users", user)), after));
            Step { body: json!({"name": name}), ..step(Method::PATCH, "/user", expected) }
        }
    }
}

/// Returns a PUT of a record that exists, was deleted, or is new.
fn import(model: &Model, operation: Operation, run: &str, platform_id: &str, taken: impl Fn(u64) -> bool) -> Step {
    let [_, one, two, three, ..] = operation;
    let (name, own, by) = chosen(&KINDS, two);
    let exists = |name: &str, id: u64| model.get(name, id).is_some();
    let fresh = (u64::from_str_radix(run, 16).expect("a number") >> 24 << 8) + u64::from(one) + 1;
    let id = Some(model.pick(name, one)).filter(|id| *id != 4).unwrap_or(fresh);
    let step = |body: Value, expected| Step { method: Method::PUT, path: format!("/{name}/{id}"), body, expected };
    if let Some(record) = model.get(name, id) {
        let mut body = record.clone();
        if name == "documents" {
            body["document_data"] = samples::document()["document_data"].clone();
        }
        if three % 2 == 0 {
            return step(body, Expected::Unchanged(name, id));
        }
        return step(with(body, &[another(name)]), Expected::Refused(409));
    }
    let parent = model.pick(if by == "document_id" { "documents" } else { "users" }, three);
    // A deleted user's child waits for the upkeep, which another test covers.
    let is_deleted = by != "document_id" && !exists("users", parent);
    let parent = if is_deleted { fresh } else { parent };
    let mut fields = complete(name, three);
    match name {
        "users" => fields["platform_id"] = json!(platform_id),
        "products" => fields["name"] = product_fields(run, one, three)["name"].clone(),
        "purchases" => fields["product_id"] = json!(model.pick("products", one)),
        "events" => fields["document_id"] = json!((three % 3 == 0).then(|| model.pick("documents", one))),
        _ => {}
    }
    let body = if by.is_empty() { fields } else { with(fields, &[(by, json!(parent))]) };
    let document = body["document_id"].as_u64().filter(|_| name == "events");
    let attached = document.is_some_and(|wanted| model.of("events").any(|event| event["document_id"] == wanted));
    let known = by.is_empty() || exists(if by == "document_id" { "documents" } else { "users" }, parent);
    let known = known && document.is_none_or(|document| exists("documents", document));
    let rival = name == "specimens" && body["forgotten_at"].is_null() && model.active_specimen(parent).is_some();
    let same_name = name == "products" && model.has_product_named(&body["name"], 0);
    let conflict = rival || attached || same_name || (name == "users" && taken(0));
    let expected = Expected::Imported(name, id, with(body.clone(), &[(own, json!(id))]));
    step(body, refused_unless(known, 422, refused_unless(!conflict, 409, expected)))
}

/// Returns the fields of a complete record, without references to other records.
fn complete(name: &str, choice: u8) -> Value {
    let time = json!(format!("2026-02-0{}T00:00:00.5Z", 1 + choice % 8));
    let ended = choice.is_multiple_of(2).then_some("2026-03-01T00:00:00Z");
    match name {
        "users" => json!({"name": "imported", "created_at": time}),
        "events" => {
            json!({"event_type": "raid", "viewer_count": choice, "user_name": "Ann", "occurred_at": time,
                "created_at": time, "source": "twitch/channel.raid", "reference": null, "details": null})
        }
        "documents" => {
            let image = &samples::document()["document_data"];
            json!({"document_data": image, "seal": 1, "created_at": time, "metadata": text(choice)})
        }
        "stamps" => json!({"stamp_type": "", "pos_x": 1, "pos_y": 2, "rotation": 0.125}),
        "specimens" => json!({"born_at": time, "forgotten_at": ended}),
        "inventory" => json!({"name": "hat", "quantity": 2, "metadata": null, "created_at": time, "used_at": ended}),
        "transactions" => {
            json!({"amount": choice, "description": text(choice), "reference": null, "cause": null, "created_at": time})
        }
        "products" => with(product_fields("", choice, choice), &[("created_at", time)]),
        "purchases" => {
            let is_closed = choice.is_multiple_of(2);
            let closed = is_closed.then_some("2026-03-01T00:00:00Z");
            json!({"product_id": 4, "quantity": 1 + choice % 3, "price": choice, "name": "imported", "answer": null,
                "status": if is_closed { "refunded" } else { "pending" }, "transaction_id": 3, "item_id": null,
                "refund_id": is_closed.then_some(5), "created_at": time, "closed_at": closed})
        }
        "overlays" => json!({"name": "imported", "settings": null, "paused": true, "muted": false, "created_at": time}),
        other => panic!("the model needs a complete record of {other}"),
    }
}

/// Returns a field with a value that no record in the model has.
fn another(name: &str) -> (&'static str, Value) {
    match name {
        "users" | "overlays" => ("name", json!("another")),
        "events" => ("occurred_at", json!("2025-01-01T00:00:00Z")),
        "documents" => ("seal", json!(-7)),
        "stamps" => ("pos_x", json!(-7)),
        "specimens" => ("born_at", json!("2025-01-01T00:00:00Z")),
        "inventory" => ("quantity", json!(1_000)),
        "transactions" => ("amount", json!(1_000)),
        "products" | "purchases" => ("price", json!(1_000)),
        other => panic!("the model needs another value of a field of {other}"),
    }
}

/// Returns a PATCH.
fn change(model: &Model, operation: Operation, platform_id: &str, text: &str, taken: impl Fn(u64) -> bool) -> Step {
    let [_, one, two, three, ..] = operation;
    let (name, _, _) = chosen(&CHANGEABLE, two);
    let own = model.pick(name, one);
    let body = match name {
        "users" if three % 2 == 0 => json!({"platform_id": platform_id}),
        "users" => json!({"name": format!("other {three}")}),
        "documents" => json!({"seal": three, "metadata": text}),
        "stamps" if three % 2 == 0 => json!({"document_id": model.pick("documents", three)}),
        "stamps" => json!({"pos_x": three, "stamp_type": "y"}),
        "specimens" if three % 3 == 0 => json!({"owner_id": model.pick("users", three)}),
        "specimens" if three % 3 == 1 => json!({"forgotten_at": null}),
        "specimens" => json!({"forgotten_at": "2100-01-01T00:00:00Z"}),
        "inventory" if three % 2 == 0 => json!({"used_at": "2026-06-01T00:00:00Z"}),
        "inventory" => json!({"metadata": text, "quantity": 1 + i64::from(three)}),
        "overlays" => json!({"paused": three % 2 == 0, "settings": {"scale": three}}),
        "products" if three % 2 == 0 => json!({"stock": three % 4, "price": three % 8, "enabled": true}),
        "products" => json!({"stock": null, "max_per_user": null, "question": null}),
        // An event's changeable fields depend on its type, and a different operation changes a purchase's status.
        "events" | "purchases" => json!({}),
        other => panic!("the model needs a change of {other}"),
    };
    let expected = match model.get(name, own) {
        None => Expected::Refused(404),
        Some(record) => {
            let mut after = record.clone();
            for (field, value) in body.as_object().into_iter().flatten() {
                after[field] = value.clone();
            }
            let absent = |field: &str, of: &str| body[field].is_u64() && model.get(of, id(&body[field])).is_none();
            let owner = id(&after["owner_id"]);
            let rival = model.active_specimen(owner).filter(|rival| rival["specimen_id"] != after["specimen_id"]);
            if absent("document_id", "documents") || absent("owner_id", "users") {
                Expected::Refused(422)
            } else if (name == "users" && body["platform_id"].is_string() && taken(own))
                || (name == "specimens" && after["forgotten_at"].is_null() && rival.is_some())
            {
                Expected::Refused(409)
            } else {
                Expected::Rendered(Some((name, own)), after)
            }
        }
    };
    Step { method: Method::PATCH, path: format!("/{name}/{own}"), body, expected }
}

/// Sends an operation, compares the response, and applies the effect to the model.
async fn play(api: &Api, model: &mut Model, operation: Operation, run: &str) {
    let Step { method, path, body, expected } = step(model, operation, run);
    let what = format!("{method} {path} {body}");
    let mut request = api.request(method.clone(), &path);
    if !body.is_null() {
        request = request.json(&body);
    }
    let [.., how, which] = operation;
    let key = ([Method::POST, Method::PUT].contains(&method) && how % 3 == 0).then(|| format!("{run}-{}", which % 12));
    if let Some(key) = &key {
        request = request.header("Idempotency-Key", key);
    }
    let tag =
        model.tags.get(&path).cloned().filter(|_| [Method::PATCH, Method::DELETE].contains(&method) && how % 3 == 0);
    if let Some((tag, _)) = &tag {
        request = request.header("If-Match", tag);
        model.tags.remove(&path);
    }
    let reply = api.send(request).await;
    if let Some((before, status, outcome)) = key.as_ref().and_then(|key| model.outcomes.get(key)) {
        if *before == what {
            assert_eq!((reply.status.as_u16(), &reply.json()), (*status, outcome), "again: {what}");
            assert_eq!(reply.header("idempotent-replayed"), "true", "{what}");
        } else {
            assert_eq!(reply.status, 422, "{what} with a key that had {before}");
        }
        return;
    }
    // A request with the tag of a changed record returns 412, even if it has other errors.
    if let Some((_, seen)) = &tag
        && let [_, name, own] = path.split('/').collect::<Vec<_>>()[..]
        && let Some(record) = model.get(name, own.parse().expect("an identifier"))
        && model.render(name, record) != *seen
    {
        assert_eq!(reply.status, 412, "{what}: it has changed since");
        return;
    }
    settle(model, &reply, &what, &path, expected);
    if let (Some(key), status @ (200 | 201)) = (key, reply.status.as_u16()) {
        model.outcomes.insert(key, (what, status, reply.json()));
    }
}

/// Compares a response with the expected one and applies it to the model.
fn settle(model: &mut Model, reply: &Reply, what: &str, path: &str, expected: Expected) {
    let own = |name: &str| KINDS.iter().find(|(kind, _, _)| *kind == name).expect("a resource").1;
    // The response to a write omits a user's details.
    let written = |model: &Model, name: &'static str, own: u64| {
        let record = model.get(name, own).expect("a record");
        if name == "users" { record.clone() } else { model.render(name, record) }
    };
    match expected {
        Expected::Refused(wanted) => {
            assert_eq!(reply.status, wanted, "{what}: {}", String::from_utf8_lossy(&reply.bytes));
        }
        Expected::Created(name, record) => {
            let rendered = reply.created();
            let event = record["event_id"].as_u64();
            model.take_over(name, without(record, "event_id"), &rendered);
            let created = id(&rendered[own(name)]);
            if let Some(event) = event.and_then(|event| model.records.entry("events").or_default().get_mut(&event)) {
                event["document_id"] = json!(created);
            }
            assert_eq!(rendered, written(model, name, created), "{what}");
        }
        Expected::All(name, records) => {
            let rendered = reply.created();
            for (record, rendered) in records.into_iter().zip(rendered.as_array().expect("a list")) {
                model.take_over(name, record, rendered);
            }
            for rendered in rendered.as_array().expect("a list") {
                assert_eq!(*rendered, written(model, name, id(&rendered[own(name)])), "{what}");
            }
        }
        Expected::Purchased(purchase) => {
            let rendered = reply.created();
            model.apply_purchase(&purchase, &rendered);
            assert_eq!(rendered, written(model, "purchases", id(&rendered["purchase_id"])), "{what}");
        }
        Expected::Settled(purchase, status) => {
            let rendered = reply.ok();
            model.apply_status(purchase, status, &rendered);
            assert_eq!(rendered, written(model, "purchases", purchase), "{what}");
        }
        Expected::Transferred(sides) => {
            let rendered = reply.created();
            let cause = json!(format!("transfers/{}", rendered["transfer_id"]));
            for (side, paid) in ["from", "to"].into_iter().zip(sides) {
                let rendered = &rendered[side];
                let assigned = ["transaction_id", "created_at"].map(|field| (field, rendered[field].clone()));
                let own = id(&rendered["transaction_id"]);
                model.put("transactions", own, with(with(paid, &assigned), &[("cause", cause.clone())]));
                assert_eq!(*rendered, written(model, "transactions", own), "{what}");
            }
        }
        Expected::Imported(name, id, mut record) => {
            let rendered = reply.created();
            if name == "documents" {
                record["document_data"] = rendered["document_data"].clone();
            }
            model.put(name, id, record);
            assert_eq!(rendered, written(model, name, id), "{what}");
        }
        Expected::Unchanged(name, id) => assert_eq!(reply.ok(), written(model, name, id), "{what}"),
        Expected::Rendered(None, expected) => assert_eq!(reply.ok(), expected, "{what}"),
        Expected::Rendered(Some((name, own)), expected) => {
            let rendered = reply.ok();
            if what.starts_with("PATCH") {
                model.put(name, own, expected);
                assert_eq!(rendered, written(model, name, own), "{what}");
            } else {
                assert_eq!(rendered, expected, "{what}");
            }
            if what.starts_with("DELETE") {
                model.delete_whole(name, own);
            } else if path == format!("/{name}/{own}") {
                let record = model.get(name, own).expect("a record").clone();
                // The first tag stays until it is used. A lot may have changed by then.
                let seen = (reply.header("etag").to_owned(), model.render(name, &record));
                model.tags.entry(path.to_owned()).or_insert(seen);
            }
        }
    }
}

/// Checks that every record that ever existed, and each user's lists, match the model.
async fn compare(api: &Api, model: &Model) {
    for (name, known) in &model.known {
        for id in known {
            let reply = api.get(&format!("/{name}/{id}")).await;
            match model.get(name, *id) {
                Some(record) => assert_eq!(reply.ok(), model.render(name, record), "{name}/{id}"),
                None => assert_eq!(reply.status, 404, "{name}/{id}"),
            }
        }
    }
    for user in model.records.get("users").into_iter().flat_map(Records::keys) {
        for (name, own, by, time) in [
            ("events", "event_id", "user_id", "occurred_at"),
            ("transactions", "transaction_id", "user_id", "created_at"),
            ("purchases", "purchase_id", "user_id", "created_at"),
            ("specimens", "specimen_id", "owner_id", "born_at"),
            ("inventory", "item_id", "owner_id", "created_at"),
        ] {
            let mut records = model.owned(name, by, *user);
            newest_first(&mut records, time, own);
            let expected: Vec<_> = records.iter().map(|record| model.render(name, record)).collect();
            assert_eq!(api.list(&format!("/users/{user}/{name}")).await, expected, "{name} of {user}");
        }
    }
}

#[test]
fn model_knows_every_resource() {
    let model = Model::default();
    for ((name, _, _), choice) in KINDS.iter().zip(0..) {
        complete(name, choice);
        another(name);
        for three in 0..6 {
            let platform_id = "a platform's identifier";
            change(&model, [11, 0, choice, three, 0, 0], platform_id, "text", |_| false);
        }
    }
}

#[test]
fn responses_match_the_model() {
    let operations: usize = amount("MODEL_OPERATIONS", 300, 5_000);
    let cases = u32::try_from(operations.div_ceil(SEQUENCE_LENGTH)).expect("not so many");
    let (api, store) = Api::start_with_store();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, max_shrink_iters: 400, ..Config::default() });
    let sequences = prop::collection::vec(any::<Operation>(), SEQUENCE_LENGTH..=SEQUENCE_LENGTH);
    let done = runner.run(&sequences, |operations| {
        let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            runtime.block_on(async {
                let (mut model, run) = (Model::default(), samples::unique());
                for operation in &operations {
                    play(&api, &mut model, *operation, &run).await;
                }
                compare(&api, &model).await;
            });
        }));
        played.map_err(|panic| {
            let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            TestCaseError::fail(message)
        })
    });
    if let Err(failure) = done {
        panic!("{failure}");
    }
    runtime.block_on(invariants::check(&store));
}
