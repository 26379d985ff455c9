//! Tests of the command line: its help, its variables, and signals.

use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};

use end_to_end::Api;

fn service() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service-under-test"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    service().args(arguments).output().expect("a process")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("a text")
}

#[test]
fn help_groups_the_commands() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    let lines: Vec<_> = text(&help.stdout).lines().collect();
    let group_of = |command: &str| {
        let position = lines.iter().position(|line| line.split_whitespace().next() == Some(command));
        let before = &lines[..position.expect("a line")];
        before.iter().rfind(|line| line.ends_with(':')).copied().expect("a group")
    };
    for (command, group) in [
        ("serve", "Serve:"),
        ("demo", "Serve:"),
        ("status", "Serve:"),
        ("export", "Data:"),
        ("import", "Data:"),
        ("backup", "Data:"),
        ("payments", "Data:"),
        ("rollups", "Data:"),
        ("sweep", "Data:"),
        ("token", "Access:"),
        ("twitch", "Twitch:"),
        ("completions", "Shell:"),
    ] {
        assert_eq!(group_of(command), group, "{command}");
        let own = run(&[command, "--help"]);
        assert!(own.status.success() && text(&own.stdout).contains("Usage: "), "{command}");
    }
}

#[test]
fn version_has_the_commit() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
        output.is_ok_and(|output| output.status.success())
    };
    let version = run(&["--version"]);
    let version = text(&version.stdout).trim().strip_prefix("event-capture 0.1.0").expect("a version");
    let commit = version.strip_prefix(" (").and_then(|version| version.strip_suffix(')'));
    // A copy of the sources does not report a commit, even inside another repository.
    assert_eq!(commit.is_some(), git(&["ls-files", "--error-unmatch", "Cargo.toml"]), "{version}");
    // It may have been built before the last commit.
    assert!(commit.is_none_or(|commit| git(&["rev-parse", "--verify", &format!("{commit}^{{commit}}")])), "{version}");
}

#[test]
fn completions_know_each_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        let script = text(&script.stdout);
        for word in ["serve", "export", "token", "twitch", "data-dir", "match-users"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert!(!run(&["completions", "cmd"]).status.success());
}

/// Starts the service with arguments and variables, and stops it. Returns its address.
fn address(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut process =
        service().args(arguments).envs(variables.iter().copied()).current_dir(folder).spawn().expect("a process");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("an output")).read_line(&mut line).expect("a line");
    process.kill().expect("a process");
    process.wait().expect("its end");
    line.trim().strip_prefix("listening on ").expect("an address").to_owned()
}

