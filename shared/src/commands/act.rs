//! Carries out the commands in new chat messages.

use std::collections::BTreeMap;

use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;
use time::Duration;

use super::sentences::{Sentence, Values, line, number, points};
use super::words;
use crate::error::{Code, Error, Result};
use crate::operations::Execution;
use crate::request::{Draft, IdempotencyKey, Operation, Path, Transfer};
use crate::resources::transactions::WALLET;
use crate::resources::{COMMANDS, PRODUCTS, PURCHASES, TRANSFER, USERS};
use crate::resources::{commands, events, products, purchases, transfers, users};
use crate::schema::scalar::MAX_BRIEF_TEXT_CHARS;
use crate::schema::{Key, Record, StoredValue, Value, lower_case};
use crate::store::{Answer, Chat, Consistency, Language, in_parallel};
use crate::table::{CommitError, Condition, EXPIRES_AT, ReadSet, WriteSet, number as digits, text_key};

/// Maximum time between sending and storing a message. An older one arrived after an outage: its viewer no longer expects it.
const MAX_DELAY: Duration = Duration::seconds(30);
/// Number of viewers who have a rank.
const RANKED: usize = 1_000;
/// Caller of the idempotency keys. No token has this identifier.
const CALLER: &str = "commands";
/// Attributes of a command's last use by a viewer: its time in nanoseconds since 1970, and its event.
const USED_AT: &str = "used_at";
const USED_BY: &str = "used_by";

/// The use of a command by a viewer.
struct Use<'a> {
    command: &'a Record,
    event: &'a Record,
    user: &'a Record,
    /// What follows the command.
    rest: &'a str,
}

/// What a command did, or why not: a sentence and its values. `is_done` selects the streamer's own answer.
struct Outcome {
    is_done: bool,
    sentence: Sentence,
    values: Values,
}

impl Outcome {
    fn done(sentence: Sentence, values: Values) -> Self {
        Self { is_done: true, sentence, values }
    }

    fn refused(sentence: Sentence) -> Self {
        Self { is_done: false, sentence, values: Values::default() }
    }
}

impl Execution {
    /// Carries out the commands in new chat messages, each once.
    ///
    /// # Errors
    /// If the store fails. The call can be repeated.
    pub async fn run_commands(&self, events: &[Record]) -> Result<()> {
        let is_recent = |event: &&Record| {
            let [sent, stored] = [&events::OCCURRED_AT, &events::CREATED_AT].map(|field| event.get(field));
            stored
                .zip(sent)
                .is_some_and(|(stored, sent)| stored.unix_nanos() - sent.unix_nanos() <= MAX_DELAY.whole_nanoseconds())
        };
        let is_command = |event: &&Record| event.get(&events::CHAT_COMMAND).is_some();
        let mut by_user: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for event in events.iter().filter(is_command).filter(is_recent) {
            by_user.entry(event.get(&events::USER_ID)).or_default().push(event);
        }
        // A viewer's commands run in the order of their messages.
        in_parallel(by_user.values().map(async |events| {
            for event in events {
                match self.run_command(event).await {
                    Err(error) if error.status() == StatusCode::SERVICE_UNAVAILABLE => return Err(error),
                    // A message that can never be handled must not hold up its shard.
                    Err(error) => tracing::error!(event = %event.key, %error, "a chat command was left out"),
                    Ok(()) => {}
                }
            }
            Ok::<_, Error>(())
        }))
        .await?;
        Ok(())
    }

    async fn run_command(&self, event: &Record) -> Result<()> {
        // 1. The command, by the first word. While no command has this name, this costs one read unit.
        let named = event.get(&events::CHAT_COMMAND).and_then(|command| command.split_once(' '));
        let Some((word, message_id)) = named else { return Ok(()) };
        let command = self.store.find_by_unique_value(&COMMANDS, word).await?;
        let Some(command) = command.filter(|command| command.get(&commands::ENABLED) == Some(true)) else {
            return Ok(());
        };
        // 2. The viewer. Opted-out viewers and the account that answers use no commands.
        let Some(key) = event.get(&events::USER_ID).map(|id| Key::new(&USERS, id)) else { return Ok(()) };
        let user = self.store.get(key).await?;
        let account = self.store.chat().and_then(Chat::account);
        let chat = self.store.chat().filter(|_| account.is_some());
        let Some(user) = user.filter(|user| is_viewer(user, account.as_deref())) else { return Ok(()) };
        // 3. The action, once for this message.
        let Some(message) = self.message_of(event).await? else { return Ok(()) };
        let rest = message.strip_prefix(word).unwrap_or_default().trim();
        let usage = Use { command: &command, event, user: &user, rest };
        if !self.start_cooldown_of(&usage).await? {
            return Ok(());
        }
        let execution = Self { token_id: CALLER.to_owned(), ..self.clone() };
        let outcome = match command.get(&commands::ACTION) {
            Some("buy") => execution.buy(&usage).await?,
            Some("give") => execution.give(&usage).await?,
            Some("top") if chat.is_some() => self.top().await?,
            _ => Outcome::done(Sentence::Balance, Values::default()),
        };
        // 4. The answer, unless an earlier process may have given it.
        let stored_at = event.get(&events::CREATED_AT);
        if let Some(chat) = chat.filter(|chat| stored_at >= Some(chat.answers_since()))
            && let Some(sent_at) = event.get(&events::OCCURRED_AT)
        {
            let text = self.answer(&usage, outcome, chat.language()).await?;
            if !text.is_empty() {
                chat.answer(Answer { message_id: message_id.to_owned(), sent_at, text });
            }
        }
        Ok(())
    }

