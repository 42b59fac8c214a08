//! Hierarchical search for grids that change.
//!
//! The grid is cut into square sectors. A [`Hierarchy`] keeps the costs between the *transitions*
//! of each sector: cells on its rim with a move into another sector. A* over transitions finds a
//! [`SectorRoute`] with an upper bound of its cost; the route is refined into cells leg by leg as
//! an agent walks. After an edit only the sectors that it touches are repaired.
//!
//! * `sectors.rs`: the division into sectors, ids of rim cells
//! * `entrances.rs`: the choice of transitions, and why a route exists wherever a path does
//! * `corners.rs`: cheapest costs within a sector where all steps cost their length
//! * `elimination.rs`: cheapest costs among some nodes of a graph
//! * `flood.rs`: cheapest costs within any sector
//! * `build.rs`: building and repairing
//! * `groups.rs`: squares of sectors on large maps
//! * `plan.rs`: A* over transitions
//! * `waiting.rs`: exits of groups during a search
//! * `query.rs`: routes between two cells
//! * `route.rs`: refinement, and the proof of the bound

pub(crate) mod build;
mod corners;
mod elimination;
mod entrances;
mod error;
pub(crate) mod flood;
pub(crate) mod groups;
mod plan;
mod query;
mod route;
pub(crate) mod sectors;
mod side;
mod waiting;

pub use build::{Hierarchy, HierarchySettings};
pub use error::{HierarchyError, RouteOutcome};
pub use route::{HierarchyScratch, SectorRoute};
pub use side::{SectorSide, SectorSideError};
