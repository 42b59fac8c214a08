//! Plans for all agents at once: lazy constraints addition search.
//!
//! A search over *configurations*, the vertices of all agents. Its successors are too many to list:
//! each is made by [one step of all agents](crate::pibt). If that leads to a known configuration,
//! constraints on one agent after another force a different step. A configuration is closed when
//! all constraints on all agents were tried. So every reachable configuration is reached in the
//! end: the search finds a plan if there is one and, without limits, ends if there is none.
//!
//! Small crowds can afford several tries of each step: the try that leaves the agents the shortest
//! paths continues.
//!
//! Sources: Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding" (2023); for
//! the tries, Okumura, "Engineering LaCAM*: Towards Real-Time, Large-Scale, and Near-Optimal
//! Multi-Agent Pathfinding" (2024).

use std::hash::{BuildHasher, Hasher};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use rustc_hash::FxBuildHasher;

use crate::distances::Distances;
use crate::instance::Instance;
use crate::pibt::{Forced, NONE, Pibt, Surroundings};
use crate::plan::Plan;

/// Limits at which a search gives up.
///
/// Example: [`Lacam`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most steps of all agents that are tried. Default: no limit.
    pub steps: u64,
    /// The most bytes that configurations may take. Default: 2 GiB.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: u64::MAX, bytes: 2 << 30 }
    }
}

/// When a step leads to a known configuration, the search goes on at a random one instead with a
/// probability of 1 / `ELSEWHERE`.
const ELSEWHERE: u32 = 16;

/// The most tries of a step by default, and the agents that choose in all of them together.
const MOST_TRIES: usize = 10;
const CHOICES: usize = 4_000;

/// Why there is no plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoPlan {
    /// Every configuration that the agents can come to was looked at: they cannot all get to their
    /// goals.
    #[error("the agents cannot all get to their goals: every configuration was tried")]
    Impossible,
    /// The limit of steps was reached.
    #[error("gave up after {0} steps of all agents; raise the limit of steps")]
    Steps(u64),
    /// The limit of memory was reached.
    #[error("gave up: the configurations take more than {0} bytes; raise the limit of memory")]
    Memory(usize),
}

/// Whether a search goes on.
///
/// Example: [`Lacam`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchState {
    /// It is not done.
    Working,
    /// It is done: ask for the answer.
    Done,
}

/// A search for a plan, resumable.
///
/// The plan is found fast, and is not the cheapest: agents step aside more than they need to. Let
/// a [`Refiner`](crate::Refiner) work on it.
///
/// A step of all agents takes time in proportion to their number, and is tried
/// [several times](Self::with_tries) for a few hundred agents; the plans of crowds that fill
/// half of a map are found in a few hundred steps. Memory: 12 bytes an agent for each
/// configuration, and up to 4 bytes a cell for each agent's distances.
///
/// ```
/// use wayfare::space::Grid;
/// use wayfare_mapf::{Instance, Lacam, Limits, Roadmap, SearchState};
///
/// let grid = Grid::from_rows(&["....", "#.##"])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let instance = Instance::new(Roadmap::of(&grid.space()), &[at(0), at(3)], &[at(3), at(0)])?;
/// let mut search = Lacam::new(&instance, 7, Limits::default());
/// while search.step(1) == SearchState::Working {
///     // A game draws a frame.
/// }
/// assert!(search.answer()?.len() >= 5); // one of them waits in the niche
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lacam<'i> {
    instance: &'i Instance,
    limits: Limits,
    distances: Vec<Distances>,
    pibt: Pibt,
    tries: usize,
    random: Pcg32,
    nodes: Vec<Configuration>,
    /// The last configuration of each bucket of hashes, and for each configuration the one before
    /// it in its bucket.
    buckets: Vec<u32>,
    open: Vec<u32>,
    steps: u64,
    bytes: usize,
    end: Option<Result<u32, NoPlan>>,
}

/// The vertices of all agents, and the steps tried from there.
#[derive(Clone, Debug)]
struct Configuration {
    places: Vec<u32>,
    /// For how many steps each agent has not been at its goal: the longest wait has priority.
    waited: Vec<u32>,
    /// The agents in order of priority.
    order: Vec<u32>,
    parent: u32,
    /// The next in its bucket.
    older: u32,
    constraints: Vec<Constraint>,
    /// The constraint that is tried next.
    next: usize,
}

