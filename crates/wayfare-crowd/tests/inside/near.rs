//! The bodies near one of them, against a full look.

use glam::Vec2;
use proptest::prelude::*;
use wayfare_crowd::MOST_NEIGHBOURS;
use wayfare_crowd::inside::tested::near::{Body, Looking, Near, find_among_all};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn those_found_are_those_of_a_full_look(
        bodies in prop::collection::vec((-40.0f32..40.0, -40.0f32..40.0, 0.1f32..2.0), 1..200),
        side in 0.3f32..9.0,
        range in 0.0f32..20.0,
        most in 0usize..=MOST_NEIGHBOURS,
    ) {
        let mut near = Near::default();
        let mut order = Vec::new();
        near.sort((side, side + range), &bodies.iter().map(|&(x, y, _)| Vec2::new(x, y)), &mut order);
        let bodies: Vec<Body<Vec2>> = order.iter().map(|&number| {
            let (x, y, radius) = bodies[number as usize];
            Body { at: Vec2::new(x, y), radius, reach: 0.1, number, ..Body::default() }
        }).collect();
        for own in 0..bodies.len() {
            let looking = Looking { touch: bodies[own].radius + 2.0 + 0.2, range, most, sees_all: false };
            let sees = |place: usize| bodies[place].number % 7 != 3;
            let (mut touching, mut all) = (Vec::new(), Vec::new());
            let found = near.find(&bodies, own, looking, sees, &mut touching);
            let expected = find_among_all(&bodies, own, looking, sees, &mut all);
            touching.sort_unstable();
            prop_assert_eq!(touching, all);
            // Of those equally far, any may be the last.
            let far = |place: usize| bodies[place].at.distance_squared(bodies[own].at);
            let distances: Vec<f32> = found.places().map(far).collect();
            prop_assert_eq!(distances, expected.places().map(far).collect::<Vec<f32>>());
            prop_assert!(found.places().all(|place| place != own && sees(place)));
        }
    }
}
