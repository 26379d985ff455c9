//! Counts the instructions of warm requests, which no load of the machine changes, unlike times.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use local_stack::runtime::Environment;
use local_stack::{Error, Options, Stack};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::sleep;

use crate::{Case, LONGEST, ask, event, in_group};

/// The requests before those that are counted, and with them.
const COUNTS: [usize; 2] = [10, 40];
/// The part by which a count may exceed the committed one. Random identifiers and times change a count by less than 1 %.
const TOLERANCE: f64 = 0.03;

/// A request: its name, the group that handles it, and its event, which may depend on the number of the request.
type Counted<'a> = (&'static str, &'static str, Box<dyn Fn(usize) -> String + 'a>);

/// Count the instructions of each request, in thousands, print them, and compare them with a file of the same form.
///
/// # Errors
/// If valgrind is missing, or a function fails.
pub(crate) async fn count(folder: &Path, committed: &Path, profiles: Option<&Path>) -> Result<bool, Error> {
    let data = tempfile::tempdir()?;
    let stack = Stack::start(&Options { port: 0, data_dir: data.path().join("data"), ..Options::default() }).await?;
    let client = reqwest::Client::new();
    let post = async |path: &str, body: Value| -> Result<Value, Error> {
        Ok(client.post(format!("http://{}{path}", stack.address)).json(&body).send().await?.json().await?)
    };
    let user = &post("/users", json!({"platform_id": "1", "name": "Ann"})).await?["user_id"];
    let other = &post("/users", json!({"platform_id": "2", "name": "Bob"})).await?["user_id"];
    let new_event = |user: &Value| json!({"user_id": user, "user_name": "Ann", "event_type": "plain", "message": "hello", "occurred_at": "2026-01-01T00:00:00Z"});
    for _ in 0..60 {
        post("/events", new_event(user)).await?;
    }
    let path = &format!("/events/{}", post("/events", new_event(user)).await?["event_id"]);
    let get = |path: &str, query: &str| -> Box<dyn Fn(usize) -> String> {
        let event = event("GET", path, query, None);
        Box::new(move |_| event.clone())
    };
    let requests: [Counted; 7] = [
        ("GET a user", "users", get(&format!("/users/{user}"), "")),
        ("GET an event", "events", get(path, "")),
        ("GET a page of 50 events", "events", get("/events", "limit=50")),
        ("GET a page of 50 events of two users", "events", get("/events", &format!("limit=50&user_id={user},{other}"))),
        ("POST an event", "events", Box::new(|_| event("POST", "/events", "", Some(&new_event(user))))),
        (
            "PATCH an event",
            "events",
            Box::new(|number| event("PATCH", path, "", Some(&json!({"message": format!("message {number}")})))),
        ),
        (
            "POST a transaction",
            "transactions",
            Box::new(|_| {
                event("POST", "/transactions", "", Some(&json!({"user_id": user, "amount": 1, "description": "x"})))
            }),
        ),
    ];
    let binary = data.path().join("counted");
    let api = folder.join("api").join("bootstrap").canonicalize()?;
    let committed: BTreeMap<String, f64> = serde_json::from_slice(&std::fs::read(committed)?)?;
    let mut passed = true;
    println!("| Request | Instructions, in thousands | Committed |\n| --- | --- | --- |");
    for (name, group, request) in &requests {
        let mut totals = Vec::new();
        for count in COUNTS {
            let profile = profiles.unwrap_or(data.path()).join(format!("{}.{count}", name.replace(' ', "-")));
            let script = format!(
                "#!/bin/sh\nexec valgrind -q --tool=callgrind --callgrind-out-file={} {}\n",
                profile.display(),
                api.display()
            );
            std::fs::write(&binary, script)?;
            std::fs::set_permissions(&binary, Permissions::from_mode(0o700))?;
            let variables = in_group(&stack.environment(group), group);
            let mut environment = Environment::start(&binary, &variables).await?;
            for number in 0..count {
                ask(&mut environment, &Case { variables: Vec::new(), event: request(number) }).await?;
            }
            totals.push(total(&environment, &profile).await?);
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
        let each = (totals[1] - totals[0]) as f64 / (COUNTS[1] - COUNTS[0]) as f64 / 1_000.0;
        let limit = committed.get(*name);
        println!("| {name} | {each:.0} | {} |", limit.map_or_else(String::new, |limit| format!("{limit:.0}")));
        passed &= limit.is_none_or(|limit| each <= limit * (1.0 + TOLERANCE));
    }
    stack.stop().await?;
    Ok(passed)
}

/// End a counted process, and read its total from the profile that it writes then.
async fn total(environment: &Environment, profile: &Path) -> Result<u64, Error> {
    let pid = environment.pid().ok_or("the function has ended")?;
    Command::new("kill").arg(pid.to_string()).status().await?;
    for _ in 0..1_000 {
        let text = std::fs::read_to_string(profile).unwrap_or_default();
        if let Some(total) = text.lines().find_map(|line| line.strip_prefix("totals: ")) {
            return Ok(total.trim().parse()?);
        }
        sleep(Duration::from_millis(20)).await;
    }
    Err(format!("no profile after {LONGEST:?}").into())
}
