//! Compares the subscriptions at Twitch with the required ones, and creates, replaces or deletes them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::Duration;

use event_capture::schema::Timestamp;
use event_capture::webhooks::twitch::SUBSCRIPTIONS;
use event_capture::webhooks::twitch::mapping::MAPPINGS;
use reqwest::Client;
use serde_json::{Value, json};

use crate::Error;
use crate::desired::{Channel, DesiredSubscription};
use crate::helix::{Created, Helix, Subscription};
use crate::replay::Message;

/// The maximum number of checks until Twitch has accepted a callback.
const LOOKS: u32 = 60;
/// The pause between two checks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// The required subscriptions and the accounts that they are for.
pub struct Wish<'a> {
    /// The accounts of the channel.
    pub channel: Channel<'a>,
    /// The required subscriptions.
    pub desired: Vec<DesiredSubscription>,
    /// The URL that Twitch calls.
    pub callback: String,
    /// The client ID of the application.
    pub client_id: String,
    /// The URL to return to after a scope was granted.
    pub redirect_uri: String,
}

/// True if a subscription's notifications go to a callback. The queries of the URLs are ignored.
fn goes_to(callback: &str, there: &Subscription) -> bool {
    let path = |url: &str| url.split('?').next().unwrap_or_default().to_owned();
    there.transport.callback.as_deref().map(path) == Some(path(callback))
}

/// True if a subscription matches a required one.
fn is(desired: &DesiredSubscription, there: &Subscription) -> bool {
    // Twitch adds empty fields to a condition.
    let same = desired.condition.iter().all(|(field, value)| there.condition.get(field) == Some(value));
    there.name == desired.name && there.version == desired.version && same && goes_to(&desired.callback, there)
}

fn works(there: &Subscription) -> bool {
    ["enabled", "webhook_callback_verification_pending"].contains(&there.status.as_str())
}

