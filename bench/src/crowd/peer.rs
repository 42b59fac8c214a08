//! The crate `dodgy_2d` on the same bodies.

use std::borrow::Cow;

use cpu_time::ProcessTime;
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
}

impl Peer {
    /// The bodies of a crowd as they are.
    pub(super) fn of(crowd: &Crowd) -> Self {
        let agent = |CrowdMember { agent, .. }: CrowdMember<'_>| dodgy_2d::Agent {
            position: dodgy_2d::Vec2::new(agent.position.x, agent.position.z),
            velocity: dodgy_2d::Vec2::new(agent.velocity.x, agent.velocity.z),
            radius: agent.radius,
            avoidance_responsibility: 1.0,
        };
        let preferred = |CrowdMember { agent, .. }: CrowdMember<'_>| {
            dodgy_2d::Vec2::new(agent.preferred.x, agent.preferred.z)
        };
        Self {
            agents: crowd.agents().map(agent).collect(),
            preferred: crowd.agents().map(preferred).collect(),
            horizon: HORIZON,
            radius: RADIUS,
            obstacles: Vec::new(),
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

    /// The velocities of all, and the nanoseconds in which the crate found them: the search for
    /// neighbours is not counted.
    pub(super) fn velocities(&self) -> (Vec<dodgy_2d::Vec2>, f64) {
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        let x = |place: usize| self.agents[place].position.x;
        order.sort_by(|&a, &b| x(a).total_cmp(&x(b)));
        let mut near: Vec<Vec<Cow<'_, dodgy_2d::Agent>>> = vec![Vec::new(); order.len()];
        let mut found: Vec<(f32, usize)> = Vec::new();
        for (rank, &own) in order.iter().enumerate() {
            let here = self.agents[own].position;
            found.clear();
            let within = |place: &&usize| (x(**place) - here.x).abs() < RANGE;
            let after = order[rank + 1..].iter().take_while(within);
            for &place in order[..rank].iter().rev().take_while(within).chain(after) {
                let distance = here.distance(self.agents[place].position);
                if distance < RANGE {
                    found.push((distance, place));
                }
            }
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            let nearest = found.iter().take(MOST);
            near[own].extend(nearest.map(|&(_, place)| Cow::Borrowed(&self.agents[place])));
        }
        let obstacles: Vec<Cow<'_, dodgy_2d::Obstacle>> =
            self.obstacles.iter().map(Cow::Borrowed).collect();
        let options = dodgy_2d::AvoidanceOptions {
            obstacle_margin: self.radius,
            time_horizon: self.horizon,
            obstacle_time_horizon: self.horizon,
        };
        let begun = ProcessTime::now();
        let bodies = self.agents.iter().zip(&near).zip(&self.preferred);
        let velocity = |((agent, near), &preferred): ((&dodgy_2d::Agent, &Vec<_>), &_)| {
            agent.compute_avoiding_velocity(near, &obstacles, preferred, SPEED, DT, &options)
        };
        let velocities = bodies.map(velocity).collect();
        (velocities, begun.elapsed().as_secs_f64() * 1e9)
    }

    /// Moves all bodies by a step.
    pub(super) fn step(&mut self) {
        let (velocities, _) = self.velocities();
        for (agent, velocity) in self.agents.iter_mut().zip(velocities) {
            agent.velocity = velocity;
            agent.position += velocity * DT;
        }
    }
}
