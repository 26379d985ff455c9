//! Tests of the commands `export` and `import`: a channel moves from one service to another and stays the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use capture_core::resources;
use end_to_end::faults::Faults;
use end_to_end::{Api, amount, samples, stack_in, stack_with_tokens};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use transfer::{Error, ExportOptions, ImportOptions, Service};

use crate::api::feed::head;
use crate::api::import::{id, one_of_each};
use crate::guarantees::crash::Process;

/// Changes a file's bytes. `None` removes the file.
type Damage = fn(Vec<u8>) -> Option<Vec<u8>>;

pub(crate) fn service(api: &Api) -> Service {
    Service { url: api.base().to_owned(), token: None, concurrency: 16 }
}

pub(crate) fn export_to(api: &Api, folder: &Path) -> ExportOptions {
    ExportOptions { service: service(api), to: folder.to_owned(), user: None, since: None, zip: false }
}

pub(crate) fn import_from(api: &Api, folder: &Path) -> ImportOptions {
    ImportOptions { service: service(api), from: folder.to_owned(), match_users: false }
}

/// Exports a service into a new folder.
pub(crate) async fn archive_of(api: &Api) -> TempDir {
    let folder = tempdir().expect("a folder");
    transfer::export(export_to(api, folder.path())).await.expect("an archive");
    folder
}

pub(crate) async fn import(api: &Api, folder: &Path) -> Result<(), Error> {
    transfer::import(import_from(api, folder)).await
}

/// Returns an archive's files, except for the manifest, which has the time and the source.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "manifest.json") {
                let name = path.strip_prefix(folder).expect("inside").to_owned();
                found.insert(name, std::fs::read(&path).expect("a file"));
            }
        }
    }
    found
}

pub(crate) fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        let (sent, stored) = (String::from_utf8_lossy(bytes), String::from_utf8_lossy(&other[name]));
        assert!(*bytes == other[name], "{}:\n{sent}\n{stored}", name.display());
    }
}

pub(crate) fn records(folder: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.jsonl"))).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("a record")).collect()
}

