//! TLS for all connections of the process: rustls on `ring`, as in the deployed functions, with the certificates that the
//! system trusts.

use std::sync::Arc;

use reqwest::{Client, ClientBuilder};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};

use crate::Error;

/// Install the provider of this process. HTTP clients cannot be created before. Can be repeated.
pub fn install() {
    if CryptoProvider::get_default().is_none() {
        // Another thread may have installed the same provider in between.
        let _ = ring::default_provider().install_default();
    }
}

/// Build a client. On a machine without certificates of authorities, such as an empty container, it reaches plain HTTP only.
///
/// # Errors
/// If the system refuses it.
pub fn client(builder: impl Fn() -> ClientBuilder) -> reqwest::Result<Client> {
    builder().build().or_else(|_| {
        tracing::warn!("this machine has no certificates of authorities: HTTPS fails. Install ca-certificates.");
        builder().tls_certs_only([]).build()
    })
}

/// Create a connector for sockets.
pub(crate) fn connector() -> Result<TlsConnector, Error> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = builder.with_safe_default_protocol_versions()?.with_platform_verifier()?.with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
