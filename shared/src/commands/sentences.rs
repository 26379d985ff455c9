//! The answers to chat commands.

use crate::store::Language;

/// Maximum length of an answer, in characters: Twitch's limit of a chat message.
const MAX_CHARS: usize = 500;

/// A sentence of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sentence {
    Balance,
    /// The balance of a viewer who is not among the first 1,000.
    BalanceWithoutRank,
    Top,
    EmptyTop,
    Bought,
    Given,
    UnknownProduct,
    Question,
    LongAnswer,
    TooExpensive,
    SoldOut,
    LimitReached,
    OnCooldown,
    UnknownViewer,
    SeveralViewers,
    OwnName,
    InvalidAmount,
    Impossible,
}

impl Sentence {
    pub(super) fn text(self, language: Language) -> &'static str {
        let (english, german) = match self {
            Self::Balance => {
                ("{user}, you have {balance} and rank {rank}.", "{user}, du hast {balance} und bist auf Platz {rank}.")
            }
            Self::BalanceWithoutRank => ("{user}, you have {balance}.", "{user}, du hast {balance}."),
            Self::Top => ("Most points: {list}", "Die meisten Punkte: {list}"),
            Self::EmptyTop => ("Nobody has any points yet.", "Noch niemand hat Punkte."),
            Self::Bought => {
                ("{user}, you bought {product} for {cost}.", "{user}, du hast „{product}“ für {cost} gekauft.")
            }
            Self::Given => ("{user} gave {to} {gift}.", "{user} hat {to} {gift} gegeben."),
            Self::UnknownProduct => {
                ("{user}, there is no product with that name.", "{user}, ein Produkt mit diesem Namen gibt es nicht.")
            }
            Self::Question => (
                "{user}, add your answer after the product’s name: {question}",
                "{user}, schreib deine Antwort hinter den Namen des Produkts: {question}",
            ),
            Self::LongAnswer => ("{user}, your answer is too long.", "{user}, deine Antwort ist zu lang."),
            Self::TooExpensive => ("{user}, you don’t have enough points.", "{user}, du hast nicht genug Punkte."),
            Self::SoldOut => ("{user}, {product} is sold out.", "{user}, „{product}“ ist ausverkauft."),
            Self::LimitReached => (
                "{user}, you can’t buy any more of {product}.",
                "{user}, du kannst „{product}“ nicht noch einmal kaufen.",
            ),
            Self::OnCooldown => (
                "{user}, {product} was just bought. Try again in a while.",
                "{user}, „{product}“ wurde gerade gekauft. Versuch es später noch einmal.",
            ),
            Self::UnknownViewer => {
                ("{user}, I don’t know a viewer with that name.", "{user}, ich kenne niemanden mit diesem Namen.")
            }
            Self::SeveralViewers => {
                ("{user}, several viewers have that name.", "{user}, mehrere Zuschauer haben diesen Namen.")
            }
            Self::OwnName => {
                ("{user}, you can’t give points to yourself.", "{user}, du kannst dir selbst nichts geben.")
            }
            Self::InvalidAmount => (
                "{user}, write a name and a whole number of points.",
                "{user}, schreib einen Namen und eine ganze Zahl von Punkten.",
            ),
            Self::Impossible => ("{user}, that is not possible.", "{user}, das geht nicht."),
        };
        if language == Language::German { german } else { english }
    }
}

/// The placeholders of a streamer's answer. One without a value for the action becomes empty.
const PLACEHOLDERS: [&str; 7] = ["user", "points", "rank", "product", "price", "to", "amount"];

/// The values that replace the placeholders of an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<(&'static str, String)>);

impl Values {
    #[must_use]
    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.0.push((name, value.into()));
        self
    }

    /// Returns the values for a streamer's answer, without those that only the service's own sentences use.
    #[must_use]
    pub(super) fn for_streamer(mut self) -> Self {
        self.0.retain(|(name, _)| PLACEHOLDERS.contains(name));
        self
    }

    /// Replaces the placeholders of a text. Other braces stay.
    fn fill(&self, text: &str) -> String {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some(start) = rest.find('{') {
            filled.push_str(&rest[..start]);
            rest = &rest[start..];
            let after = |name: &str| rest[1..].strip_prefix(name)?.strip_prefix('}');
            let values = self.0.iter().map(|(name, value)| (*name, value.as_str()));
            let all = values.chain(PLACEHOLDERS.map(|name| (name, "")));
            let known = all.into_iter().find_map(|(name, value)| Some((value, after(name)?)));
            (filled, rest) = match known {
                Some((value, after)) => (filled + value, after),
                None => (filled + "{", &rest[1..]),
            };
        }
        filled + rest
    }
}

/// Writes an answer: one line without control characters and changes of direction, which is not a command of the
/// platform. Empty if nothing is left.
pub(super) fn line(text: &str, values: &Values) -> String {
    let filled = values.fill(text);
    let is_break = |char: char| char.is_control() || matches!(char, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let words: Vec<_> =
        filled.split(|char: char| is_break(char) || char == ' ').filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    let is_invisible =
        |char: char| char.is_whitespace() || matches!(char, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let start = line.trim_start_matches(|char| matches!(char, '/' | '.') || is_invisible(char));
    start.chars().take(MAX_CHARS).collect::<String>().trim_end().to_owned()
}

/// Writes an amount of points with its unit.
pub(super) fn points(language: Language, value: i64) -> String {
    let unit = match (language, value) {
        (Language::English, 1) => "point",
        (Language::English, _) => "points",
        (Language::German, 1) => "Punkt",
        (Language::German, _) => "Punkte",
    };
    format!("{} {unit}", number(language, value.into()))
}

/// Writes a number with separators.
pub(super) fn number(language: Language, value: i128) -> String {
    let separator = if language == Language::German { '.' } else { ',' };
    let digits = value.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(separator);
        }
        text.push(digit);
    }
    if value < 0 { format!("\u{2212}{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_is_one_harmless_line() {
        let values = Values::default().with("user", "/ban {points}\r\n").with("points", "5");
        for (text, expected) in [
            ("{user} has {points}", "ban {points} has 5"),
            ("{other} {", "{other} {"),
            ("{{points}} {points", "{5} {points"),
            (". / ./me\u{7}\thi", "me hi"),
            (" \n ", ""),
            ("…{user", "…{user"),
            ("\u{200b}/ban \u{202e}x", "ban x"),
            ("{to}5{amount}", "5"),
        ] {
            assert_eq!(line(text, &values), expected, "{text}");
        }
        let list = Values::default().with("list", "1. Ann");
        assert_eq!((line("{list}", &list), line("{list}", &list.for_streamer())), ("1. Ann".into(), "{list}".into()));
        assert_eq!(line(&"🦊".repeat(501), &values).chars().count(), 500);
    }

    #[test]
    fn numbers_have_separators() {
        let numbers = [0, 999, 1_000, -1_234_567].map(|value| number(Language::English, value));
        assert_eq!(numbers, ["0", "999", "1,000", "−1,234,567"]);
        assert_eq!([1, 12_345].map(|value| points(Language::German, value)), ["1 Punkt", "12.345 Punkte"]);
    }
}
