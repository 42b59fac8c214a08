//! Whole files in and out: reads are capped, writes are all or nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::{WorldError, WorldErrorKind};
use crate::format::FileFormat;

/// The most files of a folder that are looked through for a similar name.
const MAX_BESIDE: usize = 10_000;

/// The source of the files of a world: the file itself, and the files that it names.
///
/// A world may name others: a scene its world and its meshes, a Tiled map its tilesets, an image
/// its legend. All are looked for here, by paths beside or below the world's own.
///
/// ```
/// use std::borrow::Cow;
/// use std::io;
/// use std::path::Path;
/// use wayfare_formats::heightmap::HeightmapOptions;
/// use wayfare_formats::{Files, World, read_from};
///
/// /// Any text map is an empty yard.
/// struct Yards;
///
/// impl Files for Yards {
///     fn read(&self, _: &Path, _: u64) -> io::Result<Cow<'_, [u8]>> {
///         Ok(Cow::Borrowed(b"....\n....\n"))
///     }
///     fn contains(&self, path: &Path) -> bool {
///         path.extension().is_some_and(|extension| extension == "txt")
///     }
/// }
/// let world = read_from("any.txt", &Yards, HeightmapOptions::default())?;
/// assert!(matches!(world, World::TileMap(_)));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
pub trait Files {
    /// Reads a whole file, or its first `cap + 1` bytes if it is larger: more is an error of the
    /// caller.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read.
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>>;

    /// Returns whether there is such a file.
    fn contains(&self, path: &Path) -> bool;

    /// Returns the paths of the files in the folder of `path`, in any order. A missing file is
    /// looked for among them under a similar name. None by default.
    fn beside(&self, _path: &Path) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// The files of the file system.
///
/// ```
/// use wayfare_formats::{FileSystem, Files};
/// assert!(!FileSystem.contains("no/such/file.txt".as_ref()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FileSystem;

impl Files for FileSystem {
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>> {
        // Before it is opened: opening a pipe waits for a writer.
        let metadata = std::fs::metadata(path)?;
        if !metadata.is_file() {
            let kind = match metadata.is_dir() {
                true => "a folder, not a file",
                false => "a pipe, a socket or a device, not a file: save its content in one first",
            };
            return Err(io::Error::other(format!("this is {kind}")));
        }
        let file = File::open(path)?;
        // The size is a hint only: a growing file has no fixed one.
        let size = metadata.len().min(cap);
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).saturating_add(1));
        file.take(cap.saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }

    fn contains(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        let folder = path.parent().unwrap_or(Path::new(""));
        // The folder of a bare name is the current one, but its name stays out of the paths.
        let read = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(read) else { return Vec::new() };
        let names = entries.flatten().take(MAX_BESIDE).map(|entry| entry.file_name());
        names.map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
    }
}

/// Files in memory, by path. Made for systems without a file system, and for tests.
///
/// ```
/// use wayfare_formats::heightmap::HeightmapOptions;
/// use wayfare_formats::{MemoryFiles, World, read_from};
///
/// let files = MemoryFiles::new().with("yard.txt", *b"S..\n.#.\n..G\n");
/// let world = read_from("yard.txt", &files, HeightmapOptions::default())?;
/// assert!(matches!(world, World::TileMap(_)));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemoryFiles(BTreeMap<PathBuf, Vec<u8>>);

impl MemoryFiles {
    /// Returns no files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, in exchange for one of the same path.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.into(), bytes.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &Path, _cap: u64) -> io::Result<Cow<'_, [u8]>> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(bytes.into())
    }

    fn contains(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        self.0.keys().filter(|other| other.parent() == path.parent()).cloned().collect()
    }
}

/// A folder of the files.
#[derive(Clone, Copy)]
pub struct Folder<'f> {
    /// The files.
    pub files: &'f dyn Files,
    /// The folder among them.
    pub path: &'f Path,
}

impl<'f> Folder<'f> {
    /// Returns a folder of the file system.
    #[must_use]
    pub fn on_disk(path: &'f Path) -> Self {
        Self { files: &FileSystem, path }
    }
}

/// Reads a whole file of at most `cap` bytes.
///
/// # Errors
/// When it is larger or cannot be read.
pub fn read_capped<'f>(
    files: &'f dyn Files,
    path: &Path,
    cap: u64,
) -> Result<Cow<'f, [u8]>, WorldError> {
    let bytes = files.read(path, cap).map_err(|error| unreadable(&error, files, path))?;
    if bytes.len() as u64 > cap {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!("the file is larger than {cap} bytes, the most that is read in this format"),
        )
        .in_file(path));
    }
    Ok(bytes)
}

/// Returns why a file cannot be read. A missing one may exist under a longer or a similar name.
pub(crate) fn unreadable(error: &io::Error, files: &dyn Files, path: &Path) -> WorldError {
    if error.kind() != io::ErrorKind::NotFound {
        return WorldError::io(error, "reading the file").in_file(path);
    }
    let missing = WorldError::new(WorldErrorKind::Io, "there is no such file").in_file(path);
    let longer = |format: &FileFormat| {
        let name = PathBuf::from(format!("{}.{}", path.display(), format.extension()));
        files.contains(&name).then_some(name)
    };
    let meant = FileFormat::all().iter().find_map(longer);
    match meant.or_else(|| similar(files, path)) {
        Some(meant) => missing.advise(format!("did you mean {}?", meant.display())),
        None => missing,
    }
}

/// Returns the file beside a missing one with the most similar name, if any is similar: up to one
/// letter in three differs.
fn similar(files: &dyn Files, path: &Path) -> Option<PathBuf> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let missing = name(path)?;
    let distance = |other: &Path| Some(strsim::osa_distance(&missing, &name(other)?));
    let is_known = |other: &PathBuf| FileFormat::of(other).is_some();
    let candidates = files.beside(path).into_iter().filter(is_known);
    let rated = candidates.filter_map(|other| Some((distance(&other)?, other)));
    let (distance, nearest) = rated.min()?;
    (distance * 3 <= missing.chars().count()).then_some(nearest)
}

/// Returns a file that a map names, which must be relative; `what` is in it.
#[cfg(any(feature = "ldtk", feature = "tiled"))]
pub(crate) fn path_beside(folder: &Path, what: &str, source: &str) -> Result<PathBuf, WorldError> {
    let path = Path::new(source);
    if path.is_absolute() || path.has_root() || source.contains([':', '\\']) {
        return Err(WorldError::new(
            WorldErrorKind::Value,
            format!("the {what} '{source}' is not named relative to the map"),
        )
        .advise("put it in a folder near the map, and save the map again"));
    }
    Ok(folder.join(path))
}

/// Writes a whole file, as [`wayfare_file::write_whole`] does: a reader, or the user after a crash,
/// sees the old file or the new one and never half of either.
///
/// # Errors
/// [`WorldErrorKind::Io`] when the folder is missing or not writable, or the disk is full; the old
/// file is then untouched.
#[cfg(feature = "fs")]
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WorldError> {
    wayfare_file::write_whole(path, bytes)
        .map_err(|error| WorldError::io(&error, "writing the file").in_file(path))
}
