//! The sides of walls near a body.

use glam::Vec3;
use wayfare_core::walls::Walls;
use wayfare_grid::grid::Grid;

fn sides(rows: &[&str], x: f32, z: f32, range: f32) -> Vec<(f32, f32, f32, f32)> {
    let grid = Grid::from_rows(rows).unwrap();
    let mut found = Vec::new();
    grid.space().sides_near(Vec3::new(x, 0.0, z), range, |side| {
        found.push((side.from.x, side.from.z, side.to.x, side.to.z));
    });
    found
}

#[test]
fn sides_of_neighbouring_cells_are_one() {
    let room = ["#####", "#...#", "#...#", "#####"];
    let all = sides(&room, 2.5, 1.5, 4.0);
    assert_eq!(
        all,
        [(1.0, 1.0, 4.0, 1.0), (1.0, 3.0, 4.0, 3.0), (1.0, 1.0, 1.0, 3.0), (4.0, 1.0, 4.0, 3.0)]
    );
}

#[test]
fn the_border_of_the_map_is_a_wall_and_far_walls_are_left_out() {
    assert_eq!(
        sides(&["....", "...."], 0.5, 0.5, 0.6),
        [(0.0, 0.0, 2.0, 0.0), (0.0, 0.0, 0.0, 2.0)]
    );
    assert!(sides(&["....", "....", "....", "...."], 2.0, 2.0, 1.0).is_empty());
}

#[test]
fn only_sides_that_face_the_body_count() {
    let post = ["...", ".#.", "..."];
    assert_eq!(sides(&post, 0.5, 0.5, 1.2).last(), Some(&(1.0, 1.0, 1.0, 2.0)));
    let below = sides(&post, 1.5, 2.5, 0.8);
    assert!(below.contains(&(1.0, 2.0, 2.0, 2.0)), "{below:?}");
    assert!(!below.iter().any(|side| side.1 == 1.0 && side.3 == 1.0), "{below:?}");
}
