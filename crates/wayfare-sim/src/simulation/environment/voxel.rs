//! Voxel worlds as worlds of a simulation.

use std::ops::RangeInclusive;

use glam::Vec3;
use wayfare_core::inside::Raster;
use wayfare_core::space::{ProfileId, Revision, Space};
use wayfare_core::walls::WallSide;
use wayfare_voxel::{BlockId, BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSpace};

use crate::simulation::{
    AvoidanceManner, EditFault, Editable, Environment, Filled, FilledOf, Shape, ShapeBounds,
    Spaces, Surroundings,
};

/// A change of a voxel world while a simulation runs.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{BlockEdit, Command, Simulation, SimulationSettings};
///
/// let size = VoxelSize { width: 4, height: 4, depth: 4 };
/// let world = VoxelGrid::new(size, VoxelProfile::default())?;
/// let mut simulation = Simulation::new(world, NavLinks::new(3.0), SimulationSettings::default())?;
/// let places = vec![BlockPosition::new(1, 0, 1), BlockPosition::new(1, 0, 2)];
/// let bridge = BlockEdit::Set { places, block: BlockId::SOLID };
/// simulation.schedule(0, Command::Edit(bridge));
/// simulation.tick();
/// assert_eq!(simulation.world().block(BlockPosition::new(1, 0, 2)), Some(BlockId::SOLID));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum BlockEdit {
    /// Blocks are replaced by another one.
    Set {
        /// The positions of the blocks.
        places: Vec<BlockPosition>,
        /// The block.
        block: BlockId,
    },
}

/// The largest radius of bodies that keep it from ledges, in blocks.
const MINDS_LEDGES: f32 = 0.45;

/// The farthest walls that bodies which fly or swim look at, in blocks.
const FARTHEST_WALL: f32 = 6.0;

/// How far below and above a point that was named the ground is looked for, in blocks.
const GROUND_BELOW: i32 = 8;

impl Spaces for VoxelGrid {
    type State = Voxel;
    type Cost = u32;
    type Space<'w> = VoxelSpace<'w>;

    fn space(&self, profile: ProfileId) -> VoxelSpace<'_> {
        self.space_for(profile)
    }

    fn has_profile(&self, profile: ProfileId) -> bool {
        Self::has_profile(self, profile)
    }

    fn grain(&self) -> f32 {
        self.frame().block_size
    }

    fn revision(&self) -> Revision {
        Self::revision(self)
    }

    fn state_at(&self, profile: ProfileId, point: Vec3) -> Option<Voxel> {
        let space = self.space_for::<u32>(profile);
        self.voxel_at(point).filter(|&voxel| space.check(voxel).is_ok())
    }

    /// Returns the voxel of the point; if that is blocked, the one above it, or the next below.
    fn state_meant(&self, profile: ProfileId, point: Vec3) -> Option<Voxel> {
        let exact = self.voxel_at(point)?;
        let space = self.space_for::<u32>(profile);
        let at = self.position_of(exact);
        let levels = [0, 1].into_iter().chain((1..=GROUND_BELOW).map(|down| -down));
        let level = |up: i32| self.voxel(BlockPosition { y: at.y.checked_add_signed(up)?, ..at });
        levels.filter_map(level).find(|&voxel| space.check(voxel).is_ok()).or(Some(exact))
    }

    fn nearest_state(&self, profile: ProfileId, point: Vec3, within: f32) -> Option<Voxel> {
        let space = self.space_for::<u32>(profile);
        let reach = Vec3::splat(within.min(16.0 * self.frame().block_size));
        let near = blocks_between(self, point - reach, point + reach);
        let free = near.filter_map(|at| self.voxel(at)).filter(|&voxel| space.check(voxel).is_ok());
        let nearest = free
            .map(|voxel| (space.position(voxel).distance(point), voxel))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        nearest.filter(|&(away, _)| away <= within).map(|(_, voxel)| voxel)
    }

    fn states_in(&self, profile: ProfileId, shape: &Shape) -> Vec<Voxel> {
        let space = self.space_for::<u32>(profile);
        let voxels = self.covered(shape).into_iter().filter_map(|at| self.voxel(at));
        let mut states: Vec<Voxel> = voxels.filter(|&voxel| space.check(voxel).is_ok()).collect();
        states.sort_unstable();
        states
    }

    /// Leaps and falls pass ground far from both ends.
    fn states_delayed(&self, profile: ProfileId, areas: &[ShapeBounds]) -> Vec<Voxel> {
        let space = self.space_for::<u32>(profile);
        let VoxelProfile { abilities, jump_height, jump_distance, max_fall_distance, .. } =
            space.profile();
        let block = self.frame().block_size;
        let across = f32::from(*jump_distance) + 2.0;
        let up = match abilities.fall && abilities.swim {
            true => self.size().height as f32, // into water from any height
            false => f32::from(*max_fall_distance) + 1.0,
        };
        let below = Vec3::new(across, f32::from(*jump_height) + 1.0, across) * block;
        let above = Vec3::new(across, up, across) * block;
        let grown =
            |area: &ShapeBounds| Shape::Box { min: area.min - below, max: area.max + above };
        areas.iter().flat_map(|area| self.states_in(profile, &grown(area))).collect()
    }
}

