//! The bodies near others, against a full look.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_crowd::MOST_NEIGHBOURS;
use wayfare_crowd::inside::tested::cells::{Body, Cells};
use wayfare_crowd::inside::tested::hunt::{Found, Lists, Looking, Moves};

/// How far squared distances may be out of order.
const ORDER: f32 = 1.0 / 32_768.0;

/// Sorts bodies, and compares the neighbours and contacts of each with all bodies.
fn compare<V: Moves>(
    given: &[(V, f32)],
    (side, range): (f32, f32),
    most: usize,
    is_filtered: bool,
) -> Result<(), TestCaseError> {
    let (mut cells, mut order) = (Cells::default(), Vec::new());
    let points: Vec<V> = given.iter().map(|body| body.0).collect();
    let keys: Vec<u32> = (0..points.len() as u32).collect();
    cells.sort((side, side + range), (&points, &keys), &mut order);
    let bodies: Vec<Body<V>> = order
        .iter()
        .map(|&number| {
            let (at, radius) = given[number as usize];
            Body { at, radius, reach: 0.1, number, velocity: V::ZERO, weight: 1.0 }
        })
        .collect();
    let looking = |own: usize| Looking { touch: bodies[own].radius + 2.0 + 0.2, range, most };
    let sees = |_: usize, place: usize| !is_filtered || bodies[place].number % 7 != 3;
    let mut lists = Vec::new();
    let mut visit = |_: usize, found: &Found| lists.push(*found);
    let filter = is_filtered.then_some(&sees);
    let points: Vec<V> = bodies.iter().map(|body| body.at).collect();
    cells.find::<V, _, { MOST_NEIGHBOURS + 1 }>(
        &points,
        0..bodies.len(),
        looking,
        filter,
        &mut visit,
    );
    for (own, me) in bodies.iter().enumerate() {
        let far = |place: &u32| bodies[*place as usize].at.distance_squared(me.at);
        let others: Vec<u32> = (0..bodies.len() as u32)
            .filter(|&place| place as usize != own && sees(own, place as usize))
            .collect();
        let touches = |place: &&u32| {
            let sum = me.radius + bodies[**place as usize].radius + 0.2;
            most > 0 && far(place) < sum * sum
        };
        let found = lists[own];
        let touched: Vec<u32> = others.iter().filter(touches).copied().collect();
        if found.are_all {
            prop_assert!(touched.iter().all(|place| found.all().contains(place)));
        }
        let mut contacts = Lists::default();
        if most > 0 {
            cells.touching((&bodies, &points), own, looking(own), filter, &mut contacts);
        }
        contacts.end();
        let mut contacts = contacts.of(0).to_vec();
        contacts.sort_unstable();
        prop_assert_eq!(contacts, touched);
        let mut near: Vec<f32> = others.iter().map(far).collect();
        near.sort_unstable_by(f32::total_cmp);
        let within = range * range;
        let neighbours = found.near();
        prop_assert!(neighbours.iter().all(|place| others.contains(place)));
        let surely = near.iter().filter(|&&far| far < within * (1.0 - ORDER)).count();
        let at_most = near.iter().filter(|&&far| far < within * (1.0 + ORDER)).count();
        prop_assert!((surely.min(most)..=at_most.min(most)).contains(&neighbours.len()));
        for (found, expected) in neighbours.iter().map(far).zip(near) {
            prop_assert!((found - expected).abs() <= expected * 2.0 * ORDER, "{found} {expected}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn neighbours_and_contacts_are_those_of_a_full_look(
        bodies in prop::collection::vec((-40.0f32..40.0, -40.0f32..40.0, 0.1f32..2.0), 1..200),
        side in 0.3f32..9.0,
        range in 0.0f32..20.0,
        most in 0usize..=MOST_NEIGHBOURS,
        is_filtered in any::<bool>(),
    ) {
        let bodies: Vec<_> = bodies.iter().map(|&(x, y, radius)| (Vec2::new(x, y), radius)).collect();
        compare(&bodies, (side, range), most, is_filtered)?;
    }

    #[test]
    fn so_in_a_crowd_denser_than_bodies_fit(
        bodies in prop::collection::vec((-4.0f32..4.0, -4.0f32..4.0, 0.1f32..2.0), 200..500),
        side in 0.3f32..9.0,
        most in 0usize..=MOST_NEIGHBOURS,
    ) {
        let bodies: Vec<_> = bodies.iter().map(|&(x, y, radius)| (Vec2::new(x, y), radius)).collect();
        compare(&bodies, (side, 5.0), most, false)?;
    }

    #[test]
    fn so_in_a_volume(
        bodies in prop::collection::vec((-20.0f32..20.0, -9.0f32..9.0, -20.0f32..20.0, 0.1f32..2.0), 1..150),
        side in 0.3f32..9.0,
        range in 0.0f32..20.0,
        most in 0usize..=MOST_NEIGHBOURS,
        is_filtered in any::<bool>(),
    ) {
        let balls: Vec<_> =
            bodies.iter().map(|&(x, y, z, radius)| (Vec3::new(x, y, z), radius)).collect();
        compare(&balls, (side, range), most, is_filtered)?;
    }
}
