//! Half blocks: slabs and stairs, and the moves from and to them.
//!
//! A body on a half block is at the block's own voxel, with its feet half a block higher. Here
//! heights are *levels*: halves of a block from the lowest layer. A voxel has the level `2 · y`, or
//! `2 · y + 1` if a body stands on a half block there.
//!
//! # The rules
//!
//! A body has room at an odd level if its feet are in no block and its head, which reaches into the
//! lower half of one more block, is in none either. A move over the ground goes up, across and down
//! again, all by levels, as over full blocks:
//!
//! * A step of one level up or down is a walk. It needs no ability but that.
//! * More levels up are a jump, more levels down a fall. Their limits count levels too.
//! * The edge of stairs towards their [`Ascent`](super::Ascent) lies one level above their voxel. A
//!   straight step over it counts from there, and rises to there.
//! * A gap of a jump has no half block to stand on between the levels of its sides.
//!
//! # Why moves between whole levels need no look at odd ones
//!
//! Let a body fit at the levels `2 · y` and `2 · y + 2`. Then it fits at the level between, since
//! it fills no other blocks there. And it does not stand there: the half block would obstruct it at
//! `2 · y`. So the steps of `ground.rs` stay unchanged, and treat a half block as a full one
//! without footing.
//!
//! # Why pruning holds
//!
//! `steps.rs` prunes a move if other moves, each of them checked, reach the same state. It asks for
//! moves between whole levels alone. Moves from and to half blocks are never pruned.

use wayfare_core::space::{Action, Cost, Edge, EdgeOf};

use super::ground::{ACROSS, STRAIGHT_ACROSS};
use super::layer::reach;
use super::layout::{At, by_axis};
use super::{BlockKind, VoxelSpace};

/// The distance of a position on a half block from the voxel above, in blocks. The point half a
/// block above the middle of the voxel would lie on the border.
pub(super) const SUNK: f32 = 1.0 / 64.0;

