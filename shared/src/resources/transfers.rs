//! Transfers between wallets. A transfer is not a record; its two transactions are.

use super::users::{TRANSFERS, USERS};
use crate::error::ViolationCode;
use crate::schema::scalar::{Identifier, LongText, Quantity};
use crate::schema::{Attr, Contradiction, Reference, Resource, Values};

pub const TRANSFER_ID: Attr<Identifier> = Attr::new("transfer_id", "Unique identifier of the transfer").example("77");
pub const FROM_USER_ID: Attr<Identifier> = Attr::new("from_user_id", "Identifier of the user who pays").example("415");
pub const TO_USER_ID: Attr<Identifier> =
    Attr::new("to_user_id", "Identifier of the other user, who is paid").example("416");
pub const AMOUNT: Attr<Quantity> = Attr::new("amount", "Currency amount").example("50");
pub const DESCRIPTION: Attr<LongText> = Attr::new("description", "Purpose of the transfer").example("\"lost a bet\"");

/// The body of a transfer.
pub static TRANSFER: Resource = Resource {
    summary: "A transfer of currency from one user to another.",
    fields: &[
        TRANSFER_ID.assigned(),
        FROM_USER_ID.required(),
        TO_USER_ID.required(),
        AMOUNT.required(),
        DESCRIPTION.required(),
    ],
    contradictions: Some(to_the_same_user),
    references: &[
        Reference { foreign_key: &FROM_USER_ID, target: &USERS },
        Reference { foreign_key: &TO_USER_ID, target: &USERS },
    ],
    ..Resource::new(TRANSFERS, "transfer", &TRANSFER_ID)
};

/// Detail of a transfer to the user who pays.
pub const SAME_USER: &str = "Must not be the user who pays.";

/// Reports a transfer where the payer is also the recipient, if the body names both.
fn to_the_same_user(values: &Values) -> Vec<Contradiction> {
    let is_same = values.get(&FROM_USER_ID).is_some_and(|from| values.get(&TO_USER_ID) == Some(from));
    let invalid = ViolationCode::Inconsistent.invalid_value(SAME_USER);
    let fields = &[TO_USER_ID.name, FROM_USER_ID.name];
    is_same.then_some(Contradiction { fields, invalid }).into_iter().collect()
}
