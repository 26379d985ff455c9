//! Events: what happened in the channel, of four concrete types.

use serde_json::{Value as Json, json};

use super::users::USERS;
use crate::schema::Input::{Optional, Required, Variants};
use crate::schema::scalar::{Choice, Count, Identifier, Integer, LongText, NonEmptyText, ShortText, Time, Words};
use crate::schema::{
    Attr, BelongsTo, Embedded, FeedPolicy, Filter, Resource, Role, SecondaryTime, Timestamp, Visibility,
};

/// The event's own identifier.
pub const EVENT_ID: Attr<Identifier> = Attr::new("event_id", "unique identifier");
/// The event's document.
pub const DOCUMENT_ID: Attr<Identifier> = Attr::new("document_id", "the event's document; null when none");
/// The user whose event it is.
pub const USER_ID: Attr<Identifier> = Attr::new("user_id", "the triggering user; not required with `user`");
/// The user's name at the time.
pub const USER_NAME: Attr<NonEmptyText> = Attr::new("user_name", "the user's name at the time of the event");
/// When it happened.
pub const OCCURRED_AT: Attr<Time> = Attr::new("occurred_at", "when the event happened");
/// When it was stored.
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "when the event was stored");
/// Which type it is.
pub const EVENT_TYPE: Attr<Choice<EventType>> = Attr::new("event_type", "which type of event it is");
/// The tier of a subscription.
pub const TIER: Attr<Count> = Attr::new("tier", "subscription tier");
/// How long a subscription has lasted.
pub const SUBSCRIBED_LENGTH: Attr<Count> = Attr::new("subscribed_length", "how long the user has been subscribed");
/// The bits of a cheer.
pub const AMOUNT: Attr<Count> = Attr::new("amount", "number of bits cheered");
/// The type of a cheer.
pub const CHEER_TYPE: Attr<ShortText> = Attr::new("cheer_type", "type of cheer");
/// The size of a raid.
pub const VIEWER_COUNT: Attr<Count> = Attr::new("viewer_count", "number of viewers who came with the raid");
/// What was said.
pub const MESSAGE: Attr<LongText> = Attr::new("message", "message of the event");
/// The seal of the event's document, repeated for the filter by it.
const DOCUMENT_SEAL: Attr<Integer> = Attr::new("document_seal", "");

/// The types of events.
pub struct EventType;

impl Words for EventType {
    const WORDS: &'static [&'static str] = &["plain", "subscriber", "cheer", "raid"];
}

/// Something that happened in the channel.
pub static EVENTS: Resource = Resource {
    summary: "Something that happened in the channel: a message, a subscription, a cheer or a raid.",
    time: Some(&OCCURRED_AT),
    secondary_time: Some(SecondaryTime { attribute: &CREATED_AT, near_primary: true }),
    fields: &[
        EVENT_ID.assigned(),
        DOCUMENT_ID.optional(),
        USER_ID.required(),
        USER_NAME.required(),
        OCCURRED_AT.required(),
        CREATED_AT.assigned(),
        EVENT_TYPE.required(),
        TIER.given(Variants(&[("subscriber", Required)])).changeable(),
        SUBSCRIBED_LENGTH.given(Variants(&[("subscriber", Required)])).changeable(),
        AMOUNT.given(Variants(&[("cheer", Required)])).changeable(),
        CHEER_TYPE.given(Variants(&[("cheer", Optional)])).changeable(),
        VIEWER_COUNT.given(Variants(&[("raid", Required)])).changeable(),
        MESSAGE.given(Variants(&[("plain", Required), ("subscriber", Optional), ("cheer", Optional)])).changeable(),
        DOCUMENT_SEAL.hidden(),
    ],
    filters: &[
        Filter::refers(&DOCUMENT_ID),
        Filter::equals(&DOCUMENT_SEAL, Role::Number),
        Filter::equals(&USER_NAME, Role::Text),
        Filter::before("occurred_before", &OCCURRED_AT),
        Filter::after("occurred_after", &OCCURRED_AT),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
        Filter::equals(&EVENT_TYPE, Role::State),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded {
            field: "user",
            given: true,
            visibility: Visibility::Always,
            meaning: "the triggering user; created, or updated, by its platform_id",
        }),
        link: Some("events"),
        ..BelongsTo::new(&USERS, &USER_ID)
    }),
    variant: Some(EVENT_TYPE.name),
    feed: FeedPolicy { created: true, updated: true, deleted: true, test_defaults: Some(test_defaults) },
    ..Resource::new("events", "event", &EVENT_ID)
};

/// Somebody, now: whose event it is that is tried out.
fn test_defaults(now: Timestamp) -> Json {
    json!({
        USER_NAME.name: "Somebody",
        OCCURRED_AT.name: now.to_string(),
        "user": {"platform_id": "somebody", "name": "Somebody"},
    })
}
