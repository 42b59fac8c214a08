//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::grid::accelerators::bits::BitMap;
pub use crate::grid::layout::Layout;
