//! The `payments` command: finds and makes payments of rules that a lost batch of the stream left out.

use std::io::{self, BufRead, IsTerminal, Write};

use capture_core::earning::plan::RulePayment;
use capture_core::operations::Execution;
use capture_core::resources::transactions::{AMOUNT, CAUSE, REFERENCE};
use capture_core::schema::Timestamp;
use capture_core::store::Store;
use capture_core::table::Range;
use serde_json::json;

use crate::Error;
use crate::tools::TableArgs;

/// Find and make missing payments of rules.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    #[command(subcommand)]
    task: Task,
    #[command(flatten)]
    table_args: TableArgs,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Task {
    /// List the payments that events lack. The present rules decide what is owed, with their present amounts. This reads
    /// all events of the span.
    Check {
        #[command(flatten)]
        span: Span,
        /// Print JSON: `[{"user_id": 5, "amount": 10, "cause": "rules/3", "reference": "events/77"}]`.
        #[arg(long)]
        json: bool,
    },
    /// Make these payments. No payment is made twice, so the command can be repeated.
    Repair {
        #[command(flatten)]
        span: Span,
        /// Do not ask first.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Clone, Debug, clap::Args)]
struct Span {
    /// First moment when the events occurred, in RFC 3339: 2026-11-20T18:00:00Z.
    #[arg(long, value_parser = time)]
    from: Timestamp,
    /// Last moment when the events occurred.
    #[arg(long, value_parser = time)]
    to: Timestamp,
    /// Twitch user ID of the channel, which earns nothing, or `none`.
    #[arg(long, value_name = "ID", env = "TWITCH_BROADCASTER_ID")]
    broadcaster: String,
}

fn time(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse(text).ok_or_else(|| "expected a time such as 2026-11-20T18:00:00Z".to_owned())
}

/// Runs the command.
pub(crate) async fn run(Options { task, table_args }: Options) -> Result<(), Error> {
    table_args
        .with_store(async |store| match task {
            Task::Check { span, json } => check(&missing(store, span).await?, json),
            Task::Repair { span, yes } => repair(store, missing(store, span).await?, yes).await,
        })
        .await
}

async fn missing(store: &Store, span: Span) -> Result<Vec<RulePayment>, Error> {
    if span.broadcaster != "none" {
        store.channel().set(&span.broadcaster);
    }
    let range = Range { from: Some(span.from), to: Some(span.to) };
    Ok(Execution::in_background(store, Timestamp::now()).missing_payments(range).await?)
}

fn check(missing: &[RulePayment], json: bool) -> Result<(), Error> {
    if json {
        println!("{}", missing.iter().map(to_json).collect::<serde_json::Value>());
    } else {
        list(missing);
    }
    match missing.len() {
        0 => Ok(()),
        count => Err(format!("Missing payments: {count}. Run `payments repair` with the same options.").into()),
    }
}

fn list(missing: &[RulePayment]) {
    for payment in missing {
        let (cause, reference) = (payment.draft.get(&CAUSE), payment.draft.get(&REFERENCE));
        let amount = payment.draft.get(&AMOUNT).unwrap_or_default();
        let (cause, reference) = (cause.unwrap_or_default(), reference.unwrap_or_default());
        println!("users/{} gets {amount} by {cause} for {reference}", payment.user_id);
    }
    if missing.is_empty() {
        println!("No payment is missing.");
    }
    println!("Payments of rules that were deleted, disabled or enabled again since cannot be known.");
}

fn to_json(payment: &RulePayment) -> serde_json::Value {
    let draft = &payment.draft;
    json!({
        "user_id": payment.user_id,
        "amount": draft.get(&AMOUNT),
        "cause": draft.get(&CAUSE),
        "reference": draft.get(&REFERENCE),
    })
}

async fn repair(store: &Store, missing: Vec<RulePayment>, yes: bool) -> Result<(), Error> {
    list(&missing);
    if missing.is_empty() {
        return Ok(());
    }
    if !yes && !is_confirmed()? {
        return Err("Nothing was paid. Answer `yes`, or add --yes.".into());
    }
    let due = missing.len();
    let count = Execution::in_background(store, Timestamp::now()).repair_payments(missing).await?;
    println!("Payments made: {count} of {due}.");
    Ok(())
}

/// Asks whether to pay. Without a terminal, the answer is no.
fn is_confirmed() -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        return Ok(false);
    }
    print!("Pay them? [yes/no] ");
    io::stdout().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(answer.trim() == "yes")
}
