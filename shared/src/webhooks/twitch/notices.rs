//! A table of the kinds of chat notices (`channel.chat.notification`): the event that each becomes. They have a table
//! of their own, because Twitch sends all of them by one subscription, and may add a kind at any time.

use serde_json::{Value as Json, json};

use super::chat::is_other_channel;
use super::parsed_event::{CHAT_NOTICE, DedupId, Gift, ParsedEvent};
use super::read::{count, decimal, emotes, id, members, money, non_empty_text, text, tier};
use super::user::{CHATTER, GIFTER, RECIPIENT, TwitchUser, USER};

/// A function of the notice, of its object with the fields of the kind, and of the chatter.
type Parse = fn(&Json, &Json, TwitchUser) -> ParsedEvent;

/// Kinds of notices, as `notice_type` names them.
const KINDS: &[(&str, Parse)] = &[
    ("sub", |event, fields, chatter| {
        let tier = tier(fields, "/sub_tier");
        ParsedEvent {
            dedup_id: Some(DedupId::first_subscription(&chatter, tier)),
            superseded_by: &["channel.subscribe"],
            ..shared_subscription(event, fields, chatter, tier, 1)
        }
    }),
    ("resub", |event, fields, chatter| {
        let (tier, months) = (tier(fields, "/sub_tier"), count(fields, "/cumulative_months"));
        ParsedEvent {
            dedup_id: Some(DedupId::resubscription(&chatter, months)),
            superseded_by: &["channel.subscription.message"],
            ..shared_subscription(event, fields, chatter, tier, months)
        }
    }),
    ("sub_gift", |_, fields, giver| {
        let (recipient, tier) = (RECIPIENT.of(fields), tier(fields, "/sub_tier"));
        ParsedEvent {
            message: Some(format!("{giver} gifted {recipient} a tier {tier} subscription.")),
            gift: Gift::ToUser,
            reference: id(&fields["community_gift_id"]),
            details: json!({
                "giver": giver.to_json(), "recipient": recipient.to_json(), "tier": tier,
                "duration_months": fields["duration_months"], "cumulative_total": fields["cumulative_total"],
            }),
            ..ParsedEvent::subscriber(recipient, tier, 1)
        }
    }),
    ("community_sub_gift", |_, fields, giver| {
        let (total, tier) = (count(fields, "/total"), tier(fields, "/sub_tier"));
        ParsedEvent {
            gift: Gift::ByUser,
            reference: id(&fields["id"]),
            details: json!({
                "giver": giver.to_json(), "total": total, "tier": tier,
                "cumulative_total": fields["cumulative_total"],
            }),
            superseded_by: if total > 1 { &[] } else { &["channel.subscription.gift"] },
            ..ParsedEvent::plain(gifts(&giver, total, tier), giver)
        }
    }),
    ("gift_paid_upgrade", |_, fields, chatter| {
        let (giver, details) = earlier_giver(fields);
        let message = format!("{chatter} continued the subscription that {giver} gifted.");
        ParsedEvent { details, ..ParsedEvent::plain(message, chatter) }
    }),
    ("pay_it_forward", |_, fields, chatter| {
        let (giver, details) = earlier_giver(fields);
        ParsedEvent { details, ..ParsedEvent::plain(format!("{chatter} paid {giver}'s gift forward."), chatter) }
    }),
    ("prime_paid_upgrade", |_, fields, chatter| {
        let tier = tier(fields, "/sub_tier");
        let message = format!("{chatter} upgraded from Prime to a tier {tier} subscription.");
        ParsedEvent { details: json!({"tier": tier}), ..ParsedEvent::plain(message, chatter) }
    }),
    ("raid", |_, fields, _| ParsedEvent {
        superseded_by: &["channel.raid"],
        ..ParsedEvent::raid(USER.of(fields), count(fields, "/viewer_count"))
    }),
    ("announcement", |event, fields, chatter| ParsedEvent {
        details: json!({"color": fields["color"], "emotes": emotes(&event["message"])}),
        ..ParsedEvent::plain(end_sentence(&format!("{chatter} announced"), viewer_text(event)), chatter)
    }),
    ("bits_badge_tier", |event, fields, chatter| {
        let badge = format!("{chatter} earned the badge for {} bits", count(fields, "/tier"));
        let details = members(fields, &["/tier"]);
        ParsedEvent { details, ..ParsedEvent::plain(end_sentence(&badge, viewer_text(event)), chatter) }
    }),
    ("charity_donation", |_, fields, chatter| ParsedEvent {
        superseded_by: &["channel.charity_campaign.donate"],
        ..donation(chatter, fields)
    }),
    ("watch_streak", |event, fields, chatter| {
        let streak = format!("{chatter} watched {} streams in a row", count(fields, "/streak_count"));
        ParsedEvent {
            details: json!({
                "streak_count": fields["streak_count"], "channel_points_awarded": fields["channel_points_awarded"],
                "emotes": emotes(&event["message"]),
            }),
            ..ParsedEvent::plain(end_sentence(&streak, viewer_text(event)), chatter)
        }
    }),
];

