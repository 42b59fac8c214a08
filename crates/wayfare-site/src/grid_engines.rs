//! The prepared engines of grids: an index and a hierarchy.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use wayfare::index::{GridIndex, IndexOptions};
use wayfare::navigate::{IndexEngine, Navigator};
use wayfare::space::{Cell, GridSpace, StateId, TerrainId};
use wayfare_index::inside::{build_index, index_engine, index_turns};
use wayfare_scene::GridWorld;

use crate::grid::GridOwner;
use crate::indexed::{OfGround, SIGHT_BYTES};
use crate::owner::{NarrowOwner, OwnEngines, Owner};
use crate::prepare::HAS_ENGINES;
use crate::sectored::SectorRoutes;
use crate::{
    Clock, EngineName, Preparation, PreparedEngine, SearchReport, SearchRequest, SiteError,
};

/// The engines of a grid.
#[derive(Default, Debug)]
pub(crate) struct GridEngines {
    index: Option<IndexEngine>,
    hierarchy: Option<SectorRoutes>,
}

/// Returns the index of a grid, built now.
fn build(owner: &GridOwner) -> Result<GridIndex, SiteError> {
    let world = &owner.world;
    let refused = |problem: String| SiteError::Unindexed { world: world.name.clone(), problem };
    let on_progress = &mut |_| ControlFlow::Continue(());
    let index = build_index(&owner.bare(), IndexOptions::default(), on_progress);
    index.map_err(|error| refused(error.to_string()))
}

/// Returns the terrain of that name.
pub(crate) fn terrain_named(world: &GridWorld, name: &str) -> Result<TerrainId, SiteError> {
    let named = world.terrains.iter().position(|terrain| terrain.name == name);
    match named.and_then(|number| u8::try_from(number).ok()) {
        Some(number) => Ok(TerrainId(number)),
        None if name == "blocked" => Ok(TerrainId::BLOCKED),
        None => Err(SiteError::NoGround { name: name.to_owned() }),
    }
}

impl OwnEngines<GridOwner> for GridEngines {
    fn prepare(
        &mut self,
        owner: &GridOwner,
        preparation: &mut Preparation,
        clock: Clock,
    ) -> Result<Option<PreparedEngine>, SiteError> {
        let (engine, took) = (preparation.engine(), Duration::ZERO);
        let space = owner.narrow();
        match preparation {
            Preparation::Index(given) => {
                let mut index = match given.take() {
                    Some(index) => match index.into_inner() {
                        OfGround::Grid(index) => *index,
                        OfGround::Mesh(_) => return Err(SiteError::OtherIndex),
                    },
                    None => build(owner)?,
                };
                index.note_sight(&space, SIGHT_BYTES).map_err(|_| SiteError::OtherIndex)?;
                let bytes = index.size_in_bytes();
                let index = IndexEngine::new(&space, index).map_err(|_| SiteError::OtherIndex)?;
                self.index = Some(index);
                Ok(Some(PreparedEngine { engine, bytes, took }))
            }
            Preparation::Hierarchy { settings, exact } => {
                let routes = SectorRoutes::build(&space, *settings, *exact, clock);
                let bytes = routes.size().bytes;
                self.hierarchy = Some(routes);
                Ok(Some(PreparedEngine { engine, bytes, took }))
            }
            Preparation::Landmarks { .. } | Preparation::Field { .. } => Ok(None),
        }
    }

    fn add_to<'e, A>(
        &'e self,
        mut navigator: Navigator<'e, GridSpace<'e>, A>,
        wanted: EngineName,
    ) -> Navigator<'e, GridSpace<'e>, A> {
        if let Some(index) = self.index.as_ref().filter(|_| wanted.admits(EngineName::Index)) {
            navigator = navigator.with(index_engine(index));
        }
        let hierarchy = self.hierarchy.as_ref();
        if let Some(routes) = hierarchy.filter(|_| wanted.admits(EngineName::Hierarchy)) {
            navigator = navigator.with(routes.engine());
        }
        navigator
    }

    fn route(&mut self, owner: &GridOwner, request: &SearchRequest) -> Option<SearchReport> {
        let routes = self.hierarchy.as_mut()?;
        Some(routes.run(&owner.narrow(), &owner.bare(), request))
    }

    fn time_turns(&self, owner: &GridOwner, request: &SearchRequest) -> Option<Duration> {
        let is_asked = HAS_ENGINES && request.engine == EngineName::Index;
        let index = self.index.as_ref().filter(|_| is_asked)?;
        let [start, goal] = [request.ends.start, request.ends.goal].map(Cell::from_index);
        let begun = request.clock.now();
        let was_asked = index_turns(index, &owner.narrow(), start, goal);
        let elapsed = request.clock.since(begun);
        was_asked.then_some(elapsed)
    }

    fn set_ground(
        &mut self,
        owner: &mut GridOwner,
        state: u32,
        ground: &str,
    ) -> Result<(), SiteError> {
        let id = terrain_named(&owner.world, ground)?;
        let cell = Cell::from_index(state);
        Arc::make_mut(&mut owner.world).grid.set_terrain(cell, id);
        if !HAS_ENGINES {
            return Ok(());
        }
        let space = owner.narrow();
        if let Some(index) = &mut self.index {
            // Edits come by hand. One that cannot be repaired leaves the index stale.
            let _ = index.repair(&space);
        }
        if let Some(routes) = &mut self.hierarchy {
            routes.follow(&space, &[cell]);
        }
        Ok(())
    }
}
