//! Canonical steps on open ground, from the heights of the columns around.
//!
//! [`Surroundings`] finds steps at all heights of a column at once. Most ground is simpler: each
//! column around has one footing and air above it, or is a wall. Eight numbers then say which steps
//! exist, and which of them are needed after a step: the rules of `steps.rs`, a comparison each.
//!
//! # Why the steps are the same
//!
//! Heights count from the voxel's own footing. A column is *plain* if its voxels from
//! [`LOWEST`] to [`HIGHEST`] are blocked up to some height and free above, with a footing on the
//! lowest free one. Let all columns around be plain, and let the gait rise 2 blocks at most. Then
//!
//! * a column has one landing at most: its height. A column with footings above [`HIGHEST`] or
//!   none is a wall to all these steps;
//! * a body gets across to a column at each height that is not below its footing, and has room to
//!   jump and to fall at each height up to [`HIGHEST`]. So a step between two columns exists if the
//!   rise is in the gait, and a diagonal one if also neither column beside it is above both ends.
//!
//! Elsewhere [`Relief::of`] returns `None`.

use super::bits::LEVEL;
use super::layout::At;
use super::steps::{BESIDE, Beside, Gait, Surroundings, direction};

/// The range of heights that are looked at, in blocks above the voxel.
const LOWEST: i32 = -2;
const HIGHEST: i32 = 3;
/// The bits of that range.
const RANGE: u32 = (1 << (HIGHEST - LOWEST + 1)) - 1;
/// The highest jump for which the range is enough.
const MOST_RISES: u32 = 2;

/// The heights of the columns around a voxel, by direction.
pub struct Relief {
    gait: Gait,
    heights: [i32; 8],
}

impl Relief {
    /// Returns the heights, if all columns are plain.
    #[inline(never)]
    pub fn of(around: &Surroundings) -> Option<Self> {
        let part = |column: u32| column >> (LEVEL as i32 + LOWEST) & RANGE;
        let mut are_plain = around.gait.rises <= MOST_RISES;
        let own = part(around.own);
        are_plain &= own == RANGE & RANGE << -LOWEST;
        let heights = std::array::from_fn(|at| {
            let (open, footing) = (part(around.open[at]), part(around.footing[at]));
            let ground = open & open.wrapping_neg();
            are_plain &= (open + ground) & RANGE == 0 && footing == ground;
            (ground | (RANGE + 1)).trailing_zeros() as i32 + LOWEST
        });
        are_plain.then_some(Self { gait: around.gait, heights })
    }

    /// Returns the rise of a step in a direction.
    #[inline]
    pub fn rise(&self, direction: usize) -> i32 {
        self.heights[direction & 7]
    }

    /// Returns the directions of the steps that are needed after a step from a footing, as bits.
    #[inline(never)]
    pub fn needed(&self, [dx, dy, dz]: At) -> Option<u32> {
        if dx.abs() > 1 || dz.abs() > 1 || dx == 0 && dz == 0 {
            return None;
        }
        let entered = direction(dx, dz);
        let at = |direction: usize| self.heights[direction & 7];
        let (before, ahead) = (-dy, at(entered));
        if at(7 - entered) != before || before > HIGHEST {
            return None; // it came swimming, or climbing, or from beyond the range
        }
        let is_straight = dx == 0 || dz == 0;
        let steps = |from: i32, to: i32| self.gait.steps(from, to);
        let crosses = |from: i32, to: i32, beside: [i32; 2]| {
            steps(from, to) & (beside[0].max(beside[1]) <= from.max(to))
        };
        let mut needed = 0;
        let mut need = |direction: usize, is_needed: bool| {
            needed |= u32::from(is_needed) << direction;
        };
        let [left, right] = BESIDE[entered];
        // The columns that a diagonal step to the column beyond a side passes, besides that side.
        let passed = if is_straight {
            need(entered, steps(0, ahead));
            [entered; 2]
        } else {
            let sides = [7 - right.side, 7 - left.side];
            need(sides[0], steps(0, at(sides[0])));
            need(sides[1], steps(0, at(sides[1])));
            need(entered, crosses(0, ahead, [at(sides[0]), at(sides[1])]));
            sides
        };
        for (Beside { side, behind, ahead: beyond }, next) in [left, right].into_iter().zip(passed)
        {
            let (beside, far) = (at(side), at(beyond));
            let passes = match behind {
                Some(behind) => {
                    let back = at(behind);
                    let is_reached = steps(before, back);
                    need(behind, crosses(0, back, [before, beside]) & !is_reached);
                    crosses(before, beside, [back, 0])
                }
                None => steps(before, beside),
            };
            need(side, steps(0, beside) & !passes);
            let last = beside.abs_diff(far);
            let rises = before.abs_diff(beside) + last;
            let own = before.unsigned_abs() + far.unsigned_abs();
            let is_needless = passes
                & steps(beside, far)
                & ((rises < own) | (rises == own) & (!is_straight | (last <= far.unsigned_abs())));
            need(beyond, crosses(0, far, [beside, at(next)]) & !is_needless);
        }
        Some(needed)
    }
}
