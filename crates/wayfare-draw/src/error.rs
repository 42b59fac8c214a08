//! What can go wrong in drawing.

/// Why a picture could not be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The picture would have no pixels, or more than this crate draws.
    #[error(
        "a picture of {width} × {height} pixels cannot be drawn: each side must be 1 to {}, and {} pixels are the most",
        crate::MAX_SIDE,
        crate::MAX_PIXELS
    )]
    PictureSize {
        /// The width asked for, in pixels.
        width: u64,
        /// The height asked for, in pixels.
        height: u64,
    },
    /// A grid's parts do not fit each other.
    #[error("a grid of {width} × {height} cells needs {needed} {what}, but {given} were given")]
    GridSize {
        /// The grid's width in cells.
        width: u32,
        /// The grid's height in cells.
        height: u32,
        /// What there must be one of per cell.
        what: &'static str,
        /// How many that is.
        needed: u64,
        /// How many there were.
        given: usize,
    },
    /// A world of blocks has no extent, or more blocks than states can be numbered.
    #[error("a world of {} × {} × {} blocks cannot be drawn: each side must be at least 1, and 2³¹ blocks are the most", size[0], size[1], size[2])]
    VoxelSize {
        /// The blocks along x, y and z.
        size: [u32; 3],
    },
    /// No layer of a range is in the world.
    #[error("the layers {} to {} are not in a world that is {height} blocks high", layers.start, layers.end)]
    NoLayers {
        /// The layers asked for, the last one excluded.
        layers: std::ops::Range<u32>,
        /// The height of the world in blocks.
        height: u32,
    },
    /// A cell has a terrain that the palette does not list.
    #[error("cell {cell} has terrain {terrain}, but only {known} terrains are listed")]
    UnknownTerrain {
        /// The row-major number of the cell.
        cell: usize,
        /// The terrain's number.
        terrain: u8,
        /// The number of terrains listed.
        known: usize,
    },
    /// A waypoint or a corner of a world is not at a finite place.
    #[error("{what} {index} is not at a finite place")]
    NotFinite {
        /// What is there.
        what: &'static str,
        /// Its number.
        index: usize,
    },
    /// A link joins a waypoint that does not exist.
    #[error("link {link} joins waypoint {waypoint}, but there are only {known}")]
    DanglingLink {
        /// The link's number.
        link: usize,
        /// The waypoint that is missing.
        waypoint: u32,
        /// The number of waypoints.
        known: usize,
    },
    /// There is nothing to draw: no panel was given.
    #[error("there is no panel to draw")]
    NoPanels,
    /// A number of an animation lies outside its range.
    #[error("{what} must be from {least} to {most}, not {given}")]
    OutOfRange {
        /// Which number.
        what: &'static str,
        /// The least allowed.
        least: f32,
        /// The most allowed.
        most: f32,
        /// What was given.
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
        /// Why.
        source: std::io::Error,
    },
}
