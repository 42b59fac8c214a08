//! The arcs of rounded corners.

use glam::Vec3;
use wayfare_core::inside::tested::round::Turn;

#[test]
fn arcs_begin_and_end_on_the_legs() {
    let corner = Vec3::new(4.0, 1.0, 2.0);
    for (before, after) in [
        (Vec3::new(0.0, 1.0, 2.0), Vec3::new(4.0, 1.0, 9.0)),
        (Vec3::new(0.0, 0.0, 0.0), Vec3::new(9.0, 3.0, 1.0)),
        (Vec3::new(0.0, 1.0, 2.0), Vec3::new(0.5, 1.0, 2.5)),
    ] {
        let turn = Turn::new([before, corner, after]).unwrap();
        let mut arc = Vec::new();
        turn.arc(0.5, 0.1, &mut arc);
        let center = arc[0] + turn.inward * 0.5;
        for &point in &arc {
            assert!((point.distance(center) - 0.5).abs() < 1e-4);
        }
        let onward = (after - corner).normalize();
        let end = corner + onward * (0.5 * turn.tangent_per_radius);
        assert!(arc[arc.len() - 1].distance(end) < 1e-3 * turn.tangent_per_radius.max(1.0));
    }
}

#[test]
fn reversals_straight_lines_and_points_have_no_arc() {
    let at = |x: f32| Vec3::new(x, 0.0, 0.0);
    assert!(Turn::new([at(0.0), at(1.0), at(0.0)]).is_none());
    assert!(Turn::new([at(0.0), at(1.0), at(2.0)]).is_none());
    assert!(Turn::new([at(0.0), at(0.0), at(2.0)]).is_none());
}
