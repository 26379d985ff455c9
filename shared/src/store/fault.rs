//! Conversion of store failures to client errors. The cause is logged here and goes no further, because it may describe
//! internals that a response must not show.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::RequestId;

use crate::error::Error;

/// Error codes that permit a retry, in responses whose status does not.
const BUSY: [&str; 5] = [
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionInProgressException",
    "TransactionConflictException",
];

/// Tell if the store was too busy to carry out the call. The same call can be sent again.
pub(super) fn is_busy<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    error.code().is_some_and(|code| BUSY.contains(&code))
}

/// Log a failed call, after the SDK's own retries, and return the error for the client: 503 if the store is
/// unavailable, 500 if the call was invalid.
pub(super) fn fault<E>(error: &SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let is_server_error = error.raw_response().is_some_and(|response| response.status().is_server_error());
    let is_client_error = match error {
        SdkError::ServiceError(_) => !is_server_error && !is_busy(error),
        SdkError::ConstructionFailure(_) => true,
        _ => false,
    };
    // Only the message is logged. The whole error contains the response, which may contain records.
    let cause = match error {
        SdkError::ServiceError(_) => error.message().unwrap_or_default().to_owned(),
        SdkError::DispatchFailure(failure) => format!("not sent: {failure:?}"),
        _ => error.to_string(),
    };
    tracing::error!(code = error.code(), cause, store_request_id = error.request_id(), "a call to a store failed");
    if is_client_error { Error::fault() } else { Error::unavailable() }
}
