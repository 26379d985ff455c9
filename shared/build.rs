//! Compresses the files of the pages for a release. A debug build reads them from the repository.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

#[path = "src/lambda/pages/sources.rs"]
mod sources;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/lambda/pages/sources.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("a folder of the build"));
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let files = if is_release && env::var_os("CARGO_FEATURE_SERVICE").is_some() { collect() } else { BTreeMap::new() };
    fs::write(out.join("pages.rs"), table(&files, &out)).expect("a writable folder of the build");
}

/// Reads all files of the pages, by their names.
fn collect() -> BTreeMap<String, Vec<u8>> {
    let root = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("a folder of the package")).join("..");
    let mut files = BTreeMap::new();
    for (prefix, folder, _) in sources::FOLDERS {
        println!("cargo:rerun-if-changed=../{folder}");
        let mut open = vec![(root.join(folder), prefix.to_owned())];
        while let Some((folder, prefix)) = open.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of the pages") {
                let entry = entry.expect("an entry of the folder");
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if entry.file_type().expect("a type").is_dir() {
                    open.push((entry.path(), format!("{name}/")));
                } else if sources::source(&name).is_some_and(|path| root.join(path) == entry.path()) {
                    files.insert(name, fs::read(entry.path()).expect("a readable file"));
                }
            }
        }
    }
    files
}

/// Writes the files to a folder, and returns the source of a table with them.
fn table(files: &BTreeMap<String, Vec<u8>>, out: &Path) -> String {
    let mut digest = Sha256::new();
    let mut rows = String::new();
    for (name, data) in files {
        digest.update(format!("{name} {} ", data.len()));
        digest.update(data);
        let is_compressed = sources::is_compressible(name);
        let path = out.join("pages").join(name);
        let literal = path.to_str().expect("a path in UTF-8");
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder of the build");
        fs::write(&path, if is_compressed { compressed(data) } else { data.clone() }).expect("a writable file");
        writeln!(rows, "    ({name:?}, include_bytes!({literal:?}), {is_compressed}),").expect("a text");
    }
    let digest = digest.finalize().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let digest = format!("{digest:016x}");
    let digest = if files.is_empty() { None } else { Some(digest) };
    format!(
        "const DIGEST: Option<&str> = {digest:?};\n\
         /// The files in the order of their names, and whether they are compressed.\n\
         const FILES: &[(&str, &[u8], bool)] = &[\n{rows}];\n"
    )
}

fn compressed(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("a vector takes all data")
}
