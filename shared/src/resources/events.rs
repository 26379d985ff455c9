//! Events of the channel, of four types. An event copies the name of its user, which may change later.

use serde_json::{Value as Json, json};

use super::users::{ANONYMIZED_NAME, USERS};
use crate::schema::Input::{Optional, PerVariant, Required};
use crate::schema::scalar::{
    Count, Enum, Identifier, Integer, LongText, NonEmptyText, Object, ShortText, Time, Variants,
};
use crate::schema::{
    Attr, BelongsTo, CountBy, Embedded, FeedPolicy, Filter, Measure, Redaction, Resource, Role, SecondaryTime,
    Statistics, Timestamp, Total, Visibility,
};

pub const EVENT_ID: Attr<Identifier> = Attr::new("event_id", "Unique identifier of the event").example("7301");
pub const DOCUMENT_ID: Attr<Identifier> =
    Attr::new("document_id", "Identifier of the document of the event, or null").example("2210");
pub const USER_ID: Attr<Identifier> =
    Attr::new("user_id", "Identifier of the triggering user; not required with `user`").example("415");
pub const USER_NAME: Attr<NonEmptyText> =
    Attr::new("user_name", "Name of the user at the time of the event").example("\"juniper_plays\"");
pub const OCCURRED_AT: Attr<Time> = Attr::new("occurred_at", "Time of the event");
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "Time at which the event was stored");
pub const EVENT_TYPE: Attr<Enum<EventType>> = Attr::new("event_type", "Type of the event");
pub const TIER: Attr<Count> =
    Attr::new("tier", "Subscription tier: 1, 2 or 3, for 1000, 2000 and 3000 at Twitch").example("1");
pub const SUBSCRIBED_LENGTH: Attr<Count> = Attr::new("subscribed_length", "Duration of the subscription").example("14");
pub const AMOUNT: Attr<Count> = Attr::new("amount", "Number of bits cheered").example("500");
pub const CHEER_TYPE: Attr<ShortText> = Attr::new("cheer_type", "Type of the cheer").example("\"cheer\"");
pub const VIEWER_COUNT: Attr<Count> = Attr::new("viewer_count", "Number of viewers in the raid").example("86");
pub const MESSAGE: Attr<LongText> =
    Attr::new("message", "Message of the event").example("\"Good evening from Porto!\"");
/// Reporter of the event, stored as `origin`. The attribute `source` is the digest that identifies repeated reports.
pub const SOURCE: Attr<ShortText> =
    Attr::new("source", "Reporter of the event, such as `twitch/channel.follow`; POST refuses `twitch/…`")
        .stored_as("origin")
        .example("\"chat-bot\"");
pub const REFERENCE: Attr<ShortText> = Attr::new(
    "reference",
    "Identifier of the thing at the source that the event belongs to: a reward, a community \
     gift, a goal, a poll or a stream",
)
.example("\"hydrate-2026-11\"");
/// Maximum length of `details` in JSON, in bytes.
pub const MAX_DETAILS_BYTES: usize = 16_384;
pub const DETAILS: Attr<Object<MAX_DETAILS_BYTES>> =
    Attr::new("details", "Structured facts of the source").example("{\"reward\": \"Hydrate\", \"cost\": 200}");
/// Member of `details` with the sentence of a plain event, without the viewer's text that follows it in the message.
pub const SENTENCE: &str = "system_message";
/// Members of `details` that describe the text of a viewer.
pub const ABOUT_TEXT: [&str; 3] = ["is_action", "emotes", "fragments"];
/// Source of chat messages, which are most of the events of a channel.
pub const CHAT_MESSAGE_SOURCE: &str = "twitch/channel.chat.message";
/// First word of a chat message that may be a command, and the platform's identifier of the message, separated by a
/// space. Other events lack it.
pub const CHAT_COMMAND: Attr<ShortText> = Attr::new("chat_command", "");
/// Seal of the event's document, copied to filter events by seal.
const DOCUMENT_SEAL: Attr<Integer> = Attr::new("document_seal", "");

/// Types of events.
pub struct EventType;

impl Variants for EventType {
    const VARIANTS: &'static [&'static str] = &["plain", "subscriber", "cheer", "raid"];
}

