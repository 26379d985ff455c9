//! DEFLATE compression of long texts that an item stores as bytes. An item costs one write unit per KB.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::error::{Error, Result};

/// Compresses a text.
///
/// # Errors
/// 500 if the encoder fails, which does not happen when it writes to memory.
pub(crate) fn compress(text: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).and_then(|()| encoder.finish()).map_err(|_| Error::fault())
}

/// Decompresses a text.
///
/// # Errors
/// 500 if the bytes are not a compressed text.
pub(crate) fn decompress(compressed: &[u8]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    DeflateDecoder::new(compressed).read_to_end(&mut text).map_err(|_| Error::fault())?;
    Ok(text)
}
