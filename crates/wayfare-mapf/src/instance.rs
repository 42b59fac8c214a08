//! An instance: a roadmap, starts and goals.

use wayfare_core::search::NoPath;
use wayfare_grid::grid::Cell;

use crate::roadmap::Roadmap;

/// Agents of a roadmap, each with a start and a goal.
///
/// Example: the front page of this crate's README.
#[derive(Clone, Debug)]
pub struct Instance {
    pub(crate) roadmap: Roadmap,
    pub(crate) starts: Vec<u32>,
    pub(crate) goals: Vec<u32>,
}

/// Why agents cannot be where they are to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// There are more starts than goals, or fewer.
    #[error("there are {starts} starts, but {goals} goals")]
    Lengths {
        /// The number of starts.
        starts: usize,
        /// The number of goals.
        goals: usize,
    },
    /// A start or goal is a cell where agents cannot stand.
    #[error("the {end} of agent {agent} is blocked")]
    Blocked {
        /// The agent, by its index in the lists.
        agent: usize,
        /// Its start or its goal.
        end: AgentEnd,
    },
    /// Two agents have one start, or one goal.
    #[error("agents {first} and {second} have the same {end}")]
    Shared {
        /// An agent.
        first: usize,
        /// Another agent.
        second: usize,
        /// Their start or their goal.
        end: AgentEnd,
    },
    /// No path joins an agent's start and goal.
    #[error("agent {agent} has no path: {reason}")]
    Apart {
        /// The agent.
        agent: usize,
        /// Why there is none.
        reason: NoPath,
    },
    /// The roadmap is one of agents that are wider than a cell.
    #[error(
        "agents {width} cells wide cannot be planned for, since an agent of a plan takes one cell: \
         draw the map with cells as large as an agent"
    )]
    Wide {
        /// The width of the profile in cells.
        width: u8,
    },
}

/// An end of an agent's path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgentEnd {
    /// The start.
    Start,
    /// Where it is to be.
    Goal,
}

impl std::fmt::Display for AgentEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

impl Instance {
    /// Returns an instance: agent `n` goes from the `n`-th start to the `n`-th goal. O(cells +
    /// agents).
    ///
    /// # Errors
    /// When an end is blocked or shared, no path joins the ends of an agent, or the roadmap is one
    /// of agents wider than a cell.
    pub fn new(roadmap: Roadmap, starts: &[Cell], goals: &[Cell]) -> Result<Self, InstanceError> {
        if starts.len() != goals.len() {
            let (starts, goals) = (starts.len(), goals.len());
            return Err(InstanceError::Lengths { starts, goals });
        }
        let starts = vertices(&roadmap, starts, AgentEnd::Start)?;
        let goals = vertices(&roadmap, goals, AgentEnd::Goal)?;
        for (agent, (&start, &goal)) in starts.iter().zip(&goals).enumerate() {
            check_joined(&roadmap, agent, start, goal)?;
        }
        Ok(Self { roadmap, starts, goals })
    }

    /// Returns the number of agents.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.starts.len()
    }

    /// Returns the cells and steps.
    #[must_use]
    pub fn roadmap(&self) -> &Roadmap {
        &self.roadmap
    }

    /// Returns the start of each agent.
    pub fn starts(&self) -> impl Iterator<Item = Cell> + '_ {
        self.starts.iter().map(|&at| self.roadmap.cell(crate::Vertex(at)))
    }

    /// Returns the goal of each agent.
    pub fn goals(&self) -> impl Iterator<Item = Cell> + '_ {
        self.goals.iter().map(|&at| self.roadmap.cell(crate::Vertex(at)))
    }
}

/// Fails if no path joins an agent's start and goal.
pub(crate) fn check_joined(
    roadmap: &Roadmap,
    agent: usize,
    start: u32,
    goal: u32,
) -> Result<(), InstanceError> {
    let [start, goal] = [start, goal].map(|end| roadmap.island(end));
    if start == goal {
        return Ok(());
    }
    Err(InstanceError::Apart { agent, reason: NoPath::DifferentIslands { start, goal } })
}

/// Returns the vertices of cells, all different, of agents that each take one cell.
pub(crate) fn vertices(
    roadmap: &Roadmap,
    cells: &[Cell],
    end: AgentEnd,
) -> Result<Vec<u32>, InstanceError> {
    const NOBODY: usize = usize::MAX;
    if roadmap.width() > 1 {
        return Err(InstanceError::Wide { width: roadmap.width() });
    }
    let mut taken = vec![NOBODY; roadmap.len()];
    let mut found = Vec::with_capacity(cells.len());
    for (agent, &cell) in cells.iter().enumerate() {
        let vertex = roadmap.vertex(cell).ok_or(InstanceError::Blocked { agent, end })?;
        let first = std::mem::replace(&mut taken[vertex.0 as usize], agent);
        if first != NOBODY {
            return Err(InstanceError::Shared { first, second: agent, end });
        }
        found.push(vertex.0);
    }
    Ok(found)
}
