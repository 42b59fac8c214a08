//! The engine that all spaces share: searches, paths, traces, links, the navigator.
//!
//! Games depend on [`wayfare`](https://docs.rs/wayfare), which re-exports this crate, or on this
//! crate and those of the spaces that they use: `wayfare-grid`, `wayfare-voxel`, `wayfare-mesh`.
//! An own space needs this crate alone.
//!
//! * [`space`]: the traits of a space, costs, ids, component labels.
//! * [`search`]: the algorithms, a file each; query, scratch, outcome.
//! * [`path`], [`trace`]: paths and their validator; records of searches.
//! * [`link`]: passages, doors and teleports over any space; danger and jams.
//! * [`navigate`]: a question, a policy, the engines that answer it.
//! * [`walls`]: outlines that stop bodies.
//! * [`expert`]: for authors of spaces and searches.
//! * [`ops`], [`hash`]: functions and hashes that are the same on every target.

pub mod expert;
pub mod explain;
pub mod hash;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
pub mod link;
pub mod navigate;
pub mod ops;
pub mod path;
#[doc(hidden)]
pub mod plane;
pub mod search;
pub mod space;
pub mod trace;
pub mod walls;
