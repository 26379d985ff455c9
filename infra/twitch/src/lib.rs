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

use connect::Service;
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
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Connect a running service to Twitch, and wait until it is connected.
    Connect {
        /// Client ID of the application, if the service has none.
        #[arg(long, value_name = "ID", env = "TWITCH_CLIENT_ID", default_value = "", hide_default_value = true)]
        client_id: String,
        #[command(flatten)]
        service: Service,
    },
    /// Show the connection of a running service. Fails unless it is connected and every subscription is enabled. Times
    /// are in the local time zone.
    Status {
        /// Print the body of `GET /connections/twitch`.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        service: Service,
    },
    /// Disconnect a running service from Twitch, and delete its login.
    Disconnect {
        #[command(flatten)]
        service: Service,
    },
    /// Create all missing subscriptions. Can be repeated.
    Subscribe {
        /// Secret with which Twitch signs messages.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
        #[command(flatten)]
        required: Required,
        #[command(flatten)]
        application: Application,
    },
    /// Replace all subscriptions by ones with a new secret, without missing an event. Configure the secret in the
    /// service first.
    Rotate {
        /// New secret.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
        #[command(flatten)]
        required: Required,
        #[command(flatten)]
        application: Application,
    },
    /// List all subscriptions.
    List {
        #[command(flatten)]
        application: Application,
    },
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
        #[command(flatten)]
        application: Application,
    },
    /// Compare the subscriptions with the required ones. Fails if one is missing, revoked or failing.
    Check {
        /// Secret with which Twitch signs messages. If set, the service's marks of subscribed types are corrected.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: Option<String>,
        #[command(flatten)]
        required: Required,
        #[command(flatten)]
        application: Application,
    },
    /// Send recorded notifications to a running service.
    Replay {
        /// File with one JSON object per line: a body, or {"headers": {…}, "body": {…}}.
        file: PathBuf,
        /// URL of the service.
        #[arg(long, value_name = "URL", env = "EVENT_CAPTURE_URL", default_value = "http://127.0.0.1:3000")]
        url: String,
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

/// The application at Twitch, and Twitch's servers.
#[derive(Debug, clap::Args)]
struct Application {
    /// Client ID of the application.
    #[arg(long, value_name = "ID", env = "TWITCH_CLIENT_ID")]
    client_id: String,
    /// Client secret of the application, not the secret with which messages are signed.
    #[arg(long, value_name = "SECRET", env = "TWITCH_CLIENT_SECRET", hide_env_values = true)]
    client_secret: String,
    /// Base URL of the API.
    #[arg(long, value_name = "URL", default_value = "https://api.twitch.tv/helix")]
    api: String,
    /// URL that issues app access tokens.
    #[arg(long, value_name = "URL", default_value = "https://id.twitch.tv/oauth2/token")]
    token_url: String,
}

/// Runs a command and writes its output. Returns false if it succeeded only in part or found a problem.
///
/// # Errors
/// If Twitch, the service or the file cannot be reached, or Twitch or the service rejects a request.
pub async fn run(Options { command }: Options, out: &mut impl Write) -> Result<bool, Error> {
    tls::install();
    match command {
        Command::Connect { client_id, service } => service.connect(&client_id, out).await,
        Command::Status { json, service } => service.status(json, out).await,
        Command::Disconnect { service } => service.disconnect(out).await,
        Command::Subscribe { secret, required, application } => {
            let helix = application.authorize().await?;
            subscriptions::subscribe(&helix, &required.desired(application.client_id)?, &secret, out).await
        }
        Command::Rotate { secret, required, application } => {
            let helix = application.authorize().await?;
            subscriptions::rotate(&helix, &required.desired(application.client_id)?, &secret, out).await
        }
        Command::List { application } => subscriptions::list(&application.authorize().await?, out).await,
        Command::Delete { id, callback, secret, application, .. } => {
            let callback = callback.unwrap_or_default();
            let selection = id.as_deref().map_or(Selection::ByCallback(&callback), Selection::ById);
            subscriptions::delete(&application.authorize().await?, selection, secret.as_deref(), out).await
        }
        Command::Check { secret, required, application } => {
            let helix = application.authorize().await?;
            subscriptions::check(&helix, &required.desired(application.client_id)?, secret.as_deref(), out).await
        }
        Command::Replay { file, url, secret } => replay::run(&file, &url, &secret, out).await,
    }
}

impl Application {
    /// Gets an app access token.
    async fn authorize(&self) -> Result<Helix, Error> {
        if self.client_id.is_empty() || self.client_secret.is_empty() {
            return Err("TWITCH_CLIENT_ID or TWITCH_CLIENT_SECRET is empty. Set both, for the application that the broadcaster has authorized.".into());
        }
        let (client_id, client_secret) = (self.client_id.clone(), self.client_secret.clone());
        Helix::authorize(&self.api, &self.token_url, Credentials { client_id, client_secret }).await
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