/// The scopes that have not been granted, by account.
#[derive(Default)]
struct Missing(BTreeMap<String, BTreeSet<&'static str>>);

impl Missing {
    fn add(&mut self, desired: &DesiredSubscription, channel: Channel<'_>) {
        for (scope, who) in desired.scopes {
            self.0.entry(channel.account(*who).to_owned()).or_default().insert(scope);
        }
    }

    /// Writes which account must grant which scopes, and the URL for it.
    fn notify_service(&self, wish: &Wish<'_>, out: &mut impl Write) -> Result<(), Error> {
        for (account, scopes) in &self.0 {
            let scope = scopes.iter().copied().collect::<Vec<_>>().join(" ");
            let query = [
                ("response_type", "code"),
                ("client_id", &wish.client_id),
                ("redirect_uri", &wish.redirect_uri),
                ("scope", &scope),
            ];
            let url = reqwest::Url::parse_with_params("https://id.twitch.tv/oauth2/authorize", query)?;
            writeln!(out, "The account {account} must grant {scope}. Sign in as this account and open {url}")?;
        }
        Ok(())
    }
}

/// Creates the missing subscriptions and replaces the failed ones. If Twitch refuses one, the others are still created.
/// Once all exist, deletes subscriptions that report the same events. Returns true if all exist.
///
/// # Errors
/// If Twitch cannot be reached, or fails.
pub async fn subscribe(helix: &Helix, wish: &Wish<'_>, secret: &str, out: &mut impl Write) -> Result<bool, Error> {
    let there = helix.list().await?;
    let (mut complete, mut missing) = (true, Missing::default());
    for desired in &wish.desired {
        let label = desired.label();
        let found = there.iter().filter(|there| is(desired, there));
        delete_failed(helix, found.clone(), out).await?;
        if found.clone().any(works) {
            writeln!(out, "{label:<55} there")?;
            continue;
        }
        match helix.create(desired, &desired.callback, secret).await? {
            Created::Pending => writeln!(out, "{label:<55} made")?,
            Created::NotGranted(why) => {
                complete = false;
                missing.add(desired, wish.channel);
                let scopes: Vec<_> = desired.scopes.iter().map(|(scope, _)| *scope).collect();
                writeln!(out, "{label:<55} not granted: needs {} ({why})", scopes.join(", "))?;
            }
            // Another run may have created it in the meantime.
            Created::Refused(_) if helix.list().await?.iter().any(|there| is(desired, there) && works(there)) => {
                writeln!(out, "{label:<55} there")?;
            }
            Created::Refused(why) => {
                complete = false;
                writeln!(out, "{label:<55} refused: {why}")?;
            }
        }
    }
    missing.notify_service(wish, out)?;
    if complete {
        let is_mapped = |name: &str| MAPPINGS.iter().any(|mapping| mapping.name == name);
        let desired = |name: &str| wish.desired.iter().any(|desired| desired.name == name);
        let ours = there.iter().filter(|there| goes_to(&wish.callback, there));
        for reported_twice in ours.filter(|there| is_mapped(&there.name) && !desired(&there.name)) {
            helix.delete(&reported_twice.id).await?;
            let known = notify_service(reported_twice, secret).await;
            writeln!(out, "{:<55} deleted: another subscription reports the same events{known}", reported_twice.name)?;
        }
    }
    Ok(complete)
}

/// Replaces all subscriptions with ones that use another secret. Deletes an old subscription only after Twitch has
/// verified the new one, so that no event is missed. Returns true if all were replaced.
///
/// # Errors
/// If Twitch cannot be reached, or fails.
pub async fn rotate(helix: &Helix, wish: &Wish<'_>, secret: &str, out: &mut impl Write) -> Result<bool, Error> {
    let there = helix.list().await?;
    let mut complete = true;
    // Twitch distinguishes subscriptions of one type by their callbacks.
    let (path, now) = (wish.callback.split('?').next().unwrap_or_default(), Timestamp::now());
    let callback = format!("{path}?since={}", now.to_string().get(..19).unwrap_or_default().replace(':', ""));
    for desired in &wish.desired {
        let label = desired.label();
        let found = there.iter().filter(|there| is(desired, there));
        // Twitch refuses more than three subscriptions of one kind, including failed ones.
        delete_failed(helix, found.clone(), out).await?;
        let before: Vec<_> = found.filter(|there| works(there)).collect();
        if before.is_empty() {
            complete = false;
            writeln!(out, "{label:<55} missing: create it with `twitch subscribe`")?;
            continue;
        }
        let said = match helix.create(desired, &callback, secret).await? {
            Created::NotGranted(why) | Created::Refused(why) => format!("not replaced: {why}"),
            Created::Pending => match wait_for(helix, desired, &callback).await? {
                status if status == "enabled" => {
                    for before in before {
                        helix.delete(&before.id).await?;
                    }
                    "replaced".to_owned()
                }
                status => {
                    let new = helix.list().await?;
                    let of_now = |there: &&Subscription| there.transport.callback.as_deref() == Some(&callback);
                    delete_failed(helix, new.iter().filter(|there| is(desired, there)).filter(of_now), out).await?;
                    format!(
                        "not replaced, because the new subscription is {status}: does the service know the new secret?"
                    )
                }
            },
        };
        complete &= said == "replaced";
        writeln!(out, "{label:<55} {said}")?;
    }
    Ok(complete)
}

/// Deletes subscriptions that do not work, and reports each.
async fn delete_failed<'a>(
    helix: &Helix,
    found: impl Iterator<Item = &'a Subscription>,
    out: &mut impl Write,
) -> Result<(), Error> {
    for failed in found.filter(|there| !works(there)) {
        helix.delete(&failed.id).await?;
        writeln!(out, "{:<55} deleted {}, which was {}", failed.name, failed.id, failed.status)?;
    }
    Ok(())
}

