//! Swept balls, against samples along the line.

use glam::DVec3;
use proptest::prelude::*;
use wayfare_voxel::inside::tested::ball::{TOUCH, ball_sweep_is_clear};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sweep_is_clear_where_the_ball_is_at_each_point(
        walls in prop::collection::btree_set((-1i32..5, -1i32..5, -1i32..5), 0..12),
        from in (0.0..4.0, 0.0..4.0, 0.0..4.0),
        to in (0.0..4.0, 0.0..4.0, 0.0..4.0),
        level in 0..3usize,
        radius in 0.01..1.8,
    ) {
        let (from, mut to) = (DVec3::from(from), DVec3::from(to));
        to[level] = from[level];
        let clear =
            ball_sweep_is_clear(from, to, radius, |_, _| true, |[x, y, z]| walls.contains(&(x, y, z)));
        let away = |point: DVec3| {
            walls.iter().map(|&(x, y, z)| {
                let low = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
                point.distance(point.clamp(low, low + DVec3::ONE))
            }).fold(f64::INFINITY, f64::min)
        };
        let nearest = (0..=1000).map(|part| away(from.lerp(to, f64::from(part) / 1000.0)));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        // Samples miss the nearest point by at most half of their distance.
        if nearest < radius - TOUCH - 1e-9 {
            prop_assert!(!clear, "{nearest} is less than {radius}");
        } else if nearest > radius + 0.004 {
            prop_assert!(clear, "{nearest} is more than {radius}");
        }
    }
}

#[test]
fn a_ball_passes_an_edge_at_its_radius_and_no_nearer() {
    let wall = |at: [i32; 3]| at == [2, 2, 2];
    let sweeps = |y: f64, z: f64, radius: f64| {
        ball_sweep_is_clear(DVec3::new(0.0, y, z), DVec3::new(9.0, y, z), radius, |_, _| true, wall)
    };
    // Past a face, and past an edge at a distance of 0.5 by Pythagoras.
    for (y, z) in [(1.5, 2.5), (1.6, 1.7)] {
        assert!(sweeps(y, z, 0.5) && !sweeps(y, z, 0.51));
    }
    assert!(!sweeps(2.5, 2.5, 0.1), "through the wall");
}