    /// Returns a message's text. A long one is stored out of line.
    async fn message_of(&self, event: &Record) -> Result<Option<String>> {
        let Some(Value::OutOfLine(out_of_line)) = event.value(events::MESSAGE.name) else {
            return Ok(event.get(&events::MESSAGE).map(str::to_owned));
        };
        let key = text_key(event.key, out_of_line);
        let reads = ReadSet { texts: [key.clone()].into(), ..ReadSet::default() };
        Ok(self.store.load(&reads, Consistency::Eventual).await?.texts.remove(&key))
    }

    /// Starts the viewer's cooldown of a command. Returns false if another message has started one that includes this
    /// message. Messages may arrive in any order.
    async fn start_cooldown_of(&self, usage: &Use<'_>) -> Result<bool> {
        let seconds = usage.command.get(&commands::USER_COOLDOWN);
        let Some((seconds, time)) = seconds.zip(usage.event.get(&events::OCCURRED_AT)) else { return Ok(true) };
        let cooldown = Duration::seconds(seconds).whole_nanoseconds();
        let pk = format!("command-uses/{}/{}", usage.command.key.id, usage.user.key.id);
        let event = usage.event.key.to_string();
        let mut write_set = WriteSet::default();
        let write = write_set.write_item(pk.clone());
        write.put_attribute(USED_AT, Some(digits(time.unix_nanos())));
        write.put_attribute(USED_BY, Some(StoredValue::Text(event.clone())));
        write.put_attribute(EXPIRES_AT, Some(digits(self.now.unix_seconds() + seconds)));
        let period = [time.unix_nanos() - cooldown, time.unix_nanos() + cooldown - 1];
        write.require(Condition::NotWithin(USED_AT.into(), period[0], period[1]));
        match self.store.commit(&write_set).await {
            Ok(()) => Ok(true),
            // A repeated delivery finds itself.
            Err(CommitError::Outdated) => Ok(self.store.get_values(&pk).await?.get(USED_BY) == Some(&event)),
            Err(CommitError::Failed(error)) => Err(error),
        }
    }

    async fn buy(&self, usage: &Use<'_>) -> Result<Outcome> {
        let products = self.first_of(&format!("/{}?{}=true&limit=1000", PRODUCTS.name, products::ENABLED.name)).await?;
        let Some((product, answer)) = words::product(&products, usage.rest) else {
            return Ok(Outcome::refused(Sentence::UnknownProduct));
        };
        let mut draft = Draft::new(&PURCHASES)
            .with(&purchases::USER_ID, usage.user.key.id)
            .with(&purchases::PRODUCT_ID, product.key.id);
        let question = product.get(&products::QUESTION);
        if question.is_some() && answer.chars().count() > MAX_BRIEF_TEXT_CHARS {
            return Ok(Outcome::refused(Sentence::LongAnswer));
        }
        if question.is_some() && !answer.is_empty() {
            draft = draft.with(&purchases::ANSWER, answer);
        }
        let create = Operation::Create(Path::to(&PURCHASES), draft, Some(usage.idempotency_key()));
        let name = product.get(&products::NAME).unwrap_or_default();
        let sentence = match self.run_with_economy(create).await {
            Ok(response) => {
                let purchase: Json = serde_json::from_str(&response.body).map_err(|_| Error::fault())?;
                let price = purchase[purchases::PRICE.name].as_i64().unwrap_or_default();
                let values = self.with_points(Values::default().with("product", name), ["price", "cost"], price);
                return Ok(Outcome::done(Sentence::Bought, values));
            }
            Err(error) if !error.status().is_client_error() => return Err(error),
            Err(error) => match error.code() {
                Code::InsufficientBalance => Sentence::TooExpensive,
                Code::OutOfStock => Sentence::SoldOut,
                Code::LimitReached => Sentence::LimitReached,
                Code::OnCooldown => Sentence::OnCooldown,
                Code::ProductDisabled => Sentence::UnknownProduct,
                _ if question.is_some() && answer.is_empty() => Sentence::Question,
                _ => Sentence::Impossible,
            },
        };
        let values = Values::default().with("product", name).with("question", question.unwrap_or_default());
        Ok(Outcome { values, ..Outcome::refused(sentence) })
    }

