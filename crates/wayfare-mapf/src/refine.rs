//! Cheaper plans, as long as there is time.
//!
//! Large neighbourhood search: a few agents forget their paths and find others one after the
//! other, between the paths that the rest keep. If the new paths cost no more, they stay. So a plan
//! never gets worse and is a plan at any time.
//!
//! The few are an agent that loses time, and the agents that obstruct it; or, in turns, any few.
//!
//! Source: Li, Chen, Harabor, Stuckey and Koenig, "Anytime Multi-Agent Path Finding via Large
//! Neighborhood Search" (2021).

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg32;

use crate::distances::Distances;
use crate::instance::Instance;
use crate::pibt::NONE;
use crate::plan::Plan;
use crate::reservations::Reservations;

/// The number of agents that look for other paths together.
const FEW: usize = 8;

/// The steps of a walk along which an agent's obstacles are looked for.
const LOOKS: u32 = 64;

/// The most bytes that reservations may take.
const MOST_BYTES: usize = 2 << 30;

/// Makes a plan cheaper. May be stopped at any time.
///
/// ```
/// use wayfare::space::Grid;
/// use wayfare_mapf::{Instance, Lacam, Limits, Refiner, Roadmap};
///
/// let rows = ["......", ".##.#.", "......", ".#.##.", "......"];
/// let grid = Grid::from_rows(&rows)?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let starts: Vec<_> = (0..6).map(|x| at(x, 0)).collect();
/// let goals: Vec<_> = (0..6).map(|x| at(5 - x, 4)).collect();
/// let instance = Instance::new(Roadmap::of(&grid.space()), &starts, &goals)?;
/// let plan = Lacam::new(&instance, 7, Limits::default()).finish()?;
/// let mut refiner = Refiner::new(&instance, &plan, 7);
/// refiner.work(100_000); // the same in one go or many
/// assert!(refiner.plan().cost(&instance).sum_of_costs <= plan.cost(&instance).sum_of_costs);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Refiner<'i> {
    instance: &'i Instance,
    distances: Vec<Distances>,
    /// Of each agent, up to where it stays for good.
    paths: Vec<Vec<u32>>,
    /// `None` if there would be too many.
    reserved: Option<Reservations>,
    random: Pcg32,
    work: u64,
    rounds: u64,
    few: Vec<u32>,
}

impl<'i> Refiner<'i> {
    /// Returns a refiner of a plan for that instance.
    ///
    /// Takes 12 bytes for each cell and step of the plan. Where that is more than 2 GiB, the plan
    /// stays as it is.
    #[must_use]
    pub fn new(instance: &'i Instance, plan: &Plan, seed: u64) -> Self {
        let roadmap = &instance.roadmap;
        let paths: Vec<Vec<u32>> = (0..instance.agents())
            .map(|agent| {
                let mut path: Vec<u32> = plan.steps.iter().map(|step| step[agent]).collect();
                while let [.., before, last] = path[..]
                    && before == last
                {
                    path.pop();
                }
                path
            })
            .collect();
        let times = plan.steps.len();
        let fits = Reservations::bytes(roadmap.len(), times) <= MOST_BYTES;
        let reserved = fits.then(|| {
            let mut reserved = Reservations::new(roadmap.len(), times);
            for (agent, path) in (0..).zip(&paths) {
                reserved.mark(path, agent);
            }
            reserved
        });
        Self {
            instance,
            distances: instance.goals.iter().map(|&goal| Distances::new(roadmap, goal)).collect(),
            paths,
            reserved,
            random: Pcg32::seed_from_u64(seed),
            work: 0,
            rounds: 0,
            few: Vec::new(),
        }
    }

    /// Works for `budget` expansions of searches, and then to the end of the round: at most the
    /// expansions of eight searches more.
    pub fn work(&mut self, budget: u64) {
        let last = self.work.saturating_add(budget);
        while self.work < last && self.reserved.is_some() && self.paths.len() > 1 {
            self.round();
        }
    }

    /// Returns the plan as it is now.
    #[must_use]
    pub fn plan(&self) -> Plan {
        let times = self.paths.iter().map(Vec::len).max().unwrap_or(1);
        let at = |path: &Vec<u32>, time: usize| path[time.min(path.len() - 1)];
        let steps = (0..times).map(|time| self.paths.iter().map(|path| at(path, time)).collect());
        Plan { steps: steps.collect() }
    }

