//! Tokens: lists and revokes them, and creates tokens for overlays.
//!
//! This function has no access to records. Revoking a token also closes its connections to the socket.

use super::Group;

/// The group of tokens.
pub static GROUP: Group = Group {
    routes: &["/tokens", "/tokens/{proxy+}"],
    writes: &["sockets", "token-uses", "tokens"],
    ..Group::new("tokens")
};
