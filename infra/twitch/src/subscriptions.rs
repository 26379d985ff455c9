//! Manages Twitch subscriptions: compares them with the required ones, and creates, replaces or deletes them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::webhooks::twitch::SUBSCRIPTIONS;
use capture_core::webhooks::twitch::mapping::MAPPINGS;
use reqwest::Client;
use serde_json::{Value, json};

use crate::Error;
use crate::desired::{Channel, DesiredSubscription};
use crate::helix::{CreateResult, Helix, Subscription};
use crate::replay::Message;

/// Maximum number of polls while Twitch verifies a callback.
const MAX_POLLS: u32 = 60;
/// Interval between polls.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Required subscriptions of a channel.
pub struct Desired<'a> {
    /// Accounts of the channel.
    pub channel: Channel<'a>,
    /// Required subscriptions.
    pub subscriptions: Vec<DesiredSubscription>,
    /// URL that Twitch calls.
    pub callback: String,
    /// Client ID of the application.
    pub client_id: String,
    /// URL to return to after granting a scope.
    pub redirect_uri: String,
}

/// Returns true if a subscription notifies a callback. Ignores the URLs' query strings.
fn has_callback(callback: &str, subscription: &Subscription) -> bool {
    let path = |url: &str| url.split('?').next().unwrap_or_default().to_owned();
    subscription.transport.callback.as_deref().map(path) == Some(path(callback))
}

/// Returns true if a subscription matches a required one.
fn fulfils(required: &DesiredSubscription, subscription: &Subscription) -> bool {
    // Twitch adds empty fields to a condition.
    let same = required.condition.iter().all(|(field, value)| subscription.condition.get(field) == Some(value));
    subscription.name == required.name
        && subscription.version == required.version
        && same
        && has_callback(&required.callback, subscription)
}

fn is_usable(subscription: &Subscription) -> bool {
    ["enabled", "webhook_callback_verification_pending"].contains(&subscription.status.as_str())
}

/// Missing scopes, by account.
#[derive(Default)]
struct MissingScopes(BTreeMap<String, BTreeSet<&'static str>>);

impl MissingScopes {
    fn add(&mut self, required: &DesiredSubscription, channel: Channel<'_>) {
        for (scope, role) in required.scopes {
            self.0.entry(channel.account(*role).to_owned()).or_default().insert(scope);
        }
    }

    /// Prints which scopes each account must grant, and the URL to do so.
    fn write_authorization_urls(&self, desired: &Desired<'_>, out: &mut impl Write) -> Result<(), Error> {
        for (account, scopes) in &self.0 {
            let scope = scopes.iter().copied().collect::<Vec<_>>().join(" ");
            let query = [
                ("response_type", "code"),
                ("client_id", &desired.client_id),
                ("redirect_uri", &desired.redirect_uri),
                ("scope", &scope),
            ];
            let url = reqwest::Url::parse_with_params("https://id.twitch.tv/oauth2/authorize", query)?;
            writeln!(out, "The account {account} must grant {scope}. Sign in as this account and open {url}")?;
        }
        Ok(())
    }
}

/// Creates missing subscriptions and replaces failed ones. If Twitch rejects one, the others are still created. When
/// all exist, deletes other subscriptions that report the same events. Returns true if all exist.
///
/// # Errors
/// If Twitch cannot be reached or fails.
pub async fn subscribe(
    helix: &Helix,
    desired: &Desired<'_>,
    secret: &str,
    out: &mut impl Write,
) -> Result<bool, Error> {
    let existing = helix.list().await?;
    let (mut complete, mut missing) = (true, MissingScopes::default());
    for required in &desired.subscriptions {
        let label = required.label();
        let found = existing.iter().filter(|subscription| fulfils(required, subscription));
        delete_failed(helix, found.clone(), out).await?;
        if found.clone().any(is_usable) {
            writeln!(out, "{label:<55} exists")?;
            continue;
        }
        match helix.create(required, &required.callback, secret).await? {
            CreateResult::Pending => writeln!(out, "{label:<55} created")?,
            CreateResult::NotGranted(why) => {
                complete = false;
                missing.add(required, desired.channel);
                let scopes: Vec<_> = required.scopes.iter().map(|(scope, _)| *scope).collect();
                writeln!(out, "{label:<55} not granted: needs {} ({why})", scopes.join(", "))?;
            }
            // Another process may have created it in the meantime.
            CreateResult::Refused(_)
                if helix
                    .list()
                    .await?
                    .iter()
                    .any(|subscription| fulfils(required, subscription) && is_usable(subscription)) =>
            {
                writeln!(out, "{label:<55} exists")?;
            }
            CreateResult::Refused(why) => {
                complete = false;
                writeln!(out, "{label:<55} refused: {why}")?;
            }
        }
    }
    missing.write_authorization_urls(desired, out)?;
    if complete {
        let is_mapped = |name: &str| MAPPINGS.iter().any(|mapping| mapping.name == name);
        let is_required = |name: &str| desired.subscriptions.iter().any(|required| required.name == name);
        let of_callback = existing.iter().filter(|subscription| has_callback(&desired.callback, subscription));
        for reported_twice in
            of_callback.filter(|subscription| is_mapped(&subscription.name) && !is_required(&subscription.name))
        {
            helix.delete(&reported_twice.id).await?;
            let notified = notify_service(reported_twice, secret).await;
            writeln!(
                out,
                "{:<55} deleted: another subscription reports the same events{notified}",
                reported_twice.name
            )?;
        }
    }
    Ok(complete)
}

/// Replaces all subscriptions by ones with another secret. To miss no events, deletes an old subscription only after
/// Twitch has verified the new one. Returns true if all were replaced.
///
/// # Errors
/// If Twitch cannot be reached or fails.
pub async fn rotate(helix: &Helix, desired: &Desired<'_>, secret: &str, out: &mut impl Write) -> Result<bool, Error> {
    let existing = helix.list().await?;
    let mut complete = true;
    // Twitch tells subscriptions of the same type apart by their callbacks.
    let (path, now) = (desired.callback.split('?').next().unwrap_or_default(), Timestamp::now());
    let callback = format!("{path}?since={}", now.to_string().get(..19).unwrap_or_default().replace(':', ""));
    for required in &desired.subscriptions {
        let label = required.label();
        let found = existing.iter().filter(|subscription| fulfils(required, subscription));
        // Twitch allows three subscriptions of a kind, including failed ones.
        delete_failed(helix, found.clone(), out).await?;
        let before: Vec<_> = found.filter(|subscription| is_usable(subscription)).collect();
        if before.is_empty() {
            complete = false;
            writeln!(out, "{label:<55} missing: create it with `twitch subscribe`")?;
            continue;
        }
        let outcome = match helix.create(required, &callback, secret).await? {
            CreateResult::NotGranted(why) | CreateResult::Refused(why) => format!("not replaced: {why}"),
            CreateResult::Pending => match wait_for(helix, required, &callback).await? {
                status if status == "enabled" => {
                    for before in before {
                        helix.delete(&before.id).await?;
                    }
                    "replaced".to_owned()
                }
                status => {
                    let new = helix.list().await?;
                    let of_now =
                        |subscription: &&Subscription| subscription.transport.callback.as_deref() == Some(&callback);
                    delete_failed(
                        helix,
                        new.iter().filter(|subscription| fulfils(required, subscription)).filter(of_now),
                        out,
                    )
                    .await?;
                    format!(
                        "not replaced: the new subscription is {status}. Is the new secret configured in the service?"
                    )
                }
            },
        };
        complete &= outcome == "replaced";
        writeln!(out, "{label:<55} {outcome}")?;
    }
    Ok(complete)
}

/// Deletes subscriptions that do not work, and reports each.
async fn delete_failed<'a>(
    helix: &Helix,
    found: impl Iterator<Item = &'a Subscription>,
    out: &mut impl Write,
) -> Result<(), Error> {
    for failed in found.filter(|subscription| !is_usable(subscription)) {
        helix.delete(&failed.id).await?;
        writeln!(out, "{:<55} deleted {}, which was {}", failed.name, failed.id, failed.status)?;
    }
    Ok(())
}

