//! Jams: the delay of ground by crowds.
//!
//! # What a jam costs
//!
//! Space is divided into areas. Each body in an area is measured once in [`JamSettings::seconds`].
//! A body under way makes a share `p`, -1 to 1, of the speed that its rail would give it towards
//! its goal; a body jostled to and fro makes none. Let `r` be the mean of `p` over the bodies of an
//! area, smoothed in time. A metre of the area takes as long as `1 / r` metres of free ground: its
//! delay is `1 / r - 1`.
//!
//! This prices a queue rightly without any model of doors. Let `q` bodies a second pass a door, and
//! `n` bodies wait before it in a strip of width `b` at a density `d`. The flow is conserved, so
//! they move at `q / (b d)`, and the strip of length `n / (b d)` takes `n / q` seconds: the time
//! until the last of them is through. A body nearer to the door passes fewer areas, and pays less.
//!
//! Bodies that stand for good have no progress to measure. For them `p` is the share of the free
//! speed that people have at the density of the bodies in the area (Weidmann 1993).
//!
//! # Why runs repeat
//!
//! Sums over an area are taken in the order of the agents, areas are sorted, and delays are posted
//! before planning begins: nothing depends on threads.

use glam::Vec3;
use wayfare_core::inside::{AreaDelay, AreaKey};
use wayfare_core::link::MOST_DELAY;
use wayfare_core::ops;
use wayfare_core::space::StateId;
use wayfare_crowd::CrowdAgent;
use wayfare_crowd::inside::Member;

use crate::simulation::clock::Clock;
use crate::simulation::ground::Ground;
use crate::simulation::roster::{Agent, Roster, Way};
use crate::simulation::{Environment, JamSettings};

/// Each measurement counts as if there were this many more free bodies a square metre: a single
/// slow body is no jam.
const FREE: f32 = 0.1;
/// Delays below this are none, in metres a metre.
const LEAST_DELAY: f32 = 0.25;
/// A delay is posted again if it differs by this share from the last posted one,
const CHANGE: f32 = 0.2;
/// and by this many metres a metre.
const LEAST_CHANGE: f32 = 0.1;
/// Areas are forgotten when the weight of their bodies falls below this.
const FORGOTTEN: f32 = 1.0e-3;
/// The ground that a person covers, in square metres: a radius of 0.2 m.
const PERSON: f32 = 0.1257;

/// The bodies of an area: sums, smoothed in time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Bodies {
    /// The shares of their speeds that bodies under way make; below 0 if most go back.
    progress: f32,
    /// The count of bodies under way.
    moving: f32,
    /// The count of bodies that stand for good.
    standing: f32,
    /// The ground that all of them cover, in square world units.
    covered: f32,
}

impl Bodies {
    fn add(&mut self, other: &Self, weight: f32) {
        self.progress += other.progress * weight;
        self.moving += other.moving * weight;
        self.standing += other.standing * weight;
        self.covered += other.covered * weight;
    }

    fn parts(&self) -> [f32; 4] {
        [self.progress, self.moving, self.standing, self.covered]
    }

    /// Returns the delay of an area of that side.
    fn delay(&self, side: f32) -> f32 {
        let ground = side * side;
        let free = FREE * ground;
        let density = self.covered / ground / PERSON;
        let passing = self.standing * share_of_free_speed(density);
        let made = self.progress.max(0.0) + passing + free;
        let share = made / (self.moving + self.standing + free);
        let delay = (1.0 / share - 1.0).min(MOST_DELAY);
        if delay < LEAST_DELAY { 0.0 } else { delay }
    }
}

/// Returns the part of their free speed that people have at a density in persons a square metre.
///
/// Source: Weidmann, Transporttechnik der Fussgänger, 1993.
fn share_of_free_speed(density: f32) -> f32 {
    if density <= 0.0 {
        return 1.0;
    }
    (1.0 - ops::exp(-1.913 * (1.0 / density - 1.0 / 5.4))).clamp(0.0, 1.0)
}

/// An area and its measurements.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct WatchedArea {
    area: AreaKey,
    bodies: Bodies,
    /// The delay that searches are told, 0 for none.
    posted: f32,
}

/// The jams that a simulation has measured.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct JamWatch {
    /// In ascending order, each once.
    areas: Vec<WatchedArea>,
    /// The bodies of one look, kept for its memory.
    #[cfg_attr(feature = "serde", serde(skip))]
    looks: Vec<(AreaKey, Bodies)>,
}

impl JamWatch {
    /// Returns whether nothing is known, as in simulations that do not watch for jams.
    #[cfg(feature = "serde")]
    pub(in crate::simulation) fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Measures jams. Returns whether other delays are to be posted.
    pub(in crate::simulation) fn measure<W: Environment>(
        &mut self,
        settings: &JamSettings,
        roster: &Roster<W::State>,
        ground: &Ground<W>,
        clock: &Clock,
    ) -> bool {
        self.looks.clear();
        for (number, agent) in roster.agents.iter().enumerate() {
            let factor = || roster.ground_factor(number, &ground.world);
            if let Some(seen) = seen_of_agent(agent, factor, clock.tick()) {
                self.looks.push((AreaKey::at(agent.body.at(), settings.side), seen));
            }
        }
        let standing = |member: &Member| member.agent.velocity == Vec3::ZERO;
        let obstacles = ground.moving_obstacles.members(clock.now).map(|(member, _)| member);
        for obstacle in obstacles.filter(standing) {
            self.looks.extend(seen_of_obstacle(&obstacle.agent, settings.side));
        }
        self.take_in(settings)
    }