/// Waits until Twitch has accepted or refused a new subscription. Returns its status.
async fn wait_for(helix: &Helix, desired: &DesiredSubscription, callback: &str) -> Result<String, Error> {
    let mut status = "missing".to_owned();
    for _ in 0..LOOKS {
        let there = helix.list().await?;
        let new =
            there.iter().find(|there| is(desired, there) && there.transport.callback.as_deref() == Some(callback));
        new.map_or("missing", |new| &new.status).clone_into(&mut status);
        if status != "webhook_callback_verification_pending" {
            break;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    Ok(status)
}

/// Lists all subscriptions.
///
/// # Errors
/// If Twitch cannot be reached, or refuses a request.
pub async fn list(helix: &Helix, out: &mut impl Write) -> Result<bool, Error> {
    for Subscription { id, status, name, version, transport, .. } in helix.list().await? {
        writeln!(out, "{id}  {name:<55} {version}  {status}  {}", transport.callback.unwrap_or_default())?;
    }
    Ok(true)
}

/// The subscriptions to delete.
pub enum Which<'a> {
    /// The subscription with this identifier.
    One(&'a str),
    /// All subscriptions of this callback.
    GoingTo(&'a str),
}

/// Deletes one subscription, or all of a callback. With a secret, notifies the service, because Twitch does not.
/// Returns false if a subscription did not exist.
///
/// # Errors
/// If Twitch cannot be reached, or refuses a request.
pub async fn delete(
    helix: &Helix,
    which: Which<'_>,
    secret: Option<&str>,
    out: &mut impl Write,
) -> Result<bool, Error> {
    let there = helix.list().await?;
    let found: Vec<_> = match which {
        Which::One(id) => there.iter().filter(|there| there.id == id).collect(),
        Which::GoingTo(callback) => there.iter().filter(|there| goes_to(callback, there)).collect(),
    };
    if let (Which::One(id), true) = (&which, found.is_empty()) {
        writeln!(out, "{id}  not found")?;
        return Ok(false);
    }
    let mut all = true;
    for subscription in found {
        let was_there = helix.delete(&subscription.id).await?;
        all &= was_there;
        let outcome = match secret {
            Some(secret) if was_there => notify_service(subscription, secret).await,
            _ => "",
        };
        writeln!(out, "{}  {}{outcome}", subscription.id, if was_there { "deleted" } else { "not found" })?;
    }
    Ok(all)
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
        Ok(answer) if answer.status().is_success() => ", and the service knows",
        _ => ", but the service could not be notified: run `twitch check` with --secret",
    }
}

/// Reports subscriptions that are missing, revoked or failing, and those that are not required. With the secret, also
/// corrects the service's marks of subscribed types. Returns true if all required subscriptions are enabled.
///
/// # Errors
/// If Twitch cannot be reached, or refuses a request.
pub async fn check(helix: &Helix, wish: &Wish<'_>, secret: Option<&str>, out: &mut impl Write) -> Result<bool, Error> {
    let there = helix.list().await?;
    let mut well = true;
    for desired in &wish.desired {
        let found: Vec<_> = there.iter().filter(|there| is(desired, there)).collect();
        let said = match found.iter().find(|there| works(there)).or(found.first()) {
            Some(there) if there.status == "enabled" => "enabled".to_owned(),
            Some(there) if works(there) => "pending: Twitch has not reached the callback yet".to_owned(),
            Some(there) if there.status == "webhook_callback_verification_failed" => {
                format!("{}: does the service know this secret and this channel?", there.status)
            }
            Some(there) => format!("{}: replace it with `twitch subscribe`", there.status),
            None => "missing: create it with `twitch subscribe`".to_owned(),
        };
        well &= said == "enabled";
        writeln!(out, "{:<55} {said}", desired.label())?;
        let is_reported = |there: &&&Subscription| !works(there) && said == "enabled";
        for failed in found.iter().filter(is_reported) {
            well = false;
            writeln!(
                out,
                "{:<55} {} is {}: delete it with `twitch subscribe`",
                desired.label(),
                failed.id,
                failed.status
            )?;
        }
    }
    for extra in there.iter().filter(|there| !wish.desired.iter().any(|desired| is(desired, there))) {
        writeln!(
            out,
            "{:<55} not wanted: {} to {:?}, {}",
            extra.name, extra.id, extra.transport.callback, extra.status
        )?;
    }
    if let Some(secret) = secret {
        correct_marks(&wish.callback, &there, secret, out).await?;
    }
    Ok(well)
}

/// Sends the list of subscriptions to the service, and reports each mark that the service had to correct.
async fn correct_marks(
    callback: &str,
    there: &[Subscription],
    secret: &str,
    out: &mut impl Write,
) -> Result<(), Error> {
    let enabled = there.iter().filter(|there| there.status == "enabled" && goes_to(callback, there));
    let listed: Vec<_> = enabled.map(|there| json!({"type": there.name, "id": there.id})).collect();
    let body = json!({"subscriptions": listed}).to_string();
    let id = format!("subscriptions {}", Timestamp::now());
    let message = Message { id: &id, kind: SUBSCRIPTIONS, body, is_replay: false };
    let answer = message.send(&Client::new(), callback, secret).await?;
    if !answer.status().is_success() {
        return Err(format!("The service did not accept the list of subscriptions: {}", answer.status()).into());
    }
    let answer: Value = answer.json().await?;
    let marks = answer["marks"].as_object().cloned().unwrap_or_default();
    let is_there = |name: &str| listed.iter().any(|there| there["type"] == name);
    let is_marked = |name: &str| marks.contains_key(name);
    let preferred_types: BTreeSet<_> =
        MAPPINGS.iter().filter(|mapping| mapping.supersedes).map(|mapping| mapping.name).collect();
    for name in preferred_types {
        let said = match (is_there(name), is_marked(name)) {
            (true, true) => "subscribed, and the service knows",
            (true, false) => "subscribed, which the service did not know: corrected",
            (false, true) => "not subscribed, but the service took it for subscribed: corrected",
            (false, false) => continue,
        };
        writeln!(out, "{name:<55} {said}")?;
    }
    Ok(())
}
