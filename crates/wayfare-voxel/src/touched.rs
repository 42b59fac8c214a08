//! The reach of edits of a voxel world: states, and chunks with their last edit.

use std::collections::BTreeSet;

use wayfare_core::inside::EditLog;
use wayfare_core::space::Revision;

use super::edit::VoxelEdit;
use super::grid::Blocks;
use super::layer::{Layer, reach};
use super::layout::{At, by_axis};
use super::{Voxel, VoxelGrid};

/// How far from a changed block a state's moves may change, in blocks.
///
/// A move passes blocks beside its states, above them as far as it rises, below them as far as it
/// falls. Climbing goes one block down, to a footing on the block below that. Into water agents
/// fall from any height: see [`VoxelGrid::top_of_dives`].
#[derive(Clone, Copy)]
struct Reach {
    /// To the sides.
    beside: i32,
    /// From a state up to the block.
    rise: i32,
    /// From a state down to the block.
    drop: i32,
}

impl Reach {
    fn of(layers: &[Layer]) -> Self {
        let mut reach = Self { beside: 1, rise: 1, drop: 2 };
        for profile in layers.iter().map(|layer| &layer.profile) {
            let (width, height) = (i32::from(profile.width), i32::from(profile.height));
            reach.beside = reach.beside.max(width + i32::from(profile.jump_distance) + 1);
            // The arc of a jump across a gap rises a block higher.
            let arc = i32::from(profile.jump_distance > 0);
            reach.rise = reach.rise.max(height + i32::from(profile.jump_height) + arc);
            reach.drop = reach.drop.max(i32::from(profile.max_fall_distance) + 1);
        }
        reach
    }

    /// Returns the states around a box of blocks, corners included: the first and the last voxel,
    /// on the map.
    fn around(self, blocks: &Blocks, first: At, last: At) -> (At, At) {
        let size = blocks.layout.size;
        let bounds = [size.width, size.height, size.depth].map(|side| side as i32 - 1);
        let low = [first[0] - self.beside, first[1] - self.rise, first[2] - self.beside];
        let high = [last[0] + self.beside, last[1] + self.drop, last[2] + self.beside];
        (low.map(|part| part.max(0)), by_axis(|axis| high[axis].min(bounds[axis])))
    }
}

/// Returns the indices of the chunks that a box on the map meets, corners included.
fn chunks(blocks: &Blocks, first: At, last: At) -> impl Iterator<Item = usize> {
    let [xs, ys, zs] = by_axis(|axis| first[axis] >> 4..=last[axis] >> 4);
    let layout = blocks.layout;
    zs.flat_map(move |z| {
        let (xs, ys) = (xs.clone(), ys.clone());
        xs.flat_map(move |x| ys.clone().map(move |y| layout.chunk([x << 4, y << 4, z << 4])))
    })
}

impl VoxelGrid {
    /// Returns the box of the states whose moves change with a box of blocks, corners included.
    fn around(&self, reach: Reach, first: At, last: At) -> (At, At) {
        let top = self.top_of_dives(first, last);
        let (first, last) = reach.around(&self.blocks, first, last);
        (first, [last[0], last[1].max(top), last[2]])
    }

    /// Returns the highest voxel from which some body may fall past a box of blocks, into water of
    /// any depth below.
    ///
    /// Such a fall passes free voxels, upright over each other. From two above the box on they are
    /// free after an edit if they were before it.
    fn top_of_dives(&self, first: At, last: At) -> i32 {
        let mut top = last[1];
        for layer in self.layers.iter().filter(|layer| layer.profile.dives()) {
            let (low, high) = reach(layer.profile.width);
            for z in first[2] - high..=last[2] - low {
                for x in first[0] - high..=last[0] - low {
                    let above = (last[1] + 2..).map(|y| [x, y, z]);
                    let open = above.take_while(|&at| layer.fits.get(&self.blocks.layout, at));
                    top = top.max(last[1] + 1 + open.count() as i32);
                }
            }
        }
        top.min(self.blocks.layout.size.height as i32 - 1)
    }

