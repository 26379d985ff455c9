//! The `demo --live` command: plays a whole stream, as signed notifications to Twitch's webhook. The service handles them
//! like those of Twitch.

use std::path::Path;
use std::time::Duration;

use event_capture::schema::Timestamp;
use event_capture::webhooks::twitch::signature::sign;
use event_capture::webhooks::twitch::{PATH, REPLAY};
use fastrand::Rng;
use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::channel::Channel;
use crate::Error;

/// The file of the data folder with the webhook's secret, if the service generated it.
pub(crate) const SECRET_FILE: &str = "twitch-secret";
/// The broadcaster of the demo, and of a service that was started without one.
pub(crate) const BROADCASTER: &str = "1337";
/// The length of the script in seconds. `--duration` stretches or shortens it.
const LENGTH: f64 = 300.0;
/// The seconds between two chat messages.
const CHAT_EVERY: f64 = 1.5;
/// The number of notifications that are sent concurrently. Those of a community gift come together.
const AT_ONCE: usize = 8;
const GIFTS: usize = 50;

/// Chat messages.
pub(super) const SAID: [&str; 12] = [
    "what a run!",
    "hello from the train",
    "that jump was clean",
    "good luck with the boss",
    "first time here, love it",
    "the cat is back",
    "how did you do that?",
    "gg",
    "this song again, yes",
    "take a break, drink some water",
    "for the new microphone",
    "see you tomorrow",
];

/// A viewer: Twitch's identifier and the name.
type Viewer = (String, String);

/// A notification: its time in the script in seconds, its type and version, and the event.
struct Notification {
    at: f64,
    name: &'static str,
    version: &'static str,
    event: Value,
}

/// The sender of the notifications.
pub(super) struct Webhook {
    /// The secret that signs them.
    pub secret: String,
    /// Twitch's identifier of the broadcaster.
    pub broadcaster: String,
}

impl Webhook {
    /// Returns the webhook of a service on this machine. A secret that is given goes before that of the data folder.
    pub(super) fn find(secret: Option<String>, broadcaster: Option<String>, folder: &Path) -> Result<Self, Error> {
        let stored = || std::fs::read_to_string(folder.join(SECRET_FILE)).ok();
        let secret = secret.or_else(stored).ok_or_else(|| {
            let folder = folder.display();
            format!(
                "No secret for the webhook in {folder}. Set --data-dir to the folder of the service, or TWITCH_SECRET."
            )
        })?;
        Ok(Self { secret, broadcaster: broadcaster.unwrap_or_else(|| BROADCASTER.to_owned()) })
    }

    /// Plays the stream in a number of seconds.
    pub(super) async fn play(
        &self,
        channel: &Channel,
        viewers: &[Viewer],
        seconds: f64,
        mut rng: Rng,
    ) -> Result<(), Error> {
        let script = script(viewers, &mut rng);
        let bar = ProgressBar::new(script.len() as u64);
        let begin = Instant::now();
        let sending = stream::iter(script).map(|notification| {
            let due = begin + Duration::from_secs_f64(notification.at * seconds / LENGTH);
            async move {
                sleep_until(due).await;
                self.send(channel, notification).await
            }
        });
        sending
            .buffered(AT_ONCE)
            .try_for_each(|()| {
                bar.inc(1);
                async { Ok(()) }
            })
            .await?;
        bar.finish_and_clear();
        Ok(())
    }

    async fn send(
        &self,
        channel: &Channel,
        Notification { name, version, mut event, .. }: Notification,
    ) -> Result<(), Error> {
        let now = Timestamp::now().to_string();
        let id = format!("{:032x}", fastrand::u128(..));
        for field in ["broadcaster_user_id", "to_broadcaster_user_id"] {
            if event.get(field).is_some_and(Value::is_null) {
                event[field] = self.broadcaster.clone().into();
            }
        }
        for field in ["followed_at", "redeemed_at", "started_at", "ended_at"] {
            if event.get(field).is_some_and(Value::is_null) {
                event[field] = now.clone().into();
            }
        }
        let subscription = json!({"id": "demo", "type": name, "version": version, "status": "enabled"});
        let body = json!({"subscription": subscription, "event": event}).to_string();
        let signature = sign(&self.secret, &id, &now, body.as_bytes());
        let headers = [
            ("content-type", "application/json"),
            ("twitch-eventsub-message-id", id.as_str()),
            ("twitch-eventsub-message-type", "notification"),
            ("twitch-eventsub-message-timestamp", now.as_str()),
            ("twitch-eventsub-message-signature", signature.as_str()),
            // The demo subscribes to nothing.
            (REPLAY, "true"),
        ];
        let (status, answer) = channel.send("POST", PATH, &headers, body).await?;
        if status == http::StatusCode::FORBIDDEN {
            return Err(
                "The service refused the signature. Set TWITCH_SECRET and TWITCH_BROADCASTER_ID as for the service."
                    .into(),
            );
        }
        if !status.is_success() {
            return Err(format!("POST {PATH} failed: {status} {answer}").into());
        }
        Ok(())
    }
}

