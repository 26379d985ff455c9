//! Twitch's servers on this machine: the login, the subscriptions API, and the WebSocket. Commands make them misbehave.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Form, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use capture_core::schema::Timestamp;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// A client ID that the mock rejects.
pub const UNKNOWN_CLIENT: &str = "unknown";

/// The servers.
#[derive(Clone)]
pub struct Mock {
    /// The servers' URL.
    pub base: String,
    state: Arc<Mutex<Servers>>,
}

/// The account that a token belongs to.
#[derive(Clone, Debug)]
struct Account {
    user_id: String,
    name: String,
}

/// An instruction for one socket.
enum Instruction {
    Text(String),
    Close(u16),
    /// End the TCP connection without a close frame.
    Drop,
}

struct Socket {
    session: String,
    is_silent: bool,
    sender: UnboundedSender<Instruction>,
}

struct Servers {
    base: String,
    /// The account that consents to the pending login.
    consent: Option<Account>,
    /// Responses to the next polls instead of the usual ones.
    poll_answers: VecDeque<String>,
    expires_in: u32,
    keepalive: u64,
    /// Scopes that are never granted.
    withheld: BTreeSet<String>,
    /// The types that cannot be subscribed to, with the status of each.
    refused: BTreeMap<String, u16>,
    /// The status of all responses from the login server.
    id_status: Option<u16>,
    /// Whether the WebSocket server rejects all connections.
    is_socket_down: bool,
    scopes: Vec<String>,
    access: BTreeMap<String, Account>,
    refresh: BTreeMap<String, Account>,
    sockets: Vec<Socket>,
    subscriptions: Vec<Value>,
    /// The number of calls to each endpoint.
    calls: BTreeMap<String, usize>,
    /// Every issued token.
    secrets: Vec<String>,
    /// The bodies of the requests to send a chat message that had an effect, with their times.
    said: Vec<(Instant, Value)>,
    /// Responses to the next of these requests instead of the usual one: a status, 0 to hang, or 1 for `is_sent: false`.
    chat_answers: VecDeque<u16>,
}

