//! What `template.yaml` says of routes, schedules, functions and their rights, the table and its indexes.

use std::collections::HashMap;

use serde_yaml_ng::{Mapping, Value};

use crate::Error;

/// The template, as it is in the repository.
const SOURCE: &str = include_str!("../../../template.yaml");

/// The parts of the template that the local stack and its tests follow.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The routes of the HTTP API.
    pub routes: Vec<Route>,
    /// What web pages of other origins may do, once their origin is allowed.
    pub cors: Cors,
    /// The schedules.
    pub schedules: Vec<Schedule>,
    /// The functions that the table's stream is brought to.
    pub streams: Vec<Stream>,
    /// What the table's stream has of an item, such as `KEYS_ONLY`.
    pub stream_view: String,
    /// The functions.
    pub functions: Vec<Function>,
    /// The table's own key.
    pub key: Vec<Key>,
    /// The types of all key attributes: name and `S` or `N`.
    pub attributes: Vec<(String, String)>,
    /// The global secondary indexes.
    pub indexes: Vec<Index>,
}

/// A route, and the function that it leads to.
#[derive(Clone, Debug)]
pub struct Route {
    /// `ANY`, or one method.
    pub method: String,
    /// The path, perhaps with `{proxy+}` at its end; `$default` for everything else.
    pub path: String,
    /// Whether the authorizer is not asked.
    pub public: bool,
    /// The function's name.
    pub function: String,
}

/// What the gateway tells web pages of other origins.
#[derive(Clone, Debug, Default)]
pub struct Cors {
    /// Methods that they may use.
    pub methods: Vec<String>,
    /// Headers that they may send.
    pub headers: Vec<String>,
    /// Headers that they may read.
    pub exposed: Vec<String>,
    /// For how many seconds they may remember this.
    pub max_age: u64,
}

/// A function, and what it may do.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name: that of its resource group.
    pub name: String,
    /// Its binary, which several may share.
    pub binary: String,
    /// The binary's folder.
    pub folder: String,
    /// Its rights.
    pub policy: Vec<Statement>,
}

/// Something that a function may do.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Such as `dynamodb:GetItem`.
    pub actions: Vec<String>,
    /// Such as `Table.Arn`, as the template writes them.
    pub resources: Vec<String>,
    /// Patterns of the partition keys that it may do it to; all, where there are none.
    pub keys: Vec<String>,
}

impl Function {
    /// Whether the function may do this to a resource, and there to an item with this partition key.
    pub fn may(&self, action: &str, resource: &str, key: &str) -> bool {
        self.policy.iter().any(|statement| {
            let fits =
                |pattern: &String| pattern.strip_suffix('*').map_or(pattern == key, |start| key.starts_with(start));
            statement.actions.iter().any(|allowed| allowed == action)
                && statement.resources.iter().any(|allowed| allowed == resource)
                && (statement.keys.is_empty() || statement.keys.iter().any(fits))
        })
    }
}

/// A schedule, and the function that it calls.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Such as `rate(1 minute)`.
    pub expression: String,
    /// The function's name.
    pub function: String,
}

/// A function that the table's stream is brought to.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The function's name.
    pub function: String,
    /// At most so many changes in one call.
    pub batch: usize,
    /// Whether a batch has the identifier of its shard, as it does with a tumbling window.
    pub windowed: bool,
    /// The patterns, as Lambda has them: a change is brought if it fits one of them.
    pub patterns: Vec<serde_json::Value>,
}

/// A part of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The attribute.
    pub attribute: String,
    /// `HASH` or `RANGE`.
    pub kind: String,
}

/// A global secondary index.
#[derive(Clone, Debug)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Its key.
    pub key: Vec<Key>,
    /// What it repeats of an item.
    pub projection: String,
}

