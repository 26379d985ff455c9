//! Tests of `/events`, with their users and documents.

use end_to_end::{Api, samples};
use reqwest::Method;
use serde_json::{Value, json};

fn fields(event: &Value) -> Vec<&str> {
    event.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[tokio::test]
async fn event_has_only_the_fields_of_its_type() {
    let api = Api::shared();
    let user = api.user().await;
    let common = [
        "event_id",
        "document_id",
        "document",
        "user_id",
        "user",
        "user_name",
        "occurred_at",
        "created_at",
        "event_type",
        "source",
        "reference",
        "details",
    ];
    for (given, own) in [
        (json!({"event_type": "plain", "message": ""}), vec!["message"]),
        (
            json!({"event_type": "subscriber", "tier": 1, "subscribed_length": 0}),
            vec!["tier", "subscribed_length", "message"],
        ),
        (json!({"event_type": "cheer", "amount": 100, "cheer_type": null}), vec!["amount", "cheer_type", "message"]),
        (json!({"event_type": "raid", "viewer_count": 9001}), vec!["viewer_count"]),
    ] {
        let base = json!({"user_id": user["user_id"], "user_name": "Ann", "occurred_at": "2026-11-20T16:53:02.120Z"});
        let event = api.post("/events", &samples::merged(base, &given)).await.created();
        assert_eq!(fields(&event), [&common[..], &own[..]].concat());
        assert_eq!((&event["user"], &event["document"], &event["document_id"]), (&user, &Value::Null, &Value::Null));
        assert_eq!(event["occurred_at"], "2026-11-20T16:53:02.12Z");
        assert_eq!(api.get(&format!("/events/{}", event["event_id"])).await.ok(), event);
    }
}

#[tokio::test]
async fn missing_or_foreign_fields_of_an_event_type_return_422() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let base = json!({"user_id": user, "user_name": "Ann", "occurred_at": "2026-11-20T16:53:02Z"});
    for (given, wrong) in [
        (json!({"event_type": "plain"}), vec!["/message"]),
        (json!({"event_type": "subscriber"}), vec!["/tier", "/subscribed_length"]),
        (json!({"event_type": "cheer", "amount": -1, "viewer_count": 1}), vec!["/amount", "/viewer_count"]),
        (json!({"event_type": "raid", "viewer_count": 1.5, "message": "x"}), vec!["/viewer_count", "/message"]),
        (json!({"event_type": "bit", "amount": 1}), vec!["/event_type"]),
        (json!({"amount": 1}), vec!["/event_type"]),
    ] {
        assert_eq!(api.post("/events", &samples::merged(base.clone(), &given)).await.refused(422), wrong, "{given}");
    }
}

#[tokio::test]
async fn all_violations_of_a_body_are_reported_together() {
    let api = Api::shared();
    let body = json!({"event_type": "plain", "message": 5, "user_name": "", "occurred_at": "today", "event_id": 1, "a/b~c": 1});
    let wrong = api.post("/events", &body).await.refused(422);
    assert_eq!(wrong, ["/event_id", "/user_id", "/user_name", "/occurred_at", "/message", "/a~1b~0c"]);
    let body = samples::event(&json!({"user_id": 1, "document_id": 2}));
    assert_eq!(api.post("/events", &body).await.refused(422), ["/document_id", "/user_id"]);
}

#[tokio::test]
async fn user_object_creates_the_user_or_updates_its_name() {
    let api = Api::shared();
    let given = json!({"platform_id": samples::unique(), "name": "Before"});
    let first = api.post("/events", &samples::event(&json!({"user": given}))).await.created();
    assert_eq!(first["user"]["user_id"], first["user_id"]);
    let renamed = samples::merged(given, &json!({"name": "After"}));
    let second = api.post("/events", &samples::event(&json!({"user": renamed}))).await.created();
    assert_eq!(second["user_id"], first["user_id"]);
    assert_eq!(second["user"], samples::merged(first["user"].clone(), &json!({"name": "After"})));
    let user = api.get(&format!("/users/{}", first["user_id"])).await.ok();
    assert_eq!(user["name"], "After");
    assert_eq!(api.get(&format!("/events/{}", first["event_id"])).await.ok()["user"]["name"], "After");
}

#[tokio::test]
async fn exactly_one_of_user_and_user_id_is_required() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let both = samples::event(&json!({"user_id": user, "user": samples::user()}));
    assert_eq!(api.post("/events", &both).await.refused(422), ["/user"]);
    assert_eq!(api.post("/events", &samples::event(&json!({}))).await.refused(422), ["/user_id"]);
    let one = samples::event(&json!({"user_id": user, "user": null}));
    api.post("/events", &one).await.created();
    let nested = samples::event(&json!({"user": {"platform_id": "", "surplus": 1}}));
    assert_eq!(api.post("/events", &nested).await.refused(422), ["/user/platform_id", "/user/name", "/user/surplus"]);
}

