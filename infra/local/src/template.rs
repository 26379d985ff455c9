//! Reads `template.yaml`: routes, schedules, functions and their policies, the table and its indexes.

use std::collections::HashMap;

use capture_core::lambda::stream::EventName;
use capture_core::table::Item;
use saphyr::{LoadableYamlNode, ScalarOwned, YamlOwned};
use serde_json::{Map, Value};

use crate::Error;

/// Template in the repository.
const SOURCE: &str = include_str!("../../../template.yaml");

/// Parts of the template that the local stack and its tests use.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// Routes of the HTTP API.
    pub routes: Vec<Route>,
    /// CORS settings for allowed origins.
    pub cors: Cors,
    /// Schedules.
    pub schedules: Vec<Schedule>,
    /// Functions that receive the table's stream.
    pub streams: Vec<Stream>,
    /// View type of the table's stream, such as `KEYS_ONLY`.
    pub stream_view: String,
    /// Functions.
    pub functions: Vec<Function>,
    /// Primary key of the table.
    pub key: Vec<Key>,
    /// All key attributes: name and type, `S` or `N`.
    pub attributes: Vec<(String, String)>,
    /// Global secondary indexes.
    pub indexes: Vec<Index>,
}

/// A route and its function.
#[derive(Clone, Debug)]
pub struct Route {
    /// `ANY`, or one method.
    pub method: String,
    /// Path, optionally ending with `{proxy+}`; `$default` for all other paths.
    pub path: String,
    /// Whether the route skips the authorizer.
    pub public: bool,
    /// Name of the function.
    pub function: String,
}

/// CORS settings of the gateway.
#[derive(Clone, Debug, Default)]
pub struct Cors {
    /// Methods that web pages may use.
    pub methods: Vec<String>,
    /// Headers that web pages may send.
    pub headers: Vec<String>,
    /// Headers that web pages may read.
    pub exposed: Vec<String>,
    /// Time that browsers may cache these settings, in seconds.
    pub max_age: u64,
}

/// A function and its policy.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name: the logical ID of its resource in lower case, without `Function`.
    pub name: String,
    /// Binary. Several functions may share one.
    pub binary: String,
    /// Folder of the binary.
    pub folder: String,
    /// Resource group: the variable `GROUP`.
    pub group: Option<String>,
    /// Memory, in MB.
    pub memory: u64,
    /// Statements of its policies.
    pub policy: Vec<Statement>,
}

/// A statement of a policy: actions that a function may execute on resources.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Actions, such as `dynamodb:GetItem`.
    pub actions: Vec<String>,
    /// Resources as the template writes them, such as `TableArn.Value`.
    pub resources: Vec<String>,
    /// Patterns of the partition keys that the statement covers. Empty if it covers all.
    pub keys: Vec<String>,
}

impl Function {
    /// Returns true if the function may execute an action on a resource, for an item with this partition key.
    pub fn may(&self, action: &str, resource: &str, key: &str) -> bool {
        self.policy.iter().any(|statement| {
            let is_match =
                |pattern: &String| pattern.strip_suffix('*').map_or(pattern == key, |start| key.starts_with(start));
            statement.actions.iter().any(|allowed| allowed == action)
                && statement.resources.iter().any(|allowed| allowed == resource)
                && (statement.keys.is_empty() || statement.keys.iter().any(is_match))
        })
    }
}

/// A schedule and the function that it calls.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Expression, such as `rate(1 minute)`.
    pub expression: String,
    /// Name of the function.
    pub function: String,
}

/// A function that receives the table's stream.
#[derive(Clone, Debug)]
pub struct Stream {
    /// Name of the function.
    pub function: String,
    /// Maximum number of records in one call.
    pub batch: usize,
    /// Whether a batch contains the identifier of its shard, as with a tumbling window.
    pub windowed: bool,
    /// Patterns of the records to deliver. A record is delivered if it matches any of them.
    pub patterns: Vec<Pattern>,
}

