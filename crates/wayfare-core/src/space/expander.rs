//! Expanders: the parts of a space that speed up searches.
//!
//! A [`Space`] states which moves exist. Its [`Expander`] states which of them an optimal search
//! may leave out, by three independent parts:
//!
//! | part | answers |
//! |---|---|
//! | [`Pruning`] | Which moves out of a state can be left out, given its parent? |
//! | [`Guidance`] | Which states lie on no cheapest path to this goal? |
//! | [`Jumping`] | Which states along a line need not be expanded? |
//!
//! [`Plain`](super::Plain) has all three parts and leaves out nothing. No part has a default, so
//! that a wrapper around a space names the parts of the inner space or says that it drops them.
//!
//! Expanders are types without values. The memory of a part for one search is its `Memory` in the
//! [`Scratch`](crate::search::Scratch), so searches borrow nothing between two steps.

use std::any::Any;
use std::fmt::Debug;

use super::{EdgeOf, Space, StateId};

/// The memory of an expander for one search. Kept in the scratch and reused by the next search.
pub trait ExpanderMemory: Any + Default + Debug + Send + Sync {
    /// Returns the memory it holds outside of itself, in bytes.
    fn bytes(&self) -> usize;
}

/// No memory at all.
impl ExpanderMemory for () {
    fn bytes(&self) -> usize {
        0
    }
}

/// A list of states, or the like.
impl<T: Debug + Send + Sync + 'static> ExpanderMemory for Vec<T> {
    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

/// The memories of two parts of an expander.
impl<A: ExpanderMemory, B: ExpanderMemory> ExpanderMemory for (A, B) {
    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }
}

/// How searches expand the states of the space `S`.
pub trait Expander<S: Space> {
    /// How moves are left out.
    type Pruning: Pruning<S>;
    /// The guidance: skips states off the route to one goal.
    type Guidance: Guidance<S>;
    /// How searches jump.
    type Jumping: Jumping<S>;

    /// Returns a stamp of everything that one edit can change for states far away from it:
    /// estimates, the cost unit, the rules of [`Pruning`].
    ///
    /// A search is carried across an edit only while the stamp stays as it is. Returning the
    /// revision is always sound, and makes every edit restart every search.
    fn stamp(space: &S) -> u64;

    /// Visits the predecessors of `state`: the states with a move into it. A predecessor that also
    /// reaches `state` through another visited one may be omitted.
    ///
    /// Returns `false`, visiting nothing, if the space cannot list them, or if
    /// [`Space::reachability`] tells islands apart already. Searches then skip the check whether
    /// the goal is walled in.
    ///
    /// Cost: O(degree). Called at most once per expanded state.
    fn predecessors(space: &S, state: S::State, visit: impl FnMut(S::State)) -> bool;
}

/// Prunes moves whose target is reached as cheaply by another path.
///
/// # Why the costs found stay optimal
///
/// Fix a total order of the moves into each state. Let `c(t)` be the *canonical* predecessor of
/// `t`: among the last states before `t` on the cheapest paths to `t`, the one whose move comes
/// first in that order. A move `s → t` of a state reached from `p` may be pruned only if another
/// path from `p` to `t`
///
/// * costs less than `p → s → t`, or
/// * costs the same and its last move comes before `s → t` in the order.
///
/// Then `c(t) → t` is never pruned, whichever cheapest parent `p` a search recorded for `c(t)`: no
/// path to `t` costs less than through `c(t)`, and one of the same cost with an earlier last move
/// contradicts the choice of `c(t)`. By induction over costs (moves cost more than zero), a search
/// that keeps each state's cheapest path expands `c(t)` at its optimal cost and so finds the
/// optimal cost of `t`.
///
/// Searches that keep the first path found use [`Space::successors`].
pub trait Pruning<S: Space> {
    /// Visits the moves out of `state` that a search has to follow if it reached `state` from
    /// `parent`. The order is always the same. The start is its own parent.
    fn successors(space: &S, parent: S::State, state: S::State, visit: impl FnMut(EdgeOf<S>));
}

/// Knows, before a search starts, which states lie on no cheapest path to its goal.
///
/// # Why guided searches stay optimal
///
/// [`Guidance::estimate`] is finite on every state of every cheapest path from start to goal. So
/// the states with a finite estimate span a subgraph that contains all cheapest paths. On that
/// subgraph the estimate is a consistent lower bound, and A* on the subgraph is optimal.
pub trait Guidance<S: Space> {
    /// The preparation for one goal.
    type Memory: ExpanderMemory;

    /// Whether [`Guidance::prepare`] ever returns `true`. If not, searches compile without
    /// guidance.
    const GUIDES: bool;

    /// Prepares the memory for searches from `start` to `goal`, two states that an agent can stand
    /// on, in time that hardly grows with the space.
    ///
    /// Returns whether [`Guidance::estimate`] is worth more than [`Space::estimate`] for this
    /// query.
    fn prepare(space: &S, start: S::State, goal: S::State, memory: &mut Self::Memory) -> bool;

    /// Returns a lower bound on the cost from `state` to the goal: at least [`Space::estimate`],
    /// and consistent. Infinity if no cheapest path from the prepared start leads through `state`.
    fn estimate(space: &S, memory: &Self::Memory, state: S::State) -> S::Cost;

    /// Returns whether [`Guidance::prepare`] would prepare the same for `goal` as before some
    /// edits. Updates the memory.
    fn holds(space: &S, goal: S::State, memory: &mut Self::Memory) -> bool;
}

