//! Overlays: settings of the pages that a streamer shows on the stream. As records, they can be changed live.

use crate::schema::scalar::{Boolean, Identifier, NonEmptyText, Object, Time};
use crate::schema::{Attr, DefaultValue, FeedPolicy, Filter, Input, Resource, Role};

pub const OVERLAY_ID: Attr<Identifier> = Attr::new("overlay_id", "Unique identifier of the overlay").example("12");
pub const NAME: Attr<NonEmptyText> = Attr::new("name", "Name of the overlay").example("\"main scene\"");
pub const SETTINGS: Attr<Object<65_536>> =
    Attr::new("settings", "Settings of the overlay page; PATCH replaces them as a whole")
        .example("{\"alerts\": {\"volume\": 0.6}}");
pub const PAUSED: Attr<Boolean> = Attr::new("paused", "True while the overlay shows no alerts").example("false");
pub const MUTED: Attr<Boolean> = Attr::new("muted", "True while the overlay plays no sounds").example("false");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");

pub static OVERLAYS: Resource = Resource {
    summary: "The settings of an overlay page.",
    time: Some(&CREATED_AT),
    fields: &[
        OVERLAY_ID.assigned(),
        NAME.required().changeable(),
        SETTINGS.optional().changeable(),
        PAUSED.input(Input::Default(DefaultValue::Boolean(false))).changeable(),
        MUTED.input(Input::Default(DefaultValue::Boolean(false))).changeable(),
        CREATED_AT.input(Input::Now),
    ],
    filters: &[
        Filter::equals(&NAME, Role::Text),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    feed: FeedPolicy { created: false, updated: true, deleted: false, test_defaults: None },
    ..Resource::new("overlays", "overlay", &OVERLAY_ID)
};
