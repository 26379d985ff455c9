//! Tests of rules as records: fields, validation and limit.

use end_to_end::{Api, Reply, samples};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

/// Returns the body of a rule that does not pay for other tests' events.
fn rule(with: &Value) -> Value {
    samples::merged(json!({"name": "a rule", "reference": samples::unique(), "amount": 5}), with)
}

/// Returns the violations of a response, as `pointer code`.
fn violations(reply: &Reply) -> Vec<String> {
    let problem = reply.json();
    let errors = problem["errors"].as_array().expect("a list").iter();
    let text = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
    let mut violations: Vec<_> =
        errors.map(|error| format!("{} {}", text(error, "pointer"), text(error, "code"))).collect();
    violations.sort();
    violations
}

#[tokio::test(flavor = "multi_thread")]
async fn rule_has_defaults_and_fixed_fields() {
    let api = Api::start();
    let created = api.post("/rules", &json!({"name": "cheers", "event_type": "cheer", "per_unit": 2})).await;
    assert_eq!(created.location(), format!("/rules/{}", created.json()["rule_id"]));
    let created = created.created();
    let id = &created["rule_id"];
    let expected = json!({"rule_id": id, "name": "cheers", "enabled": true, "event_type": "cheer", "source": null,
        "reference": null, "amount": 0, "per_unit": 2, "every": null, "created_at": created["created_at"]});
    assert_eq!(created, expected);
    let path = format!("/rules/{id}");
    assert_eq!(api.get(&path).await.ok(), expected);
    let changes = json!({"name": "bits", "enabled": false, "amount": 7, "per_unit": 0});
    let after = api.patch(&path, &changes).await.ok();
    assert_eq!(after, samples::merged(expected, &changes));
    for field in ["event_type", "source", "reference", "every", "created_at", "rule_id"] {
        let reply = api.patch(&path, &json!({field: created[field]})).await;
        assert_eq!((reply.status.as_u16(), violations(&reply)), (422, vec![format!("/{field} not_settable")]));
    }
    let reset = api.patch(&path, &json!({"enabled": null, "per_unit": null})).await.ok();
    assert_eq!((&reset["enabled"], &reset["per_unit"]), (&json!(true), &json!(0)));
    api.put("/rules", &json!([])).await.refused(405);
    assert_eq!(api.delete(&path).await.ok(), reset);
    api.get(&path).await.refused(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_rules_return_422_with_every_violation() {
    let api = Api::start();
    for (body, expected) in [
        (json!({}), &["/amount out_of_range", "/event_type required", "/name required"][..]),
        (json!({"name": "", "source": "x"}), &["/amount out_of_range", "/name empty"]),
        (json!({"name": "x", "amount": 1}), &["/event_type required"]),
        (
            json!({"name": "x", "event_type": null, "source": null, "reference": null, "amount": 1}),
            &["/event_type required"],
        ),
        (json!({"name": "x", "source": "s"}), &["/amount out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 0, "per_unit": 0}), &["/amount out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": -1}), &["/amount out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 9_007_199_254_740_992_u64}), &["/amount out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 1, "per_unit": -1}), &["/per_unit out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 1.5}), &["/amount wrong_type"]),
        (json!({"name": "x", "source": "s", "per_unit": 1, "every": 60}), &["/every mutually_exclusive"]),
        (json!({"name": "x", "source": "s", "amount": 1, "every": 0}), &["/every out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 1, "every": 86_401}), &["/every out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 1, "enabled": "yes"}), &["/enabled wrong_type"]),
        (json!({"name": "x", "event_type": "follow", "amount": 1}), &["/event_type out_of_range"]),
        (json!({"name": "x", "source": "s", "amount": 1, "rule_id": 5}), &["/rule_id not_settable"]),
        (
            json!({"name": "x", "source": "s", "amount": 1, "enabled_at": "2026-01-01T00:00:00Z"}),
            &["/enabled_at unknown_field"],
        ),
        (json!({"name": "x", "source": "y".repeat(1_025), "amount": 1}), &["/source too_long"]),
    ] {
        let reply = api.post("/rules", &body).await;
        reply.refused(422);
        assert_eq!(violations(&reply), expected, "{body}");
    }
    for body in [
        json!({"name": "x", "source": "twitch/channel.follow", "amount": 9_007_199_254_740_991_u64}),
        json!({"name": "x", "reference": "", "amount": 1, "every": 86_400}),
        json!({"name": "x", "event_type": "raid", "per_unit": 1, "every": null, "created_at": "2020-01-01T00:00:00Z"}),
    ] {
        api.post("/rules", &body).await.created();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_rule_must_pay_something() {
    let api = Api::start();
    let created = api.post("/rules", &rule(&json!({"amount": 1, "per_unit": 1}))).await.created();
    let path = format!("/rules/{}", created["rule_id"]);
    api.patch(&path, &json!({"amount": 0})).await.ok();
    for body in [json!({"per_unit": 0}), json!({"per_unit": null}), json!({"amount": null, "per_unit": 0})] {
        let reply = api.patch(&path, &body).await;
        reply.refused(422);
        assert_eq!(violations(&reply), ["/amount out_of_range"], "{body}");
    }
    let window = api.post("/rules", &rule(&json!({"every": 60}))).await.created();
    let reply = api.patch(&format!("/rules/{}", window["rule_id"]), &json!({"per_unit": 1})).await;
    reply.refused(422);
    assert_eq!(violations(&reply), ["/every mutually_exclusive"]);
    assert_eq!(api.patch(&path, &json!({})).await.ok()["amount"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_listed_by_their_filters() {
    let api = Api::start();
    let old =
        api.post("/rules", &rule(&json!({"created_at": "2020-01-01T00:00:00Z", "enabled": false}))).await.created();
    let new = api.post("/rules", &rule(&json!({}))).await.created();
    for (query, expected) in [
        ("", vec![&new, &old]),
        ("?enabled=true", vec![&new]),
        ("?enabled=false", vec![&old]),
        ("?created_before=2021-01-01T00:00:00Z", vec![&old]),
        ("?created_after=2021-01-01T00:00:00Z&enabled=false", vec![]),
        ("?order=asc&limit=1000", vec![&old, &new]),
    ] {
        let path = format!("/rules{query}");
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while api.list(&path).await.iter().collect::<Vec<_>>() != expected {
            assert!(std::time::Instant::now() < deadline, "{path}");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    assert_eq!(api.list(&format!("/rules?rule_id={}", old["rule_id"])).await, [old]);
    api.get("/rules?enabled=maybe").await.refused(400);
    api.get("/rules?name=x").await.refused(400);
}

#[tokio::test(flavor = "multi_thread")]
async fn at_most_20_rules_exist_whatever_runs_at_once() {
    let api = Api::start();
    let (post, put) = (|n: i64| json!({"enabled": n % 2 == 0}), |n: i64| format!("/rules/{n}"));
    let replies = join_all((1..=30).map(|number| {
        let api = api.clone();
        async move {
            if number % 3 == 0 {
                api.put(&put(number), &rule(&json!({"created_at": "2020-01-01T00:00:00Z"}))).await
            } else {
                api.post("/rules", &rule(&post(number))).await
            }
        }
    }))
    .await;
    let (stored, refused): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.status == 201);
    assert_eq!((stored.len(), refused.len()), (20, 10));
    for reply in refused {
        reply.refused(422);
        assert_eq!(violations(reply), [" too_many"]);
    }
    let first = stored[0].json();
    let path = format!("/rules/{}", first["rule_id"]);
    // A stored rule can be confirmed, and each deletion makes room for one more.
    assert_eq!(api.put(&path, &first).await.status, 200);
    api.delete(&path).await.ok();
    api.post("/rules", &rule(&json!({}))).await.created();
    api.post("/rules", &rule(&json!({}))).await.refused(422);
    api.put("/rules/12345", &rule(&json!({}))).await.refused(422);
    assert_eq!(api.list("/rules").await.len(), 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn put_stores_and_confirms_a_rule() {
    let api = Api::start();
    let complete = rule(
        &json!({"rule_id": 77, "source": "twitch/channel.cheer", "enabled": false, "created_at": "2020-01-01T00:00:00Z"}),
    );
    let stored = api.put("/rules/77", &complete).await.created();
    assert_eq!(api.put("/rules/77", &stored).await.ok(), stored);
    assert_eq!(
        api.put("/rules/77", &samples::merged(stored.clone(), &json!({"amount": 6}))).await.json()["code"],
        "record_differs"
    );
    let reply = api.put("/rules/78", &json!({"name": "x"})).await;
    reply.refused(422);
    assert_eq!(violations(&reply), ["/amount out_of_range", "/event_type required"]);
    for method in [Method::POST, Method::PUT] {
        let reply = api.send(api.request(method, "/rules/77/events").json(&json!({}))).await;
        assert_eq!(reply.json()["code"], "route_not_found");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_changes_of_two_fields_never_contradict_each_other() {
    let api = Api::start();
    let rule = json!({"name": "Both", "event_type": "cheer", "amount": 5, "per_unit": 5});
    for _ in 0..20 {
        let path = format!("/rules/{}", api.post("/rules", &rule).await.created()["rule_id"]);
        let (fixed, variable) = (json!({"amount": 0}), json!({"per_unit": 0}));
        let replies = join_all([api.patch(&path, &fixed), api.patch(&path, &variable)]).await;
        let mut statuses: Vec<_> = replies.iter().map(|reply| reply.status.as_u16()).collect();
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422], "a rule that pays nothing");
        api.delete(&path).await.ok();
    }
}
