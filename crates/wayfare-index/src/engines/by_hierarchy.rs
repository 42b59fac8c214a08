//! The hierarchy as an engine.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use wayfare_core::navigate::{
    Answered, Coverage, Engine, EngineId, Offer, Policy, Question, Reason, Refusal, Took,
};
use wayfare_core::path::Path;
use wayfare_core::search::{Guarantee, Outcome};
use wayfare_core::space::{Cost, Space};
use wayfare_grid::grid::{Cell, GridSpace};

use crate::hierarchy::{
    Hierarchy, HierarchyError, HierarchyScratch, HierarchySettings, RouteOutcome,
};

/// Answers by a [`Hierarchy`], for grids that change: the first leg of a near-optimal route.
///
/// Suits [`Policy::FirstLeg`] alone. Follows edits by repairing the sectors they touch. Takes the
/// work of one search over sectors and of one over the cells of a few sectors, in one go: a budget
/// may be overshot by that much.
///
/// ```
/// use wayfare::hierarchy::HierarchySettings;
/// use wayfare::navigate::{Coverage, Engine, HierarchyEngine, Navigator, Policy, Question};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let mut grid = Grid::new(200, 100, &[TerrainId::GROUND; 20_000], GridProfile::default())?;
/// let mut engine = HierarchyEngine::new(&grid.space(), HierarchySettings::default());
/// let (start, goal) = (grid.cell(3, 5).unwrap(), grid.cell(190, 80).unwrap());
/// let question = Question::from(Query::new(start, goal)).policy(Policy::FirstLeg);
///
/// let wall: Vec<Cell> = (0..90).map(|y| grid.cell(100, y).unwrap()).collect();
/// grid.set_terrains(wall.iter().map(|&cell| (cell, TerrainId::BLOCKED)));
/// engine.world_changed(&grid.space(), &wall);
///
/// let answer = Navigator::new(grid.space()).with(&engine).ask(question, &mut Scratch::new());
/// assert_eq!(answer.took.coverage, Coverage::FirstLeg);
/// assert_eq!(answer.outcome.path().unwrap().start(), Some(start));
/// assert!(answer.took.loss_bound >= 1.0);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Debug)]
pub struct HierarchyEngine<C = u32> {
    hierarchy: Hierarchy<C>,
    settings: HierarchySettings,
    /// Serves one thread at a time. Its content never affects an answer.
    scratch: Mutex<HierarchyScratch<C>>,
}

impl<C: Cost> HierarchyEngine<C> {
    /// Builds the hierarchy of a space as it is. O(cells · transitions a sector).
    #[must_use]
    pub fn new(space: &GridSpace<'_, C>, settings: HierarchySettings) -> Self {
        let hierarchy = Hierarchy::build(space, settings);
        Self { hierarchy, settings, scratch: Mutex::new(HierarchyScratch::new()) }
    }

    /// Returns the hierarchy.
    #[must_use]
    pub fn hierarchy(&self) -> &Hierarchy<C> {
        &self.hierarchy
    }
}

impl<'g, C: Cost> Engine<GridSpace<'g, C>> for HierarchyEngine<C> {
    fn id(&self) -> EngineId {
        EngineId::Hierarchy
    }

    fn offer(
        &self,
        space: &GridSpace<'g, C>,
        question: &Question<Cell, C>,
    ) -> Result<Offer, Refusal> {
        match self.hierarchy.check(space) {
            Err(HierarchyError::Stale { .. }) => return Err(Refusal::Stale),
            Err(_) => return Err(Refusal::OtherSpace),
            Ok(()) => {}
        }
        if question.policy != Policy::FirstLeg {
            return Err(Refusal::Policy);
        }
        question.plain_goal()?;
        Ok(Offer {
            reason: Reason::FirstLegWanted,
            guarantee: Guarantee::Bounded,
            coverage: Coverage::FirstLeg,
        })
    }

    fn answer(
        &self,
        space: &GridSpace<'g, C>,
        question: &Question<Cell, C>,
        mut spare: Path<Cell, C>,
    ) -> Option<Answered<Cell, C>> {
        let (start, goal) = (question.query.start, question.plain_goal().ok()?);
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let route = self.hierarchy.route(space, &mut scratch, start, goal).ok()?;
        let stats = scratch.stats();
        spare.steps.clear();
        spare.revision = space.revision();
        let mut took = Took {
            guarantee: Guarantee::Bounded,
            ..Took::optimal(EngineId::Hierarchy, Reason::FirstLegWanted, stats.expanded)
        };
        let outcome = match route {
            RouteOutcome::Found(route) => {
                spare.steps.extend_from_slice(route.leg());
                if !route.is_last_leg() {
                    took.coverage = Coverage::FirstLeg;
                }
                // No path is cheaper than the estimate, and this one costs no more than planned.
                let (most, least) = (route.cost().to_u64(), space.estimate(start, goal).to_u64());
                took.loss_bound =
                    if least == 0 { 1.0 } else { (most as f64 / least as f64) as f32 };
                scratch.recycle(route);
                Outcome::Found(spare)
            }
            RouteOutcome::Unreachable(reason) => Outcome::Unreachable { reason, nearest: spare },
            // Even so, a cheapest path may fit the type.
            RouteOutcome::LimitReached(_) => return None,
        };
        Some(Answered { outcome, stats, took })
    }

    /// Repairs the sectors that the cells lie in; for a grid of another size or profile all of them
    /// are built.
    ///
    /// Also repairs, whole, tiles of 32 x 32 cells that the grid says were edited since, and of
    /// which `affected` has no cell within reach: an edit not reported to the engine costs time,
    /// not answers.
    fn world_changed(&mut self, space: &GridSpace<'g, C>, affected: &[Cell]) {
        let mut affected = Cow::Borrowed(affected);
        if self.hierarchy.check_shape(space).is_ok() {
            let untold = space.grid().edited_tiles_without(&affected, self.hierarchy.revision());
            if !untold.is_empty() {
                affected.to_mut().extend(untold);
            }
        }
        if self.hierarchy.repair(space, affected.iter().copied()).is_err() {
            self.hierarchy = Hierarchy::build(space, self.settings);
        }
    }
}
