//! Tests of the files of an archive: what `export` writes, and what `import` refuses.

use std::time::Duration;

use end_to_end::Api;
use reqwest::Method;
use serde_json::json;
use tempfile::tempdir;
use transfer::ExportOptions;

use crate::guarantees::transfer::{archive_of, assert_same, export_to, import, import_from};

/// Two and three viewers take each other's `platform_id`. Only a temporary one resolves that.
#[tokio::test(flavor = "multi_thread")]
async fn traded_platform_ids_are_carried_over() {
    let (source, target) = (Api::own(), Api::own());
    for id in 1..=9 {
        let viewer = json!({"platform_id": format!("p{id}"), "name": format!("viewer {id}")});
        source.put(&format!("/users/{id}"), &viewer).await.created();
        source.post("/transactions", &json!({"user_id": id, "amount": id, "description": "x"})).await.created();
    }
    let first = archive_of(&source).await;
    import(&target, first.path()).await.expect("an import");
    let interrupted = Api::own();
    import(&interrupted, first.path()).await.expect("an import");
    let killed = Api::own();
    import(&killed, first.path()).await.expect("an import");

    let rename = async |api: &Api, id: u64, platform_id: &str| {
        api.patch(&format!("/users/{id}"), &json!({"platform_id": platform_id})).await.ok();
    };
    // Two circles, and a chain whose last value nobody else has.
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
    // A new viewer has the value that another one gave up.
    rename(&source, 8, "p80").await;
    source.put("/users/10", &json!({"platform_id": "p8", "name": "new"})).await.created();
    let second = tempdir().expect("a folder");
    let since = Some(first.path().to_owned());
    transfer::export(ExportOptions { since, ..export_to(&source, second.path()) }).await.expect("an archive");
    let expected = archive_of(&source).await;
    import(&target, second.path()).await.expect("an import of changes");
    assert_same(expected.path(), archive_of(&target).await.path());
    // The process is killed at any moment, or after it has moved a viewer aside.
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
    // A value that a viewer of the target has stays there, and nobody is moved aside for it.
    let other = Api::own();
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
