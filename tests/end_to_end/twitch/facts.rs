//! Tests of what a notification may claim: names, order, identities, and missing facts.

use std::time::{Duration, Instant};

use capture_core::lambda::upkeep;
use capture_core::schema::Timestamp;
use end_to_end::{Api, samples};
use serde_json::{Value, json};

use crate::guarantees::crash::Process;
use crate::twitch::webhook::{
    Message, chat_message, deliver, event_of, events_of, notice, sample, send_subscription_message, taking,
};

/// The time when a test starts, which keeps the order of its messages independent of the machine's speed.
struct Clock(Timestamp);

impl Clock {
    fn start() -> Self {
        Self(Timestamp::now())
    }

    /// Returns the time this many seconds before the test.
    fn ago(&self, seconds: i64) -> String {
        self.0.checked_add(time::Duration::seconds(-seconds)).expect("a time").to_string()
    }
}

async fn send_at(api: &Api, message: &Value, time: &str) {
    assert_eq!(Message::at(message, &samples::unique(), time).send(api).await.status, 204, "{message}");
}

/// Stores a user and returns its identifier at Twitch.
async fn known_viewer(api: &Api, name: &str) -> String {
    let platform_id = format!("{}", fastrand::u32(..));
    api.post("/users", &json!({"platform_id": platform_id, "name": name})).await.created();
    platform_id
}

async fn name_of(api: &Api, platform_id: &str) -> Value {
    api.get(&format!("/users?platform_id={platform_id}")).await.ok()[0]["name"].clone()
}

