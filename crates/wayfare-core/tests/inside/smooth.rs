//! The curve through the points of a path.

use glam::Vec3;
use wayfare_core::inside::tested::smooth::Span;

#[test]
fn the_curve_meets_its_points_and_keeps_its_direction_across_them() {
    let points = [(0.0, 0.0), (1.0, 0.0), (4.0, 2.0), (4.5, 5.0), (9.0, 5.0)]
        .map(|(x, z)| Vec3::new(x, 0.0, z));
    let before = Span::new([points[0], points[1], points[2], points[3]]);
    let after = Span::new([points[1], points[2], points[3], points[4]]);
    assert!(before.at(0.0).distance(points[1]) < 1e-5);
    assert!(before.at(1.0).distance(points[2]) < 1e-5);
    assert!(after.at(0.0).distance(points[2]) < 1e-5);
    let arriving = (before.at(1.0) - before.at(0.99)).normalize();
    let leaving = (after.at(0.01) - after.at(0.0)).normalize();
    assert!(arriving.dot(leaving) > 0.99, "{}", arriving.dot(leaving));
}

#[test]
fn a_straight_line_stays_straight() {
    let span = Span::new([0.0, 1.0, 2.0, 3.0].map(|x| Vec3::new(x, 0.0, 0.0)));
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        assert!(span.at(share).distance(Vec3::new(1.0 + share, 0.0, 0.0)) < 1e-5);
    }
}
