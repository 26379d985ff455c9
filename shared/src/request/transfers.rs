//! Parses requests for transfers between wallets.

use super::{Draft, EtagPreconditions, IdempotencyKey, InvalidBody, Path, Payload, Request, Shape, body, query};
use crate::error::{Error, Result};
use crate::resources::TRANSFER;
use crate::resources::transfers::FROM_USER_ID;

/// A parsed request for a transfer.
#[derive(Debug)]
pub struct Transfer {
    /// Path that names the payer. `None` if the body names the payer.
    pub path: Option<Path>,
    pub draft: Result<Draft, InvalidBody>,
    pub key: Option<IdempotencyKey>,
}

impl Transfer {
    /// Parses a request. `path` names the payer, if the request has such a path.
    ///
    /// # Errors
    /// The errors that do not depend on stored records: 400, 413 and 415.
    pub fn parse(mut path: Option<Path>, request: Request) -> Result<Self> {
        let mut violations = path.as_mut().map(|path| std::mem::take(&mut path.violations)).unwrap_or_default();
        violations.extend(query::unexpected_parameters(&request.query));
        EtagPreconditions::reject(&request.headers)?;
        let (headers, method, url) = (request.headers.clone(), request.method.clone(), request.path.clone());
        let parsed = Payload::parse(&TRANSFER, request, Shape::Record).and_then(|payload| {
            let key = IdempotencyKey::parse(&headers, &method, &url, &payload)?;
            let bound_field = path.as_ref().map(|_| FROM_USER_ID.name);
            Ok((key, body::parse_create(&TRANSFER, payload, bound_field)?))
        });
        let (key, mut draft) = match parsed {
            Err(_) if !violations.is_empty() => return Err(Error::invalid_parameters(violations)),
            parsed => parsed?,
        };
        if !violations.is_empty() {
            let invalid = draft.map_or_else(
                |invalid| invalid,
                |draft| InvalidBody {
                    drafts: vec![draft],
                    shape: Shape::Record,
                    is_import: false,
                    violations: Vec::new(),
                },
            );
            violations.extend(invalid.violations);
            draft = Err(InvalidBody { violations, ..invalid });
        }
        Ok(Self { path, draft, key })
    }
}
