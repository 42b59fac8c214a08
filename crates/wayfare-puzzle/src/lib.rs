//! Puzzles on a grid: levers, plates, crates, keys and hooks that open gates.
//!
//! A [`Puzzle`] is ground with parts on it. A [`PuzzleSearch`] finds the cheapest [`PuzzlePlan`]
//! from a cell to another: walks, each with a deed at its end.
//!
//! # Why the search steps from deed to deed
//!
//! A state is a cell and the condition of all parts. Between two deeds (a lever pulled, a crate
//! pushed) no part changes, so the cheapest path from one deed to the next is a cheapest walk over
//! unchanging ground. Replacing the walk between two deeds of any plan by a cheapest one makes the
//! plan no more expensive and leaves all deeds possible. Hence only cells of deeds are states. The
//! cost of a move is the length of a walk, from one flood of the ground for each expansion, plus
//! the cost of the deed.
//!
//! Walks go by straight steps. A diagonal step depends on the cells beside it, and a door that
//! opens there would change the cost of ground that it does not lie on.
//!
//! # Rules
//!
//! * A walker takes a key, pulls a lever or works a hook on the cell where it lies.
//! * A walker pushes a crate from the opposite side and follows it. Where crates
//!   [can be pulled](PuzzleParts::can_pull), it walks backwards, and the crate follows.
//! * A plate is loaded while a crate lies on it. A walker is too light.
//! * A gate is open while all its conditions are true. A deed that would shut a gate on a crate or
//!   on the walker is impossible.
//! * A platform carries the walker up while its conditions are true, and down while they are not:
//!   the crate in its counterweight outweighs the walker, or the walker outweighs the empty pan. An
//!   empty platform is brought to the end where it is needed by hand.
//! * A platform with a [`Timetable`] comes and goes by the clock. A walker waits for it, which
//!   costs as much as walking for that time.
//! * A hook draws a crate from the cell under it into a gap. The crate is a bridge from then on.
//!
//! Source of the rules of pushing: Sokoban (H. Imabayashi, 1982).

mod flood;
mod frontier;
mod ground;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
pub(crate) mod layout;
pub(crate) mod parts;
mod plan;
mod puzzle_state;
mod reason;
mod replay;
mod search;
mod table;
mod timetable;
mod trail;

pub use ground::{GroundArea, PuzzleGround};
pub use parts::{
    Condition, GateForm, Hook, Lever, PartId, Plate, Platform, Puzzle, PuzzleCosts, PuzzleCrate,
    PuzzleError, PuzzleGate, PuzzleKey, PuzzleParts,
};
pub use plan::{Deed, PlanStep, PuzzlePlan};
pub use puzzle_state::PuzzleState;
pub use reason::{Lack, NoPlan};
pub use replay::{PlanFault, PlanRide};
pub use search::{
    PuzzleAnswer, PuzzleLimit, PuzzleLimits, PuzzleOutcome, PuzzleQuery, PuzzleSearch, PuzzleStats,
};
pub use timetable::{PlatformPlace, Timetable};
