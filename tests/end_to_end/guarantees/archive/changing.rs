//! Tests of archives of a channel in use. A proxy in front of the service makes pages short and changes something
//! before each of them, so the pages show different moments and contradict each other.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::resources;
use end_to_end::{Api, Slice, amount, fill as table, samples};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use transfer::ExportOptions;

use super::proxy::{Change, Proxy, change};
use crate::guarantees::transfer::{archive_of, export_to, fill, import, records};

impl Proxy {
    /// Exports through the proxy. The archive had contradictions that were resolved, and an empty service accepts it.
    async fn assert_consistent(&self) {
        let proxied = self.start().await;
        let archive = archive_of(&proxied).await;
        assert!(*self.changes.lock().await > 1, "nothing changed");
        assert!(self.reads.load(Ordering::Relaxed) > 0, "nothing was read again");
        assert_imported(archive.path()).await;
    }
}

async fn assert_imported(archive: &Path) {
    let target = Api::start();
    import(&target, archive).await.expect("a consistent archive");
    let again = archive_of(&target).await;
    for resource in resources::ALL {
        // A record that was read again keeps its place.
        let sorted = |folder: &Path| {
            let mut records = records(folder, resource.name);
            records.sort_by_key(|record| record[resource.id.name].as_u64());
            records
        };
        assert_eq!(sorted(archive), sorted(again.path()), "{}", resource.name);
    }
}

fn id(record: &Value, name: &str) -> u64 {
    record[name].as_u64().expect("an identifier")
}

/// Forgets a viewer's active pet. The viewer gets a new one.
async fn renew(api: Api, home: String) {
    let active = api.get(&format!("{home}/specimen")).await.ok();
    let path = format!("/specimens/{}", active["specimen_id"]);
    api.patch(&path, &json!({"forgotten_at": "2099-01-01T00:00:00Z"})).await.ok();
    api.post(&format!("{home}/specimens"), &json!({})).await.created();
}

/// Swaps the `platform_id` values of two viewers.
async fn trade(api: Api, one: String, other: String) {
    let platform_id = async |path: &str| api.get(path).await.ok()["platform_id"].clone();
    let (of_one, of_other) = (platform_id(&one).await, platform_id(&other).await);
    for (path, platform_id) in [(&one, &json!(samples::unique())), (&other, &of_one), (&one, &of_other)] {
        api.patch(path, &json!({"platform_id": platform_id})).await.ok();
    }
}

/// Detaches a document from its event and attaches it to a new one.
async fn move_document(api: Api, user: u64, document: u64) {
    let path = format!("/documents/{document}");
    api.delete(&path).await.ok();
    while api.put(&path, &samples::document()).await.status != 201 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    api.post("/events", &samples::event(&json!({"user_id": user, "document_id": document}))).await.created();
}

/// The changes during an export.
const SCENARIOS: [fn() -> LocalBoxFuture<'static, ()>; 13] = [
    || active_specimen_that_is_renewed_during_an_export_is_active_once().boxed_local(),
    || platform_id_that_is_traded_during_an_export_is_unique().boxed_local(),
    || items_that_are_used_and_given_during_an_export_stay_within_the_limit().boxed_local(),
    || large_items_that_are_given_during_an_export_stay_within_the_size_of_a_user().boxed_local(),
    || viewer_whose_new_name_is_too_long_is_exported().boxed_local(),
    || document_that_moves_between_events_during_an_export_is_attached_once().boxed_local(),
    || stamps_at_their_limit_that_change_during_an_export_stay_within_it().boxed_local(),
    || interrupted_export_of_a_changing_channel_continues().boxed_local(),
    || record_that_moves_to_a_new_parent_during_an_export_is_not_lost().boxed_local(),
    || record_that_is_stored_again_during_an_export_is_in_the_archive_once().boxed_local(),
    || archive_of_one_user_has_no_record_that_was_given_away().boxed_local(),
    || archive_without_agreement_is_not_complete().boxed_local(),
    || archives_of_a_busy_channel_are_consistent().boxed_local(),
];

#[tokio::test(flavor = "multi_thread")]
async fn archives_of_a_changing_channel_are_consistent() {
    for scenario in Slice::of_this_run().of(SCENARIOS, 4) {
        scenario().await;
    }
}

