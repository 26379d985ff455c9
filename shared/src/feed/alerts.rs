//! Alerts: entries that a client appends to the feed. They change no record.

use http::StatusCode;
use serde_json::json;

use super::entries;
use crate::error::{Error, Result};
use crate::operations::{
    Creation, Execution, Origin, Plan, PlanContext, ResolvedPath, ResponseContent, Verb, reference_not_found,
};
use crate::request::{Alert, IdempotencyKey, Path, TEST};
use crate::resources::EVENTS;
use crate::response::Response;
use crate::schema::Key;
use crate::table::{CommitError, ReadSet, Snapshot, Tombstone, WriteSet};

impl Execution {
    /// Executes POST of an alert.
    ///
    /// # Errors
    /// 422 if the alert breaks a rule or names a record that does not exist.
    pub async fn alert(&self, alert: Alert, key: Option<IdempotencyKey>) -> Result<Response> {
        let preconditions = self.preconditions(key);
        match self.entry(alert).await {
            Ok(entry) => Ok(self.execute(&Path::to(&EVENTS), &entry, &preconditions).await?.response),
            Err(error) => self.replay_or(error, preconditions.idempotent_request.as_ref()).await,
        }
    }

    async fn entry(&self, alert: Alert) -> Result<NewEntry> {
        Ok(match alert {
            Alert::InvalidBody(invalid, violations) => {
                return Err(self.invalid_body(invalid).await.prefix_pointers(TEST).with_violations(violations));
            }
            Alert::Record(key) => NewEntry { record: Some(key), about: key.to_string(), rendered: None },
            Alert::Purchase(content) => NewEntry::of(TEST, content),
            Alert::Control(control, body) => NewEntry::of(control, body.to_string()),
            Alert::Test(draft) => {
                let target = ResolvedPath::Collection { resource: draft.resource, bound: None };
                let creation = Creation::of_one(&draft, Origin::Test);
                let preview = self.preview(&target, &creation).await.map_err(|error| error.prefix_pointers(TEST))?;
                NewEntry::of(TEST, preview)
            }
        })
    }
}

/// Feed entry of an alert.
struct NewEntry {
    /// Record to replay. It must exist.
    record: Option<Key>,
    about: String,
    rendered: Option<String>,
}

impl NewEntry {
    fn of(about: &str, rendered: String) -> Self {
        Self { record: None, about: about.to_owned(), rendered: Some(rendered) }
    }
}

impl Verb for NewEntry {
    fn reads(&self, _: &ResolvedPath, _: &Snapshot) -> ReadSet {
        ReadSet::of(self.record)
    }

    fn plan(&self, _: &ResolvedPath, read: &mut Snapshot, context: &PlanContext<'_>) -> Result<Plan, CommitError> {
        if let Some(key) = self.record.filter(|key| !read.records.contains_key(key)) {
            return Err(Error::invalid(vec![reference_not_found(key, format!("/{}", key.resource.id.name))]).into());
        }
        let (id, mut write_set) = (context.next_id(), WriteSet::default());
        entries::alert(id, &self.about, self.rendered.as_deref(), context.now, &mut write_set)
            .map_err(|error| error.prefix_pointers(TEST))?;
        let response = Response { status: StatusCode::ACCEPTED, ..Response::json(&json!({"alert_id": id.number()})) };
        Ok(Plan { write_set, content: ResponseContent::Response(response), tombstone: Tombstone::default() })
    }
}
