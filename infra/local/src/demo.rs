//! The `demo` command: loads demo data into a service over HTTP, like any other client. The data consists of viewers
//! with wallets, pets and items, products and purchases, events of all types over a month or more, documents with
//! stamps on small drawn images, and rules that pay for the events of the live stream.

mod channel;
mod live;
mod store;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use capture_core::schema::Timestamp;
use fastrand::Rng;
use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::ProgressBar;
use serde_json::{Value, json};
use transfer::progress;

use self::channel::ApiClient;
pub(crate) use self::live::{BROADCASTER, SECRET_FILE};
use self::live::{CHAT, Webhook, pick};
use crate::Error;
use crate::folder::{make_folder, write_private};
use crate::stores::SECRET_FILE as SECRET;

/// Folder of the demo's own service. Its viewers would otherwise mix with real ones.
const OWN_FOLDER: &str = ".data-demo";
/// Default folder of a running service.
const FOLDER: &str = ".data";
/// Number of concurrent requests.
const CONCURRENCY: usize = 8;
/// Number of days with a stream, enough for comparisons.
const MAX_STREAM_DAYS: i64 = 90;
const STREAMS: [(&str, &str); 4] = [
    ("Just one more level", "Celeste"),
    ("Painting what you describe", "Art"),
    ("Coffee and your questions", "Just Chatting"),
    ("First run, no guide", "Hollow Knight"),
];
const NAMES: [&str; 24] = [
    "Ada", "Bruno", "Cleo", "Dario", "Elif", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Levi", "Mila", "Nico",
    "Olga", "Pablo", "Quinn", "Rosa", "Sami", "Tess", "Uwe", "Vera", "Wim", "Yuki",
];
const NAME_ENDINGS: [&str; 8] = ["", "_ttv", "42", "TheBold", "_plays", "Xd", "99", "InTheRain"];
/// File that marks the folder of a demo.
pub(crate) const MARKER: &str = "demo";
/// Prefix of the platform's identifiers of the demo's viewers.
const VIEWER: &str = "demo-";
const STAMPS: [&str; 4] = ["heart", "star", "paw", "check"];
const ITEMS: [&str; 6] = ["straw hat", "golden key", "lucky coin", "tiny umbrella", "mystery box", "old map"];

/// Options of the `demo` command.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// URL of a running service to load the data into. Without it, the demo runs in a separate service and folder.
    #[arg(long, global = true, value_name = "URL")]
    url: Option<String>,
    /// Token with the scope `import`, if the service requires one.
    #[arg(long, global = true, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Number of events.
    #[arg(long, default_value_t = 1_000)]
    events: u64,
    /// Number of viewers.
    #[arg(long, default_value_t = 60)]
    viewers: u64,
    /// Number of past days that the events are spread over.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(i64).range(1..=3650))]
    days: i64,
    /// Then play a stream as signed notifications to the webhook.
    #[arg(long)]
    live: bool,
    /// Duration of the stream in seconds.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=36_000))]
    duration: u32,
    /// Folder of the demo, `.data-demo` by default. With --url, the data folder of that service, with its webhook secret.
    #[arg(long, global = true)]
    data_dir: Option<PathBuf>,
    /// Webhook secret, if the service was started with one.
    #[arg(long, value_name = "SECRET", env = "TWITCH_SECRET", hide_env_values = true)]
    twitch_secret: Option<String>,
    /// Twitch ID of the broadcaster, if the service was started with one.
    #[arg(long, value_name = "ID", env = "TWITCH_BROADCASTER_ID")]
    twitch_broadcaster_id: Option<String>,
}

impl Options {
    /// Takes the URL of the running service to load the data into. Without it, the demo starts a separate service.
    pub(crate) fn target(&mut self) -> Target {
        if let Some(url) = self.url.take().filter(|url| !url.is_empty()) {
            return Target::Running(url);
        }
        (self.twitch_secret, self.twitch_broadcaster_id) = (None, None);
        Target::Own(self.data_dir.get_or_insert_with(|| OWN_FOLDER.into()).clone())
    }

