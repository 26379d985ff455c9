//! Twitch EventSub over a webhook: what Twitch has signed, as what is to be done about it. Pure.
//!
//! <https://dev.twitch.tv/docs/eventsub/handling-webhook-events/>. The payloads change without notice: unknown fields and
//! values are passed over, and nothing that Twitch has signed is refused for its content.

pub mod mapping;
pub mod signature;

use http::{HeaderMap, header};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use time::Duration;

use crate::body::{self, Draft, Payload};
use crate::error::{Error, Result};
use crate::resources::{EVENTS, USERS};
use crate::value::Timestamp;

use mapping::{Becomes, Mapping, Person};

/// The path that Twitch calls.
pub const PATH: &str = "/webhooks/twitch";
/// The largest body that is read, in bytes.
const MAX_BODY: usize = 256 * 1024;
/// Older messages are not processed: somebody may have recorded them.
const OLDEST: Duration = Duration::minutes(10);
/// How far Twitch's clock may be ahead of ours.
const AHEAD: Duration = Duration::minutes(1);

const MESSAGE_ID: &str = "twitch-eventsub-message-id";
const MESSAGE_TYPE: &str = "twitch-eventsub-message-type";
const MESSAGE_TIMESTAMP: &str = "twitch-eventsub-message-timestamp";
const MESSAGE_SIGNATURE: &str = "twitch-eventsub-message-signature";

/// Which of the types that tell the same twice are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// `channel.cheer` or `channel.bits.use`, or neither.
    pub cheers: Cheers,
    /// `channel.chat.message`.
    pub chat: bool,
}

/// Where cheers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cheers {
    /// `channel.cheer`: cheers in the chat.
    Cheer,
    /// `channel.bits.use`: these, and power-ups.
    Bits,
    /// Nowhere.
    None,
}

/// What is known of our side of the webhook.
pub struct Twitch {
    /// What messages may be signed with: the current secret, and the one before, while it is being replaced.
    secrets: Vec<String>,
    /// The channel whose events are ours: Twitch's identifier of its broadcaster.
    channel: String,
    /// Which of the overlapping types are taken.
    taken: Taken,
}

impl std::fmt::Debug for Twitch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Twitch").field("channel", &self.channel).field("taken", &self.taken).finish_non_exhaustive()
    }
}

/// What is to be done about a message.
#[derive(Debug)]
pub enum Delivery {
    /// Answer with this text: it proves that the callback is ours.
    Challenge(String),
    /// Store an event, unless one of these keys says that it was stored before.
    Store(Box<Draft>, Vec<Marker>),
    /// Give a user, if there is one, the values of this draft, unless that was done before.
    Update(Box<Draft>, Vec<Marker>),
    /// Nothing but to say that it has come.
    Acknowledge,
}

/// What is kept of a message, so that it takes effect once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The partition key.
    pub key: String,
    /// When it may be forgotten, for one that cannot come again after that.
    pub expires_at: Option<Timestamp>,
}

/// A message that Twitch has signed.
struct Message<'a> {
    id: &'a str,
    time: Timestamp,
    body: Json,
}

