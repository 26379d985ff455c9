//! The command `export`: lists every resource, children before their parents, and leaves out records whose parent is gone.
//!
//! The source may change meanwhile. A parent is listed after its children, so the list has every parent that still exists.
//! A child whose parent was deleted in between is left out at the end.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use event_capture::resources::{self, LinkTarget};
use event_capture::schema::{Id, Input, OnParent, Resource, Timestamp};
use futures_util::{StreamExt, TryStreamExt, stream};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::{Api, Reply};
use crate::archive::{
    DELETED, DeletedRecord, IMAGES, LineWriter, Manifest, Numbered, Records, digest_line, digests_of, file_of,
    image_field, image_path, lines, read_json, replace, write_json,
};
use crate::record::{IMAGE, Record};
use crate::{Error, ExportOptions};

/// The number of records of a page.
const PAGE: usize = 500;
/// The file with the progress of an export. It exists until the archive is complete.
const PROGRESS: &str = "export.json";
/// The file that one process at a time may lock.
const LOCK: &str = "export.lock";
/// The end of the names of files that are not complete.
const PART: &str = ".part";
/// The number of attempts to download an image that is replaced meanwhile.
const IMAGE_ATTEMPTS: u32 = 3;
/// The largest number of records that the summary names.
const MAX_NAMED: usize = 20;

/// The progress of an export.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    manifest: Manifest,
    /// The resources whose lists have begun, by name.
    lists: BTreeMap<String, ListProgress>,
}

/// The progress of a list. The part files may be longer, if the process was killed before it stored the progress.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct ListProgress {
    /// The length of the part file with the records.
    records_bytes: u64,
    /// The length of the part file with the digests of images.
    digests_bytes: u64,
    /// The page to read next.
    next: Option<String>,
    is_done: bool,
    /// The records that do not exist any longer, if the feed reported the changes.
    #[serde(default)]
    deleted: Vec<u64>,
}

struct Export {
    api: Api,
    folder: PathBuf,
    progress: Progress,
    bar: ProgressBar,
    /// The number of records that this process has read.
    read: u64,
}

/// The identifiers of the records that have changed since an earlier archive, for each resource whose changes the feed
/// reports. Every other resource is listed.
type FeedChanges = BTreeMap<&'static str, BTreeSet<u64>>;

/// The archive that an archive of changes follows.
struct Earlier {
    folder: PathBuf,
    manifest: Manifest,
}

pub async fn run(api: Api, options: ExportOptions) -> Result<(), Error> {
    let ExportOptions { to, user, since, zip, .. } = options;
    std::fs::create_dir_all(to.join(IMAGES)).map_err(|error| format!("{}: {error}", to.display()))?;
    let lock = File::create(to.join(LOCK))?;
    lock.try_lock().map_err(|_| format!("Another export writes to {}. Wait for its end.", to.display()))?;
    let complete = Manifest::read(&to)?;
    if complete.is_some() && !to.join(PROGRESS).exists() {
        std::fs::remove_file(to.join(LOCK)).or_else(ignore_missing)?;
        return Err(format!("{} has a complete archive. Choose another folder.", to.display()).into());
    }
    let earlier = since.map(|folder| Earlier::read(folder, &api)).transpose()?;
    let mut export = Export::begin(api, &to, user, earlier.as_ref().map(|earlier| earlier.manifest.feed)).await?;
    let mut left_out = Vec::new();
    match complete {
        // The last process ended while it removed the part files. What is left of them is not the archive.
        Some(manifest) => export.progress.manifest = manifest,
        None => left_out = export.read_all(user, earlier.as_ref()).await?,
    }
    export.bar.finish_and_clear();
    if zip {
        pack(&to)?;
    }
    export.summarize(&left_out);
    export.remove_parts()
}

impl Earlier {
    /// Opens the archive that an archive of changes follows.
    fn read(folder: PathBuf, api: &Api) -> Result<Self, Error> {
        let name = folder.display();
        let manifest = Manifest::read(&folder)?.ok_or_else(|| format!("{name} has no complete archive."))?;
        if let Some(user) = manifest.user {
            return Err(format!("{name} has only the user {user}. Export the changes since a whole archive.").into());
        }
        if manifest.source != api.base() {
            let (source, base) = (&manifest.source, api.base());
            return Err(format!(
                "{name} is an archive of {source}, not of {base}. Use the URL that it was exported from."
            )
            .into());
        }
        Ok(Self { folder, manifest })
    }

