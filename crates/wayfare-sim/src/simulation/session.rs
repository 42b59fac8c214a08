//! The simulation itself, as its caller sees it.

use std::collections::BTreeMap;

use wayfare_core::link::{Keys, LinkId, LinkedSpace, NavLinks};
use wayfare_core::search::{AlgorithmId, NamedAlgorithm, Scratch};
use wayfare_core::space::{LineOfSight, ProfileId, Space};

use super::agents::{Agent, Way};
use super::carvings::Carvings;
use super::crowd::Crowd;
use super::errand::Errand;
use super::errands::Flight;
use super::evasion::Evasion;
use super::links_in_use::{LinkUse, link_end};
use super::settings::SettingsFault;
use super::{
    AgentSpec, AgentView, Command, Engines, Environment, GroundSpeeds, LinkView,
    SimulationSettings, SpecError, TickEvents, TooManyClasses,
};
use crate::agent::{Activity, AgentId, Body, Leg, Mind, Order, Rail};
use crate::plan::{ClassId, Planner};

/// A class of agents: a profile of the world and the keys they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Class {
    pub(super) profile: ProfileId,
    pub(super) keys: Keys,
}

/// A change of the world that was made, to be made again when a snapshot is resumed.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Change<Edit> {
    Edit(Edit),
    Carve(super::CarveId, super::Shape),
    Restore(super::CarveId),
}

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
    pub(super) world: W,
    pub(super) links: NavLinks<W::State>,
    pub(super) planner: Planner<W::State, W::Cost, NamedAlgorithm>,
    pub(super) engines: Engines<W>,
    pub(super) settings: SimulationSettings,
    pub(super) classes: Vec<Class>,
    /// By class; empty where no ground slows anybody.
    pub(super) ground_speeds: Vec<GroundSpeeds>,
    pub(super) agents: Vec<Agent<W::State>>,
    /// By id; disbanded ones have no members.
    pub(super) groups: Vec<super::groups::Group>,
    pub(super) links_in_use: Vec<LinkUse>,
    pub(super) carvings: Carvings<W::Place, W::Fill>,
    pub(super) moving_obstacles: super::moving_obstacles::MovingObstacles,
    pub(super) schedule: BTreeMap<u64, Vec<Command<W::Edit>>>,
    pub(super) history: Vec<Change<W::Edit>>,
    /// Puzzles, and the state of each. A restored simulation has no puzzles at first.
    pub(super) puzzles: Vec<super::PuzzleSpec>,
    pub(super) plays: Vec<super::puzzles::Play>,
    pub(super) puzzle_desk: super::puzzles::PuzzleDesk,
    /// The measured jams; empty without jam settings.
    pub(super) jams: super::jams::JamWatch,
    /// The next tick.
    pub(super) now: u64,
    pub(super) events: TickEvents,
    // The rest is memory that is reused and carries nothing from tick to tick.
    pub(super) crowd: Crowd,
    /// The bodies of all agents, once any of them avoids others.
    pub(super) bodies: Option<Box<super::avoid::Bodies>>,
    pub(super) legs: Vec<Leg<W::State>>,
    pub(super) affected: Vec<W::State>,
    /// Points of a follower's line.
    pub(super) march_points: Vec<glam::Vec3>,
    /// The flights of a tick, kept for their memory.
    pub(super) flights: Vec<Flight>,
    pub(super) scratch: Scratch<W::State, W::Cost>,
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
        let links_in_use = links.iter().map(|_| LinkUse::default()).collect();
        Ok(Self {
            world,
            links,
            planner: Planner::new(AlgorithmId::Auto.into(), settings.planner),
            engines: W::engines(),
            settings,
            classes: Vec::new(),
            ground_speeds: Vec::new(),
            agents: Vec::new(),
            groups: Vec::new(),
            links_in_use,
            carvings: Carvings::new(),
            moving_obstacles: Default::default(),
            schedule: BTreeMap::new(),
            history: Vec::new(),
            puzzles: Vec::new(),
            plays: Vec::new(),
            puzzle_desk: Default::default(),
            jams: Default::default(),
            now: 0,
            events: TickEvents::default(),
            crowd: Crowd::default(),
            bodies: None,
            legs: Vec::new(),
            affected: Vec::new(),
            march_points: Vec::new(),
            flights: Vec::new(),
            scratch: Scratch::new(),
        })
    }

    /// Returns the same simulation with prepared engines, which answer before anything is searched.
    ///
    /// To be called before the first tick, with engines of the world as it is: edits are followed
    /// from then on. `Simulation::restore_with` (feature `serde`) takes engines of the same world.
    #[must_use]
    pub fn with_engines(self, engines: Engines<W>) -> Self {
        Self { engines: engines.followed_by(W::engines()), ..self }
    }

    /// Adds a class of agents: a profile of the world, and the keys of its agents.
    ///
    /// # Errors
    /// [`TooManyClasses`] for the 65,537th class, since [`ClassId`] has 16 bits.
    pub fn add_class(&mut self, profile: ProfileId, keys: Keys) -> Result<ClassId, TooManyClasses> {
        let number = u16::try_from(self.classes.len()).map_err(|_| TooManyClasses)?;
        self.classes.push(Class { profile, keys });
        Ok(ClassId(number))
    }

    /// Adds an agent. It exists from the next tick on.
    ///
    /// # Errors
    /// If the agent is invalid, or its starting point is blocked.
    pub fn add_agent(&mut self, spec: AgentSpec) -> Result<AgentId, SpecError> {
        spec.check()?;
        spec.avoidance.check(&spec.limits, W::AVOIDING)?;
        let class = self.classes.get(usize::from(spec.class.0)).copied();
        let class = class.ok_or(SpecError::NoSuchClass(spec.class.0))?;
        let number = u32::try_from(self.agents.len()).map_err(|_| SpecError::TooMany)?;
        let space = self.world.space(class.profile);
        spec.algorithm.map_or(Ok(()), |algorithm| algorithm.check(space.state_bound()))?;
        let off_map = SpecError::Place { reason: wayfare_core::space::Obstruction::OffMap };
        let state = self.world.state_meant(class.profile, spec.at).ok_or(off_map)?;
        space.check(state).map_err(|reason| SpecError::Place { reason })?;
        // A body may begin beside the middle of its state, where nothing is in between.
        let (place, middle) = (spec.at, space.position(state));
        let exact = self.world.foothold(class.profile, state, place);
        let exact = exact.filter(|_| W::CUTS_ACROSS && space.segment_is_clear(place, middle));
        let at = exact.unwrap_or(middle);
        let asleep = if spec.phase > 0.0 { self.settings.ticks(spec.phase) } else { 0 };
        let id = AgentId(number);
        self.crowd.serve(&spec.behaviours);
        self.agents.push(Agent {
            mind: Mind::new(&spec.behaviours, at, self.settings.seed, id),
            name: spec.name,
            team: spec.team,
            class: spec.class,
            limits: spec.limits,
            pace: None,
            march: None,
            group: None,
            algorithm: spec.algorithm,
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
            asleep_until: self.now + asleep,
            was_halted: false,
            evasion: Evasion::of(spec.avoidance),
        });
        self.watch_bodies();
        Ok(id)
    }

    /// Schedules a command for the beginning of a tick; a past tick counts as the next one.
    /// Commands of one tick run in the order in which they were scheduled.
    pub fn schedule(&mut self, at_tick: u64, command: Command<W::Edit>) {
        self.schedule.entry(at_tick.max(self.now)).or_default().push(command);
    }

    /// Gives an order, obeyed from the next tick on.
    pub fn order(&mut self, agent: AgentId, order: Order) {
        self.schedule(self.now, Command::Order { agent, order });
    }

    /// Returns the count of completed ticks.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns the simulated time, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.now as f64 * f64::from(self.settings.tick_seconds)
    }

    /// Returns the events of the last tick.
    #[must_use]
    pub fn events(&self) -> &TickEvents {
        &self.events
    }

    /// Returns how it runs.
    #[must_use]
    pub fn settings(&self) -> &SimulationSettings {
        &self.settings
    }

    /// Sets the [units of work](wayfare_core::navigate::work) that planning may take a tick, from
    /// the next one on.
    pub fn set_work_per_tick(&mut self, units: u64) {
        self.settings.work_per_tick = units;
    }

    /// Returns the world as it is now.
    #[must_use]
    pub fn world(&self) -> &W {
        &self.world
    }

    /// Returns the links as they are now.
    #[must_use]
    pub fn links(&self) -> &NavLinks<W::State> {
        &self.links
    }

    /// Returns the planner, for its statistics.
    #[must_use]
    pub fn planner(&self) -> &Planner<W::State, W::Cost, NamedAlgorithm> {
        &self.planner
    }

    /// Returns the world and its links as a class sees them; `None` for an unknown class.
    #[must_use]
    pub fn space(&self, class: ClassId) -> Option<LinkedSpace<'_, W::Space<'_>>> {
        let class = self.classes.get(usize::from(class.0))?;
        Some(self.links.over(self.world.space(class.profile), class.keys))
    }

    /// Returns the profile of a class; `None` for an unknown class.
    #[must_use]
    pub fn profile(&self, class: ClassId) -> Option<ProfileId> {
        self.classes.get(usize::from(class.0)).map(|class| class.profile)
    }

    /// Returns the world and its links as a class of an agent sees them, which is one of the
    /// simulation.
    pub(super) fn space_of(&self, class: ClassId) -> LinkedSpace<'_, W::Space<'_>> {
        let class = self.class(class);
        self.links.over(self.world.space(class.profile), class.keys)
    }

    pub(super) fn class(&self, class: ClassId) -> Class {
        class_of(&self.classes, class)
    }

    /// Returns every present agent, by id.
    pub fn agents(&self) -> impl Iterator<Item = AgentView<'_, W>> + '_ {
        (0..self.agents.len() as u32).filter_map(|number| self.agent(AgentId(number)))
    }

    /// Returns an agent, if it is there.
    #[must_use]
    pub fn agent(&self, id: AgentId) -> Option<AgentView<'_, W>> {
        let agent = self.agents.get(id.0 as usize)?;
        agent.is_present().then_some(AgentView { simulation: self, id, agent })
    }

    /// Returns the present agent of that name with the lowest id.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<AgentId> {
        self.agents().find(|agent| agent.name() == name).map(|agent| agent.id())
    }

    /// Returns a link with its users.
    #[must_use]
    pub fn link(&self, id: LinkId) -> Option<LinkView<'_, W::State>> {
        let (link, usage) = (self.links.get(id)?, self.links_in_use.get(id.0 as usize)?);
        Some(LinkView { id, link, usage })
    }

    /// Returns every link with its users, by id.
    pub fn link_views(&self) -> impl Iterator<Item = LinkView<'_, W::State>> + '_ {
        (0..self.links_in_use.len() as u32).filter_map(|number| self.link(LinkId(number)))
    }
}

/// Returns the class with that id.
pub(super) fn class_of(classes: &[Class], class: ClassId) -> Class {
    let default = Class { profile: ProfileId::default(), keys: Keys::NONE };
    classes.get(usize::from(class.0)).copied().unwrap_or(default)
}
