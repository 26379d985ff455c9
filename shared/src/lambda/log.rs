//! The log. Only this module decides what a line contains.
//!
//! A line is one JSON object with a message. The line of a request also has its identifier, route, status, duration and
//! cost. A line never contains a body, a value of a path or query, a header, or the URL of an image. The service passes
//! none of these to an event. Events of other crates are reduced to their message, and a panic to its source location.
//!
//! The line of a request also contains its metrics, in the
//! [embedded metric format](https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).

use std::fmt;
use std::io::Write;
use std::time::Duration;

use http::{Method, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber, span};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;

use crate::schema::Timestamp;
use crate::store::Cost;

/// Target of events that contain metrics.
const METRICS: &str = "capture_core::metrics";
const NAMESPACE: &str = "EventCapture";

/// The log line of a request, after the response.
pub struct RequestLog<'a> {
    /// Method of the request.
    pub method: &'a Method,
    /// Route, with each identifier replaced by its name.
    pub route: &'a str,
    /// Dimension of the metrics: the route, or one common name for all chained routes.
    pub endpoint: &'a str,
    /// Status of the response.
    pub status: StatusCode,
    /// Time from the event to the response.
    pub duration: Duration,
    /// Cost of the calls to the store.
    pub cost: &'a Cost,
}

impl RequestLog<'_> {
    /// Writes the line.
    pub fn log(&self) {
        tracing::info!(
            target: METRICS,
            method = %self.method,
            route = self.route,
            endpoint = self.endpoint,
            status = self.status.as_u16(),
            requests = 1,
            errors = u32::from(self.status.is_server_error()),
            duration = self.duration.as_secs_f64() * 1_000.0,
            round_trips = self.cost.round_trips(),
            read_units = self.cost.read_units(),
            write_units = self.cost.write_units(),
            "answered"
        );
    }
}

/// Fields of a request that are metrics, with their units.
const UNITS: [(&str, &str); 5] = [
    ("requests", "Count"),
    ("errors", "Count"),
    ("duration", "Milliseconds"),
    ("read_units", "Count"),
    ("write_units", "Count"),
];

/// Starts the log of a function on its standard output. `AWS_LAMBDA_LOG_LEVEL` sets the level. `METRICS_STACK` is the
/// stack's name in the metrics; if it is not set, the log contains no metrics.
pub fn start() {
    let level = std::env::var("AWS_LAMBDA_LOG_LEVEL").ok().and_then(|level| level.parse().ok());
    let stack = std::env::var("METRICS_STACK").ok().filter(|stack| !stack.is_empty());
    let lines = Lines { writer: std::io::stdout, level: level.unwrap_or(Level::INFO), stack };
    tracing_subscriber::registry().with(lines).init();
    std::panic::set_hook(Box::new(|panic| {
        let position = panic.location().map(ToString::to_string);
        tracing::error!(position, "the function panicked");
    }));
}

/// A `tracing` layer that writes events as lines of JSON.
pub struct Lines<W> {
    /// Destination of the lines.
    pub writer: W,
    /// Least severe level that is written.
    pub level: Level,
    /// Name of the stack in the metrics. `None` for no metrics.
    pub stack: Option<String>,
}

/// The fields of an event or a span, as the text of the members of a JSON object.
#[derive(Clone, Debug, Default)]
struct Fields {
    members: String,
    /// Whether to omit every field but the message.
    only_message: bool,
}

impl Fields {
    fn add(&mut self, name: &str, value: impl Serialize) {
        if self.only_message && name != "message" {
            return;
        }
        for part in [if self.members.is_empty() { "\"" } else { ",\"" }, name, "\":"] {
            self.members.push_str(part);
        }
        // Numbers and texts can always be written.
        self.members.push_str(&serde_json::to_string(&value).unwrap_or_default());
    }
}

impl Visit for Fields {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field.name(), value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field.name(), format!("{value:?}"));
    }
}

fn is_ours(target: &str) -> bool {
    target.starts_with("capture_core")
}

impl<S, W> Layer<S> for Lines<W>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    fn enabled(&self, metadata: &tracing::Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() <= self.level && (is_ours(metadata.target()) || *metadata.level() <= Level::WARN)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::from_level(self.level))
    }

    fn on_new_span(&self, attributes: &span::Attributes<'_>, id: &span::Id, context: Context<'_, S>) {
        if let Some(span) = context.span(id).filter(|span| is_ours(span.metadata().target())) {
            let mut fields = Fields::default();
            attributes.record(&mut fields);
            span.extensions_mut().insert(fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let metadata = event.metadata();
        let mut line = Fields::default();
        line.add("timestamp", Timestamp::now());
        line.add("level", metadata.level().as_str());
        for span in context.event_scope(event).into_iter().flatten() {
            if let Some(Fields { members, .. }) =
                span.extensions().get().filter(|of_span: &&Fields| !of_span.members.is_empty())
            {
                line.members.push(',');
                line.members.push_str(members);
            }
        }
        line.only_message = !is_ours(metadata.target());
        event.record(&mut line);
        if let (METRICS, Some(stack)) = (metadata.target(), &self.stack) {
            line.add("stack", stack);
            line.add("_aws", directive());
        }
        // A single call keeps the lines of several threads apart. A failure to write the log cannot be reported.
        let _ = self.writer.make_writer().write_all(format!("{{{}}}\n", line.members).as_bytes());
    }
}

/// Returns the metadata that makes CloudWatch extract metrics from a line.
fn directive() -> Value {
    let now = i64::try_from(Timestamp::now().unix_millis()).unwrap_or_default();
    let metrics = UNITS.map(|(name, unit)| json!({"Name": name, "Unit": unit}));
    json!({
        "Timestamp": now,
        "CloudWatchMetrics": [{"Namespace": NAMESPACE, "Dimensions": [["stack", "endpoint"]], "Metrics": metrics}],
    })
}