impl Stream {
    /// Returns true if the function receives a change of an item.
    pub fn receives(&self, pk: &str, before: Option<&Item>, after: Option<&Item>) -> bool {
        self.patterns.iter().any(|pattern| pattern.matches(pk, before, after))
    }
}

/// A filter pattern of Lambda (<https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html>) in the
/// form that the template uses: the events, and the alternatives for one text.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Events that match.
    pub events: Vec<EventName>,
    /// `Keys`, `OldImage` or `NewImage`.
    pub part: String,
    /// Attribute of the part.
    pub attribute: String,
    /// Texts that match.
    pub texts: Vec<String>,
    /// Prefixes of texts that match.
    pub prefixes: Vec<String>,
}

impl Pattern {
    fn parse(pattern: &Value) -> Result<Self, Error> {
        let only = |value: &Value| -> Option<(String, Value)> {
            let (name, value) = value.as_object().filter(|object| object.len() == 1)?.iter().next()?;
            Some((name.clone(), value.clone()))
        };
        let parse = || {
            let (part, attributes) = only(&pattern["dynamodb"])?;
            let (attribute, value) = only(&attributes)?;
            let alternatives = value["S"].as_array()?;
            let texts = alternatives.iter().filter_map(|text| text.as_str().map(str::to_owned)).collect();
            let prefixes = alternatives.iter().filter_map(|text| text["prefix"].as_str().map(str::to_owned)).collect();
            let events = serde_json::from_value(pattern["eventName"].clone()).ok()?;
            Some(Self { events, part, attribute, texts, prefixes })
        };
        parse().ok_or_else(|| format!("template.yaml: the local stack does not support the pattern {pattern}").into())
    }

    /// Returns true if the pattern lets a change pass.
    fn matches(&self, pk: &str, before: Option<&Item>, after: Option<&Item>) -> bool {
        let image = if self.part == "OldImage" { before } else { after };
        let attribute = || image?.get(&self.attribute)?.text();
        let text = if self.part == "Keys" { Some(pk) } else { attribute() };
        let is_alternative = |text: &str| {
            self.texts.iter().any(|one| one == text) || self.prefixes.iter().any(|prefix| text.starts_with(prefix))
        };
        self.events.contains(&EventName::of(before, after)) && text.is_some_and(is_alternative)
    }
}

/// An attribute of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Name of the attribute.
    pub attribute: String,
    /// Type of the key: `HASH` or `RANGE`.
    pub kind: String,
}

/// A global secondary index.
#[derive(Clone, Debug)]
pub struct Index {
    /// Name of the index.
    pub name: String,
    /// Key of the index.
    pub key: Vec<Key>,
    /// Projection type: the attributes of an item that the index copies.
    pub projection: String,
}

impl Template {
    /// Reads the template.
    ///
    /// # Errors
    /// If the template contains something that the local stack does not support. The message names it.
    pub fn read() -> Result<Self, Error> {
        let source = YamlOwned::load_from_str(SOURCE)?;
        let source = to_json(source.first().ok_or("template.yaml is empty")?);
        let resources = source["Resources"].as_object().ok_or("template.yaml has no resources")?;
        let mut template = Self::default();
        let policies = managed_policies(resources)?;
        let attached = attached_policies(resources)?;
        for (name, resource) in resources {
            let properties = &resource["Properties"];
            match text(&resource["Type"])?.as_str() {
                "AWS::Serverless::HttpApi" => template.cors = cors(&properties["CorsConfiguration"])?,
                "AWS::Serverless::Function" => {
                    let mut function = function(name, resource, &policies, &source["Globals"]["Function"])?;
                    let role = format!("{name}Role");
                    function
                        .policy
                        .extend(attached.iter().filter(|(to, _)| *to == role).map(|(_, policy)| policy.clone()));
                    for event in properties["Events"].as_object().into_iter().flat_map(Map::values) {
                        template.add_event(&function.name, event)?;
                    }
                    template.functions.push(function);
                }
                "AWS::DynamoDB::Table" => template.add_table(properties)?,
                _ => {}
            }
        }
        Ok(template)
    }

