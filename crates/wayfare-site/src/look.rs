//! How terrains look in pictures.

use wayfare_draw::{Colour, Terrain, Theme};

/// Returns a terrain of a world as pictures show it. Its colour is the theme's for its name, so
/// that a search stands out on it, or the file's own if the theme knows none.
pub fn terrain(terrain: &wayfare_formats::Terrain, theme: &Theme) -> Terrain {
    let [red, green, blue] = terrain.color;
    let own = Colour { red, green, blue, alpha: 255 };
    let plain = ["ground", "free", "floor"].contains(&terrain.name.as_str());
    let colour = match theme.terrain(&terrain.name) {
        _ if plain => theme.floor,
        Some(colour) => colour,
        // Walls by any other name; a rock that has a colour of its own keeps it.
        None if !terrain.walkable && own.luminance() < 0.2 => theme.wall,
        // Its hue, but no brighter than the rest of the ground.
        None => own.mix(theme.floor, 0.7),
    };
    Terrain::new(terrain.name.clone(), colour, !terrain.walkable)
}