impl Mock {
    /// Starts the servers on a free port.
    ///
    /// # Panics
    /// If no port is free.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let servers = Servers {
            base: base.clone(),
            consent: None,
            poll_answers: VecDeque::new(),
            expires_in: 1_800,
            keepalive: 10,
            withheld: BTreeSet::new(),
            refused: BTreeMap::new(),
            id_status: None,
            is_socket_down: false,
            scopes: Vec::new(),
            access: BTreeMap::new(),
            refresh: BTreeMap::new(),
            sockets: Vec::new(),
            subscriptions: Vec::new(),
            calls: BTreeMap::new(),
            secrets: Vec::new(),
            said: Vec::new(),
            chat_answers: VecDeque::new(),
        };
        let mock = Self { base, state: Arc::new(Mutex::new(servers)) };
        let router = Router::new()
            .route("/oauth2/device", post(device))
            .route("/oauth2/token", post(token))
            .route("/oauth2/validate", get(validate))
            .route("/oauth2/revoke", post(revoke))
            .route("/helix/users", get(users))
            .route("/helix/chat/messages", post(say))
            .route("/helix/eventsub/subscriptions", post(subscribe))
            .route("/ws", get(socket))
            .route("/moved", get(moved_socket))
            .route("/command", post(command))
            .route("/said", get(said))
            .with_state(mock.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        mock
    }

    /// Returns the options that point a service at these servers.
    pub fn arguments(&self) -> [String; 6] {
        let option = |name: &str| format!("--twitch-{name}-url");
        let socket = self.base.replacen("http", "ws", 1);
        [
            option("id"),
            self.base.clone(),
            option("api"),
            format!("{}/helix", self.base),
            option("eventsub"),
            format!("{socket}/ws"),
        ]
    }

    fn lock(&self) -> MutexGuard<'_, Servers> {
        self.state.lock().expect("a lock")
    }

    /// Returns the number of calls to a path, a grant, or `socket`.
    pub fn calls(&self, name: &str) -> usize {
        self.lock().calls.get(name).copied().unwrap_or_default()
    }

    /// Returns the issued tokens.
    pub fn secrets(&self) -> Vec<String> {
        self.lock().secrets.clone()
    }

    /// Returns the chat messages that the service has sent, with their times.
    pub fn said(&self) -> Vec<(Instant, Value)> {
        self.lock().said.clone()
    }

    /// Returns true if a token of this kind is still valid.
    pub fn has_valid_token(&self) -> bool {
        !self.lock().access.is_empty()
    }

    /// Returns the number of open sockets.
    pub fn sockets(&self) -> usize {
        self.lock().sockets.len()
    }

    /// Returns the number of types that the newest session is subscribed to.
    pub fn subscribed(&self) -> usize {
        self.lock().subscriptions.len()
    }

    /// Carries out a command: `chat` (the `status` of the next answer in the chat; 0 hangs, 1 holds it back), `consent` (with `user_id`, `name`), `poll` (with `answer`: `slow_down`, `access_denied`),
    /// `expires_in`, `keepalive` (with `seconds`), `withhold` (a `scope`), `refuse` (a `type` with a `status`), `id`
    /// (with a `status`, or null), `sockets` (`down`), `expire` (the access tokens), `forget` (all tokens), `notify`
    /// (with `id`, and `body` or `type` and `event`, and optionally `time`), `reconnect`, `close` (with `code`), `drop`, `silence`,
    /// `revoke` (a `type` with a `reason`).
    ///
    /// # Panics
    /// If the command is unknown.
    pub fn command(&self, command: &Value) {
        let mut servers = self.lock();
        let text = |name: &str| command[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| command[name].as_u64().unwrap_or_default();
        match text("command").as_str() {
            "consent" => servers.consent = Some(Account { user_id: text("user_id"), name: text("name") }),
            "chat" => servers.chat_answers.push_back(u16::try_from(number("status")).expect("a status")),
            "poll" => servers.poll_answers.push_back(text("answer")),
            "expires_in" => servers.expires_in = u32::try_from(number("seconds")).expect("seconds"),
            "keepalive" => servers.keepalive = number("seconds"),
            "withhold" => drop(servers.withheld.insert(text("scope"))),
            "refuse" => drop(servers.refused.insert(text("type"), u16::try_from(number("status")).expect("a status"))),
            "accept" => servers.refused.clear(),
            "id" => servers.id_status = command["status"].as_u64().and_then(|status| u16::try_from(status).ok()),
            "sockets" => servers.is_socket_down = command["down"] == true,
            "expire" => servers.access.clear(),
            "forget" => {
                servers.access.clear();
                servers.refresh.clear();
            }
            "notify" => {
                let body = match &command["body"] {
                    Value::Null => servers.notification(&text("type"), &command["event"]),
                    body => body.clone(),
                };
                let time = command["time"].as_str().map_or_else(|| Timestamp::now().to_string(), str::to_owned);
                servers.send(envelope(&text("id"), "notification", &time, &body));
            }
            "reconnect" => {
                let url = format!("{}/moved?id=secret", servers.base.replacen("http", "ws", 1));
                let session = json!({"id": "s", "status": "reconnecting", "keepalive_timeout_seconds": null, "reconnect_url": url});
                servers.say("session_reconnect", &json!({"session": session}));
            }
            "close" => servers.instruct(Instruction::Close(u16::try_from(number("code")).expect("a code"))),
            "drop" => servers.instruct(Instruction::Drop),
            "silence" => servers.sockets.iter_mut().for_each(|socket| socket.is_silent = true),
            "revoke" => {
                let mut body = servers.notification(&text("type"), &Value::Null);
                body["subscription"]["status"] = text("reason").into();
                servers.say("revocation", &body);
            }
            unknown => panic!("unknown command {unknown}"),
        }
    }
}

fn envelope(id: &str, kind: &str, time: &str, payload: &Value) -> String {
    let name = &payload["subscription"]["type"];
    let mut metadata = json!({"message_id": id, "message_type": kind, "message_timestamp": time});
    if name.is_string() {
        metadata["subscription_type"] = name.clone();
    }
    json!({"metadata": metadata, "payload": payload}).to_string()
}

fn unique() -> String {
    format!("{:032x}", fastrand::u128(..))
}

fn failure(status: u16, message: &str) -> Response {
    let code = StatusCode::from_u16(status).expect("a status");
    (code, Json(json!({"status": status, "message": message}))).into_response()
}

impl Servers {
    fn count(&mut self, name: &str) {
        *self.calls.entry(name.to_owned()).or_default() += 1;
    }

    /// Builds a notification's body from its type's subscription.
    fn notification(&self, name: &str, event: &Value) -> Value {
        let subscription = self.subscriptions.iter().find(|subscription| subscription["type"] == name);
        let other = || json!({"id": unique(), "type": name, "version": "1", "status": "enabled", "condition": {}});
        json!({"subscription": subscription.cloned().unwrap_or_else(other), "event": event})
    }

