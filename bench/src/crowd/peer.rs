//! The crate `dodgy_2d` on the same bodies.

use std::borrow::Cow;

use cpu_time::ProcessTime;
use glam::Vec3;
use wayfare::crowd::{Crowd, CrowdMember};

use super::scenes::{DT, HORIZON, MOST, RADIUS, RANGE, SPEED, Ways};

/// A crowd that the crate steers.
pub(super) struct Peer {
    pub(super) agents: Vec<dodgy_2d::Agent>,
    preferred: Vec<dodgy_2d::Vec2>,
    /// For how many seconds it looks ahead, to bodies and to walls.
    pub(super) horizon: f32,
    pub(super) radius: f32,
    obstacles: Vec<dodgy_2d::Obstacle>,
    cells: PeerCells,
}

impl Peer {
    /// The bodies of a crowd as they are; its cells have sides of `side`.
    pub(super) fn of(crowd: &Crowd, side: f32) -> Self {
        let agent = |CrowdMember { agent, .. }: CrowdMember| dodgy_2d::Agent {
            position: dodgy_2d::Vec2::new(agent.position.x, agent.position.z),
            velocity: dodgy_2d::Vec2::new(agent.velocity.x, agent.velocity.z),
            radius: agent.radius,
            avoidance_responsibility: 1.0,
        };
        let preferred = |CrowdMember { agent, .. }: CrowdMember| {
            dodgy_2d::Vec2::new(agent.preferred.x, agent.preferred.z)
        };
        Self {
            agents: crowd.agents().map(agent).collect(),
            preferred: crowd.agents().map(preferred).collect(),
            horizon: HORIZON,
            radius: RADIUS,
            obstacles: Vec::new(),
            cells: PeerCells::new(side),
        }
    }

    /// With a closed wall, its corners seen counter-clockwise where the second axis points up.
    pub(super) fn with_wall(mut self, corners: &[(f32, f32)]) -> Self {
        let corners = corners.iter().map(|&(x, y)| dodgy_2d::Vec2::new(x, y));
        self.obstacles.push(dodgy_2d::Obstacle::Closed { vertices: corners.collect() });
        self
    }

    /// Sets preferred velocities: straight to the goals, at most that fast.
    pub(super) fn prefer(&mut self, ways: &Ways, speed: f32) {
        for (number, ((agent, preferred), (_, to))) in
            self.agents.iter().zip(&mut self.preferred).zip(ways).enumerate()
        {
            // Off the line by a millionth, as the official example has it: the crate does not
            // break symmetry.
            let askew = (number % 7) as f32 * 1e-5;
            let way = dodgy_2d::Vec2::new(to.x + askew, to.z - askew) - agent.position;
            *preferred = way.clamp_length_max(speed);
        }
    }

    /// Where the bodies are.
    pub(super) fn places(&self) -> impl Iterator<Item = Vec3> {
        self.agents.iter().map(|agent| Vec3::new(agent.position.x, 0.0, agent.position.y))
    }

    /// Moves all bodies by a step. Returns the nanoseconds of the process that it took, the search
    /// for neighbours among them.
    pub(super) fn step(&mut self) -> f64 {
        let begun = ProcessTime::now();
        self.cells.sort(&self.agents);
        let obstacles: Vec<Cow<'_, dodgy_2d::Obstacle>> =
            self.obstacles.iter().map(Cow::Borrowed).collect();
        let options = dodgy_2d::AvoidanceOptions {
            obstacle_margin: self.radius,
            time_horizon: self.horizon,
            obstacle_time_horizon: self.horizon,
        };
        let mut near: Vec<Cow<'_, dodgy_2d::Agent>> = Vec::with_capacity(MOST);
        let mut velocities = vec![dodgy_2d::Vec2::ZERO; self.agents.len()];
        let mut nearest = Vec::with_capacity(MOST);
        for rank in 0..self.agents.len() {
            let own = self.cells.find(rank, &mut nearest);
            near.clear();
            near.extend(nearest.iter().map(|&(_, it)| Cow::Borrowed(&self.agents[it as usize])));
            let (agent, preferred) = (&self.agents[own], self.preferred[own]);
            velocities[own] =
                agent.compute_avoiding_velocity(&near, &obstacles, preferred, SPEED, DT, &options);
        }
        drop(near);
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position += velocity * DT;
        }
        begun.elapsed().as_secs_f64() * 1e9
    }
}

