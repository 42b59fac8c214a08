//! How bodies that touch are parted.

use glam::Vec2;
use wayfare_crowd::inside::tested::cells::Body;
use wayfare_crowd::inside::tested::contact::{RELAXATION, parted, share};

fn body(x: f32, weight: f32, number: u32) -> Body<Vec2> {
    let (at, velocity) = (Vec2::new(x, 0.0), Vec2::ZERO);
    Body { at, velocity, radius: 0.5, weight, reach: 1.0, number }
}

#[test]
fn the_heavier_of_two_gives_way_less() {
    // They overlap by 0.2, of which the one of weight 3 makes a quarter.
    let bodies = [body(0.0, 1.0, 0), body(0.8, 3.0, 1)];
    let targets = bodies.map(|body| body.at);
    let [light, heavy] = [(0, [1]), (1, [0])]
        .map(|(own, other)| parted(&bodies, &targets, (own, Vec2::ZERO), &other));
    assert!((light.x + 0.15).abs() < 1e-6 && (heavy.x - 0.05).abs() < 1e-6, "{light} {heavy}");
    assert!((share(&bodies[0], &bodies[1]) + share(&bodies[1], &bodies[0]) - 1.0).abs() < 1e-6);
}

#[test]
fn what_several_ask_for_is_averaged_and_made_a_little_more() {
    let bodies = [body(0.0, 1.0, 0), body(-0.8, 1.0, 1), body(-0.8, 1.0, 2)];
    let targets = bodies.map(|body| body.at);
    // Each asks for 0.1, half of the overlap.
    let moved = parted(&bodies, &targets, (0, Vec2::ZERO), &[1, 2]);
    assert!((moved.x - 0.1 * RELAXATION).abs() < 1e-6, "{moved}");
    assert_eq!(parted(&bodies, &targets, (0, Vec2::ZERO), &[]), Vec2::ZERO);
}
