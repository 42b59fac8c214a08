//! The requirements of a search on a space.

use glam::Vec3;

use super::{Cost, Expander, OpenSwath, Revision, StateId, Sweep};

/// How a move is made.
///
/// Example: [`Space`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Action {
    /// On foot, along the ground.
    #[default]
    Walk,
    /// Up, or over a gap.
    Jump,
    /// Down, without a move back of its own.
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
///
/// Example: [`Space`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge<State, Cost> {
    /// Where the move ends.
    pub target: State,
    /// Its cost; never negative.
    pub cost: Cost,
    /// How it is made.
    pub action: Action,
}

/// The edge type of a space.
pub type EdgeOf<S> = Edge<<S as Space>::State, <S as Space>::Cost>;

/// Returns a terrain in words: the last number is that of blocked ground.
fn named(terrain: u8) -> String {
    match terrain {
        u8::MAX => "blocked ground".to_owned(),
        _ => format!("terrain {terrain}"),
    }
}

/// Why nobody can stand on a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Obstruction {
    /// The point or id lies outside the space.
    #[error("lies off the map")]
    OffMap,
    /// The terrain there cannot be entered under this profile.
    #[error("stands on {} that this profile cannot enter", named(*terrain))]
    Terrain {
        /// The terrain's number.
        terrain: u8,
    },
    /// The ground is free, but too narrow for the agent.
    #[error("is too narrow for this profile: {needed} cells wide are needed")]
    TooNarrow {
        /// The agent's width in cells.
        needed: u8,
    },
    /// The voxel is filled by a block that this profile cannot enter.
    #[error("is filled by block {block}, which this profile cannot enter")]
    Block {
        /// The number of the block in the world's palette.
        block: u16,
    },
    /// The voxel is free, but the body does not fit.
    #[error("leaves no room for a body {width} wide and {height} high")]
    NoRoom {
        /// The body's width in blocks.
        width: u8,
        /// The body's height in blocks.
        height: u8,
    },
    /// The voxel is free, but nothing carries the agent there.
    #[error("has nothing to stand on, swim in or hold on to")]
    NoFooting,
    /// The state lies in a part of the world that is not loaded.
    #[error("lies outside the loaded chunks")]
    NotLoaded,
    /// The state is blocked for now.
    #[error("is blocked")]
    Blocked,
    /// The profile is not one of this world: see `Grid::has_profile`.
    #[error("cannot be used: the profile is not one of this world")]
    NoSuchProfile,
    /// The state was removed by an edit.
    #[error("was removed")]
    Removed,
}

/// The facts about the paths between two states before any search.
///
/// Example: `WaypointGraph`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reachability {
    /// A search has to tell.
    Possible,
    /// No moves lead from one state to the other: they lie in different connected components. With
    /// one-way moves there may be a path in the other direction.
    DifferentIslands {
        /// The component of the first state.
        from: u32,
        /// The component of the second state.
        to: u32,
    },
}

/// A searchable, validated snapshot of a world as one profile of agents sees it.
///
/// Four methods describe states and moves, two their geometry; the rest have defaults. The
/// [`Expander`], a type of its own, makes searches fast: name [`Plain`](super::Plain) in a space of
/// your own, and every search works.
///
/// The profile is part of the space (`Grid::space` binds the two by
/// copying references), so that a search is compiled for one type and the space can hold data
/// derived for each profile: packed bits, component labels, cost tables.
///
/// A search calls these methods millions of times a second: they are dispatched statically. A state
/// that the space has handed out is always a valid argument.
///
/// ```
/// use glam::Vec3;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::{Action, Cell, Edge, EdgeOf, Obstruction, Plain, Revision, StateId};
///
/// /// A ring of rooms; each has a door to the next one.
/// struct Ring(u32);
///
/// impl Space for Ring {
///     type State = Cell;
///     type Cost = u32;
///     type Expander = Plain;
///
///     fn state_bound(&self) -> usize {
///         self.0 as usize
///     }
///     fn revision(&self) -> Revision {
///         Revision::default() // it never changes
///     }
///     fn check(&self, room: Cell) -> Result<(), Obstruction> {
///         if room.index() < self.0 { Ok(()) } else { Err(Obstruction::OffMap) }
///     }
///     fn successors(&self, room: Cell, mut visit: impl FnMut(EdgeOf<Self>)) {
///         let target = Cell::from_index((room.index() + 1) % self.0);
///         visit(Edge { target, cost: 1, action: Action::Walk });
///     }
///     fn estimate(&self, _from: Cell, _to: Cell) -> u32 {
///         0
///     }
///     fn position(&self, room: Cell) -> Vec3 {
///         Vec3::X * room.index() as f32
///     }
/// }
///
/// let query = Query::new(Cell::from_index(4), Cell::from_index(1));
/// assert_eq!(solve(&Ring(6), &AStar::new(), query).outcome.path().unwrap().len(), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a space that can be searched",
    label = "not a space",
    note = "a `Grid` or `VoxelGrid` has a space for each profile of agents: pass `&grid.space()`, or `&grid.space_of(profile)`"
)]
pub trait Space: Sized + Sync {
    /// The dense id of a node.
    type State: StateId;
    /// The sum over moves.
    type Cost: Cost;
    /// The pruning, guidance and jumps of searches. [`Plain`](super::Plain) has none.
    type Expander: Expander<Self>;