impl Surroundings for VoxelGrid {
    fn space_for_bodies(&self, profile: ProfileId) -> VoxelSpace<'_> {
        self.space_for(profile).for_bodies()
    }

    fn is_afloat(&self, profile: ProfileId, point: Vec3) -> bool {
        let space = self.space_for::<u32>(profile);
        self.voxel_at(point).is_some_and(|voxel| space.moves_in_volume(voxel))
    }

    fn body_height(&self, profile: ProfileId) -> f32 {
        f32::from(self.space_for::<u32>(profile).profile().height) * self.frame().block_size
    }

    /// Tests, beside walkers one block wide, for anything that leaves no room for the body at the
    /// level of its feet.
    fn is_wall(&self, profile: ProfileId, point: Vec3) -> bool {
        let space = self.space_for::<u32>(profile);
        let has_walls = space.profile().width == 1 && !space.profile().moves_in_volume();
        has_walls && !self.voxel_at(point).is_some_and(|voxel| space.leaves_room(voxel))
    }

    /// Tests, beside all bodies one block wide, for anything that leaves no room for them.
    fn is_wall_to_bodies(&self, profile: ProfileId, point: Vec3) -> bool {
        let space = self.space_for::<u32>(profile);
        space.profile().width == 1
            && !self.voxel_at(point).is_some_and(|voxel| space.leaves_room(voxel))
    }

    /// Visits the nearest point of each block without room for the body, if the block has a side
    /// towards it there: if not, a neighbour of the block is nearer.
    fn wall_points(&self, profile: ProfileId, at: Vec3, range: f32, visit: &mut dyn FnMut(Vec3)) {
        let space = self.space_for::<u32>(profile);
        let frame = self.frame();
        let point = (at - frame.origin) / frame.block_size;
        let reach = (range / frame.block_size).min(FARTHEST_WALL);
        if !point.is_finite() || space.profile().width > 1 {
            return;
        }
        let (low, high) = ((point - reach).floor(), (point + reach).floor());
        let place = |corner: Vec3| {
            let whole = corner.to_array().map(|part| (part >= 0.0).then_some(part as u32));
            let [Some(x), Some(y), Some(z)] = whole else { return None };
            Some(BlockPosition { x, y, z })
        };
        let own = place(point.floor());
        let is_open = |corner: Vec3| {
            place(corner)
                .is_some_and(|at| space.fits_at(at, own.filter(|own| own.y == at.y).unwrap_or(at)))
        };
        let span =
            |from: f32, to: f32| (0..=(to - from) as u32).map(move |step| from + step as f32);
        for y in span(low.y, high.y) {
            for z in span(low.z, high.z) {
                for x in span(low.x, high.x) {
                    let corner = Vec3::new(x, y, z);
                    if is_open(corner) {
                        continue;
                    }
                    let nearest = point.clamp(corner, corner + 1.0);
                    let towards = point - nearest;
                    let is_hidden = |axis: Vec3| {
                        let step = towards.dot(axis);
                        step != 0.0 && !is_open(corner + axis * step.signum())
                    };
                    let is_near = towards.length_squared() < reach * reach;
                    if is_near && ![Vec3::X, Vec3::Y, Vec3::Z].into_iter().any(is_hidden) {
                        visit(frame.origin + nearest * frame.block_size);
                    }
                }
            }
        }
    }

    /// Visits the outline of the ground on which a body stands at the level of the point: walls,
    /// steps up and down, ledges, banks. For bodies that reach over the border of their block from
    /// its middle, visits the walls alone: ledges would keep them from the beginnings of their
    /// steps.
    fn wall_sides(
        &self,
        profile: ProfileId,
        at: Vec3,
        radius: f32,
        range: f32,
        visit: &mut dyn FnMut(WallSide),
    ) -> bool {
        let space = self.space_for::<u32>(profile);
        let Some(own) = self.voxel_at(at).map(|at| self.position_of(at)) else { return false };
        let frame = self.frame();
        let minds_ledges = radius <= MINDS_LEDGES * frame.block_size;
        let walls = |z: i64, columns: RangeInclusive<i64>| {
            let count = (columns.end() - columns.start() + 1) as u32;
            let first = [*columns.start(), z];
            let open = match minds_ledges {
                true => space.stands_in_row(own, first, count),
                false => space.fits_in_row(own, first, count),
            };
            !open & (u64::MAX >> (64 - count))
        };
        let raster = Raster { origin: frame.origin, side: frame.block_size };
        let are_all = raster.sides_near(at, range, walls, visit);
        are_all && minds_ledges && space.walls_alone_bar()
    }
}

