//! One step of all agents: priority inheritance with backtracking.
//!
//! Agents choose in order of priority. An agent takes the free cell that is nearest to its goal. If
//! another agent that has not chosen yet stands there, that one chooses next, with the priority of
//! the first: it is pushed aside, and pushes others in turn. If it finds no cell, the first agent
//! tries its next best cell. An agent that finds none stays.
//!
//! So every agent has a cell at the end, and no two have the same or swap. If every edge of the
//! graph lies on a cycle, the agent of highest priority also gets nearer to its goal, whatever the
//! others want.
//!
//! Two agents that meet head on in a corridor are made to *swap*: one goes on, the other pulls back
//! until it can step aside.
//!
//! Of cells that are equally near to its goal, an agent takes the one where it *hinders* fewest
//! neighbours: it hinders one by being on a cell that is nearer to that neighbour's goal. If the
//! same step is tried several times, the loss of pushed agents counts too: the *regret* of a
//! choice. Both only break ties, so the promise to the agent of highest priority holds.
//!
//! Sources: Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for
//! Iterative Multi-agent Path Finding" (2022); for swaps, Okumura, "Improving LaCAM for Scalable
//! Eventually Optimal Multi-Agent Pathfinding" (2023); for hindrance and regret, Okumura and Nagai,
//! "Lightweight and Effective Preference Construction in PIBT for Large-Scale Multi-Agent
//! Pathfinding" (2025).

use rand::Rng;
use rand_pcg::Pcg32;

use crate::distances::Distances;
use crate::roadmap::{MOST_NEIGHBOURS, Roadmap};

/// No agent at a vertex, or no vertex for an agent.
pub(crate) const NONE: u32 = u32::MAX;

/// The cells that an agent chooses among: its neighbours, and its own as the last.
const MOST_CHOICES: usize = MOST_NEIGHBOURS + 1;

/// The weight of a hindered neighbour, relative to a regret of one step.
const HINDRANCE: u32 = 8;

/// An agent that has to be at a vertex after the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forced {
    pub(crate) agent: u32,
    pub(crate) vertex: u32,
}

/// The common knowledge of all agents: the map, and the distances to their goals.
pub(crate) struct Surroundings<'s> {
    pub(crate) roadmap: &'s Roadmap,
    pub(crate) goals: &'s [u32],
    /// One an agent.
    pub(crate) distances: &'s mut [Distances],
    pub(crate) random: &'s mut Pcg32,
    /// Whether agents that meet head on swap. Not in roadmaps without dead ends: there an agent
    /// that pulls back loses the progress that its priority would give it.
    pub(crate) swaps: bool,
}

/// The memory of a step, reused.
#[derive(Clone, Debug)]
pub(crate) struct Pibt {
    /// The agent at each vertex, before and after the step.
    before: Vec<u32>,
    after: Vec<u32>,
    /// The vertex of each agent after the step.
    next: Vec<u32>,
    choices: Vec<Choice>,
    /// For each agent's choices, the steps that pushed agents lost by it, in units of 1 /
    /// `HINDRANCE`; the mean of the tries, later ones with more weight.
    regrets: Vec<[u8; MOST_CHOICES]>,
}

/// An agent that is choosing, and waits for the one that it pushes.
#[derive(Clone, Copy, Debug)]
struct Choice {
    agent: u32,
    /// The cells that it may take, the best first.
    cells: [u32; MOST_CHOICES],
    count: u8,
    /// The one that it tries next.
    at: u8,
    /// The agent to swap with, in several steps.
    swaps_with: u32,
}

impl Pibt {
    pub(crate) fn new(vertices: usize, agents: usize) -> Self {
        Self {
            before: vec![NONE; vertices],
            after: vec![NONE; vertices],
            next: vec![NONE; agents],
            choices: Vec::new(),
            regrets: vec![[0; MOST_CHOICES]; agents],
        }
    }

    /// Writes the vertices after a step to `out`. Returns false if the forced vertices leave no
    /// step. O(agents) in general.
    pub(crate) fn step(
        &mut self,
        around: &mut Surroundings<'_>,
        now: &[u32],
        order: &[u32],
        forced: &[Forced],
        out: &mut Vec<u32>,
    ) -> bool {
        for (agent, &at) in (0..).zip(now) {
            self.before[at as usize] = agent;
        }
        let is_done = forced.iter().all(|&one| self.force(now, one))
            && order
                .iter()
                .all(|&agent| self.next[agent as usize] != NONE || self.choose(around, now, agent));
        if is_done {
            out.clear();
            out.extend_from_slice(&self.next);
        }
        for (&at, next) in now.iter().zip(&mut self.next) {
            self.before[at as usize] = NONE;
            if *next != NONE {
                self.after[*next as usize] = NONE;
            }
            *next = NONE;
        }
        is_done
    }

