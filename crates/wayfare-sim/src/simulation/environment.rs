//! The interface between a simulation and a world: spaces, places, edits.

use std::fmt::Debug;

use glam::Vec3;
use wayfare_core::search::FullSpace;
use wayfare_core::space::{Cost, ProfileId, Revision, Space, StateId};
use wayfare_core::walls::WallSide;

use super::{EditFault, Engines, GroundId, Shape, ShapeBounds};

/// A place of a world with its filling.
///
/// Example: [`Environment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filled<Place, Fill> {
    /// The place: a cell, a block, a waypoint or a link.
    pub place: Place,
    /// Its filling.
    pub fill: Fill,
}

/// How agents of a world can avoid each other.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AvoidanceManner, Environment};
/// assert_eq!(Grid::AVOIDING, AvoidanceManner::BesideRails);
/// assert_eq!(WaypointGraph::AVOIDING, AvoidanceManner::AlongRails);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AvoidanceManner {
    /// Not at all.
    Never,
    /// They leave their rails: straight moves beside a path can be proved, and
    /// [`wall_sides`](Environment::wall_sides) tells where walls are.
    BesideRails,
    /// They keep to the moves of the space, and follow each other at a distance.
    AlongRails,
}

/// The fillings of places in an [`Environment`].
pub type FilledOf<W> = Filled<<W as Environment>::Place, <W as Environment>::Fill>;

/// A world that agents live in: a grid, a waypoint graph, a voxel world, a navigation mesh.
///
/// A world is made of *places*, each with a *filling*: cells with terrain, blocks, waypoints and
/// links. An obstacle that appears fills the places it covers with a blocking filling, and restores
/// them when it vanishes.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Environment, Filled, GridEdit, Shape};
///
/// /// The number of places that an obstacle would cover.
/// fn count_covered<W: Environment>(world: &W, shape: &Shape) -> usize {
///     world.covered(shape).len()
/// }
///
/// let grid = Grid::from_rows(&["....", "...."])?;
/// let cart = Shape::Box { min: Vec3::new(0.2, 0.0, 0.2), max: Vec3::new(1.8, 1.0, 0.8) };
/// assert_eq!(count_covered(&grid, &cart), 2);
///
/// let place = grid.cell(3, 1).unwrap();
/// let wall = GridEdit::Terrain { cells: vec![place], terrain: TerrainId::BLOCKED };
/// assert_eq!(Grid::fills(&wall), [Filled { place, fill: TerrainId::BLOCKED }]);
/// # Ok::<(), GridError>(())
/// ```
pub trait Environment: Sized + Send + Sync {
    /// The states of its spaces.
    type State: StateId;
    /// The costs of its spaces.
    type Cost: Cost;
    /// The world as one profile sees it.
    type Space<'w>: FullSpace + Space<State = Self::State, Cost = Self::Cost> + Copy
    where
        Self: 'w;
    /// A change while the simulation runs.
    type Edit: Clone + Debug + PartialEq + Send + Sync;
    /// The unit that obstacles cover: a cell, a block, a waypoint or a link.
    type Place: Copy + Ord + Debug + Send + Sync;
    /// The content of a place.
    type Fill: Copy + Debug + PartialEq + Send + Sync;

    /// Whether agents may cut across where a straight line is clear. If not, they keep to the moves
    /// of the space.
    const CUTS_ACROSS: bool;

    /// How agents [avoid each other](super::Avoidance). Default: not at all; agents that are to
    /// avoid others are refused then.
    const AVOIDING: AvoidanceManner = AvoidanceManner::Never;

    /// Whether [groups](super::GroupSpec) may keep formations: an agent that leaves its path in a
    /// straight line walks on the same ground as one that keeps to it. Default: false; groups are
    /// refused then.
    const CAN_FORM: bool = false;

    /// Whether an edit may assign the ground at a point to another state. The states that bodies
    /// remember are then found again by their points after each edit. Default: false.
    const RENUMBERS: bool = false;

    /// Returns whether an edit replaces all ground, so that states may be renumbered. All searches
    /// then restart, and states that are remembered with a point are found again by it. Default:
    /// false.
    fn is_new_ground(_edit: &Self::Edit) -> bool {
        false
    }

    /// Returns whether [new ground](Self::is_new_ground) cancels an edit: snapshots no longer
    /// contain it. Default: false.
    fn ends_with_ground(_edit: &Self::Edit) -> bool {
        false
    }

