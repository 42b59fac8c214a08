//! What a search needs to know of a space.

use glam::Vec3;

use super::{Cost, Guide, Revision, StateId};

/// How a move is made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// On foot, along the ground.
    #[default]
    Walk,
    /// Up, or over a gap.
    Jump,
    /// Down, without a way back of its own.
    Fall,
    /// Along a ladder or a climbable wall.
    Climb,
    /// Through water.
    Swim,
    /// Through the air.
    Fly,
    /// Through the link of that number: a door, a lift, a teleport.
    Link(u32),
}

/// A move from one state to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge<State, Cost> {
    /// Where the move ends.
    pub target: State,
    /// What it costs; never negative.
    pub cost: Cost,
    /// How it is made.
    pub action: Action,
}

/// The edge type of a space.
pub type EdgeOf<S> = Edge<<S as Space>::State, <S as Space>::Cost>;

/// Why nobody can stand on a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obstruction {
    /// The point or id lies outside the space.
    #[error("lies off the map")]
    OffMap,
    /// The terrain there cannot be entered under this profile.
    #[error("stands on terrain {terrain} that this profile cannot enter")]
    Terrain {
        /// The terrain's number.
        terrain: u8,
    },
    /// The place is free, but the agent is too large for it.
    #[error("is too narrow for this profile: {needed} cells wide are needed")]
    TooNarrow {
        /// The agent's width in cells.
        needed: u8,
    },
    /// The place is filled by a block that this profile cannot enter.
    #[error("is filled by block {block}, which this profile cannot enter")]
    Block {
        /// The number of the block in the world's palette.
        block: u16,
    },
    /// The place is free, but the body does not fit.
    #[error("leaves no room for a body {width} wide and {height} high")]
    NoRoom {
        /// The body's width in blocks.
        width: u8,
        /// The body's height in blocks.
        height: u8,
    },
    /// The place is free, but nothing carries the agent there.
    #[error("has nothing to stand on, swim in or hold on to")]
    NoFooting,
    /// The place lies in a part of the world that is not loaded.
    #[error("lies outside the loaded chunks")]
    NotLoaded,
    /// The state is blocked for now.
    #[error("is blocked")]
    Blocked,
    /// The state was removed by an edit.
    #[error("was removed")]
    Removed,
}

/// What is known of the way between two states before any search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reachability {
    /// A search has to tell.
    Possible,
    /// The two states lie in different connected components.
    DifferentIslands {
        /// The component of the first state.
        from: u32,
        /// The component of the second state.
        to: u32,
    },
}

/// A searchable, validated snapshot of a world as one profile of agents sees it.
///
/// The profile is part of the space ([`Grid::space`](crate::space::Grid::space) binds the two for the price of a few
/// copied references), so that a search has one type to be compiled for and the space can hold what it derives for each
/// profile: packed bits, component labels, cost tables.
///
/// A search may call these millions of times a second: they are dispatched statically, and a state that the space has
/// handed out is always a valid argument.
pub trait Space: Sync {
    /// The dense id of a place.
    type State: StateId;
    /// What moves add up to.
    type Cost: Cost;

    /// One more than the largest [`StateId::index`]; sizes the scratch. At most 2³¹.
    fn state_bound(&self) -> usize;

    /// The number of edits so far.
    fn revision(&self) -> Revision;

    /// Whether an agent can stand on `state`; says why not.
    ///
    /// # Errors
    /// The obstruction, also for ids that no state of this space has.
    fn check(&self, state: Self::State) -> Result<(), Obstruction>;

    /// Calls `visit` with every move out of `state`, always in the same order.
    fn successors(&self, state: Self::State, visit: impl FnMut(EdgeOf<Self>));

    /// Calls `visit` with the moves out of `state` that an optimal search needs to follow when it has reached `state` from
    /// `parent`: a move may be left out if `parent` reaches its target as cheaply without passing `state`.
    ///
    /// The start is its own parent. Spaces that know nothing better leave out nothing.
    fn canonical_successors(
        &self,
        _parent: Self::State,
        state: Self::State,
        visit: impl FnMut(EdgeOf<Self>),
    ) {
        self.successors(state, visit);
    }

