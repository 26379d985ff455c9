//! The monthly cost, from the units that `cost.rs` asserts and public prices. docs/deploy.md has the same numbers.

use std::collections::BTreeSet;

use capture_core::lambda::routes::SERVICE;
use capture_core::request::{Path, every_path};
use capture_core::schema::Timestamp;
use end_to_end::{Api, samples};
use serde_json::json;

use crate::guarantees::cost::{IMPORTED_MESSAGE, typical};

/// The requests per month, and the shards of the table's stream in the first and in the twelfth month. With 100 million
/// requests, 23 events are created each second.
const SIZES: [(&str, f64, [usize; 2]); 3] =
    [("10 thousand", 1e4, [1, 1]), ("1 million", 1e6, [1, 1]), ("100 million", 1e8, [4, 50])];
/// The write units for appending a change at 25 changes a second, by the number of shards. docs/benchmarks.md has the
/// simulation. With several shards, batches contain several changes, and shards compete for the head, which grows.
const APPENDING: [(usize, f64); 5] = [(1, FEED_WRITE_UNITS), (4, 0.94), (10, 1.8), (20, 2.4), (50, 5.5)];
/// The shares of `POST /events`, `GET /events?limit=20`, `GET /users/{id}` and `POST /transactions`.
const MIX: [f64; 4] = [0.60, 0.20, 0.15, 0.05];

// USD, us-east-1, November 2026, without free tiers.
const MILLION: f64 = 1e6;
const GATEWAY_REQUEST: f64 = 1.00 / MILLION;
const FUNCTION_REQUEST: f64 = 0.20 / MILLION;
const GIGABYTE_SECOND: f64 = 13.33 / MILLION;
const WRITE_UNIT: f64 = 0.625 / MILLION;
const READ_UNIT: f64 = 0.125 / MILLION;
const LOGGED_GIGABYTE: f64 = 0.50;
const STORED_GIGABYTE: f64 = 0.25;
/// Point-in-time recovery of the table, without its indexes.
const RECOVERABLE_GIGABYTE: f64 = 0.20;
const METRIC: f64 = 0.30;
const ALARM_METRIC: f64 = 0.10;
const S3_LIST: f64 = 5.0 / MILLION;

/// Assumption: the billed duration of a request at 1,024 MB, mostly waiting for DynamoDB. At this size a function has
/// 0.58 of a CPU, so the CPU time that docs/deploy.md states counts 1.7 times.
const SECONDS: f64 = 0.021;
const GIGABYTES: f64 = 1.0;
/// Assumption: the authorizer's billed duration at 256 MB, mostly with cached results.
const AUTHORIZER_GIGABYTE_SECONDS: f64 = 0.003 * 0.25;
/// The size of a request's log line, as `observability.rs` asserts. The platform logs only failed calls.
pub(crate) const LINE_BYTES: f64 = 450.0;
/// Assumption: the size of the sequencer's log line for a batch.
const BATCH_LINE_BYTES: f64 = 250.0;
/// The size of a plain event or transaction, and the number of its copies: the item and its index entries.
const STORED_BYTES: f64 = 500.0;
const COPIES: f64 = 5.0;
/// The metrics of each route that is called, with `RouteMetrics=true`.
const METRICS_OF_ROUTE: f64 = 5.0;
/// The number of metrics that the alarms use.
const ALARM_METRICS: f64 = 26.0;
/// The same with `Alarms=few`.
const FEW_ALARM_METRICS: f64 = 5.0;
/// The increment for billing the gateway's requests and responses, in bytes.
const GATEWAY_STEP: f64 = 512.0 * 1024.0;
/// The write units of an event with a document.
const WITH_IMAGE: f64 = 13.0;
/// Appending a change reads and writes the head. Every eighth change also writes the page, both in one transaction.
pub(crate) const FEED_READ_UNITS: f64 = 1.0;
const HEAD_WRITE_UNITS: f64 = 1.0;
const PAGE_WRITE_UNITS: f64 = 3.0;
pub(crate) const FEED_WRITE_UNITS: f64 = HEAD_WRITE_UNITS + PAGE_WRITE_UNITS / 8.0;
/// The read of the socket's connections.
const SOCKET_READ_UNITS: f64 = 1.0;
/// Assumption: the billed duration of a feed request without new entries, at 512 MB.
const FEED_SECONDS: f64 = 0.008;
const FEED_GIGABYTES: f64 = 0.5;
const SEQUENCER_GIGABYTES: f64 = 0.5;
const SOCKET_GIGABYTES: f64 = 0.25;
const S3_PUT: f64 = 5.0 / MILLION;
const S3_GIGABYTE: f64 = 0.023;
const SECRET: f64 = 0.40;
/// One read every five minutes while messages arrive.
const SECRET_READ: f64 = 5.0 / MILLION;
/// The upkeep reads the tombstones' two partitions and the checkpoint each minute, and lists the bucket each hour.
const UPKEEP_READ_UNITS: f64 = 2.0;
const UPKEEP_GIGABYTE_SECONDS: f64 = 0.050 * 0.5;
const MINUTES: f64 = 30.0 * 24.0 * 60.0;
/// The refresh of the statistics each minute: its lease, its heartbeats, and a check for changes. `statistics.rs`
/// asserts the units.
pub(crate) const IDLE_READ_UNITS: f64 = 16.0;
pub(crate) const IDLE_WRITE_UNITS: f64 = 18.0;
/// The sequencer confirms the heartbeats of each of four shards.
const HEARTBEAT_WRITE_UNITS: f64 = 4.0;
/// Assumption: the refresh waits half a second for its heartbeats, at 512 MB.
const REFRESH_GIGABYTE_SECONDS: f64 = 0.5 * 0.5;

