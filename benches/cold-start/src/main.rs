//! Measures the cold start of the deployed functions and of a minimal function that is built the same way.
//!
//! Every start is a new process under the emulated Runtime API. The table is another DynamoDB, such as dynoxide's
//! server, behind TLS like Amazon's. Build the binaries first:
//!
//! ```sh
//! cargo lambda build --release -p functions -p hello -p sdk
//! cargo run --profile cold-start -p cold-start -- --dynamodb http://127.0.0.1:8000
//! ```

mod calls;
mod tls;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use end_to_end::aws::Aws;
use event_capture::runtime::Environment;
use event_capture::{Error, Options, Stack};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};

const LONGEST: Duration = Duration::from_secs(10);
/// The limit of a function's zip, in megabytes. Unlike the times, it holds on every machine.
const MAX_ZIP: f64 = 5.8;

/// Measures the cold start of the deployed functions and of a minimal function.
#[derive(Parser)]
struct Arguments {
    /// The output folder of `cargo lambda build`.
    #[arg(long, default_value = "target/lambda")]
    folder: PathBuf,
    /// The endpoint of a DynamoDB.
    #[arg(long, value_name = "URL")]
    dynamodb: String,
    /// The number of processes to start for each function.
    #[arg(long, default_value_t = 40)]
    starts: usize,
    /// The number of requests for the warm measurements.
    #[arg(long, default_value_t = 2_000)]
    requests: u32,
    /// The functions to measure.
    #[arg(default_values_t = ["api".to_owned(), "authorizer".to_owned()])]
    functions: Vec<String>,
    /// Exit with a failure if any measurement exceeds its limit, not only the size of a zip.
    #[arg(long)]
    strict: bool,
}

/// The measurements of one binary: medians of times and memory.
struct Row {
    name: String,
    start: f64,
    first: f64,
    warm: f64,
    cpu: f64,
    megabytes: f64,
    zip: f64,
}

