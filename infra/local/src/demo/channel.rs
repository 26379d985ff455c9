//! The client that the demo uses to store everything.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::Error;

/// A client of the service.
pub(super) struct ApiClient {
    client: Client<HttpConnector, Full<Bytes>>,
    /// URL of the service, without a trailing slash.
    pub(super) url: String,
    token: Option<String>,
}

impl ApiClient {
    /// Creates a client of the service with this URL.
    pub(super) fn new(url: &str, token: Option<String>) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, url: url.trim_end_matches('/').to_owned(), token }
    }

    /// Creates a record. Returns the response.
    pub(super) async fn post(&self, path: &str, body: &Value) -> Result<Value, Error> {
        let headers = [("content-type", "application/json")];
        let (status, response) = self.send("POST", path, &headers, body.to_string()).await?;
        if status != http::StatusCode::CREATED {
            let problem: Value = serde_json::from_str(&response).unwrap_or_default();
            let detail = problem["detail"].as_str().unwrap_or(&response);
            let advice =
                if matches!(status.as_u16(), 401 | 403) { " Set --token to one with the scope import." } else { "" };
            return Err(format!("POST {path} failed: {} {detail}{advice}", status.as_u16()).into());
        }
        Ok(serde_json::from_str(&response)?)
    }

    /// Sends a request. Returns the status and the body of the response.
    pub(super) async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Result<(http::StatusCode, String), Error> {
        let mut request = http::Request::builder().method(method).uri(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let response = self.client.request(request.body(Full::new(Bytes::from(body)))?).await;
        let response = response
            .map_err(|_| format!("Cannot reach {}. Start the service, or set its URL with --url.", self.url))?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }
}
