//! Token management: lists and revokes tokens, and creates tokens for overlays and viewers.

use http::StatusCode;
use serde_json::{Value as Json, json};

use super::{Execution, Response, refusals};
use crate::error::{Error, Result};
use crate::request::{NewToken, Request};
use crate::resources;
use crate::store::{Scope, Store, StoredToken, Token, in_parallel};

impl Execution {
    /// Lists all tokens.
    ///
    /// # Errors
    /// If the store does not respond.
    pub async fn tokens(&self) -> Result<Response> {
        Ok(Response::json(&token_list(&self.store).await?))
    }

    /// Creates a token for an overlay or a viewer. No other response contains the token itself.
    ///
    /// # Errors
    /// 400, 415, and 422 if the request is invalid.
    pub async fn create_token(&self, request: &Request) -> Result<Response> {
        let (NewToken { name, expires_at, user_id }, mut violations) = NewToken::parse(request, self.now)?;
        let user = match user_id {
            Some(user_id) => self.store.viewer(user_id).await?,
            None => None,
        };
        let missing = user_id.filter(|_| user.is_none()).map(resources::user_key);
        violations.extend(missing.map(|user| refusals::reference_not_found(user, "/user_id")));
        if !violations.is_empty() {
            return Err(Error::invalid(violations));
        }
        let token = Token::generate().map_err(|_| Error::unavailable())?;
        let stored = StoredToken::new(&token, name, Scope::Overlay, self.now, expires_at);
        let stored = user.map_or(stored.clone(), |user| stored.of_viewer(&user));
        self.store.add_token(&stored).await?;
        let mut rendered = token_json(&self.store, &stored).await?;
        rendered["token"] = json!(token.reveal());
        Ok(Response { status: StatusCode::CREATED, ..Response::json(&rendered) })
    }

    /// Revokes a token. It stops working within a minute.
    ///
    /// # Errors
    /// 404 if the token does not exist.
    pub async fn revoke_token(&self, id: &str) -> Result<Response> {
        let known = self.store.tokens().await?.into_iter().find(|token| token.id == id);
        let token = known.ok_or_else(|| Error::not_found("Token not found."))?;
        let rendered = token_json(&self.store, &token).await?;
        if self.store.revoke_token(id).await? {
            Ok(Response::json(&rendered))
        } else {
            Err(Error::not_found("Token not found."))
        }
    }
}

/// Renders all tokens without their secrets, oldest first.
///
/// # Errors
/// If the store does not respond.
pub async fn token_list(store: &Store) -> Result<Json> {
    let tokens = store.tokens().await?;
    Ok(Json::Array(in_parallel(tokens.iter().map(|token| token_json(store, token))).await?))
}

async fn token_json(store: &Store, token: &StoredToken) -> Result<Json> {
    let time = |time: Option<crate::schema::Timestamp>| time.map(|time| time.to_string());
    Ok(json!({
        "token_id": token.id,
        "name": token.name,
        "scope": token.scope.name(),
        "user_id": token.user_id,
        "created_at": token.created_at.to_string(),
        "expires_at": time(token.expires_at),
        "used_at": time(store.last_use(&token.id).await?),
    }))
}
