//! Progress output: a bar on a terminal, and lines elsewhere, such as in the log of a scheduled job.

use std::io::{IsTerminal, Result};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::style::TemplateError;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

/// Time between two lines. A command that finishes sooner writes none.
const LINE_INTERVAL: Duration = Duration::from_secs(5);
/// Terminal width, wider than any line.
const LINE_WIDTH: u16 = 200;

/// Creates a progress bar. Its message is the current step, and `figures` is an indicatif template.
///
/// # Errors
/// If the template is invalid.
pub fn bar(length: u64, figures: &str) -> std::result::Result<ProgressBar, TemplateError> {
    let bar = ProgressBar::new(length);
    if std::io::stderr().is_terminal() {
        return Ok(bar.with_style(ProgressStyle::with_template(&format!("{{msg:14}} {{bar:30}} {figures}"))?));
    }
    bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(Lines::new(Instant::now()))));
    Ok(bar.with_style(ProgressStyle::with_template(&format!("{{msg:14}} {figures}"))?))
}

/// Line output in place of a terminal. indicatif redraws the bar, padded with spaces to the terminal width.
#[derive(Debug)]
struct Lines {
    /// Earliest time of the next line.
    due: Mutex<Instant>,
}

impl Lines {
    fn new(now: Instant) -> Self {
        Self { due: Mutex::new(now + LINE_INTERVAL) }
    }

    /// Returns the line to write for a drawn text. `None` shortly after the last line, or if the text is only padding.
    fn line<'a>(&self, text: &'a str, now: Instant) -> Option<&'a str> {
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        if now < *due || text.is_empty() || text.starts_with(char::is_whitespace) {
            return None;
        }
        *due = now + LINE_INTERVAL;
        Some(text.trim_end())
    }
}

impl TermLike for Lines {
    fn width(&self) -> u16 {
        LINE_WIDTH
    }

    fn write_str(&self, text: &str) -> Result<()> {
        if let Some(line) = self.line(text, Instant::now()) {
            eprintln!("{line}");
        }
        Ok(())
    }

    fn write_line(&self, text: &str) -> Result<()> {
        self.write_str(text)
    }

    fn move_cursor_up(&self, _: usize) -> Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> Result<()> {
        Ok(())
    }

    fn clear_line(&self) -> Result<()> {
        Ok(())
    }

    fn flush(&self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_written_once_in_each_interval() {
        let start = Instant::now();
        let lines = Lines::new(start);
        let at = |text, seconds| lines.line(text, start + Duration::from_secs(seconds));
        assert_eq!(at("users          3 of 9", 1), None, "the command has only begun");
        assert_eq!(at("", 5), None);
        assert_eq!(at("      ", 5), None, "the rest of a line");
        assert_eq!(at("users          5 of 9   ", 6), Some("users          5 of 9"));
        assert_eq!(at("users          6 of 9", 8), None);
        assert_eq!(at("users          9 of 9", 11), Some("users          9 of 9"));
    }
}
