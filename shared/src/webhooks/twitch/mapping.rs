//! A table of the subscription types, and the events that their notifications become. One entry has all that the service
//! knows of a type, because Twitch adds types often and changes each on its own.
//!
//! To add a type, add an entry here and a sample in `tests/samples/twitch.jsonl`, with the expected event in
//! `tests/end_to_end/twitch/webhook.rs`. `docs/twitch.md` lists the sentences.

use serde_json::{Value as Json, json};

use super::notices::{end_sentence, gifts};
use super::parsed_event::{CHAT_MESSAGE, CHAT_NOTICE, DedupId, ParsedEvent, Removal};
use super::read::{count, emotes, id, members, non_empty_text, optional_text, spaced_constant, text, tier};
use super::subscription_type::{BASE, MODERATOR_CONDITION};
use super::user::{BROADCASTER, FROM_BROADCASTER, TO_BROADCASTER, USER, UserFields};
use super::{Cheers, channel, chat, notices};

pub use super::subscription_type::{Actor, Mapping, Report};

use Actor::{Broadcaster, Reader};
use Report::{Event, EventIfAny, UserName};

const CHAT: Mapping = Mapping {
    condition: &[("broadcaster_user_id", Broadcaster), ("user_id", Reader)],
    scopes: &[("user:read:chat", Reader), ("user:bot", Reader), ("channel:bot", Broadcaster)],
    ..BASE
};
const MODERATION: Mapping = Mapping { is_enabled: |settings| settings.chat, ..CHAT };
const SUBSCRIPTION: Mapping =
    Mapping { scopes: &[("channel:read:subscriptions", Broadcaster)], supersedes: true, ..BASE };
const BITS: Mapping = Mapping { scopes: &[("bits:read", Broadcaster)], ..BASE };
const REDEMPTION: Mapping = Mapping { scopes: &[("channel:read:redemptions", Broadcaster)], ..BASE };
const HYPE_TRAIN: Mapping = Mapping { version: "2", scopes: &[("channel:read:hype_train", Broadcaster)], ..BASE };
const GOAL: Mapping = Mapping { scopes: &[("channel:read:goals", Broadcaster)], ..BASE };

