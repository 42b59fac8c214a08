//! Which model of steering a member goes by.

use glam::Vec2;

use super::axes::Axes;
use super::orca::{Avoids, velocity};
use super::program::HalfSpaces;
use super::solver::Role;
use super::steering::{Steering, SteeringView};
use super::view::View;
use super::{CollisionFreeSpeed, Orca};

/// The models of steering that the engine has.
///
/// ```
/// use wayfare::crowd::{AvoidanceModel, CollisionFreeSpeed};
/// assert_eq!(AvoidanceModel::default(), AvoidanceModel::Reciprocal);
/// let slow = CollisionFreeSpeed { time_gap: 1.0, ..CollisionFreeSpeed::default() };
/// assert!(AvoidanceModel::FreeSpeed(slow).check().is_ok());
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AvoidanceModel {
    /// [`Orca`]: turns aside in time. For games.
    #[default]
    Reciprocal,
    /// [`CollisionFreeSpeed`]: queues as people do. For studies of flow.
    FreeSpeed(CollisionFreeSpeed),
}

impl AvoidanceModel {
    /// Fails if a value is out of its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), super::CrowdFault> {
        match self {
            Self::Reciprocal => Ok(()),
            Self::FreeSpeed(model) => model.check(),
        }
    }
}

impl AvoidanceModel {
    /// Returns how far ahead on its path a body of that radius aims.
    ///
    /// A taut path runs along the wall to the mouth of a door. Bodies that aim at its corners come
    /// to the mouth from both sides head-on. If they aim at a point two radii ahead, they are
    /// turning into the door by then, and come side by side.
    #[doc(hidden)]
    pub fn aims_ahead(&self, radius: f32) -> f32 {
        match self {
            Self::Reciprocal => 0.0,
            Self::FreeSpeed(_) => 2.0 * radius,
        }
    }
}

impl Steering for AvoidanceModel {
    #[inline]
    fn velocity(&self, seen: &SteeringView<'_>) -> Vec2 {
        match self {
            Self::Reciprocal => Orca.velocity(seen),
            Self::FreeSpeed(model) => model.velocity(seen),
        }
    }
}

/// The steering of each member.
pub trait Steerings<V: Axes>: Sync {
    /// Whether members with nobody and no wall in sight choose their preferred velocities.
    const ARE_FREE: bool = false;

    /// Returns the velocity that a member of that role chooses. `spaces` is memory.
    fn velocity<'m>(
        &self,
        role: impl Fn() -> &'m Role,
        seen: &View<'_, V>,
        spaces: &mut HalfSpaces<V>,
    ) -> V;

    /// Returns whether the choice of a member of that role depends on the bodies that [let it go
    /// first](super::SeenBody::yields).
    fn takes_turns<'m>(&self, _role: impl Fn() -> &'m Role) -> bool {
        true
    }
}

/// One steering for all.
pub(super) struct OfAll<'s, S>(pub(super) &'s S);

impl<S: Steering> Steerings<Vec2> for OfAll<'_, S> {
    fn velocity<'m>(
        &self,
        _role: impl Fn() -> &'m Role,
        seen: &View<'_, Vec2>,
        _spaces: &mut HalfSpaces<Vec2>,
    ) -> Vec2 {
        seen.seen(|seen| self.0.velocity(seen))
    }
}

/// Reciprocal avoidance, for all.
pub(super) struct Reciprocal;

impl<V: Avoids> Steerings<V> for Reciprocal {
    const ARE_FREE: bool = true;

    #[inline]
    fn velocity<'m>(
        &self,
        _role: impl Fn() -> &'m Role,
        seen: &View<'_, V>,
        spaces: &mut HalfSpaces<V>,
    ) -> V {
        velocity(seen, spaces)
    }

    #[inline]
    fn takes_turns<'m>(&self, _role: impl Fn() -> &'m Role) -> bool {
        false
    }
}

/// The model of each member.
pub struct OfEach;

impl Steerings<Vec2> for OfEach {
    #[inline]
    fn velocity<'m>(
        &self,
        role: impl Fn() -> &'m Role,
        seen: &View<'_, Vec2>,
        spaces: &mut HalfSpaces<Vec2>,
    ) -> Vec2 {
        match &role().model {
            AvoidanceModel::Reciprocal => velocity(seen, spaces),
            AvoidanceModel::FreeSpeed(model) => seen.seen(|seen| model.velocity(seen)),
        }
    }

    #[inline]
    fn takes_turns<'m>(&self, role: impl Fn() -> &'m Role) -> bool {
        match role().model {
            AvoidanceModel::Reciprocal => false,
            AvoidanceModel::FreeSpeed(_) => true,
        }
    }
}
