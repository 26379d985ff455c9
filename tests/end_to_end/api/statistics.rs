//! Tests of statistics and leaderboards: queries, errors, ranks, and deleted users.

use capture_core::resources::counted_resource;
use capture_core::schema::{Calendar, Timestamp};
use end_to_end::statistics::refresh;
use end_to_end::{Api, samples, stack_in, stack_with_tokens};
use reqwest::Method;
use serde_json::{Value, json};

use super::tokens::make;

/// Creates a cheer by a user.
async fn cheer(api: &Api, user: &Value, amount: u64, time: &str) -> Value {
    let cheer = json!({"user_id": user["user_id"], "user_name": "Ann", "occurred_at": time, "event_type": "cheer", "amount": amount});
    api.post("/events", &cheer).await.created()
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_queries_name_each_parameter() {
    let api = Api::shared();
    for (path, refused) in [
        ("/statistics?from=x&to=y&by=week&cursor=z", vec!["from", "to", "by", "cursor"]),
        ("/statistics?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", vec!["from"]),
        ("/statistics?from=9999-01-01T00:00:00Z", vec!["from"]),
        ("/statistics?by=hour&from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", vec!["by"]),
        ("/statistics?by=year&from=0001-01-01T00:00:00Z", vec!["by"]),
        ("/statistics?by=day&by=day", vec!["by"]),
        ("/leaderboards/bits?limit=0", vec!["limit"]),
        ("/leaderboards/bits?limit=1001&by=day", vec!["limit", "by"]),
        ("/leaderboards/bits?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", vec!["from"]),
        ("/leaderboards/wallet?from=2026-01-01T00:00:00Z&to=x", vec!["to", "from"]),
        ("/leaderboards/wallet?to=2026-01-01T00:00:00Z", vec!["to"]),
        ("/leaderboards/bits?exact=true", vec!["from"]),
        ("/leaderboards/bits?exact=yes&from=2026-01-01T00:00:00Z", vec!["exact"]),
        ("/leaderboards/bits?exact=true&from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", vec!["from"]),
        ("/leaderboards/messages?exact=true", vec!["from"]),
        ("/leaderboards/wallet?exact=true", vec!["exact"]),
        ("/totals", vec!["from"]),
        ("/totals?from=&limit=3&to=x", vec!["from", "limit", "to"]),
        ("/totals?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", vec!["from"]),
    ] {
        assert_eq!(api.get(path).await.refused(400), refused, "{path}");
    }
    let detail = api.get("/statistics?by=hour&from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z").await.json();
    assert!(detail["errors"][0]["detail"].as_str().is_some_and(|text| text.contains("by=day")), "{detail}");
    assert!(api.get("/leaderboards/coins").await.refused(404).is_empty());
    for path in ["/leaderboards", "/leaderboards/", "/leaderboards/bits/x", "/statistics/x", "/totals/x"] {
        api.get(path).await.refused(404);
    }
    for path in ["/statistics", "/totals", "/leaderboards/bits"] {
        let reply = api.send(api.request(Method::DELETE, path)).await;
        reply.refused(405);
        assert_eq!(reply.header("allow"), "GET, HEAD", "{path}");
    }
    api.get("/users/1/statistics").await.refused(404);
    api.get("/users/1/statistics/user").await.refused(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_declared_measure_has_a_leaderboard_and_every_sum_a_member() {
    let (api, store) = Api::start_with_store();
    refresh(&store).await;
    let openapi = api.get("/openapi.json").await.ok();
    let names = &openapi["paths"]["/leaderboards/{board}"]["parameters"][0]["schema"]["enum"];
    let items = &openapi["components"]["schemas"]["StatisticsBucket"];
    let bucket = &api.get("/statistics").await.ok()[0];
    let statistics = counted_resource().statistics.as_ref().expect("statistics");
    for measure in statistics.measures {
        assert!(names.as_array().is_some_and(|names| names.contains(&json!(measure.name))), "{}", measure.name);
        assert_eq!(api.get(&format!("/leaderboards/{}", measure.name)).await.ok(), json!([]), "{}", measure.name);
        if measure.is_sum() {
            assert_eq!((&bucket[measure.name], items["properties"][measure.name].is_object()), (&json!(0), true));
        }
    }
    let described: Vec<_> = items["properties"].as_object().expect("an object").keys().collect();
    assert_eq!(described, bucket.as_object().expect("an object").keys().collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn buckets_have_defaults_and_the_time_zone() {
    let folder = tempfile::tempdir().expect("a folder");
    let berlin = Calendar::named("Europe/Berlin").expect("a time zone");
    let api = stack_in(folder.path(), |options| options.time_zone = berlin);
    let reply = loop {
        let reply = api.get("/statistics").await;
        if reply.status != 503 {
            break reply;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!(reply.header("time-zone"), "Europe/Berlin");
    let as_of = Timestamp::parse(reply.header("as-of")).expect("a time");
    assert!(as_of < Timestamp::now());
    // Starts 30 days ago, which is 30 or 31 days in a zone with clock changes.
    let buckets = reply.ok().as_array().expect("a list").clone();
    let time = |bucket: &Value, name: &str| Timestamp::parse(bucket[name].as_str().expect("a text")).expect("a time");
    let first = Timestamp::now().checked_add(time::Duration::days(-30)).expect("a time");
    assert!(time(&buckets[0], "from") <= first && first < time(&buckets[0], "to"), "{}", buckets[0]);
    let last = buckets.last().expect("a bucket");
    assert!(time(last, "from") <= Timestamp::now() && Timestamp::now() <= time(last, "to"), "{last}");
    let autumn = api.get("/statistics?from=2026-10-25T10:00:00%2B01:00&to=2026-10-25T12:00:00Z").await.ok();
    let zeros = json!({"plain": 0, "subscriber": 0, "cheer": 0, "raid": 0});
    assert_eq!(
        autumn,
        json!([{"from": "2026-10-24T22:00:00Z", "to": "2026-10-25T23:00:00Z", "events": zeros, "sources": {}, "bits": 0, "raid_viewers": 0, "viewers": 0}])
    );
    let hours = api.get("/statistics?by=hour&from=2026-10-24T22:00:00Z&to=2026-10-25T23:00:00Z").await.ok();
    assert_eq!(hours.as_array().map(Vec::len), Some(25));
    let years = api.get("/statistics?by=year&from=9998-06-01T00:00:00Z&to=9999-12-31T23:59:59.5Z").await.ok();
    assert_eq!(years[1]["to"], "9999-12-31T22:59:59Z".replace("22:59:59", "23:59:59.999999999"));
    assert_eq!(years.as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_values_share_a_rank_and_deleted_users_are_left_out() {
    let (api, store) = Api::start_with_store();
    let mut users = Vec::new();
    for amount in [50, 70, 50, 20, 0] {
        let user = api.user().await;
        cheer(&api, &user, amount, "2026-11-20T10:00:00Z").await;
        users.push(user);
    }
    refresh(&store).await;
    let places = |reply: Value| {
        let place = |place: &Value| (place["rank"].as_u64(), place["value"].as_u64(), place["user"]["user_id"].clone());
        reply.as_array().expect("a list").iter().map(place).collect::<Vec<_>>()
    };
    let place = |rank, value, user: usize| (Some(rank), Some(value), users[user]["user_id"].clone());
    let all = places(api.get("/leaderboards/bits").await.ok());
    assert_eq!(all, [place(1, 70, 1), place(2, 50, 0), place(2, 50, 2), place(4, 20, 3)]);
    let embedded = &api.get("/leaderboards/bits?limit=1").await.ok()[0]["user"];
    assert_eq!(embedded, &api.get(&format!("/events?user_id={}", users[1]["user_id"])).await.ok()[0]["user"]);
    // The interval is rounded to whole hours.
    let hour = api.get("/leaderboards/bits?from=2026-11-20T10:59:59Z&to=2026-11-20T10:59:59.5Z").await;
    assert_eq!(places(hour.ok()), all);
    let next = api.get("/leaderboards/bits?from=2026-11-20T11:00:00Z&to=2026-11-21T00:00:00Z").await;
    assert_eq!(places(next.ok()), []);
    // A deleted user disappears immediately, and the next user moves up.
    api.delete(&format!("/users/{}", users[1]["user_id"])).await.ok();
    let rest = places(api.get("/leaderboards/bits?limit=2").await.ok());
    assert_eq!(rest, [place(1, 50, 0), place(1, 50, 2)]);
    refresh(&store).await;
    let statistics = api.get("/statistics?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z").await.ok();
    assert_eq!((&statistics[0]["bits"], &statistics[0]["viewers"]), (&json!(120), &json!(4)));
}

#[tokio::test(flavor = "multi_thread")]
async fn intervals_at_the_ends_of_the_calendar_and_high_limits_are_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let zone = Calendar::named("Asia/Kathmandu").expect("a time zone");
    let options = event_capture::Options { time_zone: zone, ..end_to_end::options(folder.path()) };
    let stack = event_capture::Stack::start(&options).await.expect("the service starts");
    let api = Api::at(&format!("http://{}", stack.address));
    let user = api.user().await;
    for time in ["0001-01-01T00:00:00Z", "0001-01-01T19:00:00Z", "9999-12-31T23:59:59.999999999Z"] {
        cheer(&api, &user, 5, time).await;
    }
    refresh(&stack.store).await;
    for (interval, bits) in [
        ("from=0001-01-01T00:00:00Z&to=0001-01-01T18:20:00Z", 5),
        ("from=0001-01-01T00:00:00Z&to=0001-01-31T18:20:00Z", 10),
        ("from=0001-01-01T00:00:00Z&to=0001-12-31T18:20:00Z", 10),
        ("from=9999-12-31T18:15:00Z&to=9999-12-31T23:59:59.999999999Z", 5),
        ("from=9998-12-31T18:15:00Z&to=9999-12-31T23:59:59.999999999Z", 5),
        ("from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999999999Z", 15),
        ("to=9999-12-31T23:59:59.999999999Z", 15),
        ("to=2026-11-01T00:00:00Z", 10),
        ("from=0001-01-01T00:00:00Z&to=0001-01-02T20:00:00Z", 10),
    ] {
        let board = api.get(&format!("/leaderboards/bits?{interval}&limit=1000")).await;
        assert_eq!(board.ok()[0]["value"], bits, "{interval}");
    }
    stack.stop().await.expect("the service stops");
}

#[tokio::test(flavor = "multi_thread")]
async fn wallets_are_ranked_by_their_present_balance() {
    let api = Api::start();
    let mut users = Vec::new();
    for amounts in [vec![10, -30], vec![5], vec![7, -7], vec![5]] {
        let user = api.user().await;
        for amount in amounts {
            let paid = json!({"amount": amount, "description": "x"});
            api.post(&format!("/users/{}/transactions", user["user_id"]), &paid).await.created();
        }
        users.push(user);
    }
    let place = |rank: u64, value: i64, user: usize| json!([rank, value, users[user]["user_id"]]);
    let places = |reply: Value| {
        let place = |place: &Value| json!([place["rank"], place["value"], place["user"]["user_id"]]);
        reply.as_array().expect("a list").iter().map(place).collect::<Vec<_>>()
    };
    let reply = api.get("/leaderboards/wallet").await;
    assert!(Timestamp::parse(reply.header("as-of")).is_some());
    assert_eq!(places(reply.ok()), [place(1, 5, 1), place(1, 5, 3), place(3, -20, 0)]);
    assert_eq!(places(api.get("/leaderboards/wallet?limit=1").await.ok()), [place(1, 5, 1)]);
    api.delete(&format!("/users/{}", users[1]["user_id"])).await.ok();
    assert_eq!(places(api.get("/leaderboards/wallet?limit=2").await.ok()), [place(1, 5, 3), place(2, -20, 0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn statistics_of_a_user_work_at_the_end_of_chains() {
    let (api, store) = Api::start_with_store();
    let (ann, bob) = (api.user().await, api.user().await);
    let event = cheer(&api, &ann, 7, "2026-11-20T10:00:00Z").await;
    cheer(&api, &bob, 9, "2026-11-20T10:00:00Z").await;
    let sourced =
        samples::event(&json!({"user_id": ann["user_id"], "source": "a/b", "occurred_at": "2026-11-20T11:00:00Z"}));
    api.post("/events", &sourced).await.created();
    refresh(&store).await;
    let query = "statistics?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";
    let own = api.get(&format!("/users/{}/{query}", ann["user_id"])).await;
    assert_eq!(
        own.ok(),
        json!([{"from": "2026-11-20T00:00:00Z", "to": "2026-11-21T00:00:00Z", "events": {"plain": 1, "subscriber": 0, "cheer": 1, "raid": 0}, "sources": {"a/b": 1}, "bits": 7, "raid_viewers": 0}])
    );
    for path in [
        format!("/user/{}/{query}", ann["user_id"]),
        format!("/events/{}/user/{query}", event["event_id"]),
        format!("/users/{}/events/{}/user/{query}", ann["user_id"], event["event_id"]),
    ] {
        assert_eq!(api.get(&path).await.ok(), own.ok(), "{path}");
        let head = api.send(api.request(Method::HEAD, &path)).await;
        assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0), "{path}");
    }
    api.get(&format!("/users/{}/events/{}/user/{query}", bob["user_id"], event["event_id"])).await.refused(404);
    let body =
        api.send(api.request(Method::POST, &format!("/users/{}/statistics", ann["user_id"])).json(&json!({}))).await;
    body.refused(405);
}

#[tokio::test(flavor = "multi_thread")]
async fn sources_and_amounts_of_any_size_are_counted() {
    let (api, store) = Api::start_with_store();
    let user = api.user().await;
    let most = 9_007_199_254_740_991u64;
    for _ in 0..3 {
        cheer(&api, &user, most, "2026-11-20T10:00:00Z").await;
    }
    let source = "\u{1F600}/\"\\".repeat(200);
    let event = json!({"user_id": user["user_id"], "source": source, "occurred_at": "2026-11-20T10:00:00Z"});
    let plain = api.post("/events", &samples::event(&event)).await.created();
    refresh(&store).await;
    let day = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";
    let bucket = &api.get(&format!("/statistics?{day}")).await.ok()[0];
    assert_eq!((&bucket["bits"], &bucket["sources"]), (&json!(3 * most), &json!({source.as_str(): 1})));
    // A message with another reporter's source is not counted as a chat message.
    assert_eq!(api.get("/leaderboards/messages").await.ok(), json!([]));
    assert_eq!(api.get("/leaderboards/events").await.ok()[0]["value"], 4);
    api.delete(&format!("/events/{}", plain["event_id"])).await.ok();
    refresh(&store).await;
    assert_eq!(api.get(&format!("/statistics?{day}")).await.ok()[0]["sources"], json!({}));
}

#[tokio::test(flavor = "multi_thread")]
async fn overlay_tokens_read_statistics_of_the_channel_only() {
    let (api, folder) = stack_with_tokens();
    let overlay = make(folder.path(), "overlay");
    for (path, allowed) in [
        ("/statistics", true),
        ("/totals", true),
        ("/leaderboards/bits", true),
        ("/leaderboards/coins", true),
        ("/leaderboards/bits/x", false),
        ("/users/1/statistics", false),
    ] {
        api.get(path).await.refused(401);
        let reply = api.send(api.request(Method::GET, path).bearer_auth(&overlay)).await;
        assert_eq!(reply.status != 403, allowed, "{path}: {}", reply.status);
        let written = api.send(api.request(Method::POST, path).bearer_auth(&overlay)).await;
        assert_eq!(written.status, 403, "{path}");
    }
}
