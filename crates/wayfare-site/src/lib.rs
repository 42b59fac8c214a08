//! Any Wayfare world with its space, behind one virtual call a query.
//!
//! The engine's searches are generic and statically dispatched. A [`Site`] hides their types, so a
//! command, a web page or a binding is written once for all worlds: states and costs are integers,
//! places are text.
//!
//! ```
//! use wayfare::search::AlgorithmId;
//! use wayfare_site::{EndpointTexts, NoFiles, OpenOptions, SearchRequest, choose_ends, open_bytes};
//!
//! let map = b"......\n.####.\n......\n";
//! let site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
//! let texts = EndpointTexts { from: Some("0,0"), to: Some("5,2"), route: None };
//! let ends = choose_ends(site.as_ref(), texts)?.ends;
//! let report = site.searcher().run(&SearchRequest::new(AlgorithmId::AStar, ends), &mut |_| ());
//! let path: Vec<String> =
//!     report.path.iter().map(|step| site.place(step.state).to_string()).collect();
//! assert_eq!(path, ["0,0", "1,0", "2,0", "3,0", "4,0", "5,0", "5,1", "5,2"]);
//! # Ok::<(), wayfare_site::SiteError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | open a world | [`open`], [`open_bytes`], [`open_from`]; [`build`] for one that was read |
//! | bake a level of triangles | done when it is opened; [`Site::level`] to bake it otherwise and to look at its stages; [`level_geometry`] for a bake of one's own |
//! | as a class of its agents sees it | [`open_as`], [`open_as_from`] |
//! | choose ends | [`Site::find`], [`choose_ends`] |
//! | search | [`Site::searcher`] and [`Searcher::run`] |
//! | step and watch a search | [`Site::session`] |
//! | keep a search as a file | [`TraceFile`] |
//! | draw a world oneself | [`Site::layout`], [`Site::moves_from`] |
//! | edit a grid | [`Site::set_ground`], [`Site::set_ground_cost`], [`Site::set_blur`] |
//! | draw waypoints and links by hand | [`DrawnGraph`], [`graph_scene`] |
//! | see a grid as waypoints, or waypoints as a grid | [`other_form`] |
//! | write a grid as a map of other programs | [`map_file`] |
//! | explain an answer | [`explain`] |
//! | play a scene with agents | [`open_simulation`], [`SimulationSession`] |
//! | go back in a simulation | [`Playback`] |
//! | put agents on a world | [`populate`] |
//! | prepare an index, a hierarchy, landmarks or a field | [`Searcher::prepare`] |
//! | store an index | [`SiteIndex`] |
//!
//! Nothing here prints, reads a clock or starts a process. Without the feature `fs` nothing reads
//! the file system.

mod answered;
mod clearance;
mod drawn_graph;
mod edge;
mod endpoints;
mod error;
mod explain;
mod forms;
mod gates;
mod grid;
mod grid_engines;
mod indexed;
/// Parts for the tests of this crate. No promise.
#[doc(hidden)]
pub mod inside;
mod layout;
mod level;
#[cfg(feature = "pictures")]
mod look;
mod map_file;
mod movement;
mod moves;
mod navmesh;
pub mod numbers;
mod open;
mod options;
mod owner;
mod passages;
mod place;
mod playback;
mod populate;
mod prepare;
mod report;
mod request;
mod round_trips;
mod searcher;
mod sectored;
mod session;
mod simulation;
mod site;
mod snapshot;
mod stages;
mod trace;
mod trace_file;
mod voxels;
mod waypoints;

pub use drawn_graph::{DrawnGraph, graph_scene};
pub use endpoints::{ChosenEnds, EndpointTexts, Endpoints, OwnRoute, choose_ends, regions};
pub use error::SiteError;
pub use explain::{
    Explanation, GroundCrossing, GroundShare, NearestPlace, Remedy, explain, reason_of,
};
pub use forms::{OtherForm, other_form};
pub use grid::GridSite;
pub use indexed::{SiteIndex, SiteIndexSize};
pub use layout::{
    BlockLayout, CellLayout, GroundCost, GroundLook, Layout, LevelLayout, LinkLayout,
    OutlineLayout, PointLayout, PolygonLayout,
};
pub use level::{Level, LevelBake};
#[cfg(feature = "pictures")]
pub use look::terrain as picture_terrain;
pub use map_file::{MapFile, MapFormat, map_file};
pub use movement::MovementPart;
pub use moves::Move;
pub use navmesh::MeshSite;
pub use open::{NoFiles, build, open_as_from, open_bytes, open_from};
#[cfg(feature = "fs")]
pub use open::{open, open_as};
pub use options::OpenOptions;
#[cfg(feature = "pictures")]
pub use passages::arc_colour;
pub use place::{OFF_MAP, Place};
pub use playback::Playback;
pub use populate::{Population, ground_change, populate};
pub use prepare::{EngineName, Preparation, PreparedEngine};
pub use report::{Ending, PathStep, SearchReport};
pub use request::{Clock, Refinement, SearchRequest};
pub use searcher::Searcher;
pub use sectored::{HierarchySize, RouteOverSectors};
pub use session::{MeshInterval, SearchSession};
#[cfg(feature = "fs")]
pub use simulation::open_simulation;
pub use simulation::{
    AgentOccupation, AgentRecord, Barrier, DangerRecord, LinkRecord, PropKind, PropRecord,
    SimulationSession, open_simulation_bytes, open_simulation_from, props_of,
};
#[cfg(feature = "pictures")]
pub use site::View;
pub use site::{
    About, FreeState, GridView, Heading, Lack, NavMeshView, OpenedPath, Regions, Sample, Site,
};
pub use stages::{LineKind, StageKind, StageLine, StagePane, StageShape, StageTile};
pub use trace::{SearchEvent, SearchTrace, Side, TraceEventKind, trace_hash};
pub use trace_file::{TraceFile, TracedQuery, TracedSearch, TracedWorld};
pub use voxels::VoxelSite;
pub use wayfare_bake::{Stage as BakeStage, WalkerShape};
pub use wayfare_formats::{Files, MemoryFiles};
pub use wayfare_scene::level_geometry;
pub use waypoints::WaypointSite;