    /// Returns the data folder of the service.
    fn folder(&self) -> PathBuf {
        self.data_dir.clone().unwrap_or_else(|| FOLDER.into())
    }
}

/// Service to load the demo data into.
pub(crate) enum Target {
    /// A running service with this URL.
    Running(String),
    /// A separate service for the demo, in this folder.
    Own(PathBuf),
}

/// Marks a folder as that of a demo. Refuses the folder of a channel: the demo's viewers would mix with real ones, and its
/// service would connect to Twitch.
pub(crate) fn claim(folder: &Path) -> Result<(), Error> {
    make_folder(folder)?;
    let marker = folder.join(MARKER);
    if folder.join(SECRET).exists() && !marker.exists() {
        let folder = folder.display();
        return Err(
            format!("{folder} has the data of a channel. Choose another folder for the demo with --data-dir.").into()
        );
    }
    write_private(&marker, b"")
}

/// Shows the demo in its own service: load the data, unless the folder has some and no stream is played, and open the
/// console.
pub(crate) async fn show(options: Options, url: &str) -> Result<(), Error> {
    let is_empty = ApiClient::new(url, None).first_users().await?.is_empty();
    let folder = options.folder().display().to_string();
    let console = format!("{url}/console/");
    let show = || {
        println!("The demo is in the folder {folder}. Open {console} to see it. Ctrl-C ends it.");
        open(&console);
    };
    if is_empty || options.live {
        return run(options, url, show).await;
    }
    show();
    Ok(())
}

/// Opens a page in the user's browser, if the session has windows.
fn open(url: &str) {
    let has_windows = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if has_windows || cfg!(target_os = "macos") {
        // Without such a program, the user has to open the address.
        let _ = Command::new(program).arg(url).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    }
}

/// Loads the demo data into the service with a URL, then plays the stream, if requested. The stream's viewers are those of
/// an earlier demo, if there are any: a second history would have the same names. Calls `on_loaded` before the stream.
pub(crate) async fn run(options: Options, url: &str, on_loaded: impl FnOnce()) -> Result<(), Error> {
    let folder = options.folder();
    let channel = ApiClient::new(url, options.token);
    let (days, mut rng) = (options.days, Rng::new());
    // Fails before anything is stored.
    let find = || Webhook::find(options.twitch_secret, options.twitch_broadcaster_id, &folder);
    let webhook = options.live.then(find).transpose()?;
    channel.refuse_connected().await?;
    let mut viewers = if options.live { channel.first_users().await? } else { Vec::new() };
    viewers.retain(|user| user["platform_id"].as_str().is_some_and(|id| id.starts_with(VIEWER)));
    if viewers.is_empty() {
        let bar = progress::bar(options.viewers + options.events, "{pos} of {len}  {eta} left")?;
        bar.set_message("viewers");
        let created: Vec<_> = (0..options.viewers).map(|number| (number, rng.fork())).collect();
        let created = stream::iter(created).map(|(number, rng)| channel.viewer(number, days, rng, &bar));
        viewers = created.buffered(CONCURRENCY).try_collect().await?;
        if viewers.is_empty() {
            return Err("Demo data needs at least one viewer. Set --viewers to 1 or more.".into());
        }
        bar.set_message("purchases");
        channel.create_purchases(&viewers, &mut rng).await?;
        bar.set_message("events");
        let events: Vec<_> = (0..options.events).map(|_| rng.fork()).collect();
        let events = stream::iter(events).map(|mut rng| {
            let (channel, viewers, bar) = (&channel, &viewers, &bar);
            async move {
                // Most events happen in the evening.
                let minutes = rng.i64(0..days) * 24 * 60 + (rng.i64(0..240) + rng.i64(0..240));
                channel.import_event(viewers, ago(minutes), &mut rng).await?;
                bar.inc(1);
                Ok::<_, Error>(())
            }
        });
        events.buffer_unordered(CONCURRENCY).try_collect::<Vec<_>>().await?;
        if options.events > 0 {
            let broadcaster = json!({"platform_id": webhook.as_ref().map_or(BROADCASTER, |webhook| &webhook.broadcaster), "name": "Your_Channel"});
            let broadcaster = channel.broadcaster(&broadcaster).await?;
            for days_ago in 1..days.min(MAX_STREAM_DAYS) {
                channel.import_stream(&broadcaster, days_ago, &mut rng).await?;
            }
        }
        // The rules would pay real viewers if the service has been connected since.
        channel.refuse_connected().await?;
        channel.create_rules().await?;
        bar.finish_and_clear();
        println!("Created {} viewers and {} events.", viewers.len(), options.events);
    }
    on_loaded();
    if let Some(webhook) = webhook {
        println!("Playing a stream of {} seconds. Open {}/overlay/ to see its alerts.", options.duration, channel.url);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let viewers: Vec<_> =
            viewers.iter().map(|viewer| (text(&viewer["platform_id"]), text(&viewer["name"]))).collect();
        webhook.play(&channel, &viewers, options.duration.into(), rng).await?;
    }
    Ok(())
}

