//! Unit tests of `shared/src/lambda`.

mod authorizer {
    use capture_core::lambda::access::Access;
    use capture_core::lambda::authorizer::{CACHE_TIME, CachedAccess, usage_interval};
    use capture_core::store::Scope;
    use time::Duration;

    #[test]
    fn cached_access_expires_within_a_minute() {
        let entry = CachedAccess::from(Access::Unknown);
        let after = |seconds| entry.since.checked_add(Duration::seconds(seconds)).expect("a time");
        assert!(entry.is_good_at(entry.since) && entry.is_good_at(after(49)));
        assert!(!entry.is_good_at(after(50)) && !entry.is_good_at(after(-1)));
        assert!(CACHE_TIME < Duration::minutes(1));
        // Each lookup of an overlay's token stores its use, so the use is known to the minute.
        assert!(usage_interval(Scope::Overlay) + CACHE_TIME < Duration::minutes(1));
        assert_eq!(usage_interval(Scope::Read), Duration::hours(1));
    }
}

mod compression {
    use capture_core::lambda::{accepts_gzip, compress};
    use headers::HeaderMap;
    use http::HeaderValue;
    use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, VARY};
    use lambda_http::Body;

    fn headers(accepted: &str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, accepted.parse().expect("a value"))])
    }

    #[test]
    fn weight_of_zero_forbids_gzip() {
        for (value, is_accepted) in
            [("gzip", true), ("br, GZIP;q=0.5", true), ("gzip;q=0", false), ("br", false), ("x-gzip", false)]
        {
            assert_eq!(accepts_gzip(&headers(value)), is_accepted, "{value}");
        }
    }

    #[test]
    fn only_large_texts_without_an_etag_are_compressed() {
        let text = |size| Body::Text("text".repeat(size));
        for (body, etag, is_compressed) in [
            (text(1_000), None, true),
            (text(1_000), Some("\"1\""), false),
            (text(100), None, false),
            (Body::Binary(vec![0; 4_000]), None, false),
        ] {
            let mut response = http::Response::new(body);
            if let Some(etag) = etag {
                response.headers_mut().insert(ETAG, HeaderValue::from_static(etag));
            }
            compress(&mut response, true);
            assert_eq!(response.headers().contains_key(CONTENT_ENCODING), is_compressed);
            assert_eq!(response.headers().contains_key(VARY), is_compressed);
        }
    }
}

mod gateway {
    use http::StatusCode;

    use capture_core::lambda::gateway::{GatewayRequest, to_event};
    use http::HeaderValue;
    use lambda_http::Body;
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;
    use serde_json::Value;

    #[test]
    fn responses_become_events_of_the_gateway() {
        let bodies = [
            (Body::Text("é".to_owned()), serde_json::json!("é"), false),
            (Body::Binary(vec![0, 255]), serde_json::json!("AP8="), true),
            (Body::Empty, Value::Null, false),
        ];
        for (body, text, is_encoded) in bodies {
            let mut response = http::Response::new(body);
            *response.status_mut() = StatusCode::CREATED;
            response.headers_mut().insert("request-id", HeaderValue::from_static("r"));
            let event = serde_json::to_value(to_event(response)).expect("JSON");
            assert_eq!((&event["statusCode"], &event["headers"]["request-id"]), (&201.into(), &"r".into()));
            assert_eq!((&event["body"], &event["isBase64Encoded"]), (&text, &is_encoded.into()));
        }
    }

