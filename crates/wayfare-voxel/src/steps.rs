//! Steps over the ground to the eight columns around, at all heights at once, and their pruning.
//!
//! A column's free voxels and its footings are bits of a word. The landings of a step into it are
//! found by a few operations on words, whatever the heights.
//!
//! # Why pruning holds on slopes
//!
//! The argument of [canonical moves](super::canonical) needs only lengths. A step over the ground
//! has the length `across + rise`: [`VOXEL_STRAIGHT`] or [`VOXEL_DIAGONAL`] across, and
//! [`VOXEL_STRAIGHT`] for each block up or down. It is valid as long as moves cost their length.
//!
//! After a step from `p` to `s`, the step from `s` to `t` is pruned if
//!
//! 1. **a single step leads from `p` to `t`.** It is shorter: across, one step is at most a
//!    diagonal, which is less than two steps; and `|rise(p, t)| <= |rise(p, s)| + |rise(s, t)|`.
//! 2. **two steps lead from `p` to `t` over a column beside `s`**, and rise less in all, or as
//!    much. After a diagonal step they are then shorter: two straight steps are shorter than a
//!    diagonal and a straight one. After a straight step both paths are equally long across; the
//!    other ends straight, this one diagonally. So with equal rises the step is pruned if the last
//!    step of the other path rises no more than it does.
//!
//! Each of these steps is checked to exist by the same rules that generate it. Voxels beyond the
//! bits of a column count as blocked, which prunes less.

use super::bits::{LEVEL, Near};
use super::ground::ACROSS;
use super::layout::At;
use super::{VOXEL_DIAGONAL, VOXEL_STRAIGHT, VoxelProfile};

/// The distance that the bits of a column reach below and above a voxel.
pub(super) const WINDOW: i32 = LEVEL as i32;

/// The length of a step across, by direction.
pub const LENGTHS: [u32; 8] = {
    let mut lengths = [VOXEL_STRAIGHT; 8];
    lengths[0] = VOXEL_DIAGONAL;
    lengths[2] = VOXEL_DIAGONAL;
    lengths[5] = VOXEL_DIAGONAL;
    lengths[7] = VOXEL_DIAGONAL;
    lengths
};

/// The parameters of a profile's steps.
#[derive(Clone, Copy)]
pub struct Gait {
    walks: bool,
    pub(super) rises: u32,
    falls: u32,
}

impl Gait {
    /// `falls` is the deepest fall to look for, in blocks.
    pub fn new(profile: &VoxelProfile, falls: i32) -> Self {
        Self {
            walks: profile.abilities.walk,
            rises: profile.jumps_up() as u32,
            falls: falls as u32,
        }
    }

    /// Returns whether a step may lead from one height to another.
    #[inline(always)]
    pub(super) fn steps(self, from: i32, to: i32) -> bool {
        let rise = to - from;
        (rise <= self.rises as i32) & (-rise <= self.falls as i32) & (rise != 0 || self.walks)
    }

    /// Returns the heights that a jump reaches from a level of a column: as far as the head has
    /// room.
    #[inline]
    fn jumps(self, own: u32, level: u32) -> u32 {
        let rises = self.rises.min((own >> (level + 1)).trailing_ones());
        ((1 << rises) - 1) << (level + 1)
    }

    /// Returns the heights in a neighbouring column where steps from `level` end.
    ///
    /// `jumps`: the heights that a jump reaches. `across`: the heights at which the body gets
    /// across.
    #[inline(always)]
    fn landings(self, level: u32, jumps: u32, across: u32, open: u32, footing: u32) -> u32 {
        let here = 1 << level;
        let mut found = across & footing & (jumps | if self.walks { here } else { 0 });
        let mut falling = across & here & !footing;
        for _ in 0..self.falls {
            falling = falling >> 1 & open;
            found |= falling & footing;
            falling &= !footing;
        }
        found
    }
}

/// The columns around a voxel where an agent stands.
pub struct Surroundings {
    /// How the agent moves.
    pub gait: Gait,
    /// The free voxels of the voxel's own column.
    pub own: u32,
    /// The free voxels of each column, by direction.
    pub open: [u32; 8],
    /// The footings of each column, by direction.
    pub footing: [u32; 8],
}

/// The columns on one side of a voxel that was entered in some direction, as direction indices.
#[derive(Clone, Copy)]
pub(super) struct Beside {
    /// The column beside the voxel, which also neighbours the previous column.
    pub(super) side: usize,
    /// The column between `side` and the previous column, if that step is diagonal. It neighbours
    /// both.
    pub(super) behind: Option<usize>,
    /// The column beyond `side`, straight ahead.
    pub(super) ahead: usize,
}

/// The number of a direction; `dx` and `dz` are -1, 0 or 1, not both 0.
pub const fn direction(dx: i32, dz: i32) -> usize {
    let cell = ((dz + 1) * 3 + dx + 1) as usize;
    if cell > 4 { cell - 1 } else { cell }
}

pub(super) static BESIDE: [[Beside; 2]; 8] = {
    let none = Beside { side: 0, behind: None, ahead: 0 };
    let mut table = [[none; 2]; 8];
    let mut entered = 0;
    while entered < 8 {
        let (dx, dz) = ACROSS[entered];
        table[entered] = if dx == 0 || dz == 0 {
            // Along a line: (dz, dx) is across it.
            [
                Beside {
                    side: direction(dz, dx),
                    behind: Some(direction(dz - dx, dx - dz)),
                    ahead: direction(dz + dx, dx + dz),
                },
                Beside {
                    side: direction(-dz, -dx),
                    behind: Some(direction(-dz - dx, -dx - dz)),
                    ahead: direction(dx - dz, dz - dx),
                },
            ]
        } else {
            [
                Beside { side: direction(0, -dz), behind: None, ahead: direction(dx, -dz) },
                Beside { side: direction(-dx, 0), behind: None, ahead: direction(-dx, dz) },
            ]
        };
        entered += 1;
    }
    table
};

