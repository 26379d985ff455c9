//! Documents in the table: compressed texts of any length, in one or more items.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::schema::StoredValue;
use crate::store::{Store, in_parallel};
use crate::table::{CommitError, Condition, Item, WriteKind, WriteSet, compress, decompress, number};

/// Maximum number of bytes in one item. DynamoDB's limit is 400 KB.
const MAX_CHUNK: usize = 300_000;
/// Bytes of an item besides its key and body.
const ITEM_BYTES: usize = 50;
/// Bytes per read unit of a strongly consistent read.
pub const READ_UNIT_BYTES: usize = 4_096;
/// Maximum number of attempts to read a document that is being changed.
const MAX_ATTEMPTS: u32 = 4;
const BODY: &str = "body";
const CHUNKS: &str = "chunks";
/// Refresh run that wrote the item. An earlier run does not overwrite it.
pub const RUN: &str = "run";
/// Random number shared by all items of one version of a document.
const VERSION: &str = "version";

fn chunk_key(key: &str, chunk: u64) -> String {
    if chunk == 0 { key.to_owned() } else { format!("{key}/chunk/{chunk}") }
}

fn integer(item: &Item, name: &str) -> Option<u64> {
    item.get(name)?.digits()?.parse().ok()
}

impl Store {
    /// Reads the documents with these keys. Missing documents are left out.
    ///
    /// # Errors
    /// 503 if the store fails, or if a document changes during every attempt to read it.
    pub(super) async fn documents(&self, keys: &[String]) -> Result<BTreeMap<String, Vec<u8>>> {
        let (mut documents, mut unread) = (BTreeMap::new(), keys.to_vec());
        for _ in 0..MAX_ATTEMPTS {
            let mut items = self.get_items(&unread).await?;
            unread.retain(|key| items.contains_key(key));
            let chunk_keys = unread.iter().flat_map(|key| {
                let chunks = integer(&items[key], CHUNKS).unwrap_or(1);
                (1..chunks).map(move |chunk| chunk_key(key, chunk))
            });
            let chunk_keys: Vec<_> = chunk_keys.collect();
            items.extend(self.get_items(&chunk_keys).await?);
            unread.retain(|key| match assemble(key, &items) {
                Some(compressed) => {
                    documents.insert(key.clone(), compressed);
                    false
                }
                None => true,
            });
            if unread.is_empty() {
                let decompressed = documents.into_iter().map(|(key, compressed)| Ok((key, decompress(&compressed)?)));
                return decompressed.collect();
            }
        }
        Err(Error::unavailable())
    }

    /// Reads one document, if it exists.
    ///
    /// # Errors
    /// As [`Self::documents`].
    pub(super) async fn document(&self, key: &str) -> Result<Option<Vec<u8>>> {
        Ok(self.documents(&[key.to_owned()]).await?.remove(key))
    }

    /// Writes the documents that differ from their stored version. Returns the total size in bytes, with each document
    /// rounded up to whole read units.
    ///
    /// # Errors
    /// 503 if the store fails, or if a later run has written one of them.
    pub(super) async fn write_documents(
        &self,
        run: u64,
        stored_documents: &BTreeMap<String, Vec<u8>>,
        documents: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<u64> {
        let (mut size, mut writes) = (0, Vec::new());
        for (key, text) in documents {
            let compressed = compress(&text)?;
            size += (key.len() + ITEM_BYTES + compressed.len()).next_multiple_of(READ_UNIT_BYTES) as u64;
            if stored_documents.get(&key) != Some(&text) {
                writes.push(self.write_document(run, key, compressed));
            }
        }
        in_parallel(writes.into_iter()).await?;
        Ok(size)
    }

    async fn write_document(&self, run: u64, key: String, compressed: Vec<u8>) -> Result<()> {
        let chunks: Vec<_> = compressed.chunks(MAX_CHUNK).collect();
        let (count, version) = (chunks.len(), fastrand::u64(1..1 << 53));
        // The first item is written last, so a new document is not found before it is complete.
        for (chunk, body) in (0u64..).zip(chunks).collect::<Vec<_>>().into_iter().rev() {
            let mut write_set = WriteSet::default();
            let write = write_set.write_item(chunk_key(&key, chunk));
            write.kind = WriteKind::Put;
            write.set = Item::from([
                (BODY.to_owned(), StoredValue::Bytes(body.to_vec())),
                (RUN.to_owned(), number(run)),
                (VERSION.to_owned(), number(version)),
            ]);
            if count > 1 {
                write.set.insert(CHUNKS.to_owned(), number(count));
            }
            write.require(Condition::MissingOrBefore(RUN, i128::from(run) + 1));
            self.commit(&write_set).await.map_err(CommitError::into_error)?;
        }
        Ok(())
    }

    /// Deletes documents. Those that do not exist are skipped.
    ///
    /// # Errors
    /// 503 if the store fails.
    pub(super) async fn delete_documents(&self, keys: &[String]) -> Result<()> {
        let items = self.get_items(keys).await?;
        let chunks = items.iter().flat_map(|(key, item)| {
            (0..integer(item, CHUNKS).unwrap_or(1)).rev().map(move |chunk| chunk_key(key, chunk))
        });
        self.delete_all(&chunks.collect::<Vec<_>>()).await
    }
}

/// Assembles the compressed text of a document if all its items exist and have the same version.
fn assemble(key: &str, items: &BTreeMap<String, Item>) -> Option<Vec<u8>> {
    let first = items.get(key)?;
    let mut text = Vec::new();
    for chunk in 0..integer(first, CHUNKS).unwrap_or(1) {
        let item = items.get(&chunk_key(key, chunk)).filter(|item| item.get(VERSION) == first.get(VERSION))?;
        let Some(StoredValue::Bytes(body)) = item.get(BODY) else { return None };
        text.extend_from_slice(body);
    }
    Some(text)
}
