//! The costs of a terrain table to an agent.

use wayfare_core::space::{CostTable, TerrainCost, TerrainId};

use crate::terrain::Terrain;

/// Returns the costs of terrains to agents that their world was made for; a terrain's id is its
/// index in the table. Terrain that is not walkable cannot be entered.
#[must_use]
pub fn cost_table(terrains: &[Terrain]) -> CostTable {
    let mut table = CostTable::new();
    for (id, terrain) in (0..=u8::MAX).map(TerrainId).zip(terrains) {
        let Terrain { multiplier, penalty, medium, .. } = *terrain;
        table = if terrain.walkable {
            table.with(id, TerrainCost { multiplier, penalty, medium })
        } else {
            table.without(id)
        };
    }
    table
}
