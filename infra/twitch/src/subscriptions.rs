//! The subscriptions at Twitch: what is there, held against what is wanted.

use std::io::Write;

use crate::Error;
use crate::helix::{Created, Helix, Subscription};
use crate::wanted::Wanted;

/// Whether a subscription is what is wanted.
fn is(wanted: &Wanted, there: &Subscription) -> bool {
    // Twitch adds empty fields to a condition.
    let same = wanted.condition.iter().all(|(field, value)| there.condition.get(field) == Some(value));
    there.name == wanted.name
        && there.version == wanted.version
        && same
        && there.transport.callback.as_ref() == Some(&wanted.callback)
}

/// Makes what is wanted and is not there. What is there but not good any more is made anew.
///
/// # Errors
/// When Twitch cannot be reached, or refuses for another reason than a scope that is missing.
pub async fn subscribe(helix: &Helix, wanted: &[Wanted], secret: &str, out: &mut impl Write) -> Result<bool, Error> {
    let there = helix.list().await?;
    let mut complete = true;
    for wanted in wanted {
        let mut found = there.iter().filter(|there| is(wanted, there));
        if found.clone().any(works) {
            writeln!(out, "{:<55} there", wanted.name)?;
            continue;
        }
        for ended in &mut found {
            helix.delete(&ended.id).await?;
        }
        match helix.create(wanted, secret).await? {
            Created::Pending => writeln!(out, "{:<55} made", wanted.name)?,
            Created::Exists => writeln!(out, "{:<55} there", wanted.name)?,
            Created::NotGranted(why) => {
                complete = false;
                let scopes = wanted.scopes.join(", ");
                writeln!(
                    out,
                    "{:<55} not granted: the broadcaster must grant {scopes} to this application ({why})",
                    wanted.name
                )?;
            }
        }
    }
    Ok(complete)
}

/// Lists what there is.
///
/// # Errors
/// When Twitch cannot be reached, or refuses.
pub async fn list(helix: &Helix, out: &mut impl Write) -> Result<bool, Error> {
    for Subscription { id, status, name, version, transport, .. } in helix.list().await? {
        writeln!(out, "{id}  {name:<55} {version}  {status}  {}", transport.callback.unwrap_or_default())?;
    }
    Ok(true)
}

/// Deletes one subscription, or all.
///
/// # Errors
/// When Twitch cannot be reached, or refuses.
pub async fn delete(helix: &Helix, id: Option<&str>, out: &mut impl Write) -> Result<bool, Error> {
    let ids = match id {
        Some(id) => vec![id.to_owned()],
        None => helix.list().await?.into_iter().map(|there| there.id).collect(),
    };
    let mut all = true;
    for id in ids {
        let there = helix.delete(&id).await?;
        writeln!(out, "{id}  {}", if there { "deleted" } else { "was not there" })?;
        all &= there;
    }
    Ok(all)
}

/// Says what is missing, revoked or failing, and what is there that nobody wants.
///
/// # Errors
/// When Twitch cannot be reached, or refuses.
pub async fn check(helix: &Helix, wanted: &[Wanted], out: &mut impl Write) -> Result<bool, Error> {
    let there = helix.list().await?;
    let mut well = true;
    for wanted in wanted {
        let found: Vec<_> = there.iter().filter(|there| is(wanted, there)).collect();
        let said = match found.iter().find(|there| works(there)).or(found.first()) {
            Some(there) if there.status == "enabled" => "enabled".to_owned(),
            Some(there) if works(there) => "pending: Twitch has not reached the callback yet".to_owned(),
            Some(there) => format!("{}: `twitch subscribe` makes it anew", there.status),
            None => "missing: `twitch subscribe` makes it".to_owned(),
        };
        well &= said == "enabled";
        writeln!(out, "{:<55} {said}", wanted.name)?;
    }
    for extra in there.iter().filter(|there| !wanted.iter().any(|wanted| is(wanted, there))) {
        writeln!(
            out,
            "{:<55} not wanted: {} to {:?}, {}",
            extra.name, extra.id, extra.transport.callback, extra.status
        )?;
    }
    Ok(well)
}

fn works(there: &Subscription) -> bool {
    ["enabled", "webhook_callback_verification_pending"].contains(&there.status.as_str())
}
