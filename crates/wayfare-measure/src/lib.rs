//! Measurements of crowds.
//!
//! | | |
//! |---|---|
//! | [`WalkableArea`] | the ground that people walk on, from above: convex pieces, merged outlines |
//! | [`VoronoiCells`] | to each person the ground that is nearer to it than to others |
//! | [`Survey`] | density, speed and flow in areas and over lines, by counting and by cells |
//! | [`weidmann_speed`] | what people walk at a density, as measured |
//! | [`TextTrajectories`] | where people were, as a text file of JuPedSim and PedPy |
//! | `SqliteTrajectories` | the same as a SQLite file (feature `sqlite`) |
//!
//! Everything here lies in a plane, seen from above: the axes are the x and z of the world, in
//! metres. In files of JuPedSim they are called x and y.

mod area;
mod convex;
mod jupedsim;
mod survey;
mod voronoi;
mod weidmann;

pub use area::{AreaError, Outline, WalkableArea, wkt};
pub use convex::{Convex, HalfPlane, NotConvex};
pub use jupedsim::{PersonSample, TextTrajectories};
#[cfg(feature = "sqlite")]
pub use jupedsim::{SqliteError, SqliteTrajectories};
pub use survey::{
    PersonPlace, Station, StationPlace, Survey, SurveyError, SurveyRow, SurveySettings,
};
pub use voronoi::{Cutoff, VoronoiCell, VoronoiCells};
pub use weidmann::weidmann_speed;
