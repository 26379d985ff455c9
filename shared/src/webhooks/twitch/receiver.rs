//! The receiver of messages: verifies each, and stores the events of notifications.

use std::collections::BTreeSet;
use std::time::Instant;

use http::{HeaderMap, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value as Json, json};
use time::Duration;

use super::mapping::{self, MAPPINGS, Mapping};
use super::parsed_event::{CHAT_MESSAGE as CHAT_TYPE, Parsed, ParsedEvent, Removal};
use super::secrets::Secrets;
use super::subscriptions::Subscriptions;
use super::{Cheers, Settings, read, signature};
use crate::error::{Error, Result};
use crate::operations::Execution;
use crate::request::Draft;
use crate::resources::events::{EVENTS, MESSAGE, USER_ID};
use crate::resources::users::{PLATFORM_ID, USERS};
use crate::response::Response;
use crate::schema::{Record, Timestamp, Value, digest};
use crate::store::Store;
use crate::table::DedupKey;

/// The path of the callback that Twitch calls.
pub const PATH: &str = "/webhooks/twitch";
/// The maximum age of a message. An older message may be a recording, and is refused.
const OLDEST: Duration = Duration::minutes(10);
/// The maximum time by which Twitch's clock may be ahead of the local clock.
const AHEAD: Duration = Duration::minutes(1);

/// The time that a request spends on removing chat messages. The upkeep removes the rest. Twitch expects a response within
/// some seconds.
const MAX_REMOVAL: std::time::Duration = std::time::Duration::from_secs(3);
/// The sources of events with a message that the chat shows, after `twitch/`.
const WITH_MESSAGES: [&str; 9] = [
    "channel.chat.message",
    "channel.cheer",
    "channel.bits.use",
    "channel.subscription.message",
    "channel.chat.notification/sub",
    "channel.chat.notification/resub",
    "channel.chat.notification/announcement",
    "channel.chat.notification/watch_streak",
    "channel.chat.notification/bits_badge_tier",
];
/// The most time between a chat message with bits and the cheer that another type reports.
const SAME_CHEER: Duration = Duration::minutes(1);
/// The age of the messages that are removed while no stream runs.
const WITHOUT_STREAM: Duration = Duration::hours(24);

/// The header of a recorded message that is sent again. Such a message is no evidence of a current subscription.
pub const REPLAY: &str = "event-capture-replay";
/// The type of a message that lists the current subscriptions at Twitch. Only the `twitch` command sends it.
pub const SUBSCRIPTIONS: &str = "event_capture_subscriptions";

const MESSAGE_ID: &str = "twitch-eventsub-message-id";
const MESSAGE_TYPE: &str = "twitch-eventsub-message-type";
const MESSAGE_TIMESTAMP: &str = "twitch-eventsub-message-timestamp";
const MESSAGE_SIGNATURE: &str = "twitch-eventsub-message-signature";

/// The receiver of Twitch's webhook messages.
pub struct Twitch {
    secrets: Secrets,
    /// The configured channel: Twitch's identifier of its broadcaster.
    channel: String,
    /// The overlapping types to process.
    settings: Settings,
    subscriptions: Subscriptions,
}

impl std::fmt::Debug for Twitch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twitch").field("channel", &self.channel).field("taken", &self.settings).finish_non_exhaustive()
    }
}

/// A message with a valid signature.
struct Message<'a> {
    id: &'a str,
    kind: &'a str,
    /// True if the message was recorded and is sent again.
    is_replay: bool,
    time: Timestamp,
    body: Json,
}

