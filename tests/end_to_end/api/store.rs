//! Tests of products and purchases: rejections, limits, cooldowns, fulfilment and refunds.

use std::time::{Duration, Instant};

use capture_core::schema::Timestamp;
use end_to_end::{Api, Reply, fill, samples};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

use crate::api::feed::{entries_after, head};
use crate::api::import::id;

/// Creates a product with additional fields. It costs 10.
async fn product(api: &Api, with: &Value) -> Value {
    let base = json!({"name": samples::unique(), "price": 10});
    api.post("/products", &samples::merged(base, with)).await.created()
}

/// Creates a user with a balance and returns the user's path.
async fn buyer(api: &Api, balance: i64) -> String {
    let home = format!("/users/{}", api.user().await["user_id"]);
    let paid = json!({"amount": balance, "description": "start"});
    api.post(&format!("{home}/transactions"), &paid).await.created();
    home
}

async fn buy(api: &Api, home: &str, product: &Value, with: &Value) -> Reply {
    let body = samples::merged(json!({"product_id": product["product_id"]}), with);
    api.post(&format!("{home}/purchases"), &body).await
}

async fn wallet(api: &Api, home: &str) -> Value {
    api.get(&format!("{home}/wallet")).await.ok()["wallet"].clone()
}

async fn stock(api: &Api, product: &Value) -> Value {
    api.get(&format!("/products/{}", product["product_id"])).await.ok()["stock"].clone()
}

fn path(purchase: &Value) -> String {
    format!("/purchases/{}", purchase["purchase_id"])
}

/// Checks a rejection's status and code.
fn refused(reply: &Reply, status: u16, code: &str) {
    reply.refused(status);
    assert_eq!(reply.json()["code"], code, "{}", reply.json());
}

#[tokio::test]
async fn product_has_defaults_and_patch_changes_all_but_its_time() {
    let api = Api::shared();
    let name = samples::unique();
    let created = api.post("/products", &json!({"name": name, "price": 0})).await;
    let etag = created.header("etag").to_owned();
    let product = created.created();
    let id = &product["product_id"];
    let expected = json!({"product_id": id, "name": name, "description": null, "price": 0, "stock": null,
        "max_per_user": null, "cooldown": null, "user_cooldown": null, "question": null, "item_name": null,
        "automatic": false, "enabled": true, "created_at": product["created_at"]});
    assert_eq!(product, expected);
    let path = format!("/products/{id}");
    assert_eq!(api.get(&path).await.header("etag"), etag);
    let change = json!({"description": "x", "price": 5, "stock": 7, "max_per_user": 2, "cooldown": 3,
        "user_cooldown": 4, "question": "why?", "item_name": "hat", "automatic": true, "enabled": false});
    let changed = api.patch(&path, &change).await.ok();
    assert_eq!(changed, samples::merged(product.clone(), &change));
    let read = api.get(&path).await;
    assert_eq!(read.ok(), changed);
    assert_ne!(read.header("etag"), etag);
    assert_eq!(api.list(&format!("/products?name={name}&enabled=false")).await, std::slice::from_ref(&changed));
    assert!(api.list(&format!("/products?name={name}&enabled=true")).await.is_empty());
    let cleared = api.patch(&path, &json!({"stock": null, "question": null, "enabled": null})).await.ok();
    assert_eq!(
        (&cleared["stock"], &cleared["question"], &cleared["enabled"]),
        (&json!(null), &json!(null), &json!(true))
    );
    assert_eq!(api.patch(&path, &json!({"created_at": "2020-01-01T00:00:00Z"})).await.refused(422), ["/created_at"]);
    let stale = api.request(Method::PATCH, &path).header("if-match", read.header("etag")).json(&json!({"price": 9}));
    refused(&api.send(stale).await, 412, "etag_mismatch");
    assert_eq!(api.delete(&path).await.ok(), cleared);
    assert_eq!(api.get(&path).await.status, 404);
}

#[tokio::test]
async fn if_match_covers_the_stock() {
    let api = Api::shared();
    let (home, product) = (buyer(&api, 100).await, product(&api, &json!({"stock": 5})).await);
    let path = format!("/products/{}", product["product_id"]);
    let before = api.get(&path).await.header("etag").to_owned();
    buy(&api, &home, &product, &json!({})).await.created();
    let stale = api.request(Method::PATCH, &path).header("if-match", &before).json(&json!({"price": 9}));
    refused(&api.send(stale).await, 412, "etag_mismatch");
    let current = api.get(&path).await.header("etag").to_owned();
    let fresh = api.request(Method::PATCH, &path).header("if-match", &current).json(&json!({"price": 9}));
    assert_eq!(api.send(fresh).await.ok()["stock"], 4);
}

