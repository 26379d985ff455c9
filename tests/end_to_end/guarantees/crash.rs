//! Tests that kill the process at any moment: no acknowledged write is lost, and no partial write remains.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use end_to_end::{Api, TWITCH_CHANNEL, TWITCH_SECRET, samples};
use serde_json::{Value, json};

use crate::twitch::webhook::{Message, events_of, sample};

/// The service in a separate process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pub api: Api,
}

impl Process {
    pub fn start(folder: &Path) -> Self {
        Self::start_with(folder, &["--port", "0"])
    }

    pub fn start_with(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
        command.args(arguments).arg("--data-dir").arg(folder).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env("TWITCH_SECRET", TWITCH_SECRET).env("TWITCH_BROADCASTER_ID", TWITCH_CHANNEL);
        if let Some(functions) = std::env::var_os("FUNCTIONS") {
            command.arg("--lambda").arg(functions);
        }
        Self::spawn(command)
    }

    /// Starts a service that uses the table and the bucket of another service, as `serve --table` does with those on
    /// AWS.
    #[cfg(feature = "aws")]
    pub fn start_read_only(folder: &Path, stack: &event_capture::Stack, options: &event_capture::Options) -> Self {
        let variables = stack.environment(options, "local");
        let of = |name: &str| variables.iter().find(|(variable, _)| variable == name).map_or("", |(_, value)| value);
        let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
        command.args(["serve", "--port", "0", "--table", of("TABLE_NAME"), "--bucket", of("BUCKET_NAME")]);
        command.arg("--data-dir").arg(folder).stdout(Stdio::piped()).stderr(Stdio::null()).envs(variables.clone());
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> Self {
        let mut child = command.spawn().expect("a process");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").expect("an address");
        Self { api: Api::at(address), child }
    }

    /// Returns the process's peak memory, in bytes.
    pub fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        kilobytes * 1_024
    }

