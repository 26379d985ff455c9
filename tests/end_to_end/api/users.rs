//! Tests of `/users` and a user's records.

use end_to_end::{Api, samples};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn post_user_returns_location_and_no_details() {
    let api = Api::shared();
    let reply = api.post("/users", &json!({"platform_id": samples::unique(), "name": "Zoë 🦀\u{0}"})).await;
    let user = reply.created();
    assert_eq!(reply.location(), format!("/users/{}", user["user_id"]));
    assert_eq!(user["name"], "Zoë 🦀\u{0}");
    assert_eq!(
        user.as_object().expect("an object").keys().collect::<Vec<_>>(),
        ["user_id", "platform_id", "name", "created_at"]
    );
}

#[tokio::test]
async fn get_user_returns_its_details() {
    let api = Api::shared();
    let user = api.user().await;
    let details = samples::merged(user.clone(), &json!({"specimen": null, "inventory": [], "wallet": 0}));
    assert_eq!(api.get(&format!("/users/{}", user["user_id"])).await.ok(), details);
    assert_eq!(api.list(&format!("/users?user_id={}", user["user_id"])).await, [details]);
}

#[tokio::test]
async fn post_user_accepts_created_at_and_ignores_null() {
    let api = Api::shared();
    let body = samples::merged(samples::user(), &json!({"created_at": "2020-01-01T01:00:00.50+01:00"}));
    assert_eq!(api.post("/users", &body).await.created()["created_at"], "2020-01-01T00:00:00.5Z");
    let body = samples::merged(samples::user(), &json!({"created_at": null}));
    assert!(api.post("/users", &body).await.created()["created_at"].is_string());
}

#[tokio::test]
async fn post_users_with_a_taken_platform_id_returns_409() {
    let api = Api::shared();
    let (user, other) = (api.user().await, api.user().await);
    let taken = json!({"platform_id": user["platform_id"], "name": "x"});
    assert_eq!(api.post("/users", &taken).await.refused(409), ["/platform_id"]);
    let path = format!("/users/{}", other["user_id"]);
    assert_eq!(api.patch(&path, &json!({"platform_id": user["platform_id"]})).await.refused(409), ["/platform_id"]);
    assert_eq!(api.get(&path).await.ok()["platform_id"], other["platform_id"]);
}

#[tokio::test]
async fn released_platform_id_is_available_again() {
    let api = Api::shared();
    let user = api.user().await;
    let path = format!("/users/{}", user["user_id"]);
    let (old, new) = (user["platform_id"].clone(), samples::unique());
    let changed = api.patch(&path, &json!({"platform_id": new})).await.ok();
    assert_eq!(changed, samples::merged(user.clone(), &json!({"platform_id": new})));
    let second = api.post("/users", &json!({"platform_id": old, "name": "x"})).await.created();
    api.delete(&format!("/users/{}", second["user_id"])).await.ok();
    api.post("/users", &json!({"platform_id": old, "name": "x"})).await.created();
    assert_eq!(api.list(&format!("/users?platform_id={new}")).await[0]["user_id"], user["user_id"]);
}

#[tokio::test]
async fn empty_patch_changes_nothing() {
    let api = Api::shared();
    let user = api.user().await;
    assert_eq!(api.patch(&format!("/users/{}", user["user_id"]), &json!({})).await.ok(), user);
}

#[tokio::test]
async fn post_user_with_details_returns_422() {
    let api = Api::shared();
    let body = samples::merged(
        samples::user(),
        &json!({"wallet": 5, "specimen": null, "inventory": [], "user_id": 1, "specimen_id": 1}),
    );
    let wrong = api.post("/users", &body).await.refused(422);
    assert_eq!(wrong, ["/user_id", "/specimen", "/inventory", "/wallet", "/specimen_id"]);
}

#[tokio::test]
async fn delete_user_deletes_all_its_records() {
    let api = Api::shared();
    let user = api.user().await;
    let (id, home) = (&user["user_id"], format!("/users/{}", user["user_id"]));
    let mut gone = vec![home.clone()];
    for _ in 0..3 {
        let event = samples::event(&json!({"user_id": id, "document": samples::document()}));
        let event = api.post("/events", &event).await.created();
        let stamp = api.post("/stamps", &samples::stamp(&event["document"])).await.created();
        gone.push(format!("/events/{}", event["event_id"]));
        gone.push(format!("/documents/{}", event["document_id"]));
        gone.push(format!("/stamps/{}", stamp["stamp_id"]));
        gone.push(event["document"]["document_data"].as_str().expect("a URL").to_owned());
    }
    let specimen = api.post(&format!("{home}/specimen"), &json!({})).await.created();
    gone.push(format!("/specimens/{}", specimen["specimen_id"]));
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "hat"})).await.created();
    gone.push(format!("/inventory/{}", item["item_id"]));
    let paid = api.post(&format!("{home}/transactions"), &json!({"amount": 250, "description": "x"})).await.created();
    gone.push(format!("/transactions/{}", paid["transaction_id"]));
    let free = api.document().await;

    let deleted = api.delete(&home).await.ok();
    assert_eq!(deleted["wallet"], 250);
    assert_eq!(deleted["specimen"]["specimen_id"], specimen["specimen_id"]);
    assert_eq!(deleted["inventory"][0]["item_id"], item["item_id"]);
    for path in gone {
        assert_eq!(api.get(&path).await.status, 404, "{path}");
    }
    for list in ["events", "transactions"] {
        assert!(api.list(&format!("/{list}?user_id={id}")).await.is_empty());
    }
    api.get(&format!("/documents/{}", free["document_id"])).await.ok();
}

