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

/// Returns the corners of the polygon around a circle about the origin, counter-clockwise. They lie
/// at most 2 % outside: `radius / cos 11.25°` from the origin.
pub(in crate::navmesh) fn around_circle(radius: f64) -> impl Iterator<Item = DVec2> {
    (0..TANGENTS.len()).map(move |index| {
        let (normal, next) = (TANGENTS[index], TANGENTS[(index + 1) % TANGENTS.len()]);
        // Where the two tangents cross.
        (normal + next) * (radius / (1.0 + normal.dot(next)))
    })
}
