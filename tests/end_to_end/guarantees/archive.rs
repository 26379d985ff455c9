//! Tests of archive files: what `export` writes, and what `import` rejects.

mod changing;
mod proxy;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use capture_core::resources;
use end_to_end::Api;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::tempdir;
use transfer::ExportOptions;

use crate::guarantees::transfer::{archive_of, assert_same, export_to, fill, import, import_from, records};

/// Changes something in an archive's folder.
type Damage = Box<dyn Fn(&Path)>;

/// Runs a service command in a folder. Returns its standard error if it fails.
fn run(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let command = Command::new(env!("CARGO_BIN_EXE_service-under-test")).args(arguments).current_dir(folder).output();
    let output = command.expect("a process");
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn archive_is_packed_beside_its_folder() {
    let source = Api::start();
    fill(&source, 2).await;
    let work = tempdir().expect("a folder");
    let export = |folder: &Path, to: &str| run(folder, &["export", "--url", source.base(), "--to", to, "--zip"]);
    export(work.path(), "channel/").expect("an archive");
    let inside = work.path().join("inside");
    std::fs::create_dir(&inside).expect("a folder");
    export(&inside, ".").expect("an archive");
    export(&inside, "../third/./").expect("an archive");
    assert_eq!(names(work.path()), ["channel", "channel.zip", "inside", "inside.zip", "third", "third.zip"]);
    for name in ["channel", "inside", "third"] {
        let packed = std::fs::read(work.path().join(format!("{name}.zip"))).expect("a packed archive");
        let has = |text: String| packed.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(packed.starts_with(b"PK") && has(format!("{name}/users.jsonl")) && !has(format!("{name}/.zip")));
        assert_same(&work.path().join("channel"), &work.path().join(name));
    }
    let refused = export(work.path(), "/").expect_err("no name");
    assert!(refused.contains("has no name for a .zip file"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn archive_has_its_folder_for_itself() {
    let source = Api::start();
    let folder = tempdir().expect("a folder");
    std::fs::write(folder.path().join("notes.txt"), "mine").expect("a file");
    let refused = transfer::export(export_to(&source, folder.path())).await.expect_err("a refusal").to_string();
    assert!(refused.contains("has other files, such as notes.txt"), "{refused}");
    std::fs::remove_file(folder.path().join("notes.txt")).expect("a file");
    transfer::export(export_to(&source, folder.path())).await.expect("an archive");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_may_read_an_archive() {
    use std::os::unix::fs::PermissionsExt;
    let source = Api::start();
    fill(&source, 2).await;
    let work = tempdir().expect("a folder");
    let archive = work.path().join("channel");
    transfer::export(ExportOptions { zip: true, ..export_to(&source, &archive) }).await.expect("an archive");
    let mut places = vec![archive, work.path().join("channel.zip")];
    let mut count = 0;
    while let Some(place) = places.pop() {
        let kind = std::fs::metadata(&place).expect("a file");
        let expected = if kind.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(kind.permissions().mode() & 0o777, expected, "{}", place.display());
        if kind.is_dir() {
            places.extend(std::fs::read_dir(&place).expect("a folder").map(|entry| entry.expect("an entry").path()));
        }
        count += 1;
    }
    assert!(count > 12, "{count}");
}

/// Returns the text of a manifest that ends with the SHA-256 of everything before it.
fn sealed(manifest: &Value) -> String {
    let mut members = manifest.clone();
    members.as_object_mut().expect("an object").remove("sha256");
    let text = serde_json::to_string_pretty(&members).expect("JSON");
    let text = format!("{},\n", text.trim_end_matches("\n}"));
    let mut tool =
        Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the tool sha256sum");
    tool.stdin.take().expect("its input").write_all(text.as_bytes()).expect("its input");
    let output = tool.wait_with_output().expect("its output").stdout;
    format!("{text}  \"sha256\": \"{}\"\n}}\n", String::from_utf8_lossy(&output[..64]))
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).expect("a manifest")).expect("JSON")
}

fn write_manifest(folder: &Path, text: &str) {
    std::fs::write(folder.join("manifest.json"), text).expect("a file");
}

/// Changes the manifest. With `is_sealed`, the SHA-256 is recomputed, as if a command had written the manifest that
/// way.
fn with_manifest(is_sealed: bool, change: fn(&mut Value)) -> Damage {
    Box::new(move |folder| {
        let mut manifest = manifest(folder);
        change(&mut manifest);
        let text = if is_sealed { sealed(&manifest) } else { manifest.to_string() };
        write_manifest(folder, &text);
    })
}

fn with_file(name: &'static str, bytes: &'static [u8]) -> Damage {
    Box::new(move |folder| std::fs::write(folder.join(name), bytes).expect("a file"))
}

/// Damages copies of an archive. Each copy is rejected with the expected message within seconds, and nothing is
/// written.
async fn assert_refused(archive: &Path, damages: Vec<(Damage, &str)>) {
    let target = Api::start();
    for (damage, expected) in damages {
        let copy = tempdir().expect("a folder");
        let copied = Command::new("cp").arg("-r").arg(archive.join(".")).arg(copy.path()).status();
        assert!(copied.expect("the tool cp").success());
        damage(copy.path());
        let imported = tokio::time::timeout(Duration::from_mins(1), import(&target, copy.path())).await;
        let problem = imported.expect("an end").expect_err(expected).to_string();
        assert!(problem.contains(expected), "{expected}: {problem}");
    }
    for resource in resources::ALL {
        assert!(target.list(&format!("/{}", resource.name)).await.is_empty(), "{}", resource.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn manifest_lists_each_resource_and_file() {
    let source = Api::start();
    fill(&source, 2).await;
    let archive = archive_of(&source).await;
    let was_changed = "manifest.json was changed";
    assert_eq!(
        std::fs::read_to_string(archive.path().join("manifest.json")).expect("a file"),
        sealed(&manifest(archive.path()))
    );
    assert_refused(
        archive.path(),
        vec![
            (with_manifest(false, |manifest| manifest["files"] = json!({})), was_changed),
            (with_manifest(false, |manifest| manifest["resources"] = json!([])), was_changed),
            (with_manifest(false, |manifest| manifest["feed"] = json!(0)), was_changed),
            (with_manifest(false, |manifest| manifest["sha256"] = Value::Null), was_changed),
            (with_manifest(true, |manifest| manifest["files"] = json!({})), "manifest.json does not list"),
            (with_manifest(true, |manifest| manifest["resources"] = json!([])), "lists no resources"),
            (
                with_manifest(true, |manifest| {
                    let events = |name: &Value| name == "events";
                    manifest["resources"].as_array_mut().expect("a list").retain(|name| !events(name));
                }),
                "events.jsonl is unknown",
            ),
            (
                with_manifest(true, |manifest| {
                    manifest["resources"].as_array_mut().expect("a list").push(json!("medals"));
                }),
                "medals is unknown. A newer version",
            ),
            (with_file("medals.jsonl", b""), "manifest.json does not list medals.jsonl"),
            (with_file("deleted.jsonl", b""), "manifest.json does not list deleted.jsonl"),
            (with_file("images/documents/1.png", b""), "images/documents/1.png is not listed in documents.sha256"),
            (with_file("images/1.png", b""), "images/1.png is not listed in documents.sha256"),
            (
                Box::new(|folder| std::fs::remove_file(folder.join("documents.sha256")).expect("a file")),
                "documents.sha256: No such file",
            ),
            // A manifest without a SHA-256 lists the files of the first eight resources.
            (
                with_manifest(false, |manifest| {
                    let manifest = manifest.as_object_mut().expect("an object");
                    manifest.retain(|name, _| name != "sha256" && name != "resources");
                    manifest["files"] = json!({});
                }),
                "manifest.json does not list documents.jsonl",
            ),
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn archive_from_before_a_resource_existed_is_imported() {
    let source = Api::start();
    fill(&source, 2).await;
    let archive = archive_of(&source).await;
    // Files that the operating system adds to a folder are not part of the archive.
    std::fs::write(archive.path().join(".DS_Store"), "x").expect("a file");
    let mut newest = manifest(archive.path());
    // The store was added after the first list of resources.
    for name in ["products", "purchases"] {
        newest["resources"].as_array_mut().expect("a list").retain(|other| other != name);
        newest["files"].as_object_mut().expect("an object").remove(&format!("{name}.jsonl"));
        std::fs::remove_file(archive.path().join(format!("{name}.jsonl"))).expect("a file");
    }
    let mut oldest = newest.clone();
    oldest.as_object_mut().expect("an object").retain(|name, _| name != "sha256" && name != "resources");
    // The oldest archives lack rules, commands and opt-outs.
    let younger = ["rules.jsonl", "commands.jsonl", "opt-outs.jsonl"].map(|name| {
        oldest["files"].as_object_mut().expect("an object").remove(name);
        let file = archive.path().join(name);
        let lines = std::fs::read(&file).expect("a file");
        std::fs::remove_file(&file).expect("a file");
        (file, lines)
    });
    write_manifest(archive.path(), &oldest.to_string());
    import(&Api::start(), archive.path()).await.expect("an import of an archive without a list of resources");
    for (file, lines) in younger {
        std::fs::write(&file, lines).expect("a file");
    }

    let mut older = newest;
    older["resources"].as_array_mut().expect("a list").retain(|name| name != "overlays");
    older["files"].as_object_mut().expect("an object").remove("overlays.jsonl");
    write_manifest(archive.path(), &sealed(&older));
    std::fs::remove_file(archive.path().join("overlays.jsonl")).expect("a file");
    let target = Api::start();
    import(&target, archive.path()).await.expect("an import of an archive without overlays");
    assert_eq!(target.list("/events").await.len(), records(archive.path(), "events").len());
    // Its changes are exported as well.
    let changes = tempdir().expect("a folder");
    let since = Some(archive.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, changes.path()) }).await.expect("an archive");
    import(&target, changes.path()).await.expect("an import of changes");
    assert_eq!(target.list("/overlays").await.len(), source.list("/overlays").await.len());
}

fn replaced_by(name: &'static str, tool: &'static str, arguments: &'static [&'static str]) -> Damage {
    Box::new(move |folder| {
        let place = folder.join(name);
        let _ = std::fs::remove_file(&place);
        assert!(Command::new(tool).args(arguments).arg(place).status().expect("a tool").success());
    })
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn links_pipes_and_huge_files_are_refused() {
    let source = Api::start();
    source.put("/documents/1", &end_to_end::samples::document()).await.created();
    source.user().await;
    let archive = archive_of(&source).await;
    let no_file = "not a regular file";
    let image = "images/documents/1.png";
    let long_line = |length: usize| -> Damage {
        Box::new(move |folder| std::fs::write(folder.join("users.jsonl"), vec![b' '; length]).expect("a file"))
    };
    assert_refused(
        archive.path(),
        vec![
            (replaced_by("manifest.json", "mkfifo", &[]), no_file),
            (replaced_by("users.jsonl", "mkfifo", &[]), no_file),
            (replaced_by("users.jsonl", "ln", &["-s", "/dev/zero"]), no_file),
            (replaced_by("documents.sha256", "mkfifo", &[]), no_file),
            (replaced_by(image, "mkfifo", &[]), no_file),
            (replaced_by(image, "ln", &["-s", "/dev/zero"]), no_file),
            (replaced_by("manifest.json", "truncate", &["-s", "3G"]), "manifest.json: more than"),
            (replaced_by(image, "truncate", &["-s", "3G"]), "more than 4194304 bytes"),
            (
                Box::new(|folder| {
                    let images = folder.join("images");
                    std::fs::rename(images.join("documents"), folder.join("elsewhere")).expect("a folder");
                    std::os::unix::fs::symlink("../elsewhere", images.join("documents")).expect("a link");
                }),
                "is not a folder",
            ),
            (long_line(4_000_001), "users.jsonl, line 1: a line of more than 4000000 bytes"),
            (long_line(40_000_000), "users.jsonl, line 1: a line of more than 4000000 bytes"),
            (long_line(4_000_000), "users.jsonl, line 1: not a record"),
        ],
    )
    .await;
    import(&Api::start(), archive.path()).await.expect("an import");
}

/// Two and three viewers swap their `platform_id` values, which takes a temporary value to resolve.
#[tokio::test(flavor = "multi_thread")]
async fn traded_platform_ids_are_carried_over() {
    let (source, target) = (Api::start(), Api::start());
    for id in 1..=9 {
        let viewer = json!({"platform_id": format!("p{id}"), "name": format!("viewer {id}")});
        source.put(&format!("/users/{id}"), &viewer).await.created();
        source.post("/transactions", &json!({"user_id": id, "amount": id, "description": "x"})).await.created();
    }
    let first = archive_of(&source).await;
    import(&target, first.path()).await.expect("an import");
    let interrupted = Api::start();
    import(&interrupted, first.path()).await.expect("an import");
    let killed = Api::start();
    import(&killed, first.path()).await.expect("an import");

    let rename = async |api: &Api, id: u64, platform_id: &str| {
        api.patch(&format!("/users/{id}"), &json!({"platform_id": platform_id})).await.ok();
    };
    // Two cycles, and a chain that ends in an unused value.
    for circle in [&[1, 2][..], &[3, 4, 5], &[6, 7]] {
        rename(&source, circle[0], "aside").await;
        for pair in circle.windows(2).rev() {
            rename(&source, pair[1], &format!("free{}", pair[1])).await;
        }
        for pair in circle.windows(2) {
            rename(&source, pair[1], &format!("p{}", pair[0])).await;
        }
        let last = circle.last().expect("a circle");
        rename(&source, circle[0], &if circle[0] == 6 { "p0".to_owned() } else { format!("p{last}") }).await;
    }
    // A new viewer takes the value that another viewer gave up.
    rename(&source, 8, "p80").await;
    source.put("/users/10", &json!({"platform_id": "p8", "name": "new"})).await.created();
    let second = tempdir().expect("a folder");
    let since = Some(first.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, second.path()) }).await.expect("an archive");
    let expected = archive_of(&source).await;
    import(&target, second.path()).await.expect("an import of changes");
    assert_same(expected.path(), archive_of(&target).await.path());
    // The process is killed at any moment, including just after it has moved a viewer aside.
    let mut life = 20;
    while !matches!(
        tokio::time::timeout(Duration::from_millis(life), import(&interrupted, second.path())).await,
        Ok(Ok(()))
    ) {
        life += life / 4;
        assert!(life < 60_000, "the import does not end");
    }
    assert_same(expected.path(), archive_of(&interrupted).await.path());
    rename(&killed, 3, "moved-aside-by-import/3").await;
    import(&killed, second.path()).await.expect("an import of changes");
    assert_same(expected.path(), archive_of(&killed).await.path());
    // A value that already belongs to a viewer of the target stays there, and no viewer is moved aside for it.
    let other = Api::start();
    import(&other, first.path()).await.expect("an import");
    rename(&other, 2, "p20").await;
    other.post("/users", &json!({"platform_id": "p2", "name": "stranger"})).await.created();
    transfer::import(import_from(&other, second.path())).await.expect_err("a conflict");
    assert_eq!(other.get("/users/1").await.ok()["platform_id"], "p1");
    let moved = other.list("/users").await;
    assert!(moved.iter().all(|user| !user["platform_id"].to_string().contains("aside")), "{moved:?}");
    let none = other.send(other.request(Method::GET, "/users?platform_id=moved-aside-by-import/3")).await;
    assert_eq!(none.ok(), json!([]));
}

/// An archive written by version 0.1, before there was a store. Its transactions lack a cause.
#[tokio::test(flavor = "multi_thread")]
async fn archive_from_before_the_store_is_imported() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/archive-before-the-store"));
    let target = Api::start();
    for _ in 0..2 {
        import(&target, folder).await.expect("an import");
    }
    for name in ["users", "events", "inventory", "transactions"] {
        assert_eq!(target.list(&format!("/{name}")).await.len(), records(folder, name).len(), "{name}");
    }
    assert_eq!(target.get("/transactions/6402").await.ok()["cause"], Value::Null);
    assert_eq!(target.get("/users/415/wallet").await.ok()["wallet"], 250);
}
