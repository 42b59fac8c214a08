//! Slots and trails: where the followers of a group are to be, and what they see of that.

use glam::{Vec2, Vec3};
use wayfare_core::space::LineOfSight;

use super::lookout::Lookout;
use crate::agent::Anchor;
use crate::simulation::Environment;
use crate::simulation::roster::groups::Group;

/// The count of points of a trail in the length of the spacing.
pub(super) const CRUMBS: f32 = 4.0;
/// How many points of the trail a follower looks at, at most.
const GLANCES: usize = 24;
/// The most slots that a follower in file looks at.
const SLOTS_LOOKED_AT: usize = 8;
/// The most corners of a follower's line along the trail.
const CORNERS: usize = 4;
/// Whether there is room for the formation is looked for that far ahead at least, in spacings: a
/// group that has slowed down does not change its mind.
const FORESIGHT: f32 = 1.5;
/// The part of the group's largest speed at which the outermost follower goes round when the
/// formation turns.
const WHEELING: f32 = 0.5;
/// A follower is put on another rail that often, in seconds.
pub(super) const STEER_SECONDS: f32 = 0.2;

/// The rail of a leader, as its followers see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guide {
    pub(super) leader: usize,
    pub(super) at: Vec3,
    pub(super) speed: f32,
    /// The distance to look ahead along its rail, in metres; 0 while it stands.
    pub(super) lead: f32,
}

/// How a follower stands to the trail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// How far behind the leader it is along the trail, in metres.
    pub(super) behind: f32,
    /// How far beside the trail it is.
    pub(super) beside: f32,
}

/// A slot in sight of a follower.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenSlot {
    /// The point on the ground.
    pub(super) to: Vec3,
    /// How far the leader has to go until the slot is there, in metres.
    pub(super) lead: f32,
}

impl Group {
    /// Returns the next slot after that of `last` in the order in which a file takes its slots,
    /// with its owner: among owners in file the slot farthest ahead first, of these the outermost.
    ///
    /// So the first to come out of a door goes farthest from it, and no line to a slot passes a
    /// follower already at its own.
    fn next_slot(&self, last: Option<usize>) -> Option<(usize, Vec2)> {
        let key = |owner: usize| {
            let slot = self.file[owner].slot?;
            Some((-slot.x, -slot.y.abs(), owner))
        };
        let before = |a: &(f32, f32, usize), b: &(f32, f32, usize)| {
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        let last = last.and_then(key);
        let in_file = (0..self.file.len()).filter(|&owner| self.file[owner].is_in_file);
        let keys = in_file.filter_map(key);
        let next = keys.filter(|key| last.is_none_or(|last| before(&last, key).is_lt()));
        let (_, _, owner) = next.min_by(before)?;
        Some((owner, self.file[owner].slot?))
    }

    /// Returns the point of the trail that far behind the leader; its end if it is shorter.
    pub(in crate::simulation) fn place_behind(&self, leader: Vec3, distance: f32) -> Vec3 {
        let (mut before, mut left) = (leader, distance);
        for &crumb in &self.trail {
            let length = before.distance(crumb);
            if length > left {
                return before.lerp(crumb, left / length);
            }
            (before, left) = (crumb, left - length);
        }
        before
    }

    /// Returns where a body is along the trail: at its nearest point. O(trail).
    pub(super) fn standing(&self, leader: Vec3, at: Vec3) -> Standing {
        let flat = |point: Vec3| point.with_y(0.0);
        let (mut before, mut gone) = (leader, 0.0);
        let mut nearest = Standing { behind: 0.0, beside: flat(at - leader).length() };
        for &crumb in &self.trail {
            let (way, off) = (flat(crumb - before), flat(at - before));
            let length = before.distance(crumb);
            let share = off.dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
            let share = share.clamp(0.0, 1.0);
            let beside = (off - way * share).length();
            // Of equal ones the first: a leader that stands has its last point beneath its feet.
            if beside < nearest.beside {
                nearest = Standing { behind: gone + share * length, beside };
            }
            (before, gone) = (crumb, gone + length);
        }
        nearest
    }

    /// Returns the rank of a follower in file, from 1 right behind the leader. In a group in
    /// formation only followers without a usable slot count: so one of the last out of a door goes
    /// on until it sees its slot.
    pub(in crate::simulation) fn rank(&self, place: usize) -> usize {
        let before = self.file[..place].iter();
        1 + before.filter(|follower| self.is_in_file || follower.is_in_file).count()
    }

    /// Remembers where the leader is.
    pub(super) fn leave_crumb(&mut self, at: Vec3) {
        let step = self.spec.spacing / CRUMBS;
        if self.trail.front().is_none_or(|&last| last.distance(at) >= step) {
            let most = (self.file.len() + 4) * CRUMBS as usize;
            self.trail.truncate(most);
            self.trail.push_front(at);
        }
    }

    /// Turns the formation to the leader's direction, no faster than the followers on its wings can
    /// turn.
    pub(super) fn wheel(&mut self, way: Vec3, most_speed: f32, tick: f32) {
        if way.x * way.x + way.z * way.z < 1e-12 {
            return;
        }
        use std::f32::consts::{PI, TAU};
        let off = wayfare_core::ops::atan2(way.z, way.x) - self.heading;
        let off = if off > PI {
            off - TAU
        } else if off < -PI {
            off + TAU
        } else {
            off
        };
        let rate = WHEELING * most_speed / self.reach().max(0.1);
        self.heading += off.clamp(-rate * tick, rate * tick);
        if self.heading.abs() > PI {
            self.heading -= TAU.copysign(self.heading);
        }
    }
}

impl<W: Environment> Lookout<'_, W> {
    /// Chooses whether the group goes in file: from when more than half of its slots are not free,
    /// until at most a quarter are not.
    pub(super) fn choose_shape(&self, group: &mut Group, guide: &Guide) {
        let turns = self.clock.ticks(STEER_SECONDS);
        if !(self.clock.now + guide.leader as u64).is_multiple_of(turns) {
            return;
        }
        let (mut shaped, mut barred) = (0, 0);
        for follower in &group.file {
            let Some(slot) = follower.slot else { continue };
            shaped += 1;
            let from = self.way_of(guide, guide.lead.max(group.spec.spacing * FORESIGHT));
            let is_free = self.seen_place(follower.id.0 as usize, from, from + group.turned(slot));
            barred += usize::from(is_free.is_none());
        }
        group.is_in_file = if group.is_in_file { barred * 4 > shaped } else { barred * 2 > shaped };
    }

