//! An independent validator of running simulations.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{AgentView, Environment, Event, Simulation, Stretch};
use crate::agent::{Activity, AgentId, Behaviour};
use crate::link::LinkId;
use crate::space::{LineOfSight, MoveRules, ProfileId, Space, StateId};

/// What is wrong with what a simulation did.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditFault {
    /// A body went where nothing allows it to.
    #[error("tick {tick}: agent {} crossed a wall between {from} and {to}, {how}", agent.0)]
    CrossedWall {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// Where it was.
        from: Vec3,
        /// Where it is.
        to: Vec3,
        /// On what it was, and is.
        how: String,
    },
    /// A body changed its speed, its place or its heading faster than it can.
    #[error("tick {tick}: agent {}'s {what} is {value}, but at most {most} is possible", agent.0)]
    TooMuch {
        /// The tick.
        tick: u64,
        /// The agent.
        agent: AgentId,
        /// What.
        what: &'static str,
        /// What it is.
        value: f32,
        /// What it may be.
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

/// What the audit remembers of an agent.
#[derive(Clone, Copy, Debug)]
struct Record<State> {
    at: Vec3,
    speed: f32,
    heading: f32,
    was_inside: bool,
    stretch: Stretch<State>,
    /// The next points of its way.
    ahead: [Vec3; AHEAD],
    /// Where and when it arrived, if it has not set out since.
    arrival: Option<Arrival>,
}

/// So many points of a way ahead are remembered: more are not passed in a tick.
const AHEAD: usize = 6;

/// An arrival, and whether it was at a point of a patrol.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    place: Vec3,
    tick: u64,
    is_on_patrol: bool,
}

/// Watches a simulation tick by tick, and says when something happens that must not.
///
/// Shares no code with what moves the agents: it looks at places before and after, and asks the world's
/// [`MoveRules`] and [lines of sight](LineOfSight). Call it after every tick.
///
/// Checked are: no wall is crossed (swept from tick to tick), speed, acceleration and turning keep to the limits, links hold no
/// more agents than they have room for, dwell times are kept, no goal is passed by more than the stopping distance.
#[derive(Clone, Debug)]
pub struct Audit<State> {
    records: BTreeMap<AgentId, Record<State>>,
    ticks: u64,
}

/// What rounding may add to a length, in metres.
const SLACK: f32 = 2e-3;

impl<State: StateId> Default for Audit<State> {
    fn default() -> Self {
        Self::new()
    }
}

impl<State: StateId> Audit<State> {
    /// An audit that has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { records: BTreeMap::new(), ticks: 0 }
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
    pub fn check<W: Environment<State = State>>(
        &mut self,
        simulation: &Simulation<W>,
    ) -> Result<(), AuditFault> {
        let tick = simulation.events().tick;
        self.ticks += 1;
        for view in simulation.link_views() {
            let inside =
                simulation.agents().filter(|agent| agent.inside() == Some(view.id())).count();
            let room = view.link().capacity.map_or(usize::MAX, |room| usize::from(room.get()));
            if inside > room || inside != view.inside().len() {
                return Err(AuditFault::OverCapacity { tick, link: view.id(), inside, room });
            }
        }
        for event in &simulation.events().events {
            match event {
                Event::Arrived(agent) => {
                    if let (Some(record), Some(view)) =
                        (self.records.get_mut(agent), simulation.agent(*agent))
                    {
                        let is_on_patrol = is_patrolling(view.activity());
                        record.arrival =
                            Some(Arrival { place: view.position(), tick, is_on_patrol });
                    }
                }
                Event::Departed(agent) => {
                    if let Some(view) = simulation.agent(*agent) {
                        self.check_departure(&view, simulation, tick)?;
                    }
                }
                Event::Removed(agent) => {
                    self.records.remove(agent);
                }
                _ => {}
            }
        }
        for view in simulation.agents() {
            self.check_agent(&view, simulation, tick)?;
        }
        Ok(())
    }

