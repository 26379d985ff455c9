//! The parser of records in bodies.
//!
//! It iterates over the members of the resource, not over those of the body, to also find missing members.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::{Map, Value as Json};

use super::InvalidBody;
use crate::error::{Error, InvalidValue, Result, Violation, ViolationCode, pointer_to, suggestion};
use crate::request::draft::{Draft, SentImage};
use crate::request::payload::{Payload, Shape};
use crate::request::{image, json};
use crate::resources::{self, Child, LinkTarget, Member};
use crate::schema::scalar::{Kind, image_bytes};
use crate::schema::{
    Bulk, Contradiction, Embedded, Field, Input, Key, ParentData, Record, Reserved, Resource, Value, Values,
};

const ASSIGNED: &str = "Not settable. The service assigns this field.";
const FIXED: &str = "Not settable. This field cannot be changed.";

/// Detail for a change of a redacted field in an anonymized record.
pub const ANONYMIZED: &str = "Not settable. The record is anonymized.";
const REQUIRED: &str = "Required.";
/// Detail for a field that is missing in the body of a PUT.
const REQUIRED_IN_PUT: &str = "Required. PUT stores a complete record. To change some of its fields, use PATCH.";
/// Number of violations after which an unknown field is reported without a list of those that exist.
const MAX_LISTS: usize = 20;
const NOT_JSON: &str = "The part of the form is not JSON.";
const STORED_SEPARATELY: &str = "Not settable. Store this record under its own identifier.";
const OTHER_ID: &str = "Must be the identifier in the path. Omit the field, or send the same identifier.";
const NULL: &str = "Cannot be null. Send a value, or leave the field out.";
const IMAGE: &str = "Send the image in base64, as a data: URL, or as the file part of a form.";

/// The purpose of a body, which determines the fields that it may have.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// Create records.
    Create,
    /// Create a record with this key, which may have assigned and reserved values.
    Import(Key),
    /// Render a record without storing it. It may have reserved values. `pointer` is its location in the body.
    Test { pointer: &'a str },
    /// Change this record.
    Change(&'a Record),
}

/// A parser of one body, with the violations found so far.
pub(super) struct Parser<'a> {
    /// Body as sent.
    text: Bytes,
    file: Option<Bytes>,
    purpose: Purpose<'a>,
    violations: Vec<Violation>,
    is_too_large: bool,
}

/// A member of the body, and the context of its record.
struct Context<'a> {
    variant: Option<&'a str>,
    bound_field: Option<&'a str>,
    record_pointer: &'a str,
    /// Name of the member.
    name: &'static str,
}

impl Context<'_> {
    fn pointer(&self) -> String {
        format!("{}/{}", self.record_pointer, self.name)
    }
}

/// A member that accepts a record in place of the reference in the field `by`.
struct Replacement {
    resource: &'static Resource,
    by: &'static str,
    embedded: &'static Embedded,
}

impl<'a> Parser<'a> {
    /// Parses one record.
    pub(super) fn record(
        purpose: Purpose<'a>,
        resource: &'static Resource,
        payload: Payload,
        bound_field: Option<&str>,
    ) -> Result<Result<Draft, InvalidBody>> {
        let mut parser = Self::new(purpose, payload.text, payload.file);
        let draft = parser.parse_record(resource, payload.json, "", bound_field);
        let drafts = parser.finish(draft.into_iter().collect(), Shape::Record)?;
        // Without violations, there is exactly one record.
        Ok(drafts.map(|mut drafts| drafts.remove(0)))
    }

    /// Parses a list of records.
    pub(super) fn list(
        purpose: Purpose<'a>,
        resource: &'static Resource,
        payload: Payload,
        bound_field: Option<&str>,
    ) -> Result<Result<Vec<Draft>, InvalidBody>> {
        let mut parser = Self::new(purpose, payload.text, None);
        let drafts = parser.parse_list(resource, payload.json, "", bound_field);
        parser.finish(drafts, Shape::List)
    }

    fn new(purpose: Purpose<'a>, text: Bytes, file: Option<Bytes>) -> Self {
        Self { text, file, purpose, violations: Vec::new(), is_too_large: false }
    }

