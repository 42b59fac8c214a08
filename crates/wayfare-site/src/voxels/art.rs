//! Pictures of blocks.

use std::sync::Arc;

use wayfare::space::StateId;
use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, Voxel, VoxelGrid, VoxelSize};
use wayfare_draw::{
    BlockArt, Colour, CutAway, DrawError, IsometricScenery, LayerScenery, Scenery, Theme,
    VoxelWorld,
};

use super::VoxelSite;
use crate::View;

impl VoxelSite {
    /// Returns the blocks in parallel perspective, or layer by layer. A closed world is cut off
    /// above the path, unless the view says where to cut.
    pub(super) fn block_scenery(
        &self,
        theme: &Theme,
        view: &View<'_>,
    ) -> Result<Box<dyn Scenery + '_>, DrawError> {
        let world = self.world_drawn(theme)?;
        if !view.layers {
            let mut scenery = IsometricScenery::new(world).with_blocks_explained();
            if let Some(y) = view.cut_above.or_else(|| lid(&self.grid, view.path)) {
                scenery = scenery.cut(CutAway::Above(y));
            }
            return Ok(Box::new(scenery.cut(CutAway::Path(view.path))));
        }
        let heights = || view.path.iter().map(|state| self.at(*state).y);
        let most = view.cut_above.unwrap_or(u32::MAX).min(self.grid.size().height);
        let low = heights().min().unwrap_or(0);
        let high = heights().max().map_or(most, |high| high.saturating_add(1).min(most));
        let scenery = LayerScenery::new(world, low..high)?;
        Ok(Box::new(if view.in_terminal { scenery.columns(1) } else { scenery }))
    }

    fn world_drawn(&self, theme: &Theme) -> Result<&VoxelWorld<'static>, DrawError> {
        let VoxelSize { width, height, depth } = self.grid.size();
        let size = [width, height, depth];
        let made = self.drawn.get_or_init(|| {
            let look = |block: BlockId| {
                let kind = &self.kinds[usize::from(block.0)];
                let [red, green, blue] = kind.color;
                let own = Colour { red, green, blue, alpha: 255 };
                BlockArt::themed(&kind.name, see_through(kind.block.kind, own), theme)
            };
            let world = VoxelWorld::of_voxels(Arc::clone(&self.grid), look);
            let world = world.map_err(|_| self.grid.size())?;
            let known = self.passages.danger().iter();
            let most = known.fold(0.0, |most: f32, one| most.max(one.amount));
            if most <= 0.0 {
                return Ok(world);
            }
            let (grid, passages) = (Arc::clone(&self.grid), Arc::clone(&self.passages));
            Ok(world.with_heat(move |[x, y, z]| {
                let voxel = grid.voxel(BlockPosition::new(x, y, z));
                voxel.map_or(0.0, |voxel| passages.danger().get(voxel) / most)
            }))
        });
        made.as_ref().map_err(|_| DrawError::VoxelSize { size })
    }
}

/// Returns the lowest layer of a cover over the whole path: rock above caves, the roof of a house.
/// `None` if a state of the path has nothing above it.
///
/// A head above the highest state is left, so that its floor and the walls around it can be seen.
pub fn lid(grid: &VoxelGrid, path: &[u32]) -> Option<u32> {
    let height = grid.size().height;
    let highest = path.iter().map(|state| grid.position_of(Voxel::from_index(*state)).y).max()?;
    let from = highest.saturating_add(2);
    let is_covered = |state: &u32| {
        let BlockPosition { x, y, z } = grid.position_of(Voxel::from_index(*state));
        let above = y.saturating_add(2)..height;
        above.into_iter().any(|y| {
            let block = grid.block(BlockPosition::new(x, y, z));
            block.is_some_and(|block| block != BlockId::AIR)
        })
    };
    (from < height && path.iter().all(is_covered)).then_some(from)
}

/// Blocks that bodies pass through are translucent.
fn see_through(kind: BlockKind, colour: Colour) -> Colour {
    match kind {
        BlockKind::Water | BlockKind::Ladder | BlockKind::Door => colour.with_alpha(160),
        _ => colour,
    }
}
