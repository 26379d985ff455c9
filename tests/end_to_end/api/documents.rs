//! Tests of `/documents`, standalone and with events.

use end_to_end::{Api, samples};
use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};

#[tokio::test]
async fn get_image_without_credentials_returns_the_uploaded_bytes() {
    let api = Api::shared();
    let document = api.document().await;
    let image = api.get(document["document_data"].as_str().expect("a URL")).await;
    assert_eq!((image.status.as_u16(), image.header("content-type")), (200, "image/png"));
    assert_eq!(image.bytes, samples::png(2, 2));
    assert_eq!(document["metadata"], Value::Null);
    assert_eq!(document["stamps"], json!([]));
}

#[tokio::test]
async fn form_has_the_stamps_in_one_part_or_a_part_for_each() {
    let api = Api::shared();
    let stamp = |x: &str| format!(r#"{{"stamp_type": "heart", "pos_x": {x}, "pos_y": 1, "rotation": 0.5}}"#);
    let form = |stamps: &[String]| {
        let form = Form::new().part("document_data", Part::bytes(samples::png(2, 2))).text("seal", "7");
        stamps.iter().fold(form, |form, stamp| form.text("stamps", stamp.clone()))
    };
    let send =
        async |stamps: &[String]| api.send(api.request(Method::POST, "/documents").multipart(form(stamps))).await;
    for stamps in [vec![stamp("3")], vec![stamp("3"), stamp("4")], vec![format!("[{},{}]", stamp("3"), stamp("4"))]] {
        let document = send(&stamps).await.created();
        let expected = stamps.join(",").matches("pos_x").count();
        assert_eq!(document["stamps"].as_array().map(Vec::len), Some(expected), "{stamps:?}");
        assert_eq!(document["stamps"][0]["pos_x"], 3);
    }
    assert_eq!(send(&[stamp("3"), stamp("\"x\"")]).await.refused(422), ["/stamps/1/pos_x"]);
    assert_eq!(send(&[stamp("3"), "x".to_owned()]).await.refused(422), ["/stamps/1"]);
    for stamps in [["x".to_owned(), stamp("3")], ["5".to_owned(), stamp("3")]] {
        assert_eq!(send(&stamps).await.refused(422), ["/stamps/0"]);
    }
    let nested = format!("[[{}],{}]", stamp("3"), stamp("4"));
    assert_eq!(send(&[nested]).await.refused(422), ["/stamps/0"]);
    // A list and separate parts describe the same thing twice.
    for stamps in [[format!("[{}]", stamp("3")), stamp("4")], [stamp("3"), format!("[{}]", stamp("4"))]] {
        send(&stamps).await.refused(400);
    }
}

#[tokio::test]
async fn multipart_form_creates_and_updates_a_document() {
    let api = Api::shared();
    let event = api.event(&api.user().await).await;
    let path = format!("/events/{}/document", event["event_id"]);
    let stamps = json!([{"stamp_type": "a", "pos_x": 0, "pos_y": 0, "rotation": 0}]);
    let file = || Part::bytes(samples::gif()).file_name("x.txt").mime_str("text/plain").expect("a type");
    let form = Form::new()
        .part("document_data", file())
        .text("seal", "7")
        .text("metadata", "5")
        .text("stamps", stamps.to_string());
    let document = api.send(api.request(Method::POST, &path).multipart(form)).await.created();
    assert_eq!(
        (&document["seal"], &document["metadata"], &document["stamps"][0]["stamp_type"]),
        (&json!(7), &json!("5"), &json!("a"))
    );
    let image = api.get(document["document_data"].as_str().expect("a URL")).await;
    assert_eq!((image.header("content-type"), &image.bytes), ("image/gif", &samples::gif()));
    let form = Form::new().text("seal", "8");
    let changed = api.send(api.request(Method::PATCH, &path).multipart(form)).await.ok();
    assert_eq!((&changed["seal"], &changed["metadata"]), (&json!(8), &json!("5")));
    let form = Form::new().text("seal", "eight").text("bogus", "x");
    assert_eq!(
        api.send(api.request(Method::POST, "/documents").multipart(form)).await.refused(422),
        ["/document_data", "/seal", "/bogus"]
    );
    let form = Form::new().text("seal", "1").part("image", file()).text("stamps", "[");
    let wrong = api.send(api.request(Method::POST, "/documents").multipart(form)).await.refused(422);
    assert_eq!(wrong, ["/document_data", "/stamps", "/image"]);
    let form = Form::new().text("name", "x");
    api.send(api.request(Method::POST, "/users").multipart(form)).await.refused(415);
}

#[tokio::test]
async fn post_second_document_of_an_event_returns_409() {
    let api = Api::shared();
    let event = api.event(&api.user().await).await;
    let path = format!("/events/{}/document", event["event_id"]);
    for refused in [api.get(&path).await, api.patch(&path, &json!({"seal": 1})).await, api.delete(&path).await] {
        refused.refused(404);
    }
    let document = api.post(&path, &samples::document()).await.created();
    api.post(&path, &samples::document()).await.refused(409);
    let rendered = api.get(&format!("/events/{}", event["event_id"])).await.ok();
    assert_eq!(
        (&rendered["document"], &rendered["document_id"]),
        (&api.get(&path).await.ok(), &document["document_id"])
    );
}

#[tokio::test]
async fn delete_document_deletes_its_stamps_and_not_its_event() {
    let api = Api::shared();
    let event = api.event(&api.user().await).await;
    let home = format!("/events/{}", event["event_id"]);
    let document = api.post(&format!("{home}/document"), &samples::document()).await.created();
    let stamp = api.post(&format!("{home}/document/stamps"), &samples::stamp(&document)).await.created();
    let deleted = api.delete(&format!("{home}/document")).await.ok();
    assert_eq!(deleted["stamps"], json!([stamp]));
    let image = document["document_data"].as_str().expect("a URL");
    for path in [&format!("/documents/{}", document["document_id"]), &format!("/stamps/{}", stamp["stamp_id"]), image] {
        assert_eq!(api.get(path).await.status, 404);
    }
    let event = api.get(&home).await.ok();
    assert_eq!((&event["document"], &event["document_id"]), (&Value::Null, &Value::Null));
    api.post(&format!("{home}/document"), &samples::document()).await.created();
}

#[tokio::test]
async fn patch_document_data_deletes_the_old_image() {
    let api = Api::shared();
    let document = api.document().await;
    let body =
        json!({"document_data": format!("data:image/gif;base64,{}", base64_of(&samples::gif())), "metadata": "new"});
    let changed = api.patch(&format!("/documents/{}", document["document_id"]), &body).await.ok();
    assert_eq!((&changed["seal"], &changed["metadata"]), (&json!(7), &json!("new")));
    assert_eq!(api.get(document["document_data"].as_str().expect("a URL")).await.status, 404);
    assert_eq!(api.get(changed["document_data"].as_str().expect("a URL")).await.bytes, samples::gif());
}

#[tokio::test]
async fn filter_by_document_seal_follows_a_changed_seal() {
    let api = Api::shared();
    let event = api.event(&api.user().await).await;
    let path = format!("/events/{}/document", event["event_id"]);
    let seal = fastrand::i64(1 << 40..1 << 50);
    api.post(&path, &samples::merged(samples::document(), &json!({"seal": seal}))).await.created();
    assert_eq!(api.list(&format!("/events?document_seal={seal}")).await[0]["event_id"], event["event_id"]);
    api.patch(&path, &json!({"seal": seal + 1})).await.ok();
    assert!(api.list(&format!("/events?document_seal={seal}")).await.is_empty());
    assert_eq!(api.list(&format!("/events?document_seal={}", seal + 1)).await.len(), 1);
    api.delete(&path).await.ok();
    assert!(api.list(&format!("/events?document_seal={}", seal + 1)).await.is_empty());
}

#[tokio::test]
async fn patch_document_with_stamps_returns_422() {
    let api = Api::shared();
    let document = api.document().await;
    let path = format!("/documents/{}", document["document_id"]);
    assert_eq!(
        api.patch(&path, &json!({"stamps": [], "created_at": null})).await.refused(422),
        ["/created_at", "/stamps"]
    );
}

#[tokio::test]
async fn list_by_stamp_type_returns_each_document_once() {
    let api = Api::shared();
    let kind = samples::unique();
    let mut expected = Vec::new();
    for position in 0..3 {
        let document = api.document().await;
        let stamp = json!({"stamp_type": kind, "pos_x": 0, "pos_y": 0, "rotation": 0});
        let other = json!({"stamp_type": "other", "pos_x": 0, "pos_y": 0, "rotation": 0});
        let mut stamps = vec![stamp; position + 1];
        stamps.push(other);
        api.put(&format!("/documents/{}/stamps", document["document_id"]), &json!(stamps)).await.created();
        expected
            .insert(0, api.get(&format!("/documents/{}", document["document_id"])).await.ok()["document_id"].clone());
    }
    for limit in ["", "&limit=1", "&limit=2"] {
        let found = api.list(&format!("/documents?stamp_type={kind}{limit}")).await;
        assert_eq!(found.iter().map(|document| document["document_id"].clone()).collect::<Vec<_>>(), expected);
        assert_eq!(found[0]["stamps"].as_array().expect("a list").len(), 4);
    }
    assert!(api.list(&format!("/documents?stamp_type={kind}&metadata=none")).await.is_empty());
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes)
}
