//! Withdrawals: records that the reporting service takes back, such as chat messages that a moderator removed.
//!
//! A mark replaces a withdrawn record and prevents a late or repeated report from storing it. An event that also
//! reports a fact, such as a cheer, loses only its text.

use std::borrow::Cow;
use std::time::Instant;

use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::operations::delete::plan::Deletion;
use crate::operations::driver::{Backoff, retry_conflicts};
use crate::request::{Draft, ListQuery};
use crate::resources;
use crate::resources::events::{
    ABOUT_TEXT, CHAT_COMMAND, CHAT_MESSAGE_SOURCE, DETAILS, EVENT_TYPE, MESSAGE, SENTENCE, SOURCE,
};
use crate::schema::{Key, Record, Resource, StoredValue, Value};
use crate::store::{Consistency, in_parallel};
use crate::table::{
    ClearedPeriod, CommitError, Condition, DedupKey, MESSAGES, ReadSet, StoredReport, Tombstone, WithdrawalScope,
    WriteSet, mark_withdrawn, text_key, withdrawals_key,
};

/// Number of records to withdraw in parallel.
const BATCH: usize = 25;
/// Sources of events with a text that is shown in the chat, except for notices.
const SOURCES_WITH_CHAT_TEXT: [&str; 5] = [
    CHAT_MESSAGE_SOURCE,
    "twitch/channel.cheer",
    "twitch/channel.bits.use",
    "twitch/channel.custom_power_up_redemption.add",
    "twitch/channel.subscription.message",
];
/// Prefix of the sources of chat notices.
const NOTICE: &str = "twitch/channel.chat.notification/";
/// Kinds of notices without text from the viewer. A notice of any other kind may have one.
const NOTICES_WITHOUT_TEXT: [&str; 7] = [
    "sub_gift",
    "community_sub_gift",
    "gift_paid_upgrade",
    "pay_it_forward",
    "prime_paid_upgrade",
    "raid",
    "charity_donation",
];

impl Execution {
    /// Withdraws the record of an external event. If it is not stored yet, a mark prevents it from being stored. If the
    /// record was skipped, returns the counterpart from [`skip`](Self::skip).
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn withdraw(&self, resource: &'static Resource, dedup_key: DedupKey) -> Result<Option<String>> {
        match self.find_or_mark(resource, dedup_key, None).await? {
            Some(StoredReport { record: None, messages, .. }) => Ok(messages),
            Some(StoredReport { record: Some(record), .. }) => {
                self.withdraw_stored(record.key, None).await.map(|()| None)
            }
            None => Ok(None),
        }
    }