/// Parse a notice. `None` if it belongs to another channel.
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

/// Keep Twitch's own sentence of an unknown kind. Adds the name of the viewer if the sentence lacks it.
fn unknown(event: &Json, notice_type: &str, chatter: TwitchUser) -> ParsedEvent {
    let sentence = match non_empty_text(event, "/system_message").as_deref().map(str::trim) {
        Some(sentence) if sentence.contains(&chatter.name) => sentence.to_owned(),
        Some(sentence) => format!("{chatter} {sentence}"),
        None => format!("{chatter} sent a notice ({}).", notice_type.replace('_', " ")),
    };
    let message = match viewer_text(event) {
        Some(text) => format!("{}: {text}", sentence.trim_end_matches(['.', '!'])),
        None => sentence,
    };
    ParsedEvent::plain(message, chatter)
}

/// Create the event of a subscription that its viewer shares in the chat.
fn shared_subscription(event: &Json, fields: &Json, chatter: TwitchUser, tier: i64, months: i64) -> ParsedEvent {
    ParsedEvent {
        message: viewer_text(event),
        details: json!({
            "is_prime": fields["is_prime"], "is_gift": fields["is_gift"],
            "cumulative_months": fields["cumulative_months"], "streak_months": fields["streak_months"],
            "duration_months": fields["duration_months"],
            "giver": gifter(fields).and_then(|giver| giver.to_json()), "emotes": emotes(&event["message"]),
        }),
        ..ParsedEvent::subscriber(chatter, tier, months)
    }
}

/// Create the event of a donation. `fields` are those of the notice or of `channel.charity_campaign.donate`.
pub fn donation(giver: TwitchUser, fields: &Json) -> ParsedEvent {
    let (amount, charity) = (&fields["amount"], text(fields, "/charity_name"));
    let details =
        json!({"charity_name": fields["charity_name"], "amount": decimal(amount), "currency": amount["currency"]});
    let message = format!("{giver} donated {} to {charity}.", money(amount));
    ParsedEvent { details, ..ParsedEvent::plain(message, giver) }
}

/// Find the text that the viewer wrote.
fn viewer_text(event: &Json) -> Option<String> {
    non_empty_text(event, "/message/text")
}

/// End a sentence with the viewer's text or, without one, with a full stop.
pub fn end_sentence(sentence: &str, viewer_text: Option<String>) -> String {
    viewer_text.map_or_else(|| format!("{sentence}."), |text| format!("{sentence}: {text}"))
}

/// Describe the gifts of a giver.
pub fn gifts(giver: &TwitchUser, total: i64, tier: i64) -> String {
    let subscriptions = if total == 1 { "subscription" } else { "subscriptions" };
    format!("{giver} gifted {total} tier {tier} {subscriptions}.")
}

/// Read the giver of an earlier gift. `None` for an anonymous giver.
fn gifter(fields: &Json) -> Option<TwitchUser> {
    (fields["gifter_is_anonymous"] != true && GIFTER.is_named(fields)).then(|| GIFTER.of(fields))
}

/// Name the giver of an earlier gift, in a sentence and in the details.
fn earlier_giver(fields: &Json) -> (String, Json) {
    let giver = gifter(fields);
    let name = giver.as_ref().map_or("an anonymous viewer", |giver| &giver.name).to_owned();
    (name, json!({"giver": giver.and_then(|giver| giver.to_json())}))
}
