//! Makes the sample worlds that are drawn: `cargo run -p wayfare-world --example
//! make_worlds`. `wayfare generate` makes the others: see `worlds/README.md`.
//!
//! The same files come out on every machine, so a difference in `worlds/` afterwards is a change
//! of a drawing or a format.

mod voxels;

use std::path::Path;

use wayfare::prelude::*;
use wayfare::space::Neighbours;
use wayfare_world::scene::{self, QueryPlace, Scene};
use wayfare_world::{Terrain, TileMap, World, WorldError, palette, write_path};

fn main() -> Result<(), WorldError> {
    let worlds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let write = |name: &str, world: World| write_path(worlds.join(name), &world);
    write("voxel-village.voxels", World::Voxels(voxels::village()?))?;
    write("voxel-cave.voxels", World::Voxels(voxels::cave()?))?;
    write("floating-islands.voxels", World::Voxels(voxels::floating_islands()?))?;
    let village = village()?;
    write("village.toml", World::Scene(village_scene(&village)?))?;
    write("village.tmj", World::TileMap(village))?;
    Ok(())
}

/// The terrains of the village; a penalty is what arriving there costs.
fn village_terrains() -> Vec<Terrain> {
    vec![
        Terrain::new("grass", '.', palette::GRASS),
        Terrain::new("sand", 's', palette::SAND).with_penalty(0.5),
        Terrain::new("snow", 'n', palette::SNOW).with_penalty(10.0),
        Terrain::new("mountain", 'M', palette::MOUNTAIN).with_penalty(100.0),
        Terrain::new("water", '~', palette::WATER).with_penalty(999.0).blocked(),
        Terrain::new("town", 'T', palette::TOWN).with_penalty(-0.5),
        Terrain::new("bridge", '=', palette::BRIDGE).with_penalty(0.5),
    ]
}

/// Two towns, a mountain range with snow on its flanks, and a river with two bridges.
const VILLAGE: [&str; 16] = [
    "..nnMMMn..~.....",
    "..nMMMn...~..TT.",
    "..nMMMn...~..TT.",
    "...nMMMn..=.....",
    "...nMMn...~.....",
    "...nMMn..~~.....",
    "....nn...~...s..",
    ".....nMMM~..ss..",
    "....nMMMM~...s..",
    ".TT..nMMn~......",
    ".TT...nn.~~.....",
    "..........~..MM.",
    "....ss....=..MMn",
    "...sss....~...nn",
    "....s.....~.....",
    "..........~.....",
];

fn village() -> Result<TileMap, WorldError> {
    let terrains = village_terrains();
    let tile = |glyph: char| {
        let id = terrains.iter().position(|terrain| terrain.glyph == glyph);
        // There are seven terrains, and the drawing has no other glyphs.
        TerrainId(id.map_or(u8::MAX, |id| id as u8))
    };
    let tiles = VILLAGE.iter().flat_map(|row| row.chars()).map(tile).collect();
    TileMap::new("village", 16, 16, terrains, tiles)
}

fn village_scene(village: &TileMap) -> Result<Scene, WorldError> {
    let mut scene = Scene::from_tile_map(village, Neighbours::Eight)?;
    scene.scene.description = "Two towns either side of a river, and a mountain range. A waypoint \
                               a tile; what it costs to arrive there is the penalty of its terrain."
        .to_string();
    let query = |name: &str, from: &str, to: &str| scene::SceneQuery {
        name: name.to_string(),
        from: QueryPlace::Waypoint(from.to_string()),
        to: QueryPlace::Waypoint(to.to_string()),
    };
    scene.queries = vec![
        // Straight over the top is 7 steps; the way round over a single tile of snow is cheaper.
        query("over the range", "1,2", "8,2"),
        // The range lies across the straight line, with a gap of snow; both bridges lead there.
        query("to the other town", "1,9", "14,1"),
        // A few steps as the crow flies, but the river lies between.
        query("to the beach", "8,5", "13,7"),
        // From the snow on the edge of the mountain: the way home avoids it, and takes the bridge.
        query("home past the mountain", "15,13", "2,10"),
    ];
    scene.validate()?;
    Ok(scene)
}
