//! Redemptions of channel points. Twitch also sends their texts as chat messages, but without the reward.

use serde_json::{Value as Json, json};

use super::notices::end_sentence;
use super::parsed_event::{DedupId, ParsedEvent};
use super::read::{Words, non_empty_text, optional_count, phrase, spaced_constant, without_control_frame};
use super::user::USER;

/// Name of a reward that a notification does not name.
const UNKNOWN_REWARD: &str = "A reward";

/// Parses a redemption of a reward that the broadcaster created.
pub fn custom(event: &Json) -> ParsedEvent {
    let message = match non_empty_text(event, "/user_input") {
        Some(input) => format!("{}: {}", reward(event), without_control_frame(&input)),
        None => title(event),
    };
    of_custom_reward("channel.channel_points_custom_reward_redemption.add", message, event)
}

/// Parses the outcome of a redemption. Only a refund is an event, since redemptions are normally fulfilled.
pub fn refund(event: &Json) -> Option<ParsedEvent> {
    let message = format!("{} was refunded.", reward(event));
    (event["status"] == "canceled").then(|| of_custom_reward("refund", message, event))
}

fn title(event: &Json) -> String {
    non_empty_text(event, "/reward/title").unwrap_or_else(|| UNKNOWN_REWARD.to_owned())
}

/// Returns the name of a reward with its cost.
fn reward(event: &Json) -> String {
    title(event) + &points(optional_count(event, "/reward/cost"))
}

fn points(cost: Option<i64>) -> String {
    phrase(cost, |cost| format!(" ({cost} points)"))
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

/// Parses a redemption of one of Twitch's rewards, such as a highlighted message.
pub fn automatic(event: &Json) -> ParsedEvent {
    let cost = optional_count(event, "/reward/channel_points").max(optional_count(event, "/reward/cost"));
    let kind = spaced_constant(event, "/reward/type").unwrap_or_else(|| UNKNOWN_REWARD.to_owned());
    let words = Words::of(&event["message"]);
    let message = end_sentence(&(kind + &points(cost)), words.non_empty());
    ParsedEvent {
        reference: non_empty_text(event, "/reward/type"),
        details: json!({
            "type": event["reward"]["type"], "cost": cost, "emote": event["reward"]["emote"],
        }),
        dedup_id: DedupId::at("automatic redemption", event, "/id"),
        ..ParsedEvent::plain(message, USER.of(event))
    }
    .with_text_details(words)
}
