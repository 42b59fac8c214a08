//! A site: a world with its space, ready to be searched, whatever kind it is.
//!
//! The searches are generic and statically dispatched; a site hides their types behind one virtual call a query
//! ([`Searcher::run`]), so that the commands are written once.

mod edge;
mod endpoints;
mod grid;
mod indexed;
mod look;
mod moves;
mod open;
mod place;
mod run;
mod searcher;
mod sectored;
mod stopwatch;
mod traits;
mod voxels;
mod waypoints;

pub(crate) use endpoints::{Endpoints, choose, regions};
pub(crate) use grid::GridSite;
pub(crate) use indexed::{INDEX, LoadedIndex};
pub(crate) use moves::Move;
pub(crate) use open::{build, open, read, whole_scenery};
pub(crate) use place::{OFF_MAP, Place};
pub(crate) use run::{Ask, Ending, Run, Stop};
pub(crate) use sectored::{HIERARCHY, HierarchySearcher, Legs};
pub(crate) use traits::{Lack, Rule, Searcher, Site, View};
pub(crate) use voxels::VoxelSite;
