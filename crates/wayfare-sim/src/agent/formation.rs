//! Formations: the slots of a group's members about their leader.

use glam::Vec2;

/// The id of a group, given in order of addition and never reused.
///
/// Example: [`GroupSpec`](crate::simulation::GroupSpec).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupId(pub u32);

/// The shape that a group keeps on open ground.
///
/// ```
/// use glam::Vec2;
/// use wayfare::agent::Formation;
///
/// // The first two followers of a line of five, 2 metres apart: one on each side of the leader.
/// let slots = [1, 2].map(|follower| Formation::Line.slot(follower, 5, 2.0));
/// assert_eq!(slots, [Some(Vec2::new(0.0, 2.0)), Some(Vec2::new(0.0, -2.0))]);
/// assert_eq!(Formation::Column.slot(1, 5, 2.0), None); // a place in the file
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Formation {
    /// Side by side, the leader in the middle.
    Line,
    /// One behind the other on the leader's trail: always in file.
    Column,
    /// Two wings that trail back from the leader.
    #[default]
    Wedge,
    /// Rows of equal width, the leader in the middle of the first one.
    Box,
    /// The slots of the followers about the leader, in metres: ahead of it, and to its right.
    /// Spacing does not count. Followers without a slot go in file.
    Own(Vec<Vec2>),
}

impl Formation {
    /// Returns the slot of a follower about the leader, in metres: ahead of it, and to its right.
    /// Seen from above, with z pointing down, right is where z grows while x points ahead.
    ///
    /// `follower`: its index, from 1. `count`: the members, the leader included. `spacing`: the
    /// distance between neighbours in metres. `None`: its slot is in the file behind the leader.
    #[must_use]
    pub fn slot(&self, follower: usize, count: usize, spacing: f32) -> Option<Vec2> {
        // 1, −1, 2, −2, …: right, left, and further out.
        let aside = |place: usize| {
            let out = place.div_ceil(2) as f32;
            if place % 2 == 1 { out } else { -out }
        };
        match self {
            Self::Line => Some(Vec2::new(0.0, aside(follower)) * spacing),
            Self::Column => None,
            Self::Wedge => {
                let out = aside(follower);
                Some(Vec2::new(-out.abs(), out) * spacing)
            }
            Self::Box => {
                let width = (1..).find(|width| width * width >= count).unwrap_or(1);
                let (row, place) = (follower / width, follower % width);
                Some(Vec2::new(-(row as f32), aside(place)) * spacing)
            }
            Self::Own(slots) => slots.get(follower.checked_sub(1)?).copied(),
        }
    }
}
