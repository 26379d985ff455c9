//! A body, as the draft of a record: everything that is wrong with it is found in one pass. Pure.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use serde_json::{Map, Value as Json};

mod value;

pub(crate) use value::{MAX_LABEL_CHARS, MAX_PROSE_BYTES};
use value::{image_bytes, value};

use crate::error::{Error, Result, Violation};
use crate::image::{self, Format};
use crate::record::Record;
use crate::resource::{Bulk, Field, Input, Kind, Resource};
use crate::value::{Id, Value};

/// A body that could be read: JSON, and the file that came beside it in a form.
#[derive(Debug)]
pub struct Payload {
    /// The JSON, or the form's other fields as an object.
    pub json: Json,
    /// The form's file part.
    pub file: Option<Bytes>,
}

/// What a body says of a record.
#[derive(Debug)]
pub struct Draft {
    /// Of which resource.
    pub resource: &'static Resource,
    /// The fields given; `None` clears.
    pub values: BTreeMap<&'static str, Option<Value>>,
    /// The records given inside.
    pub parts: BTreeMap<&'static str, Vec<Draft>>,
    /// The image given.
    pub image: Option<Image>,
}

/// An image that decodes.
#[derive(Debug, Clone)]
pub struct Image {
    /// Exactly as sent.
    pub bytes: Bytes,
    /// Told by the bytes.
    pub format: Format,
}

impl Draft {
    /// The draft of one part.
    pub fn part(&self, field: &str) -> Option<&Self> {
        self.parts.get(field).and_then(|parts| parts.first())
    }

    /// The text given for a field.
    pub fn text(&self, field: &str) -> Option<&str> {
        match self.values.get(field)? {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The reference given for a field.
    pub fn reference(&self, field: &str) -> Option<Id> {
        match self.values.get(field)? {
            Some(Value::Id(id)) => Some(*id),
            _ => None,
        }
    }
}

/// Reads a body that creates one record; the path decides field `bound`.
///
/// # Errors
/// 422 with everything that is wrong, 413 for too large an image.
pub fn to_create(resource: &'static Resource, payload: Payload, bound: Option<&'static str>) -> Result<Draft> {
    let mut reader = Reader::new(payload.file, None);
    let draft = reader.draft(resource, payload.json, "", bound);
    reader.finish(draft)
}

/// Reads a body that creates a list of records.
///
/// # Errors
/// 422 with everything that is wrong.
pub fn to_create_many(
    resource: &'static Resource,
    payload: Payload,
    bound: Option<&'static str>,
) -> Result<Vec<Draft>> {
    let mut reader = Reader::new(None, None);
    let drafts = reader.drafts(resource, payload.json, "", bound);
    reader.finish(Some(drafts))
}

/// Reads a body that changes a record; what the path binds stays as it is.
///
/// # Errors
/// 422 with everything that is wrong, 413 for too large an image.
pub fn to_change(record: &Record, payload: Payload, bound: Option<&'static str>) -> Result<Draft> {
    let mut reader = Reader::new(payload.file, Some(record));
    let draft = reader.draft(record.key.resource, payload.json, "", bound);
    reader.finish(draft)
}

/// The record's variant, and the field that the path decides.
type Context<'a> = (Option<&'a str>, Option<&'a str>);

struct Reader<'a> {
    file: Option<Bytes>,
    changing: Option<&'a Record>,
    violations: Vec<Violation>,
    too_large: bool,
}

impl<'a> Reader<'a> {
    fn new(file: Option<Bytes>, changing: Option<&'a Record>) -> Self {
        Self { file, changing, violations: Vec::new(), too_large: false }
    }

    fn finish<T>(self, read: Option<T>) -> Result<T> {
        if self.too_large {
            return Err(Error::too_large(format!("Send an image of at most {} bytes.", image::MAX_BYTES)));
        }
        match read {
            Some(read) if self.violations.is_empty() => Ok(read),
            _ => Err(Error::invalid(self.violations)),
        }
    }

    fn wrong(&mut self, pointer: impl Into<String>, detail: impl Into<String>) {
        self.violations.push(Violation::at(pointer, detail));
    }

