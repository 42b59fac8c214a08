//! Few large polygons for ground that cuts have left in many small ones.
//!
//! 1. Each polygon is cut into triangles ([`ears`]).
//! 2. Corners that the outline of the ground does not need are removed ([`thin`]): those inside the
//!    ground, and those on straight walls.
//! 3. Edges are flipped until the triangles are Delaunay's ([`flip`]).
//! 4. Edges are removed, the longest first, where both ends stay convex ([`unite`]). The result has
//!    at most four times as many polygons as necessary: S. Hertel and K. Mehlhorn, "Fast
//!    Triangulation of Simple Polygons" (1983).
//!
//! All steps are local: they know a polygon's neighbours by its edges, so floors above each other
//! do not meet. Turns are exact, since points are taken from the mesh's
//! [raster](super::plan::Raster). A polygon that rounding has turned inside out is left as it is.
//!
//! # Heights
//!
//! Each triangle keeps a bound of the distance between its height and the height before. A step
//! that lets it exceed half of [`RISE`] is not made. A polygon of several triangles is made only
//! if its corners lie near one plane: with the bound, the sum of twice their distance is at most
//! `RISE`. Areas stay apart.

mod ears;
mod flip;
mod halves;
mod thin;
mod unite;

use super::AreaId;
use super::mesh::Rings;
use halves::Halves;

/// The greatest change of heights, in metres.
const RISE: f64 = 0.1;

/// Returns the same ground in fewer polygons, with their areas. A corner nearer than `tolerance` to
/// a straight wall counts as on it.
///
/// Time: O(n log n) for n corners that have O(1) edges.
pub(super) fn regroup(rings: &Rings, areas: &[AreaId], tolerance: f64) -> (Rings, Vec<AreaId>) {
    let mut halves = Halves::of(rings, areas);
    halves.triangulate();
    halves.thin_out(tolerance);
    halves.flip_all();
    halves.unite();
    halves.rings()
}
