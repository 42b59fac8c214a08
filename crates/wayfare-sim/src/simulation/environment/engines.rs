//! Prepared engines of a simulation: they answer requests before any search.

use std::fmt::Debug;

use wayfare_core::navigate::{Engine, OverLinks};
use wayfare_core::space::ProfileId;

use super::Environment;

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

    /// Returns the engines for a profile, over links.
    pub(in crate::simulation) fn over_links<'s>(
        &'s self,
        profile: ProfileId,
    ) -> Vec<OverLinks<'s, W::Space<'s>>> {
        let list = self.list.iter().filter(|entry| entry.0.is_none_or(|own| own == profile));
        list.map(|entry| OverLinks::new(entry.1.engine())).collect()
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
