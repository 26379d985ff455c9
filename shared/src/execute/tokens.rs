//! Tokens, as a page lists and revokes them, and makes those of overlays.

use http::{Method, StatusCode};
use serde_json::{Value as Json, json};

use super::{Execution, Reply};
use crate::error::{Error, Result};
use crate::request::{NewToken, Request, allowed, query};
use crate::store::{Scope, StoredToken, Token, in_parallel};

/// Where tokens are.
pub const TOKENS: &str = "/tokens";

impl Execution {
    /// GET of all tokens, and POST of one for an overlay, which is shown this once.
    ///
    /// # Errors
    /// 422 for what breaks a rule.
    pub async fn tokens(&self, request: &Request) -> Result<Reply> {
        if matches!(request.method, Method::GET | Method::HEAD) {
            query::refuse(&query::parameters(&request.query)?)?;
            let tokens = self.store.tokens().await?;
            let rendered = in_parallel(tokens.iter().map(|token| self.shown_token(token))).await?;
            return Ok(Reply::json(&rendered.into()));
        }
        let NewToken { name, expires_at } = NewToken::parse(request, self.now)?;
        let token = Token::generate().map_err(|_| Error::unavailable())?;
        let (hash, scope, created_at) = (token.hash(), Scope::Overlay, self.now);
        let stored = StoredToken { id: hash.id(), hash: hash.to_string(), name, scope, created_at, expires_at };
        self.store.add_token(&stored).await?;
        let mut rendered = self.shown_token(&stored).await?;
        rendered["token"] = json!(token.reveal());
        Ok(Reply { status: StatusCode::CREATED, ..Reply::json(&rendered) })
    }

    /// DELETE of a token: it stops working within a minute.
    ///
    /// # Errors
    /// 404 where there is none.
    pub async fn revoke_token(&self, id: &str, request: &Request) -> Result<Reply> {
        allowed(&request.method, &[Method::DELETE])?;
        query::refuse(&query::parameters(&request.query)?)?;
        let known = self.store.tokens().await?.into_iter().find(|token| token.id == id);
        let token = known.ok_or_else(|| Error::absent(format!("tokens/{id}")))?;
        let rendered = self.shown_token(&token).await?;
        if self.store.revoke_token(id).await? {
            Ok(Reply::json(&rendered))
        } else {
            Err(Error::absent(format!("tokens/{id}")))
        }
    }

    async fn shown_token(&self, token: &StoredToken) -> Result<Json> {
        let time = |time: Option<crate::schema::Timestamp>| time.map(|time| time.to_string());
        Ok(json!({
            "token_id": token.id,
            "name": token.name,
            "scope": token.scope.name(),
            "created_at": token.created_at.to_string(),
            "expires_at": time(token.expires_at),
            "used_at": time(self.store.last_use(&token.id).await?),
        }))
    }
}
