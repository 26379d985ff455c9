//! The command that looks after the subscriptions at Twitch: makes those that the mapping needs, lists, deletes and
//! checks them, and replays recorded notifications to a running service.

pub mod desired;
pub mod helix;
pub mod replay;
pub mod subscriptions;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use event_capture::webhooks::twitch::{Cheers, Settings};

use desired::Channel;
use helix::{Credentials, Helix};
use subscriptions::{Which, Wish};

/// What any error ends the command with.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// Looks after the subscriptions at Twitch's EventSub.
#[derive(Debug, clap::Parser)]
#[command(name = "twitch", version)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make every subscription that is wanted and is not there. May be repeated.
    Subscribe {
        /// The secret that Twitch is to sign with.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
        #[command(flatten)]
        desired: Wants,
    },
    /// Make every subscription anew with another secret, which the service must know by now, and miss nothing meanwhile.
    Rotate {
        /// The new secret.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
        #[command(flatten)]
        desired: Wants,
    },
    /// List the subscriptions that there are.
    List,
    /// Delete a subscription, or all that go to a callback.
    Delete {
        /// Its identifier, as `list` shows it.
        #[arg(required_unless_present = "all")]
        id: Option<String>,
        /// All that go to the callback.
        #[arg(long, conflicts_with = "id", requires = "callback")]
        all: bool,
        /// Where Twitch calls: https://…/webhooks/twitch.
        #[arg(long)]
        callback: Option<String>,
        /// The secret that Twitch signs with, to tell the service, too.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: Option<String>,
    },
    /// Compare what there is with what is wanted; fails where something is missing, revoked or failing.
    Check {
        /// The secret that Twitch signs with, to correct what the service takes for subscribed.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: Option<String>,
        #[command(flatten)]
        desired: Wants,
    },
    /// Send recorded notifications, one JSON a line, to a running service.
    Replay {
        /// The file; each line is a body, or {"headers": {…}, "body": {…}}.
        file: PathBuf,
        /// The service's callback.
        #[arg(long, default_value = "http://127.0.0.1:3000/webhooks/twitch")]
        to: String,
        /// The secret that the service knows.
        #[arg(long, env = "TWITCH_SECRET", hide_env_values = true)]
        secret: String,
    },
}

/// Which subscriptions are wanted.
#[derive(Debug, clap::Args)]
struct Wants {
    /// Where Twitch calls: https://…/webhooks/twitch.
    #[arg(long)]
    callback: String,
    /// The channel: Twitch's identifier of its broadcaster.
    #[arg(long, env = "TWITCH_BROADCASTER_ID")]
    broadcaster: String,
    /// Who reads the chat and the followers: a moderator or a bot; the broadcaster, if nobody is given.
    #[arg(long)]
    reader: Option<String>,
    /// Which type tells of cheers: `bits` (power-ups, too), `cheer` or `none`.
    #[arg(long, env = "TWITCH_CHEERS", default_value = "bits")]
    cheers: String,
    /// Whether chat messages are taken, as the service is configured.
    #[arg(long, env = "TWITCH_CHAT", default_value_t = true, action = clap::ArgAction::Set)]
    chat: bool,
    /// Where who grants a scope comes back to: one of the application's OAuth redirect URLs.
    #[arg(long, default_value = "http://localhost")]
    redirect_uri: String,
}

/// Where Twitch is, and as whom it is asked.
#[derive(Debug, clap::Args)]
struct Options {
    /// The base URL of the API.
    #[arg(long, global = true, default_value = "https://api.twitch.tv/helix")]
    api: String,
    /// Where app access tokens come from.
    #[arg(long, global = true, default_value = "https://id.twitch.tv/oauth2/token")]
    token_url: String,
    /// The application's client id.
    #[arg(long, global = true, env = "TWITCH_CLIENT_ID", default_value = "")]
    client_id: String,
    /// The application's client secret; not the one that messages are signed with.
    #[arg(long, global = true, env = "TWITCH_CLIENT_SECRET", hide_env_values = true, default_value = "")]
    client_secret: String,
}

/// What the command line asks for.
pub fn main() -> ExitCode {
    let arguments = clap::Parser::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let done = runtime.map_err(Error::from).and_then(|runtime| runtime.block_on(run(arguments, &mut io::stdout())));
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Carries out a command, and writes what it has to say. Answers whether all is as it should be.
///
/// # Errors
/// When Twitch, the service or the file cannot be reached, or refuses.
pub async fn run(arguments: Arguments, out: &mut impl Write) -> Result<bool, Error> {
    let Arguments { command, options } = arguments;
    if let Command::Replay { file, to, secret } = command {
        return replay::run(&file, &to, &secret, out).await;
    }
    if options.client_id.is_empty() || options.client_secret.is_empty() {
        return Err("set TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET, of the application that the broadcaster has granted its scopes to".into());
    }
    let client_id = options.client_id;
    let credentials = Credentials { client_id: client_id.clone(), client_secret: options.client_secret };
    let helix = Helix::authorize(&options.api, &options.token_url, credentials).await?;
    match command {
        Command::Subscribe { secret, desired } => {
            subscriptions::subscribe(&helix, &desired.wish(client_id)?, &secret, out).await
        }
        Command::Rotate { secret, desired } => {
            subscriptions::rotate(&helix, &desired.wish(client_id)?, &secret, out).await
        }
        Command::List => subscriptions::list(&helix, out).await,
        Command::Delete { id, callback, secret, .. } => {
            let callback = callback.unwrap_or_default();
            let which = id.as_deref().map_or(Which::GoingTo(&callback), Which::One);
            subscriptions::delete(&helix, which, secret.as_deref(), out).await
        }
        Command::Check { secret, desired } => {
            subscriptions::check(&helix, &desired.wish(client_id)?, secret.as_deref(), out).await
        }
        Command::Replay { .. } => Ok(true),
    }
}

impl Wants {
    fn wish(&self, client_id: String) -> Result<Wish<'_>, Error> {
        let cheers = match Cheers::named(&self.cheers).ok_or("--cheers is bits, cheer or none")? {
            // The service takes what comes; here, something must be chosen.
            Cheers::Subscribed => Cheers::Bits,
            chosen => chosen,
        };
        let reader = self.reader.as_deref().unwrap_or(&self.broadcaster);
        let channel = Channel { broadcaster: &self.broadcaster, reader };
        let desired = desired::desired(channel, Settings { cheers, chat: self.chat }, &self.callback);
        Ok(Wish {
            channel,
            desired,
            callback: self.callback.clone(),
            client_id,
            redirect_uri: self.redirect_uri.clone(),
        })
    }
}
