//! TLS for all connections: rustls on `ring`, as in the deployed functions, with the system's trusted certificates.

use std::sync::Arc;

use reqwest::{Client, ClientBuilder};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};

use crate::Error;

/// Installs the process's TLS provider, which is required to create HTTP clients. Can be called repeatedly.
pub fn install() {
    if CryptoProvider::get_default().is_none() {
        // Another thread may have installed the same provider in between.
        let _ = ring::default_provider().install_default();
    }
}

/// Builds an HTTP client. Without CA certificates, as in an empty container, it supports only plain HTTP.
///
/// # Errors
/// If the client cannot be built.
pub fn client(builder: impl Fn() -> ClientBuilder) -> reqwest::Result<Client> {
    builder().build().or_else(|_| {
        tracing::warn!("no CA certificates found: HTTPS will fail. Install ca-certificates.");
        builder().tls_certs_only([]).build()
    })
}

/// Creates a TLS connector for sockets.
pub(crate) fn connector() -> Result<TlsConnector, Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = builder.with_safe_default_protocol_versions()?.with_platform_verifier()?.with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
