//! Routes: planned over transitions, refined into cells as they are walked.

use super::flood::Flood;
use super::{Hierarchy, HierarchyError};
use crate::path::{Path, Step};
use crate::search::{
    AStar, Algorithm, Buckets, Jps, Nodes, OpenList, Outcome, Query, Scratch, Search, Stats,
};
use crate::space::{Action, Cell, Cost, GridSpace, JumpSpace, Revision, Space};

/// The memory that routes are found and refined in: owned by the caller, reused from query to query. One per thread.
///
/// Holds a node of 8 bytes for each place along a rim (about an eighth of the cells, with sectors of 32), a copy of one sector, and
/// the [`Scratch`] of the searches that refine.
#[derive(Debug)]
pub struct HierarchyScratch<C = u32> {
    pub(super) nodes: Nodes<C>,
    pub(super) open: Buckets,
    pub(super) flood: Flood<C>,
    pub(super) from_start: Vec<C>,
    pub(super) to_goal: Vec<C>,
    pub(super) stats: Stats,
    search: Scratch<Cell, C>,
    waypoints: Vec<Step<Cell, C>>,
    leg: Vec<Step<Cell, C>>,
}

impl<C: Cost> Default for HierarchyScratch<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<C: Cost> HierarchyScratch<C> {
    /// A scratch that has not allocated anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: Nodes::default(),
            open: Buckets::default(),
            flood: Flood::default(),
            from_start: Vec::new(),
            to_goal: Vec::new(),
            stats: Stats::default(),
            search: Scratch::new(),
            waypoints: Vec::new(),
            leg: Vec::new(),
        }
    }

    /// Takes back a route that is no longer needed, so that the next one reuses its memory.
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

    /// Takes back a path that is no longer needed, so that the next one reuses its memory.
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

    /// What the route found last took, with all legs and paths refined since: transitions and cells together.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The memory it holds, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.open.bytes()
            + self.flood.bytes()
            + (self.from_start.capacity() + self.to_goal.capacity()) * size_of::<C>()
            + (self.waypoints.capacity() + self.leg.capacity()) * size_of::<Step<Cell, C>>()
            + self.search.bytes()
    }
}

/// A near-optimal route: where it goes from sector to sector, what it costs at most, and its next cells.
///
/// A route is refined leg by leg. Each leg is a cheapest way to a place some sectors ahead
/// ([`HierarchySettings::lookahead`](super::HierarchySettings::lookahead)), of which the nearer part is walked before the rest is
/// looked at again: so legs do not bend towards transitions, and cost no more than was planned. A route is of one revision of the
/// grid: after an edit ask for a new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SectorRoute<C = u32> {
    /// The start, the transitions, the goal, with the costs from the start.
    pub(super) waypoints: Vec<Step<Cell, C>>,
    /// The leg refined last, the first cell being where the one before ended.
    leg: Vec<Step<Cell, C>>,
    position: Position<C>,
    revision: Revision,
}

/// How far a route has been refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Position<C> {
    /// The last cell.
    at: Step<Cell, C>,
    /// The waypoint that a way is known to from there, and what it costs.
    aim: usize,
    ahead: C,
}

impl<C: Cost> SectorRoute<C> {
    /// What the whole route costs at most. A refined path costs no more, and often a little less.
    #[must_use]
    pub fn cost(&self) -> C {
        self.waypoints.last().map_or(C::ZERO, |last| last.cost)
    }

    /// Where the route goes: the start, the cells on both sides of every border it crosses, the goal; with costs from the start.
    #[must_use]
    pub fn waypoints(&self) -> &[Step<Cell, C>] {
        &self.waypoints
    }

    /// The leg that was refined last, cell by cell: the first cell is where the one before ended, costs are from the
    /// start of the route.
    #[must_use]
    pub fn leg(&self) -> &[Step<Cell, C>] {
        &self.leg
    }

    /// Whether the last leg leads to the goal.
    #[must_use]
    pub fn is_last_leg(&self) -> bool {
        self.is_done(&self.position)
    }

    fn is_done(&self, position: &Position<C>) -> bool {
        self.waypoints.last().is_none_or(|goal| goal.state == position.at.state)
    }

