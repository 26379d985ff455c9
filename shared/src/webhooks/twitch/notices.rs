//! The kinds of chat notices (`channel.chat.notification`), and the event that each becomes. Twitch sends all of them
//! by one subscription and may add a kind at any time.

use serde_json::{Value as Json, json};

use super::chat::is_other_channel;
use super::parsed_event::{CHAT_NOTICE, DedupId, Gift, ParsedEvent};
use super::read::{
    Words, count_or_zero, cumulative_total, decimal, id, known_tier, non_empty_text, optional_count, phrase, pick, text,
};
use super::user::{CHATTER, GIFTER, RECIPIENT, TwitchUser, USER};
use crate::resources::events::SENTENCE;

/// Parser of a notice. Takes the notice, its object with the fields of the kind, and the chatter.
type Parse = fn(&Json, &Json, TwitchUser) -> ParsedEvent;

/// Kinds of notices, as named in `notice_type`.
const KINDS: &[(&str, Parse)] = &[
    // `channel.subscribe` reports the same without the text. Both become one event.
    ("sub", |event, fields, chatter| shared_subscription(event, fields, chatter, Some(1))),
    ("resub", |event, fields, chatter| ParsedEvent {
        superseded_by: &["channel.subscription.message"],
        ..shared_subscription(event, fields, chatter, optional_count(fields, "/cumulative_months"))
    }),
    ("sub_gift", |_, fields, giver| {
        let (recipient, tier) = (RECIPIENT.of(fields), known_tier(fields, "/sub_tier"));
        ParsedEvent {
            message: Some(format!("{giver} gifted {recipient} a {}.", subscription(tier))),
            gift: Gift::ToUser,
            reference: id(&fields["community_gift_id"]),
            details: json!({
                "giver": giver.to_json(), "recipient": recipient.to_json(), "tier": tier,
                "duration_months": fields["duration_months"], "cumulative_total": cumulative_total(fields),
            }),
            ..ParsedEvent::subscriber(recipient, tier, Some(1))
        }
    }),
    ("community_sub_gift", |_, fields, giver| {
        let (total, tier) = (optional_count(fields, "/total"), known_tier(fields, "/sub_tier"));
        ParsedEvent {
            gift: Gift::ByUser,
            reference: id(&fields["id"]),
            details: json!({
                "giver": giver.to_json(), "total": total, "tier": tier,
                "cumulative_total": cumulative_total(fields),
            }),
            superseded_by: if total > Some(1) { &[] } else { &["channel.subscription.gift"] },
            ..ParsedEvent::plain(gifts(&giver, total, tier), giver)
        }
    }),
    ("gift_paid_upgrade", |_, fields, chatter| {
        let Gifter { name, json } = gifter(fields);
        let message = match name {
            Some(name) => format!("{chatter} continued the subscription that {name} gifted."),
            None => format!("{chatter} continued a gifted subscription."),
        };
        ParsedEvent { details: json!({"giver": json}), ..ParsedEvent::plain(message, chatter) }
    }),
    ("pay_it_forward", |_, fields, chatter| {
        let (giver, recipient) = (gifter(fields), RECIPIENT.id(fields).map(|_| RECIPIENT.of(fields)));
        let gift = giver.name.map_or_else(|| "a gift".to_owned(), |name| format!("{name}'s gift"));
        let to = phrase(recipient.as_ref(), |recipient| format!(" to {recipient}"));
        let details = json!({"giver": giver.json, "recipient": recipient.and_then(|recipient| recipient.to_json())});
        ParsedEvent { details, ..ParsedEvent::plain(format!("{chatter} paid {gift} forward{to}."), chatter) }
    }),
    ("prime_paid_upgrade", |_, fields, chatter| {
        let tier = known_tier(fields, "/sub_tier");
        let message = format!("{chatter} upgraded from Prime to a {}.", subscription(tier));
        ParsedEvent { details: json!({"tier": tier}), ..ParsedEvent::plain(message, chatter) }
    }),
    ("raid", |_, fields, chatter| {
        let raider = USER.id(fields).map_or(chatter, |_| USER.of(fields));
        ParsedEvent {
            superseded_by: &["channel.raid"],
            ..ParsedEvent::raid(raider, count_or_zero(fields, "/viewer_count"))
        }
    }),
    ("announcement", |event, fields, chatter| {
        let words = Words::of(&event["message"]);
        let message = end_sentence(&format!("{chatter} announced"), words.non_empty());
        ParsedEvent { details: pick(fields, &["/color"]), ..ParsedEvent::plain(message, chatter) }
            .with_text_details(words)
    }),
    ("bits_badge_tier", |event, fields, chatter| {
        let badge = match optional_count(fields, "/tier") {
            Some(tier) => format!("{chatter} earned the badge for {tier} bits"),
            None => format!("{chatter} earned a badge for bits"),
        };
        let (details, words) = (pick(fields, &["/tier"]), Words::of(&event["message"]));
        ParsedEvent { details, ..ParsedEvent::plain(end_sentence(&badge, words.non_empty()), chatter) }
            .with_text_details(words)
    }),
    ("charity_donation", |_, fields, chatter| ParsedEvent {
        superseded_by: &["channel.charity_campaign.donate"],
        ..donation(chatter, fields)
    }),
    ("watch_streak", |event, fields, chatter| {
        let count =
            optional_count(fields, "/streak_count").map_or_else(|| "several".to_owned(), |count| count.to_string());
        let words = Words::of(&event["message"]);
        let message = end_sentence(&format!("{chatter} watched {count} streams in a row"), words.non_empty());
        let details = pick(fields, &["/streak_count", "/channel_points_awarded"]);
        ParsedEvent { details, ..ParsedEvent::plain(message, chatter) }.with_text_details(words)
    }),
];

