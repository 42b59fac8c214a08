//! A puzzle gives way to another version of it, under its agents.
//!
//! # Why agents begin again
//!
//! A version is made so that it can be solved from its start. From other cells it may have no
//! solution: new pillars enclose an agent, or it stands behind a door that needs it in front. So
//! whoever is on the ground of either version begins again at the entry, which lies before the
//! start. The agent that solves the puzzle begins again as well, if it has begun or is through:
//! those who follow it need it in front of the doors.

use glam::Vec3;
use wayfare_core::space::StateId;

use super::play::{Play, Puzzles, Stage};
use super::{PuzzleId, PuzzlePhase, PuzzleSpec};
use crate::agent::AgentId;
use crate::simulation::roster::{Agent, Way};
use crate::simulation::{Command, Environment};

impl Puzzles {
    /// Adds a version to a puzzle and returns its number; that of an equal version, where there is
    /// one.
    pub(in crate::simulation) fn add_version(
        &mut self,
        PuzzleId(number): PuzzleId,
        version: PuzzleSpec,
    ) -> Option<u32> {
        let later = &mut self.specs.get_mut(number as usize)?.later;
        let known = later.iter().position(|known| *known == version);
        let place = known.unwrap_or_else(|| {
            later.push(version);
            later.len() - 1
        });
        u32::try_from(place + 1).ok()
    }

    /// Returns the puzzles as they were added.
    pub(in crate::simulation) fn specs(&self) -> impl Iterator<Item = &PuzzleSpec> {
        self.specs.iter()
    }

    /// Replaces a puzzle by a version of it, by commands for the tick that begins. Returns whether
    /// there is that version.
    pub(in crate::simulation) fn replace<W: Environment>(
        &mut self,
        PuzzleId(number): PuzzleId,
        version: u32,
        entry: Vec3,
        stage: &mut Stage<'_, W>,
    ) -> bool {
        let number = number as usize;
        let spec = self.specs.get(number).zip(self.plays.get(number));
        let both = spec.and_then(|(spec, play)| {
            Some((spec.version(play.version)?, spec.version(version)?, play))
        });
        let Some((old, new, play)) = both else { return false };
        stage.clear(old, number, &play.state);
        let state = new.puzzle.begin();
        stage.furnish(new, number, &state);
        let solver = new.agent.filter(|_| play.phase != PuzzlePhase::Waiting);
        for (agent, body) in (0..).map(AgentId).zip(&stage.roster.agents) {
            if body.is_present() && (Some(agent) == solver || is_on(old, body) || is_on(new, body))
            {
                stage.schedule.add(stage.clock.now, Command::Warp { agent, to: entry });
            }
        }
        // Its agent is not where it was in the midst of a later puzzle.
        for (spec, play) in self.specs.iter().zip(&mut self.plays).skip(number + 1) {
            let agent = spec.version(play.version).and_then(|spec| spec.agent);
            if solver.is_some() && agent == solver && play.phase != PuzzlePhase::Solved {
                *play = Play::before(play.state.clone(), play.version);
            }
        }
        self.plays[number] = Play::before(state, version);
        true
    }
}

/// Returns whether a body is on the ground of a puzzle, or on a platform of it.
fn is_on<State: StateId>(spec: &PuzzleSpec, body: &Agent<State>) -> bool {
    match body.way {
        Way::Inside { link, .. } => spec.lifts.iter().flatten().any(|lift| *lift == link),
        _ => spec.puzzle.ground().cell_near(body.body.at()).is_some(),
    }
}
