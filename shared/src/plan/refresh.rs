//! A known record, as newer reports of it have it.

use super::work::Work;
use crate::request::Draft;
use crate::schema::{Record, Timestamp};

/// Plans to give a known record what a draft says of it as of a time; `None` when that is nothing new, or older than what
/// is known.
pub fn refresh(before: &Record, draft: &Draft, as_of: Timestamp, work: &mut Work) -> Option<Record> {
    let resource = before.key.resource;
    if resource.as_of.and_then(|field| before.get(field)).is_some_and(|known| as_of < known) {
        return None;
    }
    let mut after = before.clone();
    for field in resource.fields.iter().filter(|field| field.changeable) {
        if let Some(value) = draft.values.get(field.name) {
            after.put(field.name, value.clone());
        }
    }
    if after == *before {
        return None;
    }
    if let Some(field) = resource.as_of {
        after.set(field, as_of);
    }
    let write = work.update(before, &after);
    let decisive = [resource.unique.map(|unique| unique.name), resource.as_of.map(|field| field.name)];
    for field in decisive.into_iter().flatten() {
        write.when_as_in(before, field);
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{USERS, users};
    use crate::schema::{Id, Key};

    fn user(name: &str) -> Record {
        let mut user = Record::new(Key::new(&USERS, Id::new(5).expect("an identifier")));
        user.set(&users::PLATFORM_ID, "1");
        user.set(&users::NAME, name);
        user
    }

    #[test]
    fn a_report_that_is_older_than_what_is_known_changes_nothing() {
        let draft = |name| Draft::new(&USERS).with(&users::PLATFORM_ID, "1").with(&users::NAME, name);
        let time = |text| Timestamp::parse(text).expect("a time");
        let (early, late) = (time("2026-01-01T00:00:00Z"), time("2026-01-02T00:00:00Z"));
        let renamed = refresh(&user("Ann"), &draft("Bea"), late, &mut Work::default()).expect("a change");
        assert_eq!(renamed.get(&users::NAME), Some("Bea"));
        assert!(refresh(&renamed, &draft("Ann"), early, &mut Work::default()).is_none());
        let mut work = Work::default();
        assert!(refresh(&renamed, &draft("Bea"), late, &mut work).is_none());
        assert!(work.writes.is_empty(), "the name is the same");
    }
}