    /// Forgets the regrets: the next step is another one.
    pub(crate) fn forget(&mut self) {
        self.regrets.fill([0; MOST_CHOICES]);
    }

    /// Learns from a try of a step, so that the next try of the same step avoids what cost most.
    pub(crate) fn learn(&mut self, around: &mut Surroundings<'_>, now: &[u32], next: &[u32]) {
        for (agent, &at) in (0..).zip(now) {
            self.before[at as usize] = agent;
        }
        for (agent, (&here, &cell)) in now.iter().zip(next).enumerate() {
            let pushed = self.before[cell as usize];
            let lost = if pushed == NONE || pushed as usize == agent {
                0
            } else {
                let ways = &mut around.distances[pushed as usize];
                let choices = around.roadmap.beside(cell).iter().chain([&cell]);
                let best = choices.map(|&choice| ways.get(around.roadmap, choice)).min();
                let taken = ways.get(around.roadmap, next[pushed as usize]);
                // At most 2: a step away from the goal instead of one to it.
                taken - best.unwrap_or(taken)
            };
            let beside = around.roadmap.beside(here);
            let choice = beside.iter().position(|&choice| choice == cell).unwrap_or(beside.len());
            let regret = &mut self.regrets[agent][choice];
            *regret = ((u32::from(*regret) + lost * HINDRANCE) / 2) as u8;
        }
        for &at in now {
            self.before[at as usize] = NONE;
        }
    }

    fn force(&mut self, now: &[u32], Forced { agent, vertex }: Forced) -> bool {
        let there = self.before[vertex as usize];
        let changes_places =
            there != NONE && there != agent && self.next[there as usize] == now[agent as usize];
        if self.after[vertex as usize] != NONE || changes_places {
            return false;
        }
        self.take(agent, vertex);
        true
    }

    #[inline]
    fn take(&mut self, agent: u32, vertex: u32) {
        self.after[vertex as usize] = agent;
        self.next[agent as usize] = vertex;
    }

    /// Returns an agent chooses, and all that it pushes. Returns false if it had to stay.
    ///
    /// The agents that wait for each other are a stack: in a crowd they may be thousands.
    fn choose(&mut self, around: &mut Surroundings<'_>, now: &[u32], first: u32) -> bool {
        self.choices.clear();
        let begun = self.begin(around, now, first);
        self.choices.push(begun);
        // Whether the choice that ended last found a cell.
        let mut ended: Option<bool> = None;
        while let Some(&choice) = self.choices.last() {
            let here = now[choice.agent as usize];
            if ended == Some(true) {
                // The one that was pushed has gone.
                self.pull(now, &choice);
                self.choices.pop();
                continue;
            }
            ended = None;
            let mut pushed = None;
            let mut at = choice.at;
            while at < choice.count {
                let cell = choice.cells[usize::from(at)];
                at += 1;
                if self.after[cell as usize] != NONE {
                    continue;
                }
                let there = self.before[cell as usize];
                if there != NONE && there != choice.agent && self.next[there as usize] == here {
                    continue;
                }
                self.take(choice.agent, cell);
                if there != NONE && there != choice.agent && self.next[there as usize] == NONE {
                    pushed = Some(there);
                } else {
                    ended = Some(true);
                }
                break;
            }
            let last = self.choices.len() - 1;
            self.choices[last].at = at;
            match (pushed, ended) {
                (Some(there), _) => {
                    let begun = self.begin(around, now, there);
                    self.choices.push(begun);
                }
                (None, Some(_)) => {
                    self.pull(now, &self.choices[last].clone());
                    self.choices.pop();
                }
                (None, None) => {
                    self.take(choice.agent, here);
                    ended = Some(false);
                    self.choices.pop();
                }
            }
        }
        ended == Some(true)
    }

    /// An agent that went to its best cell to let another one pass draws that one after it.
    fn pull(&mut self, now: &[u32], choice: &Choice) {
        let Choice { agent, at, swaps_with, .. } = *choice;
        let here = now[agent as usize];
        if at == 1
            && swaps_with != NONE
            && self.next[swaps_with as usize] == NONE
            && self.after[here as usize] == NONE
        {
            self.take(swaps_with, here);
        }
    }