struct Month {
    requests: f64,
    table: f64,
    /// The sequencer's work for created events.
    feed: f64,
    logs: f64,
    fixed: f64,
    /// The cost of one month's records in each later month.
    storage: f64,
}

/// Returns the cost of a function call, without the table.
fn call() -> f64 {
    FUNCTION_REQUEST + SECONDS * GIGABYTES * GIGABYTE_SECOND
}

/// Returns the feed's cost for a month's changes with this number of shards. At most, each change is a call of the
/// sequencer, which reads the head. The head is pushed at most once a second.
fn appended(changes: f64, shards: usize) -> f64 {
    let (_, write_units) = APPENDING.into_iter().find(|(number, _)| *number == shards).expect("a simulated number");
    let pushes = changes.min(MINUTES * 60.0);
    let units =
        (changes * FEED_READ_UNITS + pushes * SOCKET_READ_UNITS) * READ_UNIT + changes * write_units * WRITE_UNIT;
    let call = |gigabytes: f64| FUNCTION_REQUEST + SECONDS * gigabytes * GIGABYTE_SECOND;
    let logs = BATCH_LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    units + changes * (call(SEQUENCER_GIGABYTES) + logs) + pushes * call(SOCKET_GIGABYTES)
}

fn month(requests: f64, shards: usize) -> Month {
    let rows = typical(&json!(1));
    let read: f64 = rows.iter().zip(MIX).map(|(row, share)| row.read * share).sum();
    let write: f64 = rows.iter().zip(MIX).map(|(row, share)| row.write * share).sum();
    let created = requests * 0.65;
    let authorizer = FUNCTION_REQUEST + AUTHORIZER_GIGABYTE_SECONDS * GIGABYTE_SECOND;
    let upkeep =
        UPKEEP_READ_UNITS * READ_UNIT + UPKEEP_GIGABYTE_SECONDS * GIGABYTE_SECOND + S3_LIST / 60.0 + FUNCTION_REQUEST;
    let heartbeats = 4.0 * (FUNCTION_REQUEST + SECONDS * SEQUENCER_GIGABYTES * GIGABYTE_SECOND);
    let refresh = IDLE_READ_UNITS * READ_UNIT
        + (IDLE_WRITE_UNITS + HEARTBEAT_WRITE_UNITS) * WRITE_UNIT
        + REFRESH_GIGABYTE_SECONDS * GIGABYTE_SECOND
        + heartbeats;
    Month {
        requests: requests * (GATEWAY_REQUEST + call() + authorizer),
        table: requests * (read * READ_UNIT + write * WRITE_UNIT),
        feed: appended(requests * MIX[0], shards),
        logs: requests * LINE_BYTES / 1e9 * LOGGED_GIGABYTE,
        fixed: ALARM_METRICS * ALARM_METRIC + MINUTES * (upkeep + refresh),
        storage: created * STORED_BYTES / 1e9 * (COPIES * STORED_GIGABYTE + RECOVERABLE_GIGABYTE),
    }
}

fn expect(line: &str) {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/deploy.md")).expect("the guide");
    assert!(readme.contains(line), "docs/deploy.md should have\n{line}");
}

#[test]
fn guide_states_the_monthly_cost() {
    for (name, requests, shards) in SIZES {
        let later = month(requests, shards[1]).feed;
        let Month { requests, table, feed, logs, fixed, storage } = month(requests, shards[0]);
        let first = requests + table + feed + logs + fixed + storage;
        let twelfth = first + 11.0 * storage + later - feed;
        expect(&format!(
            "| {name} | {requests:.2} | {table:.2} | {feed:.2} | {logs:.2} | {fixed:.2} | {storage:.2} | **{first:.2}** | **{twelfth:.2}** |"
        ));
    }
}

#[test]
fn guide_states_the_cost_of_the_feed_by_shards() {
    for (shards, _) in APPENDING.into_iter().skip(1) {
        expect(&format!("| {shards} | {:.0} |", appended(1e8 * MIX[0], shards)));
    }
}

