//! Unit tests of `shared/src/store`.

use capture_core::store::Token;

#[test]
fn token_parses_only_from_a_bearer_header() {
    let token = Token::generate().expect("randomness");
    let read = |header: String| Token::from_header(&header).map(|read| read.hash().to_string());
    let hash = Some(token.hash().to_string());
    assert_eq!(read(format!("Bearer {}", token.reveal())), hash);
    assert_eq!(read(format!("bearer  {}", token.reveal())), hash);
    for wrong in ["", "Bearer", "Bearer ", "Bearer x", "Bearer é"] {
        assert_eq!(read(wrong.to_owned()), None, "{wrong}");
    }
    assert_eq!(read(format!("Basic {}", token.reveal())), None);
    assert_eq!(read(format!("Bearer {0},{0}", token.reveal())), None);
    assert_eq!(read(format!("Bearer {}A", token.reveal())), None);
}

#[test]
fn debug_output_of_a_token_hides_its_value() {
    let token = Token::generate().expect("randomness");
    assert_eq!(format!("{token:?}"), "Token");
    assert!(token.hash().matches(&token.hash().to_string()));
    assert!(!token.hash().matches(""));
}
