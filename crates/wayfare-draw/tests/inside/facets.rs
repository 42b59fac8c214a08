//! The triangles of facets.

use glam::Vec2;
use wayfare_draw::inside::facets::{points_left, triangle};
use wayfare_draw::{Colour, Facets};

#[test]
fn the_middle_of_each_triangle_is_in_it() {
    for column in -3i64..4 {
        for row in -3i64..6 {
            let across = if points_left(column, row) { 2.0 } else { 1.0 } / 3.0;
            let point = Vec2::new(column as f32 + across, row as f32 / 2.0);
            assert_eq!(triangle(point), (column, row));
        }
    }
}

#[test]
fn tiles_leave_a_margin() {
    let (top, tile) = (Colour::hex(0x808080), Colour::hex(0x00ff00));
    let mut facets = Facets {
        corner: Vec2::ZERO,
        side: 20.0,
        rows: 3,
        colours: vec![Colour::CLEAR; 6],
        tiles: vec![Colour::CLEAR; 6],
    };
    // The left and right half of one top: columns 0 and 1, row 2.
    for number in [2, 5] {
        facets.colours[number] = top;
        facets.tiles[number] = tile;
    }
    assert_eq!(facets.at(Vec2::new(20.0, 20.0)), Some(tile));
    assert_eq!(facets.at(Vec2::new(2.0, 20.0)), Some(top));
    assert_eq!(facets.at(Vec2::new(38.0, 20.0)), Some(top));
    assert_eq!(facets.at(Vec2::new(2.0, 2.0)), None);
}
