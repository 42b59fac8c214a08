//! Agents and links as pictures, games and validators see them.

use std::fmt;

use glam::Vec3;
use wayfare_core::link::{Gate, LinkId, NavLink};
use wayfare_core::ops;
use wayfare_core::space::{Space, StateId};

use super::ground::Ground;
use super::movement::is_loose;
use super::roster::{Agent, Errand, Way};
use super::traffic::LinkUse;
use super::{Avoidance, Environment, LinkWait, Simulation, Trouble};
use crate::agent::{Activity, AgentId, AgentLimits, Behaviour, GroupId, Hold, TeamId};
use crate::plan::ClassId;

/// The part of its rail that a body is on.
///
/// Example: [`AgentView`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stretch<State> {
    /// It stands, and has nothing ahead.
    Standing,
    /// On a clear segment.
    Clear,
    /// On a single move of the space.
    Move {
        /// Where the move begins.
        from: State,
        /// Where it ends.
        to: State,
    },
    /// Back to the start of a move that became impossible.
    Back {
        /// Where the move began.
        to: State,
    },
    /// In a link, or at its entrance.
    Link(LinkId),
    /// On its way out of an obstacle that it was built into.
    Escape,
}

impl<State: StateId> Stretch<State> {
    /// Returns the same with the indices of the states.
    pub(super) fn numbered(self) -> Stretch<u32> {
        match self {
            Self::Standing => Stretch::Standing,
            Self::Clear => Stretch::Clear,
            Self::Move { from, to } => Stretch::Move { from: from.index(), to: to.index() },
            Self::Back { to } => Stretch::Back { to: to.index() },
            Self::Link(link) => Stretch::Link(link),
            Self::Escape => Stretch::Escape,
        }
    }
}

impl fmt::Display for Stretch<u32> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standing => f.write_str("standing"),
            Self::Clear => f.write_str("on a clear segment"),
            Self::Move { from, to } => write!(f, "on the move from state {from} to {to}"),
            Self::Back { to } => write!(f, "on the way back to state {to}"),
            Self::Link(link) => write!(f, "in link {}", link.0),
            Self::Escape => f.write_str("on the way out of an obstacle"),
        }
    }
}

/// An agent as it is now.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentSpec, Simulation, SimulationSettings, Stretch};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let at = |x| grid.centre(grid.cell(x, 0).unwrap());
/// let (start, goal) = (at(0), at(7));
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, start))?;
/// simulation.order(ann, wayfare::agent::Order::GoTo(goal));
/// (0..20).for_each(|_| {
///     simulation.tick();
/// });
/// let view = simulation.agent(ann).unwrap();
/// assert_eq!((view.name(), view.text().as_str()), ("Ann", "going as ordered"));
/// assert!(view.speed() > 0.0 && view.distance_left() > 0.0);
/// assert_eq!(view.stretch(), Stretch::Clear); // a straight line over free ground
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AgentView<'s, W: Environment> {
    pub(super) simulation: &'s Simulation<W>,
    pub(super) id: AgentId,
    pub(super) agent: &'s Agent<W::State>,
}

impl<W: Environment> Clone for AgentView<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Environment> Copy for AgentView<'_, W> {}

impl<'s, W: Environment> AgentView<'s, W> {
    /// Returns its id.
    #[must_use]
    pub fn id(&self) -> AgentId {
        self.id
    }

