//! Names of the viewers whom a notification names by their identifiers alone. The stored name of a viewer is better than
//! a login or a number.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::read::id;
use crate::error::{Error, Result};
use crate::resources::users::{NAME, USERS};
use crate::store::{Store, in_parallel};
use crate::table::reservation;

/// Suffix of the fields with an identifier, after the prefix of the user.
const ID: &str = "user_id";
const DISPLAY_NAME: &str = "user_name";
const LOGIN: &str = "user_login";

/// Put the stored names of users without a display name into a payload, in the place of their logins: a display name
/// would replace the stored one, which may change meanwhile. Reads nothing if all users have a display name.
///
/// # Errors
/// 503 if the store fails.
pub async fn complete(store: &Store, event: &Json) -> Result<Json> {
    let (mut event, mut unnamed) = (event.clone(), BTreeSet::new());
    for_each_unnamed(&mut event, &mut |id, _| {
        unnamed.insert(id.to_owned());
    });
    let names = in_parallel(unnamed.into_iter().map(|id| async move {
        let user = store.reserved(&USERS, &reservation(&USERS, &id)).await?;
        Ok::<_, Error>(user.and_then(|user| Some((id, user.get(&NAME)?.to_owned()))))
    }));
    let names: BTreeMap<_, _> = names.await?.into_iter().flatten().collect();
    for_each_unnamed(&mut event, &mut |id, login| {
        if let Some(name) = names.get(id) {
            *login = name.as_str().into();
        }
    });
    Ok(event)
}

/// Call a function with the identifier and the login of each user without a display name.
fn for_each_unnamed(json: &mut Json, function: &mut impl FnMut(&str, &mut Json)) {
    match json {
        Json::Object(members) => {
            let prefixes: Vec<_> = members.keys().filter_map(|name| name.strip_suffix(ID).map(str::to_owned)).collect();
            for prefix in prefixes {
                let name = members.get(&format!("{prefix}{DISPLAY_NAME}")).and_then(Json::as_str).unwrap_or_default();
                if let (Some(id), true) = (id(&members[&format!("{prefix}{ID}")]), name.trim().is_empty()) {
                    function(&id, members.entry(format!("{prefix}{LOGIN}")).or_insert(Json::Null));
                }
            }
            members.values_mut().for_each(|member| for_each_unnamed(member, function));
        }
        Json::Array(elements) => elements.iter_mut().for_each(|element| for_each_unnamed(element, function)),
        _ => {}
    }
}
