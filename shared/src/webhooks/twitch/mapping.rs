//! Maps each subscription type to events. To add a type, add an entry here and a sample in
//! `tests/samples/twitch.jsonl`, with the expected event in `tests/end_to_end/twitch/webhook.rs`. `docs/twitch.md`
//! lists the sentences.

use serde_json::{Value as Json, json};

use super::parsed_event::{
    ActorFields, BROADCASTER, CHAT_MESSAGE, CHAT_NOTICE, CHATTER, Parsed, ParsedEvent, Removal, USER,
};
use super::read::{count, emotes, id, money, said, text, tier, words};
use super::{Cheers, Settings, notices};

/// A subscription type, and the conversion of its notifications to events.
pub struct Mapping {
    /// Twitch's name of the type.
    pub name: &'static str,
    /// The version to subscribe to. Notifications of every version are accepted.
    pub version: &'static str,
    /// The fields of the subscription's condition, each with the account whose identifier it contains.
    pub condition: &'static [(&'static str, Who)],
    /// The required scopes, each with the account that must grant it.
    pub scopes: &'static [(&'static str, Who)],
    /// Returns true if the settings select this type. They choose between types that report the same events.
    pub is_enabled: fn(Settings) -> bool,
    /// True if a subscription to this type makes the service skip the same events from other types.
    pub decides: bool,
    /// The field that names the channel, in the event or else in the subscription's condition. `None` if the events are
    /// only about a user.
    pub channel: Option<&'static str>,
    /// Parses an event of the type.
    pub parse: fn(&Json) -> Parsed,
    /// The JSON pointer of the time at which an event happened.
    pub time: Option<&'static str>,
}

/// The account whose identifier a condition contains, or that grants a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The broadcaster of the channel.
    Broadcaster,
    /// The account that reads the chat and the followers: a bot, a moderator or the broadcaster.
    Reader,
}

use Who::{Broadcaster, Reader};

/// The fields of the channel that the viewers come from.
const RAIDER: ActorFields =
    ActorFields("from_broadcaster_user_id", "from_broadcaster_user_name", "from_broadcaster_user_login");
/// The fields of the channel that the viewers go to.
const RAIDED: ActorFields =
    ActorFields("to_broadcaster_user_id", "to_broadcaster_user_name", "to_broadcaster_user_login");
const OURS: Option<&str> = Some("broadcaster_user_id");
const CHAT: &[(&str, Who)] = &[("user:read:chat", Reader), ("user:bot", Reader), ("channel:bot", Broadcaster)];
const CHAT_CONDITION: &[(&str, Who)] = &[("broadcaster_user_id", Broadcaster), ("user_id", Reader)];
const REDEMPTIONS: &[(&str, Who)] = &[("channel:read:redemptions", Broadcaster)];
const SUBSCRIPTIONS: &[(&str, Who)] = &[("channel:read:subscriptions", Broadcaster)];

/// The defaults of a mapping.
const BASE: Mapping = Mapping {
    name: "",
    version: "1",
    condition: &[("broadcaster_user_id", Broadcaster)],
    scopes: &[],
    is_enabled: |_| true,
    decides: false,
    channel: OURS,
    parse: |_| Parsed::Nothing,
    time: None,
};

/// The common parts of the types by which moderators remove chat messages.
const MODERATION: Mapping =
    Mapping { condition: CHAT_CONDITION, scopes: CHAT, is_enabled: |settings| settings.chat, ..BASE };

