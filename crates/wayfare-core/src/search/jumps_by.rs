//! How the jumps of a [`JpsSearch`] are compiled: with each search, or once a space.

use self::sealed::Sealed;
use super::{Algorithm, AlgorithmInfo, Guarantee, Jps, JpsSearch, Listed, Options, Query};
use crate::space::{Cost, JumpVisitor, Jumping, JumpingMemoryOf, JumpingOf, Space, StateId};

/// [`Jps`] with jumps that are compiled once a space, whatever else of the search differs. Its
/// answers, counters and traces are the same.
///
/// It takes up to 4 % more time than [`Jps`], and 35 to 50 kB less code for each type of observer
/// or of links over a grid or voxel world. [`AnySearch`](super::AnySearch) jumps so.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{JpsSearch, JumpsBy, OwnJumps, SharedJps, SharedJumps};
///
/// /// How a search jumps does not show in what it finds.
/// fn expansions<J: JumpsBy>(mut search: JpsSearch<Cell, u32, J>, grid: &Grid) -> u64 {
///     search.finish(&grid.space(), &mut Scratch::new(), &mut ()).stats.expanded
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let own: JpsSearch<_, _, OwnJumps> = Jps.search(query.clone());
/// let shared: JpsSearch<_, _, SharedJumps> = SharedJps.search(query);
/// assert_eq!(expansions(shared, &grid), expansions(own, &grid));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharedJps;

impl Algorithm for SharedJps {
    type Search<State: StateId, C: Cost> = JpsSearch<State, C, SharedJumps>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        JpsSearch::new(query)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

/// The jumps of a [`JpsSearch`]: compiled with the search, or once a space.
///
/// Example: [`SharedJps`].
pub trait JumpsBy: Sealed {}

mod sealed {
    use super::{JumpVisitor, Jumping, JumpingMemoryOf, JumpingOf, Space};

    pub trait Sealed {
        fn jumps<S: Space>(
            space: &S,
            ends: (S::State, S::State),
            goals: &[S::State],
            memory: &JumpingMemoryOf<S>,
            visitor: &mut impl JumpVisitor<S::State, S::Cost>,
        );
    }

    impl Sealed for super::OwnJumps {
        #[inline(always)]
        fn jumps<S: Space>(
            space: &S,
            (parent, state): (S::State, S::State),
            goals: &[S::State],
            memory: &JumpingMemoryOf<S>,
            visitor: &mut impl JumpVisitor<S::State, S::Cost>,
        ) {
            JumpingOf::<S>::jumps(space, parent, state, goals, memory, visitor);
        }
    }

    impl Sealed for super::SharedJumps {
        #[inline(always)]
        fn jumps<S: Space>(
            space: &S,
            (parent, state): (S::State, S::State),
            goals: &[S::State],
            memory: &JumpingMemoryOf<S>,
            visitor: &mut impl JumpVisitor<S::State, S::Cost>,
        ) {
            JumpingOf::<S>::shared_jumps(space, parent, state, goals, memory, visitor);
        }
    }
}

/// Jumps that are compiled with the search: those of [`Jps`].
///
/// Example: [`SharedJps`].
#[derive(Clone, Copy, Debug)]
pub struct OwnJumps;

/// Jumps that are compiled once a space: those of [`SharedJps`].
///
/// Example: [`SharedJps`].
#[derive(Clone, Copy, Debug)]
pub struct SharedJumps;

impl JumpsBy for OwnJumps {}
impl JumpsBy for SharedJumps {}

impl Listed for SharedJps {
    const INFO: AlgorithmInfo = Jps::INFO;

    fn with_options(_: &Options) -> Self {
        Self
    }
}
