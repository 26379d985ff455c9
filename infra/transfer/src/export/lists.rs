//! Reads the source into part files, page by page. An interrupted export continues with the next page.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use capture_core::resources::{self, LinkTarget};
use capture_core::schema::{Id, ParentData, Resource, Timestamp};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;

use super::complete::Line;
use super::{BaseArchive, Export, FeedChanges, ListProgress, part_path, record_of};
use crate::Error;
use crate::api::Response;
use crate::archive::{IMAGES, digest_line, digests_of, file_of, image_field, image_path};
use crate::files;
use crate::record::{IMAGE, Record};

/// Number of records per page.
const PAGE_SIZE: usize = 500;
/// Maximum number of attempts to download an image, in case it is being replaced.
const MAX_IMAGE_ATTEMPTS: u32 = 3;

impl Export {
    /// Lists all records of a resource, starting at the page where the last process stopped.
    pub(super) async fn list(&mut self, resource: &'static Resource) -> Result<(), Error> {
        let first = format!("{}?order=asc&limit={PAGE_SIZE}", resource.name);
        let mut next = match self.progress.lists.get(resource.name) {
            Some(progress) if progress.is_done => return Ok(()),
            Some(progress) => progress.next.clone().or(Some(first)),
            None => Some(first),
        };
        self.bar.reset();
        let mut progress = self.progress.lists.get(resource.name).cloned().unwrap_or_default();
        while let Some(page) = next {
            let response = self.api.get(&page).await?;
            self.append(resource, records_of(&response)?, &mut progress).await?;
            next = response.next;
            (progress.next, progress.is_done) = (next.clone(), next.is_none());
            self.progress.lists.insert(resource.name.to_owned(), progress.clone());
            self.save()?;
        }
        Ok(())
    }

    /// Reads the records that the feed reports as changed. A record that does not exist counts as deleted.
    pub(super) async fn read_changed(
        &mut self,
        resource: &'static Resource,
        changed: &BTreeSet<u64>,
    ) -> Result<(), Error> {
        if self.progress.lists.contains_key(resource.name) {
            return Ok(());
        }
        let mut progress = ListProgress { is_done: true, ..ListProgress::default() };
        let ids: Vec<u64> = changed.iter().copied().collect();
        for ids in ids.chunks(PAGE_SIZE) {
            let requests = stream::iter(ids).map(|id| {
                let api = self.api.clone();
                async move { Ok::<_, Error>((*id, record_of(&api.get(&format!("{}/{id}", resource.name)).await?)?)) }
            });
            let records: Vec<_> = requests.buffered(self.api.concurrency).try_collect().await?;
            progress.deleted.extend(records.iter().filter(|(_, record)| record.is_none()).map(|(id, _)| *id));
            let records = records.into_iter().filter_map(|(_, record)| record).collect();
            self.append(resource, records, &mut progress).await?;
        }
        self.progress.lists.insert(resource.name.to_owned(), progress);
        self.save()
    }

    /// Lists one user and everything that belongs to them.
    pub(super) async fn list_user(&mut self, id: Id) -> Result<(), Error> {
        // Listing one user is quick, so an interrupted export starts over.
        self.progress.lists.clear();
        self.progress.read_again.clear();
        let users = &resources::USERS;
        let mut paths = vec![(users, format!("{}/{id}", users.name))];
        let mut records_by_resource = BTreeMap::<_, Vec<Record>>::new();
        while let Some((resource, path)) = paths.pop() {
            let response = self.api.get(&path).await?;
            let records = match response.body.first() {
                Some(b'[') => records_of(&response)?,
                _ => record_of(&response)?.into_iter().collect(),
            };
            if records.is_empty() && resource == users {
                // Allow the next run to export another user to this folder.
                self.delete_parts()?;
                return Err(response.explanation().into());
            }
            paths.extend(response.next.map(|next| (resource, next)));
            for record in &records {
                paths.extend(children_of(resource, record));
            }
            records_by_resource.entry(resource.name).or_default().extend(records);
        }
        for resource in resources::ALL {
            let records = records_by_resource.remove(resource.name).unwrap_or_default();
            self.append(resource, records, &mut ListProgress::default()).await?;
        }
        Ok(())
    }

    /// Appends records to the part files of their resource, and downloads their images.
    async fn append(
        &mut self,
        resource: &'static Resource,
        records: Vec<Record>,
        progress: &mut ListProgress,
    ) -> Result<(), Error> {
        self.show(resource, &records);
        let lines = stream::iter(records).map(|record| self.line(resource, record));
        let lines: Vec<_> = lines.buffered(self.api.concurrency).try_collect().await?;
        let (mut text, mut digests) = (String::new(), String::new());
        for Line { record, digest } in lines.into_iter().flatten() {
            text += &(record.line()? + "\n");
            digests.extend(digest.map(|digest| digest + "\n"));
        }
        append(&part_path(&self.folder, &file_of(resource)), &mut progress.records_bytes, &text)?;
        if let Some(name) = digests_of(resource) {
            append(&part_path(&self.folder, &name), &mut progress.digests_bytes, &digests)?;
        }
        Ok(())
    }

    /// Converts a record to a line of the archive, and downloads its image. `None` if the record has been deleted.
    pub(super) async fn line(&self, resource: &'static Resource, record: Record) -> Result<Option<Line>, Error> {
        let record = record.without_embedded(resource);
        match image_field(resource) {
            Some(field) => self.with_image(resource, field.name, record).await,
            None => Ok(Some(Line { record, digest: None })),
        }
    }

