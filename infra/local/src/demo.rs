//! The `demo` command: loads demo data into a service over HTTP, like any other client. The data are viewers with
//! wallets, pets and items, events of all types over a month or more, and documents with stamps on small drawn images.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use event_capture::schema::Timestamp;
use fastrand::Rng;
use futures_util::{StreamExt, TryStreamExt, stream};
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::Error;

/// The number of concurrent requests.
const AT_ONCE: usize = 8;
const NAMES: [&str; 24] = [
    "Ada", "Bruno", "Cleo", "Dario", "Elif", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Levi", "Mila", "Nico",
    "Olga", "Pablo", "Quinn", "Rosa", "Sami", "Tess", "Uwe", "Vera", "Wim", "Yuki",
];
const ENDS: [&str; 8] = ["", "_ttv", "42", "TheBold", "_plays", "Xd", "99", "InTheRain"];
const SAID: [&str; 12] = [
    "what a run!",
    "hello from the train",
    "that jump was clean",
    "good luck with the boss",
    "first time here, love it",
    "the cat is back",
    "how did you do that?",
    "gg",
    "this song again, yes",
    "take a break, drink some water",
    "for the new microphone",
    "see you tomorrow",
];
const STAMPS: [&str; 4] = ["heart", "star", "paw", "check"];
const ITEMS: [&str; 6] = ["straw hat", "golden key", "lucky coin", "tiny umbrella", "mystery box", "old map"];

/// Options of the `demo` command.
#[derive(clap::Args, Debug)]
pub struct Options {
    /// URL of the service.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:3000")]
    url: String,
    /// Token with the scope `write`, if the service requires one.
    #[arg(long, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Number of events.
    #[arg(long, default_value_t = 1_000)]
    events: u64,
    /// Number of viewers.
    #[arg(long, default_value_t = 60)]
    viewers: u64,
    /// Number of days, up to now, that the events are spread over.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(i64).range(1..=3650))]
    days: i64,
    /// Then add an event every few seconds, until the process is stopped.
    #[arg(long)]
    live: bool,
}

/// A client of the service.
struct Channel {
    client: Client<HttpConnector, Full<Bytes>>,
    url: String,
    token: Option<String>,
}

/// Loads the demo data.
pub(crate) async fn run(options: Options) -> Result<(), Error> {
    let channel = Channel {
        client: Client::builder(TokioExecutor::new()).build_http(),
        url: options.url.trim_end_matches('/').to_owned(),
        token: options.token,
    };
    let (days, mut rng) = (options.days, Rng::new());
    let bar = ProgressBar::new(options.viewers + options.events);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos} of {len} {msg}, {eta} left")?);
    bar.set_message("viewers");
    let viewers: Vec<_> = (0..options.viewers).map(|number| (number, rng.fork())).collect();
    let viewers = stream::iter(viewers).map(|(number, rng)| channel.viewer(number, days, rng, &bar));
    let viewers: Vec<Value> = viewers.buffered(AT_ONCE).try_collect().await?;
    if viewers.is_empty() {
        return Err("Demo data need at least one viewer. Set --viewers to 1 or more.".into());
    }
    bar.set_message("events");
    let events: Vec<_> = (0..options.events).map(|_| rng.fork()).collect();
    let events = stream::iter(events).map(|mut rng| {
        let (channel, viewers, bar) = (&channel, &viewers, &bar);
        async move {
            // Most events happen in the evening.
            let minutes = rng.i64(0..days) * 24 * 60 + (rng.i64(0..240) + rng.i64(0..240));
            channel.event(viewers, ago(minutes), &mut rng).await?;
            bar.inc(1);
            Ok::<_, Error>(())
        }
    });
    events.buffer_unordered(AT_ONCE).try_collect::<Vec<_>>().await?;
    bar.finish_and_clear();
    println!(
        "Created {} viewers and {} events. Open {}/console/ to see them.",
        viewers.len(),
        options.events,
        channel.url
    );
    if !options.live {
        return Ok(());
    }
    loop {
        channel.event(&viewers, Timestamp::now(), &mut rng).await?;
        tokio::time::sleep(Duration::from_millis(rng.u64(1_500..5_000))).await;
    }
}

/// Returns the time this number of minutes ago.
fn ago(minutes: i64) -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_unix_millis(now.unix_millis() - i128::from(minutes) * 60_000).unwrap_or(now)
}

/// Returns a random element.
fn one<'a>(of: &[&'a str], rng: &mut Rng) -> &'a str {
    rng.choice(of).copied().unwrap_or_default()
}