impl Template {
    /// Reads the template.
    ///
    /// # Errors
    /// Says what is not as the local stack knows it.
    pub fn read() -> Result<Self, Error> {
        let source: Value = serde_yaml_ng::from_str(SOURCE)?;
        let resources = source["Resources"].as_mapping().ok_or("template.yaml has no resources")?;
        let mut template = Self::default();
        let policies = managed_policies(resources)?;
        let attached = attached_policies(resources)?;
        for (name, resource) in resources {
            let properties = &resource["Properties"];
            match text(&resource["Type"])?.as_str() {
                "AWS::Serverless::HttpApi" => template.cors = cors(&properties["CorsConfiguration"])?,
                "AWS::Serverless::Function" => {
                    let mut function = function(&text(name)?, resource, &policies)?;
                    let role = format!("{}Role", text(name)?);
                    function
                        .policy
                        .extend(attached.iter().filter(|(to, _)| *to == role).map(|(_, policy)| policy.clone()));
                    for event in properties["Events"].as_mapping().into_iter().flat_map(Mapping::values) {
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
                let pattern = |filter: &Value| Ok(serde_json::from_str(&text(&filter["Pattern"])?)?);
                let patterns = patterns.iter().map(pattern).collect::<Result<_, Error>>()?;
                let batch = properties["BatchSize"].as_u64().ok_or("template.yaml: no BatchSize")?.try_into()?;
                let windowed = properties["TumblingWindowInSeconds"].as_u64().is_some();
                self.streams.push(Stream { function, batch, windowed, patterns });
            }
            other => return Err(format!("the local stack has no events of type {other}").into()),
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

fn cors(of: &Value) -> Result<Cors, Error> {
    Ok(Cors {
        methods: texts(&of["AllowMethods"])?,
        headers: texts(&of["AllowHeaders"])?,
        exposed: texts(&of["ExposeHeaders"])?,
        max_age: of["MaxAge"].as_u64().ok_or("template.yaml: no MaxAge")?,
    })
}

/// The policies that functions share, by name.
fn managed_policies(resources: &Mapping) -> Result<HashMap<String, Vec<Statement>>, Error> {
    let managed = resources.iter().filter(|(_, resource)| resource["Type"] == "AWS::IAM::ManagedPolicy");
    let policy =
        |(name, resource): (&Value, &Value)| Ok((text(name)?, statements(&resource["Properties"]["PolicyDocument"])?));
    managed.map(policy).collect()
}

/// The statements of the policies that name the roles that they are for.
fn attached_policies(resources: &Mapping) -> Result<Vec<(String, Statement)>, Error> {
    let mut attached = Vec::new();
    for policy in resources.values().filter(|resource| resource["Type"] == "AWS::IAM::ManagedPolicy") {
        for role in policy["Properties"]["Roles"].as_sequence().into_iter().flatten() {
            let role = text(role)?;
            attached
                .extend(statements(&policy["Properties"]["PolicyDocument"])?.into_iter().map(|of| (role.clone(), of)));
        }
    }
    Ok(attached)
}

fn function(id: &str, resource: &Value, managed: &HashMap<String, Vec<Statement>>) -> Result<Function, Error> {
    let (build, properties) = (&resource["Metadata"]["BuildProperties"], &resource["Properties"]);
    let mut policy = Vec::new();
    for given in properties["Policies"].as_sequence().into_iter().flatten() {
        policy.extend(match given {
            Value::Tagged(_) => {
                let name = text(given)?;
                managed.get(&name).cloned().ok_or_else(|| format!("template.yaml: there is no policy {name}"))?
            }
            own => statements(own)?,
        });
    }
    Ok(Function {
        name: id.strip_suffix("Function").unwrap_or(id).to_ascii_lowercase(),
        binary: text(&build["Binary"])?,
        folder: text(&properties["CodeUri"])?,
        policy,
    })
}

fn statements(policy: &Value) -> Result<Vec<Statement>, Error> {
    list(&policy["Statement"])?.iter().map(statement).collect()
}

fn statement(of: &Value) -> Result<Statement, Error> {
    if of["Effect"] != "Allow" {
        return Err("template.yaml: the local stack knows no statement but Allow".into());
    }
    let condition = of["Condition"].as_mapping().into_iter().flat_map(Mapping::keys).filter_map(Value::as_str);
    // The second is the prefix of lists, which the bucket checks itself.
    if condition.into_iter().any(|condition| !["ForAllValues:StringLike", "StringEqualsIfExists"].contains(&condition))
    {
        return Err("template.yaml: a condition that the local stack does not know".into());
    }
    let keys = &of["Condition"]["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
    Ok(Statement {
        actions: texts(&of["Action"])?,
        resources: texts(&of["Resource"])?,
        keys: if keys.is_null() { Vec::new() } else { texts(keys)? },
    })
}

fn keys(of: &Value) -> Result<Vec<Key>, Error> {
    let key = |key: &Value| Ok(Key { attribute: text(&key["AttributeName"])?, kind: text(&key["KeyType"])? });
    list(&of["KeySchema"])?.iter().map(key).collect()
}

fn list(value: &Value) -> Result<&Vec<Value>, Error> {
    value.as_sequence().ok_or_else(|| format!("template.yaml: {value:?} is no list").into())
}

/// One text, or a list of them.
fn texts(value: &Value) -> Result<Vec<String>, Error> {
    value.as_sequence().map_or_else(|| Ok(vec![text(value)?]), |values| values.iter().map(text).collect())
}

/// A text, also where the template has a function of it.
fn text(value: &Value) -> Result<String, Error> {
    let value = if let Value::Tagged(tagged) = value { &tagged.value } else { value };
    value.as_str().map(str::to_owned).ok_or_else(|| format!("template.yaml: {value:?} is no text").into())
}
