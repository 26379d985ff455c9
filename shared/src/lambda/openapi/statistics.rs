//! The operations of statistics and leaderboards, generated from the declarations of the resources.

use serde_json::{Map, Value as Json, json};

use super::schemas::{self, Body, pascal_case};
use super::{COMMON_CODES, TAG, TOKEN_CODES, with_codes, with_headers};
use crate::error::Code;
use crate::request::{MAX_BUCKETS, MAX_PLACES};
use crate::resources;
use crate::schema::{Statistics, Step};
use crate::statistics::{AS_OF, TIME_ZONE, boards};

pub(super) const DESCRIPTION: &str =
    "Counters for each hour, day, month or year. The header `as-of` is the time up to which all changes are included.";

/// Returns the operation of the channel's statistics.
pub(super) fn channel() -> Json {
    let get = json!({
        "operationId": "get_statistics",
        "tags": [TAG],
        "summary": "List the statistics of the channel",
        "description": DESCRIPTION,
        "parameters": parameters(),
        "responses": {"200": response(&bucket_of_channel())},
    });
    let get = with_codes(get, &[&[Code::InvalidParameter], &TOKEN_CODES, &COMMON_CODES]);
    json!({"get": get})
}

/// Returns the parameters of statistics.
pub(super) fn parameters() -> Json {
    let steps: Vec<_> = Step::BUCKETS.into_iter().map(Step::name).collect();
    json!([
        time("from", "The first moment, rounded down to a whole bucket. The default is 30 days before `to`."),
        time("to", "The first moment after the interval, rounded up to a whole bucket. The default is now."),
        {"name": "by", "in": "query", "schema": {"title": "Step", "type": "string", "enum": steps, "default": "day"}, "description": "The length of a bucket, in the time zone of the service."},
    ])
}

/// Returns the response with the statistics of one user.
pub(super) fn response_of_user() -> Json {
    response(&bucket("StatisticsBucketOfUser"))
}

fn response(bucket: &Json) -> Json {
    json!({
        "description": "The buckets, oldest first and without gaps. Buckets without events have zeros.",
        "headers": with_headers(&[AS_OF, TIME_ZONE]),
        "content": {"application/json": {"schema": {"type": "array", "maxItems": MAX_BUCKETS, "items": bucket}}},
    })
}

/// Returns the schema of a bucket of the channel, which also has the number of different users.
fn bucket_of_channel() -> Json {
    let mut bucket = bucket("StatisticsBucket");
    if let Some(Statistics { distinct: (name, meaning), .. }) = &resources::counted_resource().statistics {
        bucket["properties"][name] = number(meaning);
        if let Some(required) = bucket["required"].as_array_mut() {
            required.push(json!(name));
        }
    }
    bucket
}

fn number(meaning: &str) -> Json {
    json!({"type": "integer", "minimum": 0, "description": meaning, "examples": [42]})
}

/// Returns the schema of a bucket.
fn bucket(title: &str) -> Json {
    let time = |meaning: &str, example: &str| json!({"type": "string", "format": "date-time", "description": meaning, "examples": [example]});
    let mut properties = Map::new();
    properties.insert("from".to_owned(), time("The first moment of the bucket.", "2026-11-19T23:00:00Z"));
    properties.insert("to".to_owned(), time("The first moment after the bucket.", "2026-11-20T23:00:00Z"));
    if let Some(statistics) = &resources::counted_resource().statistics {
        for count in statistics.counts {
            let always: Map<_, _> = count
                .always
                .iter()
                .map(|value| ((*value).to_owned(), json!({"type": "integer", "minimum": 0})))
                .collect();
            let example: Map<_, _> = count.always.iter().map(|value| ((*value).to_owned(), json!(42))).collect();
            let mut counts = json!({"examples": [example], "type": "object", "description": count.meaning, "required": count.always, "properties": always, "additionalProperties": {"type": "integer", "minimum": 0}});
            if !count.always.is_empty() {
                counts["title"] = json!(pascal_case(&format!("{} by type", count.member)));
            }
            properties.insert(count.member.to_owned(), counts);
        }
        for measure in statistics.measures.iter().filter(|measure| measure.is_sum()) {
            properties.insert(measure.name.to_owned(), number(measure.meaning));
        }
    }
    let required: Vec<_> = properties.keys().cloned().collect();
    json!({"title": title, "type": "object", "required": required, "properties": properties})
}