/// An agent that must be at a vertex after the step, in addition to the constraints before.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    forced: Forced,
    parent: u32,
    depth: u32,
}

impl<'i> Lacam<'i> {
    /// Returns a search before its first step. Another seed finds another plan.
    #[must_use]
    pub fn new(instance: &'i Instance, seed: u64, limits: Limits) -> Self {
        let roadmap = &instance.roadmap;
        let distances = instance.goals.iter().map(|&goal| Distances::new(roadmap, goal)).collect();
        let mut search = Self {
            instance,
            limits,
            distances,
            pibt: Pibt::new(roadmap.len(), instance.agents()),
            tries: (CHOICES / instance.agents().max(1)).clamp(1, MOST_TRIES),
            random: Pcg32::seed_from_u64(seed),
            nodes: Vec::new(),
            buckets: vec![NONE; 1 << 10],
            open: Vec::new(),
            steps: 0,
            bytes: 0,
            end: None,
        };
        search.add(instance.starts.clone(), NONE);
        search
    }

    /// How often each step of all agents is tried, at least once; the try that leaves the shortest
    /// paths is used. Raising it takes proportionally longer and makes cheaper plans. Default: 10
    /// for up to 400 agents, fewer for more, 1 from 2,001 on.
    #[must_use]
    pub fn with_tries(mut self, tries: u32) -> Self {
        self.tries = tries.max(1) as usize;
        self
    }

    /// Takes at most `budget` steps of all agents. Sliced and whole searches find the same plan.
    pub fn step(&mut self, budget: u64) -> SearchState {
        let last = self.steps.saturating_add(budget);
        while self.end.is_none() {
            if self.steps >= last {
                return SearchState::Working;
            }
            self.advance();
        }
        SearchState::Done
    }

    /// Runs to its end.
    ///
    /// # Errors
    /// Why there is no plan.
    pub fn finish(mut self) -> Result<Plan, NoPlan> {
        let _ = self.step(u64::MAX);
        self.answer()
    }

    /// Returns the steps of all agents that were tried.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the plan, once the search is done.
    ///
    /// # Errors
    /// Why there is none; before the search is done, that it gave up.
    pub fn answer(&self) -> Result<Plan, NoPlan> {
        let mut at = self.end.unwrap_or(Err(NoPlan::Steps(self.steps)))?;
        let mut steps = Vec::new();
        while at != NONE {
            let node = &self.nodes[at as usize];
            steps.push(node.places.clone());
            at = node.parent;
        }
        steps.reverse();
        let mut plan = Plan { steps };
        plan.trim();
        Ok(plan)
    }

    fn advance(&mut self) {
        let Some(&current) = self.open.last() else {
            self.end = Some(Err(NoPlan::Impossible));
            return;
        };
        if self.nodes[current as usize].places == self.instance.goals {
            self.end = Some(Ok(current));
            return;
        }
        if self.steps == self.limits.steps {
            self.end = Some(Err(NoPlan::Steps(self.steps)));
            return;
        }
        let Some(forced) = self.next_constraints(current) else {
            self.open.pop();
            return;
        };
        self.steps += 1;
        let Some(places) = self.best_step(current, &forced) else { return };
        match self.find(&places) {
            // Looked at again from its next constraint on: depth first, from where it is now. Now
            // and then from any other one, so that no crowd holds the search up for long.
            Some(known) => {
                let draw = self.random.next_u32();
                let any = draw / ELSEWHERE % self.nodes.len() as u32;
                self.open.push(if draw.is_multiple_of(ELSEWHERE) { any } else { known });
            }
            None => {
                self.add(places, current);
                if self.bytes > self.limits.bytes {
                    self.end = Some(Err(NoPlan::Memory(self.limits.bytes)));
                }
            }
        }
    }

    /// Returns, of several tries of a step from a configuration, the one that leaves the agents the
    /// shortest paths. `None` if the forced vertices leave no step.
    fn best_step(&mut self, current: u32, forced: &[Forced]) -> Option<Vec<u32>> {
        let node = &self.nodes[current as usize];
        let (roadmap, goals) = (&self.instance.roadmap, &self.instance.goals);
        let mut around = Surroundings {
            roadmap,
            goals,
            distances: &mut self.distances,
            random: &mut self.random,
            swaps: true,
        };
        let (mut best, mut places) = (u64::MAX, Vec::new());
        let mut tried = Vec::new();
        self.pibt.forget();
        for left in (0..self.tries).rev() {
            if !self.pibt.step(&mut around, &node.places, &node.order, forced, &mut tried) {
                break;
            }
            if left > 0 {
                self.pibt.learn(&mut around, &node.places, &tried);
            }
            // An agent that leaves its goal or is not there pays for the step.
            let cost = (node.places.iter().zip(&tried).zip(goals).zip(&mut *around.distances))
                .map(|(((was, is), goal), ways)| {
                    u64::from(was != goal || is != goal) + u64::from(ways.get(roadmap, *is))
                })
                .sum();
            if cost < best {
                best = cost;
                std::mem::swap(&mut tried, &mut places);
            }
        }
        (best < u64::MAX).then_some(places)
    }

