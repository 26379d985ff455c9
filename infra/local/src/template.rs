//! What `template.yaml` says of routes, schedules, the table and its indexes.

use serde_yaml_ng::Value;

use crate::Error;

/// The template, as it is in the repository.
const SOURCE: &str = include_str!("../../../template.yaml");

/// The parts of the template that the local stack follows.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The routes of the HTTP API.
    pub routes: Vec<Route>,
    /// The schedules.
    pub schedules: Vec<Schedule>,
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
    /// The function's binary.
    pub function: String,
}

/// A schedule, and the function that it calls.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Such as `rate(1 minute)`.
    pub expression: String,
    /// The function's binary.
    pub function: String,
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
        for resource in resources.values() {
            let properties = &resource["Properties"];
            match text(&resource["Type"])?.as_str() {
                "AWS::Serverless::Function" => {
                    let function = text(&resource["Metadata"]["BuildProperties"]["Binary"])?;
                    for event in properties["Events"].as_mapping().into_iter().flat_map(serde_yaml_ng::Mapping::values)
                    {
                        template.add_event(&function, event)?;
                    }
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
                self.routes.push(Route { method, path, function });
            }
            "Schedule" => self.schedules.push(Schedule { expression: text(&properties["Schedule"])?, function }),
            other => return Err(format!("the local stack has no events of type {other}").into()),
        }
        Ok(())
    }

    fn add_table(&mut self, properties: &Value) -> Result<(), Error> {
        self.key = keys(properties)?;
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

fn keys(of: &Value) -> Result<Vec<Key>, Error> {
    let key = |key: &Value| Ok(Key { attribute: text(&key["AttributeName"])?, kind: text(&key["KeyType"])? });
    list(&of["KeySchema"])?.iter().map(key).collect()
}

fn list(value: &Value) -> Result<&Vec<Value>, Error> {
    value.as_sequence().ok_or_else(|| format!("template.yaml: {value:?} is no list").into())
}

fn text(value: &Value) -> Result<String, Error> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("template.yaml: {value:?} is no text").into())
}
