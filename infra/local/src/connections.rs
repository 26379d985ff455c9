//! Connections of the port: one that is slow or silent ends by itself.

use std::io;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long a client may take for the headers of its next request.
const LONGEST_HEADERS: Duration = Duration::from_secs(10);
/// The pause where no connection can be accepted: mostly, too many files are open.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until the stack stops, and then until every request in flight is answered.
pub(crate) async fn serve(listener: TcpListener, router: Router, mut stopped: watch::Receiver<bool>) -> io::Result<()> {
    let connections = GracefulShutdown::new();
    let mut server = Builder::new(TokioExecutor::new()).http1_only();
    server.http1().timer(TokioTimer::new()).header_read_timeout(LONGEST_HEADERS);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        // Small answers are not held back to be sent with more.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = server.serve_connection_with_upgrades(TokioIo::new(stream), service).into_owned();
        let connection = connections.watch(connection);
        // That a client has gone, or was too slow, is its own matter.
        tokio::spawn(async move { drop(connection.await) });
    }
    connections.shutdown().await;
    Ok(())
}
