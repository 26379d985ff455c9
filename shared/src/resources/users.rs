//! Users: viewers of the streaming platform, and what is theirs.

use crate::schema::scalar::{Identifier, NonEmptyText, Time};
use crate::schema::{Attr, Filter, Input, Resource, Role};

/// The user's own identifier.
pub const USER_ID: Attr<Identifier> = Attr::new("user_id", "internal identifier; not the platform's");
/// The platform's identifier of the user.
pub const PLATFORM_ID: Attr<NonEmptyText> = Attr::new("platform_id", "the streaming platform's identifier of the user");
/// The user's name.
pub const NAME: Attr<NonEmptyText> = Attr::new("name", "the platform's name of the user; may be out of date");
/// When the user was created.
pub const CREATED_AT: Attr<Time> = Attr::new("created_at", "when it was created; an import may say");

/// When the name was that.
const NAMED_AT: Attr<Time> = Attr::new("named_at", "");

/// A viewer of the streaming platform.
pub static USERS: Resource = Resource {
    // The specification writes one route with the singular: `/user/{user_id}/specimens`.
    alias: Some("user"),
    summary: "A viewer of the streaming platform, with a specimen, an inventory and a wallet.",
    time: Some(&CREATED_AT),
    fields: &[
        USER_ID.assigned(),
        PLATFORM_ID.required().changeable(),
        NAME.required().changeable(),
        CREATED_AT.given(Input::Now),
        NAMED_AT.hidden(),
    ],
    filters: &[
        Filter::unique(&PLATFORM_ID),
        Filter::equals(&NAME, Role::Text),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    unique: Some(&PLATFORM_ID),
    as_of: Some(&NAMED_AT),
    minimal_write_response: true,
    ..Resource::new("users", "user", &USER_ID)
};
