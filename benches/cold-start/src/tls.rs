//! A TLS proxy in front of the local stack, with a self-signed certificate.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use event_capture::Error;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// The root certificates that a deployed function contains. The measured function reads these and the proxy's.
const AMAZON_ROOTS: &str = include_str!("../../../shared/src/store/aws/amazon-roots.pem");

/// The address of the table over TLS.
pub(crate) struct Tls {
    pub(crate) port: u16,
    /// The path of the file with the trusted roots: Amazon's and the proxy's certificate.
    pub(crate) roots: String,
}

/// Starts a proxy that forwards connections to the table.
pub(crate) async fn start(table: SocketAddr, folder: &Path) -> Result<Tls, Error> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()])?;
    let roots = folder.join("roots.pem");
    std::fs::write(&roots, AMAZON_ROOTS.to_owned() + &cert.pem())?;
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let port = listener.local_addr()?.port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(relay(stream, acceptor.clone(), table));
        }
    });
    Ok(Tls { port, roots: roots.to_string_lossy().into_owned() })
}

async fn relay(stream: TcpStream, acceptor: TlsAcceptor, table: SocketAddr) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut outside = acceptor.accept(stream).await?;
    let mut inside = TcpStream::connect(table).await?;
    inside.set_nodelay(true)?;
    copy_bidirectional(&mut outside, &mut inside).await?;
    Ok(())
}
