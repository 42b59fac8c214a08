//! An independent validator of running simulations.

use std::fmt;
use std::sync::Arc;

use glam::Vec3;

use super::evasion::quarry;
use super::sorted_map::SortedMap;
use super::{AgentRecord, AvoidanceManner, Environment, Event, Simulation, Stretch, TickRecord};
use crate::agent::{Activity, AgentId, leg_length};
use crate::crowd::AvoidanceQuality;
use crate::link::LinkId;
use crate::ops;
use crate::space::{LineOfSight, MoveRules, ProfileId, Space};

/// A quantity of a body that has a limit.
///
/// Example: [`TickRecord`](super::TickRecord).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quantity {
    /// The distance covered, in metres a second.
    Speed,
    /// The gain of speed, in metres a second².
    Acceleration,
    /// The loss of speed, in metres a second².
    Braking,
    /// The change of the heading, in radians a second.
    TurnRate,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Speed => "speed",
            Self::Acceleration => "acceleration",
            Self::Braking => "braking",
            Self::TurnRate => "turn rate",
        })
    }
}

/// What is wrong with what a simulation did.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditFault {
    /// A body went where nothing allows it to.
    #[error("tick {tick}: agent {} crossed a wall between {from} and {to}, {before} and then {after}", agent.0)]
    CrossedWall {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// Where it was.
        from: Vec3,
        /// Where it is.
        to: Vec3,
        /// The part of its rail that it was on, with the numbers of states.
        before: Stretch<u32>,
        /// The part of its rail that it is on, with the numbers of states.
        after: Stretch<u32>,
    },
    /// A body reaches into a wall on a part of its way that has room for it, by its proof.
    #[error("tick {tick}: agent {} at {at} reaches into a wall, with room for {room} m", agent.0)]
    ReachedIntoWall {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// Where its middle is.
        at: Vec3,
        /// The room that there is by the proof of its way, in metres.
        room: f32,
    },
    /// A body changed its speed, its place or its heading faster than it can.
    #[error("tick {tick}: agent {}'s {quantity} is {value}, but at most {most} is possible", agent.0)]
    TooMuch {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// The quantity that is too large.
        quantity: Quantity,
        /// Its value.
        value: f32,
        /// The largest value that is possible.
        most: f32,
    },
    /// There are more agents in a link than it holds.
    #[error("tick {tick}: link {} holds {inside} agents, but has room for {room}", link.0)]
    OverCapacity {
        /// The tick.
        tick: u64,
        /// The link.
        link: LinkId,
        /// How many are inside.
        inside: usize,
        /// How many may be.
        room: usize,
    },
    /// Two bodies that avoid each other have come too near to each other.
    #[error(
        "tick {tick}: agents {} and {} are {distance} m apart, but {least} m is the least that is possible",
        first.0,
        second.0
    )]
    Overlap {
        /// The tick.
        tick: u64,
        /// One of them.
        first: AgentId,
        /// The other one.
        second: AgentId,
        /// The distance between their middles, in metres.
        distance: f32,
        /// The least distance that is possible, in metres: 0.99 of the sum of their radii.
        least: f32,
    },
    /// An agent left a point of its patrol too early.
    #[error("tick {tick}: agent {} left after {stayed} s, but was to stay {dwell} s", agent.0)]
    LeftEarly {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// How long it stayed, in seconds.
        stayed: f32,
        /// How long it was to stay, in seconds.
        dwell: f32,
    },
    /// A body that had come to its goal went on past it.
    #[error("tick {tick}: agent {} moved {moved} m after it had arrived", agent.0)]
    Overshot {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// How far it moved, in metres.
        moved: f32,
    },
}

/// An agent as the audit saw it last.
#[derive(Clone, Debug)]
struct Known<W: Environment> {
    record: AgentRecord<W::State>,
    /// Where and when it arrived, if it has not set out since.
    arrival: Option<Arrival>,
    /// The way out of the obstacle that it was built into.
    way_out: Option<WayOut<W>>,
}

