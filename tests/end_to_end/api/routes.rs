//! Tests of paths: every link, chains of links, and path bindings.

use end_to_end::{Api, samples, stack_in};
use reqwest::Method;
use serde_json::json;

#[tokio::test]
async fn chained_links_resolve_to_their_target() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let specimen = api.post(&format!("{home}/specimen"), &json!({})).await.created();
    let event = api
        .post("/events", &samples::event(&json!({"user_id": user["user_id"], "document": samples::document()})))
        .await
        .created();
    let here = format!("/events/{}", event["event_id"]);
    let stamp = api.post(&format!("{here}/document/stamps"), &samples::stamp(&event["document"])).await.created();
    let paid = api
        .post(&format!("{here}/user/specimen/owner/transactions"), &json!({"amount": 5, "description": "x"}))
        .await
        .created();
    assert_eq!(paid["user_id"], user["user_id"]);
    let details = api.get(&home).await.ok();
    for path in [
        format!("{here}/user"),
        format!("{here}/user/specimen/owner"),
        format!("/specimens/{}/owner", specimen["specimen_id"]),
        format!("/transactions/{}/user/specimen/owner", paid["transaction_id"]),
        format!("{home}{}", "/specimen/owner".repeat(8)),
        format!("{home}/events/{}/user", event["event_id"]),
    ] {
        assert_eq!(api.get(&path).await.ok(), details, "{path}");
    }
    assert_eq!(api.get(&format!("{home}/events/{}/document/stamps", event["event_id"])).await.ok(), json!([stamp]));
    assert_eq!(
        api.get(&format!("{home}/specimen/owner/events/{}/document/stamps/{}", event["event_id"], stamp["stamp_id"]))
            .await
            .ok(),
        stamp
    );
    assert_eq!(api.get(&format!("{here}/user/wallet")).await.ok(), json!({"wallet": 5}));
    let renamed = api.patch(&format!("{here}/user"), &json!({"name": "New"})).await.ok();
    assert_eq!(renamed, samples::merged(user, &json!({"name": "New"})));
    api.get(&format!("{home}{}/specimen", "/specimen/owner".repeat(8))).await.refused(400);
}

#[tokio::test]
async fn singular_user_route_equals_the_plural_for_every_link() {
    let api = Api::shared();
    let user = api.user().await;
    let id = &user["user_id"];
    api.post(&format!("/user/{id}/specimen"), &json!({})).await.created();
    for link in ["events", "transactions", "specimens", "inventory", "specimen", "wallet"] {
        assert_eq!(
            api.get(&format!("/user/{id}/{link}")).await.ok(),
            api.get(&format!("/users/{id}/{link}")).await.ok(),
            "{link}"
        );
    }
}

#[tokio::test]
async fn path_binding_overrides_the_query_and_the_body() {
    let api = Api::shared();
    let (user, other) = (api.user().await, api.user().await);
    let home = format!("/users/{}", user["user_id"]);
    let event =
        api.post(&format!("{home}/events"), &samples::event(&json!({"user_id": other["user_id"]}))).await.created();
    assert_eq!(event["user"], user);
    for wrong in ["abc", "5"] {
        let found = api.list(&format!("{home}/events?user_id={wrong}")).await;
        assert_eq!(found[0]["event_id"], event["event_id"]);
    }
    let specimen = api.post(&format!("{home}/specimens"), &json!({"owner_id": "x"})).await.created();
    assert_eq!(specimen["owner_id"], user["user_id"]);
    let path = format!("{home}/specimens/{}", specimen["specimen_id"]);
    assert_eq!(api.patch(&path, &json!({"owner_id": other["user_id"]})).await.ok()["owner_id"], user["user_id"]);
    let document = api.document().await;
    let stamps = json!([samples::stamp(&json!({"document_id": 5}))]);
    let created = api.put(&format!("/documents/{}/stamps", document["document_id"]), &stamps).await.created();
    assert_eq!(created[0]["document_id"], document["document_id"]);
}

