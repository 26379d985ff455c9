//! What a month costs: from the units that `cost.rs` asserts, and public prices. The README's table is this one.

use std::collections::BTreeSet;

use end_to_end::{Api, samples};
use event_capture::request::{Path, every_path};
use event_capture::schema::Timestamp;
use serde_json::json;

use crate::guarantees::cost::typical;

/// Requests of a month, and how many changes the table's stream brings at once, on average: with 100 million requests, 23
/// events are created each second.
const SIZES: [(&str, f64, f64); 3] = [("10 thousand", 1e4, 1.0), ("1 million", 1e6, 1.0), ("100 million", 1e8, 4.0)];
/// The shares of `POST /events`, `GET /events?limit=20`, `GET /users/{id}` and `POST /transactions`.
const MIX: [f64; 4] = [0.60, 0.20, 0.15, 0.05];

// USD, us-east-1, November 2026, free tiers left aside.
const MILLION: f64 = 1e6;
const GATEWAY_REQUEST: f64 = 1.00 / MILLION;
const FUNCTION_REQUEST: f64 = 0.20 / MILLION;
const GIGABYTE_SECOND: f64 = 13.33 / MILLION;
const WRITE_UNIT: f64 = 0.625 / MILLION;
const READ_UNIT: f64 = 0.125 / MILLION;
const LOGGED_GIGABYTE: f64 = 0.50;
const STORED_GIGABYTE: f64 = 0.25;
/// Point-in-time recovery, of the table without its indexes.
const RECOVERABLE_GIGABYTE: f64 = 0.20;
const METRIC: f64 = 0.30;
const ALARM_METRIC: f64 = 0.10;
const S3_LIST: f64 = 5.0 / MILLION;

/// Assumed: what is billed of a request's time, at 1,769 MB, mostly the waiting for DynamoDB.
const SECONDS: f64 = 0.020;
const GIGABYTES: f64 = 1_769.0 / 1_024.0;
/// Assumed: the authorizer's, at 256 MB, which mostly remembers.
const AUTHORIZER_GIGABYTE_SECONDS: f64 = 0.003 * 0.25;
/// A request's line in the log (`observability.rs` holds it to that). The platform logs failed calls alone.
pub(crate) const LINE_BYTES: f64 = 450.0;
/// Assumed: the sequencer's line for a batch.
const BATCH_LINE_BYTES: f64 = 250.0;
/// A plain event or transaction, and how often it is kept: once, and in the indexes that it is in.
const STORED_BYTES: f64 = 500.0;
const COPIES: f64 = 5.0;
/// With `RouteMetrics=true`: five for each route that is called.
const METRICS_OF_ROUTE: f64 = 5.0;
/// The metrics that the alarms look at.
const ALARM_METRICS: f64 = 19.0;
/// The gateway counts what a request and its answer have in these steps, in bytes.
const GATEWAY_STEP: f64 = 512.0 * 1024.0;
/// The write units of an event with a document.
const WITH_IMAGE: f64 = 13.0;
/// Appending one change: the head is read and written, and at each eighth change, both in a transaction, the page, too.
pub(crate) const FEED_READ_UNITS: f64 = 1.0;
const HEAD_WRITE_UNITS: f64 = 1.0;
const PAGE_WRITE_UNITS: f64 = 3.0;
pub(crate) const FEED_WRITE_UNITS: f64 = HEAD_WRITE_UNITS + PAGE_WRITE_UNITS / 8.0;
/// Who listens to the socket.
const SOCKET_READ_UNITS: f64 = 1.0;
/// Assumed: what is billed of asking the feed for nothing new, at 512 MB.
const FEED_SECONDS: f64 = 0.008;
const FEED_GIGABYTES: f64 = 0.5;
const SEQUENCER_GIGABYTES: f64 = 0.5;
const SOCKET_GIGABYTES: f64 = 0.25;
const S3_PUT: f64 = 5.0 / MILLION;
const S3_GIGABYTE: f64 = 0.023;
const SECRET: f64 = 0.40;
/// One read every five minutes, while there are messages.
const SECRET_READ: f64 = 5.0 / MILLION;
/// The upkeep's: the tombstones' two partitions and the checkpoint each minute, one list of the bucket each hour.
const UPKEEP_READ_UNITS: f64 = 2.0;
const UPKEEP_GIGABYTE_SECONDS: f64 = 0.050 * 0.5;
const MINUTES: f64 = 30.0 * 24.0 * 60.0;

struct Month {
    requests: f64,
    table: f64,
    /// What the sequencer does for the events that are created.
    feed: f64,
    logs: f64,
    fixed: f64,
    /// What one month's records cost in each month after.
    storage: f64,
}

/// What one call of a function costs, apart from the table.
fn call() -> f64 {
    FUNCTION_REQUEST + SECONDS * GIGABYTES * GIGABYTE_SECOND
}

/// What the feed costs for so many changes in a month, of which the stream brings so many at once. A batch reads and writes the
/// head, as `feed.rs` asserts; a page is written for each eight changes; the head is pushed at most once a second.
fn appended(changes: f64, at_once: f64) -> f64 {
    let (batches, pages) = (changes / at_once, changes / 8.0);
    let pushes = batches.min(MINUTES * 60.0);
    let units = (batches * FEED_READ_UNITS + pushes * SOCKET_READ_UNITS) * READ_UNIT
        + (batches * HEAD_WRITE_UNITS + pages * PAGE_WRITE_UNITS) * WRITE_UNIT;
    let call = |gigabytes: f64| FUNCTION_REQUEST + SECONDS * gigabytes * GIGABYTE_SECOND;
    let logs = BATCH_LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    units + batches * (call(SEQUENCER_GIGABYTES) + logs) + pushes * call(SOCKET_GIGABYTES)
}

