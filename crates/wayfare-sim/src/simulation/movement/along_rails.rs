//! The movement of agents that avoid each other and keep to the moves of their space.
//!
//! Each body goes along its rail, as one without avoidance does, but no farther than the one ahead
//! lets it: see [`Network`]. How fast it comes up to that one is bounded by
//!
//! * its braking: it can stop behind the present position of the other;
//! * the time gap of its model, as people keep: it covers the free distance in no less time.
//!
//! Where another stands at the goal already, it waits behind and has arrived.

use std::ops::Range;

use glam::Vec3;
use wayfare_core::space::{Space, StateId};
use wayfare_crowd::AvoidanceModel;
use wayfare_crowd::inside::{LineBody, Meets, NONE, NodeAhead, NodeLeft};

use crate::agent::{AgentId, AgentLimits, Hold, Leg};
use crate::simulation::errands::{Errands, Lookout};
use crate::simulation::roster::{Agent, Cover, Errand, Way};
use crate::simulation::traffic::bodies::{Bodies, FreeWidths, Shift};
use crate::simulation::{Avoidance, Environment, Event, TickEvents};

/// The time in which a body covers the free distance ahead, in seconds, if its model has none.
const TIME_GAP: f32 = 0.5;

/// A body that others stop waits while it is slower than this share of its largest speed,
const SLOW: f32 = 0.05;
/// and is in a jam after this time, in seconds.
const WAITS: f32 = 0.5;

/// The part of its radius within which a body has come up to the one ahead.
const TOUCHES: f32 = 0.2;

/// How far bodies step aside, in sums of their radii: a little more than touches.
const BREADTH: f32 = 1.1;

/// The largest sidestep of a body: its speed as a share of its largest speed, and its distance as a
/// share of the distance along the rail in the same time.
const SIDEWAYS: f32 = 0.5;

/// How fast a body goes along its rail that steps aside, as a part of its largest speed: with
/// [`SIDEWAYS`] of that to the side, it goes at its largest speed. 1 / sqrt(1 + SIDEWAYS²).
const FORWARDS: f32 = 0.894_427;

/// Ends closer than this count as reached, in world units.
const NEAR: f32 = 1e-4;

/// The most moves of a bridge.
const MOST_LEGS: usize = 32;

/// The part of the sum of two radii below which two bodies are in each other.
const THROUGH: f32 = 0.99;

/// Returns how far a body goes in a tick that has that much room ahead.
fn most(limits: &AgentLimits, speed: f32, room: f32, time_gap: f32, tick: f32) -> f32 {
    if room <= 0.0 {
        return 0.0;
    }
    let braked = speed - limits.acceleration * tick;
    let speed = limits.speed_to_stop(room, tick).min((room / time_gap).max(braked));
    (speed * tick).min(room)
}

fn time_gap(avoidance: &Avoidance) -> f32 {
    match avoidance.model {
        AvoidanceModel::Reciprocal => TIME_GAP,
        AvoidanceModel::FreeSpeed(model) => model.time_gap,
    }
}

/// Returns how far a body of that radius steps aside: for one that does so as well, and for one
/// that stands.
fn widths_of(radius: f32, widest: f32) -> [f32; 2] {
    [radius, radius + widest].map(|width| width * BREADTH)
}

/// Returns the largest part of a step, of at most the whole, with which a move and the step
/// together are no longer than `limit`; zero if there is none.
fn share_within(moved: Vec3, step: Vec3, limit: f32) -> f32 {
    // |moved + share * step| = limit, for the share.
    let (a, b) = (step.length_squared(), moved.dot(step));
    let c = moved.length_squared() - limit * limit;
    if a == 0.0 || c > 0.0 {
        return 0.0;
    }
    (((b * b - a * c).sqrt() - b) / a).clamp(0.0, 1.0)
}

impl<State: StateId> Agent<State> {
    /// Returns whether its body keeps a distance to others.
    fn keeps_apart(&self) -> bool {
        self.evasion.is_some() && self.way != Way::Gone && !self.is_inside()
    }

    /// Returns whether it is at the end of its rail, for now.
    fn is_at_end(&self) -> bool {
        self.rail.end() - self.body.along() <= NEAR
    }

    fn waits(&self) -> bool {
        self.evasion.as_ref().is_some_and(|evasion| evasion.waited > WAITS)
    }

