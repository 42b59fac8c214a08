//! Links between points of a navigation mesh, as arcs.

use glam::Vec3;

use crate::Colour;

/// The straight parts of an arc.
const PARTS: u32 = 16;

/// A link as an arc in space: it rises by a quarter of its length in plan, and bows to the right of
/// its direction, so that from above a link up and one back down lie side by side.
///
/// ```
/// use wayfare_draw::{Colour, LinkArc};
///
/// let ends = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]].map(Into::into);
/// let leap = LinkArc { ends, two_way: true, colour: Colour::hex(0xffb02e) };
/// assert!(leap.strokes().iter().flatten().any(|point| point.y == 1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LinkArc {
    /// The first end and the second, in metres.
    pub ends: [Vec3; 2],
    /// Whether it goes back too. One that does not has an arrowhead.
    pub two_way: bool,
    /// Its colour.
    pub colour: Colour,
}

impl LinkArc {
    /// Returns the straight lines that it is drawn with.
    #[must_use]
    pub fn strokes(&self) -> Vec<[Vec3; 2]> {
        let [from, to] = self.ends;
        let along = (to - from).with_y(0.0);
        let right = Vec3::new(-along.z, 0.0, along.x) * 0.12;
        let up = Vec3::Y * (along.length() * 0.25).max(0.2);
        let point = |part: u32| {
            let share = part as f32 / PARTS as f32;
            from.lerp(to, share) + (up + right) * (4.0 * share * (1.0 - share))
        };
        let mut strokes: Vec<[Vec3; 2]> =
            (0..PARTS).map(|part| [point(part), point(part + 1)]).collect();
        if !self.two_way {
            let back = point(PARTS - 3) - to;
            let barb = back * (0.35 / back.length().max(0.35));
            let aside = Vec3::new(-barb.z, 0.0, barb.x) * 0.5;
            strokes.extend([[to, to + barb + aside], [to, to + barb - aside]]);
        }
        strokes
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.ends.iter().all(|end| end.is_finite())
    }
}
