//! The best velocity among half planes, against a raster.

use glam::Vec2;
use proptest::prelude::*;
use wayfare_crowd::inside::tested::program::{HalfSpace, HalfSpaces, solve};

/// The worst miss of a velocity: among hard half planes, among soft ones.
fn misses(planes: &[HalfSpace<Vec2>], soft: usize, velocity: Vec2) -> (f32, f32) {
    let worst = |planes: &[HalfSpace<Vec2>]| {
        planes.iter().map(|plane| plane.misses_by(velocity)).fold(0.0, f32::max)
    };
    (worst(&planes[..soft]), worst(&planes[soft..]))
}

fn plane(angle: f32, least: f32) -> HalfSpace<Vec2> {
    let wayfare_core::ops::SinCos { sin, cos } = wayfare_core::ops::sin_cos(angle);
    HalfSpace { normal: Vec2::new(cos, sin), least }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_velocity_of_a_raster_is_better(
        hard in prop::collection::vec((-3.2f32..3.2, -1.0f32..0.0), 0..4),
        soft in prop::collection::vec((-3.2f32..3.2, -1.0f32..0.9), 0..9),
        preferred in (-1.0f32..1.0, -1.0f32..1.0),
    ) {
        let planes: Vec<HalfSpace<Vec2>> =
            hard.iter().chain(&soft).map(|&(angle, least)| plane(angle, least)).collect();
        let (preferred, count) = (Vec2::from(preferred), hard.len());
        let mut quads = HalfSpaces::none();
        quads.extend(planes[..count].iter().copied());
        let begin = quads.lanes();
        quads.extend(planes[count..].iter().copied());
        let chosen = solve(&quads, begin, preferred, 1.0);
        let (hard_miss, soft_miss) = misses(&planes, count, chosen);
        // The origin lies in all hard half planes.
        prop_assert!(hard_miss < 1e-3, "a hard half plane is missed by {}", hard_miss);
        prop_assert!(chosen.length() < 1.001);
        for step in 0..41 * 41 {
            let velocity = Vec2::new((step % 41) as f32, (step / 41) as f32) / 20.0 - 1.0;
            let (hard, soft) = misses(&planes, count, velocity);
            if velocity.length() > 1.0 || hard > 0.0 {
                continue;
            }
            prop_assert!(soft > soft_miss - 2e-3, "{} misses by {} only", velocity, soft);
            if soft <= 0.0 && soft_miss <= 0.0 {
                let nearer = velocity.distance(preferred) < chosen.distance(preferred) - 2e-3;
                prop_assert!(!nearer, "{} is nearer than {}", velocity, chosen);
            }
        }
    }
}
