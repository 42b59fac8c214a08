//! The rules of movement in voxel worlds, stated a second time: from the blocks, for one move at a
//! time. Validators ask these; searches do not.

use super::layer::reach;
use super::layout::At;
use super::{BlockKind, Voxel, VoxelSpace};
use crate::space::{Action, Cost, IllegalMove, MoveRules, Obstruction, Space};

/// The ways in which a body can be at a place.
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

    /// Whether a body has room with its feet in a voxel.
    pub(crate) fn leaves_room(&self, voxel: Voxel) -> bool {
        self.has_room(self.blocks.layout.at(voxel))
    }

    /// Whether a body has room with its feet at the place.
    fn has_room(&self, [x, y, z]: At) -> bool {
        let profile = &self.layer.profile;
        let (low, high) = reach(profile.width);
        (low..=high).all(|dx| {
            (low..=high).all(|dz| {
                (0..i32::from(profile.height)).all(|dy| match self.kind([x + dx, y + dy, z + dz]) {
                    Some(BlockKind::Air | BlockKind::Ladder) => true,
                    Some(BlockKind::Water) => profile.abilities.swim,
                    Some(BlockKind::Lava) => profile.abilities.swim && profile.endures_lava,
                    Some(BlockKind::Door) => profile.opens_doors,
                    Some(BlockKind::Solid | BlockKind::Climbable) | None => false,
                })
            })
        })
    }

    fn pose(&self, [x, y, z]: At) -> Option<Pose> {
        let profile = &self.layer.profile;
        if !self.has_room([x, y, z]) {
            return None;
        }
        let (low, high) = reach(profile.width);
        let any_under_feet = |dy: i32, wanted: &dyn Fn(BlockKind) -> bool| {
            (low..=high).any(|dx| {
                (low..=high).any(|dz| self.kind([x + dx, y + dy, z + dz]).is_some_and(wanted))
            })
        };
        let swims = any_under_feet(0, &|kind| kind.is_fluid());
        let is_on_ladder = any_under_feet(0, &|kind| kind == BlockKind::Ladder);
        let is_beside_wall = (low - 1..=high + 1).any(|dx| {
            (low - 1..=high + 1).any(|dz| {
                let beside_x = dx < low || dx > high;
                let beside_z = dz < low || dz > high;
                beside_x != beside_z && self.kind([x + dx, y, z + dz]) == Some(BlockKind::Climbable)
            })
        });
        Some(Pose {
            stands: !swims && any_under_feet(-1, &|kind| kind.carries()),
            swims,
            climbs: !swims && profile.abilities.climb && (is_on_ladder || is_beside_wall),
            flies: !swims && profile.abilities.fly,
        })
    }

    /// The actions that make the move, each by itself.
    fn actions(&self, from: At, to: At) -> Vec<Action> {
        let (Some(a), Some(b)) = (self.pose(from), self.pose(to)) else { return Vec::new() };
        let profile = &self.layer.profile;
        let can = profile.abilities;
        let [dx, dy, dz] = [0, 1, 2].map(|axis| to[axis] - from[axis]);
        let across = dx.abs().max(dz.abs());
        let is_straight = dx == 0 || dz == 0;
        let mut actions = Vec::new();

        let box_is_free = || {
            let span = |axis: usize| from[axis].min(to[axis])..=from[axis].max(to[axis]);
            span(0).all(|x| {
                span(1).all(|y| {
                    span(2).all(|z| {
                        let pose = self.pose([x, y, z]);
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

        // Moves over the ground go up, across, and down again.
        let level = from[1].max(to[1]);
        let goes_up = (from[1]..=level).all(|y| self.has_room([from[0], y, from[2]]));
        let goes_across = is_straight
            && (0..=across).all(|step| {
                self.has_room([from[0] + dx.signum() * step, level, from[2] + dz.signum() * step])
            })
            || across == 1
                && [from[0], to[0]]
                    .iter()
                    .all(|&x| [from[2], to[2]].iter().all(|&z| self.has_room([x, level, z])));
        let goes_down = (to[1] + 1..=level)
            .all(|y| self.pose([to[0], y, to[2]]).is_some_and(|pose| !pose.stands && !pose.swims));
        if a.stands && across >= 1 && goes_up && goes_across && goes_down {
            // A leap up, or over more than one block, has room a block above its higher end. Who
            // walks does not leap over ground.
            let rises = dy > 0 || across > 2;
            let is_gap = |step: i32| {
                let column = |y| [from[0] + dx.signum() * step, y, from[2] + dz.signum() * step];
                (!rises || self.has_room(column(level + 1)))
                    && !(from[1].min(to[1])..=level).any(|y| {
                        can.walk
                            && self.pose(column(y)).is_some_and(|pose| pose.stands || pose.swims)
                    })
            };
            let far_enough = can.jump
                && across <= i32::from(profile.jump_distance) + 1
                && (1..across).all(is_gap);
            let up_enough = can.jump && dy <= i32::from(profile.jump_height);
            let dives = can.swim && b.swims;
            let down_enough = can.fall && (-dy <= i32::from(profile.max_fall_distance) || dives);
            let is_leap = across > 1;
            match dy {
                1.. if b.stands && up_enough && (!is_leap || far_enough) => {
                    actions.push(Action::Jump);
                }
                0 if is_leap && far_enough && (b.stands || b.swims) => actions.push(Action::Jump),
                0 if !is_leap && b.stands && can.walk => actions.push(Action::Walk),
                0 if !is_leap && b.swims => actions.push(Action::Swim),
                ..0 if down_enough && (b.stands || b.swims) && (!is_leap || far_enough) => {
                    actions.push(if is_leap { Action::Jump } else { Action::Fall });
                }
                _ => {}
            }
        }

        if a.climbs
            && across == 0
            && dy < 0
            && can.fall
            && (-dy <= i32::from(profile.max_fall_distance) || can.swim && b.swims)
        {
            let falls_through = (to[1] + 1..from[1]).all(|y| {
                self.pose([to[0], y, to[2]]).is_some_and(|pose| !pose.stands && !pose.swims)
            });
            if falls_through && (b.stands || b.swims) {
                actions.push(Action::Fall);
            }
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
                self.has_room([to[0], from[1], to[2]])
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
            (1, true, -1) => a.stands && b.swims && self.has_room([to[0], from[1], to[2]]),
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
            if !self.blocks.layout.is_voxel(end) {
                return Err(Obstruction::OffMap.into());
            }
            self.check(end)?;
        }
        let (a, b) = (self.blocks.layout.at(from), self.blocks.layout.at(to));
        let actions = if from == to { Vec::new() } else { self.actions(a, b) };
        let costs = actions.into_iter().map(|action| self.price(a, b, action));
        costs.min().ok_or(IllegalMove::NotAdjacent)
    }
}
