//! Where a straight line to a wanted point ends before the wall.

use glam::Vec3;
use wayfare_core::inside::LineEnd;
use wayfare_grid::grid::Grid;

#[test]
fn a_body_ends_before_the_wall_and_a_point_beside_it() {
    let grid = Grid::from_rows(&["....", "..#.", "...."]).unwrap();
    let space = grid.space();
    let (position, wanted) = (Vec3::new(2.5, 0.0, 0.5), Vec3::new(2.5, 0.0, 0.95));
    let end = |before, radius| LineEnd::new(&space, before, position, wanted, radius);
    let beside = Some(Vec3::new(0.5, 0.0, 0.5));
    assert_eq!(end(beside, 0.0), LineEnd { point: wanted, is_straight: true });
    let body = end(beside, 0.3);
    assert!((body.point.z - 0.7).abs() < 0.01, "{}", body.point);
    assert!(body.is_straight);
    assert!(!end(Some(Vec3::new(0.5, 0.0, 2.5)), 0.0).is_straight, "a wall between");
    assert!(!end(None, 0.0).is_straight);
}
