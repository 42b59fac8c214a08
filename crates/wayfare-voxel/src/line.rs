//! Lines of sight through voxel worlds.

use std::ops::RangeInclusive;

use glam::{DVec3, Vec3, Vec3Swizzles};
use wayfare_core::inside::{disc_sweep_is_clear, floor};
use wayfare_core::space::{Cost, LineOfSight, OpenSwath};

use super::ball::ball_sweep_is_clear;
use super::layout::{At, by_axis};
use super::{BlockPosition, Voxel, VoxelSpace};
use crate::VOXEL_STRAIGHT;

/// Visits every voxel that the line between the middles of two voxels touches, until `visit`
/// returns false. Returns whether it never did.
///
/// Exact integer arithmetic. Where the line passes an edge or a corner, all voxels around it count.
fn touches(from: At, to: At, mut visit: impl FnMut(At) -> bool) -> bool {
    let away = by_axis(|axis| i64::from(from[axis].abs_diff(to[axis])));
    let sign = by_axis(|axis| (to[axis] - from[axis]).signum());
    let mut crossed = [0i64; 3];
    let mut at = from;
    if !visit(at) {
        return false;
    }
    while at != to {
        // The next crossing along an axis lies at (2·crossed + 1) / (2·away) of the line. Fractions
        // are compared without a division.
        let due = |axis: usize| (2 * crossed[axis] + 1, 2 * away[axis]);
        let mut next: Option<(i64, i64)> = None;
        for axis in (0..3).filter(|&axis| crossed[axis] < away[axis]) {
            let (n, d) = due(axis);
            if next
                .is_none_or(|(m, e)| i128::from(n) * i128::from(e) < i128::from(m) * i128::from(d))
            {
                next = Some((n, d));
            }
        }
        let Some((m, e)) = next else { return true };
        let crosses = by_axis(|axis| {
            let (n, d) = due(axis);
            crossed[axis] < away[axis]
                && i128::from(n) * i128::from(e) == i128::from(m) * i128::from(d)
        });
        // All corners of the crossed box but the first.
        for corner in 1..8 {
            let uses = |axis: usize| corner >> axis & 1 == 1;
            if (0..3).all(|axis| !uses(axis) || crosses[axis]) {
                let touched = by_axis(|axis| at[axis] + if uses(axis) { sign[axis] } else { 0 });
                if !visit(touched) {
                    return false;
                }
            }
        }
        for axis in (0..3).filter(|&axis| crosses[axis]) {
            crossed[axis] += 1;
            at[axis] += sign[axis];
        }
    }
    true
}

/// What a wider body sweeps over holds all voxels that the segment touches, in blocks.
const NARROW: f64 = 0.01;

/// The radius of the widest body that has room anywhere, in blocks.
const WIDEST: f64 = 32.0;

/// The same of a body that flies or swims.
const WIDEST_BALL: f64 = 8.0;

/// A segment within this distance of an edge or corner, in blocks, touches all voxels around it:
/// coordinates are rounded.
const TOUCH: f64 = 1e-4;

/// Like [`touches`], for the segment between two points, in blocks.
fn touches_segment(from: DVec3, to: DVec3, mut visit: impl FnMut(At) -> bool) -> bool {
    let whole = |point: DVec3| point.to_array().map(|part| part.floor() as i32);
    let (mut at, end) = (whole(from), whole(to));
    if !visit(at) {
        return false;
    }
    let (from, way) = (from.to_array(), (to - from).to_array());
    let length = way.iter().fold(0.0f64, |length, part| length.max(part.abs()));
    while at != end {
        // The share of the segment before the next boundary along each axis.
        let due = by_axis(|axis| match end[axis] - at[axis] {
            0 => f64::INFINITY,
            step => (f64::from(at[axis] + i32::from(step > 0)) - from[axis]) / way[axis],
        });
        let first = due[0].min(due[1]).min(due[2]);
        let crosses = due.map(|due| (due - first) * length < TOUCH);
        let next = |axis: usize| {
            at[axis] + if crosses[axis] { (end[axis] - at[axis]).signum() } else { 0 }
        };
        for corner in 1..8 {
            let uses = |axis: usize| corner >> axis & 1 == 1;
            if (0..3).all(|axis| !uses(axis) || crosses[axis]) {
                let touched = by_axis(|axis| if uses(axis) { next(axis) } else { at[axis] });
                if !visit(touched) {
                    return false;
                }
            }
        }
        at = by_axis(next);
    }
    true
}

fn whole(BlockPosition { x, y, z }: BlockPosition) -> At {
    [x, y, z].map(|part| part as i32)
}

