//! Conversions of text for comparing and sorting without regard to case.

/// Converts a text to lower case, character by character.
pub fn lower_case(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Converts a name to a text that sorts without regard to case. A sort key has at most 1,024 bytes, so the text is
/// truncated to 900. Longer names with the same start are ordered by identifier.
pub fn sort_name(name: &str) -> String {
    let mut sort_name = lower_case(name);
    sort_name.truncate(sort_name.floor_char_boundary(900));
    sort_name
}