pub static EVENTS: Resource = Resource {
    summary: "An event in the channel: a message, a subscription, a cheer or a raid.",
    time: Some(&OCCURRED_AT),
    secondary_time: Some(SecondaryTime { attribute: &CREATED_AT, near_primary: true }),
    fields: &[
        EVENT_ID.assigned(),
        DOCUMENT_ID.optional().redacted(Redaction::Delete),
        USER_ID.required(),
        USER_NAME.required().redacted(Redaction::Replace(ANONYMIZED_NAME)),
        OCCURRED_AT.required(),
        CREATED_AT.assigned(),
        EVENT_TYPE.required(),
        SOURCE.optional().reserving("twitch/"),
        REFERENCE.optional(),
        DETAILS.optional().redacted(Redaction::Clear),
        TIER.input(PerVariant(&[("subscriber", Required)])).changeable(),
        SUBSCRIBED_LENGTH.input(PerVariant(&[("subscriber", Required)])).changeable(),
        AMOUNT.input(PerVariant(&[("cheer", Required)])).changeable(),
        CHEER_TYPE.input(PerVariant(&[("cheer", Optional)])).changeable(),
        VIEWER_COUNT.input(PerVariant(&[("raid", Required)])).changeable(),
        MESSAGE
            .input(PerVariant(&[("plain", Required), ("subscriber", Optional), ("cheer", Optional)]))
            .changeable()
            .redacted(Redaction::Clear),
        DOCUMENT_SEAL.hidden(),
        CHAT_COMMAND.hidden().redacted(Redaction::Clear),
    ],
    filters: &[
        Filter::refers(&DOCUMENT_ID),
        Filter::equals(&DOCUMENT_SEAL, Role::Number),
        Filter::equals(&REFERENCE, Role::Text3),
        // Chat messages are not indexed by source. The index entry would cost a fifth write.
        Filter::equals(&SOURCE, Role::Text2).without_index_of(CHAT_MESSAGE_SOURCE),
        Filter::equals(&USER_NAME, Role::Text),
        Filter::before("occurred_before", &OCCURRED_AT),
        Filter::after("occurred_after", &OCCURRED_AT),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
        Filter::equals(&EVENT_TYPE, Role::State),
        Filter::begins_with("source_prefix", &SOURCE),
        Filter::at_least("amount_min", &AMOUNT),
        Filter::at_most("amount_max", &AMOUNT),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded {
            field: "user",
            settable: true,
            visibility: Visibility::Always,
            meaning: "Triggering user; created or updated by its `platform_id`",
        }),
        link: Some("events"),
        ..BelongsTo::new(&USERS, &USER_ID)
    }),
    variant: Some(EVENT_TYPE.name),
    feed: FeedPolicy { created: true, updated: true, deleted: true, test_defaults: Some(test_defaults) },
    statistics: Some(Statistics {
        counts: &[
            CountBy::new("events", &EVENT_TYPE, "Number of events by type"),
            CountBy::new("sources", &SOURCE, "Number of events by source, without events that have none"),
        ],
        measures: &[
            Measure::sum("bits", &AMOUNT, "Sum of the bits of all cheers"),
            Measure::sum("raid_viewers", &VIEWER_COUNT, "Sum of the viewers of all raids"),
            Measure::count_of("subscriptions", "subscriber", "Number of subscriptions"),
            Measure::count_with("messages", "plain", &SOURCE, CHAT_MESSAGE_SOURCE, "Number of messages"),
            Measure::count("events", "Number of events"),
        ],
        totals: &[
            Total::new("bits", Role::State, "cheer", "Sum of the bits of all cheers"),
            Total::new("raid_viewers", Role::State, "raid", "Sum of the viewers of all raids"),
            Total::new("subscriptions", Role::State, "subscriber", "Number of subscriptions"),
            Total {
                counter: "sources/twitch/channel.follow",
                ..Total::new("follows", Role::Text2, "twitch/channel.follow", "Number of follows")
            },
        ],
        distinct: ("viewers", "Number of different users with an event"),
    }),
    ..Resource::new("events", "event", &EVENT_ID)
};

/// Creates the default members of a test event: a placeholder user and the current time.
fn test_defaults(now: Timestamp) -> Json {
    json!({
        USER_NAME.name: "Somebody",
        OCCURRED_AT.name: now.to_string(),
        "user": {"platform_id": "somebody", "name": "Somebody"},
    })
}
