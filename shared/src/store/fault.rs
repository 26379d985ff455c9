//! Failures of a store. The cause is only logged. It may describe internals that a response must not show.

use crate::error::Error;
use crate::table::Item;

/// Reason why a store did not carry out a call.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Nothing was stored: the conditions of these writes failed. Each has its index in the call and the item as it
    /// was.
    Conditions(Vec<(usize, Option<Item>)>),
    /// Nothing was stored: a concurrent transaction writes the same items.
    Conflict,
    /// Nothing was done: the store was too busy.
    Busy(Fault),
    /// The call may or may not have taken effect.
    Unknown(Fault),
    /// The call is invalid and would fail every time.
    Invalid(Fault),
}

/// A failure as it is logged.
#[derive(Clone, Debug, Default)]
pub struct Fault {
    /// Error code from AWS.
    pub code: Option<String>,
    /// Message of the store, without the data of the call.
    pub cause: String,
    /// Identifier of the call in the logs of AWS.
    pub request_id: Option<String>,
}

impl Fault {
    /// Creates a fault without a code.
    pub fn new(cause: &(impl ToString + ?Sized)) -> Self {
        Self { cause: cause.to_string(), ..Self::default() }
    }

    /// Creates a fault with an error code from AWS.
    pub fn coded(code: &str, cause: &str) -> Self {
        Self { code: Some(code.to_owned()), ..Self::new(cause) }
    }
}

impl Refusal {
    /// Returns true if sending the same call again may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Unknown(_))
    }

    /// Logs the failure and returns the client's error: 503 if the store is unavailable, 500 if the call was invalid.
    pub fn into_error(self) -> Error {
        let (error, fault) = match self {
            Self::Busy(fault) | Self::Unknown(fault) => (Error::unavailable(), fault),
            Self::Invalid(fault) => (Error::fault(), fault),
            Self::Conflict => return Error::unavailable(),
            Self::Conditions(_) => (Error::fault(), Fault::new("a condition failed where none was sent")),
        };
        let Fault { code, cause, request_id } = fault;
        tracing::error!(code, cause, store_request_id = request_id, "a call to a store failed");
        error
    }
}
