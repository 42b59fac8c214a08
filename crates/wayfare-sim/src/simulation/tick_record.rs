//! Recorded ticks: the state of a simulation as an audit sees it.

use std::num::NonZeroU16;

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::space::ProfileId;

use super::{Avoidance, Environment, Event, Simulation, Stretch};
use crate::agent::{Activity, AgentId, AgentLimits, Behaviour};

/// The count of recorded points ahead: a body passes no more in a tick.
pub(super) const AHEAD: usize = 24;

/// The state of a simulation after a tick, as plain data: the input of an [`Audit`](super::Audit).
///
/// A record outlives its simulation, so that ticks can be kept, sent or changed, and audited later.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentRecord, Audit, AuditFault, LinkRecord, Quantity, TickRecord};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let at = |x| grid.centre(grid.cell(x, 0).unwrap());
/// let (start, goal) = (at(0), at(7));
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, start))?;
/// simulation.order(ann, Order::GoTo(goal));
/// let mut ticks: Vec<TickRecord<Cell>> = Vec::new();
/// for _ in 0..20 {
///     simulation.tick();
///     ticks.push(TickRecord::of(&simulation));
/// }
/// let links: &[LinkRecord] = &ticks[0].links;
/// assert!(links.is_empty());
///
/// // Somebody has tampered with a record.
/// let cheat: &mut AgentRecord<Cell> = &mut ticks[15].agents[0];
/// cheat.speed += 5.0;
/// let mut audit = Audit::new();
/// let faults = ticks.iter().filter_map(|tick| audit.check_record(tick, simulation.world()).err());
/// let first = faults.take(1).next();
/// assert!(matches!(first, Some(AuditFault::TooMuch { quantity: Quantity::Acceleration, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct TickRecord<State> {
    /// The tick.
    pub tick: u64,
    /// The length of a tick, in seconds.
    pub tick_seconds: f32,
    /// The events of the tick, in order.
    pub events: Vec<Event>,
    /// The present agents, by id.
    pub agents: Vec<AgentRecord<State>>,
    /// The links, by id.
    pub links: Vec<LinkRecord>,
}

/// An agent after a tick.
///
/// Example: [`TickRecord`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentRecord<State> {
    /// Its id.
    pub id: AgentId,
    /// The profile of its class.
    pub profile: ProfileId,
    /// The limits of its body, at its present pace.
    pub limits: AgentLimits,
    /// Its position on its rail; in a jump or a fall the body is above it.
    pub at: Vec3,
    /// How far it has [stepped aside](super::AgentView::aside).
    pub aside: Vec3,
    /// Its speed along its rail, in metres a second.
    pub speed: f32,
    /// Its heading, in radians from the x axis towards the z axis.
    pub heading: f32,
    /// The link that it is in.
    pub inside: Option<LinkId>,
    /// The part of its rail that it is on.
    pub stretch: Stretch<State>,
    /// The radius of the disc that reaches into no wall on that part, by its proof, in world units;
    /// 0 where there was no room for the body.
    pub room: f32,
    /// The point where that part begins.
    pub begin: Vec3,
    /// The next points of its rail, the one where it has to wait among them; the last one is
    /// repeated if there are fewer.
    pub ahead: [Vec3; AHEAD],
    /// Its activity.
    pub activity: Activity,
    /// Whether it has arrived where it wants to be.
    pub has_arrived: bool,
    /// Whether it had to stand still at once in this tick.
    pub was_halted: bool,
    /// How it avoids others.
    pub avoidance: Avoidance,
    /// Whether it [may leave its rail](super::AgentView::is_loose).
    pub is_loose: bool,
    /// Whether it [stands at the end of its path](super::AgentView::is_parked).
    pub is_parked: bool,
    /// The agent that it [passes through](super::AgentView::past) to end a jam.
    pub past: Option<AgentId>,
    /// The time that it stays at each point, in seconds, if a patrol is all that it has to do.
    pub dwell: Option<f32>,
}

/// A link after a tick.
///
/// Example: [`TickRecord`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkRecord {
    /// Its id.
    pub id: LinkId,
    /// The capacity in agents; `None`: unlimited.
    pub capacity: Option<NonZeroU16>,
    /// The agents in it, in the order in which they entered.
    pub inside: Vec<AgentId>,
}

impl<State: wayfare_core::space::StateId> TickRecord<State> {
    /// Records the tick that a simulation has done last.
    #[must_use]
    pub fn of<W: Environment<State = State>>(simulation: &Simulation<W>) -> Self {
        let agents = simulation.agents().map(|view| {
            let at = view.place();
            let mut ahead = [at; AHEAD];
            for (place, point) in view.points_ahead().take(AHEAD).enumerate() {
                ahead[place..].fill(point);
            }
            let dwell = match (view.behaviours(), view.orders().len()) {
                ([Behaviour::Patrol { dwell, .. }], 0) => Some(*dwell),
                _ => None,
            };
            AgentRecord {
                id: view.id(),
                profile: simulation.profile(view.class()).unwrap_or_default(),
                limits: AgentLimits { max_speed: view.pace(), ..*view.limits() },
                at,
                aside: view.aside(),
                speed: view.agent.own_speed(),
                heading: view.heading(),
                inside: view.inside(),
                stretch: view.stretch(),
                room: view.room(),
                begin: view.stretch_begin(),
                ahead,
                activity: view.activity(),
                has_arrived: view.has_arrived(),
                was_halted: view.was_halted(),
                avoidance: view.avoidance(),
                is_loose: view.is_loose(),
                is_parked: view.is_parked(),
                past: view.past(),
                dwell,
            }
        });
        let links = simulation.link_views().map(|view| LinkRecord {
            id: view.id(),
            capacity: view.link().capacity,
            inside: view.inside().to_vec(),
        });
        Self {
            tick: simulation.events().tick,
            tick_seconds: simulation.settings().tick_seconds,
            events: simulation.events().events.clone(),
            agents: agents.collect(),
            links: links.collect(),
        }
    }
}