    /// Returns the identifiers of a resource's records, each with its unique value.
    fn records(&self, resource: &'static Resource) -> Result<BTreeMap<u64, Option<String>>, Error> {
        let mut found = BTreeMap::new();
        for record in Records::open(&self.folder, resource)? {
            let Numbered { id, record, .. } = record?;
            found.insert(id, resource.unique.and_then(|unique| record.text(unique.attribute.name)));
        }
        Ok(found)
    }
}

impl Export {
    /// Begins an export, or continues the one in the folder.
    async fn begin(api: Api, folder: &Path, user: Option<Id>, since: Option<u64>) -> Result<Self, Error> {
        let user = user.map(Id::number);
        let progress = if let Some(progress) = read_json::<Progress>(&folder.join(PROGRESS))? {
            let Manifest { source, user: of, since: after, .. } = &progress.manifest;
            if (source.as_str(), *of, *after) != (api.base(), user, since) {
                let folder = folder.display();
                return Err(
                    format!("{folder} has an export with other options. Choose another folder, or remove it.").into()
                );
            }
            progress
        } else {
            // Every change after this number is in the next archive of changes, even if this one has it, too.
            let head = api.get("feed").await?;
            let head = head.feed_head.ok_or_else(|| head.explanation())?;
            let manifest = Manifest { since, user, ..Manifest::new(api.base(), head) };
            Progress { manifest, lists: BTreeMap::new() }
        };
        let style = ProgressStyle::with_template("{msg:14} {bar:30} {percent:>3} %  {prefix}  {eta} left")?;
        let bar = ProgressBar::new(1).with_style(style);
        let export = Self { api, folder: folder.to_owned(), progress, bar, read: 0 };
        export.save()?;
        Ok(export)
    }

    /// Reads all records and writes the archive. Returns the records that it leaves out.
    async fn read_all(&mut self, user: Option<Id>, earlier: Option<&Earlier>) -> Result<Vec<String>, Error> {
        let changes = match earlier {
            Some(earlier) => self.changes_since(earlier).await?,
            None => FeedChanges::default(),
        };
        match user {
            Some(id) => self.list_user(id).await?,
            None => {
                for resource in resources::in_order_of_references().into_iter().rev() {
                    match changes.get(resource.name) {
                        Some(ids) => self.read_changed(resource, ids).await?,
                        None => self.list(resource).await?,
                    }
                }
            }
        }
        self.complete(earlier, &changes)
    }

    fn save(&self) -> Result<(), Error> {
        write_json(&self.folder.join(PROGRESS), &self.progress)
    }

    fn part(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{PART}"))
    }

    /// Lists all records of a resource, from the page at which the last process stopped.
    async fn list(&mut self, resource: &'static Resource) -> Result<(), Error> {
        let first = format!("{}?order=asc&limit={PAGE}", resource.name);
        let mut next = match self.progress.lists.get(resource.name) {
            Some(progress) if progress.is_done => return Ok(()),
            Some(progress) => progress.next.clone().or(Some(first)),
            None => Some(first),
        };
        self.bar.reset();
        let mut progress = self.progress.lists.get(resource.name).cloned().unwrap_or_default();
        while let Some(page) = next {
            let reply = self.api.get(&page).await?;
            self.append(resource, records_of(&reply)?, &mut progress).await?;
            next = reply.next;
            (progress.next, progress.is_done) = (next.clone(), next.is_none());
            self.progress.lists.insert(resource.name.to_owned(), progress.clone());
            self.save()?;
        }
        Ok(())
    }

    /// Reads the records that the feed reports as changed. Those that do not exist are deleted.
    async fn read_changed(&mut self, resource: &'static Resource, changed: &BTreeSet<u64>) -> Result<(), Error> {
        if self.progress.lists.contains_key(resource.name) {
            return Ok(());
        }
        let mut progress = ListProgress { is_done: true, ..ListProgress::default() };
        let ids: Vec<u64> = changed.iter().copied().collect();
        for ids in ids.chunks(PAGE) {
            let read = stream::iter(ids).map(|id| {
                let api = self.api.clone();
                async move { Ok::<_, Error>((*id, record_of(&api.get(&format!("{}/{id}", resource.name)).await?)?)) }
            });
            let found: Vec<_> = read.buffered(self.api.concurrency).try_collect().await?;
            progress.deleted.extend(found.iter().filter(|(_, record)| record.is_none()).map(|(id, _)| *id));
            let records = found.into_iter().filter_map(|(_, record)| record).collect();
            self.append(resource, records, &mut progress).await?;
        }
        self.progress.lists.insert(resource.name.to_owned(), progress);
        self.save()
    }