    /// Returns one more than the largest [`StateId::index`]; sizes the scratch. At most 2³¹.
    fn state_bound(&self) -> usize;

    /// Returns the number of edits so far.
    fn revision(&self) -> Revision;

    /// Returns the revision after the last edit that may have changed the move, or the straight
    /// line, from one state to another: its existence or its cost.
    ///
    /// A space divided into regions answers by the regions that the line passes. Default:
    /// [`Space::revision`], since any edit may have changed anything.
    fn last_edit(&self, _from: Self::State, _to: Self::State) -> Revision {
        self.revision()
    }

    /// Whether an agent can stand on `state`; says why not.
    ///
    /// # Errors
    /// The obstruction, also for ids that no state of this space has.
    fn check(&self, state: Self::State) -> Result<(), Obstruction>;

    /// Visits every move out of `state`, always in the same order.
    fn successors(&self, state: Self::State, visit: impl FnMut(EdgeOf<Self>));

    /// Returns a lower bound on the cost from one state to another that is also consistent:
    /// `estimate(a, c) ≤ cost(a, b) + estimate(b, c)` for every move from `a` to `b`. Zero always
    /// is one.
    fn estimate(&self, from: Self::State, to: Self::State) -> Self::Cost;

    /// Returns where the state is in the world: y is up.
    fn position(&self, state: Self::State) -> Vec3;

    /// Returns the action of the cheapest move from one state to another that [`Space::successors`]
    /// joins. Default: looks for it in O(degree).
    fn action(&self, from: Self::State, to: Self::State) -> Action {
        cheapest_move(self, from, to).map_or_else(Action::default, |edge| edge.action)
    }

    /// Returns the facts about paths between two states without a search of states. Default:
    /// unknown; a search must tell.
    fn reachability(&self, _from: Self::State, _to: Self::State) -> Reachability {
        Reachability::Possible
    }

    /// Returns the cost of one unit of length on plain ground, of multiplier 1 and without
    /// penalties; above zero, and the same on every map. Turns costs into lengths in reports, and
    /// the time of a link into a cost. Default: 1.
    fn cost_per_unit(&self) -> f64 {
        1.0
    }

    /// Returns the [units of work](crate::navigate::work) that budgets count for an expansion, at
    /// least 1: about the time of one, in 100 ns. The same until the next revision. Default: 1.
    fn units_an_expansion(&self) -> u64 {
        1
    }
}

/// Returns the cheapest move from one state to another, the first of several.
fn cheapest_move<S: Space>(space: &S, from: S::State, to: S::State) -> Option<EdgeOf<S>> {
    let mut best: Option<EdgeOf<S>> = None;
    space.successors(from, |edge| {
        if edge.target == to && best.is_none_or(|best| edge.cost < best.cost) {
            best = Some(edge);
        }
    });
    best
}

/// A space whose moves can be followed backwards.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::ReverseSpace;
///
/// /// Whether a body that leaves the state can come back by a single move.
/// fn has_way_back<S: ReverseSpace>(space: &S, state: S::State) -> bool {
///     let (mut to, mut from) = (Vec::new(), Vec::new());
///     space.successors(state, |edge| to.push(edge.target));
///     space.predecessors(state, |edge| from.push(edge.target));
///     to.iter().any(|state| from.contains(state))
/// }
///
/// let grid = Grid::from_rows(&[".."])?;
/// assert!(has_way_back(&grid.space(), grid.cell(0, 0).unwrap()));
/// # Ok::<(), GridError>(())
/// ```
pub trait ReverseSpace: Space {
    /// Visits every move *into* `state`; the edge's target is the state that the move leads out of.
    fn predecessors(&self, state: Self::State, visit: impl FnMut(EdgeOf<Self>));
}

/// A metric of the offset between two states, in cost units.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{Measure, Metric, STRAIGHT};
/// let grid = Grid::from_rows(&["...", "...", "..."])?;
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(2, 2).unwrap());
/// assert_eq!(grid.space().distance(Measure::Manhattan, a, b), 4 * STRAIGHT);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// A space that measures distances: the named heuristics and the waypoint policies need it.
///
/// Example: [`Measure`].
pub trait Metric: Space {
    /// Returns the distance between two states by the measure, in cost units of the cheapest
    /// ground, rounded down. Default: [`Space::estimate`], whatever the measure.
    fn distance(&self, _measure: Measure, from: Self::State, to: Self::State) -> Self::Cost {
        self.estimate(from, to)
    }

