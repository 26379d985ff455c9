//! Texts as an item keeps them where they are long: made smaller.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::error::{Error, Result};

/// A text, packed.
///
/// # Errors
/// Never: memory can be written to.
pub(super) fn compress(text: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).and_then(|()| encoder.finish()).map_err(|_| Error::fault())
}

/// The text that was packed.
///
/// # Errors
/// When this is none.
pub(super) fn decompress(compressed: &[u8]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    DeflateDecoder::new(compressed).read_to_end(&mut text).map_err(|_| Error::fault())?;
    Ok(text)
}
