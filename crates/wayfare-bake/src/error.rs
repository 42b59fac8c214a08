//! Refusals of a bake, with the value at fault.

use crate::Stage;

/// The reason why a level cannot be baked. Each message names the value and a remedy.
///
/// ```
/// use wayfare_bake::{BakeError, LevelGeometry};
///
/// let corner = [0.0, f32::NAN, 0.0].into();
/// let error = LevelGeometry::new(vec![corner], vec![[0, 0, 0]]).unwrap_err();
/// assert_eq!(error, BakeError::Coordinate { vertex: 0, value: "NaN".into() });
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeError {
    /// A vertex that is nowhere.
    #[error("vertex {vertex} has the coordinate {value}; coordinates are finite numbers")]
    Coordinate {
        /// The vertex, from 0.
        vertex: usize,
        /// The coordinate as text.
        value: String,
    },
    /// A triangle with a corner that is not in the list of vertices.
    #[error("triangle {triangle} uses vertex {vertex}, but there are {vertices} (from 0)")]
    Corner {
        /// The triangle, from 0.
        triangle: usize,
        /// The corner that it names.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A list of grounds of another length than the list of triangles.
    #[error("{grounds} grounds are given for {triangles} triangles; there is one for each")]
    Grounds {
        /// The number of grounds.
        grounds: usize,
        /// The number of triangles.
        triangles: usize,
    },
    /// No triangle at all.
    #[error("the level has no triangles")]
    NoTriangles,
    /// A setting outside its range.
    #[error("{name} is {value}; it must be {range}")]
    Setting {
        /// The setting's name.
        name: &'static str,
        /// Its value as text.
        value: String,
        /// The valid range in words.
        range: &'static str,
    },
    /// A volume whose outline is no convex polygon.
    #[error("volume {volume}: {problem}")]
    Volume {
        /// The volume, from 0.
        volume: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A box whose corners are no numbers, or are the other way round.
    #[error("the bounds {min} to {max} are no box; give its lowest and its highest corner")]
    Bounds {
        /// The corner given as the lowest, as text.
        min: String,
        /// The corner given as the highest, as text.
        max: String,
    },
    /// A level that reaches beyond the lattice which it is to be baked in.
    #[error(
        "the level reaches from {low} to {high} m along {axis}, and its lattice from {from} to \
         {to} m; make the lattice over larger bounds"
    )]
    Beyond {
        /// The axis: x, y or z.
        axis: &'static str,
        /// The lowest coordinate of the level, in metres.
        low: f32,
        /// Where the level ends, in metres.
        high: f32,
        /// The lowest coordinate of the lattice, in metres.
        from: f64,
        /// Where the lattice ends, in metres.
        to: f64,
    },
    /// A tile that the lattice does not have.
    #[error(
        "there is no tile in column {column} and row {row}; there are {columns} columns and \
         {rows} rows, from 0"
    )]
    NoTile {
        /// The column of the tile.
        column: u32,
        /// The row of the tile.
        row: u32,
        /// The number of columns.
        columns: u32,
        /// The number of rows.
        rows: u32,
    },
    /// A tile of another lattice, or baked with other settings, which does not fit beside these of
    /// a set.
    #[error("the tile was baked in another lattice or with other settings; bake it again")]
    OtherTiling,
    /// Parts of a tile that contradict each other: a file that was forged or damaged.
    #[error("the parts of the tile contradict each other: {problem}")]
    Tile {
        /// What is wrong with it.
        problem: &'static str,
    },
    /// No piece of that number in a tiled level.
    #[error("the level has no piece {piece}: it was removed, or never inserted")]
    NoPiece {
        /// The number of the piece.
        piece: u32,
    },
    /// A level with more cells along an axis than the lattice can number.
    #[error(
        "the level is {cells} cells along {axis}, and {limit} is the most; raise the {setting} \
         above {least} m"
    )]
    TooLarge {
        /// The axis: x, y or z.
        axis: &'static str,
        /// The number of cells along it.
        cells: f64,
        /// The largest number.
        limit: u32,
        /// The setting to raise.
        setting: &'static str,
        /// The value that would be enough, in metres.
        least: f64,
    },
    /// More memory than the settings allow.
    #[error(
        "{what} would take {needed} MB, and the memory limit is {limit} MB; raise the cell size, \
         bake in tiles, or raise the memory limit"
    )]
    Memory {
        /// The purpose of the memory.
        what: &'static str,
        /// Its size in megabytes of 10⁶ bytes.
        needed: u64,
        /// The limit in megabytes of 10⁶ bytes.
        limit: u64,
    },
    /// Triangles that together cover far more cells than the level has.
    #[error(
        "the triangles cover {covered} cells, each counted once a triangle, and {limit} is the \
         most; raise the cell size, or leave out copies of large triangles"
    )]
    Work {
        /// The number of cells, each counted once a triangle.
        covered: u64,
        /// The largest number.
        limit: u64,
    },
    /// The caller asked to stop.
    #[error("the bake was cancelled while it made the {stage}")]
    Cancelled {
        /// The stage that was running.
        stage: Stage,
    },
}
