//! The area of a change, and the ways out of it.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare_core::navigate::End;
use wayfare_core::ops;
use wayfare_core::space::{LineOfSight, ProfileId, Space};

use super::Ground;
use crate::simulation::roster::Roster;
use crate::simulation::{Command, Environment, ShapeBounds};

/// The search radius for open ground around a body that was built in, in sides of a place.
const ESCAPE_REACH: f32 = 4.0;

/// The most states among which a body that may be built in looks for exits.
const MOST_EXITS: usize = 256;

/// The exits of an agent before the changes of a tick: states that a clear segment joins to its
/// body.
///
/// A body that is built in may cross only ground that was free before the tick. A segment that was
/// clear before the tick lies on such ground. Whether its end is still free is tested after each
/// change. Ground that one change of a tick opens and another one blocks is no way out.
pub(in crate::simulation) struct Exits<State> {
    pub(in crate::simulation) agent: usize,
    pub(in crate::simulation) ends: Vec<End<State>>,
}

/// A rectangle seen from above.
#[derive(Clone, Copy)]
struct Rectangle {
    min: Vec3,
    max: Vec3,
}

impl Rectangle {
    const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    fn grow(&mut self, point: Vec3, margin: f32) {
        (self.min, self.max) = (self.min.min(point - margin), self.max.max(point + margin));
    }

    /// Returns whether the rectangle around a segment touches it.
    fn is_near(&self, from: Vec3, to: Vec3) -> bool {
        let (min, max) = (from.min(to), from.max(to));
        min.x <= self.max.x && max.x >= self.min.x && min.z <= self.max.z && max.z >= self.min.z
    }
}

/// The side of a tile in sides of a place, or in world units where places are points.
const TILE_SIDE: f32 = 16.0;

/// The extent of an edit, seen from above: for each tile of the world the rectangle around the
/// changed states in it.
///
/// One rectangle around all of them would do as well, and would make agents between two far changes
/// think again.
pub(in crate::simulation) struct Area {
    all: Rectangle,
    tiles: Vec<Rectangle>,
}

impl Area {
    /// Returns the area of changed boxes, with a margin of `grain`.
    pub(in crate::simulation) fn around(
        boxes: impl Iterator<Item = ShapeBounds>,
        grain: f32,
    ) -> Self {
        let side = if grain > 0.0 { grain * TILE_SIDE } else { TILE_SIDE };
        let (mut all, mut tiles) = (Rectangle::EMPTY, BTreeMap::new());
        for ShapeBounds { min, max } in boxes {
            let middle = min.midpoint(max);
            // Casts saturate: very distant points share a tile.
            let tile = ((middle.x / side).floor() as i32, (middle.z / side).floor() as i32);
            for corner in [min, max] {
                tiles.entry(tile).or_insert(Rectangle::EMPTY).grow(corner, grain);
                all.grow(corner, grain);
            }
        }
        Self { all, tiles: tiles.into_values().collect() }
    }

    /// Returns the area of a change that may be anywhere.
    pub(in crate::simulation) fn everywhere() -> Self {
        let all = Rectangle { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        Self { all, tiles: vec![all] }
    }

    /// Returns whether the rectangle around a segment touches a changed tile. O(tiles).
    pub(in crate::simulation) fn is_near(&self, from: Vec3, to: Vec3) -> bool {
        self.all.is_near(from, to) && self.tiles.iter().any(|tile| tile.is_near(from, to))
    }
}

impl<W: Environment> Ground<W> {
    /// Returns the exits of every body near the places that the commands of a tick may block.
    pub(in crate::simulation) fn exits(
        &self,
        commands: &[Command<W::Edit>],
        roster: &Roster<W::State>,
    ) -> Vec<Exits<W::State>> {
        let reach = self.escape_reach();
        let areas = commands.iter().filter_map(|command| match command {
            Command::Edit(edit) if self.world.check(edit).is_ok() => {
                let places = self.world.takes(edit).into_iter();
                Some(Area::around(places.map(|at| ShapeBounds { min: at, max: at }), reach))
            }
            Command::Carve { shape, .. } if shape.is_finite() => {
                Some(Area::around([shape.bounds()].into_iter(), reach))
            }
            _ => None,
        });
        let areas: Vec<Area> = areas.collect();
        if areas.is_empty() {
            return Vec::new();
        }
        let bodies = roster.agents.iter().enumerate().filter(|(_, agent)| {
            let at = agent.body.at();
            agent.is_present()
                && !agent.is_inside()
                && areas.iter().any(|area| area.is_near(at, at))
        });
        bodies
            .map(|(number, agent)| {
                let profile = roster.classes.profile(agent.class);
                Exits { agent: number, ends: self.exits_of(profile, agent.body.at()) }
            })
            .collect()
    }

    /// Returns the states around a point that moves of the space lead to and that a clear segment
    /// joins to it.
    ///
    /// Where edits renumber states, and states are large, uses points around it instead of their
    /// positions.
    fn exits_of(&self, profile: ProfileId, at: Vec3) -> Vec<End<W::State>> {
        if W::RENUMBERS {
            return self.exits_around(profile, at);
        }
        let (space, reach) = (self.world.space(profile), self.escape_reach());
        let mut near: Vec<W::State> = self.world.state_at(profile, at).into_iter().collect();
        let mut next = 0;
        while let Some(&state) = near.get(next) {
            next += 1;
            space.successors(state, |edge| {
                let is_within = space.position(edge.target).distance(at) <= reach;
                if near.len() < MOST_EXITS && is_within && !near.contains(&edge.target) {
                    near.push(edge.target);
                }
            });
        }
        let ends = near.into_iter().map(|state| End { state, point: space.position(state) });
        ends.filter(|end| space.segment_is_clear(at, end.point)).collect()
    }

    /// Points in sight around a point, in rings.
    fn exits_around(&self, profile: ProfileId, at: Vec3) -> Vec<End<W::State>> {
        /// The count of points on a ring.
        const POINTS: u32 = 16;
        let (space, reach) = (self.world.space(profile), self.escape_reach());
        let mut ends = Vec::new();
        for ring in 1..=8 {
            let radius = reach * ring as f32 / 8.0;
            for point in 0..POINTS {
                let ops::SinCos { sin, cos } =
                    ops::sin_cos(std::f32::consts::TAU * point as f32 / POINTS as f32);
                let aside = at + Vec3::new(cos, 0.0, sin) * radius;
                let Some(state) = self.world.state_at(profile, aside) else { continue };
                let Some(point) = self.world.foothold(profile, state, aside) else {
                    continue;
                };
                if space.segment_is_clear(at, point) {
                    ends.push(End { state, point });
                }
            }
        }
        ends
    }

    /// Returns an exit as it is after an edit, if it is still free.
    pub(in crate::simulation) fn still_free(
        &self,
        profile: ProfileId,
        exit: End<W::State>,
    ) -> Option<End<W::State>> {
        if W::RENUMBERS {
            let state = self.world.state_at(profile, exit.point)?;
            return Some(End { state, ..exit });
        }
        self.world.space(profile).check(exit.state).is_ok().then_some(exit)
    }

    fn escape_reach(&self) -> f32 {
        self.world.grain().max(1.0) * ESCAPE_REACH
    }
}
