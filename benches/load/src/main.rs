//! Measures the requests per second of the local stack, PocketBase and a floor, in turns, with the same data and
//! responses. With `--chat`, plays a large channel's chat to the local stack's webhook.
//!
//! Build them first: `cargo build --release -p event-capture -p load -p floor`, and
//! `go install github.com/pocketbase/pocketbase/examples/base@v0.36.0`.

mod chat;
mod ours;
mod pocketbase;

use std::path::PathBuf;
use std::process::{Child, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use futures_util::future::join_all;
use reqwest::{Client, RequestBuilder};

/// Any error.
pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;

/// The number of users in the data.
pub(crate) const USERS: usize = 200;
/// The number of events in the data. Every tenth has a document with five stamps.
pub(crate) const EVENTS: usize = 2_000;

/// Compares the local stack with PocketBase.
#[derive(Parser)]
struct Arguments {
    /// The release build of the local stack.
    #[arg(long, default_value = "target/release/event-capture")]
    ours: PathBuf,
    /// The PocketBase binary. Without it, only the local stack is measured.
    #[arg(long)]
    pocketbase: Option<PathBuf>,
    /// The bare program from `benches/floor`. Without it, no floor is measured.
    #[arg(long)]
    floor: Option<PathBuf>,
    /// Play this many minutes of chat instead.
    #[arg(long, value_name = "MINUTES")]
    chat: Option<u32>,
    /// Start the local stack with `--durable`.
    #[arg(long)]
    durable: bool,
    /// The chat messages per second.
    #[arg(long, default_value_t = 200)]
    rate: u32,
    /// The number of runs per server.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The duration of each run, in seconds.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
}

/// The measured kinds of requests.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measured {
    /// The service's health, which takes HTTP and nothing else.
    Health,
    /// An event with its user, document and stamps.
    Event,
    /// A page of 50 events with their users.
    Page,
    /// A new event.
    NewEvent,
    /// A new transaction for a user.
    NewTransaction,
}

const ALL: [(Measured, &str); 5] = [
    (Measured::Health, "GET the health"),
    (Measured::Event, "GET an event with its user, document and stamps"),
    (Measured::Page, "GET a page of 50 events with their users"),
    (Measured::NewEvent, "POST an event"),
    (Measured::NewTransaction, "POST a transaction"),
];

/// A measured server and its data.
pub(crate) trait Server {
    /// Returns a request of this kind.
    fn request(&self, client: &Client, measured: Measured) -> RequestBuilder;

    /// Returns the identifier of the server's process.
    fn pid(&self) -> u32;
}

/// A run's result.
#[derive(Clone, Copy)]
struct Run {
    per_second: f64,
    /// The server's CPU time per request, in microseconds.
    cpu: f64,
}

/// A server's process. Killed on drop.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    // When built together with other crates, this crate's HTTP client requires a provider.
    twitch::tls::install();
    match measure(&Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: &Arguments) -> Result<(), Error> {
    if let Some(minutes) = arguments.chat {
        return chat::play(&arguments.ours, minutes, arguments.rate).await;
    }
    let ours = ours::Ours::start(&arguments.ours, arguments.durable).await?;
    let theirs = match &arguments.pocketbase {
        Some(binary) => Some(pocketbase::PocketBase::start(binary).await?),
        None => None,
    };
    let floor = match &arguments.floor {
        Some(binary) => Some(ours::Ours::start(binary, false).await?),
        None => None,
    };
    println!(
        "| Request | Clients | Ours (a second) | PocketBase | Ratio | Floor | Share of the floor | Share of health | CPU (µs): ours, floor, times |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut health = Vec::new();
    for (measured, name) in ALL {
        for (column, clients) in [1, 8, 64].into_iter().enumerate() {
            let (mut own, mut other, mut bare) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..arguments.runs {
                own.push(run(&ours, measured, clients, arguments.seconds).await?);
                if let Some(theirs) = theirs.as_ref().filter(|_| !matches!(measured, Measured::Health)) {
                    other.push(run(theirs, measured, clients, arguments.seconds).await?);
                }
                if let Some(floor) = &floor {
                    bare.push(run(floor, measured, clients, arguments.seconds).await?);
                }
            }
            let speed = |runs: &[Run]| median(&runs.iter().map(|run| run.per_second).collect::<Vec<_>>());
            let cpu = |runs: &[Run]| median(&runs.iter().map(|run| run.cpu).collect::<Vec<_>>());
            health.extend(matches!(measured, Measured::Health).then(|| speed(&own)));
            let ratio = if other.is_empty() { String::new() } else { format!("{:.2}", speed(&own) / speed(&other)) };
            let share = if bare.is_empty() { String::new() } else { format!("{:.2}", speed(&own) / speed(&bare)) };
            let of_health = health.get(column).map_or(f64::NAN, |health| speed(&own) / health);
            let times = cpu(&own) / cpu(&bare);
            println!(
                "| {name} | {clients} | {} | {} | {ratio} | {} | {share} | {of_health:.2} | {:.0}, {:.0}, {times:.1} |",
                spread(&own),
                spread(&other),
                spread(&bare),
                cpu(&own),
                cpu(&bare)
            );
        }
    }
    Ok(())
}

/// Returns a process's CPU time so far in microseconds, or `None` if the system does not report it.
fn cpu_time(pid: u32) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The fields after the name, which may contain spaces: user and system time in ticks of 10 ms.
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) * 10_000.0)
}

/// Measures concurrent clients, each with one request at a time.
async fn run(server: &impl Server, measured: Measured, clients: usize, seconds: f64) -> Result<Run, Error> {
    let cpu_before = cpu_time(server.pid());
    let (client, done) = (Client::new(), Arc::new(AtomicUsize::new(0)));
    let started = Instant::now();
    let until = started + Duration::from_secs_f64(seconds);
    let work = (0..clients).map(|_| {
        let (client, done) = (client.clone(), Arc::clone(&done));
        async move {
            while Instant::now() < until {
                let answer = server.request(&client, measured).send().await?;
                if !answer.status().is_success() {
                    return Err(format!("{measured:?}: {} {}", answer.status(), answer.text().await?).into());
                }
                answer.bytes().await?;
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok::<_, Error>(())
        }
    });
    for ended in join_all(work).await {
        ended?;
    }
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    let count = done.load(Ordering::Relaxed) as f64;
    let per_second = count / started.elapsed().as_secs_f64();
    let cpu = cpu_before.zip(cpu_time(server.pid())).map_or(f64::NAN, |(before, after)| (after - before) / count);
    Ok(Run { per_second, cpu })
}

fn median(runs: &[f64]) -> f64 {
    let mut sorted = runs.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Formats the median, minimum and maximum.
fn spread(runs: &[Run]) -> String {
    let runs: Vec<_> = runs.iter().map(|run| run.per_second).collect();
    if runs.is_empty() {
        return "–".to_owned();
    }
    let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = runs.iter().copied().fold(0.0, f64::max);
    format!("**{:.0}** ({least:.0}–{most:.0})", median(&runs))
}
