//! Overlays: the settings of the pages that a streamer shows on the stream.

use crate::schema::scalar::{Boolean, Identifier, NonEmptyText, Object, Time};
use crate::schema::{Attr, DefaultValue, FeedPolicy, Filter, Input, Resource, Role};

/// The identifier of the overlay.
pub const OVERLAY_ID: Attr<Identifier> = Attr::new("overlay_id", "Unique identifier of the overlay");
/// The name of the overlay.
pub const NAME: Attr<NonEmptyText> = Attr::new("name", "Name of the overlay");
/// The settings of the page.
pub const SETTINGS: Attr<Object<65_536>> =
    Attr::new("settings", "Settings of the overlay page; PATCH replaces them as a whole");
/// True while the overlay shows no alerts.
pub const PAUSED: Attr<Boolean> = Attr::new("paused", "True while the overlay shows no alerts");
/// True while the overlay plays no sounds.
pub const MUTED: Attr<Boolean> = Attr::new("muted", "True while the overlay plays no sounds");
/// The time of creation.
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");

/// The overlays resource.
pub static OVERLAYS: Resource = Resource {
    summary: "The settings of an overlay page.",
    time: Some(&CREATED_AT),
    fields: &[
        OVERLAY_ID.assigned(),
        NAME.required().changeable(),
        SETTINGS.optional().changeable(),
        PAUSED.given(Input::Default(DefaultValue::Boolean(false))).changeable(),
        MUTED.given(Input::Default(DefaultValue::Boolean(false))).changeable(),
        CREATED_AT.given(Input::Now),
    ],
    filters: &[
        Filter::equals(&NAME, Role::Text),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    feed: FeedPolicy { created: false, updated: true, deleted: false, test_defaults: None },
    ..Resource::new("overlays", "overlay", &OVERLAY_ID)
};
