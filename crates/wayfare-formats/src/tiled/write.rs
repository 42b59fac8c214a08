//! Tile map to `.tmj`: one layer, one embedded tileset with a tile for each terrain.

use serde_json::{Value, json};
use wayfare_core::space::Medium;

use crate::error::{WorldError, WorldErrorKind};
use crate::terrain::show_color;
use crate::tile_map::TileMap;

/// Writes a `.tmj` map that reads back the same, except marks, places and links, which are not
/// written. Its tileset has a tile a terrain and no picture; give it one in Tiled to see more than
/// ids.
///
/// # Errors
/// Practically never: when the JSON writer gives up.
pub fn write_tmj(map: &TileMap) -> Result<String, WorldError> {
    let tiles: Vec<Value> = map
        .terrains()
        .iter()
        .enumerate()
        .map(|(id, terrain)| {
            let mut properties = vec![
                property("color", "string", show_color(terrain.color)),
                property("glyph", "string", terrain.glyph.to_string()),
            ];
            if terrain.medium != Medium::GROUND {
                properties.push(property("medium", "int", terrain.medium.0));
            }
            if terrain.multiplier != 1.0 {
                properties.push(property("multiplier", "float", terrain.multiplier));
            }
            if terrain.penalty != 0.0 {
                properties.push(property("penalty", "float", terrain.penalty));
            }
            properties.push(property("terrain", "string", &terrain.name));
            if !terrain.walkable {
                properties.push(property("walkable", "bool", false));
            }
            json!({ "id": id, "properties": properties })
        })
        .collect();
    // A row a line, for people and for differences; spliced in below.
    let rows: Vec<String> = map
        .rows()
        .map(|row| {
            let gids: Vec<_> = row.iter().map(|tile| (u32::from(tile.0) + 1).to_string()).collect();
            gids.join(", ")
        })
        .collect();
    let document = json!({
        "type": "map",
        "version": "1.10",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": false,
        "width": map.width(),
        "height": map.height(),
        "tilewidth": 16,
        "tileheight": 16,
        "nextlayerid": 2,
        "nextobjectid": 1,
        "layers": [{
            "type": "tilelayer",
            "id": 1,
            "name": "terrain",
            "width": map.width(),
            "height": map.height(),
            "x": 0,
            "y": 0,
            "opacity": 1,
            "visible": true,
            "data": [DATA],
        }],
        "tilesets": [{
            "firstgid": 1,
            "name": "terrain",
            "tilewidth": 16,
            "tileheight": 16,
            "tilecount": map.terrains().len(),
            "columns": 0,
            "margin": 0,
            "spacing": 0,
            "tiles": tiles,
        }],
    });
    let text = serde_json::to_string_pretty(&document)
        .map_err(|error| WorldError::new(WorldErrorKind::NotRepresentable, error.to_string()))?;
    let data = rows.join(",\n        ");
    Ok(text.replacen(&format!("\"{DATA}\""), &data, 1) + "\n")
}

/// Stands for the tiles until the document is text; layers come before names of terrains.
const DATA: &str = "tiles";

fn property(name: &str, kind: &str, value: impl serde::Serialize) -> Value {
    json!({ "name": name, "type": kind, "value": value })
}
