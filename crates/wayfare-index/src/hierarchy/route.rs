//! Routes: planned over transitions, refined into cells as they are walked.
//!
//! # Why a refined path costs no more than its route
//!
//! The plan gives each waypoint `w` a cost `plan(w)` from the start, realised by cheapest paths
//! within sectors. A position on the route has the cost `walked` from the start, and knows a path
//! of cost `ahead` from there to the waypoint `aim`. The invariant:
//!
//! ```text
//! walked + ahead + plan(goal) - plan(aim) <= plan(goal)
//! ```
//!
//! It is true at the start, where all but `plan(goal)` are 0. The next leg aims at a later waypoint
//! `next`. Some path there costs `ahead + plan(next) - plan(aim)`, through the old aim, so the
//! cheapest path costs at most that; a search that finds none contradicts the hierarchy and is
//! reported as [`Mismatch`](HierarchyError::Mismatch). Walking a part of it moves cost from `ahead`
//! to `walked`. At the goal `ahead` is 0, hence `walked <= plan(goal)`.
//!
//! Each leg walks at least one cell, and its aim advances until it is the goal, so refining ends.

use wayfare_core::expert::{Jumping, JumpingOf, Nodes, OpenList};
use wayfare_core::inside::Buckets;
use wayfare_core::path::{Path, Step};
use wayfare_core::search::{AStar, Algorithm, Jps, Outcome, Query, Scratch, Search, Stats};
use wayfare_core::space::{Action, Cost, Revision, Space};
use wayfare_grid::grid::{Cell, GridSpace};

use super::flood::Flood;
use super::waiting::Exits;
use super::{Hierarchy, HierarchyError};

/// The working memory of finding and refining routes: owned by the caller, reused, one per thread.
///
/// It contains a node of 8 bytes for each transition that a sector may have (of the most that any
/// sector has, rounded up to a power of two), a copy of one sector, and the [`Scratch`] of the
/// refining searches. On maps with groups there are 24 bytes for each transition out of a group.
///
/// Example: [`SectorRoute`].
#[derive(Debug)]
pub struct HierarchyScratch<C = u32> {
    pub(super) nodes: Nodes<C>,
    pub(super) open: Buckets,
    pub(super) flood: Flood<C>,
    pub(super) from_start: Vec<C>,
    pub(super) to_goal: Vec<C>,
    /// The transitions that the last route leaves sectors by, the last one first.
    pub(super) exits: Vec<u32>,
    pub(super) stats: Stats,
    search: Scratch<Cell, C>,
    waypoints: Vec<Step<Cell, C>>,
    leg: Vec<Step<Cell, C>>,
    /// The waypoints of a route refined as a whole.
    whole: Vec<Step<Cell, C>>,
    /// The waypoints across a group.
    pub(super) between: Vec<Step<Cell, C>>,
    pub(super) reached: Exits<C>,
}

impl<C: Cost> Default for HierarchyScratch<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> HierarchyScratch<C> {
    /// Returns a scratch without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: Nodes::default(),
            open: Buckets::default(),
            flood: Flood::default(),
            from_start: Vec::new(),
            to_goal: Vec::new(),
            exits: Vec::new(),
            stats: Stats::default(),
            search: Scratch::new(),
            waypoints: Vec::new(),
            leg: Vec::new(),
            whole: Vec::new(),
            between: Vec::new(),
            reached: Exits::default(),
        }
    }

    /// Takes back a route that is no longer needed. The next one reuses its memory.
    pub fn recycle(&mut self, route: SectorRoute<C>) {
        let SectorRoute { mut waypoints, mut leg, .. } = route;
        if waypoints.capacity() > self.waypoints.capacity() {
            waypoints.clear();
            self.waypoints = waypoints;
        }
        if leg.capacity() > self.leg.capacity() {
            leg.clear();
            self.leg = leg;
        }
    }

    /// Takes back a path that is no longer needed. The next one reuses its memory.
    pub fn recycle_path(&mut self, path: Path<Cell, C>) {
        self.search.recycle(path);
    }

    pub(super) fn spare_route(&mut self, revision: Revision) -> SectorRoute<C> {
        let (waypoints, leg) = (std::mem::take(&mut self.waypoints), std::mem::take(&mut self.leg));
        let at = Position {
            at: Step { state: Cell(0), action: Action::Walk, cost: C::ZERO },
            aim: 0,
            ahead: C::ZERO,
        };
        SectorRoute { waypoints, leg, position: at, revision }
    }

    /// Returns the counters of the last route: of its search over transitions, and of all legs and
    /// paths refined since.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Returns the memory of the scratch, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.open.bytes()
            + self.flood.bytes()
            + (self.from_start.capacity() + self.to_goal.capacity()) * size_of::<C>()
            + self.exits.capacity() * size_of::<u32>()
            + self.reached.bytes()
            + [&self.waypoints, &self.leg, &self.whole, &self.between]
                .map(|steps| steps.capacity() * size_of::<Step<Cell, C>>())
                .iter()
                .sum::<usize>()
            + self.search.bytes()
    }
}

