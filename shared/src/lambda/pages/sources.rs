//! Locations of the pages' files in the repository. The build script also includes this module.

use std::path::Path;

/// The folders: prefix of their files' names, path in the repository, and extensions of public files.
/// `web/shared/client` is a link to the first folder.
pub const FOLDERS: [(&str, &str, &[&str]); 3] = [
    ("shared/client/", "clients/typescript/src", &["js"]),
    ("docs/guides/", "docs", &["md"]),
    ("", "web", &["css", "html", "js", "json", "svg", "woff2"]),
];

/// Extensions that are sent uncompressed. Fonts are already compressed, and the service changes the links of pages.
const PLAIN: [&str; 2] = ["woff2", "html"];

/// Returns true if a file is sent compressed.
pub fn is_compressible(name: &str) -> bool {
    !PLAIN.iter().any(|extension| name.ends_with(extension))
}

/// Returns the path of a file in the repository. `None` if no public file has this name.
pub fn source(name: &str) -> Option<String> {
    let (_, extension) = name.rsplit_once('.')?;
    FOLDERS.iter().find_map(|(prefix, folder, extensions)| {
        let rest = name.strip_prefix(prefix)?;
        let is_public = extensions.contains(&extension) && (prefix.is_empty() || !rest.contains('/'));
        is_public.then(|| format!("{folder}/{rest}"))
    })
}

/// Blanks the comment lines of a module, which are a quarter of its bytes as sent. The other lines keep their numbers,
/// which a browser's error messages refer to. Vendored modules keep their licences.
pub fn without_comments(name: &str, data: Vec<u8>) -> Vec<u8> {
    if Path::new(name).extension().is_none_or(|extension| extension != "js") || name.contains("/vendor/") {
        return data;
    }
    let Ok(text) = str::from_utf8(&data) else { return data };
    let mut is_inside = false;
    let mut code = Vec::with_capacity(data.len());
    for line in text.lines() {
        let trimmed = line.trim();
        let starts = trimmed.starts_with("/*");
        let ends = trimmed.ends_with("*/");
        // Code may follow a short comment, such as a type annotation, on the same line.
        let is_comment = is_inside || trimmed.starts_with("//") || starts && (ends || !trimmed.contains("*/"));
        is_inside = (is_inside || starts && is_comment) && !ends;
        if !is_comment {
            code.extend_from_slice(line.as_bytes());
        }
        code.push(b'\n');
    }
    code
}
