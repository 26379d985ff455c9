//! Subscriptions that viewers share in the chat. If a viewer returns after a pause, Twitch reports the subscription
//! without a number of months. The viewer may share it later. Both become one event.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use time::Duration;

use crate::error::Result;
use crate::operations::Execution;
use crate::request::Draft;
use crate::resources::USERS;
use crate::resources::events::{DETAILS, EVENTS, MESSAGE, SUBSCRIBED_LENGTH, TIER, USER_ID};
use crate::schema::{Record, Timestamp, Value, digest};
use crate::table::DedupKey;

/// Source of the subscriptions that a share may complete.
pub const SUBSCRIBE: &str = "twitch/channel.subscribe";
/// Details of a gift. Its recipient shares it as a separate event.
const GIFT: &str = r#"{"is_gift":true}"#;
/// Time within which a subscription may be shared. A share a month later belongs to its renewal.
pub const MAX_DELAY: Duration = Duration::days(27);
/// Maximum number of a viewer's subscriptions in this time, including gifts. The rest are ignored.
const MAX_SUBSCRIPTIONS: usize = 20;

/// Completes the viewer's newest subscription of the same tier with its share. Returns false if none exists or it was
/// already shared: the share is then a separate event.
///
/// # Errors
/// 503 if the store fails.
pub async fn complete_subscription(
    execution: &Execution,
    viewer: &str,
    draft: &Draft,
    dedup_key: &DedupKey,
    shared_at: Timestamp,
) -> Result<bool> {
    let user = execution.store.find_by_unique_value(&USERS, viewer).await?;
    let (Some(user), Some(after), Some(before)) = (user, shared_at.checked_add(-MAX_DELAY), shared_at.successor())
    else {
        return Ok(false);
    };
    let encode = |text: String| utf8_percent_encode(&text, NON_ALPHANUMERIC).to_string();
    let list = format!(
        "/{}?{}={}&source={}&occurred_after={}&occurred_before={}&limit={MAX_SUBSCRIPTIONS}",
        EVENTS.name,
        USER_ID.name,
        user.key.id,
        encode(SUBSCRIBE.to_owned()),
        encode(after.to_string()),
        encode(before.to_string()),
    );
    let is_gift = |event: &Record| event.value(DETAILS.name).and_then(Value::digest) == Some(digest(GIFT));
    let is_own = |event: &Record| event.get(&TIER) == draft.get(&TIER) && !is_gift(event);
    let fields = [MESSAGE.name, SUBSCRIBED_LENGTH.name, DETAILS.name];
    if !execution.complete_newest(&list, is_own, draft, &fields, dedup_key).await? {
        return Ok(false);
    }
    // Storing the event would do the same.
    if let Some(user) = draft.embedded("user") {
        execution.refresh(user, shared_at).await?;
    }
    Ok(true)
}
