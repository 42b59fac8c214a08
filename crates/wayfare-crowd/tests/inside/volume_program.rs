//! The best velocity among half spaces, against a raster.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_crowd::inside::tested::program::{HalfSpace, HalfSpaces, solve};

/// The worst miss of a velocity: among hard half spaces, among soft ones.
fn misses(spaces: &[HalfSpace<Vec3>], soft: usize, velocity: Vec3) -> [f32; 2] {
    [&spaces[..soft], &spaces[soft..]]
        .map(|spaces| spaces.iter().map(|space| space.misses_by(velocity)).fold(0.0, f32::max))
}

fn any_space(least: std::ops::Range<f32>) -> impl Strategy<Value = HalfSpace<Vec3>> {
    let part = || -1.0f32..1.0;
    (part(), part(), part(), least).prop_map(|(x, y, z, least)| {
        let normal = Vec3::new(x, y, z).try_normalize().unwrap_or(Vec3::X);
        HalfSpace { normal, least }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_velocity_of_a_raster_is_better(
        hard in prop::collection::vec(any_space(-1.0..0.0), 0..4),
        soft in prop::collection::vec(any_space(-1.0..0.9), 0..9),
        preferred in (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0),
    ) {
        let spaces: Vec<HalfSpace<Vec3>> = hard.iter().chain(&soft).copied().collect();
        let (preferred, count) = (Vec3::from(preferred), hard.len());
        let mut quads = HalfSpaces::none();
        quads.extend(spaces[..count].iter().copied());
        let begin = quads.lanes();
        quads.extend(spaces[count..].iter().copied());
        let chosen = solve(&quads, begin, preferred, 1.0);
        let [hard_miss, soft_miss] = misses(&spaces, count, chosen);
        // The origin lies in all hard half spaces.
        prop_assert!(hard_miss < 1e-3, "a hard half space is missed by {}", hard_miss);
        prop_assert!(chosen.length() < 1.001);
        let part = |step: i32| step as f32 / 10.0 - 1.0;
        for step in 0..21 * 21 * 21 {
            let velocity = Vec3::new(part(step % 21), part(step / 21 % 21), part(step / 441));
            let [hard, soft] = misses(&spaces, count, velocity);
            if velocity.length() > 1.0 || hard > 0.0 {
                continue;
            }
            prop_assert!(soft > soft_miss - 5e-3, "{} misses by {} only", velocity, soft);
            if soft <= 0.0 && soft_miss <= 0.0 {
                let nearer = velocity.distance(preferred) < chosen.distance(preferred) - 5e-3;
                prop_assert!(!nearer, "{} is nearer than {}", velocity, chosen);
            }
        }
    }
}
