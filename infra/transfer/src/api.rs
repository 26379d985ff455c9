//! An API client that backs off when the service is busy.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, LINK, RETRY_AFTER};
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url};
use serde_json::Value;

use crate::{Error, Service};

/// Maximum number of attempts per request, if it is lost, throttled or fails with a server error.
const MAX_ATTEMPTS: u32 = 10;
/// Maximum wait between two attempts, unless the response asks for more.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// Timeout of one attempt. The gateway's limit is 30 seconds.
const ATTEMPT_TIMEOUT: Duration = Duration::from_mins(1);

/// Client of one service.
#[derive(Clone, Debug)]
pub struct Api {
    base: Url,
    token: Option<String>,
    client: Client,
    /// Maximum number of concurrent requests.
    pub concurrency: usize,
}

/// A response with its complete body.
#[derive(Debug)]
pub struct Response {
    /// HTTP status.
    pub status: StatusCode,
    /// Path of the next page.
    pub next: Option<String>,
    /// Media type.
    pub content_type: String,
    /// Number of the feed's last entry.
    pub feed_head: Option<u64>,
    /// Response body.
    pub body: Bytes,
}

impl Response {
    /// Returns the error code, if the body is a problem document.
    pub fn code(&self) -> Option<String> {
        Some(self.problem()?["code"].as_str()?.to_owned())
    }

    /// Describes an error response.
    pub fn explanation(&self) -> String {
        let problem = self.problem().unwrap_or_default();
        let detail = problem["detail"].as_str().unwrap_or("no details");
        let errors = problem["errors"].as_array().into_iter().flatten();
        // Each error points to a location in the body or to a parameter.
        let location =
            |error: &Value| error.get("pointer").or_else(|| error.get("parameter")).cloned().unwrap_or_default();
        let errors = errors.map(|error| format!(" {}: {}", location(error), error["detail"]).replace('"', ""));
        format!("{}: {detail}{}", self.status.as_u16(), errors.collect::<String>())
    }

    fn problem(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }
}

impl Api {
    /// Creates a client.
    ///
    /// # Errors
    /// If the URL is invalid.
    pub fn new(Service { url, token, concurrency }: &Service) -> Result<Self, Error> {
        // Joining a relative path replaces everything after the base URL's last slash.
        let base = Url::parse(&format!("{}/", url.trim_end_matches('/')));
        let base = base.map_err(|error| format!("Invalid URL {url}: {error}. Begin it with http:// or https://."))?;
        let builder = || Client::builder().timeout(ATTEMPT_TIMEOUT);
        // Without CA certificates, as in an empty container, only plain HTTP works.
        let client = builder().build().or_else(|_| builder().tls_certs_only([]).build())?;
        Ok(Self { base, token: token.clone(), client, concurrency: usize::from(*concurrency) })
    }

    /// Checks that the service responds, to report a wrong URL right away.
    ///
    /// # Errors
    /// If the service cannot be reached, or has no `/health`.
    pub async fn check(&self) -> Result<(), Error> {
        let failed = |cause: &dyn std::fmt::Display| {
            format!("Cannot reach {}: {cause}. Start the service, or set its URL with --url.", self.base())
        };
        let health = self.client.get(self.url("health")?).send().await.map_err(|error| failed(&error))?;
        if health.status() == StatusCode::NOT_FOUND { Err(failed(&"it is another service").into()) } else { Ok(()) }
    }

    /// Returns the URL of the service.
    pub fn base(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// Sends a GET request to a path, or to a URL from a response.
    ///
    /// # Errors
    /// If the service does not respond, or refuses the token.
    pub async fn get(&self, path: &str) -> Result<Response, Error> {
        let url = self.url(path)?;
        self.send(|| Ok(self.request(Method::GET, url.clone()))).await
    }

    /// Downloads an image. Images need no token, and S3 would reject the service's.
    ///
    /// # Errors
    /// If the service does not respond.
    pub async fn image(&self, url: &str) -> Result<Response, Error> {
        let url = self.url(url)?;
        self.send(|| Ok(self.client.get(url.clone()))).await
    }

    /// Sends a request with a JSON body.
    ///
    /// # Errors
    /// If the service does not respond, or refuses the token.
    pub async fn json(&self, method: Method, path: &str, body: &str) -> Result<Response, Error> {
        let url = self.url(path)?;
        let request = || self.request(method.clone(), url.clone()).header(CONTENT_TYPE, "application/json");
        self.send(|| Ok(request().body(body.to_owned()))).await
    }

    /// Sends a DELETE request.
    ///
    /// # Errors
    /// If the service does not respond, or refuses the token.
    pub async fn delete(&self, path: &str) -> Result<Response, Error> {
        let url = self.url(path)?;
        self.send(|| Ok(self.request(Method::DELETE, url.clone()))).await
    }

    /// Resolves a path or URL against the service's URL.
    fn url(&self, path: &str) -> Result<Url, Error> {
        Ok(self.base.join(path)?)
    }

    fn request(&self, method: Method, url: Url) -> RequestBuilder {
        let request = self.client.request(method, url);
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// Sends a request, and retries while the service is busy or cannot be reached. All requests of these commands are
    /// idempotent.
    async fn send(&self, request: impl Fn() -> Result<RequestBuilder, Error>) -> Result<Response, Error> {
        let mut failure = String::new();
        for attempt in 0..MAX_ATTEMPTS {
            let mut wait = Duration::from_millis(100 << attempt.min(8)).min(MAX_WAIT);
            match self.attempt(request()?).await {
                Ok((response, retry_after)) => match response.status.as_u16() {
                    401 | 403 => {
                        return Err(format!(
                            "{}\nGet another token, and run the same command again.",
                            response.explanation()
                        )
                        .into());
                    }
                    429 | 500 | 502..=504 => {
                        failure = response.explanation();
                        wait = wait.max(retry_after);
                    }
                    _ => return Ok(response),
                },
                Err(error) => failure = error.to_string(),
            }
            let jitter = wait.mul_f64(fastrand::f64() / 2.0);
            tokio::time::sleep(wait + jitter).await;
        }
        Err(format!("{} does not respond: {failure}\nRun the same command again to continue.", self.base()).into())
    }

    async fn attempt(&self, request: RequestBuilder) -> Result<(Response, Duration), reqwest::Error> {
        let response = request.send().await?;
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let seconds = header(RETRY_AFTER.as_str()).and_then(|text| text.parse().ok()).unwrap_or_default();
        // Behind a proxy, the link may have another host. Keep only the path.
        let next = header(LINK.as_str()).and_then(|link| {
            let next = response.url().join(link.strip_prefix('<')?.split_once('>')?.0).ok()?;
            Some(format!("{}?{}", next.path(), next.query().unwrap_or_default()))
        });
        let content_type = header(CONTENT_TYPE.as_str()).unwrap_or_default();
        let feed_head = header("feed-head").and_then(|number| number.parse().ok());
        let (status, body) = (response.status(), response.bytes().await?);
        Ok((Response { status, next, content_type, feed_head, body }, Duration::from_secs(seconds)))
    }
}
