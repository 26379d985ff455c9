//! Redemptions of channel points. Twitch also sends their texts as chat messages, but without the reward.

use serde_json::{Value as Json, json};

use super::notices::end_sentence;
use super::parsed_event::{DedupId, ParsedEvent};
use super::read::{count, emotes, non_empty_text, spaced_constant, text};
use super::user::USER;

/// Parse a redemption of a reward that the broadcaster has made.
pub fn custom(event: &Json) -> ParsedEvent {
    let (title, cost) = (text(event, "/reward/title"), count(event, "/reward/cost"));
    let message = match non_empty_text(event, "/user_input") {
        Some(input) => format!("{title} ({cost} points): {input}"),
        None => title,
    };
    of_custom_reward("channel.channel_points_custom_reward_redemption.add", message, event)
}

/// Parse the outcome of a redemption. Only a refund is an event, because the other outcome is the expected one.
pub fn refund(event: &Json) -> Option<ParsedEvent> {
    let (title, cost) = (text(event, "/reward/title"), count(event, "/reward/cost"));
    let message = format!("{title} ({cost} points) was refunded.");
    (event["status"] == "canceled").then(|| of_custom_reward("refund", message, event))
}

fn of_custom_reward(id_prefix: &str, message: String, event: &Json) -> ParsedEvent {
    ParsedEvent {
        reference: non_empty_text(event, "/reward/id"),
        details: json!({
            "title": event["reward"]["title"], "cost": event["reward"]["cost"], "status": event["status"],
            "redemption_id": event["id"],
        }),
        dedup_id: DedupId::at(id_prefix, event, "/id"),
        ..ParsedEvent::plain(message, USER.of(event))
    }
}

/// Parse a redemption of a reward of Twitch's own, such as a highlighted message.
pub fn automatic(event: &Json) -> ParsedEvent {
    let cost = count(event, "/reward/channel_points").max(count(event, "/reward/cost"));
    let reward = format!("{} ({cost} points)", spaced_constant(event, "/reward/type"));
    let message = end_sentence(&reward, non_empty_text(event, "/message/text"));
    ParsedEvent {
        reference: non_empty_text(event, "/reward/type"),
        details: json!({
            "type": event["reward"]["type"], "cost": cost, "emote": event["reward"]["emote"],
            "emotes": emotes(&event["message"]),
        }),
        dedup_id: DedupId::at("automatic redemption", event, "/id"),
        ..ParsedEvent::plain(message, USER.of(event))
    }
}