impl Twitch {
    /// Creates the receiver from environment variables. The secrets are in `TWITCH_SECRET` and optionally
    /// `TWITCH_PREVIOUS_SECRET`, or in Secrets Manager at `TWITCH_SECRET_ARN`. The settings are
    /// `TWITCH_BROADCASTER_ID`, `TWITCH_CHEERS` (`subscribed`, `cheer`, `bits` or `none`) and `TWITCH_CHAT` (`true` or
    /// `false`). Returns `None` without a secret; every message is refused then.
    ///
    /// # Errors
    /// If a variable is missing or invalid. The message names it.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let secrets = match (variable("TWITCH_SECRET"), variable("TWITCH_SECRET_ARN")) {
            (Some(current), _) => Secrets::given(current, variable("TWITCH_PREVIOUS_SECRET"))?,
            (None, Some(arn)) => Secrets::stored(arn),
            (None, None) => return Ok(None),
        };
        let channel = variable("TWITCH_BROADCASTER_ID");
        let channel = channel.ok_or("TWITCH_BROADCASTER_ID is missing. Set it to the ID of the broadcaster.")?;
        let cheers = variable("TWITCH_CHEERS").unwrap_or_else(|| "subscribed".to_owned());
        let cheers = Cheers::named(&cheers).ok_or("TWITCH_CHEERS must be subscribed, cheer, bits or none.")?;
        let chat = match variable("TWITCH_CHAT").as_deref() {
            None | Some("true") => true,
            Some("false") => false,
            Some(_) => return Err("TWITCH_CHAT must be true or false.".to_owned()),
        };
        let settings = Settings { cheers, chat };
        Ok(Some(Self { secrets, channel, settings, subscriptions: Subscriptions::default() }))
    }

    /// Reads the secrets before the first message, if they are stored in Secrets Manager.
    pub async fn warm_up(&self, store: &Store) {
        self.secrets.current(store, Timestamp::now()).await;
    }

    /// Verifies and handles a message. A repeated message gets the same response as the first delivery.
    ///
    /// # Errors
    /// 403 if the message has no valid and recent signature, or is about another channel; 503 if a store fails.
    pub async fn receive(&self, execution: &Execution, headers: &HeaderMap, body: &[u8]) -> Result<Response> {
        let message = match self.verified(execution, headers, body).await? {
            Ok(message) => message,
            Err(cause) => {
                tracing::error!(%cause, "a message of Twitch's is no JSON, and is passed over");
                return Ok(Response::no_content());
            }
        };
        match message.kind {
            "webhook_callback_verification" => self.challenge(&execution.store, &message).await,
            "notification" => self.notification(execution, &message).await,
            "revocation" => self.revocation(&execution.store, &message).await,
            SUBSCRIPTIONS => self.correct(&execution.store, &message).await,
            _ => {
                tracing::warn!("ignored a Twitch message of an unknown type");
                Ok(Response::no_content())
            }
        }
    }

    /// Verifies the signature and the timestamp. Returns the message, or the reason that its body cannot be parsed.
    async fn verified<'a>(
        &self,
        execution: &Execution,
        headers: &'a HeaderMap,
        body: &[u8],
    ) -> Result<serde_json::Result<Message<'a>>> {
        let header =
            |name| headers.get(name).and_then(|value| value.to_str().ok()).ok_or_else(Error::invalid_signature);
        let (id, kind) = (header(MESSAGE_ID)?, header(MESSAGE_TYPE)?);
        let (timestamp, signature) = (header(MESSAGE_TIMESTAMP)?, header(MESSAGE_SIGNATURE)?);
        let time = moment(timestamp).ok_or_else(Error::invalid_signature)?;
        let signed = |secret: &String| signature::verify(secret, id, timestamp, body, signature);
        let (store, now) = (&execution.store, execution.now);
        if !self.secrets.current(store, now).await.iter().any(signed) {
            let secrets = self.secrets.newest(store, now).await;
            if secrets.is_empty() {
                // Without a secret, the signature cannot be verified. Twitch sends the message again.
                return Err(Error::unavailable());
            }
            if !secrets.iter().any(signed) {
                return Err(Error::invalid_signature());
            }
        }
        if now.shifted(AHEAD) < Some(time) {
            tracing::error!(
                slow_clocks = 1,
                "refused a Twitch message with a timestamp in the future: the local clock is slow"
            );
            return Err(Error::invalid_signature());
        }
        if Some(time) < now.shifted(-OLDEST) {
            tracing::warn!("refused a Twitch message that is too old: it was recorded, or the local clock is fast");
            return Err(Error::invalid_signature());
        }
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            tracing::warn!(
                "a Twitch message does not have the content type application/json; reading it as JSON anyway"
            );
        }
        let is_replay = headers.contains_key(REPLAY);
        Ok(read::json(body).map(|body| Message { id, kind, is_replay, time, body }))
    }

    /// Returns the challenge as the response body. This proves that the callback belongs to the service.
    async fn challenge(&self, store: &Store, message: &Message<'_>) -> Result<Response> {
        let condition = message.condition().as_object().cloned().unwrap_or_default();
        let channels = condition.iter().filter(|(field, _)| field.ends_with("broadcaster_user_id"));
        let named: Vec<_> = channels.filter_map(|(_, value)| read::id(value)).collect();
        if !named.is_empty() && !named.contains(&self.channel) {
            return Err(Error::wrong_channel());
        }
        let Some(challenge) = message.text("/challenge") else {
            tracing::error!("a Twitch challenge message contains no challenge");
            return Ok(Response::no_content());
        };
        if let Some(name) = self.preferred_type(message) {
            // If this fails, the first notification marks the type as subscribed.
            let _ = self.subscriptions.begin(store, name, message.subscription_id()).await;
        }
        Ok(Response::new("text/plain", challenge.to_owned()))
    }

    async fn revocation(&self, store: &Store, message: &Message<'_>) -> Result<Response> {
        let (subscription, reason) = (message.name(), message.text("/subscription/status").unwrap_or_default());
        // A metric filter counts this field of the log. Its alarm must work even without metrics per route.
        tracing::error!(subscription, reason, revocations = 1, "Twitch has revoked a subscription");
        if let Some(name) = self.preferred_type(message) {
            self.subscriptions.end(store, name, message.subscription_id()).await?;
        }
        Ok(Response::no_content())
    }

    async fn notification(&self, execution: &Execution, message: &Message<'_>) -> Result<Response> {
        let (name, event) = (message.name(), message.event());
        let Some(mapping) = self.mapping(message).filter(|mapping| (mapping.is_enabled)(self.settings)) else {
            tracing::info!(subscription = name, "ignored a notification of a type that is not processed");
            return Ok(Response::no_content());
        };
        if mapping.channel.is_some_and(|field| !self.is_ours(message, field)) {
            return Err(Error::wrong_channel());
        }
        if let Some(name) = self.preferred_type(message) {
            let id = message.subscription_id();
            self.subscriptions.seen(&execution.store, name, id, execution.now).await?;
        }
        if !event.is_object() {
            tracing::warn!(subscription = name, "ignored a notification without an event");
            return Ok(Response::no_content());
        }
        match (mapping.parse)(event) {
            Parsed::Nothing => Ok(()),
            Parsed::Removal(removal) => remove(execution, &removal, message.time).await,
            Parsed::Name(person) => execution.refresh(&person.draft(), message.time).await,
            Parsed::Event(parsed) if self.is_reported_elsewhere(&execution.store, &parsed).await? => {
                skip(execution, mapping, event, &parsed, message.time).await
            }
            Parsed::Event(parsed) => {
                let own_time = mapping.time.and_then(|position| read::text(event, position)).and_then(moment);
                let (draft, once) = parsed.stored(&mapping.source(event), message.id, own_time, message.time);
                store_once(execution, draft, once).await
            }
        }
        .map(|()| Response::no_content())
    }

    fn mapping(&self, message: &Message<'_>) -> Option<&'static Mapping> {
        mapping::of(message.name(), |field| self.is_ours(message, field))
    }

    /// True if a field of the event, or else of the subscription's condition, names the configured channel.
    fn is_ours(&self, message: &Message<'_>, field: &str) -> bool {
        mapping::channel_of(message.event(), message.condition(), field).as_ref() == Some(&self.channel)
    }

    /// Replaces the marks of subscribed types with the subscriptions in the message. Returns the previous marks.
    ///
    /// The body is `{"subscriptions": [{"type", "id"}]}`.
    async fn correct(&self, store: &Store, message: &Message<'_>) -> Result<Response> {
        let listed = message.body["subscriptions"].as_array().map(Vec::as_slice).unwrap_or_default();
        let id = |name: &str| {
            let of_type = listed.iter().find(|there| there["type"] == name);
            of_type.and_then(|there| read::id(&there["id"]))
        };
        let preferred_types: BTreeSet<_> =
            MAPPINGS.iter().filter(|mapping| mapping.decides).map(|mapping| mapping.name).collect();
        let before =
            self.subscriptions.replace(store, preferred_types.into_iter().map(|name| (name, id(name)))).await?;
        Ok(Response::json(&json!({ "marks": before })))
    }

    /// Returns the type of a message if events of other types are skipped in its favour. `None` for a replayed message.
    fn preferred_type(&self, message: &Message<'_>) -> Option<&'static str> {
        if message.is_replay {
            return None;
        }
        self.mapping(message).filter(|mapping| mapping.decides).map(|mapping| mapping.name)
    }

    async fn is_reported_elsewhere(&self, store: &Store, parsed: &ParsedEvent) -> Result<bool> {
        let settings =
            |name: &str| mapping::of(name, |_| true).is_some_and(|mapping| (mapping.is_enabled)(self.settings));
        let names: Vec<_> = parsed.unless.iter().copied().filter(|name| settings(name)).collect();
        self.subscriptions.have_one_of(store, &names).await
    }
}

/// Removes chat messages that were sent before a time. Of the messages of a viewer, and of all messages, only those of the
/// current stream are removed.
async fn remove(execution: &Execution, removal: &Removal, time: Timestamp) -> Result<()> {
    let viewer = match removal {
        Removal::Message(id) => {
            // The message of a notice has an event of its own.
            execution.withdraw(&EVENTS, ParsedEvent::notice(id, time)).await?;
            return match execution.withdraw(&EVENTS, ParsedEvent::chat_message(id, time)).await? {
                Some(counterpart) => remove_elsewhere(execution, &counterpart).await,
                None => Ok(()),
            };
        }
        Removal::Viewer(platform_id) => match user(execution, platform_id).await? {
            Some(user) => format!("&{}={}", USER_ID.name, user.key.id),
            // A viewer who is not stored has no messages.
            None => return Ok(()),
        },
        Removal::All => String::new(),
    };
    let since = encoded(&stream_began(execution, time).await?.to_string());
    // The filter is exclusive.
    let until = encoded(&time.successor().unwrap_or(time).to_string());
    let list = |source: &&str| {
        let source = encoded(&format!("twitch/{source}"));
        format!("/{}?source={source}&occurred_after={since}&occurred_before={until}{viewer}", EVENTS.name)
    };
    execution.withdraw_all(WITH_MESSAGES.iter().map(list).collect(), Instant::now() + MAX_REMOVAL).await
}

/// Skips an event that another type reports. The message of a cheer may be removed from the chat later, so its counterpart is stored.
async fn skip(
    execution: &Execution,
    mapping: &Mapping,
    event: &Json,
    parsed: &ParsedEvent,
    time: Timestamp,
) -> Result<()> {
    let id = read::said(event, "/message_id").filter(|_| mapping.name == CHAT_TYPE && event["cheer"].is_object());
    let Some(id) = id else { return Ok(()) };
    let counterpart = counterpart_of(parsed, time);
    if execution.skip(&EVENTS, ParsedEvent::chat_message(id, time), &counterpart).await? {
        remove_elsewhere(execution, &counterpart).await?;
    }
    Ok(())
}

/// Returns the counterpart of a chat message with bits: the cheer that another type reports.
fn counterpart_of(parsed: &ParsedEvent, time: Timestamp) -> String {
    json!([parsed.person().platform_id, digest(parsed.message()), time.to_string()]).to_string()
}

/// Removes the text of a cheer that another type than the chat has reported: the cheer with the same text, of the same
/// viewer, at about the same time.
async fn remove_elsewhere(execution: &Execution, counterpart: &str) -> Result<()> {
    let Ok((viewer, text, time)) = serde_json::from_str::<(String, String, String)>(counterpart) else { return Ok(()) };
    let (Some(time), Some(user)) = (Timestamp::parse(&time), user(execution, &viewer).await?) else { return Ok(()) };
    let [since, until] = [-SAME_CHEER, SAME_CHEER].map(|by| encoded(&time.shifted(by).unwrap_or(time).to_string()));
    let (events, user) = (EVENTS.name, user.key.id);
    let cheers = format!(
        "/{events}?{}={user}&event_type=cheer&occurred_after={since}&occurred_before={until}&limit=100",
        USER_ID.name
    );
    let cheers = execution.first_of(&cheers).await?;
    let has_text = |cheer: &&Record| cheer.value(MESSAGE.name).and_then(Value::digest).as_ref() == Some(&text);
    for cheer in cheers.iter().filter(has_text) {
        execution.withdraw_stored(cheer.key).await?;
    }
    Ok(())
}

/// Returns the user with an identifier of Twitch's.
async fn user(execution: &Execution, platform_id: &str) -> Result<Option<Record>> {
    let users = format!("/{}?{}={}", USERS.name, PLATFORM_ID.name, encoded(platform_id));
    Ok(execution.first_of(&users).await?.pop())
}

/// Returns the time at which the current stream began, or else a day ago.
async fn stream_began(execution: &Execution, now: Timestamp) -> Result<Timestamp> {
    let newest = |kind: &str| {
        let list = format!("/{}?limit=1&source={}", EVENTS.name, encoded(&format!("twitch/stream.{kind}")));
        async move { execution.first_of(&list).await }
    };
    let (online, offline) = tokio::try_join!(newest("online"), newest("offline"))?;
    let [online, offline] = [online, offline].map(|events| events.first().map(Record::primary_time));
    let began = online.filter(|online| offline.is_none_or(|offline| offline < *online));
    // The filter is exclusive.
    let began = began.and_then(Timestamp::predecessor);
    Ok(began.or_else(|| now.shifted(-WITHOUT_STREAM)).unwrap_or(now))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// Stores an event, unless it is already stored.
async fn store_once(execution: &Execution, draft: Draft, once: DedupKey) -> Result<()> {
    match execution.create_once(draft, once).await {
        Err(error) if error.is_already_processed() => Ok(()),
        done => done,
    }
}

/// Parses a timestamp and truncates it to nanoseconds, because Twitch writes any number of digits.
fn moment(text: &str) -> Option<Timestamp> {
    let Some((seconds, rest)) = text.split_once('.') else { return Timestamp::parse(text) };
    let digits = rest.find(|end: char| !end.is_ascii_digit()).unwrap_or(rest.len());
    let (fraction, zone) = rest.split_at(digits);
    Timestamp::parse(&format!("{seconds}.{}{zone}", fraction.get(..9).unwrap_or(fraction)))
}

impl Message<'_> {
    fn text(&self, pointer: &str) -> Option<&str> {
        read::text(&self.body, pointer)
    }

    /// Returns the type of the subscription.
    fn name(&self) -> &str {
        self.text("/subscription/type").unwrap_or_default()
    }

    fn subscription_id(&self) -> &str {
        self.text("/subscription/id").unwrap_or_default()
    }

    fn event(&self) -> &Json {
        &self.body["event"]
    }

    fn condition(&self) -> &Json {
        &self.body["subscription"]["condition"]
    }
}
