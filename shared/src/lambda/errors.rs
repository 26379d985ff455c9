//! The explanations of error codes below `/errors`: as a page for people, as JSON for programs.

use http::HeaderMap;
use http::header::ACCEPT;
use serde_json::{Value, json};

use crate::error::{Code, ERRORS, Error, Explanation, Result};
use crate::response::Response;

/// Explains the code with this name, or all codes.
///
/// # Errors
/// 404 if there is no such code.
pub fn explain(name: Option<&str>, base: &str, headers: &HeaderMap) -> Result<Response> {
    let codes = match name {
        None => Code::ALL.to_vec(),
        Some(name) => vec![Code::named(name).ok_or_else(Error::no_route)?],
    };
    let explanations: Vec<_> = codes.into_iter().map(Code::explanation).collect();
    if accepts_html(headers) {
        return Ok(Response::new("text/html; charset=utf-8", page(&explanations, base)));
    }
    let mut all: Vec<_> = explanations.iter().map(to_json).collect();
    let body = if name.is_none() { all.into() } else { all.swap_remove(0) };
    Ok(Response::json(&body))
}

/// Returns true if the client accepts HTML, as browsers do.
pub fn accepts_html(headers: &HeaderMap) -> bool {
    let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.any(|types| types.contains("text/html"))
}

fn to_json(Explanation { name, status, title, fix }: &Explanation) -> Value {
    json!({"code": name, "status": status.as_u16(), "title": title, "fix": fix})
}

/// Returns a page with explanations. All of its text is constant, so nothing has to be escaped.
fn page(explanations: &[Explanation], base: &str) -> String {
    let section = |Explanation { name, status, title, fix }: &Explanation| {
        let status = status.as_u16();
        format!(r#"<h2><a href="{base}{ERRORS}/{name}">{name}</a></h2><p><b>{status}</b> {title}.</p><p>{fix}</p>"#)
    };
    let sections: String = explanations.iter().map(section).collect();
    format!(
        r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title><h1>Errors</h1>{sections}<p><a href="{base}{ERRORS}">All codes</a></p></html>"#
    )
}