/// All subscription types that the service processes.
pub static MAPPINGS: &[Mapping] = &[
    Mapping {
        name: "channel.subscribe",
        reports: Event(|event| {
            let (user, tier) = (USER.of(event), tier(event, "/tier"));
            if event["is_gift"] != true {
                let dedup_id = Some(DedupId::first_subscription(&user, tier));
                return ParsedEvent { dedup_id, ..ParsedEvent::subscriber(user, tier, 1) };
            }
            ParsedEvent {
                message: Some(format!("{user} received a gifted tier {tier} subscription.")),
                details: json!({"is_gift": true}),
                // The notice names the giver.
                superseded_by: &[CHAT_NOTICE],
                ..ParsedEvent::subscriber(user, tier, 1)
            }
        }),
        ..SUBSCRIPTION
    },
    Mapping {
        name: "channel.subscription.message",
        reports: Event(|event| {
            let (user, tier) = (USER.of(event), tier(event, "/tier"));
            let months = count(event, "/cumulative_months").max(1);
            ParsedEvent {
                message: non_empty_text(event, "/message/text"),
                details: members(
                    event,
                    &["/cumulative_months", "/streak_months", "/duration_months", "/message/emotes"],
                ),
                dedup_id: Some(match months {
                    1 => DedupId::first_subscription(&user, tier),
                    _ => DedupId::resubscription(&user, months),
                }),
                ..ParsedEvent::subscriber(user, tier, months)
            }
        }),
        ..SUBSCRIPTION
    },
    Mapping {
        name: "channel.subscription.gift",
        reports: Event(|event| {
            let (giver, total, tier) = (USER.of(event), count(event, "/total"), tier(event, "/tier"));
            ParsedEvent {
                message: Some(gifts(&giver, total, tier)),
                details: json!({
                    "total": total, "tier": tier, "cumulative_total": event["cumulative_total"],
                    "is_anonymous": event["is_anonymous"], "giver": giver.to_json(),
                }),
                // Only the notice of several gifts contains the identifier that connects them.
                superseded_by: if total > 1 { &[CHAT_NOTICE] } else { &[] },
                ..ParsedEvent::plain(giver)
            }
        }),
        ..SUBSCRIPTION
    },
    Mapping {
        name: "channel.cheer",
        is_enabled: |settings| matches!(settings.cheers, Cheers::Cheer | Cheers::Subscribed),
        supersedes: true,
        reports: Event(|event| ParsedEvent {
            message: optional_text(event, "/message"),
            details: members(event, &["/is_anonymous"]),
            superseded_by: &["channel.bits.use"],
            ..ParsedEvent::cheer(USER.of(event), count(event, "/bits"), None)
        }),
        ..BITS
    },
    Mapping {
        name: "channel.bits.use",
        is_enabled: |settings| matches!(settings.cheers, Cheers::Bits | Cheers::Subscribed),
        supersedes: true,
        reports: Event(|event| {
            let types = ["/power_up/type", "/custom_power_up/title", "/type"];
            let cheer_type = types.iter().find_map(|pointer| non_empty_text(event, pointer));
            ParsedEvent {
                message: optional_text(event, "/message/text"),
                reference: non_empty_text(event, "/custom_power_up/reward_id"),
                details: json!({
                    "type": event["type"], "power_up": event["power_up"], "emotes": emotes(&event["message"]),
                }),
                ..ParsedEvent::cheer(USER.of(event), count(event, "/bits"), cheer_type)
            }
        }),
        ..BITS
    },
    Mapping {
        name: "channel.custom_power_up_redemption.add",
        occurred_at: Some("/redeemed_at"),
        reports: Event(|event| {
            let (bits, title) =
                (count(event, "/custom_power_up/bits"), non_empty_text(event, "/custom_power_up/title"));
            ParsedEvent {
                message: non_empty_text(event, "/user_input"),
                reference: non_empty_text(event, "/custom_power_up/id"),
                details: json!({"type": "custom_power_up", "status": event["status"]}),
                dedup_id: DedupId::at("power-up redemption", event, "/id"),
                superseded_by: &["channel.bits.use"],
                ..ParsedEvent::cheer(USER.of(event), bits, title)
            }
        }),
        ..BITS
    },
    Mapping {
        name: "channel.raid",
        condition: &[("to_broadcaster_user_id", Broadcaster)],
        supersedes: true,
        channel: Some(TO_BROADCASTER),
        reports: Event(|event| ParsedEvent::raid(FROM_BROADCASTER.of(event), count(event, "/viewers"))),
        ..BASE
    },
    Mapping {
        name: "channel.raid",
        condition: &[("from_broadcaster_user_id", Broadcaster)],
        channel: Some(FROM_BROADCASTER),
        reports: Event(|event| {
            let (broadcaster, raided) = (FROM_BROADCASTER.of(event), TO_BROADCASTER.of(event));
            let viewers = count(event, "/viewers");
            ParsedEvent {
                message: Some(format!("{broadcaster} raided {raided} with {viewers} viewers.")),
                details: json!({"viewer_count": viewers, "to": raided.to_json()}),
                ..ParsedEvent::plain(broadcaster)
            }
        }),
        ..BASE
    },
    Mapping { name: CHAT_MESSAGE, is_enabled: |settings| settings.chat, reports: EventIfAny(chat::parse), ..CHAT },
    Mapping { name: CHAT_NOTICE, supersedes: true, reports: EventIfAny(notices::parse), ..CHAT },
    Mapping {
        name: "channel.chat.message_delete",
        reports: Report::Removal(|event| non_empty_text(event, "/message_id").map(Removal::Message)),
        ..MODERATION
    },
    Mapping {
        name: "channel.chat.clear_user_messages",
        reports: Report::Removal(|event| id(&event["target_user_id"]).map(Removal::Viewer)),
        ..MODERATION
    },
    Mapping { name: "channel.chat.clear", reports: Report::Removal(|_| Some(Removal::All)), ..MODERATION },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.add",
        supersedes: true,
        occurred_at: Some("/redeemed_at"),
        reports: Event(|event| {
            let (title, cost) = (text(event, "/reward/title"), count(event, "/reward/cost"));
            let message = match non_empty_text(event, "/user_input") {
                Some(input) => format!("{title} ({cost} points): {input}"),
                None => title,
            };
            redemption("channel.channel_points_custom_reward_redemption.add", message, event)
        }),
        ..REDEMPTION
    },
    Mapping {
        name: "channel.channel_points_custom_reward_redemption.update",
        reports: EventIfAny(|event| {
            let (title, cost) = (text(event, "/reward/title"), count(event, "/reward/cost"));
            let refund = redemption("refund", format!("{title} ({cost} points) was refunded."), event);
            // The other outcome is the expected one, and not an event.
            (event["status"] == "canceled").then_some(refund)
        }),
        ..REDEMPTION
    },
    Mapping {
        name: "channel.channel_points_automatic_reward_redemption.add",
        version: "2",
        supersedes: true,
        occurred_at: Some("/redeemed_at"),
        reports: Event(|event| {
            let cost = count(event, "/reward/channel_points").max(count(event, "/reward/cost"));
            let reward = format!("{} ({cost} points)", spaced_constant(event, "/reward/type"));
            ParsedEvent {
                message: Some(end_sentence(&reward, non_empty_text(event, "/message/text"))),
                reference: non_empty_text(event, "/reward/type"),
                details: json!({
                    "type": event["reward"]["type"], "cost": cost, "emote": event["reward"]["emote"],
                    "emotes": emotes(&event["message"]),
                }),
                dedup_id: DedupId::at("automatic redemption", event, "/id"),
                ..ParsedEvent::plain(USER.of(event))
            }
        }),
        ..REDEMPTION
    },
    Mapping {
        name: "channel.follow",
        version: "2",
        condition: MODERATOR_CONDITION,
        scopes: &[("moderator:read:followers", Reader)],
        occurred_at: Some("/followed_at"),
        reports: Event(|event| {
            let (user, time) = (USER.of(event), non_empty_text(event, "/followed_at"));
            ParsedEvent {
                message: Some(format!("{user} followed the channel.")),
                dedup_id: time.map(|time| DedupId::of_user("follow", &user, time)),
                ..ParsedEvent::plain(user)
            }
        }),
        ..BASE
    },
    Mapping {
        name: "channel.shoutout.receive",
        condition: MODERATOR_CONDITION,
        scopes: &[("moderator:read:shoutouts", Reader)],
        occurred_at: Some("/started_at"),
        reports: Event(|event| {
            let (user, time) = (FROM_BROADCASTER.of(event), non_empty_text(event, "/started_at"));
            ParsedEvent {
                message: Some(format!("{user} gave the channel a shoutout.")),
                details: members(event, &["/viewer_count"]),
                dedup_id: time.map(|time| DedupId::of_user("shoutout", &user, time)),
                ..ParsedEvent::plain(user)
            }
        }),
        ..BASE
    },
    Mapping {
        name: "channel.charity_campaign.donate",
        scopes: &[("channel:read:charity", Broadcaster)],
        supersedes: true,
        reports: Event(|event| ParsedEvent {
            reference: non_empty_text(event, "/campaign_id"),
            dedup_id: DedupId::at("donation", event, "/id"),
            ..notices::donation(USER.of(event), event)
        }),
        ..BASE
    },
    Mapping {
        name: "channel.hype_train.begin",
        occurred_at: Some("/started_at"),
        reports: Event(channel::hype_train_begin),
        ..HYPE_TRAIN
    },
    Mapping {
        name: "channel.hype_train.end",
        occurred_at: Some("/ended_at"),
        reports: Event(channel::hype_train_end),
        ..HYPE_TRAIN
    },
    Mapping {
        name: "channel.goal.begin",
        occurred_at: Some("/started_at"),
        reports: Event(channel::goal_begin),
        ..GOAL
    },
    Mapping { name: "channel.goal.end", occurred_at: Some("/ended_at"), reports: Event(channel::goal_end), ..GOAL },
    Mapping {
        name: "stream.online",
        occurred_at: Some("/started_at"),
        reports: Event(|event| ParsedEvent {
            details: members(event, &["/type"]),
            ..ParsedEvent::of_channel("stream", "The stream began.", event)
        }),
        ..BASE
    },
    Mapping {
        name: "stream.offline",
        reports: Event(|event| ParsedEvent::of_channel("stream offline", "The stream ended.", event)),
        ..BASE
    },
    Mapping {
        name: "channel.poll.end",
        scopes: &[("channel:read:polls", Broadcaster)],
        occurred_at: Some("/ended_at"),
        reports: Event(channel::poll_end),
        ..BASE
    },
    Mapping {
        name: "channel.prediction.end",
        scopes: &[("channel:read:predictions", Broadcaster)],
        occurred_at: Some("/ended_at"),
        reports: Event(channel::prediction_end),
        ..BASE
    },
    Mapping {
        name: "channel.update",
        version: "2",
        reports: Event(|event| {
            let (title, category) = (text(event, "/title"), text(event, "/category_name"));
            ParsedEvent {
                message: Some(format!("The stream is now called “{title}”, in the category {category}.")),
                details: members(event, &["/title", "/language", "/category_id", "/category_name"]),
                ..ParsedEvent::plain(BROADCASTER.of(event))
            }
        }),
        ..BASE
    },
    Mapping {
        name: "channel.ad_break.begin",
        scopes: &[("channel:read:ads", Broadcaster)],
        occurred_at: Some("/started_at"),
        reports: Event(|event| {
            let seconds = count(event, "/duration_seconds");
            ParsedEvent {
                message: Some(format!("An ad break of {seconds} seconds began.")),
                details: members(event, &["/duration_seconds", "/is_automatic"]),
                dedup_id: DedupId::at("ad break", event, "/started_at"),
                ..ParsedEvent::plain(BROADCASTER.of(event))
            }
        }),
        ..BASE
    },
    Mapping { name: "user.update", condition: &[("user_id", Broadcaster)], channel: None, reports: UserName, ..BASE },
];

/// Find the mapping of a type. If a type has several, `names_channel` selects one by the fields that name the channel.
pub fn of(name: &str, names_channel: impl Fn(UserFields) -> bool) -> Option<&'static Mapping> {
    let mut of_type = MAPPINGS.iter().filter(|mapping| mapping.name == name);
    let first = of_type.clone().next();
    of_type.find(|mapping| mapping.channel.is_none_or(&names_channel)).or(first)
}

/// Create the event of a redemption of a custom reward.
fn redemption(id_prefix: &str, message: String, event: &Json) -> ParsedEvent {
    ParsedEvent {
        message: Some(message),
        reference: non_empty_text(event, "/reward/id"),
        details: json!({
            "title": event["reward"]["title"], "cost": event["reward"]["cost"], "status": event["status"],
            "redemption_id": event["id"],
        }),
        dedup_id: DedupId::at(id_prefix, event, "/id"),
        ..ParsedEvent::plain(USER.of(event))
    }
}
