//! What a terrain table costs an agent.

use wayfare_core::space::{CostTable, TerrainCost, TerrainId};

use crate::terrain::Terrain;

/// What terrains cost the agents that their world was made for; a terrain's number is its place in
/// the table. What is not walkable cannot be entered.
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
