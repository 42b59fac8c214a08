//! Units of work: the currency of budgets.
//!
//! One *unit* is the work of one expansion of A* from neighbour to neighbour, about 100 ns on a
//! machine of 2020. All engines count in it, so that a budget lasts about as long whichever of them
//! is asked:
//!
//! | work | units |
//! |---|---|
//! | one expansion, of any search, field or flood | 1; 4 among blocks |
//! | the same with danger over the space, with jams | 1 more, 3 more |
//! | the same by jumps along rows, columns and diagonals of a grid of one cost | 1 more |
//! | a line that a jump scans | 1/4, and 1/64 for each further 32 cells |
//! | a cell of a diagonal that a jump follows | 1/64; where it is noted in the node table, 6/64 |
//! | an interval or an edge that a search on a mesh generates, beyond one for each expansion | 1/2 |
//! | reading a path out of a field or an index | 1 for each 8 states |
//! | a route over sectors | 1 for each transition or cell expanded |
//!
//! Counts are integers that depend on the question and the space alone. They are the same on every
//! target and thread, so a schedule based on them can be replayed.

/// Jumps count scanned states in this fraction of a unit.
pub const SCANS_A_UNIT: u64 = crate::space::SCANS_A_UNIT;

/// Reading this many states of a path out of a field or an index is one unit.
const STATES_A_UNIT: u64 = 8;

/// Returns the work of reading a path of `states` states out of a field or an index, in units.
///
/// ```
/// assert_eq!(wayfare::navigate::work::of_reading(17), 3);
/// ```
#[must_use]
pub fn of_reading(states: usize) -> u64 {
    (states as u64).div_ceil(STATES_A_UNIT)
}
