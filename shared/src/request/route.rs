//! Parses paths into steps through the resources.
//!
//! Routes are not declared. They follow from the links between resources.

use http::Method;

use crate::error::{Error, Result, Violation, ViolationCode, closest, suggestion};
use crate::resources::{self, Link, LinkTarget};
use crate::schema::{Id, Key, Lifecycle, Resource};

/// Maximum number of links in a path.
const MAX_LINKS: usize = 16;

/// A path: a collection, and the steps from there.
#[derive(Debug)]
pub struct Path {
    /// Collection at which the path starts.
    pub root: &'static Resource,
    /// Steps, alternating between identifiers and links.
    pub steps: Vec<PathStep>,
    /// Violations of invalid identifiers, which the steps replace with 1. [`Operation::parse`](super::Operation::parse)
    /// reports them with the violations of the query and the body.
    pub violations: Vec<Violation>,
}

/// One segment of a path.
#[derive(Clone, Copy, Debug)]
pub enum PathStep {
    /// Selects one record of a collection.
    Id(Id),
    /// Follows a link of a record.
    Link(&'static Link),
}

/// The target of a path.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A collection of records.
    Many(&'static Resource),
    /// One record.
    One(&'static Resource),
    /// The only child of a record, or its empty slot.
    Slot(&'static Resource),
    /// Value of a single member.
    Value(&'static str),
    /// Statistics of this resource's records that belong to one parent.
    Statistics(&'static Resource),
    /// Action on a record.
    Action(&'static str),
    /// Action that anonymizes a record.
    Anonymize(&'static Resource),
}

impl Path {
    /// Creates the path of a collection.
    pub fn to(root: &'static Resource) -> Self {
        Self { root, steps: Vec::new(), violations: Vec::new() }
    }

    /// Creates the path of a record.
    pub fn of(record: Key) -> Self {
        Self { steps: vec![PathStep::Id(record.id)], ..Self::to(record.resource) }
    }

    /// Parses a percent-decoded path.
    ///
    /// # Errors
    /// 404 if no route matches, 400 if the path has too many links.
    pub fn parse(path: &str) -> Result<Self> {
        if let Some(path) = path.strip_suffix('/') {
            return Err(Error::no_route_with_hint(format!("Remove the trailing slash: {path}.")));
        }
        let segments: Vec<_> = path.split('/').collect();
        let Some(([_, first], rest)) = segments.split_first_chunk() else { return Err(Error::no_route()) };
        let mut path =
            Self::to(resources::by_first_segment(first, !rest.is_empty()).ok_or_else(|| no_root(first, rest))?);
        for segment in rest {
            match path.target() {
                Target::Many(resource) => {
                    let id = parse_id(resource, segment, &mut path.violations);
                    path.steps.push(PathStep::Id(id));
                }
                Target::One(resource) | Target::Slot(resource) => {
                    let link = resources::links(resource).iter().find(|link| link.name == *segment);
                    path.steps.push(PathStep::Link(link.ok_or_else(|| no_link(resource, segment))?));
                }
                Target::Value(_) | Target::Statistics(_) | Target::Action(_) | Target::Anonymize(_) => {
                    return Err(Error::no_route());
                }
            }
        }
        let links = path.count_links();
        if links > MAX_LINKS {
            let detail = format!("The path follows {links} links. Follow at most {MAX_LINKS}.");
            return Err(Error::path_too_long(detail).with_violations(path.violations));
        }
        Ok(path)
    }

    /// Returns the key of the record that the path names directly, without a link.
    pub fn record(&self) -> Option<Key> {
        match self.steps[..] {
            [PathStep::Id(id)] => Some(Key::new(self.root, id)),
            _ => None,
        }
    }

    /// Returns a sentence on how to change the target indirectly, if it cannot be changed directly.
    pub fn way_to_change(&self) -> Option<String> {
        let (shown, resource) = match (self.target(), self.steps.last()) {
            (Target::One(resource), _) if resource.lifecycle == Lifecycle::Immutable => {
                (format!("A {}", resource.singular), resource)
            }
            (Target::Value(name), Some(PathStep::Link(Link { target: LinkTarget::Sum(child), .. }))) => {
                (format!("The {name}"), child.resource)
            }
            _ => return None,
        };
        let Resource { name, singular, .. } = resource;
        Some(format!("{shown} cannot be changed. Create a {singular} instead: POST /{name}."))
    }

    /// Returns the methods that the path supports.
    pub fn methods(&self) -> Vec<Method> {
        let mut methods = self.target().methods();
        methods.extend(self.record().map(|_| Method::PUT));
        methods
    }

    fn count_links(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, PathStep::Link(_))).count()
    }

    /// Follows the path to its target.
    pub fn target(&self) -> Target {
        let mut target = Target::Many(self.root);
        for step in &self.steps {
            target = match (target, step) {
                (Target::Many(resource), _) => Target::One(resource),
                (_, PathStep::Link(link)) => link.target(),
                (target, PathStep::Id(_)) => target,
            };
        }
        target
    }

    /// Returns the field of a new record that the path sets.
    pub fn bound_on_creation(&self) -> Option<&'static str> {
        let Some(PathStep::Link(link)) = self.steps.last() else { return None };
        link.bound_field()
    }

    /// Returns the field of an existing record that the path sets.
    pub fn bound_on_change(&self) -> Option<&'static str> {
        match self.steps[..] {
            [.., PathStep::Link(Link { target: LinkTarget::Many(child), .. }), PathStep::Id(_)] => {
                Some(child.relation.foreign_key.name)
            }
            _ => None,
        }
    }

    /// Returns the path with every identifier replaced by its name: one text for each route.
    pub fn template(&self) -> String {
        let mut segments = vec![String::new(), self.root.name.to_owned()];
        let mut resource = self.root;
        for step in &self.steps {
            match step {
                PathStep::Id(_) => segments.push(format!("{{{}}}", resource.id.name)),
                PathStep::Link(link) => {
                    segments.push(link.name.to_owned());
                    resource = link.target().resource().unwrap_or(resource);
                }
            }
        }
        segments.join("/")
    }

    /// Returns the label of the path in metrics: its template, or `chain` if it has several links. Metrics need a
    /// limited number of labels.
    pub fn endpoint(&self) -> String {
        if self.count_links() > 1 { "chain".to_owned() } else { self.template() }
    }
}

impl Link {
    /// Follows the link to its target.
    pub fn target(&self) -> Target {
        match self.target {
            LinkTarget::Parent(relation) => Target::One(relation.parent),
            LinkTarget::One(child) => Target::Slot(child.resource),
            LinkTarget::Many(child) => Target::Many(child.resource),
            LinkTarget::Sum(_) => Target::Value(self.name),
            LinkTarget::Statistics(child) => Target::Statistics(child.resource),
            LinkTarget::Action => Target::Action(self.name),
            LinkTarget::Anonymize(resource) => Target::Anonymize(resource),
        }
    }

    /// Returns the field of the linked records that refers back to this record.
    pub fn bound_field(&self) -> Option<&'static str> {
        match self.target {
            LinkTarget::One(child) | LinkTarget::Many(child) => Some(child.relation.foreign_key.name),
            LinkTarget::Parent(_)
            | LinkTarget::Sum(_)
            | LinkTarget::Statistics(_)
            | LinkTarget::Action
            | LinkTarget::Anonymize(_) => None,
        }
    }
}

impl Target {
    /// Returns the resource of the target. `None` for a value, statistics or an action.
    pub fn resource(self) -> Option<&'static Resource> {
        match self {
            Self::Many(resource) | Self::One(resource) | Self::Slot(resource) | Self::Anonymize(resource) => {
                Some(resource)
            }
            Self::Value(_) | Self::Statistics(_) | Self::Action(_) => None,
        }
    }

    /// Returns the methods that every path to the target supports.
    fn methods(self) -> Vec<Method> {
        let (get, post, put, patch, delete) = (Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE);
        let mut methods = vec![get, Method::HEAD];
        match self {
            Self::Many(resource) if resource.limits.bulk.is_some() => methods.extend([post, put]),
            Self::Many(_) => methods.push(post),
            Self::Action(_) | Self::Anonymize(_) => return vec![post],
            Self::One(resource) => {
                methods.extend(resource.is_changeable().then_some(patch));
                methods.extend(resource.is_deletable().then_some(delete));
            }
            Self::Slot(_) => methods.extend([post, patch, delete]),
            Self::Value(_) | Self::Statistics(_) => {}
        }
        methods
    }
}

/// Returns every route with at most one link. All other routes are concatenations of these.
pub fn every_path() -> Vec<Path> {
    let one = PathStep::Id(Id::new(1).unwrap_or_else(|| unreachable!("1 is an identifier")));
    let mut paths = Vec::new();
    for root in resources::ALL {
        paths.push(Path::to(root));
        let path = |steps| Path { steps, ..Path::to(root) };
        paths.push(path(vec![one]));
        for link in resources::links(root) {
            paths.push(path(vec![one, PathStep::Link(link)]));
            if let LinkTarget::Many(_) = link.target {
                paths.push(path(vec![one, PathStep::Link(link), one]));
            }
        }
    }
    paths
}

/// Routes besides the resources that the path of another API may mean.
const OTHER_ROOTS: [&str; 3] = ["feed", "leaderboards", "statistics"];

/// Reports a path that does not start with a collection. Suggests a collection with a similar name, a collection behind
/// a prefix such as `/api/v1`, or the link of a record.
fn no_root(first: &str, rest: &[&str]) -> Error {
    let names = resources::ALL.map(|resource| resource.name);
    let behind_prefix = || names.into_iter().find(|name| rest.contains(name));
    let collection =
        closest(first, names.into_iter().chain(OTHER_ROOTS)).or_else(behind_prefix).map(|name| format!("/{name}"));
    let link = || {
        let links = resources::ALL
            .into_iter()
            .flat_map(|root| resources::links(root).iter().map(move |link| (root, link.name)));
        let name = closest(first, links.clone().map(|(_, name)| name))?;
        let (root, _) = links.into_iter().find(|(_, other)| *other == name)?;
        Some(format!("/{}/{{{}}}/{name}", root.name, root.id.name))
    };
    match collection.or_else(link) {
        Some(path) => Error::no_route_with_hint(format!("Did you mean {path}?")),
        None => Error::no_route(),
    }
}

/// Reports a segment that is not a link of the record, and lists its links.
fn no_link(resource: &Resource, segment: &str) -> Error {
    let names: Vec<_> = resources::links(resource).iter().map(|link| link.name).collect();
    let detail = if names.is_empty() { "no links".to_owned() } else { format!("the links {}", names.join(", ")) };
    let suggestion = suggestion(segment, names, 0);
    Error::no_route_with_hint(format!("A single record of {} has {detail}.{suggestion}", resource.name))
}

/// Parses an identifier. An invalid identifier is reported and replaced with a placeholder, and parsing continues.
fn parse_id(resource: &Resource, segment: &str, violations: &mut Vec<Violation>) -> Id {
    Id::parse(segment)
        .or_else(|| {
            let code = ViolationCode::of_integer(segment);
            let range = "Must be an integer between 1 and 9007199254740991.";
            let detail = if code == ViolationCode::InvalidFormat {
                let filters: Vec<_> = resources::filters(resource).iter().map(|filter| filter.name).collect();
                format!("{range} GET /{} finds {} by {}.", resource.name, resource.name, filters.join(", "))
            } else {
                range.to_owned()
            };
            violations.push(Violation::parameter(resource.id.name, code.invalid_value(detail)));
            Id::new(1)
        })
        .unwrap_or_else(|| unreachable!("1 is an identifier"))
}
