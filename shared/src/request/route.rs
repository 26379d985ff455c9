//! A path, as the steps that it takes through the catalogue.

use http::Method;

use crate::error::{Error, Result, Violation};
use crate::resources::{self, Leads, Link};
use crate::schema::{Id, Resource};

/// The most links that one path may follow.
const MAX_LINKS: usize = 16;

/// A collection, and the steps from there.
#[derive(Debug)]
pub struct Path {
    /// The collection.
    pub root: &'static Resource,
    /// What follows, alternating between identifiers and links.
    pub steps: Vec<Step>,
}

/// One segment of a path.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Narrows many to one.
    Id(Id),
    /// Leads on from one.
    Link(&'static Link),
}

/// What a path ends at.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Many records.
    Many(&'static Resource),
    /// One record.
    One(&'static Resource),
    /// The one record that another keeps, or its vacancy.
    Slot(&'static Resource),
    /// The bare value of a field.
    Value(&'static str),
}

impl Path {
    /// A whole collection.
    pub fn to(root: &'static Resource) -> Self {
        Self { root, steps: Vec::new() }
    }

    /// Parses a path, whose percent-encoding the gateway has decoded.
    ///
    /// # Errors
    /// 404 for what is no route, 400 for one with bad identifiers or too many links.
    pub fn parse(path: &str) -> Result<Self> {
        let segments: Vec<_> = path.split('/').collect();
        let Some(([_, first], rest)) = segments.split_first_chunk() else { return Err(Error::no_route()) };
        let mut parsed = Self::to(root(first, !rest.is_empty()).ok_or_else(Error::no_route)?);
        let mut violations = Vec::new();
        for segment in rest {
            match parsed.target() {
                Target::Many(resource) => parsed.steps.push(Step::Id(identifier(resource, segment, &mut violations))),
                Target::One(resource) | Target::Slot(resource) => {
                    let link = resources::links(resource).iter().find(|link| link.name == *segment);
                    parsed.steps.push(Step::Link(link.ok_or_else(Error::no_route)?));
                }
                Target::Value(_) => return Err(Error::no_route()),
            }
        }
        let links = parsed.links();
        if links > MAX_LINKS {
            let detail = format!("The path follows {links} links: follow at most {MAX_LINKS}.");
            violations.push(Violation::parameter("path", detail));
        }
        if violations.is_empty() { Ok(parsed) } else { Err(Error::bad_parameters(violations)) }
    }

    fn links(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Link(_))).count()
    }

    /// What the path ends at.
    pub fn target(&self) -> Target {
        let mut target = Target::Many(self.root);
        for step in &self.steps {
            target = match (target, step) {
                (Target::Many(resource), _) => Target::One(resource),
                (_, Step::Link(link)) => link.target(),
                (target, Step::Id(_)) => target,
            };
        }
        target
    }

    /// The field of a new record that the path decides, if any.
    pub fn bound_on_creation(&self) -> Option<&'static str> {
        let Some(Step::Link(link)) = self.steps.last() else { return None };
        link.binds()
    }

    /// The field of an existing record that the path decides, if any.
    pub fn bound_on_change(&self) -> Option<&'static str> {
        match self.steps[..] {
            [.., Step::Link(Link { leads: Leads::Many(child), .. }), Step::Id(_)] => Some(child.relation.by.name),
            _ => None,
        }
    }

    /// The path with every identifier replaced by its name: one text for each route.
    pub fn template(&self) -> String {
        let mut segments = vec![String::new(), self.root.name.to_owned()];
        let mut resource = self.root;
        for step in &self.steps {
            match step {
                Step::Id(_) => segments.push(format!("{{{}}}", resource.id.name)),
                Step::Link(link) => {
                    segments.push(link.name.to_owned());
                    resource = link.target().resource().unwrap_or(resource);
                }
            }
        }
        segments.join("/")
    }

    /// The same, with all that has more than one link under one name: as many texts as a metric may have values.
    pub fn endpoint(&self) -> String {
        if self.links() > 1 { "chain".to_owned() } else { self.template() }
    }
}