    fn draft(&mut self, resource: &'static Resource, json: Json, at: &str, bound: Option<&str>) -> Option<Draft> {
        let Json::Object(mut object) = json else {
            self.wrong(at, format!("Send an object: the fields of one of the {}.", resource.name));
            return None;
        };
        object.retain(|name, _| Some(name.as_str()) != bound || resource.field(name).is_none_or(hidden));
        let variant = self.variant(resource, &object);
        let mut draft = Draft { resource, values: BTreeMap::new(), parts: BTreeMap::new(), image: None };
        for field in resource.fields.iter().filter(|field| !hidden(field)) {
            let given = object.shift_remove(field.name);
            let pointer = format!("{at}/{}", field.name);
            let file = matches!(field.kind, Kind::Image).then(|| self.file.take()).flatten();
            match (given, file) {
                (None, None) => self.missing(&draft, field, (variant.as_deref(), bound), &pointer),
                (given, file) => {
                    let given = Given { json: given.unwrap_or_default(), file };
                    self.given(&mut draft, field, given, (variant.as_deref(), bound), pointer);
                }
            }
        }
        for name in object.keys() {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            self.wrong(
                format!("{at}/{escaped}"),
                format!("There is no such field in {}: leave it out.", resource.name),
            );
        }
        Some(draft)
    }

    /// The word that decides which fields the record has.
    fn variant(&self, resource: &'static Resource, object: &Map<String, Json>) -> Option<String> {
        let field = resource.variant?;
        match self.changing {
            Some(record) => record.text(field).map(str::to_owned),
            None => object.get(field)?.as_str().map(str::to_owned),
        }
    }

    fn drafts(&mut self, resource: &'static Resource, json: Json, at: &str, bound: Option<&str>) -> Vec<Draft> {
        let Json::Array(elements) = json else {
            self.wrong(at, format!("Send a list of {}.", resource.name));
            return Vec::new();
        };
        let Bulk { most, most_parents } = resource.bulk.as_ref().unwrap_or(&Bulk { most: 0, most_parents: 0 });
        if elements.len() > *most {
            self.wrong(at, format!("Send at most {most} {} in one request.", resource.name));
            return Vec::new();
        }
        let elements = elements.into_iter().enumerate();
        let drafts: Vec<_> =
            elements.filter_map(|(place, json)| self.draft(resource, json, &format!("{at}/{place}"), bound)).collect();
        if let Some(parent) = &resource.parent {
            let parents: BTreeSet<_> = drafts.iter().filter_map(|draft| draft.reference(parent.by)).collect();
            if parents.len() > *most_parents {
                let (children, parents) = (resource.name, parent.resource.name);
                self.wrong(at, format!("Send {children} of at most {most_parents} {parents} in one request."));
            }
        }
        drafts
    }

    /// A field that the body leaves out: fine, unless a new record must have it.
    fn missing(&mut self, draft: &Draft, field: &Field, (variant, bound): Context<'_>, pointer: &str) {
        if self.changing.is_some() || Some(field.name) == bound {
            return;
        }
        let fields = draft.resource.fields;
        if let (Kind::One { by, .. }, Input::Optional) = (&field.kind, &field.input) {
            // Neither the record nor its reference; a reference that was given wrongly is reported already.
            let reference = fields.iter().find(|other| other.name == *by);
            let required = reference.is_some_and(|reference| matches!(reference.input, Input::Required));
            let parent = pointer.strip_suffix(field.name).unwrap_or_default();
            let at = format!("{parent}{by}");
            let judged = self.violations.iter().any(|violation| violation.is_at(&at));
            if required && !judged && Some(*by) != bound && !draft.values.contains_key(by) {
                self.wrong(at, format!("Give {by}, or {} as a whole.", field.name));
            }
            return;
        }
        let alternative =
            fields.iter().any(|other| refers_by(other, field.name) && matches!(other.input, Input::Optional));
        if matches!(field.input_for(variant), Some(Input::Required)) && !alternative {
            self.wrong(pointer, "This field is required.");
        }
    }

