//! What is wanted, from the mapping that the service itself goes by, and what there is.

use std::io::Write;

use event_capture::webhooks::twitch::Taken;
use event_capture::webhooks::twitch::mapping::{MAPPINGS, Who};
use serde_json::{Map, Value};

use crate::Error;
use crate::helix::{Created, Helix, Subscription};

/// Whose channel it is, and who reads it.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// The broadcaster.
    pub broadcaster: &'a str,
    /// Who reads the chat and the followers.
    pub reader: &'a str,
}

/// A subscription that there should be.
#[derive(Debug)]
pub struct Wanted {
    /// Such as `channel.cheer`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What it is about.
    pub condition: Map<String, Value>,
    /// What the broadcaster must have granted.
    pub scopes: &'static [&'static str],
    /// Where its notifications go.
    pub callback: String,
}

/// Everything that the service takes.
pub fn wanted(channel: Channel<'_>, taken: Taken, callback: &str) -> Vec<Wanted> {
    let who = |who| match who {
        Who::Broadcaster => channel.broadcaster,
        Who::Reader => channel.reader,
    };
    let condition =
        |fields: &[(&str, Who)]| fields.iter().map(|(field, of)| ((*field).to_owned(), who(*of).into())).collect();
    let mappings = MAPPINGS.iter().filter(|mapping| (mapping.taken)(taken));
    mappings
        .map(|mapping| Wanted {
            name: mapping.name,
            version: mapping.version,
            condition: condition(mapping.condition),
            scopes: mapping.scopes,
            callback: callback.to_owned(),
        })
        .collect()
}

impl Wanted {
    fn is(&self, there: &Subscription) -> bool {
        // Twitch adds empty fields to a condition.
        let same = self.condition.iter().all(|(field, value)| there.condition.get(field) == Some(value));
        there.name == self.name
            && there.version == self.version
            && same
            && there.transport.callback.as_ref() == Some(&self.callback)
    }
}

/// Makes what is wanted and is not there. What is there but not good any more is made anew.
///
/// # Errors
/// When Twitch cannot be reached, or refuses for another reason than a scope that is missing.
pub async fn subscribe(helix: &Helix, wanted: &[Wanted], secret: &str, out: &mut impl Write) -> Result<bool, Error> {
    let there = helix.list().await?;
    let mut complete = true;
    for wanted in wanted {
        let mut found = there.iter().filter(|there| wanted.is(there));
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
        let found: Vec<_> = there.iter().filter(|there| wanted.is(there)).collect();
        let said = match found.iter().find(|there| works(there)).or(found.first()) {
            Some(there) if there.status == "enabled" => "enabled".to_owned(),
            Some(there) if works(there) => "pending: Twitch has not reached the callback yet".to_owned(),
            Some(there) => format!("{}: `twitch subscribe` makes it anew", there.status),
            None => "missing: `twitch subscribe` makes it".to_owned(),
        };
        well &= said == "enabled";
        writeln!(out, "{:<55} {said}", wanted.name)?;
    }
    for extra in there.iter().filter(|there| !wanted.iter().any(|wanted| wanted.is(there))) {
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