    fn send(&mut self, text: String) {
        self.instruct(Instruction::Text(text));
    }

    fn say(&mut self, kind: &str, payload: &Value) {
        self.send(envelope(&unique(), kind, &Timestamp::now().to_string(), payload));
    }

    fn instruct(&mut self, instruction: Instruction) {
        if let Some(socket) = self.sockets.last() {
            let _ = socket.sender.send(instruction);
        }
    }

    fn issue(&mut self, account: Account) -> Response {
        let (access, refresh) = (format!("access-{}", unique()), format!("refresh-{}", unique()));
        self.secrets.extend([access.clone(), refresh.clone()]);
        self.access.insert(access.clone(), account.clone());
        self.refresh.insert(refresh.clone(), account);
        let body = json!({"access_token": access, "refresh_token": refresh, "expires_in": 14_000, "scope": self.granted(), "token_type": "bearer"});
        Json(body).into_response()
    }

    fn granted(&self) -> Vec<&String> {
        self.scopes.iter().filter(|scope| !self.withheld.contains(*scope)).collect()
    }

    fn bearer(&self, headers: &HeaderMap, scheme: &str) -> Option<Account> {
        let token = headers.get("authorization")?.to_str().ok()?.strip_prefix(scheme)?;
        self.access.get(token.trim()).cloned()
    }
}

type Fields = Form<BTreeMap<String, String>>;

async fn command(State(mock): State<Mock>, Json(command): Json<Value>) -> StatusCode {
    mock.command(&command);
    StatusCode::NO_CONTENT
}

/// Returns the chat messages that the service has sent.
async fn said(State(mock): State<Mock>) -> Json<Vec<Value>> {
    Json(mock.said().into_iter().map(|(_, message)| message).collect())
}

async fn device(State(mock): State<Mock>, Form(form): Fields) -> Response {
    let mut servers = mock.lock();
    servers.count("device");
    if let Some(status) = servers.id_status {
        return failure(status, "trouble");
    }
    if form["client_id"] == UNKNOWN_CLIENT {
        return failure(400, "invalid client");
    }
    servers.scopes = form["scopes"].split(' ').map(str::to_owned).collect();
    let code = json!({"device_code": unique(), "user_code": "ABCDEFGH", "interval": 1, "expires_in": servers.expires_in, "verification_uri": "https://www.twitch.tv/activate?device-code=ABCDEFGH"});
    Json(code).into_response()
}

async fn token(State(mock): State<Mock>, Form(form): Fields) -> Response {
    let mut servers = mock.lock();
    servers.count(&form["grant_type"]);
    if let Some(status) = servers.id_status {
        return failure(status, "trouble");
    }
    if form["grant_type"] == "refresh_token" {
        return match servers.refresh.remove(&form["refresh_token"]) {
            Some(account) => servers.issue(account),
            // Twitch's error messages may repeat parts of the request.
            None => failure(400, &format!("Invalid refresh token {}", form["refresh_token"])),
        };
    }
    if let Some(answer) = servers.poll_answers.pop_front() {
        return failure(400, &answer);
    }
    match servers.consent.take() {
        Some(account) => servers.issue(account),
        None => failure(400, "authorization_pending"),
    }
}

async fn validate(State(mock): State<Mock>, headers: HeaderMap) -> Response {
    let mut servers = mock.lock();
    servers.count("validate");
    if let Some(status) = servers.id_status {
        return failure(status, "trouble");
    }
    match servers.bearer(&headers, "OAuth ") {
        Some(account) => {
            let login = account.name.to_lowercase();
            Json(json!({"client_id": "mock", "login": login, "user_id": account.user_id, "scopes": servers.granted(), "expires_in": 14_000}))
                .into_response()
        }
        None => failure(401, &format!("invalid access token {:?}", headers.get("authorization"))),
    }
}

async fn revoke(State(mock): State<Mock>, Form(form): Fields) -> StatusCode {
    let mut servers = mock.lock();
    servers.count("revoke");
    servers.access.remove(&form["token"]);
    StatusCode::OK
}

/// Returns the account of the token, or the accounts with the requested logins. Those that begin with `unknown` do not
/// exist, and the others have their length as identifier.
async fn users(State(mock): State<Mock>, headers: HeaderMap, RawQuery(query): RawQuery) -> Response {
    let mut servers = mock.lock();
    servers.count("users");
    match servers.bearer(&headers, "Bearer ") {
        Some(_) if query.is_some() => {
            let query = query.unwrap_or_default();
            let logins: Vec<_> = query.split('&').filter_map(|pair| pair.strip_prefix("login=")).collect();
            assert!(logins.len() <= 100, "Twitch's maximum");
            let known = logins.iter().filter(|login| !login.starts_with("unknown"));
            let user = |login: &&str| json!({"id": format!("90{}", login.len()), "login": login, "display_name": login.to_uppercase()});
            Json(json!({"data": known.map(user).collect::<Vec<_>>()})).into_response()
        }
        Some(account) => Json(json!({"data": [{"id": account.user_id, "display_name": account.name}]})).into_response(),
        None => failure(401, "invalid access token"),
    }
}