    fn add_event(&mut self, function: &str, event: &Value) -> Result<(), Error> {
        let (function, properties) = (function.to_owned(), &event["Properties"]);
        match text(&event["Type"])?.as_str() {
            "HttpApi" => {
                let path = properties["Path"].as_str().unwrap_or("$default").to_owned();
                let method = properties["Method"].as_str().unwrap_or("ANY").to_owned();
                let public = properties["Auth"]["Authorizer"] == "NONE";
                self.routes.push(Route { method, path, public, function });
            }
            "Schedule" => self.schedules.push(Schedule { expression: text(&properties["Schedule"])?, function }),
            "DynamoDB" => {
                let patterns = list(&properties["FilterCriteria"]["Filters"])?;
                let pattern = |filter: &Value| Pattern::parse(&serde_json::from_str(&text(&filter["Pattern"])?)?);
                let patterns = patterns.iter().map(pattern).collect::<Result<_, Error>>()?;
                let batch =
                    properties["BatchSize"].as_u64().ok_or("template.yaml: BatchSize is missing")?.try_into()?;
                let windowed = properties["TumblingWindowInSeconds"].as_u64().is_some();
                self.streams.push(Stream { function, batch, windowed, patterns });
            }
            other => {
                return Err(format!("template.yaml: the local stack does not support events of type {other}").into());
            }
        }
        Ok(())
    }

    fn add_table(&mut self, properties: &Value) -> Result<(), Error> {
        self.key = keys(properties)?;
        self.stream_view = text(&properties["StreamSpecification"]["StreamViewType"])?;
        for attribute in list(&properties["AttributeDefinitions"])? {
            self.attributes.push((text(&attribute["AttributeName"])?, text(&attribute["AttributeType"])?));
        }
        for index in list(&properties["GlobalSecondaryIndexes"])? {
            let projection = text(&index["Projection"]["ProjectionType"])?;
            self.indexes.push(Index { name: text(&index["IndexName"])?, key: keys(index)?, projection });
        }
        Ok(())
    }
}

/// Converts a node of the template to JSON. An intrinsic function, such as `!Ref`, becomes its argument.
fn to_json(node: &YamlOwned) -> Value {
    match node {
        YamlOwned::Mapping(pairs) => {
            let name = |key: &YamlOwned| key.as_str().unwrap_or_default().to_owned();
            pairs.iter().map(|(key, value)| (name(key), to_json(value))).collect()
        }
        YamlOwned::Sequence(nodes) => nodes.iter().map(to_json).collect(),
        YamlOwned::Tagged(_, argument) => to_json(argument),
        YamlOwned::Value(ScalarOwned::String(text)) => text.as_str().into(),
        YamlOwned::Value(ScalarOwned::Integer(number)) => (*number).into(),
        YamlOwned::Value(ScalarOwned::Boolean(flag)) => (*flag).into(),
        _ => Value::Null,
    }
}

fn cors(settings: &Value) -> Result<Cors, Error> {
    Ok(Cors {
        methods: texts(&settings["AllowMethods"])?,
        headers: texts(&settings["AllowHeaders"])?,
        exposed: texts(&settings["ExposeHeaders"])?,
        max_age: settings["MaxAge"].as_u64().ok_or("template.yaml: MaxAge is missing")?,
    })
}

/// Returns the policies that functions share, by name.
fn managed_policies(resources: &Map<String, Value>) -> Result<HashMap<String, Vec<Statement>>, Error> {
    let managed = resources.iter().filter(|(_, resource)| resource["Type"] == "AWS::IAM::ManagedPolicy");
    let policy = |(name, resource): (&String, &Value)| {
        Ok((name.clone(), statements(&resource["Properties"]["PolicyDocument"])?))
    };
    managed.map(policy).collect()
}

