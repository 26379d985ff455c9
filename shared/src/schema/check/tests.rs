//! Tests of each invalid declaration and its message. The tests call the compile-time checks at run time.

use super::super::scalar::{Float, Identifier, Integer, LongText, NonEmptyText, ShortText, Time};
use super::super::{Attr, BelongsTo, Embedded, SecondaryTime, Visibility};
use super::*;

const ID: Attr<Identifier> = Attr::new("hat_id", "");
const OWNER: Attr<Identifier> = Attr::new("owner_id", "");
const NAME: Attr<NonEmptyText> = Attr::new("name", "");
const NOTE: Attr<LongText> = Attr::new("note", "");
const SIZE: Attr<Integer> = Attr::new("size", "");
const ANGLE: Attr<Float> = Attr::new("angle", "");
const MADE_AT: Attr<Time> = Attr::new("made_at", "");
const WORN_AT: Attr<Time> = Attr::new("worn_at", "");
const KIND: Attr<ShortText> = Attr::new("kind", "");

static HEADS: Resource = Resource { fields: &[ID.assigned()], ..Resource::new("heads", "head", &ID) };
const BASE: Resource = Resource::new("hats", "hat", &ID);
const FIELDS: &[Field] = &[
    ID.assigned(),
    OWNER.required(),
    NAME.required(),
    NOTE.optional(),
    SIZE.required(),
    ANGLE.required(),
    MADE_AT.required(),
    WORN_AT.optional(),
];

/// Check an invalid declaration, and get the message.
fn message(hats: Resource) -> String {
    let hats: &'static Resource = Box::leak(Box::new(hats));
    let checked = std::panic::catch_unwind(|| all(&[&HEADS, hats]));
    *checked.expect_err("the declaration is rejected").downcast::<String>().expect("a message")
}

fn filter_message(filter: Filter) -> String {
    message(Resource { fields: FIELDS, filters: Box::leak(Box::new([filter])), ..BASE })
}

#[test]
fn valid_declaration_passes() {
    let hats = Resource {
        fields: FIELDS,
        time: Some(&MADE_AT),
        secondary_time: Some(SecondaryTime { attribute: &WORN_AT, near_primary: false }),
        filters: const {
            &[
                Filter::equals(&NAME, Role::Text),
                Filter::equals(&SIZE, Role::Number),
                Filter::is_set("worn", &WORN_AT, Role::State),
                Filter::after("made_after", &MADE_AT),
                Filter::before("worn_before", &WORN_AT),
            ]
        },
        belongs_to: Some(BelongsTo { link: Some("hats"), ..BelongsTo::new(&HEADS, &OWNER) }),
        ..BASE
    };
    all(&[&HEADS, Box::leak(Box::new(hats))]);
}

#[test]
fn filter_on_an_unknown_field_is_rejected() {
    assert!(filter_message(Filter::equals(&KIND, Role::Text)).starts_with("hats.kind: unknown field in filter"));
}

#[test]
fn filter_role_that_does_not_fit_its_scalar_is_rejected() {
    assert!(filter_message(Filter::equals(&NAME, Role::Number)).starts_with("hats.name: wrong role"));
    assert!(filter_message(Filter::equals(&ANGLE, Role::Number)).starts_with("hats.angle: wrong role"));
    assert!(
        filter_message(Filter::is_set("named", &NAME, Role::State))
            .starts_with("hats.named: a presence filter needs an optional")
    );
    assert!(
        filter_message(Filter::is_set("noted", &NOTE, Role::Text))
            .starts_with("hats.noted: a presence filter needs Role::State")
    );
    assert!(filter_message(Filter::unique(&NAME)).starts_with("hats.name: an equality filter needs a role"));
}

#[test]
fn time_filter_without_an_index_is_rejected() {
    assert!(filter_message(Filter::after("made_after", &MADE_AT)).starts_with("hats.made_after: a time filter"));
}

#[test]
fn duplicate_names_and_roles_are_rejected() {
    let fields = Resource { fields: const { &[ID.assigned(), NAME.required(), NAME.required()] }, ..BASE };
    assert!(message(fields).starts_with("hats.name: duplicate field"));
    let filters = const { &[Filter::equals(&NAME, Role::Text), Filter::equals(&NOTE, Role::Text)] };
    assert!(message(Resource { fields: FIELDS, filters, ..BASE }).starts_with("hats.note: duplicate role"));
    let filters = const { &[Filter::equals(&NAME, Role::Text), Filter::equals(&NAME, Role::OtherText)] };
    assert!(message(Resource { fields: FIELDS, filters, ..BASE }).starts_with("hats.name: duplicate filter"));
    assert!(
        message(Resource { fields: FIELDS, ..Resource::new("heads", "head", &ID) }).starts_with("heads.: duplicate")
    );
}

#[test]
fn relation_without_an_index_for_its_cascade_is_rejected() {
    let unlinked = BelongsTo::new(&HEADS, &OWNER);
    assert!(
        message(Resource { fields: FIELDS, belongs_to: Some(unlinked), ..BASE })
            .starts_with("hats.owner_id: a cascading child")
    );
}

#[test]
fn relation_on_an_unknown_field_is_rejected() {
    let relation = BelongsTo { link: Some("hats"), ..BelongsTo::new(&HEADS, &OWNER) };
    let hats = Resource { fields: const { &[ID.assigned()] }, belongs_to: Some(relation), ..BASE };
    assert!(message(hats).starts_with("hats.owner_id: a relation"));
    let embedded = Embedded { field: "sum", settable: false, visibility: Visibility::TopLevel, meaning: "" };
    let on_parent = OnParent::Sum { embedded, of: &SIZE };
    let relation = BelongsTo { link: Some("hats"), on_parent, ..BelongsTo::new(&HEADS, &OWNER) };
    let hats = Resource { fields: const { &[ID.assigned(), OWNER.required()] }, belongs_to: Some(relation), ..BASE };
    assert!(message(hats).starts_with("hats.size: a sum"));
}

#[test]
fn duplicate_link_names_are_rejected() {
    let relation = || BelongsTo { link: Some("hats"), ..BelongsTo::new(&HEADS, &OWNER) };
    let fields = const { &[ID.assigned(), OWNER.required()] };
    let caps = Resource { fields, belongs_to: Some(relation()), ..Resource::new("caps", "cap", &ID) };
    let hats = Resource { fields, belongs_to: Some(relation()), ..BASE };
    let (caps, hats): (&Resource, &Resource) = (Box::leak(Box::new(caps)), Box::leak(Box::new(hats)));
    let checked = std::panic::catch_unwind(|| all(&[&HEADS, caps, hats])).expect_err("rejected");
    assert!(checked.downcast::<String>().expect("a message").starts_with("hats.owner_id: duplicate link"));
}
