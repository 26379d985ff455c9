//! Tests of `/transactions` and the wallets that they change.

use end_to_end::{Api, samples};
use serde_json::json;

const MOST: i64 = (1 << 53) - 1;

#[tokio::test]
async fn wallet_is_the_sum_of_its_transactions() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    for amount in [250, -300, 0, 7] {
        let paid = api
            .post("/transactions", &json!({"user_id": user["user_id"], "amount": amount, "description": ""}))
            .await
            .created();
        assert_eq!((&paid["user"], &paid["reference"]), (&user, &json!(null)));
        assert_eq!(api.get(&format!("/transactions/{}", paid["transaction_id"])).await.ok(), paid);
    }
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok(), json!({"wallet": -43}));
    assert_eq!(api.get(&home).await.ok()["wallet"], -43);
}

#[tokio::test]
async fn wallet_beyond_2_to_the_53_returns_422() {
    let api = Api::shared();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let pay = |amount: i64| {
        let (api, path) = (api.clone(), format!("{home}/transactions"));
        async move { api.post(&path, &json!({"amount": amount, "description": "x"})).await }
    };
    pay(MOST).await.created();
    assert_eq!(pay(1).await.refused(422), ["/amount"]);
    pay(-MOST).await.created();
    pay(-MOST).await.created();
    assert_eq!(pay(-1).await.refused(422), ["/amount"]);
    assert_eq!(pay(MOST + 1).await.refused(422), ["/amount"]);
    assert_eq!(api.get(&format!("{home}/wallet")).await.ok()["wallet"], -MOST);
    assert_eq!(api.list(&format!("{home}/transactions")).await.len(), 3);
}

#[tokio::test]
async fn transaction_is_immutable_and_creates_no_user() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let body = json!({"user_id": user, "amount": 1, "description": "x", "reference": ""});
    let paid = api.post("/transactions", &body).await.created();
    let path = format!("/transactions/{}", paid["transaction_id"]);
    for refused in [api.patch(&path, &json!({})).await, api.delete(&path).await] {
        refused.refused(405);
        assert_eq!(refused.header("allow"), "GET, HEAD, PUT");
    }
    let created = json!({"user": samples::user(), "amount": 1, "description": "x"});
    assert_eq!(api.post("/transactions", &created).await.refused(422), ["/user_id", "/user"]);
    let unknown = samples::merged(body.clone(), &json!({"user_id": 5}));
    assert_eq!(api.post("/transactions", &unknown).await.refused(422), ["/user_id"]);
    let dated = samples::merged(body, &json!({"created_at": "2020-01-01T00:00:00Z"}));
    assert_eq!(api.post("/transactions", &dated).await.refused(422), ["/created_at"]);
}

#[tokio::test]
async fn cause_is_set_by_imports_only_and_found_by_a_filter() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let cause = format!("rules/{}", samples::unique());
    let body = json!({"user_id": user, "amount": 5, "description": "x", "cause": cause});
    let refused = api.post("/transactions", &body).await;
    assert_eq!(refused.refused(422), ["/cause"]);
    assert_eq!(refused.json()["errors"][0]["code"], "not_settable");
    let paid = api.put(&format!("/transactions/{}", fastrand::u64(1..1 << 50)), &body).await.created();
    assert_eq!(paid["cause"], *cause);
    assert_eq!(api.list(&format!("/transactions?cause={cause}")).await, [paid]);
    let plain = json!({"user_id": user, "amount": 5, "description": "x"});
    assert_eq!(api.post("/transactions", &plain).await.created()["cause"], json!(null));
}
