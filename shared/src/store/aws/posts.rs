//! The socket's connections in API Gateway.

use aws_config::SdkConfig;
use aws_sdk_apigatewaymanagement::Client;
use aws_sdk_apigatewaymanagement::operation::post_to_connection::PostToConnectionError;
use aws_sdk_apigatewaymanagement::primitives::Blob;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::Lazy;
use crate::store::SocketSender;

/// The connections of a WebSocket API.
#[derive(Debug)]
pub struct Connections(Lazy<Client>);

impl Connections {
    pub fn new(config: SdkConfig) -> Self {
        Self(Lazy::new(Box::new(move || Client::new(&config))))
    }
}

impl SocketSender for Connections {
    fn post<'a>(&'a self, id: &'a str, text: &'a str) -> BoxFuture<'a, bool> {
        async move {
            match self.0.post_to_connection().connection_id(id).data(Blob::new(text)).send().await {
                Ok(_) => true,
                Err(error) if error.as_service_error().is_some_and(PostToConnectionError::is_gone_exception) => false,
                Err(error) => {
                    tracing::warn!(cause = ?error, "could not send a push");
                    true
                }
            }
        }
        .boxed()
    }

    fn close<'a>(&'a self, id: &'a str) -> BoxFuture<'a, ()> {
        async move {
            if let Err(error) = self.0.delete_connection().connection_id(id).send().await {
                tracing::warn!(cause = ?error, "could not close a connection");
            }
        }
        .boxed()
    }
}
