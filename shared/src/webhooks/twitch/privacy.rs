//! Viewers who have opted out: what is stored about them, and how they are removed from a payload.

use std::collections::BTreeSet;

use serde_json::{Map, Value as Json, json};

use super::parsed_event::ParsedEvent;

/// Suffix of the fields with the identifier of a user.
const ID: &str = "user_id";
/// Suffixes of the other fields about a user.
const ABOUT: [&str; 2] = ["user_name", "user_login"];
/// Fields with the words of the viewer.
const WORDS: [&str; 3] = ["message", "user_input", "system_message"];

/// Field with the number of a giver's gifts.
const TOTAL: &str = "cumulative_total";

/// Returns the users that the details of an event name, other than its own user.
pub fn other_platform_ids(parsed: &ParsedEvent) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    collect(&parsed.details, &mut ids);
    ids.remove(&parsed.user.platform_id);
    ids
}

fn collect(json: &Json, platform_ids: &mut BTreeSet<String>) {
    match json {
        Json::Object(members) => {
            platform_ids.extend(members.get(ID).and_then(Json::as_str).map(str::to_owned));
            members.values().for_each(|member| collect(member, platform_ids));
        }
        Json::Array(elements) => elements.iter().for_each(|element| collect(element, platform_ids)),
        _ => {}
    }
}

/// Removes users from a payload, as if they were anonymous.
#[must_use]
pub fn without_users(event: &Json, platform_ids: &BTreeSet<String>) -> Json {
    let mut event = event.clone();
    anonymize_users(&mut event, platform_ids);
    event
}

/// Removes the event's user from a payload, with the user's words.
#[must_use]
pub fn without_user(event: &Json, id: &str) -> Json {
    let mut event = without_users(event, &BTreeSet::from([id.to_owned()]));
    if let Some(members) = event.as_object_mut() {
        members.retain(|name, _| !WORDS.contains(&name.as_str()));
        members.insert("is_anonymous".to_owned(), json!(true));
    }
    event
}

/// Removes the number of a giver's gifts. In a notice, the fields are in an object below that of the giver.
fn remove_total(members: &mut Map<String, Json>) {
    members.shift_remove(TOTAL);
    members.values_mut().filter_map(Json::as_object_mut).for_each(remove_total);
}

fn anonymize_users(json: &mut Json, platform_ids: &BTreeSet<String>) {
    match json {
        Json::Object(members) => {
            let is_removed = |value: &Json| super::read::id(value).is_some_and(|id| platform_ids.contains(&id));
            let prefixes = members.iter().filter(|(_, value)| is_removed(value));
            let prefixes: Vec<_> = prefixes.filter_map(|(name, _)| name.strip_suffix(ID).map(str::to_owned)).collect();
            for prefix in prefixes {
                members.shift_remove(&format!("{prefix}{ID}"));
                for name in ABOUT {
                    members.shift_remove(&format!("{prefix}{name}"));
                }
                members.insert(format!("{prefix}is_anonymous"), json!(true));
                remove_total(members);
            }
            members.values_mut().for_each(|member| anonymize_users(member, platform_ids));
        }
        Json::Array(elements) => elements.iter_mut().for_each(|element| anonymize_users(element, platform_ids)),
        _ => {}
    }
}
