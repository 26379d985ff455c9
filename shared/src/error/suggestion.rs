//! Suggestions for misspelled names.

/// Longest name that is compared, in bytes. A longer one is no misspelled name.
const MAX_LENGTH: usize = 40;
/// Number of problems of a request after which nothing is suggested. A body may have a hundred thousand unknown names.
const MAX_PROBLEMS: usize = 20;

/// Find the known name that was probably meant: it differs in at most a third of the letters, or has the unknown one as its
/// last word.
pub fn closest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if unknown.is_empty() || unknown.len() > MAX_LENGTH {
        return None;
    }
    let unknown = unknown.to_lowercase();
    let most = unknown.chars().count().div_ceil(3).min(3);
    let distances = known.clone().into_iter().map(|name| (strsim::damerau_levenshtein(name, &unknown), name));
    let similar = distances.min().filter(|(distance, _)| *distance <= most).map(|(_, name)| name);
    let has_word = |name: &&str| name.strip_suffix(unknown.as_str()).is_some_and(|rest| rest.ends_with('_'));
    similar.or_else(|| known.into_iter().find(has_word))
}

/// Ask for the known name that was probably meant, in a sentence with a space before it. Empty if there is none, or if the
/// request has many problems before this one.
pub fn suggestion<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str> + Clone, before: usize) -> String {
    let name = if before < MAX_PROBLEMS { closest(unknown, known) } else { None };
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