/// How far a search that jumps has come: see [`JumpVisitor::course`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JumpCourse {
    /// The number of states expanded, this one included.
    pub expanded: u64,
    /// The priority of this state minus that of the start, in cost units.
    pub rise: u64,
}

/// The receiver of jumps in a search, for [`Jumping::jumps`].
pub trait JumpVisitor<State, Cost> {
    /// A jump ends at `state`, at `cost` from where it began.
    ///
    /// Returns by how much a path known to the search is cheaper, or zero. If coming back from
    /// `state` costs less than that, the jump is a detour, and so are all its continuations.
    fn end(&mut self, state: State, cost: Cost) -> Cost;

    /// The jumps branch at `state`, at `cost` from where they began.
    ///
    /// Returns `false` if the search knows a path as cheap: other jumps continue from here, and
    /// these are skipped.
    fn part(&mut self, state: State, cost: Cost) -> bool;

    /// Returns whether the search prefers to continue from `state` later, as from the end of a
    /// jump, because the jumps lead far from the goal. They then end there. Asked where jumps first
    /// branch.
    fn puts_off(&mut self, state: State, cost: Cost) -> bool;

    /// Returns how far the search has come.
    fn course(&self) -> JumpCourse;

    /// Work of the jumps out of one state beyond that of an expansion, in 64ths of one. Told once,
    /// after the jumps, or in parts.
    fn scanned(&mut self, work: u32);
}

/// The unit in which the work of jumps is counted, as a fraction of an expansion: a cell of a
/// diagonal, or a word of 32 cells along a line.
pub(crate) const SCANS_A_UNIT: u64 = 64;

/// The work of an expansion that jumps beyond that of one from neighbour to neighbour.
pub const JUMP_SCANS: u32 = 64;

/// The work of one line, however short: the first word, and the look at the state it ends at.
pub const LINE_SCANS: u32 = 16;

/// The work of one cell of a diagonal that is noted in the node table.
pub const NOTED_SCANS: u32 = 6;

/// Leads a search from a state straight to the next ones where a cheapest path may have to turn.
///
/// # Why jumping stays optimal
///
/// Jumps follow the canonical paths of a [`Pruning`]: along a jump every state has one canonical
/// successor, so that expanding it would push that one state. A jump ends wherever there may be a
/// second one, and at goals. It therefore reaches the states that a pruned search reaches from
/// there, at the same costs. Source: D. Harabor, A. Grastien, "Online graph pruning for pathfinding
/// on grid maps", 2011.
pub trait Jumping<S: Space> {
    /// The goals in an order that suits the space.
    type Memory: ExpanderMemory;

    /// Whether every move can be made backwards at the same cost, wherever jumps are possible, and
    /// searches should look back from their goal too.
    const IS_SYMMETRIC: bool = false;

    /// Returns whether the other methods may be called.
    fn is_possible(space: &S) -> bool;

    /// Prepares the memory for searches with these goals, which are sorted by id.
    fn prepare(space: &S, goals: &[S::State], memory: &mut Self::Memory);

    /// Visits the end of every jump that an optimal search has to follow if it reached `state` from
    /// `parent`. No jump passes over one of `goals`, for which the memory is prepared. The start is
    /// its own parent.
    fn jumps(
        space: &S,
        parent: S::State,
        state: S::State,
        goals: &[S::State],
        memory: &Self::Memory,
        visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    );

    /// As [`Jumping::jumps`], with the visitor behind virtual calls: for searches that are not
    /// chosen for speed. A space whose jumps take much code compiles them once for all of these.
    fn shared_jumps(
        space: &S,
        parent: S::State,
        state: S::State,
        goals: &[S::State],
        memory: &Self::Memory,
        visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    );

    /// Looks for a cheapest path that turns once at most between two jumps, without a search.
    ///
    /// Returns the state where the first jump ends: `goal`, if one jump is such a path. Each jump
    /// then costs what [`Space::estimate`] says. `None` if the look finds nothing, which does not
    /// mean that there is no path.
    fn in_sight(space: &S, from: S::State, goal: S::State) -> Option<S::State>;

    /// Returns the position of a state, as [`Jumping::estimate`] takes it.
    #[inline]
    fn position(_space: &S, state: S::State) -> [i32; 3] {
        [state.index() as i32, 0, 0]
    }

    /// Returns [`Space::estimate`] to the state at a position. Called wherever jumps are possible,
    /// for many states and one position.
    #[inline]
    fn estimate(space: &S, from: S::State, [index, _, _]: [i32; 3]) -> S::Cost {
        space.estimate(from, S::State::from_index(index as u32))
    }

    /// Visits every move of the jump between two states, the last one first. Costs count from
    /// `from`.
    fn retrace(space: &S, from: S::State, to: S::State, visit: impl FnMut(EdgeOf<S>));
}

/// The [`Pruning`] of a space.
pub type PruningOf<S> = <<S as Space>::Expander as Expander<S>>::Pruning;

/// The [`Guidance`] of a space.
pub type GuidanceOf<S> = <<S as Space>::Expander as Expander<S>>::Guidance;

/// The [`Jumping`] of a space.
pub type JumpingOf<S> = <<S as Space>::Expander as Expander<S>>::Jumping;

/// The memory of the [`Guidance`] of a space.
pub type GuidanceMemoryOf<S> = <GuidanceOf<S> as Guidance<S>>::Memory;

/// The memory of the [`Jumping`] of a space.
pub type JumpingMemoryOf<S> = <JumpingOf<S> as Jumping<S>>::Memory;

/// The memory of the expander of a space: for guidance and for jumping.
pub(crate) type ExpanderMemoryOf<S> = (GuidanceMemoryOf<S>, JumpingMemoryOf<S>);