/// A search for neighbours as a user of the crate would write it: cells over the box of all bodies,
/// and rings of them until nobody nearer can follow.
struct PeerCells {
    side: f32,
    low: dodgy_2d::Vec2,
    columns: usize,
    rows: usize,
    starts: Vec<u32>,
    cells: Vec<u32>,
    order: Vec<u32>,
    places: Vec<dodgy_2d::Vec2>,
}

impl PeerCells {
    fn new(side: f32) -> Self {
        let (starts, cells, order, places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let low = dodgy_2d::Vec2::ZERO;
        Self { side, low, columns: 1, rows: 1, starts, cells, order, places }
    }

    fn cell(&self, at: dodgy_2d::Vec2) -> (usize, usize) {
        let at = (at - self.low) / self.side;
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }

    fn sort(&mut self, agents: &[dodgy_2d::Agent]) {
        let (mut low, mut high) = (dodgy_2d::Vec2::MAX, dodgy_2d::Vec2::MIN);
        for agent in agents {
            (low, high) = (low.min(agent.position), high.max(agent.position));
        }
        self.low = low;
        let cells = ((high - low) / self.side).min(dodgy_2d::Vec2::splat(4_095.0));
        (self.columns, self.rows) = (cells.x as usize + 1, cells.y as usize + 1);
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 1, 0);
        self.cells.clear();
        for agent in agents {
            let (column, row) = self.cell(agent.position);
            let cell = row * self.columns + column;
            self.cells.push(cell as u32);
            self.starts[cell] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.order.resize(agents.len(), 0);
        self.places.resize(agents.len(), dodgy_2d::Vec2::ZERO);
        for (number, agent) in agents.iter().enumerate().rev() {
            let start = &mut self.starts[self.cells[number] as usize];
            *start -= 1;
            self.order[*start as usize] = number as u32;
            self.places[*start as usize] = agent.position;
        }
    }

    /// Finds the nearest others of the body at a place of the order. Returns its number.
    fn find(&self, rank: usize, nearest: &mut Vec<(f32, u32)>) -> usize {
        nearest.clear();
        let at = self.places[rank];
        let (column, row) = self.cell(at);
        let (column, row) = (column as i64, row as i64);
        let within = (at - self.low) - dodgy_2d::Vec2::new(column as f32, row as f32) * self.side;
        let border = within.min_element().min(self.side - within.max_element()).max(0.0);
        let mut limit = RANGE * RANGE;
        let mut ring = 0;
        loop {
            for y in (row - ring).max(0)..=(row + ring).min(self.rows as i64 - 1) {
                let is_edge = (y - row).abs() == ring;
                let whole = [(column - ring, column + ring), (1, 0)];
                let sides = [(column - ring, column - ring), (column + ring, column + ring)];
                for (from, to) in if is_edge { whole } else { sides } {
                    let (from, to) = (from.max(0), to.min(self.columns as i64 - 1));
                    if from > to {
                        continue;
                    }
                    let cell = |column: i64| y as usize * self.columns + column as usize;
                    let (first, end) = (self.starts[cell(from)], self.starts[cell(to) + 1]);
                    for place in first as usize..end as usize {
                        let far = self.places[place].distance_squared(at);
                        if far < limit && place != rank {
                            nearest.truncate(MOST - 1);
                            let index = nearest.partition_point(|&(other, _)| other <= far);
                            nearest.insert(index, (far, self.order[place]));
                            if let Some(&(last, _)) = nearest.get(MOST - 1) {
                                limit = last;
                            }
                        }
                    }
                }
            }
            let seen = border + ring as f32 * self.side;
            if seen * seen >= limit {
                return self.order[rank] as usize;
            }
            ring += 1;
        }
    }
}
