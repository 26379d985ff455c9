//! Locations of the pages' files in the repository. The build script also includes this module.

/// The folders: prefix of their files' names, path in the repository, and extensions of public files. `web/join.js` makes
/// the last folder from the modules and style sheets in `web`.
pub const FOLDERS: [(&str, &str, &[&str]); 4] = [
    ("docs/guides/", "docs", &["md"]),
    ("docs/vendor/", "web/docs/vendor", &["LICENSE", "js"]),
    ("shared/", "web/shared", &["LICENSE", "json", "svg", "woff2"]),
    ("", "web/joined", &["css", "html", "js"]),
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
    let (prefix, folder, _) =
        FOLDERS.iter().find(|(prefix, _, extensions)| name.starts_with(prefix) && extensions.contains(&extension))?;
    let rest = &name[prefix.len()..];
    // The guides are in a folder with other documents.
    (extension != "md" || !rest.contains('/')).then(|| format!("{folder}/{rest}"))
}