impl<C: Cost> VoxelSpace<'_, C> {
    /// Returns whether a body stands on a half block in the voxel of its feet.
    #[inline]
    pub(super) fn is_half(&self, at: At) -> bool {
        match &self.layer.halves {
            Some(halves) => halves.get(&self.blocks.layout, at),
            None => false,
        }
    }

    /// Returns the level of a voxel.
    #[inline]
    pub(super) fn level(&self, at: At) -> i32 {
        2 * at[1] + i32::from(self.is_half(at))
    }

    /// Returns whether a body has room in a column with its feet at a level.
    fn has_room_at(&self, [x, z]: [i32; 2], level: i32) -> bool {
        let [at, above] = [0, 1].map(|up| [x, level.div_euclid(2) + up, z]);
        if level % 2 == 0 { self.fits(at) } else { self.has_half_room(at, above) }
    }

    fn has_half_room(&self, at: At, above: At) -> bool {
        self.is_half(at) || self.fits(at) && self.fits(above)
    }

    /// Returns whether a body has room half a block above the floor of a voxel.
    pub(super) fn fits_half(&self, at @ [x, y, z]: At) -> bool {
        self.has_half_room(at, [x, y + 1, z])
    }

    /// Returns whether a fall ends in a column at a level.
    fn rests_at(&self, [x, z]: [i32; 2], level: i32) -> bool {
        let at = [x, level.div_euclid(2), z];
        if level % 2 == 0 { self.stands(at) || self.swims(at) } else { self.is_half(at) }
    }

    /// Returns the level of a voxel for a straight step towards it or away from it by `(dx, dz)`:
    /// the level of the edge of its stairs, if the step passes it.
    fn edge_level(&self, at @ [x, y, z]: At, way: (i32, i32)) -> i32 {
        let level = self.level(at);
        if level % 2 == 0 {
            return level;
        }
        let (low, high) = reach(self.layer.profile.width);
        let is_edge = |x: i32, z: i32| {
            let block = self.blocks.get([x, y, z]);
            let kind = block.map(|block| self.blocks.palette[usize::from(block.0)].kind);
            matches!(kind, Some(BlockKind::Stairs(ascent)) if ascent.step() == way)
        };
        let under = (z + low..=z + high).flat_map(|z| (x + low..=x + high).map(move |x| (x, z)));
        level + i32::from(under.into_iter().any(|(x, z)| is_edge(x, z)))
    }

    /// Returns the action of the single move over the ground between two voxels, one of them on a
    /// half block, if there is one.
    pub(super) fn half_move(&self, from: At, to: At) -> Option<Action> {
        let profile = &self.layer.profile;
        let [dx, _, dz] = by_axis(|axis| to[axis] - from[axis]);
        let distance = dx.abs().max(dz.abs());
        let is_diagonal = dx != 0 && dz != 0;
        let (first, last) = (self.level(from), self.level(to));
        let starts = self.is_half(from) || self.stands(from);
        let is_near =
            distance == 1 || distance > 1 && !is_diagonal && distance <= profile.jumps_across() + 1;
        if !starts || !is_near {
            return None;
        }
        let (before, after) = if distance == 1 && !is_diagonal {
            (self.edge_level(from, (dx, dz)), self.edge_level(to, (-dx, -dz)))
        } else {
            (first, last)
        };
        let rise = after - before;
        if !(self.is_half(to) || self.stands(to) || rise <= 0 && self.swims(to)) {
            return None;
        }
        let wades = distance == 1 && rise >= -1 && self.swims(to);
        let walks = distance == 1 && rise.abs() <= 1 && profile.abilities.walk;
        let jumps = profile.abilities.jump && (distance > 1 || rise > 0);
        let action = match () {
            () if wades => Action::Swim,
            () if walks => Action::Walk,
            () if jumps => Action::Jump,
            () if rise < 0 => Action::Fall,
            () => return None,
        };
        let is_limited = !wades && !walks;
        let falls = -rise <= 2 * profile.falls() || profile.dives() && self.swims(to);
        if is_limited && (rise > 2 * profile.jumps_up() || rise < 0 && !falls) {
            return None;
        }
        let level = before.max(after).max(first).max(last);
        let (step_x, step_z) = (dx.signum(), dz.signum());
        let column = |step: i32| [from[0] + step_x * step, from[2] + step_z * step];
        let rises = (first + 1..=level).all(|level| self.has_room_at(column(0), level));
        let crosses = (1..=distance).all(|step| self.has_room_at(column(step), level))
            && (!is_diagonal
                || self.has_room_at([to[0], from[2]], level)
                    && self.has_room_at([from[0], to[2]], level));
        let drops = (last + 1..=level).all(|level| {
            self.has_room_at(column(distance), level) && !self.rests_at(column(distance), level)
        });
        let (low, high) = (first.min(last), first.max(last));
        let is_flat = rise <= 0 && distance == 2;
        let is_gap = |step: i32| {
            (is_flat || self.has_room_at(column(step), high + 2))
                && !(profile.abilities.walk
                    && (low..=high).any(|level| self.rests_at(column(step), level)))
        };
        (rises && crosses && drops && (1..distance).all(is_gap)).then_some(action)
    }

    /// Visits the moves over the ground from a half block, or from elsewhere onto half blocks.
    ///
    /// Compiled once, and not once more for each search.
    #[inline(never)]
    pub(super) fn visit_half_moves(&self, at: At, visit: &mut dyn FnMut(EdgeOf<Self>)) {
        let (profile, is_half) = (&self.layer.profile, self.is_half(at));
        if !is_half && !self.stands(at) {
            return;
        }
        let own = self.level(at);
        let mut consider = |to: At| {
            if (is_half || self.is_half(to))
                && let Some(action) = self.half_move(at, to)
            {
                let (cost, action) = self.cheapest(at, to, action);
                visit(Edge { target: self.blocks.layout.voxel(to), cost, action });
            }
        };
        let furthest = profile.jumps_across() + 1;
        for (dx, dz) in ACROSS {
            let furthest = if dx != 0 && dz != 0 { 1 } else { furthest };
            for distance in 1..=furthest {
                let [x, z] = [at[0] + dx * distance, at[2] + dz * distance];
                for y in at[1]..=at[1] + profile.jumps_up() + 1 {
                    if self.level([x, y, z]) >= own {
                        consider([x, y, z]);
                    }
                }
                if self.has_room_at([x, z], own)
                    && let Some(to) = self.first_rest([x, z], own)
                {
                    consider(to);
                }
            }
        }
    }

    /// Returns the voxel where a body that falls from a level comes to rest, below that level.
    fn first_rest(&self, column: [i32; 2], level: i32) -> Option<At> {
        let profile = &self.layer.profile;
        if self.rests_at(column, level) {
            return None;
        }
        // Down stairs by half a block more.
        let deepest = if profile.dives() { i32::MAX } else { 2 * profile.falls().max(1) + 1 };
        let below = (1..=deepest).map(|drop| level - drop);
        let mut free = below.take_while(|&level| self.has_room_at(column, level));
        let level = free.find(|&level| self.rests_at(column, level))?;
        Some([column[0], level.div_euclid(2), column[1]])
    }

    /// Returns the half block on which a body comes to rest after falling from a free voxel at a
    /// whole level, if it may fall that far.
    pub(super) fn end_of_fall_on_half(&self, at @ [x, _, z]: At) -> Option<At> {
        let level = 2 * at[1];
        let falls = 2 * self.layer.profile.falls();
        let end = self.first_rest([x, z], level).filter(|&end| self.is_half(end))?;
        (level - self.level(end) <= falls).then_some(end)
    }

    /// Visits the actions of climbing or swimming that join two voxels, one of them on a half
    /// block: half a block up or down, onto a ladder or wall, off it, or out of the water.
    pub(super) fn visit_half_transfer(&self, from: At, to: At, visit: &mut dyn FnMut(At, Action)) {
        let (first, last) = (self.level(from), self.level(to));
        let level = first.max(last);
        let is_possible = (last - first).abs() == 1
            && [from, to].iter().all(|&[x, _, z]| self.has_room_at([x, z], level));
        if !is_possible {
            return;
        }
        if self.climbs(from) || self.climbs(to) {
            visit(to, Action::Climb);
        }
        let is_sideways = STRAIGHT_ACROSS.contains(&(to[0] - from[0], to[2] - from[2]));
        if self.swims(from) && is_sideways && last > first {
            visit(to, Action::Swim);
        }
    }
}
