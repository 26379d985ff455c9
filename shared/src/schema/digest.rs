//! Digests, which stand for texts in keys.

use sha2::{Digest, Sha256};

/// Returns half of the SHA-256 in hexadecimal, which distinguishes texts and is short enough for a key.
pub fn digest(content: &str) -> String {
    hex::encode(&Sha256::digest(content)[..16])
}
