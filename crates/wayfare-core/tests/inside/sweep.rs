//! Swept discs, against samples along the line.

use glam::DVec2;
use proptest::prelude::*;
use wayfare_core::plane::{TOUCH, disc_sweep_is_clear};

#[test]
fn a_disc_passes_a_corner_at_its_radius_and_no_nearer() {
    let sweeps = |from: (f64, f64), to: (f64, f64), radius| {
        let wall = |x, y| (x, y) == (2, 2);
        disc_sweep_is_clear(from.into(), to.into(), radius, |_, _| true, wall)
    };
    for (from, to, away) in [
        ((0.0, 1.5), (9.0, 1.5), 0.5),
        ((9.0, 1.5), (0.0, 1.5), 0.5),
        ((1.25, 0.0), (1.25, 9.0), 0.75),
        ((0.0, 3.0), (3.0, 0.0), 0.5f64.sqrt()),
        ((1.0, 1.0), (1.0, 1.0), 2f64.sqrt()),
        ((0.0, 2.5), (1.5, 2.5), 0.5),
        ((3.5, 2.5), (9.0, 2.5), 0.5),
    ] {
        assert!(sweeps(from, to, away), "{from:?} to {to:?} at {away}");
        assert!(sweeps(from, to, away - 0.01), "{from:?} to {to:?} below {away}");
        assert!(!sweeps(from, to, away + 0.01), "{from:?} to {to:?} above {away}");
    }
    assert!(!sweeps((0.0, 2.5), (9.0, 2.5), 0.1), "through the wall");
    assert!(sweeps((0.0, 2.5), (9.0, 2.5), 0.0), "a point touches nothing");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_sweep_is_clear_where_the_disc_is_at_each_point(
        walls in prop::collection::btree_set((-2i64..8, -2i64..8), 0..8),
        ends in (0.0..6.0, 0.0..6.0, 0.0..6.0, 0.0..6.0),
        radius in 0.01..2.5,
    ) {
        let (from, to) = (DVec2::new(ends.0, ends.1), DVec2::new(ends.2, ends.3));
        let clear = disc_sweep_is_clear(
            from,
            to,
            radius,
            |row, columns| walls.iter().any(|&(x, y)| y == row && columns.contains(&x)),
            |x, y| walls.contains(&(x, y)),
        );
        let away = |point: DVec2| {
            walls.iter().map(|&(x, y)| {
                let low = DVec2::new(x as f64, y as f64);
                point.distance(point.clamp(low, low + DVec2::ONE))
            }).fold(f64::INFINITY, f64::min)
        };
        let nearest = (0..=1000).map(|part| away(from.lerp(to, f64::from(part) / 1000.0)));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        // Samples miss the nearest point by at most half of their distance.
        if nearest < radius - TOUCH - 1e-9 {
            prop_assert!(!clear, "{nearest} is less than {radius}");
        }
        if nearest - from.distance(to) / 2000.0 > radius {
            prop_assert!(clear, "{nearest} is more than {radius}");
        }
    }
}
