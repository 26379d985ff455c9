//! Showing records, with everything embedded in them.

use serde_json::{Map, Value as Json, json};

use super::resolve::{Place, absent};
use super::{Execution, Reply};
use crate::error::Result;
use crate::record::{Key, Record};
use crate::resource::{Kind, Shown};
use crate::route::Path;
use crate::store::{Consistency, Loaded};
use crate::value::Value;

impl Execution {
    /// GET of one record or value.
    pub(super) async fn read(&self, path: &Path) -> Result<Reply> {
        let place = self.resolve(path).await?;
        let record = self.at(&place).await?;
        if let Place::Value { field, .. } = place {
            let value = record.get(field).map(Value::to_json);
            return Ok(Reply::ok(&json!({ field: value })));
        }
        Ok(Reply::ok(&self.show(&record, Loaded::new(), true).await?))
    }

    /// One record as a response; `known` spares reads.
    pub(super) async fn show(&self, record: &Record, known: Loaded, alone: bool) -> Result<Json> {
        let mut shown = vec![record.clone()];
        let loaded = self.embed(&mut shown, known, Consistency::Strong, alone).await?;
        shown.first().and_then(|record| view(record, &loaded, alone)).ok_or_else(|| absent(record.key))
    }

    /// Loads everything that is embedded in records: in one batch, unless something changes meanwhile.
    pub(super) async fn embed(
        &self,
        records: &mut [Record],
        mut loaded: Loaded,
        consistency: Consistency,
        alone: bool,
    ) -> Result<Loaded> {
        let mut wanted: Vec<Key> = records.iter().flat_map(|record| record.embedded_keys(alone)).collect();
        while !wanted.is_empty() {
            let missing = wanted.into_iter().filter(|key| !loaded.contains_key(key));
            let batch = self.store.get_all(missing, consistency).await?;
            wanted = batch.values().flat_map(|record| record.embedded_keys(false)).collect();
            loaded.extend(batch);
            wanted.retain(|key| !loaded.contains_key(key));
        }
        for record in records.iter_mut().chain(loaded.values_mut()) {
            self.sign(record).await?;
        }
        Ok(loaded)
    }

    /// Puts the URL of an image in the place of its key.
    async fn sign(&self, record: &mut Record) -> Result<()> {
        for field in record.key.resource.fields.iter().filter(|field| matches!(field.kind, Kind::Image)) {
            if let Some(key) = record.text(field.name) {
                let url = self.store.image_url(key).await?;
                record.set(field.name, Some(Value::Text(url)));
            }
        }
        Ok(())
    }
}

/// A record as JSON; `None` when the record that it belongs to is gone, and so it is going too.
pub(super) fn view(record: &Record, loaded: &Loaded, alone: bool) -> Option<Json> {
    let mut object = Map::new();
    for field in record.fields() {
        let shown = field.shown == Shown::Always || (field.shown == Shown::Alone && alone);
        let value = match field.kind {
            Kind::One { resource, by, nullable } => {
                let embedded = record.reference(by).and_then(|id| loaded.get(&Key::new(resource, id)));
                match embedded.and_then(|embedded| view(embedded, loaded, false)) {
                    None if shown && !nullable => return None,
                    None if shown && object.contains_key(by) => {
                        // The record that it refers to has just been deleted.
                        object.insert(by.to_owned(), Json::Null);
                        None
                    }
                    embedded => embedded,
                }
            }
            Kind::Many { resource, ids } => {
                let keys = record.references(ids).map(|id| Key::new(resource, id));
                let mut held: Vec<_> = keys.filter_map(|key| loaded.get(&key)).collect();
                if resource.time.is_some() {
                    held.sort_by_key(|held| std::cmp::Reverse(held.position()));
                }
                Some(held.into_iter().filter_map(|held| view(held, loaded, false)).collect())
            }
            _ => record.get(field.name).map(Value::to_json),
        };
        if shown {
            object.insert(field.name.to_owned(), value.unwrap_or_default());
        }
    }
    Some(Json::Object(object))
}