#[tokio::test]
async fn invalid_products_return_422() {
    let api = Api::shared();
    for (with, pointer) in [
        (json!({"name": ""}), "/name"),
        (json!({"price": -1}), "/price"),
        (json!({"stock": -1}), "/stock"),
        (json!({"max_per_user": 0}), "/max_per_user"),
        (json!({"cooldown": 0}), "/cooldown"),
        (json!({"user_cooldown": 31_536_001}), "/user_cooldown"),
        (json!({"question": ""}), "/question"),
        (json!({"item_name": "x".repeat(1_025)}), "/item_name"),
        (json!({"product_id": 5}), "/product_id"),
    ] {
        let body = samples::merged(json!({"name": samples::unique(), "price": 1}), &with);
        assert_eq!(api.post("/products", &body).await.refused(422), [pointer], "{with}");
    }
    assert_eq!(api.post("/products", &json!({})).await.refused(422), ["/name", "/price"]);
}

#[tokio::test]
async fn names_of_products_are_unique_and_found_without_regard_to_case() {
    let api = Api::shared();
    let unique = samples::unique();
    let name = format!("Ähre {unique}");
    let first = product(&api, &json!({"name": name})).await;
    let second = product(&api, &json!({})).await;
    let same = json!({"name": format!("äHRE {unique}"), "price": 1});
    refused(&api.post("/products", &same).await, 409, "duplicate_name");
    refused(&api.patch(&format!("/products/{}", second["product_id"]), &same).await, 409, "duplicate_name");
    refused(&api.put(&format!("/products/{}", id()), &same).await, 409, "duplicate_name");
    let path = format!("/products/{}", first["product_id"]);
    let renamed = api.patch(&path, &json!({"name": format!("äHRE {unique}")})).await.ok();
    assert_eq!(renamed["name"], format!("äHRE {unique}"));
    let list = |name: String| {
        let request = api.request(Method::GET, "/products").query(&[("name", name)]);
        async { api.send(request).await.ok() }
    };
    assert_eq!(list(name.clone()).await, json!([renamed]));
    assert_eq!(list(format!("ÄHRE {unique}")).await, json!([renamed]));
    assert_eq!(list("Ähre".to_owned()).await, json!([]));
    api.delete(&path).await.ok();
    api.post("/products", &same).await.created();
}

#[tokio::test]
async fn purchase_is_one_atomic_change() {
    let api = Api::shared();
    let home = buyer(&api, 100).await;
    let product = product(&api, &json!({"stock": 5, "item_name": "hat", "question": "colour?"})).await;
    let order = json!({"quantity": 3, "answer": "green", "price": 30});
    let reply = buy(&api, &home, &product, &order).await;
    let purchase = reply.created();
    assert_eq!(reply.location(), path(&purchase));
    let user = api.get(&home).await.ok();
    let created = &purchase["created_at"];
    let expected = json!({"purchase_id": purchase["purchase_id"], "user_id": user["user_id"], "user": purchase["user"],
        "product_id": product["product_id"], "quantity": 3, "price": 30, "name": product["name"], "answer": "green",
        "status": "pending", "transaction_id": purchase["transaction_id"], "refund_id": null,
        "item_id": purchase["item_id"], "created_at": created, "closed_at": null});
    assert_eq!(purchase, expected);
    assert_eq!(purchase["user"]["platform_id"], user["platform_id"]);
    let read = api.get(&path(&purchase)).await;
    assert_eq!((read.ok(), read.header("etag")), (purchase.clone(), reply.header("etag")));
    let paid = api.get(&format!("/transactions/{}", purchase["transaction_id"])).await.ok();
    assert_eq!((&paid["amount"], &paid["reference"], &paid["created_at"]), (&json!(-30), &json!(null), created));
    assert_eq!((&paid["cause"], &paid["description"]), (&json!(path(&purchase)[1..]), &product["name"]));
    let item = api.get(&format!("/inventory/{}", purchase["item_id"])).await.ok();
    assert_eq!((&item["name"], &item["quantity"], &item["metadata"]), (&json!("hat"), &json!(3), &json!(null)));
    assert_eq!((&item["owner_id"], &item["created_at"]), (&user["user_id"], created));
    assert_eq!((wallet(&api, &home).await, stock(&api, &product).await), (json!(70), json!(2)));
    assert_eq!(api.list(&format!("{home}/purchases")).await, std::slice::from_ref(&purchase));
    assert_eq!(api.get(&format!("{}/user", path(&purchase))).await.ok()["user_id"], user["user_id"]);
    assert_eq!(api.get(&home).await.ok()["inventory"][0]["item_id"], purchase["item_id"]);
}

#[tokio::test]
async fn purchases_are_found_by_their_filters_and_never_deleted() {
    let api = Api::shared();
    let (home, product) = (buyer(&api, 100).await, product(&api, &json!({})).await);
    let one = buy(&api, &home, &product, &json!({})).await.created();
    let two = buy(&api, &home, &product, &json!({})).await.created();
    let two = api.patch(&path(&two), &json!({"status": "fulfilled"})).await.ok();
    let of_product = format!("/purchases?product_id={}", product["product_id"]);
    assert_eq!(api.list(&of_product).await, [two.clone(), one.clone()]);
    assert_eq!(api.list(&format!("{of_product}&status=pending")).await, std::slice::from_ref(&one));
    assert_eq!(api.list(&format!("{of_product}&status=fulfilled")).await, std::slice::from_ref(&two));
    assert!(api.list(&format!("{of_product}&status=refunded")).await.is_empty());
    assert_eq!(api.list(&format!("{home}/purchases?created_after=2020-01-01T00:00:00Z")).await.len(), 2);
    assert_eq!(api.list(&format!("/purchases?purchase_id={}", one["purchase_id"])).await, std::slice::from_ref(&one));
    let refused = api.delete(&path(&one)).await;
    refused.refused(405);
    assert_eq!(refused.header("allow"), "GET, HEAD, PUT, PATCH");
    assert_eq!(api.get("/purchases?status=lost").await.refused(400), ["status"]);
}