    /// A few agents try others paths.
    fn round(&mut self) {
        self.work += 1; // a round that finds nobody costs something too
        self.rounds += 1;
        self.choose();
        let Some(reserved) = &mut self.reserved else { return };
        let before: Vec<Vec<u32>> =
            self.few.iter().map(|&agent| std::mem::take(&mut self.paths[agent as usize])).collect();
        before.iter().for_each(|path| reserved.mark(path, NONE));
        let steps = |path: &Vec<u32>| path.len() as u64 - 1;
        let mut left: u64 = before.iter().map(steps).sum();
        // Agents that search later take at least their shortest paths.
        let mut shortest: u64 = 0;
        for &agent in &self.few {
            let start = self.instance.starts[agent as usize];
            let distances = &mut self.distances[agent as usize];
            shortest += u64::from(distances.get(&self.instance.roadmap, start));
        }
        let mut found: Vec<Vec<u32>> = Vec::with_capacity(self.few.len());
        for &agent in &self.few {
            let (start, goal) =
                (self.instance.starts[agent as usize], self.instance.goals[agent as usize]);
            let own = self.distances[agent as usize].get(&self.instance.roadmap, start);
            shortest -= u64::from(own);
            let longest = u32::try_from(left.saturating_sub(shortest)).unwrap_or(u32::MAX);
            let path = reserved.path(
                &self.instance.roadmap,
                &mut self.distances[agent as usize],
                (start, goal),
                longest,
                &mut self.work,
            );
            let Some(path) = path else { break };
            left -= steps(&path);
            reserved.mark(&path, agent);
            found.push(path);
        }
        let is_kept = found.len() == self.few.len();
        if !is_kept {
            found.iter().for_each(|path| reserved.mark(path, NONE));
        }
        let paths = if is_kept { found } else { before };
        for (&agent, path) in self.few.iter().zip(paths) {
            if !is_kept {
                reserved.mark(&path, agent);
            }
            self.paths[agent as usize] = path;
        }
    }

    /// Chooses the agents of a round, in the order in which they look for paths.
    fn choose(&mut self) {
        let agents = self.paths.len() as u32;
        // Two find other paths soonest, eight find the better ones.
        let few = (2 << (self.random.next_u32() % 3)).min(agents as usize).min(FEW);
        self.few.clear();
        if !self.rounds.is_multiple_of(4) {
            let worst = self.late_agent();
            self.few.push(worst);
            self.add_obstacles(worst, few);
        }
        while self.few.len() < few {
            let any = self.random.next_u32() % agents;
            if !self.few.contains(&any) {
                self.few.push(any);
            }
        }
        for last in (1..self.few.len()).rev() {
            let other = self.random.next_u32() as usize % (last + 1);
            self.few.swap(last, other);
        }
    }

    /// Of some agents drawn by lot, the one that loses most time.
    fn late_agent(&mut self) -> u32 {
        let agents = self.paths.len() as u32;
        let drawn = [0; 8].map(|_| self.random.next_u32() % agents);
        let late = |agent: u32| {
            let at = agent as usize;
            let start = self.instance.starts[at];
            let shortest = self.distances[at].get(&self.instance.roadmap, start);
            (self.paths[at].len() as u32 - 1).saturating_sub(shortest)
        };
        let late = drawn.map(late);
        let worst = (0..drawn.len()).max_by_key(|&one| late[one]).unwrap_or(0);
        drawn[worst]
    }

    /// Adds agents that obstruct an agent: the ones beside its path at the time when it is there.
    fn add_obstacles(&mut self, agent: u32, few: usize) {
        let Some(reserved) = &self.reserved else { return };
        let path = &self.paths[agent as usize];
        for _ in 0..LOOKS {
            if self.few.len() == few {
                return;
            }
            let time = self.random.next_u32() as usize % path.len();
            let beside = self.instance.roadmap.beside(path[time]);
            let Some(&next) = beside.get(self.random.next_u32() as usize % beside.len().max(1))
            else {
                continue;
            };
            let later = (time + 1).min(path.len() - 1);
            let other = reserved.agent(later, next);
            if other != NONE && !self.few.contains(&other) {
                self.few.push(other);
            }
        }
    }
}