    fn finish(self, drafts: Vec<Draft>, shape: Shape) -> Result<Result<Vec<Draft>, InvalidBody>> {
        if self.is_too_large {
            let detail = format!("The image is too large. Send at most {} bytes.", image::MAX_BYTES);
            return Err(Error::payload_too_large(detail));
        }
        let is_import = matches!(self.purpose, Purpose::Import(_));
        let violations = self.violations;
        Ok(if violations.is_empty() { Ok(drafts) } else { Err(InvalidBody { drafts, shape, is_import, violations }) })
    }

    fn report(&mut self, pointer: impl Into<String>, code: ViolationCode, detail: impl Into<String>) {
        self.violations.push(Violation::at_pointer(pointer, code.invalid_value(detail)));
    }

    /// Parses the members of the resource, then reports unknown ones.
    fn parse_record(
        &mut self,
        resource: &'static Resource,
        json: Json,
        record_pointer: &str,
        bound_field: Option<&str>,
    ) -> Option<Draft> {
        let Json::Object(mut object) = json else {
            let detail = format!("Must be an object with the fields of one of the {}.", resource.name);
            self.report(record_pointer, ViolationCode::WrongType, detail);
            return None;
        };
        let is_hidden = |name: &str| resource.field(name).is_none_or(|field| field.hidden);
        object.retain(|name, _| Some(name.as_str()) != bound_field || is_hidden(name));
        let variant = self.variant(resource, &object);
        let mut draft = Draft::new(resource);
        for member in resources::members(resource) {
            let context = Context { variant: variant.as_deref(), bound_field, record_pointer, name: member.name() };
            match member {
                Member::Field(field) if field.hidden => {}
                Member::Field(field) => {
                    let file = field.is_image().then(|| self.file.take()).flatten();
                    self.parse_field(&mut draft, field, (object.shift_remove(field.name), file), &context);
                }
                Member::Parent(relation, embedded) => {
                    let replacement =
                        Replacement { resource: relation.parent, by: relation.foreign_key.name, embedded };
                    self.apply_replacement(&mut draft, &replacement, object.shift_remove(embedded.field), &context);
                }
                Member::OnParent(child, embedded) => {
                    self.parse_children(&mut draft, *child, embedded, object.shift_remove(embedded.field), &context);
                }
            }
        }
        let names = resources::members(resource).iter().filter(|member| self.may_have(member));
        let names: Vec<_> = names.map(Member::name).collect();
        for (index, name) in object.keys().enumerate() {
            let mut hint = suggestion(name, names.iter().copied(), self.violations.len());
            if hint.is_empty() && index == 0 && self.violations.len() < MAX_LISTS {
                hint = format!(" The fields are {}.", names.join(", "));
            }
            let detail = format!("Unknown field in {}.{hint}", resource.name);
            self.report(pointer_to(record_pointer, name), ViolationCode::UnknownField, detail);
        }
        self.check_rules(&draft, record_pointer);
        Some(draft)
    }

    /// Returns true if the body may have a member.
    fn may_have(&self, member: &Member) -> bool {
        let imports = matches!(self.purpose, Purpose::Import(_));
        let changes = matches!(self.purpose, Purpose::Change(_));
        match member {
            Member::Field(field) if field.hidden => false,
            Member::Field(field) if changes => field.changeable,
            Member::Field(field) => imports || !field.input.is_assigned(),
            Member::Parent(_, embedded) | Member::OnParent(_, embedded) => embedded.settable && !imports && !changes,
        }
    }

    /// Reports fields that contradict each other, as far as the body determines them.
    fn check_rules(&mut self, draft: &Draft, record_pointer: &str) {
        let mut values = match self.purpose {
            Purpose::Change(record) => Values::clone(record),
            _ => Values::default(),
        };
        for (field, value) in &draft.values {
            values.put(field, value.clone());
        }
        self.check_status(draft, record_pointer);
        for Contradiction { fields, invalid } in draft.resource.contradictions(&values) {
            // The value of an invalid field is missing here, so its contradiction may not be real.
            let pointer = |field: &&str| format!("{record_pointer}/{field}");
            let is_reported = |field: &&str| self.violations.iter().any(|violation| violation.is_at(&pointer(field)));
            if !fields.iter().any(is_reported) {
                let first = fields.first().map(pointer).unwrap_or_default();
                self.violations.push(Violation::at_pointer(first, invalid));
            }
        }
    }

