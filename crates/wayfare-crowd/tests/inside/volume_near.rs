//! The bodies near one of them in a volume, against a full look.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_crowd::inside::tested::near::{Body, Looking, Near, find_among_all};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn those_found_are_those_of_a_full_look(
        bodies in prop::collection::vec((-20.0f32..20.0, -9.0f32..9.0, -20.0f32..20.0, 0.1f32..2.0), 1..150),
        side in 0.3f32..9.0,
        range in 0.0f32..20.0,
        most in 0usize..=16,
    ) {
        let mut near = Near::default();
        let mut order = Vec::new();
        let points: Vec<Vec3> = bodies.iter().map(|&(x, y, z, _)| Vec3::new(x, y, z)).collect();
        near.sort((side, side + range), &points.iter().copied(), &mut order);
        let balls: Vec<Body<Vec3>> = order.iter().map(|&number| Body {
            at: points[number as usize],
            radius: bodies[number as usize].3,
            reach: 0.1,
            number,
            ..Body::default()
        }).collect();
        for own in 0..balls.len() {
            let touch = balls[own].radius + 2.0 + 0.2;
            let looking = Looking { touch, range, most, sees_all: false };
            let sees = |place: usize| balls[place].number % 7 != 3;
            let (mut touching, mut all) = (Vec::new(), Vec::new());
            let found = near.find(&balls, own, looking, sees, &mut touching);
            let expected = find_among_all(&balls, own, looking, sees, &mut all);
            touching.sort_unstable();
            prop_assert_eq!(touching, all);
            // Of those equally far, any may be the last.
            let far = |place: usize| balls[place].at.distance_squared(balls[own].at);
            let distances: Vec<f32> = found.places().map(far).collect();
            prop_assert_eq!(distances, expected.places().map(far).collect::<Vec<f32>>());
            prop_assert!(found.places().all(|place| place != own && sees(place)));
        }
    }
}
