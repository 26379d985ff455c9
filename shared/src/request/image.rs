//! Validates images: an image must decode.
//!
//! The format is detected from the bytes. Clients send wrong media types.

use std::borrow::Cow;
use std::io::{Cursor, Read};
use std::num::NonZero;
use std::sync::{Condvar, Mutex, PoisonError};

use zune_core::options::DecoderOptions;

/// Maximum size of an image in a request, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;
const MAX_SIDE: u32 = 16_384;
const MAX_PIXELS: u64 = 50_000_000;
/// Maximum number of pixels in an animation, summed over all frames.
const MAX_FRAME_PIXELS: u64 = 500_000_000;
/// Memory limit of a decoder for one frame, in bytes: eight bytes a pixel, and overhead.
const MAX_MEMORY: usize = 450_000_000;

/// Number of pixels above which images are decoded one at a time. A decoder may need [`MAX_MEMORY`].
const LARGE_PIXELS: u64 = 8_000_000;

/// End of a GIF.
const GIF_TRAILER: &[u8] = b";";
/// Length of a JPEG marker.
const MARKER: usize = 2;
const START_OF_SCAN: u8 = 0xda;
/// Header of an extended WebP, and its metadata flags, which may be set without metadata.
const EXTENDED: &[u8] = b"VP8X";
const EXIF_AND_XMP: u8 = 0b1100;

/// Decoders of small images, one per core, and a single decoder of large images. Neither waits for the other.
static SMALL: Decoders = Decoders::new();
static LARGE: Decoders = Decoders::new();

/// A limited number of running decoders. Each needs memory.
struct Decoders {
    running: Mutex<usize>,
    ended: Condvar,
}

/// A permit to decode an image.
struct Permit(&'static Decoders);

impl Decoders {
    const fn new() -> Self {
        Self { running: Mutex::new(0), ended: Condvar::new() }
    }

    /// Waits for a permit to decode an image of this size.
    fn permit(width: u32, height: u32) -> Permit {
        let is_large = u64::from(width) * u64::from(height) > LARGE_PIXELS;
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let (decoders, limit) = if is_large { (&LARGE, 1) } else { (&SMALL, cores) };
        let running = decoders.running.lock().unwrap_or_else(PoisonError::into_inner);
        let running = decoders.ended.wait_while(running, |running| *running >= limit);
        *running.unwrap_or_else(PoisonError::into_inner) += 1;
        Permit(decoders)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.ended.notify_one();
    }
}

/// A supported image format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Png,
    Jpeg,
    Gif,
    WebP,
}

impl Format {
    /// Returns the media type that the image is served with.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
        }
    }

    fn detect(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Self::Gif),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ => None,
        }
    }
}

/// Decodes an image and detects its format. Blocks while other images are decoded, so async callers run it on a
/// blocking thread.
///
/// # Errors
/// The reason for rejecting the image, as a message for the client.
pub fn inspect(bytes: &[u8]) -> Result<Format, String> {
    let format = Format::detect(bytes).ok_or("Send a PNG, JPEG, GIF or WebP image.")?;
    let decode = match format {
        Format::Png => decode_png,
        Format::Jpeg => decode_jpeg,
        Format::Gif => decode_gif,
        Format::WebP => decode_webp,
    };
    // A decoder panics because of its input, so the image is invalid.
    std::panic::catch_unwind(|| decode(bytes)).unwrap_or_else(|_| Err(damaged("the decoder panicked")))?;
    Ok(format)
}

/// Logs the cause that a decoder reports, and returns the message for the client.
fn damaged(cause: impl std::fmt::Display) -> String {
    tracing::debug!(%cause, "image rejected");
    "The image cannot be decoded. Send the complete, unmodified file.".to_owned()
}

fn check_size(width: u32, height: u32) -> Result<(), String> {
    let pixels = u64::from(width) * u64::from(height);
    if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE || pixels > MAX_PIXELS {
        return Err(format!(
            "The image is {width} by {height}: send one of at most {MAX_SIDE} pixels a side and 50 megapixels."
        ));
    }
    Ok(())
}

fn too_many_pixels() -> String {
    "Send an animation of at most 500 megapixels across all frames.".to_owned()
}

/// Decodes row by row. A decompression bomb never needs memory for more than one row.
fn decode_png(bytes: &[u8]) -> Result<(), String> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    let header = decoder.read_header_info().map_err(damaged)?;
    check_size(header.width, header.height)?;
    let _permit = Decoders::permit(header.width, header.height);
    let mut reader = decoder.read_info().map_err(damaged)?;
    if reader.info().color_type == png::ColorType::Indexed && reader.info().palette.is_none() {
        return Err(damaged("it has no palette"));
    }
    // An animation may have a separate default image, for viewers that do not support animations.
    let animation_frames = reader.info().animation_control().map_or(0, |animation| animation.num_frames);
    let frames = animation_frames + u32::from(animation_frames == 0 || reader.info().frame_control().is_none());
    let mut pixels = 0;
    for index in 0..frames {
        if index > 0 {
            let frame = reader.next_frame_info().map_err(damaged)?;
            pixels += u64::from(frame.width) * u64::from(frame.height);
        }
        if pixels > MAX_FRAME_PIXELS {
            return Err(too_many_pixels());
        }
        while reader.next_row().map_err(damaged)?.is_some() {}
    }
    reader.finish().map_err(damaged)
}