    /// Checks that an imported record in its initial status has none of the fields that only a transition sets.
    fn check_status(&mut self, draft: &Draft, record_pointer: &str) {
        let (Purpose::Import(_), Some(status)) = (self.purpose, &draft.resource.status) else { return };
        let is_initial =
            matches!(draft.values.get(status.field), Some(Some(Value::Text(text))) if text == status.initial);
        if !is_initial {
            return;
        }
        for field in status.fields_of_transition() {
            if draft.values.get(field).is_some_and(Option::is_some) {
                let detail = format!("Must be null while the {} is {}.", status.field, status.initial);
                self.report(format!("{record_pointer}/{field}"), ViolationCode::Inconsistent, detail);
            }
        }
    }

    /// Finds the variant, which determines the fields of the record.
    fn variant(&self, resource: &'static Resource, object: &Map<String, Json>) -> Option<String> {
        match self.purpose {
            Purpose::Change(record) => record.variant().map(str::to_owned),
            _ => object.get(resource.variant?)?.as_str().map(str::to_owned),
        }
    }

    fn parse_list(
        &mut self,
        resource: &'static Resource,
        json: Json,
        pointer: &str,
        bound_field: Option<&str>,
    ) -> Vec<Draft> {
        let Json::Array(elements) = json else {
            // The text is empty only for a form. A string here means that the part is not JSON.
            let is_part = self.text.is_empty() && json.is_string();
            let problem = if is_part { NOT_JSON } else { "Must be a list." };
            self.report(
                pointer,
                ViolationCode::WrongType,
                format!("{problem} Send a list of {} in JSON.", resource.name),
            );
            return Vec::new();
        };
        let Bulk { max, max_parents } = resource.limits.bulk.as_ref().unwrap_or(&Bulk { max: 0, max_parents: 0 });
        if elements.len() > *max {
            self.report(pointer, ViolationCode::TooMany, format!("Must have at most {max} {}.", resource.name));
        }
        // Also report violations of the elements, but only of a limited number.
        let elements = elements.into_iter().take(2 * max).enumerate();
        let mut draft = |index, json| self.parse_record(resource, json, &format!("{pointer}/{index}"), bound_field);
        // An element that is not a record keeps its place. Pointers count the elements.
        let drafts = elements.map(|(index, json)| draft(index, json).unwrap_or_else(|| Draft::new(resource)));
        let drafts: Vec<_> = drafts.collect();
        if let Some(relation) = &resource.belongs_to {
            let parents: BTreeSet<_> = drafts.iter().filter_map(|draft| draft.get(relation.foreign_key)).collect();
            if parents.len() > *max_parents {
                let (children, parents) = (resource.name, relation.parent.name);
                let detail = format!("Must have {children} of at most {max_parents} {parents}.");
                self.report(pointer, ViolationCode::TooMany, detail);
            }
        }
        drafts
    }

    /// Parses a plain value or an image.
    fn parse_field(
        &mut self,
        draft: &mut Draft,
        field: &'static Field,
        (json, file): (Option<Json>, Option<Bytes>),
        context: &Context<'_>,
    ) {
        let is_null = file.is_none() && json.as_ref().is_none_or(Json::is_null);
        let Some(input) = field.input_for(context.variant) else {
            if !is_null {
                self.wrong_variant(draft.resource, context);
            }
            return;
        };
        let is_required = match self.purpose {
            Purpose::Import(_) => input.is_required_in_import(),
            Purpose::Change(_) => matches!(input, Input::Required | Input::AssignedOrImported),
            _ => matches!(input, Input::Required),
        };
        if file.is_none() && json.is_none() {
            return self.missing(draft.resource, field, is_required, context);
        }
        match (input, self.purpose) {
            (_, Purpose::Create | Purpose::Test { .. }) if input.is_assigned() => {
                self.report(context.pointer(), ViolationCode::NotSettable, ASSIGNED);
            }
            (_, Purpose::Change(_)) if input.is_assigned() && !field.changeable => {
                self.report(context.pointer(), ViolationCode::NotSettable, ASSIGNED);
            }
            (_, Purpose::Change(_)) if !field.changeable => {
                self.report(context.pointer(), ViolationCode::NotSettable, FIXED);
            }
            (_, Purpose::Change(record)) if field.redaction.is_some() && record.is_anonymized() => {
                self.report(context.pointer(), ViolationCode::NotSettable, ANONYMIZED);
            }
            (_, Purpose::Change(_)) if is_null && is_required => {
                self.report(context.pointer(), ViolationCode::Required, NULL);
            }
            (_, Purpose::Change(_)) if is_null => drop(draft.values.insert(field.name, default_of(field))),
            _ if is_null => self.missing(draft.resource, field, is_required, context),
            _ => self.take_value(draft, field, (json, file), context),
        }
    }

