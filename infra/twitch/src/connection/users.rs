//! Looks up Twitch accounts with the login in a data folder.
//!
//! <https://dev.twitch.tv/docs/api/reference/#get-users>

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde::Deserialize;

use super::folder::Folder;
use crate::{Error, tls};

/// Maximum number of accounts in a request.
const PAGE: usize = 100;
const TIMEOUT: Duration = Duration::from_secs(20);

/// An account.
#[derive(Clone, Debug, Deserialize)]
pub struct User {
    pub id: String,
    pub login: String,
    pub display_name: String,
}

#[derive(Deserialize)]
struct Page {
    data: Vec<User>,
}

/// Returns the accounts with these logins. Unknown ones are missing.
///
/// # Errors
/// If no account is logged in in the folder, or Twitch cannot be reached or refuses the login.
pub async fn users_by_login(folder: &Path, api_url: &str, logins: &[String]) -> Result<Vec<User>, Error> {
    // Only the running service renews the token: a refresh token works once.
    let token = Folder(folder.to_owned()).token()?.ok_or(
        "The file has names, and only Twitch knows their identifiers. Connect Twitch first: event-capture twitch connect",
    )?;
    let client = tls::client(|| Client::builder().timeout(TIMEOUT))?;
    let mut users = Vec::new();
    for page in logins.chunks(PAGE) {
        let logins: Vec<_> = page.iter().map(|login| ("login", login)).collect();
        let request = client.get(format!("{}/users", api_url.trim_end_matches('/'))).query(&logins);
        let request = request.bearer_auth(&token.access_token).header("Client-Id", &token.client_id);
        let response = request.send().await.map_err(|error| format!("Cannot reach Twitch: {}", error.without_url()))?;
        match response.status() {
            StatusCode::UNAUTHORIZED => {
                return Err(
                    "The login at Twitch has expired. Start the service, which renews it, and try again.".into()
                );
            }
            status if !status.is_success() => return Err(format!("Twitch responded with {status}. Try again.").into()),
            _ => users.extend(response.json::<Page>().await?.data),
        }
    }
    Ok(users)
}