    #[test]
    fn any_path_and_query_parse_as_a_request() {
        for (path, query) in [
            ("/users", r#"name="<x>" y#z`^|{}\\"#),
            ("/users", "é=\u{1F600}&%zz=%"),
            ("/\"<>`{}|^ \u{0}é?#", ""),
            ("", "\u{7f}\n"),
            ("no slash \u{e9}", ""),
        ] {
            let event = serde_json::json!({
                "version": "2.0",
                "rawPath": path,
                "rawQueryString": query,
                "headers": {"host": "a<b", "x-forwarded-proto": "1x"},
                "requestContext": {"stage": "$default", "domainName": "lo<<calhost", "http": {"method": "GET", "path": path}},
            });
            let event: ApiGatewayV2httpRequest = serde_json::from_value(event).expect("an event");
            let GatewayRequest { request, origin, .. } = event.into();
            assert_eq!(request.path, format!("/{}", path.trim_start_matches('/')));
            assert_eq!((request.query.as_str(), origin.as_str()), (query, "https://lo<<calhost"));
        }
    }
}

mod http {
    use capture_core::lambda::http::{Service, handle};
    use end_to_end::memory::Memory;
    use http::header::STRICT_TRANSPORT_SECURITY;
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;

    #[tokio::test]
    async fn responses_on_a_custom_domain_carry_hsts() {
        let variable = |name: &str| (name == "DOMAIN_NAME").then(|| "events.example".to_owned());
        let service = Service::from_variables(Memory::new().store(|table| table), variable).expect("a service");
        for (host, is_domain) in [("events.example", true), ("api.execute-api.example", false)] {
            let event = serde_json::json!({
                "version": "2.0",
                "rawPath": "/health",
                "rawQueryString": "",
                "headers": {"x-forwarded-proto": "https"},
                "requestContext": {"stage": "$default", "domainName": host, "http": {"method": "GET", "path": "/health"}},
            });
            let event: ApiGatewayV2httpRequest = serde_json::from_value(event).expect("an event");
            let response = handle(service.clone(), event.into()).await;
            assert_eq!(response.status(), 200);
            assert_eq!(response.headers().contains_key(STRICT_TRANSPORT_SECURITY), is_domain, "{host}");
        }
    }
}

mod log {
    use capture_core::lambda::log::Lines;
    use serde_json::Value;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};
    use tracing::Level;
    use tracing_subscriber::layer::SubscriberExt;

    /// A writer that stores the bytes of each call.
    #[derive(Clone, Default)]
    struct Pieces(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("the pieces").push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn log_line_is_written_in_one_call() {
        let pieces = Pieces::default();
        let writer = pieces.clone();
        let lines = Lines { writer: move || writer.clone(), level: Level::INFO, stack: None };
        let subscriber = tracing_subscriber::registry().with(lines);
        tracing::subscriber::with_default(subscriber, || tracing::warn!("logged"));
        let pieces = pieces.0.lock().expect("the pieces");
        let line: Value = serde_json::from_slice(&pieces[0]).expect("JSON");
        assert_eq!((pieces.len(), pieces[0].last(), &line["message"]), (1, Some(&b'\n'), &"logged".into()));
    }
}

mod pages {
    use capture_core::lambda::pages::{EMOTE_HOST, FOLDERS, Pages};
    use http::{HeaderValue, Response};
    use lambda_http::Body;
    use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;

    #[test]
    fn pages_are_served_through_the_proxy_only() {
        let variable = |name: &str| (name == "PROXY_SECRET").then(|| "from-the-proxy".to_owned());
        let pages = Pages::from_variables(variable);
        for (secret, status) in [("", 403), ("from-the-proxy", 200)] {
            let mut request = request("/console/");
            request.headers.insert("proxy-secret", HeaderValue::from_static(secret));
            assert_eq!(pages.handle(request.into()).status(), status);
        }
    }

    fn get(path: &str) -> Response<Body> {
        Pages::default().handle(request(path).into())
    }

    fn request(path: &str) -> ApiGatewayV2httpRequest {
        let mut request = ApiGatewayV2httpRequest::default();
        request.raw_path = Some(path.to_owned());
        request
    }

    #[test]
    fn container_image_is_built_with_every_folder_of_the_pages() {
        let ignored = include_str!("../../../.dockerignore");
        for (_, folder, _) in FOLDERS {
            let top = folder.split('/').next().unwrap_or_default();
            assert!(ignored.lines().any(|line| line.strip_prefix('!') == Some(top)), "{folder}");
        }
    }

