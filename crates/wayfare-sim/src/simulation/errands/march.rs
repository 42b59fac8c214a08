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

use glam::{Vec2, Vec3};
use wayfare_core::space::LineOfSight;

use super::Errands;
use super::slots::{CRUMBS, Guide, STEER_SECONDS, Standing};
use crate::agent::{Activity, AgentId, Anchor, Formation, Order, RailEnd, Source, lay_points};
use crate::simulation::roster::groups::{AT_PLACE, Follower, Group};
use crate::simulation::roster::{Aim, Cover, Errand, Way};
use crate::simulation::{Environment, Event, GroupSpec};

/// The time to look ahead for its slot, in seconds at the leader's speed.
const LOOK_AHEAD: f32 = 1.0;
/// The time in which a follower catches up or falls back to its slot, in seconds.
const CATCH_UP: f32 = 0.5;
/// The share of its speed that a waiting leader keeps.
const WAITING: f32 = 0.02;
/// A follower that walks stops before it turns by more than that: the cosine of 60°.
const SHARP: f32 = 0.5;

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
            if let Err(fault) = self.roster.take_order(leader, order, &self.ground.world) {
                self.events.report(Event::Failed(fault));
            }
            return;
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
        self.look().choose_shape(group, &guide);
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
                && !self.roster.agents[before.id.0 as usize].is_jammed();
            if are_in_file && !is_held && after.behind + group.spec.spacing * 0.5 < before.behind {
                group.file.swap(place - 1, place);
            }
        }
        self.pace_leader(group, leader);
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
        let anchor = self.look().turning_point(number).filter(|_| !group.is_in_file);
        if let Some(anchor) = anchor
            && let Some((owner, seen)) = self.look().seen_slot(group, place, guide, anchor.point)
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
        let Some(anchor) = self.look().turning_point(number) else { return };
        let mut points = std::mem::take(&mut self.service.march_points);
        self.look().along_trail(group, guide, (distance, behind), &mut points);
        let is_led = self.look().sight_line(number, &anchor, &mut points, spacing);
        if is_led {
            self.lead_to(number, &anchor, &points, guide.speed, guide.lead);
        }
        self.service.march_points = points;
        if !is_led {
            // Neither its slot nor the trail is in sight.
            self.roster.set_march(number, None, self.clock.tick());
            let to = group.place_behind(guide.at, distance);
            let to = self.look().meeting(number, AgentId(guide.leader as u32), to);
            let aim = Aim { source: Source::Group, to, short: 0.0 };
            self.go(number, aim, spacing.max(0.5));
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