    pub fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes until the service is gone, and returns the acknowledged records. Adds each pair of an event and a transaction
/// to `pairs`.
async fn write_until_killed(address: Api, user: Value, pairs: Arc<AtomicUsize>) -> Vec<Value> {
    let mut acknowledged = Vec::new();
    let stamps = json!([{"stamp_type": "a", "pos_x": 0, "pos_y": 0, "rotation": 0}]);
    let document = samples::merged(samples::document(), &json!({"stamps": stamps}));
    let event = samples::event(&json!({"user_id": user["user_id"], "document": document}));
    let paid = json!({"user_id": user["user_id"], "amount": 1, "description": "x"});
    loop {
        for (path, body) in [("/events", &event), ("/transactions", &paid)] {
            let Ok(response) = address.request(reqwest::Method::POST, path).json(body).send().await else {
                return acknowledged;
            };
            let is_taken = response.status() == 201;
            let Ok(record) = response.json::<Value>().await else { return acknowledged };
            if is_taken {
                acknowledged.push(record);
            }
        }
        pairs.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..3 {
        let process = Process::start(folder.path());
        let user = process.api.user().await;
        let pairs = Arc::new(AtomicUsize::new(0));
        let clients: Vec<_> = (0..6)
            .map(|_| tokio::spawn(write_until_killed(process.api.clone(), user.clone(), Arc::clone(&pairs))))
            .collect();
        while pairs.load(Ordering::Relaxed) < 20 + 7 * round {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        process.kill();

        let process = Process::start(folder.path());
        let mut events = 0;
        let mut paid = 0;
        for client in clients {
            for record in client.await.expect("a client") {
                if record["event_id"].is_null() {
                    paid += 1;
                    continue;
                }
                events += 1;
                let rendered = process.api.get(&format!("/events/{}", record["event_id"])).await.ok();
                assert_eq!(rendered["document"]["stamps"], record["document"]["stamps"]);
                let image = process.api.get(rendered["document"]["document_data"].as_str().expect("a URL")).await;
                assert_eq!((image.status.as_u16(), image.bytes), (200, samples::png(2, 2)));
            }
        }
        assert!(events > 0 && paid > 0, "the round wrote something");
        let home = format!("/users/{}", user["user_id"]);
        let listed = process.api.list(&format!("{home}/events")).await;
        assert!(listed.len() >= events);
        assert!(
            listed.iter().all(|event| event["document"]["stamps"].as_array().is_some_and(|stamps| stamps.len() == 1))
        );
        let sum: i64 = process
            .api
            .list(&format!("{home}/transactions"))
            .await
            .iter()
            .map(|paid| paid["amount"].as_i64().expect("an amount"))
            .sum();
        assert!(sum >= paid);
        assert_eq!(process.api.get(&format!("{home}/wallet")).await.ok()["wallet"], sum);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_deletion_completes_after_a_restart() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let mut tries = 0;
    while !cut_a_deletion_off().await {
        tries += 1;
        assert!(tries < 5, "each deletion was over before the kill");
    }
}

/// Kills the service during a deletion, restarts it, and checks that the deletion completes. Returns false if the
/// deletion was complete before the kill.
async fn cut_a_deletion_off() -> bool {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start(folder.path());
    let user = process.api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    let body = samples::event(&json!({"document": samples::document()}));
    let mut images = Vec::new();
    for _ in 0..10 {
        let path = format!("{home}/events");
        let events = (0..20).map(|_| process.api.post(&path, &body));
        for reply in futures_util::future::join_all(events).await {
            images.push(reply.created()["document"]["document_data"].as_str().expect("a URL").to_owned());
        }
    }
    let objects = folder.path().join("images/objects");
    let stored = || std::fs::read_dir(&objects).expect("a folder").count();
    assert_eq!(stored(), 200);
    let deletion = tokio::spawn(process.api.request(reqwest::Method::DELETE, &home).send());
    while stored() > 150 {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    process.kill();
    let was_cut_off = stored() > 0;
    let _ = deletion.await;

    let process = Process::start(folder.path());
    let deadline = Instant::now() + Duration::from_mins(1);
    while stored() > 0 || !process.api.list("/documents").await.is_empty() {
        assert!(Instant::now() < deadline, "{} images are left", stored());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    process.api.get(&home).await.refused(404);
    assert!(process.api.list("/events").await.is_empty());
    was_cut_off
}

#[tokio::test(flavor = "multi_thread")]
async fn twitch_message_with_copies_during_a_kill_is_stored_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut rounds, mut interrupted) = (0, 0);
    while interrupted < 3 {
        let process = Process::start(folder.path());
        let messages: Vec<_> =
            (0..40).map(|_| sample("channel.cheer")).map(|(body, viewer)| (Message::new(&body), viewer)).collect();
        let copies =
            messages.iter().chain(&messages).map(|(message, _)| tokio::spawn(message.request(&process.api).send()));
        let copies: Vec<_> = copies.collect();
        tokio::time::sleep(Duration::from_millis(15 + 20 * interrupted)).await;
        process.kill();
        let mut acknowledged = 0;
        for copy in copies {
            let answered = copy.await.expect("a client").is_ok_and(|answer| answer.status() == 204);
            acknowledged += usize::from(answered);
        }
        // On a busy machine, the kill may follow the last acknowledgement.
        interrupted += u64::from(acknowledged < 2 * messages.len());
        rounds += 1;
        assert!(rounds < 20, "most kills came too late");
        // The sender resends each message that was not acknowledged.
        let process = Process::start(folder.path());
        for (message, viewer) in &messages {
            assert_eq!(message.send(&process.api).await.status, 204);
            assert_eq!(events_of(&process.api, viewer).await.len(), 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn data_dir_of_another_version_is_refused_with_the_way_out() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(folder.path());
    process.api.user().await;
    let pid = process.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a signal").success());
    assert!(process.child.wait().expect("it ends").success());
    // SQLite stores the version here: https://www.sqlite.org/fileformat2.html#user_version_number
    let file = folder.path().join("table.sqlite");
    let mut bytes = std::fs::read(&file).expect("a table");
    for version in [0, 1, 99] {
        bytes[60..64].copy_from_slice(&u32::to_be_bytes(version));
        std::fs::write(&file, &bytes).expect("a file");
        let text = refusal(&["--data-dir", folder.path().to_str().expect("a path")]);
        let words = ["another version", "event-capture export", "event-capture import"];
        assert!(words.into_iter().all(|word| text.contains(word)), "{version}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_work_beside_a_running_service() {
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start_with(folder.path(), &["--port", "0", "--require-token"]);
    let token = crate::api::tokens::make(folder.path(), "write");
    let write = async |count: usize| {
        for _ in 0..count {
            let request = process.api.request(reqwest::Method::POST, "/users").bearer_auth(&token);
            assert_eq!(process.api.send(request.json(&samples::user())).await.status, 201);
        }
    };
    let others = async {
        let mut tokens = Vec::new();
        for _ in 0..5 {
            let folder = folder.path().to_owned();
            let made = tokio::task::spawn_blocking(move || crate::api::tokens::make(&folder, "read"));
            tokens.push(made.await.expect("a tool"));
        }
        tokens
    };
    let (tokens, ()) = tokio::join!(others, write(200));
    for token in tokens {
        let request = process.api.request(reqwest::Method::GET, "/users").bearer_auth(token);
        assert_eq!(process.api.send(request).await.status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn port_serves_no_table_and_only_signed_images() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let process = Process::start(folder.path());
    let secret = std::fs::read_to_string(folder.path().join("secret")).expect("a secret");
    let image = process.api.document().await["document_data"].as_str().expect("a URL").to_owned();
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let signed = client.get(&image).send().await.expect("an answer").headers()["location"].clone();
    let signed = signed.to_str().expect("a URL").to_owned();
    let (unsigned, _) = signed.split_once('?').expect("a query");
    assert_eq!(client.get(&signed).send().await.expect("an answer").status(), 200);
    let moved = signed.replace("expires=1", "expires=2");
    assert_ne!(moved, signed);
    for (method, url) in [
        (reqwest::Method::POST, format!("{}/{secret}/", process.api.base())),
        (reqwest::Method::GET, unsigned.to_owned()),
        (reqwest::Method::GET, moved),
        (reqwest::Method::HEAD, signed.clone()),
        (reqwest::Method::PUT, signed.clone()),
        (reqwest::Method::DELETE, signed.clone()),
        (reqwest::Method::GET, format!("{}/event-capture-images?list-type=2", process.api.base())),
        (reqwest::Method::GET, signed.replace("/event-capture-images/", "/event-capture-images/..%2F..%2F")),
    ] {
        for origin in [None, Some("https://evil.example")] {
            let mut request = client.request(method.clone(), &url);
            if let Some(origin) = origin {
                request = request.header("Origin", origin);
            }
            let answer = request.send().await.expect("an answer");
            assert!(answer.status().is_client_error(), "{method} {url}: {}", answer.status());
            assert!(answer.headers().get("access-control-allow-origin").is_none(), "{method} {url}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_stops_cleanly_and_the_data_dir_has_one_owner() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(folder.path());
    let user = process.api.user().await;
    let mut second = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    let second = second
        .args(["--port", "0", "--data-dir"])
        .arg(folder.path())
        .stderr(Stdio::null())
        .status()
        .expect("a process");
    assert!(!second.success(), "two processes on one folder");
    let pid = process.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a signal").success());
    assert!(process.child.wait().expect("it ends").success());
    let process = Process::start(folder.path());
    process.api.get(&format!("/users/{}", user["user_id"])).await.ok();
}

/// Runs the service with invalid arguments and returns its error output.
fn refusal(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    let output = command.args(["--port", "0"]).args(arguments).stdin(Stdio::null()).output().expect("a process");
    assert!(!output.status.success(), "{arguments:?}");
    let text = String::from_utf8(output.stderr).expect("a text");
    assert!(!text.contains("panicked"), "{text}");
    text
}

#[test]
fn unusable_data_dir_is_reported_with_a_fix() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    std::fs::write(path("file"), "x").expect("a file");
    std::fs::create_dir_all(path("damaged")).expect("a folder");
    std::fs::write(path("damaged/table.sqlite"), "no database at all".repeat(500)).expect("a file");
    std::fs::create_dir_all(path("blocked")).expect("a folder");
    std::fs::write(path("blocked/images"), "x").expect("a file");
    // Folders where a service has run.
    std::fs::create_dir_all(path("emptied/images/objects")).expect("a folder");
    std::fs::create_dir_all(path("empty/images/objects")).expect("a folder");
    std::fs::write(path("empty/table.sqlite"), "").expect("a file");
    std::fs::create_dir_all(path("guessable")).expect("a folder");
    std::fs::write(path("guessable/secret"), "x".repeat(31)).expect("a file");
    // Like a full disk, this device accepts no writes.
    std::fs::create_dir_all(path("full-and-damaged")).expect("a folder");
    std::os::unix::fs::symlink("/dev/full", path("full-and-damaged/room")).expect("a link");
    std::fs::copy(path("damaged/table.sqlite"), path("full-and-damaged/table.sqlite")).expect("a file");
    for (data, named, advice) in [
        ("full-and-damaged", "full-and-damaged", "Make room"),
        ("file", "file", "--data-dir"),
        ("empty", "empty/table.sqlite", "Restore a good copy"),
        ("damaged", "damaged/table.sqlite", "Restore a good copy"),
        ("blocked", "blocked/images", "--data-dir"),
        ("emptied", "emptied/table.sqlite", "Restore the file"),
        ("guessable", "guessable/secret", "delete it"),
    ] {
        let text = refusal(&["--data-dir", &path(data)]);
        assert!(text.contains(&path(named)) && text.contains(advice), "{data}: {text}");
        assert_eq!(text.trim().lines().count(), 1, "{text}");
    }
    // Without tokens, only this machine may reach the service.
    assert!(refusal(&["--listen", "0.0.0.0", "--data-dir", &path("other")]).contains("--require-token"));
    for origin in
        ["*", "https://a.example/", "https://a.example/x", "a.example", "https://A.example", "https://a.example:443"]
    {
        assert!(refusal(&["--allow-origin", origin]).contains("browsers send"), "{origin}");
    }
}

#[test]
fn tools_create_no_data_dir() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    for tool in [
        "token list",
        "token create --scope read --name x",
        "feed advance",
        "payments check --from 2026-11-20T18:00:00Z --to 2026-11-20T19:00:00Z --broadcaster none",
        "payments repair --yes --from 2026-11-20T18:00:00Z --to 2026-11-20T19:00:00Z --broadcaster none",
        "rollups check",
        "rollups rebuild",
        "sweep skip",
    ] {
        for (data, is_created) in [(missing.as_path(), false), (folder.path(), true)] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
            let output = command.args(tool.split(' ')).arg("--data-dir").arg(data).output().expect("a process");
            let text = String::from_utf8(output.stderr).expect("a text");
            assert!(!output.status.success() && output.stdout.is_empty(), "{tool}: {text}");
            let expected = format!("{} is not a data folder of a service. Set --data-dir", data.display());
            assert!(text.starts_with(&expected) && text.trim().lines().count() == 1, "{tool}: {text}");
            assert_eq!(data.exists(), is_created, "{tool}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is created in it");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_table_is_refused_at_the_start() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(folder.path());
    let users = futures_util::future::join_all((0..200).map(|_| process.api.user()));
    users.await;
    let pid = process.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("a signal").success());
    assert!(process.child.wait().expect("it ends").success());

    let file = folder.path().join("table.sqlite");
    let intact = std::fs::read(&file).expect("a table");
    let (half, quarter) = (intact.len() / 2, intact.len() / 4);
    let overwritten = |from: usize, length: usize, byte: &dyn Fn() -> u8| {
        let mut damaged = intact.clone();
        damaged[from..from + length].fill_with(byte);
        damaged
    };
    for (damage, damaged) in [
        ("no header", overwritten(0, 100, &|| 0)),
        ("cut off", intact[..half].to_vec()),
        ("without its last page", intact[..intact.len() - 4_096].to_vec()),
        ("zeros in the middle", overwritten(half, quarter, &|| 0)),
        ("noise in the middle", overwritten(half, quarter, &|| fastrand::u8(..))),
    ] {
        std::fs::write(&file, damaged).expect("a file");
        let text = refusal(&["--data-dir", folder.path().to_str().expect("a path")]);
        assert!(text.contains("table.sqlite is damaged") && text.contains("Restore a good copy"), "{damage}: {text}");
    }
    std::fs::write(&file, &intact).expect("a file");
    let process = Process::start(folder.path());
    assert_eq!(process.api.list("/users").await.len(), 200);
    assert_eq!(process.api.get("/health").await.ok()["status"], "ok");
    // The disk fails later. Connections that have not read the pages yet detect it.
    std::fs::write(&file, overwritten(half, quarter, &|| fastrand::u8(..))).expect("a file");
    let started = Instant::now();
    while process.api.get("/health").await.ok()["status"] != "damaged" {
        assert!(started.elapsed() < Duration::from_secs(30), "nothing says that the table is damaged");
        let lists = futures_util::future::join_all((0..16).map(|_| process.api.get("/users"))).await;
        assert!(lists.iter().all(|reply| [200, 503].contains(&reply.status.as_u16())));
    }
}

/// Returns the permissions of everything in a folder, by path.
fn permissions(folder: &Path) -> std::collections::BTreeMap<std::path::PathBuf, u32> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let mut modes = std::collections::BTreeMap::from([(folder.to_owned(), mode(folder))]);
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            modes.extend(permissions(&path));
        } else {
            modes.insert(path.clone(), mode(&path));
        }
    }
    modes
}

#[tokio::test(flavor = "multi_thread")]
async fn other_accounts_cannot_read_the_data_dir() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().expect("a folder");
    let folder = parent.path().join("data");
    let process = Process::start(&folder);
    process.api.document().await;
    let modes = permissions(&folder);
    let is_private = |(path, mode): (&std::path::PathBuf, &u32)| *mode == if path.is_dir() { 0o700 } else { 0o600 };
    assert!(modes.iter().all(is_private) && modes.len() > 8, "{modes:?}");
    process.kill();

    // A folder from an earlier version.
    let table = folder.join("table.sqlite");
    for (path, mode) in [(&folder, 0o755), (&table, 0o644), (&folder.join("images"), 0o755)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
    }
    Process::start(&folder).kill();
    let modes = permissions(&folder);
    assert!(modes.iter().all(is_private), "{modes:?}");

    // The service shares its folder with other files.
    std::fs::write(folder.join("notes.txt"), "x").expect("a file");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    Process::start(&folder).kill();
    let modes = permissions(&folder);
    assert_eq!((modes[&folder], modes[&table]), (0o755, 0o600));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_the_table_file_stops_the_service() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut process = Process::start(folder.path());
    process.api.user().await;
    std::fs::remove_file(folder.path().join("table.sqlite")).expect("a file");
    let sent = process.api.request(reqwest::Method::POST, "/users").json(&samples::user()).send().await;
    assert!(sent.is_ok_and(|answer| answer.status() == 503) || process.child.try_wait().expect("a process").is_some());
    assert!(!process.child.wait().expect("it ends").success());
}

/// Returns a service that waits two seconds for a client.
fn impatient() -> Api {
    end_to_end::stack_in(&end_to_end::folder(), |options| options.client_silence = 2)
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_or_idle_connection_is_closed() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let api = impatient();
    let address = api.base().strip_prefix("http://").expect("an address").to_owned();
    let ended = |sent: &'static [u8]| {
        let address = address.clone();
        async move {
            let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
            stream.write_all(sent).await.expect("it is open");
            let mut answer = Vec::new();
            tokio::time::timeout(Duration::from_secs(25), stream.read_to_end(&mut answer)).await.is_ok()
        }
    };
    let (silent, slow) = tokio::join!(ended(b""), ended(b"GET /users HTTP/1.1\r\nHost: x"));
    assert!(silent && slow);
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_do_not_read_are_disconnected() {
    let api = impatient();
    let text = "x".repeat(90_000);
    let body = samples::event(&json!({"user": samples::user(), "message": text}));
    for _ in 0..40 {
        api.post("/events", &body).await.created();
    }
    // A loaded machine takes a while to fill the buffers, and the service's two seconds start then.
    for pause in [4, 8, 16, 32] {
        let received = received_after_a_pause(&api, Duration::from_secs(pause)).await;
        if received < 4 * 3_600_000 {
            return;
        }
    }
    panic!("no response was cut off");
}

/// Requests more than the buffers of both sides hold, pauses, and then reads everything. Returns the bytes.
async fn received_after_a_pause(api: &Api, pause: Duration) -> usize {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let address = api.base().strip_prefix("http://").expect("an address");
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("a connection");
    for _ in 0..4 {
        stream.write_all(b"GET /events HTTP/1.1\r\nHost: x:1\r\n\r\n").await.expect("it is open");
    }
    tokio::time::sleep(pause).await;
    let mut received = Vec::new();
    let _ = stream.read_to_end(&mut received).await;
    received.len()
}