    /// Downloads a record's image, and replaces its URL by its path in the archive.
    async fn with_image(
        &self,
        resource: &'static Resource,
        field: &str,
        mut record: Record,
    ) -> Result<Option<Line>, Error> {
        let id = record.id(resource.id.name).ok_or("a record without an identifier")?;
        for _ in 0..MAX_IMAGE_ATTEMPTS {
            let url = record.text(field).ok_or("a record without an image")?;
            let image = self.api.image(&url).await?;
            if image.status.is_success() {
                let path = format!("{IMAGES}/{}/{id}.{}", resource.name, extension(&image.content_type));
                let file = image_path(&self.folder, &path)?;
                files::create_folder(&self.folder.join(IMAGES).join(resource.name))?;
                files::replace(&file, &image.body)?;
                record.remove(field);
                record.set(IMAGE, &Value::from(path.as_str()))?;
                return Ok(Some(Line { record, digest: Some(digest_line(&image.body, &path)) }));
            }
            // The image was replaced or deleted after the record was listed.
            let response = self.api.get(&format!("{}/{id}", resource.name)).await?;
            match record_of(&response)? {
                Some(current) => record = current.without_embedded(resource),
                None => return Ok(None),
            }
        }
        Err(format!("The image of {}/{id} cannot be downloaded.", resource.name).into())
    }

    /// Shows a list's progress by the records' times, as their number is unknown.
    fn show(&mut self, resource: &'static Resource, records: &[Record]) {
        self.records_read += records.len() as u64;
        let time = |record: Option<&Record>| {
            Some(Timestamp::parse(&record?.text(resource.time?.name)?)?.unix_seconds().unsigned_abs())
        };
        if self.bar.message() != resource.name {
            self.bar.set_message(resource.name);
            let (first, now) = (time(records.first()), Timestamp::now().unix_seconds().unsigned_abs());
            self.bar.set_length(first.map_or(1, |first| now.saturating_sub(first).max(1)));
        }
        if let (Some(last), Some(length)) = (time(records.last()), self.bar.length()) {
            let now = Timestamp::now().unix_seconds().unsigned_abs();
            self.bar.set_position(length.saturating_sub(now.saturating_sub(last)));
        }
        let seconds = self.bar.elapsed().as_secs().max(1);
        self.bar.set_prefix(format!("{} records, {} each second", self.records_read, self.records_read / seconds));
    }

    /// Reads the changes since an earlier archive from the feed, for resources that it reports in full. Returns an
    /// empty map if the changes have expired. Everything is then listed and compared with the earlier archive.
    pub(super) async fn changes_since(&self, earlier: &BaseArchive) -> Result<FeedChanges, Error> {
        let reported = resources::ALL.into_iter().filter(|resource| {
            let feed = &resource.feed;
            feed.created && feed.updated && feed.deleted
        });
        let mut changes: FeedChanges = reported.map(|resource| (resource.name, BTreeSet::new())).collect();
        let mut next = Some(format!("feed?after={}", earlier.manifest.feed));
        while let Some(page) = next {
            let response = self.api.get(&page).await?;
            if response.code().as_deref() == Some("entries_expired") {
                if earlier.manifest.since.is_some() {
                    let folder = earlier.folder.display();
                    return Err(format!("The feed no longer has the changes since {folder}, which does not contain all events. Export the changes since a full archive.").into());
                }
                eprintln!(
                    "The feed no longer has the changes since the earlier archive. All records are listed and compared."
                );
                return Ok(FeedChanges::default());
            }
            for entry in records_of(&response)? {
                let subject = entry.text("subject").unwrap_or_default();
                let Some((name, id)) = subject.split_once('/') else { continue };
                if let (Some(ids), Ok(id)) = (changes.get_mut(name), id.parse()) {
                    ids.insert(id);
                }
            }
            next = response.next;
        }
        Ok(changes)
    }
}

/// Parses the records of a page.
fn records_of(response: &Response) -> Result<Vec<Record>, Error> {
    if !response.status.is_success() {
        return Err(response.explanation().into());
    }
    Ok(serde_json::from_slice(&response.body)?)
}

/// Returns the paths of a record's children.
fn children_of(resource: &'static Resource, record: &Record) -> Vec<(&'static Resource, String)> {
    let path = format!("{}/{}", resource.name, record.id(resource.id.name).unwrap_or_default());
    let lists = resources::links(resource).iter().filter_map(|link| match link.target {
        LinkTarget::Many(child) => Some((child.resource, format!("{path}/{}?order=asc&limit={PAGE_SIZE}", link.name))),
        _ => None,
    });
    let slots = resources::children(resource).iter().filter_map(|child| match child.relation.parent_data {
        ParentData::One { slot, .. } if resource.field(slot).is_some() => {
            Some((child.resource, format!("{}/{}", child.resource.name, record.id(slot)?)))
        }
        _ => None,
    });
    lists.chain(slots).collect()
}

/// Writes text at an offset, truncating an incomplete write after it, and advances the offset.
fn append(path: &Path, bytes: &mut u64, text: &str) -> Result<(), Error> {
    let mut file = files::private().open(path)?;
    file.set_len(*bytes)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(text.as_bytes())?;
    *bytes += text.len() as u64;
    Ok(())
}

/// Returns the file extension for an image type.
fn extension(content_type: &str) -> &'static str {
    match content_type {
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        _ => "png",
    }
}
