//! A JSON array that is limited to the size of one response.

/// Maximum size of the JSON in one response, in bytes. The platform's limit is 6 MB.
pub(super) const MAX_JSON: usize = 5_000_000;
/// Maximum size as a string in the platform's JSON, where quotes and backslashes are escaped, in bytes.
const MAX_ESCAPED: usize = 5_900_000;

/// Elements of a list in a response, as JSON texts.
#[derive(Default)]
pub(crate) struct JsonArray {
    elements: Vec<String>,
    /// Total size of the elements, in bytes.
    pub(super) json: usize,
    escaped: usize,
}

impl JsonArray {
    /// Returns the number of elements.
    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    /// Adds an element unless the array would become too large. Returns true if it was added, as the first always is.
    pub(crate) fn add(&mut self, json: String) -> bool {
        let size = json.len() + 1;
        let escapes = json.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        let too_much = self.json + size > MAX_JSON || self.escaped + size + escapes > MAX_ESCAPED;
        if too_much && !self.elements.is_empty() {
            return false;
        }
        self.json += size;
        self.escaped += size + escapes;
        self.elements.push(json);
        true
    }

    /// Returns the array as JSON text.
    pub(crate) fn to_json(&self) -> String {
        format!("[{}]", self.elements.join(","))
    }
}