/// Returns the statements of the policies that name their roles, each with its role.
fn attached_policies(resources: &Map<String, Value>) -> Result<Vec<(String, Statement)>, Error> {
    let mut attached = Vec::new();
    for policy in resources.values().filter(|resource| resource["Type"] == "AWS::IAM::ManagedPolicy") {
        for role in policy["Properties"]["Roles"].as_array().into_iter().flatten() {
            let role = text(role)?;
            attached.extend(
                statements(&policy["Properties"]["PolicyDocument"])?
                    .into_iter()
                    .map(|statement| (role.clone(), statement)),
            );
        }
    }
    Ok(attached)
}

fn function(
    id: &str,
    resource: &Value,
    managed: &HashMap<String, Vec<Statement>>,
    defaults: &Value,
) -> Result<Function, Error> {
    let (build, properties) = (&resource["Metadata"]["BuildProperties"], &resource["Properties"]);
    let mut policy = Vec::new();
    for policies in properties["Policies"].as_array().into_iter().flatten() {
        policy.extend(match policies {
            Value::String(name) => {
                managed.get(name).cloned().ok_or_else(|| format!("template.yaml: policy {name} not found"))?
            }
            inline => statements(inline)?,
        });
    }
    let memory = properties["MemorySize"].as_u64().or(defaults["MemorySize"].as_u64());
    Ok(Function {
        name: function_name(id),
        binary: text(&build["Binary"])?,
        folder: text(&properties["CodeUri"])?,
        group: properties["Environment"]["Variables"]["GROUP"].as_str().map(str::to_owned),
        memory: memory.ok_or_else(|| format!("template.yaml: {id} has no MemorySize"))?,
        policy,
    })
}

fn statements(policy: &Value) -> Result<Vec<Statement>, Error> {
    list(&policy["Statement"])?.iter().map(statement).collect()
}

fn statement(statement: &Value) -> Result<Statement, Error> {
    if statement["Effect"] != "Allow" {
        return Err("template.yaml: the local stack supports only statements with the effect Allow".into());
    }
    let condition = statement["Condition"].as_object().into_iter().flat_map(Map::keys);
    // The second condition restricts the prefix of lists, which the bucket itself checks.
    if condition
        .into_iter()
        .any(|condition| !["ForAllValues:StringLike", "StringEqualsIfExists"].contains(&condition.as_str()))
    {
        return Err("template.yaml: the local stack does not support a condition of this type".into());
    }
    let keys = &statement["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
    Ok(Statement {
        actions: texts(&statement["Action"])?,
        resources: texts(&statement["Resource"])?,
        keys: if keys.is_null() { Vec::new() } else { texts(keys)? },
    })
}

fn keys(table_or_index: &Value) -> Result<Vec<Key>, Error> {
    let key = |key: &Value| Ok(Key { attribute: text(&key["AttributeName"])?, kind: text(&key["KeyType"])? });
    list(&table_or_index["KeySchema"])?.iter().map(key).collect()
}

fn list(value: &Value) -> Result<&Vec<Value>, Error> {
    value.as_array().ok_or_else(|| format!("template.yaml: {value:?} is not a list").into())
}

/// Parses a string or a list of strings.
fn texts(value: &Value) -> Result<Vec<String>, Error> {
    value.as_array().map_or_else(|| Ok(vec![text(value)?]), |values| values.iter().map(text).collect())
}

fn text(value: &Value) -> Result<String, Error> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("template.yaml: {value:?} is not a string").into())
}

/// Returns the name of a function from its logical ID: `opt-outs` from `OptOutsFunction`.
fn function_name(id: &str) -> String {
    let mut name = String::new();
    for (index, letter) in id.strip_suffix("Function").unwrap_or(id).char_indices() {
        if letter.is_ascii_uppercase() && index > 0 {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}
