//! Twitch EventSub over a webhook: what Twitch has signed, and what is done about it.
//!
//! <https://dev.twitch.tv/docs/eventsub/handling-webhook-events/>. The payloads change without notice: unknown fields and
//! values are passed over, and nothing that Twitch has signed is refused for its content.

pub mod mapping;
pub mod signature;

use http::{HeaderMap, header};
use serde_json::Value as Json;
use time::Duration;

use crate::error::{Error, Result};
use crate::execute::{Execution, Reply};
use crate::plan::Once;
use crate::request::Draft;
use crate::resources::events::{self, EVENTS};
use crate::resources::users::{self, USERS};
use crate::schema::Timestamp;

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
    /// Store an event, once.
    Store(Box<Draft>, Once),
    /// Give a user, if there is one, the values of this draft, unless newer ones are known.
    Refresh(Box<Draft>, Timestamp),
    /// Nothing but to say that it has come.
    Acknowledge,
}

impl Delivery {
    /// Does it. What had come before is answered like what comes for the first time.
    ///
    /// # Errors
    /// Only when the store fails.
    pub async fn carry_out(self, execution: &Execution) -> Result<Reply> {
        let done = match self {
            Self::Challenge(text) => return Ok(Reply::with("text/plain", text)),
            Self::Acknowledge => Ok(()),
            Self::Store(draft, once) => execution.create_once(*draft, once).await,
            Self::Refresh(draft, as_of) => execution.refresh(&draft, as_of).await,
        };
        match done {
            Err(error) if error.is_repeated() => Ok(Reply::nothing()),
            done => done.map(|()| Reply::nothing()),
        }
    }
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
            "notification" => self.notification(&message),
            "revocation" => {
                let (name, status) = (message.text("/subscription/type"), message.text("/subscription/status"));
                // A metric, by a filter of the log: it must raise an alarm also where no route's metrics are kept.
                let (subscription, reason) = (name.unwrap_or_default(), status.unwrap_or_default());
                tracing::error!(subscription, reason, revocations = 1, "Twitch has revoked a subscription");
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

    fn notification(&self, message: &Message<'_>) -> Result<Delivery> {
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
        Ok(match &mapping.becomes {
            Becomes::Event { event_type, fields } => {
                let draft = fields(event, &mapping.person.of(event), message.event(mapping, event_type));
                Delivery::Store(Box::new(draft), message.once(mapping))
            }
            Becomes::UserName => Delivery::Refresh(Box::new(mapping.person.of(event).draft()), message.time),
        })
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

    /// What all events have in common.
    fn event(&self, mapping: &Mapping, event_type: &str) -> Draft {
        let event = self.body.get("event").unwrap_or(&Json::Null);
        let person = mapping.person.of(event);
        let own_time = mapping.time.and_then(|place| event.pointer(place)?.as_str()).and_then(moment);
        Draft::new(&EVENTS)
            .with(&events::EVENT_TYPE, event_type)
            .with(&events::USER_NAME, &person.name)
            .with(&events::OCCURRED_AT, own_time.unwrap_or(self.time))
            .with_part("user", person.draft())
    }

    /// What makes the message take effect once: the event's own identifier, under which it may come in several messages,
    /// or the message's.
    fn once(&self, mapping: &Mapping) -> Once {
        let natural = mapping.natural_id.and_then(|place| self.text(place)).filter(|id| !id.is_empty());
        let (kind, id) = natural.map_or(("message", self.id), |id| (mapping.name, id));
        Once::new(&format!("twitch {kind} {id}"), self.time)
    }
}

impl Person {
    fn draft(&self) -> Draft {
        Draft::new(&USERS).with(&users::PLATFORM_ID, &self.platform_id).with(&users::NAME, &self.name)
    }
}
