//! Fills a table through its store, for tests that need more records than requests.

use capture_core::resources::{INVENTORY, USERS, inventory, users};
use capture_core::schema::{Id, Key, Record, Timestamp};
use capture_core::store::Store;
use capture_core::table::{WriteSet, json_size};

/// The number of records per transaction, which has at most 100 items.
const CHUNK: usize = 90;

/// Stores users and returns their identifiers.
///
/// # Panics
/// If the table rejects a write.
pub async fn users(store: &Store, count: usize) -> Vec<u64> {
    let now = Timestamp::now();
    let ids: Vec<_> = (0..count).map(|_| store.next_id(now)).collect();
    for ids in ids.chunks(CHUNK / 2) {
        let mut write_set = WriteSet::default();
        for id in ids {
            let mut user = Record::new(Key::new(&USERS, *id));
            user.set(&users::PLATFORM_ID, &format!("filled-{id}"));
            user.set(&users::NAME, "viewer");
            user.set(&users::CREATED_AT, now);
            write_set.create(&user);
            write_set.reserve(&format!("filled-{id}"), &user, None);
        }
        store.commit(&write_set).await.expect("the table");
    }
    ids.into_iter().map(Id::number).collect()
}

/// Stores active items for a user.
///
/// # Panics
/// If the table rejects a write.
pub async fn items(store: &Store, user: u64, count: usize) {
    let (now, owner) = (Timestamp::now(), Id::new(user).expect("an identifier"));
    let ids: Vec<_> = (0..count).map(|_| store.next_id(now)).collect();
    for ids in ids.chunks(CHUNK) {
        let mut write_set = WriteSet::default();
        for id in ids {
            let mut item = Record::new(Key::new(&INVENTORY, *id));
            item.set(&inventory::OWNER_ID, owner);
            item.set(&inventory::NAME, "stone");
            item.set(&inventory::QUANTITY, 1);
            item.set(&inventory::CREATED_AT, now);
            write_set.create(&item);
            let state = write_set.state(Key::new(&USERS, owner));
            state.add_members.entry("inventory_ids").or_default().insert(*id);
            *state.add.entry("bytes".into()).or_default() += json_size(&item);
        }
        store.commit(&write_set).await.expect("the table");
    }
}