    fn given(&mut self, draft: &mut Draft, field: &'static Field, given: Given, context: Context<'_>, pointer: String) {
        let (variant, bound) = context;
        if self.refuses(draft.resource, field, &given, variant, &pointer) {
            return;
        }
        match field.kind {
            _ if given.is_null() => self.null(draft, field, context, pointer),
            Kind::One { resource, by, .. } => {
                if Some(by) == bound {
                    self.wrong(pointer, format!("The path says which {} it is: leave this out.", resource.singular));
                } else if draft.values.get(by).is_some_and(Option::is_some) {
                    self.wrong(pointer, format!("Give either {by} or {}, not both.", field.name));
                } else {
                    let part = self.draft(resource, given.json, &pointer, None);
                    draft.parts.insert(field.name, part.into_iter().collect());
                }
            }
            Kind::Many { resource, .. } => {
                let held_by = resource.parent.as_ref().map(|parent| parent.by);
                let parts = self.drafts(resource, given.json, &pointer, held_by);
                draft.parts.insert(field.name, parts);
            }
            Kind::Image => draft.image = self.image(given, &pointer),
            _ => match value(&field.kind, given.json) {
                Ok(value) => drop(draft.values.insert(field.name, Some(value))),
                Err(detail) => self.wrong(pointer, detail),
            },
        }
    }

    /// Refuses a value for a field that the body must not give.
    fn refuses(
        &mut self,
        resource: &Resource,
        field: &Field,
        given: &Given,
        variant: Option<&str>,
        pointer: &str,
    ) -> bool {
        let Some(input) = field.input_for(variant) else {
            let known = variant.is_some_and(|variant| is_variant(resource, variant));
            if known {
                let variant = variant.unwrap_or_default();
                self.wrong(
                    pointer,
                    format!("There is no such field in {} of type {variant}: leave it out.", resource.name),
                );
            }
            // An unknown variant has been reported; which fields it would have is not known.
            return true;
        };
        let detail = match (input, self.changing) {
            (Input::Never, _) => "The service assigns this field: leave it out.",
            (_, Some(_)) if !field.changeable => "This field cannot be changed: leave it out.",
            _ => return false,
        };
        // A null stands for a field left out, also where no value could be given.
        let left_out = given.is_null() && self.changing.is_none() && !matches!(input, Input::Never);
        if !left_out {
            self.wrong(pointer, detail);
        }
        true
    }

    fn null(&mut self, draft: &mut Draft, field: &'static Field, context: Context<'_>, pointer: String) {
        let required = matches!(field.input_for(context.0), Some(Input::Required));
        match self.changing {
            None => self.missing(draft, field, context, &pointer),
            Some(_) if required => self.wrong(pointer, "This field cannot be cleared: give a value or leave it out."),
            Some(_) => drop(draft.values.insert(field.name, default_of(field))),
        }
    }

    fn image(&mut self, given: Given, pointer: &str) -> Option<Image> {
        let bytes = match (given.file, given.json) {
            (Some(file), _) => Some(file),
            (None, Json::String(text)) => image_bytes(&text).map(Bytes::from),
            _ => None,
        };
        let Some(bytes) = bytes else {
            self.wrong(pointer, "Send the image in base64, as a data: URL, or as the file part of a form.");
            return None;
        };
        if bytes.len() > image::MAX_BYTES {
            self.too_large = true;
            return None;
        }
        match image::inspect(&bytes) {
            Ok(format) => Some(Image { bytes, format }),
            Err(detail) => {
                self.wrong(pointer, detail);
                None
            }
        }
    }
}

struct Given {
    json: Json,
    file: Option<Bytes>,
}

impl Given {
    fn is_null(&self) -> bool {
        self.file.is_none() && self.json.is_null()
    }
}

fn hidden(field: &Field) -> bool {
    field.shown == crate::resource::Shown::Never
}

fn refers_by(field: &Field, reference: &str) -> bool {
    matches!(field.kind, Kind::One { by, .. } if by == reference)
}

fn is_variant(resource: &Resource, word: &str) -> bool {
    let field = resource.variant.and_then(|name| resource.field(name));
    matches!(field, Some(Field { kind: Kind::Choice(words), .. }) if words.contains(&word))
}

fn default_of(field: &Field) -> Option<Value> {
    match field.input {
        Input::Default(number) => Some(Value::Integer(number)),
        _ => None,
    }
}