impl Twitch {
    /// Our side of the webhook, as these variables describe it: `TWITCH_SECRET` and `TWITCH_BROADCASTER_ID`, which go
    /// together, `TWITCH_PREVIOUS_SECRET`, `TWITCH_CHEERS` (`cheer`, `bits` or `none`) and `TWITCH_CHAT` (`true` or `false`).
    /// `None` when there is none: then every message is refused.
    ///
    /// # Errors
    /// Says which variable is wrong.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let channel = variable("TWITCH_BROADCASTER_ID");
        let Some(current) = variable("TWITCH_SECRET") else { return Ok(None) };
        let channel = channel.ok_or("set TWITCH_BROADCASTER_ID, too: the channel whose events are to be stored")?;
        let secrets: Vec<_> = [Some(current), variable("TWITCH_PREVIOUS_SECRET")].into_iter().flatten().collect();
        if secrets.iter().any(|secret| !secret.is_ascii() || !(10..=100).contains(&secret.len())) {
            return Err("TWITCH_SECRET and TWITCH_PREVIOUS_SECRET are 10 to 100 ASCII characters".to_owned());
        }
        let cheers = match variable("TWITCH_CHEERS").as_deref() {
            None | Some("cheer") => Cheers::Cheer,
            Some("bits") => Cheers::Bits,
            Some("none") => Cheers::None,
            Some(_) => return Err("TWITCH_CHEERS is cheer, bits or none".to_owned()),
        };
        let chat = match variable("TWITCH_CHAT").as_deref() {
            None | Some("true") => true,
            Some("false") => false,
            Some(_) => return Err("TWITCH_CHAT is true or false".to_owned()),
        };
        Ok(Some(Self { secrets, channel, taken: Taken { cheers, chat } }))
    }

    /// Reads what came to the callback.
    ///
    /// # Errors
    /// 403 for everything that Twitch has not signed lately, or that is not about our channel; 413 and 415.
    pub fn receive(&self, headers: &HeaderMap, body: &[u8], now: Timestamp) -> Result<Delivery> {
        if body.len() > MAX_BODY {
            return Err(Error::too_large(format!("Send a body of at most {MAX_BODY} bytes.")));
        }
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).ok_or_else(Error::unsigned);
        let (id, kind) = (header(MESSAGE_ID)?, header(MESSAGE_TYPE)?);
        let (timestamp, signature) = (header(MESSAGE_TIMESTAMP)?, header(MESSAGE_SIGNATURE)?);
        let signed = |secret: &String| signature::verify(secret, id, timestamp, body, signature);
        let time = moment(timestamp).ok_or_else(Error::unsigned)?;
        let lately = now.shifted(-OLDEST) <= Some(time) && Some(time) <= now.shifted(AHEAD);
        if !self.secrets.iter().any(signed) || !lately {
            return Err(Error::unsigned());
        }
        let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            return Err(Error::unsupported_type("Send application/json."));
        }
        let body = match serde_json::from_slice(body) {
            Ok(body) => body,
            Err(error) if error.is_syntax() && is_json_all_the_same(&error) => {
                tracing::error!(cause = %error, "a message of Twitch's has what no text or number of ours can be");
                return Ok(Delivery::Acknowledge);
            }
            Err(_) => return Err(Error::bad_request("Send one JSON value.")),
        };
        let message = Message { id, time, body };
        match kind {
            "webhook_callback_verification" => self.challenge(&message),
            "notification" => self.notification(&message, now),
            "revocation" => {
                let (name, status) = (message.text("/subscription/type"), message.text("/subscription/status"));
                crate::log::revoked(name.unwrap_or_default(), status.unwrap_or_default());
                Ok(Delivery::Acknowledge)
            }
            _ => {
                tracing::warn!("a message of an unknown type has come from Twitch");
                Ok(Delivery::Acknowledge)
            }
        }
    }

    fn challenge(&self, message: &Message<'_>) -> Result<Delivery> {
        let channels =
            ["/subscription/condition/broadcaster_user_id", "/subscription/condition/to_broadcaster_user_id"];
        if channels.iter().filter_map(|place| message.text(place)).any(|channel| channel != self.channel) {
            return Err(Error::not_ours());
        }
        let challenge = message.text("/challenge").ok_or_else(|| Error::bad_request("Send a challenge."))?;
        Ok(Delivery::Challenge(challenge.to_owned()))
    }

    fn notification(&self, message: &Message<'_>, now: Timestamp) -> Result<Delivery> {
        let name = message.text("/subscription/type").unwrap_or_default();
        let Some(mapping) = mapping::of(name).filter(|mapping| (mapping.taken)(self.taken)) else {
            tracing::info!(subscription = name, "a notification has come whose type is not taken");
            return Ok(Delivery::Acknowledge);
        };
        let event = message.body.get("event").unwrap_or(&Json::Null);
        if let Some(channel) = mapping.channel {
            let of_subscription = || mapping::id(message.body.pointer("/subscription/condition")?.get(channel)?);
            if mapping::id(&event[channel]).or_else(of_subscription).as_ref() != Some(&self.channel) {
                return Err(Error::not_ours());
            }
        }
        if !event.is_object() || (matches!(mapping.becomes, Becomes::UserName) && !mapping.person.is_named(event)) {
            tracing::warn!(subscription = name, "a notification has come that says nothing");
            return Ok(Delivery::Acknowledge);
        }
        if (mapping.told_elsewhere)(event, &self.channel, self.taken) {
            return Ok(Delivery::Acknowledge);
        }
        let markers = message.markers(mapping, now);
        let (resource, draft, deliver): (_, _, fn(_, _) -> _) = match &mapping.becomes {
            Becomes::Event { event_type, fields } => {
                (&EVENTS, message.event(mapping, event_type, fields), Delivery::Store)
            }
            Becomes::UserName => (&USERS, mapping.person.of(event).to_json(), Delivery::Update),
        };
        match body::to_create(resource, Payload { json: draft, file: None }, None) {
            Ok(draft) => Ok(deliver(Box::new(draft), markers)),
            Err(refusal) => {
                // Sent again, it would be no better; refused for long, the subscription would end.
                tracing::error!(subscription = name, cause = %refusal, "a notification cannot be stored");
                Ok(Delivery::Acknowledge)
            }
        }
    }
}

