//! Converts chat notices (`channel.chat.notification`) to events, and names the types that report the same events.

use serde_json::{Value as Json, json};

use super::parsed_event::{ActorFields, CHAT_NOTICE, CHATTER, Parsed, ParsedEvent, Person};
use super::read::{count, decimal, emotes, id, money, said, text, tier};

const RECIPIENT: ActorFields = ActorFields("recipient_user_id", "recipient_user_name", "recipient_user_login");

/// Converts a notice to the event that it reports.
pub fn parse(event: &Json) -> Parsed {
    if is_anothers(event) {
        return Parsed::Nothing;
    }
    let kind = text(event, "/notice_type").unwrap_or_default();
    parsed(kind, &event[kind], event)
        .map_or(Parsed::Nothing, |parsed| Parsed::Event(parsed.known_as(CHAT_NOTICE, said(event, "/message_id"))))
}

/// Converts a notice of one kind to an event. `notice` is the object with the fields of that kind.
fn parsed(kind: &str, notice: &Json, event: &Json) -> Option<ParsedEvent> {
    let (person, message) = (CHATTER.of(event), said(event, "/message/text"));
    let plain = |sentence: String, person| Some(ParsedEvent::plain(person, &sentence));
    let name = &person.name;
    match kind {
        "sub" => {
            let parsed = ParsedEvent::subscriber(person, tier(notice, "/sub_tier"), 1).saying(message);
            let parsed = parsed.with_details(subscription(notice, event));
            Some(parsed.beginning().unless_reported_by(&["channel.subscribe"]))
        }
        "resub" => {
            let months = count(notice, "/cumulative_months");
            let parsed = ParsedEvent::subscriber(person, tier(notice, "/sub_tier"), months).saying(message);
            let parsed = parsed.with_details(subscription(notice, event));
            Some(parsed.resubscription(months).unless_reported_by(&["channel.subscription.message"]))
        }
        "sub_gift" => {
            let (recipient, tier) = (RECIPIENT.of(notice), tier(notice, "/sub_tier"));
            let sentence = format!("{name} gifted {} a tier {tier} subscription.", recipient.name);
            let details = json!({
                "giver": person.to_json(),
                "recipient": recipient.to_json(),
                "tier": tier,
                "duration_months": notice["duration_months"],
                "cumulative_total": notice["cumulative_total"],
            });
            let parsed = ParsedEvent::subscriber(recipient, tier, 1).saying(Some(&sentence)).with_details(details);
            Some(parsed.referring_to(id(&notice["community_gift_id"]).as_deref()))
        }
        "community_sub_gift" => {
            let (total, tier) = (count(notice, "/total"), tier(notice, "/sub_tier"));
            let details = json!({
                "giver": person.to_json(),
                "total": total,
                "tier": tier,
                "cumulative_total": notice["cumulative_total"],
            });
            let parsed = plain(gifted(name, total, tier), person)?.with_details(details);
            let parsed = parsed.referring_to(id(&notice["id"]).as_deref());
            Some(if total > 1 { parsed } else { parsed.unless_reported_by(&["channel.subscription.gift"]) })
        }
        "gift_paid_upgrade" => {
            let giver = giver(notice);
            let sentence = format!("{name} continued the subscription that {} gifted.", name_of(giver.as_ref()));
            Some(plain(sentence, person)?.with_details(json!({"giver": giver.map(|giver| giver.to_json())})))
        }
        "prime_paid_upgrade" => {
            let tier = tier(notice, "/sub_tier");
            let parsed = plain(format!("{name} upgraded from Prime to a tier {tier} subscription."), person)?;
            Some(parsed.with_details(json!({"tier": tier})))
        }
        "pay_it_forward" => {
            let giver = giver(notice);
            let sentence = format!("{name} paid {} gift forward.", possessive(giver.as_ref()));
            Some(plain(sentence, person)?.with_details(json!({"giver": giver.map(|giver| giver.to_json())})))
        }
        "raid" => {
            let raider = ActorFields("user_id", "user_name", "user_login").of(notice);
            Some(ParsedEvent::raid(raider, notice, "/viewer_count").unless_reported_by(&["channel.raid"]))
        }
        "announcement" => {
            let parsed = plain(sentence(&format!("{name} announced"), message), person)?;
            Some(parsed.with_details(json!({"color": notice["color"], "emotes": emotes(&event["message"])})))
        }
        "bits_badge_tier" => {
            let badge = format!("{name} earned the badge for {} bits", count(notice, "/tier"));
            Some(plain(sentence(&badge, message), person)?.with_details(json!({"tier": notice["tier"]})))
        }
        "charity_donation" => {
            let charity = text(notice, "/charity_name").unwrap_or_default();
            let parsed = plain(donated(name, &money(&notice["amount"]), charity), person)?;
            let parsed = parsed.with_details(donation(notice));
            Some(parsed.unless_reported_by(&["channel.charity_campaign.donate"]))
        }
        "watch_streak" => {
            let streak = format!("{name} watched {} streams in a row", count(notice, "/streak_count"));
            Some(plain(sentence(&streak, message), person)?.with_details(json!({
                "streak_count": notice["streak_count"],
                "channel_points_awarded": notice["channel_points_awarded"],
                "emotes": emotes(&event["message"]),
            })))
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

/// Returns the sentence for the gifts of a giver.
pub fn gifted(giver: &str, total: i64, tier: i64) -> String {
    let subscriptions = if total == 1 { "subscription" } else { "subscriptions" };
    format!("{giver} gifted {total} tier {tier} {subscriptions}.")
}

/// Returns the details of a donation.
pub fn donation(event: &Json) -> Json {
    json!({
        "charity_name": event["charity_name"],
        "amount": decimal(&event["amount"]),
        "currency": event["amount"]["currency"],
    })
}

/// Returns the details of a subscription that its viewer shares.
fn subscription(notice: &Json, event: &Json) -> Json {
    json!({
        "is_prime": notice["is_prime"],
        "is_gift": notice["is_gift"],
        "cumulative_months": notice["cumulative_months"],
        "streak_months": notice["streak_months"],
        "duration_months": notice["duration_months"],
        "giver": giver(notice).map(|giver| giver.to_json()),
        "emotes": emotes(&event["message"]),
    })
}

/// Returns the sentence for a donation.
pub fn donated(giver: &str, amount: &str, charity: &str) -> String {
    format!("{giver} donated {amount} to {charity}.")
}

/// Returns the giver of an earlier gift. `None` for an anonymous giver.
fn giver(notice: &Json) -> Option<Person> {
    let gifter = ActorFields("gifter_user_id", "gifter_user_name", "gifter_user_login");
    (notice["gifter_is_anonymous"] != true && gifter.is_named(notice)).then(|| gifter.of(notice))
}

fn name_of(giver: Option<&Person>) -> &str {
    giver.map_or("an anonymous viewer", |giver| &giver.name)
}

/// Returns the name of a giver with an apostrophe: `Ann's`.
fn possessive(giver: Option<&Person>) -> String {
    format!("{}'s", name_of(giver))
}