    /// Notes the present revision at the chunks around boxes of changed blocks, corners included.
    pub(super) fn note_edit(&mut self, boxes: impl Iterator<Item = (At, At)>) {
        let reach = Reach::of(&self.layers);
        let mut before = None;
        for (first, last) in boxes {
            let (first, last) = self.around(reach, first, last);
            let of_chunks = (first.map(|part| part >> 4), last.map(|part| part >> 4));
            if before.replace(of_chunks) == Some(of_chunks) {
                continue; // as the block before
            }
            for chunk in chunks(&self.blocks, first, last) {
                self.edits.touch(chunk, self.blocks.layout.chunks(), self.revision);
            }
        }
    }

    /// Returns the indices of the chunks of all states whose moves in a layer may change with boxes
    /// of blocks, corners included.
    pub(super) fn chunks_around(
        &self,
        layer: usize,
        boxes: impl Iterator<Item = (At, At)>,
    ) -> BTreeSet<usize> {
        let reach = Reach::of(std::slice::from_ref(&self.layers[layer]));
        let mut around = BTreeSet::new();
        for (first, last) in boxes {
            let (first, last) = self.around(reach, first, last);
            around.extend(chunks(&self.blocks, first, last));
        }
        around
    }

    /// Returns the states whose moves in or out an edit may have changed, for any profile; each
    /// once, by id.
    ///
    /// [`Search::adopt`](wayfare_core::search::Search::adopt) and
    /// `Planner::world_changed` ask for them.
    ///
    /// O(changes · voxels within reach of a move).
    ///
    /// ```
    /// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
    /// let size = VoxelSize { width: 32, height: 4, depth: 32 };
    /// let mut grid = VoxelGrid::new(size, VoxelProfile::default())?;
    /// let edit = grid.set_block(BlockPosition::new(8, 0, 8), BlockId::SOLID)?;
    /// let affected = grid.affected_by(&edit);
    /// assert!(affected.contains(&grid.voxel(BlockPosition::new(8, 1, 8)).unwrap()));
    /// assert!(!affected.contains(&grid.voxel(BlockPosition::new(20, 1, 8)).unwrap()));
    /// # Ok::<(), wayfare::space::voxel::VoxelError>(())
    /// ```
    #[must_use]
    pub fn affected_by(&self, edit: &VoxelEdit) -> Vec<Voxel> {
        let reach = Reach::of(&self.layers);
        let mut affected = Vec::new();
        for at in edit.changed() {
            let (first, last) = self.around(reach, at, at);
            for y in first[1]..=last[1] {
                for z in first[2]..=last[2] {
                    let row = first[0]..=last[0];
                    affected.extend(row.map(|x| self.blocks.layout.voxel([x, y, z])));
                }
            }
        }
        affected.sort_unstable();
        affected.dedup();
        affected
    }
}

/// Returns the revision after the last edit of a chunk that the line between two voxels passes.
///
/// Reads the chunks that [`VoxelGrid::note_edit`] notes: those of all states whose moves change. A
/// longer line is cut into pieces of at most half a chunk; each lies within the box of its ends,
/// widened by a block for their rounding.
pub(super) fn last_edit_along(blocks: &Blocks, edits: &EditLog, from: At, to: At) -> Revision {
    let long = (0..3).map(|axis| from[axis].abs_diff(to[axis])).max().unwrap_or(0) as i32;
    let at = |place: At| edits.last(blocks.layout.chunk(place));
    if long <= 1 {
        return at(from).or_later(at(to));
    }
    let size = blocks.layout.size;
    let bounds = [size.width, size.height, size.depth].map(|side| side as i32 - 1);
    let pieces = long / 8 + 1;
    let point = |piece: i32| {
        by_axis(|axis| {
            let away = i64::from(to[axis] - from[axis]) * i64::from(piece) / i64::from(pieces);
            from[axis] + away as i32
        })
    };
    let mut last = Revision::default();
    for piece in 0..pieces {
        let (a, b) = (point(piece), point(piece + 1));
        let low = by_axis(|axis| (a[axis].min(b[axis]) - 1).max(0));
        let high = by_axis(|axis| (a[axis].max(b[axis]) + 1).min(bounds[axis]));
        for chunk in chunks(blocks, low, high) {
            last = last.or_later(edits.last(chunk));
        }
    }
    last
}
