//! States: dense ids of the places of a space.

use std::fmt::Debug;

/// A dense id in a space: a cell, a waypoint, a voxel, a polygon. Always a newtype around a `u32`.
pub trait StateId: Copy + Ord + Debug + Send + Sync + 'static {
    /// The state's place in arrays of [`Space::state_bound`](crate::space::Space::state_bound)
    /// entries.
    #[must_use]
    fn index(self) -> u32;

    /// The state at that place.
    #[must_use]
    fn from_index(index: u32) -> Self;
}

/// Declares a newtype state.
macro_rules! state_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub(crate) u32);

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
pub(crate) use state_id;

/// Counts the edits of a space: a path, a cache or a half-done search of another revision is stale.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Revision(pub u64);

impl Revision {
    /// The revision after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}
