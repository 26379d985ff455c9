//! The records that drafts refer to.
//!
//! They are read before the plan, because a plan does no I/O.

use crate::request::Draft;
use crate::resources;
use crate::schema::{Key, OnParent};
use crate::table::ReadSet;

/// Collect everything that drafts refer to.
pub fn needed_to_create(drafts: &[Draft]) -> ReadSet {
    let mut read_set = ReadSet::default();
    for draft in drafts {
        let resource = draft.resource;
        let parent =
            resource.belongs_to.as_ref().and_then(|relation| Some(Key::new(relation.to, draft.get(relation.by)?)));
        read_set.records.extend(parent);
        for child in resources::children(resource) {
            if let OnParent::One { slot, .. } = child.relation.on_parent
                && let Some(id) = draft.reference(slot)
            {
                read_set.extend(ReadSet::one(Key::new(child.resource, id), true));
            }
        }
    }
    read_set
}

/// List the records that must exist when the drafts are created, and that are no parents or children. Each has the pointer
/// to the reference in the body.
pub fn declared_references(drafts: &[Draft]) -> Vec<(Key, String)> {
    let references = drafts.iter().flat_map(|draft| draft.resource.refers.iter().map(move |to| (draft, to)));
    references
        .filter_map(|(draft, reference)| {
            Some((Key::new(reference.to, draft.get(reference.by)?), format!("/{}", reference.by.name)))
        })
        .collect()
}

/// List the records that drafts refer to, each with the pointer to the reference in the body.
pub fn references(drafts: &[Draft], is_list: bool) -> Vec<(Key, String)> {
    let mut pointers = Vec::new();
    for (index, draft) in drafts.iter().enumerate() {
        let pointer = if is_list { format!("/{index}") } else { String::new() };
        let fields = resources::references(draft.resource);
        pointers.extend(
            fields.filter_map(|(by, to)| Some((Key::new(to, draft.reference(by)?), format!("{pointer}/{by}")))),
        );
    }
    pointers
}
