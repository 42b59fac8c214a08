//! The interface of models that choose velocities.

use glam::Vec2;

/// A body as another one sees it, from above: `x` and `y` are the world's x and z.
///
/// Example: [`SteeringView`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SeenBody {
    /// The middle of the body.
    pub at: Vec2,
    /// Its velocity.
    pub velocity: Vec2,
    /// Its radius.
    pub radius: f32,
    /// The part of an evasion that the observer makes, from 0 to 1; the other one makes the rest.
    pub share: f32,
    /// Whether it lets the observer go first: both follow paths, and its own is longer. Never both
    /// of a pair. Only agents of a simulation let others go first.
    pub yields: bool,
    /// Whether it is in the observer's group. Only agents of a simulation have groups.
    pub is_fellow: bool,
    /// Its id: breaks ties.
    pub number: u32,
}

/// The point of a wall's side that is nearest to a body.
///
/// Example: [`SteeringView`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WallPoint<V = Vec2> {
    /// The direction from the wall to the body, of length 1.
    pub away: V,
    /// The free distance between wall and body, above 0 unless it reaches into the wall.
    pub room: f32,
}

/// The input of a body's choice of a velocity.
///
/// ```
/// use glam::Vec2;
/// use wayfare::crowd::{Orca, SeenBody, Steering, SteeringView, WallPoint};
///
/// // A body walks east at 1 m/s, with a wall in the south. Another one comes towards it.
/// let own = SeenBody { radius: 0.3, velocity: Vec2::X, ..SeenBody::default() };
/// let other = SeenBody { at: Vec2::X * 3.0, velocity: -Vec2::X, share: 0.5, number: 1, ..own };
/// let wall = WallPoint { away: -Vec2::Y, room: 0.1 };
/// let view = SteeringView {
///     own,
///     preferred: Vec2::X,
///     max_speed: 1.5,
///     horizon: 2.0,
///     wall_horizon: 0.5,
///     turn: 0.0,
///     dt: 0.1,
///     near: &[other],
///     walls: &[wall],
/// };
/// let chosen = Orca.velocity(&view);
/// assert_ne!(chosen, view.preferred, "it turns aside or slows down");
/// assert!(chosen.y <= wall.room / view.wall_horizon, "it stays clear of the wall");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SteeringView<'s> {
    /// The body itself; its share is 0.
    pub own: SeenBody,
    /// The velocity that it would have alone, or that with which it makes way.
    pub preferred: Vec2,
    /// Its largest speed.
    pub max_speed: f32,
    /// For how many seconds it looks ahead.
    pub horizon: f32,
    /// For how many seconds it looks ahead to walls.
    pub wall_horizon: f32,
    /// The turn of the preferred velocity if that is blocked, in radians to the right: a little;
    /// far to either side for a body without progress for a second; 0 for one that makes way.
    pub turn: f32,
    /// The length of the step in seconds.
    pub dt: f32,
    /// The nearest others, the nearest first; at most [`MOST_NEIGHBOURS`].
    pub near: &'s [SeenBody],
    /// The nearest walls, in the order of their sides; at most [`MOST_WALLS`].
    pub walls: &'s [WallPoint],
}

/// At most this many others are looked at.
pub const MOST_NEIGHBOURS: usize = 16;

/// At most this many are looked at with medium quality.
pub(super) const MEDIUM: usize = 10;

/// At most this many sides of walls are looked at.
pub const MOST_WALLS: usize = 12;

/// A model that chooses velocities: [`Orca`](super::Orca), or one of your own.
///
/// A choice is a wish. The crowd limits its change by the body's acceleration, parts bodies that
/// would overlap, and proves the move before it is made. So no model moves a body into a wall.
///
/// ```
/// use glam::{Vec2, Vec3};
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings, NoWalls, Steering, SteeringView};
///
/// /// Goes on until somebody is near.
/// struct Shy;
/// impl Steering for Shy {
///     fn velocity(&self, seen: &SteeringView<'_>) -> Vec2 {
///         if seen.near.is_empty() { seen.preferred } else { Vec2::ZERO }
///     }
/// }
///
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let walker = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) };
/// let id = crowd.add(walker)?;
/// crowd.step_by(&Shy, &NoWalls, 0.1)?;
/// assert!(crowd.agent(id).unwrap().position.x > 0.0);
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
pub trait Steering: Sync {
    /// Returns the velocity that a body chooses. It must depend on nothing but the arguments.
    fn velocity(&self, seen: &SteeringView<'_>) -> Vec2;
}
