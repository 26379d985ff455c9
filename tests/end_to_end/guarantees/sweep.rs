//! Tests of the image sweep: it deletes images without a record, but not the images of a table that has lost its
//! records.

use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use capture_core::error::Result;
use capture_core::lambda::upkeep::{self, UpkeepReport};
use capture_core::resources;
use capture_core::schema::Timestamp;
use capture_core::store::{Store, SweepCursor, SweepProgress};
use end_to_end::{Api, logs, options, samples, stack_in};
use event_capture::Stack;
use futures_util::future::join_all;
use serde_json::Value;

use crate::guarantees::transfer::{export_to, import};

const CHECKPOINT: &str = "checkpoints/images";

/// Runs the upkeep some minutes from now.
async fn run_in(minutes: i64, store: &Store) -> Result<UpkeepReport> {
    let now = Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time");
    upkeep::run(store, now, Instant::now() + Duration::from_secs(30)).await
}

/// Uploads an image without a record, like a request that fails after its upload.
async fn orphan(store: &Store) -> String {
    let name = store.next_image_name().expect("a name");
    let record = resources::parse_key("documents/7").expect("a key");
    store.put_image(&name, record, "image/png", Bytes::from_static(b"x")).await.expect("it is stored");
    name
}

/// Waits until the stack's own upkeep has run once. Images that were uploaded before are not swept.
pub(super) async fn has_run(store: &Store) {
    while store.checkpoint::<SweepProgress>().await.expect("an answer").is_none() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    next_tick().await;
}

/// Waits until new files get a later time than now. The system gives them the time of its last tick, a few milliseconds
/// ago.
async fn next_tick() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

async fn is_there(store: &Store, name: &str) -> bool {
    store.image_url(name, false).await.expect("an answer").is_some()
}

