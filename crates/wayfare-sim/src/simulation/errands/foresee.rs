//! Warnings of points that agents are about to go to, and cannot reach.

use glam::Vec3;
use wayfare_core::search::NoPath;
use wayfare_core::space::{Reachability, Space};

use super::Errands;
use crate::agent::{AgentId, Behaviour};
use crate::simulation::{Environment, Event, NoWay};

impl<W: Environment> Errands<'_, W> {
    /// Reports the points of an agent's behaviours that it cannot reach, if the behaviours are new.
    ///
    /// Islands tell, by links as their gates are now. What takes a search to find out is left to
    /// the search.
    pub(super) fn foresee(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        if !std::mem::take(&mut agent.has_new_behaviours) {
            return;
        }
        let agent = &self.roster.agents[number];
        let id = AgentId(number as u32);
        for (behaviour, wanted) in (0..).zip(&agent.behaviours) {
            let points = match wanted {
                Behaviour::GoTo { to } => std::slice::from_ref(to),
                Behaviour::Patrol { points, .. } => points,
                _ => continue,
            };
            for &point in points {
                if let Some(reason) = self.obstacle_between(number, point) {
                    self.events.report(Event::OutOfReach { agent: id, behaviour, point, reason });
                }
            }
        }
    }

    /// Returns the reason why an agent cannot get to a point, where that is known without a search.
    fn obstacle_between(&self, number: usize, point: Vec3) -> Option<NoWay> {
        let class = self.roster.class(number);
        let Some(goal) = self.ground.world.state_meant(class.profile, point) else {
            return Some(NoWay::OffMap);
        };
        let space = self.ground.space_of(class);
        if let Err(obstruction) = space.check(goal) {
            return Some(NoWay::NoPath(NoPath::Goal(obstruction)));
        }
        let here =
            self.ground.world.state_at(class.profile, self.roster.agents[number].body.at())?;
        match space.reachability(here, goal) {
            Reachability::DifferentIslands { from, to } => {
                Some(NoWay::NoPath(NoPath::DifferentIslands { start: from, goal: to }))
            }
            Reachability::Possible => None,
        }
    }
}
