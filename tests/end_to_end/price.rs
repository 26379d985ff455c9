//! What a month costs: from the units that `cost.rs` asserts, and public prices. The README's table is this one.

use serde_json::json;

use crate::cost::typical;

/// Requests of a month.
const SIZES: [(&str, f64); 3] = [("10 thousand", 1e4), ("1 million", 1e6), ("100 million", 1e8)];
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
const DASHBOARD: f64 = 3.00;
const METRIC: f64 = 0.30;
const ALARM_METRIC: f64 = 0.10;
const S3_LIST: f64 = 5.0 / MILLION;

/// Assumed: what is billed of a request's time, at 1,769 MB, mostly the waiting for DynamoDB.
const SECONDS: f64 = 0.020;
const GIGABYTES: f64 = 1_769.0 / 1_024.0;
/// Assumed: the authorizer's, at 256 MB, which mostly remembers.
const AUTHORIZER_GIGABYTE_SECONDS: f64 = 0.003 * 0.25;
/// Measured: a line of the function's log with its metrics, and one of the access log.
const LOGGED_BYTES: f64 = 1_100.0;
/// A plain event or transaction, and how often it is kept: once, and in the indexes that it is in.
const STORED_BYTES: f64 = 500.0;
const COPIES: f64 = 5.0;
/// Five metrics for each of the routes of the mix.
const METRICS: f64 = 20.0;
/// The metrics that the alarms look at.
const ALARM_METRICS: f64 = 13.0;
/// The upkeep's: the tombstones' two partitions, the checkpoint, one list of the bucket.
const UPKEEP_READ_UNITS: f64 = 2.0;
const UPKEEP_GIGABYTE_SECONDS: f64 = 0.050 * 0.5;
const MINUTES: f64 = 30.0 * 24.0 * 60.0;

struct Month {
    requests: f64,
    table: f64,
    storage: f64,
    logs: f64,
    fixed: f64,
}

fn month(requests: f64) -> Month {
    let rows = typical(&json!(1));
    let read: f64 = rows.iter().zip(MIX).map(|(row, share)| row.read * share).sum();
    let write: f64 = rows.iter().zip(MIX).map(|(row, share)| row.write * share).sum();
    let created = requests * 0.65;
    let functions = SECONDS * GIGABYTES + AUTHORIZER_GIGABYTE_SECONDS;
    let upkeep = UPKEEP_READ_UNITS * READ_UNIT + UPKEEP_GIGABYTE_SECONDS * GIGABYTE_SECOND + S3_LIST + FUNCTION_REQUEST;
    Month {
        requests: requests * (GATEWAY_REQUEST + 2.0 * FUNCTION_REQUEST + functions * GIGABYTE_SECOND),
        table: requests * (read * READ_UNIT + write * WRITE_UNIT),
        storage: created * STORED_BYTES / 1e9 * (COPIES * STORED_GIGABYTE + RECOVERABLE_GIGABYTE),
        logs: requests * LOGGED_BYTES / 1e9 * LOGGED_GIGABYTE,
        fixed: DASHBOARD + METRICS * METRIC + ALARM_METRICS * ALARM_METRIC + MINUTES * upkeep,
    }
}

#[test]
fn the_readme_says_what_a_month_costs() {
    let readme = include_str!("../../README.md");
    for (name, requests) in SIZES {
        let Month { requests, table, storage, logs, fixed } = month(requests);
        let all = requests + table + storage + logs + fixed;
        let line =
            format!("| {name} | {requests:.2} | {table:.2} | {storage:.2} | {logs:.2} | {fixed:.2} | **{all:.2}** |");
        assert!(readme.contains(&line), "README.md should have\n{line}");
    }
}
