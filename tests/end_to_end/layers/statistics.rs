//! Unit tests of `shared/src/statistics`.

use std::collections::BTreeMap;

use capture_core::schema::Id;
use capture_core::statistics::Tallies;

type Counters = BTreeMap<String, u64>;

fn id(number: u64) -> Id {
    Id::new(number).expect("an identifier")
}

fn counters(pairs: &[(&str, u64)]) -> Counters {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

#[test]
fn merged_tallies_have_the_sums_of_both() {
    let (mut one, mut other) = (Tallies::default(), Tallies::default());
    one.add(id(1), &counters(&[("bits", 5), ("events", 1)]));
    other.add(id(2), &counters(&[("events", 1)]));
    other.add(id(1), &counters(&[("bits", 7), ("events", 2)]));
    one.merge(other);
    assert_eq!(one.of(id(1)), counters(&[("bits", 12), ("events", 3)]));
    assert_eq!(one.totals(), counters(&[("bits", 12), ("events", 4)]));
    assert_eq!(one.ranking("events"), [(id(1), 3), (id(2), 1)]);
    assert_eq!(one.ranking("raids"), []);
}

#[test]
fn parts_round_trip_in_any_order_of_counting() {
    let (mut one, mut other) = (Tallies::default(), Tallies::default());
    for user in 1..=20 {
        one.add(id(user), &counters(&[("events", user), ("bits", 3)]));
        other.add(id(21 - user), &counters(&[("bits", 3)]));
    }
    for user in 1..=20 {
        other.add(id(user), &counters(&[("events", user)]));
    }
    for parts in [1, 4] {
        let encoded = one.encode(parts).expect("parts");
        assert_eq!(encoded, other.encode(parts).expect("parts"));
        let mut merged = Tallies::default();
        for part in &encoded {
            merged.merge(Tallies::decode(part).expect("a part"));
        }
        assert_eq!((merged.user_count(), merged.totals()), (20, one.totals()));
    }
}