/// Parses a notice. `None` if it belongs to another channel.
pub fn parse(event: &Json) -> Option<ParsedEvent> {
    if is_other_channel(event) {
        return None;
    }
    let (notice_type, chatter) = (text(event, "/notice_type"), CHATTER.of(event));
    let parsed = match KINDS.iter().find(|(kind, _)| *kind == notice_type) {
        Some((_, parse)) => parse(event, &event[&notice_type], chatter),
        None => unknown(event, &notice_type, chatter),
    };
    let message_id = DedupId::at(CHAT_NOTICE, event, "/message_id");
    Some(ParsedEvent { dedup_id: parsed.dedup_id.or(message_id), ..parsed })
}

/// Keeps Twitch's sentence for an unknown kind. Adds the name of the viewer if the sentence lacks it.
fn unknown(event: &Json, notice_type: &str, chatter: TwitchUser) -> ParsedEvent {
    let sentence = match non_empty_text(event, "/system_message").as_deref().map(str::trim) {
        Some(sentence) if sentence.contains(&chatter.name) => sentence.to_owned(),
        Some(sentence) => format!("{chatter} {sentence}"),
        None => format!("{chatter} sent a notice ({}).", notice_type.replace('_', " ")),
    };
    let words = Words::of(&event["message"]);
    let message = match words.non_empty() {
        Some(text) => format!("{}: {text}", sentence.trim_end_matches(['.', '!'])),
        None => sentence.clone(),
    };
    ParsedEvent { details: json!({SENTENCE: sentence}), ..ParsedEvent::plain(message, chatter) }
        .with_text_details(words)
}

/// Creates the event of a subscription that its viewer shares in the chat.
fn shared_subscription(event: &Json, fields: &Json, chatter: TwitchUser, months: Option<i64>) -> ParsedEvent {
    let (tier, words) = (known_tier(fields, "/sub_tier"), Words::of(&event["message"]));
    ParsedEvent {
        message: words.non_empty(),
        details: json!({
            "is_prime": fields["is_prime"], "is_gift": fields["is_gift"],
            "cumulative_months": fields["cumulative_months"], "streak_months": fields["streak_months"],
            "duration_months": fields["duration_months"], "giver": gifter(fields).json,
        }),
        dedup_id: DedupId::shared_subscription(&chatter, tier, months),
        ..ParsedEvent::subscriber(chatter, tier, months)
    }
    .with_text_details(words)
}

/// Creates the event of a donation. `fields` are those of the notice or of `channel.charity_campaign.donate`.
pub fn donation(giver: TwitchUser, fields: &Json) -> ParsedEvent {
    let amount = decimal(&fields["amount"]);
    let currency = non_empty_text(fields, "/amount/currency").filter(|_| amount.is_some());
    let details = json!({"charity_name": fields["charity_name"], "amount": amount, "currency": currency});
    let words = [amount, currency].map(|word| phrase(word, |word| format!(" {word}"))).concat();
    let charity = phrase(non_empty_text(fields, "/charity_name"), |charity| format!(" to {charity}"));
    ParsedEvent { details, ..ParsedEvent::plain(format!("{giver} donated{words}{charity}."), giver) }
}

/// Ends a sentence with the viewer's text or, without one, with a full stop.
pub fn end_sentence(sentence: &str, viewer_text: Option<String>) -> String {
    viewer_text.map_or_else(|| format!("{sentence}."), |text| format!("{sentence}: {text}"))
}

/// Returns a sentence about the gifts of a giver.
pub fn gifts(giver: &TwitchUser, total: Option<i64>, tier: Option<i64>) -> String {
    let plural = if total == Some(1) { "" } else { "s" };
    format!("{giver} gifted {}{}{plural}.", phrase(total, |total| format!("{total} ")), subscription(tier))
}

/// Returns the name of a subscription, with its tier.
pub fn subscription(tier: Option<i64>) -> String {
    phrase(tier, |tier| format!("tier {tier} ")) + "subscription"
}

/// Giver of an earlier gift: the name in a sentence, and the value in the details. Both can be `None`.
struct Gifter {
    name: Option<String>,
    json: Option<Json>,
}

fn gifter(fields: &Json) -> Gifter {
    if fields["gifter_is_anonymous"] == true {
        return Gifter { name: Some("an anonymous viewer".to_owned()), json: None };
    }
    let giver = GIFTER.id(fields).map(|_| GIFTER.of(fields));
    Gifter { name: giver.as_ref().map(TwitchUser::to_string), json: giver.and_then(|giver| giver.to_json()) }
}