impl Channel {
    /// Creates a viewer with transactions, a pet and items.
    async fn viewer(&self, number: u64, days: i64, mut rng: Rng, bar: &ProgressBar) -> Result<Value, Error> {
        let name = format!("{}{}", one(&NAMES, &mut rng), one(&ENDS, &mut rng));
        let platform_id = format!("demo-{:08x}-{number}", rng.u32(..));
        let user = self.post("/users", &json!({"platform_id": platform_id, "name": name})).await?;
        let home = format!("/users/{}", user["user_id"]);
        for _ in 0..rng.u32(1..6) {
            let (amount, description) =
                (rng.i64(10..400), one(&["watched for an hour", "won a round", "welcome"], &mut rng));
            self.post(&format!("{home}/transactions"), &json!({"amount": amount, "description": description})).await?;
        }
        if rng.u8(..) < 160 {
            let born_at = ago(rng.i64(0..days * 24 * 60)).to_string();
            self.post(&format!("{home}/specimen"), &json!({"born_at": born_at})).await?;
        }
        for _ in 0..rng.u32(0..4) {
            let item = json!({"name": one(&ITEMS, &mut rng), "quantity": rng.u32(1..5)});
            self.post(&format!("{home}/inventory"), &item).await?;
        }
        bar.inc(1);
        Ok(user)
    }

    /// Creates an event, occasionally with a document.
    async fn event(&self, viewers: &[Value], at: Timestamp, rng: &mut Rng) -> Result<Value, Error> {
        // A few viewers are more active than all others.
        let position = (rng.f64() * rng.f64() * float(viewers.len())).floor();
        let viewer = &viewers[index(position).min(viewers.len() - 1)];
        let mut event =
            json!({"user_id": viewer["user_id"], "user_name": viewer["name"], "occurred_at": at.to_string()});
        let more = match rng.u8(0..20) {
            0..9 => json!({"event_type": "plain", "message": one(&SAID, rng)}),
            9..11 => {
                let (source, message) =
                    [("demo/follow", "started to follow"), ("demo/redemption", "hydrate!")][rng.usize(..2)];
                json!({"event_type": "plain", "message": message, "source": source})
            }
            11..15 => {
                let (amount, message) = (rng.u32(1..30) * 25, one(&SAID, rng));
                json!({"event_type": "cheer", "amount": amount, "message": message, "source": "demo/cheer"})
            }
            15..19 => {
                let (tier, length) = (rng.u8(1..4), rng.u8(1..30));
                let source = one(&["demo/subscription", "demo/gift"], rng);
                json!({"event_type": "subscriber", "tier": tier, "subscribed_length": length, "source": source})
            }
            _ => json!({"event_type": "raid", "viewer_count": rng.u32(2..120), "source": "demo/raid"}),
        };
        for (name, value) in more.as_object().into_iter().flatten() {
            event[name] = value.clone();
        }
        if rng.u8(0..30) == 0 {
            event["document"] = document(rng)?;
        }
        self.post("/events", &event).await
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Value, Error> {
        let mut request = http::Request::post(format!("{}{path}", self.url)).header("content-type", "application/json");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Full::new(Bytes::from(body.to_string())))?;
        let sent = self.client.request(request).await;
        let answer = sent.map_err(|_| {
            format!("Cannot reach {}. Start the service with `cargo run`, or set its URL with --url.", self.url)
        })?;
        let (parts, body) = answer.into_parts();
        let body = body.collect().await?.to_bytes();
        if parts.status != http::StatusCode::CREATED {
            return Err(format!("POST {path} failed: {} {}", parts.status, String::from_utf8_lossy(&body)).into());
        }
        Ok(serde_json::from_slice(&body)?)
    }
}

#[expect(clippy::cast_precision_loss, reason = "as many as there are viewers")]
fn float(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the number of viewers")]
fn index(position: f64) -> usize {
    position as usize
}

/// Creates a letter: a drawn landscape with stamps on it.
fn document(rng: &mut Rng) -> Result<Value, Error> {
    let (width, height) = (240, 160);
    let stamps: Vec<_> = (0..rng.u32(1..5))
        .map(|_| {
            let rotation = rng.f64() * 1.2 - 0.6;
            json!({"stamp_type": one(&STAMPS, rng), "pos_x": rng.u32(30..210), "pos_y": rng.u32(25..135), "rotation": rotation})
        })
        .collect();
    let image = STANDARD.encode(landscape(width, height, rng)?);
    Ok(json!({"document_data": image, "seal": rng.u32(1..9), "metadata": "a letter of the demo", "stamps": stamps}))
}

/// Draws a sky, a sun and overlapping hills. Returns a PNG.
fn landscape(width: u32, height: u32, rng: &mut Rng) -> Result<Vec<u8>, Error> {
    let hue = rng.u8(0..60);
    let (sun_x, sun_y) = (rng.u32(40..width - 40), rng.u32(20..60));
    let hills: Vec<_> = (0..3).map(|hill| (60 + hill * 28, rng.u32(20..60), rng.u32(0..width))).collect();
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let shade = u8::try_from(y * 60 / height).unwrap_or_default();
            let mut color = [150 + hue + shade / 2, 190 + shade / 2, 245 - hue / 2];
            if x.abs_diff(sun_x).pow(2) + y.abs_diff(sun_y).pow(2) < 260 {
                color = [255, 236, 150];
            }
            for (position, (top, high, shift)) in (0u8..).zip(&hills) {
                // Each hill is a parabola.
                let from_peak = (x + shift) % width;
                let bend = from_peak.abs_diff(width / 2).pow(2) * high / (width / 2).pow(2);
                if y > top + bend {
                    color = [90 - position * 22, 150 - position * 28, 90 - position * 20];
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