    /// Returns the cells that an agent may take, the nearest to its goal first. Of equally near
    /// ones, the one with the least hindrance and regret; then by lot.
    fn begin(&self, around: &mut Surroundings<'_>, now: &[u32], agent: u32) -> Choice {
        let here = now[agent as usize];
        let roadmap = around.roadmap;
        let beside = roadmap.beside(here);
        let mut ranked = [(u32::MAX, 0, 0, NONE); MOST_CHOICES];
        let mut count = 0;
        for &cell in beside.iter().chain([&here]) {
            let steps = around.distances[agent as usize].get(roadmap, cell);
            let trouble = HINDRANCE * self.hindered(around, beside, cell)
                + u32::from(self.regrets[agent as usize][count]);
            ranked[count] = (steps, trouble, around.random.next_u32(), cell);
            count += 1;
        }
        ranked[..count].sort_unstable();
        let mut cells = ranked.map(|(.., cell)| cell);
        let swaps_with = match cells[0] == here || !around.swaps {
            true => NONE,
            false => self.swap_partner(around, now, agent, cells[0]),
        };
        if swaps_with != NONE {
            cells[..count].reverse();
        }
        Choice { agent, cells, count: count as u8, at: 0, swaps_with }
    }

    /// Returns the number of neighbours that an agent would hinder on a cell.
    fn hindered(&self, around: &mut Surroundings<'_>, beside: &[u32], cell: u32) -> u32 {
        let mut count = 0;
        for &from in beside {
            let other = self.before[from as usize];
            if other != NONE && from != cell {
                let ways = &mut around.distances[other as usize];
                let is_nearer = ways.get(around.roadmap, cell) < ways.get(around.roadmap, from);
                count += u32::from(is_nearer);
            }
        }
        count
    }

    /// Returns the agent to swap with on the path to the cell `best`, if a swap is possible.
    fn swap_partner(
        &self,
        around: &mut Surroundings<'_>,
        now: &[u32],
        agent: u32,
        best: u32,
    ) -> u32 {
        let here = now[agent as usize];
        let ahead = self.before[best as usize];
        if ahead != NONE
            && self.next[ahead as usize] == NONE
            && self.must_swap(around, agent, ahead, here, best)
            && self.can_swap(around, best, here)
        {
            return ahead;
        }
        // Someone beside it wants to go where it is about to go first.
        for &cell in around.roadmap.beside(here) {
            let other = self.before[cell as usize];
            if other == NONE || cell == best {
                continue;
            }
            if self.must_swap(around, other, agent, here, best) && self.can_swap(around, best, here)
            {
                return other;
            }
        }
        NONE
    }

    /// Returns whether a pushing agent and the one that it meets must swap: both follow the
    /// corridor, and each wants to be on the other side at its end.
    fn must_swap(
        &self,
        around: &mut Surroundings<'_>,
        pushes: u32,
        pulls: u32,
        from: u32,
        to: u32,
    ) -> bool {
        let (mut pushed_at, mut pulled_at) = (from, to);
        let mut steps_to =
            |agent: u32, cell: u32| around.distances[agent as usize].get(around.roadmap, cell);
        let mut left = self.before.len(); // a corridor may be a ring
        while left > 0 && steps_to(pushes, pulled_at) < steps_to(pushes, pushed_at) {
            left -= 1;
            match self.ways_on(around.roadmap, around.goals, pushed_at, pulled_at) {
                WaysOn::Several => return false,
                WaysOn::One(next) => (pushed_at, pulled_at) = (pulled_at, next),
                WaysOn::None => break,
            }
        }
        steps_to(pulls, pushed_at) < steps_to(pulls, pulled_at)
            && (steps_to(pushes, pushed_at) == 0
                || steps_to(pushes, pulled_at) < steps_to(pushes, pushed_at))
    }

    /// Returns whether the agent that pulls back reaches a cell to pass.
    fn can_swap(&self, around: &Surroundings<'_>, from: u32, to: u32) -> bool {
        let (mut pushed_at, mut pulled_at) = (from, to);
        let mut left = self.before.len();
        while left > 0 && pulled_at != from {
            left -= 1;
            match self.ways_on(around.roadmap, around.goals, pushed_at, pulled_at) {
                WaysOn::Several => return true,
                WaysOn::One(next) => (pushed_at, pulled_at) = (pulled_at, next),
                WaysOn::None => return false,
            }
        }
        false
    }

    /// Returns the exits of a cell, except the one entered by. A dead end of one cell whose agent
    /// is at its goal does not count.
    fn ways_on(&self, roadmap: &Roadmap, goals: &[u32], from: u32, at: u32) -> WaysOn {
        let mut found = WaysOn::None;
        for &cell in roadmap.beside(at) {
            let agent = self.before[cell as usize];
            let is_home =
                roadmap.beside(cell).len() == 1 && agent != NONE && goals[agent as usize] == cell;
            if cell == from || is_home {
                continue;
            }
            found = match found {
                WaysOn::None => WaysOn::One(cell),
                WaysOn::One(_) | WaysOn::Several => return WaysOn::Several,
            };
        }
        found
    }
}

/// The exits of a cell of a corridor.
#[derive(Clone, Copy, Debug)]
enum WaysOn {
    None,
    One(u32),
    Several,
}
