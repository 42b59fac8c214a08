//! Prepared engines of a simulation: they answer requests before any search.

use std::fmt::Debug;

use wayfare_core::link::{LinkedSpace, NavLinks};
use wayfare_core::navigate::{
    Answered, BegunSearch, Engine, EngineStep, Lent, Navigator, OverLinks, Question,
};
use wayfare_core::path::Path;
use wayfare_core::space::ProfileId;

use crate::plan::{ClassId, View};
use crate::simulation::Environment;
use crate::simulation::roster::{Class, Classes};

/// The prepared engines of a simulation, each for the profile of the space that it was prepared
/// for.
///
/// Requests of a class are put to the engines of its profile in order of addition, and to a search
/// if none suits. Engines see the world without its links: see
/// [`OverLinks`](wayfare_core::navigate::OverLinks) for their answers to a class that can use some.
///
/// ```
/// use wayfare::hierarchy::HierarchySettings;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::navigate::{HierarchyEngine, Policy};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AgentSpec, Engines, Simulation, SimulationSettings};
///
/// let grid = Grid::new(200, 100, &[TerrainId::GROUND; 20_000], GridProfile::default())?;
/// let [start, goal] = [(3, 5), (190, 80)].map(|(x, y)| grid.centre(grid.cell(x, y).unwrap()));
/// let hierarchy = HierarchyEngine::new(&grid.space(), HierarchySettings::default());
/// let engines = Engines::<Grid>::none().with(Default::default(), hierarchy);
///
/// // First legs come from the hierarchy at once, and the rest from a search while the agent walks.
/// let settings = SimulationSettings { policy: Policy::FirstLeg, ..SimulationSettings::default() };
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings)?.with_engines(engines);
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let walker = simulation.add_agent(AgentSpec::new("walker", class, start))?;
/// simulation.order(walker, wayfare::agent::Order::GoTo(goal));
/// for _ in 0..20 {
///     simulation.tick();
/// }
/// assert_eq!(simulation.planner().stats().prepared, 1);
/// assert!(simulation.agent(walker).unwrap().speed() > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engines<W: Environment> {
    /// Each with its profile; `None` for one that serves all of them.
    list: Vec<(Option<ProfileId>, Box<dyn Prepared<W>>)>,
}

impl<W: Environment> Default for Engines<W> {
    fn default() -> Self {
        Self::none()
    }
}

impl<W: Environment> Engines<W> {
    /// Returns no engines: every path is searched for.
    #[must_use]
    pub fn none() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds an engine for a profile, after the ones already added.
    #[must_use]
    pub fn with<E>(mut self, profile: ProfileId, engine: E) -> Self
    where
        W: 'static,
        E: for<'w> Engine<W::Space<'w>> + Send + 'static,
    {
        self.list.push((Some(profile), Box::new(engine)));
        self
    }

    /// Adds an engine that serves all profiles, since it keeps nothing of any.
    #[must_use]
    pub fn with_for_all<E>(mut self, engine: E) -> Self
    where
        W: 'static,
        E: for<'w> Engine<W::Space<'w>> + Send + 'static,
    {
        self.list.push((None, Box::new(engine)));
        self
    }

    /// Returns these engines, then others.
    pub(in crate::simulation) fn followed_by(mut self, others: Self) -> Self {
        self.list.extend(others.list);
        self
    }

    /// Has the engines follow an edit.
    pub(in crate::simulation) fn world_changed(&mut self, world: &W, affected: &[W::State]) {
        for (profile, engine) in &mut self.list {
            engine.follow(world, profile.unwrap_or_default(), affected);
        }
    }

    /// Returns the view of a class: the world, its links and the engines.
    pub(in crate::simulation) fn view<'s>(
        &'s self,
        world: &'s W,
        links: &'s NavLinks<W::State>,
        classes: &Classes,
        class: ClassId,
    ) -> ClassView<'s, W> {
        ClassView { engines: self, world, links, class: classes.of(class) }
    }
}

