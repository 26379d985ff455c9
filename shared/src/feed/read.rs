//! GET of the feed: its entries, each with its subject as GET renders it at the time of the request.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::entries::Entry;
use super::head::Head;
use super::{FEED, zero_padded};
use crate::error::{Error, Result, Violation, ViolationCode};
use crate::operations::{Execution, JsonArray, render};
use crate::request::FeedQuery;
use crate::response::Response;
use crate::schema::{Depth, Key, Record};
use crate::store::Consistency;
use crate::table::ReadSet;

/// Number of entries with data to read at a time. Each may be as large as the largest record.
const BATCH: usize = 50;

impl Execution {
    /// Executes GET of the feed.
    ///
    /// # Errors
    /// 410 if the requested entries have expired. 400 if `after` is beyond the last entry, or the query is invalid.
    /// Each error includes the last sequence number.
    pub async fn feed(&self, query: Result<FeedQuery>) -> Result<Response> {
        let head = self.store.feed_head().await?;
        let last = head.last;
        let query = query.map_err(|error| error.with_feed_head(last))?;
        let events = match query.after {
            Some(after) if after > last => {
                let detail = format!("Must be at most {last}, the number of the last entry.");
                return Err(Error::invalid_parameters(vec![Violation::parameter(
                    "after",
                    ViolationCode::OutOfRange.invalid_value(detail),
                )])
                .with_feed_head(last));
            }
            Some(after) if after < last => self.entries(&head, after, query.limit).await?,
            _ => JsonArray::default(),
        };
        let reached = query.after.unwrap_or(last) + events.len() as u64;
        let next_page = (reached < last).then(|| format!("after={reached}&limit={}", query.limit));
        let response = Response::new("application/cloudevents-batch+json", events.to_json());
        Ok(Response { next_page, feed_head: Some(last), ..response })
    }

    /// Reads the entries after a sequence number: at least one, and at most as many as fit into a response.
    async fn entries(&self, head: &Head, after: u64, limit: u64) -> Result<JsonArray> {
        let numbers = after + 1..=head.last.min(after + limit);
        let mut stored = self.store.feed_entries(head, numbers.clone(), self.now).await?;
        let entries = numbers.map(|number| Some((number, stored.remove(&number)?)));
        let entries =
            entries.collect::<Option<Vec<_>>>().ok_or_else(|| Error::entries_expired().with_feed_head(head.last))?;
        let mut events = JsonArray::default();
        for batch in entries.chunks(BATCH) {
            let data = self.data(batch.iter().map(|(_, entry)| entry)).await?;
            for (number, entry) in batch {
                let rendered = data.get(&entry.subject).map(String::as_str);
                if !events.add(cloud_event(*number, entry, rendered)) {
                    return Ok(events);
                }
            }
        }
        Ok(events)
    }

    /// Reads the current data of the entries' subjects, by subject.
    async fn data(&self, entries: impl Iterator<Item = &Entry> + Clone) -> Result<BTreeMap<String, String>> {
        let records: Vec<Key> = entries.clone().filter_map(Entry::record).collect();
        let alerts: Vec<_> = entries.filter_map(Entry::alert).collect();
        let (rendered, by_alerts) = tokio::try_join!(self.rendered_now(records), self.store.alert_contents(&alerts))?;
        let records = rendered.into_iter().map(|(key, rendered)| (key.to_string(), rendered));
        let alerts =
            by_alerts.into_iter().filter_map(|(pk, rendered)| Some((pk.rsplit_once('/')?.0.to_owned(), rendered)));
        Ok(records.chain(alerts).collect())
    }

    /// Renders the records that still exist, each as GET does.
    async fn rendered_now(&self, keys: Vec<Key>) -> Result<Vec<(Key, String)>> {
        let read_set = ReadSet { records: keys.iter().copied().collect(), ..ReadSet::default() };
        let snapshot = self.store.load(&read_set, Consistency::Strong).await?;
        let records: Vec<Record> =
            read_set.records.iter().filter_map(|key| snapshot.records.get(key)).cloned().collect();
        let snapshot = self.store.load_to_render(&records, snapshot, Depth::TopLevel, Consistency::Strong).await?;
        let mut rendered_records = Vec::new();
        for record in records {
            let is_inconsistent = snapshot.is_inconsistent(&record, Depth::TopLevel);
            let Some((record, snapshot)) = self.reload_if_inconsistent(&record, &snapshot, is_inconsistent).await?
            else {
                continue;
            };
            rendered_records
                .extend(render(&record, &snapshot, Depth::TopLevel, &self.base).map(|rendered| (record.key, rendered)));
        }
        Ok(rendered_records)
    }
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
    // The data is inserted as text and need not be parsed and serialized again.
    event["data"] = Json::Null;
    let text = event.to_string();
    let start = text.len() - "null}".len();
    format!("{}{data}}}", &text[..start])
}
