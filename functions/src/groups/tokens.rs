//! Tokens: lists and revokes them, and creates tokens for overlays and viewers.
//!
//! The user that a viewer's token belongs to is the only record that this function reads. Revoking a token also closes
//! its socket connections.

use super::Group;

/// Group of tokens.
pub static GROUP: Group = Group {
    routes: &["/tokens", "/tokens/{proxy+}"],
    reads: &["users"],
    writes: &["sockets", "token-uses", "tokens"],
    ..Group::new("tokens")
};
