//! What the stores' failures mean to a client. The cause is logged here and goes no further.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};

use crate::error::Error;

/// Codes that say «not now», in answers whose status does not.
const BUSY: [&str; 6] = [
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionInProgressException",
    "SlowDown",
    "InternalServerError",
];

/// A failed call, after the SDK's own retries: 503 where the store is away, 500 where we asked wrongly.
pub(super) fn fault<E, R>(error: &SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
    R: std::fmt::Debug,
{
    let code = error.code();
    let asked_wrongly = match error {
        SdkError::ServiceError(_) => !code.is_some_and(|code| BUSY.contains(&code)),
        SdkError::ConstructionFailure(_) => true,
        _ => false,
    };
    let cause = aws_sdk_dynamodb::error::DisplayErrorContext(error);
    tracing::error!(code, %cause, "a call to a store failed");
    if asked_wrongly { Error::fault() } else { Error::unavailable() }
}