#[tokio::test]
async fn body_of_a_purchase_is_checked_before_the_store() {
    let api = Api::shared();
    let home = buyer(&api, 0).await;
    let user: u64 = home.rsplit('/').next().and_then(|id| id.parse().ok()).expect("an identifier");
    let asks = product(&api, &json!({"question": "why?", "enabled": false, "price": (1_i64 << 53) - 1})).await;
    let unknown = api.post("/purchases", &json!({"user_id": 5, "product_id": 6, "quantity": 0})).await;
    assert_eq!(unknown.refused(422), ["/quantity", "/user_id", "/product_id"]);
    let unknown = api.post("/purchases", &json!({"user_id": 5, "product_id": 6})).await;
    assert_eq!(unknown.refused(422), ["/user_id", "/product_id"]);
    assert_eq!(unknown.json()["errors"][0]["code"], "reference_not_found");
    assert_eq!(api.post("/purchases", &json!({})).await.refused(422), ["/user_id", "/product_id"]);
    assert_eq!(api.post("/users/5/purchases", &json!({"product_id": asks["product_id"]})).await.status, 404);
    let silent = json!({"user_id": user, "product_id": asks["product_id"], "quantity": 2});
    let reply = api.post("/purchases", &silent).await;
    assert_eq!(reply.refused(422), ["/answer", "/quantity"]);
    assert_eq!(reply.json()["errors"][0]["code"], "required");
    assert_eq!(reply.json()["errors"][1]["code"], "out_of_range");
    for (with, pointer) in [
        (json!({"answer": ""}), "/answer"),
        (json!({"answer": "x".repeat(501)}), "/answer"),
        (json!({"quantity": 1_001}), "/quantity"),
        (json!({"price": -1}), "/price"),
        (json!({"status": "fulfilled"}), "/status"),
        (json!({"transaction_id": 5}), "/transaction_id"),
        (json!({"closed_at": "2026-01-01T00:00:00Z"}), "/closed_at"),
        (json!({"name": "x"}), "/name"),
        (json!({"user": samples::user()}), "/user"),
    ] {
        let base = json!({"user_id": user, "product_id": asks["product_id"], "answer": "x"});
        let places = api.post("/purchases", &samples::merged(base, &with)).await.refused(422);
        assert_eq!(places, [pointer], "{with}");
    }
}

#[tokio::test]
async fn refusals_come_in_their_order_and_change_nothing() {
    let api = Api::shared();
    let home = buyer(&api, 100).await;
    let settings =
        json!({"stock": 1, "max_per_user": 1, "cooldown": 1_000, "user_cooldown": 2_000, "item_name": "hat"});
    let product = product(&api, &settings).await;
    let path = format!("/products/{}", product["product_id"]);
    buy(&api, &home, &product, &json!({})).await.created();
    api.patch(&path, &json!({"enabled": false, "price": 1_000})).await.ok();
    let buy = |with: Value| buy_with(&api, &home, &product, with);
    refused(&buy(json!({"price": 5})).await, 409, "product_disabled");
    api.patch(&path, &json!({"enabled": true})).await.ok();
    refused(&buy(json!({"price": 5})).await, 409, "price_changed");
    refused(&buy(json!({})).await, 409, "out_of_stock");
    api.patch(&path, &json!({"stock": 2})).await.ok();
    let on_cooldown = buy(json!({})).await;
    refused(&on_cooldown, 409, "on_cooldown");
    let seconds: u32 = on_cooldown.header("retry-after").parse().expect("seconds");
    assert!((1_900..=2_000).contains(&seconds), "{seconds}");
    api.patch(&path, &json!({"user_cooldown": null})).await.ok();
    let on_cooldown = buy(json!({})).await;
    refused(&on_cooldown, 409, "on_cooldown");
    let seconds: u32 = on_cooldown.header("retry-after").parse().expect("seconds");
    assert!((900..=1_000).contains(&seconds), "{seconds}");
    api.patch(&path, &json!({"cooldown": null})).await.ok();
    refused(&buy(json!({})).await, 409, "limit_reached");
    api.patch(&path, &json!({"max_per_user": null})).await.ok();
    refused(&buy(json!({})).await, 409, "insufficient_balance");
    assert_eq!((wallet(&api, &home).await, stock(&api, &product).await), (json!(90), json!(2)));
    assert_eq!(api.list(&format!("{home}/purchases")).await.len(), 1);
    api.patch(&path, &json!({"price": 90})).await.ok();
    assert_eq!(buy(json!({"price": 90})).await.created()["price"], 90);
    assert_eq!((wallet(&api, &home).await, stock(&api, &product).await), (json!(0), json!(1)));
}

