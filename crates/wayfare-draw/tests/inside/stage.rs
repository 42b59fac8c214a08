//! Lines that are drawn in part.

use glam::Vec2;
use wayfare_draw::inside::stage::{beginning, turning_points};

#[test]
fn a_line_is_shortened_by_length() {
    let line = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]].map(Vec2::from);
    assert_eq!(beginning(&line, 0.75), [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0]].map(Vec2::from));
    assert_eq!(beginning(&line, 1.0), line);
}

#[test]
fn straight_runs_lose_their_inner_points() {
    let line = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 1.0], [2.0, 0.0]].map(Vec2::from);
    let turns = turning_points(line.into_iter());
    assert_eq!(turns, [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [2.0, 0.0]].map(Vec2::from));
    let far = |step: u8| Vec2::new(39.3, 769.7) + Vec2::splat(54.871 * f32::from(step));
    assert_eq!(turning_points((0..12).map(far)).len(), 2, "rounding is no turn");
}
