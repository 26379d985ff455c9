//! Unit tests of `shared/src/schema`.

use capture_core::error::ViolationCode;
use capture_core::schema::check::all;
use capture_core::schema::scalar::{
    Float, Identifier, Integer, LongText, NonEmptyText, Object, Scalar, ShortText, Time, compact_json as compact,
};
use capture_core::schema::{
    Attr, BelongsTo, Calendar, Embedded, Field, Filter, Id, IdGenerator, ParentData, Resource, Role, SEGMENT_SECONDS,
    SecondaryTime, Step, Timestamp, Value, Visibility, time_of,
};

fn second(text: &str) -> i64 {
    Timestamp::parse(text).expect("a time").unix_seconds()
}

/// Lists the starts of the periods in an interval, as texts.
fn periods(zone: &str, step: Step, from: &str, to: &str) -> Vec<String> {
    let calendar = Calendar::named(zone).expect("a time zone");
    let periods = calendar.periods(step, second(from), second(to), 1_000).expect("not too many");
    for pair in periods.windows(2) {
        assert_eq!(pair[0].to, pair[1].from, "no gap");
    }
    periods.into_iter().map(|period| period.from().to_string()).collect()
}

#[test]
fn days_have_23_and_25_hours_where_clocks_change() {
    let berlin = Calendar::named("Europe/Berlin").expect("a time zone");
    for (time, hours) in [("2026-03-29T12:00:00Z", 23), ("2026-10-25T12:00:00Z", 25), ("2026-07-01T12:00:00Z", 24)] {
        let day = berlin.period(Step::Day, second(time));
        assert_eq!(day.to - day.from, hours * 3_600, "{time}");
        let of_day = berlin.periods(Step::Hour, day.from, day.to, 100).expect("few");
        assert_eq!(i64::try_from(of_day.len()), Ok(hours), "{time}");
    }
}

#[test]
fn boundaries_follow_offsets_of_30_and_45_minutes() {
    let from = "2026-01-01T00:00:00Z";
    assert_eq!(
        periods("Asia/Kolkata", Step::Hour, from, "2026-01-01T00:31:00Z"),
        ["2025-12-31T23:30:00Z", "2026-01-01T00:30:00Z"]
    );
    assert_eq!(
        periods("Asia/Kathmandu", Step::Day, from, from.replace("00:00:00", "00:00:01").as_str()),
        ["2025-12-31T18:15:00Z"]
    );
    // Lord Howe Island changes its clocks by half an hour.
    let hours = periods("Australia/Lord_Howe", Step::Hour, "2026-04-04T13:00:00Z", "2026-04-04T17:00:00Z");
    assert_eq!(
        hours[..4],
        ["2026-04-04T13:00:00Z", "2026-04-04T14:00:00Z", "2026-04-04T15:00:00Z", "2026-04-04T15:30:00Z"]
    );
}

#[test]
fn days_partition_time_in_every_zone() {
    for zone in
        ["Pacific/Apia", "America/Sao_Paulo", "Africa/Monrovia", "America/Havana", "Asia/Tehran", "Europe/Amsterdam"]
    {
        let calendar = Calendar::named(zone).expect("a time zone");
        for year in [1900, 1937, 1972, 2000, 2011, 2018, 2026] {
            let (from, to) = (second(&format!("{year}-01-01T00:00:00Z")), second(&format!("{year}-12-31T00:00:00Z")));
            let days = calendar.periods(Step::Day, from, to, 400).expect("a year");
            assert!((364..=367).contains(&days.len()), "{zone} {year}: {}", days.len());
            for day in days {
                assert!(day.from < day.to && day.from % SEGMENT_SECONDS == 0, "{zone} {day:?}");
                assert_eq!(calendar.period(Step::Day, day.from), day);
                assert_eq!(calendar.period(Step::Day, day.to - 1), day);
            }
        }
    }
}

#[test]
fn longer_periods_consist_of_whole_shorter_ones() {
    for zone in ["UTC", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "America/New_York"] {
        let calendar = Calendar::named(zone).expect("a time zone");
        for at in ["0001-01-01T00:00:00Z", "2011-12-30T12:00:00Z", "2026-03-29T01:00:00Z", "9999-12-31T23:59:59Z"] {
            let mut shorter = calendar.period(Step::Hour, second(at));
            while let Some(step) = shorter.step.parent() {
                let longer = calendar.period(step, shorter.from);
                assert!(
                    longer.from <= shorter.from && shorter.to <= longer.to,
                    "{zone} {at}: {shorter:?} in {longer:?}"
                );
                assert_eq!(calendar.period(step, shorter.to - 1), longer, "{zone} {at}");
                let is_end = shorter.from == longer.from || !at.starts_with("0001");
                assert!(is_end, "{zone} {at}: the first periods of all lengths begin together");
                shorter = longer;
            }
        }
    }
}