    fn first(&self) -> Position<C> {
        let at = self.waypoints.first().copied();
        let none = Step { state: Cell(0), action: Action::Walk, cost: C::ZERO };
        Position { at: at.unwrap_or(none), aim: 0, ahead: C::ZERO }
    }

    /// Refines the first leg of a route whose waypoints are known.
    pub(super) fn begin(
        &mut self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
    ) -> Result<(), HierarchyError> {
        self.position = self.first();
        self.next_leg(hierarchy, space, scratch).map(|_| ())
    }

    /// Refines the next leg into [`SectorRoute::leg`]; `false` where the last one led to the goal already. Takes a cheapest-path search over
    /// a few sectors, by jump point search where the space can jump.
    ///
    /// # Errors
    /// [`HierarchyError::Stale`] where the grid was edited since the route was found, and the others where route, hierarchy and
    /// space do not belong together.
    pub fn next_leg(
        &mut self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
    ) -> Result<bool, HierarchyError> {
        self.check(hierarchy, space)?;
        let (mut position, mut leg) = (self.position, std::mem::take(&mut self.leg));
        leg.clear();
        leg.push(position.at);
        let is_done = self.is_done(&position);
        let refined = if is_done {
            Ok(())
        } else {
            self.refine(hierarchy, space, scratch, &mut position, &mut leg)
        };
        (self.position, self.leg) = (position, leg);
        refined.map(|()| !is_done)
    }

    /// The whole route cell by cell, from its start, whichever leg it is at. Costs at most [`SectorRoute::cost`].
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
        while !self.is_done(&position) {
            self.refine(hierarchy, space, scratch, &mut position, &mut path.steps)?;
        }
        Ok(path)
    }

    /// A cheapest path between the route's ends: by jump point search where the space can jump, else by A*.
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

    /// Goes on from a position short of the goal: appends cells and moves the position to the last of them.
    fn refine(
        &self,
        hierarchy: &Hierarchy<C>,
        space: &GridSpace<'_, C>,
        scratch: &mut HierarchyScratch<C>,
        position: &mut Position<C>,
        cells: &mut Vec<Step<Cell, C>>,
    ) -> Result<(), HierarchyError> {
        let lookahead = hierarchy.settings.lookahead;
        let mut sectors = if position.aim == 0 { lookahead } else { lookahead / 2 }.max(1);
        let last = self.waypoints.len() - 1;
        let known = self.waypoints[position.aim];
        // Each sector ends at the far side of a border.
        let sector_of = |at: usize| {
            hierarchy.layout.sector_at(space.grid().coordinates(self.waypoints[at].state))
        };
        let mut aim = position.aim;
        while aim < last && (sectors > 0 || self.waypoints[aim].state == position.at.state) {
            aim += 1;
            sectors = sectors.saturating_sub(u32::from(sector_of(aim) != sector_of(aim - 1)));
        }
        let target = self.waypoints[aim];
        let most = position.ahead.plus(target.cost.minus(known.cost));
        let path = cheapest(space, scratch, (position.at.state, target.state), most)?;
        let moves = path.len() - 1;
        let taken = match lookahead {
            _ if aim == last => moves,
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
}

/// A cheapest path that is known to cost at most `most`.
///
/// That is not given to the search as its limit: it never expands what costs more anyway, and what the limit would keep off the open
/// list does not pay for the comparisons.
fn cheapest<C: Cost>(
    space: &GridSpace<'_, C>,
    scratch: &mut HierarchyScratch<C>,
    (start, goal): (Cell, Cell),
    most: C,
) -> Result<Path<Cell, C>, HierarchyError> {
    let (query, search) = (Query::new(start, goal), &mut scratch.search);
    let answer = if space.can_jump() {
        Jps.search(query).finish(space, search, &mut ())
    } else {
        AStar::new().search(query).finish(space, search, &mut ())
    };
    let (all, own) = (&mut scratch.stats, answer.stats);
    all.expanded += own.expanded;
    all.generated += own.generated;
    all.reopened += own.reopened;
    all.heap_peak = all.heap_peak.max(own.heap_peak);
    match answer.outcome {
        Outcome::Found(path) if path.cost() <= most => Ok(path),
        _ => Err(HierarchyError::Mismatch),
    }
}
