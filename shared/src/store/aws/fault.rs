//! Conversion of SDK errors to refusals.

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::RequestId;

use crate::store::{Fault, Refusal};

/// Error codes of calls that were not carried out, although their status does not say so.
const BUSY: [&str; 5] = [
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionInProgressException",
    "TransactionConflictException",
];

/// Converts the error of a call that failed for a reason other than its conditions.
pub(super) fn refusal<E>(error: &SdkError<E>) -> Refusal
where
    E: ProvideErrorMetadata + std::error::Error + 'static,
{
    let code = error.code();
    // Log only the message. The whole error contains the response, which may contain records.
    let cause = match error {
        SdkError::ServiceError(_) => error.message().unwrap_or_default().to_owned(),
        SdkError::DispatchFailure(failure) => format!("not sent: {failure:?}"),
        _ => error.to_string(),
    };
    let request_id = error.request_id().map(str::to_owned);
    let fault = Fault { code: code.map(str::to_owned), cause, request_id };
    // A call with any other response, even one that cannot be parsed, may have taken effect.
    let is_client_error = error.raw_response().is_some_and(|response| response.status().is_client_error());
    match error {
        _ if code.is_some_and(|code| BUSY.contains(&code)) => Refusal::Busy(fault),
        SdkError::ServiceError(_) if is_client_error => Refusal::Invalid(fault),
        SdkError::ConstructionFailure(_) => Refusal::Invalid(fault),
        _ => Refusal::Unknown(fault),
    }
}

/// Returns the refusal of a call that could not be built.
pub(super) fn unbuilt(error: &impl std::error::Error) -> Refusal {
    Refusal::Invalid(Fault::new(error))
}
