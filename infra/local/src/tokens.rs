//! The `token` command: creates, lists and revokes tokens of a local service, running or not, or of a deployed one.

use capture_core::operations::token_list;
use capture_core::request::is_printable;
use capture_core::schema::{Id, Timestamp};
use capture_core::store::{Scope, Store, StoredToken, Token};
use http::Method;
use serde_json::{Value as Json, json};
use transfer::{Api, Service};

use crate::Error;
use crate::tools::TableArgs;

const NOT_A_VIEWER: &str = "--user-id needs --scope viewer.";

/// Create, list and revoke API tokens.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    action: TokenAction,
    #[command(flatten)]
    table_args: TableArgs,
    /// Manage the tokens of the service at this URL over HTTP, which creates only the scopes `overlay` and `viewer`.
    #[arg(long, global = true, value_name = "URL", conflicts_with = "table")]
    url: Option<String>,
    /// Token with the scope `write`, if the service at the URL requires one.
    #[arg(long, global = true, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum TokenAction {
    /// Create a token and print it. It cannot be shown again.
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
    /// GET and HEAD, except of /tokens.
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
pub(crate) async fn run(Options { action, table_args, url, token }: Options) -> Result<(), Error> {
    match url {
        Some(url) => perform_over_http(&Api::new(&Service { url, token, concurrency: 1 })?, action).await,
        None => table_args.with_store(async |store| perform(store, action).await).await,
    }
}

async fn perform_over_http(api: &Api, action: TokenAction) -> Result<(), Error> {
    api.check().await?;
    let response = match &action {
        TokenAction::Create { scope: ScopeName::Overlay, user_id: Some(_), .. } => return Err(NOT_A_VIEWER.into()),
        TokenAction::Create { scope: ScopeName::Overlay | ScopeName::Viewer, name, expires, user_id } => {
            let expires_at = end(*expires)?.map(|time| time.to_string());
            let body = json!({"name": name, "user_id": user_id, "expires_at": expires_at});
            api.json(Method::POST, "tokens", &body.to_string()).await?
        }
        TokenAction::Create { .. } => {
            return Err(
                "Over HTTP, a token can have the scope overlay or viewer. Create others with --data-dir or --table."
                    .into(),
            );
        }
        TokenAction::List { .. } => api.get("tokens").await?,
        TokenAction::Revoke { id } => api.delete(&format!("tokens/{id}")).await?,
    };
    if !response.status.is_success() {
        return Err(response.explanation().into());
    }
    let body: Json = serde_json::from_slice(&response.body)?;
    match action {
        TokenAction::Create { .. } => print_new(&body["token"], &body["token_id"]),
        TokenAction::List { json: true } => println!("{body}"),
        TokenAction::List { json: false } => print_list(&body),
        TokenAction::Revoke { id } => print_revoked(&id),
    }
    Ok(())
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
        TokenAction::Create { user_id: Some(_), .. } => Err(NOT_A_VIEWER.into()),
        TokenAction::Create { scope, name, expires, .. } => {
            create(store, expires, |token, now, end| StoredToken::new(token, name, scope.into(), now, end)).await
        }
        TokenAction::List { json: true } => {
            println!("{}", token_list(store).await?);
            Ok(())
        }
        TokenAction::List { json: false } => {
            print_list(&token_list(store).await?);
            Ok(())
        }
        TokenAction::Revoke { id } if store.revoke_token(&id).await? => {
            print_revoked(&id);
            Ok(())
        }
        TokenAction::Revoke { id } => Err(format!("Token {id} not found. List the tokens with `token list`.").into()),
    }
}

/// Creates a token with this lifetime and prints it. `stored` returns its stored form.
async fn create(
    store: &Store,
    expires: Option<std::time::Duration>,
    stored: impl FnOnce(&Token, Timestamp, Option<Timestamp>) -> StoredToken,
) -> Result<(), Error> {
    let token = Token::generate()?;
    let stored = stored(&token, Timestamp::now(), end(expires)?);
    store.add_token(&stored).await?;
    print_new(&token.reveal().into(), &stored.id.into());
    Ok(())
}

/// Returns the end of a lifetime that starts now.
fn end(lifetime: Option<std::time::Duration>) -> Result<Option<Timestamp>, Error> {
    let end = |after: std::time::Duration| Timestamp::now().checked_add(after.try_into().ok()?);
    let too_long = "The lifetime is too long. Choose a shorter one, or omit --expires.";
    Ok(lifetime.map(|after| end(after).ok_or(too_long)).transpose()?)
}

fn print_new(token: &Json, id: &Json) {
    println!("{}", token.as_str().unwrap_or_default());
    let id = id.as_str().unwrap_or_default();
    eprintln!("Created token {id}. Save it now: it cannot be shown again. Send it as `Authorization: Bearer …`.");
}

fn print_revoked(id: &str) {
    println!("Revoked token {id}. It stops working within a minute.");
}

/// Prints the body of `GET /tokens`.
fn print_list(tokens: &Json) {
    println!("{:<16}  {:<7}  {:<19}  {:<19}  {:<19}  NAME", "ID", "SCOPE", "CREATED", "EXPIRES", "LAST USED");
    for token in tokens.as_array().into_iter().flatten() {
        let text = |name: &str| token[name].as_str().unwrap_or_default();
        let second = |name: &str| token[name].as_str().map_or_else(|| "never".to_owned(), system::local_time);
        let [created, expires, used] = ["created_at", "expires_at", "used_at"].map(second);
        let [id, scope, name] = ["token_id", "scope", "name"].map(text);
        println!("{id:<16}  {scope:<7}  {created:<19}  {expires:<19}  {used:<19}  {name}");
    }
}