    /// Returns its name; empty if it has none.
    #[must_use]
    pub fn name(&self) -> &'s str {
        &self.agent.name
    }

    /// Returns its [user data](super::AgentSpec::user_data).
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.agent.user_data
    }

    /// Returns its team.
    #[must_use]
    pub fn team(&self) -> TeamId {
        self.agent.team
    }

    /// Returns its class.
    #[must_use]
    pub fn class(&self) -> ClassId {
        self.agent.class
    }

    /// Returns how its body moves.
    #[must_use]
    pub fn limits(&self) -> &'s AgentLimits {
        &self.agent.limits
    }

    /// Returns how it avoids others.
    #[must_use]
    pub fn avoidance(&self) -> Avoidance {
        self.agent.avoidance()
    }

    /// Returns whether it may leave its rail at present to pass others: its avoidance is on, and it
    /// stands or is on a clear segment with room for it. In links, single moves and narrow passages
    /// it keeps to its rail, as all do without avoidance.
    #[must_use]
    pub fn is_loose(&self) -> bool {
        let Simulation { ground, roster, .. } = self.simulation;
        is_loose(&ground.world, &roster.classes, self.agent)
    }

    /// Returns whether its body stands at the end of its path for now, or in line for it. Where
    /// agents [keep to their rails](super::AvoidanceManner::AlongRails), agents that go on pass
    /// through it.
    #[must_use]
    pub fn is_parked(&self) -> bool {
        self.agent.is_parked()
    }

    /// Returns the agent that it passes through to end a jam, where agents [keep to their
    /// rails](super::AvoidanceManner::AlongRails).
    #[must_use]
    pub fn past(&self) -> Option<AgentId> {
        self.agent.evasion.as_ref().and_then(|evasion| evasion.past)
    }

    /// Returns its largest speed at present, in metres a second: that of its limits, or of the
    /// pursuit or flight that it is on.
    #[must_use]
    pub fn pace(&self) -> f32 {
        self.agent.gait().max_speed
    }

    /// Returns the part of that speed that it has on the ground where it is, above 0 and at most 1:
    /// see [`GroundSpeeds`](super::GroundSpeeds).
    #[must_use]
    pub fn ground_factor(&self) -> f32 {
        let Simulation { roster, ground, .. } = self.simulation;
        roster.ground_factor(self.id.0 as usize, &ground.world)
    }

    /// Returns the group that it is in.
    #[must_use]
    pub fn group(&self) -> Option<GroupId> {
        self.agent.group
    }

    /// Returns its behaviours.
    #[must_use]
    pub fn behaviours(&self) -> &'s [Behaviour] {
        &self.agent.behaviours
    }

    /// Returns where it is. In a jump or a fall it is on an [arc](crate::agent::Rail::lift) above
    /// its rail.
    #[must_use]
    pub fn position(&self) -> Vec3 {
        let lift = if self.agent.is_inside() {
            0.0
        } else {
            self.agent.rail.lift(&self.agent.body, self.simulation.ground.world.grain())
        };
        self.place() + self.aside() + Vec3::new(0.0, lift, 0.0)
    }

    /// Returns how far it has stepped aside of its rail, where agents [keep to
    /// theirs](super::AvoidanceManner::AlongRails) and the ground beside is known to be free.
    #[must_use]
    pub fn aside(&self) -> Vec3 {
        let evasion = self.agent.evasion.as_ref().filter(|_| !self.agent.is_inside());
        evasion.map_or(Vec3::ZERO, |evasion| evasion.aside)
    }

    /// Returns where it is on its rail.
    pub(super) fn place(&self) -> Vec3 {
        self.agent.body.at()
    }

    /// Returns where it looks, in radians from the x axis towards the z axis, −π to π.
    #[must_use]
    pub fn heading(&self) -> f32 {
        self.agent.body.heading()
    }

    /// Returns where it looks, as a direction of length 1.
    #[must_use]
    pub fn facing(&self) -> Vec3 {
        let ops::SinCos { sin, cos } = ops::sin_cos(self.heading());
        Vec3::new(cos, 0.0, sin)
    }

    /// Returns its velocity in metres a second; inside a link, the velocity at which the link
    /// carries it.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.carried().unwrap_or_else(|| self.agent.velocity())
    }

    /// Returns its speed in metres a second; inside a link, the speed at which the link carries it.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.carried().map_or(self.agent.body.speed(), Vec3::length)
    }

    /// Returns the velocity at which a link carries it: nothing in a teleport, and while its exit
    /// is blocked. `None` outside links.
    fn carried(&self) -> Option<Vec3> {
        let Way::Inside { link, since, until } = self.agent.way else { return None };
        let Simulation { clock, ground, .. } = self.simulation;
        if ground.is_teleport(link) || clock.now > until {
            return Some(Vec3::ZERO);
        }
        let (rail, leg) = (&self.agent.rail, self.agent.body.leg());
        let seconds = (until - since).max(1) as f32 * clock.tick();
        let to = rail.legs().get(leg).map_or(rail.start_of(leg), |leg| leg.to);
        Some((to - rail.start_of(leg)) / seconds)
    }

    /// Returns its speed as a share of its largest at present, 0 to 1: for a blend of animations.
    #[must_use]
    pub fn normalised_speed(&self) -> f32 {
        (self.speed() / self.pace()).clamp(0.0, 1.0)
    }

    /// Returns how fast it turns, in radians a second; positive from the x axis towards the z axis.
    #[must_use]
    pub fn turn_rate(&self) -> f32 {
        self.agent.body.turn_rate()
    }

    /// Returns the activity that it has decided on.
    #[must_use]
    pub fn activity(&self) -> Activity {
        self.agent.activity
    }

    /// Returns its activity and its trouble, in a few words: "patrol 2/4", "chasing intruder",
    /// "waiting in line: the link carries 4 and is full".
    #[must_use]
    pub fn text(&self) -> String {
        match self.agent.way {
            Way::Waiting(_) => {
                return match self.link_wait() {
                    Some(wait @ (LinkWait::Closed | LinkWait::Locked)) => {
                        format!("waiting at the gate, which {wait}")
                    }
                    Some(wait @ (LinkWait::Full { .. } | LinkWait::NoExit)) => {
                        format!("waiting in line: the link {wait}")
                    }
                    Some(LinkWait::Away) => "waiting for the ride".to_owned(),
                    Some(LinkWait::Free) | None => "waiting in line".to_owned(),
                };
            }
            Way::Inside { .. } | Way::Free | Way::Stuck | Way::Gone => {}
        }
        if let Some(trouble) = self.agent.trouble {
            return trouble.to_string();
        }
        let name = |who: AgentId| {
            let agents = &self.simulation.roster.agents;
            match agents.get(who.0 as usize).map_or("", |agent| agent.name.as_str()) {
                "" => format!("agent {}", who.0),
                name => name.to_owned(),
            }
        };
        match self.agent.activity {
            Activity::Idle => "idle".to_owned(),
            Activity::Ordered { left: 1 } => "going as ordered".to_owned(),
            Activity::Ordered { left } => format!("going as ordered, {left} orders"),
            Activity::Travelling => "on its way".to_owned(),
            Activity::Patrolling { point, of } => format!("patrol {point}/{of}"),
            Activity::Dwelling { .. } => "on watch".to_owned(),
            Activity::Chasing(who) => format!("chasing {}", name(who)),
            Activity::Caught(who) => format!("caught {}", name(who)),
            Activity::Returning(who) => format!("lost {}, returning", name(who)),
            Activity::Fleeing(who) => format!("fleeing from {}", name(who)),
            Activity::Wandering => "wandering".to_owned(),
            Activity::Resting => "resting".to_owned(),
            Activity::Following(who) => format!("following {}", name(who)),
            Activity::Staying(who) => format!("with {}", name(who)),
            Activity::InFormation(who) => format!("in formation with {}", name(who)),
        }
    }

    /// Returns the reason why it does not carry out its intent; `None` while it does.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        self.agent.trouble
    }

    /// Returns where it wants to be, if it is not there.
    #[must_use]
    pub fn destination(&self) -> Option<Vec3> {
        let errand = &self.agent.errand;
        errand.aim().filter(|_| errand.is_open()).map(|aim| aim.to)
    }

    /// Returns where it last wanted to be, whether or not there is a path to it.
    #[must_use]
    pub fn aim(&self) -> Option<Vec3> {
        self.agent.errand.aim().map(|aim| aim.to)
    }

    /// Returns the orders it has not carried out, the present one first.
    pub fn orders(&self) -> impl ExactSizeIterator<Item = Vec3> + 's {
        self.agent.mind.orders()
    }

    /// Returns the points of its rail ahead, its own position first.
    pub fn way_ahead(&self) -> impl Iterator<Item = Vec3> + 's {
        self.agent.rail.ahead(&self.agent.body)
    }

    /// Returns how far it has to go yet on its present rail, in metres.
    #[must_use]
    pub fn distance_left(&self) -> f32 {
        (self.agent.rail.length() - self.agent.body.along()).max(0.0)
    }

    /// Returns the link in whose queue it waits.
    #[must_use]
    pub fn waiting(&self) -> Option<LinkId> {
        if let Way::Waiting(link) = self.agent.way { Some(link) } else { None }
    }

    /// Returns the reason for its wait in the queue of a link; `None` if it waits at none.
    #[must_use]
    pub fn link_wait(&self) -> Option<LinkWait> {
        let Simulation { ground, traffic, roster, puzzles, clock, .. } = self.simulation;
        let (Ground { world, links, .. }, classes) = (ground, &roster.classes);
        let id = self.waiting()?;
        let (link, class) = (links.get(id)?, classes.of(self.agent.class));
        let inside = traffic.links_in_use.of(id)?.inside.len();
        let exit = match self.agent.rail.legs().get(self.agent.body.leg())?.hold {
            Hold::Link { to, .. } => to,
            _ => link.to,
        };
        let has_no_exit = || world.space(class.profile).check(exit).is_err() || links.is_lost(id);
        Some(match (link.gate, link.capacity) {
            (Gate::Closed, _) => LinkWait::Closed,
            (Gate::Locked, _) if !link.admits(class.keys) => LinkWait::Locked,
            (_, Some(capacity)) if inside >= usize::from(capacity.get()) => {
                LinkWait::Full { capacity }
            }
            _ if has_no_exit() => LinkWait::NoExit,
            _ if !puzzles.departs(id, clock) => LinkWait::Away,
            _ => LinkWait::Free,
        })
    }

    /// Returns the link that it is inside of.
    #[must_use]
    pub fn inside(&self) -> Option<LinkId> {
        if let Way::Inside { link, .. } = self.agent.way { Some(link) } else { None }
    }

    /// Returns whether it stands where it wanted to be.
    #[must_use]
    pub fn has_arrived(&self) -> bool {
        matches!(self.agent.errand, Errand::Reached { .. })
    }

    /// Returns whether it had to stop at once in this tick, as its path was closed.
    #[must_use]
    pub fn was_halted(&self) -> bool {
        self.agent.was_halted
    }

    /// Returns the proved room of its part of the rail, in world units: the radius of a disc that
    /// reaches into no wall there. 0 where there was no room for the body.
    #[must_use]
    pub fn room(&self) -> f32 {
        match self.agent.way {
            // The rail of a body that is built in proves nothing.
            Way::Stuck => 0.0,
            _ => self.agent.rail.legs().get(self.agent.body.leg()).map_or(0.0, |leg| leg.room),
        }
    }

    /// Returns the point where the part of its rail begins that it is on.
    pub(super) fn stretch_begin(&self) -> Vec3 {
        self.agent.rail.start_of(self.agent.body.leg())
    }

    /// Returns the points of its rail ahead, and the one where it has to wait: another path may
    /// begin there.
    pub(super) fn points_ahead(&self) -> impl Iterator<Item = Vec3> + 's {
        self.agent.rail.points_ahead(&self.agent.body)
    }

    /// Returns the part of its rail that it is on.
    #[must_use]
    pub fn stretch(&self) -> Stretch<W::State> {
        let agent = self.agent;
        match agent.rail.legs().get(agent.body.leg()).map(|leg| leg.hold) {
            None => Stretch::Standing,
            Some(Hold::Clear) => Stretch::Clear,
            Some(Hold::Move { from, to }) => Stretch::Move { from, to },
            Some(Hold::Back { to }) => Stretch::Back { to },
            Some(Hold::Link { link, .. }) => Stretch::Link(LinkId(link)),
            Some(Hold::Escape) => Stretch::Escape,
        }
    }
}