/// A near-optimal route: its waypoints from sector to sector, a bound on its cost, and its next
/// cells.
///
/// A route is refined leg by leg. Each leg is a part of a cheapest path to a waypoint several
/// sectors ahead ([`HierarchySettings::lookahead`](super::HierarchySettings::lookahead)), so that
/// it does not bend towards transitions. A route belongs to one revision of the grid; after an
/// edit, ask for a new one.
///
/// ```
/// use wayfare::hierarchy::{Hierarchy, HierarchyScratch, HierarchySettings};
/// use wayfare::prelude::*;
/// let grid = Grid::new(120, 40, &[TerrainId::GROUND; 4_800], GridProfile::default())?;
/// let space = grid.space();
/// let hierarchy = Hierarchy::build(&space, HierarchySettings::default());
/// let mut scratch = HierarchyScratch::new();
/// let (start, goal) = (grid.cell(2, 2).unwrap(), grid.cell(117, 35).unwrap());
/// let mut route = hierarchy.route(&space, &mut scratch, start, goal)?.found().unwrap();
/// let mut cells = route.leg().to_vec();
/// while route.next_leg(&hierarchy, &space, &mut scratch)? {
///     cells.extend(&route.leg()[1..]); // the first cell ends the leg before
/// }
/// assert!(route.is_last_leg() && cells.last().unwrap().cost <= route.cost());
/// scratch.recycle(route);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectorRoute<C = u32> {
    /// The start, the transitions and the goal, with their costs from the start.
    pub(super) waypoints: Vec<Step<Cell, C>>,
    /// The last refined leg. Its first cell ends the leg before it.
    leg: Vec<Step<Cell, C>>,
    position: Position<C>,
    revision: Revision,
}

/// How far a route has been refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Position<C> {
    /// The last refined cell.
    at: Step<Cell, C>,
    /// The waypoint that a path is known to, and the cost of that path.
    aim: usize,
    ahead: C,
}

impl<C: Cost> Position<C> {
    fn is_at_end_of(&self, waypoints: &[Step<Cell, C>]) -> bool {
        waypoints.last().is_none_or(|goal| goal.state == self.at.state)
    }
}

impl<C: Cost> SectorRoute<C> {
    /// Returns an upper bound on the cost of the whole route. A refined path costs at most as much.
    #[must_use]
    pub fn cost(&self) -> C {
        self.waypoints.last().map_or(C::ZERO, |last| last.cost)
    }

    /// Returns the waypoints: the start, the cells on both sides of every border crossed, and the
    /// goal, with their costs from the start.
    ///
    /// On maps of 2048 sectors and more, the borders ahead of the last leg are those of groups of
    /// 5 × 5 sectors. Each leg adds the borders that it looks at.
    #[must_use]
    pub fn waypoints(&self) -> &[Step<Cell, C>] {
        &self.waypoints
    }

    /// Returns the last refined leg, cell by cell. Its first cell ends the leg before it; costs
    /// count from the start of the route.
    #[must_use]
    pub fn leg(&self) -> &[Step<Cell, C>] {
        &self.leg
    }

    /// Returns whether the last refined leg ends at the goal.
    #[must_use]
    pub fn is_last_leg(&self) -> bool {
        self.is_done(&self.position)
    }

    fn is_done(&self, position: &Position<C>) -> bool {
        position.is_at_end_of(&self.waypoints)
    }

    fn first(&self) -> Position<C> {
        let at = self.waypoints.first().copied();
        let none = Step { state: Cell(0), action: Action::Walk, cost: C::ZERO };
        Position { at: at.unwrap_or(none), aim: 0, ahead: C::ZERO }
    }

    /// Refines the first leg of a route with known waypoints.
    pub(super) fn begin(
        &mut self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
    ) -> Result<(), HierarchyError> {
        self.position = self.first();
        self.next_leg(hierarchy, space, scratch).map(|_| ())
    }

    /// Refines the next leg into [`SectorRoute::leg`]. Returns `false` if the last one ended at the
    /// goal.
    ///
    /// Takes one search for a cheapest path over a few sectors: jump point search if the space can
    /// jump, else A*.
    ///
    /// # Errors
    /// [`HierarchyError::Stale`] if the grid was edited since the route was found. The other errors
    /// if route, hierarchy and space do not belong together.
    pub fn next_leg(
        &mut self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
    ) -> Result<bool, HierarchyError> {
        self.check(hierarchy, space)?;
        self.leg.clear();
        self.leg.push(self.position.at);
        if self.is_last_leg() {
            return Ok(false);
        }
        let Self { waypoints, leg, position, .. } = self;
        refine(hierarchy, space, scratch, (waypoints, position), leg)?;
        Ok(true)
    }

