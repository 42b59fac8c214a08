//! The simulation itself, as its caller sees it.

use glam::Vec3;
use wayfare_core::link::{Keys, LinkId, LinkedSpace, NavLink, NavLinkError, NavLinks};
use wayfare_core::search::NamedAlgorithm;
use wayfare_core::space::ProfileId;

use super::clock::Clock;
use super::ground::{Ground, link_end};
use super::puzzles::{Puzzles, Stage};
use super::roster::{Class, Roster};
use super::schedule::Schedule;
use super::service::Service;
use super::settings::SettingsFault;
use super::traffic::{LinkUse, Traffic};
use super::{
    AgentSpec, AgentView, Command, Engines, Environment, GroundSpeedFault, GroundSpeeds,
    GroupFault, GroupSpec, GroupView, LinkView, MovingObstacleView, PuzzleId, PuzzleSpec,
    PuzzleView, SimulationSettings, SpecError, Spread, TickEvents, TooManyClasses,
};
use crate::agent::{AgentId, GroupId, Order};
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
    pub(super) schedule: Schedule<W::Edit>,
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
            schedule: Schedule::new(),
            events: TickEvents::default(),
        })
    }

    /// Returns the same simulation with prepared engines, which answer before anything is searched.
    ///
    /// To be called before the first tick, with engines of the world as it is: edits are followed
    /// from then on. `Simulation::restore_with` (feature `serde`) takes engines of the same world.
    #[must_use]
    pub fn with_engines(self, engines: Engines<W>) -> Self {
        Self { service: self.service.with_engines(engines), ..self }
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
    /// Only grids and navigation meshes [know their grounds](super::Surroundings::ground_at). In
    /// links agents are as fast as the link says.
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
        self.traffic.watch(&self.roster.agents[id.0 as usize..]);
        Ok(id)
    }

    /// Schedules a command for the beginning of a tick; a past tick counts as the next one.
    /// Commands of one tick run in the order in which they were scheduled.
    pub fn schedule(&mut self, at_tick: u64, command: Command<W::Edit>) {
        self.schedule.add(at_tick.max(self.clock.now), command);
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
        self.service.planner()
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

    /// Returns the keys of the agents of a class; `None` for an unknown class.
    #[must_use]
    pub fn keys(&self, class: ClassId) -> Option<Keys> {
        self.roster.classes.get(class).map(|class| class.keys)
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
        let (link, usage) = (self.ground.links.get(id)?, self.traffic.links_in_use.of(id)?);
        Some(LinkView { id, link, usage })
    }

    /// Returns every link with its users, by id.
    pub fn link_views(&self) -> impl Iterator<Item = LinkView<'_, W::State>> + '_ {
        (0..self.traffic.links_in_use.0.len() as u32).filter_map(|number| self.link(LinkId(number)))
    }

    /// Makes a group of agents. It falls in at the next tick.
    ///
    /// # Errors
    /// If the group is invalid. Nothing changes then.
    pub fn add_group(&mut self, spec: GroupSpec) -> Result<GroupId, GroupFault> {
        if W::CAN_FORM { self.roster.add_group(spec) } else { Err(GroupFault::World) }
    }

    /// Gives a group an order, obeyed from the next tick on. It ends with
    /// [`Event::Formed`](super::Event::Formed) when the leader has come to its goal and all
    /// followers stand at their slots; after [`GroupSpec::MOST_WAIT`] seconds at the goal it ends
    /// without them.
    pub fn order_group(&mut self, group: GroupId, order: Order) {
        self.schedule(self.clock.now, Command::OrderGroup { group, order });
    }

    /// Returns the group with that id, unless it was disbanded.
    #[must_use]
    pub fn group(&self, id: GroupId) -> Option<GroupView<'_, W>> {
        let group = self.roster.groups.get(id.0 as usize);
        let group = group.filter(|group| !group.spec.members.is_empty())?;
        Some(GroupView { roster: &self.roster, id, group })
    }

    /// Returns all groups that were not disbanded, by id.
    pub fn groups(&self) -> impl Iterator<Item = GroupView<'_, W>> + '_ {
        (0..self.roster.groups.len() as u32).filter_map(|number| self.group(GroupId(number)))
    }

    /// Returns the obstacles that are moved by [`Command::MoveObstacle`], by id.
    pub fn moving_obstacles(&self) -> impl Iterator<Item = MovingObstacleView> + '_ {
        // In the tick that is over.
        self.ground.moving_obstacles.views(self.clock.now.saturating_sub(1))
    }

    /// Returns different starting points for a crowd of a class: at most `count`, no two the same.
    ///
    /// Returns positions of states that can be reached from the state at `from` and that `accepts`
    /// accepts: the nearest ones, or a draw from all of them by a seed. If these are too few and
    /// agents may cut across, their surroundings are divided further: several bodies stand in one
    /// cell, as far apart as there is room. Returns fewer than `count` points where states are
    /// points; none if `from` is blocked, or the class does not exist.
    ///
    /// O(states seen · log): all that can be reached, where fewer than `count` are accepted or a
    /// draw is wanted; at most 2^20.
    ///
    /// ```
    /// use glam::Vec3;
    /// use wayfare::link::{Keys, NavLinks};
    /// use wayfare::prelude::*;
    /// use wayfare::simulation::{Simulation, SimulationSettings, Spread};
    ///
    /// let grid = Grid::from_rows(&["...", "..."])?;
    /// let (links, settings) = (NavLinks::new(3.0), SimulationSettings::default());
    /// let mut simulation = Simulation::new(grid, links, settings)?;
    /// let class = simulation.add_class(Default::default(), Keys::NONE)?;
    /// let middle = Vec3::new(0.5, 0.0, 0.5);
    /// let mut places = simulation.places(class, middle, 20, Spread::Near, |_| true);
    /// assert_eq!(places.len(), 20); // in 6 cells
    /// places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z)));
    /// places.dedup();
    /// assert_eq!(places.len(), 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn places(
        &self,
        class: ClassId,
        from: Vec3,
        count: usize,
        spread: Spread,
        accepts: impl FnMut(Vec3) -> bool,
    ) -> Vec<Vec3> {
        let profile = self.profile(class);
        profile.map_or_else(Vec::new, |profile| {
            self.ground.places(profile, from, count, spread, accepts)
        })
    }

    /// Adds a puzzle. Its gates and crates are there from the next tick on.
    ///
    /// Call it before the first tick. The caller's obstacles have ids below 2³¹.
    pub fn add_puzzle(&mut self, spec: PuzzleSpec) -> PuzzleId {
        let (puzzles, mut stage) = self.stage();
        puzzles.add(spec, &mut stage)
    }

    /// Adds a version to a puzzle, for [`Command::ReplacePuzzle`], and returns its number; that of
    /// an equal version, where there is one. `None` if there is no such puzzle.
    ///
    /// A snapshot is restored with the versions that the puzzle had when it was saved.
    pub fn add_puzzle_version(&mut self, puzzle: PuzzleId, version: PuzzleSpec) -> Option<u32> {
        self.puzzles.add_version(puzzle, version)
    }

    /// Adds a link, at any time, and returns its id. Agents without a path try again at the next
    /// tick.
    ///
    /// Snapshots contain no links: a simulation is restored with [those](Self::links) it had.
    ///
    /// O(links).
    ///
    /// ```
    /// use wayfare::agent::Order;
    /// use wayfare::link::{Keys, NavLinks};
    /// use wayfare::prelude::*;
    ///
    /// let grid = Grid::from_rows(&["..##.."])?;
    /// let [near, far] = [1, 4].map(|x| grid.cell(x, 0).unwrap());
    /// let (from, to) = (grid.centre(grid.cell(0, 0).unwrap()), grid.centre(far));
    /// let (links, settings) = (NavLinks::new(3.0), SimulationSettings::default());
    /// let mut simulation = Simulation::new(grid, links, settings)?;
    /// let class = simulation.add_class(ProfileId::default(), Keys::NONE)?;
    /// let ann = simulation.add_agent(AgentSpec::new("Ann", class, from))?;
    /// simulation.order(ann, Order::GoTo(to));
    /// (0..20).for_each(|_| drop(simulation.tick().clone()));
    /// assert!(simulation.agent(ann).unwrap().trouble().is_some());
    ///
    /// simulation.add_link(NavLink::new(near, far, Crossing::Seconds(1.0)))?;
    /// (0..80).for_each(|_| drop(simulation.tick().clone()));
    /// assert!(simulation.agent(ann).unwrap().has_arrived());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`NavLinks::add`].
    pub fn add_link(&mut self, link: NavLink<W::State>) -> Result<LinkId, NavLinkError> {
        let mut links = self.ground.links.clone();
        let id = links.add(&self.ground.world.space(ProfileId::default()), link)?;
        if W::RENUMBERS {
            links.find_ends(link_end(&self.ground.world));
        }
        self.extend_links(links);
        if let Some(ends) = self.ground.links.ends(id) {
            self.service.tell(&self.ground, &self.roster.classes, &ends);
        }
        self.roster.try_again(&self.clock);
        Ok(id)
    }

    /// Replaces the links by a set that begins with the present ones: for passages that appear
    /// while agents are under way.
    #[doc(hidden)]
    pub fn extend_links(&mut self, links: NavLinks<W::State>) {
        self.traffic.links_in_use.0.resize(links.len(), LinkUse::default());
        self.ground.links = links;
    }

    /// Returns the puzzles as they were added, with all their versions.
    pub fn puzzle_specs(&self) -> impl Iterator<Item = &PuzzleSpec> {
        self.puzzles.specs()
    }

    /// Returns the world as it would be without obstacles. O(world).
    #[must_use]
    pub fn bare_world(&self) -> W
    where
        W: Clone,
    {
        self.ground.bare_world()
    }

    /// Returns the puzzles, in the order of their addition. None in a restored simulation without
    /// [`with_puzzles`](Self::with_puzzles).
    pub fn puzzles(&self) -> impl Iterator<Item = PuzzleView<'_>> {
        self.puzzles.views(&self.clock)
    }

    /// Gives a restored simulation the puzzles that it had when it was saved. `None` if they
    /// differ.
    #[must_use]
    pub fn with_puzzles(mut self, puzzles: Vec<PuzzleSpec>) -> Option<Self> {
        self.puzzles.resume(puzzles).then_some(self)
    }

    /// Returns the puzzles, and what they see of the simulation.
    pub(super) fn stage(&mut self) -> (&mut Puzzles, Stage<'_, W>) {
        let Self { puzzles, clock, roster, ground, schedule, .. } = self;
        (puzzles, Stage { clock, roster, links: &ground.links, schedule })
    }
}