/// Whether it is only that JSON can say more than our texts and numbers can be.
fn is_json_all_the_same(error: &serde_json::Error) -> bool {
    let text = error.to_string();
    ["surrogate", "number out of range", "recursion limit", "unexpected end of hex escape"]
        .iter()
        .any(|why| text.contains(why))
}

/// A moment, to the nanosecond: Twitch writes any number of digits.
fn moment(text: &str) -> Option<Timestamp> {
    let Some((seconds, rest)) = text.split_once('.') else { return Timestamp::parse(text) };
    let digits = rest.find(|end: char| !end.is_ascii_digit()).unwrap_or(rest.len());
    let (fraction, zone) = rest.split_at(digits);
    Timestamp::parse(&format!("{seconds}.{}{zone}", fraction.get(..9).unwrap_or(fraction)))
}

impl Message<'_> {
    fn text(&self, pointer: &str) -> Option<&str> {
        self.body.pointer(pointer)?.as_str()
    }

    /// The body of POST /events that says the same.
    fn event(&self, mapping: &Mapping, event_type: &str, fields: &[mapping::Entry]) -> Json {
        let event = self.body.get("event").unwrap_or(&Json::Null);
        let person = mapping.person.of(event);
        let own_time = mapping.time.and_then(|place| event.pointer(place)?.as_str()).and_then(moment);
        let mut draft = json!({
            "event_type": event_type,
            "user": person.to_json(),
            "user_name": person.name,
            "occurred_at": own_time.unwrap_or(self.time).to_string(),
        });
        for (field, source) in fields {
            draft[*field] = source.read(event, &person);
        }
        draft
    }

    /// What makes the message take effect once: its identifier, and the event's own, under which it may come again.
    fn markers(&self, mapping: &Mapping, now: Timestamp) -> Vec<Marker> {
        let key = |kind: &str, id: &str| format!("webhooks/twitch/{kind}/{}", hex::encode(Sha256::digest(id)));
        let message = Marker { key: key("message", self.id), expires_at: now.shifted(Duration::days(30)) };
        let natural = mapping.natural_id.and_then(|place| self.text(place)).filter(|id| !id.is_empty());
        let natural = natural.map(|id| Marker { key: key(mapping.name, id), expires_at: None });
        std::iter::once(message).chain(natural).collect()
    }
}

impl Person {
    fn to_json(&self) -> Json {
        json!({"platform_id": self.platform_id, "name": self.name})
    }
}