    /// The action of the cheapest move from one state to another that [`Space::successors`] joins.
    fn action(&self, from: Self::State, to: Self::State) -> Action {
        let mut best: Option<EdgeOf<Self>> = None;
        self.successors(from, |edge| {
            if edge.target == to && best.is_none_or(|best| edge.cost < best.cost) {
                best = Some(edge);
            }
        });
        best.map_or_else(Action::default, |edge| edge.action)
    }

    /// A lower bound on the cost from one state to another that is also consistent:
    /// `estimate(a, c) ≤ cost(a, b) + estimate(b, c)` for every move from `a` to `b`.
    fn estimate(&self, from: Self::State, to: Self::State) -> Self::Cost;

    /// Prepares what is known of all ways from `start` to `goal`, two states that can be stood on and may be joined, in time that hardly grows with the
    /// space. Says whether [`Space::guided_estimate`] is then worth more than [`Space::estimate`].
    fn guide(&self, _start: Self::State, _goal: Self::State, _guide: &mut Guide) -> bool {
        false
    }

    /// A lower bound on the cost from a state to the goal that the guide is prepared for, at least [`Space::estimate`] and consistent like it;
    /// infinity, where no cheapest path from the guide's start leads through the state.
    fn guided_estimate(&self, _guide: &Guide, _state: Self::State) -> Self::Cost {
        Self::Cost::ZERO
    }

    /// Tells the guide that a search from its start takes up a state, to which it came by a move or a jump from another, at a cost `g` and a
    /// priority `f`, the cost with [`Space::guided_estimate`]. `false`, if every path that goes on from there is dearer than one through what the
    /// search has taken up before: it may pass the state over.
    fn guide_admits(
        &self,
        _guide: &mut Guide,
        _jump: (Self::State, Self::State),
        _costs: (Self::Cost, Self::Cost),
    ) -> bool {
        true
    }

    /// Whether a guide to the goal that was prepared before some edits is the one that would be prepared now.
    fn guide_holds(&self, _goal: Self::State, _guide: &Guide) -> bool {
        true
    }

    /// A stamp of what holds everywhere and not around some state: it changes whenever an edit changes estimates, the cost unit, or
    /// the rules by which moves are left out of [`Space::canonical_successors`]. A search under way cannot go on across that.
    fn cost_stamp(&self) -> u64 {
        0
    }

    /// What is known of the way between two states in time that does not grow with the space.
    fn reachability(&self, _from: Self::State, _to: Self::State) -> Reachability {
        Reachability::Possible
    }

    /// Calls `visit` with the states from which a single move leads to `state`: with every one of them, but for those that also come
    /// there through another of them. `false`: the space does not tell, because it
    /// cannot, or because [`Space::reachability`] knows the islands already.
    fn origins(&self, _state: Self::State, _visit: impl FnMut(Self::State)) -> bool {
        false
    }

    /// Where the state is in the world: y is up.
    fn position(&self, state: Self::State) -> Vec3;

    /// The cost of one unit of length on the cheapest ground, for turning costs into lengths in reports.
    fn cost_per_unit(&self) -> f64;
}

/// A space whose moves can be followed backwards.
pub trait ReverseSpace: Space {
    /// Calls `visit` with every move *into* `state`; the edge's target is where the move begins.
    fn predecessors(&self, state: Self::State, visit: impl FnMut(EdgeOf<Self>));
}

/// The goals of a search that jumps, for [`JumpSpace::jumps`].
#[derive(Clone, Copy, Debug)]
pub struct JumpGoals<'a, State> {
    /// The goals in the order of their ids.
    pub states: &'a [State],
    /// What [`JumpSpace::sort_goals`] made of them; may be empty if there is just one.
    pub across: &'a [State],
}

