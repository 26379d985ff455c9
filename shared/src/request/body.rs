//! Parsing of a body into the draft of a record. One pass finds all violations.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::{Map, Value as Json};

use super::draft::{Draft, Image};
use super::payload::Payload;
use super::{image, json};
use crate::error::{Error, InvalidValue, Result, Rule, Violation, pointer_to};
use crate::resources::{self, Child, Member};
use crate::schema::scalar::{Kind, image_bytes};
use crate::schema::{Bulk, Embedded, Field, Input, Key, OnParent, Record, Resource, Value, Values};

const ASSIGNED: &str = "Not settable. The service assigns this field.";
const FIXED: &str = "Not settable. This field cannot be changed.";
const APART: &str = "Not settable. Store this record under its own identifier.";
const IMAGE: &str = "Send the image in base64, as a data: URL, or as the file part of a form.";

/// An invalid body, as far as it could be parsed.
#[derive(Debug)]
pub struct InvalidBody {
    /// The drafts that could be parsed. Their references may be invalid as well.
    pub drafts: Vec<Draft>,
    /// True if the body is a list.
    pub listed: bool,
    /// The violations.
    pub violations: Vec<Violation>,
}

/// Parses a body that creates one record. The path decides the field `bound`.
///
/// # Errors
/// 413 if an image is too large.
pub fn to_create(
    resource: &'static Resource,
    payload: Payload,
    bound: Option<&'static str>,
) -> Result<Result<Draft, InvalidBody>> {
    let mut reader = Reader { file: payload.file, ..Reader::new(&payload.text, None) };
    let draft = reader.draft(resource, payload.json, "", bound);
    reader.finish(draft)
}

/// Parses a complete record to store under this key. Unlike the body of a POST, it may have the fields that the service
/// would assign, and reserved values. It may not embed other records.
///
/// # Errors
/// 413 if an image is too large.
pub fn to_import(key: Key, payload: Payload) -> Result<Result<Draft, InvalidBody>> {
    let reader = Reader::new(&payload.text, None);
    let mut reader = Reader { file: payload.file, importing: Some(key), is_trusted: true, ..reader };
    let draft = reader.draft(key.resource, payload.json, "", None);
    reader.finish(draft)
}

/// Parses a test record, which is not stored. `member` is the pointer to it in the body.
///
/// # Errors
/// 413 if an image is too large.
pub fn to_test(resource: &'static Resource, payload: Payload, member: &str) -> Result<Result<Draft, InvalidBody>> {
    let mut reader = Reader { member, is_trusted: true, ..Reader::new(&payload.text, None) };
    let draft = reader.draft(resource, payload.json, "", None);
    reader.finish(draft)
}

/// Parses a body that creates a list of records. The path decides the field `bound`.
///
/// # Errors
/// 413 if an image is too large.
pub fn to_create_many(
    resource: &'static Resource,
    payload: Payload,
    bound: Option<&'static str>,
) -> Result<Result<Vec<Draft>, InvalidBody>> {
    let mut reader = Reader::new(&payload.text, None);
    let drafts = reader.drafts(resource, payload.json, "", bound);
    reader.finish_list(drafts)
}

/// Parses a body that changes a record. The field `bound`, which the path decides, keeps its value.
///
/// # Errors
/// 413 if an image is too large.
pub fn to_change(record: &Record, payload: Payload, bound: Option<&'static str>) -> Result<Result<Draft, InvalidBody>> {
    let mut reader = Reader { file: payload.file, ..Reader::new(&payload.text, Some(record)) };
    let draft = reader.draft(record.key.resource, payload.json, "", bound);
    reader.finish(draft)
}

struct Reader<'a> {
    /// The body as sent.
    text: &'a [u8],
    /// The pointer to the record in the body.
    member: &'a str,
    file: Option<Bytes>,
    changing: Option<&'a Record>,
    /// The key of the record that is imported.
    importing: Option<Key>,
    /// True if reserved values are allowed.
    is_trusted: bool,
    violations: Vec<Violation>,
    too_large: bool,
}

/// The position of a value in the body, and the context of its record.
struct Context<'a> {
    variant: Option<&'a str>,
    bound: Option<&'a str>,
    /// The JSON Pointer to the record.
    at: &'a str,
    /// The JSON Pointer to the value.
    pointer: String,
}

