//! What the stores' failures mean to a client. The cause is logged here and goes no further.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::RequestId;

use crate::error::Error;

/// Codes that say «not now», in answers whose status does not.
const BUSY: [&str; 5] = [
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionInProgressException",
    "TransactionConflictException",
];

/// Whether a call was not carried out, for there were too many: it can be sent again as it is.
pub(super) fn is_busy<E: ProvideErrorMetadata>(error: &SdkError<E>) -> bool {
    error.code().is_some_and(|code| BUSY.contains(&code))
}

/// A failed call, after the SDK's own retries: 503 where the store is away, 500 where we asked wrongly.
pub(super) fn fault<E>(error: &SdkError<E>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let code = error.code();
    let failed_itself = error.raw_response().is_some_and(|response| response.status().is_server_error());
    let asked_wrongly = match error {
        SdkError::ServiceError(_) => !failed_itself && !code.is_some_and(|code| BUSY.contains(&code)),
        SdkError::ConstructionFailure(_) => true,
        _ => false,
    };
    // Not the whole error: it has the response, and that may have records in it.
    let cause = match error {
        SdkError::ServiceError(_) => error.message().unwrap_or_default().to_owned(),
        SdkError::DispatchFailure(failure) => format!("not sent: {failure:?}"),
        _ => error.to_string(),
    };
    tracing::error!(code, cause, store_request_id = error.request_id(), "a call to a store failed");
    if asked_wrongly { Error::fault() } else { Error::unavailable() }
}
