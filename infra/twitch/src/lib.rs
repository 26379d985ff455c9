//! Twitch integration: the connection of a local service, and the `twitch` command.
//!
//! The command connects a running service to Twitch and manages the subscriptions of a webhook: it creates those that
//! the mapping needs, and lists, deletes and checks them. It also replays recorded notifications.

pub mod connect;
pub mod connection;
pub mod desired;
pub mod helix;
pub mod replay;
pub mod subscriptions;
pub mod tls;

use std::io::Write;
use std::path::PathBuf;

use capture_core::webhooks::twitch::{Cheers, Settings};

use desired::Channel;
use helix::{Credentials, Helix};
use subscriptions::{Desired, Selection};

/// An error that ends the command.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Connect to Twitch, manage the subscriptions of a webhook, and replay notifications.
#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    access: AccessOptions,
    /// Running service, for the connection.
    #[command(flatten)]
    service: connect::Service,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Connect a running service to Twitch, and wait until it is connected.
    Connect,
    /// Show the connection of a running service. Fails unless it is connected and every subscription is enabled. Times
    /// are in the local time zone.
    Status {
        /// Print the body of `GET /connections/twitch`.
        #[arg(long)]
        json: bool,
    },
    /// Disconnect a running service from Twitch, and delete its login.
    Disconnect,
    /// Create all missing subscriptions. Can be repeated.
    Subscribe {
        /// Secret with which Twitch signs messages.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
        #[command(flatten)]
        required: Required,
    },
    /// Replace all subscriptions by ones with a new secret, without missing an event. Configure the secret in the
    /// service first.
    Rotate {
        /// New secret.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
        #[command(flatten)]
        required: Required,
    },
    /// List all subscriptions.
    List,
    /// Delete a subscription, or all subscriptions of a callback.
    Delete {
        /// ID of the subscription, as shown by `list`.
        #[arg(required_unless_present = "all")]
        id: Option<String>,
        /// Delete all subscriptions of the callback.
        #[arg(long, conflicts_with = "id", requires = "callback")]
        all: bool,
        /// URL that Twitch calls: https://…/webhooks/twitch.
        #[arg(long)]
        callback: Option<String>,
        /// Secret with which Twitch signs messages. If set, the service is notified of the deletion.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: Option<String>,
    },
    /// Compare the subscriptions with the required ones. Fails if one is missing, revoked or failing.
    Check {
        /// Secret with which Twitch signs messages. If set, the service's marks of subscribed types are corrected.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: Option<String>,
        #[command(flatten)]
        required: Required,
    },
    /// Send recorded notifications to a running service.
    Replay {
        /// File with one JSON object per line: a body, or {"headers": {…}, "body": {…}}.
        file: PathBuf,
        /// Callback URL of the service.
        #[arg(long, default_value = "http://127.0.0.1:3000/webhooks/twitch")]
        to: String,
        /// Secret that is configured in the service.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
    },
}

/// Options for the required subscriptions.
#[derive(Debug, clap::Args)]
struct Required {
    /// URL that Twitch calls: https://…/webhooks/twitch.
    #[arg(long)]
    callback: String,
    /// Twitch user ID of the broadcaster.
    #[arg(long, env = "TWITCH_BROADCASTER_ID")]
    broadcaster: String,
    /// Twitch user ID of the moderator or bot that reads the chat and the followers. Defaults to the broadcaster.
    #[arg(long)]
    reader: Option<String>,
    /// Subscription type for cheers: `bits` (includes power-ups), `cheer` or `none`.
    #[arg(long, env = "TWITCH_CHEERS", default_value = "bits")]
    cheers: String,
    /// Subscribe to chat messages. Use the same value as the service.
    #[arg(long, env = "TWITCH_CHAT", default_value_t = true, action = clap::ArgAction::Set)]
    chat: bool,
    /// URL to return to after granting a scope: one of the application's OAuth redirect URLs.
    #[arg(long, default_value = "http://localhost")]
    redirect_uri: String,
}

/// Options for access to Twitch.
#[derive(Debug, clap::Args)]
struct AccessOptions {
    /// Base URL of the API.
    #[arg(long, global = true, default_value = "https://api.twitch.tv/helix")]
    api: String,
    /// URL that issues app access tokens.
    #[arg(long, global = true, default_value = "https://id.twitch.tv/oauth2/token")]
    token_url: String,
    /// Client ID of the application.
    #[arg(long, global = true, env = "TWITCH_CLIENT_ID", default_value = "")]
    client_id: String,
    /// Client secret of the application, not the secret with which messages are signed.
    #[arg(long, global = true, env = "TWITCH_CLIENT_SECRET", hide_env_values = true, default_value = "")]
    client_secret: String,
}

/// Runs a command and writes its output. Returns false if it succeeded only in part or found a problem.
///
/// # Errors
/// If Twitch, the service or the file cannot be reached, or Twitch or the service rejects a request.
pub async fn run(Options { command, access, service }: Options, out: &mut impl Write) -> Result<bool, Error> {
    tls::install();
    match &command {
        Command::Connect => return service.connect(&access.client_id, out).await,
        Command::Status { json } => return service.status(*json, out).await,
        Command::Disconnect => return service.disconnect(out).await,
        Command::Replay { file, to, secret } => return replay::run(file, to, secret, out).await,
        _ => {}
    }
    if access.client_id.is_empty() || access.client_secret.is_empty() {
        return Err("TWITCH_CLIENT_ID or TWITCH_CLIENT_SECRET is missing. Set both, for the application that the broadcaster has authorized.".into());
    }
    let client_id = access.client_id;
    let credentials = Credentials { client_id: client_id.clone(), client_secret: access.client_secret };
    let helix = Helix::authorize(&access.api, &access.token_url, credentials).await?;
    match command {
        Command::Subscribe { secret, required } => {
            subscriptions::subscribe(&helix, &required.desired(client_id)?, &secret, out).await
        }
        Command::Rotate { secret, required } => {
            subscriptions::rotate(&helix, &required.desired(client_id)?, &secret, out).await
        }
        Command::List => subscriptions::list(&helix, out).await,
        Command::Delete { id, callback, secret, .. } => {
            let callback = callback.unwrap_or_default();
            let selection = id.as_deref().map_or(Selection::ByCallback(&callback), Selection::ById);
            subscriptions::delete(&helix, selection, secret.as_deref(), out).await
        }
        Command::Check { secret, required } => {
            subscriptions::check(&helix, &required.desired(client_id)?, secret.as_deref(), out).await
        }
        Command::Connect | Command::Status { .. } | Command::Disconnect | Command::Replay { .. } => Ok(true),
    }
}

impl Required {
    fn desired(&self, client_id: String) -> Result<Desired<'_>, Error> {
        let cheers = match Cheers::named(&self.cheers).ok_or("--cheers must be bits, cheer or none.")? {
            // The service accepts both types, but this command subscribes to only one.
            Cheers::Subscribed => Cheers::Bits,
            chosen => chosen,
        };
        let reader = self.reader.as_deref().unwrap_or(&self.broadcaster);
        let channel = Channel { broadcaster: &self.broadcaster, reader };
        let subscriptions = desired::desired(channel, Settings { cheers, chat: self.chat }, &self.callback);
        Ok(Desired {
            channel,
            subscriptions,
            callback: self.callback.clone(),
            client_id,
            redirect_uri: self.redirect_uri.clone(),
        })
    }
}
