//! Output formats of pictures.

mod file;
mod gif;
mod palette;
mod png;
mod raster;
mod svg;

pub(crate) use self::gif::GifWriter;
pub use file::write_whole;
pub(crate) use palette::{Histogram, Palette};
pub use raster::Canvas;