async fn buy_with(api: &Api, home: &str, product: &Value, with: Value) -> Reply {
    buy(api, home, product, &with).await
}

#[tokio::test]
async fn inventory_of_1000_items_refuses_the_item_last() {
    let (api, store) = Api::start_with_store();
    let (home, hat) = (buyer(&api, 10).await, product(&api, &json!({"item_name": "hat"})).await);
    fill::items(&store, home["/users/".len()..].parse().expect("an identifier"), 1_000).await;
    let full = buy(&api, &home, &hat, &json!({})).await;
    refused(&full, 422, "invalid_body");
    assert_eq!(full.json()["errors"][0]["code"], "too_many");
    refused(&buy(&api, &home, &hat, &json!({"quantity": 2})).await, 409, "insufficient_balance");
    assert_eq!(wallet(&api, &home).await, 10);
}

#[tokio::test]
async fn free_purchase_works_with_a_negative_balance_and_its_refund_pays_0() {
    let api = Api::shared();
    let (home, gift) = (buyer(&api, -50).await, product(&api, &json!({"price": 0, "automatic": true})).await);
    let purchase = buy(&api, &home, &gift, &json!({"answer": "unasked"})).await.created();
    assert_eq!((&purchase["status"], &purchase["closed_at"]), (&json!("fulfilled"), &purchase["created_at"]));
    assert_eq!((&purchase["price"], &purchase["answer"]), (&json!(0), &json!("unasked")));
    let refunded = api.patch(&path(&purchase), &json!({"status": "refunded"})).await.ok();
    let refund = api.get(&format!("/transactions/{}", refunded["refund_id"])).await.ok();
    assert_eq!((&refund["amount"], wallet(&api, &home).await), (&json!(0), json!(-50)));
    assert_eq!(api.list(&format!("/transactions?cause={}", &path(&purchase)[1..])).await.len(), 2);
}

#[tokio::test]
async fn limit_counts_units_from_before_it_was_set_and_refunds_free_it() {
    let api = Api::shared();
    let (home, hat) = (buyer(&api, 1_000).await, product(&api, &json!({})).await);
    let first = buy(&api, &home, &hat, &json!({"quantity": 2})).await.created();
    let hat_path = format!("/products/{}", hat["product_id"]);
    api.patch(&hat_path, &json!({"max_per_user": 3})).await.ok();
    refused(&buy(&api, &home, &hat, &json!({"quantity": 2})).await, 409, "limit_reached");
    buy(&api, &home, &hat, &json!({})).await.created();
    refused(&buy(&api, &home, &hat, &json!({})).await, 409, "limit_reached");
    api.patch(&path(&first), &json!({"status": "refunded"})).await.ok();
    buy(&api, &home, &hat, &json!({"quantity": 2})).await.created();
    refused(&buy(&api, &home, &hat, &json!({})).await, 409, "limit_reached");
    let other = buyer(&api, 10).await;
    buy(&api, &other, &hat, &json!({})).await.created();
    refused(&buy(&api, &buyer(&api, 100).await, &hat, &json!({"quantity": 4})).await, 409, "limit_reached");
}

#[tokio::test]
async fn cooldown_of_a_clock_that_was_set_back_is_over() {
    let api = Api::shared();
    for setting in ["cooldown", "user_cooldown"] {
        let user = api.user().await["user_id"].clone();
        let home = format!("/users/{user}");
        let hat = product(&api, &json!({setting: 1_000, "price": 0})).await;
        let ahead = Timestamp::now().checked_add(time::Duration::hours(1)).expect("a time").to_string();
        let complete = json!({"user_id": user, "product_id": hat["product_id"], "price": 7, "name": "hat",
            "status": "pending", "transaction_id": 5, "created_at": ahead});
        api.put(&format!("/purchases/{}", id()), &complete).await.created();
        buy(&api, &home, &hat, &json!({})).await.created();
        refused(&buy(&api, &home, &hat, &json!({})).await, 409, "on_cooldown");
    }
}

