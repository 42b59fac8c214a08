//! Groups on the march: the pace of the leader, and the followers' rails to their slots.
//!
//! One path serves a group: that of its leader. A follower's slot lies about the leader, or behind
//! it on the leader's trail. Several times a second the follower is put on a rail of straight legs
//! to its slot of about a second later, each swept clear for its body; it needs no search. Its
//! speed brings it there at that time. So it goes beside its leader, catches up or hangs back
//! without ever braking for the end of its rail.
//!
//! # Where the formation does not fit
//!
//! A slot counts if a body can stand there, and be swept there from the leader's rail and from the
//! follower's position. If more than half of the slots do not count, the group goes in file: each
//! follower keeps its distance behind the leader along the leader's trail, whose ground is known to
//! be free. Followers nearer to the leader along the trail go first, and followers beside the trail
//! wait until those have passed. So members that crowd before a door merge like a zip. A column
//! alone keeps its order, unless it jams.
//!
//! Behind the door, the first to come out takes the slot farthest ahead, of these the outermost.
//!
//! A follower that sees neither its slot nor any of the trail ahead asks for a path to its slot in
//! file, like an agent without a group.

use super::Errands;
use glam::{Vec2, Vec3};
use wayfare_core::space::LineOfSight;

use crate::agent::{
    Activity, AgentId, Anchor, Formation, Hold, Order, RailEnd, Source, lay_points,
};
use crate::simulation::roster::Way;
use crate::simulation::roster::groups::{AT_PLACE, Follower, Group, GroupSpec};
use crate::simulation::roster::{Aim, Cover, Errand};
use crate::simulation::{Environment, Event};

/// A follower is put on another rail that often, in seconds.
const STEER_SECONDS: f32 = 0.2;
/// The time to look ahead for its slot, in seconds at the leader's speed.
const LOOK_AHEAD: f32 = 1.0;
/// The time in which a follower catches up or falls back to its slot, in seconds.
const CATCH_UP: f32 = 0.5;
/// The count of points of a trail in the length of the spacing.
const CRUMBS: f32 = 4.0;
/// How many points of the trail a follower looks at, at most.
const GLANCES: usize = 24;
/// The most slots that a follower in file looks at.
const SLOTS_LOOKED_AT: usize = 8;
/// The most corners of a follower's line along the trail.
const CORNERS: usize = 4;
/// Whether there is room for the formation is looked for that far ahead at least, in spacings: a
/// group that has slowed down does not change its mind.
const FORESIGHT: f32 = 1.5;
/// The share of its speed that a waiting leader keeps.
const WAITING: f32 = 0.02;
/// The part of the group's largest speed at which the outermost follower goes round when the
/// formation turns.
const WHEELING: f32 = 0.5;
/// A follower that walks stops before it turns by more than that: the cosine of 60°.
const SHARP: f32 = 0.5;

/// The rail of a leader, as its followers see it.
#[derive(Clone, Copy, Debug)]
struct Guide {
    leader: usize,
    at: Vec3,
    speed: f32,
    /// The distance to look ahead along its rail, in metres; 0 while it stands.
    lead: f32,
}

/// How a follower stands to the trail.
#[derive(Clone, Copy, Debug)]
struct Standing {
    /// How far behind the leader it is along the trail, in metres.
    behind: f32,
    /// How far beside the trail it is.
    beside: f32,
}

