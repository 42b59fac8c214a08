//! The components of an agent.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use wayfare::agent::AgentLimits;
use wayfare::crowd::AvoidanceQuality;
use wayfare::simulation::{Avoidance, SpecError, Trouble};

use crate::Placement;

/// A body that finds its way. Spawn it with a [`Transform`] on free ground, and give it a
/// [`Destination`] or [`Behaviours`](crate::Behaviours).
///
/// Lengths and speeds are those of Bevy's world: in a 2D game with tiles of 16 pixels, a unit that
/// crosses four tiles a second has a speed of 64.
///
/// Changes take effect at the next tick.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Component, Default)]
#[require(Transform, AgentPose, DesiredVelocity)]
pub struct NavAgent {
    /// The radius of the body, above 0; default 0.3. Whether a body fits through a gap is up to its
    /// profile.
    pub radius: f32,
    /// The largest speed a second, above 0; default 3.
    pub max_speed: f32,
    /// The change of speed each second, above 0; default 8.
    pub acceleration: f32,
    /// How fast the body turns, in radians a second, above 0; default 8.
    pub angular_speed: f32,
    /// The distance to the destination at which the body stops; default 0.
    pub stopping_distance: f32,
    /// Whether the body slows down before its destination; default true.
    pub auto_braking: bool,
    /// The radius that corners are rounded to where there is room; default 0.5. Raising it makes
    /// turns wider and faster.
    pub turn_radius: f32,
    /// The index of the profile of the space, in the order of addition: which ground it can walk,
    /// and at what cost. Default 0.
    pub profile: u16,
    /// The keys that it carries, a bit each, for locked links. Default: none.
    pub keys: u32,
    /// Its team. Default 0.
    pub team: u16,
    /// How it avoids others.
    pub avoidance: AgentAvoidance,
}

impl Default for NavAgent {
    fn default() -> Self {
        let limits = AgentLimits::default();
        Self {
            radius: limits.radius,
            max_speed: limits.max_speed,
            acceleration: limits.acceleration,
            angular_speed: limits.angular_speed,
            stopping_distance: limits.stopping_distance,
            auto_braking: limits.auto_braking,
            turn_radius: limits.turn_radius,
            profile: 0,
            keys: 0,
            team: 0,
            avoidance: AgentAvoidance::default(),
        }
    }
}

impl NavAgent {
    /// Returns an agent of that radius and speed that reaches its speed in a third of a second, and
    /// whose turns are as wide as its body.
    #[must_use]
    pub fn new(radius: f32, max_speed: f32) -> Self {
        let acceleration = 3.0 * max_speed;
        Self { radius, max_speed, acceleration, turn_radius: radius, ..Self::default() }
    }

    /// Returns the limits of its body in units of a space.
    pub(crate) fn limits(&self, placement: &Placement) -> AgentLimits {
        let length = |length| placement.length_to_space(length);
        AgentLimits {
            max_speed: length(self.max_speed),
            acceleration: length(self.acceleration),
            angular_speed: self.angular_speed,
            stopping_distance: length(self.stopping_distance),
            auto_braking: self.auto_braking,
            turn_radius: length(self.turn_radius),
            radius: length(self.radius),
            ..AgentLimits::default()
        }
    }
}

/// How an agent avoids others: see [`Avoidance`].
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentAvoidance {
    /// The number of others that it considers. Default: medium.
    pub quality: Quality,
    /// How much others give way to it. Default 0.
    pub priority: u8,
    /// The layers that it is on, a bit each; default: the first one.
    pub layers: u32,
    /// The layers whose agents it avoids; default: all.
    pub mask: u32,
}

impl Default for AgentAvoidance {
    fn default() -> Self {
        Self { quality: Quality::Medium, priority: 0, layers: 1, mask: u32::MAX }
    }
}

impl AgentAvoidance {
    /// Returns an agent's avoidance that lets it pass through all others.
    pub const OFF: Self = Self { quality: Quality::Off, priority: 0, layers: 1, mask: u32::MAX };