#[tokio::test]
async fn cooldowns_start_with_purchases_and_refunds_do_not_shorten_them() {
    let api = Api::shared();
    let (home, other, hat) = (buyer(&api, 100).await, buyer(&api, 100).await, product(&api, &json!({})).await);
    let hat_path = format!("/products/{}", hat["product_id"]);
    let purchase = buy(&api, &home, &hat, &json!({})).await.created();
    // The viewer's cooldown counts purchases from before it was set. The product's does not.
    api.patch(&hat_path, &json!({"user_cooldown": 1_000, "cooldown": 1_000})).await.ok();
    refused(&buy(&api, &home, &hat, &json!({})).await, 409, "on_cooldown");
    api.patch(&path(&purchase), &json!({"status": "refunded"})).await.ok();
    refused(&buy(&api, &home, &hat, &json!({})).await, 409, "on_cooldown");
    buy(&api, &other, &hat, &json!({})).await.created();
    let third = buyer(&api, 100).await;
    refused(&buy(&api, &third, &hat, &json!({})).await, 409, "on_cooldown");
    // Other settings do not restart it, and a cooldown that is set again starts again.
    api.patch(&hat_path, &json!({"price": 1, "description": "x"})).await.ok();
    refused(&buy(&api, &third, &hat, &json!({})).await, 409, "on_cooldown");
    api.patch(&hat_path, &json!({"cooldown": null})).await.ok();
    api.patch(&hat_path, &json!({"cooldown": 1_000})).await.ok();
    buy(&api, &third, &hat, &json!({})).await.created();
    // A rejected purchase does not start a cooldown.
    let poor = buyer(&api, 0).await;
    let costly = product(&api, &json!({"user_cooldown": 1_000, "cooldown": 1_000})).await;
    refused(&buy(&api, &poor, &costly, &json!({})).await, 409, "insufficient_balance");
    buy(&api, &third, &costly, &json!({})).await.created();
}

#[tokio::test]
async fn refund_returns_everything_that_is_left() {
    let api = Api::shared();
    let home = buyer(&api, 100).await;
    let hat = product(&api, &json!({"stock": 5, "item_name": "hat"})).await;
    let [kept, used] = [
        buy(&api, &home, &hat, &json!({"quantity": 2})).await.created(),
        buy(&api, &home, &hat, &json!({})).await.created(),
    ];
    let item = |purchase: &Value| format!("/inventory/{}", purchase["item_id"]);
    api.patch(&item(&used), &json!({"used_at": "2026-11-20T00:00:00Z"})).await.ok();
    let refunded = api.patch(&path(&kept), &json!({"status": "refunded"})).await;
    let body = refunded.ok();
    assert_eq!((&body["status"], &body["item_id"]), (&json!("refunded"), &kept["item_id"]));
    assert!(body["closed_at"].is_string() && body["refund_id"].is_u64());
    assert_eq!(api.get(&path(&kept)).await.header("etag"), refunded.header("etag"));
    let refund = api.get(&format!("/transactions/{}", body["refund_id"])).await.ok();
    assert_eq!((&refund["amount"], &refund["created_at"]), (&json!(20), &body["closed_at"]));
    assert_eq!((&refund["cause"], &refund["description"]), (&json!(path(&kept)[1..]), &hat["name"]));
    assert_eq!(api.get(&item(&kept)).await.status, 404);
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(90), json!(4)));
    api.patch(&path(&used), &json!({"status": "fulfilled"})).await.ok();
    api.patch(&path(&used), &json!({"status": "refunded"})).await.ok();
    assert_eq!(api.get(&item(&used)).await.ok()["used_at"], "2026-11-20T00:00:00Z");
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(100), json!(5)));
    assert_eq!(api.get(&home).await.ok()["inventory"], json!([]));
}

#[tokio::test]
async fn refund_of_a_deleted_or_uncounted_product_pays_back() {
    let api = Api::shared();
    let home = buyer(&api, 100).await;
    let (gone, uncounted) = (product(&api, &json!({"stock": 5})).await, product(&api, &json!({"stock": 5})).await);
    let of_gone = buy(&api, &home, &gone, &json!({})).await.created();
    let of_uncounted = buy(&api, &home, &uncounted, &json!({})).await.created();
    api.delete(&format!("/products/{}", gone["product_id"])).await.ok();
    assert_eq!(api.get(&path(&of_gone)).await.ok(), of_gone);
    api.patch(&format!("/products/{}", uncounted["product_id"]), &json!({"stock": null})).await.ok();
    for purchase in [&of_gone, &of_uncounted] {
        api.patch(&path(purchase), &json!({"status": "refunded"})).await.ok();
    }
    assert_eq!((wallet(&api, &home).await, stock(&api, &uncounted).await), (json!(100), json!(null)));
    refused(&buy(&api, &home, &gone, &json!({})).await, 422, "invalid_body");
}

#[tokio::test]
async fn status_changes_only_along_its_transitions() {
    let api = Api::shared();
    let (home, hat) = (buyer(&api, 100).await, product(&api, &json!({})).await);
    let purchase = buy(&api, &home, &hat, &json!({})).await.created();
    let change = |status: &str| {
        let (api, path, body) = (api.clone(), path(&purchase), json!({"status": status}));
        async move { api.patch(&path, &body).await }
    };
    refused(&change("pending").await, 409, "purchase_closed");
    assert_eq!(change("fulfilled").await.ok()["status"], "fulfilled");
    for status in ["pending", "fulfilled"] {
        refused(&change(status).await, 409, "purchase_closed");
    }
    let refunded = change("refunded").await.ok();
    for status in ["pending", "fulfilled", "refunded"] {
        refused(&change(status).await, 409, "purchase_closed");
    }
    assert_eq!(api.patch(&path(&purchase), &json!({})).await.ok(), refunded);
    assert_eq!(change("lost").await.refused(422), ["/status"]);
    for (body, pointer) in [
        (json!({"status": null}), "/status"),
        (json!({"answer": "x"}), "/answer"),
        (json!({"quantity": 2}), "/quantity"),
        (json!({"closed_at": null}), "/closed_at"),
    ] {
        assert_eq!(api.patch(&path(&purchase), &body).await.refused(422), [pointer], "{body}");
    }
    let stale = api.request(Method::PATCH, &path(&purchase)).header("if-match", "\"x\"").json(&json!({}));
    refused(&api.send(stale).await, 412, "etag_mismatch");
    assert_eq!(wallet(&api, &home).await, 100);
}

