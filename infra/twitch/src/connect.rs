//! The `connect`, `status` and `disconnect` commands, which do the same as the console of a running service.

use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{Error, tls};

/// Path of the connection resource.
const PATH: &str = "/connections/twitch";
/// Interval between polls of the state.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Request timeout. A login waits for Twitch.
const TIMEOUT: Duration = Duration::from_secs(40);

/// The service to call.
#[derive(Clone, Debug, clap::Args)]
pub struct Service {
    /// URL of the service.
    #[arg(long, global = true, value_name = "URL", env = "EVENT_CAPTURE_URL", default_value = "http://127.0.0.1:3000")]
    url: String,
    /// Token with the scope `import`, if the service requires one.
    #[arg(long, global = true, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

impl Service {
    /// Logs in and waits until the service is connected. Returns false if the login fails.
    ///
    /// # Errors
    /// If the service cannot be reached or rejects the request.
    pub(crate) async fn connect(&self, client_id: &str, out: &mut impl Write) -> Result<bool, Error> {
        let body = if client_id.is_empty() { json!({}) } else { json!({"client_id": client_id}) };
        let (status, mut connection) = self.send(Method::POST, Some(&body)).await?;
        if status == StatusCode::CONFLICT && connection["code"] == "connection_exists" {
            connection = self.read().await?;
        } else if !status.is_success() {
            return Err(explain(status, &connection));
        } else {
            write_code(&connection, out)?;
        }
        loop {
            match connection["state"].as_str() {
                Some("connected") => {
                    let channel = &connection["channel"];
                    let name = channel["name"].as_str().or(channel["platform_id"].as_str()).unwrap_or_default();
                    writeln!(out, "Connected to the channel {name}. Open {}/console/ to see its events.", self.url)?;
                    return Ok(true);
                }
                Some("pending" | "connecting") => {}
                _ => {
                    writeln!(out, "{}", connection["error"].as_str().unwrap_or("The login has ended. Start again."))?;
                    return Ok(false);
                }
            }
            sleep(POLL_INTERVAL).await;
            connection = self.read().await?;
        }
    }

    /// Prints the state of the connection. Returns false if it is not connected or a subscription has failed.
    ///
    /// # Errors
    /// If the service cannot be reached or rejects the request.
    pub(crate) async fn status(&self, json: bool, out: &mut impl Write) -> Result<bool, Error> {
        let connection = self.read().await?;
        let is_well =
            connection["state"] == "connected" && list(&connection["subscriptions"]["failed"]).next().is_none();
        if json {
            writeln!(out, "{connection}")?;
            return Ok(is_well);
        }
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let time = |value: &Value| system::local_time(&text(value));
        writeln!(out, "state          {}", text(&connection["state"]))?;
        writeln!(out, "channel        {}", text(&connection["channel"]["name"]))?;
        writeln!(out, "last message   {}", time(&connection["last_message_at"]))?;
        writeln!(out, "subscriptions  {}", connection["subscriptions"]["enabled"])?;
        for failed in list(&connection["subscriptions"]["failed"]) {
            writeln!(out, "  failed       {}: {}", text(&failed["type"]), text(&failed["reason"]))?;
        }
        for gap in list(&connection["gaps"]) {
            writeln!(out, "no data        from {} to {}", time(&gap["from"]), time(&gap["to"]))?;
        }
        if let Some(error) = connection["error"].as_str() {
            writeln!(out, "error          {error}")?;
        }
        Ok(is_well)
    }

    /// Ends the connection and deletes the login.
    ///
    /// # Errors
    /// If the service cannot be reached or rejects the request.
    pub(crate) async fn disconnect(&self, out: &mut impl Write) -> Result<bool, Error> {
        let (status, connection) = self.send(Method::DELETE, None).await?;
        if !status.is_success() {
            return Err(explain(status, &connection));
        }
        writeln!(out, "Disconnected. The service has deleted the login.")?;
        Ok(true)
    }

    async fn read(&self) -> Result<Value, Error> {
        let (status, connection) = self.send(Method::GET, None).await?;
        if status.is_success() { Ok(connection) } else { Err(explain(status, &connection)) }
    }

    async fn send(&self, method: Method, body: Option<&Value>) -> Result<(StatusCode, Value), Error> {
        tls::install();
        let client = tls::client(|| Client::builder().timeout(TIMEOUT))?;
        let mut request = client.request(method, format!("{}{PATH}", self.url.trim_end_matches('/')));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(|error| unreachable(&self.url, error))?;
        Ok((response.status(), response.json().await.unwrap_or_default()))
    }
}

/// Says that a service cannot be reached.
pub(crate) fn unreachable(url: &str, error: impl Display) -> Error {
    format!("Cannot reach {url}: {error}. Start the service, or set its URL with --url.").into()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Formats a problem document with its errors.
fn explain(status: StatusCode, problem: &Value) -> Error {
    let detail = problem["detail"].as_str().unwrap_or("no details");
    let errors = list(&problem["errors"]).filter_map(|error| error["detail"].as_str());
    let texts: Vec<_> = [detail].into_iter().chain(errors).collect();
    format!("{}: {}", status.as_u16(), texts.join(" ")).into()
}

/// Prints a login's link and code, and the link as a QR code for phones.
fn write_code(connection: &Value, out: &mut impl Write) -> Result<(), Error> {
    let text = |name: &str| connection[name].as_str().unwrap_or_default();
    let link = text("verification_uri");
    if let Ok(code) = QrCode::new(link) {
        writeln!(out, "{}", code.render::<Dense1x2>().quiet_zone(true).build())?;
    }
    writeln!(out, "Open {link} and confirm the code {}.", text("user_code"))?;
    writeln!(out, "Waiting for Twitch …")?;
    out.flush()?;
    Ok(())
}
