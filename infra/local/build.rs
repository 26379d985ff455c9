//! Sets the version of the binary, including the Git commit if it is available.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    println!("cargo:rerun-if-env-changed=COMMIT");
    // A container image is built without the repository. A copy of the sources inside another repository is not part of
    // it.
    let given = std::env::var("COMMIT").ok().filter(|commit| !commit.is_empty());
    let of_repository =
        || git(&["ls-files", "--error-unmatch", "build.rs"]).and_then(|_| git(&["rev-parse", "--short", "HEAD"]));
    let known = given.or_else(of_repository);
    let version = known.map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"));
    println!("cargo:rustc-env=EVENT_CAPTURE_VERSION={version}");
    // These files change with each commit. Cargo would rerun this script on every build for a file that does not exist.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
}

/// Runs git in the folder of the package. `None` if git is missing or fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
