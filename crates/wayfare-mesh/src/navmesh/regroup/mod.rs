//! Few large polygons for ground that cuts have left in many small ones.
//!
//! 1. Each polygon is cut into triangles ([`ears`]).
//! 2. Corners that the outline of the ground does not need are removed ([`thin`]): those inside the
//!    ground, and those on straight walls.
//! 3. Edges are flipped until the triangles are Delaunay's ([`flip`]).
//! 4. Edges are removed, the longest first, where both ends stay convex ([`unite`]). The result has
//!    at most four times as many polygons as necessary: S. Hertel and K. Mehlhorn, "Fast
//!    Triangulation of Simple Polygons" (1983).
//! 5. Edges are exchanged for shorter ones, which paths cross less often ([`shorten`]).
//!
//! All steps are local: they know a polygon's neighbours by its edges, so floors above each other
//! do not meet. Turns are exact, since points are taken from the mesh's
//! [raster](super::plan::Raster). A polygon that rounding has turned inside out is left as it is.
//!
//! # Heights
//!
//! No step changes heights by more than the *slack*: [`RISE`], or the [`bend`] of the polygon that
//! the ground was cut from, if that is more. A polygon that is not flat has no better heights than
//! that. Triangles are united only if their corners lie within the slack of one plane. Areas stay
//! apart.

mod ears;
mod flip;
mod halves;
mod heights;
mod shorten;
mod thin;
mod unite;

use super::AreaId;
use super::mesh::Rings;
use halves::Halves;
pub(super) use heights::bend;

/// The greatest change of the heights of flat polygons by one step, in metres.
const RISE: f64 = 0.25;

/// The ground of a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    pub(super) area: AreaId,
    /// The [`bend`] of the polygon that it was cut from.
    pub(super) bend: f64,
}

/// Returns the same ground in fewer polygons, with their areas. A corner nearer than `tolerance` to
/// a straight wall counts as on it.
///
/// Time: O(n log n) for n corners that have O(1) edges.
pub(super) fn regroup(rings: &Rings, grounds: &[Ground], tolerance: f64) -> (Rings, Vec<AreaId>) {
    let mut halves = Halves::of(rings, grounds);
    halves.triangulate();
    halves.thin_out(tolerance);
    halves.flip_all();
    halves.unite();
    halves.shorten();
    halves.rings()
}
