//! The graph of relations: the children, links, members and filters of each resource.
//!
//! Only the child declares a relation, which lets children be added without changing the parent. This module derives
//! the parent's view.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{ALL, BODIES};
use crate::schema::{BelongsTo, Embedded, Field, Filter, Operator, ParentData, Resource, Role};

/// Link to the statistics of a record's children.
const STATISTICS: &str = "statistics";
/// Link to the action that anonymizes a record.
const ANONYMIZE: &str = "anonymize";

/// A child resource, with its relation to a parent.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    pub resource: &'static Resource,
    /// Relation to the parent.
    pub relation: &'static BelongsTo,
}

/// A link from a record to another record, to several records, or to a value.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Path segment.
    pub name: &'static str,
    pub target: LinkTarget,
}

/// A target of a link.
#[derive(Clone, Copy, Debug)]
pub enum LinkTarget {
    Parent(&'static BelongsTo),
    /// Only child in a slot of the parent, or the empty slot. POST fills the slot.
    One(Child),
    Many(Child),
    /// Sum that the parent stores, rendered as a bare value.
    Sum(Child),
    /// Statistics of the children.
    Statistics(Child),
    /// Action on the record.
    Action,
    /// Action that anonymizes the record.
    Anonymize(&'static Resource),
}

/// A member of the JSON object of a record.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// A field's value.
    Field(&'static Field),
    /// Embedded parent.
    Parent(&'static BelongsTo, &'static Embedded),
    /// Data that the record stores about its children.
    OnParent(Child, &'static Embedded),
}

impl Member {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Field(field) => field.name,
            Self::Parent(_, embedded) | Self::OnParent(_, embedded) => embedded.field,
        }
    }

    /// Returns the declaration of the embedded record, or `None` for a field.
    pub fn embedded(&self) -> Option<&'static Embedded> {
        match self {
            Self::Field(_) => None,
            Self::Parent(_, embedded) | Self::OnParent(_, embedded) => Some(embedded),
        }
    }
}

/// A resource in the graph.
struct Node {
    children: Vec<Child>,
    links: Vec<Link>,
    members: Vec<Member>,
    filters: Vec<Filter>,
}

static GRAPH: LazyLock<BTreeMap<&str, Node>> =
    LazyLock::new(|| ALL.into_iter().chain(BODIES).map(|resource| (resource.name, Node::of(resource))).collect());

fn node(resource: &Resource) -> &'static Node {
    &GRAPH[resource.name]
}

/// Lists the child resources.
pub fn children(resource: &Resource) -> &'static [Child] {
    &node(resource).children
}

/// Lists the links that a path may follow from a record.
pub fn links(resource: &Resource) -> &'static [Link] {
    &node(resource).links
}

/// Lists the members of a record's JSON object, in response order.
pub fn members(resource: &Resource) -> &'static [Member] {
    &node(resource).members
}

/// Lists the filters of a resource: by identifier, by parent, the declared filters, and by fields of children.
pub fn filters(resource: &Resource) -> &'static [Filter] {
    &node(resource).filters
}

/// Finds the child resource that a filter tests. Returns `None` if the filter tests the resource itself.
pub fn child_of_filter(resource: &Resource, filter: &Filter) -> Option<Child> {
    let is_tested =
        |child: &&Child| child.relation.child_filter.is_some_and(|attribute| attribute.name == filter.field);
    children(resource).iter().find(is_tested).filter(|_| filter.operator == Operator::HasChild).copied()
}

/// Finds the field that a filter tests, of the resource or of a child.
pub fn field_of_filter(resource: &Resource, filter: &Filter) -> Option<&'static Field> {
    child_of_filter(resource, filter)
        .map_or_else(|| resource.field(filter.field), |child| child.resource.field(filter.field))
}

/// Lists the fields of a body that refer to a parent or an only child, each with the resource that it refers to.
pub fn references(resource: &Resource) -> impl Iterator<Item = (&'static str, &'static Resource)> {
    let is_in_body = |name: &str| resource.field(name).is_some_and(|field| !field.hidden);
    let parent = resource.belongs_to.as_ref().map(|relation| (relation.foreign_key.name, relation.parent));
    let slots = children(resource).iter().filter_map(|child| match child.relation.parent_data {
        ParentData::One { slot, .. } => Some((slot, child.resource)),
        _ => None,
    });
    parent.into_iter().chain(slots).filter(move |(name, _)| is_in_body(name))
}