/// An arrival, and whether it was at a point of a patrol.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    place: Vec3,
    tick: u64,
    is_on_patrol: bool,
}

/// The way of a body out of the obstacle that it was built into: a straight line over ground that
/// was free before.
#[derive(Clone, Debug)]
struct WayOut<W> {
    from: Vec3,
    exit: Vec3,
    /// The world before the body was built in; `None`, where the audit began later.
    world: Option<Arc<W>>,
}

/// Watches a simulation tick by tick, and says when something happens that must not.
///
/// Shares no code with what moves the agents: it looks at places before and after, and asks the
/// world's
/// [`MoveRules`] and [lines of sight](LineOfSight). Call it after every tick.
///
/// It checks that
/// * no wall is crossed, swept from tick to tick, and nobody is displaced but from ground that was
///   replaced; a body that was built in may go straight to an
///   exit over ground that was free before that tick;
/// * no two bodies that avoid each other come nearer than 0.99 of the sum of their radii while both
///   [may leave their rails](super::AgentView::is_loose), seen from above, or in space if both fly
///   or swim; those that were nearer may stay so, and pursuers may meet whom they are after;
/// * where bodies [keep to their rails](super::AvoidanceManner::AlongRails), no two that go the
///   same way along a move come nearer than that, unless the one ahead [stands where its way
///   ends](super::AgentView::is_parked) or is [passed](super::AgentView::past);
/// * no body reaches into a wall where the proof of its way says that there is room for it;
/// * speed, acceleration and turning keep to the limits;
/// * links hold no more agents than they have room for;
/// * dwell times are kept;
/// * no goal is passed by more than the stopping distance, unless by an agent that avoids others:
///   these may push it on.
///
/// It keeps a copy of the world as it was before the last edit.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentSpec, Audit, Simulation, SimulationSettings};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let at = |x| grid.centre(grid.cell(x, 0).unwrap());
/// let (start, goal) = (at(0), at(7));
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, start))?;
/// simulation.order(ann, wayfare::agent::Order::GoTo(goal));
/// let mut audit = Audit::new();
/// for _ in 0..100 {
///     simulation.tick();
///     audit.check(&simulation)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Audit<W: Environment> {
    known: SortedMap<AgentId, Known<W>>,
    /// The world after the tick before.
    world: Option<Arc<W>>,
    ticks: u64,
}

/// What rounding may add to a length, in metres.
const SLACK: f32 = 2e-3;

/// The part of the sum of two radii that no two bodies which avoid each other come nearer than.
const APART: f32 = 0.99;

/// Bodies whose heights differ by less than this, in metres, are surely on one floor.
const ONE_FLOOR: f32 = 1.0;

