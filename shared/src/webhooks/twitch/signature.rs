//! The signature of a message: HMAC-SHA256 of its identifier, its timestamp and its body. The body must be exactly as
//! sent: JSON that is parsed and serialized again has another signature.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Prefix of each signature, which names the algorithm.
pub const PREFIX: &str = "sha256=";

/// Returns true if a message is signed with a secret. Compares in constant time.
pub fn verify(secret: &str, id: &str, timestamp: &str, body: &[u8], signature: &str) -> bool {
    let decoded = signature.strip_prefix(PREFIX).and_then(|digits| hex::decode(digits).ok());
    decoded.zip(mac(secret, id, timestamp, body)).is_some_and(|(code, mac)| mac.verify_slice(&code).is_ok())
}

/// Signs a message as Twitch does. Returns the header.
pub fn sign(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> String {
    let mac = mac(secret, id, timestamp, body).map(|mac| hex::encode(mac.finalize().into_bytes()));
    format!("{PREFIX}{}", mac.unwrap_or_default())
}

fn mac(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    for part in [id.as_bytes(), timestamp.as_bytes(), body] {
        mac.update(part);
    }
    Some(mac)
}