/// Calls a function with each object in a notification that names a user, and with the prefix of the user's fields.
fn for_each_user(json: &mut Value, change: &mut impl FnMut(&mut serde_json::Map<String, Value>, &str)) {
    match json {
        Value::Object(members) => {
            let prefixes: Vec<_> =
                members.keys().filter_map(|name| Some(name.strip_suffix("user_id")?.to_owned())).collect();
            for prefix in prefixes {
                change(members, &prefix);
            }
            members.values_mut().for_each(|member| for_each_user(member, change));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| for_each_user(element, change)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_name_keeps_the_stored_one_in_user_event_and_sentence() {
    let api = Api::start();
    let blanks = [None, Some(json!(null)), Some(json!("")), Some(json!(" \t"))];
    for (index, original) in samples::twitch().into_iter().enumerate() {
        let name = original["subscription"]["type"].as_str().expect("a type").to_owned();
        let (mut sample, viewer) = sample(&name);
        if !sample.to_string().contains(&viewer) {
            continue;
        }
        let display_name = format!("Known Viewer {index}");
        api.post("/users", &json!({"platform_id": viewer, "name": display_name})).await.created();
        let blank = &blanks[index % blanks.len()];
        for_each_user(&mut sample["event"], &mut |members, prefix| {
            if members[&format!("{prefix}user_id")] == *viewer {
                members.remove(&format!("{prefix}user_name"));
                members.insert(format!("{prefix}user_login"), json!("known_login"));
                members.extend(blank.clone().map(|blank| (format!("{prefix}user_name"), blank)));
            }
        });
        let event = event_of(&api, &sample).await;
        assert_eq!(name_of(&api, &viewer).await, display_name, "{name}");
        if let Some(event) = event {
            assert_eq!(event["user_name"], display_name, "{name}");
            let message = event["message"].as_str().unwrap_or_default();
            assert!(!message.contains("known_login") && !message.contains(&viewer), "{name}: {message}");
        }
    }
    let found = api.list("/users?name_prefix=known%20viewer").await;
    assert!(found.len() > 10, "{}", found.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn persons_in_sentence_and_details_have_their_stored_names() {
    let api = Api::start();
    let other = known_viewer(&api, "Known Other").await;
    let person = |prefix: &str, more: Value| {
        let mut about = json!({format!("{prefix}user_id"): other, format!("{prefix}user_login"): "login"});
        about.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        about
    };
    for (kind, about, sentence, member) in [
        ("sub_gift", person("recipient_", json!({"sub_tier": "1000"})), "gifted Known Other a tier", "recipient"),
        ("gift_paid_upgrade", person("gifter_", json!({})), "the subscription that Known Other gifted", "giver"),
        ("pay_it_forward", person("gifter_", json!({})), "paid Known Other's gift forward.", "giver"),
    ] {
        let event = event_of(&api, &notice(kind, &about, "")).await.expect(kind);
        assert!(event["message"].as_str().expect("a sentence").contains(sentence), "{event}");
        assert_eq!(event["details"][member], json!({"user_id": other, "user_name": "Known Other"}), "{kind}");
    }
    let (mut raid, _) = sample("channel.raid");
    raid["event"] = json!({
        "from_broadcaster_user_id": "1337", "from_broadcaster_user_name": "Ours",
        "to_broadcaster_user_id": other, "to_broadcaster_user_name": "", "viewers": 3,
    });
    raid["subscription"]["condition"] = json!({"from_broadcaster_user_id": "1337"});
    let event = event_of(&api, &raid).await.expect("an event");
    assert_eq!(event["message"], "Ours raided Known Other with 3 viewers.");
}

#[tokio::test(flavor = "multi_thread")]
async fn viewer_who_is_not_stored_gets_the_login_until_a_name_is_known() {
    let clock = Clock::start();
    let api = Api::start();
    for (login, expected) in [(json!("the_login"), Some("the_login")), (json!(null), None)] {
        let (mut follow, viewer) = sample("channel.follow");
        let name = std::mem::take(&mut follow["event"]["user_name"]);
        follow["event"]["user_login"] = login;
        let event = event_of(&api, &follow).await.expect("an event");
        assert_eq!(event["user_name"], expected.unwrap_or(&viewer));
        // Any name is better, even an earlier one.
        follow["event"]["user_name"] = name.clone();
        follow["event"]["followed_at"] = json!(clock.ago(0));
        send_at(&api, &follow, &clock.ago(60)).await;
        assert_eq!(name_of(&api, &viewer).await, name);
    }
    let (mut update, _) = sample("user.update");
    let viewer = known_viewer(&api, "Stays").await;
    update["event"]["user_id"] = json!(viewer);
    for name in [json!(" "), json!(null), json!("")] {
        update["event"]["user_name"] = name;
        deliver(&api, &update).await;
        assert_eq!(name_of(&api, &viewer).await, "Stays");
    }
}

fn clear_of(viewer: &str) -> Value {
    let (mut clear, _) = sample("channel.chat.clear_user_messages");
    clear["event"]["target_user_id"] = json!(viewer);
    clear
}

async fn texts(api: &Api, viewer: &str) -> Vec<String> {
    let events = events_of(api, viewer).await;
    let mut texts: Vec<_> = events.iter().map(|event| event["message"].as_str().unwrap_or("none").to_owned()).collect();
    texts.sort();
    texts
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_sent_before_a_clear_and_arrives_later_is_removed() {
    let clock = Clock::start();
    let api = Api::start();
    for is_known in [true, false] {
        for clears_all in [true, false] {
            let viewer = if is_known { known_viewer(&api, "Cleared").await } else { samples::unique() };
            let cleared_at = clock.ago(5);
            let clear = if clears_all { sample("channel.chat.clear").0 } else { clear_of(&viewer) };
            send_at(&api, &clear, &cleared_at).await;
            for (time, text) in [(clock.ago(7), "before"), (cleared_at.clone(), "equal"), (clock.ago(4), "after")] {
                send_at(&api, &chat_message(&viewer, text).0, &time).await;
            }
            assert_eq!(texts(&api, &viewer).await, ["after"], "known: {is_known}, all: {clears_all}");
            // Other types of events lose only their text.
            let (mut cheer, _) = sample("channel.cheer");
            cheer["event"]["user_id"] = json!(viewer);
            send_at(&api, &cheer, &clock.ago(6)).await;
            assert_eq!(texts(&api, &viewer).await, ["after", "none"], "known: {is_known}, all: {clears_all}");
        }
    }
    let viewer = samples::unique();
    send_at(&api, &clear_of(&samples::unique()), &clock.ago(0)).await;
    send_at(&api, &chat_message(&viewer, "of another viewer").0, &clock.ago(3)).await;
    assert_eq!(texts(&api, &viewer).await, ["of another viewer"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn clear_holds_after_a_kill() {
    let (clock, folder) = (Clock::start(), end_to_end::folder());
    let service = Process::start(&folder);
    let viewer = samples::unique();
    send_at(&service.api, &clear_of(&viewer), &clock.ago(5)).await;
    service.kill();
    let service = Process::start(&folder);
    for (seconds, text) in [(7, "before"), (4, "after")] {
        send_at(&service.api, &chat_message(&viewer, text).0, &clock.ago(seconds)).await;
    }
    assert_eq!(texts(&service.api, &viewer).await, ["after"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_clear_holds_for_its_stream() {
    let clock = Clock::start();
    let api = Api::start();
    let viewer = samples::unique();
    let (mut online, _) = sample("stream.online");
    for seconds in [60, 30] {
        online["event"]["id"] = json!(samples::unique());
        online["event"]["started_at"] = json!(clock.ago(seconds));
        send_at(&api, &online, &clock.ago(seconds)).await;
        send_at(&api, &clear_of(&viewer), &clock.ago(seconds - 10)).await;
    }
    for seconds in [70, 55, 45, 25, 15] {
        send_at(&api, &chat_message(&viewer, &format!("{seconds}")).0, &clock.ago(seconds)).await;
    }
    // As if they had been stored before: neither clear covers the time before its stream.
    assert_eq!(texts(&api, &viewer).await, ["15", "45", "70"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn message_that_is_stored_while_a_clear_runs_is_removed_by_the_upkeep() {
    let clock = Clock::start();
    let (api, store) = Api::start_with_store();
    let viewer = samples::unique();
    send_at(&api, &clear_of(&viewer), &clock.ago(5)).await;
    // Its request saw no clear, and stores it after the clear has searched for messages.
    let (message, _) = chat_message(&viewer, "raced");
    let event = json!({"event_type": "plain", "message": "raced", "user_name": "A", "source": "twitch/channel.chat.message",
        "occurred_at": clock.ago(6), "created_at": clock.ago(6)});
    let user = json!({"platform_id": viewer, "name": "A"});
    let user = api.post("/users", &user).await.created();
    let mut event = event;
    event["user_id"] = user["user_id"].clone();
    let stored = api.put(&format!("/events/{}", 4_000_000_000_u64 + u64::from(fastrand::u32(..))), &event).await;
    assert_eq!(stored.status, 201, "{}", String::from_utf8_lossy(&stored.bytes));
    assert_eq!(texts(&api, &viewer).await, ["raced"]);
    let later = Timestamp::now().checked_add(time::Duration::seconds(31)).expect("a time");
    upkeep::run(&store, later, Instant::now() + Duration::from_mins(1)).await.expect("the upkeep");
    assert!(texts(&api, &viewer).await.is_empty());
    send_at(&api, &message, &clock.ago(0)).await;
    assert_eq!(texts(&api, &viewer).await, ["raced"], "the viewer may write again");
}

#[tokio::test(flavor = "multi_thread")]
async fn mark_of_a_clear_costs_half_a_unit_beside_the_other_reads() {
    let api = Api::shared();
    let (message, viewer) = sample("channel.chat.message");
    deliver(&api, &message).await;
    let cost_of = async |name: &str, viewer: &str| {
        let (mut body, _) = sample(name);
        for field in ["user_id", "chatter_user_id"] {
            if body["event"][field].is_string() {
                body["event"][field] = json!(viewer);
            }
        }
        Message::new(&body).send(&api).await.cost()
    };
    let (chat, follow) = (cost_of("channel.chat.message", &viewer).await, cost_of("channel.follow", &viewer).await);
    assert_eq!((follow.0, follow.1), (3, 2.0), "{follow:?}");
    assert_eq!((chat.0, chat.1), (3, 2.5), "{chat:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_happen_again_is_another_event() {
    let clock = Clock::start();
    let api = Api::start();
    let (mut share, _) = sample("channel.subscription.message");
    for tier in ["1000", "2000"] {
        share["event"]["tier"] = json!(tier);
        assert!(event_of(&api, &share).await.is_some(), "tier {tier}");
        assert!(event_of(&api, &share).await.is_none(), "tier {tier} under another message identifier");
    }
    let mut shared = notice("resub", &json!({"sub_tier": "1000", "cumulative_months": 8}), "");
    shared["event"]["chatter_user_id"] = json!("4242");
    let (mut reported, _) = sample("channel.subscription.message");
    reported["event"]["user_id"] = json!("4242");
    reported["event"]["tier"] = json!("1000");
    reported["event"]["cumulative_months"] = json!(8);
    let api = Api::start();
    assert!(event_of(&api, &shared).await.is_some());
    assert!(event_of(&api, &reported).await.is_none(), "both types name the same share");
    for name in [
        "channel.hype_train.begin",
        "channel.hype_train.end",
        "channel.goal.begin",
        "channel.goal.end",
        "channel.poll.end",
        "channel.prediction.end",
        "stream.online",
    ] {
        let (mut once, _) = sample(name);
        assert!(event_of(&api, &once).await.is_some(), "{name}");
        // Twitch may report an end twice: a terminated poll is archived later.
        once["event"]["status"] = json!("archived");
        once["event"]["ended_at"] = json!(clock.ago(0));
        assert!(event_of(&api, &once).await.is_none(), "{name}");
        once["event"]["started_at"] = json!(clock.ago(1));
        assert!(event_of(&api, &once).await.is_some(), "{name} began again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn frame_of_an_action_is_no_part_of_the_message() {
    let api = taking("cheer", "true");
    let emote = json!({"type": "emote", "text": "Kappa", "emote": {"id": "25"}});
    let fragments = json!([{"type": "text", "text": "cheer10 waves "}, emote]);
    let framed = "\u{1}ACTION cheer10 waves Kappa\u{1}";
    let positions = json!([{"id": "25", "begin": 14, "end": 18}]);
    let (mut chat, _) = sample("channel.chat.message");
    chat["event"]["message"] = json!({"text": framed, "fragments": fragments});
    let event = event_of(&api, &chat).await.expect("an event");
    assert_eq!(event["message"], "cheer10 waves Kappa");
    assert_eq!(event["details"], json!({"is_action": true, "emotes": positions}));
    chat["event"]["message_id"] = json!(samples::unique());
    chat["event"]["message"]["fragments"] = json!([emote]);
    let event = event_of(&api, &chat).await.expect("an event");
    assert_eq!(event["details"], json!({"is_action": true}), "the fragments are of another text");
    let mut announced = notice("announcement", &json!({"color": "PRIMARY"}), framed);
    announced["event"]["message"]["fragments"] = fragments.clone();
    let event = event_of(&api, &announced).await.expect("an event");
    assert!(event["message"].as_str().expect("a text").ends_with(" announced: cheer10 waves Kappa"), "{event}");
    assert_eq!(event["details"]["emotes"], positions);
    let (mut cheer, _) = sample("channel.cheer");
    cheer["event"]["message"] = json!(framed);
    assert_eq!(event_of(&api, &cheer).await.expect("an event")["message"], "cheer10 waves Kappa");
    let (mut share, _) = sample("channel.subscription.message");
    share["event"]["message"] = json!({"text": framed, "emotes": null});
    assert_eq!(event_of(&api, &share).await.expect("an event")["message"], "cheer10 waves Kappa");
    let (mut bits, _) = sample("channel.bits.use");
    bits["event"]["message"] = json!({"text": framed, "fragments": fragments});
    let event = event_of(&taking("bits", "true"), &bits).await.expect("an event");
    assert_eq!((&event["message"], &event["details"]["emotes"]), (&json!("cheer10 waves Kappa"), &positions));
    let (mut automatic, _) = sample("channel.channel_points_automatic_reward_redemption.add");
    automatic["event"]["message"] = json!({"text": framed, "fragments": fragments});
    let event = event_of(&api, &automatic).await.expect("an event");
    assert!(event["message"].as_str().expect("a text").ends_with(": cheer10 waves Kappa"), "{event}");
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_value_becomes_no_fact() {
    let api = Api::start();
    let money = json!({"value": 1_000, "decimal_places": 2, "currency": "USD"});
    // The type or notice, what it lacks, the sentence, and the details that must be missing.
    for (name, change, sentence, missing) in [
        (
            "community_sub_gift",
            json!({"id": "1", "total": 5, "sub_tier": "1000", "cumulative_total": 0}),
            "Cool_User gifted 5 tier 1 subscriptions.",
            "cumulative_total",
        ),
        ("community_sub_gift", json!({"id": "2"}), "Cool_User gifted subscriptions.", "total"),
        (
            "sub_gift",
            json!({"recipient_user_id": "55", "recipient_user_name": "Bea", "cumulative_total": 0}),
            "Cool_User gifted Bea a subscription.",
            "cumulative_total",
        ),
        (
            "charity_donation",
            json!({"charity_name": "Kind", "target_amount": money}),
            "Cool_User donated to Kind.",
            "amount",
        ),
        (
            "gift_paid_upgrade",
            json!({"gifter_is_anonymous": false}),
            "Cool_User continued a gifted subscription.",
            "giver",
        ),
        (
            "pay_it_forward",
            json!({"gifter_is_anonymous": true, "recipient_user_id": "55", "recipient_user_name": "Bea"}),
            "Cool_User paid an anonymous viewer's gift forward to Bea.",
            "giver",
        ),
        ("pay_it_forward", json!({}), "Cool_User paid a gift forward.", "recipient"),
        ("prime_paid_upgrade", json!({}), "Cool_User upgraded from Prime to a subscription.", "tier"),
        ("bits_badge_tier", json!({}), "Cool_User earned a badge for bits.", "tier"),
        ("watch_streak", json!({}), "Cool_User watched several streams in a row.", "streak_count"),
        (
            "channel.subscription.gift",
            json!({"cumulative_total": 0, "total": 1}),
            "Cool_User gifted 1 tier 1 subscription.",
            "cumulative_total",
        ),
        ("channel.charity_campaign.donate", json!({"amount": null}), "donated to", "amount"),
        ("channel.hype_train.end", json!({"level": null, "total": null}), "A hype train ended.", "level"),
        (
            "channel.goal.begin",
            json!({"current_amount": null, "description": ""}),
            "A goal began (new subscription).",
            "current_amount",
        ),
        (
            "channel.channel_points_custom_reward_redemption.add",
            json!({"reward": {"title": "Hydrate"}, "user_input": "now"}),
            "Hydrate: now",
            "cost",
        ),
        (
            "channel.channel_points_automatic_reward_redemption.add",
            json!({"reward": {"type": "random_emote"}, "message": null}),
            "random emote.",
            "cost",
        ),
        ("channel.ad_break.begin", json!({"duration_seconds": null}), "An ad break began.", "duration_seconds"),
        ("channel.update", json!({"category_name": "", "title": "New"}), "The stream is now called “New”.", "none"),
        (
            "channel.update",
            json!({"title": null, "category_name": "Chess"}),
            "The stream is now in the category Chess.",
            "title",
        ),
        (
            "channel.prediction.end",
            json!({"winning_outcome_id": null}),
            "The prediction ended: Will we win?",
            "winning_outcome_id",
        ),
    ] {
        let body = if name.contains('.') {
            let (mut body, _) = sample(name);
            body["event"].as_object_mut().expect("an event").extend(change.as_object().cloned().expect("fields"));
            if body["event"]["broadcaster_user_id"].is_null() {
                body["event"]["broadcaster_user_id"] = json!("1337");
            }
            body
        } else {
            notice(name, &change, "")
        };
        let event = event_of(&api, &body).await.unwrap_or_else(|| panic!("{name}: {body}"));
        let message = event["message"].as_str().unwrap_or_default();
        assert!(message == sentence || (sentence == "donated to" && message.contains(sentence)), "{name}: {message}");
        assert!(event["details"].get(missing).is_none(), "{name}: {}", event["details"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn recipient_of_a_gift_that_is_paid_forward_is_named() {
    let api = Api::start();
    let about = json!({
        "gifter_is_anonymous": false, "gifter_user_id": "9", "gifter_user_name": "Giver", "gifter_user_login": "giver",
        "recipient_user_id": "55", "recipient_user_name": "Bea", "recipient_user_login": "bea",
    });
    let event = event_of(&api, &notice("pay_it_forward", &about, "")).await.expect("an event");
    assert_eq!(event["message"], "Cool_User paid Giver's gift forward to Bea.");
    assert_eq!(event["details"]["recipient"], json!({"user_id": "55", "user_name": "Bea"}));
    api.post("/opt-outs", &json!({"platform_id": "55"})).await.created();
    let event = event_of(&api, &notice("pay_it_forward", &about, "")).await.expect("an event");
    assert_eq!(event["details"], json!({"giver": {"user_id": "9", "user_name": "Giver"}}));
    assert!(!event["message"].to_string().contains("Bea"), "{event}");
}

#[tokio::test(flavor = "multi_thread")]
async fn total_of_a_giver_who_has_opted_out_is_in_no_event_of_a_recipient() {
    let api = Api::start();
    api.post("/opt-outs", &json!({"platform_id": "777"})).await.created();
    let about =
        json!({"recipient_user_id": "55", "recipient_user_name": "Bea", "sub_tier": "1000", "cumulative_total": 284});
    let mut gift = notice("sub_gift", &about, "");
    gift["event"]["chatter_user_id"] = json!("777");
    let event = event_of(&api, &gift).await.expect("an event");
    assert_eq!(event["user"]["platform_id"], "55");
    assert_eq!(event["details"], json!({"recipient": {"user_id": "55", "user_name": "Bea"}, "tier": 1}));
}

#[tokio::test(flavor = "multi_thread")]
async fn share_after_a_pause_completes_the_subscription() {
    let api = Api::start();
    let subscribe = |viewer: &str, tier: &str| {
        let (mut body, _) = sample("channel.subscribe");
        (body["event"]["user_id"], body["event"]["tier"]) = (json!(viewer), json!(tier));
        body
    };
    let share = |viewer: &str, months: i64| {
        let (mut body, _) = sample("channel.subscription.message");
        body["event"]["user_id"] = json!(viewer);
        (body["event"]["tier"], body["event"]["cumulative_months"]) = (json!("1000"), json!(months));
        body["event"]["message"] = json!({"text": format!("{months} months"), "emotes": null});
        body
    };
    let begun = event_of(&api, &subscribe("1", "1000")).await.expect("an event");
    let completed = event_of(&api, &share("1", 6)).await.expect("the event has changed");
    assert_eq!(completed["event_id"], begun["event_id"]);
    assert_eq!((&completed["message"], &completed["subscribed_length"]), (&json!("6 months"), &json!(6)));
    assert_eq!(completed["details"]["cumulative_months"], 6);
    assert!(event_of(&api, &share("1", 6)).await.is_none(), "under another message identifier");
    // A subscription that was shared is not completed again, and neither is an older one.
    let next = event_of(&api, &share("1", 7)).await.expect("an event");
    assert_ne!(next["event_id"], begun["event_id"]);
    assert_eq!(events_of(&api, "1").await.len(), 2);
    // Another tier, a gift or another viewer is a different subscription.
    event_of(&api, &subscribe("2", "2000")).await.expect("an event");
    let mut gift = subscribe("2", "1000");
    gift["event"]["is_gift"] = json!(true);
    event_of(&api, &gift).await.expect("an event");
    event_of(&api, &share("2", 6)).await.expect("an event");
    assert_eq!(events_of(&api, "2").await.len(), 3);
    // The notice `resub` is the same share.
    let api = Api::start();
    let begun = event_of(&api, &subscribe("3", "1000")).await.expect("an event");
    let mut resub = notice("resub", &json!({"sub_tier": "1000", "cumulative_months": 4}), "back!");
    resub["event"]["chatter_user_id"] = json!("3");
    let completed = event_of(&api, &resub).await.expect("the event has changed");
    assert_eq!((&completed["event_id"], &completed["message"]), (&begun["event_id"], &json!("back!")));
    assert!(event_of(&api, &share("3", 4)).await.is_none());
    // The share has the viewer's current name.
    event_of(&api, &subscribe("4", "1000")).await.expect("an event");
    let mut renamed = share("4", 2);
    renamed["event"]["user_name"] = json!("New_Name");
    event_of(&api, &renamed).await.expect("the event has changed");
    assert_eq!(name_of(&api, "4").await, "New_Name");
}

#[tokio::test(flavor = "multi_thread")]
async fn clear_removes_the_text_of_a_share_that_completed_a_subscription() {
    let clock = Clock::start();
    for (months, subscribed_before) in [(1, 9), (5, 9), (5, 30)] {
        for clears_all in [true, false] {
            // A clear of the entire chat would also affect the next iteration.
            let api = Api::start();
            let (mut online, _) = sample("stream.online");
            online["event"]["started_at"] = json!(clock.ago(20));
            send_at(&api, &online, &clock.ago(20)).await;
            let (mut subscribe, viewer) = sample("channel.subscribe");
            subscribe["event"]["tier"] = json!("1000");
            send_at(&api, &subscribe, &clock.ago(subscribed_before)).await;
            let (mut share, _) = sample("channel.subscription.message");
            share["event"]["user_id"] = json!(viewer);
            (share["event"]["tier"], share["event"]["cumulative_months"]) = (json!("1000"), json!(months));
            send_at(&api, &share, &clock.ago(5)).await;
            let shared = events_of(&api, &viewer).await;
            assert_eq!((shared.len(), shared[0]["message"].is_string()), (1, true), "{months}: {shared:?}");
            let clear = if clears_all { sample("channel.chat.clear").0 } else { clear_of(&viewer) };
            send_at(&api, &clear, &clock.ago(3)).await;
            let cleared = &events_of(&api, &viewer).await[0];
            assert_eq!(cleared["message"], Value::Null, "{months}, {subscribed_before}, {clears_all}");
            assert!(cleared["details"].get("emotes").is_none(), "{cleared}");
        }
    }
    // A gift's sentence is the service's own, so it contains no viewer text.
    let (mut gift, viewer) = sample("channel.subscribe");
    gift["event"]["is_gift"] = json!(true);
    let api = Api::start();
    send_at(&api, &gift, &clock.ago(5)).await;
    send_at(&api, &clear_of(&viewer), &clock.ago(3)).await;
    let kept = events_of(&api, &viewer).await;
    assert!(kept[0]["message"].is_string(), "{kept:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cheer_of_a_removed_message_has_no_text_in_whatever_order_they_come() {
    let clock = Clock::start();
    for name in ["channel.bits.use", "channel.cheer"] {
        let settings = if name == "channel.cheer" { "cheer" } else { "bits" };
        for order in ["cbd", "cdb", "bcd", "bdc", "dcb", "dbc"] {
            let api = taking(settings, "true");
            send_subscription_message(&api, "webhook_callback_verification", name, "id").await;
            let viewer = samples::unique();
            let (mut chat, id) = chat_message(&viewer, "cheer5 bad words");
            chat["event"]["cheer"] = json!({"bits": 5});
            let (mut cheer, _) = sample(name);
            cheer["event"]["user_id"] = json!(viewer);
            let text = json!("cheer5 bad words");
            cheer["event"]["message"] = if settings == "cheer" { text } else { json!({"text": text, "fragments": []}) };
            let (mut delete, _) = sample("channel.chat.message_delete");
            delete["event"]["message_id"] = json!(id);
            for step in order.chars() {
                match step {
                    'c' => send_at(&api, &chat, &clock.ago(10)).await,
                    'b' => send_at(&api, &cheer, &clock.ago(10)).await,
                    _ => send_at(&api, &delete, &clock.ago(5)).await,
                }
            }
            let events = events_of(&api, &viewer).await;
            assert_eq!((events.len(), &events[0]["message"]), (1, &Value::Null), "{name}: {order}: {events:?}");
            assert!(events[0]["amount"].as_i64() > Some(0));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn removed_text_takes_its_emotes_along() {
    let clock = Clock::start();
    let api = taking("bits", "true");
    let emote = json!({"type": "emote", "text": "Kappa", "emote": {"id": "25"}});
    // A large number of emotes is stored out of line.
    for count in [1, 100] {
        for is_late in [false, true] {
            let (mut bits, viewer) = sample("channel.bits.use");
            let text = "Kappa".repeat(count);
            bits["event"]["message"] = json!({"text": text, "fragments": vec![&emote; count]});
            if is_late {
                send_at(&api, &clear_of(&viewer), &clock.ago(3)).await;
                send_at(&api, &bits, &clock.ago(5)).await;
            } else {
                send_at(&api, &bits, &clock.ago(5)).await;
                let stored = &events_of(&api, &viewer).await[0];
                assert_eq!(stored["details"]["emotes"].as_array().map(Vec::len), Some(count));
                send_at(&api, &clear_of(&viewer), &clock.ago(3)).await;
            }
            let event = &events_of(&api, &viewer).await[0];
            assert_eq!(event["message"], Value::Null);
            assert!(event["details"].get("emotes").is_none() && event["details"]["type"].is_string(), "{event}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clear_that_comes_after_the_end_of_its_stream_is_of_that_stream() {
    let clock = Clock::start();
    let api = Api::start();
    let viewer = samples::unique();
    let (mut online, _) = sample("stream.online");
    online["event"]["started_at"] = json!(clock.ago(300));
    send_at(&api, &online, &clock.ago(300)).await;
    for seconds in [400, 200] {
        send_at(&api, &chat_message(&viewer, &format!("{seconds}")).0, &clock.ago(seconds)).await;
    }
    send_at(&api, &sample("stream.offline").0, &clock.ago(90)).await;
    send_at(&api, &clear_of(&viewer), &clock.ago(95)).await;
    assert_eq!(texts(&api, &viewer).await, ["400"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn first_subscription_keeps_the_text_of_its_notice() {
    for order in [[0, 1], [1, 0]] {
        let api = Api::start();
        for name in ["channel.subscribe", "channel.chat.notification"] {
            send_subscription_message(&api, "webhook_callback_verification", name, "id").await;
        }
        let (mut subscribe, viewer) = sample("channel.subscribe");
        subscribe["event"]["tier"] = json!("1000");
        let mut shared = notice("sub", &json!({"sub_tier": "1000"}), "first!");
        shared["event"]["chatter_user_id"] = json!(viewer);
        for index in order {
            deliver(&api, [&subscribe, &shared][index]).await;
        }
        assert_eq!(texts(&api, &viewer).await, ["first!"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_are_those_of_the_payload() {
    let api = Api::start();
    let (mut prediction, _) = sample("channel.prediction.end");
    prediction["event"]["status"] = json!("canceled");
    let event = event_of(&api, &prediction).await.expect("an event");
    assert_eq!(event["message"], "The prediction was canceled: Will we win?");
    // Without the number of decimals, the amount is unknown.
    for amount in
        [json!({"value": 10_000, "currency": "USD"}), json!({"value": 1, "decimal_places": 400, "currency": "USD"})]
    {
        let event =
            event_of(&api, &notice("charity_donation", &json!({"charity_name": "Kind", "amount": amount}), "")).await;
        assert_eq!(event.expect("an event")["message"], "Cool_User donated to Kind.");
    }
    let (mut poll, _) = sample("channel.poll.end");
    poll["event"]["choices"] = json!([{"title": "Blue", "votes": 120}, {"id": null, "title": null}, ""]);
    let event = event_of(&api, &poll).await.expect("an event");
    assert_eq!(event["details"]["choices"], json!([{"title": "Blue", "votes": 120}]));
    // The same time in another notation means the same poll.
    poll["event"]["id"] = json!("notation");
    for (started_at, is_new) in [
        ("2026-11-20T15:00:00Z", true),
        ("2026-11-20T15:00:00.000000000Z", false),
        ("2026-11-20T16:00:00+01:00", false),
    ] {
        poll["event"]["started_at"] = json!(started_at);
        assert_eq!(event_of(&api, &poll).await.is_some(), is_new, "{started_at}");
    }
    // White space alone is not a value.
    let (mut train, _) = sample("channel.hype_train.begin");
    train["event"]["type"] = json!(" \u{3000}");
    assert_eq!(event_of(&api, &train).await.expect("an event")["message"], "A hype train began.");
    for name in ["channel.channel_points_custom_reward_redemption.add", "channel.custom_power_up_redemption.add"] {
        let (mut redemption, _) = sample(name);
        redemption["event"]["user_input"] = json!("\u{1}ACTION hey\u{1}");
        let event = event_of(&api, &redemption).await.expect("an event");
        assert!(event["message"].as_str().expect("a text").ends_with("hey"), "{event}");
    }
    let (mut share, _) = sample("channel.subscription.message");
    let placed = |begin: i64, end: i64| json!({"id": "25", "begin": begin, "end": end, "extra": 1});
    share["event"]["message"] =
        json!({"text": "hi Kappa", "emotes": [placed(3, 7), placed(11, 15), placed(-3, 2), placed(5, 4), null]});
    let event = event_of(&api, &share).await.expect("an event");
    assert_eq!(event["details"]["emotes"], json!([{"id": "25", "begin": 3, "end": 7}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn raid_notice_is_of_its_chatter_under_one_name() {
    let api = Api::start();
    for about in [json!({"viewer_count": 3}), json!({"user_id": "4711", "user_login": "raider", "viewer_count": 3})] {
        let mut raid = notice("raid", &about, "");
        raid["event"]["chatter_user_id"] = json!("4711");
        raid["event"]["chatter_user_name"] = json!("Raider");
        let event = event_of(&api, &raid).await.expect("an event");
        assert_eq!((&event["user"]["platform_id"], &event["user_name"]), (&json!("4711"), &json!("Raider")));
        raid["event"]["message_id"] = json!(samples::unique());
    }
}
