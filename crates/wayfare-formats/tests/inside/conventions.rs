//! Names that mark walls.

use wayfare_formats::inside::tested::conventions::is_wall;

#[test]
fn names_of_walls() {
    for name in ["Walls", "collision", "CollisionLayer", "house_walls 2", "SOLID", "Obstacles"] {
        assert!(is_wall(name), "{name}");
    }
    for name in ["", "Ground", "wallpaper", "Tile Layer 1", "floor", "blockbuster"] {
        assert!(!is_wall(name), "{name}");
    }
}
