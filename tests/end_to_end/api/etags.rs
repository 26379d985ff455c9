//! Tests of `ETag`, `If-None-Match` and `If-Match`. A GET of an unchanged record returns 304, and a write to a changed
//! record returns 412.

use end_to_end::{Api, Reply, samples};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};

async fn with(api: &Api, method: Method, path: &str, header: &str, tag: &str, body: &Value) -> Reply {
    let request = api.request(method.clone(), path).header(header, tag);
    api.send(if method == Method::PATCH { request.json(body) } else { request }).await
}

async fn tag(api: &Api, path: &str) -> String {
    let reply = api.get(path).await;
    reply.ok();
    let tag = reply.header("etag").to_owned();
    assert!(tag.len() > 10 && tag.starts_with('"') && tag.ends_with('"'), "{path}: {tag}");
    tag
}

/// A user with one record of each kind.
struct Cast {
    home: String,
    event: Value,
    specimen: Value,
    item: Value,
}

async fn cast(api: &Api) -> Cast {
    let home = format!("/users/{}", api.user().await["user_id"]);
    let stamp = json!({"stamp_type": "x", "pos_x": 1, "pos_y": 1, "rotation": 0});
    let document = samples::merged(samples::document(), &json!({"stamps": [stamp]}));
    let event = api.post(&format!("{home}/events"), &samples::event(&json!({"document": document}))).await.created();
    let specimen = api.post(&format!("{home}/specimen"), &json!({})).await.created();
    let item = api.post(&format!("{home}/inventory"), &json!({"name": "hat"})).await.created();
    Cast { home, event, specimen, item }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_with_a_current_etag_returns_304() {
    let api = Api::shared();
    let Cast { home, event, specimen, item } = cast(&api).await;
    let paid = api.post(&format!("{home}/transactions"), &json!({"amount": 1, "description": "x"})).await.created();
    let event = format!("/events/{}", event["event_id"]);
    for path in [
        home.clone(),
        event.clone(),
        format!("{event}/document"),
        format!("{event}/user"),
        format!("{home}/specimen"),
        format!("/specimens/{}", specimen["specimen_id"]),
        format!("/specimens/{}/owner", specimen["specimen_id"]),
        format!("/inventory/{}", item["item_id"]),
        format!("/transactions/{}", paid["transaction_id"]),
    ] {
        let tag = tag(&api, &path).await;
        let head = api.send(api.request(Method::HEAD, &path)).await;
        assert_eq!((head.status.as_u16(), head.header("etag")), (200, tag.as_str()), "{path}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            for method in [Method::GET, Method::HEAD] {
                let reply = with(&api, method, &path, "If-None-Match", &known, &Value::Null).await;
                assert_eq!((reply.status.as_u16(), reply.bytes.len()), (304, 0), "{path} {known}");
                assert_eq!(reply.header("etag"), tag);
            }
        }
        with(&api, Method::GET, &path, "If-None-Match", "\"other\"", &Value::Null).await.ok();
        with(&api, Method::GET, &path, "If-None-Match", "no tag", &Value::Null).await.ok();
    }
    for list in ["/users?limit=1".to_owned(), format!("{home}/events")] {
        assert_eq!(api.get(&list).await.header("etag"), "", "a list has none");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn post_and_patch_return_the_etag_of_a_get() {
    let api = Api::shared();
    let Cast { home, .. } = cast(&api).await;
    for (path, body, change) in [
        ("/users".to_owned(), samples::user(), json!({"name": "Bea"})),
        (format!("{home}/events"), samples::event(&json!({})), json!({"message": "other"})),
        ("/documents".to_owned(), samples::document(), json!({"seal": 9})),
        (format!("{home}/specimens"), json!({}), json!({"forgotten_at": "2100-01-01T00:00:00Z"})),
        (format!("{home}/inventory"), json!({"name": "sword"}), json!({"quantity": 2})),
    ] {
        if path.ends_with("specimens") {
            api.delete(&format!("{home}/specimen")).await.ok();
        }
        let created = api.post(&path, &body).await;
        created.created();
        let position = created.location();
        assert_eq!(created.header("etag"), tag(&api, &position).await, "{path}");
        let changed = api.patch(&position, &change).await;
        changed.ok();
        assert_ne!(changed.header("etag"), created.header("etag"), "{path}");
        assert_eq!(changed.header("etag"), tag(&api, &position).await, "{path}");
    }
    // The tags are equal even if the user has details that a PATCH does not render.
    let changed = api.patch(&home, &json!({"name": "Cleo"})).await;
    assert_eq!(changed.header("etag"), tag(&api, &home).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn etag_changes_with_everything_that_a_get_renders() {
    let api = Api::shared();
    let Cast { home, event, specimen, item } = cast(&api).await;
    let event_path = format!("/events/{}", event["event_id"]);
    let (document, stamp) = (&event["document"]["document_id"], &event["document"]["stamps"][0]["stamp_id"]);
    let document = format!("/documents/{document}");
    let specimen = format!("/specimens/{}", specimen["specimen_id"]);
    for (watched, method, path, body) in [
        (&home, Method::POST, format!("{home}/transactions"), json!({"amount": 1, "description": "x"})),
        (&home, Method::PATCH, specimen.clone(), json!({"forgotten_at": "2100-01-01T00:00:00Z"})),
        (&home, Method::PATCH, format!("/inventory/{}", item["item_id"]), json!({"quantity": 2})),
        (&home, Method::POST, format!("{home}/inventory"), json!({"name": "sword"})),
        (&event_path, Method::PATCH, home.clone(), json!({"name": "Bea"})),
        (&event_path, Method::PATCH, format!("/stamps/{stamp}"), json!({"pos_x": 7})),
        (&event_path, Method::PATCH, document.clone(), json!({"seal": 8})),
        (
            &document,
            Method::POST,
            format!("{document}/stamps"),
            json!({"stamp_type": "y", "pos_x": 1, "pos_y": 1, "rotation": 0}),
        ),
        (&specimen, Method::PATCH, home.clone(), json!({"name": "Cleo"})),
        (&event_path, Method::DELETE, document.clone(), Value::Null),
    ] {
        let before = tag(&api, watched).await;
        assert_eq!(before, tag(&api, watched).await);
        let reply = api.send(api.request(method, &path).json(&body)).await;
        assert!(reply.status.is_success(), "{path}");
        assert_ne!(before, tag(&api, watched).await, "{watched} after {path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn write_with_an_outdated_if_match_returns_412() {
    let api = Api::shared();
    let Cast { home, event, item, .. } = cast(&api).await;
    let event = format!("/events/{}", event["event_id"]);
    let item = format!("/inventory/{}", item["item_id"]);
    for (path, change) in
        [(&event, json!({"message": "a"})), (&item, json!({"quantity": 3})), (&home, json!({"name": "Bea"}))]
    {
        let old = tag(&api, path).await;
        let changed = with(&api, Method::PATCH, path, "If-Match", &old, &change).await;
        changed.ok();
        let new = tag(&api, path).await;
        assert_eq!(changed.header("etag"), new);
        let before = api.get(path).await.ok();
        for known in [old.clone(), format!("W/{new}"), "\"other\"".to_owned(), format!("{old}, \"x\"")] {
            with(&api, Method::PATCH, path, "If-Match", &known, &change).await.refused(412);
            with(&api, Method::DELETE, path, "If-Match", &known, &Value::Null).await.refused(412);
        }
        assert_eq!(api.get(path).await.ok(), before, "nothing was written");
        with(&api, Method::PATCH, path, "If-Match", "no tag", &change).await.refused(400);
        with(&api, Method::PATCH, path, "If-Match", "*", &change).await.ok();
        with(&api, Method::PATCH, path, "If-Match", &format!("\"x\", {new}"), &json!({})).await.ok();
    }
    // An invalid body returns 422 and a missing record 404, regardless of the tag.
    with(&api, Method::PATCH, &event, "If-Match", "*", &json!({"new": 1})).await.refused(422);
    with(&api, Method::PATCH, "/events/5", "If-Match", "*", &json!({})).await.refused(404);
    let tag = tag(&api, &event).await;
    with(&api, Method::DELETE, &event, "If-Match", &tag, &Value::Null).await.ok();
    api.get(&event).await.refused(404);
    with(&api, Method::DELETE, &home, "If-Match", "*", &Value::Null).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_writes_with_one_etag_succeed_once() {
    let api = Api::shared();
    let Cast { home, event, item, specimen } = cast(&api).await;
    for (path, change) in [
        (format!("/events/{}", event["event_id"]), "message"),
        (format!("/inventory/{}", item["item_id"]), "metadata"),
        (home.clone(), "name"),
        (format!("/documents/{}", event["document_id"]), "metadata"),
    ] {
        for _ in 0..3 {
            let tag = tag(&api, &path).await;
            let replies = join_all((0..16).map(|turn| {
                let body = json!({change: format!("{turn} {}", samples::unique())});
                let (api, path, tag) = (&api, &path, &tag);
                async move { with(api, Method::PATCH, path, "If-Match", tag, &body).await }
            }))
            .await;
            let statuses: Vec<_> = replies.iter().map(|reply| reply.status.as_u16()).collect();
            assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{path}: {statuses:?}");
            assert!(statuses.iter().all(|status| [200, 412].contains(status)), "{path}: {statuses:?}");
        }
    }
    // A user's tag also covers its wallet.
    let before = tag(&api, &home).await;
    api.post(&format!("{home}/transactions"), &json!({"amount": 1, "description": "x"})).await.created();
    with(&api, Method::DELETE, &home, "If-Match", &before, &Value::Null).await.refused(412);
    let specimen = format!("/specimens/{}", specimen["specimen_id"]);
    let tag = tag(&api, &specimen).await;
    let deleted = join_all((0..8).map(|_| with(&api, Method::DELETE, &specimen, "If-Match", &tag, &Value::Null))).await;
    assert_eq!(deleted.iter().filter(|reply| reply.status == 200).count(), 1);
}

/// Sends two requests concurrently, each with its record's tag. Returns the number that succeed.
async fn race(api: &Api, requests: [(Method, &str, Value); 2]) -> usize {
    let tags = [tag(api, requests[0].1).await, tag(api, requests[1].1).await];
    let [one, other] = [0, 1].map(|position| {
        let (method, path, body) = &requests[position];
        with(api, method.clone(), path, "If-Match", &tags[position], body)
    });
    let replies: [Reply; 2] = tokio::join!(one, other).into();
    for reply in &replies {
        assert!([200, 404, 412].contains(&reply.status.as_u16()), "{}", reply.status);
    }
    replies.iter().filter(|reply| reply.status == 200).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn if_match_covers_embedded_records() {
    let api = Api::shared();
    for turn in 0..12 {
        let Cast { home, event, item, specimen } = cast(&api).await;
        let event_path = format!("/events/{}", event["event_id"]);
        let document = format!("/documents/{}", event["document_id"]);
        let stamp = format!("/stamps/{}", event["document"]["stamps"][0]["stamp_id"]);
        let item = format!("/inventory/{}", item["item_id"]);
        let specimen = format!("/specimens/{}", specimen["specimen_id"]);
        let rename = (Method::PATCH, home.as_str(), json!({"name": "Cleo"}));
        let other = if turn % 2 == 0 {
            (Method::PATCH, item.as_str(), json!({"quantity": 5}))
        } else {
            (Method::PATCH, specimen.as_str(), json!({"forgotten_at": "2100-01-01T00:00:00Z"}))
        };
        assert_eq!(race(&api, [rename, other]).await, 1, "a user and what it embeds embed one another");
        let change = if turn % 2 == 0 {
            (Method::PATCH, document.as_str(), json!({"seal": 8}))
        } else {
            (Method::PATCH, stamp.as_str(), json!({"pos_x": 8}))
        };
        let before = tag(&api, &event_path).await;
        let (deleted, changed) = tokio::join!(
            with(&api, Method::DELETE, &event_path, "If-Match", &before, &Value::Null),
            with(&api, Method::PATCH, change.1, "If-None-Match", "\"none\"", &change.2)
        );
        let done = [deleted.status, changed.status].iter().filter(|status| **status == 200).count();
        assert_eq!(done, 1, "{} and {}", deleted.status, changed.status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn if_match_with_more_than_90_embedded_records_returns_422() {
    let api = Api::shared();
    let document = api.document().await;
    let path = format!("/documents/{}", document["document_id"]);
    let stamp = json!({"stamp_type": "x", "pos_x": 1, "pos_y": 1, "rotation": 0});
    for count in [80, 10] {
        api.put(&format!("{path}/stamps"), &json!(vec![&stamp; count])).await.created();
    }
    let change = json!({"metadata": "long ".repeat(300)});
    let before = tag(&api, &path).await;
    with(&api, Method::PATCH, &path, "If-Match", &before, &change).await.ok();
    api.post(&format!("{path}/stamps"), &stamp).await.created();
    let before = tag(&api, &path).await;
    with(&api, Method::PATCH, &path, "If-Match", &before, &json!({"seal": 9})).await.refused(422);
    with(&api, Method::DELETE, &path, "If-Match", &before, &Value::Null).await.refused(422);
    assert_eq!(before, tag(&api, &path).await, "nothing was written");
    with(&api, Method::PATCH, &path, "If-Match", "*", &json!({"seal": 9})).await.ok();
    let before = tag(&api, &path).await;
    with(&api, Method::PATCH, &path, "If-None-Match", &before, &json!({"seal": 10})).await.refused(412);
    with(&api, Method::PATCH, &path, "If-None-Match", "\"x\"", &json!({"seal": 10})).await.ok();
    let one = api.get(&path).await.ok()["stamps"][0]["stamp_id"].clone();
    api.delete(&format!("/stamps/{one}")).await.ok();
    // The largest record that `If-Match` covers. Its deletion fits in one transaction.
    let before = tag(&api, &path).await;
    with(&api, Method::DELETE, &path, "If-Match", &before, &Value::Null).await.ok();
    assert!(api.list(&format!("/stamps?document_id={}", document["document_id"])).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn etag_list_may_have_empty_elements() {
    let api = Api::shared();
    let path = format!("/documents/{}", api.document().await["document_id"]);
    let tag = tag(&api, &path).await;
    for list in [format!("\"a\",,{tag}"), format!(", {tag} ,"), format!("\"a,b\" , {tag}")] {
        let reply = with(&api, Method::GET, &path, "If-None-Match", &list, &Value::Null).await;
        assert_eq!(reply.status, 304, "{list}");
        with(&api, Method::PATCH, &path, "If-Match", &list, &json!({})).await.ok();
    }
    with(&api, Method::PATCH, &path, "If-Match", "\"a\",,", &json!({})).await.refused(412);
}

#[tokio::test(flavor = "multi_thread")]
async fn etag_does_not_depend_on_the_host() {
    let api = Api::shared();
    let Cast { event, .. } = cast(&api).await;
    let port = api.base().rsplit(':').next().expect("a port").to_owned();
    for path in [format!("/documents/{}", event["document_id"]), format!("/events/{}", event["event_id"])] {
        let own = tag(&api, &path).await;
        let other = api.get(&format!("http://localhost:{port}{path}")).await;
        assert_ne!(other.ok(), api.get(&path).await.ok(), "the image's URL has the host");
        assert_eq!(other.header("etag"), own);
    }
}

#[tokio::test]
async fn if_none_match_of_a_write_keeps_the_record_that_has_the_tag() {
    let api = Api::shared();
    let path = format!("/users/{}", api.user().await["user_id"]);
    let current = tag(&api, &path).await;
    let change = json!({"name": "Bea"});
    for method in [Method::PATCH, Method::DELETE] {
        for sent in [current.clone(), format!("W/{current}"), format!("\"x\", {current}"), "*".to_owned()] {
            let reply = with(&api, method.clone(), &path, "If-None-Match", &sent, &change).await;
            reply.refused(412);
            assert_eq!(reply.json()["code"], "etag_mismatch", "{sent}");
        }
        let bare = with(&api, method.clone(), &path, "If-None-Match", current.trim_matches('"'), &change).await;
        bare.refused(400);
        let gone = with(&api, method, "/users/9007199254740991", "If-None-Match", "*", &change).await;
        gone.refused(404);
    }
    assert_eq!(tag(&api, &path).await, current, "nothing was written");
    // Both headers are conditions.
    let request = api.request(Method::PATCH, &path).header("If-Match", &current).header("If-None-Match", &current);
    api.send(request.json(&change)).await.refused(412);
    with(&api, Method::PATCH, &path, "If-None-Match", "\"x\"", &change).await.ok();
    with(&api, Method::DELETE, &path, "If-None-Match", &current, &json!({})).await.ok();
    for (method, path, body) in [(Method::POST, "/users", samples::user()), (Method::PUT, "/users/78", samples::user())]
    {
        let reply = with(&api, method, path, "If-None-Match", "*", &body).await;
        reply.refused(400);
        assert_eq!(reply.json()["code"], "invalid_header", "{path}");
    }
}

#[tokio::test]
async fn if_match_that_can_never_match_says_why() {
    let api = Api::shared();
    let path = format!("/users/{}", api.user().await["user_id"]);
    let tag = tag(&api, &path).await;
    let weak = with(&api, Method::PATCH, &path, "If-Match", &format!("W/{tag}"), &json!({"name": "Bea"})).await;
    weak.refused(412);
    assert!(weak.json()["detail"].as_str().is_some_and(|detail| detail.contains("weak")), "{}", weak.json());
    let bare = tag.trim_matches('"');
    for (method, path) in [(Method::PATCH, path.as_str()), (Method::DELETE, &path)] {
        let reply = with(&api, method, path, "If-Match", bare, &json!({})).await;
        reply.refused(400);
        assert_eq!(reply.json()["code"], "invalid_header");
    }
    for (method, path, body) in [
        (Method::POST, "/users", samples::user()),
        (Method::PUT, "/stamps", json!([])),
        (Method::PUT, "/users/77", samples::user()),
    ] {
        let reply = api.send(api.request(method, path).header("If-Match", &tag).json(&body)).await;
        reply.refused(400);
        assert_eq!(reply.json()["code"], "invalid_header", "{path}");
    }
}
