//! Tests of the layers of `shared/src`, as described in ARCHITECTURE.md: which names each layer may use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use capture_core::resources;

/// The layers in ascending order. Each uses only itself and the layers before it.
const LAYERS: [&str; 13] = [
    "schema",
    "resources",
    "request",
    "table",
    "store",
    "operations",
    "economy",
    "feed",
    "statistics",
    "earning",
    "commands",
    "webhooks",
    "lambda",
];

/// Returns the shared crate's sources without their tests, by path below `shared/src`.
fn sources() -> BTreeMap<String, String> {
    let sources = sources_below(&PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/src")));
    assert!(sources.len() > 50, "the sources are where they should be");
    sources
}

/// Returns a folder's sources without their tests, by path below it.
fn sources_below(root: &Path) -> BTreeMap<String, String> {
    let (mut open, mut sources) = (vec![root.to_owned()], BTreeMap::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                sources.insert(name(root, &path), text);
            }
        }
    }
    sources
}

fn name(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).expect("below the root").with_extension("").to_string_lossy().into_owned()
}

/// Returns a file's layer, or `None` for the crate's root and its errors.
fn layer(file: &str) -> Option<usize> {
    let first = file.split('/').next().unwrap_or_default();
    LAYERS.iter().position(|layer| *layer == first)
}

/// Returns the layers that a text names.
fn named(text: &str) -> BTreeSet<usize> {
    let names = text.split("crate::").skip(1);
    names.filter_map(|rest| LAYERS.iter().position(|layer| rest.starts_with(layer))).collect()
}

#[test]
fn layers_use_only_lower_layers() {
    for (file, text) in sources() {
        let Some(own) = layer(&file) else { continue };
        for used in named(&text) {
            assert!(used <= own, "{file} is in {} and uses {}", LAYERS[own], LAYERS[used]);
        }
    }
}

#[test]
fn error_module_uses_no_layer() {
    assert_eq!(named(&sources()["error"]), BTreeSet::new());
}

#[test]
fn only_the_adapter_uses_the_aws_sdk() {
    for (file, text) in sources() {
        // The types of Lambda's events are not part of the SDK.
        let text = text.replace("lambda_http::aws_lambda_events", "");
        assert!(!text.contains("aws_") || file.starts_with("store/aws"), "{file} names a crate of AWS");
    }
}

#[test]
fn only_lambda_uses_the_lambda_crates() {
    for (file, text) in sources() {
        let knows = text.contains("lambda_http") || text.contains("lambda_runtime");
        assert!(!knows || file.starts_with("lambda"), "{file} names a crate of Lambda");
    }
}

#[test]
fn layers_below_store_do_no_io() {
    let is_plan = |file: &str| ["/plan", "create/refresh", "/render"].iter().any(|end| file.ends_with(end));
    let below = |file: &str| layer(file).is_none_or(|layer| layer < 4) || is_plan(file);
    for (file, text) in sources().into_iter().filter(|(file, _)| below(file)) {
        for forbidden in
            ["std::fs", "std::net", "std::env", "tokio::net", "tokio::fs", "tokio::time", "fastrand", "getrandom"]
        {
            assert!(!text.contains(forbidden), "{file} names {forbidden}");
        }
    }
}

#[test]
fn generic_layers_name_no_resource() {
    let is_generic = |file: &str| {
        let names_nouns = ["operations/privacy", "operations/moderation"].iter().any(|folder| file.starts_with(folder));
        layer(file).is_some_and(|layer| (2..6).contains(&layer)) && !names_nouns
    };
    for (file, text) in sources().into_iter().filter(|(file, _)| is_generic(file)) {
        // An example in a comment may contain one.
        let code = |line: &&str| !line.trim_start().starts_with("//");
        let text = text.lines().filter(code).collect::<Vec<_>>().join("\n");
        for noun in resources::ALL.map(|resource| resource.name) {
            let names = text.contains(&format!("resources::{noun}")) || text.contains(&noun.to_uppercase());
            assert!(!names, "{file} names {noun}");
        }
    }
}

/// Returns the first names that a source uses after a prefix, such as `b` and `c` of `use super::{b::B, c};`.
fn names_after<'a>(text: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    let first = |path: &'a str| path.trim_start().split(|end: char| !(end.is_alphanumeric() || end == '_')).next();
    let mut names = BTreeSet::new();
    for rest in text.split(prefix).skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            names.extend(first(rest));
            continue;
        };
        let (mut depth, mut begin) = (0, 0);
        for (at, char) in group.char_indices() {
            match char {
                '{' => depth += 1,
                ',' | '}' if depth == 0 => {
                    names.extend(first(&group[begin..at]));
                    begin = at + 1;
                }
                _ => {}
            }
            depth -= i32::from(char == '}');
            if depth < 0 {
                break;
            }
        }
    }
    names
}