    #[test]
    fn page_files_are_served_and_no_others() {
        for path in [
            "/console/",
            "/overlay/overlay.js",
            "/overlay/emotes/",
            "/viewer/",
            "/docs/guides/",
            "/docs/guides/api.md",
            "/shared/client.js",
            "/shared/vendor/uplot.LICENSE",
            "/shared/i18n/de.json",
            "/console/0123456789abcdef/console/start.js",
        ] {
            assert_eq!(get(path).status(), 200, "{path}");
        }
        assert_eq!(get("/console").headers()["location"], "/console/");
        assert_eq!(get("/viewer").headers()["location"], "/viewer/");
        for path in [
            "/overlay/../Cargo.toml",
            "/overlay/x",
            "/web/overlay.js",
            "/overlay//",
            "/",
            "/shared/client/types.d.ts",
            "/.gitignore",
            "/console/0123456789abcdef/console",
            "/console/0123456789abcdef/vendor.json",
        ] {
            assert_eq!(get(path).status(), 404, "{path}");
        }
    }

    #[test]
    fn emote_host_is_allowed_only_on_its_page() {
        for (path, is_allowed) in [("/overlay/emotes/", true), ("/overlay/", false), ("/console/", false)] {
            let policy = get(path).headers()["content-security-policy"].to_str().expect("a text").to_owned();
            assert_eq!(policy.contains(EMOTE_HOST), is_allowed, "{path}");
            assert!(policy.contains("require-trusted-types-for 'script'"), "{path}");
        }
    }
}

mod pages_files {
    use http::header::ACCEPT_ENCODING;

    use std::io::Read;

    use capture_core::lambda::pages::{File, is_current, link_to, split_version};
    use flate2::Compression;
    use flate2::read::GzEncoder;
    use headers::HeaderMap;

    #[test]
    fn page_links_to_files_below_a_folder_with_their_version() {
        let version = "0123456789abcdef";
        for (page, link, changed) in [
            ("console/index.html", "start.js", "0123456789abcdef/console/start.js"),
            ("console/index.html", "../shared/tokens.css", "0123456789abcdef/shared/tokens.css"),
            ("overlay/goal/index.html", "../stage.css", "../0123456789abcdef/overlay/stage.css"),
            ("console/index.html", "../overlay/", "../overlay/"),
            ("console/index.html", "data:,x.js", "data:,x.js"),
        ] {
            let html = format!("<meta name=\"start.js\"><link rel=\"x\" href=\"{link}\">");
            let expected = format!("<meta name=\"start.js\"><link rel=\"x\" href=\"{changed}\">");
            assert_eq!(link_to(version, page, &html), expected);
        }
    }

    #[test]
    fn version_is_part_of_a_path_and_not_of_a_name() {
        let version = "0123456789abcdef";
        assert_eq!(split_version("console/0123456789abcdef/shared/page.js"), ("shared/page.js", Some(version)));
        for name in
            ["console/console.js", "docs/vendor/scalar.js", "console", "console/0123456789abcdeg/shared/page.js"]
        {
            assert_eq!(split_version(name), (name, None));
        }
        assert!(!is_current(None));
    }

    #[test]
    fn compressed_file_is_decompressed_unless_the_request_allows_gzip() {
        let mut encoder = GzEncoder::new(&b"text"[..], Compression::best());
        let mut data = Vec::new();
        encoder.read_to_end(&mut data).expect("a compressed text");
        for (value, is_compressed) in [("gzip", true), ("br", false)] {
            let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, value.parse().expect("a value"))]);
            let file = File { data: data.clone().into(), is_compressed: true }.for_request(&headers);
            assert_eq!(file.is_compressed, is_compressed, "{value}");
            assert_eq!(*file.data == *b"text", !is_compressed, "{value}");
        }
    }
}