#[tokio::test]
async fn refund_beyond_the_range_of_the_wallet_returns_422() {
    let api = Api::shared();
    let (home, hat) = (buyer(&api, 10).await, product(&api, &json!({})).await);
    let purchase = buy(&api, &home, &hat, &json!({})).await.created();
    let paid = json!({"amount": (1_i64 << 53) - 1, "description": "much"});
    api.post(&format!("{home}/transactions"), &paid).await.created();
    assert_eq!(api.patch(&path(&purchase), &json!({"status": "refunded"})).await.refused(422), ["/status"]);
    assert_eq!(api.get(&path(&purchase)).await.ok(), purchase);
}

#[tokio::test]
async fn purchase_with_an_idempotency_key_is_made_once() {
    let api = Api::shared();
    let (home, hat) = (buyer(&api, 15).await, product(&api, &json!({"stock": 5})).await);
    let send = || {
        let request = api.request(Method::POST, &format!("{home}/purchases")).header("idempotency-key", "one");
        api.send(request.json(&json!({"product_id": hat["product_id"]})))
    };
    let first = send().await;
    // The balance would not cover a second purchase.
    let again = send().await;
    assert_eq!((again.created(), again.header("idempotent-replayed")), (first.created(), "true"));
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(5), json!(4)));
}

#[tokio::test(flavor = "multi_thread")]
async fn last_unit_has_one_buyer_of_64() {
    let api = Api::shared();
    let hat = product(&api, &json!({"stock": 1, "item_name": "hat"})).await;
    let homes = join_all((0..64).map(|_| buyer(&api, 10))).await;
    let no_more = json!({});
    let replies = join_all(homes.iter().map(|home| buy(&api, home, &hat, &no_more))).await;
    let bought = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(bought, 1);
    replies.iter().filter(|reply| reply.status != 201).for_each(|reply| refused(reply, 409, "out_of_stock"));
    assert_eq!(stock(&api, &hat).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn buyer_with_money_for_three_buys_three_with_64_requests() {
    let api = Api::shared();
    let (home, hat, order) = (buyer(&api, 39).await, product(&api, &json!({})).await, json!({}));
    let replies = join_all((0..64).map(|_| buy(&api, &home, &hat, &order))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 3);
    replies.iter().filter(|reply| reply.status != 201).for_each(|reply| refused(reply, 409, "insufficient_balance"));
    assert_eq!(wallet(&api, &home).await, 9);
    assert_eq!(api.list(&format!("{home}/purchases")).await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn refund_beside_fulfilment_pays_back_once() {
    let api = Api::shared();
    let (home, hat) = (buyer(&api, 100).await, product(&api, &json!({"stock": 10})).await);
    for _ in 0..8 {
        let purchase = buy(&api, &home, &hat, &json!({})).await.created();
        let statuses = ["refunded", "fulfilled", "refunded", "fulfilled"].map(|status| json!({"status": status}));
        let path = path(&purchase);
        let replies = join_all(statuses.iter().map(|body| api.patch(&path, body))).await;
        assert_eq!([&replies[0], &replies[2]].iter().filter(|reply| reply.status == 200).count(), 1);
        replies.iter().filter(|reply| reply.status != 200).for_each(|reply| refused(reply, 409, "purchase_closed"));
        assert_eq!(api.get(&path).await.ok()["status"], "refunded");
    }
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(100), json!(10)));
}

#[tokio::test(flavor = "multi_thread")]
async fn price_that_changes_during_purchases_is_that_of_one_moment() {
    let api = Api::shared();
    let hat = product(&api, &json!({"stock": 1_000, "price": 1})).await;
    let home = buyer(&api, 10_000).await;
    let hat_path = format!("/products/{}", hat["product_id"]);
    // The price and the limit always change together.
    let settings = [json!({"price": 1, "max_per_user": 100}), json!({"price": 2, "max_per_user": 101})];
    let changes = async {
        for turn in 0..20 {
            api.patch(&hat_path, &settings[turn % 2]).await.ok();
        }
    };
    let seen = json!({"price": 1});
    let (replies, ()) = tokio::join!(join_all((0..32).map(|_| buy(&api, &home, &hat, &seen))), changes);
    let mut spent = 0;
    for reply in replies {
        if reply.status == 201 {
            assert_eq!(reply.created()["price"], 1);
            spent += 1;
        } else {
            refused(&reply, 409, "price_changed");
        }
    }
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(10_000 - spent), json!(1_000 - spent)));
}