    pub(crate) fn to_engine(self) -> Avoidance {
        let quality = match self.quality {
            Quality::Off => AvoidanceQuality::Off,
            Quality::Low => AvoidanceQuality::Low,
            Quality::Medium => AvoidanceQuality::Medium,
            Quality::High => AvoidanceQuality::High,
        };
        let Self { priority, layers, mask, .. } = self;
        Avoidance { quality, priority, layers, mask, ..Avoidance::default() }
    }
}

/// The number of others that an agent considers: see [`AvoidanceQuality`].
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quality {
    /// None: it passes through others.
    Off,
    /// 5.
    Low,
    /// 10.
    #[default]
    Medium,
    /// 16.
    High,
}

/// Where an agent wants to be. Inserting another one is a new order, removing it is a halt.
///
/// It stays when the agent has [arrived](crate::Arrived).
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Component)]
pub enum Destination {
    /// A point of Bevy's world.
    Point(Vec3),
    /// Wherever an entity with a [`Transform`] is: the path follows when that moves by more than
    /// the agent's radius.
    Entity(Entity),
}

impl From<Vec3> for Destination {
    fn from(point: Vec3) -> Self {
        Self::Point(point)
    }
}

impl From<Vec2> for Destination {
    fn from(point: Vec2) -> Self {
        Self::Point(point.extend(0.0))
    }
}

impl From<Entity> for Destination {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

/// The space of an agent, an obstacle, a link or a question. Without it, the default space: the one
/// that was spawned first.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Debug)]
#[reflect(Component)]
pub struct InSpace(pub Entity);

/// The velocity at which an agent wants to move, in Bevy's units a second; set each tick.
///
/// The plugin moves the body by it, unless the agent has [`ManualMovement`].
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug, Default)]
#[reflect(Component, Default)]
pub struct DesiredVelocity(pub Vec3);

/// The mark of an agent that the plugin does not move: a physics engine or a character controller
/// does, by [`DesiredVelocity`].
///
/// The planned body goes ahead; the desired velocity leads the real one to it. Where the real one
/// falls back by more than two radii and a quarter of a second at full speed, the planned one is
/// put to it, and plans anew from there.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[reflect(Component, Default)]
pub struct ManualMovement;

/// The mark of an agent that keeps the rotation of its [`Transform`].
#[derive(Component, Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[reflect(Component, Default)]
pub struct KeepRotation;

/// The points of an agent's path ahead, its own position first; set each tick for agents that have
/// the component.
#[derive(Component, Reflect, Clone, PartialEq, Debug, Default)]
#[reflect(Component, Default)]
pub struct NavPath {
    /// The points, in Bevy's world.
    pub points: Vec<Vec3>,
    /// The length of the path ahead, in Bevy's units.
    pub length: f32,
}

/// The reason why an agent stands still although it wants to be elsewhere. Present while there is
/// one; print it.
#[derive(Component, Reflect, Clone, PartialEq, Debug, thiserror::Error)]
#[reflect(opaque, Component)]
pub enum NavTrouble {
    /// It is in no space yet: there is none, or not the one that it names.
    #[error(
        "there is no navigation space for this agent: spawn a NavSpace, or name one by InSpace"
    )]
    NoSpace,
    /// It cannot be added to its space where it stands.
    #[error("not on the ground yet: {0}")]
    NotPlaced(SpecError),
    /// The profile of its settings is not one of its space.
    #[error("the space has no profile {0}")]
    NoSuchProfile(u16),
    /// A setting is out of range.
    #[error("a setting is refused: {0}")]
    Refused(String),
    /// It has no path, or was built in.
    #[error(transparent)]
    Way(Trouble),
}

/// The pose of an agent at the last two ticks, in its space.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug, Default)]
#[reflect(Component, Default)]
pub struct AgentPose {
    /// The position at the tick before, in Bevy's world.
    pub from: Vec3,
    /// The position at the last tick.
    pub to: Vec3,
    /// The heading at the tick before, in radians: see [`Placement::rotation`].
    pub heading_from: f32,
    /// The heading at the last tick.
    pub heading_to: f32,
    /// The translation that the plugin wrote last: another one was written by somebody else.
    pub(crate) written: Vec3,
}
