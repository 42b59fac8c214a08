//! The simulation itself, as its caller sees it.

use std::collections::BTreeMap;

use wayfare_core::link::{Keys, LinkId, LinkedSpace, NavLinks};
use wayfare_core::search::NamedAlgorithm;
use wayfare_core::space::{LineOfSight, ProfileId, Space};

use super::clock::Clock;
use super::ground::Ground;
use super::ground::link_end;
use super::puzzles::Puzzles;
use super::roster::Class;
use super::roster::Roster;
use super::service::Service;
use super::settings::SettingsFault;
use super::traffic::Traffic;
use super::{
    AgentSpec, AgentView, Command, Engines, Environment, GroundSpeedFault, GroundSpeeds, LinkView,
    SimulationSettings, SpecError, TickEvents, TooManyClasses,
};
use crate::agent::{AgentId, Order};
use crate::plan::{ClassId, Planner};

/// A world with agents in it that go where they are told, tick by tick.
///
/// Each tick carries out the due commands, plans within its budget of expansions, lets agents
/// decide, and moves them. A body keeps to its rail, which consists of clear segments and single
/// moves of the space. So it never crosses a wall, whatever the budget; after an edit, the rail
/// ahead is checked before the next step.
///
/// Agents with [avoidance](AgentSpec::avoidance) leave their rails to pass others, by moves with a
/// proof of their own, and come back, or follow each other along them, as the [world
/// allows](super::AvoidanceManner). The others pass through one another. Links with a capacity are
/// entered one by one.
///
/// ```
/// use wayfare::agent::{Activity, Behaviour, PatrolOrder, TeamId, Who};
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentSpec, Event, Simulation, SimulationSettings};
///
/// let grid = Grid::from_rows(&["...........", ".####.####.", "..........."])?;
/// let at = |x, y| grid.centre(grid.cell(x, y).unwrap());
/// let points = vec![at(0, 0), at(10, 0), at(10, 2)];
/// let patrol = Behaviour::Patrol { points, order: PatrolOrder::Loop, dwell: 1.0, start: 1 };
/// let target = Who::Team(TeamId(1));
/// let chase = Behaviour::Pursue { target, aggro: 4.0, give_up: 6.0, predict: 0.5, speed: None };
/// let (post, lair) = (at(0, 0), at(5, 2));
///
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let guard = AgentSpec::new("guard", class, post).behaviour(chase).behaviour(patrol);
/// let guard = simulation.add_agent(guard)?;
/// simulation.add_agent(AgentSpec::new("thief", class, lair).team(TeamId(1)))?;
/// let mut decisions = Vec::new();
/// for _ in 0..400 {
///     for event in &simulation.tick().events {
///         if let Event::Decided(agent, activity) = event {
///             decisions.push((*agent, *activity));
///         }
///     }
/// }
/// assert_eq!(decisions[0], (guard, Activity::Patrolling { point: 2, of: 3 }));
/// assert!(decisions.iter().any(|decision| matches!(decision.1, Activity::Chasing(_))));
/// assert_eq!(simulation.agent(guard).unwrap().text(), "caught thief");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation<W: Environment> {
    pub(super) clock: Clock,
    pub(super) roster: Roster<W::State>,
    pub(super) ground: Ground<W>,
    pub(super) traffic: Traffic,
    pub(super) service: Service<W>,
    pub(super) puzzles: Puzzles,
    pub(super) schedule: BTreeMap<u64, Vec<Command<W::Edit>>>,
    pub(super) events: TickEvents,
}

