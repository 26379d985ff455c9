//! Specimens: pets of users, active until they are forgotten. A user has at most one active specimen. The user's state
//! stores its identifier, and a condition on this item enforces the limit.

use super::users::USERS;
use crate::error::{Code, ViolationCode};
use crate::schema::scalar::{Identifier, Time};
use crate::schema::{
    Attr, BelongsTo, Contradiction, Embedded, Filter, Input, ParentData, Resource, Role, SecondaryTime, Values,
    Visibility,
};

pub const SPECIMEN_ID: Attr<Identifier> = Attr::new("specimen_id", "Unique identifier of the specimen").example("58");
pub const OWNER_ID: Attr<Identifier> =
    Attr::new("owner_id", "Identifier of the owning user; not required with `owner`").example("415");
pub const BORN_AT: Attr<Time> = Attr::new("born_at", "Time of birth; defaults to the current time");
pub const FORGOTTEN_AT: Attr<Time> =
    Attr::new("forgotten_at", "Time at which the specimen was forgotten; null while it is active");

pub static SPECIMENS: Resource = Resource {
    summary: "A pet of a user, active until it is forgotten.",
    time: Some(&BORN_AT),
    secondary_time: Some(SecondaryTime { attribute: &FORGOTTEN_AT, near_primary: false }),
    fields: &[
        SPECIMEN_ID.assigned(),
        OWNER_ID.required().changeable(),
        BORN_AT.input(Input::Now),
        FORGOTTEN_AT.optional().changeable(),
    ],
    filters: &[
        Filter::is_set("forgotten", &FORGOTTEN_AT, Role::State),
        Filter::before("forgotten_before", &FORGOTTEN_AT),
        Filter::after("forgotten_after", &FORGOTTEN_AT),
        Filter::before("born_before", &BORN_AT),
        Filter::after("born_after", &BORN_AT),
    ],
    belongs_to: Some(BelongsTo {
        embedded: Some(Embedded {
            field: "owner",
            settable: true,
            visibility: Visibility::TopLevel,
            meaning: "Owning user; created or updated by its `platform_id`",
        }),
        link: Some("specimens"),
        parent_data: ParentData::One {
            embedded: Embedded {
                field: "specimen",
                settable: false,
                visibility: Visibility::TopLevel,
                meaning: "Active specimen of the user, or null",
            },
            slot: "specimen_id",
            mirrors: &[],
            occupied: Code::ActiveSpecimenExists,
            attached: Code::ActiveSpecimenExists,
        },
        while_unset: Some(&FORGOTTEN_AT),
        ..BelongsTo::new(&USERS, &OWNER_ID)
    }),
    contradictions: Some(forgotten_before_birth),
    ..Resource::new("specimens", "specimen", &SPECIMEN_ID)
};

fn forgotten_before_birth(specimen: &Values) -> Vec<Contradiction> {
    let (Some(born), Some(forgotten)) = (specimen.get(&BORN_AT), specimen.get(&FORGOTTEN_AT)) else {
        return Vec::new();
    };
    let detail = format!("Must not be before born_at, {born}.");
    let violation = (forgotten < born).then(|| Contradiction {
        fields: &[FORGOTTEN_AT.name, BORN_AT.name],
        invalid: ViolationCode::Inconsistent.invalid_value(detail),
    });
    violation.into_iter().collect()
}
