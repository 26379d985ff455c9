//! Calls the functions as Lambda does, with events and responses in JSON.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use capture_core::lambda::access::Caller;
use capture_core::lambda::authorizer::Authorizer;
use capture_core::lambda::gateway::GatewayRequest;
use capture_core::lambda::http::{self as service, Service as Served};
use capture_core::lambda::pages::Pages;
use capture_core::lambda::stream::Batch;
use capture_core::lambda::{follower, sequencer, socket, upkeep};
use capture_core::schema::Timestamp;
use capture_core::store::Store;
use capture_core::webhooks::twitch::Twitch;
use capture_core::webhooks::twitch::connection::Connection;
use functions::groups::{self, Group};
use futures_util::FutureExt;
use http::{Response, header};
use lambda_http::Body;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::Error;
use crate::continuous::{RUNNING, continuous};
use crate::event::{MAX_EVENT, event, json_size, to_response};
use crate::runtime::Environment;
use crate::template::{Function as Declared, Template};

/// Function that checks tokens for the gateway.
const AUTHORIZER: &str = "authorizer";
/// Variable of the functions that identifies the channel: Twitch's identifier of the broadcaster.
pub(crate) const TWITCH_CHANNEL: &str = "TWITCH_BROADCASTER_ID";
/// Function that runs on a schedule.
const UPKEEP: &str = "upkeep";
/// Binary that pushes the feed's head and pays for new events.
const FOLLOWER: &str = "follower";
/// Binary that appends changes of the table's stream to the feed.
const SEQUENCER: &str = "sequencer";
/// Function that the gateway calls for events of socket connections.
pub(crate) const SOCKET: &str = "socket";
/// Group of the function that describes the connection to Twitch.
const CONNECTIONS: &str = "connections";
/// Binary that serves the web pages.
const PAGES: &str = "pages";
const MAX_UPKEEP: Duration = Duration::from_mins(5);
const MAX_REQUEST: Duration = Duration::from_secs(29);
/// Maximum number of concurrent processes of one function. Lambda would start more.
const MAX_ENVIRONMENTS: usize = 12;

/// Deployed functions by name.
#[derive(Clone)]
pub(crate) struct Functions(Arc<HashMap<String, Function>>);

enum Function {
    /// Code that runs in this process.
    InProcess(InProcess),
    /// Binary that runs in separate processes.
    Processes(Processes),
}

enum InProcess {
    Http(Box<RwLock<Served>>),
    Pages(Pages),
    Authorizer(Authorizer),
    Upkeep(Store),
    Sequencer(Store),
    Socket(Store),
    Follower(Store),
}

struct Processes {
    binary: PathBuf,
    variables: RwLock<Vec<(String, String)>>,
    /// Idle processes, each with the number of the configuration that it was started with.
    idle: std::sync::Mutex<Vec<(usize, Environment)>>,
    /// Number of the configuration. Processes with an earlier configuration get no more events.
    configuration: AtomicUsize,
    permits: Semaphore,
}

impl Functions {
    /// Creates functions that run in this process.
    pub(crate) fn in_process(
        template: &Template,
        store_of: impl Fn(&str) -> Store,
        variables: &[(String, String)],
    ) -> Result<Self, Error> {
        let variable =
            |name: &str| variables.iter().find(|(candidate, _)| candidate == name).map(|(_, value)| value.clone());
        let limit = variable("TOKEN_REQUESTS_PER_MINUTE").map(|limit| limit.parse()).transpose()?.unwrap_or_default();
        let function = |declared: &Declared| {
            let store = store_of(&declared.name);
            let code = match declared.binary.as_str() {
                AUTHORIZER => InProcess::Authorizer(Authorizer::new(store, limit)),
                UPKEEP => InProcess::Upkeep(store),
                SEQUENCER => InProcess::Sequencer(store),
                SOCKET => InProcess::Socket(store),
                FOLLOWER => InProcess::Follower(store),
                PAGES => InProcess::Pages(Pages::from_variables(variable)),
                // All other functions serve HTTP.
                _ => {
                    let routes = Some(group(declared)?.routes);
                    let service = Served { routes, ..Served::from_variables(store, variable)? };
                    InProcess::Http(Box::new(RwLock::new(service)))
                }
            };
            Ok((declared.name.clone(), Function::InProcess(code)))
        };
        Ok(Self(Arc::new(template.functions.iter().map(function).collect::<Result<_, Error>>()?)))
    }

