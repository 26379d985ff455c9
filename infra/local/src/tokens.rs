//! The `token` command: creates, lists and revokes tokens of a local service, running or not, or of a deployed one.

use capture_core::operations::token_list;
use capture_core::request::is_printable;
use capture_core::schema::{Id, Timestamp};
use capture_core::store::{Scope, Store, StoredToken, Token};

use crate::Error;
use crate::tools::TableArgs;

/// Create, list and revoke API tokens.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: TokenAction,
    #[command(flatten)]
    table_args: TableArgs,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum TokenAction {
    /// Create a token and prints it. It cannot be shown again.
    Create {
        /// Requests that the token allows.
        #[arg(long)]
        scope: ScopeName,
        /// Name of the token's user, to identify the token in the list.
        #[arg(long, value_parser = name)]
        name: String,
        /// Lifetime of the token, such as 90d or 12h. Without it, the token never expires.
        #[arg(long, value_name = "TIME", value_parser = lifetime)]
        expires: Option<std::time::Duration>,
        /// Identifier of the user of a token with the scope `viewer`, which expires after 30 days by default.
        #[arg(long, value_name = "ID", value_parser = user_id, required_if_eq("scope", "viewer"))]
        user_id: Option<Id>,
    },
    /// List the tokens with name, scope and last use, in the time zone of this machine. The tokens themselves are not
    /// shown.
    List {
        /// Print the body of `GET /tokens`.
        #[arg(long)]
        json: bool,
    },
    /// Revoke a token. It stops working within a minute.
    Revoke {
        /// ID of the token, as shown by `list`.
        id: String,
    },
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScopeName {
    /// GET and HEAD.
    Read,
    /// All requests except PUT of one record.
    Write,
    /// All requests.
    Import,
    /// GET and HEAD of the feed, events, one overlay, statistics and leaderboards; the socket.
    Overlay,
    /// Requests of one viewer: the viewer's records, products, purchases and transfers.
    Viewer,
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Self {
        match name {
            ScopeName::Read => Self::Read,
            ScopeName::Write => Self::Write,
            ScopeName::Import => Self::Import,
            ScopeName::Overlay => Self::Overlay,
            ScopeName::Viewer => Self::Viewer,
        }
    }
}

/// Parses a name: 1 to 100 visible characters.
fn name(text: &str) -> Result<String, String> {
    if is_printable(text) { Ok(text.to_owned()) } else { Err("expected 1 to 100 visible characters".to_owned()) }
}

/// Parses the identifier of a user.
fn user_id(text: &str) -> Result<Id, String> {
    Id::parse(text).ok_or_else(|| "expected an integer between 1 and 9007199254740991".to_owned())
}

/// Parses the lifetime of a token.
fn lifetime(text: &str) -> Result<std::time::Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.as_secs() == 0 { Err("the lifetime must be at least one second".to_owned()) } else { Ok(time) }
}

/// Runs the command.
pub(crate) async fn run(Options { action, table_args }: Options) -> Result<(), Error> {
    table_args.with_store(async |store| perform(store, action).await).await
}

async fn perform(store: &Store, action: TokenAction) -> Result<(), Error> {
    match action {
        TokenAction::Create { scope: ScopeName::Viewer, name, expires, user_id: Some(user_id) } => {
            let user = store.viewer(user_id).await?;
            let user = user.ok_or_else(|| format!("User {user_id} not found. List the users with GET /users."))?;
            create(store, expires, |token, now, end| {
                StoredToken::new(token, name, Scope::Viewer, now, end).of_viewer(&user)
            })
            .await
        }
        TokenAction::Create { user_id: Some(_), .. } => Err("--user-id needs --scope viewer.".into()),
        TokenAction::Create { scope, name, expires, .. } => {
            create(store, expires, |token, now, end| StoredToken::new(token, name, scope.into(), now, end)).await
        }
        TokenAction::List { json: true } => {
            println!("{}", token_list(store).await?);
            Ok(())
        }
        TokenAction::List { json: false } => list(store).await,
        TokenAction::Revoke { id } if store.revoke_token(&id).await? => {
            println!("Revoked token {id}. It stops working within a minute.");
            Ok(())
        }
        TokenAction::Revoke { id } => Err(format!("Token {id} not found. List the tokens with `token list`.").into()),
    }
}

/// Creates a token with this lifetime and printss it. `stored` returns its stored form.
async fn create(
    store: &Store,
    expires: Option<std::time::Duration>,
    stored: impl FnOnce(&Token, Timestamp, Option<Timestamp>) -> StoredToken,
) -> Result<(), Error> {
    let now = Timestamp::now();
    let too_long = "The lifetime is too long. Choose a shorter one, or omit --expires.";
    let end = |after: std::time::Duration| now.checked_add(after.try_into().ok()?);
    let expires_at = expires.map(|after| end(after).ok_or(too_long)).transpose()?;
    let token = Token::generate()?;
    let stored = stored(&token, now, expires_at);
    store.add_token(&stored).await?;
    println!("{}", token.reveal());
    eprintln!(
        "Created token {}. Save it now: it cannot be shown again. Send it as `Authorization: Bearer …`.",
        stored.id
    );
    Ok(())
}

async fn list(store: &Store) -> Result<(), Error> {
    println!("{:<16}  {:<7}  {:<19}  {:<19}  {:<19}  NAME", "ID", "SCOPE", "CREATED", "EXPIRES", "LAST USED");
    let second = |time: Timestamp| system::local_time(&time.to_string());
    for StoredToken { id, name, scope, created_at, expires_at, .. } in store.tokens().await? {
        let created = second(created_at);
        let expires = expires_at.map_or_else(|| "never".to_owned(), second);
        let used = store.last_use(&id).await?.map_or_else(|| "never".to_owned(), second);
        println!("{id:<16}  {:<7}  {created:<19}  {expires:<19}  {used:<19}  {name}", scope.name());
    }
    Ok(())
}