#[tokio::test]
async fn name_prefix_finds_names_without_regard_to_case() {
    let api = Api::shared();
    let start = samples::unique();
    let names = ["Émile", "émile", "EMIL", "emil b", "emil", "Ölaf", "ẞtraße", "İstanbul", "z"];
    for name in names {
        let body = json!({"platform_id": samples::unique(), "name": format!("{start}{name}")});
        api.post("/users", &body).await.created();
    }
    let api = &api;
    let found = |prefix: &str, more: &str| {
        let query = [("name_prefix", format!("{start}{prefix}"))];
        let path = format!("/users?{}", more.trim_start_matches('&'));
        let request = api.request(Method::GET, &path).query(&query);
        let start = start.clone();
        async move {
            let mut page = api.send(request).await;
            let mut found = Vec::new();
            loop {
                let users = page.ok().as_array().expect("a list").clone();
                found.extend(users.iter().map(|user| user["name"].as_str().expect("a name")[start.len()..].to_owned()));
                let Some(next) = page.next() else { break found };
                page = api.get(&next).await;
            }
        }
    };
    assert_eq!(found("EM", "").await, ["EMIL", "emil", "emil b"]);
    assert_eq!(found("em", "&limit=1").await, ["EMIL", "emil", "emil b"]);
    assert_eq!(found("em", "&order=desc&limit=2").await, ["emil b", "emil", "EMIL"]);
    assert_eq!(found("É", "").await, ["Émile", "émile"]);
    assert_eq!(found("İS", "").await, ["İstanbul"]);
    assert_eq!(found("", "").await, ["EMIL", "emil", "emil b", "İstanbul", "z", "ẞtraße", "Émile", "émile", "Ölaf"]);
    assert_eq!(found("", "&limit=4&created_after=2020-01-01T00:00:00Z").await.len(), 9);
    assert!(found("", "&created_after=2100-01-01T00:00:00Z").await.is_empty());
    assert!(found("emil c", "").await.is_empty());
    for wrong in ["", &"x".repeat(101)] {
        let request = api.request(Method::GET, "/users").query(&[("name_prefix", wrong)]);
        assert_eq!(api.send(request).await.refused(400), ["name_prefix"]);
    }
}

#[tokio::test]
async fn pages_by_name_show_each_user_once_that_keeps_its_name() {
    let api = Api::shared();
    let start = samples::unique();
    let create = async |number: usize, kind: &str| {
        let body = json!({"platform_id": samples::unique(), "name": format!("{start}{number:03}{kind}")});
        api.post("/users", &body).await.created()["user_id"].as_u64().expect("an identifier")
    };
    let (mut kept, mut renamed) = (Vec::new(), Vec::new());
    for number in 0..60 {
        kept.push(create(number, "kept").await);
        if number % 3 == 0 {
            renamed.push(create(number, "renamed").await);
        }
    }
    for order in ["asc", "desc"] {
        // Between any two pages, users move to the start, the middle and the end of the list.
        let mut users = renamed.iter().cycle().zip((0..60).rev().chain(0..60).cycle());
        let mut found = Vec::new();
        let mut page = api.get(&format!("/users?name_prefix={start}&order={order}&limit=7")).await;
        loop {
            let listed = page.ok().as_array().expect("a list").clone();
            found.extend(listed.iter().map(|user| user["user_id"].as_u64().expect("an identifier")));
            let Some(next) = page.next() else { break };
            for (user, number) in users.by_ref().take(3) {
                let name = json!({"name": format!("{start}{number:03}renamed")});
                api.patch(&format!("/users/{user}"), &name).await.ok();
            }
            page = api.get(&next).await;
        }
        found.retain(|user| kept.contains(user));
        if order == "desc" {
            found.reverse();
        }
        assert_eq!(found, kept, "{order}");
    }
}

#[tokio::test]
async fn renamed_user_is_found_by_the_new_name_only() {
    let api = Api::shared();
    let (before, after) = (samples::unique(), samples::unique());
    let body = json!({"platform_id": samples::unique(), "name": before});
    let user = api.post("/users", &body).await.created();
    api.patch(&format!("/users/{}", user["user_id"]), &json!({"name": after})).await.ok();
    assert!(api.list(&format!("/users?name_prefix={before}")).await.is_empty());
    assert_eq!(api.list(&format!("/users?name_prefix={after}")).await.len(), 1);
    let long = "É".repeat(1_024);
    let body = json!({"platform_id": samples::unique(), "name": long});
    let user = api.post("/users", &body).await.created();
    let found = api
        .list(&format!(
            "/users?name_prefix={}&platform_id={}",
            "é".repeat(100),
            user["platform_id"].as_str().expect("a text")
        ))
        .await;
    assert_eq!(found.len(), 1);
}
