//! Agents that get another task at each goal, for ever.

use std::collections::BTreeMap;

use rand::SeedableRng;
use rand_pcg::Pcg32;
use wayfare_grid::grid::Cell;

use crate::distances::Distances;
use crate::instance::{AgentEnd, InstanceError, check_joined, vertices};
use crate::pibt::{Pibt, Surroundings};
use crate::roadmap::{Roadmap, Vertex};

/// Agents of a warehouse: a step at a time, with a new task for each that is at its goal.
///
/// Goals may be shared: agents visit them one after the other. In a roadmap without dead ends (each
/// step lies on a ring) every agent reaches every goal in the end; otherwise an agent may wait in
/// front of an occupied dead end.
///
/// A step takes time in proportion to the number of agents. Memory: up to 4 bytes a cell for each
/// goal that is in use.
///
/// ```
/// use wayfare::space::Grid;
/// use wayfare_mapf::{Lifelong, Roadmap};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let mut robots = Lifelong::new(Roadmap::of(&grid.space()), &[at(0, 0), at(3, 0)], 7)?;
/// let mut delivered = 0;
/// for _ in 0..40 {
///     // Each fetches at the top and brings to the bottom.
///     robots.step(|agent, cell| {
///         delivered += 1;
///         let y = if grid.coordinates(cell).y == 0 { 2 } else { 0 };
///         at(3 * (agent as u32 % 2), y)
///     })?;
/// }
/// assert!(delivered > 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lifelong {
    roadmap: Roadmap,
    places: Vec<u32>,
    goals: Vec<u32>,
    waited: Vec<u32>,
    order: Vec<u32>,
    /// One an agent; empty before its first task.
    distances: Vec<Distances>,
    /// Searches from goals that nobody goes to now, to be gone on with.
    known: BTreeMap<u32, Distances>,
    pibt: Pibt,
    random: Pcg32,
    next: Vec<u32>,
    has_begun: bool,
}

/// The most searches from goals that are kept for another time.
const KEPT: usize = 1 << 10;

impl Lifelong {
    /// Agents that have no task yet.
    ///
    /// # Errors
    /// When a start is blocked or shared, or the roadmap is one of agents wider than a cell.
    pub fn new(roadmap: Roadmap, starts: &[Cell], seed: u64) -> Result<Self, InstanceError> {
        let places = vertices(&roadmap, starts, AgentEnd::Start)?;
        let agents = places.len();
        Ok(Self {
            pibt: Pibt::new(roadmap.len(), agents),
            distances: places.iter().map(|&at| Distances::new(&roadmap, at)).collect(),
            goals: places.clone(),
            waited: vec![0; agents],
            order: (0..agents as u32).collect(),
            known: BTreeMap::default(),
            random: Pcg32::seed_from_u64(seed),
            next: Vec::new(),
            has_begun: false,
            places,
            roadmap,
        })
    }

    /// Gives a task to each agent that is at its goal, and lets all of them take a step.
    ///
    /// `task` gets an agent and the cell where it is, and returns its next goal. It is called for
    /// all agents before the first step, then for each that has arrived.
    ///
    /// # Errors
    /// When a goal is a cell where agents cannot stand, or is unreachable. No agent has moved then.
    pub fn step(&mut self, mut task: impl FnMut(usize, Cell) -> Cell) -> Result<(), InstanceError> {
        for agent in 0..self.places.len() {
            if self.has_begun && self.places[agent] != self.goals[agent] {
                continue;
            }
            let goal = task(agent, self.roadmap.cell(Vertex(self.places[agent])));
            let end = AgentEnd::Goal;
            let goal = self.roadmap.vertex(goal).ok_or(InstanceError::Blocked { agent, end })?;
            self.aim(agent, goal.0)?;
            self.waited[agent] = 0;
        }
        self.has_begun = true;
        for agent in 0..self.places.len() {
            let is_there = self.places[agent] == self.goals[agent];
            self.waited[agent] = if is_there { 0 } else { self.waited[agent] + 1 };
        }
        let waited = &self.waited;
        self.order.sort_by_key(|&agent| std::cmp::Reverse(waited[agent as usize]));
        let mut around = Surroundings {
            roadmap: &self.roadmap,
            goals: &self.goals,
            distances: &mut self.distances,
            random: &mut self.random,
            swaps: false,
        };
        // Without forced vertices there is always a step: at worst all stay.
        if self.pibt.step(&mut around, &self.places, &self.order, &[], &mut self.next) {
            std::mem::swap(&mut self.places, &mut self.next);
        }
        Ok(())
    }

    /// Returns where each agent is.
    pub fn places(&self) -> impl Iterator<Item = Cell> + '_ {
        self.places.iter().map(|&at| self.roadmap.cell(Vertex(at)))
    }

    fn aim(&mut self, agent: usize, goal: u32) -> Result<(), InstanceError> {
        if goal == self.goals[agent] {
            return Ok(());
        }
        check_joined(&self.roadmap, agent, self.places[agent], goal)?;
        let found = self.known.remove(&goal);
        let found = found.unwrap_or_else(|| Distances::new(&self.roadmap, goal));
        let done = std::mem::replace(&mut self.distances[agent], found);
        let before = std::mem::replace(&mut self.goals[agent], goal);
        if self.known.len() < KEPT {
            self.known.insert(before, done);
        }
        Ok(())
    }
}
