//! Events of the channel that need more than an entry of the mapping: a start and an end share their details, and a
//! result names the winners.

use serde_json::{Value as Json, json};

use super::notices::end_sentence;
use super::parsed_event::ParsedEvent;
use super::read::{count_or_zero, list, non_empty_text, optional_count, phrase, pick, spaced_constant};

pub fn stream_begin(event: &Json) -> ParsedEvent {
    let details = pick(event, &["/type"]);
    ParsedEvent { details, ..ParsedEvent::of_channel("stream", "The stream began.", event) }
}

pub fn hype_train_begin(event: &Json) -> ParsedEvent {
    let kind = spaced_constant(event, "/type").filter(|kind| kind != "regular");
    let kind = phrase(kind, |kind| format!("{kind} "));
    hype_train("hype train begun", &format!("A {kind}hype train began."), event)
}

pub fn hype_train_end(event: &Json) -> ParsedEvent {
    let level = phrase(optional_count(event, "/level"), |level| format!(" at level {level}"));
    let total = phrase(optional_count(event, "/total"), |total| format!(" with {total} points"));
    hype_train("hype train ended", &format!("A hype train ended{level}{total}."), event)
}

fn hype_train(id_prefix: &str, message: &str, event: &Json) -> ParsedEvent {
    let details = pick(event, &["/type", "/level", "/total", "/goal"]);
    ParsedEvent { details, ..ParsedEvent::of_channel(id_prefix, message, event) }
}

pub fn goal_end(event: &Json) -> ParsedEvent {
    let is_achieved = event["is_achieved"] == true;
    goal("goal ended", if is_achieved { "A goal was achieved" } else { "A goal ended" }, event)
}

/// Parses a goal that started or ended. Its sentence starts with the outcome.
pub fn goal(id_prefix: &str, outcome: &str, event: &Json) -> ParsedEvent {
    let (current, target) = (optional_count(event, "/current_amount"), optional_count(event, "/target_amount"));
    let kind = phrase(spaced_constant(event, "/type"), |kind| format!(" ({kind})"));
    let progress = phrase(current.zip(target), |(current, target)| format!(": {current} of {target}"));
    let message = end_sentence(&format!("{outcome}{kind}{progress}"), non_empty_text(event, "/description"));
    ParsedEvent {
        details: json!({
            "type": event["type"], "description": event["description"], "current_amount": current,
            "target_amount": target, "is_achieved": event["is_achieved"],
        }),
        ..ParsedEvent::of_channel(id_prefix, &message, event)
    }
}

/// Continues a sentence with the title.
fn titled(event: &Json) -> String {
    phrase(non_empty_text(event, "/title"), |title| format!(": {title}"))
}

/// Parses the result of a poll. Several choices may win, but none without votes.
pub fn poll_end(event: &Json) -> ParsedEvent {
    let choices = list(&event["choices"]);
    let votes = |choice: &Json| count_or_zero(choice, "/votes");
    let max_votes = choices.iter().map(votes).max().unwrap_or_default();
    let winners = choices.iter().filter(|choice| max_votes > 0 && votes(choice) == max_votes);
    let winners: Vec<_> = winners.filter_map(|choice| non_empty_text(choice, "/title")).collect();
    let result = match &winners[..] {
        [] => String::new(),
        winners => format!(" – {} ({max_votes} votes)", winners.join(", ")),
    };
    let message = format!("The poll ended{}{result}", titled(event));
    let choices: Vec<_> = choices.iter().map(|choice| pick(choice, &["/id", "/title", "/votes"])).collect();
    ParsedEvent {
        details: json!({"title": event["title"], "status": event["status"], "choices": choices}),
        ..ParsedEvent::of_channel("poll", &message, event)
    }
}

/// Parses the result of a prediction. A canceled prediction does not have a winner.
pub fn prediction_end(event: &Json) -> ParsedEvent {
    let outcomes = list(&event["outcomes"]);
    let winning_id = non_empty_text(event, "/winning_outcome_id");
    let winner = outcomes.iter().find(|outcome| winning_id.is_some() && non_empty_text(outcome, "/id") == winning_id);
    let title = titled(event);
    let message = match winner.and_then(|winner| non_empty_text(winner, "/title")) {
        _ if event["status"] == "canceled" => format!("The prediction was canceled{title}"),
        Some(winner) => format!("The prediction ended{title} – {winner}"),
        None => format!("The prediction ended{title}"),
    };
    let totals = |outcome| pick(outcome, &["/id", "/title", "/users", "/channel_points"]);
    ParsedEvent {
        details: json!({
            "title": event["title"], "status": event["status"], "winning_outcome_id": event["winning_outcome_id"],
            "outcomes": outcomes.iter().map(totals).collect::<Vec<_>>(),
        }),
        ..ParsedEvent::of_channel("prediction", &message, event)
    }
}
