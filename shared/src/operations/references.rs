//! References in the drafts of an invalid body or of an import.
//!
//! The references of an invalid body are also checked, to report all errors at once. `reads` covers valid creations.

use super::Execution;
use super::refusals::reference_not_found;
use crate::error::Error;
use crate::request::{Draft, InvalidBody, Shape};
use crate::resources;
use crate::schema::Key;
use crate::store::Consistency;
use crate::table::ReadSet;

impl Execution {
    /// Returns the error with all violations of an invalid body, including references to records that do not exist.
    pub(crate) async fn invalid_body(&self, body: InvalidBody) -> Error {
        let InvalidBody { drafts, shape, is_import, mut violations } = body;
        let mut references = references(&drafts, shape);
        if !is_import {
            references.extend(declared_references(&drafts));
        }
        let read_set = ReadSet::of(references.iter().map(|(key, _)| *key));
        // If the store fails, the other violations are still reported.
        if let Ok(snapshot) = self.store.load(&read_set, Consistency::Strong).await {
            let absent = references.into_iter().filter(|(key, _)| !snapshot.records.contains_key(key));
            violations.extend(absent.map(|(key, pointer)| reference_not_found(key, pointer)));
        }
        Error::invalid(violations)
    }
}

/// Lists other records that must exist when the drafts are created, each with the JSON pointer of the reference.
pub fn declared_references(drafts: &[Draft]) -> Vec<(Key, String)> {
    let references = drafts.iter().flat_map(|draft| draft.resource.references.iter().map(move |to| (draft, to)));
    references
        .filter_map(|(draft, reference)| {
            Some((
                Key::new(reference.target, draft.get(reference.foreign_key)?),
                format!("/{}", reference.foreign_key.name),
            ))
        })
        .collect()
}

/// Lists the parents and children that drafts refer to, each with the JSON pointer of the reference.
pub fn references(drafts: &[Draft], shape: Shape) -> Vec<(Key, String)> {
    let mut pointers = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let pointer = shape.pointer(index);
        let fields = resources::references(draft.resource);
        pointers.extend(
            fields.filter_map(|(by, to)| Some((Key::new(to, draft.reference(by)?), format!("{pointer}/{by}")))),
        );
    }
    pointers
}