/// Returns a random element.
pub(super) fn one<'a>(of: &[&'a str], rng: &mut Rng) -> &'a str {
    rng.choice(of).copied().unwrap_or_default()
}

/// Returns the notifications of a stream, in the order of their times. A null field is filled in when it is sent.
#[expect(clippy::too_many_lines, reason = "a script, in the order of its kinds")]
fn script(viewers: &[Viewer], rng: &mut Rng) -> Vec<Notification> {
    let mut all = Vec::new();
    let mut add = |at: f64, name, version, event| all.push(Notification { at, name, version, event });
    let viewer = |rng: &mut Rng| viewers[rng.usize(..viewers.len())].clone();
    let user = |(id, name): &Viewer| json!({"user_id": id, "user_name": name, "user_login": name.to_lowercase(), "broadcaster_user_id": null});
    let with = |base: Value, more: Value| {
        let mut event = base;
        for (name, value) in more.as_object().into_iter().flatten() {
            event[name] = value.clone();
        }
        event
    };
    let broadcast = |more| {
        with(
            json!({"broadcaster_user_id": null, "broadcaster_user_name": "Your_Channel", "broadcaster_user_login": "your_channel"}),
            more,
        )
    };
    let said = |(id, name): &Viewer, message: &str, text: &str| {
        json!({"broadcaster_user_id": null, "chatter_user_id": id, "chatter_user_name": name, "chatter_user_login": name.to_lowercase(),
            "message_id": message, "message_type": "text", "message": {"text": text, "fragments": []}})
    };
    let notice = |who: &Viewer, kind: &str, about: Value, text: &str, rng: &mut Rng| {
        let message = format!("{:032x}", rng.u128(..));
        with(said(who, &message, text), json!({"notice_type": kind, "system_message": "", kind: about}))
    };

    add(
        0.0,
        "stream.online",
        "1",
        broadcast(json!({"id": format!("{:016x}", rng.u64(..)), "type": "live", "started_at": null})),
    );
    add(
        3.0,
        "channel.update",
        "2",
        broadcast(
            json!({"title": "A demo of five minutes", "language": "en", "category_id": "1", "category_name": "Software and Game Development"}),
        ),
    );
    let mut at = 4.0;
    while at < LENGTH - 10.0 {
        let message = format!("{:032x}", rng.u128(..));
        add(at, "channel.chat.message", "1", said(&viewer(rng), &message, one(&SAID, rng)));
        at += CHAT_EVERY * (0.4 + rng.f64() * 1.2);
    }
    for at in [12.0, 21.0, 47.0, 96.0, 141.0, 188.0, 232.0, 263.0] {
        add(at, "channel.follow", "2", with(user(&viewer(rng)), json!({"followed_at": null})));
    }
    for (at, tier) in [(18.0, "1000"), (33.0, "1000"), (171.0, "3000")] {
        let about = json!({"sub_tier": tier, "is_prime": tier == "1000", "duration_months": 1});
        let event = notice(&viewer(rng), "sub", about, "", rng);
        add(at, "channel.chat.notification", "1", event);
    }
    for (at, months, text) in
        [(26.0, 14, "fourteen months, and not bored once"), (134.0, 3, ""), (210.0, 26, "still the best place to be")]
    {
        let about = json!({"sub_tier": "1000", "is_prime": false, "is_gift": false, "cumulative_months": months, "duration_months": 1, "streak_months": null});
        let event = notice(&viewer(rng), "resub", about, text, rng);
        add(at, "channel.chat.notification", "1", event);
    }
    for (at, bits, text) in [
        (40.0, 50, "cheer50 hello from the train"),
        (62.0, 100, "cheer100 that jump was clean"),
        (112.0, 1_500, "cheer1500 for the new microphone"),
        (124.0, 5_000, "cheer5000 what a run!"),
        (246.0, 10_000, "cheer10000 for everything"),
    ] {
        add(
            at,
            "channel.cheer",
            "1",
            with(user(&viewer(rng)), json!({"is_anonymous": false, "bits": bits, "message": text})),
        );
    }
    for (at, title, cost, input) in
        [(55.0, "Hydrate", 100, ""), (104.0, "Name the boss", 500, "Sir Reginald"), (196.0, "Hydrate", 100, "")]
    {
        let reward = json!({"id": title, "title": title, "cost": cost, "prompt": ""});
        let id = format!("{:032x}", rng.u128(..));
        let event =
            json!({"id": id, "user_input": input, "status": "unfulfilled", "reward": reward, "redeemed_at": null});
        add(at, "channel.channel_points_custom_reward_redemption.add", "1", with(user(&viewer(rng)), event));
    }

    // A community gift: the giver's notice, and one for each recipient.
    let giver = viewer(rng);
    let gift = format!("{:016x}", rng.u64(..));
    let about = json!({"id": gift, "total": GIFTS, "sub_tier": "1000", "cumulative_total": GIFTS});
    let event = notice(&giver, "community_sub_gift", about, "", rng);
    add(76.0, "channel.chat.notification", "1", event);
    for number in 0..GIFTS {
        let name = format!("Lucky{:04}", rng.u32(..10_000));
        let id = format!("lucky-{number}-{name}");
        let about = json!({"sub_tier": "1000", "duration_months": 1, "cumulative_total": null, "community_gift_id": gift,
            "recipient_user_id": id, "recipient_user_name": name, "recipient_user_login": name.to_lowercase()});
        let event = notice(&giver, "sub_gift", about, "", rng);
        add(76.1, "channel.chat.notification", "1", event);
    }

    let (raider, raiders) = viewer(rng);
    add(
        152.0,
        "channel.raid",
        "1",
        json!({"from_broadcaster_user_id": raider, "from_broadcaster_user_name": raiders,
        "from_broadcaster_user_login": raiders.to_lowercase(), "to_broadcaster_user_id": null, "viewers": 42}),
    );
    let train = json!({"id": format!("{:016x}", rng.u64(..)), "level": 1, "total": 137, "goal": 500, "progress": 137, "type": "regular", "started_at": null});
    add(118.0, "channel.hype_train.begin", "2", broadcast(train.clone()));
    add(
        182.0,
        "channel.hype_train.end",
        "2",
        broadcast(with(train, json!({"level": 3, "total": 7_340, "ended_at": null}))),
    );
    let goal = json!({"id": "demo-goal", "type": "subscription", "description": "a new camera", "is_achieved": true, "current_amount": 60, "target_amount": 60, "started_at": null, "ended_at": null});
    add(175.0, "channel.goal.end", "1", broadcast(with(goal, json!({"id": format!("{:016x}", rng.u64(..))}))));

    // A moderator removes a message.
    let (troll, message) = (viewer(rng), format!("{:032x}", rng.u128(..)));
    add(203.0, "channel.chat.message", "1", said(&troll, &message, "buy followers at a cheap price"));
    let removed = json!({"target_user_id": troll.0, "target_user_name": troll.1, "target_user_login": troll.1.to_lowercase(), "message_id": message});
    add(206.0, "channel.chat.message_delete", "1", broadcast(removed));
    let choices =
        json!([{"id": "1", "title": "The castle", "votes": 61}, {"id": "2", "title": "The swamp", "votes": 44}]);
    let poll = json!({"id": format!("{:016x}", rng.u64(..)), "title": "Where to next?", "choices": choices, "status": "completed", "started_at": null, "ended_at": null});
    add(225.0, "channel.poll.end", "1", broadcast(poll));
    add(LENGTH, "stream.offline", "1", broadcast(json!({})));

    all.sort_by(|one, other| one.at.total_cmp(&other.at));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_is_ordered_and_has_each_kind() {
        let viewers = [("1".to_owned(), "Ann".to_owned()), ("2".to_owned(), "Bea".to_owned())];
        let script = script(&viewers, &mut Rng::with_seed(7));
        assert!(script.is_sorted_by(|one, next| one.at <= next.at));
        assert_eq!((script[0].name, script[script.len() - 1].name), ("stream.online", "stream.offline"));
        let of = |kind: &str| script.iter().filter(|one| one.event["notice_type"] == kind).count();
        assert_eq!((of("community_sub_gift"), of("sub_gift")), (1, GIFTS));
    }
}
