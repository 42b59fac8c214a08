//! The spaces of a world: its states, and the points at which they are.

use glam::Vec3;
use wayfare_core::search::FullSpace;
use wayfare_core::space::{Cost, ProfileId, Revision, Space, StateId};

use super::{Shape, ShapeBounds};

/// The spaces of a world, one a profile, and the points at which their states are.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::simulation::Spaces;
/// use wayfare::space::{ProfileId, STRAIGHT};
///
/// /// The cost of the move between two points, if they lie in neighbouring states.
/// fn cost_between<W: Spaces>(world: &W, from: Vec3, to: Vec3) -> Option<W::Cost> {
///     let profile = ProfileId::default();
///     let [from, to] = [from, to].map(|point| world.state_at(profile, point));
///     let mut cost = None;
///     world.space(profile).successors(from?, |edge| {
///         cost = if Some(edge.target) == to { Some(edge.cost) } else { cost };
///     });
///     cost
/// }
///
/// let grid = Grid::from_rows(&["..#"])?;
/// let at = |x| Vec3::new(x, 0.0, 0.5);
/// assert_eq!(cost_between(&grid, at(0.3), at(1.9)), Some(STRAIGHT));
/// assert_eq!(cost_between(&grid, at(1.9), at(2.5)), None);
/// # Ok::<(), GridError>(())
/// ```
pub trait Spaces: Sized + Send + Sync {
    /// The states of its spaces.
    type State: StateId;

    /// The costs of its spaces.
    type Cost: Cost;

    /// The world as one profile sees it.
    type Space<'w>: FullSpace + Space<State = Self::State, Cost = Self::Cost> + Copy
    where
        Self: 'w;

    /// Returns the world as a profile sees it.
    fn space(&self, profile: ProfileId) -> Self::Space<'_>;

    /// Returns whether there is a profile with that id. Default: true, for worlds that all profiles
    /// see alike.
    fn has_profile(&self, _profile: ProfileId) -> bool {
        true
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

    /// Returns the state at which a body at that point [is](Self::state_at), and its
    /// [foothold](Self::foothold) there.
    fn state_below(&self, profile: ProfileId, point: Vec3) -> Option<(Self::State, Option<Vec3>)> {
        let state = self.state_at(profile, point)?;
        Some((state, self.foothold(profile, state, point)))
    }

    /// Returns the state of a point that a user named: a goal, or a starting point. It may be
    /// blocked.
    fn state_meant(&self, profile: ProfileId, point: Vec3) -> Option<Self::State>;

    /// Returns the nearest free state, at most `within` from a point in a straight line.
    fn nearest_state(&self, profile: ProfileId, point: Vec3, within: f32) -> Option<Self::State>;

    /// Returns the states in a shape that an agent can be at, in ascending order. Default: asks for
    /// the position of every state.
    fn states_in(&self, profile: ProfileId, shape: &Shape) -> Vec<Self::State> {
        let space = self.space(profile);
        let bound = u32::try_from(space.state_bound()).unwrap_or(u32::MAX);
        let free = (0..bound).map(Self::State::from_index).filter(|&at| space.check(at).is_ok());
        free.filter(|&state| shape.contains(space.position(state))).collect()
    }

    /// Returns, in any order, at least the states with a move through one of the boxes: searches
    /// are told of them when [jams](crate::simulation::JamSettings) delay other ground. Default:
    /// the states in the boxes and within the [grain](Self::grain) of them, for moves to adjacent
    /// states.
    fn states_delayed(&self, profile: ProfileId, areas: &[ShapeBounds]) -> Vec<Self::State> {
        let grown = |area: &ShapeBounds| Shape::Box {
            min: area.min - self.grain(),
            max: area.max + self.grain(),
        };
        areas.iter().flat_map(|area| self.states_in(profile, &grown(area))).collect()
    }
}
