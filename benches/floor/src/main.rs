//! A bare program on axum and SQLite with the requests that `load` measures, and responses of the same size, but without
//! validation, feed, statistics, tokens and conditions.
//!
//! `floor --port 0 --data-dir FOLDER` prints its address, as the service does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::{Value, json};

type Database = Arc<Mutex<Connection>>;
type Answer<T = Json<Value>> = Result<T, (StatusCode, String)>;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -16000;
    CREATE TABLE users (id INTEGER PRIMARY KEY, platform_id TEXT UNIQUE, name TEXT, created_at TEXT, wallet INTEGER);
    CREATE TABLE documents (id INTEGER PRIMARY KEY, seal INTEGER, image BLOB);
    CREATE TABLE stamps (id INTEGER PRIMARY KEY, document INTEGER, kind TEXT, x REAL, y REAL, rotation REAL);
    CREATE INDEX stamps_by_document ON stamps (document);
    CREATE TABLE events (id INTEGER PRIMARY KEY, user INTEGER, document INTEGER, user_name TEXT, kind TEXT, message TEXT,
        occurred_at TEXT, created_at TEXT);
    CREATE INDEX events_by_time ON events (occurred_at, id);
    CREATE INDEX events_by_user ON events (user, occurred_at, id);
    CREATE INDEX events_by_kind ON events (kind, occurred_at, id);
    CREATE INDEX events_by_name ON events (user_name, occurred_at, id);
    CREATE TABLE transactions (id INTEGER PRIMARY KEY, user INTEGER, amount INTEGER, description TEXT, created_at TEXT);
    CREATE INDEX transactions_by_user ON transactions (user, created_at, id);
";

fn lock(database: &Database) -> MutexGuard<'_, Connection> {
    database.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(clippy::needless_pass_by_value, reason = "a conversion of errors")]