/// A function's environment, and the event to send.
struct Case {
    variables: Vec<(String, String)>,
    event: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    match measure(&Arguments::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure(arguments: &Arguments) -> Result<bool, Error> {
    let folder = tempfile::tempdir()?;
    let aws = Aws::start(&arguments.dynamodb).await;
    aws.recorder.record("users");
    let options = Options {
        port: 0,
        data_dir: folder.path().to_owned(),
        dynamodb_endpoint: Some(aws.dynamodb.clone()),
        s3_endpoint: Some(aws.s3.clone()),
        ..Options::default()
    };
    let stack = Stack::start(&options).await?;
    let client = reqwest::Client::new();
    let post = async |path: &str, body: &Value| -> Result<Value, Error> {
        Ok(client.post(format!("http://{}{path}", stack.address)).json(body).send().await?.json().await?)
    };
    let user = post("/users", &json!({"platform_id": "1", "name": "Ann"})).await?;
    let new_event = json!({"user_id": user["user_id"], "user_name": "Ann", "event_type": "plain", "message": "hello", "occurred_at": "2026-01-01T00:00:00Z"});
    for _ in 0..60 {
        post("/events", &new_event).await?;
    }
    let open = aws.dynamodb.strip_prefix("http://").ok_or("the proxy has a URL")?;
    let tls = tls::start(open.parse()?, folder.path()).await?;
    let mut variables = stack.environment(&options, "users");
    // The same endpoint over TLS.
    for (_, endpoint) in variables.iter_mut().filter(|(name, _)| name == "AWS_ENDPOINT_URL_DYNAMODB") {
        *endpoint = format!("https://localhost:{}", tls.port);
    }
    variables.push(("SSL_CERT_FILE".to_owned(), tls.roots));
    variables.push(("AWS_LAMBDA_LOG_LEVEL".to_owned(), "WARN".to_owned()));
    variables.push(("WARM_UP_KEY".to_owned(), "stamps/0".to_owned()));

    let hello =
        row("hello", arguments, &Case { variables: Vec::new(), event: event("GET", "/hello", "", None) }).await?;
    let mut rows = vec![hello];
    for function in &arguments.functions {
        let event = event("GET", &format!("/users/{}", user["user_id"]), "", None);
        rows.push(row(function, arguments, &Case { variables: in_group(&variables, "users"), event }).await?);
    }
    print(&rows);
    let mut missed = missed(&rows);
    println!("\n| Request | CPU (µs) | CPU of its calls alone (µs) | difference (µs) |\n| --- | --- | --- | --- |");
    let requests = [
        ("GET a user", "users", event("GET", &format!("/users/{}", user["user_id"]), "", None), 60.0),
        ("GET a page of 50 events", "events", event("GET", "/events", "limit=50", None), 600.0),
        ("POST an event", "events", event("POST", "/events", "", Some(&new_event)), 100.0),
    ];
    for (name, group, event, most) in requests {
        let case = Case { variables: in_group(&variables, group), event };
        let (own, calls) = calls::compare(arguments, &aws.recorder, &case).await?;
        println!("| {name} | {own:.0} | {calls:.0} | {:.0} |", own - calls);
        if own - calls > most {
            missed.push(format!("{name}: CPU over its calls, in µs: {:.0}, the bar is {most:.0}", own - calls));
        }
    }
    for bar in &missed {
        println!("missed: {bar}");
    }
    stack.stop().await?;
    let fits = rows.iter().all(|row| row.zip <= MAX_ZIP);
    Ok(fits && (missed.is_empty() || !arguments.strict))
}

/// Returns the variables of a resource group's function.
fn in_group(variables: &[(String, String)], group: &str) -> Vec<(String, String)> {
    [variables, &[("GROUP".to_owned(), group.to_owned())]].concat()
}

async fn row(name: &str, arguments: &Arguments, case: &Case) -> Result<Row, Error> {
    let binary = arguments.folder.join(name).join("bootstrap");
    let (mut starts, mut firsts, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..arguments.starts {
        let mut environment = Environment::start(&binary, &case.variables).await?;
        starts.push(millis(environment.ready_after));
        firsts.push(millis(ask(&mut environment, case).await?));
        sizes.push(resident(&environment)?);
    }
    let mut environment = Environment::start(&binary, &case.variables).await?;
    for _ in 0..20 {
        ask(&mut environment, case).await?;
    }
    let mut warm = Vec::new();
    let cpu = cpu_of(&mut environment, arguments.requests, case, |took| warm.push(millis(took))).await?;
    let (start, first, warm) = (median(starts), median(firsts), median(warm));
    Ok(Row { name: name.to_owned(), start, first, warm, cpu, megabytes: median(sizes), zip: zipped(&binary)? })
}

/// Returns the CPU time of a request in microseconds, averaged over this many requests.
async fn cpu_of(
    environment: &mut Environment,
    requests: u32,
    case: &Case,
    mut timed: impl FnMut(Duration),
) -> Result<f64, Error> {
    let before = cpu(environment)?;
    for _ in 0..requests {
        timed(ask(environment, case).await?);
    }
    Ok(cpu(environment)?.saturating_sub(before).as_secs_f64() * 1e6 / f64::from(requests))
}

async fn ask(environment: &mut Environment, case: &Case) -> Result<Duration, Error> {
    let started = Instant::now();
    let answer: Value = serde_json::from_str(&environment.invoke(case.event.clone(), LONGEST).await?)?;
    let took = started.elapsed();
    if matches!(answer["statusCode"].as_u64(), Some(200 | 201)) || answer["isAuthorized"] == true {
        return Ok(took);
    }
    Err(format!("a function answered {answer}").into())
}

/// Returns a request's gateway event. The authorizer accepts the same event.
fn event(method: &str, path: &str, query: &str, body: Option<&Value>) -> String {
    let token = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    json!({
        "version": "2.0",
        "routeKey": "ANY /users/{proxy+}",
        "rawPath": path,
        "rawQueryString": query,
        "headers": {
            "host": "example.execute-api.us-east-1.amazonaws.com", "authorization": format!("Bearer {token}"),
            "content-type": "application/json",
        },
        "requestContext": {
            "accountId": "000000000000", "apiId": "local", "domainName": "localhost", "domainPrefix": "local",
            "http": {"method": method, "path": path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": ""},
            "requestId": "measured", "routeKey": "ANY /users/{proxy+}", "stage": "$default", "timeEpoch": 0,
            "authorizer": {"lambda": {"access": "write"}},
        },
        "body": body.map(Value::to_string),
        "isBase64Encoded": false,
    })
    .to_string()
}

fn print(rows: &[Row]) {
    println!(
        "| Function | start → first poll (ms) | first request (ms) | warm request (ms) | CPU of a warm one (µs) | resident (MB) | zipped (MB) |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for Row { name, start, first, warm, cpu, megabytes, zip } in rows {
        println!("| {name} | {start:.1} | {first:.2} | {warm:.2} | {cpu:.0} | {megabytes:.1} | {zip:.1} |");
    }
}

/// Returns the limits that the functions exceed. The first row is the minimal function.
fn missed(rows: &[Row]) -> Vec<String> {
    let Some((hello, functions)) = rows.split_first() else { return Vec::new() };
    let bars = functions.iter().flat_map(|row| {
        let relative = 3.5 * hello.start;
        [
            ("start, of the bare one's", row.start, relative),
            ("start, in ms", row.start, 4.0),
            ("first request over a warm one, in ms", row.first - row.warm, 1.5),
            ("zip, in MB", row.zip, MAX_ZIP),
            ("resident, in MB", row.megabytes, 16.0),
            ("CPU of a warm request, in µs", row.cpu, 300.0),
        ]
        .map(|(bar, is, most)| (row.name.as_str(), bar, is, most))
    });
    let missed = bars.filter(|(.., is, most)| is > most);
    missed.map(|(name, bar, is, most)| format!("{name}: {bar}: {is:.2}, the bar is {most:.2}")).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}

fn process(environment: &Environment) -> Result<PathBuf, Error> {
    let pid = environment.pid().ok_or("the function has ended")?;
    Ok(Path::new("/proc").join(pid.to_string()))
}

/// Returns the process's resident memory, in megabytes.
fn resident(environment: &Environment) -> Result<f64, Error> {
    let status = std::fs::read_to_string(process(environment)?.join("status"))?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
    Ok(kilobytes.ok_or("no VmRSS")?.trim().parse::<f64>()? / 1_024.0)
}

/// Returns the CPU time of all the process's threads.
fn cpu(environment: &Environment) -> Result<Duration, Error> {
    let mut nanos = 0;
    for thread in std::fs::read_dir(process(environment)?.join("task"))? {
        let times = std::fs::read_to_string(thread?.path().join("schedstat"))?;
        nanos += times.split(' ').next().unwrap_or_default().parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanos))
}

/// Returns a binary's compressed size, in megabytes.
fn zipped(binary: &Path) -> Result<f64, Error> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    std::io::copy(&mut std::fs::File::open(binary)?, &mut encoder)?;
    #[expect(clippy::cast_precision_loss, reason = "a size")]
    Ok(encoder.finish()?.len() as f64 / 1_048_576.0)
}
