//! Owned spaces, which the searches of a site share.

use wayfare::link::LinkedSpace;
use wayfare::navigate::Navigator;
use wayfare::path::{Path, PathOf, Polyline};
use wayfare::search::FullSpace;
use wayfare::space::{Cell, Edge, GridSpace, Space, StateId, Voxel, VoxelSpace};
use wayfare::space::{WaypointGraph, WaypointId};
use wayfare_core::inside::FastSpace;

use crate::passages::Passages;
use crate::{
    Clock, EngineName, PathStep, Preparation, PreparedEngine, SearchReport, SearchRequest,
    SiteError,
};

/// A space whose paths have a length in units of the world.
pub(crate) trait Measured: FullSpace {
    fn path_length(&self, path: &PathOf<Self>) -> f64;
}

impl Measured for GridSpace<'_, u64> {
    fn path_length(&self, path: &Path<Cell, u64>) -> f64 {
        self.length(path.states())
    }
}

impl Measured for &WaypointGraph {
    fn path_length(&self, path: &Path<WaypointId, u64>) -> f64 {
        Polyline::from_path(*self, path).length()
    }
}

impl<S: Measured> Measured for LinkedSpace<'_, S> {
    fn path_length(&self, path: &PathOf<S>) -> f64 {
        self.space().path_length(path)
    }
}

impl Measured for VoxelSpace<'_, u64> {
    fn path_length(&self, path: &Path<Voxel, u64>) -> f64 {
        self.length(path.steps.iter().map(|step| (step.state, step.action)))
    }
}

/// Owns a space, so that a search on it can outlive its site.
pub(crate) trait Owner: Clone + 'static {
    type State: StateId;
    type Bare<'s>: Measured + Clone + Space<State = Self::State, Cost = u64>;

    /// Returns the space without links, with costs wide enough for every path.
    fn bare(&self) -> Self::Bare<'_>;

    /// Returns the links over it.
    fn passages(&self) -> &Passages<Self::State>;

    /// Returns the space with its links. Without any, searches do as in the space itself.
    fn wide(&self) -> LinkedSpace<'_, Self::Bare<'_>> {
        self.passages().over(self.bare())
    }

    /// Returns the cost of one unit of length on plain ground.
    fn unit(&self) -> f64;

    /// Returns the moves out of a named state: none if it is blocked.
    fn moves_from(&self, state: u32) -> Vec<PathStep> {
        let space = self.wide();
        let state = Self::State::from_index(state);
        let mut moves = Vec::new();
        if space.check(state).is_ok() {
            space.successors(state, |Edge { target, cost, action }| {
                moves.push(PathStep { state: target.index(), cost, action });
            });
        }
        moves
    }

    /// Returns whether a search without preparation is faster than one that landmarks guide.
    /// Default: no.
    fn outruns_landmarks(&self) -> bool {
        false
    }
}

/// An owner whose space has a small cost type, too.
pub(crate) trait NarrowOwner: Owner {
    type Narrow<'s>: FastSpace + Space<State = Self::State, Cost = u32>;

    /// Returns the space with costs of half the size, which search faster; without links.
    fn narrow(&self) -> Self::Narrow<'_>;

    /// Prepared engines that only spaces of this kind have.
    type Engines: OwnEngines<Self>;
}

/// Prepared engines of one kind of world.
pub(crate) trait OwnEngines<O: NarrowOwner>: Default {
    /// Prepares an engine; `None` if it is not one of these.
    fn prepare(
        &mut self,
        owner: &O,
        preparation: &mut Preparation,
        clock: Clock,
    ) -> Result<Option<PreparedEngine>, SiteError>;

    /// Adds the engines that a request may be answered by.
    fn add_to<'e, A>(
        &'e self,
        navigator: Navigator<'e, O::Narrow<'e>, A>,
        wanted: EngineName,
    ) -> Navigator<'e, O::Narrow<'e>, A>;

    /// Returns a whole route leg by leg, of an engine that answers with first legs.
    fn route(&mut self, owner: &O, request: &SearchRequest) -> Option<SearchReport>;

    /// Returns the time for the turning points alone, of an engine that knows them.
    fn time_turns(&self, owner: &O, request: &SearchRequest) -> Option<std::time::Duration>;

    /// Gives the ground at a state another name, and lets the engines follow.
    fn set_ground(&mut self, owner: &mut O, state: u32, ground: &str) -> Result<(), SiteError>;
}
