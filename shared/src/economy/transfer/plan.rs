//! Plans a transfer.

use crate::economy::payment::{Payment, require_balance};
use crate::error::{Error, Violation, ViolationCode};
use crate::operations::reference_not_found;
use crate::request::Draft;
use crate::resources::transfers::{AMOUNT, DESCRIPTION, FROM_USER_ID, SAME_USER, TO_USER_ID};
use crate::schema::{Id, Key, Record, Timestamp};
use crate::table::{Snapshot, WriteSet};

/// A transfer that is ready to be stored.
pub(super) struct PlannedTransfer {
    /// Identifier of the transfer. It is the identifier of the payer's transaction, which a condition makes unique.
    pub(super) id: Id,
    /// Transactions of the payer and the recipient.
    pub(super) transactions: [Record; 2],
    pub(super) write_set: WriteSet,
}

/// Plans a transfer from the first user to the second.
///
/// # Errors
/// 422 with all violations of the body.
pub(super) fn plan(
    draft: &Draft,
    users: [Key; 2],
    snapshot: &Snapshot,
    new_ids: [Id; 2],
    now: Timestamp,
) -> Result<PlannedTransfer, Error> {
    let [from, to] = users;
    let find =
        |key: Key, field: &str| snapshot.records.get(&key).ok_or_else(|| reference_not_found(key, format!("/{field}")));
    let (payer, recipient) = match (find(from, FROM_USER_ID.name), find(to, TO_USER_ID.name)) {
        (Ok(payer), Ok(recipient)) => (payer, recipient),
        (payer, recipient) => return Err(Error::invalid(payer.err().into_iter().chain(recipient.err()).collect())),
    };
    if from == to {
        let pointer = format!("/{}", TO_USER_ID.name);
        return Err(Error::invalid(vec![Violation::at_pointer(
            pointer,
            ViolationCode::Inconsistent.invalid_value(SAME_USER),
        )]));
    }
    let amount = draft.get(&AMOUNT).ok_or_else(Error::fault)?;
    let description = draft.get(&DESCRIPTION).ok_or_else(Error::fault)?;
    let mut write_set = WriteSet::default();
    require_balance(&mut write_set, from);
    let cause = format!("transfers/{}", new_ids[0]);
    let payment =
        |id, user, amount| Payment { id, user, amount, description, cause: cause.clone(), pointer: "/amount" };
    let transactions = [payment(new_ids[0], payer, -amount), payment(new_ids[1], recipient, amount)];
    let transactions = transactions.map(|payment| payment.add_to(&mut write_set, now));
    Ok(PlannedTransfer { id: new_ids[0], transactions, write_set })
}
