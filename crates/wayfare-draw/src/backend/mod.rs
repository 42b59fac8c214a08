//! Output formats of pictures.

mod file;
mod gif;
pub(crate) mod palette;
mod png;
mod raster;
pub(crate) mod svg;

pub(crate) use self::gif::GifWriter;
pub use file::write_whole;
pub(crate) use palette::{GifPalette, Histogram};
pub use raster::Canvas;
