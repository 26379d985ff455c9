//! File access. Only the owner may read the files written here, since an archive holds a channel's history. An imported
//! archive is untrusted: no function waits for a pipe, follows a link, or loads a line of unlimited length.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::line_sums::{LineSums, hash};

/// Maximum length of a line. A record has at most 2 MB of JSON, but other writers may escape more characters.
const MAX_LINE_BYTES: usize = 4_000_000;

/// Summary of a file.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct FileSummary {
    /// Number of lines.
    pub records: u64,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Sums that locate a changed line. `None` in older archives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_sums: Option<LineSums>,
}

impl FileSummary {
    /// Returns true if the files are equal. Line sums are not compared: older summaries lack them.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.records, &self.sha256) == (other.records, &other.sha256)
    }

    /// Finds the line that differs from another file. `None` if several lines differ or lines are missing.
    pub fn changed_line(&self, other: &Self) -> Option<u64> {
        let sums = self.line_sums.zip(other.line_sums).filter(|_| self.records == other.records);
        sums.and_then(|(own, others)| own.changed_line(others)).filter(|number| *number <= self.records)
    }
}

/// Creates a folder that only its owner may enter. An existing folder with files keeps its permissions.
pub fn create_folder(path: &Path) -> Result<()> {
    // Drop a trailing `.`, which does not exist before the folder does.
    let path: PathBuf = path.components().collect();
    system::create_private_folder(&path)?;
    // This may fail if the folder belongs to another account.
    if std::fs::read_dir(&path)?.next().is_none() {
        let _ = system::restrict(&path);
    }
    Ok(())
}

/// Returns options that create files with access for their owner only.
pub fn private() -> OpenOptions {
    let mut options = system::private_file();
    options.create(true);
    options
}

/// Creates an empty file, or truncates an existing one.
pub fn create(path: &Path) -> Result<File> {
    private().truncate(true).open(path)
}

/// Opens a file for reading.
///
/// # Errors
/// If it is a link, a pipe or a folder.
pub fn open(path: &Path) -> Result<File> {
    if !std::fs::symlink_metadata(path)?.is_file() {
        let problem = "not a regular file. Put the file itself in the place of a link, a pipe or a folder";
        return Err(Error::new(ErrorKind::InvalidInput, problem));
    }
    File::open(path)
}

/// Reads a file of at most `max_bytes`.
///
/// # Errors
/// If the file is larger or not a regular file.
pub fn read(path: &Path, max_bytes: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > max_bytes {
        let problem = format!("more than {max_bytes} bytes, which is too large for this file");
        return Err(Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// Replaces a file atomically. A killed process leaves either the old or the new file.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let new = append_suffix(path, ".new");
    create(&new)?.write_all(bytes)?;
    std::fs::rename(new, path)
}

/// Appends a suffix to a path.
pub fn append_suffix(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Summarizes a file. Lines may have any length.
pub fn summarize(path: &Path) -> Result<FileSummary> {
    let (mut file, mut digest) = (BufReader::with_capacity(1 << 16, open(path)?), Sha256::new());
    let (mut records, mut line_sums, mut line) = (0, LineSums::default(), None);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        digest.update(bytes);
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let text = part.strip_suffix(b"\n").unwrap_or(part);
            let hashed = hash(line.unwrap_or_default(), text);
            line = Some(hashed);
            if text.len() < part.len() {
                records += 1;
                line_sums.add(records, hashed);
                line = None;
            }
        }
        let length = bytes.len();
        file.consume(length);
    }
    // The last line may lack a newline.
    if let Some(hashed) = line {
        records += 1;
        line_sums.add(records, hashed);
    }
    Ok(FileSummary { records, sha256: hex::encode(digest.finalize()), line_sums: Some(line_sums) })
}

/// Iterator over the lines of a file, without line endings.
pub struct Lines {
    /// `None` after the last line.
    file: Option<BufReader<File>>,
}

impl Lines {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { file: Some(BufReader::new(open(path)?)) })
    }

    /// Opens a file, or returns an empty iterator if it does not exist.
    pub fn open_if_exists(path: &Path) -> Result<Self> {
        Self::open(path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(Self { file: None }),
            _ => Err(error),
        })
    }

    fn read(file: &mut BufReader<File>) -> Result<String> {
        let mut line = String::new();
        file.take(MAX_LINE_BYTES as u64 + 1).read_line(&mut line)?;
        if line.len() > MAX_LINE_BYTES {
            let problem = format!("a line of more than {MAX_LINE_BYTES} bytes, longer than any record");
            return Err(Error::new(ErrorKind::InvalidData, problem));
        }
        Ok(line)
    }
}

impl Iterator for Lines {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Result<String>> {
        let line = Self::read(self.file.as_mut()?);
        if line.as_ref().map_or(true, String::is_empty) {
            self.file = None;
        }
        match line {
            Ok(line) if line.is_empty() => None,
            Ok(mut line) => {
                line.truncate(line.strip_suffix('\n').map_or(line.len(), |line| line.trim_end_matches('\r').len()));
                Some(Ok(line))
            }
            Err(error) => Some(Err(error)),
        }
    }
}

/// Writes lines, and summarizes them.
pub struct LineWriter {
    file: BufWriter<File>,
    digest: Sha256,
    records: u64,
    line_sums: LineSums,
}

impl LineWriter {
    /// Creates a file.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self {
            file: BufWriter::new(create(path)?),
            digest: Sha256::new(),
            records: 0,
            line_sums: LineSums::default(),
        })
    }

    /// Appends a line.
    pub fn add(&mut self, line: &str) -> Result<()> {
        for part in [line, "\n"] {
            self.file.write_all(part.as_bytes())?;
            self.digest.update(part);
        }
        self.records += 1;
        self.line_sums.add(self.records, hash(0, line.as_bytes()));
        Ok(())
    }

    /// Completes the file, and returns its summary.
    pub fn finish(self) -> Result<FileSummary> {
        self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        let (records, line_sums) = (self.records, Some(self.line_sums));
        Ok(FileSummary { records, sha256: hex::encode(self.digest.finalize()), line_sums })
    }
}