    /// An agent whose only pursuit is a patrol stays at its points.
    fn check_departure<W: Environment<State = State>>(
        &mut self,
        view: &AgentView<'_, W>,
        simulation: &Simulation<W>,
        tick: u64,
    ) -> Result<(), AuditFault> {
        let Some(record) = self.records.get_mut(&view.id()) else { return Ok(()) };
        let goes_on_patrol = is_patrolling(view.activity());
        let Some(arrival) =
            record.arrival.take().filter(|arrival| arrival.is_on_patrol && goes_on_patrol)
        else {
            return Ok(());
        };
        if let ([Behaviour::Patrol { dwell, .. }], 0) = (view.behaviours(), view.orders().len()) {
            let stayed = (tick - arrival.tick) as f32 * simulation.settings().tick_seconds;
            if stayed + SLACK < *dwell {
                return Err(AuditFault::LeftEarly {
                    tick,
                    agent: view.id(),
                    stayed,
                    dwell: *dwell,
                });
            }
        }
        Ok(())
    }

    fn check_agent<W: Environment<State = State>>(
        &mut self,
        view: &AgentView<'_, W>,
        simulation: &Simulation<W>,
        tick: u64,
    ) -> Result<(), AuditFault> {
        let (agent, at) = (view.id(), view.position());
        let limits = view.limits();
        let is_inside = view.inside().is_some();
        let mut ahead = [at; AHEAD];
        for (place, point) in view.way_ahead().skip(1).take(AHEAD).enumerate() {
            ahead[place..].fill(point);
        }
        let mut record = Record {
            at,
            ahead,
            speed: view.speed(),
            heading: view.heading(),
            was_inside: is_inside,
            stretch: view.stretch(),
            arrival: None,
        };
        let Some(before) = self.records.get(&agent).copied() else {
            self.records.insert(agent, record);
            return Ok(());
        };
        let most = |what, value: f32, most: f32| {
            let fault = AuditFault::TooMuch { tick, agent, what, value, most };
            if value <= most { Ok(()) } else { Err(fault) }
        };
        let seconds = simulation.settings().tick_seconds;
        if !is_inside && !before.was_inside {
            let moved = before.at.distance(at);
            most("speed", moved / seconds, limits.max_speed * 1.01 + SLACK / seconds)?;
            let change = (view.speed() - before.speed) / seconds;
            most("acceleration", change, limits.acceleration * 1.02 + 0.02)?;
            // What brakes for nothing stands still at once at its goal, and so does who must.
            if limits.auto_braking && !view.was_halted() {
                most("braking", -change, limits.acceleration * 1.1 + 0.05)?;
            }
            let turn = (view.heading() - before.heading).abs();
            let turn = turn.min((std::f32::consts::TAU - turn).abs());
            most("turn rate", turn / seconds, limits.angular_speed * 1.01 + 0.01)?;
            let hops = Hops {
                world: simulation.world(),
                profile: simulation.profile(view.class()),
                reach: limits.max_speed * seconds * 1.01 + SLACK,
                is_edited: simulation
                    .events()
                    .events
                    .iter()
                    .any(|what| matches!(what, Event::Edited(_))),
            };
            if !hops.is_legal(&before, &record) {
                let how = format!("{:?}, then {:?}", before.stretch, record.stretch);
                return Err(AuditFault::CrossedWall { tick, agent, from: before.at, to: at, how });
            }
            // Who has to leave its place is not at its goal any more.
            let is_driven = matches!(record.stretch, Stretch::Escape | Stretch::Back { .. });
            record.arrival = before.arrival.filter(|_| !is_driven);
        }
        // Who wants to be somewhere else may finish the move under way.
        if let Some(arrival) = record.arrival.filter(|_| view.has_arrived()) {
            let moved = arrival.place.distance(at);
            if tick > arrival.tick && moved > limits.stopping_distance + SLACK {
                return Err(AuditFault::Overshot { tick, agent, moved });
            }
        }
        self.records.insert(agent, record);
        Ok(())
    }
}