    /// Returns the engines that every simulation of such a world has, after the caller's engines.
    /// Default: none.
    fn engines() -> Engines<Self> {
        Engines::none()
    }

    /// Returns the world as a profile sees it.
    fn space(&self, profile: ProfileId) -> Self::Space<'_>;

    /// Returns the world as bodies of a profile see it that [avoid each other](super::Avoidance):
    /// the same moves, but sweeps prove room for all of a body. Default: [`space`](Self::space),
    /// whose sweeps do so already.
    fn space_for_bodies(&self, profile: ProfileId) -> Self::Space<'_> {
        self.space(profile)
    }

    /// Returns whether a body at a point moves up and down as freely as to the sides: it flies or
    /// swims. Default: false.
    fn is_afloat(&self, _profile: ProfileId, _point: Vec3) -> bool {
        false
    }

    /// Returns the height of bodies of a profile, in world units. Bodies that differ in height by
    /// that much are on two floors, and do not avoid each other. Default: 1.8.
    fn body_height(&self, _profile: ProfileId) -> f32 {
        1.8
    }

    /// Returns whether there is a profile with that id. Default: true, for worlds that all profiles
    /// see alike.
    fn has_profile(&self, _profile: ProfileId) -> bool {
        true
    }

    /// Returns a hash of all that edits change beside the filling of places: costs, influence.
    /// Default: 0.
    fn digest(&self) -> u64 {
        0
    }

    /// Returns the side of a place in world units; 0 where places are points.
    fn grain(&self) -> f32;

    /// Returns the count of edits.
    fn revision(&self) -> Revision;

    /// Returns the state at which a body at that point is: one that can be stood on, with nothing
    /// between the point and its position.
    fn state_at(&self, profile: ProfileId, point: Vec3) -> Option<Self::State>;

    /// Returns the point in a state where a body near `point` stands: `point`, at the height of the
    /// state. Default: `None`, for the position of the state, where a body at the point
    /// [is](Self::state_at) at another state.
    fn foothold(&self, profile: ProfileId, state: Self::State, point: Vec3) -> Option<Vec3> {
        let is_there = self.state_at(profile, point) == Some(state);
        is_there.then(|| point.with_y(self.space(profile).position(state).y))
    }

    /// Boxes around all that the last edit changed, given the states that it affected. Default:
    /// the positions of these.
    fn touched(&self, affected: &[Self::State]) -> Vec<ShapeBounds> {
        let space = self.space(ProfileId::default());
        let places = affected.iter().map(|&state| space.position(state));
        places.map(|place| ShapeBounds { min: place, max: place }).collect()
    }

    /// Returns whether a wall at a point bars bodies of a profile. For the [audit](super::Audit): a
    /// second statement of the proof by
    /// [`sweep_is_clear`](wayfare_core::space::LineOfSight::sweep_is_clear). Default: false, for
    /// worlds that do not know the positions of their walls.
    fn is_wall(&self, _profile: ProfileId, _point: Vec3) -> bool {
        false
    }

    /// Returns the same for bodies that [avoid each other](super::Avoidance): a second statement of
    /// the proof by sweeps of [`space_for_bodies`](Self::space_for_bodies). Default: as
    /// [`is_wall`](Self::is_wall).
    fn is_wall_to_bodies(&self, profile: ProfileId, point: Vec3) -> bool {
        self.is_wall(profile, point)
    }

    /// Visits the sides of walls within a range of a point, so that a body of that radius turns
    /// before it touches them: as [`Walls::sides_near`](wayfare_core::walls::Walls::sides_near).
    /// Default: none, for worlds that know only whether a move is barred.
    fn wall_sides(
        &self,
        _profile: ProfileId,
        _at: Vec3,
        _radius: f32,
        _range: f32,
        _visit: &mut dyn FnMut(WallSide),
    ) {
    }

    /// Visits points of walls within a range of a body that flies or swims, so that it turns before
    /// it touches them: the nearest point of each convex piece that faces it, always in the same
    /// order. Default: none, for worlds that know only whether a move is barred.
    fn wall_points(
        &self,
        _profile: ProfileId,
        _at: Vec3,
        _range: f32,
        _visit: &mut dyn FnMut(Vec3),
    ) {
    }

    /// Returns whether the ground beside its moves is known, so that bodies which [keep to
    /// them](AvoidanceManner::AlongRails) may [step aside](Self::is_free_beside). Default: false.
    fn knows_surroundings(&self) -> bool {
        false
    }

    /// Returns whether bodies of a profile can be anywhere within that width, in world units, of
    /// the straight line between two points, and beyond its ends. Default: false.
    fn is_free_beside(&self, _profile: ProfileId, _from: Vec3, _to: Vec3, _width: f32) -> bool {
        false
    }

    /// Returns the kind of ground that a body at a point is on, by which [speeds
    /// differ](super::GroundSpeeds). Default: `None`, for worlds without kinds of ground.
    fn ground_at(&self, _profile: ProfileId, _point: Vec3) -> Option<GroundId> {
        None
    }

    /// Returns the cost of a metre at a point, relative to plain ground. Default: 1.
    fn price_at(&self, _profile: ProfileId, _point: Vec3) -> f32 {
        1.0
    }

    /// Visits the ground that bodies of one of the profiles may be on, in convex pieces: their
    /// corners, in order around them. Adjacent pieces share the corners of their common side, bit
    /// by bit. Default: none, for worlds whose ground has no outline.
    fn visit_ground(&self, _profiles: &[ProfileId], _visit: &mut dyn FnMut(&[Vec3])) {}

    /// Returns the state of a point that a user named: a goal, or a starting point. It may be
    /// blocked.
    fn state_meant(&self, profile: ProfileId, point: Vec3) -> Option<Self::State>;

    /// Returns the nearest free state, at most `within` from a point in a straight line.
    fn nearest_state(&self, profile: ProfileId, point: Vec3, within: f32) -> Option<Self::State>;

    /// Returns the edit by which influence that the world itself keeps spreads and decays for a
    /// time. Default: none, for worlds without any.
    fn ageing(&self, _seconds: f32) -> Option<Self::Edit> {
        None
    }

    /// Returns the states in a shape that an agent can be at, in ascending order. Default: asks for
    /// the position of every state.
    fn states_in(&self, profile: ProfileId, shape: &Shape) -> Vec<Self::State> {
        let space = self.space(profile);
        let bound = u32::try_from(space.state_bound()).unwrap_or(u32::MAX);
        let free = (0..bound).map(Self::State::from_index).filter(|&at| space.check(at).is_ok());
        free.filter(|&state| shape.contains(space.position(state))).collect()
    }

    /// Returns, in any order, at least the states with a move through one of the boxes: searches
    /// are told of them when [jams](super::JamSettings) delay other ground. Default: the states in
    /// the boxes and within the [grain](Self::grain) of them, for moves to adjacent states.
    fn states_delayed(&self, profile: ProfileId, areas: &[ShapeBounds]) -> Vec<Self::State> {
        let grown = |area: &ShapeBounds| Shape::Box {
            min: area.min - self.grain(),
            max: area.max + self.grain(),
        };
        areas.iter().flat_map(|area| self.states_in(profile, &grown(area))).collect()
    }

    /// Fails if the edit is not possible.
    ///
    /// # Errors
    /// Why not.
    fn check(&self, edit: &Self::Edit) -> Result<(), EditFault>;

    /// Returns points in or beside the places that an edit may take from bodies: bodies near them
    /// look for a way out before the edit. Called with edits that [`check`](Self::check) allows.
    /// Default: none, so a body that an edit builds in waits until its position is open again.
    fn takes(&self, _edit: &Self::Edit) -> Vec<Vec3> {
        Vec::new()
    }

    /// Returns the places that an edit fills, if it is such an edit.
    fn fills(edit: &Self::Edit) -> Vec<FilledOf<Self>>;

    /// Makes an edit that does not fill places. Adds the states whose moves in or out it changes to
    /// `affected`.
    ///
    /// # Errors
    /// Why it is not possible; the environment is as before then.
    fn apply(
        &mut self,
        edit: &Self::Edit,
        affected: &mut Vec<Self::State>,
    ) -> Result<(), EditFault>;

    /// Returns the places that a shape covers, in ascending order.
    fn covered(&self, shape: &Shape) -> Vec<Self::Place>;

    /// Returns the filling of a place.
    fn filling(&self, place: Self::Place) -> Option<Self::Fill>;

    /// Returns the filling by which an obstacle blocks a place.
    fn blocking(&self, place: Self::Place) -> Self::Fill;

    /// Fills places, as one edit. Adds the states whose moves in or out it changes to `affected`.
    fn fill(&mut self, fills: &[FilledOf<Self>], affected: &mut Vec<Self::State>);
}