#[test]
fn unknown_zone_is_rejected() {
    assert!(Calendar::named("Europe/Nowhere").is_none());
    assert!(Calendar::named("").is_none());
    assert_eq!(Calendar::named("europe/berlin").expect("a time zone").name(), "Europe/Berlin");
}

#[test]
fn identifiers_increase_within_one_millisecond() {
    let (ids, now) = (IdGenerator::default(), Timestamp::now());
    let generated: Vec<_> = (0..5000).map(|_| ids.generate(now, 4095)).collect();
    assert!(generated.is_sorted_by(|a, b| a < b));
}

#[test]
fn identifier_contains_its_millisecond() {
    let now = Timestamp::now();
    let id = IdGenerator::default().generate(now, 7);
    assert_eq!(time_of(id).unix_millis(), now.unix_millis());
}

#[test]
fn identifier_is_a_positive_integer_below_2_to_the_53() {
    assert_eq!(Id::parse("9007199254740991").map(Id::number), Some(9_007_199_254_740_991));
    for text in ["", "0", "-1", "+1", "01", "1.0", "9007199254740992", "99999999999999999999", "a"] {
        assert_eq!(Id::parse(text), None, "{text}");
    }
}

#[test]
fn object_keeps_its_order_and_the_text_of_numbers() {
    let json = "{ \"b\" : 1.00,\n\"a\":[1e400 , -0, 12345678901234567890],\t\"c d\":\" \\\" \\\\\" }";
    let expected = r#"{"b":1.00,"a":[1e400,-0,12345678901234567890],"c d":" \" \\"}"#;
    assert_eq!(compact(json), expected);
    assert_eq!(Object::<100>::from_text(json), Ok(Value::Object(expected.to_owned())));
    assert_eq!(Object::<10>::from_text(json).map_err(|invalid| invalid.code), Err(ViolationCode::TooLong));
}

#[test]
fn timestamp_is_rendered_in_utc_without_loss() {
    for (sent, rendered) in [
        ("2026-11-20T16:53:02.123456789Z", "2026-11-20T16:53:02.123456789Z"),
        ("2026-11-20T16:53:02.100+02:00", "2026-11-20T14:53:02.1Z"),
        ("2026-11-20T16:53:00Z", "2026-11-20T16:53:00Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ] {
        assert_eq!(Timestamp::parse(sent).map(|t| t.to_string()).as_deref(), Some(rendered));
    }
}

#[test]
fn invalid_timestamp_or_year_out_of_range_is_rejected() {
    for sent in [
        "",
        "2026",
        "2026-11-20",
        "2026-11-20 16:53",
        "2026-13-01T00:00:00Z",
        "0000-12-31T00:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "2026-11-20T16:53:02.1234567890Z",
        "2026-11-20T16:53:02",
        "2026-11-20T16:53:61Z",
        "2026-11-20T16:60:60Z",
        "2026-11-20T16:53:60",
    ] {
        assert_eq!(Timestamp::parse(sent), None, "{sent}");
    }
}

#[test]
fn leap_second_is_read_as_the_second_before_in_any_minute() {
    for (sent, read) in [
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("2026-11-20T16:53:60.25+02:00", "2026-11-20T14:53:59.25Z"),
        ("2026-11-20t16:53:60.123456789z", "2026-11-20T16:53:59.123456789Z"),
    ] {
        assert_eq!(Timestamp::parse(sent).map(|time| time.to_string()).as_deref(), Some(read), "{sent}");
    }
}

// The tests of invalid declarations run the compile-time checks at run time.

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

/// Checks an invalid declaration and returns the message.
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
    let filters = const { &[Filter::equals(&NAME, Role::Text), Filter::equals(&NAME, Role::Text2)] };
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
    let on_parent = ParentData::Sum { embedded, addend: &SIZE };
    let relation = BelongsTo { link: Some("hats"), parent_data: on_parent, ..BelongsTo::new(&HEADS, &OWNER) };
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