/// Returns the files in the same folder that a file uses. The crate root declares all others, so it is left out.
fn uses(sources: &BTreeMap<String, String>, file: &str) -> BTreeSet<String> {
    if ["lib", "main"].contains(&file) {
        return BTreeSet::new();
    }
    let (folder, module) = match file.rsplit_once('/') {
        Some((folder, _)) => (format!("{folder}/"), format!("crate::{}::", folder.replace('/', "::"))),
        None => (String::new(), "crate::".to_owned()),
    };
    let text = &sources[file];
    let names = names_after(text, &module).into_iter().chain(names_after(text, "super::"));
    let files = names.map(|name| format!("{folder}{name}"));
    files.filter(|used| sources.contains_key(used) && used != file).collect()
}

/// Returns a file that indirectly uses itself.
fn circular(sources: &BTreeMap<String, String>, uses: impl Fn(&str) -> BTreeSet<String>) -> Option<&String> {
    sources.keys().find(|start| {
        let (mut seen, mut open) = (BTreeSet::new(), Vec::from_iter(uses(start)));
        while let Some(file) = open.pop() {
            if seen.insert(file.clone()) {
                open.extend(uses(&file));
            }
        }
        seen.contains(*start)
    })
}

/// Returns a file that uses itself through imports.
fn circular_imports(sources: &BTreeMap<String, String>) -> Option<&String> {
    circular(sources, |file| uses(sources, file))
}

/// Returns a file or folder of a layer that indirectly uses itself, also through the names that the layer's root file
/// exports.
fn circular_units(sources: &BTreeMap<String, String>, layer: &str) -> Option<String> {
    let below = |file: &str| file.strip_prefix(layer)?.strip_prefix('/').map(str::to_owned);
    let unit = |file: &str| below(file)?.split('/').next().map(str::to_owned);
    let units: BTreeMap<_, _> = sources.keys().filter_map(|file| Some((unit(file)?, String::new()))).collect();
    let root = sources.get(layer).map_or("", String::as_str);
    let mut exports = BTreeMap::new();
    for unit in units.keys() {
        exports.extend(names_after(root, &format!("use {unit}::")).into_iter().map(|name| (name, unit.clone())));
    }
    let uses = |of: &str| {
        let mut used = BTreeSet::new();
        for (file, text) in sources.iter().filter(|(file, _)| unit(file).as_deref() == Some(of)) {
            let depth = below(file).unwrap_or_default().matches('/').count();
            let prefixes = [format!("crate::{layer}::"), "super::".repeat(depth + 1)];
            let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let names: Vec<_> = prefixes.iter().flat_map(|prefix| names_after(&code, prefix)).collect();
            used.extend(names.into_iter().filter_map(|name| {
                if units.contains_key(name) { Some(name.to_owned()) } else { exports.get(name).cloned() }
            }));
        }
        used.remove(of);
        used
    };
    circular(&units, uses).cloned()
}

/// The types with methods in several files, with the ends of the names that their values have.
const EXTENDED: [(&str, &[&str]); 3] = [
    ("Execution", &["self.", "execution.", "Execution::"]),
    ("Store", &["self.", "store."]),
    ("Refresh", &["self.", "refresh."]),
];

/// Returns the inherent implementations of a type in a source.
fn implementations<'a>(text: &'a str, of: &str) -> Vec<&'a str> {
    let starts = [format!("\nimpl {of} {{\n"), format!("\nimpl {of}<'_> {{\n"), format!("\nimpl<'a> {of}<'a> {{\n")];
    let blocks = starts.iter().flat_map(|start| text.split(start.as_str()).skip(1));
    blocks.map(|rest| rest.split("\n}\n").next().unwrap_or_default()).collect()
}

/// Returns a file that uses itself through calls to methods of [`EXTENDED`], which need no import. The names of a type's
/// methods are unique.
fn circular_calls(sources: &BTreeMap<String, String>) -> Option<&String> {
    let mut calls: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (name, receivers) in EXTENDED {
        let mut files_by_method = BTreeMap::new();
        for (file, text) in sources {
            for method in implementations(text, name).into_iter().flat_map(|block| names_after(block, "fn ")) {
                let earlier = files_by_method.insert(method, file);
                assert_eq!(earlier.filter(|earlier| *earlier != file), None, "{method} is two methods of {name}");
            }
        }
        // The root file of a layer has its facade.
        for (file, text) in sources.iter().filter(|(file, _)| name == "Execution" || file.contains('/')) {
            let is_method = !implementations(text, name).is_empty();
            let text: String = text.split_whitespace().collect();
            let receivers = receivers.iter().filter(|receiver| is_method || **receiver != "self.");
            let called = receivers.flat_map(|receiver| names_after(&text, receiver));
            let files = called.filter_map(|method| files_by_method.get(method)).filter(|called| **called != file);
            calls.entry(file).or_default().extend(files.map(|called| (*called).clone()));
        }
    }
    circular(sources, |file| calls.get(file).cloned().unwrap_or_default())
}