impl<C: Cost> LineOfSight for VoxelSpace<'_, C> {
    /// Lines run through the air for flyers, through water for swimmers, and along level ground, of
    /// full blocks or of half ones, for walkers; only if every move costs its length.
    fn line_cost(&self, from: Voxel, to: Voxel) -> Option<C> {
        if !self.layer.costs.is_uniform {
            return None;
        }
        let (a, b) = (self.blocks.layout.at(from), self.blocks.layout.at(to));
        let profile = &self.layer.profile;
        let in_volume = profile.moves_in_volume()
            && touches(a, b, |at| self.layer.volume().get(&self.blocks.layout, at));
        let is_half = self.is_half(a);
        let on_foot = profile.abilities.walk
            && a[1] == b[1]
            && touches(a, b, |at| self.stands_level(at, is_half));
        let away = by_axis(|axis| u64::from(a[axis].abs_diff(b[axis])).pow(2));
        let length = (away.iter().sum::<u64>() as f64).sqrt() * f64::from(VOXEL_STRAIGHT);
        // Rounded down by slightly more than the integer diagonals, so a line never costs more than
        // the moves along it.
        (in_volume || on_foot).then(|| C::from_u64((length * (1.0 - 1e-6)) as u64))
    }

    /// Visits every voxel that the segment touches. O(voxels).
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let (a, b) = (self.in_blocks(from), self.in_blocks(to));
        self.leads_through_volume(a, b) || self.leads_over_ground(a, b)
    }

    /// Sweeps, for walkers one block wide, against the columns without room for the body at the
    /// level of its feet. Wider bodies keep their own width from walls on any clear segment, and so
    /// do bodies that move in volumes: there any clear segment suffices, except [for
    /// bodies](Self::for_bodies) that avoid each other.
    fn sweep_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        let (a, b) = (self.in_blocks(from), self.in_blocks(to));
        let reach = f64::from(radius) / f64::from(self.frame().block_size);
        let profile = &self.layer.profile;
        let in_volume = profile.moves_in_volume();
        if profile.width > 1 || in_volume && !self.is_for_bodies {
            return self.segment_is_clear(from, to);
        }
        if in_volume {
            return self.ball_sweep_is_clear((a, b), reach)
                && (reach > NARROW && profile.abilities.fly || self.segment_is_clear(from, to));
        }
        if reach > WIDEST || !self.keeps_its_level(a, b) {
            return false;
        }
        let height @ (level, is_half) = self.height_of(a);
        if reach > NARROW && self.surroundings_are_level(height, (a, b), reach) {
            return true;
        }
        let is_wall = |x: i64, z: i64| {
            let at = [x as i32, level, z as i32];
            if is_half { !self.fits_half(at) } else { !self.fits(at) }
        };
        // Where a body stands it has room. Rows of level ground hold no walls, and bear the
        // segment. A narrow body looks at no rows.
        let mut is_level = reach > NARROW;
        let holds_walls = |z: i64, columns: RangeInclusive<i64>| {
            let row_is_level = self.is_level(height, [*columns.start(), z], [*columns.end(), z]);
            is_level &= row_is_level;
            !row_is_level
        };
        disc_sweep_is_clear(a.xz(), b.xz(), reach, holds_walls, is_wall)
            && (is_level || self.leads_over_ground(a, b))
    }

    /// For bodies one block wide: walkers, where all ground that the body sweeps over is level, and
    /// flyers.
    fn open_swath(&self, from: Vec3, to: Vec3, radius: f32) -> Option<OpenSwath> {
        let (a, b) = (self.in_blocks(from), self.in_blocks(to));
        let reach = f64::from(radius) / f64::from(self.frame().block_size);
        let profile = &self.layer.profile;
        if profile.width > 1 || reach <= NARROW {
            return None;
        }
        if profile.moves_in_volume() {
            let is_open = profile.abilities.fly
                && self.is_for_bodies
                && self.ball_sweep_is_clear((a, b), reach);
            return is_open.then_some(OpenSwath {
                height: f32::INFINITY,
                is_level: true,
                narrows: false,
            });
        }
        if reach > WIDEST || !self.keeps_its_level(a, b) {
            return None;
        }
        let height @ (level, is_half) = self.height_of(a);
        let may_end = |z: i64, columns: RangeInclusive<i64>| {
            !self.is_level(height, [*columns.start(), z], [*columns.end(), z])
        };
        let ends = |x: i64, z: i64| !self.stands_level([x as i32, level, z as i32], is_half);
        let is_open = self.surroundings_are_level(height, (a, b), reach)
            || disc_sweep_is_clear(a.xz(), b.xz(), reach, may_end, ends);
        // Points above or below may be in other blocks.
        is_open.then_some(OpenSwath { height: 0.0, is_level: true, narrows: false })
    }
}