fn failed(error: impl ToString) -> (StatusCode, String) {
    (StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body[name].as_str().unwrap_or_default()
}

fn number(body: &Value, name: &str) -> i64 {
    body[name].as_i64().unwrap_or_default()
}

/// Renders an event with its user, and with its document and stamps.
fn event(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<Value> {
    let (id, user, document): (i64, i64, Option<i64>) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let mut users = connection.prepare_cached("SELECT platform_id, name, created_at FROM users WHERE id = ?")?;
    let user = users.query_row([user], |row| {
        let (platform_id, name, created_at): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(json!({"user_id": user, "platform_id": platform_id, "name": name, "created_at": created_at}))
    })?;
    let document = document.map(|document| -> rusqlite::Result<Value> {
        let mut documents = connection.prepare_cached("SELECT seal FROM documents WHERE id = ?")?;
        let seal: i64 = documents.query_row([document], |row| row.get(0))?;
        let mut stamps = connection.prepare_cached("SELECT id, kind, x, y, rotation FROM stamps WHERE document = ?")?;
        let stamps = stamps.query_map([document], |row| {
            let (id, kind): (i64, String) = (row.get(0)?, row.get(1)?);
            let (x, y, rotation): (f64, f64, f64) = (row.get(2)?, row.get(3)?, row.get(4)?);
            Ok(json!({"stamp_id": id, "document_id": document, "stamp_type": kind, "pos_x": x, "pos_y": y, "rotation": rotation}))
        })?;
        let stamps = stamps.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok(json!({"document_id": document, "seal": seal, "document_data": format!("/images/{document}"), "stamps": stamps}))
    });
    let (name, kind, message): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
    let (occurred_at, created_at): (String, String) = (row.get(6)?, row.get(7)?);
    Ok(json!({"event_id": id, "user": user, "document": document.transpose()?, "user_name": name, "event_type": kind,
        "message": message, "occurred_at": occurred_at, "created_at": created_at, "source": null, "details": null}))
}

async fn get_event(State(database): State<Database>, Path(id): Path<i64>) -> Answer {
    let connection = lock(&database);
    let mut events = connection.prepare_cached("SELECT * FROM events WHERE id = ?").map_err(failed)?;
    let found = events.query_row([id], |row| event(&connection, row)).optional().map_err(failed)?;
    found.map(Json).ok_or_else(|| (StatusCode::NOT_FOUND, String::new()))
}

async fn get_events(State(database): State<Database>) -> Answer {
    let connection = lock(&database);
    let page = "SELECT * FROM events ORDER BY occurred_at DESC, id DESC LIMIT 50";
    let mut events = connection.prepare_cached(page).map_err(failed)?;
    let events = events.query_map([], |row| event(&connection, row)).map_err(failed)?;
    Ok(Json(events.collect::<rusqlite::Result<Value>>().map_err(failed)?))
}

async fn post_user(State(database): State<Database>, Json(body): Json<Value>) -> Answer<(StatusCode, Json<Value>)> {
    let connection = lock(&database);
    let insert = "INSERT INTO users (platform_id, name, created_at, wallet) VALUES (?, ?, '2026-01-01T00:00:00Z', 0)";
    let mut insert = connection.prepare_cached(insert).map_err(failed)?;
    let id = insert.insert((text(&body, "platform_id"), text(&body, "name"))).map_err(failed)?;
    Ok((StatusCode::CREATED, Json(json!({"user_id": id, "platform_id": body["platform_id"], "name": body["name"]}))))
}

async fn post_event(State(database): State<Database>, Json(body): Json<Value>) -> Answer<(StatusCode, Json<Value>)> {
    let mut connection = lock(&database);
    let mut store = || -> rusqlite::Result<Value> {
        let transaction = connection.transaction()?;
        let document = match &body["document"] {
            Value::Null => None,
            document => {
                let mut insert = transaction.prepare_cached("INSERT INTO documents (seal, image) VALUES (?, ?)")?;
                let id = insert.insert((number(document, "seal"), text(document, "document_data")))?;
                for stamp in document["stamps"].as_array().into_iter().flatten() {
                    let insert = "INSERT INTO stamps (document, kind, x, y, rotation) VALUES (?, ?, ?, ?, ?)";
                    let [x, y, rotation] = ["pos_x", "pos_y", "rotation"].map(|name| stamp[name].as_f64());
                    transaction.prepare_cached(insert)?.insert((id, text(stamp, "stamp_type"), x, y, rotation))?;
                }
                Some(id)
            }
        };
        let insert = "INSERT INTO events (user, document, user_name, kind, message, occurred_at, created_at)
            VALUES (?, ?, ?, ?, ?, ?, '2026-01-01T00:00:00Z')";
        let (user, name, kind) = (number(&body, "user_id"), text(&body, "user_name"), text(&body, "event_type"));
        let (message, occurred_at) = (text(&body, "message"), text(&body, "occurred_at"));
        let id = transaction.prepare_cached(insert)?.insert((user, document, name, kind, message, occurred_at))?;
        let mut events = transaction.prepare_cached("SELECT * FROM events WHERE id = ?")?;
        let created = events.query_row([id], |row| event(&transaction, row))?;
        drop(events);
        transaction.commit()?;
        Ok(created)
    };
    Ok((StatusCode::CREATED, Json(store().map_err(failed)?)))
}

async fn post_transaction(
    State(database): State<Database>,
    Json(body): Json<Value>,
) -> Answer<(StatusCode, Json<Value>)> {
    let mut connection = lock(&database);
    let mut store = || -> rusqlite::Result<i64> {
        let (user, amount) = (number(&body, "user_id"), number(&body, "amount"));
        let transaction = connection.transaction()?;
        transaction.prepare_cached("UPDATE users SET wallet = wallet + ? WHERE id = ?")?.execute((amount, user))?;
        let insert =
            "INSERT INTO transactions (user, amount, description, created_at) VALUES (?, ?, ?, '2026-01-01T00:00:00Z')";
        let id = transaction.prepare_cached(insert)?.insert((user, amount, text(&body, "description")))?;
        transaction.commit()?;
        Ok(id)
    };
    let id = store().map_err(failed)?;
    let user = &body["user_id"];
    Ok((StatusCode::CREATED, Json(json!({"transaction_id": id, "user_id": user, "amount": body["amount"]}))))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().collect();
    let folder = arguments.iter().skip_while(|argument| *argument != "--data-dir").nth(1);
    let connection = Connection::open(format!("{}/floor.sqlite", folder.ok_or("--data-dir names a folder")?))?;
    connection.execute_batch(SCHEMA)?;
    let router = Router::new()
        .route("/health", get(async || Json(json!({"status": "ok"}))))
        .route("/users", post(post_user))
        .route("/events", get(get_events).post(post_event))
        .route("/events/{id}", get(get_event))
        .route("/transactions", post(post_transaction))
        .with_state(Arc::new(Mutex::new(connection)));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}