    /// Returns the whole route cell by cell, from its start, whichever leg was refined last. It
    /// costs at most [`SectorRoute::cost`].
    ///
    /// # Errors
    /// As [`SectorRoute::next_leg`].
    pub fn refine_all(
        &self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
    ) -> Result<Path<Cell, C>, HierarchyError> {
        self.check(hierarchy, space)?;
        let mut position = self.first();
        let mut path = Path { steps: std::mem::take(&mut scratch.leg), revision: self.revision };
        path.steps.clear();
        path.steps.push(position.at);
        let mut waypoints = std::mem::take(&mut scratch.whole);
        waypoints.clone_from(&self.waypoints);
        let mut refined = Ok(());
        while refined.is_ok() && !position.is_at_end_of(&waypoints) {
            let (plan, cells) = ((&mut waypoints, &mut position), &mut path.steps);
            refined = refine(hierarchy, space, scratch, plan, cells);
        }
        scratch.whole = waypoints;
        refined.map(|()| path)
    }

    /// Returns a cheapest path between the ends of the route: by jump point search if the space can
    /// jump, else by A*.
    ///
    /// # Errors
    /// As [`SectorRoute::next_leg`].
    pub fn exact(
        &self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
    ) -> Result<Path<Cell, C>, HierarchyError> {
        self.check(hierarchy, space)?;
        let goal = self.waypoints.last().map_or(self.position.at, |goal| *goal);
        cheapest(space, scratch, (self.first().at.state, goal.state), self.cost())
    }

    fn check(
        &self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
    ) -> Result<(), HierarchyError> {
        hierarchy.check(space)?;
        if self.revision == space.revision() {
            Ok(())
        } else {
            Err(HierarchyError::Stale { of: self.revision, now: space.revision() })
        }
    }
}

/// Appends the cells of the next leg and moves the position to its end. The goal must be ahead.
fn refine<C: Cost>(
    hierarchy: &Hierarchy<C>,
    space: &GridSpace<'_, C>,
    scratch: &mut HierarchyScratch<C>,
    (waypoints, position): (&mut Vec<Step<Cell, C>>, &mut Position<C>),
    cells: &mut Vec<Step<Cell, C>>,
) -> Result<(), HierarchyError> {
    let lookahead = hierarchy.settings.lookahead;
    let mut sectors = if position.aim == 0 { lookahead } else { lookahead / 2 }.max(1);
    let known = waypoints[position.aim];
    // The plan enters another sector where two consecutive waypoints differ in it.
    let sector_of =
        |step: Step<Cell, C>| hierarchy.layout.sector_at(space.layout().coordinates(step.state));
    let mut aim = position.aim;
    while aim + 1 < waypoints.len() && (sectors > 0 || waypoints[aim].state == position.at.state) {
        hierarchy.spell_out(space, scratch, waypoints, aim);
        aim += 1;
        let is_in_next = sector_of(waypoints[aim]) != sector_of(waypoints[aim - 1]);
        sectors = sectors.saturating_sub(u32::from(is_in_next));
    }
    let target = waypoints[aim];
    let most = position.ahead.plus(target.cost.minus(known.cost));
    let path = cheapest(space, scratch, (position.at.state, target.state), most)?;
    let moves = path.len();
    let taken = match lookahead {
        _ if aim + 1 == waypoints.len() => moves,
        0 => moves,
        1 => (2 * moves).div_ceil(3),
        _ => moves.div_ceil(2),
    };
    let before = position.at.cost;
    let taken = &path.steps[1..=taken];
    cells.extend(taken.iter().map(|step| Step { cost: before.plus(step.cost), ..*step }));
    if let Some(&end) = taken.last() {
        position.at = Step { cost: before.plus(end.cost), ..end };
        position.ahead = path.cost().minus(end.cost);
    }
    position.aim = aim;
    scratch.search.recycle(path);
    Ok(())
}

/// Returns a cheapest path, known to cost at most `most`.
///
/// `most` is no limit of the search: a search for a cheapest path expands no state beyond it
/// anyway.
pub(super) fn cheapest<C: Cost>(
    space: &GridSpace<'_, C>,
    scratch: &mut HierarchyScratch<C>,
    (start, goal): (Cell, Cell),
    most: C,
) -> Result<Path<Cell, C>, HierarchyError> {
    let (query, search) = (Query::new(start, goal), &mut scratch.search);
    let answer = if JumpingOf::<GridSpace<'_, C>>::is_possible(space) {
        Jps.search(query).finish(space, search, &mut ())
    } else {
        AStar::new().search(query).finish(space, search, &mut ())
    };
    scratch.stats = both(scratch.stats, answer.stats);
    match answer.outcome {
        Outcome::Found(path) if path.cost() <= most => Ok(path),
        _ => Err(HierarchyError::Mismatch),
    }
}

/// Returns the counters of two searches.
pub(super) fn both(one: Stats, other: Stats) -> Stats {
    Stats {
        expanded: one.expanded + other.expanded,
        generated: one.generated + other.generated,
        reopened: one.reopened + other.reopened,
        heap_peak: one.heap_peak.max(other.heap_peak),
    }
}
