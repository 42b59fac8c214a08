//! What the planner sees of the world for one class.

use wayfare_core::link::{LinkedSpace, NavLinks};
use wayfare_core::navigate::{
    Answered, BegunSearch, EngineStep, Lent, Navigator, OverLinks, Question,
};
use wayfare_core::path::Path;

use crate::plan::View;
use crate::simulation::ground::Ground;
use crate::simulation::roster::Class;
use crate::simulation::{Engines, Environment};

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
    /// Returns the view of a class.
    pub(in crate::simulation) fn new(
        ground: &'s Ground<W>,
        engines: &'s Engines<W>,
        class: Class,
    ) -> Self {
        Self { engines, world: &ground.world, links: &ground.links, class }
    }

    /// Returns the engines for the profile of the class, over its links; `None` without any.
    fn over_links(&self) -> Option<Vec<OverLinks<'s, W::Space<'s>>>> {
        let list = self.engines.over_links(self.class.profile);
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
