//! Stores the payments for new events.

use std::collections::BTreeMap;

use time::Duration;

use super::plan::{self, RulePayment};
use crate::error::Result;
use crate::operations::{Execution, current_time};
use crate::resources::rules::ENABLED_AT;
use crate::resources::{RULES, TRANSACTIONS, USERS, users};
use crate::schema::{Key, MAX_CLOCK_SKEW, Record};
use crate::store::{Consistency, in_parallel};
use crate::table::{CommitError, ReadSet, Snapshot, WriteSet};

/// Maximum delay of the stream. A rule may pay for events that were acknowledged this long before it was enabled.
const MAX_DELAY: Duration = Duration::minutes(1);

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
        let mut payments = plan::due_payments(&self.current_rules().await?, events);
        let keys = payments.iter().map(|payment| Key::new(&TRANSACTIONS, payment.id)).collect();
        // If this read misses a payment, the condition of the write detects it.
        let stored = self.load(keys, Consistency::Eventual).await?;
        payments.retain(|payment| !stored.records.contains_key(&Key::new(&TRANSACTIONS, payment.id)));
        let keys = payments.iter().map(|payment| Key::new(&USERS, payment.user_id)).collect();
        let users = self.load(keys, Consistency::Strong).await?;
        let channel = self.store.channel().get();
        let mut by_user: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for payment in payments {
            let user = users.records.get(&Key::new(&USERS, payment.user_id));
            if user.is_some_and(|user| is_viewer(user, channel.as_deref())) {
                by_user.entry(payment.user_id).or_default().push(payment);
            }
        }
        // Payments to one user write the same wallet and would conflict. They are stored one after the other.
        let counts = in_parallel(by_user.values().map(|payments| self.pay_all(payments, &users))).await?;
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

    async fn load(&self, records: std::collections::BTreeSet<Key>, consistency: Consistency) -> Result<Snapshot> {
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
