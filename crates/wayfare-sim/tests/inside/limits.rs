//! Limits of agents: what is refused, and how bodies brake.

use wayfare_sim::agent::AgentLimits;

#[test]
fn what_is_no_number_in_range_is_named() {
    let default = AgentLimits::default();
    for (limits, field) in [
        (AgentLimits { max_speed: 0.0, ..default }, "maximum speed"),
        (AgentLimits { acceleration: f32::NAN, ..default }, "acceleration"),
        (AgentLimits { angular_speed: f32::INFINITY, ..default }, "angular speed"),
        (AgentLimits { spot_turn_speed: 0.0, ..default }, "speed of turns on the spot"),
        (AgentLimits { stopping_distance: -1.0, ..default }, "stopping distance"),
        (AgentLimits { turn_radius: f32::NAN, ..default }, "turn radius"),
    ] {
        assert_eq!(limits.check().unwrap_err().field, field);
    }
    assert_eq!(default.check(), Ok(()));
}

#[test]
fn bodies_that_are_far_need_not_slow_down() {
    let mut far = 0;
    for step in 0..40_000u16 {
        let limits = AgentLimits {
            acceleration: [0.1, 1.0, 8.0, 300.0][usize::from(step % 4)],
            ..AgentLimits::default()
        };
        let tick = [0.01, 0.05, 1.0][usize::from(step / 4 % 3)];
        let (distance, speed) = (f32::from(step / 12 % 60).exp2() * 1e-6, f32::from(step / 720));
        if limits.is_far(distance, speed, tick) {
            far += 1;
            assert!(limits.speed_to_stop(distance, tick) > speed);
            assert!(limits.speed_before(distance, 0.0, tick) > speed);
        }
    }
    assert!((10_000..30_000).contains(&far), "{far}");
}

#[test]
fn braking_ends_exactly_where_it_should_and_loses_no_more_speed_than_allowed() {
    let (limits, tick) = (AgentLimits::default(), 0.05);
    let loss = limits.acceleration * tick;
    for step in 1..400u16 {
        let distance = f32::from(step) * 0.01;
        let (mut left, mut speed) = (distance, limits.speed_to_stop(distance, tick));
        assert!((limits.braking_distance(speed, tick) - distance).abs() < 1e-4, "{distance}");
        while left > 1e-4 {
            let next = limits.speed_to_stop(left, tick);
            assert!(
                next <= speed + 1e-3 && next >= speed - loss * 1.001,
                "{distance}: {speed} {next}"
            );
            (left, speed) = (left - next * tick, next);
        }
        assert!(left > -1e-4 && speed <= loss * 1.001);
    }
}