    /// Returns the constraints to be tried next on a configuration; `None` after the last.
    ///
    /// They are a tree, walked breadth first: the first has none, its children force the first
    /// agent to each cell it can come to, theirs the second agent too, and so on.
    fn next_constraints(&mut self, current: u32) -> Option<Vec<Forced>> {
        let node = &mut self.nodes[current as usize];
        let number = node.next;
        let depth = match number {
            0 => 0,
            _ => node.constraints.get(number - 1)?.depth,
        };
        node.next += 1;
        if let Some(&agent) = node.order.get(depth as usize) {
            let here = node.places[agent as usize];
            let mut cells = self.instance.roadmap.beside(here).to_vec();
            cells.push(here);
            for last in (1..cells.len()).rev() {
                cells.swap(last, self.random.next_u32() as usize % (last + 1));
            }
            self.bytes += cells.len() * size_of::<Constraint>();
            node.constraints.extend(cells.into_iter().map(|vertex| Constraint {
                forced: Forced { agent, vertex },
                parent: number as u32,
                depth: depth + 1,
            }));
        }
        let mut forced = Vec::new();
        let mut at = number;
        while at > 0 {
            let constraint = node.constraints[at - 1];
            forced.push(constraint.forced);
            at = constraint.parent as usize;
        }
        Some(forced)
    }

    fn bucket(&self, places: &[u32]) -> usize {
        let mut hasher = FxBuildHasher.build_hasher();
        for &place in places {
            hasher.write_u32(place);
        }
        // The upper bits of the hash are the better ones.
        (hasher.finish() >> 32) as usize % self.buckets.len()
    }

    fn find(&self, places: &[u32]) -> Option<u32> {
        let mut at = self.buckets[self.bucket(places)];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.places == places {
                return Some(at);
            }
            at = node.older;
        }
        None
    }

    fn add(&mut self, places: Vec<u32>, parent: u32) {
        if self.nodes.len() == self.buckets.len() {
            self.grow();
        }
        let goals = &self.instance.goals;
        let waited: Vec<u32> = (0..places.len())
            .map(|agent| match self.nodes.get(parent as usize) {
                _ if places[agent] == goals[agent] => 0,
                Some(parent) => parent.waited[agent] + 1,
                None => 1,
            })
            .collect();
        // At first by the longest path; later by the longest wait.
        let mut order: Vec<u32> = match self.nodes.get(parent as usize) {
            Some(parent) => parent.order.clone(),
            None => {
                let mut far: Vec<(u32, u32)> = (0..places.len() as u32)
                    .map(|agent| {
                        let (distances, at) =
                            (&mut self.distances[agent as usize], places[agent as usize]);
                        (u32::MAX - distances.get(&self.instance.roadmap, at), agent)
                    })
                    .collect();
                far.sort_unstable();
                far.into_iter().map(|(_, agent)| agent).collect()
            }
        };
        order.sort_by_key(|&agent| std::cmp::Reverse(waited[agent as usize]));
        let number = self.nodes.len() as u32;
        let bucket = self.bucket(&places);
        let older = std::mem::replace(&mut self.buckets[bucket], number);
        self.bytes += size_of::<Configuration>() + 12 * places.len();
        let constraints = Vec::new();
        self.nodes.push(Configuration {
            places,
            waited,
            order,
            parent,
            older,
            constraints,
            next: 0,
        });
        self.open.push(number);
    }

    /// Twice as many buckets.
    fn grow(&mut self) {
        self.buckets = vec![NONE; 2 * self.buckets.len()];
        for number in 0..self.nodes.len() {
            let bucket = self.bucket(&self.nodes[number].places);
            self.nodes[number].older = std::mem::replace(&mut self.buckets[bucket], number as u32);
        }
    }
}
