//! Simplified polylines.

use glam::Vec3;
use wayfare_core::inside::tested::simplify::deviation;
use wayfare_core::path::{Polyline, simplify};

fn line(points: impl IntoIterator<Item = (f32, f32)>) -> Polyline {
    points.into_iter().map(|(x, z)| Vec3::new(x, 0.0, z)).collect()
}

#[test]
fn a_straight_line_far_from_the_origin_has_two_points() {
    let straight = line((0..500).map(|i| (1000.1 + i as f32 * 0.3, 2000.7 + i as f32 * 0.3)));
    assert_eq!(simplify(&straight).points.len(), 2);
}

#[test]
fn a_slow_bend_is_not_a_straight_line() {
    // Each step deviates from its neighbours by less than rounding.
    let bend = line((0..=1000).map(|i| (i as f32, (i * i) as f32 * 1e-5)));
    let simple = simplify(&bend);
    assert!(simple.points.len() > 2 && simple.points.len() < 700, "{}", simple.points.len());
    for &point in &bend.points {
        let off = simple.points.windows(2).map(|leg| deviation(point, leg[0], leg[1]));
        assert!(off.fold(f32::INFINITY, f32::min) < 1e-3);
    }
}

#[test]
fn reversals_and_repeated_points_are_handled() {
    assert_eq!(simplify(&line([(0.0, 0.0), (3.0, 0.0), (1.0, 0.0)])).points.len(), 3);
    assert_eq!(simplify(&line([(2.0, 1.0); 5])).points.len(), 2);
    assert_eq!(simplify(&line([])), Polyline::default());
    assert_eq!(simplify(&line([(1.0, 1.0)])).points.len(), 1);
}
