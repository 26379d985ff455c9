//! Compares a function's CPU time with that of the calls that it makes to the table.

use end_to_end::aws::Recorder;
use event_capture::Error;
use event_capture::runtime::Environment;
use serde_json::json;

use crate::{Arguments, Case, ask, cpu_of, median};

/// The number of turns of both functions. The median of all turns is reported.
const TURNS: u32 = 5;

/// Returns the CPU time of a request, and that of a function that only makes the request's calls, in microseconds.
pub(crate) async fn compare(arguments: &Arguments, recorder: &Recorder, case: &Case) -> Result<(f64, f64), Error> {
    let mut own = Environment::start(&arguments.folder.join("api").join("bootstrap"), &case.variables).await?;
    ask(&mut own, case).await?;
    recorder.take();
    ask(&mut own, case).await?;
    let rounds = recorder.take();
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
