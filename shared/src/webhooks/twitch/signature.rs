//! The signature of a message: HMAC-SHA256 of its identifier, its timestamp and its body, exactly as sent, because JSON
//! that is parsed and written again has another signature.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const PREFIX: &str = "sha256=";

/// True if a message is signed with a secret. Compares in constant time.
pub fn verify(secret: &str, id: &str, timestamp: &str, body: &[u8], signature: &str) -> bool {
    let decoded = signature.strip_prefix(PREFIX).and_then(|digits| hex::decode(digits).ok());
    decoded.zip(mac(secret, id, timestamp, body)).is_some_and(|(code, mac)| mac.verify_slice(&code).is_ok())
}

/// Sign a message as Twitch does. Returns the header.
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

#[cfg(test)]
mod tests {
    use super::*;

    // RFC 4231, test case 2, with the data split into three parts.
    const RFC_4231: &str = "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

    #[test]
    fn signature_is_the_hmac_of_the_concatenated_parts() {
        assert_eq!(sign("Jefe", "what do ", "ya want", b" for nothing?"), RFC_4231);
        assert!(verify("Jefe", "what do ", "ya want", b" for nothing?", RFC_4231));
    }

    #[test]
    fn malformed_signatures_are_rejected_without_a_panic() {
        let is_rejected = |signature: &str| !verify("Jefe", "what do ", "ya want", b" for nothing?", signature);
        let digits = RFC_4231.strip_prefix(PREFIX).expect("a prefix");
        for signature in
            ["", PREFIX, digits, "sha256=5b", "sha256=5", "sha256=é", &format!("{RFC_4231}00"), &"z".repeat(71)]
        {
            assert!(is_rejected(signature), "{signature}");
        }
        assert!(is_rejected(&RFC_4231.replace("5bdc", "5bdd")));
        assert!(is_rejected(&RFC_4231[..RFC_4231.len() - 2]));
    }
}
