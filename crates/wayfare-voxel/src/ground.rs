//! Moves over the ground: walking, jumping up and across, falling.
//!
//! Each goes up from the footing, across at that level, and down again. All that the body passes
//! must be free.
//!
//! Steps onto half blocks and off them stand in `half.rs`.
//!
//! [`VoxelProfile::max_fall_distance`](super::VoxelProfile::max_fall_distance) bounds falls onto
//! the ground. Agents that fall and swim dive into water from any height.

use wayfare_core::space::{Action, Cost, Edge, EdgeOf};

use super::layout::{At, by_axis};
use super::relief::Relief;
use super::steps::{Gait, LENGTHS, Surroundings, WINDOW};
use super::volume::bits;
use super::{VOXEL_STRAIGHT, Voxel, VoxelSpace};

/// The horizontal directions along x and z, in the order of a grid's directions along x and y.
pub const ACROSS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// The four straight horizontal directions.
pub(crate) const STRAIGHT_ACROSS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// Returns the action of a step to a column beside, by its rise.
#[inline]
pub(super) fn step_action(rise: i32) -> Action {
    match rise {
        ..0 => Action::Fall,
        0 => Action::Walk,
        1.. => Action::Jump,
    }
}

impl<C: Cost> VoxelSpace<'_, C> {
    #[inline]
    pub(super) fn fits(&self, at: At) -> bool {
        self.layer.fits.get(&self.blocks.layout, at)
    }

    #[inline]
    pub(super) fn stands(&self, at: At) -> bool {
        self.layer.stands.get(&self.blocks.layout, at)
    }

    #[inline]
    pub(super) fn swims(&self, at: At) -> bool {
        self.layer.swims.get(&self.blocks.layout, at)
    }

    #[inline]
    pub(super) fn climbs(&self, at: At) -> bool {
        self.layer.climbs.get(&self.blocks.layout, at)
    }

    /// Visits the moves over the ground from a footing. Steps to the columns around are pruned as
    /// after a move by `step`.
    #[inline]
    pub(super) fn visit_ground_moves(
        &self,
        state: Voxel,
        at: At,
        step: Option<At>,
        visit: &mut impl FnMut(EdgeOf<Self>),
    ) {
        let profile = &self.layer.profile;
        let falls = profile.falls();
        // Falls deeper than a column's bits, or into water, are followed block by block.
        let falls_far = falls > WINDOW || profile.abilities.swim;
        let gait = Gait::new(profile, if falls_far { 0 } else { falls });
        let (fits, stands) = (self.layer.fits.near(state), self.layer.stands.near(state));
        let around = Surroundings::new(gait, fits, stands);
        let is_plain = self.layer.costs.is_uniform && !self.layer.has_rivals;
        let [x, y, z] = self.blocks.layout.around(state);
        // A step that costs its length.
        let step_of = |direction: usize, rise: i32| {
            let (dx, dz) = ACROSS[direction & 7];
            let height = match rise {
                -1..=1 => y[(rise + 1) as usize],
                _ => self.blocks.layout.voxel([0, at[1] + rise, 0]).0,
            };
            let length = LENGTHS[direction & 7] + rise.unsigned_abs() * VOXEL_STRAIGHT;
            Edge {
                target: Voxel(x[(dx + 1) as usize] | height | z[(dz + 1) as usize]),
                cost: C::from_u64(length.into()),
                action: step_action(rise),
            }
        };
        if let Some(step) = step.filter(|_| !falls_far && profile.jumps_across() == 0)
            && let Some(relief) = Relief::of(&around)
            && let Some(needed) = relief.needed(step)
        {
            for direction in bits(needed) {
                visit(step_of(direction as usize, relief.rise(direction as usize)));
            }
            return;
        }
        let across = around.across();
        let mut moves = around.moves(&across);
        if let Some(step) = step {
            around.prune(&mut moves, step);
        }
        let far = |to: At, action: Action, visit: &mut dyn FnMut(EdgeOf<Self>)| {
            let (cost, action) = self.cheapest(at, to, action);
            visit(Edge { target: self.blocks.layout.voxel(to), cost, action });
        };
        for (direction, (dx, dz)) in ACROSS.into_iter().enumerate() {
            if falls_far && around.has_drop(&across, direction) {
                let over = [at[0] + dx, at[1], at[2] + dz];
                if self.swims(over) {
                    far(over, Action::Swim, visit);
                } else if let Some(to) = self.end_of_fall(over) {
                    far(to, Action::Fall, visit);
                }
            }
            let mut ends = moves[direction];
            while ends != 0 {
                let rise = ends.trailing_zeros() as i32 - WINDOW;
                ends &= ends - 1;
                if is_plain {
                    visit(step_of(direction, rise));
                } else {
                    far([at[0] + dx, at[1] + rise, at[2] + dz], step_action(rise), visit);
                }
            }
        }
        if profile.jumps_across() > 0 {
            self.visit_leaps(at, &mut |to, action| far(to, action, visit));
        }
    }

    /// Returns where a body that falls from a free voxel comes to rest, if it may fall that far: on
    /// the first footing or in the first water below.
    pub(super) fn end_of_fall(&self, [x, y, z]: At) -> Option<At> {
        let profile = &self.layer.profile;
        let (falls, dives) = (profile.falls(), profile.dives());
        let below = (1..=if dives { i32::MAX } else { falls }).map(|drop| [x, y - drop, z]);
        let mut free = below.take_while(|&at| self.fits(at));
        let end = free.find(|&at| self.stands(at) || self.swims(at))?;
        (y - end[1] <= falls || dives && self.swims(end)).then_some(end)
    }

    /// Returns whether a jump along x or z is one across a gap, and has room for its arc.
    ///
    /// Up, or over more than one block, the arc rises into the block above the higher end, which
    /// has to be free. A leap over one block, level or down, rises by a quarter of a block at most
    /// and needs no more room than a walk: see `Rail::lift`. In the columns between the ends there
    /// is nothing to stand on or swim in, from the lower end's level to the higher one's: a body
    /// that walks does not hop over ground that it could walk. For bodies that cannot walk, ground
    /// is a gap too.
    fn crosses_gap(&self, from: At, to: At) -> bool {
        let (low, high) = (from[1].min(to[1]), from[1].max(to[1]));
        let [dx, dz] = [to[0] - from[0], to[2] - from[2]];
        let walks = self.layer.profile.abilities.walk;
        let is_flat = to[1] <= from[1] && dx.abs().max(dz.abs()) == 2;
        (1..dx.abs().max(dz.abs())).all(|step| {
            let at = |y: i32| [from[0] + dx.signum() * step, y, from[2] + dz.signum() * step];
            let is_footing =
                |y: i32| self.stands(at(y)) || self.swims(at(y)) || self.is_half(at(y));
            (is_flat || self.fits(at(high + 1))) && !(walks && (low..=high).any(is_footing))
        })
    }

    /// Visits the jumps across gaps: along x or z, two blocks or more.
    fn visit_leaps(&self, [x, y, z]: At, visit: &mut dyn FnMut(At, Action)) {
        let across = self.layer.profile.jumps_across();
        let rise = (1..=self.layer.profile.jumps_up())
            .take_while(|&rise| self.fits([x, y + rise, z]))
            .count() as i32;
        for (dx, dz) in STRAIGHT_ACROSS {
            for up in 0..=rise {
                for distance in 1..=across + 1 {
                    let over = [x + dx * distance, y + up, z + dz * distance];
                    if !self.fits(over) {
                        break;
                    }
                    if distance == 1 {
                        continue;
                    }
                    let end = if self.stands(over) || up == 0 && self.swims(over) {
                        Some(over)
                    } else if up == 0 {
                        self.end_of_fall(over)
                    } else {
                        None
                    };
                    if let Some(end) = end.filter(|&end| self.crosses_gap([x, y, z], end)) {
                        visit(end, Action::Jump);
                    }
                }
            }
        }
    }

    /// Returns the action of the single move over the ground between two voxels, if there is one.
    pub(super) fn ground_move(&self, from: At, to: At) -> Option<Action> {
        if self.is_half(from) || self.is_half(to) {
            return self.half_move(from, to);
        }
        let profile = &self.layer.profile;
        let [dx, dy, dz] = by_axis(|axis| to[axis] - from[axis]);
        let distance = dx.abs().max(dz.abs());
        let (step_x, step_z) = (dx.signum(), dz.signum());
        let is_diagonal = dx != 0 && dz != 0;
        let in_reach = distance >= 1
            && (distance == 1 || !is_diagonal && distance <= profile.jumps_across() + 1)
            && dy <= profile.jumps_up()
            && (-dy <= profile.falls() || profile.dives() && self.swims(to));
        let lands = self.stands(to) || dy <= 0 && self.swims(to);
        if !in_reach || !lands || !self.stands(from) {
            return None;
        }
        let level = from[1].max(to[1]);
        let rises = (from[1] + 1..=level).all(|y| self.fits([from[0], y, from[2]]));
        let crosses = (1..=distance)
            .all(|step| self.fits([from[0] + step_x * step, level, from[2] + step_z * step]))
            && (!is_diagonal
                || self.fits([to[0], level, from[2]]) && self.fits([from[0], level, to[2]]));
        let drops = (to[1] + 1..=level).all(|y| {
            let above = [to[0], y, to[2]];
            self.fits(above) && !self.stands(above) && !self.swims(above)
        });
        let action = if distance > 1 || dy > 0 {
            Action::Jump
        } else if dy < 0 {
            Action::Fall
        } else if self.swims(to) {
            Action::Swim
        } else if profile.abilities.walk {
            Action::Walk
        } else {
            return None;
        };
        let is_sound = rises && crosses && drops && (distance == 1 || self.crosses_gap(from, to));
        is_sound.then_some(action)
    }
}
