//! Products that viewers can buy. Each purchase changes the stock and the last purchase time in the product's state.

use crate::error::Code;
use crate::schema::scalar::{Between, Boolean, Count, Identifier, LongText, NonEmptyText, Quantity, Time};
use crate::schema::{Attr, DefaultValue, Filter, Input, Resource, Role, Unique};

/// A cooldown in seconds, of at most a year.
type CooldownSeconds = Between<1, 31_536_000>;

pub const PRODUCT_ID: Attr<Identifier> = Attr::new("product_id", "Unique identifier of the product").example("88");
pub const NAME: Attr<NonEmptyText> =
    Attr::new("name", "Name of the product, unique without regard to case").example("\"golden acorn\"");
pub const DESCRIPTION: Attr<LongText> =
    Attr::new("description", "Description for buyers").example("\"An acorn for your inventory\"");
pub const PRICE: Attr<Count> = Attr::new("price", "Price of one unit").example("400");
pub const STOCK: Attr<Count> =
    Attr::new("stock", "Number of units left; null if the number is unlimited").example("25");
pub const MAX_PER_USER: Attr<Quantity> =
    Attr::new("max_per_user", "Maximum number of units per viewer, not counting refunded units").example("3");
pub const COOLDOWN: Attr<CooldownSeconds> =
    Attr::new("cooldown", "Seconds between two purchases by any viewers").example("60");
pub const USER_COOLDOWN: Attr<CooldownSeconds> =
    Attr::new("user_cooldown", "Seconds between two purchases by the same viewer").example("300");
pub const QUESTION: Attr<NonEmptyText> =
    Attr::new("question", "Question that the buyer must answer").example("\"Which colour?\"");
pub const ITEM_NAME: Attr<NonEmptyText> =
    Attr::new("item_name", "Name of the inventory item that the buyer gets").example("\"golden acorn\"");
pub const AUTOMATIC: Attr<Boolean> = Attr::new("automatic", "True if purchases are fulfilled at once").example("false");
pub const ENABLED: Attr<Boolean> = Attr::new("enabled", "True if viewers can buy the product").example("true");
pub const CREATED_AT: Attr<Time> =
    Attr::new("created_at", "Time of creation; may be set by any POST, defaults to the current time");

/// Attribute of the state: time of the last purchase since the cooldown was set, in nanoseconds since 1970.
pub const LAST_PURCHASE: &str = "last_purchase";

pub static PRODUCTS: Resource = Resource {
    summary: "A product that viewers buy with the currency of their wallets.",
    time: Some(&CREATED_AT),
    fields: &[
        PRODUCT_ID.assigned(),
        NAME.required().changeable(),
        DESCRIPTION.optional().changeable(),
        PRICE.required().changeable(),
        STOCK.optional().changeable().stored_in_state(),
        MAX_PER_USER.optional().changeable(),
        COOLDOWN.optional().changeable().resetting(LAST_PURCHASE),
        USER_COOLDOWN.optional().changeable(),
        QUESTION.optional().changeable(),
        ITEM_NAME.optional().changeable(),
        AUTOMATIC.input(Input::Default(DefaultValue::Boolean(false))).changeable(),
        ENABLED.input(Input::Default(DefaultValue::Boolean(true))).changeable(),
        CREATED_AT.input(Input::Now),
    ],
    filters: &[
        Filter::unique(&NAME),
        Filter::equals(&ENABLED, Role::State),
        Filter::before("created_before", &CREATED_AT),
        Filter::after("created_after", &CREATED_AT),
    ],
    unique: Some(Unique::new(&NAME, Code::DuplicateName).ignoring_case()),
    ..Resource::new("products", "product", &PRODUCT_ID)
};
