//! Changes of agents while they run.

use wayfare_core::space::Space;

use super::Errands;
use crate::agent::{AgentId, Hold, Source, Swath};
use crate::plan::ClassId;
use crate::simulation::ground::Area;
use crate::simulation::roster::evasion::Evasion;
use crate::simulation::roster::{Class, Way};
use crate::simulation::{AgentChange, CommandFault, Environment, Event, SpecError};

impl<W: Environment> Errands<'_, W> {
    /// Changes an agent.
    pub(in crate::simulation) fn change_agent(&mut self, id: AgentId, change: AgentChange) {
        match self.try_change(id, change) {
            Ok(()) => self.events.report(Event::Changed(id)),
            Err(fault) => self.events.report(Event::Failed(fault)),
        }
    }

    fn try_change(&mut self, id: AgentId, change: AgentChange) -> Result<(), CommandFault> {
        let number = id.0 as usize;
        let tick = self.clock.tick();
        let agent = self.roster.agents.get_mut(number).filter(|agent| agent.is_present());
        let agent = agent.ok_or(CommandFault::NoSuchAgent(id))?;
        match change {
            AgentChange::Limits(limits) => {
                limits.check().map_err(SpecError::from)?;
                let avoidance = agent.avoidance();
                avoidance.check(&limits, W::AVOIDING).map_err(SpecError::from)?;
                agent.limits = limits;
                agent.rail.change_limits(&agent.gait(), tick);
            }
            AgentChange::Team(team) => agent.team = team,
            AgentChange::Avoidance(avoidance) => {
                avoidance.check(&agent.limits, W::AVOIDING).map_err(SpecError::from)?;
                agent.evasion = Evasion::of(avoidance);
                self.prove_rooms(number);
            }
            AgentChange::Algorithm(algorithm) => {
                let profile = self.roster.classes.profile(agent.class);
                let states = self.ground.world.space(profile).state_bound();
                algorithm
                    .map_or(Ok(()), |algorithm| algorithm.check(states))
                    .map_err(SpecError::from)?;
                agent.algorithm = algorithm;
            }
            AgentChange::Behaviours(behaviours) => {
                crate::simulation::settings::check_behaviours(&behaviours)?;
                agent.mind.change_behaviours(&behaviours, agent.body.at());
                agent.behaviours = behaviours;
                agent.has_new_behaviours = true;
                let source = agent.errand.aim().map(|aim| aim.source);
                if matches!(source, Some(Source::Behaviour(_))) {
                    self.stay(number);
                    // The present position does not count as reached: no new behaviour asked for
                    // it.
                    let pointless = self.roster.agents[number].errand.end();
                    self.service.withdraw(pointless);
                }
            }
            AgentChange::Class(class) => {
                if self.roster.classes.get(class).is_none() {
                    return Err(SpecError::NoSuchClass(class.0).into());
                }
                self.change_class(number, class)?;
            }
            AgentChange::Keys(keys) => {
                let profile = self.roster.classes.profile(agent.class);
                let class = self.roster.classes.find_or_add(Class { profile, keys });
                let class = class.map_err(CommandFault::TooManyClasses)?;
                self.change_class(number, class)?;
            }
        }
        let agent = &mut self.roster.agents[number];
        (agent.is_alert, agent.failures) = (true, 0);
        agent.errand.retry_by(self.clock.now);
        Ok(())
    }

    /// Makes an agent one of another class, if its body may be where it is.
    ///
    /// The rail ahead was proven for the old class. It is checked again, and ends before the first
    /// leg that fails.
    fn change_class(&mut self, number: usize, class: ClassId) -> Result<(), SpecError> {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(class);
        let space = self.ground.space_around(self.roster.classes.profile(agent.class), agent);
        let at = agent.body.at();
        let leg = agent.rail.legs().get(agent.body.leg()).map(|leg| leg.hold);
        let may_be_there = match (agent.way, leg) {
            (Way::Inside { .. } | Way::Stuck | Way::Gone, _) => true,
            // Between two states the move alone says so.
            (_, Some(Hold::Move { .. } | Hold::Back { .. }))
                if agent.rail.is_under_way(&agent.body) =>
            {
                agent.rail.is_legal(agent.body.leg(), &space)
            }
            _ => self.ground.world.state_at(profile, at).is_some(),
        };
        if !may_be_there {
            let there = self.ground.world.state_meant(profile, at).map(|state| space.check(state));
            let reason = match there {
                Some(Err(reason)) => reason,
                _ => wayfare_core::space::Obstruction::OffMap,
            };
            return Err(SpecError::Place { reason });
        }
        let agent = &mut self.roster.agents[number];
        agent.class = class;
        if let Some(evasion) = &mut agent.evasion {
            evasion.swath = Swath::default();
        }
        // Requests of the old class are of no use.
        if agent.errand.asked().is_some() {
            self.lose_way(number);
        } else {
            agent.is_doubtful = true;
        }
        self.review(number, &Area::everywhere(), &[]);
        Ok(())
    }
}