/// Decodes without the filler between the first segments, which scanners and instant cameras write and browsers skip.
fn decode_jpeg(bytes: &[u8]) -> Result<(), String> {
    let bytes = &*without_filler(bytes);
    // Allow the maximum of the format. `check_size` then reports a large image with its size.
    let side = usize::from(u16::MAX);
    let options = DecoderOptions::new_safe().set_strict_mode(true).set_max_width(side).set_max_height(side);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| damaged(format!("{error:?}")))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| damaged("no dimensions"))?;
    let (width, height) = (u32::try_from(width).unwrap_or(u32::MAX), u32::try_from(height).unwrap_or(u32::MAX));
    check_size(width, height)?;
    let _permit = Decoders::permit(width, height);
    // The decoder fills in missing data at the end, so require the end-of-image marker.
    if !bytes.windows(2).rev().any(|pair| pair == [0xff, 0xd9]) {
        return Err(damaged("it ends too early"));
    }
    decoder.decode().map(drop).map_err(|error| damaged(format!("{error:?}")))
}

/// Removes the filler between the segments before the first scan.
fn without_filler(jpeg: &[u8]) -> Cow<'_, [u8]> {
    let (begin, mut rest) = jpeg.split_at(MARKER.min(jpeg.len()));
    let mut segments = begin.to_vec();
    // A segment starts with one or more 0xff bytes, its marker and its length.
    while let Some(begin) = rest.windows(2).position(|pair| pair[0] == 0xff && ![0x00, 0xff].contains(&pair[1])) {
        rest = &rest[begin..];
        let length =
            rest.get(MARKER..MARKER + 2).map_or(0, |length| usize::from(u16::from_be_bytes([length[0], length[1]])));
        if rest[1] == START_OF_SCAN || rest.len() < MARKER + length {
            break;
        }
        let (segment, after) = rest.split_at(MARKER + length);
        segments.extend_from_slice(segment);
        rest = after;
    }
    segments.extend_from_slice(rest);
    if segments.len() == jpeg.len() { Cow::Borrowed(jpeg) } else { Cow::Owned(segments) }
}

/// Checks the size and the structure of every frame, then decodes the pixels of the first. Decoding many frames takes
/// too long. As in browsers, frames may extend beyond the screen, the trailer may be missing or follow other bytes, and
/// extensions may be unknown.
fn decode_gif(bytes: &[u8]) -> Result<(), String> {
    let mut options = gif::DecodeOptions::new();
    options.set_memory_limit(gif::MemoryLimit::Bytes(
        std::num::NonZeroU64::new(MAX_MEMORY as u64).ok_or_else(|| damaged("no memory"))?,
    ));
    options.allow_unknown_blocks(true);
    // After the file's trailer, a second trailer is not read. Within a frame, a trailer does not end it.
    let file = || Cursor::new(bytes).chain(GIF_TRAILER);
    let mut structure = options.clone();
    structure.skip_frame_decoding(true);
    let mut structure = structure.read_info(file()).map_err(damaged)?;
    check_size(structure.width().into(), structure.height().into())?;
    let (mut first, mut pixels) = (None, 0);
    while let Some(frame) = structure.next_frame_info().map_err(damaged)? {
        let (width, height) = (frame.width.into(), frame.height.into());
        check_size(width, height)?;
        first.get_or_insert((width, height));
        pixels += u64::from(width) * u64::from(height);
        if pixels > MAX_FRAME_PIXELS {
            return Err(too_many_pixels());
        }
    }
    let (width, height) = first.ok_or_else(|| damaged("it has no frame"))?;
    let _permit = Decoders::permit(width, height);
    let mut decoder = options.read_info(file()).map_err(damaged)?;
    decoder.read_next_frame().map(drop).map_err(damaged)
}

/// Decodes every frame, from as many bytes as the file declares.
fn decode_webp(bytes: &[u8]) -> Result<(), String> {
    let declared = bytes.get(4..8).and_then(|size| size.try_into().ok()).map(u32::from_le_bytes);
    let declared = declared.and_then(|size| bytes.get(..size as usize + 8));
    let mut bytes = declared.ok_or_else(|| damaged("it ends too early"))?.to_vec();
    if bytes.get(12..16) == Some(EXTENDED)
        && let Some(flags) = bytes.get_mut(20)
    {
        *flags &= !EXIF_AND_XMP;
    }
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let _permit = Decoders::permit(width, height);
    decoder.set_memory_limit(MAX_MEMORY);
    let size = decoder.output_buffer_size().ok_or_else(|| damaged("it is too large"))?;
    let mut pixels = vec![0; size];
    if !decoder.is_animated() {
        return decoder.read_image(&mut pixels).map_err(damaged);
    }
    let frames = decoder.num_frames();
    if u64::from(width) * u64::from(height) * u64::from(frames) > MAX_FRAME_PIXELS {
        return Err(too_many_pixels());
    }
    for _ in 0..frames {
        decoder.read_frame(&mut pixels).map_err(damaged)?;
    }
    Ok(())
}
