//! Opt-outs: viewers who do not want to be stored. While an opt-out exists, no user can have its `platform_id`.

use super::users::{ANONYMIZED, ANONYMOUS, USERS};
use crate::error::Code;
use crate::schema::scalar::{Identifier, NonEmptyText, Time};
use crate::schema::{Attr, Filter, Input, Resource, Unique};

pub const OPT_OUT_ID: Attr<Identifier> = Attr::new("opt_out_id", "Unique identifier of the opt-out").example("51");
pub const PLATFORM_ID: Attr<NonEmptyText> =
    Attr::new("platform_id", "Identifier of the viewer on the streaming platform").example("\"73450021\"");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");

pub static OPT_OUTS: Resource = Resource {
    summary: "A viewer who does not want to be stored. While the opt-out exists, nothing is stored under this `platform_id`.",
    time: Some(&CREATED_AT),
    fields: &[
        OPT_OUT_ID.assigned(),
        PLATFORM_ID.required().refusing(ANONYMIZED, ANONYMOUS),
        CREATED_AT.input(Input::Now),
    ],
    filters: &[
        Filter::unique(&PLATFORM_ID),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    unique: Some(Unique::new(&PLATFORM_ID, Code::DuplicatePlatformId).excluding(&USERS)),
    ..Resource::new("opt-outs", "opt-out", &OPT_OUT_ID)
};