fn month(requests: f64, at_once: f64) -> Month {
    let rows = typical(&json!(1));
    let read: f64 = rows.iter().zip(MIX).map(|(row, share)| row.read * share).sum();
    let write: f64 = rows.iter().zip(MIX).map(|(row, share)| row.write * share).sum();
    let created = requests * 0.65;
    let authorizer = FUNCTION_REQUEST + AUTHORIZER_GIGABYTE_SECONDS * GIGABYTE_SECOND;
    let upkeep =
        UPKEEP_READ_UNITS * READ_UNIT + UPKEEP_GIGABYTE_SECONDS * GIGABYTE_SECOND + S3_LIST / 60.0 + FUNCTION_REQUEST;
    Month {
        requests: requests * (GATEWAY_REQUEST + call() + authorizer),
        table: requests * (read * READ_UNIT + write * WRITE_UNIT),
        feed: appended(requests * MIX[0], at_once),
        logs: requests * LINE_BYTES / 1e9 * LOGGED_GIGABYTE,
        fixed: ALARM_METRICS * ALARM_METRIC + MINUTES * upkeep,
        storage: created * STORED_BYTES / 1e9 * (COPIES * STORED_GIGABYTE + RECOVERABLE_GIGABYTE),
    }
}

fn expect(line: &str) {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).expect("the README");
    assert!(readme.contains(line), "README.md should have\n{line}");
}

#[test]
fn the_readme_says_what_a_month_costs() {
    for (name, requests, at_once) in SIZES {
        let Month { requests, table, feed, logs, fixed, storage } = month(requests, at_once);
        let first = requests + table + feed + logs + fixed + storage;
        let twelfth = first + 11.0 * storage;
        expect(&format!(
            "| {name} | {requests:.2} | {table:.2} | {feed:.2} | {logs:.2} | {fixed:.2} | {storage:.2} | **{first:.2}** | **{twelfth:.2}** |"
        ));
    }
}

/// What is not in the mix: for a million each, all counted that comes once, and what is kept each month.
#[test]
fn the_readme_says_what_a_million_of_other_things_costs() {
    let units = |read: f64, write: f64| MILLION * (read * READ_UNIT + write * WRITE_UNIT);
    let logs = MILLION * LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    // No authorizer is asked; the units are those that `twitch.rs` asserts at most.
    let message = MILLION * (GATEWAY_REQUEST + call()) + units(2.0, 6.0) + logs;
    let storage_price = MILLION * STORED_BYTES / 1e9 * (COPIES * STORED_GIGABYTE + RECOVERABLE_GIGABYTE);
    expect(&format!("| messages of Twitch's chat | {message:.2} | {storage_price:.2} |"));
    // As `cost.rs` asserts, for an answer of 1 KB.
    expect(&format!("| keys of requests, on top | {:.2} | – |", units(0.0, 3.0)));
    let told = appended(MILLION, 1.0);
    expect(&format!("| changes that the feed reports, on top | {told:.2} | – |"));
    // An image of 1 MB is 1.33 MB in base64; its document is a record more, in a transaction.
    let steps = (1e6 * 4.0 / 3.0 / GATEWAY_STEP).ceil();
    let upload = MILLION * (steps * GATEWAY_REQUEST + call() + S3_PUT) + units(1.0, WITH_IMAGE) + logs;
    expect(&format!("| events with an image of 1 MB | {upload:.2} | {:.0} |", MILLION * 1e6 / 1e9 * S3_GIGABYTE));
}

#[test]
fn the_readme_says_what_a_page_costs_that_asks_the_feed_each_second() {
    let authorizer = FUNCTION_REQUEST + AUTHORIZER_GIGABYTE_SECONDS * GIGABYTE_SECOND;
    let call = FUNCTION_REQUEST + FEED_SECONDS * FEED_GIGABYTES * GIGABYTE_SECOND;
    let logs = LINE_BYTES / 1e9 * LOGGED_GIGABYTE;
    let month = MINUTES * 60.0 * (GATEWAY_REQUEST + call + authorizer + READ_UNIT + logs);
    expect(&format!("A page that asks the feed each second, all month: {month:.2}"));
}

#[tokio::test]
async fn an_event_with_an_image_writes_as_much_as_is_counted_with() {
    let api = Api::own();
    let user = api.user().await;
    let body = json!({"document": samples::document(), "occurred_at": Timestamp::now().to_string()});
    let reply = api.post(&format!("/users/{}/events", user["user_id"]), &samples::event(&body)).await;
    reply.created();
    assert_eq!((reply.cost().1, reply.cost().2), (1.0, WITH_IMAGE));
}

#[test]
fn the_readme_says_what_metrics_and_secrets_cost() {
    let of_resources = every_path().iter().map(Path::endpoint).collect::<BTreeSet<_>>().len();
    // Chains have one name together; `none` is what is no route.
    let endpoints = of_resources
        + [
            "chain",
            "none",
            "/health",
            "/openapi.json",
            "/images/{name}",
            "/webhooks/twitch",
            "/feed",
            "/alerts",
            "/asyncapi.json",
            "/console/{file}",
            "/overlay/{file}",
            "/tokens",
            "/tokens/{token_id}",
        ]
        .len();
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let metrics = endpoints as f64 * METRICS_OF_ROUTE * METRIC;
    expect(&format!("{endpoints} names of routes × 5 × 0.30 = {metrics:.2}"));
    let reads = MINUTES / 5.0 * SECRET_READ;
    expect(&format!("a secret {:.2}", SECRET + reads));
}
