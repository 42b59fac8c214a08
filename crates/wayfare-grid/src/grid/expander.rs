//! The expander of grids: canonical moves, guidance through gateways, and jumps (in `jump.rs`).

use wayfare_core::expert::{Expander, Guidance, Pruning};
use wayfare_core::inside::Guide;
use wayfare_core::space::{Cost, EdgeOf};

use super::{Cell, GridSpace};

/// The [`Expander`] of a [`GridSpace`], and each of its parts.
#[derive(Clone, Copy, Debug)]
pub struct GridExpander;

impl<C: Cost> Expander<GridSpace<'_, C>> for GridExpander {
    type Pruning = Self;
    type Guidance = Self;
    type Jumping = Self;

    /// Returns the cost of the cheapest step, on which estimates depend, and whether all steps cost
    /// just their length, on which pruning depends.
    fn stamp(space: &GridSpace<'_, C>) -> u64 {
        u64::from(space.layer.least_step().straight) << 1 | u64::from(space.layer.is_uniform())
    }

    /// Returns none: component labels tell islands apart already.
    fn predecessors(_space: &GridSpace<'_, C>, _state: Cell, _visit: impl FnMut(Cell)) -> bool {
        false
    }
}

/// On uniform-cost terrain. Elsewhere all moves are visited.
///
/// # Why the moves left out are not needed
///
/// The order of the moves into a cell is that of [`dominance`](super::dominance): columns, rows,
/// diagonals. For each pattern of free neighbours and each direction of entry, the table of
/// [`canonical`](super::canonical) compares a move with all paths around the cell within its eight
/// neighbours, and prunes it exactly if one of them is cheaper, or as cheap with an earlier last
/// move. That is the condition of [`Pruning`].
impl<C: Cost> Pruning<GridSpace<'_, C>> for GridExpander {
    #[inline]
    fn successors(
        space: &GridSpace<'_, C>,
        parent: Cell,
        state: Cell,
        visit: impl FnMut(EdgeOf<GridSpace<'_, C>>),
    ) {
        let moves = if space.layer.is_uniform() && parent != state {
            space.layer.canonical_moves_from(parent, state)
        } else {
            space.layer.moves_from(state)
        };
        space.visit_moves(state, moves, visit);
    }
}

/// The rooms on the route are a chain of gateways, found in the tree of rooms
/// ([`rooms`](super::rooms)); the estimate is the cost of the shortest chain of straight lines
/// through them ([`Guide`]).
impl<C: Cost> Guidance<GridSpace<'_, C>> for GridExpander {
    type Memory = Guide;

    const GUIDES: bool = true;

    fn prepare(space: &GridSpace<'_, C>, start: Cell, goal: Cell, guide: &mut Guide) -> bool {
        let Some(rooms) = space.find_rooms(goal) else {
            guide.set_ends((start.0, goal.0));
            return false;
        };
        rooms.guide(space.layout(), space.steps(), (start, goal), guide)
    }

    #[inline(always)]
    fn estimate(space: &GridSpace<'_, C>, guide: &Guide, state: Cell) -> C {
        match space.rooms(state) {
            Some(rooms) => rooms.cost(space.layout(), guide, state),
            None => C::INFINITY,
        }
    }

    fn holds(space: &GridSpace<'_, C>, goal: Cell, guide: &mut Guide) -> bool {
        match space.find_rooms(goal) {
            Some(rooms) => rooms.renew(space.layout(), space.steps(), guide),
            None => !guide.is_worthwhile(),
        }
    }
}
