//! What follows from the relations: children, links, and the members that an object of a resource has on the wire.
//!
//! Each relation is declared by the child alone; here it is seen from both ends.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::ALL;
use crate::schema::{BelongsTo, Embedded, Field, Filter, OnParent, Resource, Role, Test};

/// A resource that belongs to another.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The resource.
    pub resource: &'static Resource,
    /// How it belongs.
    pub relation: &'static BelongsTo,
}

/// A step from one record to another, or to many.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The path segment.
    pub name: &'static str,
    /// What it leads to.
    pub leads: Leads,
}

/// Where a link leads.
#[derive(Clone, Copy, Debug)]
pub enum Leads {
    /// To the record that this one belongs to.
    Parent(&'static BelongsTo),
    /// To the one record that this one keeps, or its vacancy; POST fills it.
    One(Child),
    /// To the records that belong to this one.
    Many(Child),
    /// To the bare sum that this one keeps.
    Sum(Child),
}

/// A member of the JSON object that shows a record.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// A value.
    Field(&'static Field),
    /// The record that it belongs to.
    Parent(&'static BelongsTo, &'static Embedded),
    /// What it keeps of a resource that belongs to it.
    OnParent(Child, &'static Embedded),
}

impl Member {
    /// The member's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Field(field) => field.name,
            Self::Parent(_, embedded) | Self::OnParent(_, embedded) => embedded.field,
        }
    }

    /// How the record inside is shown; `None` for a plain value.
    pub fn embedded(&self) -> Option<&'static Embedded> {
        match self {
            Self::Field(_) => None,
            Self::Parent(_, embedded) | Self::OnParent(_, embedded) => Some(embedded),
        }
    }
}

/// What follows from the relations, for one resource.
struct Node {
    children: Vec<Child>,
    links: Vec<Link>,
    members: Vec<Member>,
    filters: Vec<Filter>,
}

static GRAPH: LazyLock<BTreeMap<&str, Node>> =
    LazyLock::new(|| ALL.into_iter().map(|resource| (resource.name, Node::of(resource))).collect());

fn node(resource: &Resource) -> &'static Node {
    &GRAPH[resource.name]
}

/// The resources that belong to this one.
pub fn children(resource: &Resource) -> &'static [Child] {
    &node(resource).children
}

/// Where a path may go on from one record.
pub fn links(resource: &Resource) -> &'static [Link] {
    &node(resource).links
}

/// What an object of the resource consists of, in the order in which responses show it.
pub fn members(resource: &Resource) -> &'static [Member] {
    &node(resource).members
}

/// Every filter of the list: by the identifier, by the holder, the declared ones, and by what parts say.
pub fn filters(resource: &Resource) -> &'static [Filter] {
    &node(resource).filters
}

/// Whose records a filter by parts looks at.
pub fn child_of_filter(resource: &Resource, filter: &Filter) -> Option<Child> {
    let child_filter =
        |child: &&Child| child.relation.child_filter.is_some_and(|attribute| attribute.name == filter.field);
    children(resource).iter().find(child_filter).filter(|_| filter.test == Test::HasPart).copied()
}

/// The field that a filter tests: of the resource, or of its parts.
pub fn tested(resource: &Resource, filter: &Filter) -> Option<&'static Field> {
    child_of_filter(resource, filter)
        .map_or_else(|| resource.field(filter.field), |child| child.resource.field(filter.field))
}

/// Whether more may belong to a record than it knows itself.
pub fn is_unbounded(resource: &Resource) -> bool {
    children(resource).iter().any(|child| !child.relation.is_complete())
}

impl Node {
    fn of(resource: &'static Resource) -> Self {
        let child = |child: &'static Resource| {
            let relation = child.belongs_to.as_ref().filter(|relation| relation.to == resource)?;
            Some(Child { resource: child, relation })
        };
        let children: Vec<_> = ALL.into_iter().filter_map(child).collect();
        Self {
            links: links_of(resource, &children),
            members: members_of(resource, &children),
            filters: filters_of(resource, &children),
            children,
        }
    }
}

fn links_of(resource: &'static Resource, children: &[Child]) -> Vec<Link> {
    let parent = resource
        .belongs_to
        .as_ref()
        .and_then(|relation| Some(Link { name: relation.embedded.as_ref()?.field, leads: Leads::Parent(relation) }));
    let many =
        children.iter().filter_map(|child| Some(Link { name: child.relation.link?, leads: Leads::Many(*child) }));
    let of_children = children.iter().filter_map(|child| match &child.relation.on_parent {
        OnParent::One { embedded, .. } => Some(Link { name: embedded.field, leads: Leads::One(*child) }),
        OnParent::Sum { embedded, .. } => Some(Link { name: embedded.field, leads: Leads::Sum(*child) }),
        OnParent::Nothing | OnParent::Many { .. } => None,
    });
    parent.into_iter().chain(many).chain(of_children).collect()
}

/// An embedded record comes after the field that refers to it, or at the end.
fn members_of(resource: &'static Resource, children: &[Child]) -> Vec<Member> {
    let parent = resource
        .belongs_to
        .as_ref()
        .and_then(|relation| Some((relation.by.name, Member::Parent(relation, relation.embedded.as_ref()?))));
    let of_children = children.iter().filter_map(|child| {
        let slot = if let OnParent::One { slot, .. } = child.relation.on_parent { slot } else { "" };
        Some((slot, Member::OnParent(*child, child.relation.on_parent.embedded()?)))
    });
    let embedded: Vec<_> = parent.into_iter().chain(of_children).collect();
    let mut members = Vec::new();
    for field in resource.fields {
        members.push(Member::Field(field));
        members.extend(embedded.iter().filter(|(after, _)| *after == field.name).map(|(_, member)| *member));
    }
    let known = |name: &str| resource.field(name).is_some();
    members.extend(embedded.iter().filter(|(after, _)| !known(after)).map(|(_, member)| *member));
    members
}

fn filters_of(resource: &'static Resource, children: &[Child]) -> Vec<Filter> {
    let own = Filter::identifier(resource.id.name, None);
    let parent = resource.belongs_to.as_ref().filter(|relation| relation.link.is_some());
    let parent = parent.map(|relation| Filter::identifier(relation.by.name, Some(Role::Owner)));
    let parts = children.iter().filter_map(|child| Some(Filter::has_part(child.relation.child_filter?)));
    std::iter::once(own).chain(parent).chain(resource.filters.iter().copied()).chain(parts).collect()
}
