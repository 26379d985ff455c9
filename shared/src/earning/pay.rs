//! Stores the payments for new events.

use std::collections::{BTreeMap, BTreeSet};

use time::Duration;

use super::plan::{self, RulePayment};
use crate::error::Result;
use crate::operations::{Execution, current_time};
use crate::resources::rules::ENABLED_AT;
use crate::resources::{EVENTS, RULES, TRANSACTIONS, USERS, users};
use crate::schema::{Key, MAX_CLOCK_SKEW, Record};
use crate::store::{Consistency, IndexCursor, in_parallel};
use crate::table::{CommitError, IndexQuery, Range, ReadSet, Snapshot, WriteSet};

/// Maximum delay of the stream. A rule may pay for events that were acknowledged this long before it was enabled.
const MAX_DELAY: Duration = Duration::minutes(1);

/// Number of events that are checked at once.
const BATCH: usize = 500;

impl Execution {
    /// Pays for new events according to the channel's rules. Events of the anonymous user and of the channel itself are
    /// not paid. Returns the number of new payments.
    ///
    /// # Errors
    /// If the store fails. The call can be repeated.
    pub async fn pay_for_events(&self, events: &[Record]) -> Result<usize> {
        if events.is_empty() {
            return Ok(0);
        }
        let due = plan::due_payments(&self.current_rules().await?, events);
        let (payments, users) = self.missing(due).await?;
        self.pay(payments, &users).await
    }

    /// Lists the payments that events lack which occurred in a range of time. The present rules owe them, so payments of
    /// rules that were deleted, disabled or enabled again remain unknown. Imported events earn nothing.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn missing_payments(&self, range: Range) -> Result<Vec<RulePayment>> {
        let rules = self.current_rules().await?;
        let mut cursor = IndexCursor::new(IndexQuery::by_time(&EVENTS, range), self.store.shards());
        let (mut all, mut known) = (Vec::new(), BTreeSet::new());
        loop {
            let events = cursor.next(&self.store, BATCH).await?;
            if events.is_empty() {
                return Ok(all);
            }
            let imported = self.store.imported(&events).await?;
            let events: Vec<_> = events.into_iter().filter(|event| !imported.contains(&event.key)).collect();
            let (missing, _) = self.missing(plan::due_payments(&rules, &events)).await?;
            // A rule with a window owes one payment for the events of several batches.
            all.extend(missing.into_iter().filter(|payment| known.insert(payment.id)));
        }
    }

    /// Stores payments that are not stored yet. Returns their number.
    ///
    /// # Errors
    /// If the store fails. The call can be repeated.
    pub async fn repair_payments(&self, payments: Vec<RulePayment>) -> Result<usize> {
        self.pay(payments, &Snapshot::default()).await
    }

    /// Returns those of the payments that are neither stored nor to somebody who earns nothing, and their users.
    async fn missing(&self, mut payments: Vec<RulePayment>) -> Result<(Vec<RulePayment>, Snapshot)> {
        let keys = payments.iter().map(|payment| Key::new(&TRANSACTIONS, payment.id)).collect();
        // If this read misses a payment, the condition of the write detects it.
        let stored = self.load(keys, Consistency::Eventual).await?;
        payments.retain(|payment| !stored.records.contains_key(&Key::new(&TRANSACTIONS, payment.id)));
        let keys = payments.iter().map(|payment| Key::new(&USERS, payment.user_id)).collect();
        let users = self.load(keys, Consistency::Strong).await?;
        let channel = self.store.channel().get();
        payments.retain(|payment| {
            let user = users.records.get(&Key::new(&USERS, payment.user_id));
            user.is_some_and(|user| is_viewer(user, channel.as_deref()))
        });
        Ok((payments, users))
    }

    /// Stores payments. `snapshot` contains what was read of their users.
    async fn pay(&self, payments: Vec<RulePayment>, snapshot: &Snapshot) -> Result<usize> {
        let mut by_user: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for payment in payments {
            by_user.entry(payment.user_id).or_default().push(payment);
        }
        // Payments to one user write the same wallet and would conflict. They are stored one after the other.
        let counts = in_parallel(by_user.values().map(|payments| self.pay_all(payments, snapshot))).await?;
        Ok(counts.into_iter().sum())
    }

    /// Reads the rules. An `enabled_at` in the future, left by a clock that was set back, is moved to a minute ago.
    async fn current_rules(&self) -> Result<Vec<Record>> {
        let mut rules = self.store.all_of(&RULES).await?;
        let now = current_time(self.now, &self.store);
        let Some((latest, earliest)) = now.checked_add(MAX_CLOCK_SKEW).zip(now.checked_add(-MAX_DELAY)) else {
            return Ok(rules);
        };
        for rule in rules.iter_mut().filter(|rule| rule.get(&ENABLED_AT).is_some_and(|time| latest < time)) {
            let before = rule.clone();
            rule.set(&ENABLED_AT, earliest);
            let mut write_set = WriteSet::default();
            write_set.update(&before, rule).require_unchanged(&before, ENABLED_AT.name);
            self.store.commit(&write_set).await.map_err(CommitError::into_error)?;
        }
        Ok(rules)
    }

    async fn load(&self, records: BTreeSet<Key>, consistency: Consistency) -> Result<Snapshot> {
        self.store.load(&ReadSet { records, ..ReadSet::default() }, consistency).await
    }

    /// Stores payments one after the other. Skips those that the wallet cannot hold, and those to deleted users.
    async fn pay_all(&self, payments: &[RulePayment], snapshot: &Snapshot) -> Result<usize> {
        let mut count = 0;
        for payment in payments {
            match self.create_with_id(payment.id, &payment.draft, snapshot).await {
                Ok(is_new) => count += usize::from(is_new),
                Err(refused) if refused.status().is_client_error() => {
                    tracing::warn!(payment = %payment.id, %refused, "a payment was left out");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }
}

/// Returns true if the user is a viewer who can be paid.
fn is_viewer(user: &Record, channel: Option<&str>) -> bool {
    let platform_id = user.get(&users::PLATFORM_ID);
    platform_id != Some(users::ANONYMOUS) && (channel.is_none() || platform_id != channel)
}