/// A member that accepts a whole record in place of a reference.
struct Whole {
    resource: &'static Resource,
    by: &'static str,
    embedded: &'static Embedded,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8], changing: Option<&'a Record>) -> Self {
        let violations = Vec::new();
        let (file, importing) = (None, None);
        Self { text, member: "", file, changing, importing, is_trusted: false, violations, too_large: false }
    }

    fn finish(self, draft: Option<Draft>) -> Result<Result<Draft, InvalidBody>> {
        self.check_size()?;
        Ok(match draft {
            Some(draft) if self.violations.is_empty() => Ok(draft),
            draft => {
                Err(InvalidBody { drafts: draft.into_iter().collect(), listed: false, violations: self.violations })
            }
        })
    }

    fn finish_list(self, drafts: Vec<Draft>) -> Result<Result<Vec<Draft>, InvalidBody>> {
        self.check_size()?;
        let broken = !self.violations.is_empty();
        Ok(if broken { Err(InvalidBody { drafts, listed: true, violations: self.violations }) } else { Ok(drafts) })
    }

    fn check_size(&self) -> Result<()> {
        if self.too_large {
            return Err(Error::payload_too_large(format!(
                "The image is too large. Send at most {} bytes.",
                image::MAX_BYTES
            )));
        }
        Ok(())
    }

    fn report(&mut self, pointer: impl Into<String>, rule: Rule, detail: impl Into<String>) {
        self.violations.push(Violation::at(pointer, rule.violation(detail)));
    }

    fn draft(&mut self, resource: &'static Resource, json: Json, at: &str, bound: Option<&str>) -> Option<Draft> {
        let Json::Object(mut object) = json else {
            self.report(
                at,
                Rule::WrongType,
                format!("Must be an object with the fields of one of the {}.", resource.name),
            );
            return None;
        };
        let is_hidden = |name: &str| resource.field(name).is_none_or(|field| field.hidden);
        object.retain(|name, _| Some(name.as_str()) != bound || is_hidden(name));
        let variant = self.variant(resource, &object);
        let mut draft = Draft::new(resource);
        for member in resources::members(resource) {
            let pointer = format!("{at}/{}", member.name());
            let context = Context { variant: variant.as_deref(), bound, at, pointer };
            match member {
                Member::Field(field) if field.hidden => {}
                Member::Field(field) => {
                    let file = field.is_image().then(|| self.file.take()).flatten();
                    self.field(&mut draft, field, (object.shift_remove(field.name), file), &context);
                }
                Member::Parent(relation, embedded) => {
                    let whole = Whole { resource: relation.to, by: relation.by.name, embedded };
                    self.whole(&mut draft, &whole, object.shift_remove(embedded.field), &context);
                }
                Member::OnParent(child, embedded) => {
                    self.embedded_children(&mut draft, *child, embedded, object.shift_remove(embedded.field), &context);
                }
            }
        }
        for name in object.keys() {
            let detail = format!("Unknown field. There is no such field in {}.", resource.name);
            self.report(pointer_to(at, name), Rule::UnknownField, detail);
        }
        self.rules(&draft, at);
        Some(draft)
    }

    /// Checks the rules that span several fields, as far as the body determines them.
    fn rules(&mut self, draft: &Draft, at: &str) {
        let mut values = self.changing.map_or_else(Values::default, |record| Values::clone(record));
        for (field, value) in &draft.values {
            values.put(field, value.clone());
        }
        if let Some((field, detail)) = (draft.resource.rules)(&values) {
            self.report(format!("{at}/{field}"), Rule::Inconsistent, detail);
        }
    }

    /// Returns the variant, which determines the fields of the record.
    fn variant(&self, resource: &'static Resource, object: &Map<String, Json>) -> Option<String> {
        match self.changing {
            Some(record) => record.variant().map(str::to_owned),
            None => object.get(resource.variant?)?.as_str().map(str::to_owned),
        }
    }

    fn drafts(&mut self, resource: &'static Resource, json: Json, at: &str, bound: Option<&str>) -> Vec<Draft> {
        let Json::Array(elements) = json else {
            self.report(at, Rule::WrongType, format!("Must be a list of {}.", resource.name));
            return Vec::new();
        };
        let Bulk { most, most_parents } = resource.bulk.as_ref().unwrap_or(&Bulk { most: 0, most_parents: 0 });
        if elements.len() > *most {
            self.report(at, Rule::TooMany, format!("Must have at most {most} {}.", resource.name));
        }
        // Report violations of the elements as well, but of a limited number of elements.
        let elements = elements.into_iter().take(2 * most).enumerate();
        let drafts: Vec<_> = elements
            .filter_map(|(position, json)| self.draft(resource, json, &format!("{at}/{position}"), bound))
            .collect();
        if let Some(relation) = &resource.belongs_to {
            let parents: BTreeSet<_> = drafts.iter().filter_map(|draft| draft.get(relation.by)).collect();
            if parents.len() > *most_parents {
                let (children, parents) = (resource.name, relation.to.name);
                self.report(at, Rule::TooMany, format!("Must have {children} of at most {most_parents} {parents}."));
            }
        }
        drafts
    }

    /// Parses a plain value or an image.
    fn field(
        &mut self,
        draft: &mut Draft,
        field: &'static Field,
        (json, file): (Option<Json>, Option<Bytes>),
        context: &Context<'_>,
    ) {
        let is_null = file.is_none() && json.as_ref().is_none_or(Json::is_null);
        let Some(input) = field.input_for(context.variant) else {
            if !is_null {
                self.of_another_variant(draft.resource, context);
            }
            return;
        };
        let is_required = matches!(input, Input::Required);
        if file.is_none() && json.is_none() {
            return self.left_out(draft.resource, field, is_required, context);
        }
        match (input, self.changing) {
            (Input::Never, _) if self.importing.is_none() => self.report(&context.pointer, Rule::NotSettable, ASSIGNED),
            (_, Some(_)) if !field.changeable => self.report(&context.pointer, Rule::NotSettable, FIXED),
            (_, None) if is_null => self.left_out(draft.resource, field, is_required, context),
            (_, Some(_)) if is_null && is_required => {
                self.report(&context.pointer, Rule::Required, "Cannot be null. Send a value, or leave the field out.");
            }
            (_, Some(_)) if is_null => drop(draft.values.insert(field.name, default_of(field))),
            _ if field.is_image() => draft.image = self.image(json, file, &context.pointer),
            _ => match self.value(field, json.unwrap_or_default(), &context.pointer) {
                Ok(value) if self.importing.is_some_and(|key| is_another_id(key, field, &value)) => {
                    let detail = "Must be the identifier in the path. Leave it out, or repeat that one.";
                    self.report(&context.pointer, Rule::Inconsistent, detail);
                }
                Ok(value) => drop(draft.values.insert(field.name, Some(value))),
                Err(invalid) => self.violations.push(Violation::at(&context.pointer, invalid)),
            },
        }
    }

    /// Parses the value of a field. An object keeps its text.
    fn value(&self, field: &Field, json: Json, pointer: &str) -> Result<Value, InvalidValue> {
        let exact = match json {
            Json::Object(_) if field.codec.kind == Kind::Object => {
                json::text_at(self.text, &format!("{}{pointer}", self.member))
            }
            _ => None,
        };
        let value = match exact {
            Some(text) => (field.codec.from_text)(text)?,
            None => (field.codec.from_json)(json)?,
        };
        match (field.reserved, &value) {
            (Some(beginning), Value::Text(text)) if text.starts_with(beginning) && !self.is_trusted => {
                Err(Rule::Reserved
                    .violation(format!("Must not begin with {beginning}, which is reserved for the service.")))
            }
            _ => Ok(value),
        }
    }

    fn of_another_variant(&mut self, resource: &Resource, context: &Context<'_>) {
        let words = resource.variant.and_then(|name| resource.field(name)).map_or(&[][..], |field| field.codec.words);
        // An unknown variant has been reported already, and its fields are unknown.
        if let Some(variant) = context.variant.filter(|variant| words.contains(variant)) {
            let detail = format!("Unknown field. There is no such field in {} of type {variant}.", resource.name);
            self.report(&context.pointer, Rule::UnknownField, detail);
        }
    }

    /// Reports a missing field if a new record requires it and no other member can provide it.
    fn left_out(&mut self, resource: &Resource, field: &Field, is_required: bool, context: &Context<'_>) {
        if self.changing.is_some() || !is_required || Some(field.name) == context.bound {
            return;
        }
        let instead = |member: &Member| match member {
            Member::Parent(relation, embedded) => embedded.given && relation.by.name == field.name,
            Member::Field(_) | Member::OnParent(..) => false,
        };
        if !resources::members(resource).iter().any(instead) {
            self.report(&context.pointer, Rule::Required, "Required.");
        }
    }

    /// Parses a whole record in place of a reference to it.
    fn whole(&mut self, draft: &mut Draft, whole: &Whole, json: Option<Json>, context: &Context<'_>) {
        let Whole { resource, by, embedded } = whole;
        let Some(json) = self.given(embedded, json, context) else {
            return self.neither(draft, whole, context);
        };
        if Some(*by) == context.bound {
            let detail = format!("The path decides the {}. Leave this field out.", resource.singular);
            self.report(&context.pointer, Rule::MutuallyExclusive, detail);
        } else if draft.values.remove(by).flatten().is_some() {
            let detail = format!("Send either {by} or {}, not both.", embedded.field);
            self.report(&context.pointer, Rule::MutuallyExclusive, detail);
            // Report the violations of the record as well.
            drop(self.draft(resource, json, &context.pointer, None));
        } else {
            let part = self.draft(resource, json, &context.pointer, None);
            draft.parts.insert(embedded.field, part.into_iter().collect());
        }
    }

    /// Reports a required parent if the body gives neither the record nor a reference to it.
    fn neither(&mut self, draft: &Draft, whole: &Whole, context: &Context<'_>) {
        let Whole { by, embedded, .. } = whole;
        let is_required = draft.resource.field(by).is_some_and(|field| matches!(field.input, Input::Required));
        let pointer = format!("{}/{by}", context.at);
        let is_judged = self.violations.iter().any(|violation| violation.is_at(&pointer));
        let has_reference = Some(*by) == context.bound || draft.values.contains_key(by);
        if embedded.given && self.changing.is_none() && is_required && !is_judged && !has_reference {
            let or_whole = format!("Required. Send {by}, or {} as an object.", embedded.field);
            self.report(pointer, Rule::Required, if self.importing.is_some() { "Required." } else { &or_whole });
        }
    }

    /// Parses the embedded children of the record.
    fn embedded_children(
        &mut self,
        draft: &mut Draft,
        child: Child,
        embedded: &'static Embedded,
        json: Option<Json>,
        context: &Context<'_>,
    ) {
        match child.relation.on_parent {
            OnParent::One { slot, .. } => {
                self.whole(draft, &Whole { resource: child.resource, by: slot, embedded }, json, context);
            }
            OnParent::Many { .. } => {
                if let Some(json) = self.given(embedded, json, context) {
                    let parts = self.drafts(child.resource, json, &context.pointer, Some(child.relation.by.name));
                    draft.parts.insert(embedded.field, parts);
                }
            }
            OnParent::Sum { .. } | OnParent::Nothing => drop(self.given(embedded, json, context)),
        }
    }

    /// Returns the JSON of an embedded record, unless it is null. Reports it if the body may not give it.
    fn given(&mut self, embedded: &Embedded, json: Option<Json>, context: &Context<'_>) -> Option<Json> {
        let json = json?;
        match self.changing {
            _ if !embedded.given => self.report(&context.pointer, Rule::NotSettable, ASSIGNED),
            Some(_) => self.report(&context.pointer, Rule::NotSettable, FIXED),
            None if self.importing.is_some() && !json.is_null() => {
                self.report(&context.pointer, Rule::NotSettable, APART);
            }
            None => return Some(json).filter(|json| !json.is_null()),
        }
        None
    }

    fn image(&mut self, json: Option<Json>, file: Option<Bytes>, pointer: &str) -> Option<Image> {
        let bytes = match (file, json) {
            (Some(file), _) => Some(file),
            (None, Some(Json::String(text))) => image_bytes(&text).map(Bytes::from),
            (None, _) => {
                self.report(pointer, Rule::WrongType, IMAGE);
                return None;
            }
        };
        let Some(bytes) = bytes else {
            self.report(pointer, Rule::NotAnImage, IMAGE);
            return None;
        };
        if bytes.len() > image::MAX_BYTES {
            self.too_large = true;
            return None;
        }
        image::inspect(&bytes)
            .map(|format| Image { bytes, format })
            .map_err(|detail| self.report(pointer, Rule::NotAnImage, detail))
            .ok()
    }
}

fn default_of(field: &Field) -> Option<Value> {
    match field.input {
        Input::Default(preset) => Some(preset.into()),
        _ => None,
    }
}

/// Returns true if the value is an identifier for the record itself, and not that of the key.
fn is_another_id(key: Key, field: &Field, value: &Value) -> bool {
    field.name == key.resource.id.name && *value != Value::Id(key.id)
}
