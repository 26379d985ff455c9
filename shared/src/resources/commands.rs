//! Commands that viewers type in the channel's chat.

use crate::error::Code;
use crate::schema::scalar::{
    AnswerText, Boolean, CommandName, Enum, Identifier, NonEmptyText, Seconds, Time, Variants,
};
use crate::schema::{Attr, DefaultValue, Filter, Input, Limits, Resource, Role, Unique};

/// Maximum number of commands, including disabled and imported commands.
pub const MAX_COMMANDS: usize = 20;

pub const COMMAND_ID: Attr<Identifier> = Attr::new("command_id", "Unique identifier of the command").example("7");
pub const NAME: Attr<CommandName> =
    Attr::new("name", "First word of the messages that use the command, unique without regard to case")
        .example("\"!buy\"");
/// The name as a unique value. Its scalar only has to be a text.
const UNIQUE_NAME: Attr<NonEmptyText> = Attr::new(NAME.name, NAME.meaning);
pub const ACTION: Attr<Enum<Action>> = Attr::new(
    "action",
    "What the command does: `balance` shows the viewer's points, `top` the five viewers with the most points, `buy` \
     buys the product that follows the name, `give` pays a viewer",
)
.example("\"buy\"");
pub const ANSWER: Attr<AnswerText> = Attr::new(
    "answer",
    "Answer in the chat if the command succeeds, with `{user}`, `{points}`, `{rank}`, `{product}`, `{price}`, `{to}` \
     and `{amount}`; null for the service's own sentence",
)
.example("\"Enjoy your {product}, {user}!\"");
pub const USER_COOLDOWN: Attr<Seconds<86_400>> =
    Attr::new("user_cooldown", "Seconds between two uses by the same viewer").example("30");
pub const ENABLED: Attr<Boolean> =
    Attr::new("enabled", "True while viewers can use the command; false by default").example("true");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");

/// Actions of commands.
pub struct Action;

impl Variants for Action {
    const VARIANTS: &'static [&'static str] = &["balance", "top", "buy", "give"];
}

pub static COMMANDS: Resource = Resource {
    summary: "A command that viewers type in the channel's chat.",
    time: Some(&CREATED_AT),
    fields: &[
        COMMAND_ID.assigned(),
        NAME.required().changeable(),
        ACTION.required(),
        ANSWER.optional().changeable(),
        USER_COOLDOWN.optional().changeable(),
        ENABLED.input(Input::Default(DefaultValue::Boolean(false))).changeable(),
        CREATED_AT.input(Input::Now),
    ],
    filters: &[
        Filter::equals(&ACTION, Role::Text),
        Filter::equals(&ENABLED, Role::State),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    limits: Limits { records: Some(MAX_COMMANDS), bulk: None },
    unique: Some(Unique::new(&UNIQUE_NAME, Code::DuplicateName).ignoring_case()),
    ..Resource::new("commands", "command", &COMMAND_ID)
};