#[tokio::test]
async fn event_creates_its_document_or_attaches_a_free_one() {
    let api = Api::shared();
    let user = api.user().await["user_id"].clone();
    let stamps = json!([{"stamp_type": "a", "pos_x": 0, "pos_y": 0, "rotation": 0, "document_id": 99}]);
    let body = samples::event(
        &json!({"user_id": user, "document": samples::merged(samples::document(), &json!({"stamps": stamps}))}),
    );
    let event = api.post("/events", &body).await.created();
    assert_eq!(event["document"]["document_id"], event["document_id"]);
    assert_eq!(event["document"]["stamps"][0]["document_id"], event["document_id"]);
    let again = samples::event(&json!({"user_id": user, "document_id": event["document_id"]}));
    assert_eq!(api.post("/events", &again).await.refused(409), ["/document_id"]);

    let free = api.document().await;
    let stamp = api.post("/stamps", &samples::stamp(&free)).await.created();
    let body = samples::event(&json!({"user_id": user, "document_id": free["document_id"]}));
    let event = api.post("/events", &body).await.created();
    assert_eq!(event["document"]["stamps"], json!([stamp]));
    assert_eq!(
        api.list(&format!("/events?document_id={}", free["document_id"])).await[0]["event_id"],
        event["event_id"]
    );
    let both =
        samples::event(&json!({"user_id": user, "document_id": free["document_id"], "document": samples::document()}));
    assert_eq!(api.post("/events", &both).await.refused(422), ["/document"]);
}

#[tokio::test]
async fn patch_event_changes_only_fields_of_its_type() {
    let api = Api::shared();
    let user = api.user().await;
    let cheer = json!({"event_type": "cheer", "amount": 1, "message": "x", "user_id": user["user_id"], "user_name": "Ann", "occurred_at": "2026-11-20T16:53:02Z"});
    let event = api.post("/events", &cheer).await.created();
    let path = format!("/events/{}", event["event_id"]);
    let changed = api.patch(&path, &json!({"amount": 2, "message": null, "cheer_type": "super"})).await.ok();
    assert_eq!(changed, samples::merged(event.clone(), &json!({"amount": 2, "message": null, "cheer_type": "super"})));
    assert_eq!(api.get(&path).await.ok(), changed);
    assert_eq!(api.patch(&path, &json!({"amount": null})).await.refused(422), ["/amount"]);
    let common = json!({"event_id": 1, "document_id": 1, "document": null, "user_id": 1, "user": {}, "user_name": "x", "occurred_at": "x", "created_at": "x", "event_type": "plain"});
    assert_eq!(api.patch(&path, &common).await.refused(422).len(), 9);
    assert_eq!(api.patch(&path, &json!({"tier": 1})).await.refused(422), ["/tier"]);
}

#[tokio::test]
async fn delete_event_deletes_its_document_and_not_its_user() {
    let api = Api::shared();
    let user = api.user().await;
    let body = samples::event(&json!({"user_id": user["user_id"], "document": samples::document()}));
    let event = api.post("/events", &body).await.created();
    let image = event["document"]["document_data"].as_str().expect("a URL").to_owned();
    let deleted = api.delete(&format!("/events/{}", event["event_id"])).await.ok();
    assert_eq!(deleted["document"]["document_id"], event["document_id"]);
    for path in [format!("/events/{}", event["event_id"]), format!("/documents/{}", event["document_id"]), image] {
        assert_eq!(api.get(&path).await.status, 404);
    }
    api.get(&format!("/users/{}", user["user_id"])).await.ok();
}

/// The body of a user's event, with additional fields.
fn event_of(user: &Value, more: &Value) -> Value {
    let base = json!({"user_id": user["user_id"], "user_name": "Ann", "occurred_at": "2026-11-20T16:53:02Z",
        "event_type": "plain", "message": "x"});
    samples::merged(base, more)
}