async fn active_specimen_that_is_renewed_during_an_export_is_active_once() {
    for _ in 0..amount("ROUNDS", 1, 10) {
        let source = Api::start();
        let home = format!("/users/{}", source.user().await["user_id"]);
        source.post(&format!("{home}/specimens"), &json!({})).await.created();
        // The list does not end before this record.
        let last = json!({"owner_id": source.user().await["user_id"], "born_at": "2098-01-01T00:00:00Z"});
        source.post("/specimens", &last).await.created();
        let renew = change(move |api, number| {
            let home = home.clone();
            async move {
                if (1..6).contains(&number) {
                    renew(api, home).await;
                }
            }
        });
        Proxy::new(&source, "specimens", 1, renew).assert_consistent().await;
    }
}

async fn platform_id_that_is_traded_during_an_export_is_unique() {
    for _ in 0..amount("ROUNDS", 1, 10) {
        let source = Api::start();
        let users = [source.user().await, source.user().await];
        let [one, other] = users.map(|user| format!("/users/{}", user["user_id"]));
        let trade = change(move |api, _| trade(api, one.clone(), other.clone()));
        Proxy::new(&source, "users", 1, trade).assert_consistent().await;
    }
}

async fn items_that_are_used_and_given_during_an_export_stay_within_the_limit() {
    for _ in 0..amount("ROUNDS", 1, 10) {
        let (source, store) = Api::start_with_store();
        let user = id(&source.user().await, "user_id");
        let home = format!("/users/{user}");
        table::items(&store, user, 1_000).await;
        let use_one = change(move |api, number| {
            let home = home.clone();
            async move {
                let items = api.get(&home).await.ok()["inventory"].clone();
                // The oldest item is used, so it is on an earlier page. Every other time, an item becomes active again.
                let item = &items.as_array().expect("a list").last().expect("an item")["item_id"];
                api.patch(&format!("/inventory/{item}"), &json!({"used_at": "2099-01-01T00:00:00Z"})).await.ok();
                match number % 2 {
                    0 => drop(api.post(&format!("{home}/inventory"), &json!({"name": "Hat"})).await.created()),
                    _ => drop(api.patch(&format!("/inventory/{item}"), &json!({"used_at": null})).await.ok()),
                }
            }
        });
        Proxy::new(&source, "inventory", 250, use_one).assert_consistent().await;
    }
}

/// A viewer's items take up almost 2 MB. One is used, and another of the same size is given.
async fn large_items_that_are_given_during_an_export_stay_within_the_size_of_a_user() {
    let source = Api::start();
    let home = format!("/users/{}", source.user().await["user_id"]);
    let large = json!({"name": "Hat", "metadata": "é\"".repeat(33_000)});
    let mut count = 0;
    while source.post(&format!("{home}/inventory"), &large).await.status == 201 {
        count += 1;
    }
    assert!(count > 5);
    let use_one = change(move |api, number| {
        let (home, large) = (home.clone(), large.clone());
        async move {
            if number < 2 * count {
                let items = api.get(&home).await.ok()["inventory"].clone();
                let item = &items.as_array().expect("a list").last().expect("an item")["item_id"];
                api.patch(&format!("/inventory/{item}"), &json!({"used_at": "2099-01-01T00:00:00Z"})).await.ok();
                api.post(&format!("{home}/inventory"), &large).await.created();
            }
        }
    });
    Proxy::new(&source, "inventory", 3, use_one).assert_consistent().await;
}

/// A webhook may report a name that pushes a viewer over the size limit. Reading again does not change that.
async fn viewer_whose_new_name_is_too_long_is_exported() {
    let source = Api::start();
    let user = source.user().await;
    let items = format!("/users/{}/inventory", user["user_id"]);
    for length in [90_000, 10_000, 1_000, 100] {
        let item = json!({"name": "Hat", "metadata": "x".repeat(length)});
        while source.post(&items, &item).await.status == 201 {}
    }
    let named = json!({"platform_id": user["platform_id"], "name": "\u{1}".repeat(1_000)});
    source.post("/events", &samples::event(&json!({"user": named}))).await.created();
    let archive = archive_of(&source).await;
    assert_eq!(records(archive.path(), "users")[0]["name"], named["name"]);
    assert_eq!(records(archive.path(), "inventory").len(), source.list("/inventory").await.len());
}