    /// Returns the node that it stands at, if it is at the end of its rail and not midway on a leg.
    fn node(&self) -> Option<u32> {
        let leg = self.body.leg();
        let is_midway = self.body.along() - self.rail.begin_of(leg) > NEAR;
        match self.rail.legs().get(leg).map(|leg| leg.hold) {
            None => Some(self.rail.goal().index()),
            Some(Hold::Move { from, .. } | Hold::Link { from, .. }) if !is_midway => {
                Some(from.index())
            }
            Some(_) => None,
        }
    }

    /// Returns the node at the end of its path, for now.
    fn way_end(&self) -> u32 {
        let (rail, first) = (&self.rail, self.body.leg());
        if let Some(node) = self.node().filter(|_| self.is_at_end()) {
            return node;
        }
        let reaches = |leg: &&Leg<State>| leg.until + NEAR >= rail.end();
        let last = rail.legs().iter().skip(first).find(reaches);
        match last.map(|leg| leg.hold) {
            Some(Hold::Move { to, .. } | Hold::Back { to }) => to.index(),
            _ => rail.goal().index(),
        }
    }

    /// Returns whether it stands at the end of its path for now, or in line for it.
    pub(in crate::simulation) fn is_parked(&self) -> bool {
        let is_settled = self.evasion.as_ref().is_some_and(|evasion| evasion.is_settled);
        self.is_at_end()
            || matches!(self.way, Way::Waiting(_) | Way::Stuck)
            || is_settled && self.errand.is_over()
    }

    /// Returns the nodes ahead of it that begin an edge within a distance, and the first one.
    fn nodes_ahead(&self, reach: f32) -> impl Iterator<Item = NodeAhead> + '_ {
        let (rail, first, along) = (&self.rail, self.body.leg(), self.body.along());
        let end = rail.end();
        let stands = self.node().filter(|_| self.is_at_end());
        let here = stands.map(|node| NodeAhead {
            node,
            distance: 0.0,
            from: NONE,
            next: NONE,
            direction: Vec3::ZERO,
        });
        let count = if stands.is_some() { 0 } else { usize::MAX };
        let legs = rail.legs().iter().enumerate().skip(first).take(count);
        let legs = legs.take_while(move |&(leg, _)| {
            let begin = rail.begin_of(leg);
            leg == first || begin - along <= reach && begin + NEAR < end
        });
        let nodes = legs.map_while(move |(leg, piece)| {
            let after = rail.legs().get(leg + 1).map(|next| next.hold);
            let (from, node) = match (piece.hold, after) {
                (Hold::Move { from, to }, _) => (from.index(), to.index()),
                (Hold::Back { to }, _) => (NONE, to.index()),
                (Hold::Link { .. }, _) => return None,
                (_, Some(Hold::Move { from, .. } | Hold::Link { from, .. })) => {
                    (NONE, from.index())
                }
                (_, None) => (NONE, rail.goal().index()),
                _ => return None,
            };
            let next = match after {
                Some(Hold::Move { to, .. }) if piece.until + NEAR < end => to.index(),
                _ => NONE,
            };
            let direction = (piece.to - rail.start_of(leg)).normalize_or_zero();
            let distance = (piece.until - along).max(0.0);
            Some(NodeAhead { node, distance, from, next, direction })
        });
        here.into_iter().chain(nodes)
    }

    /// Returns the nodes that a move joins; `None` if the leg is none.
    fn edge(&self, leg: usize) -> Option<[u32; 2]> {
        match self.rail.legs().get(leg)?.hold {
            Hold::Move { from, to } => Some([from.index(), to.index()]),
            _ => None,
        }
    }

    /// Returns the node that it has left last.
    fn node_left(&self) -> Option<NodeLeft> {
        let (leg, along) = (self.body.leg(), self.body.along());
        let piece = self.rail.legs().get(leg)?;
        let Hold::Move { from, to } = piece.hold else { return None };
        if self.is_at_end() && self.node().is_some() {
            return None;
        }
        let distance = (along - self.rail.begin_of(leg)).max(0.0);
        let direction = (piece.to - self.rail.start_of(leg)).normalize_or_zero();
        Some(NodeLeft { node: from.index(), to: to.index(), distance, direction })
    }
}

