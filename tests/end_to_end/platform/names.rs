//! Tests of the names in the code: each name has one meaning.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{FnArg, GenericArgument, ImplItem, Item, Pat, PathArguments, Signature, TraitItem, Type};

/// The crates with names that readers have to learn.
const CRATES: [&str; 5] =
    ["shared/src", "infra/embedded/src", "infra/local/src", "infra/transfer/src", "infra/twitch/src"];
/// The maximum number of types that a name may have in a crate.
const MAX_TYPES: usize = 4;
/// General names, and why each may have more types.
const GENERAL: [(&str, &str); 15] = [
    ("value", "what a field, an attribute or a header has"),
    ("id", "an identifier, in the type of its layer"),
    ("key", "what a map or a table finds an item by"),
    ("name", "what something is called"),
    ("names", "several of them"),
    ("number", "a count, or the number of an entry, an identifier or a heartbeat"),
    ("parent", "what a child belongs to: its record, its key, or its resource"),
    ("records", "in the collection that fits"),
    ("path", "of a URL or of a file"),
    ("text", "characters before they are parsed"),
    ("body", "of a request or response, in the type of its layer"),
    ("query", "the part of a URL, and what it is parsed into"),
    ("request", "in the type of its layer or library"),
    ("event", "an event of the platform: each trigger has a type of its own"),
    ("image", "the field, the upload, or the bytes"),
];
/// Wrappers that say how a value is held, not what it is.
const WRAPPERS: [&str; 8] = ["Option", "Box", "Arc", "Rc", "Cow", "Mutex", "Result", "Pin"];
/// Collections, where the element type says what a value is.
const COLLECTIONS: [&str; 7] = ["Vec", "VecDeque", "BTreeMap", "BTreeSet", "HashMap", "HashSet", "IndexMap"];

/// The types that each name is declared with, as a parameter or a field.
#[derive(Default)]
struct Declarations(BTreeMap<String, BTreeSet<String>>);

impl Declarations {
    fn of_crate(folder: &str) -> Self {
        let mut declarations = Self::default();
        let mut open = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(folder)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            } else if path.extension().is_some_and(|kind| kind == "rs") && !path.ends_with("tests.rs") {
                declarations.add_file(&path);
            }
        }
        declarations
    }

    fn add_file(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).expect("a source");
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        file.items.iter().for_each(|item| self.add_item(item));
    }

    fn add_item(&mut self, item: &Item) {
        match item {
            Item::Fn(function) => self.add_parameters(&function.sig),
            Item::Struct(declaration) => {
                for field in &declaration.fields {
                    if let Some(name) = &field.ident {
                        self.add(&name.to_string(), &field.ty);
                    }
                }
            }
            Item::Impl(block) => {
                for item in &block.items {
                    // A foreign trait determines its methods' parameter names.
                    if let (ImplItem::Fn(method), None) = (item, &block.trait_) {
                        self.add_parameters(&method.sig);
                    }
                }
            }
            Item::Trait(declaration) => {
                for item in &declaration.items {
                    if let TraitItem::Fn(method) = item {
                        self.add_parameters(&method.sig);
                    }
                }
            }
            _ => {}
        }
    }

    fn add_parameters(&mut self, signature: &Signature) {
        for input in &signature.inputs {
            if let FnArg::Typed(argument) = input
                && let Pat::Ident(name) = &*argument.pat
            {
                self.add(&name.ident.to_string(), &argument.ty);
            }
        }
    }

    fn add(&mut self, name: &str, declared: &Type) {
        self.0.entry(name.to_owned()).or_default().insert(type_name(declared));
    }
}

/// Returns a type's name without references, wrappers, lifetimes and generic arguments.
fn type_name(declared: &Type) -> String {
    let path = match declared {
        Type::Reference(reference) => return type_name(&reference.elem),
        Type::Slice(slice) => return format!("Vec<{}>", type_name(&slice.elem)),
        Type::Array(array) => return format!("Vec<{}>", type_name(&array.elem)),
        Type::Path(path) => &path.path,
        other => return other.to_token_stream().to_string(),
    };
    let last = path.segments.last().expect("a segment");
    let name = last.ident.to_string();
    let arguments: Vec<_> = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().collect(),
        _ => Vec::new(),
    };
    let mut types = arguments.into_iter().filter_map(|argument| match argument {
        GenericArgument::Type(argument) => Some(type_name(argument)),
        _ => None,
    });
    match name.as_str() {
        "str" => "String".to_owned(),
        wrapper if WRAPPERS.contains(&wrapper) => types.next().unwrap_or(name),
        collection if COLLECTIONS.contains(&collection) => format!("{name}<{}>", types.collect::<Vec<_>>().join(", ")),
        _ => name,
    }
}

#[test]
fn each_name_has_few_types() {
    let mut found = Vec::new();
    for folder in CRATES {
        for (name, types) in Declarations::of_crate(folder).0 {
            if types.len() > MAX_TYPES && !GENERAL.iter().any(|(general, _)| *general == name) {
                let types = types.into_iter().collect::<Vec<_>>().join(" · ");
                found.push(format!("{folder}: {name}: {types}"));
            }
        }
    }
    assert!(found.is_empty(), "names with more than {MAX_TYPES} types:\n{}", found.join("\n"));
}
