//! Tests that kill the process at every call of every request. The stores outlive the process, as they do on AWS.

use end_to_end::is_deep;
use std::net::Ipv4Addr;

use axum::Router;
use axum::body::Bytes;
use http::{HeaderMap, StatusCode};
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::*;

const KILLS: [Fault; 2] = [Fault::KilledAfter, Fault::KilledBefore];

/// A service that can be killed, with stores that remain.
struct Killable {
    gate: Gate,
    folder: TempDir,
    table: String,
    bucket: String,
    /// The stores as their owner accesses them, without the gate.
    store: Store,
}

/// Serves a table on a port with the protocol of the SDKs, and returns its endpoint.
async fn serve(table: SharedBackend) -> String {
    let answer = move |headers: HeaderMap, body: Bytes| {
        let text = |name: &str| headers.get(name).map_or("", |value| value.to_str().expect("a text")).to_owned();
        let answering = table.call(Call::signed(&text("x-amz-target"), &text("authorization"), body));
        async move {
            let CallResponse { status, body } = answering.await;
            (StatusCode::from_u16(status).expect("a status"), body)
        }
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
    format!("http://{address}")
}

impl Killable {
    async fn start() -> Self {
        let mut table = None;
        let host = Options { lambda: None, ..options(&folder()) };
        let host = Stack::start_behind(&host, |embedded| {
            table = Some(Arc::clone(&embedded));
            embedded
        });
        // Only its emulator is needed.
        std::mem::forget(host.await.expect("the emulator starts"));
        let table = table.expect("a table");
        let state = Arc::default();
        let bucket = bucket::start(Arc::clone(&state)).await;
        let gate = Gate { table: Arc::clone(&table), state };
        let folder = tempfile::tempdir().expect("a folder");
        let owner = end_to_end::folder();
        // Both folders use one table, and therefore have the same secret.
        for folder in [folder.path(), &owner] {
            std::fs::write(folder.join("secret"), "the secret of both folders of a table").expect("a file");
        }
        let direct = serve(Arc::clone(&table)).await;
        let owner = Options {
            lambda: None,
            dynamodb_endpoint: Some(direct),
            s3_endpoint: Some(bucket.clone()),
            ..options(&owner)
        };
        let owner = Stack::start(&owner).await.expect("the owner's handle");
        let store = owner.store.clone();
        std::mem::forget(owner);
        Self { table: serve(Arc::new(gate.clone())).await, gate, folder, bucket, store }
    }

    /// Starts the process, and waits until its initial calls are done.
    async fn alive(&self) -> Api {
        self.gate.set(None);
        let arguments = ["--port", "0", "--dynamodb-endpoint", &self.table, "--s3-endpoint", &self.bucket];
        let process = Process::start_with(self.folder.path(), &arguments);
        let api = process.api.clone();
        self.gate.state.lock().expect("a lock").victim = Some(process);
        let mut calls = 0;
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let now = self.gate.state.lock().expect("a lock").background;
            if now > 0 && now == calls {
                return api;
            }
            calls = now;
        }
    }

    fn is_dead(&self) -> bool {
        self.gate.state.lock().expect("a lock").victim.is_none()
    }
}

/// Sends a request, and returns its status. None if there is no response.
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
    let service = Killable::start().await;
    let mut api = service.alive().await;
    let own = cast(&api).await;
    service.gate.set(None);
    let right = attempt(&api, &own, kind).await.expect("an answer");
    let calls = service.gate.calls();
    let expected = picture(&api, &own).await;
    for fault in kills {
        for (position, call) in
            positions(slice, *fault, &calls, PARTS.1).into_iter().map(|position| (position, &calls[position]))
        {
            let what = format!("{}, {fault:?} at call {position} ({call})", kind.0);
            let own = cast(&api).await;
            service.gate.set(Some((position, 1, *fault)));
            let answered = attempt(&api, &own, kind).await;
            if service.is_dead() {
                api = service.alive().await;
            }
            service.gate.set(None);
            let status = match answered {
                Some(status) => status,
                None => attempt(&api, &own, kind).await.expect("an answer"),
            };
            let is_done = status == right || is_done_before(kind, status);
            assert!(is_done, "{what}: {answered:?}, then {status}");
            let deadline = Instant::now() + Duration::from_mins(1);
            upkeep::run(&service.store, Timestamp::now(), deadline).await.expect("the upkeep");
            assert_eq!(picture(&api, &own).await, expected, "{what}: {answered:?}, then {status}");
        }
    }
    // The sweep deletes unused images an hour later.
    let later = Timestamp::now().shifted(time::Duration::minutes(62)).expect("a time");
    upkeep::run(&service.store, later, Instant::now() + Duration::from_mins(1)).await.expect("the upkeep");
    invariants::check(&service.store).await;
    let state = service.gate.state.lock().expect("a lock");
    state.injected.values().sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_apply_once_despite_a_kill_at_every_call() {
    let started = Instant::now();
    // A kill before a call leaves the same state as one after the previous call, except for concurrent calls.
    let kills = if std::env::var_os("DEPTHS").is_some() { &KILLS[..] } else { &KILLS[..1] };
    let mut killed = 0;
    // Each case has a process of its own and an emulator. More at once would wait for one another for too long.
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
