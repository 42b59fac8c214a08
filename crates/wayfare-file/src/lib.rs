//! Files that are written whole or not at all.
//!
//! A [`WholeFile`] grows under a temporary name in the folder of its destination.
//! [`WholeFile::finish`] renames it into place, so that a reader, or the user after a crash, sees
//! the old file or the new one and never half of either.
//!
//! # Destinations that are not plain files
//!
//! - A symbolic link stays: the file that it leads to is written.
//! - A device or pipe stays: it is written directly.
//! - An existing file keeps its permissions.
//! - A folder is refused.
//!
//! # Leftovers
//!
//! A killed program leaves its temporary file. The next [`WholeFile`] in the same folder removes
//! it. A temporary file in use is locked, so a leftover is one that can be locked. A program that
//! is asked to stop, and handles the signal, calls [`remove_unfinished`] and leaves nothing.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::NamedTempFile;

const PREFIX: &str = ".wayfare-";
const SUFFIX: &str = ".tmp";

/// Age from which on a temporary file may be a leftover. Younger ones may not be locked yet.
const LEFTOVER_AGE: Duration = Duration::from_secs(60);

/// The most links that are followed from one to the next.
const MAX_LINKS: usize = 40;

/// A file in the making. Without [`WholeFile::finish`] nothing is left of it.
///
/// ```
/// use std::io::Write;
/// use wayfare_file::WholeFile;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("answer.txt");
/// let mut file = WholeFile::create(&path)?;
/// file.write_all(b"42")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"42");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WholeFile(Destination);

#[derive(Debug)]
enum Destination {
    /// A device or pipe.
    Direct(File),
    Renamed {
        file: BufWriter<NamedTempFile>,
        path: PathBuf,
        _unfinished: Unfinished,
    },
}

/// The temporary files of this program that are being written.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Returns a panic elsewhere leaves the set of paths as it was.
fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The entry of a temporary file in [`UNFINISHED`], for as long as it is being written.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Unfinished {
    fn of(path: &Path) -> Self {
        unfinished().insert(path.to_path_buf());
        Self(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Removes the temporary files of all [`WholeFile`]s that are not finished. For a program about to
/// end before its time; files whose temporary names are gone cannot be finished any more.
///
/// ```
/// use wayfare_file::{WholeFile, remove_unfinished};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("answer.txt");
/// let file = WholeFile::create(&path)?;
/// remove_unfinished();
/// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
/// assert!(file.finish().is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn remove_unfinished() {
    for path in unfinished().iter() {
        // One that was renamed a moment ago is finished.
        let _ = fs::remove_file(path);
    }
}

impl WholeFile {
    /// Begins a file that will be at `path`.
    ///
    /// # Errors
    /// When `path` is a folder, or its folder is missing or not writable. The message names no
    /// file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = behind_links(path);
        let existing = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
            }
            Ok(metadata) if !metadata.is_file() => {
                let file = OpenOptions::new().write(true).open(&path)?;
                return Ok(Self(Destination::Direct(file)));
            }
            existing => existing.ok(),
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        remove_leftovers(folder);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        // Temporary files are private by default; a new file has the permissions of any other.
        #[cfg(unix)]
        if existing.is_none() {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder).map_err(without_path)?;
        // Where locks are not to be had, only the age protects the file.
        let _ = file.as_file().try_lock();
        if let Some(existing) = existing {
            file.as_file().set_permissions(existing.permissions())?;
        }
        let unfinished = Unfinished::of(file.path());
        let file = BufWriter::new(file);
        Ok(Self(Destination::Renamed { file, path, _unfinished: unfinished }))
    }

    /// Returns the name under which it grows, for a library that writes to files by their names.
    /// Nothing else should write to it.
    ///
    /// # Errors
    /// When the destination is a device or a pipe.
    pub fn temporary_path(&self) -> io::Result<&Path> {
        match &self.0 {
            Destination::Direct(_) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "it is no plain file"))
            }
            Destination::Renamed { file, .. } => Ok(file.get_ref().path()),
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the disk is full or the place cannot be written. An earlier file is then untouched.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Destination::Direct(mut file) => file.flush(),
            Destination::Renamed { file, path, .. } => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.as_file().sync_all()?;
                file.persist(path).map_err(|error| without_path(error.error))?;
                Ok(())
            }
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Destination::Direct(file) => file.write(bytes),
            Destination::Renamed { file, .. } => file.write(bytes).map_err(without_path),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Destination::Direct(file) => file.flush(),
            Destination::Renamed { file, .. } => file.flush().map_err(without_path),
        }
    }
}

/// Writes a file whole or not at all.
///
/// # Errors
/// As [`WholeFile::create`] and [`WholeFile::finish`].
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Returns the path that a chain of symbolic links leads to.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

/// Returns an error without the temporary name, which means nothing to the user. `tempfile` appends
/// it.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((message, _)) => io::Error::new(error.kind(), message),
        None => error,
    }
}

/// Removes the temporary files of programs that were killed. Failing to is no reason not to write.
fn remove_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) && is_leftover(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_leftover(path: &Path) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else { return false };
    let age = metadata.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
    metadata.is_file()
        && age.is_some_and(|age| age >= LEFTOVER_AGE)
        && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}
