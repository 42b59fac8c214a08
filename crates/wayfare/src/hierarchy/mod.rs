//! Hierarchical search for grids that change: sectors, the ways between their borders, and routes that are refined as they are walked.

mod build;
mod entrances;
mod error;
mod flood;
mod query;
mod route;
mod sectors;

pub use build::{Hierarchy, HierarchySettings};
pub use error::{HierarchyError, RouteOutcome};
pub use route::{HierarchyScratch, SectorRoute};