impl<W: Environment + Clone> Default for Audit<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: Environment + Clone> Audit<W> {
    /// An audit that has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { known: SortedMap::new(), world: None, ticks: 0 }
    }

    /// How many ticks it has seen.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Looks at the simulation after a tick.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&mut self, simulation: &Simulation<W>) -> Result<(), AuditFault> {
        self.check_record(&TickRecord::of(simulation), simulation.world())
    }

    /// Looks at a recorded tick and the world after it.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check_record(
        &mut self,
        now: &TickRecord<W::State>,
        world: &W,
    ) -> Result<(), AuditFault> {
        let tick = now.tick;
        self.ticks += 1;
        for link in &now.links {
            let inside = now.agents.iter().filter(|agent| agent.inside == Some(link.id)).count();
            let room = link.capacity.map_or(usize::MAX, |room| usize::from(room.get()));
            if inside > room || inside != link.inside.len() {
                return Err(AuditFault::OverCapacity { tick, link: link.id, inside, room });
            }
        }
        let find = |id: AgentId| now.agents.iter().find(|agent| agent.id == id);
        for event in &now.events {
            match *event {
                Event::Arrived(agent) => {
                    if let (Some(known), Some(record)) = (self.known.get_mut(&agent), find(agent)) {
                        let is_on_patrol = is_patrolling(record.activity);
                        known.arrival = Some(Arrival { place: record.at, tick, is_on_patrol });
                    }
                }
                Event::Departed(agent) => {
                    if let Some(record) = find(agent) {
                        self.check_departure(record, now)?;
                    }
                }
                Event::Removed(agent) => {
                    self.known.remove(&agent);
                }
                Event::Displaced(agent) => {
                    if let (Some(known), Some(record)) = (self.known.remove(&agent), find(agent)) {
                        check_displaced(&known.record, record, now, world)?;
                    }
                }
                _ => {}
            }
        }
        self.check_distances(now, world)?;
        self.check_followers(now, world)?;
        for record in &now.agents {
            self.check_agent(record, now, world)?;
        }
        if self.world.as_ref().is_none_or(|known| known.revision() != world.revision()) {
            self.world = Some(Arc::new(world.clone()));
        }
        Ok(())
    }

    /// Bodies that avoid each other, and were apart before the tick, are apart after it.
    fn check_distances(&self, now: &TickRecord<W::State>, world: &W) -> Result<(), AuditFault> {
        let loose = now.agents.iter().filter(|record| record.is_loose);
        let mut pairs: Vec<_> = loose
            .filter_map(|record| {
                let before = &self.known.get(&record.id)?.record;
                before.is_loose.then_some((before, record))
            })
            .collect();
        pairs.sort_by(|a, b| a.1.at.x.total_cmp(&b.1.at.x));
        let widest = pairs.iter().map(|pair| pair.1.limits.radius).fold(0.0, f32::max);
        let flat = |a: Vec3, b: Vec3| a.with_y(0.0).distance(b.with_y(0.0));
        let floats = |record: &AgentRecord<_>| world.is_afloat(record.profile, record.at);
        let storey = |record: &AgentRecord<_>| ONE_FLOOR.min(world.body_height(record.profile));
        for (place, &(before, first)) in pairs.iter().enumerate() {
            let reach = first.at.x + first.limits.radius + widest;
            let near = pairs[place + 1..].iter().take_while(|other| other.1.at.x <= reach);
            for &(other_before, second) in near {
                let least = APART * (first.limits.radius + second.limits.radius);
                if flat(first.at, second.at) >= least {
                    continue; // in space they are no nearer
                }
                let float = floats(first);
                if [second, before, other_before].iter().any(|record| floats(record) != float) {
                    continue; // walkers do not stop for those who fly or swim
                }
                let apart = |a: Vec3, b: Vec3| if float { a.distance(b) } else { flat(a, b) };
                let distance = apart(first.at, second.at);
                let is_one_floor =
                    float || (first.at.y - second.at.y).abs() < storey(first).min(storey(second));
                let were_apart = apart(before.at, other_before.at) >= least;
                let is_after = |one: &AgentRecord<_>, other| quarry(one.activity) == Some(other);
                let meet = [(before, second.id), (first, second.id)]
                    .into_iter()
                    .chain([(other_before, first.id), (second, first.id)])
                    .any(|(one, other)| is_after(one, other));
                let minds = first.avoidance.minds(&second.avoidance) && !meet;
                if distance < least && is_one_floor && were_apart && minds {
                    let (tick, first, second) = (now.tick, first.id, second.id);
                    return Err(AuditFault::Overlap { tick, first, second, distance, least });
                }
            }
        }
        Ok(())
    }

    /// Where bodies keep to their rails, and avoid each other along these: who steps aside crosses
    /// no wall, and does not go faster for it; one that comes up to another on the same move, in
    /// the same direction, does not touch it. It may pass through one that stands where its way
    /// ends.
    fn check_followers(&self, now: &TickRecord<W::State>, world: &W) -> Result<(), AuditFault> {
        if W::AVOIDING != AvoidanceManner::AlongRails {
            return Ok(());
        }
        for record in &now.agents {
            let Some(before) = self.known.get(&record.id).map(|known| &known.record) else {
                continue;
            };
            // Along one move: round a corner of it the line between two ticks may cut the corner.
            let is_on_move = matches!(record.stretch, Stretch::Move { .. });
            let is_aside = record.aside != Vec3::ZERO || before.aside != Vec3::ZERO;
            if is_aside && is_on_move && record.stretch == before.stretch {
                let [from, to] = [before, record].map(|record| record.at + record.aside);
                if !world.space(record.profile).segment_is_clear(from, to) {
                    return Err(AuditFault::CrossedWall {
                        tick: now.tick,
                        agent: record.id,
                        from,
                        to,
                        before: before.stretch.numbered(),
                        after: record.stretch.numbered(),
                    });
                }
                let (seconds, limits) = (now.tick_seconds, &record.limits);
                let value = from.distance(to) / seconds;
                let slowed = before.speed - 0.9 * limits.acceleration * seconds;
                let most = limits.max_speed.max(slowed) * 1.01 + SLACK / seconds;
                if value > most {
                    let (tick, agent, quantity) = (now.tick, record.id, Quantity::Speed);
                    return Err(AuditFault::TooMuch { tick, agent, quantity, value, most });
                }
            }
        }
        let on_move = |record: &AgentRecord<W::State>| match record.stretch {
            Stretch::Move { from, to } => Some((from, to)),
            _ => None,
        };
        let keeps = |record: &AgentRecord<_>| {
            record.avoidance.quality != AvoidanceQuality::Off && record.inside.is_none()
        };
        let mut moves: Vec<_> = now
            .agents
            .iter()
            .filter_map(|record| {
                let before = &self.known.get(&record.id)?.record;
                let is_kept = keeps(record) && keeps(before);
                is_kept.then_some((on_move(record)?, before, record))
            })
            .collect();
        let gone = |record: &AgentRecord<_>| record.begin.distance(record.at);
        moves.sort_by(|a, b| a.0.cmp(&b.0).then(gone(a.2).total_cmp(&gone(b.2))));
        for (place, &(on, before, first)) in moves.iter().enumerate() {
            let on_same = moves[place + 1..].iter().take_while(|other| other.0 == on);
            for &(_, other_before, second) in on_same {
                let least = APART * (first.limits.radius + second.limits.radius);
                let distance = first.at.distance(second.at);
                let were_apart = before.at.distance(other_before.at) >= least;
                let is_after = |one: &AgentRecord<_>, other| quarry(one.activity) == Some(other);
                let is_let = [(before, other_before), (first, second)].iter().any(|&(one, two)| {
                    let stands = two.is_parked || one.past == Some(two.id);
                    stands || is_after(one, two.id) || is_after(two, one.id)
                });
                let minds = first.avoidance.minds(&second.avoidance) && !is_let;
                if distance < least && were_apart && minds {
                    let (tick, first, second) = (now.tick, first.id, second.id);
                    return Err(AuditFault::Overlap { tick, first, second, distance, least });
                }
            }
        }
        Ok(())
    }

    /// An agent whose only pursuit is a patrol stays at its points.
    fn check_departure(
        &mut self,
        record: &AgentRecord<W::State>,
        now: &TickRecord<W::State>,
    ) -> Result<(), AuditFault> {
        let (tick, agent) = (now.tick, record.id);
        let Some(known) = self.known.get_mut(&agent) else { return Ok(()) };
        let goes_on_patrol = is_patrolling(record.activity);
        let arrival = known.arrival.take();
        let Some(arrival) = arrival.filter(|arrival| arrival.is_on_patrol && goes_on_patrol) else {
            return Ok(());
        };
        let stayed = (tick - arrival.tick) as f32 * now.tick_seconds;
        match record.dwell {
            Some(dwell) if stayed + SLACK < dwell => {
                Err(AuditFault::LeftEarly { tick, agent, stayed, dwell })
            }
            _ => Ok(()),
        }
    }

    fn check_agent(
        &mut self,
        record: &AgentRecord<W::State>,
        now: &TickRecord<W::State>,
        world: &W,
    ) -> Result<(), AuditFault> {
        let (tick, agent, at, limits) = (now.tick, record.id, record.at, &record.limits);
        let mut known = Known { record: *record, arrival: None, way_out: None };
        let is_driven_out = record.stretch == Stretch::Escape;
        let Some(last) = self.known.get(&agent) else {
            let unseen = WayOut { from: at, exit: record.ahead[0], world: None };
            known.way_out = is_driven_out.then_some(unseen);
            self.known.insert(agent, known);
            return Ok(());
        };
        let before = &last.record;
        let most = |quantity, value: f32, most: f32| {
            let fault = AuditFault::TooMuch { tick, agent, quantity, value, most };
            if value <= most { Ok(()) } else { Err(fault) }
        };
        if is_driven_out {
            let exit = record.ahead[0];
            let same = last.way_out.clone().filter(|way| way.exit == exit);
            let world = self.world.clone();
            known.way_out = Some(same.unwrap_or(WayOut { from: before.at, exit, world }));
        }
        let seconds = now.tick_seconds;
        if record.inside.is_none() && before.inside.is_none() {
            let moved = leg_length::<W::Space<'_>>(before.at, at);
            // Whoever was faster than it may be now slows down as fast as it can.
            let slowed = before.speed - 0.9 * limits.acceleration * seconds;
            let fastest = limits.max_speed.max(slowed);
            most(Quantity::Speed, moved / seconds, fastest * 1.01 + SLACK / seconds)?;
            let change = (record.speed - before.speed) / seconds;
            most(Quantity::Acceleration, change, limits.acceleration * 1.02 + 0.02)?;
            // A body without auto-braking stands still at once at its goal, and so does a halted
            // one.
            if limits.auto_braking && !record.was_halted {
                most(Quantity::Braking, -change, limits.acceleration * 1.1 + 0.05)?;
            }
            let turn = (record.heading - before.heading).abs();
            let turn = turn.min((std::f32::consts::TAU - turn).abs());
            most(Quantity::TurnRate, turn / seconds, limits.angular_speed * 1.01 + 0.01)?;
            let hops = Hops {
                world,
                profile: record.profile,
                reach: fastest * seconds * 1.01 + SLACK,
                is_edited: now.events.iter().any(|event| matches!(event, Event::Edited(_))),
                way_out: known.way_out.as_ref().or(last.way_out.as_ref()),
            };
            if !hops.is_legal(before, record) {
                return Err(AuditFault::CrossedWall {
                    tick,
                    agent,
                    from: before.at,
                    to: at,
                    before: before.stretch.numbered(),
                    after: record.stretch.numbered(),
                });
            }
            // Who has to leave its place is not at its goal any more.
            let is_driven = matches!(record.stretch, Stretch::Escape | Stretch::Back { .. });
            known.arrival = last.arrival.filter(|_| !is_driven);
        }
        if reaches_into_wall(record, world) {
            let room = record.room;
            return Err(AuditFault::ReachedIntoWall { tick, agent, at, room });
        }
        // Who wants to be somewhere else may finish the move under way.
        let is_held_in_place = record.avoidance.quality == AvoidanceQuality::Off;
        let arrival = known.arrival.filter(|_| record.has_arrived && is_held_in_place);
        if let Some(arrival) = arrival {
            let moved = leg_length::<W::Space<'_>>(arrival.place, at);
            if tick > arrival.tick && moved > limits.stopping_distance + SLACK {
                return Err(AuditFault::Overshot { tick, agent, moved });
            }
        }
        self.known.insert(agent, known);
        Ok(())
    }
}

