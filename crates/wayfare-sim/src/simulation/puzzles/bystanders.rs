//! Bystanders: agents that stand where a deed is about to put a crate or shut a gate.
//!
//! # The rule
//!
//! A deed that found agents on its cells for a second asks them to leave: each goes to the nearest
//! cell where it is in nobody's way, and stays until the deed is done. Its orders come after that.
//!
//! # Why no deed waits for ever
//!
//! Let a deed need some cells, and let each agent on them have a refuge, a cell off the needed ones
//! that it reaches. Bodies do not hold each other up for ever, so each gets to its refuge. It is
//! sent there again as long as the deed waits. Hence the number of agents that keep away never
//! shrinks. There are finitely many, so at some tick none is left that would come back, and the
//! deed is done.
//!
//! A refuge is looked for on the ground before the deed: a crate that is about to be moved is no
//! way out yet. Of all refuges those are preferred that no later step of the plan needs, and from
//! which the walker can be reached afterwards: a follower behind a door that shuts would be lost.

use std::collections::BTreeSet;

use glam::Vec3;
use wayfare_grid::grid::Cell;
use wayfare_puzzle::{Deed, PuzzleState};

use super::play::{Play, Stage};
use super::{PuzzlePhase, PuzzleSpec};
use crate::agent::{AgentId, Order};
use crate::simulation::Environment;

/// Seconds that a deed waits for those who pass by.
const PATIENCE: f32 = 1.0;

/// A deed that is about to be done.
pub(super) struct PlannedDeed<'d> {
    /// The agent that does it, and the cell where it ends up.
    pub(super) agent: AgentId,
    pub(super) walker: Cell,
    /// The parts before and after it.
    pub(super) before: &'d PuzzleState,
    pub(super) after: &'d PuzzleState,
    /// The cells that it fills.
    pub(super) filled: &'d [Cell],
}

impl Play {
    /// Returns whether no agent is in the way of a deed. Asks those that are to leave.
    pub(super) fn has_room<W: Environment>(
        &mut self,
        deed: &PlannedDeed<'_>,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) -> bool {
        let present = (0..).map(AgentId).zip(&stage.roster.agents);
        let in_the_way: Vec<AgentId> = present
            .filter(|(id, agent)| {
                let (at, radius) = (agent.body.at(), agent.limits.radius);
                *id != deed.agent && agent.is_present() && reaches(spec, at, radius, deed.filled)
            })
            .map(|(id, _)| id)
            .collect();
        if in_the_way.is_empty() {
            return true;
        }
        let since = match self.phase {
            PuzzlePhase::Working { until } => until,
            _ => stage.clock.now,
        };
        if stage.clock.now < since + stage.clock.ticks(PATIENCE) {
            return false;
        }
        let mut new = in_the_way;
        new.retain(|agent| !self.asked.contains(agent));
        self.asked.extend(&new);
        let refuges = Refuges::of(self, deed, spec);
        for agent in self.asked.clone() {
            let Some(body) = stage.roster.present(agent) else { continue };
            let at = body.body.at();
            let is_on_its_way = !new.contains(&agent) && !body.errand.is_over();
            if is_on_its_way {
                continue;
            }
            let orders: Vec<Vec3> = body.mind.orders().collect();
            let radius = body.limits.radius;
            if let Some(refuge) = refuges.nearest(at, radius, deed, spec) {
                stage.order(agent, Order::GoTo(refuge));
                orders.into_iter().for_each(|point| stage.order(agent, Order::Then(point)));
            }
        }
        false
    }
}

/// The cells where nobody is in the way.
struct Refuges {
    /// The cells from which the walker can be reached after the deed.
    joined: BTreeSet<Cell>,
    /// The cells that the rest of the plan walks on or fills.
    needed: BTreeSet<Cell>,
}

impl Refuges {
    fn of(play: &Play, deed: &PlannedDeed<'_>, spec: &PuzzleSpec) -> Self {
        let joined = spec.puzzle.cells_around(deed.after, deed.walker).into_iter().collect();
        let rest = play.plan.steps.iter().skip(play.step);
        let needed = rest.flat_map(|step| {
            let pushed = match step.deed {
                Deed::Push { to, .. } | Deed::Drag { to, .. } => Some(to),
                _ => None,
            };
            step.walk.iter().copied().chain(pushed)
        });
        Self { joined, needed: needed.collect() }
    }

    /// Returns the middle of the best refuge of a body.
    fn nearest(
        &self,
        at: Vec3,
        radius: f32,
        deed: &PlannedDeed<'_>,
        spec: &PuzzleSpec,
    ) -> Option<Vec3> {
        let ground = spec.puzzle.ground();
        let from = ground.cell_near(at)?;
        let mut best: Option<(u8, Vec3)> = None;
        for cell in spec.puzzle.cells_around(deed.before, from) {
            let Some(middle) = ground.centre(cell) else { continue };
            if !spec.puzzle.is_free(deed.after, cell) || reaches(spec, middle, radius, deed.filled)
            {
                continue;
            }
            let rank =
                u8::from(!self.joined.contains(&cell)) * 2 + u8::from(self.needed.contains(&cell));
            if best.is_none_or(|(known, _)| rank < known) {
                best = Some((rank, middle));
            }
        }
        best.map(|(_, middle)| middle)
    }
}

/// Returns whether a body reaches into one of some cells.
fn reaches(spec: &PuzzleSpec, at: Vec3, radius: f32, cells: &[Cell]) -> bool {
    let ground = spec.puzzle.ground();
    let reach = ground.cell_size() / 2.0 + radius;
    cells.iter().filter_map(|cell| ground.centre(*cell)).any(|centre| {
        let offset = (at - centre).abs();
        offset.x < reach && offset.z < reach
    })
}
