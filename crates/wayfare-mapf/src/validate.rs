//! Whether a plan is one, by rules of its own.

use std::collections::BTreeMap;

use wayfare_core::space::{IllegalMove, MoveRules};
use wayfare_grid::grid::{Cell, GridSpace};

use crate::instance::Instance;
use crate::plan::Plan;

/// A fault of a plan.
///
/// ```
/// use wayfare::space::Grid;
/// use wayfare_mapf::{Instance, Lacam, Limits, Roadmap, validate};
///
/// let grid = Grid::from_rows(&["..", ".."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let roadmap = Roadmap::of(&grid.space());
/// let there = Instance::new(roadmap.clone(), &[at(0, 0)], &[at(1, 1)])?;
/// let back = Instance::new(roadmap, &[at(1, 1)], &[at(0, 0)])?;
/// let plan = Lacam::new(&there, 7, Limits::default()).finish()?;
/// assert_eq!(validate(&grid.space(), &there, &plan), Ok(()));
/// assert!(validate(&grid.space(), &back, &plan).is_err()); // a plan for another question
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Conflict {
    /// The plan has another number of agents.
    #[error("step {step} has {found} agents, but there are {wanted}")]
    Agents {
        /// The step.
        step: usize,
        /// The number of agents in the plan.
        found: usize,
        /// The number of agents in the instance.
        wanted: usize,
    },
    /// An agent does not begin at its start.
    #[error("agent {agent} does not begin at its start")]
    Start {
        /// The agent.
        agent: usize,
    },
    /// An agent does not end at its goal.
    #[error("agent {agent} does not end at its goal")]
    Goal {
        /// The agent.
        agent: usize,
    },
    /// An agent enters a cell where it cannot stand.
    #[error("agent {agent} stands in a wall after step {step}")]
    Wall {
        /// The agent.
        agent: usize,
        /// The step.
        step: usize,
    },
    /// An agent goes farther than to a cell straight beside it.
    #[error("agent {agent} leaps in step {step}")]
    Leap {
        /// The agent.
        agent: usize,
        /// The step.
        step: usize,
    },
    /// An agent goes straight to a cell beside it where the grid has no such move, as from ground
    /// into water.
    #[error("agent {agent} makes a move in step {step} that the grid does not have: {reason}")]
    Move {
        /// The agent.
        agent: usize,
        /// The step.
        step: usize,
        /// The rule that the move breaks.
        reason: IllegalMove,
    },
    /// Two agents are at one cell.
    #[error("agents {first} and {second} are at one cell after step {step}")]
    SameCell {
        /// An agent.
        first: usize,
        /// Another agent.
        second: usize,
        /// The step.
        step: usize,
    },
    /// Two agents swap cells.
    #[error("agents {first} and {second} change places in step {step}")]
    Swap {
        /// An agent.
        first: usize,
        /// Another agent.
        second: usize,
        /// The step.
        step: usize,
    },
}

/// Re-walks a plan by the moves of the grid and the rules of plans, without distances or the
/// moves of the roadmap.
///
/// # Errors
/// The first fault.
pub fn validate(space: &GridSpace<'_>, instance: &Instance, plan: &Plan) -> Result<(), Conflict> {
    let grid = space.grid();
    let wanted = instance.agents();
    let mut before: Vec<Cell> = Vec::new();
    for number in 0..=plan.len() {
        let now: Vec<Cell> = plan.after(instance, number).collect();
        if now.len() != wanted {
            return Err(Conflict::Agents { step: number, found: now.len(), wanted });
        }
        let mut places = BTreeMap::new();
        for (agent, &cell) in now.iter().enumerate() {
            if !space.is_free(cell) {
                return Err(Conflict::Wall { agent, step: number });
            }
            if let Some(first) = places.insert(cell, agent) {
                return Err(Conflict::SameCell { first, second: agent, step: number });
            }
        }
        if number > 0 {
            for (agent, (&from, &to)) in before.iter().zip(&now).enumerate() {
                let [a, b] = [from, to].map(|cell| grid.coordinates(cell));
                if a.x.abs_diff(b.x) + a.y.abs_diff(b.y) > 1 {
                    return Err(Conflict::Leap { agent, step: number });
                }
                if from != to
                    && let Err(reason) = space.check_move(from, to)
                {
                    return Err(Conflict::Move { agent, step: number, reason });
                }
                // Finds the agent that stands now where this agent was, and was where it stands
                // now.
                let other = places.get(&from).copied().filter(|&other| other != agent);
                if let Some(second) = other.filter(|&other| before[other] == to) {
                    return Err(Conflict::Swap { first: agent, second, step: number });
                }
            }
        }
        before = now;
    }
    let ends = [instance.starts().collect::<Vec<_>>(), instance.goals().collect()];
    let walked = [plan.after(instance, 0).collect::<Vec<_>>(), before];
    for agent in 0..wanted {
        if walked[0][agent] != ends[0][agent] {
            return Err(Conflict::Start { agent });
        }
        if walked[1][agent] != ends[1][agent] {
            return Err(Conflict::Goal { agent });
        }
    }
    Ok(())
}
