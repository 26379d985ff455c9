//! Tokens: lists and revokes them, and creates tokens for overlays and viewers.
//!
//! Of records, this function only reads the user that a viewer's token belongs to. Revoking a token also closes its connections to the socket.

use super::Group;

/// Group of tokens.
pub static GROUP: Group = Group {
    routes: &["/tokens", "/tokens/{proxy+}"],
    reads: &["users"],
    writes: &["sockets", "token-uses", "tokens"],
    ..Group::new("tokens")
};
