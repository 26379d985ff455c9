//! Where the files of the pages are in the repository. The build script uses this file, too.

/// The folders: the prefix of their files' names, their path in the repository, and the extensions of public files.
/// `web/shared/client` is a link to the first one.
pub const FOLDERS: [(&str, &str, &[&str]); 3] = [
    ("shared/client/", "clients/typescript/src", &["js"]),
    ("docs/guides/", "docs", &["md"]),
    ("", "web", &["css", "html", "js", "json", "svg", "woff2"]),
];

/// Extensions of files that are compressed already, and of pages, whose links the service changes.
const PLAIN: [&str; 2] = ["woff2", "html"];

/// True if a file is sent compressed.
pub fn is_compressible(name: &str) -> bool {
    !PLAIN.iter().any(|extension| name.ends_with(extension))
}

/// Get the path of a file in the repository. `None` if no public file has this name.
pub fn source(name: &str) -> Option<String> {
    let (_, extension) = name.rsplit_once('.')?;
    FOLDERS.iter().find_map(|(prefix, folder, extensions)| {
        let rest = name.strip_prefix(prefix)?;
        let is_public = extensions.contains(&extension) && (prefix.is_empty() || !rest.contains('/'));
        is_public.then(|| format!("{folder}/{rest}"))
    })
}
