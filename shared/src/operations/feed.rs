//! The feed: all changes in one order. Alerts are appended to the feed and change nothing else.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Value as Json, json};

use super::change::plan::no_such;
use super::idempotency::stored;
use super::json_array::JsonArray;
use super::read::render::render;
use super::{Attempts, Execution, Reply};
use crate::error::{Error, Result, Rule, Violation};
use crate::request::{Alert, FeedQuery, IdempotencyKey, TEST};
use crate::schema::{Depth, Key, Record};
use crate::store::Consistency;
use crate::table::{self, Change, Entry, Head, KeyedRequest, MOST_APPENDED, ReadSet, WriteSet};

/// The number of entries whose data is read at a time. The data of each may be as large as the largest record.
const AT_ONCE: usize = 50;
/// The path of the feed.
pub const FEED: &str = "/feed";

impl Execution {
    /// Appends changes of a shard of the table's stream, and returns the feed's last sequence number. Changes that were
    /// appended before are skipped.
    ///
    /// # Errors
    /// 503 if the store fails. The call can be repeated with the same changes.
    pub async fn append(&self, shard: Option<&str>, changes: &[Change]) -> Result<u64> {
        let mut last = 0;
        for changes in changes.chunks(MOST_APPENDED) {
            let mut attempts = Attempts::at_once();
            last = loop {
                let head = self.store.feed_head().await?;
                let checkpoint = match shard {
                    Some(shard) => self.store.checkpoint(&head, shard).await?,
                    None => None,
                };
                let pending = table::pending(changes, checkpoint);
                if pending.is_empty() {
                    break head.last;
                }
                match self.store.commit(&table::append(&head, shard, &pending, self.now)?).await {
                    Ok(()) => break head.last + pending.len() as u64,
                    Err(refusal) => attempts.again(refusal).await?,
                }
            };
        }
        Ok(last)
    }

    /// Executes GET of the feed.
    ///
    /// # Errors
    /// 410 if the requested entries have expired. 400 if `after` is past the last entry, or the query is invalid. Each
    /// error includes the last sequence number.
    pub async fn feed(&self, asked: Result<FeedQuery>) -> Result<Reply> {
        let head = self.store.feed_head().await?;
        let last = head.last;
        let asked = asked.map_err(|error| error.at_head(last))?;
        let events = match asked.after {
            Some(after) if after > last => {
                let detail = format!("Must be at most {last}, the number of the last entry.");
                return Err(Error::invalid_parameters(vec![Violation::parameter(
                    "after",
                    Rule::OutOfRange.broken(detail),
                )])
                .at_head(last));
            }
            Some(after) if after < last => self.entries(&head, after, asked.limit).await?,
            _ => JsonArray::default(),
        };
        let reached = asked.after.unwrap_or(last) + events.len() as u64;
        let next_page = (reached < last).then(|| format!("after={reached}&limit={}", asked.limit));
        let reply = Reply::with("application/cloudevents-batch+json", events.to_json());
        Ok(Reply { next_page, feed_head: Some(last), ..reply })
    }

    /// Returns the entries after a sequence number: at least one, and as many as fit into a response.
    async fn entries(&self, head: &Head, after: u64, limit: u64) -> Result<JsonArray> {
        let numbers = after + 1..=head.last.min(after + limit);
        let mut found = self.store.feed_entries(head, numbers.clone(), self.now).await?;
        let entries = numbers.map(|number| Some((number, found.remove(&number)?)));
        let entries = entries.collect::<Option<Vec<_>>>().ok_or_else(|| Error::entries_expired().at_head(head.last))?;
        let mut events = JsonArray::default();
        for part in entries.chunks(AT_ONCE) {
            let data = self.data(part.iter().map(|(_, entry)| entry)).await?;
            for (number, entry) in part {
                let rendered = data.get(&entry.subject).map(String::as_str);
                if !events.add(cloud_event(*number, entry, rendered)) {
                    return Ok(events);
                }
            }
        }
        Ok(events)
    }

