//! Tests that kill the process at every call of every request. The process keeps its data in a folder, which the next
//! process opens.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use end_to_end::{is_deep, store_in};
use tempfile::TempDir;

use super::*;

const KILLS: [Fault; 2] = [Fault::KilledAfter, Fault::KilledBefore];

/// A process with a gate that takes commands.
struct Process {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    api: Api,
}

impl Process {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
        command.env("GATED", folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("a process");
        let orders = child.stdin.take().expect("its input");
        let mut answers = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        answers.read_line(&mut line).expect("a line");
        let api = Api::at(line.trim().strip_prefix("listening on ").expect("an address"));
        Self { child, orders, answers, api }
    }

    /// Sends a command and returns the reply.
    fn order(&mut self, order: &str) -> String {
        writeln!(self.orders, "{order}").expect("an order");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("an answer");
        answer.trim().to_owned()
    }

    /// Returns true if the process has ended. A kill ends the process shortly after it has answered a request.
    async fn is_dead(&mut self, within: Duration) -> bool {
        let deadline = Instant::now() + within;
        loop {
            if self.child.try_wait().expect("a process").is_some() {
                return true;
            }
            if Instant::now() > deadline {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the process and waits until its initial calls are done.
async fn alive(folder: &TempDir) -> Process {
    let mut process = Process::start(folder.path());
    process.order("set none");
    let mut calls = String::from("0");
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let now = process.order("background");
        if now != "0" && now == calls {
            return process;
        }
        calls = now;
    }
}

/// Sends a request and returns its status, or `None` without a response.
async fn attempt(api: &Api, cast: &Cast, kind: &Case) -> Option<u16> {
    let (method, path, body) = kind.1(cast);
    let request = if path.starts_with("/webhooks") {
        Message::new(&body).request(api)
    } else {
        let request = api.request(method, &path).header("Idempotency-Key", &cast.key);
        if body.is_null() { request } else { request.json(&body) }
    };
    Some(request.send().await.ok()?.status().as_u16())
}

/// Kills the process at each call of a kind of request. Returns the number of kills.
async fn kill_at_each(kind: &Case, slice: Slice, kills: &[Fault]) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = alive(&folder).await;
    let store = store_in(folder.path());
    let own = cast(&process.api).await;
    process.order("set none");
    let right = attempt(&process.api, &own, kind).await.expect("an answer");
    let calls: Vec<_> = process.order("calls").split(' ').map(str::to_owned).collect();
    let expected = picture(&process.api, &own).await;
    let mut killed = 0;
    for fault in kills {
        for position in positions(slice, *fault, &calls, PARTS.1) {
            let what = format!("{}, {fault:?} at call {position} ({})", kind.0, calls[position]);
            let own = cast(&process.api).await;
            process.order(&format!("set {position} {}", if *fault == Fault::KilledAfter { "after" } else { "before" }));
            let answered = attempt(&process.api, &own, kind).await;
            // A request may make fewer calls than in its first run. Then nothing is killed.
            let grace = if answered.is_none() { Duration::from_secs(10) } else { Duration::ZERO };
            if process.is_dead(grace).await {
                killed += 1;
                process = alive(&folder).await;
            }
            process.order("set none");
            let status = match answered {
                Some(status) => status,
                None => attempt(&process.api, &own, kind).await.expect("an answer"),
            };
            let is_done = status == right || is_done_before(kind, status);
            assert!(is_done, "{what}: {answered:?}, then {status}");
            let deadline = Instant::now() + Duration::from_mins(1);
            upkeep::run(&store, Timestamp::now(), deadline).await.expect("the upkeep");
            assert_eq!(picture(&process.api, &own).await, expected, "{what}: {answered:?}, then {status}");
        }
    }
    // The sweep deletes unused images an hour later.
    let later = Timestamp::now().checked_add(time::Duration::minutes(62)).expect("a time");
    upkeep::run(&store, later, Instant::now() + Duration::from_mins(1)).await.expect("the upkeep");
    invariants::check(&store).await;
    invariants::check_indexes(folder.path());
    killed
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_apply_once_despite_a_kill_at_every_call() {
    let started = Instant::now();
    // A kill before a call leaves the same state as one after the previous call, except for concurrent calls.
    let kills = if std::env::var_os("DEPTHS").is_some() { &KILLS[..] } else { &KILLS[..1] };
    let mut killed = 0;
    // Each case has a separate process. Any more at once would wait too long for each other.
    let slice = Slice::of_this_run();
    let cases: Vec<_> = slice.of(&CASES, PARTS.0).collect();
    for cases in cases.chunks(4) {
        killed += join_all(cases.iter().map(|case| kill_at_each(case, slice.beyond(PARTS.0), kills)))
            .await
            .into_iter()
            .sum::<usize>();
    }
    println!("{killed} kills in {:?}, nothing lost, doubled or half done", started.elapsed());
    assert!(killed > if is_deep() { 80 } else { 2 }, "{killed}");
}
