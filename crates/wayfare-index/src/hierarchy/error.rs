//! The answers of a hierarchy, and its errors.

use wayfare_core::search::{Limit, NoPath};
use wayfare_core::space::Revision;

use super::SectorRoute;

/// Why a hierarchy cannot answer for a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The grid was edited. Bring the hierarchy up to date with
    /// [`Hierarchy::repair`](super::Hierarchy::repair), or ask for a new route.
    #[error(
        "the hierarchy or route is of revision {}, the grid of revision {}: it was edited since",
        of.0,
        now.0
    )]
    Stale {
        /// The revision of the hierarchy or route.
        of: Revision,
        /// The revision of the grid.
        now: Revision,
    },
    /// The space differs in size or profile from the one that the hierarchy was built for.
    #[error("the hierarchy was built for a grid of another size or profile")]
    OtherSpace,
    /// The hierarchy contradicts the grid: it belongs to another grid, or a repair did not name a
    /// changed cell. Build it again.
    #[error(
        "the hierarchy does not match the grid: is it another one, or was a changed cell left out in a repair?"
    )]
    Mismatch,
}

/// The answer to a query to a hierarchy.
///
/// ```
/// use wayfare::hierarchy::{Hierarchy, HierarchyScratch, HierarchySettings, RouteOutcome};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..#..", "..#..", "..#.."])?;
/// let hierarchy = Hierarchy::build(&grid.space(), HierarchySettings::default());
/// let (west, east) = (grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
/// match hierarchy.route(&grid.space(), &mut HierarchyScratch::new(), west, east)? {
///     RouteOutcome::Found(route) => println!("at most {}", route.cost()),
///     RouteOutcome::Unreachable(reason) => println!("no path: {reason}"), // the map is cut in two
///     RouteOutcome::LimitReached(limit) => println!("{limit:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RouteOutcome<C = u32> {
    /// A route whose first leg is refined.
    Found(SectorRoute<C>),
    /// No path exists, and why. Exact: never a mere failure of the hierarchy.
    Unreachable(NoPath),
    /// The route costs more than the cost type allows ([`Limit::CostRange`]).
    LimitReached(Limit),
}

impl<C> RouteOutcome<C> {
    /// Returns the route, if one was found.
    #[must_use]
    pub fn found(self) -> Option<SectorRoute<C>> {
        match self {
            Self::Found(route) => Some(route),
            Self::Unreachable(_) | Self::LimitReached(_) => None,
        }
    }
}