/// All subscription types that the service processes.
pub static MAPPINGS: [Mapping; 30] = [
    Mapping {
        name: "channel.subscribe",
        scopes: SUBSCRIPTIONS,
        decides: true,
        parse: |event| {
            let (person, tier) = (USER.of(event), tier(event, "/tier"));
            if event["is_gift"] == true {
                let message = format!("{} received a gifted tier {tier} subscription.", person.name);
                let parsed = ParsedEvent::subscriber(person, tier, 1).saying(Some(&message));
                let parsed = parsed.with_details(json!({"is_gift": true}));
                return Parsed::Event(parsed.unless_reported_by(&["channel.chat.notification"]));
            }
            Parsed::Event(ParsedEvent::subscriber(person, tier, 1).beginning())
        },
        ..BASE
    },
    Mapping {
        name: "channel.subscription.message",
        scopes: SUBSCRIPTIONS,
        decides: true,
        parse: |event| {
            let months = count(event, "/cumulative_months").max(1);
            let parsed = ParsedEvent::subscriber(USER.of(event), tier(event, "/tier"), months);
            let parsed = parsed.saying(said(event, "/message/text")).with_details(json!({
                "cumulative_months": event["cumulative_months"],
                "streak_months": event["streak_months"],
                "duration_months": event["duration_months"],
                "emotes": event["message"]["emotes"],
            }));
            Parsed::Event(if months == 1 { parsed.beginning() } else { parsed.resubscription(months) })
        },
        ..BASE
    },
    Mapping {
        name: "channel.subscription.gift",
        scopes: SUBSCRIPTIONS,
        decides: true,
        parse: |event| {
            let (giver, total) = (USER.of(event), count(event, "/total"));
            let tier = tier(event, "/tier");
            let message = notices::gifted(&giver.name, total, tier);
            let details = json!({
                "total": total,
                "tier": tier,
                "cumulative_total": event["cumulative_total"],
                "is_anonymous": event["is_anonymous"],
                "giver": giver.to_json(),
            });
            let parsed = ParsedEvent::plain(giver, &message).with_details(details);
            // Only the notice of several gifts contains the identifier that connects them.
            Parsed::Event(if total > 1 { parsed.unless_reported_by(&["channel.chat.notification"]) } else { parsed })
        },
        ..BASE
    },
    Mapping {
        name: "channel.cheer",
        scopes: &[("bits:read", Broadcaster)],
        is_enabled: |settings| matches!(settings.cheers, Cheers::Cheer | Cheers::Subscribed),
        decides: true,
        parse: |event| {
            let parsed = ParsedEvent::cheer(USER.of(event), event, "/bits").saying(text(event, "/message"));
            let parsed = parsed.with_details(json!({"is_anonymous": event["is_anonymous"]}));
            Parsed::Event(parsed.unless_reported_by(&["channel.bits.use"]))
        },
        ..BASE
    },
    Mapping {
        name: "channel.bits.use",
        scopes: &[("bits:read", Broadcaster)],
        is_enabled: |settings| matches!(settings.cheers, Cheers::Bits | Cheers::Subscribed),
        decides: true,
        parse: |event| {
            let parsed = ParsedEvent::cheer(USER.of(event), event, "/bits").saying(text(event, "/message/text"));
            let power_up = said(event, "/power_up/type").or_else(|| said(event, "/custom_power_up/title"));
            let parsed = parsed.referring_to(said(event, "/custom_power_up/reward_id")).with_details(json!({
                "type": event["type"],
                "power_up": event["power_up"],
                "emotes": emotes(&event["message"]),
            }));
            Parsed::Event(parsed.of_type(power_up.or_else(|| said(event, "/type"))))
        },
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("to_broadcaster_user_id", Broadcaster)],
        decides: true,
        channel: Some("to_broadcaster_user_id"),
        parse: |event| Parsed::Event(ParsedEvent::raid(RAIDER.of(event), event, "/viewers")),
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("from_broadcaster_user_id", Broadcaster)],
        channel: Some("from_broadcaster_user_id"),
        parse: |event| {
            let (ours, raided, viewers) = (RAIDER.of(event), RAIDED.of(event), count(event, "/viewers"));
            let message = format!("{} raided {} with {viewers} viewers.", ours.name, raided.name);
            let details = json!({"viewer_count": viewers, "to": raided.to_json()});
            Parsed::Event(ParsedEvent::plain(ours, &message).with_details(details))
        },
        ..BASE
    },
    Mapping {
        name: CHAT_MESSAGE,
        condition: CHAT_CONDITION,
        scopes: CHAT,
        is_enabled: |settings| settings.chat,
        parse: |event| {
            if notices::is_anothers(event) {
                return Parsed::Nothing;
            }
            let kind = text(event, "/message_type").unwrap_or_default();
            let (person, message) = (CHATTER.of(event), text(event, "/message/text").unwrap_or_default());
            let parsed = if event["cheer"].is_object() {
                let cheer = ParsedEvent::cheer(person, event, "/cheer/bits").saying(Some(message));
                cheer.unless_reported_by(&["channel.bits.use", "channel.cheer"])
            } else {
                let plain = ParsedEvent::plain(person, message);
                if kind.starts_with("power_ups_") {
                    plain.unless_reported_by(&["channel.bits.use"])
                } else if said(event, "/channel_points_custom_reward_id").is_some() {
                    plain.unless_reported_by(&["channel.channel_points_custom_reward_redemption.add"])
                } else if ["channel_points_highlighted", "channel_points_sub_only"].contains(&kind) {
                    plain.unless_reported_by(&["channel.channel_points_automatic_reward_redemption.add"])
                } else {
                    plain
                }
            };
            let parsed = parsed.referring_to(said(event, "/channel_points_custom_reward_id"));
            let parsed = parsed.with_details(json!({"emotes": emotes(&event["message"])}));
            Parsed::Event(parsed.known_as(CHAT_MESSAGE, said(event, "/message_id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.chat.message_delete",
        parse: |event| {
            said(event, "/message_id").map_or(Parsed::Nothing, |id| Parsed::Removal(Removal::Message(id.to_owned())))
        },
        ..MODERATION
    },
    Mapping {
        name: "channel.chat.clear_user_messages",
        parse: |event| id(&event["target_user_id"]).map_or(Parsed::Nothing, |id| Parsed::Removal(Removal::Viewer(id))),
        ..MODERATION
    },
    Mapping { name: "channel.chat.clear", parse: |_| Parsed::Removal(Removal::All), ..MODERATION },
    Mapping {
        name: CHAT_NOTICE,
        condition: CHAT_CONDITION,
        scopes: CHAT,
        decides: true,
        parse: notices::parse,
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.add",
        scopes: REDEMPTIONS,
        decides: true,
        parse: |event| {
            let title = text(event, "/reward/title").unwrap_or_default();
            let message = match said(event, "/user_input") {
                Some(input) => format!("{title} ({} points): {input}", count(event, "/reward/cost")),
                None => title.to_owned(),
            };
            let parsed = redemption(ParsedEvent::plain(USER.of(event), &message), event);
            Parsed::Event(parsed.known_as("channel.channel_points_custom_reward_redemption.add", said(event, "/id")))
        },
        time: Some("/redeemed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.update",
        scopes: REDEMPTIONS,
        parse: |event| {
            // The other outcome is the expected one, and not an event.
            if text(event, "/status") != Some("canceled") {
                return Parsed::Nothing;
            }
            let (title, cost) = (text(event, "/reward/title").unwrap_or_default(), count(event, "/reward/cost"));
            let parsed = ParsedEvent::plain(USER.of(event), &format!("{title} ({cost} points) was refunded."));
            let parsed = redemption(parsed, event);
            Parsed::Event(parsed.known_as("refund", said(event, "/id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.channel_points_automatic_reward_redemption.add",
        version: "2",
        scopes: REDEMPTIONS,
        decides: true,
        parse: |event| {
            let points = ["/reward/channel_points", "/reward/cost"].map(|position| count(event, position));
            let cost = points[0].max(points[1]);
            let reward = format!("{} ({cost} points)", words(event, "/reward/type"));
            let parsed = ParsedEvent::plain(USER.of(event), &notices::sentence(&reward, said(event, "/message/text")));
            let parsed = parsed.referring_to(said(event, "/reward/type")).with_details(json!({
                "type": event["reward"]["type"],
                "cost": cost,
                "emote": event["reward"]["emote"],
                "emotes": emotes(&event["message"]),
            }));
            Parsed::Event(parsed.known_as("automatic redemption", said(event, "/id")))
        },
        time: Some("/redeemed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.follow",
        version: "2",
        condition: &[("broadcaster_user_id", Broadcaster), ("moderator_user_id", Reader)],
        scopes: &[("moderator:read:followers", Reader)],
        parse: |event| {
            let person = USER.of(event);
            let message = format!("{} followed the channel.", person.name);
            let key = said(event, "/followed_at").map(|time| format!("{} {time}", person.platform_id));
            Parsed::Event(ParsedEvent::plain(person, &message).known_as("follow", key.as_deref()))
        },
        time: Some("/followed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.charity_campaign.donate",
        scopes: &[("channel:read:charity", Broadcaster)],
        decides: true,
        parse: |event| {
            let (giver, charity) = (USER.of(event), text(event, "/charity_name").unwrap_or_default());
            let message = notices::donated(&giver.name, &money(&event["amount"]), charity);
            let parsed = ParsedEvent::plain(giver, &message).referring_to(said(event, "/campaign_id"));
            let parsed = parsed.with_details(notices::donation(event));
            Parsed::Event(parsed.known_as("donation", said(event, "/id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.hype_train.begin",
        version: "2",
        scopes: &[("channel:read:hype_train", Broadcaster)],
        parse: |event| {
            let kind = said(event, "/type").filter(|kind| *kind != "regular").map(|kind| kind.replace('_', " "));
            let message = kind.map_or("A hype train began.".to_owned(), |kind| format!("A {kind} hype train began."));
            let parsed = hype_train(ParsedEvent::plain(BROADCASTER.of(event), &message), event);
            Parsed::Event(parsed.known_as("hype train begun", said(event, "/id")))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "channel.hype_train.end",
        version: "2",
        scopes: &[("channel:read:hype_train", Broadcaster)],
        parse: |event| {
            let (level, total) = (count(event, "/level"), count(event, "/total"));
            let message = format!("A hype train ended at level {level} with {total} points.");
            let parsed = hype_train(ParsedEvent::plain(BROADCASTER.of(event), &message), event);
            Parsed::Event(parsed.known_as("hype train ended", said(event, "/id")))
        },
        time: Some("/ended_at"),
        ..BASE
    },
    Mapping {
        name: "channel.goal.begin",
        scopes: &[("channel:read:goals", Broadcaster)],
        parse: |event| {
            let parsed = goal("began", event);
            Parsed::Event(parsed.known_as("goal begun", said(event, "/id")))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "channel.goal.end",
        scopes: &[("channel:read:goals", Broadcaster)],
        parse: |event| {
            let verb = if event["is_achieved"] == true { "was achieved" } else { "ended" };
            let parsed = goal(verb, event);
            Parsed::Event(parsed.known_as("goal ended", said(event, "/id")))
        },
        time: Some("/ended_at"),
        ..BASE
    },
    Mapping {
        name: "stream.online",
        parse: |event| {
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), "The stream began.");
            let parsed = parsed.referring_to(said(event, "/id")).with_details(json!({"type": event["type"]}));
            Parsed::Event(parsed.known_as("stream", said(event, "/id")))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "stream.offline",
        parse: |event| {
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), "The stream ended.");
            let parsed = parsed.referring_to(said(event, "/id"));
            Parsed::Event(parsed.known_as("stream offline", said(event, "/id")))
        },
        ..BASE
    },
    Mapping {
        name: "channel.custom_power_up_redemption.add",
        scopes: &[("bits:read", Broadcaster)],
        parse: |event| {
            let power_up = &event["custom_power_up"];
            let parsed = ParsedEvent::cheer(USER.of(event), power_up, "/bits").of_type(said(power_up, "/title"));
            let parsed = parsed.saying(said(event, "/user_input")).referring_to(said(power_up, "/id"));
            let parsed = parsed.with_details(json!({"type": "custom_power_up", "status": event["status"]}));
            let parsed = parsed.known_as("power-up redemption", said(event, "/id"));
            Parsed::Event(parsed.unless_reported_by(&["channel.bits.use"]))
        },
        time: Some("/redeemed_at"),
        ..BASE
    },
    Mapping {
        name: "channel.poll.end",
        scopes: &[("channel:read:polls", Broadcaster)],
        parse: |event| {
            let choices = event["choices"].as_array().map(Vec::as_slice).unwrap_or_default();
            let most = choices.iter().map(|choice| count(choice, "/votes")).max().unwrap_or_default();
            let winners = choices.iter().filter(|choice| most > 0 && count(choice, "/votes") == most);
            let winners: Vec<_> = winners.filter_map(|choice| said(choice, "/title")).collect();
            let poll = format!("The poll ended: {}", text(event, "/title").unwrap_or_default());
            let message = match &winners[..] {
                [] => poll,
                winners => format!("{poll} – {} ({most} votes)", winners.join(", ")),
            };
            let votes = |choice: &Json| json!({"id": choice["id"], "title": choice["title"], "votes": choice["votes"]});
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), &message).referring_to(said(event, "/id"));
            Parsed::Event(
                parsed
                    .with_details(json!({
                        "title": event["title"],
                        "status": event["status"],
                        "choices": choices.iter().map(votes).collect::<Vec<_>>(),
                    }))
                    .known_as("poll", said(event, "/id")),
            )
        },
        time: Some("/ended_at"),
        ..BASE
    },
    Mapping {
        name: "channel.prediction.end",
        scopes: &[("channel:read:predictions", Broadcaster)],
        parse: |event| {
            let outcomes = event["outcomes"].as_array().map(Vec::as_slice).unwrap_or_default();
            let winner = outcomes.iter().find(|outcome| {
                said(outcome, "/id").is_some() && said(outcome, "/id") == said(event, "/winning_outcome_id")
            });
            let title = text(event, "/title").unwrap_or_default();
            let message = match winner.and_then(|winner| said(winner, "/title")) {
                Some(winner) => format!("The prediction ended: {title} – {winner}"),
                None => format!("The prediction was canceled: {title}"),
            };
            let totals = |outcome: &Json| {
                json!({
                    "id": outcome["id"],
                    "title": outcome["title"],
                    "users": outcome["users"],
                    "channel_points": outcome["channel_points"],
                })
            };
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), &message).referring_to(said(event, "/id"));
            Parsed::Event(
                parsed
                    .with_details(json!({
                        "title": event["title"],
                        "status": event["status"],
                        "winning_outcome_id": event["winning_outcome_id"],
                        "outcomes": outcomes.iter().map(totals).collect::<Vec<_>>(),
                    }))
                    .known_as("prediction", said(event, "/id")),
            )
        },
        time: Some("/ended_at"),
        ..BASE
    },
    Mapping {
        name: "channel.update",
        version: "2",
        parse: |event| {
            let [title, category] = ["/title", "/category_name"].map(|name| text(event, name).unwrap_or_default());
            let message = format!("The stream is now called “{title}”, in the category {category}.");
            Parsed::Event(ParsedEvent::plain(BROADCASTER.of(event), &message).with_details(json!({
                "title": event["title"],
                "language": event["language"],
                "category_id": event["category_id"],
                "category_name": event["category_name"],
            })))
        },
        ..BASE
    },
    Mapping {
        name: "channel.shoutout.receive",
        condition: &[("broadcaster_user_id", Broadcaster), ("moderator_user_id", Reader)],
        scopes: &[("moderator:read:shoutouts", Reader)],
        parse: |event| {
            let person = RAIDER.of(event);
            let message = format!("{} gave the channel a shoutout.", person.name);
            let key = said(event, "/started_at").map(|time| format!("{} {time}", person.platform_id));
            let parsed = ParsedEvent::plain(person, &message).known_as("shoutout", key.as_deref());
            Parsed::Event(parsed.with_details(json!({"viewer_count": event["viewer_count"]})))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "channel.ad_break.begin",
        scopes: &[("channel:read:ads", Broadcaster)],
        parse: |event| {
            let message = format!("An ad break of {} seconds began.", count(event, "/duration_seconds"));
            let parsed = ParsedEvent::plain(BROADCASTER.of(event), &message);
            let parsed = parsed.known_as("ad break", said(event, "/started_at"));
            Parsed::Event(parsed.with_details(json!({
                "duration_seconds": event["duration_seconds"],
                "is_automatic": event["is_automatic"],
            })))
        },
        time: Some("/started_at"),
        ..BASE
    },
    Mapping {
        name: "user.update",
        condition: &[("user_id", Broadcaster)],
        channel: None,
        parse: |event| if USER.is_named(event) { Parsed::Name(USER.of(event)) } else { Parsed::Nothing },
        ..BASE
    },
];

/// Returns the mapping of a type. If a type has several, `channel` selects one by the field that names the channel.
pub fn of(name: &str, channel: impl Fn(&'static str) -> bool) -> Option<&'static Mapping> {
    let mut of_type = MAPPINGS.iter().filter(|mapping| mapping.name == name);
    let first = of_type.clone().next();
    of_type.find(|mapping| mapping.channel.is_none_or(&channel)).or(first)
}

impl Mapping {
    /// Returns the source of the events of this type. No other client can store an event with such a source.
    pub fn source(&self, event: &Json) -> String {
        match said(event, "/notice_type") {
            Some(kind) if self.name == CHAT_NOTICE => format!("twitch/{}/{kind}", self.name),
            _ => format!("twitch/{}", self.name),
        }
    }
}

/// Returns the event of a goal that began or ended.
fn goal(verb: &str, event: &Json) -> ParsedEvent {
    let (current, target) = (count(event, "/current_amount"), count(event, "/target_amount"));
    let goal = format!("A goal {verb} ({}): {current} of {target}", words(event, "/type"));
    let message = notices::sentence(&goal, said(event, "/description"));
    ParsedEvent::plain(BROADCASTER.of(event), &message).referring_to(said(event, "/id")).with_details(json!({
        "type": event["type"],
        "description": event["description"],
        "current_amount": current,
        "target_amount": target,
        "is_achieved": event["is_achieved"],
    }))
}

/// Adds the reference and the details of a redemption to its event.
fn redemption(parsed: ParsedEvent, event: &Json) -> ParsedEvent {
    parsed.referring_to(said(event, "/reward/id")).with_details(json!({
        "title": event["reward"]["title"],
        "cost": event["reward"]["cost"],
        "status": event["status"],
        "redemption_id": event["id"],
    }))
}

/// Adds the reference and the details of a hype train to its event.
fn hype_train(parsed: ParsedEvent, event: &Json) -> ParsedEvent {
    parsed.referring_to(said(event, "/id")).with_details(json!({
        "type": event["type"],
        "level": event["level"],
        "total": event["total"],
        "goal": event["goal"],
    }))
}

/// Returns the channel that a field of the event, or else of the subscription's condition, names.
pub fn channel_of(event: &Json, condition: &Json, field: &str) -> Option<String> {
    id(&event[field]).or_else(|| id(&condition[field]))
}
