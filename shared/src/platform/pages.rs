//! The web pages: the console and the overlay, from `web/`. Debug builds read the files again for each request.

use std::borrow::Cow;

use headers::IfNoneMatch;
use rust_embed::{Embed, EmbeddedFile};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};
use crate::operations::{Reply, is_known};

/// The folders of the pages. A file that is not in a page's folder is read from `web/` itself, which all pages share.
const PAGES: [&str; 2] = ["console", "overlay"];

#[derive(Embed)]
#[folder = "../web"]
#[exclude = "*.LICENSE"]
struct Files;

/// The external sources that a page may load from.
#[derive(Clone, Debug, Default)]
pub struct PageConfig {
    /// The origin of the images' bytes, to which image URLs redirect.
    pub images: String,
    /// The URL of the socket, if the service has one.
    pub socket: Option<String>,
}

/// A page's path, split into the page and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    page: &'static str,
    name: String,
}

impl File {
    /// Returns the file at a path, or `None` if the path belongs to no page.
    pub fn at(path: &str) -> Option<Self> {
        let (first, name) =
            path.strip_prefix('/')?.split_once('/').map_or((&path[1..], None), |(page, name)| (page, Some(name)));
        let page = PAGES.into_iter().find(|page| *page == first)?;
        // An empty name redirects to the path with a slash at its end, which the page's relative links need.
        Some(Self {
            page,
            name: name.map_or(String::new(), |name| if name.is_empty() { "index.html" } else { name }.to_owned()),
        })
    }

    /// Returns the label of the route in the log: the page, without the name of the file.
    pub fn template(&self) -> String {
        format!("/{}/{{file}}", self.page)
    }

    fn read(&self) -> Option<EmbeddedFile> {
        let own = format!("{}/{}", self.page, self.name);
        let is_plain = !self.name.contains("..")
            && !self.name.starts_with('/')
            && !PAGES.iter().any(|page| self.name.starts_with(&format!("{page}/")));
        Files::get(&own).or_else(|| Files::get(&self.name)).filter(|_| is_plain)
    }

    /// Returns the file, or 304 if the browser has its current version.
    ///
    /// # Errors
    /// 404 if the file does not exist.
    pub fn answer(&self, outside: &PageConfig, known: Option<&IfNoneMatch>) -> Result<Reply> {
        if self.name.is_empty() {
            return Ok(Reply::moved(format!("/{}/", self.page)));
        }
        let file = self.read().ok_or_else(Error::no_route)?;
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&file.data)[..16]));
        let headers = vec![
            ("cache-control", "no-cache".to_owned()),
            ("content-security-policy", policy(outside)),
            ("referrer-policy", "no-referrer".to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
        ];
        if is_known(known, &etag) {
            return Ok(Reply { headers, ..Reply::not_modified(etag) });
        }
        let body = match file.data {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        };
        Ok(Reply { headers, etag: Some(etag), ..Reply::with(content_type(&self.name), body) })
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}

/// Returns the Content-Security-Policy of a page: it may load its own files and images, and connect to the socket.
fn policy(PageConfig { images, socket }: &PageConfig) -> String {
    let socket = socket.as_deref().unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: {images}; connect-src 'self' {socket}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_serves_only_its_own_and_shared_files() {
        let there = |path: &str| File::at(path).is_some_and(|file| file.answer(&PageConfig::default(), None).is_ok());
        for path in [
            "/console",
            "/console/",
            "/overlay/",
            "/overlay/overlay.js",
            "/overlay/shared/feed.js",
            "/console/i18n/de.json",
        ] {
            assert!(there(path), "{path}");
        }
        for path in [
            "/console/overlay/overlay.js",
            "/overlay/../Cargo.toml",
            "/overlay/x",
            "/web/overlay.js",
            "/overlay//",
            "/",
        ] {
            assert!(!there(path), "{path}");
        }
    }
}
