//! The `status` command: shows whether a service runs, its connection to Twitch, and its last event.

use serde_json::{Value, json};
use transfer::{Api, Service};

use crate::Error;

/// Show whether a service runs, its connection to Twitch, and its last event.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// URL of the service.
    #[arg(long, global = true, value_name = "URL", env = "EVENT_CAPTURE_URL", default_value = "http://127.0.0.1:3000")]
    url: String,
    /// Token with the scope `read`, if the service requires one.
    #[arg(long, global = true, env = "EVENT_CAPTURE_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Print JSON: the bodies of `GET /health` and `GET /connections/twitch`, the last event and the feed's head.
    #[arg(long)]
    json: bool,
}

/// Runs the command. Fails unless the service runs and its table is intact.
pub(crate) async fn run(Options { url, token, json }: Options) -> Result<(), Error> {
    let api = Api::new(&Service { url, token, concurrency: 1 })?;
    api.check().await?;
    let get = async |path: &str| {
        let response = api.get(path).await?;
        Ok::<_, Error>((serde_json::from_slice::<Value>(&response.body)?, response.feed_head))
    };
    let health = get("health").await?.0;
    match health["status"].as_str() {
        Some("ok") => {}
        Some("damaged") => {
            return Err("The table is damaged. Stop the service, and restore a backup of its folder.".into());
        }
        _ => return Err(format!("{} is another service. Set the URL with --url.", api.base()).into()),
    }
    if !json {
        println!("The service at {} is running.", api.base());
    }
    let all = tokio::try_join!(get("connections/twitch"), get("events?limit=1"), get("feed?limit=1"));
    let ((twitch, _), (events, _), (_, head)) =
        all.map_err(|error| format!("{error}\nSet a token with --token or EVENT_CAPTURE_TOKEN."))?;
    let event = &events[0];
    if json {
        println!("{}", json!({"health": health, "twitch": twitch, "event": event, "feed_head": head}));
    } else {
        let channel = twitch["channel"]["name"].as_str().map(|name| format!(", channel {name}")).unwrap_or_default();
        println!("Twitch: {}{channel}", twitch["state"].as_str().unwrap_or("unknown"));
        match event["occurred_at"].as_str() {
            Some(time) => println!(
                "Last event: {} at {}",
                event["event_type"].as_str().unwrap_or_default(),
                system::local_time(time)
            ),
            None => println!("Last event: none"),
        }
        println!("Last entry of the feed: {}", head.unwrap_or_default());
    }
    Ok(())
}