    /// Adds the last measurements, and decides which delays to post. Returns whether any of these
    /// changed.
    fn take_in(&mut self, settings: &JamSettings) -> bool {
        let kept = match settings.smoothing {
            0.0 => 0.0,
            smoothing => ops::exp(-settings.seconds / smoothing),
        };
        self.areas.iter_mut().for_each(|one| {
            let before = std::mem::take(&mut one.bodies);
            one.bodies.add(&before, kept);
        });
        // Stable: sums do not depend on anything but the order of the agents.
        self.looks.sort_by_key(|look| look.0);
        let known = self.areas.len();
        let mut place = 0;
        for run in self.looks.chunk_by(|a, b| a.0 == b.0) {
            let area = run[0].0;
            while self.areas[..known].get(place).is_some_and(|one| one.area < area) {
                place += 1;
            }
            let at = match self.areas[..known].get(place) {
                Some(one) if one.area == area => place,
                _ => {
                    self.areas.push(WatchedArea { area, bodies: Bodies::default(), posted: 0.0 });
                    self.areas.len() - 1
                }
            };
            run.iter().for_each(|(_, seen)| self.areas[at].bodies.add(seen, 1.0 - kept));
        }
        self.areas.sort_unstable_by_key(|one| one.area);
        let mut is_changed = false;
        for one in &mut self.areas {
            let delay = one.bodies.delay(settings.side);
            let change = (delay - one.posted).abs();
            if change > CHANGE * one.posted + LEAST_CHANGE || delay == 0.0 && one.posted > 0.0 {
                (one.posted, is_changed) = (delay, true);
            }
        }
        let is_past = |part: f32| part.abs() < FORGOTTEN;
        self.areas.retain(|one| one.posted > 0.0 || !one.bodies.parts().into_iter().all(is_past));
        is_changed
    }

    /// Returns the delays that searches are told.
    pub(in crate::simulation) fn posted(&self) -> Vec<AreaDelay> {
        let areas = self.areas.iter().filter(|one| one.posted > 0.0);
        areas.map(|one| AreaDelay { area: one.area, delay: one.posted }).collect()
    }

    /// Returns whether its values can be measured. Values read from a file may not be.
    #[cfg(feature = "serde")]
    pub(in crate::simulation) fn is_sound(&self) -> bool {
        self.areas.windows(2).all(|pair| pair[0].area < pair[1].area)
            && self.areas.iter().all(|one| {
                let Bodies { progress, moving, standing, covered } = one.bodies;
                [progress.abs(), moving, standing, covered]
                    .iter()
                    .all(|part| (0.0..1.0e9).contains(part))
                    && (0.0..=MOST_DELAY).contains(&one.posted)
            })
    }

    /// Calls `take` with all of it, for a hash.
    pub(in crate::simulation) fn words(&self, mut take: impl FnMut(u64)) {
        for one in &self.areas {
            one.bodies.parts().iter().for_each(|part| take(u64::from(part.to_bits())));
            take(u64::from(one.posted.to_bits()));
        }
    }
}

/// Returns the share of an agent's body in a jam.
fn seen_of_agent<State: StateId>(
    agent: &Agent<State>,
    ground_factor: impl FnOnce() -> f32,
    tick: f32,
) -> Option<Bodies> {
    let Agent { limits, body, rail, errand, .. } = agent;
    if !agent.is_present() || agent.is_inside() || limits.radius <= 0.0 {
        return None;
    }
    let covered = std::f32::consts::PI * limits.radius * limits.radius;
    let seen = Bodies { covered, ..Bodies::default() };
    if !errand.is_open() || agent.way == Way::Stuck {
        return Some(Bodies { standing: 1.0, ..seen });
    }
    let Some(evasion) = &agent.evasion else { return Some(seen) };
    let ahead = evasion.avoidance.model.aims_ahead(limits.radius);
    let gait = agent.gait_on(ground_factor());
    let wish = body.wish(rail, &gait, tick, ahead, false);
    // Who has to wait, for a path or at a link, says nothing of the ground.
    if wish == Vec3::ZERO || agent.way != Way::Free {
        return Some(seen);
    }
    let progress = (evasion.velocity.dot(wish) / wish.length_squared()).clamp(-1.0, 1.0);
    Some(Bodies { progress, moving: 1.0, ..seen })
}

/// Returns the share of a standing obstacle's disc in the jams of the areas that it covers: as an
/// agent that stands for good in each of them.
fn seen_of_obstacle(disc: &CrowdAgent, side: f32) -> Vec<(AreaKey, Bodies)> {
    /// Wider obstacles count on the areas around their middles alone.
    const MOST_STEPS: f32 = 16.0;
    let steps = (disc.radius / side).min(MOST_STEPS) as i32;
    let offsets = (-steps..=steps).flat_map(|x| (-steps..=steps).map(move |z| (x, z)));
    let offsets = offsets.map(|(x, z)| Vec3::new(x as f32, 0.0, z as f32) * side);
    let points: Vec<Vec3> = offsets.filter(|by| by.length() <= disc.radius).collect();
    let covered = std::f32::consts::PI * disc.radius * disc.radius / points.len() as f32;
    let seen = Bodies { standing: 1.0, covered, ..Bodies::default() };
    points.into_iter().map(|by| (AreaKey::at(disc.position + by, side), seen)).collect()
}