    /// Returns the current data of the entries' subjects, by subject.
    async fn data(&self, entries: impl Iterator<Item = &Entry> + Clone) -> Result<BTreeMap<String, String>> {
        let records: Vec<Key> = entries.clone().filter_map(Entry::record).collect();
        let alerts: Vec<_> = entries.filter_map(Entry::alert).collect();
        let (rendered, by_alerts) = tokio::try_join!(self.rendered_now(records), self.store.alert_contents(&alerts))?;
        let records = rendered.into_iter().map(|(key, rendered)| (key.to_string(), rendered));
        let alerts =
            by_alerts.into_iter().filter_map(|(pk, rendered)| Some((pk.rsplit_once('/')?.0.to_owned(), rendered)));
        Ok(records.chain(alerts).collect())
    }

    /// Renders those of the records that exist, each as GET does.
    async fn rendered_now(&self, keys: Vec<Key>) -> Result<Vec<(Key, String)>> {
        let read_set = ReadSet { records: keys.iter().copied().collect(), ..ReadSet::default() };
        let snapshot = self.store.load(&read_set, Consistency::Strong).await?;
        let records: Vec<Record> =
            read_set.records.iter().filter_map(|key| snapshot.records.get(key)).cloned().collect();
        let snapshot = self.load_to_render(&records, snapshot, Depth::TopLevel, Consistency::Strong).await?;
        let mut all = Vec::new();
        for record in records {
            let torn = snapshot.torn(&record, Depth::TopLevel);
            let Some((record, snapshot)) = self.whole(&record, &snapshot, torn).await? else { continue };
            all.extend(render(&record, &snapshot, Depth::TopLevel, &self.base).map(|rendered| (record.key, rendered)));
        }
        Ok(all)
    }

    /// Executes POST of an alert.
    ///
    /// # Errors
    /// 422 if the alert breaks a rule or names a record that does not exist.
    pub async fn alert(&self, alert: Alert, key: Option<IdempotencyKey>) -> Result<Reply> {
        let keyed = key.map(|key| KeyedRequest::new(&self.caller, &key.key, &key.request));
        self.with_idempotency(keyed.as_ref(), self.raise(alert, keyed.as_ref())).await
    }

    async fn raise(&self, alert: Alert, keyed: Option<&KeyedRequest>) -> Result<Reply> {
        let (about, rendered) = match alert {
            Alert::InvalidBody(broken, violations) => {
                return Err(self.refusal(broken).await.inside(TEST).and(violations));
            }
            Alert::Record(key) => {
                self.store
                    .get(key)
                    .await?
                    .ok_or_else(|| Error::invalid(vec![no_such(key, format!("/{}", key.resource.id.name))]))?;
                (key.to_string(), None)
            }
            Alert::Control(control, body) => (control.to_owned(), Some(body.to_string())),
            Alert::Test(draft) => {
                let rendered = self.preview(&draft).await.map_err(|error| error.inside(TEST))?;
                (TEST.to_owned(), Some(rendered))
            }
        };
        let mut attempts = Attempts::default();
        loop {
            let (id, mut write_set) = (self.store.next_id(self.now), WriteSet::default());
            table::alert(id, &about, rendered.as_deref(), self.now, &mut write_set)
                .map_err(|error| error.inside(TEST))?;
            let reply = Reply { status: StatusCode::ACCEPTED, ..Reply::json(&json!({"alert_id": id.number()})) };
            if let Some(keyed) = keyed {
                keyed.keep(&stored(&reply), self.now, &mut write_set)?;
            }
            match self.store.commit(&write_set).await {
                Ok(()) => return Ok(reply),
                Err(refusal) => attempts.again(refusal).await?,
            }
        }
    }
}

/// Formats a sequence number with 16 digits. In this form, text order equals numeric order.
pub fn zero_padded(number: u64) -> String {
    format!("{number:016}")
}

/// Renders an entry as a CloudEvent
/// (<https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md>).
fn cloud_event(number: u64, entry: &Entry, data: Option<&str>) -> String {
    let id = zero_padded(number);
    let mut event = json!({
        "specversion": "1.0",
        "id": id,
        "sequence": id,
        "source": FEED,
        "type": entry.kind,
        "subject": entry.subject,
        "time": entry.time.to_string(),
        "datacontenttype": "application/json",
    });
    let Some(data) = data else { return event.to_string() };
    // Inserts the data as text, without parsing and serializing it again.
    event["data"] = Json::Null;
    let text = event.to_string();
    let start = text.len() - "null}".len();
    format!("{}{data}}}", &text[..start])
}
