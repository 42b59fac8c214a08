//! The shortest line through a row of portals.
//!
//! Source: the funnel algorithm of Lee and Preparata, "Euclidean Shortest Paths in the Presence of
//! Rectilinear Barriers" (1984).

use glam::DVec2;

use super::plan::turn;

/// A turn of a taut line at an end of a portal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunnelTurn {
    /// The index of the portal.
    pub(crate) portal: usize,
    /// Which end of it: 0 for the left one, 1 for the right one.
    pub(crate) end: usize,
    /// The point of that end.
    pub(crate) place: DVec2,
    /// The start of the leg to it.
    pub(crate) from: DVec2,
}

/// Pulls a line taut from `start` to `goal` through `count` portals, and visits its turns in order.
/// `portal` gives the left and the right end of each, as seen from the side of `start`.
///
/// Keeps a funnel from an apex: the widest view past all portals so far. If a portal lies beside
/// the view, the side that bounds the view becomes a turning point, and a new funnel starts there.
/// A portal is visited again only after a turn at a point that a later portal shares.
pub(crate) fn pull(
    start: DVec2,
    goal: DVec2,
    count: usize,
    portal: impl Fn(usize) -> [DVec2; 2],
    mut visit: impl FnMut(FunnelTurn),
) {
    let mut apex = start;
    // The bounds of the view with the portals that they belong to; `None` before the first one.
    let mut left: Option<(DVec2, usize)> = None;
    let mut right: Option<(DVec2, usize)> = None;
    let mut index = 0;
    while index <= count {
        let ends = if index < count { portal(index) } else { [goal, goal] };
        let turned = if let Some((bound, at)) =
            left.filter(|(bound, _)| *bound != apex && turn(apex, *bound, ends[1]) > 0.0)
        {
            Some((bound, at, 0))
        } else {
            right
                .filter(|(bound, _)| *bound != apex && turn(apex, *bound, ends[0]) < 0.0)
                .map(|(bound, at)| (bound, at, 1))
        };
        if let Some((place, portal, end)) = turned {
            visit(FunnelTurn { portal, end, place, from: apex });
            apex = place;
            (left, right) = (None, None);
            index = portal + 1;
            continue;
        }
        let narrows = |bound: Option<(DVec2, usize)>, end: DVec2, sign: f64| {
            bound.is_none_or(|(bound, _)| bound == apex || turn(apex, bound, end) * sign <= 0.0)
        };
        if narrows(left, ends[0], 1.0) {
            left = Some((ends[0], index));
        }
        if narrows(right, ends[1], -1.0) {
            right = Some((ends[1], index));
        }
        index += 1;
    }
}