impl<C: Cost> VoxelSpace<'_, C> {
    /// Returns a point in blocks from the origin.
    fn in_blocks(&self, point: Vec3) -> DVec3 {
        (point.as_dvec3() - self.frame().origin.as_dvec3()) / f64::from(self.frame().block_size)
    }

    /// Returns whether a segment may be followed at all. Lines know no costs, so all moves must
    /// cost their length, or costs must not count.
    fn is_line(&self, from: DVec3, to: DVec3) -> bool {
        (self.layer.costs.is_uniform || self.is_for_bodies)
            && self.is_on_map(from)
            && self.is_on_map(to)
    }

    /// Returns whether a segment runs through air for flyers, or through water for swimmers.
    fn leads_through_volume(&self, from: DVec3, to: DVec3) -> bool {
        self.layer.profile.moves_in_volume()
            && self.is_line(from, to)
            && touches_segment(from, to, |at| self.layer.volume().get(&self.blocks.layout, at))
    }

    /// Returns whether a body stands in a voxel on a half block, or on its floor.
    fn stands_level(&self, at: At, is_half: bool) -> bool {
        if is_half { self.is_half(at) } else { self.stands(at) }
    }

    /// Returns whether a ball can be swept along a segment without touching what leaves no room.
    fn ball_sweep_is_clear(&self, (from, to): (DVec3, DVec3), reach: f64) -> bool {
        let (layout, fits) = (&self.blocks.layout, &self.layer.fits);
        let may_hold_walls = |low: At, high: At| !fits.all_in_box(layout, low, high);
        reach <= WIDEST_BALL
            && self.is_line(from, to)
            && ball_sweep_is_clear(from, to, reach, may_hold_walls, |at| !self.fits(at))
    }

    /// Returns the height of a point, and whether it is above a half block.
    fn height_of(&self, point: DVec3) -> (i32, bool) {
        let at = point.to_array().map(|part| part.floor() as i32);
        (at[1], self.is_half(at))
    }

    /// Returns whether a body stands at that height in all voxels of a rectangle, both corners
    /// included.
    fn is_level(&self, (level, is_half): (i32, bool), low: [i64; 2], high: [i64; 2]) -> bool {
        let stands = if is_half { self.layer.halves.as_ref() } else { Some(&self.layer.stands) };
        let [low, high] = [low, high].map(|[x, z]| [x as i32, level, z as i32]);
        stands.is_some_and(|stands| stands.all_in_box(&self.blocks.layout, low, high))
    }

    /// Returns whether the rectangle around a swath is known to be level. That around a short or a
    /// straight one holds little more.
    fn surroundings_are_level(
        &self,
        height: (i32, bool),
        (a, b): (DVec3, DVec3),
        reach: f64,
    ) -> bool {
        let [low, high] = [a.min(b) - reach, a.max(b) + reach].map(|it| [floor(it.x), floor(it.z)]);
        let is_slim = (0..2).any(|axis| high[axis] - low[axis] < 4);
        is_slim && self.is_level(height, low, high)
    }

    /// Returns whether walkers may follow a segment, as far as its ends tell.
    fn keeps_its_level(&self, from: DVec3, to: DVec3) -> bool {
        self.layer.profile.abilities.walk
            && from.y.floor() == to.y.floor()
            && self.is_line(from, to)
    }

    /// Returns whether a segment runs over level ground, for walkers.
    fn leads_over_ground(&self, from: DVec3, to: DVec3) -> bool {
        let (_, is_half) = self.height_of(from);
        self.keeps_its_level(from, to)
            && touches_segment(from, to, |at| self.stands_level(at, is_half))
    }

    /// Returns whether there is room for a body of the profile at a position, as high as at another
    /// one.
    #[doc(hidden)]
    pub fn fits_at(&self, at: BlockPosition, like: BlockPosition) -> bool {
        if self.is_half(whole(like)) { self.fits_half(whole(at)) } else { self.fits(whole(at)) }
    }

    /// Returns whether a sweep that meets no wall is clear: bodies of one block walk. Walls are
    /// the columns in which a body does not stand as high as at its start.
    #[doc(hidden)]
    pub fn walls_alone_bar(&self) -> bool {
        let profile = &self.layer.profile;
        profile.width == 1 && !profile.moves_in_volume()
    }

    /// Returns, as bits, where in a row of at most 64 voxels along x a body stands as high as at a
    /// position.
    #[doc(hidden)]
    pub fn stands_in_row(&self, like: BlockPosition, [x, z]: [i64; 2], count: u32) -> u64 {
        let (layout, layer) = (&self.blocks.layout, self.layer);
        let first = [x as i32, like.y as i32, z as i32];
        match &layer.halves {
            Some(halves) if halves.get(layout, whole(like)) => {
                halves.bits_in_row(layout, first, count)
            }
            _ => layer.stands.bits_in_row(layout, first, count),
        }
    }

    /// Returns, as bits, where in a row of at most 64 voxels along x a body has room as high as at
    /// a position.
    #[doc(hidden)]
    pub fn fits_in_row(&self, like: BlockPosition, [x, z]: [i64; 2], count: u32) -> u64 {
        let (layout, layer) = (&self.blocks.layout, self.layer);
        let [first, above] = [0, 1].map(|up| [x as i32, like.y as i32 + up, z as i32]);
        let fits = layer.fits.bits_in_row(layout, first, count);
        match &layer.halves {
            Some(halves) if halves.get(layout, whole(like)) => {
                halves.bits_in_row(layout, first, count)
                    | fits & layer.fits.bits_in_row(layout, above, count)
            }
            _ => fits,
        }
    }

    /// Returns whether a point lies in the world, in blocks.
    fn is_on_map(&self, point: DVec3) -> bool {
        let size = self.blocks.layout.size;
        let within = |part: f64, bound: u32| part >= 0.0 && part < f64::from(bound);
        within(point.x, size.width) && within(point.y, size.height) && within(point.z, size.depth)
    }
}
