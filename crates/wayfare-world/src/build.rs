//! From documents to spaces.

use wayfare::space::{self, CostTable, Grid, GridError, GridProfile, TerrainCost};

use crate::TileMap;

impl TileMap {
    /// What the map's own terrains cost: the cost table of an agent that the map was made for.
    #[must_use]
    pub fn cost_table(&self) -> CostTable {
        let mut table = CostTable::new();
        for (id, terrain) in (0..=u8::MAX).zip(self.terrains()) {
            let id = space::TerrainId(id);
            table = if terrain.walkable {
                let cost = TerrainCost {
                    multiplier: terrain.multiplier,
                    penalty: terrain.penalty,
                    medium: space::Medium(terrain.medium.0),
                };
                table.with(id, cost)
            } else {
                table.without(id)
            };
        }
        table
    }

    /// The map as a grid for one profile; [`TileMap::cost_table`] has the costs that the map itself names.
    ///
    /// # Errors
    /// When the map is larger than a grid can be, or the profile has an impossible value.
    pub fn to_grid(&self, profile: GridProfile) -> Result<Grid, GridError> {
        let terrain: Vec<space::TerrainId> =
            self.tiles().iter().map(|tile| space::TerrainId(tile.0)).collect();
        Grid::new(self.width(), self.height(), &terrain, profile)
    }
}
