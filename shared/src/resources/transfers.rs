//! Transfers between wallets. A transfer is no record: its two transactions are.

#![expect(missing_docs, reason = "an attribute has its description for the OpenAPI document")]

use super::users::{TRANSFERS, USERS};
use crate::schema::scalar::{Identifier, LongText, Quantity};
use crate::schema::{Attr, Reference, Resource};

pub const TRANSFER_ID: Attr<Identifier> = Attr::new("transfer_id", "Unique identifier of the transfer").example("77");
pub const FROM_USER_ID: Attr<Identifier> = Attr::new("from_user_id", "Identifier of the user who pays").example("415");
pub const TO_USER_ID: Attr<Identifier> =
    Attr::new("to_user_id", "Identifier of another user, who is paid").example("416");
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
    refers: &[Reference { by: &FROM_USER_ID, to: &USERS }, Reference { by: &TO_USER_ID, to: &USERS }],
    ..Resource::new(TRANSFERS, "transfer", &TRANSFER_ID)
};
