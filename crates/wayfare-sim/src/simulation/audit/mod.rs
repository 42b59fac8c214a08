//! An independent validator of running simulations.

mod apart;
mod fault;
mod hops;
mod overlaps;
mod walls;

use std::sync::Arc;

use glam::Vec3;
use wayfare_core::space::MoveRules;
use wayfare_crowd::AvoidanceQuality;

use super::audit::hops::{Hops, WayOut};
use super::audit::overlaps::Overlaps;
use super::audit::walls::reaches_into_wall;
use super::sorted_map::SortedMap;
use super::{AgentRecord, Environment, Event, Simulation, Stretch, TickRecord};
use crate::agent::{Activity, AgentId, leg_length};

pub use fault::{AuditFault, Quantity};
pub use overlaps::Overlap;
#[cfg(feature = "serde")]
pub(super) use walls::sweeps;

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

/// Watches a simulation tick by tick, and says when something happens that must not.
///
/// Shares no code with the movement of agents: it compares positions before and after, and asks the
/// world's [`MoveRules`] and [lines of sight](wayfare_core::space::LineOfSight). Call it after
/// every tick.
///
/// It checks that
/// * no wall is crossed, swept from tick to tick, and no body is displaced except from ground that
///   was replaced; a body that was built in may go straight to an exit over ground that was free
///   before that tick;
/// * no two bodies that avoid each other come nearer than 0.99 of the sum of their radii while both
///   [may leave their rails](super::AgentView::is_loose): seen from above, or in space if both fly
///   or swim. Pursuers may meet their quarry; bodies that were nearer already are no fault, and
///   [`overlaps`](Self::overlaps) tells for how long they are;
/// * where bodies [keep to their rails](super::AvoidanceManner::AlongRails), no two in the same
///   direction along a move come nearer than that, unless the one ahead [stands at the end of its
///   path](super::AgentView::is_parked) or is [passed](crate::simulation::AgentView::past);
/// * no body reaches into a wall where the proof of its rail gives it room;
/// * speed, acceleration and turning keep to the limits;
/// * no link has more agents than its capacity;
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
    overlaps: Overlaps,
}

/// The most that rounding may add to a length, in metres.
const SLACK: f32 = 2e-3;

impl<W: Environment + Clone> Default for Audit<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W: Environment + Clone> Audit<W> {
    /// Returns an audit that has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { known: SortedMap::default(), world: None, ticks: 0, overlaps: Overlaps::default() }
    }

    /// Returns how many ticks it has seen.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// Returns the longest time that bodies were in each other, for each pair of agents that avoid
    /// each other and [may leave their rails](super::AgentView::is_loose): such bodies were put
    /// into one place, or came out of links into each other.
    ///
    /// ```
    /// use wayfare::crowd::AvoidanceQuality;
    /// use wayfare::link::{Keys, NavLinks};
    /// use wayfare::prelude::*;
    /// use wayfare::simulation::{AgentSpec, Audit, Avoidance, Overlap, Simulation};
    ///
    /// let grid = Grid::from_rows(&["........", "........"])?;
    /// let middle = grid.centre(grid.cell(4, 0).unwrap());
    /// let settings = SimulationSettings::default();
    /// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings)?;
    /// let class = simulation.add_class(Default::default(), Keys::NONE)?;
    /// let avoidance = Avoidance { quality: AvoidanceQuality::High, ..Avoidance::default() };
    /// for name in ["Ann", "Bob"] {
    ///     simulation.add_agent(AgentSpec::new(name, class, middle).avoidance(avoidance))?;
    /// }
    /// let mut audit = Audit::new();
    /// for _ in 0..100 {
    ///     simulation.tick();
    ///     audit.check(&simulation)?;
    /// }
    /// let overlap: Overlap = audit.overlaps().next().unwrap();
    /// assert!(overlap.ticks() < 40 && overlap.depth > 0.2); // they have parted
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlaps(&self) -> impl ExactSizeIterator<Item = Overlap> + '_ {
        self.overlaps.longest()
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
                Event::Removed(agent) | Event::Warped(agent) => {
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
        self.check_asides(now, world)?;
        self.check_followers(now)?;
        for record in &now.agents {
            self.check_agent(record, now, world)?;
        }
        if self.world.as_ref().is_none_or(|known| known.revision() != world.revision()) {
            self.world = Some(Arc::new(world.clone()));
        }
        Ok(())
    }

    /// Fails if an agent whose only pursuit is a patrol leaves its points.
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
            // A body above its present largest speed slows down as fast as it can.
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
                return Err(AuditFault::crossed_wall(tick, [(before, before.at), (record, at)]));
            }
            // A body that must leave its position is no longer at its goal.
            let is_driven = matches!(record.stretch, Stretch::Escape | Stretch::Back { .. });
            known.arrival = last.arrival.filter(|_| !is_driven);
        }
        if reaches_into_wall(record, world) {
            let room = record.room;
            return Err(AuditFault::ReachedIntoWall { tick, agent, at, room });
        }
        // An agent with another goal may finish the move under way.
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

/// Fails unless a displaced body stands on free ground and had to leave: in this tick its ground
/// was taken. Within a link, the ground at its ends counts.
///
/// Sees only the result of several edits in one tick: one may have taken the ground, and another
/// have restored it.
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
    Err(AuditFault::crossed_wall(now.tick, [(before, before.at), (record, record.at)]))
}

fn is_patrolling(activity: Activity) -> bool {
    matches!(activity, Activity::Patrolling { .. } | Activity::Returning(_))
}
