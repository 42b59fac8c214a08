//! Cuts: the blocks of a world that are removed to look inside.

use super::VoxelWorld;

/// A set of removed blocks.
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, CutAway, IsometricScenery, VoxelWorld};
///
/// let stone = BlockArt::new("stone", Colour::hex(0x9a968c));
/// let world = VoxelWorld::new([4, 4, 4], vec![stone], |[_, y, _]| (y != 2).then_some(0))?;
/// // Without the roof.
/// let scenery = IsometricScenery::new(&world).cut(CutAway::Above(3));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CutAway<'a> {
    /// All blocks with at least this y.
    Above(u32),
    /// All blocks with at least this x: the front on the right.
    FrontX(u32),
    /// All blocks with at least this z: the front on the left.
    FrontZ(u32),
    /// The blocks that hide a path through the states with these indices: in front of it and above
    /// it. A shimmer of them remains.
    Path(&'a [u32]),
}

/// All cuts of a picture.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The first removed coordinate along each axis.
    front: [i32; 3],
    /// The blocks in front of a path, sorted.
    path: Vec<[i32; 3]>,
}

impl Default for Cut {
    fn default() -> Self {
        Self { front: [i32::MAX; 3], path: Vec::new() }
    }
}

impl Cut {
    pub(super) fn add(&mut self, world: &VoxelWorld<'_>, cut: CutAway<'_>) {
        let mut least = |axis: usize, from: u32| {
            self.front[axis] = self.front[axis].min(i32::try_from(from).unwrap_or(i32::MAX));
        };
        match cut {
            CutAway::Above(y) => least(1, y),
            CutAway::FrontX(x) => least(0, x),
            CutAway::FrontZ(z) => least(2, z),
            CutAway::Path(states) => {
                let mut places: Vec<[u32; 3]> =
                    states.iter().filter_map(|state| world.position(*state)).collect();
                places.sort_unstable();
                places.dedup();
                for place in places {
                    self.reveal(world, place.map(|coordinate| coordinate as i32));
                }
                self.path.sort_unstable();
                self.path.dedup();
            }
        }
    }

    /// Removes the blocks between the viewer and a place, around it and above it. The ground stays.
    fn reveal(&mut self, world: &VoxelWorld<'_>, [x, y, z]: [i32; 3]) {
        let [width, height, depth] = world.size().map(|side| side as i32);
        for (u, w) in (-1..=1).flat_map(|u| (-1..=1).map(move |w| (u, w))) {
            for step in 0..=height - y {
                let at = [x + u + step, y + step, z + w + step];
                let behind = step == 0 && (u < 0 || w < 0 || (u, w) == (0, 0));
                let inside = at[0] < width && at[1] < height && at[2] < depth;
                // A single block beside the path is a step, not a wall.
                if step == 0 && world.colour([at[0], at[1] + 1, at[2]]).is_none() {
                    continue;
                }
                for up in 0..=1 {
                    let at = [at[0], at[1] + up, at[2]];
                    if inside && !behind && world.colour(at).is_some() {
                        self.path.push(at);
                    }
                }
            }
        }
    }

    /// Returns the first removed y.
    pub(super) fn above(&self) -> u32 {
        self.front[1].max(0) as u32
    }

    /// Returns whether a block is removed.
    pub(super) fn takes(&self, at: [i32; 3]) -> bool {
        self.is_in_front(at) || self.path.binary_search(&at).is_ok()
    }

    /// Returns whether a shimmer remains of a removed block.
    pub(super) fn leaves_ghosts(&self, at: [i32; 3]) -> bool {
        !self.is_in_front(at)
    }

    fn is_in_front(&self, at: [i32; 3]) -> bool {
        (0..3).any(|axis| at[axis] >= self.front[axis])
    }
}
