//! The functions' log, captured for tests.

use std::io::{self, Write};
use std::sync::{Mutex, Once, PoisonError};

use capture_core::lambda::log::Lines;
use serde_json::Value;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

static WRITTEN: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static STARTED: Once = Once::new();

struct CapturedLogs;

impl Write for CapturedLogs {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Captures this process's log from now on, in the functions' format.
pub fn keep() {
    STARTED.call_once(|| {
        let lines = Lines { writer: || CapturedLogs, level: tracing::Level::DEBUG, stack: Some("test".to_owned()) };
        tracing_subscriber::registry().with(lines).init();
    });
}

/// Returns this process's log so far.
pub fn text() -> String {
    String::from_utf8_lossy(&WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}

/// Returns the log lines of a request.
pub fn of(request_id: &str) -> Vec<Value> {
    let lines = text();
    let lines = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
    lines.filter(|line: &Value| line["request_id"] == request_id).collect()
}
