//! The ground: the world, its links, and the changes made to both.

mod carvings;
mod change;
mod danger;
mod exits;
mod link_ends;
pub(super) mod moving_obstacles;
pub(super) mod places;

pub(super) use carvings::Carvings;
pub(super) use change::Change;
pub(super) use exits::{Area, Exits};
pub(super) use link_ends::link_end;

use glam::Vec3;
use wayfare_core::inside::AreaKey;
use wayfare_core::link::{Crossing, LinkId, LinkKind, LinkedSpace, NavLinks};
use wayfare_core::space::ProfileId;

use self::change::make_change;
use self::moving_obstacles::MovingObstacles;
use super::roster::{Agent, Class, Classes};
use super::{CommandFault, Environment, ShapeBounds};

/// The world of a simulation and its links, with the changes made to them.
#[derive(Debug)]
pub(super) struct Ground<W: Environment> {
    pub(super) world: W,
    pub(super) links: NavLinks<W::State>,
    carvings: Carvings<W::Place, W::Fill>,
    pub(super) moving_obstacles: MovingObstacles,
    /// The changes made since the beginning, for snapshots.
    history: Vec<Change<W::Edit>>,
    /// The states that a change affects, kept for its memory.
    pub(super) affected: Vec<W::State>,
}

impl<W: Environment> Ground<W> {
    /// Returns the ground before any change.
    pub(super) fn new(world: W, links: NavLinks<W::State>) -> Self {
        Self {
            world,
            links,
            carvings: Carvings::new(),
            moving_obstacles: Default::default(),
            history: Vec::new(),
            affected: Vec::new(),
        }
    }

    /// Makes a change. Adds the states whose moves it changes to `affected`.
    pub(super) fn change(
        &mut self,
        change: Change<W::Edit>,
        affected: &mut Vec<W::State>,
    ) -> Result<(), CommandFault> {
        make_change(&mut self.world, &mut self.carvings, &change, affected)?;
        let is_past =
            |old: &Change<W::Edit>| matches!(old, Change::Edit(edit) if W::ends_with_ground(edit));
        if change.is_new_ground::<W>() {
            self.history.retain(|old| !is_past(old));
        }
        self.history.push(change);
        Ok(())
    }

    /// Makes the changes of a snapshot again. Visits the world and the states affected after each
    /// change.
    #[cfg(feature = "serde")]
    pub(super) fn repeat(
        &mut self,
        history: Vec<Change<W::Edit>>,
        mut visit: impl FnMut(&W, &[W::State]),
    ) -> Result<(), CommandFault> {
        for change in &history {
            self.affected.clear();
            make_change(&mut self.world, &mut self.carvings, change, &mut self.affected)?;
            if !self.affected.is_empty() {
                visit(&self.world, &self.affected);
            }
        }
        self.history = history;
        Ok(())
    }

    /// Returns the changes made since the beginning, for snapshots.
    #[cfg(feature = "serde")]
    pub(super) fn history(&self) -> &[Change<W::Edit>] {
        &self.history
    }

    /// Returns the world as it would be without obstacles.
    pub(super) fn bare_world(&self) -> W
    where
        W: Clone,
    {
        let mut world = self.world.clone();
        self.carvings.uncover(&mut world);
        world
    }

    /// Returns a hash of the places with other fillings than at first, and of the obstacles.
    pub(super) fn digest(&self) -> u64 {
        self.carvings.digest()
    }

    /// Returns whether moving obstacles can be, and agree with the carved ones.
    #[cfg(feature = "serde")]
    pub(super) fn are_obstacles_sound(&self, now: u64) -> bool {
        self.moving_obstacles.are_sound(now, &self.carvings)
    }

    /// Returns the world and its links as a class sees them.
    pub(super) fn space_of(&self, class: Class) -> LinkedSpace<'_, W::Space<'_>> {
        self.links.over(self.world.space(class.profile), class.keys)
    }

    /// Finds the ends of all links again.
    pub(super) fn find_link_ends(&mut self) {
        self.links.find_ends(link_end(&self.world));
    }

    /// Returns the world as an agent of that profile sees it.
    pub(super) fn space_around(&self, profile: ProfileId, agent: &Agent<W::State>) -> W::Space<'_> {
        match agent.evasion {
            Some(_) => self.world.space_for_bodies(profile),
            None => self.world.space(profile),
        }
    }

    /// Returns the point on the ground where a body near `place` stands; `None` if it is blocked.
    pub(super) fn on_ground(&self, profile: ProfileId, place: Vec3) -> Option<Vec3> {
        let state = self.world.state_at(profile, place)?;
        self.world.foothold(profile, state, place)
    }

    /// Returns the cost of a straight line on foot, without jams.
    pub(super) fn price_on_foot(&self, profile: ProfileId, from: Vec3, to: Vec3) -> f64 {
        let length = from.distance(to);
        let parts = (length / self.world.grain().max(0.25)).ceil().clamp(1.0, 1.0e4);
        let points = (0..parts as u32).map(|part| from.lerp(to, (part as f32 + 0.5) / parts));
        let prices: f64 = points.map(|at| f64::from(self.world.price_at(profile, at))).sum();
        f64::from(length) * prices / f64::from(parts)
    }

    /// Tells the searches how long the queue of a link is. Returns the ends of the link, if that
    /// has changed its cost.
    pub(super) fn post_wait(&mut self, id: LinkId, queue: usize) -> Option<[W::State; 2]> {
        let link = self.links.get(id).copied()?;
        let space = self.world.space(Default::default());
        let seconds = match link.crossing {
            Crossing::Seconds(seconds) => seconds,
            Crossing::Speed(speed) => {
                let [from, to] = self.links.places(&space, id)?;
                from.distance(to) / speed
            }
        };
        let room = link.capacity.map_or(f32::INFINITY, |capacity| f32::from(capacity.get()));
        let wait = queue as f32 * seconds / room;
        self.links.post_wait(id, wait).then(|| self.links.ends(id)).flatten()
    }

    /// Returns the states with moves through areas, for agents of all classes.
    pub(super) fn states_delayed(
        &self,
        areas: &[AreaKey],
        side: f32,
        classes: &Classes,
    ) -> Vec<W::State> {
        let areas = areas.iter().map(|area| area.corners(side));
        let areas: Vec<_> = areas.map(|[min, max]| ShapeBounds { min, max }).collect();
        let profiles = classes.profiles().into_iter();
        let states = profiles.map(|profile| self.world.states_delayed(profile, &areas));
        let mut affected: Vec<_> = states.flatten().collect();
        affected.sort_unstable();
        affected.dedup();
        affected
    }

    /// Returns whether a link moves agents at once.
    pub(super) fn is_teleport(&self, link: LinkId) -> bool {
        self.links.get(link).is_some_and(|link| link.kind == LinkKind::Teleport)
    }
}