impl<W: Environment> Simulation<W> {
    /// Returns a simulation without agents. The links must have been checked against this world.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub fn new(
        world: W,
        links: NavLinks<W::State>,
        settings: SimulationSettings,
    ) -> Result<Self, SettingsFault> {
        settings.check()?;
        let mut links = links;
        if W::RENUMBERS {
            // A point on an edge belongs to several states: to the one that it has after edits.
            links.find_ends(link_end(&world));
        }
        Ok(Self {
            roster: Roster::new(),
            traffic: Traffic::new(links.len()),
            ground: Ground::new(world, links),
            service: Service::new(settings.planner, W::engines()),
            puzzles: Puzzles::default(),
            clock: Clock { settings, now: 0 },
            schedule: BTreeMap::new(),
            events: TickEvents::default(),
        })
    }

    /// Returns the same simulation with prepared engines, which answer before anything is searched.
    ///
    /// To be called before the first tick, with engines of the world as it is: edits are followed
    /// from then on. `Simulation::restore_with` (feature `serde`) takes engines of the same world.
    #[must_use]
    pub fn with_engines(self, engines: Engines<W>) -> Self {
        let engines = engines.followed_by(W::engines());
        Self { service: Service { engines, ..self.service }, ..self }
    }

    /// Adds a class of agents: a profile of the world, and the keys of its agents.
    ///
    /// # Errors
    /// [`TooManyClasses`] for the 65,537th class, since [`ClassId`] has 16 bits.
    pub fn add_class(&mut self, profile: ProfileId, keys: Keys) -> Result<ClassId, TooManyClasses> {
        self.roster.classes.add(Class { profile, keys })
    }

    /// Sets how fast the agents of a class are on each ground, from the next tick on. They speed up
    /// and slow down within their acceleration once they are on it.
    ///
    /// Only grids and navigation meshes [know their grounds](Environment::ground_at). In links
    /// agents are as fast as the link says.
    ///
    /// # Errors
    /// There is no such class.
    pub fn set_ground_speeds(
        &mut self,
        class: ClassId,
        speeds: GroundSpeeds,
    ) -> Result<(), GroundSpeedFault> {
        self.roster.set_ground_speeds(class, speeds)
    }

    /// Adds an agent. It exists from the next tick on.
    ///
    /// # Errors
    /// If the agent is invalid, or its starting point is blocked.
    pub fn add_agent(&mut self, spec: AgentSpec) -> Result<AgentId, SpecError> {
        let id = self.roster.add(spec, &self.ground.world, &self.clock)?;
        self.traffic.crowd.serve(&self.roster.agents[id.0 as usize].behaviours);
        self.watch_bodies();
        Ok(id)
    }

    /// Schedules a command for the beginning of a tick; a past tick counts as the next one.
    /// Commands of one tick run in the order in which they were scheduled.
    pub fn schedule(&mut self, at_tick: u64, command: Command<W::Edit>) {
        self.schedule.entry(at_tick.max(self.clock.now)).or_default().push(command);
    }

    /// Gives an order, obeyed from the next tick on.
    pub fn order(&mut self, agent: AgentId, order: Order) {
        self.schedule(self.clock.now, Command::Order { agent, order });
    }

    /// Returns the count of completed ticks.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.clock.now
    }

    /// Returns the simulated time, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.clock.seconds()
    }

    /// Returns the events of the last tick.
    #[must_use]
    pub fn events(&self) -> &TickEvents {
        &self.events
    }

    /// Returns how it runs.
    #[must_use]
    pub fn settings(&self) -> &SimulationSettings {
        &self.clock.settings
    }

    /// Sets the [units of work](wayfare_core::navigate::work) that planning may take a tick, from
    /// the next one on.
    pub fn set_work_per_tick(&mut self, units: u64) {
        self.clock.settings.work_per_tick = units;
    }

    /// Returns the world as it is now.
    #[must_use]
    pub fn world(&self) -> &W {
        &self.ground.world
    }

    /// Returns the links as they are now.
    #[must_use]
    pub fn links(&self) -> &NavLinks<W::State> {
        &self.ground.links
    }

    /// Returns the planner, for its statistics.
    #[must_use]
    pub fn planner(&self) -> &Planner<W::State, W::Cost, NamedAlgorithm> {
        &self.service.planner
    }

    /// Returns the world and its links as a class sees them; `None` for an unknown class.
    #[must_use]
    pub fn space(&self, class: ClassId) -> Option<LinkedSpace<'_, W::Space<'_>>> {
        self.roster.classes.get(class).map(|class| self.ground.space_of(class))
    }

    /// Returns the profile of a class; `None` for an unknown class.
    #[must_use]
    pub fn profile(&self, class: ClassId) -> Option<ProfileId> {
        self.roster.classes.get(class).map(|class| class.profile)
    }

    /// Returns every present agent, by id.
    pub fn agents(&self) -> impl Iterator<Item = AgentView<'_, W>> + '_ {
        (0..self.roster.agents.len() as u32).filter_map(|number| self.agent(AgentId(number)))
    }

    /// Returns an agent, if it is there.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<AgentView<'_, W>> {
        self.roster.present(id).map(|agent| AgentView { simulation: self, id, agent })
    }

    /// Returns the present agent of that name with the lowest id.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<AgentId> {
        self.agents().find(|agent| agent.name() == name).map(|agent| agent.id())
    }

    /// Returns a link with its users.
    #[must_use]
    pub fn link(&self, id: LinkId) -> Option<LinkView<'_, W::State>> {
        let (link, usage) =
            (self.ground.links.get(id)?, self.traffic.links_in_use.get(id.0 as usize)?);
        Some(LinkView { id, link, usage })
    }

    /// Returns every link with its users, by id.
    pub fn link_views(&self) -> impl Iterator<Item = LinkView<'_, W::State>> + '_ {
        (0..self.traffic.links_in_use.len() as u32).filter_map(|number| self.link(LinkId(number)))
    }
}
