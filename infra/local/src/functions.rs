//! Calls the functions as Lambda does: with an event and a response in JSON.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use event_capture::lambda::authorizer::Authorizer;
use event_capture::lambda::http::{self as service, Service as Served};
use event_capture::lambda::pages::{self, Pages};
use event_capture::lambda::{sequencer, socket, upkeep};
use event_capture::schema::Timestamp;
use event_capture::store::Store;
use functions::groups::{self, Group};
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, Response};
use lambda_http::Body;
use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequest;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::Error;
use crate::runtime::Environment;
use crate::template::{Function as Declared, Template};

/// The function that checks tokens for the gateway.
pub(crate) const AUTHORIZER: &str = "authorizer";
/// The function that runs on a schedule.
const SCHEDULED: &str = "upkeep";
/// The binary that receives the table's stream.
const STREAMED: &str = "sequencer";
/// The function that the gateway calls for the events of the socket's connections.
pub(crate) const SOCKET: &str = "socket";
/// The binary that serves the web pages.
const PAGES: &str = "pages";
const MAX_UPKEEP: Duration = Duration::from_mins(5);
const MAX_REQUEST: Duration = Duration::from_secs(29);
/// The platform's limit for an event and for a response, in bytes.
pub(crate) const MAX_EVENT: usize = 6 * 1024 * 1024;
/// The maximum number of concurrent processes of one function. Lambda would start more.
const ENVIRONMENTS: usize = 12;

/// The deployed functions by name.
#[derive(Clone)]
pub(crate) struct Functions(Arc<HashMap<String, Function>>);

enum Function {
    /// The function's code, which runs in this process.
    Inside(Inside),
    /// The function's binary, which runs in separate processes.
    Processes(Processes),
}

enum Inside {
    Http(Served),
    Pages(Pages),
    Authorizer(Authorizer),
    Upkeep(Store),
    Sequencer(Store),
    Socket(Store),
}

struct Processes {
    binary: PathBuf,
    variables: Vec<(String, String)>,
    idle: std::sync::Mutex<Vec<Environment>>,
    free: Semaphore,
}

impl Functions {
    /// Creates functions whose code runs in this process.
    pub(crate) fn inside(
        template: &Template,
        store_of: impl Fn(&str) -> Store,
        variables: &[(String, String)],
    ) -> Result<Self, Error> {
        let variable = |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let limit = variable("TOKEN_REQUESTS_PER_MINUTE").map(|limit| limit.parse()).transpose()?.unwrap_or_default();
        let function = |of: &Declared| {
            let store = store_of(&of.name);
            let inside = match of.binary.as_str() {
                AUTHORIZER => Inside::Authorizer(Authorizer::new(store, limit)),
                SCHEDULED => Inside::Upkeep(store),
                STREAMED => Inside::Sequencer(store),
                SOCKET => Inside::Socket(store),
                PAGES => Inside::Pages(Pages::from_variables(variable)),
                // All other functions serve HTTP.
                _ => {
                    let routes = Some(group(of)?.routes);
                    Inside::Http(Served { routes, ..Served::from_variables(store, variable)? })
                }
            };
            Ok((of.name.clone(), Function::Inside(inside)))
        };
        Ok(Self(Arc::new(template.functions.iter().map(function).collect::<Result<_, Error>>()?)))
    }

    /// Creates functions from the binaries that cargo lambda has built, one folder for each.
    pub(crate) fn binaries(
        template: &Template,
        environment_of: impl Fn(&str) -> Vec<(String, String)>,
        variables: &[(String, String)],
        folder: &Path,
    ) -> Result<Self, Error> {
        let function = |of: &Declared| {
            let binary = folder.join(&of.binary).join("bootstrap");
            if !binary.exists() {
                return Err(Error::from(format!(
                    "{} not found. Build it with `cargo lambda build --release -p functions --bin {}`.",
                    binary.display(),
                    of.binary
                )));
            }
            let own = of.group.iter().map(|name| ("GROUP".to_owned(), name.clone())).chain(warm_up(of)).collect();
            let processes = Processes {
                binary,
                variables: [environment_of(&of.name), own, variables.to_vec()].concat(),
                idle: std::sync::Mutex::default(),
                free: Semaphore::new(ENVIRONMENTS),
            };
            Ok((of.name.clone(), Function::Processes(processes)))
        };
        Ok(Self(Arc::new(template.functions.iter().map(function).collect::<Result<_, _>>()?)))
    }

