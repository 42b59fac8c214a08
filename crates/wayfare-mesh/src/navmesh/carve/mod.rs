//! Convex polygons minus convex holes, in plan: the ground of a mesh that wide bodies and obstacles
//! leave.
//!
//! A hole is cut out along its sides, one after the other: the part of the polygon outside the side
//! is split off as a piece, and the cutting goes on with the part inside. The last part lies inside
//! all sides, so inside the hole; it is dropped, or kept as a piece of other ground. Each piece is
//! convex, since each is an intersection of half planes. Two pieces that a cut has parted meet
//! along the line of that cut. So [`join()`] finds all neighbours by comparing intervals on lines
//! with equal indices; no point has to be found again among others.

mod circle;
pub(crate) mod join;
mod merge;
pub(crate) mod pieces;

pub(super) use circle::{around_circle, coarsely_around_circle};
pub(super) use join::{Joiner, Loose, LooseCorner, NO_LINE, join};
pub(super) use pieces::{Carver, Cutting, Hole, PieceCorner};