    /// Parses a value or an image into the draft.
    fn take_value(
        &mut self,
        draft: &mut Draft,
        field: &'static Field,
        (json, file): (Option<Json>, Option<Bytes>),
        context: &Context<'_>,
    ) {
        if field.is_image() {
            draft.image = self.parse_image(json, file, &context.pointer());
            return;
        }
        match self.parse_value(field, json.unwrap_or_default(), context) {
            Ok(value) => drop(draft.values.insert(field.name, Some(value))),
            Err(invalid) => self.violations.push(Violation::at_pointer(context.pointer(), invalid)),
        }
    }

    /// Parses the value of a field. An object keeps its original text.
    fn parse_value(&self, field: &Field, json: Json, context: &Context<'_>) -> Result<Value, InvalidValue> {
        let base = if let Purpose::Test { pointer } = self.purpose { pointer } else { "" };
        let is_object = json.is_object() && field.codec.kind == Kind::Object;
        let exact = is_object.then(|| json::text_at(&self.text, &format!("{base}{}", context.pointer()))).flatten();
        let value = match exact {
            Some(text) => (field.codec.from_text)(text)?,
            None => (field.codec.from_json)(json)?,
        };
        match (self.purpose, field.reserved, &value) {
            (Purpose::Import(key), ..) if field.name == key.resource.id.name && value != Value::Id(key.id) => {
                Err(ViolationCode::Inconsistent.invalid_value(OTHER_ID))
            }
            (Purpose::Test { .. }, None | Some(Reserved::Prefix(_)), _) => Ok(value),
            (purpose, Some(reserved), Value::Text(text)) => {
                let imported = if let Purpose::Import(key) = purpose { Some(key.id) } else { None };
                let refusal =
                    reserved.refusal(text, imported).map(|detail| ViolationCode::Reserved.invalid_value(detail));
                refusal.map_or(Ok(value), Err)
            }
            _ => Ok(value),
        }
    }

    /// Reports a field that records of this variant do not have.
    fn wrong_variant(&mut self, resource: &Resource, context: &Context<'_>) {
        let field = resource.variant.and_then(|name| resource.field(name));
        let variants = field.map_or(&[][..], |field| field.codec.variants);
        // An unknown variant has been reported already, and its fields are unknown.
        if let Some(variant) = context.variant.filter(|variant| variants.contains(variant)) {
            let detail = format!("Unknown field in {} of type {variant}.", resource.name);
            self.report(context.pointer(), ViolationCode::UnknownField, detail);
        }
    }

    /// Reports a missing field if a new record requires it and no other member can provide it.
    fn missing(&mut self, resource: &Resource, field: &Field, is_required: bool, context: &Context<'_>) {
        if matches!(self.purpose, Purpose::Change(_)) || !is_required || Some(field.name) == context.bound_field {
            return;
        }
        let is_replaceable = resources::members(resource).iter().any(|member| match member {
            Member::Parent(relation, embedded) => embedded.settable && relation.foreign_key.name == field.name,
            Member::Field(_) | Member::OnParent(..) => false,
        });
        if !is_replaceable {
            self.report(context.pointer(), ViolationCode::Required, self.required(resource));
        }
    }

