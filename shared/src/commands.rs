//! Chat commands: viewers ask for their points, buy and give in the channel's chat (ADR 27).
//!
//! `lambda/follower` receives the new messages from the table's stream. `words` parses a message, and `act` carries out
//! its command with the code behind `POST /purchases` and `POST /transfers`, under an idempotency key that derives from
//! the event: a batch that is delivered again buys nothing twice. `sentences` has the answers.

mod act;
mod sentences;
mod words;
