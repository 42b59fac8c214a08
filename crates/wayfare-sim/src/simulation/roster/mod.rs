//! The roster: the agents, their classes and groups.

mod agent;
mod classes;
mod errand;
pub(super) mod evasion;
pub(super) mod ground_speeds;
pub(super) mod groups;

pub(super) use agent::{Agent, Way};
pub(super) use classes::{Class, Classes};
pub(super) use errand::{Aim, Asked, Cover, Errand};

use wayfare_core::link::LinkId;
use wayfare_core::space::{LineOfSight, Obstruction, ProfileId, Space, StateId};

use self::evasion::Evasion;
use self::ground_speeds::GroundSpeeds;
use self::groups::Group;
use super::clock::Clock;
use super::{AgentSpec, CommandFault, Environment, SpecError};
use crate::agent::{Activity, AgentId, Body, Hold, Mind, Order, Rail};

/// The agents of a simulation, their classes and groups.
#[derive(Clone, Debug)]
pub(super) struct Roster<State> {
    pub(super) classes: Classes,
    /// By class; empty where no ground slows anybody.
    pub(super) ground_speeds: Vec<GroundSpeeds>,
    pub(super) agents: Vec<Agent<State>>,
    /// By id; disbanded ones have no members.
    pub(super) groups: Vec<Group>,
}

impl<State: StateId> Roster<State> {
    /// Returns a roster without agents.
    pub(super) fn new() -> Self {
        Self {
            classes: Classes::default(),
            ground_speeds: Vec::new(),
            agents: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// Adds an agent.
    pub(super) fn add<W: Environment<State = State>>(
        &mut self,
        spec: AgentSpec,
        world: &W,
        clock: &Clock,
    ) -> Result<AgentId, SpecError> {
        spec.check()?;
        spec.avoidance.check(&spec.limits, W::AVOIDING)?;
        let class = self.classes.get(spec.class).ok_or(SpecError::NoSuchClass(spec.class.0))?;
        let number = u32::try_from(self.agents.len()).map_err(|_| SpecError::TooMany)?;
        let space = world.space(class.profile);
        spec.algorithm.map_or(Ok(()), |algorithm| algorithm.check(space.state_bound()))?;
        let off_map = SpecError::Place { reason: Obstruction::OffMap };
        let state = world.state_meant(class.profile, spec.at).ok_or(off_map)?;
        space.check(state).map_err(|reason| SpecError::Place { reason })?;
        // A body may begin beside the middle of its state, where nothing is in between.
        let (place, middle) = (spec.at, space.position(state));
        let exact = world.foothold(class.profile, state, place);
        let exact = exact.filter(|_| W::CUTS_ACROSS && space.segment_is_clear(place, middle));
        let at = exact.unwrap_or(middle);
        let asleep = if spec.phase > 0.0 { clock.ticks(spec.phase) } else { 0 };
        let id = AgentId(number);
        self.agents.push(Agent {
            mind: Mind::new(&spec.behaviours, at, clock.settings.seed, id),
            name: spec.name,
            user_data: spec.user_data,
            team: spec.team,
            class: spec.class,
            limits: spec.limits,
            pace: None,
            march: None,
            group: None,
            algorithm: spec.algorithm,
            has_new_behaviours: !spec.behaviours.is_empty(),
            behaviours: spec.behaviours,
            body: Body::standing(at, spec.facing),
            rail: Rail::standing(at, state),
            errand: Errand::None,
            is_doubtful: false,
            way: Way::Free,
            activity: Activity::Idle,
            trouble: None,
            failures: 0,
            is_alert: asleep == 0,
            asleep_until: clock.now + asleep,
            was_halted: false,
            evasion: Evasion::of(spec.avoidance),
        });
        Ok(id)
    }

    /// Returns an agent that is present.
    pub(super) fn present(&self, id: AgentId) -> Option<&Agent<State>> {
        self.agents.get(id.0 as usize).filter(|agent| agent.is_present())
    }

    /// Returns an agent that is present.
    pub(super) fn present_mut(&mut self, id: AgentId) -> Option<&mut Agent<State>> {
        self.agents.get_mut(id.0 as usize).filter(|agent| agent.is_present())
    }

    /// Returns the class of an agent.
    pub(super) fn class(&self, number: usize) -> Class {
        self.classes.of(self.agents[number].class)
    }

    /// Returns the profile of an agent.
    pub(super) fn profile(&self, number: usize) -> ProfileId {
        self.class(number).profile
    }

    /// Gives an order to an agent.
    pub(super) fn take_order<W: Environment<State = State>>(
        &mut self,
        id: AgentId,
        order: Order,
        world: &W,
    ) -> Result<(), CommandFault> {
        let agent = self.agents.get_mut(id.0 as usize).filter(|agent| agent.is_present());
        let agent = agent.ok_or(CommandFault::NoSuchAgent(id))?;
        let states = world.space(self.classes.profile(agent.class)).state_bound();
        let fault = order.algorithm().and_then(|algorithm| algorithm.check(states).err());
        if let Some(fault) = fault {
            return Err(SpecError::from(fault).into());
        }
        agent.mind.take(order);
        (agent.is_alert, agent.asleep_until, agent.failures) = (true, 0, 0);
        // The same goal may be wanted by another path.
        agent.is_doubtful |= order.algorithm().is_some();
        Ok(())
    }

    /// Lets agents that are to use a link decide again.
    pub(super) fn doubt_link(&mut self, link: LinkId) {
        for agent in &mut self.agents {
            let past = agent.body.leg() + usize::from(agent.is_inside());
            let mut ahead = agent.rail.legs().iter().skip(past);
            if ahead.any(|leg| matches!(leg.hold, Hold::Link { link: used, .. } if used == link.0))
            {
                (agent.is_doubtful, agent.is_alert) = (true, true);
            }
        }
    }

    /// Lets agents that found no path try again, in turns.
    pub(super) fn try_again(&mut self, clock: &Clock) {
        let turns = clock.turns();
        for (number, agent) in self.agents.iter_mut().enumerate() {
            agent.errand.retry_by(clock.now + number as u64 % turns);
        }
    }

    /// Returns the leader that an agent has in its group.
    pub(super) fn leader_of(&self, number: usize) -> Option<AgentId> {
        let group = self.agents[number].group?;
        let leader = self.groups.get(group.0 as usize)?.leader?;
        (leader.0 as usize != number).then_some(leader)
    }

    /// Sets the largest speed that its group leaves to an agent.
    pub(super) fn set_march(&mut self, number: usize, march: Option<f32>, tick: f32) {
        let agent = &mut self.agents[number];
        if agent.march != march {
            agent.march = march;
            agent.rail.change_limits(&agent.gait(), tick);
        }
    }
}