/// A slot in sight of a follower.
#[derive(Clone, Copy, Debug)]
struct SeenSlot {
    /// The point on the ground.
    to: Vec3,
    /// How far the leader has to go until the slot is there, in metres.
    lead: f32,
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
    fn standing(&self, leader: Vec3, at: Vec3) -> Standing {
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
    fn leave_crumb(&mut self, at: Vec3) {
        let step = self.spec.spacing / CRUMBS;
        if self.trail.front().is_none_or(|&last| last.distance(at) >= step) {
            let most = (self.file.len() + 4) * CRUMBS as usize;
            self.trail.truncate(most);
            self.trail.push_front(at);
        }
    }

    /// Turns the formation to the leader's direction, no faster than the followers on its wings can
    /// turn.
    fn wheel(&mut self, way: Vec3, most_speed: f32, tick: f32) {
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

impl<W: Environment> Errands<'_, W> {
    /// Groups choose their leaders and take up their orders: before anybody decides.
    pub(in crate::simulation) fn muster(&mut self) {
        // Worlds that refuse groups are compiled without the rest.
        if !W::CAN_FORM || self.roster.groups.is_empty() {
            return;
        }
        let mut groups = std::mem::take(&mut self.roster.groups);
        for group in &mut groups {
            self.muster_group(group);
        }
        self.roster.groups = groups;
        let most_wait = self.clock.ticks(GroupSpec::MOST_WAIT);
        for number in 0..self.roster.groups.len() {
            self.take_up_order(number, most_wait);
        }
    }

    fn muster_group(&mut self, group: &mut Group) {
        let is_here = |id: AgentId| self.roster.agents[id.0 as usize].is_present();
        let leader = group.spec.members.iter().copied().find(|&id| is_here(id));
        let is_new = leader != group.leader;
        if !is_new && group.file.iter().all(|follower| is_here(follower.id)) {
            return;
        }
        group.leader = leader;
        group.fall_in(is_here);
        let Some(leader) = leader else { return };
        let at = self.roster.agents[leader.0 as usize].body.at();
        if !is_new {
            return group.deal_slots(at, |id| self.roster.agents[id.0 as usize].body.at());
        }
        group.is_under_way = false;
        let agent = &mut self.roster.agents[leader.0 as usize];
        if agent.errand.aim().is_some_and(|aim| aim.source == Source::Group) {
            agent.is_alert = true; // it followed until now
        }
        let (at, class, radius) = (agent.body.at(), agent.class, agent.limits.radius);
        if group.trail.is_empty() {
            // There is no trail yet: the file stands behind the leader, as far as there is room.
            group.heading = agent.body.heading();
            let back = -group.turned(Vec2::X) * (group.spec.spacing / CRUMBS);
            let profile = self.roster.classes.profile(class);
            let (space, count) =
                (self.ground.world.space(profile), group.file.len() as f32 * CRUMBS);
            group.trail.push_front(at);
            let mut crumb = at;
            for _ in 0..count.ceil() as usize {
                let next = crumb + back;
                let Some(next) = self.ground.on_ground(profile, next) else { break };
                if !space.sweep_is_clear(crumb, next, radius) {
                    break;
                }
                group.trail.push_back(next);
                crumb = next;
            }
        }
        group.deal_slots(at, |id| self.roster.agents[id.0 as usize].body.at());
    }

    /// Gives the leader the next order of its group once the last one is over.
    fn take_up_order(&mut self, number: usize, most_wait: u64) {
        let group = &self.roster.groups[number];
        let (Some(leader), Some(&order)) = (group.leader, group.orders.front()) else { return };
        if !group.is_under_way {
            let order = match order {
                Order::Then(to) => Order::GoTo(to),
                Order::ThenBy { to, algorithm } => Order::GoToBy { to, algorithm },
                order => order,
            };
            let group = &mut self.roster.groups[number];
            (group.is_under_way, group.waited) = (true, 0);
            return self.take_order(leader, order);
        }
        let agent = &self.roster.agents[leader.0 as usize];
        let is_there = agent.mind.orders().len() == 0 && agent.errand.is_over();
        if is_there && (group.is_formed() || u64::from(group.waited) > most_wait) {
            let group = &mut self.roster.groups[number];
            group.orders.pop_front();
            (group.is_under_way, group.waited) = (false, 0);
            let formed = crate::agent::GroupId(number as u32);
            self.events.report(Event::Formed(formed));
        }
    }

    /// Paces leaders and steers followers to their slots, after all decisions.
    pub(in crate::simulation) fn march(&mut self) {
        if !W::CAN_FORM || self.roster.groups.is_empty() {
            return;
        }
        let mut groups = std::mem::take(&mut self.roster.groups);
        for group in &mut groups {
            if let Some(leader) = group.leader {
                self.march_group(group, leader.0 as usize);
            }
        }
        self.roster.groups = groups;
    }

    fn march_group(&mut self, group: &mut Group, leader: usize) {
        let tick = self.clock.tick();
        let agent = &self.roster.agents[leader];
        let (at, speed) = (agent.body.at(), agent.own_speed());
        let ahead = (agent.rail.end() - agent.body.along()).max(0.0);
        let lead = (speed * LOOK_AHEAD).min(ahead);
        let lead = if lead < 1e-3 || agent.is_inside() { 0.0 } else { lead };
        let way = if speed > 0.0 { agent.body.way(&agent.rail) } else { Vec3::ZERO };
        let guide = Guide { leader, at, speed, lead };
        group.leave_crumb(at);
        group.wheel(way, agent.limits.max_speed, tick);
        self.choose_shape(group, &guide);
        let turns = self.clock.ticks(STEER_SECONDS);
        for place in 0..group.file.len() {
            let number = group.file[place].id.0 as usize;
            let agent = &self.roster.agents[number];
            if !matches!(agent.activity, Activity::InFormation(_)) {
                (group.file[place].lag, group.file[place].is_in_file) = (0.0, true);
                self.roster.set_march(number, None, self.clock.tick());
                continue;
            }
            let is_due = (self.clock.now + number as u64).is_multiple_of(turns);
            if is_due || agent.errand.is_lost() {
                self.steer(group, place, &guide);
            } else if let Some(slot) =
                group.file[place].slot.filter(|_| !group.file[place].is_in_file)
            {
                let off = guide.at + group.turned(slot) - agent.body.at();
                group.file[place].lag = off.with_y(0.0).length();
            }
        }
        // Who is ahead along the trail goes ahead.
        for place in 1..group.file.len() {
            let [before, after] = [place - 1, place].map(|place| group.file[place]);
            let are_in_file = before.is_in_file && after.is_in_file;
            // A column keeps its order, unless a member in front is jammed.
            let is_held = matches!(group.spec.formation, Formation::Column)
                && !self.is_jammed(before.id.0 as usize);
            if are_in_file && !is_held && after.behind + group.spec.spacing * 0.5 < before.behind {
                group.file.swap(place - 1, place);
            }
        }
        self.pace_leader(group, leader);
    }

    /// Returns whether a body has made hardly any progress for a second.
    fn is_jammed(&self, number: usize) -> bool {
        let agent = &self.roster.agents[number];
        agent.evasion.as_ref().is_some_and(|evasion| evasion.stuck >= 1.0)
    }

    /// Chooses whether the group goes in file: from when more than half of its slots are not free,
    /// until at most a quarter are not.
    fn choose_shape(&self, group: &mut Group, guide: &Guide) {
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
    fn way_of(&self, guide: &Guide, ahead: f32) -> Vec3 {
        let leader = &self.roster.agents[guide.leader];
        if ahead <= 0.0 { guide.at } else { leader.rail.point_ahead(&leader.body, ahead) }
    }

    /// Returns a slot's point on the ground, if an agent's body can be swept there in a straight
    /// line.
    fn seen_place(&self, number: usize, from: Vec3, place: Vec3) -> Option<Vec3> {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let place = self.ground.on_ground(profile, place)?;
        let radius = agent.limits.radius;
        self.ground.world.space(profile).sweep_is_clear(from, place, radius).then_some(place)
    }

    /// Steers a follower to its slot.
    fn steer(&mut self, group: &mut Group, place: usize, guide: &Guide) {
        let follower = group.file[place];
        let number = follower.id.0 as usize;
        let at = self.roster.agents[number].body.at();
        if self.roster.agents[number].way != Way::Free {
            // In a link, or at its entrance, or built in: it is waited for unless it is stuck.
            let is_stuck = self.roster.agents[number].way == Way::Stuck;
            group.file[place].lag = if is_stuck { 0.0 } else { at.distance(guide.at) };
            return;
        }
        let anchor = self.turning_point(number).filter(|_| !group.is_in_file);
        if let Some(anchor) = anchor
            && let Some((owner, seen)) = self.seen_slot(group, place, guide, anchor.point)
        {
            let (own, slot) = (group.file[place].slot, group.file[owner].slot.unwrap_or_default());
            group.file[owner].slot = own;
            group.file[place].slot = Some(slot);
            let off = guide.at + group.turned(slot) - at;
            let follower = &mut group.file[place];
            (follower.lag, follower.is_in_file) = (off.with_y(0.0).length(), false);
            return self.lead_to(number, &anchor, &[seen.to], guide.speed, seen.lead);
        }
        self.steer_in_file(group, place, guide);
    }

    /// Returns the follower whose slot another one takes, and the point of that slot. It is its
    /// own, if it has kept to it. As it comes out of the file, it is the first slot in
    /// [order](Group::next_slot) that it sees and whose owner is in file too.
    fn seen_slot(
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
    fn see_slot(&self, number: usize, slot: Vec3, guide: &Guide, from: Vec3) -> Option<SeenSlot> {
        let times: &[f32] = if guide.lead == 0.0 { &[0.0] } else { &[1.0, 2.0, 3.0] };
        times.iter().find_map(|time| {
            let lead = guide.lead * time;
            let middle = self.way_of(guide, lead);
            let wanted = middle + slot;
            self.seen_place(number, middle, wanted)?;
            Some(SeenSlot { to: self.seen_place(number, from, wanted)?, lead })
        })
    }

    /// Steers a follower along the trail.
    fn steer_in_file(&mut self, group: &mut Group, place: usize, guide: &Guide) {
        let Follower { id, .. } = group.file[place];
        let number = id.0 as usize;
        let spacing = group.spec.spacing;
        let at = self.roster.agents[number].body.at();
        let distance = group.rank(place) as f32 * spacing;
        let Standing { behind, beside } = group.standing(guide.at, at);
        let late = behind - distance;
        let is_early = late < -spacing * AT_PLACE;
        let follower = &mut group.file[place];
        (follower.is_in_file, follower.behind) = (true, behind);
        let failed = matches!(self.roster.agents[number].errand, Errand::Failed { .. });
        follower.lag =
            if is_early || failed { 0.0 } else { Vec2::new(late.max(0.0), beside).length() };
        if is_early {
            // The others pass first.
            self.roster.set_march(number, None, self.clock.tick());
            return self.stay(number);
        }
        let Some(anchor) = self.turning_point(number) else { return };
        let mut points = std::mem::take(&mut self.service.march_points);
        self.along_trail(group, guide, (distance, behind), &mut points);
        let is_led = self.sight_line(number, &anchor, &mut points, spacing);
        if is_led {
            self.lead_to(number, &anchor, &points, guide.speed, guide.lead);
        }
        self.service.march_points = points;
        if !is_led {
            // Neither its slot nor the trail is in sight.
            self.roster.set_march(number, None, self.clock.tick());
            let to = group.place_behind(guide.at, distance);
            let to = self.meeting(number, AgentId(guide.leader as u32), to);
            let aim = Aim { source: Source::Group, to, short: 0.0 };
            self.go(number, aim, spacing.max(0.5));
        }
    }

    /// Returns the points of the leader's line from a follower's future rank in file back to its
    /// position, the farthest one first.
    fn along_trail(
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
    fn sight_line(
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

    /// Returns where another rail of a follower may begin: right where it is, unless it makes a
    /// move that it has to finish. `None` while it gets out of an obstacle.
    fn turning_point(&self, number: usize) -> Option<Anchor<W::State>> {
        let agent = &self.roster.agents[number];
        let leg = agent.rail.legs().get(agent.body.leg());
        match leg.map(|leg| leg.hold) {
            None | Some(Hold::Clear) => {
                let profile = self.roster.classes.profile(agent.class);
                let point = agent.body.at();
                let state = self.ground.world.state_at(profile, point)?;
                Some(Anchor { along: agent.body.along(), point, state })
            }
            Some(Hold::Move { .. } | Hold::Link { .. }) => Some(self.anchor(number, 0.0)),
            Some(Hold::Back { .. } | Hold::Escape) => None,
        }
    }

    /// Puts a follower on a rail through points that were swept from the anchor on. Its speed
    /// brings it to the last one when its leader has gone `lead` metres.
    fn lead_to(
        &mut self,
        number: usize,
        anchor: &Anchor<W::State>,
        points: &[Vec3],
        speed: f32,
        lead: f32,
    ) {
        let tick = self.clock.tick();
        let agent = &self.roster.agents[number];
        let (body, profile) = (&agent.body, self.roster.classes.profile(agent.class));
        let Some(&to) = points.last() else { return };
        let Some(state) = self.ground.world.state_at(profile, to) else { return };
        let mut length = body.at().distance(anchor.point);
        let mut before = anchor.point;
        for &point in points {
            length += before.distance(point);
            before = point;
        }
        let most = agent.limits.max_speed;
        let wanted = speed + (length - lead) / CATCH_UP;
        let march = (lead > 0.0).then(|| wanted.clamp(0.05 * most, most));
        let aim = Aim { source: Source::Group, to, short: 0.0 };
        let known = agent.errand.of(Source::Group);
        let is_same = |old: Aim| old.to.distance(to) < 0.02;
        let is_there = lead == 0.0 && length <= agent.limits.radius.max(0.1) * 0.25;
        match known {
            Errand::Reached { .. } if is_there => {
                return self.roster.set_march(number, None, self.clock.tick());
            }
            Errand::UnderWay { aim, cover: Cover::Whole } if is_same(aim) => {
                return self.roster.set_march(number, march, self.clock.tick());
            }
            _ => {}
        }
        let (now, next) = (agent.velocity().with_y(0.0), (points[0] - body.at()).with_y(0.0));
        let turn = now.normalize_or_zero().dot(next.normalize_or_zero());
        // A body beside its rail changes its velocity within its limits by itself.
        let is_on_rail = agent.evasion.as_ref().is_none_or(|evasion| evasion.was_on_rail);
        let is_fast = now != Vec3::ZERO && agent.own_speed() > agent.limits.acceleration * tick;
        if is_on_rail && is_fast && turn < SHARP {
            return self.stay(number);
        }
        let radius = agent.limits.radius;
        let space = self.ground.world.space(profile);
        lay_points(&space, anchor.point, points.iter().copied(), radius, &mut self.service.legs);
        let agent = &mut self.roster.agents[number];
        let replaced = agent.errand.plan(aim);
        agent.errand.set_out(None);
        (agent.march, agent.failures, agent.trouble) = (march, 0, None);
        let (gait, end) = (agent.gait(), RailEnd { state, short: 0.0 });
        agent.rail.splice(&mut agent.body, anchor, &mut self.service.legs, end, &gait, tick);
        agent.release();
        self.service.withdraw(replaced);
        self.leave_queue(number);
        if !known.is_open() {
            self.events.report(Event::Departed(AgentId(number as u32)));
        }
    }

    /// Limits the leader's speed to that of its slowest follower, and further with the distance of
    /// any follower from its slot.
    fn pace_leader(&mut self, group: &mut Group, leader: usize) {
        let GroupSpec { spacing, patience, .. } = group.spec;
        let present = group.file.iter().map(|follower| &self.roster.agents[follower.id.0 as usize]);
        let present = present.filter(|agent| matches!(agent.activity, Activity::InFormation(_)));
        let slowest = present.map(|agent| agent.limits.max_speed).fold(f32::INFINITY, f32::min);
        // While some come out of a door, the leader waits for these alone, and makes room for all.
        let is_coming = |follower: &&Follower| {
            follower.is_in_file && follower.slot.is_some() && follower.lag > spacing * AT_PLACE
        };
        let coming = group.file.iter().filter(is_coming).map(|follower| follower.lag);
        let all = group.file.iter().map(|follower| follower.lag);
        let lag = coming.reduce(f32::max).unwrap_or_else(|| all.fold(0.0, f32::max));
        let is_at_goal = group.is_under_way && self.roster.agents[leader].errand.is_over();
        let waits = lag >= patience || is_at_goal && !group.is_formed();
        group.waited = if waits { group.waited.saturating_add(1) } else { 0 };
        let (begin, end) = (spacing * AT_PLACE, patience.max(spacing * 0.75));
        let share = match u64::from(group.waited) > self.clock.ticks(GroupSpec::MOST_WAIT) {
            true => 1.0,
            // In eighths: speeds on its rail need not be worked out in each tick. Rounded down, so
            // that it leaves followers as fast as itself the speed to catch up.
            false => (((end - lag) / (end - begin)).clamp(0.0, 1.0) * 8.0).floor() / 8.0,
        };
        let most = slowest.min(self.roster.agents[leader].limits.max_speed) * share.max(WAITING);
        let march = slowest.is_finite().then_some(most);
        self.roster.set_march(leader, march, self.clock.tick());
    }
}
