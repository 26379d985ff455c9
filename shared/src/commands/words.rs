//! Parses the words of a chat message.

use crate::resources::products;
use crate::schema::{MAX_INTEGER, Record, lower_case};

/// Finds the product with the longest name that a text begins with. Returns it with the rest of the text.
pub(super) fn product<'r, 't>(products: &'r [Record], text: &'t str) -> Option<(&'r Record, &'t str)> {
    let found = products.iter().filter_map(|product| {
        let name = product.get(&products::NAME)?;
        Some((product, name.chars().count(), without_prefix(text, name)?))
    });
    found.max_by_key(|(_, length, _)| *length).map(|(product, _, rest)| (product, rest.trim()))
}

/// Removes a prefix without regard to case.
fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (prefix, mut read) = (lower_case(prefix), String::new());
    for (start, char) in text.char_indices() {
        if read.len() >= prefix.len() {
            return (read == prefix).then(|| &text[start..]);
        }
        read.extend(char.to_lowercase());
    }
    (read == prefix).then_some("")
}

/// Parses the name of a viewer and an amount. The name may start with `@`.
pub(super) fn gift(text: &str) -> (&str, Option<i64>) {
    let (name, amount) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
    let is_number = !amount.is_empty() && amount.bytes().all(|byte| byte.is_ascii_digit());
    let amount = is_number.then(|| amount.parse().ok()).flatten().filter(|amount| (1..=MAX_INTEGER).contains(amount));
    let name = name.trim();
    (name.strip_prefix('@').unwrap_or(name), amount)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::PRODUCTS;
    use crate::schema::{Id, Key};

    #[test]
    fn longest_name_that_begins_a_text_is_its_product() {
        let named = |(number, name): (u64, &&str)| {
            let mut product = Record::new(Key::new(&PRODUCTS, Id::new(number).expect("a number")));
            product.set(&products::NAME, name);
            product
        };
        let all = ["Hat", "Hat stand", "İstanbul", "Straße"];
        let products: Vec<_> = (1..).zip(&all).map(named).collect();
        for (text, expected) in [
            ("hat", Some(("Hat", ""))),
            ("HAT stand   in red ", Some(("Hat stand", "in red"))),
            ("hat stan", Some(("Hat", "stan"))),
            ("hats", Some(("Hat", "s"))),
            ("i\u{307}stanbul now", Some(("İstanbul", "now"))),
            ("strasse", None),
            ("", None),
            ("ha", None),
        ] {
            let found = product(&products, text);
            let found = found.and_then(|(product, rest)| Some((product.get(&products::NAME)?, rest)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn gift_has_a_name_and_a_whole_amount() {
        assert_eq!(gift("@Ann 50"), ("Ann", Some(50)));
        assert_eq!(gift("Ann Lee \t 9007199254740991"), ("Ann Lee", Some(MAX_INTEGER)));
        for text in
            ["Ann", "Ann 0", "Ann -5", "Ann −5", "Ann +5", "Ann 1e9", "Ann 1.5", "Ann 1,000", "Ann abc", "", "50"]
        {
            assert_eq!(gift(text).1, None, "{text}");
        }
        assert_eq!(gift("Ann 9007199254740992").1, None);
    }
}