async fn document_that_moves_between_events_during_an_export_is_attached_once() {
    for _ in 0..amount("ROUNDS", 1, 10) {
        let source = Api::start();
        let user = id(&source.user().await, "user_id");
        let document = id(&source.document().await, "document_id");
        source.post("/events", &samples::event(&json!({"user_id": user, "document_id": document}))).await.created();
        // The list does not end before this record.
        let last = json!({"user_id": user, "occurred_at": "2098-01-01T00:00:00Z"});
        source.post("/events", &samples::event(&last)).await.created();
        let moves = change(move |api, number| async move {
            if (1..6).contains(&number) {
                move_document(api, user, document).await;
            }
        });
        Proxy::new(&source, "events", 1, moves).assert_consistent().await;
    }
}

/// A document with the maximum number of stamps: 1,000, or 2 MB. Its image is also replaced after it was listed.
async fn document_at_its_limit(source: &Api, stamp_type: &str) -> Change {
    let document = id(&source.document().await, "document_id");
    let stamp = json!({"document_id": document, "stamp_type": stamp_type, "pos_x": 0, "pos_y": 0, "rotation": 0.5});
    for count in [50, 1] {
        while source.put("/stamps", &json!(vec![&stamp; count])).await.status == 201 {}
    }
    change(move |api, number| {
        let stamp = stamp.clone();
        async move {
            let path = format!("/documents/{document}");
            if number < 6 {
                let shown = api.get(&path).await.ok();
                let first = &shown["stamps"].as_array().expect("a list")[0]["stamp_id"];
                api.delete(&format!("/stamps/{first}")).await.ok();
                api.post("/stamps", &stamp).await.created();
            }
            let side = u32::try_from(number).expect("few") % 50 + 1;
            let image = STANDARD.encode(samples::png(side, 1));
            api.patch(&path, &json!({"document_data": image})).await.ok();
        }
    })
}

async fn stamps_at_their_limit_that_change_during_an_export_stay_within_it() {
    let large = "\u{1}".repeat(1_000);
    for stamp_type in ["a", &large].into_iter().cycle().skip(1).take(amount("ROUNDS", 1, 10)) {
        let source = Api::start();
        let restamp = document_at_its_limit(&source, stamp_type).await;
        Proxy::new(&source, "stamps", 60, restamp).assert_consistent().await;
    }
}

/// The process is killed at any moment, including between the replacement of an image and the end of the export.
async fn interrupted_export_of_a_changing_channel_continues() {
    let source = Api::start();
    let restamp = document_at_its_limit(&source, &"\u{1}".repeat(1_000)).await;
    let proxied = Proxy::new(&source, "stamps", 60, restamp).always().start().await;
    let folder = tempdir().expect("a folder");
    let mut life = 40;
    while !matches!(
        tokio::time::timeout(Duration::from_millis(life), transfer::export(export_to(&proxied, folder.path()))).await,
        Ok(Ok(()))
    ) {
        life += life / 2;
        assert!(life < 60_000, "the export does not end");
    }
    assert_imported(folder.path()).await;
}

/// A pet is given to a viewer who joined after the viewers were listed, and its former owner is deleted.
async fn record_that_moves_to_a_new_parent_during_an_export_is_not_lost() {
    let source = Api::start();
    let first = id(&source.user().await, "user_id");
    source.user().await;
    let pet = source.post("/specimens", &json!({"owner_id": first})).await.created();
    let path = format!("/specimens/{}", pet["specimen_id"]);
    let moves = change(move |api, number| {
        let path = path.clone();
        async move {
            if number == 0 {
                let next = api.user().await;
                api.patch(&path, &json!({"owner_id": next["user_id"]})).await.ok();
                api.delete(&format!("/users/{first}")).await.ok();
            }
        }
    });
    let proxied = Proxy::new(&source, "users", 1, moves).start().await;
    let archive = archive_of(&proxied).await;
    assert_eq!(records(archive.path(), "specimens").len(), 1);
    assert_eq!(records(archive.path(), "users").len(), 2);
    assert_imported(archive.path()).await;
}

