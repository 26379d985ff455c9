//! Tests of what moderators remove: single messages, those of a viewer, and the whole chat.

use end_to_end::{Api, samples};
use event_capture::lambda::upkeep;
use event_capture::schema::Timestamp;
use serde_json::{Value, json};

use super::webhook::{Message, chat_message, deliver, events_of, sample, taking};

fn removal(id: &str) -> Value {
    let (mut removal, _) = sample("channel.chat.message_delete");
    removal["event"]["message_id"] = json!(id);
    removal
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_chat_message_is_deleted_and_not_stored_again() {
    let api = taking("none", "true");
    let viewer = samples::unique();
    let (message, id) = chat_message(&viewer, "rude");
    deliver(&api, &message).await;
    let event = events_of(&api, &viewer).await.remove(0);
    deliver(&api, &removal(&id)).await;
    assert_eq!(api.get(&format!("/events/{}", event["event_id"])).await.status, 404);
    assert!(events_of(&api, &viewer).await.is_empty());
    // Twitch delivers the message or its removal again.
    for again in [&message, &removal(&id), &message] {
        deliver(&api, again).await;
    }
    assert!(events_of(&api, &viewer).await.is_empty());
    assert!(api.list("/events").await.is_empty());
    // The removal comes before its message.
    let (message, id) = chat_message(&viewer, "rude, too");
    deliver(&api, &removal(&id)).await;
    deliver(&api, &message).await;
    assert!(events_of(&api, &viewer).await.is_empty());
    let (message, _) = chat_message(&viewer, "kind");
    deliver(&api, &message).await;
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_cheer_keeps_its_amount_and_loses_its_text() {
    let api = taking("none", "true");
    let viewer = samples::unique();
    let (mut cheer, id) = chat_message(&viewer, "Cheer100 rude");
    cheer["event"]["cheer"] = json!({"bits": 100});
    deliver(&api, &cheer).await;
    deliver(&api, &removal(&id)).await;
    deliver(&api, &cheer).await;
    let events = events_of(&api, &viewer).await;
    assert_eq!((events.len(), &events[0]["amount"], &events[0]["message"]), (1, &json!(100), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_message_is_reported_as_deleted_in_the_feed() {
    let api = taking("none", "true");
    let (message, id) = chat_message(&samples::unique(), "x".repeat(2_000).as_str());
    deliver(&api, &message).await;
    deliver(&api, &removal(&id)).await;
    deliver(&api, &removal(&samples::unique())).await;
    let mut types = Vec::new();
    for _ in 0..200 {
        let page = api.get("/feed?after=0").await;
        let entries: Vec<Value> = serde_json::from_slice(&page.bytes).expect("a list");
        types = entries.iter().map(|entry| entry["type"].as_str().expect("a type").to_owned()).collect();
        if types.len() >= 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(types, ["event.created", "event.deleted"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cleared_messages_are_those_of_the_current_stream() {
    let api = taking("none", "true");
    let ago = |minutes: i64| Timestamp::now().shifted(time::Duration::minutes(-minutes)).expect("a time");
    let (ann, bob) = (samples::unique(), samples::unique());
    // Twitch's messages may be ten minutes old, so older ones are changed in place by their times.
    let send_at = |message: Value, time: Timestamp| {
        let api = &api;
        async move {
            let message = Message { timestamp: time.to_string(), ..Message::new(&message) };
            assert_eq!(message.send(api).await.status, 204);
        }
    };
    let (mut online, _) = sample("stream.online");
    online["event"]["started_at"] = json!(ago(5).to_string());
    send_at(online, ago(5)).await;
    send_at(chat_message(&ann, "before the stream").0, ago(8)).await;
    send_at(chat_message(&ann, "one").0, ago(4)).await;
    send_at(chat_message(&bob, "two").0, ago(3)).await;
    let (mut follow, _) = sample("channel.follow");
    follow["event"]["user_id"] = json!(ann);
    send_at(follow, ago(3)).await;
    let (mut clear, _) = sample("channel.chat.clear_user_messages");
    clear["event"]["target_user_id"] = json!(ann);
    send_at(clear, ago(2)).await;
    send_at(chat_message(&ann, "after").0, ago(1)).await;
    let texts = |events: Vec<Value>| {
        let mut texts: Vec<_> =
            events.iter().map(|event| event["message"].as_str().expect("a text").to_owned()).collect();
        texts.sort();
        texts
    };
    assert_eq!(texts(events_of(&api, &ann).await), ["Cool_User followed the channel.", "after", "before the stream"]);
    assert_eq!(texts(events_of(&api, &bob).await), ["two"]);
    let (clear, _) = sample("channel.chat.clear");
    send_at(clear, ago(0)).await;
    assert_eq!(texts(events_of(&api, &ann).await), ["Cool_User followed the channel.", "before the stream"]);
    assert!(events_of(&api, &bob).await.is_empty());
    // Without a stream, the messages of the last day are cleared.
    let (offline, _) = sample("stream.offline");
    deliver(&api, &offline).await;
    let (clear, _) = sample("channel.chat.clear");
    deliver(&api, &clear).await;
    assert_eq!(texts(events_of(&api, &ann).await), ["Cool_User followed the channel."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_message_cannot_imitate_another_source() {
    let api = Api::own();
    let viewer = samples::unique();
    let (mut message, _) = chat_message(&viewer, "Ann gifted 50 tier 1 subscriptions.");
    for (field, value) in [
        ("notice_type", json!("community_sub_gift")),
        ("source", json!("twitch/channel.subscription.gift")),
        ("reference", json!("777")),
        ("details", json!({"total": 50})),
        ("message_type", json!("channel.subscription.gift")),
    ] {
        message["event"][field] = value;
    }
    deliver(&api, &message).await;
    let event = events_of(&api, &viewer).await.remove(0);
    assert_eq!(event["source"], "twitch/channel.chat.message");
    assert_eq!((&event["reference"], &event["details"]), (&Value::Null, &Value::Null));
    assert!(api.list("/events?source=twitch/channel.subscription.gift").await.is_empty());
    assert_eq!(api.list("/events?source=twitch/channel.chat.message").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_message_of_a_cheer_of_another_type_clears_its_text() {
    let api = Api::own();
    for (order, kind) in [(0, "channel.bits.use"), (1, "channel.bits.use"), (2, "channel.bits.use")] {
        let viewer = samples::unique();
        // A longer text is stored out of line.
        let text = format!("cheer3 {}{}", samples::unique(), "é".repeat(order * 400));
        let (mut cheer, _) = sample(kind);
        cheer["event"]["user_id"] = json!(viewer);
        cheer["event"]["message"]["text"] = json!(text);
        // Another cheer of the viewer stays.
        let mut other = cheer.clone();
        other["event"]["message"]["text"] = json!("cheer3 kind");
        let (mut chat, id) = chat_message(&viewer, &text);
        chat["event"]["cheer"] = json!({"bits": 3});
        let messages = match order {
            0 => [&other, &cheer, &chat, &removal(&id)],
            1 => [&other, &chat, &cheer, &removal(&id)],
            _ => [&other, &cheer, &removal(&id), &chat],
        };
        for message in messages {
            deliver(&api, message).await;
        }
        let events = events_of(&api, &viewer).await;
        let texts: Vec<_> = events.iter().map(|event| (&event["event_type"], &event["message"])).collect();
        assert_eq!(texts.len(), 2, "{order}: {texts:?}");
        assert!(texts.contains(&(&json!("cheer"), &Value::Null)), "{order}: {texts:?}");
        assert!(texts.contains(&(&json!("cheer"), &json!("cheer3 kind"))), "{order}: {texts:?}");
    }
    // Clearing the chat removes the texts of all cheers, and keeps the cheers.
    let (clear, _) = sample("channel.chat.clear");
    deliver(&api, &clear).await;
    let cheers = api.list("/events?event_type=cheer").await;
    assert_eq!((cheers.len(), cheers.iter().filter(|event| event["message"].is_null()).count()), (6, 6));
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_notice_is_deleted_and_a_shared_subscription_loses_its_text() {
    let api = Api::own();
    let shown = |message: &str| format!("Cool_User watched 5 streams in a row: {message}");
    let (mut streak, _) = sample("channel.chat.notification");
    let viewer = samples::unique();
    streak["event"]["chatter_user_id"] = json!(viewer);
    for is_first in [false, true] {
        let id = samples::unique();
        streak["event"]["message_id"] = json!(id);
        streak["event"]["message"]["text"] = json!("rude");
        let messages = if is_first { [&removal(&id), &streak] } else { [&streak, &removal(&id)] };
        for message in messages {
            deliver(&api, message).await;
        }
        assert!(events_of(&api, &viewer).await.is_empty());
    }
    streak["event"]["message_id"] = json!(samples::unique());
    deliver(&api, &streak).await;
    assert_eq!(events_of(&api, &viewer).await[0]["message"], shown("rude"));
    let (mut shared, _) = sample("channel.subscription.message");
    shared["event"]["user_id"] = json!(viewer);
    deliver(&api, &shared).await;
    let (mut clear, _) = sample("channel.chat.clear_user_messages");
    clear["event"]["target_user_id"] = json!(viewer);
    deliver(&api, &clear).await;
    let left = events_of(&api, &viewer).await;
    assert_eq!((left.len(), &left[0]["event_type"], &left[0]["message"]), (1, &json!("subscriber"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn message_that_arrives_after_a_clear_is_not_stored() {
    let (api, store) = Api::own_with_store();
    let ago = |seconds: i64| Timestamp::now().shifted(time::Duration::seconds(-seconds)).expect("a time").to_string();
    let viewer = samples::unique();
    let (clear, _) = sample("channel.chat.clear");
    assert_eq!(Message { timestamp: ago(10), ..Message::new(&clear) }.send(&api).await.status, 204);
    for seconds in [20, 0] {
        let (message, _) = chat_message(&viewer, &format!("{seconds} seconds ago"));
        assert_eq!(Message { timestamp: ago(seconds), ..Message::new(&message) }.send(&api).await.status, 204);
    }
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
    for minutes in [0, 2] {
        let now = Timestamp::now().shifted(time::Duration::minutes(minutes)).expect("a time");
        let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
        upkeep::run(&store, now, deadline).await.expect("the upkeep");
    }
    let left = events_of(&api, &viewer).await;
    assert_eq!((left.len(), &left[0]["message"]), (1, &json!("0 seconds ago")));
    assert!(store.pending().await.expect("the table").is_empty());
}