async fn say(State(mock): State<Mock>, headers: HeaderMap, Json(message): Json<Value>) -> Response {
    let status = {
        let mut servers = mock.lock();
        servers.count("chat");
        let Some(account) = servers.bearer(&headers, "Bearer ") else { return failure(401, "invalid access token") };
        assert_eq!(account.user_id, message["sender_id"], "the account sends in its own name");
        let status = servers.chat_answers.pop_front().unwrap_or(200);
        if status == 200 {
            servers.said.push((Instant::now(), message));
        }
        status
    };
    match status {
        0 => std::future::pending().await,
        1 | 200 => Json(json!({"data": [{"message_id": unique(), "is_sent": status == 200}]})).into_response(),
        status => failure(status, "trouble"),
    }
}

async fn subscribe(State(mock): State<Mock>, headers: HeaderMap, Json(mut wanted): Json<Value>) -> Response {
    let mut servers = mock.lock();
    servers.count("subscribe");
    if servers.bearer(&headers, "Bearer ").is_none() {
        return failure(401, "Invalid OAuth token");
    }
    let name = wanted["type"].as_str().unwrap_or_default().to_owned();
    let no_session = "websocket transport session does not exist or has already disconnected";
    if let Some(status) = servers.refused.get(&name) {
        let reason = if *status == 400 { no_session } else { "subscription missing proper authorization" };
        return failure(*status, &format!("{reason} {:?}", headers.get("authorization")));
    }
    let session = wanted["transport"]["session_id"].clone();
    if !servers.sockets.iter().any(|socket| session == socket.session) {
        return failure(400, no_session);
    }
    wanted["id"] = unique().into();
    wanted["status"] = "enabled".into();
    servers.subscriptions.push(wanted.clone());
    (StatusCode::ACCEPTED, Json(json!({"data": [wanted]}))).into_response()
}

async fn socket(State(mock): State<Mock>, upgrade: WebSocketUpgrade) -> Response {
    {
        let mut servers = mock.lock();
        servers.count("socket");
        if servers.is_socket_down {
            return failure(503, "down");
        }
        // An earlier session's subscriptions are gone.
        servers.subscriptions.clear();
    }
    upgrade.on_upgrade(move |socket| serve(mock, socket))
}

async fn moved_socket(State(mock): State<Mock>, upgrade: WebSocketUpgrade) -> Response {
    mock.lock().count("moved");
    upgrade.on_upgrade(move |socket| serve(mock, socket))
}

/// Runs a socket: sends the welcome and keepalives, and follows instructions.
async fn serve(mock: Mock, mut socket: WebSocket) {
    let (session, (sender, mut instructions)) = (unique(), unbounded_channel());
    let keepalive = {
        let mut servers = mock.lock();
        servers.sockets.push(Socket { session: session.clone(), is_silent: false, sender });
        let welcome = json!({"id": session, "status": "connected", "keepalive_timeout_seconds": servers.keepalive, "reconnect_url": null});
        servers.say("session_welcome", &json!({"session": welcome}));
        servers.keepalive
    };
    let mut ticks = tokio::time::interval(Duration::from_millis(keepalive * 900));
    ticks.tick().await;
    loop {
        let instruction = tokio::select! {
            instruction = instructions.recv() => instruction,
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => continue,
            },
            _ = ticks.tick() => {
                let is_silent = mock.lock().sockets.iter().any(|socket| socket.session == session && socket.is_silent);
                let time = Timestamp::now().to_string();
                (!is_silent).then(|| Instruction::Text(envelope(&unique(), "session_keepalive", &time, &json!({}))))
            }
        };
        let sent = match instruction {
            Some(Instruction::Text(text)) => socket.send(Message::Text(text.into())).await,
            Some(Instruction::Close(code)) => {
                let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: "told to".into() }))).await;
                break;
            }
            Some(Instruction::Drop) => break,
            None => Ok(()),
        };
        if sent.is_err() {
            break;
        }
    }
    mock.lock().sockets.retain(|socket| socket.session != session);
}