/// Checks the costs outside the mix, for a million of each: all one-time costs, and the monthly storage.
#[test]
fn guide_states_the_cost_of_other_requests_per_million() {
    let units = |read: f64, write: f64| MILLION * (read * READ_UNIT + write * WRITE_UNIT);
    let logs = MILLION * LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    // The webhook runs without an authorizer. Its units are at most those that `webhook.rs` asserts.
    let message = MILLION * (GATEWAY_REQUEST + call()) + units(2.0, 6.0) + logs;
    let storage_price = MILLION * STORED_BYTES / 1e9 * (COPIES * STORED_GIGABYTE + RECOVERABLE_GIGABYTE);
    expect(&format!("| messages of Twitch's chat | {message:.2} | {storage_price:.2} |"));
    // An import has an authorizer, and the feed does not report it. The table's stream is read anyway.
    let authorizer = FUNCTION_REQUEST + AUTHORIZER_GIGABYTE_SECONDS * GIGABYTE_SECOND;
    let imported =
        MILLION * (GATEWAY_REQUEST + call() + authorizer) + units(IMPORTED_MESSAGE.0, IMPORTED_MESSAGE.1) + logs;
    expect(&format!("| events that are imported | {imported:.2} | {storage_price:.2} |"));
    // The units that `cost.rs` asserts for a response of 1 KB.
    expect(&format!("| idempotency keys, in addition | {:.2} | – |", units(0.0, 3.0)));
    let changes = appended(MILLION, 1);
    expect(&format!("| changes that the feed reports, in addition | {changes:.2} | – |"));
    // An image of 1 MB takes 1.33 MB in base64. Its document is another record in the transaction.
    let steps = (1e6 * 4.0 / 3.0 / GATEWAY_STEP).ceil();
    let upload = MILLION * (steps * GATEWAY_REQUEST + call() + S3_PUT) + units(1.0, WITH_IMAGE) + logs;
    expect(&format!("| events with an image of 1 MB | {upload:.2} | {:.0} |", MILLION * 1e6 / 1e9 * S3_GIGABYTE));
}

#[test]
fn guide_states_the_cost_of_polling_the_feed() {
    let authorizer = FUNCTION_REQUEST + AUTHORIZER_GIGABYTE_SECONDS * GIGABYTE_SECOND;
    let call = FUNCTION_REQUEST + FEED_SECONDS * FEED_GIGABYTES * GIGABYTE_SECOND;
    let logs = LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    let month = MINUTES * 60.0 * (GATEWAY_REQUEST + call + authorizer + READ_UNIT + logs);
    expect(&format!("A page that polls the feed each second, all month: {month:.2}"));
}

#[tokio::test]
async fn event_with_an_image_writes_the_assumed_units() {
    let api = Api::start();
    let user = api.user().await;
    let body = json!({"document": samples::document(), "occurred_at": Timestamp::now().to_string()});
    let reply = api.post(&format!("/users/{}/events", user["user_id"]), &samples::event(&body)).await;
    reply.created();
    assert_eq!((reply.cost().1, reply.cost().2), (1.0, WITH_IMAGE));
}

#[test]
fn guide_states_the_cost_of_a_flood_and_of_an_idle_channel() {
    let day = 24.0 * 3_600.0;
    let refused = GATEWAY_REQUEST + call() + LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    let authorizer = FUNCTION_REQUEST + AUTHORIZER_GIGABYTE_SECONDS * GIGABYTE_SECOND;
    expect(&format!("2,000 a second cost {:.0} a day", 2_000.0 * day * refused));
    expect(&format!("500 a second cost {:.0} a day", 500.0 * day * (refused + authorizer)));
    let idle = month(0.0, 1).fixed;
    let few = idle - (ALARM_METRICS - FEW_ALARM_METRICS) * ALARM_METRIC;
    expect(&format!("{idle:.2} a month, of which {:.2} are alarms", ALARM_METRICS * ALARM_METRIC));
    expect(&format!("With `Alarms=few`, it costs {few:.2}"));
}

#[test]
fn guide_states_the_cost_of_metrics_and_secrets() {
    let of_resources = every_path().iter().map(Path::endpoint).collect::<BTreeSet<_>>().len();
    // All chains share one name, and `none` stands for an unknown route. The folder of a page is a redirect.
    let others = ["chain", "none", "/{page}/"];
    let pages = ["/console/{file}", "/overlay/{file}", "/viewer/{file}", "/docs/{file}", "/shared/{file}"];
    let endpoints = of_resources + SERVICE.len() + others.len() + pages.len();
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let metrics = endpoints as f64 * METRICS_OF_ROUTE * METRIC;
    expect(&format!("{endpoints} route names × 5 × 0.30 = {metrics:.2}"));
    let reads = MINUTES / 5.0 * SECRET_READ;
    expect(&format!("a secret {:.2}", SECRET + reads));
}
