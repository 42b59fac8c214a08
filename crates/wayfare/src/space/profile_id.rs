//! The id of a profile of agents.

/// The number of a profile of a [`Grid`](super::Grid).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::GridProfile;
/// let mut grid = Grid::from_rows(&["...", ".#.", "..."])?;
/// let wide = grid.add_profile(GridProfile { width: 2, ..GridProfile::default() })?;
/// let corner = grid.cell(0, 0).unwrap();
/// assert!(grid.space().is_free(corner) && !grid.space_for::<u32>(wide).is_free(corner));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProfileId(pub(crate) u16);
