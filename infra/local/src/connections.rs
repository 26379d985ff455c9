//! The connections of the port. A slow or silent client is disconnected, whether it is sending or receiving.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_io_timeout::TimeoutStream;

use crate::problems::ProblemRewriter;

/// Maximum time for a client to send the headers of its next request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause after failing to accept a connection, usually because too many files are open.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves requests until the stack stops, then completes the requests in flight. Disconnects a client that reads
/// nothing for `client_silence`. `base` is the URL of the service.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    base: Arc<str>,
    client_silence: Duration,
    mut stopped: watch::Receiver<bool>,
) -> io::Result<()> {
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT.min(client_silence));
    // A client may close its sending side as soon as it has sent its request (RFC 9112, section 9.6).
    server.half_close(true);
    // Each connection holds a sender. The channel closes when the last connection ends.
    let (open_connections, mut all_closed) = mpsc::channel::<()>(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        // Disables Nagle's algorithm to send small responses immediately.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(client_silence));
        let stream = TokioIo::new(ProblemRewriter::new(Box::pin(stream), Arc::clone(&base)));
        let connection = server.serve_connection(stream, service).with_upgrades();
        let (open_connections, mut stopped) = (open_connections.clone(), stopped.clone());
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            // Errors are ignored: the client has disconnected, or was too slow.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = async { drop(stopped.wait_for(|stopped| *stopped).await) } => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
            drop(open_connections);
        });
    }
    drop(open_connections);
    all_closed.recv().await;
    Ok(())
}