impl Surroundings {
    #[inline(never)]
    pub(super) fn new(gait: Gait, fits: Near<'_>, stands: Near<'_>) -> Self {
        let around = |columns: [u32; 9]| {
            let [nw, n, ne, w, own, e, sw, s, se] = columns;
            (own, [nw, n, ne, w, e, sw, s, se])
        };
        let ((own, open), (_, footing)) = (around(fits.columns()), around(stands.columns()));
        Self { gait, own, open, footing }
    }

    /// Returns the levels at which the body gets across to each column. A diagonal needs both
    /// columns beside it.
    #[inline]
    pub fn across(&self) -> [u32; 8] {
        let [nw, n, ne, w, e, sw, s, se] = self.open;
        [nw & n & w, n, ne & n & e, w, e, sw & s & w, s, se & s & e]
    }

    /// Returns whether there is an edge in a direction at the voxel's own level. Such falls are
    /// followed further down.
    #[inline]
    pub(super) fn has_drop(&self, across: &[u32; 8], direction: usize) -> bool {
        across[direction] & !self.footing[direction] & 1 << LEVEL != 0
    }

    /// Returns the heights in each column where steps end.
    #[inline]
    pub fn moves(&self, across: &[u32; 8]) -> [u32; 8] {
        let jumps = self.gait.jumps(self.own, LEVEL);
        std::array::from_fn(|at| {
            self.gait.landings(LEVEL, jumps, across[at], self.open[at], self.footing[at])
        })
    }

    /// Returns the heights in each column from which steps lead to the voxel, in whose column a
    /// body comes to rest at the heights `rests`.
    ///
    /// The mirror image of [`Surroundings::moves`]. A step from below rises in the column that it
    /// leaves, up to the voxel's level. A step from above gets across at its own level, and falls
    /// through the voxel's column, if nothing stops it there.
    pub(super) fn takeoffs(&self, rests: u32) -> [u32; 8] {
        let Gait { walks, rises, falls } = self.gait;
        let passed = ((self.own & !rests) >> (LEVEL + 1)).trailing_ones().min(falls);
        let above = ((1 << passed) - 1) << (LEVEL + 1);
        let level = above | u32::from(walks) << LEVEL;
        let across = self.across();
        std::array::from_fn(|at| {
            let mut found = across[at] & level;
            let mut rising = across[at] & 1 << LEVEL;
            for _ in 0..rises {
                rising = rising >> 1 & self.open[at];
                found |= rising;
            }
            found & self.footing[at]
        })
    }

    /// Removes from `moves` the moves that are pruned after a move by `step`.
    #[inline]
    pub fn prune(&self, moves: &mut [u32; 8], step: At) {
        let [dx, dy, dz] = step;
        if dx == 0 && dz == 0 || dx.abs() > 1 || dz.abs() > 1 || dy.abs() > WINDOW {
            return;
        }
        let entered = direction(dx, dz);
        let before = 7 - entered;
        let level = (WINDOW - dy) as u32;
        if self.footing[before] >> level & 1 == 0 {
            return; // it came swimming, or climbing
        }
        let is_straight = dx == 0 || dz == 0;
        let jumps = self.gait.jumps(self.open[before], level);
        let landings = |across: u32, to: usize| {
            self.gait.landings(level, jumps, across, self.open[to], self.footing[to])
        };
        moves[before] &= !(1 << level);
        for Beside { side, behind, ahead } in BESIDE[entered] {
            let mut across = self.open[side];
            if let Some(behind) = behind {
                across &= self.open[behind] & self.own;
                moves[behind] &= !landings(self.open[behind], behind);
            }
            let beside = landings(across, side);
            moves[side] &= !beside;
            if moves[ahead] != 0 && beside != 0 {
                moves[ahead] &= !self.needless_ahead((level, beside), (side, ahead), is_straight);
            }
        }
    }

    /// Returns the heights straight ahead of `side` that a path over `side` reaches as well as over
    /// the middle.
    #[inline]
    fn needless_ahead(
        &self,
        (before, beside): (u32, u32),
        (side, ahead): (usize, usize),
        is_straight: bool,
    ) -> u32 {
        let mut needless = 0;
        let mut vias = beside;
        while vias != 0 {
            let via = vias.trailing_zeros();
            vias &= vias - 1;
            let jumps = self.gait.jumps(self.open[side], via);
            let mut ends = self.gait.landings(
                via,
                jumps,
                self.open[ahead],
                self.open[ahead],
                self.footing[ahead],
            );
            while ends != 0 {
                let end = ends.trailing_zeros();
                ends &= ends - 1;
                let (first, last) = (before.abs_diff(via), via.abs_diff(end));
                let (own_first, own_last) = (before.abs_diff(LEVEL), LEVEL.abs_diff(end));
                let (up_and_down, own_up_and_down) = (first + last, own_first + own_last);
                // See case 2 of the module's documentation.
                let is_needless = up_and_down < own_up_and_down
                    || up_and_down == own_up_and_down && (!is_straight || last <= own_last);
                needless |= u32::from(is_needless) << end;
            }
        }
        needless
    }
}
