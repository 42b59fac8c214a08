//! PNG.

use super::Canvas;
use crate::{DrawError, Picture};

impl Picture {
    /// Returns the picture as a PNG file.
    ///
    /// # Errors
    /// [`DrawError::PictureSize`] or [`DrawError::Png`].
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        self.to_canvas()?.to_png()
    }
}

impl Canvas {
    /// Returns the pixels as a PNG file without an alpha channel.
    ///
    /// # Errors
    /// [`DrawError::Png`].
    pub fn to_png(&self) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width(), self.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header()?;
        let mut pixels = Vec::with_capacity(self.rgba().len() / 4 * 3);
        for pixel in self.rgba().chunks_exact(4) {
            pixels.extend_from_slice(&pixel[..3]);
        }
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(bytes)
    }
}
