//! Names of the viewers that a notification identifies without a display name. The stored name of a viewer is better
//! than a login or a number.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::read::id;
use crate::error::{Error, Result};
use crate::resources::users::{NAME, USERS};
use crate::store::{Store, in_parallel};

/// Suffix of the fields with an identifier, after the prefix of the user.
const ID: &str = "user_id";
const DISPLAY_NAME: &str = "user_name";
const LOGIN: &str = "user_login";

/// Replaces the logins of users without a display name by their names, from elsewhere in the payload or else from the
/// store. The display name stays missing: it would replace the stored name, which may change in the meantime. Reads
/// nothing if all users have a display name.
///
/// # Errors
/// 503 if the store fails.
pub async fn fill_missing_names(store: &Store, event: &Json) -> Result<Json> {
    let (mut event, mut unnamed, mut named) = (event.clone(), BTreeSet::new(), BTreeMap::new());
    for_each_user(&mut event, &mut |id, name, _| match name {
        Some(name) => drop(named.insert(id.to_owned(), name.to_owned())),
        None => _ = unnamed.insert(id.to_owned()),
    });
    let unknown = unnamed.into_iter().filter(|id| !named.contains_key(id));
    let stored = in_parallel(unknown.map(|id| async move {
        let user = store.find_by_unique_value(&USERS, &id).await?;
        Ok::<_, Error>(user.and_then(|user| Some((id, user.get(&NAME)?.to_owned()))))
    }));
    named.extend(stored.await?.into_iter().flatten());
    for_each_user(&mut event, &mut |id, name, login| {
        if let (None, Some(name)) = (name, named.get(id)) {
            *login = name.as_str().into();
        }
    });
    Ok(event)
}

/// Calls a function with the identifier, the display name and the login of each user.
fn for_each_user(json: &mut Json, function: &mut impl FnMut(&str, Option<&str>, &mut Json)) {
    match json {
        Json::Object(members) => {
            let prefixes: Vec<_> = members.keys().filter_map(|name| name.strip_suffix(ID).map(str::to_owned)).collect();
            for prefix in prefixes {
                let name = members.get(&format!("{prefix}{DISPLAY_NAME}")).and_then(Json::as_str);
                let name = name.filter(|name| !name.trim().is_empty()).map(str::to_owned);
                if let Some(id) = id(&members[&format!("{prefix}{ID}")]) {
                    let login = members.entry(format!("{prefix}{LOGIN}")).or_insert(Json::Null);
                    function(&id, name.as_deref(), login);
                }
            }
            members.values_mut().for_each(|member| for_each_user(member, function));
        }
        Json::Array(elements) => elements.iter_mut().for_each(|element| for_each_user(element, function)),
        _ => {}
    }
}