/// A record is deleted and then stored again with a later time, so the list has it twice.
async fn record_that_is_stored_again_during_an_export_is_in_the_archive_once() {
    let source = Api::start();
    let document =
        |year: usize| samples::merged(samples::document(), &json!({"created_at": format!("{year}-01-01T00:00:00Z")}));
    for id in 1..4 {
        source.put(&format!("/documents/{id}"), &document(2000)).await.created();
    }
    let again = change(move |api, number| async move {
        if (1..4).contains(&number) {
            api.delete("/documents/1").await.ok();
            while api.put("/documents/1", &document(2001 + number)).await.status != 201 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    });
    Proxy::new(&source, "documents", 1, again).assert_consistent().await;
}

/// One viewer's archive never contains another viewer's records.
async fn archive_of_one_user_has_no_record_that_was_given_away() {
    let source = Api::start();
    fill(&source, 1).await;
    let (user, other) = (source.user().await, source.user().await);
    let pet = source.post("/specimens", &json!({"owner_id": user["user_id"]})).await.created();
    let path = format!("/specimens/{}", pet["specimen_id"]);
    let renewed = format!("/users/{}", user["user_id"]);
    let receiver = other["user_id"].clone();
    let gives = change(move |api, _| {
        let (path, receiver, renewed) = (path.clone(), receiver.clone(), renewed.clone());
        async move {
            api.patch(&path, &json!({"owner_id": receiver})).await;
            api.post(&format!("{renewed}/specimens"), &json!({})).await;
        }
    });
    let proxy = Proxy::new(&source, "users", 1, gives).always();
    let proxied = proxy.start().await;
    let folder = tempdir().expect("a folder");
    let only = capture_core::schema::Id::new(id(&user, "user_id"));
    let options = ExportOptions { user: only, ..export_to(&proxied, folder.path()) };
    transfer::export(options).await.expect("an archive");
    assert_eq!(records(folder.path(), "users").len(), 1);
    assert!(records(folder.path(), "specimens").iter().all(|pet| pet["owner_id"] == user["user_id"]));
    import(&Api::start(), folder.path()).await.expect("an import");
}

/// Two viewers swap their `platform_id` values between any two reads. The export fails, and no manifest claims success.
async fn archive_without_agreement_is_not_complete() {
    let source = Api::start();
    let users = [source.user().await, source.user().await];
    let [one, other] = users.map(|user| format!("/users/{}", user["user_id"]));
    let named = one.trim_start_matches('/').to_owned();
    let trade = change(move |api, _| trade(api, one.clone(), other.clone()));
    let proxied = Proxy::new(&source, "users", 1, trade).always().start().await;
    let folder = tempdir().expect("a folder");
    let refused = transfer::export(export_to(&proxied, folder.path())).await.expect_err("no agreement").to_string();
    assert!(refused.contains("change faster") && refused.contains(&named), "{refused}");
    assert!(!folder.path().join("manifest.json").exists());
    let refused = import(&Api::start(), folder.path()).await.expect_err("no archive").to_string();
    assert!(refused.contains("no complete archive"), "{refused}");
}

/// Everything changes at once, as fast as the service allows.
async fn archives_of_a_busy_channel_are_consistent() {
    // A busy channel grows, so each round starts a new one.
    for _ in 0..amount("ROUNDS", 1, 10) {
        archive_of_a_busy_channel_is_consistent().await;
    }
}

async fn archive_of_a_busy_channel_is_consistent() {
    let source = Api::start();
    fill(&source, 5).await;
    let users = [source.user().await, source.user().await];
    let [one, other] = users.each_ref().map(|user| format!("/users/{}", user["user_id"]));
    let (user, document) = (id(&users[0], "user_id"), id(&source.document().await, "document_id"));
    for home in [&one, &other] {
        source.post(&format!("{home}/specimens"), &json!({})).await.created();
    }
    let pause = Duration::from_millis(10);
    let api = source.clone();
    let busy = tokio::spawn(async move {
        loop {
            tokio::join!(
                renew(api.clone(), one.clone()),
                trade(api.clone(), one.clone(), other.clone()),
                renew(api.clone(), other.clone()),
                move_document(api.clone(), user, document),
            );
            tokio::time::sleep(pause).await;
        }
    });
    let proxied = Proxy::new(&source, "none", 2, change(|_, _| async {})).start().await;
    for _ in 0..2 {
        let archive: TempDir = archive_of(&proxied).await;
        import(&Api::start(), archive.path()).await.expect("a consistent archive");
    }
    busy.abort();
}
