//! The files of the pages. A release build embeds them, compressed. A debug build reads and compresses them for each
//! request.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::Path;

use flate2::read::GzDecoder;
use headers::HeaderMap;

use super::sources::{is_compressible, source};
use crate::lambda::compression::{accepts_gzip, gzip};
use crate::lambda::routes::is_page;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// File name of a folder's page.
pub const PAGE: &str = "index.html";
/// Number of hexadecimal digits of a version.
const VERSION_LENGTH: usize = 16;

/// A file of the pages.
pub struct File {
    /// The content.
    pub data: Cow<'static, [u8]>,
    /// Whether the content is compressed with gzip.
    pub is_compressed: bool,
}

impl File {
    /// Reads a file by its name, such as `console/console.js`. `sources` has the files that replace the joined ones.
    /// `None` if no public file has this name.
    pub fn read(name: &str, sources: Option<&Path>) -> Option<Self> {
        let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.');
        if !is_page(&format!("/{name}")) || !name.split('/').all(is_plain) {
            return None;
        }
        let path = source(name)?;
        if let Some(data) = sources.and_then(|folder| std::fs::read(folder.join(name)).ok()) {
            return Some(Self { data: data.into(), is_compressed: false });
        }
        let Some(digest) = DIGEST else {
            let data = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)).ok()?;
            let is_compressed = is_compressible(name);
            return Some(Self { data: if is_compressed { gzip(&data) } else { data }.into(), is_compressed });
        };
        let index = FILES.binary_search_by_key(&name, |(name, ..)| name).ok()?;
        let (_, data, is_compressed) = FILES[index];
        if name.ends_with(PAGE) {
            let html = link_to(digest, name, &String::from_utf8_lossy(data));
            return Some(Self { data: html.into_bytes().into(), is_compressed });
        }
        Some(Self { data: data.into(), is_compressed })
    }

    /// Decompresses the file, unless the request accepts it compressed.
    #[must_use]
    pub fn for_request(self, headers: &HeaderMap) -> Self {
        if !self.is_compressed || accepts_gzip(headers) {
            return self;
        }
        let mut data = Vec::new();
        match GzDecoder::new(&*self.data).read_to_end(&mut data) {
            Ok(_) => Self { data: data.into(), is_compressed: false },
            Err(_) => self,
        }
    }
}

/// Splits a name such as `console/0123456789abcdef/shared/page.js` into the file's name and its version.
pub fn split_version(name: &str) -> (&str, Option<&str>) {
    let is_version = |part: &&str| part.len() == VERSION_LENGTH && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let parts = name.split_once('/').and_then(|(_, rest)| rest.split_once('/'));
    match parts.filter(|(version, _)| is_version(version)) {
        Some((version, rest)) => (rest, Some(version)),
        None => (name, None),
    }
}

/// Returns true if this is the version of this build's files, which browsers may cache forever. During a deployment, a
/// page may request the files of another version.
pub fn is_current(version: Option<&str>) -> bool {
    version.is_some() && version == DIGEST
}

/// Makes a page load its files from a folder with their version: `../shared/tokens.css` becomes
/// `<digest>/shared/tokens.css`.
pub fn link_to(digest: &str, page: &str, html: &str) -> String {
    let mut folders: Vec<_> = page.split('/').collect();
    folders.pop();
    let up = "../".repeat(folders.len().saturating_sub(1));
    let mut parts = html.split('"');
    let mut changed = parts.next().unwrap_or_default().to_owned();
    let mut is_url = changed.ends_with("href=") || changed.ends_with("src=");
    for part in parts {
        let name = resolve(&folders, part).filter(|name| is_url && source(name).is_some());
        changed.push('"');
        match name {
            Some(name) => changed.extend([up.as_str(), digest, "/", name.as_str()]),
            None => changed.push_str(part),
        }
        is_url = part.ends_with("href=") || part.ends_with("src=");
    }
    changed
}

/// Resolves a relative URL. `None` for any other URL.
fn resolve(folders: &[&str], url: &str) -> Option<String> {
    if url.contains(':') || url.starts_with('/') {
        return None;
    }
    let mut parts = folders.to_vec();
    for part in url.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