/// A body that was put elsewhere stands on free ground, and had to go: in this tick the ground
/// where it was has been taken. Within a link, the ends of that count.
///
/// Of several edits in one tick only what they leave is seen here: one may have taken the ground,
/// and another have given it back.
fn check_displaced<W: Environment>(
    before: &AgentRecord<W::State>,
    record: &AgentRecord<W::State>,
    now: &TickRecord<W::State>,
    world: &W,
) -> Result<(), AuditFault> {
    let stands = |point| world.state_at(record.profile, point).is_some();
    let edits = now.events.iter().filter(|event| matches!(event, Event::Edited(_))).count();
    let had_to = before.inside.is_some() || !stands(before.at);
    // It may have set out again within the tick.
    let is_on_a_move = match record.stretch {
        Stretch::Move { from, to } => world.space(record.profile).check_move(from, to).is_ok(),
        _ => false,
    };
    if edits > 1 || edits == 1 && had_to && (stands(record.at) || is_on_a_move) {
        return Ok(());
    }
    Err(AuditFault::CrossedWall {
        tick: now.tick,
        agent: record.id,
        from: before.at,
        to: record.at,
        before: before.stretch.numbered(),
        after: record.stretch.numbered(),
    })
}

/// The number of points of the outline of a body that are looked at.
const OUTLINE: u32 = 16;

