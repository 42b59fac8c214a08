//! An environment that never changes, over any space.

use glam::Vec3;
use rstar::primitives::GeomWithData;
use rstar::{PointDistance, RTree};
use wayfare_core::search::FullSpace;
use wayfare_core::space::{ProfileId, Revision, Space, StateId};

use crate::simulation::{EditFault, Editable, Environment, FilledOf, Shape, Spaces, Surroundings};

/// How far from a state's position a body may be to stand on that state, in world units.
const TOLERANCE: f32 = 1e-4;

/// An environment that never changes, over any space: enough to run a simulation in a space of your
/// own.
///
/// * Agents keep to the moves of the space: nothing is known of the ground between two states.
/// * Every profile sees the same space.
/// * There are no edits, and a [`Shape`] covers nothing:
///   [carving](crate::simulation::Command::Carve) is accepted and has no effect. Links can still
///   open, close and fill up.
///
/// A point means the nearest state in a straight line; ties go to the lower id. The positions of
/// all free states are in an R*-tree: O(n log n) time to build, some 24 bytes a state, and O(log n)
/// time a look-up at the usual spread.
///
/// ```
/// use glam::Vec3;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::simulation::{AgentSpec, Command, Fixed, NoEdit, Simulation, SimulationSettings};
/// use wayfare::space::{NegativeCosts, StateId};
/// use wayfare::space::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
///
/// // Or a space of your own.
/// let places = [0.0, 3.0, 6.0].map(|x| Waypoint::at(Vec3::new(x, 0.0, 0.0)));
/// let id = WaypointId::from_index;
/// let links = [(0, 1), (1, 2)].map(|(from, to)| WaypointLink::new(id(from), id(to)));
/// let graph = WaypointGraph::new(places, links, NegativeCosts::Reject)?;
///
/// let (world, links) = (Fixed::new(graph), NavLinks::new(1.5));
/// let mut simulation = Simulation::new(world, links, SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let walker = simulation.add_agent(AgentSpec::new("walker", class, Vec3::ZERO))?;
/// simulation.order(walker, wayfare::agent::Order::GoTo(Vec3::new(5.0, 0.0, 1.0)));
/// for _ in 0..200 {
///     simulation.tick();
/// }
/// assert_eq!(simulation.agent(walker).unwrap().position(), Vec3::new(6.0, 0.0, 0.0));
/// let leave: Command<NoEdit> = Command::Remove(walker); // all commands except edits
/// simulation.schedule(simulation.now(), leave);
/// simulation.tick();
/// assert!(simulation.agent(walker).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fixed<S> {
    space: S,
    places: RTree<GeomWithData<[f32; 3], u32>>,
}

/// The edit of an environment that has none: there is no such value.
///
/// Example: [`Fixed`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NoEdit {}

impl<S: Space> Fixed<S> {
    /// Returns the environment of a space. Asks for the position of every state that can be stood
    /// on.
    #[must_use]
    pub fn new(space: S) -> Self {
        let bound = u32::try_from(space.state_bound()).unwrap_or(u32::MAX);
        let states = (0..bound).map(S::State::from_index);
        let free = states.filter(|&state| space.check(state).is_ok());
        let place = |state| GeomWithData::new(space.position(state).to_array(), state.index());
        let places = RTree::bulk_load(free.map(place).collect());
        Self { space, places }
    }

    /// Returns the space.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Returns the nearest state at most `within` world units from `point`.
    fn nearest(&self, point: Vec3, within: f32) -> Option<S::State> {
        if !point.is_finite() {
            return None;
        }
        let mut found = self.places.nearest_neighbor_iter(point.to_array());
        let square = |entry: &GeomWithData<_, u32>| entry.distance_2(&point.to_array());
        let first = found.next()?;
        let least = square(first);
        let tied = found.take_while(|entry| square(entry) == least);
        let nearest = tied.fold(first.data, |lowest, entry| lowest.min(entry.data));
        (least.sqrt() <= within).then(|| S::State::from_index(nearest))
    }
}

impl<S: FullSpace + Send> Spaces for Fixed<S> {
    type State = S::State;
    type Cost = S::Cost;

    type Space<'w>
        = &'w S
    where
        S: 'w;

    fn space(&self, _profile: ProfileId) -> &S {
        &self.space
    }

    fn grain(&self) -> f32 {
        0.0
    }

    fn revision(&self) -> Revision {
        self.space.revision()
    }

    fn state_at(&self, _profile: ProfileId, point: Vec3) -> Option<S::State> {
        self.nearest(point, TOLERANCE)
    }

    fn state_meant(&self, _profile: ProfileId, point: Vec3) -> Option<S::State> {
        self.nearest(point, f32::INFINITY)
    }

    fn nearest_state(&self, _profile: ProfileId, point: Vec3, within: f32) -> Option<S::State> {
        self.nearest(point, within)
    }
}

impl<S: FullSpace + Send> Surroundings for Fixed<S> {}

impl<S: FullSpace + Send> Editable for Fixed<S> {
    type Edit = NoEdit;
    type Place = NoEdit;
    type Fill = NoEdit;

    fn check(&self, edit: &NoEdit) -> Result<(), EditFault> {
        match *edit {}
    }

    fn fills(edit: &NoEdit) -> Vec<FilledOf<Self>> {
        match *edit {}
    }

    fn apply(&mut self, edit: &NoEdit, _affected: &mut Vec<S::State>) -> Result<(), EditFault> {
        match *edit {}
    }

    fn covered(&self, _shape: &Shape) -> Vec<NoEdit> {
        Vec::new()
    }

    fn filling(&self, place: NoEdit) -> Option<NoEdit> {
        match place {}
    }

    fn blocking(&self, place: NoEdit) -> NoEdit {
        match place {}
    }

    fn fill(&mut self, _fills: &[FilledOf<Self>], _affected: &mut Vec<S::State>) {}
}

impl<S: FullSpace + Send> Environment for Fixed<S> {
    const CUTS_ACROSS: bool = false;
}
