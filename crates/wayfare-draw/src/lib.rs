//! Pictures of Wayfare worlds, searches and paths.
//!
//! In layers, each usable without the next:
//!
//! * A **picture** ([`Picture`]) is a list of shapes. It becomes SVG ([`Picture::to_svg`]) or
//!   pixels ([`Picture::to_canvas`], [`Picture::to_png`]).
//! * A **scenery** ([`Scenery`]) is a drawable world without any search: [`GridScenery`] for cells,
//!   [`WaypointScenery`] for points and links, [`IsometricScenery`] and [`LayerScenery`] for a
//!   [`VoxelWorld`] of blocks.
//! * A **panel** ([`Panel`]) is a scenery with a recorded search, a path, a title and counters. A
//!   [`Sheet`] lays panels out side by side, an [`Animation`] plays them in step as a GIF, and
//!   [`terminal`] prints one.
//! * A **film** ([`Film`]) is a scenery with agents that move over it, shot by shot, as a GIF or as
//!   single pictures.
//!
//! A [`SpaceView`] shows triangles in space, with panes and lines over them. A [`ScatterChart`]
//! and a [`Plot`] show measurements.
//!
//! Colours differ in luminance too. Costs run from bright yellow to dark red, expanded places are
//! dimmed, and the path is the brightest thing on the map, inside a dark outline.
//!
//! ```
//! use wayfare_draw::{GridScenery, Panel, Sheet, Terrain, Theme};
//!
//! let theme = Theme::DARK;
//! let terrains = vec![Terrain::floor(&theme), Terrain::wall(&theme)];
//! let scenery = GridScenery::new(4, 2, terrains, &[0, 0, 1, 0, 0, 0, 0, 0])?;
//! let panel = Panel::new(&scenery).title("A walk").path_states([0, 1, 5, 6, 7, 3]);
//! let picture = Sheet::new(vec![panel]).theme(theme).draw()?;
//! assert!(picture.to_svg()?.starts_with("<svg"));
//! # Ok::<(), wayfare_draw::DrawError>(())
//! ```

mod backend;
mod chart;
mod colour;
mod depth;
mod error;
mod facets;
/// Parts for the tests of this crate. No promise.
#[doc(hidden)]
pub mod inside;
mod picture;
mod plot;
mod scenery;
pub mod terminal;
mod text;
mod theme;
mod view;

pub use backend::{Canvas, write_whole};
pub use chart::ScatterChart;
pub use colour::{Colour, Ramp};
pub use error::DrawError;
pub use facets::Facets;
pub use picture::{Area, MAX_PIXELS, MAX_SIDE, Paint, Picture, Shape, Stroke, Tiles};
pub use plot::{Plot, PlotPanel};
pub use scenery::{
    Band, BlockArt, CellMark, CutAway, Footprint, GridScenery, Ground, IsometricScenery, Lattice,
    LayerScenery, Leg, LevelArt, LevelScenery, LinkArc, LinkArt, Marks, MeshScenery, PolygonArt,
    Relief, Scenery, SearchLook, Surface, Terrain, Trail, Viewport, VoxelWorld, WaypointScenery,
};
pub use text::{Anchor, Label, Typeface};
pub use theme::{Palette, Theme};
pub use view::{
    Actor, ActorShot, Animation, AnimationReport, Counters, DangerShot, Film, FilmPlace, Gait,
    GroundShot, Mark, Panel, Passage, PassageGate, PassageShot, PropLook, PropShot, Recorded,
    Recording, SearchView, Sheet, Shot, SpaceView, Standpoint, Status, Team, Unrecorded,
};
