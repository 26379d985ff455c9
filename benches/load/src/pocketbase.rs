//! PocketBase with the same data: a collection per resource, relations, and indexes for the same filters.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::multipart::{Form, Part};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{EVENTS, Error, Measured, Process, Server, USERS};

const PORT: u16 = 8_095;
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

pub(crate) struct PocketBase {
    base: String,
    users: Vec<String>,
    /// The events with a document.
    events: Vec<String>,
    process: Process,
    _folder: TempDir,
}

impl PocketBase {
    pub(crate) async fn start(binary: &Path) -> Result<Self, Error> {
        let folder = tempfile::tempdir()?;
        let command = |arguments: &[&str]| {
            let mut command = Command::new(binary);
            // As in production: no query log, and no migration files.
            command.args(arguments).args(["--dev=false", "--automigrate=false", "--dir"]).arg(folder.path());
            command.stdout(Stdio::null());
            command
        };
        let (name, password) = ("root@example.com", "0123456789");
        command(&["superuser", "upsert", name, password]).status()?;
        let process = Process(command(&["serve", "--http", &format!("127.0.0.1:{PORT}")]).spawn()?);
        let base = format!("http://127.0.0.1:{PORT}/api/collections");
        let mut theirs = Self { base, users: Vec::new(), events: Vec::new(), process, _folder: folder };
        let client = Client::new();
        let credentials = json!({"identity": name, "password": password});
        let login = format!("{}/_superusers/auth-with-password", theirs.base);
        let mut tries = 0;
        let token = loop {
            match client.post(&login).json(&credentials).send().await {
                Ok(answer) => break answer.json::<Value>().await?["token"].as_str().unwrap_or_default().to_owned(),
                Err(error) if tries > 200 => return Err(error.into()),
                Err(_) => tries += 1,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        theirs.make_collections(&client, &token).await?;
        theirs.fill(&client).await?;
        Ok(theirs)
    }

    async fn make_collections(&self, client: &Client, token: &str) -> Result<(), Error> {
        let text = |name: &str| json!({"name": name, "type": "text"});
        let number = |name: &str| json!({"name": name, "type": "number"});
        let created = json!({"name": "created", "type": "autodate", "onCreate": true});
        let relation = |name: &str, to: &str| json!({"name": name, "type": "relation", "collectionId": to, "maxSelect": 1, "cascadeDelete": true});
        let make = async |name: &str, fields: Value, indexes: &[&str]| {
            let indexes: Vec<_> = indexes
                .iter()
                .map(|field| format!("CREATE INDEX `{name}_{}` ON `{name}` (`{field}`)", field.replace("`, `", "_")))
                .collect();
            let body = json!({
                "name": name, "type": "base", "fields": fields, "indexes": indexes,
                "listRule": "", "viewRule": "", "createRule": "", "updateRule": "", "deleteRule": "",
            });
            let answer = client.post(&self.base).header("Authorization", token).json(&body).send().await?;
            let made: Value = answer.json().await?;
            made["id"].as_str().map(str::to_owned).ok_or_else(|| Error::from(format!("{name}: {made}")))
        };
        let viewers =
            make("viewers", json!([text("platform_id"), text("name"), created]), &["platform_id", "name"]).await?;
        let image = json!({"name": "document_data", "type": "file", "maxSelect": 1});
        let documents = make("documents", json!([image, number("seal"), created]), &["seal", "created"]).await?;
        let stamp = json!([
            relation("document", &documents),
            text("stamp_type"),
            number("pos_x"),
            number("pos_y"),
            number("rotation")
        ]);
        make("stamps", stamp, &["document", "stamp_type"]).await?;
        let occurred = json!({"name": "occurred_at", "type": "date"});
        let event = json!([
            relation("user", &viewers),
            relation("document", &documents),
            text("user_name"),
            text("event_type"),
            text("message"),
            occurred,
            created
        ]);
        make("events", event, &["user`, `occurred_at", "occurred_at", "event_type", "user_name"]).await?;
        let paid =
            json!([relation("user", &viewers), number("amount"), text("description"), text("reference"), created]);
        make("transactions", paid, &["user", "amount", "description", "created"]).await?;
        Ok(())
    }

    async fn fill(&mut self, client: &Client) -> Result<(), Error> {
        for position in 0..USERS {
            let user = json!({"platform_id": position.to_string(), "name": format!("viewer {position}")});
            self.users.push(self.post(client, "viewers", &user).await?);
        }
        for position in 0..EVENTS {
            let mut event = event(&self.users[position % USERS], position);
            if position.is_multiple_of(10) {
                let image = Part::bytes(STANDARD.decode(IMAGE)?).file_name("pixel.png");
                let form = Form::new().text("seal", "7").part("document_data", image);
                let made = client.post(self.records("documents")).multipart(form).send().await?;
                let document = made.error_for_status()?.json::<Value>().await?["id"].clone();
                for _ in 0..5 {
                    let stamp =
                        json!({"document": document, "stamp_type": "heart", "pos_x": 1, "pos_y": 2, "rotation": 0.5});
                    self.post(client, "stamps", &stamp).await?;
                }
                event["document"] = document;
            }
            let created = self.post(client, "events", &event).await?;
            self.events.extend(position.is_multiple_of(10).then_some(created));
        }
        Ok(())
    }

    fn records(&self, collection: &str) -> String {
        format!("{}/{collection}/records", self.base)
    }

    async fn post(&self, client: &Client, collection: &str, body: &Value) -> Result<String, Error> {
        let answer = client.post(self.records(collection)).json(body).send().await?.error_for_status()?;
        let made: Value = answer.json().await?;
        Ok(made["id"].as_str().unwrap_or_default().to_owned())
    }
}

fn event(user: &str, position: usize) -> Value {
    json!({
        "user": user, "user_name": "viewer", "event_type": "plain", "message": format!("message {position}, as they are"),
        "occurred_at": format!("2026-01-{:02} 00:00:{:02}.000Z", 1 + position % 28, position % 60),
    })
}

impl Server for PocketBase {
    fn pid(&self) -> u32 {
        self.process.0.id()
    }

    fn request(&self, client: &Client, measured: Measured) -> RequestBuilder {
        let user = fastrand::choice(&self.users).map(String::as_str).unwrap_or_default();
        match measured {
            Measured::Health => client.get(self.base.replace("collections", "health")),
            Measured::Event => {
                let event = fastrand::choice(&self.events).map(String::as_str).unwrap_or_default();
                client.get(format!("{}/{event}?expand=user,document.stamps_via_document", self.records("events")))
            }
            Measured::Page => {
                let page = "perPage=50&sort=-occurred_at,-id&expand=user,document.stamps_via_document&skipTotal=1";
                client.get(format!("{}?{page}", self.records("events")))
            }
            Measured::NewEvent => client.post(self.records("events")).json(&event(user, fastrand::usize(..1_000))),
            Measured::NewTransaction => {
                let paid = json!({"user": user, "amount": 1, "description": "bonus"});
                client.post(self.records("transactions")).json(&paid)
            }
        }
    }
}
