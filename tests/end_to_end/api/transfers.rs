//! Tests of transfers between wallets.

use end_to_end::{Api, amount, samples};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

async fn user(api: &Api, balance: i64) -> Value {
    let user = api.user().await["user_id"].clone();
    let paid = json!({"user_id": user, "amount": balance, "description": "start"});
    api.post("/transactions", &paid).await.created();
    user
}

async fn wallet(api: &Api, user: &Value) -> i64 {
    api.get(&format!("/users/{user}/wallet")).await.ok()["wallet"].as_i64().expect("a number")
}

#[tokio::test]
async fn transfer_is_two_transactions_of_one_cause() {
    let api = Api::shared();
    let (ann, bea) = (user(&api, 100).await, user(&api, 0).await);
    let body = json!({"from_user_id": ann, "to_user_id": bea, "amount": 30, "description": "bet"});
    let reply = api.post("/transfers", &body).await;
    let transfer = reply.created();
    assert_eq!((reply.header("location"), reply.header("etag")), ("", ""));
    let members: Vec<_> = transfer.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["transfer_id", "from", "to"]);
    let cause = format!("transfers/{}", transfer["transfer_id"]);
    for (side, user, amount) in [("from", &ann, -30), ("to", &bea, 30)] {
        let paid = &transfer[side];
        assert_eq!((&paid["user_id"], &paid["amount"], &paid["cause"]), (user, &json!(amount), &json!(cause)));
        assert_eq!((&paid["description"], &paid["reference"]), (&json!("bet"), &json!(null)));
        assert_eq!(paid["created_at"], transfer["from"]["created_at"]);
        assert_eq!(api.get(&format!("/transactions/{}", paid["transaction_id"])).await.ok(), *paid);
    }
    assert_eq!((wallet(&api, &ann).await, wallet(&api, &bea).await), (70, 30));
    assert_eq!(api.list(&format!("/transactions?cause={cause}")).await.len(), 2);
    api.delete(&format!("/users/{ann}")).await.ok();
    assert_eq!(api.list(&format!("/transactions?cause={cause}")).await, [transfer["to"].clone()]);
}

#[tokio::test]
async fn path_binds_the_payer_also_at_the_end_of_chains() {
    let api = Api::shared();
    let (ann, bea) = (user(&api, 100).await, user(&api, 0).await);
    let event = api.event(&json!({"user_id": ann})).await;
    let body = json!({"to_user_id": bea, "amount": 1, "description": ""});
    let named = samples::merged(body.clone(), &json!({"from_user_id": bea}));
    for path in [
        format!("/users/{ann}/transfers"),
        format!("/user/{ann}/transfers"),
        format!("/events/{}/user/transfers", event["event_id"]),
    ] {
        assert_eq!(api.post(&path, &body).await.created()["from"]["user_id"], ann, "{path}");
        assert_eq!(api.post(&path, &named).await.created()["from"]["user_id"], ann, "{path}");
    }
    assert_eq!(wallet(&api, &bea).await, 6);
    assert_eq!(api.post("/users/5/transfers", &body).await.status, 404);
    for path in ["/transfers".to_owned(), format!("/users/{ann}/transfers")] {
        for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
            let refused = api.send(api.request(method, &path).json(&body)).await;
            refused.refused(405);
            assert_eq!(refused.header("allow"), "POST");
        }
    }
    api.get(&format!("/users/{ann}/transfers/5")).await.refused(404);
    api.get("/transfers/5").await.refused(404);
}

