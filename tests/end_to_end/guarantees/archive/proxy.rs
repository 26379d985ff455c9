//! A proxy in front of a service that makes pages short and changes the service before each of them.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use end_to_end::Api;
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

/// A change to the source. It receives the number of earlier changes.
pub(super) type Change = Arc<dyn Fn(Api, usize) -> BoxFuture<'static, ()> + Send + Sync>;

pub(super) fn change<F: Future<Output = ()> + Send + 'static>(
    change: impl Fn(Api, usize) -> F + Send + Sync + 'static,
) -> Change {
    Arc::new(move |api, number| Box::pin(change(api, number)))
}

/// A service with short pages that changes while it is read.
#[derive(Clone)]
pub(super) struct Proxy {
    source: Api,
    /// The first segment of the lists that a change precedes.
    resource: &'static str,
    /// The number of records per page.
    page: usize,
    change: Change,
    /// Whether changes also precede the reads of single records.
    changes_always: bool,
    pub(super) changes: Arc<Mutex<usize>>,
    /// The number of reads of single records.
    pub(super) reads: Arc<AtomicUsize>,
}

impl Proxy {
    pub(super) fn new(source: &Api, resource: &'static str, page: usize, change: Change) -> Self {
        let (changes, reads) = (Arc::default(), Arc::default());
        Self { source: source.clone(), resource, page, change, changes_always: false, changes, reads }
    }

    /// Also makes changes before the reads of single records.
    pub(super) fn always(self) -> Self {
        Self { changes_always: true, ..self }
    }

    pub(super) async fn start(&self) -> Api {
        let proxy = self.clone();
        let answer = move |request: Request| {
            let proxy = proxy.clone();
            async move { proxy.answer(request).await }
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        Api::at(&format!("http://{address}"))
    }

    async fn answer(&self, request: Request) -> Response {
        let target = request.uri().path_and_query().expect("a path").as_str();
        let target = target.replace("limit=500", &format!("limit={}", self.page));
        let is_page = target.contains("limit=") && target[1..].starts_with(&format!("{}?", self.resource));
        let is_record = !target.contains('?') && target.matches('/').count() == 2;
        self.reads.fetch_add(usize::from(is_record), Ordering::Relaxed);
        let mut changes = self.changes.lock().await;
        if is_page || (is_record && self.changes_always) {
            (self.change)(self.source.clone(), *changes).await;
            *changes += 1;
        }
        // The next request's change follows this response.
        let reply = self.source.get(&target).await;
        drop(changes);
        let mut response = Response::builder().status(reply.status);
        for (name, value) in
            reply.headers.iter().filter(|(name, _)| !["content-length", "transfer-encoding"].contains(&name.as_str()))
        {
            response = response.header(name, value);
        }
        response.body(Body::from(reply.bytes)).expect("a response")
    }
}
