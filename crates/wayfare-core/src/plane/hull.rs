//! Convex hulls in the plane.
//!
//! Source: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.

use glam::DVec2;

/// Returns the corners of the convex hull, counter-clockwise, without points on a straight side.
/// O(n log n).
pub fn convex_hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<DVec2> = Vec::new();
    let mut half = |points: &mut dyn Iterator<Item = DVec2>| {
        let base = hull.len();
        for point in points {
            while let [.., a, b] = hull[base..] {
                if (b - a).perp_dot(point - b) > 0.0 {
                    break;
                }
                hull.pop();
            }
            hull.push(point);
        }
        // The last point of one half is the first of the other.
        hull.pop();
    };
    half(&mut points.iter().copied());
    half(&mut points.iter().rev().copied());
    hull
}
