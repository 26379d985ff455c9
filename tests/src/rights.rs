//! Checks every call to a store against the calling function's policy, as the platform does.

use std::sync::{Arc, Mutex, PoisonError};

use capture_core::store::Call;
use event_capture::template::{Function, Template};

/// The calls that a policy has denied, for all functions in this process.
static DENIED: Mutex<Vec<String>> = Mutex::new(Vec::new());
const TABLE: &str = "TableArn.Value";
const BUCKET: &str = "arn:${AWS::Partition}:s3:::${Bucket}";

/// Records a call that a policy has denied.
pub fn deny(what: &str) {
    DENIED.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_owned());
}

/// Fails the first test that calls this after a policy has denied a call.
///
/// # Panics
/// If a policy has denied a call.
pub fn check_none_denied() {
    let denied = std::mem::take(&mut *DENIED.lock().unwrap_or_else(PoisonError::into_inner));
    assert!(denied.is_empty(), "the template's policies do not allow: {denied:?}");
}

/// The right to make a call: the action, the resource and the partition key.
pub type Right = (String, String, String);

/// The rights of all functions.
#[derive(Clone, Debug)]
pub struct Rights {
    functions: Arc<[Function]>,
}

impl Rights {
    /// Reads the rights from the template.
    ///
    /// # Panics
    /// If the template is missing.
    pub fn of_the_template() -> Self {
        Self { functions: Template::read().expect("a template").functions.into() }
    }

    /// Returns true if a caller has these rights. Otherwise records the denial.
    pub fn allow(&self, who: &str, needed: Vec<Right>) -> bool {
        // The machine's owner: the tools, and the tests themselves.
        if who == "local" {
            return true;
        }
        assert!(!needed.is_empty(), "a call needs a right");
        // An access key contains only letters and digits.
        let function = self.functions.iter().find(|function| function.name.replace('-', "") == who.replace('-', ""));
        let may =
            |(action, resource, key): &Right| function.is_some_and(|function| function.may(action, resource, key));
        match needed.into_iter().find(|right| !may(right)) {
            Some(missing) => {
                deny(&format!("{who} must not do {missing:?}"));
                false
            }
            None => true,
        }
    }
}

/// Returns the right to perform an action on an item.
pub fn on_item(action: &str, pk: &str) -> Right {
    (format!("dynamodb:{action}"), TABLE.to_owned(), pk.to_owned())
}

/// Returns the right to query an index.
pub fn on_index(index: &str) -> Right {
    ("dynamodb:Query".to_owned(), format!("${{TableArn.Value}}/index/{index}"), String::new())
}

/// Returns the right to perform an operation on the bucket, by the action that S3 checks for it.
pub fn on_bucket(operation: &str) -> Right {
    let (action, resource) = match operation {
        "DeleteObjects" => ("s3:DeleteObject", format!("{BUCKET}/images/*")),
        "ListObjectsV2" => ("s3:ListBucket", BUCKET.to_owned()),
        "PutObject" => ("s3:PutObject", format!("{BUCKET}/images/*")),
        _ => ("s3:GetObject", format!("{BUCKET}/images/*")),
    };
    (action.to_owned(), resource, String::new())
}

/// Returns the rights that a call needs, one for each of its items.
pub fn needed(call: &Call<'_>) -> Vec<Right> {
    let on_items = |pks: &[String]| pks.iter().map(|pk| on_item(call.operation(), pk)).collect();
    match call {
        Call::Get { pks, .. } | Call::Delete { pks } => on_items(pks),
        Call::Query { range, .. } => vec![on_index(range.role.index().name)],
        Call::Write { pk, .. } => vec![on_item(call.operation(), pk)],
        Call::Transact { writes, .. } => {
            writes.iter().map(|(pk, write)| on_item(write.action().permission(), pk)).collect()
        }
    }
}