impl Link {
    /// What the link leads to.
    pub fn target(&self) -> Target {
        match self.leads {
            Leads::Parent(relation) => Target::One(relation.to),
            Leads::One(child) => Target::Slot(child.resource),
            Leads::Many(child) => Target::Many(child.resource),
            Leads::Sum(_) => Target::Value(self.name),
        }
    }

    /// The field of what is there that refers back.
    pub fn binds(&self) -> Option<&'static str> {
        match self.leads {
            Leads::One(child) | Leads::Many(child) => Some(child.relation.by.name),
            Leads::Parent(_) | Leads::Sum(_) => None,
        }
    }
}

impl Target {
    /// The resource of what is there; none for a bare value.
    pub fn resource(self) -> Option<&'static Resource> {
        match self {
            Self::Many(resource) | Self::One(resource) | Self::Slot(resource) => Some(resource),
            Self::Value(_) => None,
        }
    }

    /// The methods that a target has.
    pub fn methods(self) -> Vec<Method> {
        let (get, post, put, patch, delete) = (Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE);
        let mut methods = vec![get, Method::HEAD];
        match self {
            Self::Many(resource) if resource.bulk.is_some() => methods.extend([post, put]),
            Self::Many(_) => methods.push(post),
            Self::One(resource) if !resource.immutable => methods.extend([patch, delete]),
            Self::Slot(_) => methods.extend([post, patch, delete]),
            Self::One(_) | Self::Value(_) => {}
        }
        methods
    }
}

/// Every route of one link at most: the others are these, one after another.
pub fn every_path() -> Vec<Path> {
    let one = Step::Id(Id::new(1).unwrap_or_else(|| unreachable!("1 is an identifier")));
    let mut paths = Vec::new();
    for root in resources::ALL {
        paths.push(Path::to(root));
        paths.push(Path { root, steps: vec![one] });
        for link in resources::links(root) {
            paths.push(Path { root, steps: vec![one, Step::Link(link)] });
            if let Leads::Many(_) = link.leads {
                paths.push(Path { root, steps: vec![one, Step::Link(link), one] });
            }
        }
    }
    paths
}

/// The collection that a path starts at.
fn root(first: &str, goes_on: bool) -> Option<&'static Resource> {
    let fits = |resource: &&Resource| resource.name == first || (resource.alias == Some(first) && goes_on);
    resources::ALL.into_iter().find(fits)
}

/// A bad identifier is noted, and any number stands for it until the whole path is read.
fn identifier(resource: &Resource, segment: &str, violations: &mut Vec<Violation>) -> Id {
    Id::parse(segment)
        .or_else(|| {
            let detail = format!("Give {} as a positive integer of at most 2^53−1.", resource.id.name);
            violations.push(Violation::parameter(resource.id.name, detail));
            Id::new(1)
        })
        .unwrap_or_else(|| unreachable!("1 is an identifier"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_is_parsed_back_from_its_text() {
        for path in every_path() {
            let template = path.template();
            let segments = template.split('/').map(|segment| if segment.starts_with('{') { "1" } else { segment });
            let parsed = Path::parse(&segments.collect::<Vec<_>>().join("/")).expect("a route");
            assert_eq!(parsed.template(), template);
        }
    }

    #[test]
    fn a_segment_is_not_decoded_again() {
        assert!(Path::parse("/%65vents").is_err());
        assert!(Path::parse("/users/%34").is_err());
    }

    #[test]
    fn a_link_of_a_collection_decides_a_field_of_what_is_created_there() {
        let bound = |path| Path::parse(path).expect("a route").bound_on_creation();
        assert_eq!(bound("/users/5/events"), Some("user_id"));
        assert_eq!(bound("/users/5/specimen"), Some("owner_id"));
        assert_eq!(bound("/events"), None);
    }

    #[test]
    fn seventeen_links_are_too_many() {
        let path = format!("/events/1/user{}", "/specimen/owner".repeat(7));
        assert!(Path::parse(&format!("{path}/specimen")).is_ok());
        assert!(Path::parse(&format!("{path}/specimen/owner")).is_err());
    }
}