#[tokio::test(flavor = "multi_thread")]
async fn purchase_beside_deletion_leaves_nothing_behind() {
    let api = Api::shared();
    for _ in 0..6 {
        let (home, hat) = (buyer(&api, 100).await, product(&api, &json!({"stock": 9, "item_name": "hat"})).await);
        let (home, order) = (home.as_str(), json!({}));
        let buying = join_all((0..4).map(|_| buy(&api, home, &hat, &order)));
        let (replies, deleted) = tokio::join!(buying, api.delete(home));
        deleted.ok();
        for reply in &replies {
            assert!([201, 404].contains(&reply.status.as_u16()), "{}", reply.json());
        }
        let of_product = format!("/purchases?product_id={}", hat["product_id"]);
        assert!(api.list(&of_product).await.is_empty());
        let sold = replies.iter().filter(|reply| reply.status == 201).count();
        assert_eq!(stock(&api, &hat).await, 9 - sold, "the stock does not return");
    }
    for _ in 0..6 {
        let (home, hat) = (buyer(&api, 100).await, product(&api, &json!({"stock": 9})).await);
        let (path, order) = (format!("/products/{}", hat["product_id"]), json!({}));
        let buying = join_all((0..4).map(|_| buy(&api, &home, &hat, &order)));
        let (replies, deleted) = tokio::join!(buying, api.delete(&path));
        deleted.ok();
        let sold = replies.iter().filter(|reply| reply.status == 201).count();
        replies.iter().filter(|reply| reply.status != 201).for_each(|reply| refused(reply, 422, "invalid_body"));
        assert_eq!(wallet(&api, &home).await, 100 - 10 * sold);
    }
}

#[tokio::test]
async fn imported_purchase_changes_no_wallet_and_counts_for_limits_and_cooldowns() {
    let api = Api::shared();
    let home = buyer(&api, 100).await;
    let user = api.get(&home).await.ok()["user_id"].clone();
    let hat = product(&api, &json!({"max_per_user": 3, "stock": 5, "item_name": "hat"})).await;
    let body = json!({"user_id": user, "product_id": hat["product_id"], "quantity": 2, "price": 7, "name": "old hat",
        "status": "pending", "transaction_id": 5, "item_id": 6});
    let path = format!("/purchases/{}", id());
    let stored = api.put(&path, &body).await.created();
    assert_eq!(api.get(&path).await.ok(), stored);
    assert_eq!(
        (&stored["closed_at"], &stored["refund_id"], &stored["answer"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert_eq!(api.put(&path, &body).await.ok(), stored);
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(100), json!(5)));
    refused(&buy(&api, &home, &hat, &json!({"quantity": 2})).await, 409, "limit_reached");
    let refunded = samples::merged(
        body.clone(),
        &json!({"status": "refunded", "refund_id": 8, "closed_at": "2026-11-21T00:00:00Z"}),
    );
    let moved = api.put(&path, &refunded).await;
    assert_eq!((&moved.ok()["status"], &moved.ok()["refund_id"]), (&json!("refunded"), &json!(8)));
    assert_eq!(moved.header("etag"), api.get(&path).await.header("etag"));
    assert_eq!((wallet(&api, &home).await, stock(&api, &hat).await), (json!(100), json!(5)));
    refused(&api.put(&path, &body).await, 409, "record_differs");
    buy(&api, &home, &hat, &json!({"quantity": 3})).await.created();
    // Cooldowns of the viewer and of the product.
    let hat_path = format!("/products/{}", hat["product_id"]);
    let other = buyer(&api, 100).await;
    api.patch(&hat_path, &json!({"max_per_user": null, "user_cooldown": 1_000})).await.ok();
    refused(&buy(&api, &home, &hat, &json!({})).await, 409, "on_cooldown");
    api.patch(&hat_path, &json!({"user_cooldown": null, "cooldown": 1_000})).await.ok();
    api.put(&format!("/purchases/{}", id()), &body).await.created();
    refused(&buy(&api, &other, &hat, &json!({})).await, 409, "on_cooldown");
}

#[tokio::test]
async fn imported_purchase_needs_a_user_and_complete_fields() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let complete =
        json!({"user_id": user, "product_id": 9, "price": 7, "name": "hat", "status": "pending", "transaction_id": 5});
    for field in ["user_id", "product_id", "price", "name", "status", "transaction_id"] {
        let mut body = complete.clone();
        body.as_object_mut().expect("an object").remove(field);
        assert_eq!(api.put(&format!("/purchases/{}", id()), &body).await.refused(422), [format!("/{field}")]);
    }
    let closed = json!({"closed_at": "2026-11-21T00:00:00Z", "refund_id": 8});
    let inconsistent = api.put(&format!("/purchases/{}", id()), &samples::merged(complete.clone(), &closed)).await;
    assert_eq!(inconsistent.refused(422), ["/refund_id", "/closed_at"]);
    assert_eq!(inconsistent.json()["errors"][0]["code"], "inconsistent");
    let unknown = samples::merged(complete.clone(), &json!({"user_id": 5}));
    assert_eq!(api.put(&format!("/purchases/{}", id()), &unknown).await.refused(422), ["/user_id"]);
    let path = format!("/purchases/{}", id());
    api.put(&path, &complete).await.created();
    let other = samples::merged(complete, &json!({"status": "fulfilled", "name": "other"}));
    refused(&api.put(&path, &other).await, 409, "record_differs");
}