#[tokio::test]
async fn invalid_transfers_change_nothing() {
    let api = Api::shared();
    let (ann, bea) = (user(&api, 100).await, user(&api, (1 << 53) - 1).await);
    let base = json!({"from_user_id": ann, "to_user_id": bea, "amount": 1, "description": "x"});
    let send = |with: Value| {
        let (api, body) = (api.clone(), samples::merged(base.clone(), &with));
        async move { api.post("/transfers", &body).await }
    };
    assert_eq!(api.post("/transfers", &json!({})).await.refused(422).len(), 4);
    for (with, pointer, code) in [
        (json!({"amount": 0}), "/amount", "out_of_range"),
        (json!({"description": 5}), "/description", "wrong_type"),
        (json!({"to_user_id": ann}), "/to_user_id", "inconsistent"),
        (json!({"to_user_id": 5}), "/to_user_id", "reference_not_found"),
        (json!({"from_user_id": 5}), "/from_user_id", "reference_not_found"),
        (json!({"reference": "x"}), "/reference", "unknown_field"),
        (json!({"transfer_id": 5}), "/transfer_id", "not_settable"),
        (json!({}), "/amount", "out_of_range"),
    ] {
        let reply = send(with.clone()).await;
        assert_eq!(reply.refused(422), [pointer], "{with}");
        assert_eq!(reply.json()["errors"][0]["code"], code);
    }
    let both = send(json!({"amount": 0, "to_user_id": 5})).await;
    assert_eq!(both.refused(422), ["/amount", "/to_user_id"]);
    let poor = send(json!({"amount": 101})).await;
    poor.refused(409);
    assert_eq!(poor.json()["code"], "insufficient_balance");
    assert_eq!(api.post("/transfers?x=1", &base).await.refused(400), ["x"]);
    assert_eq!(wallet(&api, &ann).await, 100);
}

#[tokio::test]
async fn transfer_with_an_idempotency_key_is_made_once() {
    let api = Api::shared();
    let (ann, bea) = (user(&api, 15).await, user(&api, 0).await);
    let body = json!({"to_user_id": bea, "amount": 10, "description": "once"});
    let send = || {
        let request = api.request(Method::POST, &format!("/users/{ann}/transfers")).header("idempotency-key", "once");
        api.send(request.json(&body))
    };
    let (first, again) = (send().await, send().await);
    assert_eq!((again.created(), again.header("idempotent-replayed")), (first.created(), "true"));
    assert_eq!((wallet(&api, &ann).await, wallet(&api, &bea).await), (5, 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn ring_of_10_viewers_keeps_its_money() {
    let api = Api::shared();
    let (turns, users) = (amount("TURNS", 30_u32, 100), join_all((0..10).map(|_| user(&api, 20))).await);
    let rounds = (0..10).map(|payer| {
        let (api, users) = (&api, &users);
        async move {
            let mut paid = 0;
            for turn in 0..turns {
                let body = json!({"from_user_id": users[payer], "to_user_id": users[(payer + 1) % 10],
                    "amount": 1 + i64::from(turn % 30), "description": "ring"});
                let reply = api.post("/transfers", &body).await;
                if reply.status == 201 {
                    paid += 1;
                } else {
                    reply.refused(409);
                    assert_eq!(reply.json()["code"], "insufficient_balance");
                }
            }
            paid
        }
    });
    let paid: usize = join_all(rounds).await.into_iter().sum();
    let mut wallets = Vec::new();
    for user in &users {
        wallets.push(wallet(&api, user).await);
        let transactions = api.list(&format!("/users/{user}/transactions")).await;
        let sum: i64 = transactions.iter().filter_map(|paid| paid["amount"].as_i64()).sum();
        assert_eq!(Some(&sum), wallets.last(), "the wallet is the sum of its transactions");
    }
    assert_eq!(wallets.iter().sum::<i64>(), 200);
    assert!(wallets.iter().all(|wallet| *wallet >= 0) && paid > 0, "{wallets:?}");
}

#[tokio::test]
async fn one_response_lists_the_same_user_and_an_invalid_amount() {
    let api = Api::shared();
    let ann = user(&api, 10).await;
    let body = json!({"from_user_id": ann, "to_user_id": ann, "amount": 0, "description": "x"});
    assert_eq!(api.post("/transfers", &body).await.refused(422), ["/amount", "/to_user_id"]);
    let valid = json!({"from_user_id": ann, "to_user_id": ann, "amount": 1, "description": "x"});
    assert_eq!(api.post("/transfers?z=1", &valid).await.refused(400), ["z", "/to_user_id"]);
}