    /// Lists the records of one user, and everything that belongs to them.
    async fn list_user(&mut self, id: Id) -> Result<(), Error> {
        // One user is soon listed, so an interrupted export starts over.
        self.progress.lists.clear();
        let users = &resources::USERS;
        let mut paths = vec![(users, format!("{}/{id}", users.name))];
        let mut found = BTreeMap::<_, Vec<Record>>::new();
        while let Some((resource, path)) = paths.pop() {
            let reply = self.api.get(&path).await?;
            let records = match reply.body.first() {
                Some(b'[') => records_of(&reply)?,
                _ => record_of(&reply)?.into_iter().collect(),
            };
            if records.is_empty() && resource == users {
                // The next attempt may have another identifier.
                self.remove_parts()?;
                return Err(reply.explanation().into());
            }
            paths.extend(reply.next.map(|next| (resource, next)));
            for record in &records {
                paths.extend(children_of(resource, record));
            }
            found.entry(resource.name).or_default().extend(records);
        }
        for resource in resources::ALL {
            let records = found.remove(resource.name).unwrap_or_default();
            self.append(resource, records, &mut ListProgress::default()).await?;
        }
        Ok(())
    }

    /// Appends records to the part files of their resource, with their images.
    async fn append(
        &mut self,
        resource: &'static Resource,
        records: Vec<Record>,
        progress: &mut ListProgress,
    ) -> Result<(), Error> {
        self.show(resource, &records);
        let records: Vec<Record> = records.into_iter().map(|record| record.without_embedded(resource)).collect();
        let (mut text, mut digests) = (String::new(), String::new());
        if let Some(field) = image_field(resource) {
            let with_images = stream::iter(records).map(|record| self.with_image(resource, field.name, record));
            let with_images: Vec<_> = with_images.buffered(self.api.concurrency).try_collect().await?;
            for (record, digest) in with_images.into_iter().flatten() {
                text += &(record.line()? + "\n");
                digests += &(digest + "\n");
            }
        } else {
            for record in records {
                text += &(record.line()? + "\n");
            }
        }
        append(&self.part(&file_of(resource)), &mut progress.records_bytes, &text)?;
        if let Some(name) = digests_of(resource) {
            append(&self.part(&name), &mut progress.digests_bytes, &digests)?;
        }
        Ok(())
    }

    /// Downloads the image of a record. Returns the record with the image's path in the archive, and the digest. None if the
    /// record was deleted meanwhile.
    async fn with_image(
        &self,
        resource: &'static Resource,
        field: &str,
        mut record: Record,
    ) -> Result<Option<(Record, String)>, Error> {
        let id = record.id(resource.id.name).ok_or("a record without an identifier")?;
        for _ in 0..IMAGE_ATTEMPTS {
            let url = record.text(field).ok_or("a record without an image")?;
            let image = self.api.image(&url).await?;
            if image.status.is_success() {
                let path = format!("{IMAGES}/{}/{id}.{}", resource.name, extension(&image.content_type));
                let place = image_path(&self.folder, &path)?;
                std::fs::create_dir_all(self.folder.join(IMAGES).join(resource.name))?;
                replace(&place, &image.body)?;
                record.remove(field);
                record.set(IMAGE, &Value::from(path.as_str()))?;
                return Ok(Some((record, digest_line(&image.body, &path))));
            }
            // The image was replaced or deleted after the record was listed.
            let again = self.api.get(&format!("{}/{id}", resource.name)).await?;
            match record_of(&again)? {
                Some(now) => record = now.without_embedded(resource),
                None => return Ok(None),
            }
        }
        Err(format!("The image of {}/{id} cannot be downloaded.", resource.name).into())
    }

    /// Shows the progress of a list in time, because nothing tells the number of its records.
    fn show(&mut self, resource: &'static Resource, records: &[Record]) {
        self.read += records.len() as u64;
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
        self.bar.set_prefix(format!("{} records, {} each second", self.read, self.read / seconds));
    }

