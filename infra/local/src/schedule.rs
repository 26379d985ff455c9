//! The schedules of the template. Each calls its function at startup, then at its rate.

use std::time::Duration;

use serde_json::json;
use tokio::sync::watch;

use crate::Error;
use crate::functions::Functions;
use crate::template::Template;

/// Starts all schedules. They end when the stack stops.
pub(crate) fn start(template: &Template, functions: &Functions, stopped: &watch::Receiver<bool>) -> Result<(), Error> {
    for schedule in &template.schedules {
        let mut ticks = tokio::time::interval(rate(&schedule.expression)?);
        let (functions, function, mut stopped) = (functions.clone(), schedule.function.clone(), stopped.clone());
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    _ = ticks.tick() => {}
                    _ = stopped.changed() => return,
                }
                if let Err(error) = functions.call(&function, &json!({})).await {
                    tracing::warn!(%error, function, "a scheduled call failed; the next call follows on schedule");
                }
            }
        });
    }
    Ok(())
}

/// Parses the period of an expression such as `rate(5 minutes)`.
fn rate(expression: &str) -> Result<Duration, Error> {
    let parse = || {
        let (value, unit) = expression.strip_prefix("rate(")?.strip_suffix(')')?.split_once(' ')?;
        let seconds = match unit.trim_end_matches('s') {
            "minute" => 60,
            "hour" => 60 * 60,
            "day" => 24 * 60 * 60,
            _ => return None,
        };
        Some(Duration::from_secs(value.parse::<u64>().ok()? * seconds))
    };
    parse().ok_or_else(|| format!("template.yaml: the local stack does not support the schedule {expression}").into())
}