impl Editable for VoxelGrid {
    type Edit = BlockEdit;
    type Place = BlockPosition;
    type Fill = BlockId;

    fn check(&self, edit: &BlockEdit) -> Result<(), EditFault> {
        let BlockEdit::Set { places, block } = edit;
        if usize::from(block.0) >= self.palette().len() {
            return Err(EditFault::NoSuchBlock(block.0));
        }
        match places.iter().find(|&&at| !self.is_loaded(at)) {
            Some(at) => Err(EditFault::NotLoaded(*at)),
            None => Ok(()),
        }
    }

    fn takes(&self, edit: &BlockEdit) -> Vec<Vec3> {
        let BlockEdit::Set { places, .. } = edit;
        let voxels = places.iter().filter_map(|&at| self.voxel(at));
        voxels.map(|voxel| self.centre(voxel)).collect()
    }

    fn footing(&self, profile: ProfileId, point: Vec3) -> Option<Vec3> {
        let state = self.state_at(profile, point)?;
        self.foothold(profile, state, point).filter(|_| !self.is_afloat(profile, point))
    }

    fn fills(edit: &BlockEdit) -> Vec<FilledOf<Self>> {
        let BlockEdit::Set { places, block } = edit;
        places.iter().map(|&place| Filled { place, fill: *block }).collect()
    }

    fn apply(&mut self, edit: &BlockEdit, affected: &mut Vec<Voxel>) -> Result<(), EditFault> {
        Editable::check(self, edit)?;
        self.fill(&Self::fills(edit), affected);
        Ok(())
    }

    /// Returns the blocks with their middle in the shape.
    fn covered(&self, shape: &Shape) -> Vec<BlockPosition> {
        let ShapeBounds { min, max } = shape.bounds();
        let frame = self.frame();
        let middle = |at: BlockPosition| {
            frame.origin
                + (Vec3::new(at.x as f32, at.y as f32, at.z as f32) + 0.5) * frame.block_size
        };
        let mut covered: Vec<_> = blocks_between(self, min, max)
            .filter(|&at| self.is_loaded(at) && shape.contains(middle(at)))
            .collect();
        covered.sort_unstable();
        covered
    }

    fn filling(&self, place: BlockPosition) -> Option<BlockId> {
        self.block(place)
    }

    fn blocking(&self, _place: BlockPosition) -> BlockId {
        BlockId::SOLID
    }

    fn fill(&mut self, fills: &[FilledOf<Self>], affected: &mut Vec<Voxel>) {
        let loaded = fills.iter().filter(|filled| self.is_loaded(filled.place));
        let blocks: Vec<_> = loaded.map(|filled| (filled.place, filled.fill)).collect();
        let Ok(edit) = self.set_blocks(blocks) else { return };
        affected.extend(self.affected_by(&edit));
    }
}

impl Environment for VoxelGrid {
    const CUTS_ACROSS: bool = true;
    const AVOIDING: AvoidanceManner = AvoidanceManner::BesideRails;
}

/// Returns the blocks between two corners.
fn blocks_between(
    grid: &VoxelGrid,
    min: Vec3,
    max: Vec3,
) -> impl Iterator<Item = BlockPosition> + use<> {
    let (frame, size) = (grid.frame(), grid.size());
    let whole = |point: Vec3| ((point - frame.origin) / frame.block_size).floor();
    let (low, high) = (whole(min), whole(max));
    let span = |axis: usize, bound: u32| {
        // Casts saturate; NaN makes an empty span.
        let end =
            if high[axis] < 0.0 { 0 } else { (high[axis] as u32).saturating_add(1).min(bound) };
        low[axis].max(0.0) as u32..end
    };
    let (xs, ys, zs) = (span(0, size.width), span(1, size.height), span(2, size.depth));
    ys.flat_map(move |y| {
        let xs = xs.clone();
        zs.clone().flat_map(move |z| xs.clone().map(move |x| BlockPosition { x, y, z }))
    })
}