#[test]
fn service_starts_with_and_without_its_command() {
    let folder = tempfile::tempdir().expect("a folder");
    for arguments in [&["--port", "0"][..], &["serve", "--port", "0"], &["--data-dir", ".data", "serve", "--port", "0"]]
    {
        assert!(address(folder.path(), arguments, &[]).starts_with("http://127.0.0.1:"), "{arguments:?}");
    }
    let created: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(created.len(), 1, "{created:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_replace_options() {
    let work = tempfile::tempdir().expect("a folder");
    let variables = [("EVENT_CAPTURE_PORT", "0"), ("EVENT_CAPTURE_DATA_DIR", "elsewhere")];
    assert_ne!(address(work.path(), &[], &variables), "http://127.0.0.1:3000");
    assert!(work.path().join("elsewhere/table.sqlite").is_file());
    let listed = |arguments: &[&str]| {
        let mut command = service();
        let command = command.args(["token", "list"]).args(arguments).current_dir(work.path());
        command.env("EVENT_CAPTURE_DATA_DIR", "elsewhere").status().expect("a process").success()
    };
    assert!(listed(&[]));
    assert!(!listed(&["--data-dir", "other"]), "an option goes before a variable");

    let (api, tokens) = end_to_end::stack_with_tokens();
    let export = |token: &str| {
        let mut command = service();
        let command = command.args(["export", "--to", "channel"]).current_dir(work.path());
        let command = command.env("EVENT_CAPTURE_URL", api.base()).env("EVENT_CAPTURE_TOKEN", token);
        command.status().expect("a process").success()
    };
    assert!(!export("unknown"));
    assert!(export(&crate::api::tokens::make(tokens.path(), "read")));
}

#[test]
fn interrupted_command_says_how_to_continue() {
    // A service that never responds.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let folder = tempfile::tempdir().expect("a folder");
    for (command, option) in [("export", "--to"), ("import", "--from")] {
        let mut process =
            service().args([command, "--url", &url, option]).arg(folder.path()).spawn().expect("a process");
        let _connection = listener.accept().expect("a connection");
        let pid = process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("a signal").success());
        assert_eq!(process.wait().expect("its end").code(), Some(130), "{command}");
        let mut problem = String::new();
        process.stderr.take().expect("an output").read_to_string(&mut problem).expect("a text");
        assert_eq!(problem.trim(), "Interrupted. Run the same command again to continue.", "{command}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twitch_is_a_command() {
    let api = Api::start();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/twitch.jsonl");
    let replay_to = |url: &str, secret: &str| run(&["twitch", "replay", samples, "--url", url, "--secret", secret]);
    let replay = |secret: &str| replay_to(api.base(), secret);
    let replayed = replay(end_to_end::TWITCH_SECRET);
    assert!(replayed.status.success() && text(&replayed.stdout).contains(" accepted, 0 rejected"), "{replayed:?}");
    assert!(!api.list("/events").await.is_empty());
    assert_eq!(replay("another-secret").status.code(), Some(1), "it prints the refused lines");
    let unsent = replay_to("http://127.0.0.1:1", end_to_end::TWITCH_SECRET);
    assert!(text(&unsent.stderr).contains("Cannot reach http://127.0.0.1:1"), "{unsent:?}");
}

/// Starts a small demo in a folder. Returns its process, its URL and the line that it ends the loading with.
fn demo(current: &Path, arguments: &[&str]) -> (Child, String, String) {
    let mut command = service();
    command.args(["demo", "--events", "20", "--viewers", "4", "--days", "2"]).args(arguments).current_dir(current);
    // The variables of the real service.
    command.env("EVENT_CAPTURE_DATA_DIR", current.join("data")).env("EVENT_CAPTURE_URL", "http://127.0.0.1:1");
    for name in ["DISPLAY", "WAYLAND_DISPLAY"] {
        command.env_remove(name);
    }
    let mut demo = command.spawn().expect("a process");
    // A closed output would end the demo at its next line.
    let output = demo.stdout.as_mut().expect("its output");
    let mut lines = BufReader::new(output).lines().map(|line| line.expect("a line"));
    let address = lines.next().unwrap_or_default().replace("listening on ", "");
    let shown = lines.find(|line| line.contains("/console/ to see it. Ctrl-C")).unwrap_or_default();
    (demo, address, shown)
}

fn end(mut process: Child) {
    process.kill().expect("a kill");
    process.wait().expect("an end");
}

#[test]
fn demo_has_a_folder_of_its_own_and_fills_it_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let users = |url: &str| runtime.block_on(Api::at(url).list("/users")).len();
    let (first, url, shown) = demo(folder.path(), &[]);
    assert!(shown.contains(".data-demo") && shown.contains(&url), "{shown}");
    assert!(runtime.block_on(Api::at(&url).list("/events")).len() >= 20);
    assert!(!folder.path().join("data").exists() && folder.path().join(".data-demo/table.sqlite").exists());
    let before = users(&url);
    end(first);
    let (again, url, _) = demo(folder.path(), &["--live", "--duration", "1"]);
    assert_eq!(users(&url), before, "the history is loaded once");
    // The demo's viewers are not the newest users.
    let others = futures_util::future::join_all((0..101).map(|_| async { Api::at(&url).user().await }));
    runtime.block_on(others);
    let live = ["demo", "--live", "--duration", "1", "--data-dir", ".data-demo", "--url", &url];
    let played = service().current_dir(folder.path()).args(live).output().expect("a process");
    assert!(played.status.success() && !text(&played.stdout).contains("Created"), "{played:?}");
    end(again);
}

#[test]
fn demo_refuses_the_folder_of_a_channel() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("real");
    let (real, url) = serve(&data, &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(Api::at(&url).user());
    end(real);
    let (refused, _, shown) = demo(folder.path(), &["--live", "--data-dir", "real"]);
    let output = refused.wait_with_output().expect("an end");
    assert!(shown.is_empty() && text(&output.stderr).contains("data of a channel"), "{output:?}");
}

/// Starts a service in a folder. Returns its process and its URL.
fn serve(folder: &Path, arguments: &[&str]) -> (Child, String) {
    let mut command = service();
    let mut child = command.args(["--port", "0", "--data-dir"]).arg(folder).args(arguments).spawn().expect("a process");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("its output")).read_line(&mut line).expect("a line");
    (child, line.trim().replace("listening on ", ""))
}

