//! Grids from tile maps.

use bevy_math::UVec2;
use wayfare::space::{CostTable, Grid, GridError, GridProfile, TerrainCost, TerrainId};

/// Why a tile map makes no grid.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum TileFault {
    /// There are more different costs than there are terrains.
    #[error("the tiles have more than 250 different costs")]
    TooManyCosts,
    /// The size or a cost is out of range.
    #[error(transparent)]
    Grid(#[from] GridError),
}

/// Returns the grid of a tile map, for any crate of tile maps: `cost` tells what a step on a tile
/// costs, 1 for plain ground, or `None` where nobody can walk.
///
/// Tiles are asked for row by row, from (0, 0): see [`Placement`](crate::Placement) for rows that
/// go upwards or downwards. Ground that costs 1 is [`TerrainId::GROUND`], other costs have the
/// terrains from 1 on in the order in which they first appear.
///
/// ```
/// use wayfare_bevy::{bevy_math::UVec2, grid_of_tiles};
///
/// let tiles = [["grass", "wall", "grass"], ["grass", "swamp", "grass"]];
/// let grid = grid_of_tiles(UVec2::new(3, 2), |at| match tiles[at.y as usize][at.x as usize] {
///     "wall" => None,
///     "swamp" => Some(4.0),
///     _ => Some(1.0),
/// })?;
/// assert!(!grid.space().is_free(grid.cell(1, 0).unwrap()));
/// assert!(grid.space().is_free(grid.cell(1, 1).unwrap()));
/// # Ok::<(), wayfare_bevy::TileFault>(())
/// ```
///
/// # Errors
/// When a side is 0 or too long, a cost is out of range, or there are more than 250 of them.
pub fn grid_of_tiles(
    size: UVec2,
    mut cost: impl FnMut(UVec2) -> Option<f32>,
) -> Result<Grid, TileFault> {
    let mut known: Vec<f32> = Vec::new();
    let mut table = CostTable::new();
    let mut terrain = Vec::with_capacity(size.x as usize * size.y as usize);
    for y in 0..size.y {
        for x in 0..size.x {
            terrain.push(match cost(UVec2::new(x, y)) {
                None => TerrainId::BLOCKED,
                Some(1.0) => TerrainId::GROUND,
                Some(cost) => {
                    let index = known.iter().position(|known| known.to_bits() == cost.to_bits());
                    let index = index.unwrap_or(known.len());
                    let id = u8::try_from(index + 1).ok().filter(|&id| id <= 250);
                    let id = TerrainId(id.ok_or(TileFault::TooManyCosts)?);
                    if index == known.len() {
                        known.push(cost);
                        table = table.with(id, TerrainCost::multiplied(cost));
                    }
                    id
                }
            });
        }
    }
    let profile = GridProfile { costs: table, ..GridProfile::default() };
    Ok(Grid::new(size.x, size.y, &terrain, profile)?)
}
