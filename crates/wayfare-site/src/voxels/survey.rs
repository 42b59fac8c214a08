//! A survey of a world of blocks: regions, free states, visible blocks.

use std::collections::BTreeSet;

use wayfare::space::voxel::{BlockKind, BlockPosition, VoxelSize};
use wayfare::space::{Edge, ReverseSpace, Space, StateId, Voxel};

use super::VoxelSite;
use crate::{BlockLayout, GroundLook, Heading, Sample, Site};

impl VoxelSite {
    /// Returns the least connected state of each state, one-way moves counting both ways.
    pub(super) fn regions(&self) -> &[u32] {
        /// Larger worlds are taken as one region.
        const MOST: usize = 1 << 22;
        self.regions.get_or_init(|| {
            let space = self.space();
            let bound = space.state_bound();
            if bound > MOST {
                return Vec::new();
            }
            let mut roots: Vec<u32> = (0..bound as u32).collect();
            for voxel in self.states().filter(|voxel| space.check(*voxel).is_ok()) {
                space.successors(voxel, |edge| {
                    let (a, b) =
                        (root(&mut roots, voxel.index()), root(&mut roots, edge.target.index()));
                    roots[a.max(b) as usize] = a.min(b);
                });
            }
            (0..bound as u32).map(|state| root(&mut roots, state)).collect()
        })
    }

    /// Returns some of the free states; `None` if all of them are known.
    pub(super) fn sample_places(&self) -> Option<Sample> {
        /// The count of tested voxels, and of those tested next if none was free.
        const STAGES: [u32; 2] = [1 << 20, 1 << 24];
        if self.knows_regions() {
            return None;
        }
        let VoxelSize { width, height, depth } = self.grid.size();
        let space = self.space();
        let mut sample = Sample { states: Vec::new(), looked_at: 0 };
        for most in STAGES {
            let across = (most / height).isqrt().max(2);
            for z in spread(depth, across) {
                for x in spread(width, across) {
                    // From the top: a walker stands on the ground rather than in a cave.
                    for y in (0..height).rev() {
                        sample.looked_at += 1;
                        let voxel = self.grid.voxel(BlockPosition { x, y, z });
                        let free = voxel.filter(|voxel| space.check(*voxel).is_ok());
                        sample.states.extend(free.map(Voxel::index));
                    }
                }
            }
            if !sample.states.is_empty() {
                break;
            }
        }
        Some(sample)
    }

    /// Returns whether only few states can be reached from a state, or can reach it.
    pub(super) fn is_in_pocket(&self, state: u32, heading: Heading) -> bool {
        /// The bound of "few".
        const FEW: usize = 1 << 12;
        let space = self.space();
        let (mut seen, mut open) = (BTreeSet::from([state]), vec![Voxel::from_index(state)]);
        while let Some(voxel) = open.pop() {
            if seen.len() >= FEW {
                return false;
            }
            let visit = |edge: Edge<Voxel, u32>| {
                if seen.insert(edge.target.index()) {
                    open.push(edge.target);
                }
            };
            match heading {
                Heading::Outward => space.successors(voxel, visit),
                Heading::Inward => space.predecessors(voxel, visit),
            }
        }
        true
    }

    /// Returns the blocks that can be seen from outside.
    pub(super) fn block_layout(&self) -> BlockLayout {
        /// More blocks than this would be no picture.
        const MOST_SEEN: usize = 1 << 20;
        /// More than this are not even looked at.
        const MOST_STATES: usize = 1 << 26;
        let VoxelSize { width, height, depth } = self.grid.size();
        let kinds: Vec<GroundLook> = self.kinds.iter().map(GroundLook::of_block).collect();
        let size = [width, height, depth];
        let mut layout = BlockLayout { size, kinds, ..BlockLayout::default() };
        if self.space().state_bound() > MOST_STATES {
            layout.is_cut = true;
            return layout;
        }
        let hides = |at: BlockPosition| {
            let kind = self.kind(at).map(|(_, kind)| kind);
            matches!(kind, Some(BlockKind::Solid | BlockKind::Climbable))
        };
        for voxel in self.states() {
            let at = self.grid.position_of(voxel);
            let Some((block, kind)) = self.kind(at) else { continue };
            let BlockPosition { x, y, z } = at;
            // Coordinates that wrap are no blocks, and hide nothing.
            let around = [
                [x.wrapping_sub(1), y, z],
                [x + 1, y, z],
                [x, y.wrapping_sub(1), z],
                [x, y + 1, z],
                [x, y, z.wrapping_sub(1)],
                [x, y, z + 1],
            ];
            let is_hidden = || around.iter().all(|&[x, y, z]| hides(BlockPosition::new(x, y, z)));
            if kind == BlockKind::Air || is_hidden() {
                continue;
            }
            if layout.places.len() == MOST_SEEN {
                layout.is_cut = true;
                break;
            }
            layout.places.push([x, y, z]);
            layout.kind.push(block.0);
        }
        layout
    }
}

/// Returns at most `most` integers below `bound`, evenly spaced, the first and the last among them.
fn spread(bound: u32, most: u32) -> impl Iterator<Item = u32> {
    let count = most.min(bound);
    let last = u64::from(bound.saturating_sub(1));
    let gaps = u64::from(count.saturating_sub(1).max(1));
    (0..count).map(move |number| (u64::from(number) * last / gaps) as u32)
}

fn root(roots: &mut [u32], mut state: u32) -> u32 {
    while roots[state as usize] != state {
        let above = roots[roots[state as usize] as usize];
        roots[state as usize] = above;
        state = above;
    }
    state
}
