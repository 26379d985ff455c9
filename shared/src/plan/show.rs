//! Records as JSON, with everything embedded in them.

use serde_json::{Map, Value as Json, json};

use super::item::{text_key, texts_apart};
use super::loaded::{Loaded, State, shows_state};
use super::work::Work;
use crate::resources::{self, Child, Member};
use crate::schema::{Field, Kept, Key, Record, Shown, Value};

/// A record as JSON; `alone` where it is not inside another. `None` when the record that it shows as its holder is gone:
/// then it is going, too. So it is where a long text is gone, unless the record is [torn](Loaded::torn).
///
/// A record is embedded only if it still belongs to the one that embeds it: a stamp that was moved is not shown on its former
/// document.
pub fn show(record: &Record, loaded: &Loaded, alone: bool, base: &str) -> Option<Json> {
    let mut object = Map::new();
    for member in resources::members(record.key.resource) {
        let is_shown = member.embedded().is_none_or(|embedded| embedded.shown == Shown::Always || alone);
        match member {
            Member::Field(field) if field.hidden || !record.has(field) => {}
            Member::Field(field) => drop(object.insert(field.name.to_owned(), value(record, field, loaded, base)?)),
            Member::Holder(_, embedded) if is_shown => {
                let holder = loaded.records.get(&record.holder()?)?;
                object.insert(embedded.field.to_owned(), show(holder, loaded, false, base)?);
            }
            Member::Kept(child, embedded) if is_shown => {
                let kept = kept(record, *child, loaded, base);
                if let (Kept::One { slot, .. }, Json::Null) = (&child.relation.kept, &kept)
                    && let Some(reference) = object.get_mut(*slot)
                {
                    // What it refers to has just been deleted.
                    *reference = Json::Null;
                }
                object.insert(embedded.field.to_owned(), kept);
            }
            Member::Holder(..) | Member::Kept(..) => {}
        }
    }
    Some(Json::Object(object))
}

fn value(record: &Record, field: &Field, loaded: &Loaded, base: &str) -> Option<Json> {
    Some(match record.value(field.name) {
        Some(Value::Apart(apart)) => json!(loaded.texts.get(&text_key(record.key, apart))?),
        Some(value) if field.is_image() => {
            let name = value.to_json();
            json!(format!("{base}/images/{}", name.as_str().unwrap_or_default()))
        }
        Some(value) => value.to_json(),
        None => Json::Null,
    })
}

fn kept(holder: &Record, child: Child, loaded: &Loaded, base: &str) -> Json {
    if let Kept::Sum { embedded, .. } = &child.relation.kept {
        return json!(loaded.states.get(&holder.key).map_or(0, |state| state.sum(embedded.field)));
    }
    let keys = loaded.kept(holder, child).unwrap_or_default();
    let mut records: Vec<_> = keys.iter().filter_map(|key| loaded.records.get(key)).collect();
    records.retain(|record| is_of(record, holder.key));
    if child.resource.time.is_some() {
        records.sort_by_key(|record| std::cmp::Reverse(record.position()));
    }
    let mut shown = records.into_iter().filter_map(|record| show(record, loaded, false, base));
    match child.relation.kept {
        Kept::One { .. } => shown.next().unwrap_or_default(),
        _ => shown.collect(),
    }
}

/// Returns the records that a record embeds, directly and further down.
pub fn embedded<'a>(record: &Record, loaded: &'a Loaded, alone: bool) -> Vec<&'a Record> {
    let mut found = Vec::new();
    for member in resources::members(record.key.resource) {
        let is_shown = member.embedded().is_some_and(|embedded| embedded.shown == Shown::Always || alone);
        let keys = match member {
            Member::Holder(..) if is_shown => record.holder().into_iter().collect(),
            Member::Kept(child, _) if is_shown => loaded.kept(record, *child).unwrap_or_default(),
            _ => Vec::new(),
        };
        for inside in keys.iter().filter_map(|key| loaded.records.get(key)) {
            found.push(inside);
            found.extend(embedded(inside, loaded, false));
        }
    }
    found
}

/// Makes a unit of work conditional on everything that a GET shows of a record: what its tag covers.
pub fn only_as_shown(record: &Record, loaded: &Loaded, work: &mut Work) {
    work.only_as_read(record, loaded.states.get(&record.key));
    for inside in embedded(record, loaded, true) {
        let state = loaded.states.get(&inside.key).filter(|_| shows_state(inside.key.resource));
        work.only_as_read(inside, state);
    }
}

/// Whether a record is kept by this holder now.
pub(super) fn is_of(record: &Record, holder: Key) -> bool {
    record.holder() == Some(holder) && record.is_kept()
}

impl Loaded {
    /// The record, or the holder inside it, whose parts were read at different moments: something that it says to keep
    /// is not there, or says otherwise.
    pub fn torn(&self, record: &Record, alone: bool) -> bool {
        self.lacks_a_text(record)
            || self.states.get(&record.key).is_some_and(State::is_gone)
            || resources::members(record.key.resource).iter().any(|member| match member {
                Member::Kept(child, embedded) if embedded.shown == Shown::Always || alone => {
                    self.kept(record, *child).unwrap_or_default().iter().any(|key| match self.records.get(key) {
                        Some(kept) => !is_of(kept, record.key) || self.torn(kept, false),
                        None => true,
                    })
                }
                _ => false,
            })
    }

    /// Whether a long text is not there, of the record or of what it shows.
    pub fn torn_text(&self, record: &Record) -> bool {
        let kept = resources::children(record.key.resource)
            .iter()
            .flat_map(|child| self.kept(record, *child).unwrap_or_default());
        let inside = kept.filter_map(|key| self.records.get(&key)).filter(|kept| is_of(kept, record.key));
        self.lacks_a_text(record) || inside.into_iter().any(|kept| self.torn_text(kept))
    }

    /// Whether a long text of the record is not there, for another has taken its place since.
    fn lacks_a_text(&self, record: &Record) -> bool {
        texts_apart(record).iter().any(|(pk, text)| text.is_none() && !self.texts.contains_key(pk))
    }
}