/// The number of such outlines of a body that flies or swims, besides its highest and lowest point.
const OUTLINES: i32 = 3;

/// Whether the outline of a body reaches into a wall, as far as its way has room by its proof.
fn reaches_into_wall<W: Environment>(record: &AgentRecord<W::State>, world: &W) -> bool {
    let radius = record.room.min(record.limits.radius) - 2e-3 * world.grain() - SLACK;
    if radius <= 0.0 || record.inside.is_some() {
        return false;
    }
    let is_wall = |point: Vec3| match record.avoidance.quality {
        AvoidanceQuality::Off => world.is_wall(record.profile, point),
        _ => world.is_wall_to_bodies(record.profile, point),
    };
    let outline = |height: f32, radius: f32| {
        (0..OUTLINE).any(|point| {
            let ops::SinCos { sin, cos } =
                ops::sin_cos(std::f32::consts::TAU * point as f32 / OUTLINE as f32);
            is_wall(record.at + Vec3::new(cos * radius, height, sin * radius))
        })
    };
    if !world.is_afloat(record.profile, record.at) {
        return outline(0.0, radius);
    }
    let poles = [radius, -radius];
    poles.into_iter().any(|height| is_wall(record.at + Vec3::Y * height))
        || (-OUTLINES / 2..=OUTLINES / 2).any(|level| {
            let height = radius * level as f32 / 2.0;
            outline(height, (radius * radius - height * height).sqrt())
        })
}

