//! States: dense ids of the nodes of a space.

use std::fmt::Debug;

/// A dense id in a space: a cell, a waypoint, a voxel, a polygon. Always a newtype around a `u32`.
///
/// Example: [`Space`](super::Space).
pub trait StateId: Copy + Ord + Debug + Send + Sync + 'static {
    /// Returns the state's index in arrays of
    /// [`Space::state_bound`](crate::space::Space::state_bound) entries.
    #[must_use]
    fn index(self) -> u32;

    /// Returns the state at this index.
    #[must_use]
    fn from_index(index: u32) -> Self;
}

/// Declares a newtype state.
#[doc(hidden)]
#[macro_export]
macro_rules! state_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(#[doc(hidden)] pub u32);

        impl $crate::space::StateId for $name {
            #[inline]
            fn index(self) -> u32 {
                self.0
            }

            #[inline]
            fn from_index(index: u32) -> Self {
                Self(index)
            }
        }
    };
}
/// Counts the edits of a space: a cache or a half-done search of another revision is stale. A path
/// is stale only if an edit touched it: see [`Path::is_stale`](crate::path::Path::is_stale).
///
/// The revision of a space with links counts twice: the edits of the space beneath in the low 32
/// bits, the changes of its links in the high ones. So two revisions are compared by halves.
///
/// ```
/// use wayfare::prelude::*;
/// let mut grid = Grid::from_rows(&["..."])?;
/// let before = grid.revision();
/// grid.set_terrain(grid.cell(1, 0).unwrap(), TerrainId::BLOCKED);
/// assert!(grid.revision().is_after(before));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Revision(pub u64);

impl Revision {
    /// Returns the revision after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the revision of a space that has this one, under links that have `links`.
    pub(crate) fn with_links(self, links: Self) -> Self {
        Self((links.0 << 32).wrapping_add(self.0))
    }

    fn halves(self) -> [u64; 2] {
        [self.0 & u64::from(u32::MAX), self.0 >> 32]
    }

    /// Returns whether this revision counts an edit that the other one does not.
    ///
    /// True of every larger number too: then the high half is larger, or it is equal and the low
    /// half is larger.
    #[must_use]
    pub fn is_after(self, other: Self) -> bool {
        self.halves().into_iter().zip(other.halves()).any(|(own, other)| own > other)
    }

    /// Returns the revision that counts all edits of both.
    #[must_use]
    pub fn or_later(self, other: Self) -> Self {
        let [low, high] = self.halves();
        let [other_low, other_high] = other.halves();
        Self(high.max(other_high) << 32 | low.max(other_low))
    }
}