    /// Calls a function by name.
    pub(crate) async fn call(&self, name: &str, event: &Value) -> Result<Value, Error> {
        match self.function(name)? {
            Function::Inside(inside) => inside.call(event).await,
            Function::Processes(processes) => {
                let longest = if name == SCHEDULED { MAX_UPKEEP } else { MAX_REQUEST };
                Ok(serde_json::from_str(&processes.call(event.to_string(), longest).await?)?)
            }
        }
    }

    /// Calls a function that answers HTTP requests.
    pub(crate) async fn request(&self, name: &str, event: ApiGatewayV2httpRequest) -> Result<Response<Body>, Error> {
        let (response, size) = match self.function(name)? {
            Function::Inside(inside) => {
                let response = inside.request(event).await?;
                let size = json_size(response.body())?;
                (response, size)
            }
            Function::Processes(processes) => {
                let answer = processes.call(serde_json::to_string(&event)?, MAX_REQUEST).await?;
                (to_response(&serde_json::from_str(&answer)?)?, answer.len())
            }
        };
        if size > MAX_EVENT {
            return Err("the function's response is larger than the platform's limit".into());
        }
        Ok(response)
    }

    fn function(&self, name: &str) -> Result<&Function, Error> {
        self.0.get(name).ok_or_else(|| format!("template.yaml has no function {name}").into())
    }
}

/// Returns the resource group of a function.
fn group(of: &Declared) -> Result<&'static Group, Error> {
    groups::from_variable(of.group.as_deref()).map_err(|error| format!("template.yaml: {}: {error}", of.name).into())
}

/// Returns the variable with the item that a function reads during its init, if its policy allows reads.
fn warm_up(of: &Declared) -> Option<(String, String)> {
    let readable = ["stamps/0", "feed/0"].into_iter().find(|key| of.may("dynamodb:GetItem", "Table.Arn", key));
    readable.map(|key| ("WARM_UP_KEY".to_owned(), key.to_owned()))
}

impl Inside {
    async fn call(&self, event: &Value) -> Result<Value, Error> {
        match self {
            Self::Authorizer(authorizer) => Ok(authorizer.answer(event).await),
            Self::Upkeep(store) => {
                let report = upkeep::scheduled(store, Timestamp::now(), Instant::now() + MAX_UPKEEP).await?;
                Ok(serde_json::to_value(report)?)
            }
            Self::Sequencer(store) => Ok(sequencer::run(store, event, Timestamp::now()).await?),
            Self::Socket(store) => Ok(socket::answer(&store.for_request(), event, Timestamp::now()).await?),
            Self::Pages(_) | Self::Http(_) => Err("this function answers HTTP requests".into()),
        }
    }

    async fn request(&self, event: ApiGatewayV2httpRequest) -> Result<Response<Body>, Error> {
        match self {
            Self::Pages(pages) => Ok(pages::answer_here(pages, event)),
            // A panic in a function fails only this request, as in a separate process.
            Self::Http(service) => {
                let answering = AssertUnwindSafe(service::answer_here(service.clone(), event)).catch_unwind();
                answering.await.map_err(|_| "the function panicked".into())
            }
            _ => Err("this function answers no HTTP requests".into()),
        }
    }
}

/// Returns the bytes of a body in JSON. An upper bound, if even that is far below the platform's limit.
fn json_size(body: &Body) -> Result<usize, Error> {
    Ok(match body {
        // No character takes more than six bytes.
        Body::Text(text) if text.len() * 6 < MAX_EVENT => text.len() * 6,
        Body::Text(text) => serde_json::to_string(text)?.len(),
        Body::Binary(bytes) => bytes.len().div_ceil(3) * 4,
        _ => 0,
    })
}

/// Returns the response that a function has described.
fn to_response(answer: &Value) -> Result<Response<Body>, Error> {
    let body = answer["body"].as_str().unwrap_or_default();
    let body = if answer["isBase64Encoded"] == true { Body::Binary(STANDARD.decode(body)?) } else { body.into() };
    let status = answer["statusCode"]
        .as_u64()
        .and_then(|status| u16::try_from(status).ok())
        .ok_or("the function's response has no status")?;
    let mut response = Response::builder().status(status).body(body)?;
    for (name, value) in answer["headers"].as_object().into_iter().flatten() {
        let value = HeaderValue::from_str(value.as_str().unwrap_or_default())?;
        response.headers_mut().insert(HeaderName::from_bytes(name.as_bytes())?, value);
    }
    Ok(response)
}

impl Processes {
    async fn call(&self, event: String, longest: Duration) -> Result<String, Error> {
        let _free = self.free.acquire().await?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut environment = match idle {
            Some(environment) => environment,
            None => Environment::start(&self.binary, &self.variables).await?,
        };
        let answer = environment.invoke(event, longest).await?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(environment);
        Ok(answer)
    }
}
