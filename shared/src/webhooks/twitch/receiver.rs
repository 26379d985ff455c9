//! The receiver of Twitch's messages. It responds with success to every signed message about the channel, regardless of
//! the content: Twitch ends a subscription after too many refusals.

use std::collections::BTreeSet;

use http::HeaderMap;
use serde_json::{Value as Json, json};

use super::mapping::{self, MAPPINGS, Mapping};
use super::message::Message;
use super::parsed_event::{DedupId, Gift, NotificationContent, ParsedEvent};
use super::secrets::Secrets;
use super::subscriptions::Subscriptions;
use super::user::UserFields;
use super::{Cheers, SOCKET_SECRET, SUBSCRIPTIONS, Settings, names, privacy, read, removal, shares, streams};
use crate::error::{Code, Error, Result};
use crate::operations::{Execution, has_chat_text};
use crate::resources::USERS;
use crate::response::Response;
use crate::schema::Timestamp;
use crate::store::Store;

/// Receiver of Twitch's webhook messages.
pub struct Twitch {
    secrets: Secrets,
    /// Secret of the local process, which holds the WebSocket to Twitch. `None` if deployed.
    socket_secret: Option<String>,
    /// Configured channel, by its broadcaster's identifier at Twitch.
    channel: String,
    settings: Settings,
    subscriptions: Subscriptions,
}