    /// Creates functions from the binaries that cargo lambda built, one folder for each.
    pub(crate) fn binaries(
        template: &Template,
        environment_of: impl Fn(&str) -> Vec<(String, String)>,
        variables: &[(String, String)],
        folder: &Path,
    ) -> Result<Self, Error> {
        let function = |declared: &Declared| {
            let binary = folder.join(&declared.binary).join("bootstrap");
            if !binary.exists() {
                return Err(Error::from(format!(
                    "{} not found. Build it with `cargo lambda build --release -p functions --bin {}`.",
                    binary.display(),
                    declared.binary
                )));
            }
            let variables_of_function =
                declared.group.iter().map(|name| ("GROUP".to_owned(), name.clone())).chain(warm_up(declared)).collect();
            let processes = Processes {
                binary,
                variables: RwLock::new(
                    [environment_of(&declared.name), variables_of_function, variables.to_vec()].concat(),
                ),
                idle: std::sync::Mutex::default(),
                configuration: AtomicUsize::default(),
                permits: Semaphore::new(MAX_ENVIRONMENTS),
            };
            Ok((declared.name.clone(), Function::Processes(processes)))
        };
        Ok(Self(Arc::new(template.functions.iter().map(function).collect::<Result<_, _>>()?)))
    }

    /// Runs the function of the connections in this process, which holds the connection, regardless of the other
    /// functions.
    pub(crate) fn with_connection(
        self,
        template: &Template,
        store_of: impl Fn(&str) -> Store,
        connection: &Arc<dyn Connection>,
    ) -> Result<Self, Error> {
        let Ok(mut functions) = Arc::try_unwrap(self.0) else { return Err("the functions are in use".into()) };
        for declared in template.functions.iter().filter(|declared| declared.group.as_deref() == Some(CONNECTIONS)) {
            let service = Served::from_variables(store_of(&declared.name), |_| None)?;
            let routes = Some(group(declared)?.routes);
            let service = Served { routes, connection: Some(Arc::clone(connection)), ..service };
            let function = Function::InProcess(InProcess::Http(Box::new(RwLock::new(service))));
            functions.insert(declared.name.clone(), function);
        }
        Ok(Self(Arc::new(functions)))
    }

