//! Problem documents for requests that are not valid HTTP. The HTTP layer itself rejects them without a body.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use capture_core::error::Error as Problem;
use capture_core::lambda::http::REQUEST_ID;
use http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::gateway::MAX_TARGET;

/// A stream that replaces the responses without a body that the HTTP layer creates.
pub(crate) struct ProblemRewriter<S> {
    stream: S,
    /// URL of the service. A request that is not valid HTTP might not name a host.
    base: Arc<str>,
    /// Replacement that is being written: its bytes, the number of bytes written, and the length of the original.
    replacing: Option<(Vec<u8>, usize, usize)>,
}

impl<S> ProblemRewriter<S> {
    pub(crate) fn new(stream: S, base: Arc<str>) -> Self {
        Self { stream, base, replacing: None }
    }
}

/// Builds the replacement for a response that the HTTP layer created. Such a response has one of these statuses, and
/// only the headers `connection`, `content-length` and `date`. Responses of the service have more headers.
fn replacement(response: &[u8], base: &str) -> Option<Vec<u8>> {
    let rest = response.strip_prefix(b"HTTP/1.1 4")?;
    let problem = match &rest[..2.min(rest.len())] {
        b"00" => Problem::invalid_header(
            "The request is not valid HTTP. Percent-encode the path and the query, and send one Content-Length.",
        ),
        b"14" => Problem::url_too_long(MAX_TARGET),
        b"31" => Problem::invalid_header("The headers are too large. Send at most 100 headers.")
            .with_status(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE),
        _ => return None,
    };
    let head = std::str::from_utf8(response).ok()?.strip_suffix("\r\n\r\n")?;
    let is_default = |line: &str| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        ["connection", "content-length", "date"].contains(&name.as_str())
    };
    if !head.split("\r\n").skip(1).all(is_default) {
        return None;
    }
    let id = format!("{:016x}", fastrand::u64(..));
    let status = problem.status();
    tracing::debug!(request_id = id, %status, "request refused by the HTTP layer");
    let body = problem.to_problem(base, &id).to_string();
    let length = body.len();
    let headers = format!(
        "content-type: application/problem+json\r\ncontent-length: {length}\r\n{REQUEST_ID}: {id}\r\nconnection: close"
    );
    Some(format!("HTTP/1.1 {status}\r\n{headers}\r\n\r\n{body}").into_bytes())
}

impl<S: AsyncWrite + Unpin> ProblemRewriter<S> {
    /// Writes the entire replacement, then reports the original as written.
    fn write_replacement(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<usize>>> {
        let Some((text, written, original)) = &mut self.replacing else { return Poll::Ready(None) };
        while *written < text.len() {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, &text[*written..])) {
                Ok(0) => return Poll::Ready(Some(Err(io::ErrorKind::WriteZero.into()))),
                Ok(count) => *written += count,
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        let original = *original;
        self.replacing = None;
        Poll::Ready(Some(Ok(original)))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ProblemRewriter<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replacing.is_none() {
            self.replacing = replacement(bytes, &self.base).map(|text| (text, 0, bytes.len()));
        }
        match ready!(self.write_replacement(cx)) {
            Some(written) => Poll::Ready(written),
            None => Pin::new(&mut self.stream).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first = parts.iter().find(|part| !part.is_empty());
        let is_only_part = parts.iter().filter(|part| !part.is_empty()).count() == 1;
        match first {
            Some(first) if is_only_part => self.poll_write(cx, first),
            _ => Pin::new(&mut self.stream).poll_write_vectored(cx, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ProblemRewriter<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}
