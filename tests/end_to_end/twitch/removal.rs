//! Tests of moderators' removals: single messages, a viewer's messages, and the entire chat.

use capture_core::lambda::upkeep;
use capture_core::schema::Timestamp;
use end_to_end::{Api, samples};
use serde_json::{Value, json};

use super::webhook::{Message, chat_message, deliver, events_of, notice, sample, send_subscription_message, taking};

fn removal(id: &str) -> Value {
    let (mut removal, _) = sample("channel.chat.message_delete");
    removal["event"]["message_id"] = json!(id);
    removal
}

async fn subscribe(api: &Api, name: &str) {
    send_subscription_message(api, "webhook_callback_verification", name, "id").await;
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
    // The removal arrives before its message.
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
    let ago = |minutes: i64| Timestamp::now().checked_add(time::Duration::minutes(-minutes)).expect("a time");
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
    // Without a stream, the last day's messages are cleared.
    let (offline, _) = sample("stream.offline");
    deliver(&api, &offline).await;
    let (clear, _) = sample("channel.chat.clear");
    deliver(&api, &clear).await;
    assert_eq!(texts(events_of(&api, &ann).await), ["Cool_User followed the channel."]);
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_message_cannot_imitate_another_source() {
    let api = Api::start();
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
    let api = Api::start();
    for (order, kind) in [(0, "channel.bits.use"), (1, "channel.bits.use"), (2, "channel.bits.use")] {
        let viewer = samples::unique();
        // A longer text is stored out of line.
        let text = format!("cheer3 {}{}", samples::unique(), "é".repeat(order * 400));
        let (mut cheer, _) = sample(kind);
        cheer["event"]["user_id"] = json!(viewer);
        cheer["event"]["message"]["text"] = json!(text);
        // The viewer's other cheer stays.
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

/// The orders of arrival of a chat message, the report of its text by another type, and the removal.
const ORDERS: [[usize; 3]; 4] = [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 0, 1]];

#[tokio::test(flavor = "multi_thread")]
async fn removed_text_of_a_power_up_is_removed_in_every_order() {
    for order in ORDERS {
        let api = Api::start();
        subscribe(&api, "channel.bits.use").await;
        let viewer = samples::unique();
        let (mut power_up, _) = sample("channel.bits.use");
        power_up["event"]["user_id"] = json!(viewer);
        power_up["event"]["type"] = json!("power_up");
        power_up["event"]["power_up"] = json!({"type": "message_effect"});
        power_up["event"]["message"] = json!({"text": "rude", "fragments": []});
        let (mut chat, id) = chat_message(&viewer, "rude");
        chat["event"]["message_type"] = json!("power_ups_message_effect");
        chat["event"]["cheer"] = Value::Null;
        for index in order {
            deliver(&api, [&power_up, &chat, &removal(&id)][index]).await;
        }
        let events = events_of(&api, &viewer).await;
        let stored: Vec<_> = events.iter().map(|event| (&event["event_type"], &event["message"])).collect();
        assert_eq!(stored, [(&json!("cheer"), &Value::Null)], "{order:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_notice_of_a_subscription_loses_its_text_in_every_order() {
    for (months, is_subscribed) in [(1, false), (7, false), (7, true)] {
        for order in ORDERS {
            let api = Api::start();
            if is_subscribed {
                subscribe(&api, "channel.subscription.message").await;
            }
            let (id, viewer) = (samples::unique(), samples::unique());
            let fields = json!({"sub_tier": "1000", "cumulative_months": months});
            let mut shared = notice(if months == 1 { "sub" } else { "resub" }, &fields, "rude");
            shared["event"]["chatter_user_id"] = json!(viewer);
            shared["event"]["message_id"] = json!(id);
            // Without a share of the other type, the viewer subscribed before.
            let (mut other, _) =
                sample(if is_subscribed { "channel.subscription.message" } else { "channel.subscribe" });
            other["event"]["user_id"] = json!(viewer);
            other["event"]["tier"] = json!("1000");
            if is_subscribed {
                other["event"]["cumulative_months"] = json!(months);
                other["event"]["message"] = json!({"text": "rude", "emotes": []});
            }
            for index in order {
                deliver(&api, [&other, &shared, &removal(&id)][index]).await;
            }
            let events = events_of(&api, &viewer).await;
            let texts: Vec<_> = events.iter().map(|event| (&event["event_type"], &event["message"])).collect();
            assert!(!texts.is_empty(), "{months} {is_subscribed} {order:?}");
            let is_removed = |text: &(&Value, &Value)| *text == (&json!("subscriber"), &Value::Null);
            assert!(texts.iter().all(is_removed), "{months} {is_subscribed} {order:?}: {texts:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cleared_notice_of_an_unknown_kind_keeps_its_sentence_and_loses_its_text() {
    for (kind, clears_all) in
        [("modiversary", false), ("modiversary", true), ("new_in_2027", false), ("new_in_2027", true)]
    {
        let api = Api::start();
        let (mut clear, _) = sample(if clears_all { "channel.chat.clear" } else { "channel.chat.clear_user_messages" });
        let mut unknown = notice(kind, &json!({}), "rude");
        unknown["event"]["system_message"] = json!("Cool_User did something.");
        let viewer = unknown["event"]["chatter_user_id"].as_str().expect("a viewer").to_owned();
        clear["event"]["target_user_id"] = json!(viewer);
        let sent = Timestamp::now().to_string();
        deliver(&api, &unknown).await;
        assert_eq!(events_of(&api, &viewer).await[0]["message"], "Cool_User did something: rude");
        // A notice without text from the viewer stays as it is.
        let mut gift = notice("gift_paid_upgrade", &json!({}), "");
        gift["event"]["chatter_user_id"] = json!(viewer);
        deliver(&api, &gift).await;
        deliver(&api, &clear).await;
        // It was sent before and arrives after.
        unknown["event"]["message_id"] = json!(samples::unique());
        assert_eq!(Message { timestamp: sent, ..Message::new(&unknown) }.send(&api).await.status, 204);
        let mut messages: Vec<_> =
            events_of(&api, &viewer).await.iter().map(|event| event["message"].clone()).collect();
        messages.sort_by_key(Value::to_string);
        let sentence = "Cool_User did something.";
        assert_eq!(
            messages,
            [json!("Cool_User continued a gifted subscription."), json!(sentence), json!(sentence)],
            "{kind}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_notice_of_an_unknown_kind_keeps_its_sentence() {
    let api = Api::start();
    let mut unknown = notice("new_in_2027", &json!({}), "rude");
    unknown["event"]["message_id"] = json!("the message");
    unknown["event"]["message"]["fragments"] =
        json!([{"type": "gif", "text": "", "gif": {"gif_id": "1", "url": "https://x/1"}}]);
    deliver(&api, &unknown).await;
    deliver(&api, &removal("the message")).await;
    let event = &api.list("/events").await[0];
    assert_eq!(event["message"], event["details"]["system_message"]);
    assert!(!event.to_string().contains("rude") && event["details"].get("fragments").is_none(), "{event}");
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_gif_of_a_notice_is_removed_in_every_order() {
    let gif = json!([{"type": "gif", "text": "", "gif": {"gif_id": "1", "url": "https://x/1"}}]);
    let fields = json!({"sub_tier": "1000", "cumulative_months": 7});
    for (kind, removes_message) in [("resub", true), ("resub", false), ("new_in_2027", true), ("new_in_2027", false)] {
        for is_first in [true, false] {
            let api = Api::start();
            let mut shared = notice(kind, &fields, "");
            let viewer = samples::unique();
            shared["event"]["chatter_user_id"] = json!(viewer);
            shared["event"]["message_id"] = json!("the message");
            shared["event"]["message"]["fragments"] = gif.clone();
            let sent = Timestamp::now().to_string();
            let (mut subscribe, _) = sample("channel.subscribe");
            subscribe["event"]["user_id"] = json!(viewer);
            subscribe["event"]["tier"] = json!("1000");
            deliver(&api, &subscribe).await;
            let (mut clear, _) = sample("channel.chat.clear_user_messages");
            clear["event"]["target_user_id"] = json!(viewer);
            let removed = if removes_message { removal("the message") } else { clear };
            let shared = Message { timestamp: sent, ..Message::new(&shared) };
            if is_first {
                deliver(&api, &removed).await;
                assert_eq!(shared.send(&api).await.status, 204);
            } else {
                assert_eq!(shared.send(&api).await.status, 204);
                assert!(json!(events_of(&api, &viewer).await).to_string().contains("https://x/1"), "{kind}");
                deliver(&api, &removed).await;
            }
            let events = events_of(&api, &viewer).await;
            let is_gone = !json!(events).to_string().contains("https://x/1");
            assert!(!events.is_empty() && is_gone, "{kind} {removes_message} {is_first}: {events:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_that_comes_back_is_the_current_one() {
    // The first report, the report that it ended, and the second one.
    for order in [[0, 1, 2], [0, 2, 1]] {
        let api = taking("none", "true");
        let now = Timestamp::now();
        let ago = |seconds: i64| now.checked_add(time::Duration::seconds(-seconds)).expect("a time").to_string();
        let send = async |message: &Value, seconds: i64| {
            let message = Message { timestamp: ago(seconds), ..Message::new(message) };
            assert_eq!(message.send(&api).await.status, 204);
        };
        let viewer = samples::unique();
        for seconds in [400, 200, 50] {
            send(&chat_message(&viewer, &format!("{seconds}")).0, seconds).await;
        }
        let (mut online, _) = sample("stream.online");
        online["event"]["started_at"] = json!(ago(300));
        let (offline, _) = sample("stream.offline");
        let reports = [(&online, 299), (&offline, 100), (&online, 90)];
        for index in order {
            send(reports[index].0, reports[index].1).await;
        }
        // Another transport reports the same.
        send(&online, 90).await;
        let begun = api.list("/events?source=twitch/stream.online").await;
        let times: Vec<_> = begun.iter().map(|event| event["occurred_at"].as_str().expect("a time")).collect();
        assert_eq!(times, [ago(90), ago(300)], "{order:?}");
        let (mut clear, _) = sample("channel.chat.clear_user_messages");
        clear["event"]["target_user_id"] = json!(viewer);
        send(&clear, 1).await;
        let left: Vec<_> = events_of(&api, &viewer).await.iter().map(|event| event["message"].clone()).collect();
        assert_eq!(left, ["400"], "{order:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn gif_is_in_the_details() {
    let api = taking("none", "true");
    let (mut message, _) = chat_message(&samples::unique(), "");
    let gif = json!({"type": "gif", "text": "", "gif": {"gif_id": "g1", "url": "https://example.com/g1"}});
    message["event"]["message"]["fragments"] = json!([gif, {"type": "text", "text": ""}]);
    deliver(&api, &message).await;
    assert_eq!(api.list("/events").await[0]["details"], json!({"fragments": [gif]}));
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_notice_is_deleted_and_a_shared_subscription_loses_its_text() {
    let api = Api::start();
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
    let (api, store) = Api::start_with_store();
    let ago =
        |seconds: i64| Timestamp::now().checked_add(time::Duration::seconds(-seconds)).expect("a time").to_string();
    let viewer = samples::unique();
    let (clear, _) = sample("channel.chat.clear");
    assert_eq!(Message { timestamp: ago(10), ..Message::new(&clear) }.send(&api).await.status, 204);
    for seconds in [20, 0] {
        let (message, _) = chat_message(&viewer, &format!("{seconds} seconds ago"));
        assert_eq!(Message { timestamp: ago(seconds), ..Message::new(&message) }.send(&api).await.status, 204);
    }
    assert_eq!(events_of(&api, &viewer).await.len(), 1);
    for minutes in [0, 2] {
        let now = Timestamp::now().checked_add(time::Duration::minutes(minutes)).expect("a time");
        let deadline = std::time::Instant::now() + std::time::Duration::from_mins(1);
        upkeep::run(&store, now, deadline).await.expect("the upkeep");
    }
    let left = events_of(&api, &viewer).await;
    assert_eq!((left.len(), &left[0]["message"]), (1, &json!("0 seconds ago")));
    assert!(store.pending_deletions().await.expect("the table").is_empty());
}