/// What a search makes of where jumps lead, for [`JumpSpace::jumps`].
pub trait Reach<State, Cost> {
    /// A jump ends here, at that cost. Returns by how much the search knows a cheaper way, or zero: where that shows the state
    /// that the jumps begin at, or one underway, to be reached more cheaply through here, the jumps from there on are left out.
    fn end(&mut self, state: State, cost: Cost) -> Cost;

    /// The jumps part here, at that cost. Returns whether the search knows no way as cheap: if it does, the jumps from here on
    /// are left out, since others that part here lead on as well.
    fn part(&mut self, state: State, cost: Cost) -> bool;

    /// Whether the search goes on from here later, as from the end of a jump, because the jumps lead far from the goal; they are then
    /// left out. To be asked where they part for the first time.
    fn puts_off(&mut self, state: State, cost: Cost) -> bool;
}

/// A space in which a search can jump: from a state straight to the next ones where a cheapest path may have to turn, without a
/// look at those between. Spaces that know no jumps implement it with nothing.
pub trait JumpSpace: Space {
    /// Whether the other methods may be called.
    fn can_jump(&self) -> bool {
        false
    }

    /// Sorts the goals in a second order that suits the space.
    fn sort_goals(&self, _goals: &[Self::State], _across: &mut Vec<Self::State>) {}

    /// Tells `reach` the end of every jump that an optimal search needs to follow when it has jumped to `state` from `parent`, and
    /// what the jump costs. No jump passes over a goal. The start is its own parent.
    fn jumps(
        &self,
        _parent: Self::State,
        _state: Self::State,
        _goals: JumpGoals<'_, Self::State>,
        _reach: &mut impl Reach<Self::State, Self::Cost>,
    ) {
    }

    /// Calls `visit` with every move of the jump, the last one first; costs are counted from `from`.
    fn retrace(&self, _from: Self::State, _to: Self::State, _visit: impl FnMut(EdgeOf<Self>)) {}
}

/// A way of measuring the offset between two states, in cost units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Measure {
    /// Straight and diagonal steps. Exact on an empty 8-neighbour grid.
    Octile,
    /// The sum of the offsets along the axes. Exact on an empty 4-neighbour grid.
    Manhattan,
    /// As the crow flies.
    Euclidean,
    /// The largest offset along an axis.
    Chebyshev,
}

/// A space that measures distances; what the named heuristics stand on.
pub trait Metric: Space {
    /// The distance between two states by the measure, in cost units of the cheapest ground, rounded down.
    fn distance(&self, measure: Measure, from: Self::State, to: Self::State) -> Self::Cost;

    /// The surcharge that the state itself carries, whatever move enters it, in cost units: a waypoint's own cost, a
    /// cell's terrain penalty.
    fn own_cost(&self, state: Self::State) -> Self::Cost;
}

/// A space in which straight lines can be tested.
pub trait LineOfSight: Space {
    /// The cost of going from `from` to `to` in a straight line, or `None` where something is in the way or the ground
    /// along the line is not of one cost.
    fn line_cost(&self, from: Self::State, to: Self::State) -> Option<Self::Cost>;

    /// Whether an agent can move along the straight segment between two points of the world.
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool;
}

/// Why a step of a path is not one that the world allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// One end of the move cannot be stood on.
    #[error("one end of the move {0}")]
    Obstructed(#[from] Obstruction),
    /// No single move joins the two states.
    #[error("no move joins the two states")]
    NotAdjacent,
    /// The move would cut a blocked corner.
    #[error("the move cuts a blocked corner")]
    CutsCorner,
}

/// The rules of movement, written down a second time.
///
/// [`Space::successors`] is built for speed. This is built to be obviously right: it looks at the terrain itself, shares no
/// code with the search, and lets [`validate`](crate::path::validate()) re-walk every path.
pub trait MoveRules: Space {
    /// What the single move between two states costs.
    ///
    /// # Errors
    /// Why there is no such move.
    fn check_move(&self, from: Self::State, to: Self::State) -> Result<Self::Cost, IllegalMove>;
}
