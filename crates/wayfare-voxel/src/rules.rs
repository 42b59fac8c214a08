//! The rules of movement in voxel worlds, stated a second time: from the blocks, for one move at a
//! time. Validators ask these; searches do not.

use wayfare_core::space::{Action, Cost, IllegalMove, MoveRules, Space};

use super::layer::reach;
use super::layout::{At, by_axis};
use super::{Ascent, BlockKind, Voxel, VoxelSpace};

/// The postures that are possible for a body at a voxel.
#[derive(Clone, Copy)]
struct Pose {
    stands: bool,
    swims: bool,
    climbs: bool,
    flies: bool,
}

impl<C: Cost> VoxelSpace<'_, C> {
    fn kind(&self, at: At) -> Option<BlockKind> {
        self.blocks.get(at).map(|block| self.blocks.palette[usize::from(block.0)].kind)
    }

    /// Returns whether a body has room with its feet in a voxel, or on the half block in it.
    #[doc(hidden)]
    pub fn leaves_room(&self, voxel: Voxel) -> bool {
        let at = self.blocks.layout.at(voxel);
        self.has_room([at[0], at[2]], self.level_of(at))
    }

    /// Returns the part of a block that no body passes, in halves of a block from its floor.
    fn filled(&self, at: At) -> i32 {
        let profile = &self.layer.profile;
        let passes = match self.kind(at) {
            Some(BlockKind::Half | BlockKind::Stairs(_)) if !profile.abilities.fly => return 1,
            Some(BlockKind::Air | BlockKind::Ladder) => true,
            Some(BlockKind::Water) => profile.abilities.swim,
            Some(BlockKind::Lava) => profile.abilities.swim && profile.endures_lava,
            Some(BlockKind::Door) => profile.opens_doors,
            _ => false,
        };
        if passes { 0 } else { 2 }
    }

    /// Returns the voxels under the feet of a body, in one layer.
    fn under_feet(&self, [x, z]: [i32; 2], y: i32) -> impl Iterator<Item = At> + use<C> {
        let (low, high) = reach(self.layer.profile.width);
        (low..=high).flat_map(move |dx| (low..=high).map(move |dz| [x + dx, y, z + dz]))
    }

    /// Returns whether a body has room in a column with its feet at a height, in halves of a block.
    fn has_room(&self, column: [i32; 2], height: i32) -> bool {
        let head = height + 2 * i32::from(self.layer.profile.height);
        (height.div_euclid(2)..=(head - 1).div_euclid(2)).all(|y| {
            self.under_feet(column, y).all(|at| {
                let filled = self.filled(at);
                filled == 0 || 2 * y + filled <= height
            })
        })
    }

    /// Returns the height of the feet of a body at a voxel, in halves of a block.
    fn level_of(&self, at: At) -> i32 {
        let (column, floor) = ([at[0], at[2]], 2 * at[1]);
        let is_raised = !self.has_room(column, floor)
            && self.pose(column, floor + 1).is_some_and(|pose| pose.stands);
        floor + i32::from(is_raised)
    }

    /// Returns the same as [`level_of`](Self::level_of), for a straight step by `(dx, dz)` from the
    /// voxel or against it: on the high side of stairs half a block more.
    fn level_over_edge(&self, at: At, (dx, dz): (i32, i32)) -> i32 {
        let level = self.level_of(at);
        let is_edge = |kind| match kind {
            Some(BlockKind::Stairs(Ascent::East)) => dx > 0,
            Some(BlockKind::Stairs(Ascent::West)) => dx < 0,
            Some(BlockKind::Stairs(Ascent::South)) => dz > 0,
            Some(BlockKind::Stairs(Ascent::North)) => dz < 0,
            _ => false,
        };
        let mut under = self.under_feet([at[0], at[2]], at[1]);
        let is_raised = level % 2 == 1 && under.any(|at| is_edge(self.kind(at)));
        level + i32::from(is_raised)
    }

    fn pose(&self, column @ [x, z]: [i32; 2], height: i32) -> Option<Pose> {
        let profile = &self.layer.profile;
        if !self.has_room(column, height) {
            return None;
        }
        let y = height.div_euclid(2);
        let is_raised = height % 2 != 0;
        let is_at_feet = |wanted: &dyn Fn(BlockKind) -> bool| {
            !is_raised && self.under_feet(column, y).any(|at| self.kind(at).is_some_and(wanted))
        };
        let swims = is_at_feet(&|kind| kind.is_fluid());
        let is_on_ladder = is_at_feet(&|kind| kind == BlockKind::Ladder);
        let (low, high) = reach(profile.width);
        let is_beside_wall = (low - 1..=high + 1).any(|dx| {
            (low - 1..=high + 1).any(|dz| {
                let beside_x = dx < low || dx > high;
                let beside_z = dz < low || dz > high;
                beside_x != beside_z && self.kind([x + dx, y, z + dz]) == Some(BlockKind::Climbable)
            })
        });
        // Its feet are at the top of some block below them.
        let carrier = (height - 1).div_euclid(2);
        let mut below = self.under_feet(column, carrier);
        let is_carried = below.any(|at| {
            let carries = self.kind(at).is_some_and(BlockKind::carries);
            carries && 2 * carrier + self.filled(at) == height
        });
        Some(Pose {
            stands: !swims && is_carried,
            swims,
            climbs: !is_raised
                && !swims
                && profile.abilities.climb
                && (is_on_ladder || is_beside_wall),
            flies: !swims && profile.abilities.fly,
        })
    }

    /// Returns the actions that make the move, each by itself.
    fn actions(&self, from: At, to: At) -> Vec<Action> {
        let (start, end) = ([from[0], from[2]], [to[0], to[2]]);
        let (first, last) = (self.level_of(from), self.level_of(to));
        let (Some(a), Some(b)) = (self.pose(start, first), self.pose(end, last)) else {
            return Vec::new();
        };
        let profile = &self.layer.profile;
        let can = profile.abilities;
        let [dx, dy, dz] = by_axis(|axis| to[axis] - from[axis]);
        let across = dx.abs().max(dz.abs());
        let is_straight = dx == 0 || dz == 0;
        let is_raised = first % 2 != 0 || last % 2 != 0;
        let mut actions = Vec::new();

        let box_is_free = || {
            let span = |axis: usize| from[axis].min(to[axis])..=from[axis].max(to[axis]);
            span(0).all(|x| {
                span(1).all(|y| {
                    span(2).all(|z| {
                        let pose = self.pose([x, z], 2 * y);
                        pose.is_some_and(|pose| pose.flies || pose.swims)
                    })
                })
            })
        };
        if across <= 1
            && dy.abs() <= 1
            && (a.flies || a.swims)
            && (b.flies || b.swims)
            && box_is_free()
        {
            actions.push(if b.swims { Action::Swim } else { Action::Fly });
        }

        // Moves over the ground go up, across, and down again. Heights are in halves of a block.
        let is_step = across == 1 && is_straight;
        let (before, after) = if is_step {
            (self.level_over_edge(from, (dx, dz)), self.level_over_edge(to, (-dx, -dz)))
        } else {
            (first, last)
        };
        let rise = after - before;
        let level = before.max(after);
        let goes_up = (first..=level).all(|height| self.has_room(start, height));
        let goes_across = is_straight
            && (0..=across).all(|step| {
                self.has_room([from[0] + dx.signum() * step, from[2] + dz.signum() * step], level)
            })
            || across == 1
                && [from[0], to[0]]
                    .iter()
                    .all(|&x| [from[2], to[2]].iter().all(|&z| self.has_room([x, z], level)));
        let falls_past =
            |height: i32| self.pose(end, height).is_some_and(|pose| !pose.stands && !pose.swims);
        let goes_down = (last + 1..=level).all(falls_past);
        if a.stands && across >= 1 && goes_up && goes_across && goes_down {
            // A leap up, or over more than one block, has room a block above its higher end.
            // Walkers do not leap over ground.
            let rises = rise > 0 || across > 2;
            let is_gap = |step: i32| {
                let column = [from[0] + dx.signum() * step, from[2] + dz.signum() * step];
                (!rises || self.has_room(column, level + 2))
                    && !(first.min(last)..=level).any(|height| {
                        let pose = self.pose(column, height);
                        can.walk && pose.is_some_and(|pose| pose.stands || pose.swims)
                    })
            };
            let far_enough = can.jump
                && across <= i32::from(profile.jump_distance) + 1
                && (1..across).all(is_gap);
            let up_enough = can.jump && rise <= 2 * i32::from(profile.jump_height);
            let dives = can.swim && b.swims;
            let down_enough =
                can.fall && (-rise <= 2 * i32::from(profile.max_fall_distance) || dives);
            let is_leap = across > 1;
            match rise {
                _ if !is_leap && b.stands && can.walk && rise.abs() <= 1 => {
                    actions.push(Action::Walk);
                }
                _ if !is_leap && b.swims && (-1..=0).contains(&rise) => {
                    actions.push(Action::Swim);
                }
                1.. if b.stands && up_enough && (!is_leap || far_enough) => {
                    actions.push(Action::Jump);
                }
                0 if is_leap && far_enough && (b.stands || b.swims) => actions.push(Action::Jump),
                ..0 if down_enough && (b.stands || b.swims) && (!is_leap || far_enough) => {
                    actions.push(if is_leap { Action::Jump } else { Action::Fall });
                }
                _ => {}
            }
        }

        if a.climbs
            && across == 0
            && last < first
            && can.fall
            && (first - last <= 2 * i32::from(profile.max_fall_distance) || can.swim && b.swims)
            && (last + 1..first).all(falls_past)
            && (b.stands || b.swims)
        {
            actions.push(Action::Fall);
        }

        if is_raised {
            // Half a block up or down.
            let passes = [start, end].iter().all(|&end| self.has_room(end, first.max(last)));
            if passes && is_straight && across <= 1 && (last - first).abs() == 1 {
                if a.climbs || b.climbs {
                    actions.push(Action::Climb);
                }
                if a.swims && across == 1 && last > first {
                    actions.push(Action::Swim);
                }
            }
            return actions;
        }
        let grips = match (across, is_straight, dy) {
            (0, _, 1 | -1) => {
                (a.climbs && (b.climbs || b.stands || b.swims))
                    || (b.climbs && (a.stands || a.swims))
            }
            (1, true, 0) => {
                (a.climbs && (b.climbs || b.stands || b.swims))
                    || (b.climbs && (a.stands || a.swims))
            }
            (1, true, 1) => {
                goes_up && ((a.climbs && (b.climbs || b.stands)) || (a.swims && b.climbs))
            }
            (1, true, -1) => {
                self.has_room(end, first)
                    && ((a.climbs && (b.climbs || b.stands)) || (a.stands && b.climbs))
            }
            _ => false,
        };
        if grips {
            actions.push(Action::Climb);
        }
        let wades = match (across, is_straight, dy) {
            (1, true, 0) => a.swims && b.stands,
            (1, true, 1) => a.swims && b.stands && goes_up,
            (1, true, -1) => a.stands && b.swims && self.has_room(end, first),
            _ => false,
        };
        if wades {
            actions.push(Action::Swim);
        }
        actions
    }
}

impl<C: Cost> MoveRules for VoxelSpace<'_, C> {
    fn check_move(&self, from: Voxel, to: Voxel) -> Result<C, IllegalMove> {
        for end in [from, to] {
            self.check(end)?;
        }
        let (a, b) = (self.blocks.layout.at(from), self.blocks.layout.at(to));
        let actions = if from == to { Vec::new() } else { self.actions(a, b) };
        let costs = actions.into_iter().map(|action| self.price(a, b, action));
        costs.min().ok_or(IllegalMove::NotAdjacent)
    }
}