    /// Changes a variable of the functions that use it, as a deployment does.
    pub(crate) fn set_variable(&self, variables: &[(String, String)], name: &str, value: &str) -> Result<(), Error> {
        let changed = |variables: &[(String, String)]| {
            let others = variables.iter().filter(|(variable, _)| variable != name).cloned();
            others.chain([(name.to_owned(), value.to_owned())]).collect::<Vec<_>>()
        };
        for function in self.0.values() {
            match function {
                Function::InProcess(InProcess::Http(service)) => {
                    let variables = changed(variables);
                    let variable =
                        |name: &str| Some(variables.iter().find(|(variable, _)| variable == name)?.1.clone());
                    let twitch = Twitch::from_variables(variable)?.map(Arc::new);
                    service.write().unwrap_or_else(PoisonError::into_inner).twitch = twitch;
                }
                Function::InProcess(_) => {}
                Function::Processes(processes) => {
                    let mut variables = processes.variables.write().unwrap_or_else(PoisonError::into_inner);
                    *variables = changed(&variables);
                    processes.configuration.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    /// Calls a function by name.
    pub(crate) async fn call(&self, name: &str, event: &Value) -> Result<Value, Error> {
        match self.function(name)? {
            Function::InProcess(function) => continuous(&RUNNING, function.call(event)).await,
            Function::Processes(processes) => {
                let time_limit = if name == UPKEEP { MAX_UPKEEP } else { MAX_REQUEST };
                Ok(serde_json::from_str(&processes.call(event.to_string(), time_limit).await?)?)
            }
        }
    }

    /// Delivers a batch of the table's stream to a function.
    pub(crate) async fn deliver(&self, name: &str, batch: Batch) -> Result<(), Error> {
        match self.function(name)? {
            Function::InProcess(InProcess::Sequencer(store)) => {
                Ok(sequencer::run(store, &batch, Timestamp::now()).await?)
            }
            Function::InProcess(InProcess::Follower(store)) => {
                Ok(follower::run(store, &batch, Timestamp::now()).await?)
            }
            Function::InProcess(_) => Err("this function does not read a stream".into()),
            Function::Processes(processes) => {
                let response = processes.call(Value::from(&batch).to_string(), MAX_REQUEST).await?;
                let response: Value = serde_json::from_str(&response)?;
                let failed = response["batchItemFailures"].as_array();
                if failed.is_some_and(Vec::is_empty) {
                    Ok(())
                } else {
                    Err(format!("{name} did not process all records").into())
                }
            }
        }
    }

    /// Determines the sender of a request.
    pub(crate) async fn caller(&self, request: &GatewayRequest) -> Result<Caller, Error> {
        match self.function(AUTHORIZER)? {
            Function::InProcess(InProcess::Authorizer(authorizer)) => {
                let authorization = request.request.headers.get(header::AUTHORIZATION);
                let authorization = authorization.map(|value| String::from_utf8_lossy(value.as_bytes()));
                Ok(continuous(&RUNNING, authorizer.caller(authorization.as_deref())).await)
            }
            Function::InProcess(_) => Err("this function does not check tokens".into()),
            Function::Processes(processes) => {
                let response = processes.call(serde_json::to_string(&event(request)?)?, MAX_REQUEST).await?;
                let response: Value = serde_json::from_str(&response)?;
                if response["isAuthorized"] != true {
                    return Err("the authorizer refused a request, which only the functions may do".into());
                }
                Ok(Caller::from_context(|name| response["context"].get(name)))
            }
        }
    }

    /// Calls a function that serves HTTP requests.
    pub(crate) async fn request(&self, name: &str, request: GatewayRequest) -> Result<Response<Body>, Error> {
        let (response, size) = match self.function(name)? {
            Function::InProcess(function) => {
                let response = function.request(request).await?;
                let size = json_size(response.body())?;
                (response, size)
            }
            Function::Processes(processes) => {
                let response = processes.call(serde_json::to_string(&event(&request)?)?, MAX_REQUEST).await?;
                (to_response(&serde_json::from_str(&response)?)?, response.len())
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
fn group(declared: &Declared) -> Result<&'static Group, Error> {
    groups::from_variable(declared.group.as_deref())
        .map_err(|error| format!("template.yaml: {}: {error}", declared.name).into())
}

/// Returns the variable with the item that a function reads during its init, if its policy allows reads.
fn warm_up(declared: &Declared) -> Option<(String, String)> {
    let readable =
        ["stamps/0", "feed/0"].into_iter().find(|key| declared.may("dynamodb:GetItem", "TableArn.Value", key));
    readable.map(|key| ("WARM_UP_KEY".to_owned(), key.to_owned()))
}

impl InProcess {
    async fn call(&self, event: &Value) -> Result<Value, Error> {
        match self {
            Self::Upkeep(store) => {
                let report = upkeep::run_scheduled(store, Timestamp::now(), Instant::now() + MAX_UPKEEP).await?;
                Ok(serde_json::to_value(report)?)
            }
            Self::Socket(store) => Ok(socket::handle(&store.for_request(), event, Timestamp::now()).await?),
            _ => Err("this function takes no events in JSON".into()),
        }
    }

    async fn request(&self, request: GatewayRequest) -> Result<Response<Body>, Error> {
        match self {
            Self::Pages(pages) => Ok(pages.handle(request)),
            // A panic in a function fails only this request, as in a separate process.
            Self::Http(service) => {
                let service = service.read().unwrap_or_else(PoisonError::into_inner).clone();
                let answering = continuous(&RUNNING, service::handle(service, request));
                let response = AssertUnwindSafe(answering).catch_unwind().await;
                response.map_err(|_| "the function panicked".into())
            }
            _ => Err("this function does not serve HTTP requests".into()),
        }
    }
}

impl Processes {
    async fn call(&self, event: String, time_limit: Duration) -> Result<String, Error> {
        let _permit = self.permits.acquire().await?;
        let configuration = self.configuration.load(Ordering::Relaxed);
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|(started_with, _)| *started_with == configuration);
            idle.pop()
        };
        let mut environment = if let Some((_, environment)) = idle {
            environment
        } else {
            let variables = self.variables.read().unwrap_or_else(PoisonError::into_inner).clone();
            Environment::start(&self.binary, &variables).await?
        };
        let response = environment.invoke(event, time_limit).await?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push((configuration, environment));
        Ok(response)
    }
}
