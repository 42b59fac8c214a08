//! Errors of drawing.

/// Why a picture could not be made or written.
///
/// ```
/// use wayfare_draw::{Colour, DrawError, Picture};
///
/// let error = Picture::new(0, 10, Colour::hex(0xffffff)).unwrap_err();
/// assert!(matches!(error, DrawError::PictureSize { width: 0, height: 10 }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The picture would have no pixels, or more than the limits allow.
    #[error(
        "a picture of {width} × {height} pixels cannot be drawn: each side must be 1 to {}, and {} pixels are the most",
        crate::MAX_SIDE,
        crate::MAX_PIXELS
    )]
    PictureSize {
        /// The requested width in pixels.
        width: u64,
        /// The requested height in pixels.
        height: u64,
    },
    /// The parts of a grid do not fit each other.
    #[error("a grid of {width} × {height} cells needs {needed} {what}, but {given} were given")]
    GridSize {
        /// The grid's width in cells.
        width: u32,
        /// The grid's height in cells.
        height: u32,
        /// The values that are needed for each cell.
        what: &'static str,
        /// The count needed.
        needed: u64,
        /// The count given.
        given: usize,
    },
    /// A world of blocks has a side of 0, or more blocks than states can be numbered.
    #[error("a world of {} × {} × {} blocks cannot be drawn: each side must be at least 1, and 2³¹ blocks are the most", size[0], size[1], size[2])]
    VoxelSize {
        /// The blocks along x, y and z.
        size: [u32; 3],
    },
    /// No layer of a range is in the world.
    #[error("the layers {} to {} are not in a world that is {height} blocks high", layers.start, layers.end)]
    NoLayers {
        /// The requested layers; the end is exclusive.
        layers: std::ops::Range<u32>,
        /// The height of the world in blocks.
        height: u32,
    },
    /// A cell has a terrain that is not listed.
    #[error("cell {cell} has terrain {terrain}, but only {known} terrains are listed")]
    UnknownTerrain {
        /// The row-major index of the cell.
        cell: usize,
        /// The terrain's id.
        terrain: u8,
        /// The number of terrains listed.
        known: usize,
    },
    /// A waypoint or corner of a world has a coordinate that is not finite.
    #[error("{what} {index} is not at a finite place")]
    NotFinite {
        /// The kind of point.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// A link joins a waypoint that does not exist.
    #[error("link {link} joins waypoint {waypoint}, but there are only {known}")]
    DanglingLink {
        /// The link's index.
        link: usize,
        /// The waypoint that is missing.
        waypoint: u32,
        /// The number of waypoints.
        known: usize,
    },
    /// Nothing to draw: no panel, shot or series was given.
    #[error("there is no panel to draw")]
    NoPanels,
    /// A setting is out of range.
    #[error("{what} must be from {least} to {most}, not {given}")]
    OutOfRange {
        /// The name of the setting.
        what: &'static str,
        /// Its least value.
        least: f32,
        /// Its greatest value.
        most: f32,
        /// The given value.
        given: f32,
    },
    /// The PNG could not be encoded.
    #[error("the PNG could not be encoded")]
    Png(#[from] png::EncodingError),
    /// The GIF could not be encoded.
    #[error("the GIF could not be encoded")]
    Gif(#[from] gif::EncodingError),
    /// A file could not be written.
    #[error("{path} could not be written")]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}
