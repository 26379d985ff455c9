//! Plans the update of an existing record to a newer report of it.

use crate::request::Draft;
use crate::schema::{Record, Timestamp};
use crate::table::WriteSet;

/// Plan the update of a record to a draft. The record was found by its unique value; the draft is valid as of a time.
/// Returns `None` if the draft has nothing new or is older than the record.
///
/// The unique value itself stays: it changes only together with its reservation. If it has changed since the record was
/// read, the write fails and the request starts over.
pub fn refresh(before: &Record, draft: &Draft, as_of: Timestamp, write_set: &mut WriteSet) -> Option<Record> {
    let resource = before.key.resource;
    if resource.as_of.and_then(|field| before.get(field)).is_some_and(|stored_as_of| as_of < stored_as_of) {
        return None;
    }
    let mut after = before.clone();
    let unique = resource.unique.map(|unique| unique.attribute.name);
    for field in resource.fields.iter().filter(|field| field.changeable && Some(field.name) != unique) {
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
    let write = write_set.update(before, &after);
    for field in [unique, resource.as_of.map(|field| field.name)].into_iter().flatten() {
        write.when_as_in(before, field);
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{USERS, users};
    use crate::schema::{Id, Key, Stored};
    use crate::table::Condition;

    fn user(name: &str) -> Record {
        let mut user = Record::new(Key::new(&USERS, Id::new(5).expect("an identifier")));
        user.set(&users::PLATFORM_ID, "1");
        user.set(&users::NAME, name);
        user
    }

    #[test]
    fn unique_value_is_a_condition_and_is_not_written() {
        let draft = Draft::new(&USERS).with(&users::PLATFORM_ID, "2").with(&users::NAME, "Bea");
        let mut write_set = WriteSet::default();
        let after = refresh(&user("Ann"), &draft, Timestamp::now(), &mut write_set).expect("a change");
        assert_eq!((after.get(&users::PLATFORM_ID), after.get(&users::NAME)), (Some("1"), Some("Bea")));
        let write = write_set.writes.values().next().expect("a write");
        assert!(!write.set.contains_key("platform_id"));
        let found = Condition::Is("platform_id".to_owned(), Some(Stored::Text("1".to_owned())));
        assert!(write.conditions.iter().any(|(condition, _)| *condition == found));
    }

    #[test]
    fn outdated_or_equal_name_writes_nothing() {
        let draft = |name| Draft::new(&USERS).with(&users::PLATFORM_ID, "1").with(&users::NAME, name);
        let time = |text| Timestamp::parse(text).expect("a time");
        let (early, late) = (time("2026-01-01T00:00:00Z"), time("2026-01-02T00:00:00Z"));
        let renamed = refresh(&user("Ann"), &draft("Bea"), late, &mut WriteSet::default()).expect("a change");
        assert_eq!(renamed.get(&users::NAME), Some("Bea"));
        assert!(refresh(&renamed, &draft("Ann"), early, &mut WriteSet::default()).is_none());
        let mut write_set = WriteSet::default();
        assert!(refresh(&renamed, &draft("Bea"), late, &mut write_set).is_none());
        assert!(write_set.writes.is_empty(), "the name is the same");
    }
}
