//! Users: viewers of the streaming platform. An embedded user is found by its `platform_id`, which is unique.

use crate::error::Code;
use crate::schema::scalar::{Identifier, NonEmptyText, Time};
use crate::schema::{Attr, Filter, Input, Redaction, Resource, Role, Unique};

pub const USER_ID: Attr<Identifier> =
    Attr::new("user_id", "Internal identifier of the user, not the platform's").example("415");
pub const PLATFORM_ID: Attr<NonEmptyText> =
    Attr::new("platform_id", "Identifier of the user on the streaming platform").example("\"58210934\"");
pub const NAME: Attr<NonEmptyText> =
    Attr::new("name", "Name of the user on the platform; may be out of date").example("\"juniper_plays\"");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");

/// `platform_id` of the user that represents all anonymous viewers. Identifiers from Twitch are never words.
pub const ANONYMOUS: &str = "anonymous";
/// Prefix of the `platform_id` of an anonymized user, before its identifier.
pub const ANONYMIZED: &str = "anonymized/";
/// Name of all anonymized users.
pub const ANONYMIZED_NAME: &str = "Deleted viewer";
/// Name of the action that pays from a user's wallet to another user's.
pub const TRANSFERS: &str = "transfers";

/// Time of the latest report of the name.
const NAMED_AT: Attr<Time> = Attr::new("named_at", "");

pub static USERS: Resource = Resource {
    summary: "A viewer of the streaming platform, with a specimen, an inventory and a wallet.",
    time: Some(&CREATED_AT),
    fields: &[
        USER_ID.assigned(),
        PLATFORM_ID.required().changeable().redacted(Redaction::Identify { prefix: ANONYMIZED, except: ANONYMOUS }),
        NAME.required().changeable().redacted(Redaction::Replace(ANONYMIZED_NAME)),
        CREATED_AT.input(Input::Now),
        NAMED_AT.hidden(),
    ],
    filters: &[
        Filter::unique(&PLATFORM_ID),
        Filter::equals(&NAME, Role::Text),
        Filter::prefix("name_prefix", &NAME),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    unique: Some(Unique::new(&PLATFORM_ID, Code::DuplicatePlatformId).reported_at(&NAMED_AT)),
    minimal_write_response: true,
    actions: &[TRANSFERS],
    ..Resource::new("users", "user", &USER_ID)
};
