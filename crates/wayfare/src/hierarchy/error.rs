//! What a hierarchy answers where it gives no route.

use super::SectorRoute;
use crate::search::{Limit, NoPath};
use crate::space::Revision;

/// Why a hierarchy cannot be asked about a space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The grid was edited since: bring the hierarchy up to date with [`Hierarchy::repair`](super::Hierarchy::repair). For a
    /// route: ask for a new one.
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
    /// The space has another size or another profile than the one that the hierarchy was built for.
    #[error("the hierarchy was built for a grid of another size or profile")]
    OtherSpace,
    /// The hierarchy says something of the grid that is not so: it belongs to another grid, or a cell was left out when it was
    /// repaired. Build it anew.
    #[error(
        "the hierarchy does not match the grid: is it another one, or was a changed cell left out in a repair?"
    )]
    Mismatch,
}

/// What a hierarchy answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RouteOutcome<C = u32> {
    /// A route, its first leg in cells.
    Found(SectorRoute<C>),
    /// There is no way.
    Unreachable(NoPath),
    /// The route costs more than the cost type can hold ([`Limit::CostRange`]).
    LimitReached(Limit),
}

impl<C> RouteOutcome<C> {
    /// The route, where there is one.
    #[must_use]
    pub fn found(self) -> Option<SectorRoute<C>> {
        match self {
            Self::Found(route) => Some(route),
            Self::Unreachable(_) | Self::LimitReached(_) => None,
        }
    }
}