/// Returns the operation of the totals.
pub(super) fn totals() -> Json {
    let totals = resources::counted_resource().statistics.iter().flat_map(|statistics| statistics.totals);
    let properties: Map<_, _> = totals.map(|total| (total.name.to_owned(), number(total.meaning))).collect();
    let required: Vec<_> = properties.keys().collect();
    let schema = json!({"title": "Totals", "type": "object", "required": required, "properties": properties});
    let get = json!({
        "operationId": "get_totals",
        "tags": [TAG],
        "summary": "Get the totals of an exact interval",
        "description": "The interval is not rounded, and an event counts as soon as lists return it. An event that is stored more than ten minutes after it occurred counts once the statistics include it.",
        "parameters": [
            {"name": "from", "in": "query", "required": true, "schema": {"type": "string", "format": "date-time"}, "description": "The first moment."},
            time("to", "The first moment after the interval. Without it, the interval is open."),
        ],
        "responses": {"200": {
            "description": "The totals.",
            "headers": with_headers(&[AS_OF, TIME_ZONE]),
            "content": {"application/json": {"schema": schema}},
        }},
    });
    json!({"get": with_codes(get, &[&[Code::InvalidParameter], &TOKEN_CODES, &COMMON_CODES])})
}

/// Returns the operation of a leaderboard.
pub(super) fn leaderboard() -> Json {
    let places = |place: Json| json!({"type": "array", "maxItems": MAX_PLACES, "items": place});
    let user = resources::counted_resource().belongs_to.as_ref().map(|relation| relation.parent);
    let user = user.map(|user| (user.singular, schemas::reference(user, Body::Embedded)));
    let (name, user) = user.unwrap_or_default();
    let place = json!({
        "title": "LeaderboardPlace",
        "type": "object",
        "required": ["rank", "value", name],
        "properties": {
            "rank": {"type": "integer", "minimum": 1, "description": "Rank of the user. Equal values share a rank.", "examples": [1]},
            "value": {"type": "integer", "description": "The count or sum that the leaderboard ranks.", "examples": [1_500]},
            name: user,
        },
    });
    let names: Vec<_> = boards().into_iter().map(|(name, ..)| name).collect();
    let meanings = boards().into_iter().map(|(name, meaning, has_interval)| {
        let addition = if has_interval { "" } else { "; without `from` and `to`" };
        format!("`{name}`: {meaning}{addition}")
    });
    let get = json!({
        "operationId": "get_leaderboard",
        "tags": [TAG],
        "summary": "List the top users of a leaderboard",
        "description": "Equal values share a rank. Without `from` and `to`, a leaderboard covers all time. One hour, day, month or year always works; another interval may cost too much.",
        "parameters": [
            time("from", "The first moment, rounded down to a whole hour."),
            time("to", "The first moment after the interval, rounded up to a whole hour. The default is now."),
            {"name": "exact", "in": "query", "schema": {"type": "boolean", "default": false}, "description": "Whether to count up to now, without rounding, as `/totals` does. Requires `from`. With much chat, `messages` and `events` only work without it."},
            {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": MAX_PLACES, "default": 10}, "description": "The maximum number of places to return."},
        ],
        "responses": {"200": {
            "description": "The top users, highest first.",
            "headers": with_headers(&[AS_OF, TIME_ZONE]),
            "content": {"application/json": {"schema": places(place)}},
        }},
    });
    let get = with_codes(get, &[&[Code::InvalidParameter, Code::RecordNotFound], &TOKEN_CODES, &COMMON_CODES]);
    let board = json!({
        "name": "board",
        "in": "path",
        "required": true,
        "schema": {"type": "string", "enum": names},
        "description": format!("{}.", meanings.collect::<Vec<_>>().join("; ")),
    });
    json!({"parameters": [board], "get": get})
}

fn time(name: &str, description: &str) -> Json {
    json!({"name": name, "in": "query", "schema": {"type": "string", "format": "date-time"}, "description": description})
}