    /// Returns the point of the leader's rail at that distance ahead.
    pub(super) fn way_of(&self, guide: &Guide, ahead: f32) -> Vec3 {
        let leader = &self.roster.agents[guide.leader];
        if ahead <= 0.0 { guide.at } else { leader.rail.point_ahead(&leader.body, ahead) }
    }

    /// Returns a slot's point on the ground, if an agent's body can be swept there in a straight
    /// line.
    pub(super) fn seen_place(&self, number: usize, from: Vec3, place: Vec3) -> Option<Vec3> {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let place = self.ground.on_ground(profile, place)?;
        let radius = agent.limits.radius;
        self.ground.world.space(profile).sweep_is_clear(from, place, radius).then_some(place)
    }

    /// Returns the follower whose slot another one takes, and the point of that slot. It is its
    /// own, if it has kept to it. As it comes out of the file, it is the first slot in
    /// [order](Group::next_slot) that it sees and whose owner is in file too.
    pub(super) fn seen_slot(
        &self,
        group: &Group,
        place: usize,
        guide: &Guide,
        from: Vec3,
    ) -> Option<(usize, SeenSlot)> {
        let (follower, number) = (group.file[place], group.file[place].id.0 as usize);
        let own = group.turned(follower.slot?);
        if !follower.is_in_file {
            return Some((place, self.see_slot(number, own, guide, from)?));
        }
        let mut last = None;
        for _ in 0..SLOTS_LOOKED_AT {
            let (owner, slot) = group.next_slot(last)?;
            if let Some(seen) = self.see_slot(number, group.turned(slot), guide, from) {
                return Some((owner, seen));
            }
            last = Some(owner);
        }
        None
    }

    /// Returns where a slot will be about the leader, at the nearest time at which a follower sees
    /// it.
    pub(super) fn see_slot(
        &self,
        number: usize,
        slot: Vec3,
        guide: &Guide,
        from: Vec3,
    ) -> Option<SeenSlot> {
        let times: &[f32] = if guide.lead == 0.0 { &[0.0] } else { &[1.0, 2.0, 3.0] };
        times.iter().find_map(|time| {
            let lead = guide.lead * time;
            let middle = self.way_of(guide, lead);
            let wanted = middle + slot;
            self.seen_place(number, middle, wanted)?;
            Some(SeenSlot { to: self.seen_place(number, from, wanted)?, lead })
        })
    }

    /// Returns the points of the leader's line from a follower's future rank in file back to its
    /// position, the farthest one first.
    pub(super) fn along_trail(
        &self,
        group: &Group,
        guide: &Guide,
        (distance, behind): (f32, f32),
        points: &mut Vec<Vec3>,
    ) {
        points.clear();
        let target = distance - guide.lead;
        if target < 0.0 {
            points.push(self.way_of(guide, -target));
            points.push(guide.at);
        } else {
            points.push(group.place_behind(guide.at, target));
        }
        let (mut before, mut gone) = (guide.at, 0.0);
        for &crumb in &group.trail {
            gone += before.distance(crumb);
            before = crumb;
            if gone > behind {
                break;
            }
            if gone > target {
                points.push(crumb);
            }
        }
    }

    /// Turns points, the farthest one first, into a line from an anchor towards the first of them
    /// along which a follower's body can be swept. Returns whether there is such a line.
    pub(super) fn sight_line(
        &self,
        number: usize,
        anchor: &Anchor<W::State>,
        points: &mut Vec<Vec3>,
        spacing: f32,
    ) -> bool {
        let (mut from, mut last) = (anchor.point, points.len());
        let mut line = [Vec3::ZERO; CORNERS];
        let mut count = 0;
        while count < CORNERS && last > 0 {
            let stride = last.div_ceil(GLANCES);
            let found = (0..last)
                .step_by(stride)
                .find_map(|place| Some((place, self.seen_place(number, from, points[place])?)));
            let Some((place, to)) = found else { break };
            (line[count], from, last) = (to, to, place);
            count += 1;
        }
        points.clear();
        points.extend(&line[..count]);
        let is_whole = last == 0;
        let ends_near = from.distance(anchor.point) < spacing * 0.5;
        count > 0 && (is_whole || !ends_near)
    }
}