#[tokio::test]
async fn alternative_to_a_path_binding_returns_422() {
    let api = Api::shared();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let event = samples::event(&json!({"user": samples::user()}));
    assert_eq!(api.post(&format!("{home}/events"), &event).await.refused(422), ["/user"]);
    for link in ["specimen", "specimens"] {
        assert_eq!(
            api.post(&format!("{home}/{link}"), &json!({"owner": samples::user()})).await.refused(422),
            ["/owner"]
        );
    }
    let item = json!({"name": "x", "owner": samples::user()});
    assert_eq!(api.post(&format!("{home}/inventory"), &item).await.refused(422), ["/owner"]);
}

#[tokio::test]
async fn record_outside_the_path_binding_returns_404() {
    let api = Api::shared();
    let (user, other) = (api.user().await, api.user().await);
    let event = api.event(&other).await;
    let path = format!("/users/{}/events/{}", user["user_id"], event["event_id"]);
    for refused in [
        api.get(&path).await,
        api.patch(&path, &json!({})).await,
        api.delete(&path).await,
        api.get(&format!("{path}/user")).await,
    ] {
        refused.refused(404);
    }
    api.get(&format!("/events/{}", event["event_id"])).await.ok();
    let stamp = api.post("/stamps", &samples::stamp(&api.document().await)).await.created();
    let elsewhere = api.document().await;
    api.get(&format!("/documents/{}/stamps/{}", elsewhere["document_id"], stamp["stamp_id"])).await.refused(404);
}

#[tokio::test]
async fn paths_below_a_missing_record_return_404() {
    let api = Api::shared();
    for path in [
        "/users/5/events",
        "/users/5/specimens",
        "/users/5/inventory",
        "/users/5/transactions",
        "/documents/5/stamps",
        "/users/5/wallet",
        "/users/5/specimen",
        "/events/5/user",
        "/events/5/document",
    ] {
        api.get(path).await.refused(404);
    }
    api.post("/users/5/events", &samples::event(&json!({}))).await.refused(404);
    api.post("/users/5/specimen", &json!({})).await.refused(404);
    api.post("/users/5/specimens", &json!({})).await.refused(404);
    api.post("/users/5/inventory", &json!({"name": "x"})).await.refused(404);
    api.post("/users/5/transactions", &json!({"amount": 1, "description": "x"})).await.refused(404);
    api.post("/events/5/document", &samples::document()).await.refused(404);
    let stamp = json!({"stamp_type": "x", "pos_x": 1, "pos_y": 1, "rotation": 1});
    api.post("/documents/5/stamps", &stamp).await.refused(404);
    api.put("/documents/5/stamps", &json!([stamp])).await.refused(404);
    api.put("/documents/5/stamps", &json!([])).await.refused(404);
}