impl std::fmt::Debug for Twitch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the secrets.
        f.debug_struct("Twitch")
            .field("channel", &self.channel)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Twitch {
    /// Creates the receiver from environment variables. The secrets are in `TWITCH_SECRET` and optionally
    /// `TWITCH_PREVIOUS_SECRET`, or in Secrets Manager at `TWITCH_SECRET_ARN`. The settings are
    /// `TWITCH_BROADCASTER_ID`, `TWITCH_CHEERS` (`subscribed`, `cheer`, `bits` or `none`) and `TWITCH_CHAT` (`true` or
    /// `false`). Returns `None` without a secret. Every message is then refused.
    ///
    /// # Errors
    /// If a variable is missing or invalid. The message names it.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let variable = |name| variable(name).filter(|value| !value.is_empty());
        let secrets = match (variable("TWITCH_SECRET"), variable("TWITCH_SECRET_ARN")) {
            (Some(current), _) => Secrets::fixed(current, variable("TWITCH_PREVIOUS_SECRET"))?,
            (None, Some(arn)) => Secrets::in_secrets_manager(arn),
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
        let (settings, subscriptions) = (Settings { cheers, chat }, Subscriptions::default());
        let socket_secret = variable(SOCKET_SECRET);
        Ok(Some(Self { secrets, socket_secret, channel, settings, subscriptions }))
    }

    /// Returns the configured channel, by its broadcaster's identifier at Twitch.
    pub fn channel(&self) -> &str {
        &self.channel
    }

    /// Returns the number of types that are marked as subscribed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn count_subscriptions(&self, store: &Store) -> Result<usize> {
        self.subscriptions.count(store).await
    }

    /// Reads the secrets before the first message, if they are stored in Secrets Manager.
    pub async fn warm_up(&self, store: &Store) {
        self.secrets.cached(store, Timestamp::now()).await;
    }

    /// Verifies and handles a message. A repeated message gets the same response as the first delivery.
    ///
    /// # Errors
    /// 403 without a valid and recent signature, or for another channel; 503 if a store fails.
    pub async fn receive(&self, execution: &Execution, headers: &HeaderMap, body: &[u8]) -> Result<Response> {
        let store = &execution.store;
        let verified =
            match self.socket_secret.as_deref().and_then(|secret| Message::from_socket(secret, headers, body)) {
                Some(message) => message,
                None => Message::verify(&self.secrets, store, execution.now, headers, body).await?,
            };
        let message = match verified {
            Ok(message) => message,
            Err(cause) => {
                tracing::error!(%cause, "ignored a Twitch message that is not valid JSON");
                return Ok(Response::no_content());
            }
        };
        match message.kind {
            "webhook_callback_verification" => self.challenge(store, &message).await,
            "notification" => self.notification(execution, &message).await.map(|()| Response::no_content()),
            "revocation" => self.revocation(store, &message).await.map(|()| Response::no_content()),
            SUBSCRIPTIONS => self.replace_marks(store, &message).await,
            _ => {
                tracing::warn!("ignored a Twitch message of an unknown type");
                Ok(Response::no_content())
            }
        }
    }

    /// Responds with the challenge, which proves that the callback belongs to the service.
    async fn challenge(&self, store: &Store, message: &Message<'_>) -> Result<Response> {
        let condition = message.condition().as_object().into_iter().flatten();
        let channels = condition.filter(|(field, _)| field.ends_with("broadcaster_user_id"));
        let channels: Vec<_> = channels.filter_map(|(_, value)| read::id(value)).collect();
        if !channels.is_empty() && !channels.contains(&self.channel) {
            return Err(Error::wrong_channel());
        }
        let Some(challenge) = read::optional_text(&message.body, "/challenge") else {
            tracing::error!("a Twitch challenge message contains no challenge");
            return Ok(Response::no_content());
        };
        if let Some(name) = self.superseding_type(message) {
            // If this fails, the first notification marks the type as subscribed.
            let _ = self.subscriptions.mark_challenged(store, name, &message.subscription_id()).await;
        }
        Ok(Response::new("text/plain", challenge))
    }

    async fn revocation(&self, store: &Store, message: &Message<'_>) -> Result<()> {
        let (subscription, reason) = (message.subscription_type(), read::text(&message.body, "/subscription/status"));
        // A metric filter counts this field of the log. Its alarm must work even without metrics per route.
        tracing::error!(subscription, reason, revocations = 1, "Twitch revoked a subscription");
        match self.superseding_type(message) {
            Some(name) => self.subscriptions.mark_ended(store, name, &message.subscription_id()).await,
            None => Ok(()),
        }
    }

    async fn notification(&self, execution: &Execution, message: &Message<'_>) -> Result<()> {
        let (subscription, event) = (message.subscription_type(), message.event());
        let Some(mapping) = self.mapping(message).filter(|mapping| (mapping.is_enabled)(self.settings)) else {
            tracing::info!(subscription, "ignored a notification of a type that is not processed");
            return Ok(());
        };
        if mapping.channel.is_some_and(|fields| !self.is_channel(message, fields)) {
            return Err(Error::wrong_channel());
        }
        if let Some(name) = self.superseding_type(message) {
            let id = message.subscription_id();
            self.subscriptions.mark_notified(&execution.store, name, &id, execution.now).await?;
        }
        if !event.is_object() {
            tracing::warn!(subscription, "ignored a notification without an event");
            return Ok(());
        }
        match mapping.parse(event) {
            NotificationContent::Nothing => Ok(()),
            NotificationContent::Removal(removal) => removal::remove(execution, &removal, message.time).await,
            NotificationContent::Name(user) => execution.refresh(&user.draft(), message.time).await,
            NotificationContent::Event(parsed) if self.is_superseded(&execution.store, &parsed).await? => {
                removal::link_counterpart(execution, &parsed, message).await.map(|_| ())
            }
            NotificationContent::Event(parsed) => {
                store_event(execution, message, mapping, *parsed).await?;
                if mapping.source(event) == streams::OFFLINE {
                    streams::restore(execution, event, message.time).await?;
                }
                Ok(())
            }
        }
    }

    /// Replaces the marks of subscribed types with the subscriptions in the message. Responds with the previous marks.
    ///
    /// The body is `{"subscriptions": [{"type", "id"}]}`.
    async fn replace_marks(&self, store: &Store, message: &Message<'_>) -> Result<Response> {
        let subscriptions = read::list(&message.body["subscriptions"]);
        let id_of =
            |name: &str| read::id(&subscriptions.iter().find(|subscription| subscription["type"] == name)?["id"]);
        let names = MAPPINGS.iter().filter(|mapping| mapping.supersedes).map(|mapping| mapping.name);
        // A type in two directions has two mappings.
        let names: BTreeSet<_> = names.collect();
        let previous = self.subscriptions.replace(store, names.into_iter().map(|name| (name, id_of(name)))).await?;
        Ok(Response::json(&json!({ "marks": previous })))
    }

    fn mapping(&self, message: &Message<'_>) -> Option<&'static Mapping> {
        mapping::find(&message.subscription_type(), |fields| self.is_channel(message, fields))
    }

    /// Returns true if these fields of the event, or else of the subscription's condition, name the configured channel.
    fn is_channel(&self, message: &Message<'_>, fields: UserFields) -> bool {
        let channel = fields.id(message.event()).or_else(|| fields.id(message.condition()));
        channel.as_ref() == Some(&self.channel)
    }

    /// Returns the type of a message if it supersedes other types. `None` for a replayed message.
    fn superseding_type(&self, message: &Message<'_>) -> Option<&'static str> {
        let mapping = self.mapping(message).filter(|mapping| mapping.supersedes && !message.is_replay);
        mapping.map(|mapping| mapping.name)
    }

    /// Returns true if the service is subscribed to a type that reports the event in more detail.
    async fn is_superseded(&self, store: &Store, parsed: &ParsedEvent) -> Result<bool> {
        let is_enabled =
            |name: &&str| mapping::find(name, |_| true).is_some_and(|mapping| (mapping.is_enabled)(self.settings));
        let names: Vec<_> = parsed.superseded_by.iter().copied().filter(is_enabled).collect();
        self.subscriptions.has_any(store, &names).await
    }
}

/// Stores the event of a notification, without repeating it. If its viewer has opted out, only a gift is stored, as
/// from an anonymous giver. The creation detects this, so other viewers' events need no extra reads. If another viewer
/// named in the event opts out in the meantime, starts over.
async fn store_event(
    execution: &Execution,
    message: &Message<'_>,
    mapping: &Mapping,
    parsed: ParsedEvent,
) -> Result<()> {
    let event = names::fill_missing_names(&execution.store, message.event()).await?;
    let (source, mut occurred_at) = (mapping.source(&event), message.occurred_at(mapping.occurred_at));
    let mut dedup_key = parsed.dedup_key(message.id, message.time);
    // A message that is sent again by hand does not have the time of its report.
    if source == streams::ONLINE
        && !message.is_replay
        && let Some(key) = streams::return_of(execution, &parsed, message.time).await?
    {
        (dedup_key, occurred_at) = (key, message.time);
    }
    if has_chat_text(Some(&source)) {
        let text = removal::text_digest(&source, parsed.message.as_deref());
        dedup_key = dedup_key.with_author(&parsed.user.platform_id, text);
    }
    let is_share = matches!(parsed.dedup_id, Some(DedupId::Share(_)));
    // The notice of a subscription has the identity of the subscription, not of its message.
    let is_shared = is_share || matches!(parsed.dedup_id, Some(DedupId::Expiring(_)));
    let is_removed = is_shared && removal::link_counterpart(execution, &parsed, message).await?;
    let mut anonymous = None;
    loop {
        let parsed = without_opted_out(execution, mapping, &event, anonymous.as_deref()).await?;
        let Some(parsed) = parsed else { return Ok(()) };
        let (gift, others, user) = (parsed.gift, privacy::other_platform_ids(&parsed), parsed.user.platform_id.clone());
        let parsed = if is_removed { parsed.without_text() } else { parsed };
        let draft = parsed.draft(&source, occurred_at);
        if is_share && shares::complete_subscription(execution, &user, &draft, &dedup_key, message.time).await? {
            return Ok(());
        }
        match execution.create_once(draft, dedup_key.clone(), &others).await {
            Err(error) if error.code() == Code::OptedOut => {
                if execution.store.excluded(&USERS, others).await?.is_empty() {
                    if anonymous.is_some() || gift != Gift::ByUser {
                        return Ok(());
                    }
                    anonymous = Some(user);
                }
            }
            result => return result,
        }
    }
}

/// Parses the event without the other users who have opted out, in the details and in the sentence, and without the
/// `anonymous` user. `None` if nothing is to be stored.
async fn without_opted_out(
    execution: &Execution,
    mapping: &Mapping,
    event: &Json,
    anonymous: Option<&str>,
) -> Result<Option<ParsedEvent>> {
    let NotificationContent::Event(parsed) = mapping.parse(event) else { return Ok(None) };
    let opted_out = execution.store.excluded(&USERS, privacy::other_platform_ids(&parsed)).await?;
    if opted_out.is_empty() && anonymous.is_none() {
        return Ok(Some(*parsed));
    }
    let mut event = privacy::without_users(event, &opted_out);
    if let Some(user) = anonymous {
        event = privacy::without_user(&event, user);
    }
    let NotificationContent::Event(parsed) = mapping.parse(&event) else { return Ok(None) };
    // If a user is still named in a way that the removal does not cover, nothing may be stored.
    if !privacy::other_platform_ids(&parsed).is_disjoint(&opted_out) {
        return Ok(None);
    }
    let has_text = anonymous.is_none() && (opted_out.is_empty() || parsed.gift != Gift::ToUser);
    Ok(Some(if has_text { *parsed } else { parsed.without_text() }))
}
