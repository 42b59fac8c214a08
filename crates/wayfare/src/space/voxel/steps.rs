//! Moves over the ground to the eight columns around, at all heights at once, and which of them are needless.
//!
//! A column's free voxels and its footings are the bits of a word, so that where a body can get to in it takes a few operations
//! whatever the heights.
//!
//! The rule of [canonical moves](super::canonical) holds on slopes too, as long as moves cost just their length: the way across and
//! one for each block up or down. A move from `s` to `t` is left out after one from `p` to `s` where
//!
//! * a single move leads from `p` to `t`: it is always shorter than two;
//! * two moves lead from `p` over a column beside `s` to `t`, and are shorter or, of the same length, the last of them is.

use super::bits::{LEVEL, Near};
use super::ground::ACROSS;
use super::layout::At;
use super::{VOXEL_DIAGONAL, VOXEL_STRAIGHT, VoxelProfile};

/// How far the bits of a column reach below and above a voxel.
pub(super) const WINDOW: i32 = LEVEL as i32;

/// The lengths of moves across, by direction.
pub(super) const LENGTHS: [u32; 8] = {
    let mut lengths = [VOXEL_STRAIGHT; 8];
    lengths[0] = VOXEL_DIAGONAL;
    lengths[2] = VOXEL_DIAGONAL;
    lengths[5] = VOXEL_DIAGONAL;
    lengths[7] = VOXEL_DIAGONAL;
    lengths
};

/// How a profile moves over the ground.
#[derive(Clone, Copy)]
pub(super) struct Gait {
    walks: bool,
    rises: u32,
    falls: u32,
}

impl Gait {
    /// Falls no deeper than that are looked for.
    pub(super) fn new(profile: &VoxelProfile, falls: i32) -> Self {
        Self {
            walks: profile.abilities.walk,
            rises: profile.jumps_up() as u32,
            falls: falls as u32,
        }
    }

    /// The heights that a jump leads up to from a level of a column: as far as the head has room.
    #[inline]
    fn jumps(self, own: u32, level: u32) -> u32 {
        let rises = self.rises.min((own >> (level + 1)).trailing_ones());
        ((1 << rises) - 1) << (level + 1)
    }

    /// The heights in a column next to it at which moves from a level end. `jumps`: where a jump may lead; `across`: where the
    /// body gets across.
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

/// The columns around a voxel where one stands.
pub(super) struct Surroundings {
    gait: Gait,
    /// The voxel's own column.
    own: u32,
    /// Where the body fits, by direction.
    open: [u32; 8],
    /// Where it stands.
    footing: [u32; 8],
}

/// What has to be known of the two columns beside a voxel that was entered in some direction, as numbers of directions.
#[derive(Clone, Copy)]
struct Beside {
    /// The column itself, next to the voxel and to the one before.
    side: usize,
    /// The column between it and the one before, where that move is diagonal; that one is itself next to both.
    behind: Option<usize>,
    /// The column beyond it, straight ahead.
    ahead: usize,
}

const fn direction(dx: i32, dz: i32) -> usize {
    let cell = ((dz + 1) * 3 + dx + 1) as usize;
    if cell > 4 { cell - 1 } else { cell }
}

static BESIDE: [[Beside; 2]; 8] = {
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
    #[inline]
    pub(super) fn new(gait: Gait, fits: Near<'_>, stands: Near<'_>) -> Self {
        Self {
            gait,
            own: fits.column(0, 0),
            open: ACROSS.map(|(dx, dz)| fits.column(dx, dz)),
            footing: ACROSS.map(|(dx, dz)| stands.column(dx, dz)),
        }
    }

    /// The levels at which the body gets across to each column: diagonals need both corners.
    #[inline]
    pub(super) fn across(&self) -> [u32; 8] {
        let [nw, n, ne, w, e, sw, s, se] = self.open;
        [nw & n & w, n, ne & n & e, w, e, sw & s & w, s, se & s & e]
    }

    /// The directions that lead off the edge, on the voxel's own level: for falls that are followed further down.
    #[inline]
    pub(super) fn has_drop(&self, across: &[u32; 8], direction: usize) -> bool {
        across[direction] & !self.footing[direction] & 1 << LEVEL != 0
    }

    /// The heights in each column at which moves end.
    #[inline]
    pub(super) fn moves(&self, across: &[u32; 8]) -> [u32; 8] {
        let jumps = self.gait.jumps(self.own, LEVEL);
        std::array::from_fn(|at| {
            self.gait.landings(LEVEL, jumps, across[at], self.open[at], self.footing[at])
        })
    }

    /// Takes out of the moves those that are needless after a move by that step.
    #[inline]
    pub(super) fn prune(&self, moves: &mut [u32; 8], step: At) {
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

    /// Of the heights straight ahead of a column beside, those that are reached over it no later than over the middle.
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
                // After a straight move both ways are as long across, and of the last moves ours is the diagonal one; after a
                // diagonal move the way over the column beside is shorter.
                let is_needless = up_and_down < own_up_and_down
                    || up_and_down == own_up_and_down && (!is_straight || last <= own_last);
                needless |= u32::from(is_needless) << end;
            }
        }
        needless
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_numbered_in_their_order() {
        for (number, (dx, dz)) in ACROSS.into_iter().enumerate() {
            assert_eq!(direction(dx, dz), number);
            assert_eq!(LENGTHS[number] == VOXEL_DIAGONAL, dx != 0 && dz != 0);
        }
    }

    #[test]
    fn on_a_plain_and_on_a_ramp_one_move_continues_a_straight_one_and_three_a_diagonal() {
        let profile = VoxelProfile { max_fall_distance: 1, ..VoxelProfile::default() };
        for slope in [0, 1] {
            // Ground that rises by that much for each block along x.
            let height = |dx: i32| LEVEL as i32 + slope * dx;
            let open = |dx: i32| !0u32 << height(dx);
            let around = Surroundings {
                gait: Gait::new(&profile, 1),
                own: open(0),
                open: ACROSS.map(|(dx, _)| open(dx)),
                footing: ACROSS.map(|(dx, _)| 1 << height(dx)),
            };
            for (dx, dz) in ACROSS {
                let mut moves = around.moves(&around.across());
                assert_eq!(moves.iter().map(|ends| ends.count_ones()).sum::<u32>(), 8);
                around.prune(&mut moves, [dx, slope * dx, dz]);
                let kept: Vec<_> =
                    (0..8).filter(|&at| moves[at] != 0).map(|at| ACROSS[at]).collect();
                if dx == 0 || dz == 0 {
                    assert_eq!(kept, [(dx, dz)]);
                } else {
                    assert_eq!(kept.len(), 3);
                    assert!([(dx, dz), (dx, 0), (0, dz)].iter().all(|way| kept.contains(way)));
                }
            }
        }
    }
}
