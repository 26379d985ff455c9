//! Tests of every row of the table in `docs/errors.md`. No input may cause a 5xx response.

use capture_core::error::{Code, ViolationCode};
use end_to_end::{Api, Reply, samples};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn unparsable_parameter_returns_400_and_names_it() {
    let api = Api::shared();
    for (path, wrong) in [
        ("/events/abc", vec!["event_id"]),
        ("/events/0", vec!["event_id"]),
        ("/events/-1", vec!["event_id"]),
        ("/events/1.0", vec!["event_id"]),
        ("/events/9007199254740992", vec!["event_id"]),
        ("/users/x/events/y", vec!["user_id", "event_id"]),
        ("/events?user_id=x&created_after=today&bogus=1&limit=0", vec!["user_id", "created_after", "bogus", "limit"]),
        ("/events?limit=1001", vec!["limit"]),
        ("/events?order=up", vec!["order"]),
        ("/events?event_type=bit", vec!["event_type"]),
        ("/events?cursor=x", vec!["cursor"]),
        ("/events?user_name=a&user_name=a", vec!["user_name"]),
        ("/users?limit=1&limit=2&foo=2&order=up", vec!["limit", "foo", "order"]),
        ("/users?name=%ff&limit=0&cursor=zz", vec!["name", "limit", "cursor"]),
        ("/users?name=%ff", vec!["name"]),
        ("/users?name=%zz", vec!["name"]),
        ("/users?name=%", vec!["name"]),
        ("/specimens?forgotten=yes", vec!["forgotten"]),
        ("/transactions?amount=1.5", vec!["amount"]),
        ("/transactions?amount=-9223372036854775808", vec!["amount"]),
        ("/users/1?name=x", vec!["name"]),
        ("/health?x=1", vec!["x"]),
    ] {
        assert_eq!(api.get(path).await.refused(400), wrong, "{path}");
    }
    assert_eq!(api.post("/users?name=x", &samples::user()).await.refused(400), ["name"]);
}

