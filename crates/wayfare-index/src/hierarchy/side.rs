//! The side of a sector.

use std::fmt;
use std::str::FromStr;

/// The side of a sector in cells: 8 to 128, default 32.
///
/// A smaller sector would contain little but transitions. Repairing a larger one would cost as much
/// as a search.
///
/// ```
/// use wayfare::hierarchy::{HierarchySettings, SectorSide};
/// let settings = HierarchySettings { sector_side: SectorSide::new(64)?, ..HierarchySettings::default() };
/// assert_eq!(settings.sector_side.cells(), 64);
/// assert_eq!(SectorSide::new(4).unwrap_err().to_string(), "a sector side of 4 cells: it must be from 8 to 128");
/// # Ok::<(), wayfare::hierarchy::SectorSideError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SectorSide(u32);

/// A side of a sector that is not from 8 to 128 cells.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a sector side of {0} cells: it must be from 8 to 128")]
pub struct SectorSideError(String);

impl SectorSide {
    /// Returns a side of that many cells.
    ///
    /// # Errors
    /// If it is not from 8 to 128.
    pub fn new(cells: u32) -> Result<Self, SectorSideError> {
        let is_possible = (8..=128).contains(&cells);
        if is_possible { Ok(Self(cells)) } else { Err(SectorSideError(cells.to_string())) }
    }

    /// Returns the side in cells.
    #[must_use]
    pub const fn cells(self) -> u32 {
        self.0
    }
}

impl Default for SectorSide {
    fn default() -> Self {
        Self(32)
    }
}

impl fmt::Display for SectorSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SectorSide {
    type Err = SectorSideError;

    fn from_str(text: &str) -> Result<Self, SectorSideError> {
        text.parse().map_err(|_| SectorSideError(text.to_owned())).and_then(Self::new)
    }
}
