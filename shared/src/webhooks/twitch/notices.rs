//! Converts chat notices (`channel.chat.notification`) to events, and names the types that report the same events.

use serde_json::Value as Json;

use super::parsed_event::{ActorFields, CHATTER, Parsed, ParsedEvent, Person};
use super::read::{count, id, money, said, text, tier};

const RECIPIENT: ActorFields = ActorFields("recipient_user_id", "recipient_user_name", "recipient_user_login");

/// Converts a notice to the event that it reports.
pub fn parse(event: &Json) -> Parsed {
    if is_anothers(event) {
        return Parsed::Nothing;
    }
    let kind = text(event, "/notice_type").unwrap_or_default();
    parsed(kind, &event[kind], event).map_or(Parsed::Nothing, |parsed| {
        Parsed::Event(parsed.known_as("channel.chat.notification", said(event, "/message_id")))
    })
}

/// Converts a notice of one kind to an event. `notice` is the object with the fields of that kind.
fn parsed(kind: &str, notice: &Json, event: &Json) -> Option<ParsedEvent> {
    let (person, message) = (CHATTER.of(event), said(event, "/message/text"));
    let plain = |sentence: String, person| Some(ParsedEvent::plain(person, &sentence));
    let name = &person.name;
    match kind {
        "sub" => {
            let parsed = ParsedEvent::subscriber(person, tier(notice, "/sub_tier"), 1).saying(message);
            Some(parsed.beginning().unless_reported_by(&["channel.subscribe"]))
        }
        "resub" => {
            let months = count(notice, "/cumulative_months");
            let parsed = ParsedEvent::subscriber(person, tier(notice, "/sub_tier"), months).saying(message);
            Some(parsed.resubscription(months).unless_reported_by(&["channel.subscription.message"]))
        }
        "sub_gift" => {
            let (recipient, tier) = (RECIPIENT.of(notice), tier(notice, "/sub_tier"));
            let sentence = format!("{name} gave {} a subscription of tier {tier}", recipient.name);
            let sentence = format!("{sentence}{}.", bomb(&notice["community_gift_id"]));
            Some(ParsedEvent::subscriber(recipient, tier, 1).saying(Some(&sentence)))
        }
        "community_sub_gift" => {
            let (total, tier) = (count(notice, "/total"), tier(notice, "/sub_tier"));
            let parsed = plain(format!("{}{}.", gave(name, total, tier), bomb(&notice["id"])), person)?;
            Some(if total > 1 { parsed } else { parsed.unless_reported_by(&["channel.subscription.gift"]) })
        }
        "gift_paid_upgrade" => {
            plain(format!("{name} goes on with the subscription that {} gave.", giver(notice)), person)
        }
        "prime_paid_upgrade" => {
            plain(format!("{name} goes on from Prime to a subscription of tier {}.", tier(notice, "/sub_tier")), person)
        }
        "pay_it_forward" => plain(format!("{name} pays the gift of {} forward.", giver(notice)), person),
        "raid" => {
            let raider = ActorFields("user_id", "user_name", "user_login").of(notice);
            Some(ParsedEvent::raid(raider, notice, "/viewer_count").unless_reported_by(&["channel.raid"]))
        }
        "announcement" => plain(sentence(&format!("{name} announced"), message), person),
        "bits_badge_tier" => {
            let badge = format!("{name} earned the badge for {} bits", count(notice, "/tier"));
            plain(sentence(&badge, message), person)
        }
        "charity_donation" => {
            let charity = text(notice, "/charity_name").unwrap_or_default();
            let parsed = plain(donated(name, &money(&notice["amount"]), charity), person)?;
            Some(parsed.unless_reported_by(&["channel.charity_campaign.donate"]))
        }
        "watch_streak" => {
            let streak = format!("{name} watched {} streams in a row", count(notice, "/streak_count"));
            plain(sentence(&streak, message), person)
        }
        _ => plain(unknown(name, kind, said(event, "/system_message"), message), person),
    }
}

/// Returns the sentence for an unknown kind of notice: Twitch's own, with the name of the viewer if that is missing.
fn unknown(name: &str, kind: &str, system_message: Option<&str>, said: Option<&str>) -> String {
    let start = match system_message.map(str::trim) {
        Some(sentence) if sentence.contains(name) => sentence.to_owned(),
        Some(sentence) => format!("{name} {sentence}"),
        None => format!("{name} sent a notice ({}).", kind.replace('_', " ")),
    };
    match said {
        Some(said) => format!("{}: {said}", start.trim_end_matches(['.', '!'])),
        None => start,
    }
}

/// True if the message was sent in another channel that shares its chat with this one.
pub fn is_anothers(event: &Json) -> bool {
    let (source, here) = (id(&event["source_broadcaster_user_id"]), id(&event["broadcaster_user_id"]));
    source.zip(here).is_some_and(|(source, here)| source != here)
}

/// Returns a sentence, followed by the viewer's own message if there is one.
pub fn sentence(start: &str, said: Option<&str>) -> String {
    said.map_or_else(|| format!("{start}."), |said| format!("{start}: {said}"))
}

/// Returns the sentence for the gifts of a giver, without the full stop.
pub fn gave(giver: &str, total: i64, tier: i64) -> String {
    let subscriptions = if total == 1 { "subscription" } else { "subscriptions" };
    format!("{giver} gave {total} {subscriptions} of tier {tier}")
}

/// Returns the sentence for a donation.
pub fn donated(giver: &str, amount: &str, charity: &str) -> String {
    format!("{giver} donated {amount} to {charity}.")
}

/// Returns the suffix that connects the gifts of one community gift. The giver's event has the same suffix.
fn bomb(community_gift_id: &Json) -> String {
    id(community_gift_id).map_or_else(String::new, |id| format!(" (community gift {id})"))
}

/// Returns the name of the giver of an earlier gift, or `somebody` for an anonymous giver.
fn giver(notice: &Json) -> String {
    let gifter = ActorFields("gifter_user_id", "gifter_user_name", "gifter_user_login");
    if notice["gifter_is_anonymous"] == true || !gifter.is_named(notice) {
        return "somebody".to_owned();
    }
    let Person { name, .. } = gifter.of(notice);
    name
}
