//! Convex hulls.

use glam::DVec2;
use wayfare_core::plane::convex_hull;

#[test]
fn the_hull_of_a_square_with_clutter_is_the_square() {
    let points = [(0, 0), (2, 0), (1, 0), (2, 2), (1, 1), (0, 2), (0, 1), (0, 0)];
    let points = points.map(|(x, y)| DVec2::new(f64::from(x), f64::from(y)));
    let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)];
    assert_eq!(convex_hull(points.to_vec()), square.map(DVec2::from));
}
