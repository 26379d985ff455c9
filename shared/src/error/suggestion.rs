//! Suggestions for misspelled names, and for the names of other APIs.

/// Maximum length of a name that is compared, in bytes. A longer name is not a typo.
const MAX_LENGTH: usize = 40;
/// Number of problems after which nothing more is suggested. A body may have a hundred thousand unknown names.
const MAX_PROBLEMS: usize = 20;

/// Names of other APIs and of Twitch, by the name here. Some belong to several; the first that is known is meant.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("cursor", &["page", "offset", "skip", "page_token", "starting_after", "ending_before"]),
    ("limit", &["per_page", "page_size", "first", "last", "size", "count", "top", "take"]),
    ("order", &["sort", "sort_by", "order_by", "direction"]),
    ("occurred_after", &["since", "from", "start", "started_at"]),
    ("occurred_before", &["until", "to", "end", "ended_at"]),
    ("created_after", &["since", "from", "start"]),
    ("created_before", &["until", "to", "end"]),
    ("user_id", &["user", "viewer", "viewer_id"]),
    ("user_name", &["q", "query", "search", "login", "display_name", "username"]),
    ("name_prefix", &["q", "query", "search", "login", "display_name", "username"]),
    ("name", &["login", "display_name", "username", "title"]),
    ("owner_id", &["user", "user_id", "viewer_id"]),
    ("platform_id", &["twitch_id", "external_id"]),
    ("event_type", &["event"]),
    ("details", &["data", "metadata", "payload"]),
    ("settings", &["config", "options"]),
    ("enabled", &["active", "is_enabled"]),
    ("question", &["prompt"]),
    ("occurred_at", &["timestamp", "time", "date"]),
    ("message", &["text", "content", "body"]),
    ("amount", &["bits"]),
    ("amount_min", &["amount", "bits"]),
    ("viewer_count", &["viewers"]),
    ("subscribed_length", &["months", "cumulative_months"]),
    ("price", &["cost"]),
    ("stock", &["quantity"]),
    ("plain", &["chat", "message", "text", "follow", "channel.chat.message", "channel.follow"]),
    ("subscriber", &["sub", "subscription", "channel.subscribe", "channel.subscription.message"]),
    ("cheer", &["bits", "channel.cheer", "channel.bits.use"]),
    ("raid", &["channel.raid"]),
    ("events", &["messages", "subs", "subscriptions", "cheers", "raids"]),
    ("users", &["viewers", "chatters", "customers", "members"]),
    ("specimens", &["pets"]),
    ("specimen", &["pet"]),
    ("inventory", &["items"]),
    ("wallet", &["balance", "points", "coins", "wallets"]),
    ("statistics", &["stats", "analytics"]),
    ("products", &["rewards", "shop", "store"]),
    ("purchases", &["redemptions"]),
];

/// Finds the known name that was probably meant: a synonym, one with the same words, one that differs in at most a third
/// of the letters, or one that ends with the unknown name as a word.
pub fn closest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if unknown.is_empty() || unknown.len() > MAX_LENGTH {
        return None;
    }
    let unknown = snake_case(unknown);
    let mut meant = SYNONYMS.iter().filter(|(_, words)| words.contains(&unknown.as_str()));
    let meant = meant.find_map(|(ours, _)| known.clone().into_iter().find(|name| name == ours));
    if meant.is_some() {
        return meant;
    }
    if let Some(name) = known.clone().into_iter().find(|name| words(name) == words(&unknown)) {
        return Some(name);
    }
    let most = (unknown.chars().count() / 3).clamp(1, 3);
    let distances = known.clone().into_iter().map(|name| (strsim::damerau_levenshtein(name, &unknown), name));
    let similar = distances.min().filter(|(distance, _)| *distance <= most).map(|(_, name)| name);
    let has_word = |name: &&str| name.strip_suffix(unknown.as_str()).is_some_and(|rest| rest.ends_with('_'));
    similar.or_else(|| known.into_iter().find(has_word))
}

/// Converts a name such as `perPage` or `per-page` to `per_page`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && snake.ends_with(char::is_lowercase) {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase().map(|letter| if letter == '-' { '_' } else { letter }));
    }
    snake
}

/// Returns the words of a name in a fixed order: `min_amount` has those of `amount_min`.
fn words(name: &str) -> Vec<&str> {
    let mut words: Vec<_> = name.split('_').collect();
    words.sort_unstable();
    words
}

/// Returns a question for the known name that was probably meant, with a leading space. Empty if no name is similar, or
/// if the request already has many problems.
pub fn suggestion<'a>(
    unknown: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
    violations_so_far: usize,
) -> String {
    let name = if violations_so_far < MAX_PROBLEMS { closest(unknown, known) } else { None };
    name.map_or_else(String::new, |name| format!(" Did you mean {name}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested() {
        let known = ["event_id", "event_type", "user_name", "occurred_at", "amount"];
        for (unknown, expected) in [
            ("evnt_type", Some("event_type")),
            ("userName", Some("user_name")),
            ("type", Some("event_type")),
            ("ammount", Some("amount")),
            ("ocurred-at", Some("occurred_at")),
            ("bits", Some("amount")),
            ("display_name", Some("user_name")),
            ("viewers", None),
            ("nameUser", Some("user_name")),
            ("tier", None),
            ("colour", None),
            ("", None),
            ("x", None),
            (&"a".repeat(41), None),
        ] {
            assert_eq!(closest(unknown, known), expected, "{unknown}");
        }
        assert_eq!(suggestion("amont", known, 19), " Did you mean amount?");
        assert_eq!(suggestion("amont", known, 20), "");
    }
}