/// What a body may do from one tick to the next.
struct Hops<'w, W: Environment> {
    world: &'w W,
    profile: ProfileId,
    /// How far a body gets in a tick.
    reach: f32,
    /// Whether the world changed in this tick.
    is_edited: bool,
    /// The way out that the body is on, or was on in the tick before.
    way_out: Option<&'w WayOut<W>>,
}

impl<W: Environment> Hops<'_, W> {
    fn is_legal(&self, before: &AgentRecord<W::State>, now: &AgentRecord<W::State>) -> bool {
        let space = self.world.space(self.profile);
        if before.at == now.at
            || self.sweeps(before.at, now.at)
            || self.rounds_a_corner(before, now)
        {
            return true;
        }
        let place = |state| space.position(state);
        match before.stretch {
            _ if now.stretch == Stretch::Escape => self.is_on_way_out(now.at),
            // On along the same move, or the way it came; or past its end to what comes after.
            Stretch::Move { from, to } => match now.stretch {
                Stretch::Move { from: a, to: b } if (a, b) == (from, to) => {
                    self.may_finish(from, to) && is_between(place(from), place(to), now.at)
                }
                Stretch::Back { to: back } if back == from => {
                    is_between(place(from), before.at, now.at)
                }
                _ => {
                    now.at.distance(place(from)) < SLACK
                        || before.at.distance(place(from)) < SLACK && self.goes_on(before.at, now)
                        || self.may_finish(from, to) && self.goes_on(place(to), now)
                        // Back in the very tick in which the move became impossible.
                        || self.is_edited && space.check(from).is_ok() && self.goes_on(place(from), now)
                }
            },
            Stretch::Back { to } => match now.stretch {
                Stretch::Back { to: back } if back == to => {
                    is_between(place(to), before.at, now.at)
                }
                _ => self.goes_on(place(to), now),
            },
            // Out of the obstacle, and on.
            Stretch::Escape => {
                self.is_on_way_out(now.at)
                    || self.way_out.is_some_and(|way| {
                        self.is_on_way_out(way.exit) && self.goes_on(way.exit, now)
                    })
            }
            Stretch::Standing | Stretch::Clear | Stretch::Link(_) => self.goes_on(before.at, now),
        }
    }

    /// Whether a body may finish a move under way: a legal one, or one whose beginning was blocked
    /// behind it.
    fn may_finish(&self, from: W::State, to: W::State) -> bool {
        let space = self.world.space(self.profile);
        space.check_move(from, to).is_ok() || space.check(from).is_err() && space.check(to).is_ok()
    }

    /// Whether a point lies on the way out, and that leads over ground that was free before the
    /// body was built in.
    fn is_on_way_out(&self, at: Vec3) -> bool {
        self.way_out.is_some_and(|way| {
            let was_free =
                |world: &Arc<W>| sweeps(world.as_ref(), self.profile, way.from, way.exit);
            is_between(way.from, way.exit, at) && way.world.as_ref().is_none_or(was_free)
        })
    }

    /// Whether a body that is at a point may be where it is now without having passed the end of
    /// more than one move.
    fn goes_on(&self, point: Vec3, now: &AgentRecord<W::State>) -> bool {
        let space = self.world.space(self.profile);
        if point.distance(now.at) < SLACK || self.sweeps(point, now.at) {
            return true;
        }
        match now.stretch {
            Stretch::Move { from, to } => {
                let (a, b) = (space.position(from), space.position(to));
                let reaches =
                    point.distance(a) < SLACK || is_between(a, b, point) || self.sweeps(point, a);
                reaches && space.check_move(from, to).is_ok() && is_between(a, b, now.at)
            }
            _ => false,
        }
    }

    /// Whether the sweep is clear along the points that lay ahead of the body, and round the one
    /// where its stretch begins.
    fn rounds_a_corner(&self, before: &AgentRecord<W::State>, now: &AgentRecord<W::State>) -> bool {
        // A path that is new in this tick may turn behind the last of those points.
        let arrives = |here: Vec3, gone: f32| {
            let is_clear = |points: &[Vec3]| {
                let pairs = || points.windows(2).map(|pair| (pair[0], pair[1]));
                gone + pairs().map(|(a, b)| leg_length::<W::Space<'_>>(a, b)).sum::<f32>()
                    <= self.reach
                    && pairs().all(|(a, b)| self.sweeps(a, b))
            };
            is_clear(&[here, now.at]) || is_clear(&[here, now.begin, now.at])
        };
        let (mut here, mut gone) = (before.at, 0.0);
        for &corner in &before.ahead {
            if arrives(here, gone) {
                return true;
            }
            gone += leg_length::<W::Space<'_>>(here, corner);
            if gone > self.reach || !self.sweeps(here, corner) {
                return false;
            }
            here = corner;
        }
        arrives(here, gone)
    }

    fn sweeps(&self, from: Vec3, to: Vec3) -> bool {
        sweeps(self.world, self.profile, from, to)
    }
}

/// Whether a straight sweep is clear; a hair's breadth to the side counts as the same place.
pub(super) fn sweeps<W: Environment>(world: &W, profile: ProfileId, from: Vec3, to: Vec3) -> bool {
    // Lines lead over ground of different costs too.
    let space = world.space_for_bodies(profile);
    let hair = 2e-3 * world.grain();
    let asides = [0.0, -hair, hair];
    asides.iter().any(|&x| {
        asides.iter().any(|&z| {
            let aside = Vec3::new(x, 0.0, z);
            space.segment_is_clear(from + aside, to + aside)
        })
    })
}

fn is_patrolling(activity: Activity) -> bool {
    matches!(activity, Activity::Patrolling { .. } | Activity::Returning(_))
}

/// Whether a point lies on the segment between two others.
fn is_between(a: Vec3, b: Vec3, point: Vec3) -> bool {
    let length = a.distance(b);
    a.distance(point) + point.distance(b) - length < SLACK.max(length * 1e-3)
}
