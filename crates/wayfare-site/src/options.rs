//! Options of a world: the agent's movement, and settings that a file leaves open.

use wayfare::space::voxel::Abilities;
use wayfare::space::{CornerRule, Neighbours, VoxelProfile};
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_scene::Movement;
use wayfare_scene::scene::SceneTimes;

/// The agent that moves in a world. `None` means the usual value for the kind of world.
///
/// Options for another kind of world are refused when it is opened, not ignored.
///
/// ```
/// use wayfare::space::Neighbours;
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let map = b"S..\n.#.\n..G\n";
/// let orthogonal = OpenOptions { neighbours: Some(Neighbours::Four), ..OpenOptions::default() };
/// assert!(open_bytes("yard.txt", map, &NoFiles, &orthogonal).is_ok());
/// let climber = OpenOptions { jump_height: Some(2), ..OpenOptions::default() };
/// assert!(open_bytes("yard.txt", map, &NoFiles, &climber).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OpenOptions {
    /// Grids: the neighbours of a cell; default eight.
    pub neighbours: Option<Neighbours>,
    /// Grids: when a diagonal may pass a blocked corner; default when both cells beside it are
    /// free.
    pub corners: Option<CornerRule>,
    /// Grids and voxels: the agent's width, 1 to 64 cells or 1 to 8 blocks; default 1.
    pub width: Option<u8>,
    /// Voxels: the agent's abilities; default walk, jump and fall.
    pub abilities: Option<Abilities>,
    /// Voxels: how many blocks up the agent jumps, 0 to 8; default 1.
    pub jump_height: Option<u8>,
    /// Voxels: how wide a gap the agent jumps across, 0 to 8 blocks; default 0.
    pub jump_distance: Option<u8>,
    /// Voxels: how many blocks down the agent may fall, 0 to 1024; default 1.
    pub max_fall: Option<u16>,
    /// Voxels: the agent's height, 1 to 8 blocks; default 1.
    pub height: Option<u8>,
    /// Voxels: whether the agent opens doors; default true.
    pub opens_doors: Option<bool>,
    /// Voxels: whether lava is water to an agent that swims; default false.
    pub endures_lava: Option<bool>,
    /// Voxels: how fast the agent moves, if costs are to be times; default costs by length.
    pub times: Option<SceneTimes>,
    /// Voxels: the most voxels of the world, air included; default as
    /// [`VoxelScene::check_extent`](wayfare_formats::VoxelScene::check_extent) says.
    pub max_voxels: Option<u64>,
    /// Heightmaps: how brightness becomes blocks.
    pub heightmap: Option<HeightmapOptions>,
}

impl OpenOptions {
    /// Returns the movement on a grid.
    #[must_use]
    pub fn movement(&self) -> Movement {
        Movement {
            neighbours: self.neighbours.unwrap_or_default(),
            corners: self.corners.unwrap_or_default(),
            width: self.width.unwrap_or(1),
        }
    }

    /// Returns the agent in a world of blocks.
    #[must_use]
    pub fn voxel_profile(&self) -> VoxelProfile {
        let plain = VoxelProfile::default();
        VoxelProfile {
            abilities: self.abilities.unwrap_or(plain.abilities),
            jump_height: self.jump_height.unwrap_or(plain.jump_height),
            jump_distance: self.jump_distance.unwrap_or(plain.jump_distance),
            max_fall_distance: self.max_fall.unwrap_or(plain.max_fall_distance),
            height: self.height.unwrap_or(plain.height),
            width: self.width.unwrap_or(plain.width),
            opens_doors: self.opens_doors.unwrap_or(plain.opens_doors),
            endures_lava: self.endures_lava.unwrap_or(plain.endures_lava),
            times: self.times.map(SceneTimes::move_times),
            ..plain
        }
    }

    /// Returns how a heightmap becomes a world.
    #[must_use]
    pub fn heightmap(&self) -> HeightmapOptions {
        self.heightmap.unwrap_or_default()
    }

    pub(crate) fn is_for_grids(&self) -> bool {
        self.is_for_grids_alone() || self.width.is_some()
    }

    pub(crate) fn is_for_grids_alone(&self) -> bool {
        self.neighbours.is_some() || self.corners.is_some()
    }

    pub(crate) fn is_for_voxels(&self) -> bool {
        let Self { neighbours, corners, width, .. } = *self;
        *self != Self { neighbours, corners, width, ..Self::default() }
    }
}