/// An engine for the spaces of an environment, of whatever lifetime.
///
/// Engines are known by the type of the space, which borrows the world. This trait hides that.
trait Prepared<W: Environment>: Debug + Send + Sync {
    fn engine<'e, 'w: 'e>(&'e self) -> &'e dyn Engine<W::Space<'w>>
    where
        W: 'w;

    fn follow(&mut self, world: &W, profile: ProfileId, affected: &[W::State]);
}

impl<W, E> Prepared<W> for E
where
    W: Environment + 'static,
    E: for<'w> Engine<W::Space<'w>> + Send + 'static,
{
    fn engine<'e, 'w: 'e>(&'e self) -> &'e dyn Engine<W::Space<'w>> {
        self
    }

    fn follow(&mut self, world: &W, profile: ProfileId, affected: &[W::State]) {
        self.world_changed(&world.space(profile), affected);
    }
}

/// The view of a class of agents: its space with links, and the engines.
pub(in crate::simulation) struct ClassView<'s, W: Environment> {
    engines: &'s Engines<W>,
    world: &'s W,
    links: &'s NavLinks<W::State>,
    class: Class,
}

impl<'s, W: Environment> View<W::State, W::Cost> for ClassView<'s, W> {
    type Space = LinkedSpace<'s, W::Space<'s>>;

    fn into_space(self) -> Self::Space {
        self.links.over(self.world.space(self.class.profile), self.class.keys)
    }

    fn ask_engines(
        self,
        question: &Question<W::State, W::Cost>,
        spare: &mut Vec<Path<W::State, W::Cost>>,
    ) -> Option<Answered<W::State, W::Cost>> {
        let engines = self.over_links()?;
        View::ask_engines(self.navigator(&engines), question, spare)
    }

    fn lead(self, question: &Question<W::State, W::Cost>) -> Option<Lent<W::State, W::Cost>> {
        let engines = self.over_links()?;
        View::lead(self.navigator(&engines), question)
    }

    fn begin_engine(self, question: &Question<W::State, W::Cost>) -> Option<BegunSearch> {
        let engines = self.over_links()?;
        View::begin_engine(self.navigator(&engines), question)
    }

    fn step_engine(self, search: &mut BegunSearch, budget: u64) -> EngineStep {
        let engines = self.over_links().unwrap_or_default();
        View::step_engine(self.navigator(&engines), search, budget)
    }

    fn adopt_engine(self, search: &mut BegunSearch, affected: &[W::State]) -> bool {
        let engines = self.over_links().unwrap_or_default();
        View::adopt_engine(self.navigator(&engines), search, affected)
    }

    fn conclude_engine(
        self,
        search: BegunSearch,
        spare: Path<W::State, W::Cost>,
    ) -> Option<Answered<W::State, W::Cost>> {
        let engines = self.over_links()?;
        View::conclude_engine(self.navigator(&engines), search, spare)
    }
}

impl<'s, W: Environment> ClassView<'s, W> {
    /// Returns the engines for the profile of the class, over its links; `None` without any.
    fn over_links(&self) -> Option<Vec<OverLinks<'s, W::Space<'s>>>> {
        let list = self.engines.list.iter();
        let list = list.filter(|entry| entry.0.is_none_or(|profile| profile == self.class.profile));
        let list: Vec<_> = list.map(|entry| OverLinks::new(entry.1.engine())).collect();
        (!list.is_empty()).then_some(list)
    }

    /// Returns the space of the class with engines.
    fn navigator<'e>(
        &self,
        engines: &'e [OverLinks<'s, W::Space<'s>>],
    ) -> Navigator<'e, LinkedSpace<'s, W::Space<'s>>>
    where
        's: 'e,
    {
        let space = self.links.over(self.world.space(self.class.profile), self.class.keys);
        engines.iter().fold(Navigator::new(space), |navigator, engine| navigator.with(engine))
    }
}