    async fn give(&self, usage: &Use<'_>) -> Result<Outcome> {
        let (name, Some(amount)) = words::gift(usage.rest) else {
            return Ok(Outcome::refused(Sentence::InvalidAmount));
        };
        // The index is ordered by name: users with exactly this name are the first.
        let prefix = utf8_percent_encode(name, NON_ALPHANUMERIC);
        let found = match name {
            "" => Vec::new(),
            _ => self.first_of(&format!("/{}?name_prefix={prefix}&limit=3", USERS.name)).await?,
        };
        let is_named = |user: &&Record| {
            user.get(&users::NAME).is_some_and(|other| lower_case(other) == lower_case(name)) && is_viewer(user, None)
        };
        let found: Vec<_> = found.iter().filter(is_named).collect();
        let recipient = match found[..] {
            [] => return Ok(Outcome::refused(Sentence::UnknownViewer)),
            [recipient] => recipient,
            _ => return Ok(Outcome::refused(Sentence::SeveralViewers)),
        };
        if recipient.key == usage.user.key {
            return Ok(Outcome::refused(Sentence::OwnName));
        }
        let command = usage.command.get(&commands::NAME).unwrap_or_default();
        let draft = Draft::new(&TRANSFER)
            .with(&transfers::FROM_USER_ID, usage.user.key.id)
            .with(&transfers::TO_USER_ID, recipient.key.id)
            .with(&transfers::AMOUNT, amount)
            .with(&transfers::DESCRIPTION, command);
        let transfer = Transfer { path: None, draft: Ok(draft), key: Some(usage.idempotency_key()) };
        match self.transfer(transfer, false).await {
            Ok(_) => {
                let to = recipient.get(&users::NAME).unwrap_or_default();
                let values = self.with_points(Values::default().with("to", to), ["amount", "gift"], amount);
                Ok(Outcome::done(Sentence::Given, values))
            }
            Err(error) if !error.status().is_client_error() => Err(error),
            Err(error) if error.code() == Code::InsufficientBalance => Ok(Outcome::refused(Sentence::TooExpensive)),
            Err(_) => Ok(Outcome::refused(Sentence::Impossible)),
        }
    }

    async fn top(&self) -> Result<Outcome> {
        let board = self.leaderboard(WALLET, "limit=5").await?;
        let places: Vec<Json> = serde_json::from_str(&board.body).map_err(|_| Error::fault())?;
        let place = |(rank, place): (usize, &Json)| {
            let name = place["user"][users::NAME.name].as_str().unwrap_or_default();
            format!("{rank}. {name} {}", number(self.language(), place["value"].as_i64().unwrap_or_default().into()))
        };
        let list: Vec<_> = (1..).zip(&places).map(place).collect();
        let sentence = if list.is_empty() { Sentence::EmptyTop } else { Sentence::Top };
        Ok(Outcome::done(sentence, Values::default().with("list", list.join(", "))))
    }

    /// Writes the answer: the streamer's own, or the service's sentence.
    async fn answer(&self, usage: &Use<'_>, outcome: Outcome, language: Language) -> Result<String> {
        let Outcome { is_done, mut sentence, mut values } = outcome;
        let own = usage.command.get(&commands::ANSWER).filter(|_| is_done);
        let shows = |placeholder: &str| own.unwrap_or_else(|| sentence.text(language)).contains(placeholder);
        let (shows_points, shows_rank) = (shows("{points}") || shows("{balance}"), shows("{rank}"));
        values = values.with("user", usage.user.get(&users::NAME).unwrap_or_default());
        // Only an answer that shows them costs their reads.
        if shows_points {
            values = self.with_points(values, ["points", "balance"], self.balance(usage.user.key).await?);
        }
        if shows_rank {
            let ranking = self.store.ranking(WALLET, RANKED).await?;
            let rank = ranking.iter().position(|(id, _)| *id == usage.user.key.id);
            if rank.is_none() {
                sentence = Sentence::BalanceWithoutRank;
            }
            values = values.with("rank", rank.map_or_else(|| "–".to_owned(), |rank| (rank + 1).to_string()));
        }
        Ok(match own {
            Some(own) => line(own, &values.for_streamer()),
            None => line(sentence.text(language), &values),
        })
    }

    async fn balance(&self, user: Key) -> Result<i64> {
        let snapshot = self.store.load(&ReadSet::with_state(user), Consistency::Strong).await?;
        Ok(snapshot.states.get(&user).map(|state| state.sum(WALLET)).unwrap_or_default())
    }

    /// Adds an amount of points: in digits for a placeholder, since the language of the streamer's answer is unknown,
    /// and with separators and its unit for the service's own sentence.
    fn with_points(&self, values: Values, [placeholder, own]: [&'static str; 2], value: i64) -> Values {
        values.with(placeholder, value.to_string()).with(own, points(self.language(), value))
    }

    fn language(&self) -> Language {
        self.store.chat().map(Chat::language).unwrap_or_default()
    }
}

impl Use<'_> {
    /// Returns the key under which the response of the purchase or the transfer is stored.
    fn idempotency_key(&self) -> IdempotencyKey {
        IdempotencyKey { key: self.event.key.to_string(), fingerprint: self.event.key.to_string() }
    }
}

/// Returns true if the user is a viewer who can use commands. `account` is the account that answers.
fn is_viewer(user: &Record, account: Option<&str>) -> bool {
    user.get(&users::PLATFORM_ID)
        .is_some_and(|id| id != users::ANONYMOUS && !id.starts_with(users::ANONYMIZED) && Some(id) != account)
}