    /// Returns the surcharge of the state itself, whatever move enters it, in cost units: a
    /// waypoint's own cost, a cell's terrain penalty. Default: zero.
    fn own_cost(&self, _state: Self::State) -> Self::Cost {
        Self::Cost::ZERO
    }
}

/// A space in which straight lines can be tested. By default nothing is in sight, and paths keep to
/// moves.
///
/// Example: [`Question`](crate::navigate::Question).
pub trait LineOfSight: Space {
    /// Whether paths become lines by [`taut`](Self::taut). For large states a straight line between
    /// two positions may leave both. Default: false.
    const PULLS_TAUT: bool = false;

    /// Returns the cost of the straight line from `from` to `to`. `None` if it is obstructed, or
    /// crosses ground of different costs. Default: `None`.
    fn line_cost(&self, _from: Self::State, _to: Self::State) -> Option<Self::Cost> {
        None
    }

    /// Returns whether an agent can move along the straight segment between two points of the
    /// world. Default: `false`.
    fn segment_is_clear(&self, _from: Vec3, _to: Vec3) -> bool {
        false
    }

    /// Returns whether a body can be swept along a [clear](Self::segment_is_clear) segment without
    /// reaching into a wall. Seen from above, the body is a disc.
    ///
    /// `radius`: of the disc, in world units, at least 0; the segment is clear if it is 0. Default:
    /// whether the segment is clear, for spaces that do not know the positions of their walls.
    fn sweep_is_clear(&self, from: Vec3, to: Vec3, _radius: f32) -> bool {
        self.segment_is_clear(from, to)
    }

    /// Returns what [`sweep_is_clear`](Self::sweep_is_clear) tells, and what else was seen on the
    /// way. Default: nothing else.
    fn sweep(&self, from: Vec3, to: Vec3, radius: f32) -> Sweep {
        match self.sweep_is_clear(from, to, radius) {
            true => Sweep::Clear { is_level: false },
            false => Sweep::Barred(None),
        }
    }

    /// Returns the swath of a segment, what a body sweeps over along it, if it is open: bodies of
    /// half the radius can be swept from each point of it to the end of the segment, if the point
    /// is as far inside the border as they are wide.
    ///
    /// `radius`: of the swath, in world units. `None` if the swath is not open, or the space does
    /// not tell. Default: `None`.
    fn open_swath(&self, _from: Vec3, _to: Vec3, _radius: f32) -> Option<OpenSwath> {
        None
    }

    /// Returns the shortest line through states, each a neighbour of the one before: from a point
    /// of the first one to a point of the last one. Its legs are clear segments.
    ///
    /// `to`: `None` for the position of the last state. `radius`: of the body that is to follow the
    /// line, in world units, at least 0; the line keeps that distance from walls where there is
    /// room, and an end beside a wall is moved away from it by at most the radius. `None`: there is
    /// no such line, or the space does not [pull lines taut](Self::PULLS_TAUT). Default: `None`.
    fn taut(
        &self,
        _from: Vec3,
        _states: &[Self::State],
        _to: Option<Vec3>,
        _radius: f32,
    ) -> Option<Vec<Vec3>> {
        None
    }

    /// Visits points of a clear segment so that straight legs between them follow the ground; the
    /// last one is its end, on the ground. Default: the end alone, for level ground.
    fn follow_ground(&self, _from: Vec3, to: Vec3, visit: &mut dyn FnMut(Vec3)) {
        visit(to);
    }
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
/// [`Space::successors`] is built for speed. This is built to be obviously right: it looks at the
/// terrain itself, shares no code with the search, and lets [`validate`](crate::path::validate())
/// re-walk every path.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{IllegalMove, MoveRules, STRAIGHT};
///
/// let grid = Grid::from_rows(&["..#", "..."])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// assert_eq!(space.check_move(at(0, 0), at(1, 0)), Ok(STRAIGHT));
/// assert_eq!(space.check_move(at(0, 0), at(2, 1)), Err(IllegalMove::NotAdjacent));
/// assert_eq!(space.check_move(at(1, 0), at(2, 1)), Err(IllegalMove::CutsCorner));
/// # Ok::<(), GridError>(())
/// ```
pub trait MoveRules: Space {
    /// Returns the cost of the single move between two states.
    ///
    /// Default: the cheapest such move among [`Space::successors`]. That is weaker than a second
    /// statement of the rules: a fault of `successors` goes unnoticed.
    ///
    /// # Errors
    /// Why there is no such move.
    fn check_move(&self, from: Self::State, to: Self::State) -> Result<Self::Cost, IllegalMove> {
        self.check(from)?;
        self.check(to)?;
        cheapest_move(self, from, to).map(|edge| edge.cost).ok_or(IllegalMove::NotAdjacent)
    }
}