#[test]
fn backup_of_a_running_service_has_the_images_of_its_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, copy] = ["data", "copy"].map(|name| folder.path().join(name));
    let (running, url) = serve(&data, &[]);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let api = Api::at(&url);
    let stored = runtime.block_on(api.document());
    let back_up = || service().arg("backup").arg(&copy).arg("--data-dir").arg(&data).output().expect("a process");
    // In the meantime, documents are created and deleted.
    let deleted = Arc::new(Mutex::new(Vec::new()));
    let deleting = Arc::clone(&deleted);
    let writing = runtime.spawn(async move {
        loop {
            let document = api.document().await;
            api.document().await;
            deleting.lock().expect("a list").push(document["document_id"].clone());
            api.delete(&format!("/documents/{}", document["document_id"])).await.ok();
        }
    });
    let done = back_up();
    assert!(done.status.success(), "{done:?}");
    assert!(text(&back_up().stderr).contains("exists"), "a copy is not overwritten");
    std::fs::remove_file(copy.join("table.sqlite")).expect("a removed file");
    let lost = service().arg("backup").arg(folder.path().join("third/")).arg("--data-dir").arg(&copy).output();
    assert!(!lost.expect("a process").status.success(), "a folder without a table is no backup");
    std::fs::remove_dir_all(&copy).expect("a removed folder");
    assert!(back_up().status.success());
    writing.abort();
    end(running);

    let (restored, url) = serve(&copy, &[]);
    runtime.block_on(async {
        let documents = Api::at(&url).list("/documents").await;
        assert!(documents.iter().any(|document| document["document_id"] == stored["document_id"]));
        let deleted = deleted.lock().expect("a list").clone();
        for document in documents.iter().filter(|document| !deleted.contains(&document["document_id"])) {
            let image = document["document_data"].as_str().expect("a URL");
            let image = image.rsplit_once("/images/").expect("a name").1;
            let image = reqwest::get(format!("{url}/images/{image}")).await.expect("a reply");
            assert!(image.status().is_success(), "{document}");
        }
    });
    end(restored);
}

#[test]
fn status_and_tokens_of_a_service_are_available_over_http() {
    let folder = tempfile::tempdir().expect("a folder");
    let (running, url) = serve(folder.path(), &["--require-token"]);
    let run_with = |arguments: &[&str], token: &str| {
        service().args(arguments).args(["--url", &url]).env("EVENT_CAPTURE_TOKEN", token).output().expect("a process")
    };
    let data = folder.path().to_str().expect("a path");
    let created = run(&["token", "create", "--scope", "write", "--name", "bot", "--data-dir", data]);
    let token = text(&created.stdout).trim();
    let status = run_with(&["status"], token);
    assert!(status.status.success() && text(&status.stdout).contains("Last event: none"), "{status:?}");
    assert!(!run_with(&["status"], "wrong").status.success());
    let overlay = run_with(&["token", "create", "--scope", "overlay", "--name", "OBS"], token);
    assert_eq!(text(&overlay.stdout).trim().len(), 43, "{overlay:?}");
    assert!(!run_with(&["token", "create", "--scope", "import", "--name", "x"], token).status.success());
    let list = run_with(&["token", "list"], token);
    let listed = text(&list.stdout);
    assert_eq!(listed, text(&run(&["token", "list", "--data-dir", data]).stdout), "the table shows the same");
    let id = listed.lines().find(|line| line.ends_with("OBS")).and_then(|line| line.split(' ').next()).expect("a line");
    assert!(run_with(&["token", "revoke", id], token).status.success());
    assert!(text(&run_with(&["token", "revoke", id], token).stderr).contains("not found"));
    end(running);
    assert!(!run_with(&["status"], token).status.success());
}

#[test]
fn manual_has_a_page_for_each_command() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(run(&["man", folder.path().to_str().expect("a path")]).status.success());
    for page in ["event-capture.1", "event-capture-backup.1", "event-capture-token-create.1"] {
        assert!(folder.path().join(page).exists(), "{page}");
    }
}

#[test]
fn folder_of_pages_cannot_publish_the_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let arguments = ["--port", "0", "--data-dir", data.to_str().expect("a path"), "--pages"];
    let refused = service().args(arguments).arg(folder.path()).output().expect("a process");
    assert!(text(&refused.stderr).contains("inside the folder of --pages"), "{refused:?}");
}