    /// Returns the records that the feed reports since an earlier archive, of each resource whose changes it all reports.
    /// Empty if the feed no longer has them: then everything is listed, and compared with the earlier archive.
    async fn changes_since(&self, earlier: &Earlier) -> Result<FeedChanges, Error> {
        let reported = resources::ALL.into_iter().filter(|resource| {
            let feed = &resource.feed;
            feed.created && feed.updated && feed.deleted
        });
        let mut changes: FeedChanges = reported.map(|resource| (resource.name, BTreeSet::new())).collect();
        let mut next = Some(format!("feed?after={}", earlier.manifest.feed));
        while let Some(page) = next {
            let reply = self.api.get(&page).await?;
            if reply.code().as_deref() == Some("entries_expired") {
                if earlier.manifest.since.is_some() {
                    let folder = earlier.folder.display();
                    return Err(format!("The feed no longer has the changes since {folder}, which has no whole list of events. Export the changes since a whole archive.").into());
                }
                eprintln!(
                    "The feed no longer has the changes since the earlier archive. All records are listed and compared."
                );
                return Ok(FeedChanges::default());
            }
            for entry in records_of(&reply)? {
                let subject = entry.text("subject").unwrap_or_default();
                let Some((name, id)) = subject.split_once('/') else { continue };
                if let (Some(ids), Ok(id)) = (changes.get_mut(name), id.parse()) {
                    ids.insert(id);
                }
            }
            next = reply.next;
        }
        Ok(changes)
    }

    /// Turns the part files into the archive, without records whose parent was deleted during the export. Returns those.
    fn complete(&mut self, earlier: Option<&Earlier>, changes: &FeedChanges) -> Result<Vec<String>, Error> {
        let mut left_out = Vec::new();
        let mut known = HashMap::<&str, Vec<u64>>::new();
        let mut deleted = LineWriter::create(&self.folder.join(DELETED))?;
        for resource in resources::in_order_of_references() {
            let mut ids = Vec::new();
            let mut records = LineWriter::create(&self.folder.join(file_of(resource)))?;
            let digests_name = digests_of(resource);
            let mut images =
                digests_name.as_ref().map(|name| LineWriter::create(&self.folder.join(name))).transpose()?;
            let mut digests = lines(&self.part(&digests_name.clone().unwrap_or_default()))?;
            for line in lines(&self.part(&file_of(resource)))? {
                let mut record = Record::parse(&line?)?;
                let digest = if images.is_some() { digests.next().transpose()? } else { None };
                let id = record.id(resource.id.name).ok_or("a record without an identifier")?;
                if let Some(why) = without_missing(&mut record, resource, &known)? {
                    left_out.push(format!("{}/{id}: {why}", resource.name));
                    continue;
                }
                ids.push(id);
                records.add(&record.line()?)?;
                if let (Some(images), Some(digest)) = (&mut images, digest) {
                    images.add(&digest)?;
                }
            }
            ids.sort_unstable();
            if let Some(earlier) = earlier {
                let mut gone = BTreeMap::new();
                if changes.contains_key(resource.name) {
                    let progress = self.progress.lists.get(resource.name).cloned().unwrap_or_default();
                    gone.extend(progress.deleted.into_iter().map(|id| (id, None)));
                } else {
                    gone = earlier.records(resource)?;
                    gone.retain(|id, _| ids.binary_search(id).is_err());
                }
                // Immutable records are deleted with their parents only.
                gone.retain(|_, _| !resource.immutable);
                for (id, unique) in gone {
                    let line = DeletedRecord { resource: resource.name.to_owned(), id, unique };
                    deleted.add(&serde_json::to_string(&line)?)?;
                }
            }
            let files = &mut self.progress.manifest.files;
            files.insert(file_of(resource), records.finish()?);
            if let (Some(name), Some(images)) = (digests_name, images) {
                files.insert(name, images.finish()?);
            }
            // Of the resources that the feed reports, only the changed records are known.
            if !changes.contains_key(resource.name) {
                known.insert(resource.name, ids);
            }
        }
        let deleted = deleted.finish()?;
        if earlier.is_some() {
            self.progress.manifest.files.insert(DELETED.to_owned(), deleted);
        } else {
            std::fs::remove_file(self.folder.join(DELETED))?;
        }
        self.progress.manifest.write(&self.folder)?;
        Ok(left_out)
    }

