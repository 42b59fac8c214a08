//! Places as people and programs know them.

use serde::Serialize;

/// The state of a place that lies on no map. No space has it, and each says so when it is asked.
pub(crate) const OFF_MAP: u32 = u32::MAX;

/// A place in a world.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub(crate) enum Place {
    /// A cell of a tile map: column and row.
    Cell { x: u32, y: u32 },
    /// Off the map, in the words of who asked.
    OffMap { off_map: String },
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cell { x, y } => write!(f, "{x},{y}"),
            Self::OffMap { off_map } => f.write_str(off_map),
        }
    }
}
