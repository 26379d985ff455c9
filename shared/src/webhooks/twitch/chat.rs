//! Chat messages. Twitch also reports a message with bits or a reward by another type, in more detail. Most of this
//! module determines that type.

use serde_json::Value as Json;

use super::parsed_event::{CHAT_MESSAGE, DedupId, ParsedEvent};
use super::read::{Words, count_or_zero, id, non_empty_text, text};
use super::user::{BROADCASTER, CHATTER};
use crate::schema::scalar::{CommandName, Scalar};

/// Parses a chat message. `None` if it belongs to another channel.
pub fn parse(event: &Json) -> Option<ParsedEvent> {
    if is_other_channel(event) {
        return None;
    }
    let (chatter, words) = (CHATTER.of(event), Words::of(&event["message"]));
    let message = words.text.clone().unwrap_or_default();
    let chat_command = first_word(&message).zip(non_empty_text(event, "/message_id"));
    let chat_command = chat_command.map(|(word, id)| format!("{word} {id}"));
    let parsed = if event["cheer"].is_object() {
        let cheer = ParsedEvent::cheer(chatter, count_or_zero(event, "/cheer/bits"), None);
        ParsedEvent { message: Some(message), ..cheer }
    } else {
        ParsedEvent::plain(message, chatter)
    };
    let parsed = ParsedEvent {
        reference: non_empty_text(event, "/channel_points_custom_reward_id"),
        dedup_id: DedupId::at(CHAT_MESSAGE, event, "/message_id"),
        superseded_by: superseded_by(event),
        chat_command,
        ..parsed
    };
    Some(parsed.with_text_details(words))
}

/// Returns the first word of a message, if it may name a command.
fn first_word(message: &str) -> Option<&str> {
    let word = message.split(char::is_whitespace).next()?;
    (word.starts_with('!') && CommandName::from_json(word.into()).is_ok()).then_some(word)
}

/// Returns the types that report the event of a chat message in more detail.
fn superseded_by(event: &Json) -> &'static [&'static str] {
    let has_reward = non_empty_text(event, "/channel_points_custom_reward_id").is_some();
    match text(event, "/message_type").as_str() {
        _ if event["cheer"].is_object() => &["channel.bits.use", "channel.cheer"],
        kind if kind.starts_with("power_ups_") => &["channel.bits.use"],
        _ if has_reward => &["channel.channel_points_custom_reward_redemption.add"],
        "channel_points_highlighted" | "channel_points_sub_only" => {
            &["channel.channel_points_automatic_reward_redemption.add"]
        }
        _ => &[],
    }
}

/// Returns true if a message was sent in another channel that shares its chat with this channel.
pub fn is_other_channel(event: &Json) -> bool {
    let (source, channel) = (id(&event["source_broadcaster_user_id"]), BROADCASTER.id(event));
    source.zip(channel).is_some_and(|(source, channel)| source != channel)
}