/// Lists all resources, each after those that it refers to. Resources that exclude records of others are listed as
/// early as possible, then those that can be anonymized, as both affect other records.
pub fn in_order_of_references() -> Vec<&'static Resource> {
    let mut ordered: Vec<&'static Resource> = Vec::new();
    while ordered.len() < ALL.len() {
        let remaining = ALL.into_iter().filter(|resource| !ordered.contains(resource));
        let ready = remaining.filter(|resource| references(resource).all(|(_, to)| ordered.contains(&to)));
        let next = ready.min_by_key(|resource| (resource.excludes().is_none(), !resource.is_personal()));
        ordered.push(next.unwrap_or_else(|| unreachable!("references have no circle")));
    }
    ordered
}

/// Returns true if a record may have children that it does not list.
pub fn is_unbounded(resource: &Resource) -> bool {
    children(resource).iter().any(|child| !child.relation.is_complete())
}

impl Node {
    fn of(resource: &'static Resource) -> Self {
        let child = |child: &'static Resource| {
            let relation = child.belongs_to.as_ref().filter(|relation| relation.parent == resource)?;
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
    let parent = resource.belongs_to.as_ref().and_then(|relation| {
        Some(Link { name: relation.embedded.as_ref()?.field, target: LinkTarget::Parent(relation) })
    });
    let many =
        children.iter().filter_map(|child| Some(Link { name: child.relation.link?, target: LinkTarget::Many(*child) }));
    let of_children = children.iter().filter_map(|child| match &child.relation.parent_data {
        ParentData::One { embedded, .. } => Some(Link { name: embedded.field, target: LinkTarget::One(*child) }),
        ParentData::Sum { embedded, .. } => Some(Link { name: embedded.field, target: LinkTarget::Sum(*child) }),
        ParentData::Nothing | ParentData::Many { .. } => None,
    });
    let counted = children.iter().filter(|child| child.resource.statistics.is_some());
    let counted = counted.map(|child| Link { name: STATISTICS, target: LinkTarget::Statistics(*child) });
    let actions = resource.actions.iter().map(|name| Link { name, target: LinkTarget::Action });
    let anonymize = Link { name: ANONYMIZE, target: LinkTarget::Anonymize(resource) };
    let anonymize = resource.is_personal().then_some(anonymize);
    parent.into_iter().chain(many).chain(of_children).chain(counted).chain(actions).chain(anonymize).collect()
}

/// Lists the members in order. An embedded record follows the field that refers to it, or is added at the end.
fn members_of(resource: &'static Resource, children: &[Child]) -> Vec<Member> {
    let parent = resource
        .belongs_to
        .as_ref()
        .and_then(|relation| Some((relation.foreign_key.name, Member::Parent(relation, relation.embedded.as_ref()?))));
    let of_children = children.iter().filter_map(|child| {
        let slot = if let ParentData::One { slot, .. } = child.relation.parent_data { slot } else { "" };
        Some((slot, Member::OnParent(*child, child.relation.parent_data.embedded()?)))
    });
    let embedded: Vec<_> = parent.into_iter().chain(of_children).collect();
    let mut members = Vec::new();
    for field in resource.fields {
        members.push(Member::Field(field));
        members.extend(embedded.iter().filter(|(after, _)| *after == field.name).map(|(_, member)| *member));
    }
    let is_field = |name: &str| resource.field(name).is_some();
    members.extend(embedded.iter().filter(|(after, _)| !is_field(after)).map(|(_, member)| *member));
    members
}

fn filters_of(resource: &'static Resource, children: &[Child]) -> Vec<Filter> {
    let by_id = Filter::identifier(resource.id.name, None);
    let parent = resource.belongs_to.as_ref().filter(|relation| relation.link.is_some());
    let by_parent = parent.map(|relation| Filter::identifier(relation.foreign_key.name, Some(Role::Owner)));
    let by_child = children.iter().filter_map(|child| Some(Filter::has_child(child.relation.child_filter?)));
    std::iter::once(by_id).chain(by_parent).chain(resource.filters.iter().copied()).chain(by_child).collect()
}