    fn summarize(&self, left_out: &[String]) {
        for (name, file) in &self.progress.manifest.files {
            println!("{:>9}  {name}", file.records);
        }
        println!("{} is complete.", self.folder.display());
        if !left_out.is_empty() {
            println!("{} records were deleted during the export, or their parents were:", left_out.len());
        }
        for record in left_out.iter().take(MAX_NAMED) {
            println!("  {record}");
        }
        if left_out.len() > MAX_NAMED {
            println!("  … and {} more", left_out.len() - MAX_NAMED);
        }
    }

    /// Removes the files that the archive does not need.
    fn remove_parts(&self) -> Result<(), Error> {
        for resource in resources::ALL {
            for name in [Some(file_of(resource)), digests_of(resource)].into_iter().flatten() {
                std::fs::remove_file(self.part(&name)).or_else(ignore_missing)?;
            }
        }
        std::fs::remove_file(self.folder.join(LOCK)).or_else(ignore_missing)?;
        // Last, so that a process that is killed before leaves work for the next one.
        Ok(std::fs::remove_file(self.folder.join(PROGRESS)).or_else(ignore_missing)?)
    }
}

/// Returns the records of a page.
fn records_of(reply: &Reply) -> Result<Vec<Record>, Error> {
    if !reply.status.is_success() {
        return Err(reply.explanation().into());
    }
    Ok(serde_json::from_slice(&reply.body)?)
}

/// Returns the record of a response. None if it does not exist.
fn record_of(reply: &Reply) -> Result<Option<Record>, Error> {
    match reply.status.as_u16() {
        200 => Ok(Some(serde_json::from_slice(&reply.body)?)),
        404 => Ok(None),
        _ => Err(reply.explanation().into()),
    }
}

/// Returns the paths of the records that belong to this one.
fn children_of(resource: &'static Resource, record: &Record) -> Vec<(&'static Resource, String)> {
    let own = format!("{}/{}", resource.name, record.id(resource.id.name).unwrap_or_default());
    let lists = resources::links(resource).iter().filter_map(|link| match link.target {
        LinkTarget::Many(child) => Some((child.resource, format!("{own}/{}?order=asc&limit={PAGE}", link.name))),
        _ => None,
    });
    let slots = resources::children(resource).iter().filter_map(|child| match child.relation.on_parent {
        OnParent::One { slot, .. } if resource.field(slot).is_some() => {
            Some((child.resource, format!("{}/{}", child.resource.name, record.id(slot)?)))
        }
        _ => None,
    });
    lists.chain(slots).collect()
}

/// Removes references to records that do not exist any longer. Returns the reason if the record cannot be without one.
fn without_missing(
    record: &mut Record,
    resource: &'static Resource,
    known: &HashMap<&str, Vec<u64>>,
) -> Result<Option<String>, Error> {
    for (field, to) in resources::references(resource) {
        let Some(id) = record.id(field) else { continue };
        if known.get(to.name).is_none_or(|ids| ids.binary_search(&id).is_ok()) {
            continue;
        }
        if resource.field(field).is_some_and(|field| matches!(field.input, Input::Required)) {
            return Ok(Some(format!("{}/{id} does not exist any longer", to.name)));
        }
        record.set(field, &Value::Null)?;
    }
    Ok(None)
}

/// Appends text to a file after a number of bytes, and counts them. Text behind them was not complete.
fn append(path: &Path, bytes: &mut u64, text: &str) -> Result<(), Error> {
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    file.set_len(*bytes)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(text.as_bytes())?;
    *bytes += text.len() as u64;
    Ok(())
}

fn ignore_missing(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Returns the end of an image's file name.
fn extension(content_type: &str) -> &'static str {
    match content_type {
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        _ => "png",
    }
}

/// Packs the archive into one file beside the folder.
fn pack(folder: &Path) -> Result<(), Error> {
    let mut target = folder.as_os_str().to_owned();
    target.push(".zip");
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("archive").to_owned();
    let mut zip = zip::ZipWriter::new(File::create(&target)?);
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(folder)?.to_string_lossy().into_owned();
            if [PROGRESS, LOCK].contains(&inside.as_str()) || inside.ends_with(PART) {
                continue;
            }
            let options = zip::write::SimpleFileOptions::default().large_file(true);
            zip.start_file(format!("{name}/{inside}"), options)?;
            std::io::copy(&mut File::open(&path)?, &mut zip)?;
        }
    }
    zip.finish()?.sync_all()?;
    println!("{} is packed.", Path::new(&target).display());
    Ok(())
}
