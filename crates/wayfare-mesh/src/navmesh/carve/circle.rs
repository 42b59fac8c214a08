//! Circles as polygons around them.

use glam::DVec2;

/// The normals of the 16 tangents that stand for a circle: counter-clockwise, 22.5° apart.
const TANGENTS: [DVec2; 16] = {
    let (a, b, c) =
        (0.923_879_532_511_286_7, 0.382_683_432_365_089_8, std::f64::consts::FRAC_1_SQRT_2);
    [
        DVec2::new(1.0, 0.0),
        DVec2::new(a, b),
        DVec2::new(c, c),
        DVec2::new(b, a),
        DVec2::new(0.0, 1.0),
        DVec2::new(-b, a),
        DVec2::new(-c, c),
        DVec2::new(-a, b),
        DVec2::new(-1.0, 0.0),
        DVec2::new(-a, -b),
        DVec2::new(-c, -c),
        DVec2::new(-b, -a),
        DVec2::new(0.0, -1.0),
        DVec2::new(b, -a),
        DVec2::new(c, -c),
        DVec2::new(a, -b),
    ]
};

/// Returns the corners of 16 sides around a circle about the origin, counter-clockwise. They lie at
/// most 2 % outside: `radius / cos 11.25°` from the origin.
pub(in crate::navmesh) fn around_circle(radius: f64) -> impl Iterator<Item = DVec2> {
    corners(radius, 1)
}

/// Returns the same with 8 sides: at most 8.3 % outside, `radius / cos 22.5°` from the origin.
pub(in crate::navmesh) fn coarsely_around_circle(radius: f64) -> impl Iterator<Item = DVec2> {
    corners(radius, 2)
}

/// Returns where each tangent crosses the next one, of each `step`th.
fn corners(radius: f64, step: usize) -> impl Iterator<Item = DVec2> {
    (0..TANGENTS.len()).step_by(step).map(move |index| {
        let (normal, next) = (TANGENTS[index], TANGENTS[(index + step) % TANGENTS.len()]);
        (normal + next) * (radius / (1.0 + normal.dot(next)))
    })
}
