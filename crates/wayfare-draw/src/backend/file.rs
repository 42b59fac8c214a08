//! Files that are there whole or not at all.

use std::io::{BufWriter, Write};
use std::path::Path;

use crate::{DrawError, Picture};

/// Writes a file under a temporary name in the same folder and renames it when it is complete, so that nobody ever sees
/// half of it and an earlier file of that name survives a failure.
///
/// # Errors
/// What `fill` returns, or [`DrawError::Write`].
pub fn write_whole<T>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, DrawError>,
) -> Result<T, DrawError> {
    let failed = |source| DrawError::Write { path: path.to_path_buf(), source };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wayfare-").suffix(".tmp");
    // Temporary files are private to their owner by default; a picture is an ordinary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let file = builder.tempfile_in(folder).map_err(failed)?;
    let mut buffered = BufWriter::new(file);
    let value = fill(&mut buffered)?;
    let file = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(value)
}

impl Picture {
    /// Writes the picture as SVG.
    ///
    /// # Errors
    /// [`DrawError::Write`] where the file cannot be written, or an error of [`Picture::to_svg`].
    pub fn write_svg(&self, path: &Path) -> Result<(), DrawError> {
        write_bytes(path, self.to_svg()?.as_bytes())
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// [`DrawError::Write`] where the file cannot be written, or an error of [`Picture::to_png`].
    pub fn write_png(&self, path: &Path) -> Result<(), DrawError> {
        write_bytes(path, &self.to_png()?)
    }
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), DrawError> {
    write_whole(path, |file| {
        file.write_all(bytes)
            .map_err(|source| DrawError::Write { path: path.to_path_buf(), source })
    })
}
