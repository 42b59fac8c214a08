//! Writes files whole or not at all.

use std::io::Write;
use std::path::Path;

use wayfare_file::WholeFile;

use crate::{DrawError, Picture};

/// Writes a file as a [`WholeFile`]: no reader ever sees half of it, and an earlier file of the
/// same name survives a failure.
///
/// # Errors
/// The error of `fill`, or [`DrawError::Write`].
pub fn write_whole<T>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, DrawError>,
) -> Result<T, DrawError> {
    let failed = |source| DrawError::Write { path: path.to_path_buf(), source };
    let mut file = WholeFile::create(path).map_err(failed)?;
    let value = fill(&mut file)?;
    file.finish().map_err(failed)?;
    Ok(value)
}

impl Picture {
    /// Writes the picture as SVG.
    ///
    /// # Errors
    /// [`DrawError::Write`] if the file cannot be written, or an error of [`Picture::to_svg`].
    pub fn write_svg(&self, path: &Path) -> Result<(), DrawError> {
        write_bytes(path, self.to_svg()?.as_bytes())
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// [`DrawError::Write`] if the file cannot be written, or an error of [`Picture::to_png`].
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