async fn image_of(api: &Api, document: &Value) -> u16 {
    api.get(document["document_data"].as_str().expect("a URL")).await.status.as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn sweep_deletes_only_old_images_without_a_record() {
    let (api, store) = Api::start_with_store();
    has_run(&store).await;
    let (document, orphan) = (api.document().await, orphan(&store).await);
    assert_eq!(run_in(0, &store).await.expect("a run").images_removed, 0, "its record may be on the way");
    assert_eq!(run_in(50, &store).await.expect("a run").images_removed, 0, "the bucket is listed once an hour");
    assert_eq!(run_in(62, &store).await.expect("a run").images_removed, 1);
    assert!(!is_there(&store, &orphan).await);
    assert_eq!(image_of(&api, &document).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_checkpoint_restarts_the_sweep_from_now() {
    let (_api, store) = Api::start_with_store();
    has_run(&store).await;
    let orphan = orphan(&store).await;
    store.delete_all(&[CHECKPOINT.to_owned()]).await.expect("it is deleted");
    for minutes in [2, 64, 130] {
        assert_eq!(run_in(minutes, &store).await.expect("a run").images_removed, 0);
    }
    assert!(is_there(&store, &orphan).await, "an image older than the first checkpoint stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn sweep_stops_if_too_many_new_images_have_no_record() {
    let (_api, store) = Api::start_with_store();
    has_run(&store).await;
    for _ in 0..400 {
        orphan(&store).await;
    }
    store.reset_sweep(Timestamp::now()).await.expect("an answer");
    next_tick().await;
    let orphan_at_risk = orphan(&store).await;
    for _ in 0..29 {
        orphan(&store).await;
    }
    // Thirty out of thirty images without a record are suspicious. The next check is an hour later.
    for minutes in [62, 63, 121, 123] {
        assert_eq!(run_in(minutes, &store).await.expect("a run").images_removed, 0);
        let sweep = store.checkpoint::<SweepProgress>().await.expect("an answer").expect("a checkpoint");
        let next = sweep.leased_until.expect("a time");
        let expected = Timestamp::now().checked_add(time::Duration::minutes(if minutes < 123 { 122 } else { 183 }));
        assert!(expected.expect("a time").unix_millis().abs_diff(next.unix_millis()) < 60_000, "{minutes}");
    }
    assert!(is_there(&store, &orphan_at_risk).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn suspicious_images_are_kept_by_a_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let stack = Stack::start(&options(folder.path())).await.expect("a stack");
    has_run(&stack.store).await;
    stack.store.reset_sweep(Timestamp::first()).await.expect("an answer");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    let output = command.args(["sweep", "skip", "--data-dir"]).arg(folder.path()).output().expect("a process");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let sweep = stack.store.checkpoint::<SweepProgress>().await.expect("an answer").expect("a checkpoint");
    let minute_ago = Timestamp::now().checked_add(-time::Duration::minutes(1)).expect("a time");
    assert!(minute_ago < sweep.progress.swept_to && sweep.leased_until.is_none());
}

/// Starts a stack on a folder. Returns it with a client.
async fn start(folder: &Path) -> (Stack, Api) {
    let stack = Stack::start(&options(folder)).await.expect("a stack");
    let api = Api::at(&format!("http://{}", stack.address));
    (stack, api)
}

async fn documents(api: &Api, count: usize) -> Vec<Value> {
    join_all((0..count).map(|_| api.document())).await
}

/// Replaces a folder's table with an empty one.
async fn forget_table(folder: &Path) {
    let empty = tempfile::tempdir().expect("a folder");
    start(empty.path()).await.0.stop().await.expect("it stops");
    std::fs::copy(empty.path().join("table.sqlite"), folder.join("table.sqlite")).expect("a table");
}

#[tokio::test(flavor = "multi_thread")]
async fn images_of_a_replaced_table_are_not_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (stack, api) = start(folder.path()).await;
    documents(&api, 3).await;
    stack.stop().await.expect("it stops");
    forget_table(folder.path()).await;
    // The bucket is full of images that the new table does not know.
    let (stack, _api) = start(folder.path()).await;
    for minutes in [0, 2, 62, 130] {
        assert_eq!(run_in(minutes, &stack.store).await.expect("a run").images_removed, 0);
    }
    assert_eq!(std::fs::read_dir(folder.path().join("images/objects")).expect("a folder").count(), 3);
    stack.stop().await.expect("it stops");
}

#[tokio::test(flavor = "multi_thread")]
async fn table_restored_to_an_hour_ago_stops_the_sweep() {
    let folder = tempfile::tempdir().expect("a folder");
    let (stack, api) = start(folder.path()).await;
    let remaining = documents(&api, 2).await;
    run_in(0, &stack.store).await.expect("a run");
    stack.stop().await.expect("it stops");
    let backup = std::fs::read(folder.path().join("table.sqlite")).expect("a table");
    let (stack, api) = start(folder.path()).await;
    documents(&api, 25).await;
    stack.stop().await.expect("it stops");
    for file in ["table.sqlite-wal", "table.sqlite-shm"] {
        let _ = std::fs::remove_file(folder.path().join(file));
    }
    std::fs::write(folder.path().join("table.sqlite"), backup).expect("a file");

    let (stack, api) = start(folder.path()).await;
    for _ in 0..2 {
        assert_eq!(run_in(65, &stack.store).await.expect("a run").images_removed, 0, "so many are suspicious");
    }
    assert_eq!(std::fs::read_dir(folder.path().join("images/objects")).expect("a folder").count(), 27);
    let rendered = api.get(&format!("/documents/{}", remaining[0]["document_id"])).await.ok();
    assert_eq!(image_of(&api, &rendered).await, 200);
    stack.stop().await.expect("it stops");
}

#[tokio::test(flavor = "multi_thread")]
async fn image_url_is_stable_and_redirects_to_a_presigned_url() {
    let api = Api::shared();
    let document = api.document().await;
    let again = api.get(&format!("/documents/{}", document["document_id"])).await.ok();
    assert_eq!(document["document_data"], again["document_data"]);
    let url = document["document_data"].as_str().expect("a URL");
    let name = url.strip_prefix(&format!("{}/images/", api.base())).expect("an absolute URL");
    assert!(name.len() == 32 && name.bytes().all(|digit| digit.is_ascii_hexdigit()), "{name}");
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    for method in [reqwest::Method::GET, reqwest::Method::HEAD] {
        let answer = client.request(method, url).send().await.expect("an answer");
        assert_eq!(answer.status(), 307);
        assert_eq!(answer.headers()["cache-control"], "private, max-age=120");
        let presigned = answer.headers()["location"].to_str().expect("a text").to_owned();
        let (_, end) = presigned.split_once("?expires=").expect("a time");
        let end: i64 = end.split('&').next().expect("seconds").parse().expect("a number");
        let left = end - Timestamp::now().unix_seconds();
        assert!((290..=300).contains(&left), "{presigned}");
    }
    let head = api.send(api.request(reqwest::Method::HEAD, url)).await;
    assert_eq!((head.status.as_u16(), head.header("content-type")), (200, "image/png"));
    let part = api.send(api.request(reqwest::Method::GET, url).header("Range", "bytes=1-3")).await;
    assert_eq!((part.status.as_u16(), part.bytes), (206, samples::png(2, 2)[1..4].to_vec()));
    assert_eq!(part.headers["x-content-type-options"], "nosniff");
    assert!(part.headers.contains_key("etag"));
    for unknown in ["7".repeat(32), "..%2Fsecret".to_owned(), "x".to_owned(), name.to_uppercase()] {
        api.get(&format!("/images/{unknown}")).await.refused(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_sweep_resumes_after_its_last_image() {
    let (_api, store) = Api::start_with_store();
    has_run(&store).await;
    let mut names = Vec::new();
    for _ in 0..3 {
        names.push(orphan(&store).await);
    }
    names.sort_unstable();
    let now = Timestamp::now().checked_add(time::Duration::minutes(62)).expect("a time");
    // The interrupted sweep had checked the first image.
    let mut checkpoint = store.checkpoint::<SweepProgress>().await.expect("the table").expect("a sweep");
    checkpoint.progress.cursor = Some(SweepCursor { until: now, last_checked: names[0].clone() });
    assert!(store.save(&mut checkpoint).await.expect("the table"));
    // A run without time does nothing and keeps the cursor.
    upkeep::run(&store, now, Instant::now()).await.expect("a run");
    assert!(store.checkpoint::<SweepProgress>().await.expect("the table").expect("a sweep").progress.cursor.is_some());
    assert_eq!(run_in(62, &store).await.expect("a run").images_removed, 2);
    assert!(is_there(&store, &names[0]).await && !is_there(&store, &names[2]).await);
    assert!(store.checkpoint::<SweepProgress>().await.expect("the table").expect("a sweep").progress.cursor.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn sweep_that_outlives_its_lease_keeps_the_progress_of_the_next() {
    let (_api, store) = Api::start_with_store();
    has_run(&store).await;
    let checkpoint = async || store.checkpoint::<SweepProgress>().await.expect("the table").expect("a sweep");
    let mut slow = checkpoint().await;
    slow.leased_until = Some(Timestamp::first());
    assert!(store.save(&mut slow).await.expect("the table"));
    let mut next = checkpoint().await;
    next.leased_until = Timestamp::now().checked_add(time::Duration::hours(1));
    assert!(store.save(&mut next).await.expect("the table"));
    // The slow sweep ends without effect, and the next sweep keeps its lease.
    (slow.progress, slow.leased_until) = (SweepProgress::to(Timestamp::first()), None);
    assert!(!store.save(&mut slow).await.expect("the table"));
    assert_eq!(checkpoint().await.leased_until, next.leased_until);
    assert!(store.save(&mut next).await.expect("the table"));
}

#[tokio::test(flavor = "multi_thread")]
async fn overdue_sweep_is_reported() {
    logs::keep();
    let (_api, store) = Api::start_with_store();
    // The service's own upkeep runs when it starts, and would sweep in between.
    has_run(&store).await;
    let ago = |hours: i64| Timestamp::now().checked_add(time::Duration::hours(-hours)).expect("a time");
    store.reset_sweep(ago(7)).await.expect("the table");
    upkeep::run(&store, Timestamp::now(), Instant::now()).await.expect("a run");
    assert!(logs::text().contains(r#""sweeps_behind":1"#));
    // The template has a metric filter with this name.
    let template = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../template.yaml")).expect("a file");
    assert!(template.contains("$.sweeps_behind"));
}

/// Follows the runbook of docs/operations.md: the table is restored, and the bucket stays as it is.
#[tokio::test(flavor = "multi_thread")]
async fn restore_recovers_records_but_not_tokens_and_feed_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = |name: &str| folder.path().join(name);
    let (stack, api) = start(folder.path()).await;
    let old_token = crate::api::tokens::make(folder.path(), "write");
    let before = api.document().await;
    api.event(&api.user().await).await;
    let head = |api: Api| async move { api.get("/feed").await.header("feed-head").parse::<u64>().expect("a number") };
    while head(api.clone()).await < 1 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stack.stop().await.expect("it stops");
    let backup = std::fs::read(table("table.sqlite")).expect("a table");

    // After the backup, a client continues reading the feed, and a document is deleted by mistake.
    let (stack, api) = start(folder.path()).await;
    api.event(&api.user().await).await;
    while head(api.clone()).await < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    api.delete(&format!("/documents/{}", before["document_id"])).await.ok();
    stack.stop().await.expect("it stops");
    for file in ["table.sqlite-wal", "table.sqlite-shm"] {
        let _ = std::fs::remove_file(table(file));
    }
    std::fs::write(table("table.sqlite"), backup).expect("a file");

    let service = env!("CARGO_BIN_EXE_service-under-test");
    let mut advance = std::process::Command::new(service);
    let advanced = advance.args(["feed", "advance", "--data-dir"]).arg(folder.path()).output().expect("a process");
    assert!(String::from_utf8_lossy(&advanced.stdout).contains("1000001"), "{advanced:?}");
    let restored = stack_in(folder.path(), |options| {
        options.require_token = true;
        options.tokens_not_before = Some(Timestamp::now());
    });
    tokio::time::sleep(Duration::from_millis(5)).await;
    let new_token = crate::api::tokens::make(folder.path(), "write");
    let get = |path: String, token: &str| {
        let request = restored.request(reqwest::Method::GET, &path).bearer_auth(token);
        restored.send(request)
    };
    assert_eq!(get("/events".to_owned(), &old_token).await.status, 401, "it was made before the restore");
    let rendered = get(format!("/documents/{}", before["document_id"]), &new_token).await.ok();
    assert_eq!(
        rendered["seal"], before["seal"],
        "the record is there again; its image is an old version in the bucket"
    );
    // Entry 2 was read before the restore, so its number must not be used again.
    assert_eq!(get("/feed?after=2".to_owned(), &new_token).await.status, 410);
    let gone = get("/feed?after=0".to_owned(), &new_token).await;
    assert_eq!((gone.status.as_u16(), gone.header("feed-head")), (410, "0000000001000001"));
}

/// Copies a data folder's files, as restoring a table does. On AWS, both share the bucket, so the images are copied as
/// well.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_records_come_back_from_a_restored_table() {
    if std::env::var_os("EVENT_CAPTURE_DYNAMODB_ENDPOINT").is_some() {
        return;
    }
    let (folder, side, work) = (tempfile::tempdir(), tempfile::tempdir(), tempfile::tempdir());
    let [folder, side, work] = [folder, side, work].map(|folder| folder.expect("a folder"));
    let (stack, api) = start(folder.path()).await;
    let event = api.event(&api.user().await).await;
    let document = api.document().await;
    let image = api.get(document["document_data"].as_str().expect("a URL")).await.bytes;
    stack.stop().await.expect("it stops");
    copy(folder.path(), side.path());

    // Records are deleted by mistake, and others are stored afterwards.
    let (_stack, api) = start(folder.path()).await;
    let (event_path, document_path) =
        (format!("/events/{}", event["event_id"]), format!("/documents/{}", document["document_id"]));
    api.delete(&event_path).await.ok();
    api.delete(&document_path).await.ok();
    let since = api.event(&api.user().await).await;

    let (_restored, served) = start(side.path()).await;
    assert_eq!(served.get(&event_path).await.json()["message"], event["message"]);
    let archive = work.path().join("archive");
    transfer::export(export_to(&served, &archive)).await.expect("an archive");
    import(&api, &archive).await.expect("an import");

    assert_eq!(api.get(&event_path).await.ok(), event);
    let back = api.get(&document_path).await.ok();
    assert_eq!(back["seal"], document["seal"]);
    assert_eq!(api.get(back["document_data"].as_str().expect("a URL")).await.bytes, image);
    assert_eq!(api.get(&format!("/events/{}", since["event_id"])).await.ok(), since);
}
