//! Suggestions for misspelled names.

/// Maximum length of a name that is compared, in bytes. A longer name is not a typo.
const MAX_LENGTH: usize = 40;
/// Number of problems after which nothing more is suggested. A body may have a hundred thousand unknown names.
const MAX_PROBLEMS: usize = 20;

/// Finds the known name that was probably meant: one that differs in at most a third of the letters, or that ends with
/// the unknown name as a word.
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
