//! Pictures of Wayfare worlds, searches and paths.
//!
//! Layers, each usable without the next:
//!
//! * A **picture** ([`Picture`]) is a list of shapes. It becomes SVG ([`Picture::to_svg`]) or pixels
//!   ([`Picture::to_canvas`], [`Picture::to_png`]).
//! * A **scenery** ([`Scenery`]) is a world that can be drawn: [`GridScenery`] for cells, [`WaypointScenery`] for points and
//!   links, [`IsometricScenery`] and [`LayerScenery`] for a [`VoxelWorld`] of blocks. It knows nothing of searches.
//! * A **panel** ([`Panel`]) is a scenery with a recorded search, a path, a title and counters. A [`Sheet`] lays panels out
//!   side by side as one picture; an [`Animation`] plays them in step as a GIF; [`terminal`] prints one.
//! * A **film** ([`Film`]) is a scenery with agents that move over it, shot by shot: a GIF, or pictures one by one.
//!
//! A [`ScatterChart`] shows measurements.
//!
//! Colours are chosen to be told apart by luminance too: the cost runs from bright yellow to dark red, what has been
//! expanded is dimmed, and the path is the brightest thing on the map inside a dark outline.
//!
//! ```
//! use wayfare_draw::{GridScenery, Panel, Sheet, Terrain, Theme};
//!
//! let theme = Theme::DARK;
//! let scenery = GridScenery::new(4, 2, vec![Terrain::floor(&theme), Terrain::wall(&theme)], &[0, 0, 1, 0, 0, 0, 0, 0])?;
//! let panel = Panel::new(&scenery).title("A walk").path_states([0, 1, 5, 6, 7, 3]);
//! let picture = Sheet::new(vec![panel]).theme(theme).draw()?;
//! assert!(picture.to_svg()?.starts_with("<svg"));
//! # Ok::<(), wayfare_draw::DrawError>(())
//! ```

mod backend;
mod chart;
mod colour;
mod error;
mod facets;
mod picture;
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
pub use scenery::{
    Band, BlockArt, CellMark, CutAway, Footprint, GridScenery, Ground, IsometricScenery, Lattice,
    LayerScenery, Leg, LinkArt, Marks, Relief, Scenery, SearchLook, Surface, Terrain, Trail,
    Viewport, VoxelWorld, WaypointScenery,
};
pub use text::{Anchor, Label, Typeface};
pub use theme::Theme;
pub use view::{
    Actor, ActorShot, Animation, AnimationReport, Counters, Film, FilmPlace, Mark, Panel, Passage,
    PassageGate, PassageShot, Recorded, Recording, SearchView, Sheet, Shot, Status, Team,
};

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