    /// Stores a mark in place of an external event that another report covers. `counterpart` describes that report.
    /// Returns true if the event was already withdrawn.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn skip(&self, resource: &'static Resource, dedup_key: DedupKey, counterpart: &str) -> Result<bool> {
        let existing = self.find_or_mark(resource, dedup_key, Some(counterpart)).await?;
        Ok(existing.is_some_and(|existing| existing.record.is_none() && existing.messages.is_none()))
    }

    /// Finds the record of an external event, or the mark in its place. If there is neither, stores a mark.
    async fn find_or_mark(
        &self,
        resource: &'static Resource,
        mut dedup_key: DedupKey,
        counterpart: Option<&str>,
    ) -> Result<Option<StoredReport>> {
        let mut attempts = Backoff::default();
        loop {
            let key = dedup_key.key(resource);
            match self.store.find_existing(key).await? {
                Some(existing) if dedup_key.identifies_or_advances(&existing) => return Ok(Some(existing)),
                // Another record has the identifier. The event moves on to its next identifier.
                Some(_) => continue,
                None => {}
            }
            let mut write_set = WriteSet::default();
            let write = write_set.withdraw(key, &dedup_key.source, self.now).require(Condition::Missing);
            if let Some(counterpart) = counterpart {
                write.put_attribute(MESSAGES, Some(StoredValue::Text(counterpart.to_owned())));
            }
            match self.store.commit(&write_set).await {
                Ok(()) => return Ok(None),
                Err(error) => attempts.back_off(error).await?,
            }
        }
    }

    /// Withdraws the records with a chat text in a tombstone's lists, until the deadline. The upkeep withdraws the
    /// rest. The lists select the records of a period, by one author or by everyone. A mark withdraws later reports.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn withdraw_all(&self, tombstone: Tombstone, period: ClearedPeriod, deadline: Instant) -> Result<()> {
        let withdrawn = tombstone.author.as_deref().map_or(WithdrawalScope::Everybody, WithdrawalScope::Author);
        self.mark(withdrawn, period, &tombstone).await?;
        // The tombstone is stored. A failure only delays the rest.
        if let Err(error) = self.withdraw_listed(&tombstone, deadline).await {
            tracing::warn!(%error, "withdrawal deferred to the upkeep");
        }
        Ok(())
    }

    /// Withdraws later reports by an author with a text. `text` is the digest of the text.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn withdraw_text(&self, author: &str, text: &str, period: ClearedPeriod) -> Result<()> {
        self.mark(WithdrawalScope::Text(author, text), period, &Tombstone::default()).await
    }

    /// Stores a mark for a withdrawn period, together with a tombstone for the records that are already stored.
    async fn mark(&self, withdrawn: WithdrawalScope<'_>, period: ClearedPeriod, tombstone: &Tombstone) -> Result<()> {
        retry_conflicts(|| async {
            let marks = self.store.get_item(&withdrawals_key(withdrawn.author())).await?.unwrap_or_default();
            let mut write_set = WriteSet::default();
            mark_withdrawn(&marks, withdrawn, period, self.now, &mut write_set);
            write_set.add_tombstone(tombstone.clone(), self.store.next_id(self.now), self.now)?;
            self.store.commit(&write_set).await
        })
        .await
    }

    /// Withdraws the records in a tombstone's lists in one pass. Returns false if the deadline passes first.
    pub(in crate::operations) async fn withdraw_listed(
        &self,
        tombstone: &Tombstone,
        deadline: Instant,
    ) -> Result<bool> {
        let mut of_author = String::new();
        let completed = tombstone.completed.iter().map(|completed| (&completed.list, Some(completed.period)));
        for (path_and_query, period) in tombstone.withdrawn.iter().map(|list| (list, None)).chain(completed) {
            if let (Some(author), true) = (&tombstone.author, of_author.is_empty()) {
                let Some(relation) = &parse_list(path_and_query)?.resource.belongs_to else { return Ok(true) };
                // The author may have been stored since the last pass.
                let parent = self.store.find_by_unique_value(relation.parent, author).await?;
                let Some(parent) = parent else { return Ok(true) };
                of_author = format!("&{}={}", relation.foreign_key.name, parent.key.id);
            }
            let list = parse_list(&format!("{path_and_query}{of_author}"))?;
            let mut matches = self.find(&list).await?;
            loop {
                let records = matches.next(self, BATCH).await?;
                if records.is_empty() {
                    break;
                }
                if Instant::now() > deadline {
                    return Ok(false);
                }
                let is_withdrawn =
                    |record: &&Record| list.matches(record) && (period.is_some() || has_chat_text(record.get(&SOURCE)));
                let withdrawn = records.iter().filter(is_withdrawn);
                in_parallel(withdrawn.map(|record| self.withdraw_stored(record.key, period))).await?;
            }
        }
        Ok(true)
    }

    /// Reads the first records of a list, up to its `limit`. `list` is the path and query.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn first_of(&self, list: &str) -> Result<Vec<Record>> {
        let list = parse_list(list)?;
        let limit = list.limit.unwrap_or(1);
        let (mut matches, mut matching) = (self.find(&list).await?, Vec::new());
        loop {
            let records = matches.next(self, limit).await?;
            let is_over = records.is_empty();
            matching.extend(records.into_iter().filter(|record| list.matches(record)));
            if matching.len() >= limit || is_over {
                matching.truncate(limit);
                return Ok(matching);
            }
        }
    }

    /// Withdraws a stored record, if it still exists and, if a period is set, was completed in it.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub async fn withdraw_stored(&self, key: Key, completed_in: Option<ClearedPeriod>) -> Result<()> {
        retry_conflicts(|| async {
            let Some(existing) = self.store.find_existing(key).await? else { return Ok(()) };
            let is_in = |period: ClearedPeriod| existing.completed_at.is_some_and(|time| period.contains(time));
            if completed_in.is_none_or(is_in) { self.withdraw_existing(&existing).await } else { Ok(()) }
        })
        .await
    }

    async fn withdraw_existing(&self, existing: &StoredReport) -> Result<(), CommitError> {
        let Some(record) = &existing.record else { return Ok(()) };
        let details = match record.value(DETAILS.name) {
            Some(Value::OutOfLine(details)) => {
                let pk = text_key(record.key, details);
                let reads = ReadSet { texts: [pk.clone()].into(), ..ReadSet::default() };
                let mut snapshot = self.store.load(&reads, Consistency::Strong).await?;
                Some(snapshot.texts.remove(&pk).ok_or(CommitError::Outdated)?)
            }
            _ => None,
        };
        let (mut after, mut write_set) = (record.clone(), WriteSet::default());
        if !redact_text(&mut after, details.as_deref()) {
            // The transaction that deletes the children replaces the record with the mark.
            let complete = |removal: &mut Deletion| {
                removal.remove_from_parent(record);
                removal.write_set.withdraw(record.key, &existing.source, self.now);
            };
            return self.delete_record(record, complete).await;
        }
        let is_same = |name| record.value(name).and_then(Value::digest) == after.value(name).and_then(Value::digest);
        let has_own_sentence = record.get(&SOURCE).is_some_and(is_notice_without_text);
        if (is_same(MESSAGE.name) && is_same(DETAILS.name)) || has_own_sentence {
            return Ok(());
        }
        write_set.update(record, &after).require_unchanged(record, DETAILS.name);
        self.store.commit(&write_set).await
    }

    /// Removes the text of a report, and the details about the text, if it was withdrawn before it was received. The
    /// read may lag by a moment; the withdrawal looks for such records again.
    pub(in crate::operations) async fn without_withdrawn<'d>(
        &self,
        draft: &'d Draft,
        dedup_key: &DedupKey,
    ) -> Result<Cow<'d, Draft>> {
        let reads =
            ReadSet { eventually_consistent: dedup_key.withdrawals().into_iter().collect(), ..ReadSet::default() };
        let read = self.store.load(&reads, Consistency::Strong).await?;
        if !dedup_key.is_withdrawn(&read) {
            return Ok(Cow::Borrowed(draft));
        }
        let mut draft = draft.clone();
        draft.values.remove(MESSAGE.name);
        if let Some(Some(Value::Object(details))) = draft.values.get(DETAILS.name) {
            let details = without_text_details(serde_json::from_str(details).unwrap_or_default());
            draft.values.insert(DETAILS.name, details);
        }
        Ok(Cow::Owned(draft))
    }
}