/// Reports bodies that have come into each other in this tick.
fn report_passages<State>(agents: &[Agent<State>], shifts: &mut [Shift], events: &mut TickEvents) {
    shifts.sort_unstable_by(|a, b| a.after.x.total_cmp(&b.after.x).then(a.number.cmp(&b.number)));
    let widest = shifts.iter().map(|shift| shift.radius).fold(0.0, f32::max);
    for (place, own) in shifts.iter().enumerate() {
        let reach = own.after.x + own.radius + widest;
        for other in shifts[place + 1..].iter().take_while(|other| other.after.x <= reach) {
            let least = THROUGH * (own.radius + other.radius);
            let came = own.after.distance_squared(other.after) < least * least
                && own.before.distance_squared(other.before) >= least * least;
            let [one, two] = [own, other].map(|shift| &agents[shift.number as usize]);
            if came && one.avoidance().minds(&two.avoidance()) {
                let (low, high) = (own.number.min(other.number), own.number.max(other.number));
                events.report(Event::PassedThrough(AgentId(low), AgentId(high)));
            }
        }
    }
}

impl<W: Environment> Lookout<'_, W> {
    /// Returns the width that is free beside a move of an agent, on both sides: one of `widths`, or
    /// zero. `None` if the leg is none.
    fn width_beside(
        &self,
        agent: &Agent<W::State>,
        leg: usize,
        widths: [f32; 2],
        free: &mut FreeWidths,
    ) -> Option<f32> {
        let Hold::Move { from, to } = agent.rail.legs().get(leg)?.hold else { return None };
        let profile = self.roster.classes.profile(agent.class);
        let [one, two] = widths.map(f32::to_bits);
        let key = (profile.0, from.index(), to.index(), one, two);
        Some(*free.entry(key).or_insert_with(|| {
            // Of the whole move, also where the rail begins midway: the answer is kept.
            let space = self.ground.world.space(profile);
            let [from, to] = [from, to].map(|state| space.position(state));
            let is_free =
                |width: &&f32| self.ground.world.is_free_beside(profile, from, to, **width);
            widths.iter().rev().find(is_free).copied().unwrap_or(0.0)
        }))
    }

    /// Returns the legs of an agent's bridge, if it is on one or comes to one within a distance:
    /// moves on end that two cannot pass each other beside.
    fn bridge(
        &self,
        agent: &Agent<W::State>,
        reach: f32,
        widest: f32,
        free: &mut FreeWidths,
    ) -> Option<Range<usize>> {
        let (rail, here) = (&agent.rail, agent.body.leg());
        let widths = widths_of(agent.limits.radius, widest);
        let mut is_narrow = |leg: usize| self.width_beside(agent, leg, widths, free) == Some(0.0);
        let near = (here..rail.legs().len())
            .take_while(|&leg| rail.begin_of(leg) - agent.body.along() <= reach);
        let first = near.into_iter().find(|&leg| is_narrow(leg))?;
        let last = (first + 1..rail.legs().len()).take(MOST_LEGS).find(|&leg| !is_narrow(leg));
        Some(first..last.unwrap_or(rail.legs().len().min(first + MOST_LEGS)))
    }

    /// Returns the distance of a body along its rail in a tick if it steps aside, has stepped
    /// aside, or is about to: it slows down, so that its whole move keeps its limit.
    fn most_aside(&self, number: usize, meets: Meets, widest: f32, free: &mut FreeWidths) -> f32 {
        let agent = &self.roster.agents[number];
        let Some(evasion) = &agent.evasion else { return f32::INFINITY };
        let widths = widths_of(agent.limits.radius, widest);
        let meets = meets != Meets::Nobody;
        let is_aside = evasion.aside != Vec3::ZERO
            || meets && self.width_beside(agent, agent.body.leg(), widths, free) > Some(0.0);
        if !is_aside {
            return f32::INFINITY;
        }
        let (gait, tick) = (agent.gait(), self.clock.tick());
        let braked = agent.body.speed() - gait.acceleration * tick;
        braked.max(gait.max_speed * FORWARDS) * tick
    }
}