/// Waits until Twitch has verified or rejected a new subscription. Returns its status.
async fn wait_for(helix: &Helix, required: &DesiredSubscription, callback: &str) -> Result<String, Error> {
    let mut status = "missing".to_owned();
    for _ in 0..MAX_POLLS {
        let existing = helix.list().await?;
        let new = existing.iter().find(|subscription| {
            fulfils(required, subscription) && subscription.transport.callback.as_deref() == Some(callback)
        });
        new.map_or("missing", |new| &new.status).clone_into(&mut status);
        if status != "webhook_callback_verification_pending" {
            break;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(status)
}

/// Lists all subscriptions.
///
/// # Errors
/// If Twitch cannot be reached or rejects a request.
pub async fn list(helix: &Helix, out: &mut impl Write) -> Result<bool, Error> {
    for Subscription { id, status, name, version, transport, .. } in helix.list().await? {
        writeln!(out, "{id}  {name:<55} {version}  {status}  {}", transport.callback.unwrap_or_default())?;
    }
    Ok(true)
}

/// Subscriptions to delete.
pub enum Selection<'a> {
    /// The subscription with an identifier.
    ById(&'a str),
    /// All subscriptions of a callback.
    ByCallback(&'a str),
}

/// Deletes one subscription, or all of a callback. If the secret is known, also notifies the service, which Twitch does
/// not do. Returns false if a subscription did not exist.
///
/// # Errors
/// If Twitch cannot be reached or rejects a request.
pub async fn delete(
    helix: &Helix,
    selection: Selection<'_>,
    secret: Option<&str>,
    out: &mut impl Write,
) -> Result<bool, Error> {
    let existing = helix.list().await?;
    let found: Vec<_> = match selection {
        Selection::ById(id) => existing.iter().filter(|subscription| subscription.id == id).collect(),
        Selection::ByCallback(callback) => {
            existing.iter().filter(|subscription| has_callback(callback, subscription)).collect()
        }
    };
    if let (Selection::ById(id), true) = (&selection, found.is_empty()) {
        writeln!(out, "{id}  not found")?;
        return Ok(false);
    }
    let mut is_complete = true;
    for subscription in found {
        let is_deleted = helix.delete(&subscription.id).await?;
        is_complete &= is_deleted;
        let outcome = match secret {
            Some(secret) if is_deleted => notify_service(subscription, secret).await,
            _ => "",
        };
        writeln!(out, "{}  {}{outcome}", subscription.id, if is_deleted { "deleted" } else { "not found" })?;
    }
    Ok(is_complete)
}

/// Notifies the service that a subscription has ended. The service then stores the same events from other types.
async fn notify_service(ended: &Subscription, secret: &str) -> &'static str {
    let subscription =
        json!({"id": ended.id, "type": ended.name, "status": "user_removed", "condition": ended.condition});
    let message = Message {
        id: &format!("{} ended", ended.id),
        kind: "revocation",
        body: json!({"subscription": subscription}).to_string(),
        is_replay: false,
    };
    let callback = ended.transport.callback.as_deref().unwrap_or_default();
    match message.send(&Client::new(), callback, secret).await {
        Ok(response) if response.status().is_success() => ", and the service was notified",
        _ => ", but the service could not be notified: run `twitch check` with --secret",
    }
}

/// Reports subscriptions that are missing, revoked, failing or not required. With the secret, also corrects the
/// service's marks of subscribed types. Returns true if all required subscriptions are enabled.
///
/// # Errors
/// If Twitch cannot be reached or rejects a request.
pub async fn check(
    helix: &Helix,
    desired: &Desired<'_>,
    secret: Option<&str>,
    out: &mut impl Write,
) -> Result<bool, Error> {
    let existing = helix.list().await?;
    let mut is_complete = true;
    for required in &desired.subscriptions {
        let found: Vec<_> = existing.iter().filter(|subscription| fulfils(required, subscription)).collect();
        let outcome = match found.iter().find(|subscription| is_usable(subscription)).or(found.first()) {
            Some(subscription) if subscription.status == "enabled" => "enabled".to_owned(),
            Some(subscription) if is_usable(subscription) => {
                "pending: Twitch has not reached the callback yet".to_owned()
            }
            Some(subscription) if subscription.status == "webhook_callback_verification_failed" => {
                format!("{}: does the service have this secret and this channel?", subscription.status)
            }
            Some(subscription) => format!("{}: replace it with `twitch subscribe`", subscription.status),
            None => "missing: create it with `twitch subscribe`".to_owned(),
        };
        is_complete &= outcome == "enabled";
        writeln!(out, "{:<55} {outcome}", required.label())?;
        let is_reported = |subscription: &&&Subscription| !is_usable(subscription) && outcome == "enabled";
        for failed in found.iter().filter(is_reported) {
            is_complete = false;
            writeln!(
                out,
                "{:<55} {} is {}: delete it with `twitch subscribe`",
                required.label(),
                failed.id,
                failed.status
            )?;
        }
    }
    for extra in existing
        .iter()
        .filter(|subscription| !desired.subscriptions.iter().any(|required| fulfils(required, subscription)))
    {
        writeln!(
            out,
            "{:<55} not required: {} to {:?}, {}",
            extra.name, extra.id, extra.transport.callback, extra.status
        )?;
    }
    if let Some(secret) = secret {
        correct_marks(&desired.callback, &existing, secret, out).await?;
    }
    Ok(is_complete)
}

/// Sends the list of subscriptions to the service, and reports whether its marks were correct.
async fn correct_marks(
    callback: &str,
    existing: &[Subscription],
    secret: &str,
    out: &mut impl Write,
) -> Result<(), Error> {
    let enabled =
        existing.iter().filter(|subscription| subscription.status == "enabled" && has_callback(callback, subscription));
    let listed: Vec<_> =
        enabled.map(|subscription| json!({"type": subscription.name, "id": subscription.id})).collect();
    let body = json!({"subscriptions": listed}).to_string();
    let id = format!("subscriptions {}", Timestamp::now());
    let message = Message { id: &id, kind: SUBSCRIPTIONS, body, is_replay: false };
    let response = message.send(&Client::new(), callback, secret).await?;
    if !response.status().is_success() {
        return Err(format!("The service did not accept the list of subscriptions: {}", response.status()).into());
    }
    let response: Value = response.json().await?;
    let marks = response["marks"].as_object().cloned().unwrap_or_default();
    let is_subscribed = |name: &str| listed.iter().any(|subscription| subscription["type"] == name);
    let is_marked = |name: &str| marks.contains_key(name);
    let preferred_types: BTreeSet<_> =
        MAPPINGS.iter().filter(|mapping| mapping.supersedes).map(|mapping| mapping.name).collect();
    for name in preferred_types {
        let outcome = match (is_subscribed(name), is_marked(name)) {
            (true, true) => "subscribed, and marked in the service",
            (true, false) => "subscribed, but not marked in the service: corrected",
            (false, true) => "not subscribed, but marked in the service: corrected",
            (false, false) => continue,
        };
        writeln!(out, "{name:<55} {outcome}")?;
    }
    Ok(())
}
