//! Links without a space: two points, and the time between them.

use glam::Vec3;

use super::LinkKind;

/// A link between two points near a navigation mesh, as level geometry or a file gives it.
///
/// ```
/// use wayfare::link::{JumpLink, LinkKind};
///
/// let (from, to) = ([0.5, 0.0, 3.5].into(), [3.0, 0.0, 3.5].into());
/// let leap = JumpLink { kind: LinkKind::Jump, from, to, seconds: 0.6, two_way: true };
/// assert!(leap.from.distance(leap.to) > 2.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JumpLink {
    /// Jump, drop or climb; in files any kind.
    pub kind: LinkKind,
    /// The start: on the mesh, in metres.
    pub from: Vec3,
    /// The end: on the mesh, in metres.
    pub to: Vec3,
    /// The time of the crossing in seconds, above 0.
    pub seconds: f32,
    /// Whether it also leads from `to` to `from`.
    pub two_way: bool,
}
