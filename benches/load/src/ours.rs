//! The local stack, or the floor, and its data.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{EVENTS, Error, Measured, Process, Server, USERS};

/// A PNG of one red pixel, in base64.
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

pub(crate) struct Ours {
    base: String,
    users: Vec<u64>,
    /// The events with a document.
    events: Vec<u64>,
    process: Process,
    _folder: TempDir,
}

impl Ours {
    pub(crate) async fn start(binary: &Path, durable: bool) -> Result<Self, Error> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(binary);
        command.args(["--port", "0", "--data-dir"]).arg(folder.path()).stdout(Stdio::piped());
        if durable {
            command.arg("--durable");
        }
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", binary.display()))?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let base = line.trim().strip_prefix("listening on ").ok_or("no address")?.to_owned();
        let mut ours = Self { base, users: Vec::new(), events: Vec::new(), process: Process(child), _folder: folder };
        ours.fill().await?;
        Ok(ours)
    }

    async fn fill(&mut self) -> Result<(), Error> {
        let client = Client::new();
        for position in 0..USERS {
            let user = json!({"platform_id": position.to_string(), "name": format!("viewer {position}")});
            self.users.extend(self.post(&client, "/users", &user).await?["user_id"].as_u64());
        }
        for position in 0..EVENTS {
            let mut event = event(self.users[position % USERS], position);
            if position.is_multiple_of(10) {
                let stamp = json!({"stamp_type": "heart", "pos_x": 1, "pos_y": 2, "rotation": 0.5});
                event["document"] = json!({"document_data": IMAGE, "seal": 7, "stamps": vec![stamp; 5]});
            }
            let created = self.post(&client, "/events", &event).await?;
            self.events.extend(created["event_id"].as_u64().filter(|_| position.is_multiple_of(10)));
        }
        Ok(())
    }

    async fn post(&self, client: &Client, path: &str, body: &Value) -> Result<Value, Error> {
        let answer = client.post(format!("{}{path}", self.base)).json(body).send().await?;
        Ok(answer.error_for_status()?.json().await?)
    }
}

fn event(user: u64, position: usize) -> Value {
    json!({
        "user_id": user, "user_name": "viewer", "event_type": "plain", "message": format!("message {position}, as they are"),
        "occurred_at": format!("2026-01-{:02}T00:00:{:02}Z", 1 + position % 28, position % 60),
    })
}

impl Server for Ours {
    fn pid(&self) -> u32 {
        self.process.0.id()
    }

    fn request(&self, client: &Client, measured: Measured) -> RequestBuilder {
        let base = &self.base;
        let user = fastrand::choice(&self.users).copied().unwrap_or_default();
        match measured {
            Measured::Health => client.get(format!("{base}/health")),
            Measured::Event => {
                let event = fastrand::choice(&self.events).copied().unwrap_or_default();
                client.get(format!("{base}/events/{event}"))
            }
            Measured::Page => client.get(format!("{base}/events?limit=50")),
            Measured::NewEvent => client.post(format!("{base}/events")).json(&event(user, fastrand::usize(..1_000))),
            Measured::NewTransaction => {
                let paid = json!({"user_id": user, "amount": 1, "description": "bonus"});
                client.post(format!("{base}/transactions")).json(&paid)
            }
        }
    }
}
