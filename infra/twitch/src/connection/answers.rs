//! Answers to chat commands: a queue, and a worker that sends them to Twitch.
//!
//! The worker sends each answer at most once. It repeats a request only if Twitch has certainly not sent the message.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use capture_core::schema::Timestamp;
use capture_core::store::Answer;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep, timeout_at};

use super::api::SendResult;
use super::state::State;

/// Maximum age of a message that is answered.
const MAX_AGE: Duration = Duration::from_secs(30);
/// Pause after Twitch has refused a request because of its rate.
const PAUSE: Duration = Duration::from_secs(1);
/// Number of messages that are remembered. A batch that is delivered again repeats at most some hundred.
const REMEMBERED: usize = 2_000;

/// Sends answers until the queue is closed.
pub(super) async fn send(state: Arc<State>, mut answers: UnboundedReceiver<Answer>) {
    let mut answered = VecDeque::new();
    while let Some(answer) = answers.recv().await {
        if answered.contains(&answer.message_id) {
            continue;
        }
        if answered.len() == REMEMBERED {
            answered.pop_front();
        }
        answered.push_back(answer.message_id.clone());
        let age = Timestamp::now().unix_millis() - answer.sent_at.unix_millis();
        let left = MAX_AGE.checked_sub(Duration::from_millis(u64::try_from(age).unwrap_or_default()));
        let Some(deadline) = left.map(|left| Instant::now() + left) else { continue };
        // Twitch's limit counts every request.
        if timeout_at(deadline, deliver(&state, &answer)).await.is_err() {
            tracing::warn!("an answer in the chat was not sent within 30 seconds of its message");
        }
    }
}

/// Sends an answer, and repeats requests that had no effect.
async fn deliver(state: &Arc<State>, answer: &Answer) {
    loop {
        state.answer_limiter.wait().await;
        let Some((generation, token, channel)) = state.answering_account() else { return };
        match state.api.send_message(&token, &channel, answer).await {
            SendResult::Sent => return,
            SendResult::Dropped(reason) => {
                tracing::warn!(reason, "Twitch did not send an answer in the chat");
                return;
            }
            SendResult::Unauthorized => {
                if state.renew(generation, &token.access_token).await.is_err() {
                    sleep(PAUSE).await;
                }
            }
            SendResult::Busy => sleep(PAUSE).await,
        }
    }
}
