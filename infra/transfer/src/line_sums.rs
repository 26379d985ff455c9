//! Sums that locate a changed line in a file without storing a digest per line.

use serde::{Deserialize, Serialize};

/// Modulus. It is prime, so every number but 0 has an inverse, and small enough that a product fits into 64 bits.
const PRIME: u64 = (1 << 31) - 1;
/// Base of the polynomial line hash, greater than any byte.
const HASH_BASE: u64 = 257;

/// Sums over the lines of a file, modulo a prime. If one line changes, the first sum differs by the change in that
/// line's hash, and the second by this change times the line number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct LineSums {
    /// Sum of the line hashes.
    hashes: u64,
    /// Sum of the line hashes, each multiplied by its line number.
    numbered_hashes: u64,
}

impl LineSums {
    /// Adds a line.
    pub fn add(&mut self, number: u64, hash: u64) {
        self.hashes = (self.hashes + hash) % PRIME;
        self.numbered_hashes = (self.numbered_hashes + number % PRIME * hash) % PRIME;
    }

    /// Finds the number of the line that differs from another file. If several lines differ, the number is meaningless,
    /// and nearly always greater than the number of lines.
    pub fn changed_line(self, other: Self) -> Option<u64> {
        let difference = |one: u64, other: u64| (one % PRIME + PRIME - other % PRIME) % PRIME;
        let change = difference(self.hashes, other.hashes);
        let number = difference(self.numbered_hashes, other.numbered_hashes) * inverse(change) % PRIME;
        (number > 0).then_some(number)
    }
}

/// Extends the hash of a line by more bytes. The initial hash is 0.
pub fn hash(begun: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(begun, |hash, byte| (hash * HASH_BASE + u64::from(*byte)) % PRIME)
}

/// Returns the multiplicative inverse, by Fermat's little theorem. The inverse of 0 is 0.
fn inverse(number: u64) -> u64 {
    let squares = std::iter::successors(Some(number % PRIME), |square| Some(square * square % PRIME));
    let bits = (0..u64::BITS).map(|bit| ((PRIME - 2) >> bit) & 1);
    squares.zip(bits).filter(|(_, bit)| *bit == 1).fold(1, |product, (square, _)| product * square % PRIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums<'a>(lines: impl IntoIterator<Item = &'a str>) -> LineSums {
        let mut sums = LineSums::default();
        for (number, line) in (1..).zip(lines) {
            sums.add(number, hash(0, line.as_bytes()));
        }
        sums
    }

    #[test]
    fn changed_line_is_found() {
        let lines: Vec<String> = (0..5_000).map(|line| format!("{{\"event_id\":{line}}}")).collect();
        let exported = sums(lines.iter().map(String::as_str));
        for number in [1, 2, 77, 4_999, 5_000] {
            for text in ["", "x", "{\"event_id\":0,\"message\":\"changed\"}"] {
                let changed = (1..).zip(&lines).map(|(line, own)| if line == number { text } else { own.as_str() });
                assert_eq!(exported.changed_line(sums(changed)), Some(number), "{text}");
            }
        }
        assert_eq!(exported.changed_line(exported), None);
        let several = lines.iter().enumerate().map(|(line, own)| if line % 9 == 4 { "x" } else { own.as_str() });
        assert!(exported.changed_line(sums(several)).is_none_or(|number| number > 5_000));
    }

    #[test]
    fn hash_continues_over_parts_of_a_line() {
        assert_eq!(hash(hash(0, b"one "), b"line"), hash(0, b"one line"));
    }
}
