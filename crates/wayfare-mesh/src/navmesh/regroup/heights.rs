//! Heights of polygons that are not flat.

use glam::DVec3;

/// Returns the greatest vertical distance between points and the plane that fits them best; z is
/// up.
pub(in crate::navmesh) fn bend(points: impl ExactSizeIterator<Item = DVec3> + Clone) -> f64 {
    let heights = points.clone().map(|at| at.z);
    let (low, high) =
        (heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max));
    if low >= high {
        return 0.0;
    }
    let middle = points.clone().sum::<DVec3>() / points.len() as f64;
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for offset in points.clone().map(|at| at - middle) {
        xx += offset.x * offset.x;
        xy += offset.x * offset.y;
        yy += offset.y * offset.y;
        xz += offset.x * offset.z;
        yz += offset.y * offset.z;
    }
    let whole = xx * yy - xy * xy;
    let (x, y) = ((xz * yy - yz * xy) / whole, (yz * xx - xz * xy) / whole);
    let distance = |offset: DVec3| (offset.z - x * offset.x - y * offset.y).abs();
    points.map(|at| distance(at - middle)).fold(0.0, f64::max)
}