#[tokio::test]
async fn head_returns_the_headers_of_get_without_a_body() {
    let api = Api::shared();
    let user = api.user().await;
    for path in [
        format!("/users/{}", user["user_id"]),
        "/health".to_owned(),
        "/stamps?limit=1".to_owned(),
        "/openapi.json".to_owned(),
    ] {
        let reply = api.send(api.request(Method::HEAD, &path)).await;
        assert_eq!((reply.status.as_u16(), reply.bytes.len()), (200, 0), "{path}");
        let length = api.get(&path).await.bytes.len().to_string();
        assert!(["", &length].contains(&reply.header("content-length")) || path.contains("stamps"), "{path}");
    }
    assert_eq!(api.send(api.request(Method::HEAD, "/users/5")).await.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn urls_under_a_base_path_include_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = stack_in(folder.path(), |options| options.base_path = "v1".to_owned());
    let user = api.post("/v1/users", &samples::user()).await;
    let home = format!("/v1/users/{}", user.created()["user_id"]);
    assert_eq!(user.location(), home);
    for _ in 0..2 {
        let document = samples::event(&json!({"document": samples::document()}));
        let event = api.post(&format!("{home}/events"), &document).await.created();
        let image = event["document"]["document_data"].as_str().expect("a URL").to_owned();
        assert!(image.starts_with(&format!("{}/v1/images/", api.base())), "{image}");
        assert_eq!(api.get(&image).await.bytes, samples::png(2, 2));
    }
    let page = api.get(&format!("{home}/events?limit=1")).await;
    let next = page.next().expect("a page");
    assert!(next.starts_with(&format!("{home}/events?")), "{next}");
    assert_eq!(api.get(&next).await.ok().as_array().map(Vec::len), Some(1));
    assert_eq!(api.get("/v1/openapi.json").await.ok()["servers"][0]["url"], format!("{}/v1", api.base()));
    // The gateway's own address lacks the base path. So does a path that only starts with the same letters.
    let own = home.strip_prefix("/v1").expect("a path");
    assert!(api.get(&format!("{own}/events?limit=1")).await.next().expect("a page").starts_with("/users/"));
    api.get("/v1users").await.refused(404);
    api.get("/v1").await.refused(404);
    api.get("/v1/v1/users").await.refused(404);
}

#[tokio::test]
async fn root_leads_browsers_to_the_console_and_programs_to_the_documents() {
    let api = Api::shared();
    let links = api.get("/").await.ok();
    for (name, path) in [("openapi", "/openapi.json"), ("console", "/console/"), ("health", "/health")] {
        assert_eq!(links[name], format!("{}{path}", api.base()), "{name}");
    }
    let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let request = browser.get(format!("{}/", api.base())).header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    let reply = request.send().await.expect("a reply");
    assert_eq!(
        (reply.status().as_u16(), reply.headers()["location"].to_str().expect("a text")),
        (302, format!("{}/console/", api.base()).as_str())
    );
    let icon = reqwest::get(format!("{}/favicon.ico", api.base())).await.expect("an icon");
    assert_eq!(icon.headers()["content-type"], "image/svg+xml");
    assert_eq!(api.get("/?x=1").await.status, 400);
    assert_eq!(api.post("/", &serde_json::json!({})).await.status, 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn folder_of_pages_serves_its_files_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("pages");
    let write = |name: &str| std::fs::write(folder.path().join(name), name).expect("a file");
    std::fs::create_dir_all(pages.join("sub")).expect("a folder");
    for name in ["secret.txt", "pages/index.html", "pages/a b.js", "pages/.hidden", "pages/sub/index.html"] {
        write(name);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.txt"), pages.join("link.txt")).expect("a link");
    let api = stack_in(&folder.path().join("data"), |options| {
        options.pages = Some(pages);
        options.require_token = true;
    });
    let get = async |path: &str| {
        let reply = reqwest::get(format!("{}{path}", api.base())).await.expect("a reply");
        let kind = reply.headers().get("content-type").map_or("", |kind| kind.to_str().expect("a text")).to_owned();
        (reply.status().as_u16(), kind, reply.text().await.expect("a body"))
    };
    for (path, kind, body) in [
        ("/pages", "text/html; charset=utf-8", "pages/index.html"),
        ("/pages/sub", "text/html; charset=utf-8", "pages/sub/index.html"),
        ("/pages/a%20b.js", "text/javascript; charset=utf-8", "pages/a b.js"),
    ] {
        assert_eq!(get(path).await, (200, kind.to_owned(), body.to_owned()), "{path}");
    }
    for path in ["/pages/.hidden", "/pages/..%2Fsecret.txt", "/pages/link.txt", "/pages/none", "/pages/%00"] {
        assert_eq!(get(path).await.0, 404, "{path}");
    }
    api.post("/pages/", &json!({})).await.refused(405);
}

#[tokio::test]
async fn service_without_a_folder_of_pages_has_none() {
    Api::shared().get("/pages/").await.refused(404);
}