/// Returns true if events from the source may have a text that is shown in the chat. Clearing the chat removes it.
pub(crate) fn has_chat_text(source: Option<&str>) -> bool {
    source.is_some_and(|source| {
        SOURCES_WITH_CHAT_TEXT.contains(&source) || (source.starts_with(NOTICE) && !is_notice_without_text(source))
    })
}

/// Returns true if the message of the source's events is a sentence written by the service.
fn is_notice_without_text(source: &str) -> bool {
    source.strip_prefix(NOTICE).is_some_and(|kind| NOTICES_WITHOUT_TEXT.contains(&kind))
}

/// Removes the text of an event, and the details about the text. `out_of_line` contains the details if they are stored
/// separately. Returns false for an event that consists only of its text, such as a chat message.
pub(in crate::operations) fn redact_text(event: &mut Record, out_of_line: Option<&str>) -> bool {
    let details = details_of(event, out_of_line);
    let sentence = details.get(SENTENCE).and_then(Json::as_str).map(|sentence| Value::Text(sentence.to_owned()));
    if sentence.is_none() && event.get(&EVENT_TYPE) == Some("plain") {
        return false;
    }
    event.put(MESSAGE.name, sentence);
    event.put(DETAILS.name, without_text_details(details));
    event.put(CHAT_COMMAND.name, None);
    true
}

/// Removes the details about a text.
fn without_text_details(mut details: Map<String, Json>) -> Option<Value> {
    details.retain(|name, _| !ABOUT_TEXT.contains(&name.as_str()));
    (!details.is_empty()).then(|| Value::Object(Json::Object(details).to_string()))
}

fn details_of(event: &Record, out_of_line: Option<&str>) -> Map<String, Json> {
    let details = out_of_line.or_else(|| event.text(DETAILS.name));
    details.and_then(|details| serde_json::from_str(details).ok()).unwrap_or_default()
}

/// Parses the path and query of a list.
fn parse_list(list: &str) -> Result<ListQuery> {
    let (path, query) = list.split_once('?').unwrap_or((list, ""));
    let resource = resources::by_name(path.trim_start_matches('/')).ok_or_else(Error::no_route)?;
    ListQuery::new(resource, path).with(query, None).map_err(Error::invalid_parameters)
}