/// A link with its users.
///
/// ```
/// use wayfare::link::{Crossing, Keys, NavLink, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Simulation, SimulationSettings};
///
/// let grid = Grid::from_rows(&["..#.."])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let mut links = NavLinks::new(2.0);
/// links.add(&grid.space(), NavLink::new(at(1), at(3), Crossing::Seconds(1.5)))?;
/// let simulation = Simulation::new(grid, links, SimulationSettings::default())?;
/// let views: Vec<_> = simulation.link_views().collect();
/// assert_eq!((views.len(), views[0].inside().len(), views[0].waiting().len()), (1, 0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LinkView<'s, State> {
    pub(super) id: LinkId,
    pub(super) link: &'s NavLink<State>,
    pub(super) usage: &'s LinkUse,
}

impl<'s, State> LinkView<'s, State> {
    /// Returns its id.
    #[must_use]
    pub fn id(&self) -> LinkId {
        self.id
    }

    /// Returns the link.
    #[must_use]
    pub fn link(&self) -> &'s NavLink<State> {
        self.link
    }

    /// Returns the agents inside, in the order in which they entered.
    #[must_use]
    pub fn inside(&self) -> &'s [AgentId] {
        &self.usage.inside
    }

    /// Returns the agents that wait at either end, the first one first.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = AgentId> + 's {
        self.usage.queue.iter().copied()
    }
}