/// Returns the time this many minutes ago.
fn ago(minutes: i64) -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_unix_millis(now.unix_millis() - i128::from(minutes) * 60_000).unwrap_or(now)
}

/// Returns the name of a viewer. No two have the same.
fn name(number: u64) -> String {
    let number = usize::try_from(number).unwrap_or_default();
    let round = number / NAMES.len();
    // Within eight rounds, each name has another ending in each.
    let ending = NAME_ENDINGS[(round + number % NAMES.len()) % NAME_ENDINGS.len()];
    let more = round / NAME_ENDINGS.len();
    let more = if more > 0 { more.to_string() } else { String::new() };
    format!("{}{ending}{more}", NAMES[number % NAMES.len()])
}

impl ApiClient {
    /// Rejects a service with the events of a real channel. The demo's events would mix with them, and its rules would
    /// pay real viewers.
    async fn refuse_connected(&self) -> Result<(), Error> {
        let (_, connection) = self.send("GET", "/connections/twitch", &[], String::new()).await?;
        let connection: Value = serde_json::from_str(&connection).unwrap_or_default();
        let name = connection["channel"]["name"].as_str();
        if name.is_none() && connection["state"].as_str().is_none_or(|state| state == "none") {
            return Ok(());
        }
        let channel = name.map(|name| format!(" {name}")).unwrap_or_default();
        Err(format!(
            "The service belongs to the Twitch channel{channel}, and the demo's events would mix with the channel's. Leave out \
             --url to run the demo in a separate service."
        )
        .into())
    }

    /// Returns the users who were created first.
    async fn first_users(&self) -> Result<Vec<Value>, Error> {
        let (_, users) = self.send("GET", "/users?limit=1000&order=asc", &[], String::new()).await?;
        // Without a token that the service requires, the first write fails, with advice.
        Ok(serde_json::from_str(&users).unwrap_or_default())
    }

    /// Creates the broadcaster, or returns the one from an earlier demo.
    async fn broadcaster(&self, user: &Value) -> Result<Value, Error> {
        let platform_id = user["platform_id"].as_str().unwrap_or_default();
        let (_, users) = self.send("GET", &format!("/users?platform_id={platform_id}"), &[], String::new()).await?;
        match serde_json::from_str::<Vec<Value>>(&users)?.pop() {
            Some(user) => Ok(user),
            None => self.post("/users", user).await,
        }
    }

    /// Creates rules that pay viewers, unless the channel already has rules.
    async fn create_rules(&self) -> Result<(), Error> {
        let (_, rules) = self.send("GET", "/rules?limit=1", &[], String::new()).await?;
        if !serde_json::from_str::<Vec<Value>>(&rules)?.is_empty() {
            return Ok(());
        }
        let chat = "twitch/channel.chat.message";
        for rule in [
            json!({"name": "watching and chatting", "source": chat, "amount": 10, "every": 300}),
            json!({"name": "cheering", "event_type": "cheer", "per_unit": 2}),
            json!({"name": "subscribing", "event_type": "subscriber", "amount": 500}),
        ] {
            self.post("/rules", &rule).await?;
        }
        Ok(())
    }