#[tokio::test]
async fn imported_product_that_differs_only_in_stock_is_the_same() {
    let api = Api::shared();
    let path = format!("/products/{}", id());
    let body = json!({"name": samples::unique(), "price": 5, "stock": 3, "created_at": "2026-11-21T00:00:00Z"});
    let stored = api.put(&path, &body).await.created();
    assert_eq!(stored["stock"], 3);
    assert_eq!(api.put(&path, &samples::merged(body.clone(), &json!({"stock": 9}))).await.ok(), stored);
    let other = api.put(&path, &samples::merged(body.clone(), &json!({"stock": 9, "price": 6}))).await;
    refused(&other, 409, "record_differs");
    api.delete(&path).await.ok();
    // The deleted product's stock is gone.
    let without = samples::merged(body.clone(), &json!({"stock": null}));
    assert_eq!(api.put(&path, &without).await.created()["stock"], json!(null));
    api.delete(&path).await.ok();
    assert_eq!(api.put(&path, &body).await.created()["stock"], 3);
    assert_eq!(api.get(&path).await.ok()["stock"], 3);
}

#[tokio::test]
async fn deleted_user_leaves_no_counters() {
    let api = Api::shared();
    let hat = product(&api, &json!({"max_per_user": 1})).await;
    let path = format!("/users/{}", id());
    let user = json!({"platform_id": samples::unique(), "name": "Ann"});
    let paid = json!({"amount": 10, "description": "start"});
    for _ in 0..2 {
        api.put(&path, &user).await.created();
        api.post(&format!("{path}/transactions"), &paid).await.created();
        let purchase = buy(&api, &path, &hat, &json!({})).await.created();
        api.delete(&path).await.ok();
        assert_eq!(api.get(&format!("/purchases/{}", purchase["purchase_id"])).await.status, 404);
    }
}

/// Waits until the feed has an entry of a type after a sequence number, and returns the types and subjects of all
/// entries.
async fn entries_until(api: &Api, after: u64, kind: &str) -> Vec<Value> {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let entries = entries_after(api, after).await;
        if entries.iter().any(|entry| entry["type"] == kind) {
            return entries;
        }
        assert!(Instant::now() < deadline, "no {kind} in {entries:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn feed_reports_purchases_and_their_changes_but_no_imports() {
    let api = Api::start();
    let (home, hat) = (buyer(&api, 100).await, product(&api, &json!({"stock": 9})).await);
    let after = head(&api).await;
    let user = api.get(&home).await.ok()["user_id"].clone();
    let imported = json!({"user_id": user, "product_id": hat["product_id"], "price": 7, "name": "hat", "status": "pending",
        "transaction_id": 5});
    let imported_path = format!("/purchases/{}", id());
    api.put(&imported_path, &imported).await.created();
    let purchase = buy(&api, &home, &hat, &json!({})).await.created();
    let subject = |path: &str| json!(path.trim_start_matches('/'));
    let entries = entries_until(&api, after, "purchase.created").await;
    let [entry] = &entries[..] else { panic!("one entry: {entries:?}") };
    assert_eq!((&entry["subject"], &entry["data"]), (&subject(&path(&purchase)), &purchase));
    let after = head(&api).await;
    let fulfilled = api.patch(&path(&purchase), &json!({"status": "fulfilled"})).await.ok();
    let entries = entries_until(&api, after, "purchase.updated").await;
    assert_eq!((&entries[0]["subject"], &entries[0]["data"]), (&subject(&path(&purchase)), &fulfilled));
    let after = head(&api).await;
    let closed = json!({"status": "fulfilled", "closed_at": "2026-11-21T00:00:00Z"});
    api.put(&imported_path, &samples::merged(imported, &closed)).await.ok();
    let entries = entries_until(&api, after, "purchase.updated").await;
    assert_eq!(entries[0]["subject"], subject(&imported_path));
}

#[tokio::test]
async fn alert_tests_a_purchase() {
    let api = Api::start();
    let after = head(&api).await;
    let purchase = json!({"name": "Hat", "price": 400, "quantity": 1, "user_name": "Ann", "answer": null});
    assert_eq!(api.post("/alerts", &json!({"test": {"purchase": purchase}})).await.status, 202);
    let entries = entries_until(&api, after, "alert.tested").await;
    assert_eq!(entries[0]["data"], purchase);
    for (test, places) in [
        (json!({"purchase": {"name": "Hat"}}), vec!["/test/purchase/price", "/test/purchase/user_name"]),
        (
            json!({"purchase": {"name": "", "price": -1, "user_name": "Ann"}}),
            vec!["/test/purchase/name", "/test/purchase/price"],
        ),
        (json!({"purchase": {"name": "Hat", "price": 1, "user_name": "Ann"}, "message": "x"}), vec!["/test/message"]),
    ] {
        assert_eq!(api.post("/alerts", &json!({"test": test})).await.refused(422), places, "{test}");
    }
}
