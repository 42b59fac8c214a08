//! Maps of any terrains.

use proptest::prelude::*;
use wayfare_formats::{Medium, Terrain, TerrainId, TileMap};

/// Maps with up to five terrains of any cost.
pub(crate) fn any_map() -> impl Strategy<Value = TileMap> {
    let terrain = (any::<bool>(), 0u8..4, -100.0f32..1000.0, 0.0f32..10.0, any::<[u8; 2]>());
    let shape = (1u32..12, 1u32..12, prop::collection::vec(terrain, 1..6));
    shape.prop_flat_map(|(width, height, terrains)| {
        let count = terrains.len() as u8;
        let table: Vec<Terrain> = (0u8..)
            .zip(terrains)
            .map(|(id, (walkable, medium, penalty, multiplier, color))| Terrain {
                name: format!("t{id}"),
                glyph: char::from(b'a' + id),
                color: [id, color[0], color[1]],
                multiplier,
                penalty,
                walkable,
                medium: Medium(medium),
            })
            .collect();
        let area = (width * height) as usize;
        let tiles = prop::collection::vec((0..count).prop_map(TerrainId), area);
        tiles.prop_map(move |tiles| {
            TileMap::new("m", width, height, table.clone(), tiles).expect("sound by construction")
        })
    })
}