    /// Creates a viewer with transactions, a pet and items.
    async fn viewer(&self, number: u64, days: i64, mut rng: Rng, bar: &ProgressBar) -> Result<Value, Error> {
        let name = name(number);
        let platform_id = format!("{VIEWER}{:08x}-{number}", rng.u32(..));
        let user = self.post("/users", &json!({"platform_id": platform_id, "name": name})).await?;
        let user_path = format!("/users/{}", user["user_id"]);
        for _ in 0..rng.u32(1..6) {
            let (amount, description) =
                (rng.i64(10..400), pick(&["watched for an hour", "won a round", "welcome"], &mut rng));
            self.post(&format!("{user_path}/transactions"), &json!({"amount": amount, "description": description}))
                .await?;
        }
        if rng.u8(..) < 160 {
            let born_at = ago(rng.i64(0..days * 24 * 60)).to_string();
            self.post(&format!("{user_path}/specimen"), &json!({"born_at": born_at})).await?;
        }
        for _ in 0..rng.u32(0..4) {
            let item = json!({"name": pick(&ITEMS, &mut rng), "quantity": rng.u32(1..5)});
            self.post(&format!("{user_path}/inventory"), &item).await?;
        }
        bar.inc(1);
        Ok(user)
    }

    /// Stores a past event, occasionally with a document. It is imported, so overlays do not show it.
    async fn import_event(&self, viewers: &[Value], at: Timestamp, rng: &mut Rng) -> Result<(), Error> {
        // A few viewers are more active than all others.
        let random = (rng.f64() * rng.f64() * float(viewers.len())).floor();
        let viewer = &viewers[index(random).min(viewers.len() - 1)];
        let fields = match rng.u8(0..20) {
            0..9 => {
                json!({"event_type": "plain", "message": pick(&CHAT, rng), "source": "twitch/channel.chat.message"})
            }
            9 => {
                let message = format!("{} followed the channel.", viewer["name"].as_str().unwrap_or_default());
                json!({"event_type": "plain", "message": message, "source": "twitch/channel.follow"})
            }
            10 => {
                let details = json!({"title": "Hydrate", "cost": 100});
                let source = "twitch/channel.channel_points_custom_reward_redemption.add";
                json!({"event_type": "plain", "message": "Hydrate", "source": source, "details": details})
            }
            11..15 => {
                let (amount, message) = (rng.u32(1..30) * 25, pick(&CHAT, rng));
                json!({"event_type": "cheer", "amount": amount, "message": message, "source": "twitch/channel.cheer"})
            }
            15..19 => {
                // A viewer keeps the tier, and has subscribed one month longer in the second half of the history.
                let mut own = Rng::with_seed(viewer["user_id"].as_u64().unwrap_or_default());
                let tier = own.choice([1, 1, 1, 2, 3]).unwrap_or(1);
                let length = own.u8(1..30) + u8::from(at > ago(15 * 24 * 60));
                let source = "twitch/channel.subscription.message";
                json!({"event_type": "subscriber", "tier": tier, "subscribed_length": length, "source": source})
            }
            _ => json!({"event_type": "raid", "viewer_count": rng.u32(2..120), "source": "twitch/channel.raid"}),
        };
        let mut event = past_event(viewer, at, &fields);
        if rng.u8(0..30) == 0 {
            event["document_id"] = self.letter(at, rng).await?.into();
        }
        self.put("events", &event, rng).await?;
        Ok(())
    }

