//! `token`: makes, lists and revokes tokens, in the local stack, running or not, or in a deployed table.

use event_capture::request::can_be_shown;
use event_capture::schema::Timestamp;
use event_capture::store::{Scope, Store, StoredToken, Token};

use crate::Error;
use crate::tools::Place;

/// Make, list and revoke the tokens that callers need.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    position: Place,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Action {
    /// Make a token. It is shown this once, and cannot be shown again.
    Create {
        /// What it may do.
        #[arg(long)]
        scope: ScopeName,
        /// Who gets it, so that you know later which one to revoke.
        #[arg(long, value_parser = name)]
        name: String,
        /// After how long it stops working, such as 90d or 12h; never, if this is not given.
        #[arg(long, value_name = "TIME", value_parser = lifetime)]
        expires: Option<std::time::Duration>,
    },
    /// List the tokens: not what they are, but what they are called and may do, and when they were used last.
    List,
    /// Revoke a token. It stops working within a minute.
    Revoke {
        /// Its identifier, as `list` shows it.
        id: String,
    },
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScopeName {
    /// GET and HEAD.
    Read,
    /// Everything.
    Write,
    /// GET of the feed, and the socket.
    Overlay,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::Read => Self::Read,
            ScopeName::Write => Self::Write,
            ScopeName::Overlay => Self::Overlay,
        }
    }
}

/// A name that a list can show.
fn name(text: &str) -> Result<String, String> {
    if can_be_shown(text) { Ok(text.to_owned()) } else { Err("give 1 to 100 characters that can be seen".to_owned()) }
}

/// How long a token works.
fn lifetime(text: &str) -> Result<std::time::Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.as_secs() == 0 { Err("a token must work for a second at least".to_owned()) } else { Ok(time) }
}

/// Carries out what the options ask for.
pub(crate) async fn run(Options { action, position }: Options) -> Result<(), Error> {
    position.with_store(async |store| act(store, action).await).await
}

async fn act(store: &Store, action: Action) -> Result<(), Error> {
    match action {
        Action::Create { scope, name, expires } => create(store, scope.into(), name, expires).await,
        Action::List => list(store).await,
        Action::Revoke { id } if store.revoke_token(&id).await? => {
            println!("revoked: it stops working within a minute");
            Ok(())
        }
        Action::Revoke { id } => Err(format!("there is no token {id}: see `token list`").into()),
    }
}

async fn create(store: &Store, scope: Scope, name: String, expires: Option<std::time::Duration>) -> Result<(), Error> {
    let now = Timestamp::now();
    let far = "a token cannot live that long: leave --expires out";
    let end = |after: std::time::Duration| now.shifted(after.try_into().ok()?);
    let expires_at = expires.map(|after| end(after).ok_or(far)).transpose()?;
    let token = Token::generate()?;
    let hash = token.hash();
    let stored = StoredToken { id: hash.id(), hash: hash.to_string(), name, scope, created_at: now, expires_at };
    store.add_token(&stored).await?;
    println!("{}", token.reveal());
    eprintln!("Token {}. Keep it now: only its hash is stored. Send it as `Authorization: Bearer …`.", stored.id);
    Ok(())
}

async fn list(store: &Store) -> Result<(), Error> {
    println!("{:<16}  {:<7}  {:<19}  {:<19}  {:<19}  NAME", "ID", "SCOPE", "MADE", "ENDS", "LAST USED");
    let second = |time: Timestamp| time.to_string().get(..19).unwrap_or_default().to_owned();
    for StoredToken { id, name, scope, created_at, expires_at, .. } in store.tokens().await? {
        let made = second(created_at);
        let ends = expires_at.map_or_else(|| "never".to_owned(), second);
        let used = store.last_use(&id).await?.map_or_else(|| "never".to_owned(), second);
        println!("{id:<16}  {:<7}  {made:<19}  {ends:<19}  {used:<19}  {name}", scope.name());
    }
    Ok(())
}
