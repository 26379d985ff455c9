//! A path, as the steps that it takes through the catalogue. Pure: nothing is read here.

use http::Method;

use crate::error::{Error, Result, Violation};
use crate::record::Key;
use crate::resource::{Leads, Link, Resource};
use crate::resources;
use crate::twitch;
use crate::value::Id;

/// The most links that one path may follow.
const MAX_LINKS: usize = 16;

/// Where a request goes.
#[derive(Debug)]
pub enum Route {
    /// Whether the service is there.
    Health,
    /// The OpenAPI document.
    OpenApi,
    /// What Twitch calls.
    Twitch,
    /// Records.
    Records(Path),
}

/// A collection, and the steps from there.
#[derive(Debug)]
pub struct Path {
    /// The collection.
    pub root: &'static Resource,
    /// What follows, alternating between identifiers and links.
    pub steps: Vec<Step>,
}

/// One segment of a path.
#[derive(Clone, Copy)]
pub enum Step {
    /// Narrows many to one.
    Id(Id),
    /// Leads on from one.
    Link(&'static Link),
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Link(link) => f.write_str(link.name),
        }
    }
}

/// What a path ends at.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Many records.
    Many(&'static Resource),
    /// One record.
    One(&'static Resource),
    /// The record in a slot, or its vacancy.
    Slot(&'static Resource),
    /// The bare value of a field.
    Value(&'static str),
}

impl Route {
    /// Parses a path.
    ///
    /// # Errors
    /// 404 for what is no route, 400 for one with bad identifiers or too many links.
    pub fn parse(path: &str) -> Result<Self> {
        match path {
            "/health" => Ok(Self::Health),
            "/openapi.json" => Ok(Self::OpenApi),
            twitch::PATH => Ok(Self::Twitch),
            _ => Path::parse(path).map(Self::Records),
        }
    }
}

impl Route {
    /// The route with every identifier replaced by its name: one text for each route, for the log.
    pub fn template(&self) -> String {
        match self {
            Self::Health => "/health".to_owned(),
            Self::OpenApi => "/openapi.json".to_owned(),
            Self::Twitch => twitch::PATH.to_owned(),
            Self::Records(path) => path.template(),
        }
    }

    /// The same, with all that has more than one link under one name: as many texts as a metric may have values.
    pub fn endpoint(&self) -> String {
        match self {
            Self::Records(path) if path.links() > 1 => "chain".to_owned(),
            route => route.template(),
        }
    }
}

/// Whether a path is open to everybody, with no token: Twitch signs what it sends instead.
pub fn is_public(path: &str) -> bool {
    path == "/health" || path == twitch::PATH
}

impl Path {
    fn parse(path: &str) -> Result<Self> {
        let mut segments = path.strip_prefix('/').ok_or_else(Error::no_route)?.split('/').peekable();
        let first = segments.next().unwrap_or_default();
        let named = resources::ALL
            .into_iter()
            .find(|resource| resource.name == first || (resource.alias == Some(first) && segments.peek().is_some()));
        let mut parsed = Self { root: named.ok_or_else(Error::no_route)?, steps: Vec::new() };
        let mut violations = Vec::new();
        for segment in segments {
            match parsed.target() {
                Target::Many(resource) => parsed.steps.push(Step::Id(identifier(resource, segment, &mut violations))),
                Target::One(resource) | Target::Slot(resource) => {
                    let link = resource.links.iter().find(|link| link.name == segment);
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
        match self.steps[..] {
            [] => Target::Many(self.root),
            [.., Step::Link(link)] => match link.leads {
                Leads::One { to, .. } => Target::One(to),
                Leads::Slot { to, .. } => Target::Slot(to),
                Leads::Many { to, .. } => Target::Many(to),
                Leads::Value { field } => Target::Value(field),
            },
            [Step::Id(_)] => Target::One(self.root),
            [.., Step::Link(Link { leads: Leads::Many { to, .. }, .. }), Step::Id(_)] => Target::One(to),
            [.., Step::Id(_)] => unreachable!("an identifier only follows a collection"),
        }
    }

    /// The field of a new record that the path decides, if any.
    pub fn bound_on_creation(&self) -> Option<&'static str> {
        match self.steps[..] {
            [.., Step::Link(Link { leads: Leads::Many { binds, .. } | Leads::Slot { binds, .. }, .. })] => Some(binds),
            _ => None,
        }
    }

    /// The field of an existing record that the path decides, if any.
    pub fn bound_on_change(&self) -> Option<&'static str> {
        match self.steps[..] {
            [.., Step::Link(Link { leads: Leads::Many { binds, .. }, .. }), Step::Id(_)] => Some(binds),
            _ => None,
        }
    }

    /// The path with every identifier replaced by its name: one text for each route.
    pub fn template(&self) -> String {
        let mut segments = vec![String::new(), self.root.name.to_owned()];
        let mut resource = self.root;
        for step in &self.steps {
            match step {
                Step::Id(_) => segments.push(format!("{{{}}}", resource.id)),
                Step::Link(link) => {
                    segments.push(link.name.to_owned());
                    if let Leads::One { to, .. } | Leads::Slot { to, .. } | Leads::Many { to, .. } = link.leads {
                        resource = to;
                    }
                }
            }
        }
        segments.join("/")
    }
}

impl Target {
    /// The methods that a target has.
    pub fn methods(self) -> Vec<Method> {
        let (get, post, put, patch, delete) = (Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE);
        let mut methods = vec![get, Method::HEAD];
        match self {
            Self::Many(resource) if resource.bulk.is_some() => methods.extend([post, put]),
            Self::Many(_) => methods.push(post),
            Self::One(resource) if resource.immutable => {}
            Self::One(_) => methods.extend([patch, delete]),
            Self::Slot(_) => methods.extend([post, patch, delete]),
            Self::Value(_) => {}
        }
        methods
    }
}

/// The route of one record.
pub fn location(key: Key) -> String {
    format!("/{key}")
}

/// A bad identifier is noted, and any number stands for it until the whole path is read.
fn identifier(resource: &Resource, segment: &str, violations: &mut Vec<Violation>) -> Id {
    Id::parse(segment)
        .or_else(|| {
            let detail = format!("Give {} as a positive integer of at most 2^53−1.", resource.id);
            violations.push(Violation::parameter(resource.id, detail));
            Id::new(1)
        })
        .unwrap_or_else(|| unreachable!("1 is an identifier"))
}