    /// Stores a letter created at a time: a drawn landscape with stamps. Returns its identifier.
    async fn letter(&self, at: Timestamp, rng: &mut Rng) -> Result<u64, Error> {
        let (width, height) = (720, 480);
        let image = STANDARD.encode(landscape(width, height, rng)?);
        let seal = rng.u32(1..9);
        let letter = json!({"document_data": image, "seal": seal, "metadata": "a letter of the demo", "created_at": at.to_string()});
        let id = self.put("documents", &letter, rng).await?;
        for _ in 0..rng.u32(1..5) {
            let (x, y, rotation) = (rng.u32(90..630), rng.u32(75..405), rng.f64() * 1.2 - 0.6);
            let stamp_type = pick(&STAMPS, rng);
            let stamp =
                json!({"document_id": id, "stamp_type": stamp_type, "pos_x": x, "pos_y": y, "rotation": rotation});
            self.put("stamps", &stamp, rng).await?;
        }
        Ok(id)
    }

    /// Stores the start, the title and the end of a stream on an evening some days ago.
    async fn import_stream(&self, broadcaster: &Value, days_ago: i64, rng: &mut Rng) -> Result<(), Error> {
        let minutes = days_ago * 24 * 60;
        let (title, category) = rng.choice(STREAMS).unwrap_or(STREAMS[0]);
        let update = format!("The stream is now called “{title}”, in the category {category}.");
        let details = json!({"title": title, "category_name": category});
        for (source, message, at, details) in [
            ("twitch/stream.online", "The stream began.", minutes + 480, Value::Null),
            ("twitch/channel.update", &update, minutes + 479, details),
            ("twitch/stream.offline", "The stream ended.", minutes, Value::Null),
        ] {
            let fields = json!({"event_type": "plain", "message": message, "source": source, "details": details});
            self.put("events", &past_event(broadcaster, ago(at), &fields), rng).await?;
        }
        Ok(())
    }

    /// Imports a record under a random identifier. Returns the identifier.
    async fn put(&self, resource: &str, record: &Value, rng: &mut Rng) -> Result<u64, Error> {
        let id = rng.u64(1 << 40..1 << 53);
        let path = format!("/{resource}/{id}");
        let headers = [("content-type", "application/json")];
        let (status, response) = self.send("PUT", &path, &headers, record.to_string()).await?;
        if status != http::StatusCode::CREATED {
            return Err(format!("PUT {path} failed: {status} {response}").into());
        }
        Ok(id)
    }
}

/// Builds an event of a viewer at a past time.
fn past_event(viewer: &Value, at: Timestamp, fields: &Value) -> Value {
    let at = at.to_string();
    let mut event =
        json!({"user_id": viewer["user_id"], "user_name": viewer["name"], "occurred_at": at, "created_at": at});
    for (name, value) in fields.as_object().into_iter().flatten() {
        event[name] = value.clone();
    }
    event
}

#[expect(clippy::cast_precision_loss, reason = "as many as there are viewers")]
fn float(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of viewers")]
fn index(number: f64) -> usize {
    number as usize
}

/// Draws a sky, a sun and overlapping hills. Returns a PNG.
fn landscape(width: u32, height: u32, rng: &mut Rng) -> Result<Vec<u8>, Error> {
    let hue = rng.u8(0..60);
    let (sun_x, sun_y) = (rng.u32(120..width - 120), rng.u32(60..180));
    let hills: Vec<_> = (0..3).map(|hill| (180 + hill * 84, rng.u32(60..180), rng.u32(0..width))).collect();
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let shade = u8::try_from(y * 60 / height).unwrap_or_default();
            let mut color = [150 + hue + shade / 2, 190 + shade / 2, 245 - hue / 2];
            if x.abs_diff(sun_x).pow(2) + y.abs_diff(sun_y).pow(2) < 2_340 {
                color = [255, 236, 150];
            }
            for (layer, (top, height, shift)) in (0u8..).zip(&hills) {
                // Each hill is a parabola.
                let from_peak = (x + shift) % width;
                let depth = from_peak.abs_diff(width / 2).pow(2) * height / (width / 2).pow(2);
                if y > top + depth {
                    color = [90 - layer * 22, 150 - layer * 28, 90 - layer * 20];
                }
            }
            pixels.extend(color);
        }
    }
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(image)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_viewers_are_unique() {
        let names: std::collections::BTreeSet<_> = (0..2_000).map(super::name).collect();
        assert_eq!(names.len(), 2_000);
    }
}
