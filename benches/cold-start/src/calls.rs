//! Compares the CPU of a function with that of the calls that it makes to the table.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use local_stack::Error;
use local_stack::backend::{Backend, Call, CallResponse, SharedBackend};
use local_stack::runtime::Environment;
use serde_json::{Value, json};

use crate::{Arguments, Case, ask, cpu_of, median};

/// The number of turns of both functions. The median of all turns is reported.
const TURNS: u32 = 5;

/// The calls to the table since the last time they were taken, in rounds of parallel calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Arc<Mutex<Recorded>>);

#[derive(Debug, Default)]
struct Recorded {
    rounds: Vec<Vec<Value>>,
    /// The number of calls that have no response yet.
    pending: usize,
}

#[derive(Debug)]
struct Recording {
    recorder: Recorder,
    table: SharedBackend,
}

impl Recorder {
    /// Returns a backend that records the calls to a table.
    pub(crate) fn before(&self, table: SharedBackend) -> SharedBackend {
        Arc::new(Recording { recorder: self.clone(), table })
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Recording {
    fn call(&self, call: Call) -> BoxFuture<'static, CallResponse> {
        let (recorder, table) = (self.recorder.clone(), Arc::clone(&self.table));
        async move {
            // Only the measured function calls as this one. The schedule and the stream have functions of their own.
            if &*call.caller != "users" {
                return table.call(call).await;
            }
            {
                let mut state = recorder.recorded();
                let body: Value = serde_json::from_slice(&call.body).unwrap_or_default();
                if state.pending == 0 {
                    state.rounds.push(Vec::new());
                }
                let call = json!({"operation": call.operation, "body": body});
                state.rounds.last_mut().into_iter().for_each(|round| round.push(call.clone()));
                state.pending += 1;
            }
            let answer = table.call(call).await;
            recorder.recorded().pending -= 1;
            answer
        }
        .boxed()
    }
}

/// Returns the CPU time of a request, and that of a function that only makes its calls, in microseconds.
pub(crate) async fn compare(arguments: &Arguments, recorder: &Recorder, case: &Case) -> Result<(f64, f64), Error> {
    let mut own = Environment::start(&arguments.folder.join("api").join("bootstrap"), &case.variables).await?;
    ask(&mut own, case).await?;
    recorder.recorded().rounds.clear();
    ask(&mut own, case).await?;
    let rounds = std::mem::take(&mut recorder.recorded().rounds);
    let mut variables = case.variables.clone();
    variables.push(("CALLS".to_owned(), json!(rounds).to_string()));
    let only_calls = Case { variables, event: case.event.clone() };
    let mut calls = Environment::start(&arguments.folder.join("sdk").join("bootstrap"), &only_calls.variables).await?;
    let (mut own_times, mut call_times) = (Vec::new(), Vec::new());
    for turn in 0..=TURNS {
        let times = [
            cpu_of(&mut own, arguments.requests / TURNS, case, |_| {}).await?,
            cpu_of(&mut calls, arguments.requests / TURNS, &only_calls, |_| {}).await?,
        ];
        // The first turn warms both up.
        if turn > 0 {
            own_times.push(times[0]);
            call_times.push(times[1]);
        }
    }
    Ok((median(own_times), median(call_times)))
}