#[tokio::test]
async fn event_keeps_its_source_reference_and_details() {
    let api = Api::shared();
    let user = api.user().await;
    let source = format!("bot/{}", samples::unique());
    // serde_json would change the numbers, so the body is text.
    let details = r#"{"z":1.00,"a":[12345678901234567890123,1e400,-0],"é":{"b":" \" ","a":null}}"#;
    let body = event_of(&user, &json!({"source": source, "reference": "reward 5"})).to_string();
    let body = format!(r#"{}, "details" : {} }}"#, body.trim_end_matches('}'), details.replace(',', " ,\n "));
    let request = api.request(Method::POST, "/events").header("content-type", "application/json").body(body);
    let created = api.send(request).await;
    assert_eq!(created.status, 201);
    let path = created.location();
    for text in [created.bytes, api.get(&path).await.bytes, api.get(&format!("/events?source={source}")).await.bytes] {
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(text.contains(&format!(r#""source":"{source}","reference":"reward 5","details":{details}"#)), "{text}");
    }
    assert_eq!(api.patch(&path, &json!({"message": "y"})).await.status, 200);
    let text = String::from_utf8(api.get(&path).await.bytes).expect("UTF-8");
    assert!(text.contains(details), "{text}");
    for field in ["source", "reference", "details"] {
        let changed = api.patch(&path, &json!({field: null})).await;
        assert_eq!(changed.refused(422), [format!("/{field}")]);
    }
}

#[tokio::test]
async fn large_details_are_kept_and_larger_ones_return_422() {
    let api = Api::shared();
    let user = api.user().await;
    for size in [300, 900, 1_100, 16_384] {
        let details = json!({"text": "d".repeat(size - r#"{"text":""}"#.len())});
        let event = api.post("/events", &event_of(&user, &json!({"details": details}))).await.created();
        let path = format!("/events/{}", event["event_id"]);
        // The details move out of the record when the message grows.
        for message in ["m".repeat(700), "m".repeat(5_000), "m".to_owned()] {
            let changed = api.patch(&path, &json!({"message": message})).await.ok();
            assert_eq!((&changed["details"], &changed["message"]), (&details, &json!(message)), "{size}");
            assert_eq!(api.get(&path).await.ok(), changed);
        }
        assert_eq!(api.list(&format!("/events?event_id={}", event["event_id"])).await[0]["details"], details);
        assert_eq!(api.delete(&path).await.ok()["details"], details);
    }
    let too_large = json!({"text": "d".repeat(16_385 - r#"{"text":""}"#.len())});
    for wrong in [too_large, json!([1]), json!("{}"), json!(5), json!(true)] {
        assert_eq!(api.post("/events", &event_of(&user, &json!({"details": wrong}))).await.refused(422), ["/details"]);
    }
    let empty = api.post("/events", &event_of(&user, &json!({"details": {}, "source": null}))).await.created();
    assert_eq!((&empty["details"], &empty["source"]), (&json!({}), &Value::Null));
}

#[tokio::test]
async fn source_of_twitch_is_reserved_for_the_service() {
    let api = Api::shared();
    let user = api.user().await;
    for source in ["twitch/", "twitch/channel.follow"] {
        let refused = api.post("/events", &event_of(&user, &json!({"source": source}))).await;
        assert_eq!(refused.refused(422), ["/source"]);
        assert_eq!(serde_json::from_slice::<Value>(&refused.bytes).expect("JSON")["errors"][0]["code"], "reserved");
        let test = json!({"test": {"event_type": "plain", "message": "x", "source": source, "details": {"n": 1}}});
        assert_eq!(api.post("/alerts", &test).await.status, 202);
    }
    for source in ["", "twitch", "Twitch/x", " twitch/x"] {
        assert_eq!(api.post("/events", &event_of(&user, &json!({"source": source}))).await.created()["source"], source);
    }
}

#[tokio::test]
async fn filters_by_source_and_reference_combine() {
    let api = Api::shared();
    let user = api.user().await;
    let unique = samples::unique();
    let mut expected = Vec::new();
    for (source, reference) in [("a", "1"), ("a", "2"), ("b", "1"), ("a", "1")] {
        let body = json!({"source": format!("{unique}/{source}"), "reference": format!("{unique} {reference}")});
        expected.push(api.post("/events", &event_of(&user, &body)).await.created()["event_id"].clone());
    }
    let api = &api;
    let found = |query: String| async move {
        let mut found: Vec<_> = api.list(&query).await.iter().map(|event| event["event_id"].clone()).collect();
        found.sort_by_key(Value::as_u64);
        found
    };
    assert_eq!(found(format!("/events?source={unique}/b")).await, [expected[2].clone()]);
    assert_eq!(found(format!("/events?reference={unique}%201")).await.len(), 3);
    let both = found(format!("/events?source={unique}/a&reference={unique}%201&limit=1")).await;
    assert_eq!(both, {
        let mut both = vec![expected[0].clone(), expected[3].clone()];
        both.sort_by_key(Value::as_u64);
        both
    });
    assert!(found(format!("/users/{}/events?source=", user["user_id"])).await.is_empty());
}
