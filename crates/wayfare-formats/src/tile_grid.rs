//! Tile map to grid.

use wayfare_core::space::CostTable;
use wayfare_grid::grid::{Grid, GridError, GridProfile};

use crate::costs::cost_table;
use crate::tile_map::TileMap;

impl TileMap {
    /// Returns the cost table of an agent that the map was made for: the costs of the map's own
    /// terrains.
    #[must_use]
    pub fn cost_table(&self) -> CostTable {
        cost_table(self.terrains())
    }

    /// Returns the map as a grid for one profile; [`TileMap::cost_table`] has the costs that the
    /// map itself names.
    ///
    /// # Errors
    /// When the map is larger than a grid can be, or the profile has an impossible value.
    pub fn to_grid(&self, profile: GridProfile) -> Result<Grid, GridError> {
        Grid::new(self.width(), self.height(), self.tiles(), profile)
    }
}