/// What a body may do from one tick to the next.
struct Hops<'w, W: Environment> {
    world: &'w W,
    profile: ProfileId,
    /// How far a body gets in a tick.
    reach: f32,
    /// Whether the world changed in this tick.
    is_edited: bool,
}

impl<W: Environment> Hops<'_, W> {
    fn is_legal(&self, before: &Record<W::State>, now: &Record<W::State>) -> bool {
        let space = self.world.space(self.profile);
        if before.at == now.at
            || self.sweeps(before.at, now.at)
            || self.rounds_a_corner(before, now.at)
        {
            return true;
        }
        let place = |state| space.position(state);
        match before.stretch {
            // On along the same move, or the way it came; or past its end to what comes after.
            Stretch::Move { from, to } => match now.stretch {
                Stretch::Move { from: a, to: b } if (a, b) == (from, to) => {
                    let is_allowed = space.check_move(from, to).is_ok() || space.check(to).is_ok();
                    is_allowed && is_between(place(from), place(to), now.at)
                }
                Stretch::Back { to: back } if back == from => {
                    is_between(place(from), before.at, now.at)
                }
                Stretch::Escape => self.is_edited,
                _ => {
                    now.at.distance(place(from)) < SLACK
                        || before.at.distance(place(from)) < SLACK && self.goes_on(before.at, now)
                        || space.check(to).is_ok() && self.goes_on(place(to), now)
                        // Back in the very tick in which the move became impossible.
                        || self.is_edited && space.check(from).is_ok() && self.goes_on(place(from), now)
                }
            },
            Stretch::Back { to } => match now.stretch {
                Stretch::Back { to: back } if back == to => {
                    is_between(place(to), before.at, now.at)
                }
                Stretch::Escape => self.is_edited,
                _ => self.goes_on(place(to), now),
            },
            // A body that was built in may leave any way it can.
            Stretch::Escape => true,
            _ if now.stretch == Stretch::Escape && self.is_edited => true,
            Stretch::Standing | Stretch::Clear | Stretch::Link(_) => {
                self.world.state_at(self.profile, before.at).is_none()
                    || self.goes_on(before.at, now)
            }
        }
    }

    /// Whether a body that is at a point may be where it is now without having passed the end of more than one move.
    fn goes_on(&self, point: Vec3, now: &Record<W::State>) -> bool {
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

    /// Whether the sweep is clear along the points that lay ahead of the body.
    fn rounds_a_corner(&self, before: &Record<W::State>, at: Vec3) -> bool {
        let (mut here, mut gone) = (before.at, 0.0);
        for &corner in &before.ahead {
            gone += here.distance(corner);
            if gone > self.reach || !self.sweeps(here, corner) {
                return false;
            }
            if gone + corner.distance(at) <= self.reach && self.sweeps(corner, at) {
                return true;
            }
            here = corner;
        }
        false
    }

    /// Whether a straight sweep is clear; a hair's breadth to the side counts as the same place.
    fn sweeps(&self, from: Vec3, to: Vec3) -> bool {
        let space = self.world.space(self.profile);
        let hair = 2e-3 * self.world.grain();
        let asides = [0.0, -hair, hair];
        asides.iter().any(|&x| {
            asides.iter().any(|&z| {
                let aside = Vec3::new(x, 0.0, z);
                space.segment_is_clear(from + aside, to + aside)
            })
        })
    }
}

fn is_patrolling(activity: Activity) -> bool {
    matches!(activity, Activity::Patrolling { .. } | Activity::Returning(_))
}

/// Whether a point lies on the segment between two others.
fn is_between(a: Vec3, b: Vec3, point: Vec3) -> bool {
    let length = a.distance(b);
    a.distance(point) + point.distance(b) - length < SLACK.max(length * 1e-3)
}