impl<W: Environment> Errands<'_, W> {
    /// Moves all bodies along their rails; bodies that keep apart only as far as the bodies ahead
    /// let them.
    pub(in crate::simulation) fn move_along_rails(&mut self, bodies: &mut Bodies) {
        let Bodies { network, shifts, free, .. } = bodies;
        network.clear();
        shifts.clear();
        let tick = self.clock.tick();
        let radii = self.roster.agents.iter().map(|agent| agent.limits.radius);
        let widest = radii.fold(0.0, f32::max);
        let looks_aside = self.ground.world.knows_surroundings();
        for (number, agent) in (0..).zip(&self.roster.agents) {
            if !agent.is_present() || agent.is_inside() || agent.limits.radius <= 0.0 {
                continue;
            }
            let avoidance = agent.avoidance();
            let gait = agent.gait();
            let speed = agent.body.speed();
            let fastest = (speed + gait.acceleration * tick).min(gait.max_speed.max(speed));
            let reach = gait.braking_distance(fastest, tick) + fastest * time_gap(&avoidance);
            let past = agent.evasion.as_ref().and_then(|evasion| evasion.past);
            let body = LineBody {
                number,
                radius: agent.limits.radius,
                layers: avoidance.layers,
                mask: avoidance.mask,
                yields: agent.keeps_apart(),
                end: agent.way_end(),
                is_parked: agent.is_parked(),
                waits: agent.waits(),
                waited: agent.evasion.as_ref().map_or(0.0, |evasion| evasion.waited),
                quarry: agent.quarry().map_or(NONE, |who| who.0),
                speed,
                past: past.map_or(NONE, |who| who.0),
                reach,
                left: agent.node_left(),
                to_bridge: 0.0,
                is_on_bridge: false,
            };
            // Bodies just beyond a node touch bodies just before it.
            let reach = reach + 2.0 * (agent.limits.radius + widest);
            let bridge = match looks_aside && agent.keeps_apart() {
                true => self.look().bridge(agent, reach, widest, free),
                false => None,
            };
            let legs = bridge.clone().unwrap_or_default();
            let begin = agent.rail.begin_of(legs.start) - agent.body.along();
            let body = LineBody {
                to_bridge: begin.max(0.0),
                is_on_bridge: bridge.is_some() && begin < -NEAR,
                ..body
            };
            let edges = legs.filter_map(|leg| agent.edge(leg));
            network.add(body, agent.nodes_ahead(reach), edges);
        }
        network.look(looks_aside);
        let mut place = 0;
        for number in 0..self.roster.agents.len() {
            let known = network.bodies().get(place).filter(|body| body.number == number as u32);
            let held = known.map(|body| (body, network.held()[place]));
            place += usize::from(held.is_some());
            let Some((_, held)) = held.filter(|(body, _)| body.yields) else {
                self.move_along(number);
                continue;
            };
            let agent = &self.roster.agents[number];
            let before = agent.body.at();
            let before_aside = agent.evasion.as_ref().map_or(Vec3::ZERO, |evasion| evasion.aside);
            let most = match held.by {
                NONE => f32::INFINITY,
                _ => {
                    let (gait, speed) = (agent.gait(), agent.body.speed());
                    most(&gait, speed, held.room, time_gap(&agent.avoidance()), tick)
                }
            };
            let along = agent.body.along();
            let most = match looks_aside {
                true => most.min(self.look().most_aside(number, held.meets, widest, free)),
                false => most,
            };
            self.move_along_within(number, most);
            let agent = &self.roster.agents[number];
            let (after, radius) = (agent.body.at(), agent.limits.radius);
            let moved = agent.body.along() - along;
            let aside = match looks_aside {
                true => self.step_aside(number, (held.meets, after - before), widest, free),
                false => Vec3::ZERO,
            };
            shifts.push(Shift {
                number: number as u32,
                radius,
                before: before + before_aside,
                after: after + aside,
            });
            let room = held.room - moved;
            let parked = network.bodies().get(held.by as usize).is_some_and(|body| body.is_parked);
            self.wait_behind(number, (after - before) / tick, parked && room < TOUCHES * radius);
            let agent = &mut self.roster.agents[number];
            let Some(evasion) = &mut agent.evasion else { continue };
            let is_slow = agent.body.speed() <= SLOW * agent.limits.max_speed;
            let waits = held.by != NONE && is_slow;
            evasion.waited = if waits { evasion.waited + tick } else { 0.0 };
            evasion.past = evasion.past.filter(|_| held.is_passing);
        }
        report_passages(&self.roster.agents, shifts, self.events);
        for &[number, ahead] in network.rings() {
            if let Some(evasion) = &mut self.roster.agents[number as usize].evasion {
                evasion.past = Some(AgentId(ahead));
            }
        }
    }

    /// Moves a body to the side of its rail, or back to it, after it has `moved` along it. Returns
    /// how far aside it is.
    ///
    /// Bodies that meet head-on keep right, each by its own radius and a little more. A body that
    /// passes a standing one goes round it alone. On a link with free ground of some width on both
    /// sides, the body may be aside by that width in any direction. So it can go round a corner
    /// between two such links. Before a link without free ground, it comes back to its rail, as
    /// slowly as it left it.
    fn step_aside(
        &mut self,
        number: usize,
        (meets, moved): (Meets, Vec3),
        widest: f32,
        free: &mut FreeWidths,
    ) -> Vec3 {
        let tick = self.clock.tick();
        let agent = &self.roster.agents[number];
        let Some(evasion) = &agent.evasion else { return Vec3::ZERO };
        let aside = evasion.aside;
        if meets == Meets::Nobody && aside == Vec3::ZERO {
            return aside;
        }
        let widths = widths_of(agent.limits.radius, widest);
        let (leg, rail, along) = (agent.body.leg(), &agent.rail, agent.body.along());
        let here = self.look().width_beside(agent, leg, widths, free);
        // On each leg ahead it is to be within the width of that, and on its rail where that ends.
        let mut most = here.unwrap_or(0.0);
        for ahead in leg + 1..=rail.legs().len() {
            let distance = (rail.begin_of(ahead) - along).max(0.0);
            if distance * SIDEWAYS >= most {
                break;
            }
            let is_open = rail.begin_of(ahead) + NEAR < rail.end();
            let width = self.look().width_beside(agent, ahead, widths, free).filter(|_| is_open);
            most = most.min(width.unwrap_or(0.0) + distance * SIDEWAYS);
        }
        let wanted = match meets {
            Meets::Nobody => 0.0,
            Meets::Counter => widths[0],
            Meets::Parked => widths[1],
        };
        // Round a corner, between the two directions.
        let way_of = |leg: usize| {
            let piece = rail.legs().get(leg);
            let way = piece.map_or(Vec3::ZERO, |piece| piece.to - rail.start_of(leg));
            way.with_y(0.0).normalize_or_zero()
        };
        let since = along - rail.begin_of(leg);
        let left = rail.legs().get(leg).map_or(0.0, |piece| piece.until - along);
        let before = leg.checked_sub(1).filter(|_| since < widths[1]).map_or(Vec3::ZERO, way_of);
        let after = if left < widths[1] { way_of(leg + 1) } else { Vec3::ZERO };
        let way = (way_of(leg) + before + after).normalize_or_zero();
        let right = Vec3::new(-way.z, 0.0, way.x);
        let target = right * wanted.min(most);
        let limit = agent.gait().max_speed * tick;
        let step = (target - aside).clamp_length_max(limit * SIDEWAYS);
        let aside = aside + step * share_within(moved, step, limit);
        // Off the moves, on its way back, it has its old room.
        let aside = here.map_or(aside, |here| aside.clamp_length_max(here));
        if let Some(evasion) = &mut self.roster.agents[number].evasion {
            evasion.aside = aside;
        }
        aside
    }

    /// Updates the body's memory of its move. A body that has come up to another at the end of its
    /// path has arrived.
    fn wait_behind(&mut self, number: usize, velocity: Vec3, is_behind: bool) {
        let agent = &mut self.roster.agents[number];
        let ends_here = agent.rail.end() >= agent.rail.length();
        let is_last = matches!(agent.errand, Errand::UnderWay { cover: Cover::Whole, .. });
        if is_behind && is_last && ends_here {
            self.arrive(number);
        }
        let agent = &mut self.roster.agents[number];
        let is_over = agent.errand.is_over();
        if let Some(evasion) = &mut agent.evasion {
            (evasion.velocity, evasion.was_on_rail) = (velocity, true);
            evasion.is_settled = is_behind && is_over;
        }
    }
}