    fn required(&self, resource: &Resource) -> &'static str {
        let imports = matches!(self.purpose, Purpose::Import(_));
        if imports && resource.is_changeable() { REQUIRED_IN_PUT } else { REQUIRED }
    }

    /// Parses a record in place of a reference to it.
    fn apply_replacement(
        &mut self,
        draft: &mut Draft,
        replacement: &Replacement,
        json: Option<Json>,
        context: &Context<'_>,
    ) {
        let Replacement { resource, by, embedded } = replacement;
        let Some(json) = self.take_input(embedded, json, context) else {
            return self.missing_both(draft, replacement, context);
        };
        if Some(*by) == context.bound_field {
            let detail = format!("The path decides the {}. Leave this field out.", resource.singular);
            return self.report(context.pointer(), ViolationCode::MutuallyExclusive, detail);
        }
        let has_reference = draft.values.remove(by).flatten().is_some();
        if has_reference {
            let detail = format!("Send either {by} or {}, not both.", embedded.field);
            self.report(context.pointer(), ViolationCode::MutuallyExclusive, detail);
        }
        // The violations of the record are reported in either case.
        let record = self.parse_record(resource, json, &context.pointer(), None);
        if !has_reference {
            draft.embedded.insert(embedded.field, record.into_iter().collect());
        }
    }

    /// Reports a missing parent if the body has neither the record nor a reference to it.
    fn missing_both(&mut self, draft: &Draft, replacement: &Replacement, context: &Context<'_>) {
        let Replacement { by, embedded, .. } = replacement;
        let is_required = draft.resource.field(by).is_some_and(|field| matches!(field.input, Input::Required));
        let pointer = format!("{}/{by}", context.record_pointer);
        let is_reported = self.violations.iter().any(|violation| violation.is_at(&pointer));
        let has_reference = Some(*by) == context.bound_field || draft.values.contains_key(by);
        let detail = match self.purpose {
            Purpose::Change(_) => return,
            Purpose::Import(_) => self.required(draft.resource).to_owned(),
            _ => format!("Required. Send {by}, or {} as an object.", embedded.field),
        };
        if embedded.settable && is_required && !is_reported && !has_reference {
            self.report(pointer, ViolationCode::Required, detail);
        }
    }

    /// Parses the embedded children of the record.
    fn parse_children(
        &mut self,
        draft: &mut Draft,
        child: Child,
        embedded: &'static Embedded,
        json: Option<Json>,
        context: &Context<'_>,
    ) {
        if let ParentData::One { slot, .. } = child.relation.parent_data {
            let replacement = Replacement { resource: child.resource, by: slot, embedded };
            return self.apply_replacement(draft, &replacement, json, context);
        }
        if let Some(json) = self.take_input(embedded, json, context)
            && let ParentData::Many { .. } = child.relation.parent_data
        {
            let children =
                self.parse_list(child.resource, json, &context.pointer(), Some(child.relation.foreign_key.name));
            draft.embedded.insert(embedded.field, children);
        }
    }

    /// Returns the JSON of an embedded record, unless it is null. Reports it if the body may not have it.
    fn take_input(&mut self, embedded: &Embedded, json: Option<Json>, context: &Context<'_>) -> Option<Json> {
        let json = json?;
        let route = match self.purpose {
            Purpose::Change(record) => route_of(record, embedded.field),
            _ => None,
        };
        let detail = match (&route, self.purpose) {
            (Some(route), _) => route,
            _ if !embedded.settable => ASSIGNED,
            (_, Purpose::Change(_)) => FIXED,
            _ if json.is_null() => return None,
            (_, Purpose::Import(_)) => STORED_SEPARATELY,
            (_, Purpose::Create | Purpose::Test { .. }) => return Some(json),
        };
        self.report(context.pointer(), ViolationCode::NotSettable, detail);
        None
    }

    fn parse_image(&mut self, json: Option<Json>, file: Option<Bytes>, pointer: &str) -> Option<SentImage> {
        let bytes = match (file, json) {
            (Some(file), _) => Ok(file),
            (None, Some(Json::String(text))) => image_bytes(&text).map(Bytes::from).ok_or(ViolationCode::NotAnImage),
            (None, _) => Err(ViolationCode::WrongType),
        };
        let bytes = bytes.map_err(|code| self.report(pointer, code, IMAGE)).ok()?;
        if bytes.len() > image::MAX_BYTES {
            self.is_too_large = true;
            return None;
        }
        let format =
            image::inspect(&bytes).map_err(|detail| self.report(pointer, ViolationCode::NotAnImage, detail)).ok()?;
        Some(SentImage { bytes, format })
    }
}

/// Returns a text that names the route to change an embedded record, if it has one.
fn route_of(record: &Record, member: &str) -> Option<String> {
    let links = resources::links(record.key.resource);
    let link = links.iter().find(|link| link.name == member)?;
    let name = match link.target {
        // A sum changes through its parts.
        LinkTarget::Sum(child) => child.relation.link?,
        _ => link.name,
    };
    Some(format!("Not settable here. Use the route /{}/{}/{name}.", record.key.resource.name, record.key.id))
}

fn default_of(field: &Field) -> Option<Value> {
    match field.input {
        Input::Default(default) => Some(default.into()),
        _ => None,
    }
}
