//! Whole files in and out: reads are capped, writes are all or nothing.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::error::{WorldError, WorldErrorKind};

/// Reads a whole file of at most `cap` bytes.
pub(crate) fn read_capped(path: &Path, cap: u64) -> Result<Vec<u8>, WorldError> {
    let file = File::open(path)
        .map_err(|error| WorldError::io(&error, "opening the file").in_file(path))?;
    // The size is a hint only: a pipe or a growing file has none that holds.
    let size = file.metadata().map_or(0, |metadata| metadata.len()).min(cap);
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0).saturating_add(1));
    file.take(cap + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| WorldError::io(&error, "reading the file").in_file(path))?;
    if bytes.len() as u64 > cap {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!("the file is larger than {cap} bytes, the most that is read in this format"),
        )
        .in_file(path));
    }
    Ok(bytes)
}

/// Writes a whole file to a temporary name in the same folder, then renames it into place, so that
/// a reader (or a crash) sees the old file or the new one and never half of either.
///
/// # Errors
/// [`WorldErrorKind::Io`] when the folder is missing or not writable, or the disk is full; the old
/// file is then untouched.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WorldError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> std::io::Result<()> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".wayfare-").suffix(".tmp");
        // A temporary file is private by default; what is left behind should be an ordinary file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| WorldError::io(&error, "writing the file").in_file(path))
}