#[test]
fn files_of_a_folder_have_no_circular_imports() {
    // The layers' root files may name each other, in an order that another test checks.
    let shared = sources().into_iter().filter(|(file, _)| file.contains('/')).collect();
    assert_eq!(circular_imports(&shared), None, "of shared/src");
    let infra = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../infra"));
    let crates = std::fs::read_dir(infra).expect("a folder").map(|entry| entry.expect("an entry").path().join("src"));
    let crates: Vec<_> = crates.filter(|sources| sources.is_dir()).collect();
    assert!(crates.len() > 2, "{crates:?}");
    for folder in crates {
        assert_eq!(circular_imports(&sources_below(&folder)), None, "of {}", folder.display());
    }
}

#[test]
fn files_and_folders_of_a_layer_have_no_circular_imports() {
    for layer in LAYERS {
        assert_eq!(circular_units(&sources(), layer), None, "of {layer}");
    }
    let circle =
        [("a", "pub use b::{Common, Load};"), ("a/b/deep", "use super::super::c::Run;"), ("a/c", "use super::Load;")];
    let circle = circle.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    assert_eq!(circular_units(&circle, "a"), Some("b".to_owned()));
}

#[test]
fn circular_imports_are_found() {
    let sources = |files: [(&str, &str); 3]| files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let circle =
        sources([("demo", "use crate::{Error, live::Webhook};"), ("live", "use crate::demo::one;"), ("lib", "")]);
    assert_eq!(circular_imports(&circle), Some(&"demo".to_owned()));
    let line =
        sources([("demo", "use crate::{Error, live::Webhook};"), ("live", "use crate::Error;"), ("lib", "mod demo;")]);
    assert_eq!(circular_imports(&line), None);
    let nested = sources([("a/b", "use super::{c::{self, D}, e};"), ("a/e", "crate::a::b::run()"), ("a/c", "")]);
    assert_eq!(circular_imports(&nested), Some(&"a/b".to_owned()));
}

#[test]
fn files_have_no_circular_calls_of_methods() {
    assert_eq!(circular_calls(&sources()), None);
}

#[test]
fn circular_calls_of_methods_are_found() {
    let create = "\nimpl Execution {\n    async fn create(&self) {\n        self.delete().await;\n    }\n}\n";
    let delete = "\nimpl Execution {\n    async fn delete(&self) {\n        execution.create().await;\n    }\n}\n";
    let sources = |files: [(&str, &str); 2]| files.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    assert_eq!(circular_calls(&sources([("create", create), ("delete", delete)])), Some(&"create".to_owned()));
    let pass = "\nimpl Refresh<'_> {\n    async fn pass(&self) {\n        self.release().await;\n    }\n}\n";
    let refresh = "\nimpl Refresh<'_> {\n    async fn release(&self) {\n        refresh.pass().await;\n    }\n}\n";
    assert_eq!(circular_calls(&sources([("a/pass", pass), ("a/refresh", refresh)])), Some(&"a/pass".to_owned()));
    let other = delete.replace("execution.create()", "created(&execution)");
    assert_eq!(circular_calls(&sources([("create", create), ("delete", &other)])), None);
}

#[test]
fn one_file_repeats_requests_that_conflict() {
    let counters = sources().into_iter().filter(|(_, text)| text.contains("Attempts::default()"));
    let counts: Vec<_> = counters.map(|(file, text)| (file, text.matches("Attempts::default()").count())).collect();
    assert!(counts.iter().map(|(_, count)| count).sum::<usize>() <= 8, "{counts:?}");
}

#[test]
fn declaration_of_a_resource_has_at_most_20_members() {
    let source = &sources()["schema/resource"];
    let members = source.split("pub struct Resource {").nth(1).and_then(|rest| rest.split("\n}\n").next());
    let count = members.expect("the declaration").matches("\n    pub ").count();
    assert!((15..=20).contains(&count), "{count}");
}

#[test]
fn tests_named_in_promises_exist() {
    let tests = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/end_to_end"));
    let promises = include_str!("../../../docs/promises.md");
    let named: Vec<_> = promises.split('`').skip(1).step_by(2).filter_map(|name| name.rsplit_once("::")).collect();
    assert!(named.len() > 15, "{named:?}");
    for (module, test) in named {
        let groups =
            ["api", "guarantees", "platform", "twitch"].map(|group| tests.join(format!("{group}/{module}.rs")));
        let source: String = groups.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        assert!(source.contains(&format!("fn {test}(")), "{module}::{test}");
    }
}