#[tokio::test]
async fn refusal_says_what_is_wrong() {
    let api = Api::shared();
    for (id, code) in [("0244", "invalid_format"), ("00", "invalid_format"), ("0", "out_of_range")] {
        assert_eq!(api.get(&format!("/users/{id}")).await.json()["errors"][0]["code"], code, "{id}");
    }
    let request = api.request(Method::POST, "/users").header("content-type", "application/json");
    let problem = api.send(request.body(r#"{"name": "Ann",}"#)).await.json();
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains("there is a trailing comma, at line 1, column 16"), "{detail}");
}

#[tokio::test]
async fn refusal_says_the_way() {
    let api = Api::shared();
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let document = api.document().await;
    let document = format!("/documents/{}", document["document_id"]);
    let paid = api.post(&format!("{home}/transactions"), &json!({"amount": 1, "description": "x"})).await.created();
    let transaction = format!("/transactions/{}", paid["transaction_id"]);
    let detail = |reply: &Reply| {
        let problem = reply.json();
        let first = problem["errors"][0]["detail"].as_str().unwrap_or_default().to_owned();
        format!("{} {first}", problem["detail"].as_str().expect("a detail"))
    };
    for (reply, status, way) in [
        (api.patch(&transaction, &json!({"amount": 2})).await, 405, "Create a transaction instead: POST /transactions"),
        (api.patch(&format!("{home}/wallet"), &json!({})).await, 405, "Create a transaction instead"),
        (api.patch(&document, &json!({"stamps": []})).await, 422, &format!("{document}/stamps")),
        (api.patch(&home, &json!({"wallet": 5})).await, 422, &format!("{home}/transactions")),
        (
            api.post("/users", &json!({"platform_id": user["platform_id"], "name": "x"})).await,
            409,
            &user["user_id"].to_string(),
        ),
        (api.get("/user").await, 404, "Did you mean /users?"),
        (api.get("/evnets/5").await, 404, "Did you mean /events?"),
        (api.get("/api/v1/users").await, 404, "Did you mean /users?"),
        (api.get("/leaderboards").await, 404, "/leaderboards/bits, "),
        (api.get("/users/ann").await, 400, "GET /users finds users by user_id, platform_id"),
        (api.get("/events?evnt_type=raid").await, 400, "Did you mean event_type?"),
        (api.get("/events?userId=5").await, 400, "Did you mean user_id?"),
        (api.get("/events?event_type=radi").await, 400, "Did you mean raid?"),
        (
            api.post("/users", &json!({"platform_id": "x", "name": "Ann", "platformid": 1})).await,
            422,
            "Did you mean platform_id?",
        ),
        (
            api.post(&format!("{home}/transactions"), &json!({"amount": "5", "description": "x"})).await,
            422,
            "leave out the quotes",
        ),
        (
            api.post("/transactions", &json!({"user_id": "5", "amount": 5, "description": "x"})).await,
            422,
            "leave out the quotes",
        ),
        (api.get(&format!("{home}/specimn")).await, 404, "Did you mean specimen?"),
        (api.get(&format!("{home}/pets")).await, 404, "specimens"),
        (api.get("/users/").await, 404, "trailing slash: /users."),
        (api.get(&format!("{home}/")).await, 404, &format!("trailing slash: {home}.")),
    ] {
        reply.refused(status);
        assert!(detail(&reply).contains(way), "{way}: {}", detail(&reply));
    }
    // PUT never changes a record, so the error does not suggest it. `Allow` lists all methods.
    let refused = api.patch(&transaction, &json!({"amount": 2})).await;
    assert!(!detail(&refused).contains("PUT"), "{}", detail(&refused));
    assert_eq!(refused.header("allow"), "GET, HEAD, PUT");
    // A pointer names the field that was sent.
    let pet = json!({"owner": {"platform_id": user["platform_id"], "name": "Ann"}});
    api.post("/specimens", &pet).await.created();
    assert_eq!(api.post("/specimens", &pet).await.refused(409), ["/owner"]);
    assert_eq!(api.post("/specimens", &json!({"owner_id": user["user_id"]})).await.refused(409), ["/owner_id"]);
    // A part of a form that should be JSON.
    let form = reqwest::multipart::Form::new().text("seal", "7").text("stamps", "[{").text("document_data", "x");
    let reply = api.send(api.request(Method::POST, "/documents").multipart(form)).await;
    assert!(reply.refused(422).contains(&"/stamps".to_owned()));
    assert!(reply.json()["errors"].to_string().contains("not JSON"), "{}", reply.json());
    let form = reqwest::multipart::Form::new().text("stamps", r#"[{"pos_x": 1, "pos_x": 2}]"#);
    let reply = api.send(api.request(Method::POST, "/documents").multipart(form)).await;
    reply.refused(400);
    assert!(detail(&reply).contains("duplicate name"), "{}", detail(&reply));
}

#[tokio::test]
async fn one_response_lists_the_violations_of_path_query_and_body() {
    let api = Api::shared();
    let home = format!("/users/{}", api.user().await["user_id"]);
    let send = |method: Method, path: &str, body: &serde_json::Value| api.send(api.request(method, path).json(body));
    for (method, path, body, places) in [
        (Method::GET, "/users/x/events?limit=0".to_owned(), json!({}), vec!["user_id", "limit"]),
        (Method::GET, "/users/x/statistics?by=week".to_owned(), json!({}), vec!["by", "user_id"]),
        (Method::GET, "/users/x?y=1".to_owned(), json!({}), vec!["user_id", "y"]),
        (Method::DELETE, "/users/x?y=1".to_owned(), json!({}), vec!["user_id", "y"]),
        (
            Method::POST,
            "/users/x/events?y=1".to_owned(),
            json!({"message": 5, "event_type": "plain"}),
            vec!["user_id", "y", "/user_name", "/occurred_at", "/message"],
        ),
        (Method::PATCH, format!("{home}?y=1"), json!({"name": 5}), vec!["y", "/name"]),
        (Method::PATCH, "/users/x".to_owned(), json!({"name": 5, "z": 1}), vec!["user_id", "/name", "/z"]),
        (
            Method::PUT,
            "/stamps?y=1".to_owned(),
            json!([{"document_id": 5}]),
            vec!["y", "/0/stamp_type", "/0/pos_x", "/0/pos_y", "/0/rotation", "/0/document_id"],
        ),
        (Method::PUT, "/users/0?y=1".to_owned(), json!({"name": "Ann"}), vec!["user_id", "y", "/platform_id"]),
    ] {
        let reply = send(method.clone(), &path, &body).await;
        assert_eq!(reply.refused(400), places, "{method} {path}");
        assert_eq!(reply.json()["code"], "invalid_parameter", "{method} {path}");
    }
    // A body that is not JSON is reported without violations.
    let request = api.request(Method::POST, "/users?y=1").header("content-type", "application/json").body("{");
    assert_eq!(api.send(request).await.refused(400), ["y"]);
}

#[tokio::test]
async fn unknown_route_returns_404_from_every_function() {
    let api = Api::shared();
    for path in [
        "/nope",
        "/event/1",
        "/events/1/nope",
        "/events/1/user/1",
        "/users/1/wallet/1",
        "/user",
        "/health/x",
        "/events/x/nope",
        "//",
        "/Events",
    ] {
        api.get(path).await.refused(404);
    }
}

#[tokio::test]
async fn unsupported_method_returns_405_with_allow() {
    let api = Api::shared();
    for (method, path, allow) in [
        (Method::PATCH, "/events", "GET, HEAD, POST"),
        (Method::PUT, "/events", "GET, HEAD, POST"),
        (Method::DELETE, "/stamps", "GET, HEAD, POST, PUT"),
        (Method::POST, "/events/1", "GET, HEAD, PUT, PATCH, DELETE"),
        (Method::POST, "/events/1/user", "GET, HEAD, PATCH, DELETE"),
        (Method::PUT, "/users/1/specimen", "GET, HEAD, POST, PATCH, DELETE"),
        (Method::DELETE, "/users/1/wallet", "GET, HEAD"),
        (Method::PATCH, "/transactions/1", "GET, HEAD, PUT"),
        (Method::POST, "/health", "GET, HEAD"),
    ] {
        let refused = api.send(api.request(method.clone(), path).json(&json!({}))).await;
        refused.refused(405);
        assert_eq!(refused.header("allow"), allow, "{method} {path}");
        let options = api.send(api.request(Method::OPTIONS, path)).await;
        assert_eq!((options.status.as_u16(), options.header("allow")), (204, allow), "{path}");
    }
    let pages = api.send(api.request(Method::OPTIONS, "/console/")).await;
    assert_eq!((pages.status.as_u16(), pages.header("allow")), (204, "GET, HEAD"));
    api.send(api.request(Method::OPTIONS, "/somewhere")).await.refused(404);
}

#[tokio::test]
async fn names_and_habits_of_other_apis_are_answered_with_what_to_use_here() {
    let api = Api::shared();
    let merged = |with: Value| samples::merged(samples::event(&json!({"user": samples::user()})), &with);
    let requests = [
        (Method::GET, "/events?page=2", Value::Null, "Did you mean cursor?"),
        (Method::GET, "/users?perPage=20", Value::Null, "Did you mean limit?"),
        (Method::GET, "/events?min_amount=5", Value::Null, "Did you mean amount_min?"),
        (Method::GET, "/users?since=2026-11-20T00:00:00Z", Value::Null, "Did you mean created_after?"),
        (Method::GET, "/users?q=an", Value::Null, "Did you mean name_prefix?"),
        (Method::GET, "/users?expand=specimen", Value::Null, "Records are always complete"),
        (Method::GET, "/events?event_type=channel.cheer", Value::Null, "Did you mean cheer?"),
        (Method::GET, "/events?occurred_after=2026-11-20T16:53:02", Value::Null, "The offset from UTC is missing."),
        (Method::POST, "/events", merged(json!({"bits": 5})), "Did you mean amount?"),
        (Method::POST, "/events", merged(json!({"event_type": "sub"})), "Did you mean subscriber?"),
        (
            Method::POST,
            "/events",
            merged(json!({"occurred_at": "2026-11-20 16:53:02"})),
            "The offset from UTC is missing.",
        ),
        (Method::POST, "/users", json!({"id": "5"}), "Did you mean platform_id?"),
        (Method::POST, "/users", json!({"colour": "5"}), "The fields are platform_id, name, created_at."),
        (Method::PUT, "/users/7", json!({"name": "Bea"}), "use PATCH"),
        (Method::PUT, "/events/7", json!({"message": "x"}), "use PATCH"),
    ];
    for (method, path, body, expected) in requests {
        let request = api.request(method.clone(), path);
        let reply = api.send(if body.is_null() { request } else { request.json(&body) }).await;
        let details = reply.json()["errors"].to_string();
        assert!(details.contains(expected), "{method} {path} {body}: {details}");
    }
    for (path, expected) in [
        ("/viewers", "Did you mean /users?"),
        ("/stats", "Did you mean /statistics?"),
        ("/wallets", "Did you mean /users/{user_id}/wallet?"),
    ] {
        assert!(api.get(path).await.json()["detail"].to_string().contains(expected), "{path}");
    }
    let refused = api.patch("/users", &json!({})).await.json();
    assert!(refused["detail"].to_string().contains("/users/{user_id}"), "{refused}");
    for (body, problem) in [
        (r#"{"name": NaN}"#, "JSON has no NaN"),
        (r#"{"name": -Infinity}"#, "JSON has no NaN"),
        ("{\n  // a name\n  \"name\": \"Ann\"}", "JSON has no comments"),
        (r#"{"name": None}"#, "in lower case"),
    ] {
        let request = api.request(Method::POST, "/users").header("content-type", "application/json").body(body);
        let detail = api.send(request).await.json()["detail"].to_string();
        assert!(detail.contains(problem), "{body}: {detail}");
    }
    let patch = api.request(Method::PATCH, "/users/7").header("content-type", "application/merge-patch+json");
    let refused = api.send(patch.body("{}")).await;
    refused.refused(415);
    assert!(refused.json()["detail"].to_string().contains("application/json"));
}

#[tokio::test]
async fn malformed_or_mislabelled_body_is_rejected() {
    let api = Api::shared();
    let send = |content_type: &'static str, body: &'static [u8]| {
        let request = api.request(Method::POST, "/users").header("content-type", content_type).body(body);
        let api = api.clone();
        async move { api.send(request).await }
    };
    for body in [&b"{"[..], b"", b"\xff", b"{\"name\": \"\\ud800\"}", b"nul", b"[1,]", b"{} x"] {
        send("application/json", body).await.refused(400);
    }
    for body in [&b"[]"[..], b"5", b"null", b"\"x\""] {
        assert_eq!(send("application/json; charset=utf-8", body).await.refused(422), [""]);
    }
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data; boundary=x"]
    {
        send(content_type, b"{}").await.refused(415);
    }
    let bare = api.send(api.request(Method::POST, "/users").body("{}")).await;
    bare.refused(415);
    let deep = "[".repeat(100_000);
    api.send(api.request(Method::POST, "/users").header("content-type", "application/json").body(deep))
        .await
        .refused(400);
}

#[tokio::test]
async fn encoded_body_returns_415_and_says_what_to_send() {
    let api = Api::shared();
    let send = async |path: &str, name: &'static str, value: &str, body: &[u8]| {
        let mut request =
            api.request(Method::POST, path).json(&json!({})).body(body.to_vec()).build().expect("a request");
        request.headers_mut().insert(name, value.parse().expect("a value"));
        api.send_built(request).await
    };
    let utf_16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_be_bytes).collect();
    for path in ["/users", "/documents", "/alerts", "/tokens"] {
        for (name, value) in [
            ("content-encoding", "gzip"),
            ("content-encoding", "identity, br"),
            ("content-type", "application/json; charset=utf-16"),
            ("content-type", "application/json;v=1; Charset=\"UTF-16BE\""),
            ("content-type", "application/json; charset=latin1"),
        ] {
            for body in [&utf_16[..], b"{}"] {
                let reply = send(path, name, value, body).await;
                reply.refused(415);
                let detail = reply.json()["detail"].to_string();
                assert!(detail.contains("JSON in UTF-8 without a content encoding"), "{path} {value}: {detail}");
            }
        }
        for (name, value) in [("content-encoding", "identity"), ("content-type", "Application/JSON; charset=\"Utf-8\"")]
        {
            assert_eq!(send(path, name, value, b"{}").await.status, 422, "{path} {value}");
        }
    }
}

#[tokio::test]
async fn oversized_body_or_image_returns_413() {
    let api = Api::shared();
    let mut image = samples::png(2, 2);
    image.resize(4 * 1024 * 1024 + 1, 0);
    let document = |bytes: &[u8]| {
        use base64::Engine;
        json!({"seal": 1, "document_data": base64::engine::general_purpose::STANDARD.encode(bytes)})
    };
    api.post("/documents", &document(&image)).await.refused(413);
    image.pop();
    let stored = api.post("/documents", &document(&image)).await;
    assert!(matches!(stored.status.as_u16(), 201 | 422), "{}", stored.status);
    let reply = api.get(&format!("/transactions?description={}", "x".repeat(61_000))).await;
    assert_eq!((reply.status.as_u16(), reply.json()["code"].as_str()), (414, Some("path_too_long")));
    assert_eq!(reply.json()["request_id"], reply.header("request-id"));
    for size in [6_100_000, 7_000_000, 11_000_000, 30_000_000] {
        api.post("/users", &json!({"name": "x".repeat(size)})).await.refused(413);
    }
}

#[tokio::test]
async fn problem_lists_at_most_200_violations() {
    let api = Api::shared();
    let many: serde_json::Map<_, _> = (0..80_000).map(|name| (name.to_string(), json!(1))).collect();
    assert_eq!(api.post("/users", &serde_json::Value::Object(many)).await.refused(422).len(), 200);
    let long = json!({"x".repeat(1_000_000): 1});
    assert!(api.post("/users", &long).await.refused(422)[2].len() < 5_000);
    assert_eq!(api.get(&format!("/users?{}", "a=1&".repeat(5_000))).await.refused(400).len(), 200);
}

#[tokio::test]
async fn malformed_host_returns_400() {
    let api = Api::shared();
    for host in ["127.0.0.1:99999", "a b", ""] {
        api.send(api.request(Method::GET, "/users?limit=1").header("host", host)).await.refused(400);
    }
}

#[tokio::test]
async fn integers_and_strings_have_the_limits_of_the_contract() {
    let api = Api::shared();
    let document = api.document().await;
    let most = (1i64 << 53) - 1;
    for (value, fits) in [
        (json!(most), true),
        (json!(-most), true),
        (json!(most + 1), false),
        (json!(-most - 1), false),
        (json!(1.5), false),
        (json!("1"), false),
        (json!(true), false),
        (json!(u64::MAX), false),
    ] {
        let reply = api.post("/stamps", &samples::merged(samples::stamp(&document), &json!({"pos_x": value}))).await;
        if fits {
            assert_eq!(reply.created()["pos_x"], value);
        } else {
            assert_eq!(reply.refused(422), ["/pos_x"]);
        }
    }
    let out_of_range = format!(
        "{{\"document_id\": {}, \"stamp_type\": \"x\", \"pos_x\": 1, \"pos_y\": 1, \"rotation\": 1e400}}",
        document["document_id"]
    );
    api.send(api.request(Method::POST, "/stamps").header("content-type", "application/json").body(out_of_range))
        .await
        .refused(422);
    let user = api.user().await["user_id"].clone();
    for (field, value, fits) in [
        ("user_name", "x".repeat(1024), true),
        ("user_name", "x".repeat(1025), false),
        ("user_name", String::new(), false),
        ("message", "é".repeat(50_000), true),
        ("message", "é".repeat(50_001), false),
        ("message", "\u{0}\u{1f}\"\\\u{2028}\u{10ffff}".to_owned(), true),
    ] {
        let reply = api.post("/events", &samples::event(&json!({"user_id": user, field: value}))).await;
        if fits {
            assert_eq!(reply.created()[field], value);
        } else {
            assert_eq!(reply.refused(422), [format!("/{field}")]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn out_of_range_number_is_reported_with_other_violations() {
    let api = Api::shared();
    let body = r#"{"event_type": "cheer", "amount": 1e400, "message": 5, "user_name": "", "occurred_at": "now", "user_id": 1}"#;
    let request = api.request(Method::POST, "/events").header("Content-Type", "application/json").body(body);
    let mut wrong = api.send(request).await.refused(422);
    wrong.sort();
    assert_eq!(wrong, ["/amount", "/message", "/occurred_at", "/user_id", "/user_name"]);
    let stamp = r#"{"document_id": 1, "stamp_type": "x", "pos_x": -0.0, "pos_y": -0, "rotation": 1e400}"#;
    let request = api.request(Method::POST, "/stamps").header("Content-Type", "application/json").body(stamp);
    let mut wrong = api.send(request).await.refused(422);
    wrong.sort();
    assert_eq!(wrong, ["/document_id", "/pos_x", "/rotation"], "a zero is a zero, and -0.0 is a fraction");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_references_are_reported_with_other_violations() {
    let api = Api::shared();
    let document = api.document().await;
    let both = json!([
        samples::stamp(&document),
        {"document_id": 1, "stamp_type": 5, "pos_x": 1, "pos_y": 1, "rotation": 0},
    ]);
    let mut wrong = api.put("/stamps", &both).await.refused(422);
    wrong.sort();
    assert_eq!(wrong, ["/1/document_id", "/1/stamp_type"]);
    let mut wrong =
        api.post("/events", &samples::event(&json!({"user_id": 1, "document_id": 2, "new": 3}))).await.refused(422);
    wrong.sort();
    assert_eq!(wrong, ["/document_id", "/new", "/user_id"]);
    let user = api.user().await;
    let item = api.post("/inventory", &json!({"owner_id": user["user_id"], "name": "ball"})).await.created();
    let specimen = api.post("/specimens", &json!({"owner_id": user["user_id"]})).await.created();
    let path = format!("/specimens/{}", specimen["specimen_id"]);
    let mut wrong = api.patch(&path, &json!({"owner_id": 1, "forgotten_at": "never"})).await.refused(422);
    wrong.sort();
    assert_eq!(wrong, ["/forgotten_at", "/owner_id"]);
    let path = format!("/inventory/{}", item["item_id"]);
    api.patch(&path, &json!({"quantity": 0})).await.refused(422);
}

/// Sends bytes unchanged, and returns the complete response.
async fn raw(api: &Api, request: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = api.base().strip_prefix("http://").expect("an address");
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("it is open");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn client_that_closes_its_side_after_the_request_gets_its_response() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let api = Api::shared();
    let address = api.base().strip_prefix("http://").expect("an address");
    for _ in 0..20 {
        let body = samples::user().to_string();
        let headers = format!("Host: {address}\r\nContent-Type: application/json\r\nContent-Length: {}", body.len());
        let read = (format!("GET /users HTTP/1.1\r\nHost: {address}\r\n\r\n"), 200);
        for (request, status) in [read, (format!("POST /users HTTP/1.1\r\n{headers}\r\n\r\n{body}"), 201)] {
            let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
            stream.write_all(request.as_bytes()).await.expect("it is open");
            stream.shutdown().await.expect("it is open");
            let mut response = Vec::new();
            stream.read_to_end(&mut response).await.expect("a response");
            let response = String::from_utf8_lossy(&response);
            assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{response}");
        }
    }
}

#[tokio::test]
async fn host_is_required_by_http_1_1_alone() {
    let api = Api::shared();
    let response = raw(&api, "GET /health HTTP/1.0\r\n\r\n").await;
    assert!(response.starts_with("HTTP/1.0 200 ") && response.contains("\"status\":\"ok\""), "{response}");
    let missing = raw(&api, "GET /users/0 HTTP/1.0\r\n\r\n").await;
    assert!(missing.contains(&format!("\"type\":\"{}/errors/", api.base())), "{missing}");
    let refused = raw(&api, "GET /health HTTP/1.1\r\n\r\n").await;
    assert!(refused.starts_with("HTTP/1.1 400 "), "{refused}");
    assert!(refused.contains(&format!("\"type\":\"{}/errors/", api.base())), "{refused}");
}

#[tokio::test]
async fn integer_with_a_decimal_point_is_refused_with_the_remedy() {
    let api = Api::shared();
    let user = api.user().await;
    let path = format!("/users/{}/transactions", user["user_id"]);
    for (amount, has_remedy) in [("5.0", true), ("5e0", true), ("5.5", false), ("1e300", false)] {
        let body = format!("{{\"amount\": {amount}, \"description\": \"x\"}}");
        let request = api.request(Method::POST, &path).header("Content-Type", "application/json").body(body);
        let reply = api.send(request).await;
        reply.refused(422);
        let detail = reply.json()["errors"][0]["detail"].as_str().expect("a detail").to_owned();
        assert_eq!(detail.contains("without a decimal point"), has_remedy, "{amount}: {detail}");
    }
    let owned = json!({"name": "hat", "owner_id": 5}).to_string().replace(":5", ":5.0");
    let request = api.request(Method::POST, "/inventory").header("Content-Type", "application/json").body(owned);
    let reply = api.send(request).await;
    assert_eq!(reply.refused(422), ["/owner_id"]);
    assert!(reply.json().to_string().contains("without a decimal point"), "{}", reply.json());
}

#[tokio::test]
async fn time_has_a_t_or_a_space_after_its_date() {
    let api = Api::shared();
    for (separator, status) in [("T", 201), ("t", 201), (" ", 201), ("x", 422), ("-", 422), ("_", 422), ("+", 422)] {
        let mut event = samples::event(&json!({"user_id": api.user().await["user_id"]}));
        event["occurred_at"] = json!(format!("2026-01-01{separator}00:00:00+00:00"));
        let reply = api.post("/events", &event).await;
        assert_eq!(reply.status, status, "{separator:?}");
        // In a query, a plus sign that is not encoded is a space.
        let is_listed = status == 201 || separator == "+";
        let query = format!("/events?occurred_after=2026-01-01{separator}00:00:00+00:00");
        assert_eq!(api.get(&query).await.status, if is_listed { 200 } else { 400 }, "{separator:?}");
    }
}

#[tokio::test]
async fn malformed_http_request_returns_a_problem_document() {
    let api = Api::shared();
    let long = "x".repeat(70_000);
    let headers = "h: x\r\n".repeat(120);
    for (request, status) in [
        ("GET /users?name=\"x\" HTTP/1.1\r\nHost: x:1\r\n\r\n".to_owned(), 400),
        ("no http at all\r\n\r\n".to_owned(), 400),
        ("POST /users HTTP/1.1\r\nHost: x:1\r\nContent-Length: two\r\n\r\n".to_owned(), 400),
        (format!("GET /users?name={long} HTTP/1.1\r\nHost: x:1\r\n\r\n"), 414),
        (format!("GET /users HTTP/1.1\r\nHost: x:1\r\n{headers}\r\n"), 431),
    ] {
        let answer = raw(&api, &request).await;
        let (head, body) = answer.split_once("\r\n\r\n").expect("a response");
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
        assert!(head.to_lowercase().contains("content-type: application/problem+json"), "{head}");
        let problem: serde_json::Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{body}");
        let kind = problem["type"].as_str().expect("a type");
        assert_eq!(api.get(kind).await.ok()["code"], problem["code"], "{kind}");
        let id = problem["request_id"].as_str().expect("an identifier");
        assert!(!id.is_empty() && head.contains(&format!("request-id: {id}")), "{head} {body}");
    }
}

#[tokio::test]
async fn path_is_percent_decoded_once() {
    let api = Api::shared();
    let id = api.user().await["user_id"].to_string();
    let (first, rest) = id.split_at(1);
    let once = format!("/users/%3{first}{rest}");
    assert_eq!(api.get(&once).await.ok()["user_id"].to_string(), id);
    assert_eq!(api.get("/%75sers?limit=1").await.status, 200);
    assert_eq!(api.get(&once.replace('%', "%25")).await.refused(400), ["user_id"]);
    api.get(&format!("/%2575sers/{id}")).await.refused(404);
}

/// Returns a problem's code and those of its violations.
fn codes(reply: &Reply) -> (String, Vec<String>) {
    let problem = reply.json();
    let text = |value: &serde_json::Value| value["code"].as_str().expect("a code").to_owned();
    (text(&problem), problem["errors"].as_array().map(|errors| errors.iter().map(text).collect()).unwrap_or_default())
}

#[tokio::test]
async fn every_problem_has_the_code_of_its_cause() {
    let api = Api::start();
    let user = api.post("/users", &json!({"platform_id": "p", "name": "n"})).await.created();
    let users = format!("/users/{}", user["user_id"]);
    let event = api.event(&user).await;
    let events = format!("/events/{}", event["event_id"]);
    api.post(&format!("{events}/document"), &samples::document()).await.created();
    let invalid =
        |codes: &[&str]| ("invalid_body".to_owned(), codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>());
    for (path, body, expected) in [
        ("/users", json!({"name": "n"}), invalid(&["required"])),
        ("/users", json!({"platform_id": 5, "name": ""}), invalid(&["wrong_type", "empty"])),
        ("/users", json!({"platform_id": "q", "name": "n".repeat(1_025)}), invalid(&["too_long"])),
        ("/users", json!({"platform_id": "q", "name": "n", "x": 1}), invalid(&["unknown_field"])),
        ("/users", json!({"platform_id": "q", "name": "n", "user_id": 1}), invalid(&["not_settable"])),
        (
            "/events",
            samples::event(&json!({"event_type": "what", "user_id": user["user_id"]})),
            invalid(&["out_of_range"]),
        ),
        (
            "/transactions",
            json!({"user_id": user["user_id"], "amount": 1e30, "description": "x"}),
            invalid(&["out_of_range"]),
        ),
        ("/transactions", json!({"user_id": 5, "amount": 1, "description": "x"}), invalid(&["reference_not_found"])),
        (
            "/transactions",
            json!({"user_id": user["user_id"], "amount": 1, "description": "x", "created_at": "now"}),
            invalid(&["not_settable"]),
        ),
        ("/documents", json!({"seal": 1, "document_data": "bm8="}), invalid(&["not_an_image"])),
        ("/stamps", json!([]), invalid(&["wrong_type"])),
    ] {
        let refused = api.post(path, &body).await;
        refused.refused(422);
        assert_eq!(codes(&refused), expected, "{path} {body}");
    }
    for (reply, status, code) in [
        (api.post("/users", &json!({"platform_id": "p", "name": "n"})).await, 409, "duplicate_platform_id"),
        (api.post(&format!("{events}/document"), &samples::document()).await, 409, "document_exists"),
        (api.get("/users/5").await, 404, "record_not_found"),
        (api.get("/nope").await, 404, "route_not_found"),
        (api.delete("/health").await, 405, "method_not_allowed"),
        (api.get("/users?x=1").await, 400, "invalid_parameter"),
        (
            api.send(api.request(Method::POST, "/users").header("Content-Type", "application/json").body("{")).await,
            400,
            "malformed_body",
        ),
        (api.send(api.request(Method::POST, "/users").body("x")).await, 415, "unsupported_media_type"),
        (api.send(api.request(Method::DELETE, &users).header("If-Match", "\"x\"")).await, 412, "etag_mismatch"),
        (
            api.send(api.request(Method::POST, "/users").header("Idempotency-Key", "é").json(&json!({}))).await,
            400,
            "invalid_header",
        ),
        (api.get(&format!("/events/1{}", "/user/events/1".repeat(9))).await, 400, "path_too_long"),
    ] {
        reply.refused(status);
        assert_eq!(codes(&reply).0, code);
    }
}

#[tokio::test]
async fn errors_route_explains_every_code_without_a_token() {
    let api = Api::shared();
    let all = api.get("/errors").await.ok();
    assert_eq!(all.as_array().expect("a list").len(), Code::ALL.len());
    for code in Code::ALL.map(Code::explanation) {
        let path = format!("/errors/{}", code.name);
        let explained = api.get(&path).await.ok();
        assert_eq!((&explained["code"], &explained["status"]), (&json!(code.name), &json!(code.status.as_u16())));
        let page = api.send(api.request(Method::GET, &path).header("Accept", "text/html,*/*")).await;
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(String::from_utf8_lossy(&page.bytes).contains(code.title), "{path}");
    }
    for path in ["/errors/none", "/errors/internal_error/x", "/errors/"] {
        api.get(path).await.refused(404);
    }
}

/// `docs/errors.md` and the OpenAPI document list exactly the codes in the code.
#[tokio::test]
async fn documents_list_the_codes_of_problems_and_violations() {
    let guide = include_str!("../../../docs/errors.md");
    for code in Code::ALL.map(Code::explanation) {
        let line = format!("| `{}` | {} | {} | {} |", code.name, code.status.as_u16(), code.title, code.fix);
        assert!(guide.contains(&line), "docs/errors.md should have\n{line}");
    }
    for rule in ViolationCode::ALL {
        assert!(guide.contains(&format!("| `{}` |", rule.code())), "docs/errors.md should have {}", rule.code());
    }
    let document = Api::shared().get("/openapi.json").await.ok();
    let listed = &document["components"]["schemas"]["ErrorCode"]["enum"];
    assert_eq!(*listed, json!(Code::ALL.map(|code| code.explanation().name).to_vec()));
    let conflicts = &document["components"]["responses"]["Conflict"]["x-codes"];
    let of_posts =
        ["duplicate_platform_id", "duplicate_name", "active_specimen_exists", "document_exists", "document_attached"];
    let of_imports = ["record_differs", "deletion_in_progress"];
    let of_purchases = [
        "product_disabled",
        "price_changed",
        "out_of_stock",
        "on_cooldown",
        "limit_reached",
        "insufficient_balance",
        "purchase_closed",
    ];
    let of_connections = ["connection_exists"];
    let of_users = ["opted_out"];
    let listed = [&of_posts[..], &of_imports[..], &of_connections[..], &of_purchases[..], &of_users[..]].concat();
    assert_eq!(*conflicts, json!(listed));
    // Each operation names its codes and has a response for each of their statuses.
    let operations = document["paths"].as_object().expect("paths").values().flat_map(|path| {
        path.as_object().expect("operations").values().filter(|operation| operation["operationId"].is_string())
    });
    for operation in operations {
        for name in operation["x-codes"].as_array().unwrap_or_else(|| panic!("{operation}")) {
            let code = Code::named(name.as_str().expect("a name")).expect("a code").explanation();
            assert!(operation["responses"][code.status.as_str()].is_object(), "{operation}");
        }
    }
    let has = |path: &str, method: &str, code: &str| {
        let codes = document["paths"][path][method]["x-codes"].as_array().expect(path);
        codes.contains(&json!(code))
    };
    assert!(has("/users", "post", "duplicate_platform_id") && !has("/users", "post", "document_exists"));
    assert!(
        has("/events", "post", "document_exists") && has("/specimens/{specimen_id}", "patch", "active_specimen_exists")
    );
    assert!(has("/feed", "get", "entries_expired") && !has("/events", "get", "entries_expired"));
}