/// Fills a service with records of every resource, including special cases.
pub(crate) async fn fill(api: &Api, times: usize) {
    join_all((0..times).map(|_| one_of_each(api))).await;
    let user = api.user().await;
    let home = format!("/users/{}", user["user_id"]);
    for number in 0..30 {
        api.post(&format!("{home}/transactions"), &json!({"amount": number - 20, "description": "💰"})).await.created();
    }
    for (born, forgotten) in
        [("2026-01-01", Some("2026-02-01")), ("2026-02-02", Some("2026-03-01")), ("2026-03-02", None)]
    {
        let time = |day: &str| format!("{day}T00:00:00Z");
        let specimen = json!({"born_at": time(born), "forgotten_at": forgotten.map(time)});
        api.post(&format!("{home}/specimens"), &specimen).await.created();
    }
    let stamp = json!({"stamp_type": "", "pos_x": -9, "pos_y": 0, "rotation": 1e-300});
    let document =
        samples::merged(samples::document(), &json!({"stamps": vec![stamp; 70], "metadata": "m".repeat(9_000)}));
    let event =
        samples::event(&json!({"user_id": user["user_id"], "document": document, "message": "ä\n\"".repeat(2_000)}));
    api.post("/events", &event).await.created();
    api.post("/documents", &samples::document()).await.created();
    for more in [
        json!({"event_type": "subscriber", "tier": 3, "subscribed_length": 12, "message": null}),
        json!({"event_type": "cheer", "amount": 100, "cheer_type": "Cheer"}),
        json!({"event_type": "raid", "viewer_count": 5}),
    ] {
        let mut event = samples::event(&json!({"user_id": user["user_id"]}));
        event.as_object_mut().expect("an object").remove("message");
        api.post("/events", &samples::merged(event, &more)).await.created();
    }
    // An object's numbers keep their text.
    let event =
        samples::event(&json!({"user_id": user["user_id"], "source": "twitch/channel.follow", "details": {"x": 0}}));
    let text = event.to_string().replace(r#"{"x":0}"#, r#"{"a":1.0,"b":1E+2,"c":12345678901234567890123}"#);
    let put = api.request(Method::PUT, &format!("/events/{}", id())).header("content-type", "application/json");
    api.send(put.body(text)).await.created();
}

#[tokio::test(flavor = "multi_thread")]
async fn channel_is_the_same_after_its_move() {
    let (source, target) = (Api::start(), Api::start());
    fill(&source, 5).await;
    let archive = archive_of(&source).await;
    for resource in resources::ALL {
        let lines = records(archive.path(), resource.name);
        assert!(lines.len() >= 5, "{} of {}", lines.len(), resource.name);
        let oldest_first = resource.time.is_none_or(|time| {
            lines.windows(2).all(|pair| {
                pair[0][time.name].as_str().map(str::len) != pair[1][time.name].as_str().map(str::len)
                    || pair[0][time.name].as_str() <= pair[1][time.name].as_str()
            })
        });
        assert!(oldest_first, "{}", resource.name);
    }
    let before = head(&target).await;
    import(&target, archive.path()).await.expect("an import");
    assert_same(archive.path(), archive_of(&target).await.path());
    // Sums, embedded records and images match as well.
    for user in source.list("/users").await {
        let path = format!("/users/{}", user["user_id"]);
        assert_eq!(source.get(&path).await.bytes, target.get(&path).await.bytes);
    }
    import(&target, archive.path()).await.expect("a repeated import");
    assert_eq!(head(&target).await, before, "the feed does not report imports");
}

/// Runs a command repeatedly and drops it later each time, as if its process were killed there.
async fn until_it_ends<F: Future<Output = Result<(), Error>>, Error: std::fmt::Display>(
    first: u64,
    step: u64,
    command: impl Fn() -> F,
) {
    let mut failures = Vec::new();
    for attempt in 0..150 {
        match tokio::time::timeout(Duration::from_millis(first + attempt * step), command()).await {
            Ok(Ok(())) => return,
            Ok(Err(error)) => failures.push(error.to_string()),
            Err(_) => {}
        }
    }
    panic!("the command does not end: {failures:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_commands_continue() {
    let (source, target) =
        (Api::start(), Api::faulty(Faults { throttled: 5, lost_answers: 7, conflicts: 3, ..Faults::default() }));
    fill(&source, amount("TIMES", 6, 20)).await;
    let expected = archive_of(&source).await;
    let folder = tempdir().expect("a folder");
    until_it_ends(5, 30, || transfer::export(export_to(&source, folder.path()))).await;
    assert_same(expected.path(), folder.path());
    until_it_ends(50, 200, || import(&target, folder.path())).await;
    assert_same(expected.path(), archive_of(&target).await.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_processes_continue() {
    let (source_folder, target_folder) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let source = Process::start(source_folder.path());
    fill(&source.api, 10).await;
    let target = Process::start(target_folder.path());
    let work = tempdir().expect("a folder");
    let archive = work.path().join("channel");
    let run = async |command: &str, api: &Api, option: &str, life: u64| {
        let mut process = Command::new(env!("CARGO_BIN_EXE_service-under-test"))
            .args([command, "--url", api.base(), option])
            .arg(&archive)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        for _ in 0..life.div_ceil(5) {
            if process.try_wait().expect("a process").is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        process.kill().expect("a process");
        process.wait().expect("its end").success()
    };
    for life in (0..amount("KILLS", 4, 40)).map(|kill| 10 + kill * 15) {
        run("export", &source.api, "--to", life).await;
    }
    if archive.join("export.json").exists() || !archive.join("manifest.json").exists() {
        assert!(run("export", &source.api, "--to", 60_000).await);
    }
    for life in (0..amount("KILLS", 4, 40)).map(|kill| 20 + kill * 25) {
        run("import", &target.api, "--from", life).await;
    }
    // The service itself may also be killed.
    let address = target.api.clone();
    let killed = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        target.kill();
    };
    let _ = tokio::join!(run("import", &address, "--from", 2_000), killed);
    let target = Process::start(target_folder.path());
    import(&target.api, &archive).await.expect("an import");
    assert_same(&archive, archive_of(&target.api).await.path());
    assert_same(&archive, archive_of(&source.api).await.path());
}

/// The export was killed after it had completed the archive, while it was removing the files that it no longer needed.
#[tokio::test(flavor = "multi_thread")]
async fn archive_is_complete_before_its_parts_are_removed() {
    let source = Api::start();
    fill(&source, 2).await;
    let (expected, folder) = (archive_of(&source).await, archive_of(&source).await);
    let manifest = std::fs::read_to_string(folder.path().join("manifest.json")).expect("a manifest");
    let mut progress = json!({"manifest": serde_json::from_str::<Value>(&manifest).expect("JSON"), "lists": {}});
    for resource in resources::ALL {
        let done = json!({"records_bytes": 1, "digests_bytes": 1, "next": null, "is_done": true});
        progress["lists"][resource.name] = done;
    }
    std::fs::write(folder.path().join("export.json"), progress.to_string()).expect("a file");
    transfer::export(export_to(&source, folder.path())).await.expect("an archive");
    assert_same(expected.path(), folder.path());
    let refused = transfer::export(export_to(&source, folder.path())).await.expect_err("a refusal").to_string();
    assert!(refused.contains("has a complete archive"), "{refused}");
    assert_same(expected.path(), folder.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn import_leaves_other_records_and_names_those_that_differ() {
    let (source, target) = (Api::start(), Api::start());
    fill(&source, 2).await;
    let archive = archive_of(&source).await;
    fill(&target, 2).await;
    let others = target.list("/events").await.len();
    import(&target, archive.path()).await.expect("an import");
    let imported = records(archive.path(), "events");
    assert_eq!(target.list("/events").await.len(), others + imported.len());

    let changed = imported.iter().find(|event| event["event_type"] == "plain").expect("a plain event");
    let position = imported.iter().position(|event| event == changed).expect("a position") + 1;
    let path = format!("/events/{}", changed["event_id"]);
    target.patch(&path, &json!({"message": "changed"})).await.ok();
    let problem = import(&target, archive.path()).await.expect_err("a difference").to_string();
    assert!(problem.contains(&format!("events.jsonl, line {position}:")), "{problem}");
    assert!(problem.starts_with("Not stored as in the archive: 1 of") && problem.contains("message"), "{problem}");
    assert_eq!(target.get(&path).await.ok()["message"], "changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn users_that_the_service_knows_keep_their_identifiers() {
    let (source, target) = (Api::start(), Api::start());
    fill(&source, 3).await;
    let archive = archive_of(&source).await;
    let users = records(archive.path(), "users");
    let known = &users[0];
    let own =
        target.post("/users", &json!({"platform_id": known["platform_id"], "name": "Newer name"})).await.created();
    let events = records(archive.path(), "events");
    let of_known = events.iter().filter(|event| event["user_id"] == known["user_id"]).count();
    assert!(of_known > 0);
    // The webhook has reported one of the events to both services, at different times.
    let both = events.iter().find(|event| event["user_id"] == known["user_id"] && event["document_id"].is_null());
    if let Some(both) = both {
        let reported =
            samples::merged(both.clone(), &json!({"user_id": own["user_id"], "created_at": "2026-01-01T00:00:00Z"}));
        target.put(&format!("/events/{}", both["event_id"]), &reported).await.created();
    }

    let refused = import(&target, archive.path()).await.expect_err("the platform_id is taken").to_string();
    assert!(refused.contains("users.jsonl, line 1:") && refused.contains("--match-users"), "{refused}");
    assert_eq!(refused.lines().count(), 1, "{refused}");
    let options = ImportOptions { match_users: true, ..import_from(&target, archive.path()) };
    transfer::import(options.clone()).await.expect("an import");
    transfer::import(options).await.expect("a repeated import");
    // Later changes find the same user, even if only its events have changed.
    let later = samples::event(&json!({"user_id": known["user_id"]}));
    source.post("/events", &later).await.created();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let changes = tempdir().expect("a folder");
    let since = Some(archive.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, changes.path()) }).await.expect("an archive");
    let options = ImportOptions { match_users: true, ..import_from(&target, changes.path()) };
    transfer::import(options).await.expect("an import of changes");
    let path = format!("/users/{}", own["user_id"]);
    assert_eq!(target.get(&path).await.ok()["name"], "Newer name");
    assert_eq!(target.list(&format!("{path}/events")).await.len(), of_known + 1);
    assert_eq!(target.list("/users").await.len(), users.len());
    assert_eq!(target.list("/events").await.len(), events.len() + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn source_may_change_during_its_export() {
    let (source, target) = (Api::start(), Api::start());
    // The maximum is 20 rules, including those that the changes create.
    fill(&source, 14).await;
    let folder = tempdir().expect("a folder");
    let change = async {
        for (number, user) in source.list("/users").await.into_iter().enumerate().take(30) {
            let path = format!("/users/{}", user["user_id"]);
            match number % 3 {
                0 => drop(source.delete(&path).await),
                1 => drop(source.patch(&path, &json!({"name": "Bob"})).await),
                _ => drop(one_of_each(&source).await),
            }
        }
        for document in source.list("/documents").await.into_iter().take(5) {
            source.delete(&format!("/documents/{}", document["document_id"])).await;
        }
    };
    let (exported, ()) = tokio::join!(transfer::export(export_to(&source, folder.path())), change);
    exported.expect("an archive");
    import(&target, folder.path()).await.expect("a consistent archive");
    assert_same(folder.path(), archive_of(&target).await.path());
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_archive_is_refused_before_anything_is_written() {
    let source = Api::start();
    fill(&source, 3).await;
    let archive = archive_of(&source).await;
    let target = Api::start();
    let place = |name: &str| archive.path().join(name);
    let image = records(archive.path(), "documents")[1]["image"].as_str().expect("a path").to_owned();
    let cut: Damage = |mut bytes| {
        bytes.truncate(bytes.len() / 2);
        Some(bytes)
    };
    let changed: Damage =
        |bytes| Some(String::from_utf8(bytes).expect("a text").replacen("Ann", "Ben", 1).into_bytes());
    let third: Damage = |bytes| {
        let text = String::from_utf8(bytes).expect("a text");
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines[2] = lines[2].replace('T', " ");
        Some((lines.join("\n") + "\n").into_bytes())
    };
    let all: Damage =
        |bytes| Some(String::from_utf8(bytes).expect("a text").replace("\"name\":\"", "\"name\":\"x").into_bytes());
    let outside: Damage = |bytes| {
        Some(String::from_utf8(bytes).expect("a text").replacen("images/documents", "images/../..", 1).into_bytes())
    };
    let flipped: Damage = |mut bytes| {
        bytes[40] ^= 1;
        Some(bytes)
    };
    for (name, damage, expected) in [
        ("users.jsonl", changed, ": the line was changed after the export"),
        ("events.jsonl", third, "events.jsonl, line 3: the line was changed"),
        ("users.jsonl", all, "users.jsonl was changed"),
        ("events.jsonl", cut, "events.jsonl, line"),
        ("stamps.jsonl", |_| None, "stamps.jsonl: No such file"),
        ("documents.jsonl", outside, "documents.jsonl, line 1: the line was changed"),
        (&image, flipped, "documents.jsonl, line 2: images/documents/"),
        (&image, |_| None, "documents.jsonl, line 2: images/documents/"),
        ("manifest.json", |_| None, "has no complete archive"),
        (
            "manifest.json",
            |bytes| {
                Some(String::from_utf8(bytes).expect("a text").replace("\"format\": 1", "\"format\": 2").into_bytes())
            },
            "format 2",
        ),
        ("manifest.json", |_| Some(b"{".to_vec()), "manifest.json"),
    ] {
        let intact = std::fs::read(place(name)).expect("a file");
        match damage(intact.clone()) {
            Some(damaged) => std::fs::write(place(name), damaged).expect("a file"),
            None => std::fs::remove_file(place(name)).expect("a file"),
        }
        let problem = import(&target, archive.path()).await.expect_err("damage").to_string();
        assert!(problem.contains(expected), "{name}: {problem}");
        std::fs::write(place(name), intact).expect("a file");
    }
    for resource in resources::ALL {
        assert!(target.list(&format!("/{}", resource.name)).await.is_empty(), "{}", resource.name);
    }
    import(&target, archive.path()).await.expect("an import");
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_since_an_archive_follow() {
    let (source, target) = (Api::start(), Api::start());
    fill(&source, 6).await;
    let first = archive_of(&source).await;
    import(&target, first.path()).await.expect("an import");

    let list = async |name: &str| source.list(&format!("/{name}")).await;
    let events = list("events").await;
    let plain: Vec<_> = events.iter().filter(|event| event["event_type"] == "plain").collect();
    source.patch(&format!("/events/{}", plain[0]["event_id"]), &json!({"message": "changed"})).await.ok();
    source.delete(&format!("/events/{}", plain[1]["event_id"])).await.ok();
    let users = list("users").await;
    source.patch(&format!("/users/{}", users[0]["user_id"]), &json!({"name": "Bob"})).await.ok();
    source.delete(&format!("/users/{}", users[1]["user_id"])).await.ok();
    let documents = list("documents").await;
    let image = samples::document()["document_data"].clone();
    let other = json!({"document_data": image, "metadata": null, "seal": 1});
    source.patch(&format!("/documents/{}", documents[0]["document_id"]), &other).await.ok();
    let specimens = list("specimens").await;
    let pet = specimens.iter().find(|pet| pet["forgotten_at"].is_null()).expect("an active specimen");
    source
        .patch(&format!("/specimens/{}", pet["specimen_id"]), &json!({"forgotten_at": "2099-01-01T00:00:00Z"}))
        .await
        .ok();
    source.post("/specimens", &json!({"owner_id": pet["owner_id"]})).await.created();
    source
        .post("/transactions", &json!({"user_id": users[0]["user_id"], "amount": 5, "description": "later"}))
        .await
        .created();
    let (document, user) = (source.document().await, source.user().await);
    let event = samples::event(&json!({"user_id": user["user_id"], "document_id": document["document_id"]}));
    source.post("/events", &event).await.created();
    // A document of an event that was archived without one, and a document that replaces another.
    let bare = list("events").await.into_iter().find(|event| event["document_id"].is_null()).expect("an event");
    source.post(&format!("/events/{}/document", bare["event_id"]), &samples::document()).await.created();
    let shown = list("events").await.into_iter().rfind(|event| !event["document_id"].is_null()).expect("a document");
    source.delete(&format!("/documents/{}", shown["document_id"])).await.ok();
    source.post(&format!("/events/{}/document", shown["event_id"]), &samples::document()).await.created();
    // Two viewers swap their pets.
    let active: Vec<_> = list("specimens").await.into_iter().filter(|pet| pet["forgotten_at"].is_null()).collect();
    let (one, two) = (&active[0], &active[1]);
    let change = async |pet: &Value, body: Value| {
        source.patch(&format!("/specimens/{}", pet["specimen_id"]), &body).await.ok();
    };
    change(one, json!({"forgotten_at": "2099-01-01T00:00:00Z"})).await;
    change(two, json!({"owner_id": one["owner_id"]})).await;
    change(one, json!({"owner_id": two["owner_id"], "forgotten_at": null})).await;
    // A viewer is deleted and returns under another identifier.
    let gone = list("users").await.pop().expect("a user");
    source.delete(&format!("/users/{}", gone["user_id"])).await.ok();
    source.post("/users", &json!({"platform_id": gone["platform_id"], "name": "back"})).await.created();
    // An event is deleted and stored again, which the feed does not report.
    let again = list("events").await.into_iter().find(|event| event["event_type"] == "raid").expect("a raid");
    let path = format!("/events/{}", again["event_id"]);
    source.delete(&path).await.ok();
    let fields = ["user_id", "user_name", "occurred_at", "created_at", "event_type", "viewer_count"];
    let complete: serde_json::Map<_, _> =
        fields.map(|name| (name.to_owned(), again[name].clone())).into_iter().collect();
    source.put(&path, &json!(complete)).await.created();
    let stamps = list("stamps").await;
    source.patch(&format!("/stamps/{}", stamps[0]["stamp_id"]), &json!({"pos_x": 77})).await.ok();
    // The stream delivers the last change shortly.
    tokio::time::sleep(Duration::from_secs(2)).await;

    let second = tempdir().expect("a folder");
    let since = Some(first.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, second.path()) }).await.expect("an archive");
    assert!(records(second.path(), "events").len() < list("events").await.len(), "only changes");
    assert!(!records(second.path(), "deleted").is_empty());
    import(&target, second.path()).await.expect("an import of changes");
    import(&target, second.path()).await.expect("a repeated import of changes");
    assert_same(archive_of(&source).await.path(), archive_of(&target).await.path());

    // An archive of changes is followed by another.
    for name in ["inventory", "overlays", "documents"] {
        let record = list(name).await.pop().expect("a record");
        let resource = resources::by_name(name).expect("a resource");
        source.delete(&format!("/{name}/{}", record[resource.id.name])).await.ok();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let third = tempdir().expect("a folder");
    let since = Some(second.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, third.path()) }).await.expect("an archive");
    import(&target, third.path()).await.expect("an import of changes");
    assert_same(archive_of(&source).await.path(), archive_of(&target).await.path());

    let since = Some(first.path().to_owned());
    let other = ExportOptions { since, ..export_to(&target, tempdir().expect("a folder").path()) };
    assert!(transfer::export(other).await.expect_err("another service").to_string().contains("is an archive of"));
}

/// After a restore, the feed starts at a later number. All events are then listed and compared with the earlier
/// archive.
#[tokio::test(flavor = "multi_thread")]
async fn changes_that_the_feed_no_longer_has_are_found_by_comparison() {
    let folder = tempdir().expect("a folder");
    let (source, target) = (stack_in(folder.path(), |_| {}), Api::start());
    fill(&source, 2).await;
    let first = archive_of(&source).await;
    import(&target, first.path()).await.expect("an import");
    let mut events = source.list("/events").await;
    events.retain(|event| event["document_id"].is_null() && event["event_type"] == "cheer");
    source.delete(&format!("/events/{}", events[0]["event_id"])).await.ok();
    source.event(&source.user().await).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let tool = Command::new(env!("CARGO_BIN_EXE_service-under-test"))
        .args(["feed", "advance", "--data-dir"])
        .arg(folder.path())
        .stdout(Stdio::null())
        .status();
    assert!(tool.expect("a process").success());
    let second = tempdir().expect("a folder");
    let since = Some(first.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, second.path()) }).await.expect("an archive");
    assert_eq!(records(second.path(), "events").len(), source.list("/events").await.len(), "the whole list");
    assert_eq!(records(second.path(), "deleted").len(), 1);
    import(&target, second.path()).await.expect("an import of changes");
    assert_same(archive_of(&source).await.path(), archive_of(&target).await.path());
}

/// The service has the archived viewers under other identifiers, and a different viewer under one of the archived
/// identifiers.
#[tokio::test(flavor = "multi_thread")]
async fn deletions_and_references_find_the_right_viewer() {
    let (source, target) = (Api::start(), Api::start());
    let viewer = |platform_id: &str| json!({"platform_id": platform_id, "name": platform_id});
    for (id, platform_id) in [(1, "p1"), (2, "p2")] {
        source.put(&format!("/users/{id}"), &viewer(platform_id)).await.created();
        let paid = json!({"amount": 5, "description": platform_id});
        source.post(&format!("/users/{id}/transactions"), &paid).await.created();
    }
    let first = archive_of(&source).await;
    target.put("/users/1", &viewer("p2")).await.created();
    target.put("/users/2", &viewer("p1")).await.created();
    // Without matching, no record is given to the wrong viewer.
    let refused = import(&target, first.path()).await.expect_err("other viewers").to_string();
    assert!(refused.contains("users.jsonl, line 1:") && refused.contains("--match-users"), "{refused}");
    assert!(target.list("/transactions").await.is_empty());
    let matching = |folder: &Path| ImportOptions { match_users: true, ..import_from(&target, folder) };
    transfer::import(matching(first.path())).await.expect("an import");
    assert_eq!(target.get("/users/2/transactions").await.ok()[0]["description"], "p1");

    source.delete("/users/1").await.ok();
    let second = tempdir().expect("a folder");
    let since = Some(first.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, second.path()) }).await.expect("an archive");
    let refused = import(&target, second.path()).await.expect_err("other viewers").to_string();
    assert!(refused.contains("--match-users"), "{refused}");
    assert_eq!(target.list("/users").await.len(), 2);
    let stranger = Api::start();
    stranger.put("/users/1", &viewer("p3")).await.created();
    let refused = import(&stranger, second.path()).await.expect_err("another viewer").to_string();
    assert!(refused.contains("users/1 was not deleted"), "{refused}");
    transfer::import(matching(second.path())).await.expect("an import of changes");
    let left = target.list("/users").await;
    assert_eq!((left.len(), &left[0]["platform_id"], &left[0]["wallet"]), (1, &json!("p2"), &json!(5)));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_export_at_a_time_writes_to_a_folder() {
    let source = Api::start();
    fill(&source, 6).await;
    let folder = tempdir().expect("a folder");
    let both = join_all((0..2).map(|_| transfer::export(export_to(&source, folder.path())))).await;
    assert_eq!(both.iter().filter(|done| done.is_ok()).count(), 1);
    let refused = both.into_iter().find_map(Result::err).expect("a refusal").to_string();
    assert!(refused.contains("Another export writes"), "{refused}");
    import(&Api::start(), folder.path()).await.expect("an import");
}

#[tokio::test(flavor = "multi_thread")]
async fn archive_of_one_user_has_what_belongs_to_the_user() {
    let (source, target) = (Api::start(), Api::start());
    fill(&source, 3).await;
    let everything = archive_of(&source).await;
    let folder = tempdir().expect("a folder");
    // The user with the special records was created last.
    let user = source.list("/users").await[0]["user_id"].as_u64().expect("an identifier");
    let only = capture_core::schema::Id::new(user);
    transfer::export(ExportOptions { user: only, zip: true, ..export_to(&source, folder.path()) })
        .await
        .expect("an archive");
    for (name, owner) in
        [("users", "user_id"), ("events", "user_id"), ("specimens", "owner_id"), ("transactions", "user_id")]
    {
        let mut expected = records(everything.path(), name);
        expected.retain(|record| record[owner] == user);
        assert!(!expected.is_empty());
        assert_eq!(records(folder.path(), name), expected, "{name}");
    }
    assert_eq!((records(folder.path(), "documents").len(), records(folder.path(), "stamps").len()), (1, 70));
    import(&target, folder.path()).await.expect("an import");
    assert_eq!(target.list("/users").await.len(), 1);
    let mut zip = folder.path().as_os_str().to_owned();
    zip.push(".zip");
    let zip_bytes = std::fs::read(&zip).expect("a packed archive");
    assert!(zip_bytes.starts_with(b"PK"));
    std::fs::remove_file(zip).expect("a file");
    let unknown = ExportOptions {
        user: capture_core::schema::Id::new(1),
        ..export_to(&source, tempdir().expect("a folder").path())
    };
    assert!(transfer::export(unknown).await.expect_err("no user").to_string().contains("User 1 not found"));
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_explain_what_they_need() {
    let (api, tokens) = stack_with_tokens();
    let folder = tempdir().expect("a folder");
    let with = |token: Option<String>| {
        let service = Service { token, ..service(&api) };
        ExportOptions { service, ..export_to(&api, folder.path()) }
    };
    let refused = transfer::export(with(None)).await.expect_err("a token").to_string();
    assert!(refused.contains("401") && refused.contains("same command again"), "{refused}");
    let read = crate::api::tokens::make(tokens.path(), "read");
    transfer::export(with(Some(read.clone()))).await.expect("an archive");
    let again = transfer::export(with(Some(read.clone()))).await.expect_err("an archive").to_string();
    assert!(again.contains("complete archive"), "{again}");
    let write = crate::api::tokens::make(tokens.path(), "write");
    let full = Api::start();
    full.user().await;
    let archive = archive_of(&full).await;
    let import = async |token: String| {
        let service = Service { token: Some(token), ..service(&api) };
        transfer::import(ImportOptions { service, ..import_from(&api, archive.path()) }).await
    };
    assert!(import(write).await.expect_err("a scope").to_string().contains("scope `import`"));
    import(crate::api::tokens::make(tokens.path(), "import")).await.expect("an import");
    let nobody = Service { url: "http://127.0.0.1:9".to_owned(), ..service(&api) };
    let unreachable = transfer::export(ExportOptions { service: nobody, ..export_to(&api, folder.path()) }).await;
    assert!(unreachable.expect_err("unreachable").to_string().contains("Cannot reach http://127.0.0.1:9"));
    let secure = Service { url: "https://127.0.0.1:9".to_owned(), ..service(&api) };
    let unreachable = transfer::export(ExportOptions { service: secure, ..export_to(&api, folder.path()) }).await;
    assert!(unreachable.expect_err("unreachable").to_string().contains("Cannot reach https://127.0.0.1:9"));
}
