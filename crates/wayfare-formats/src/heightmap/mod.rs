//! Heightmaps `.height.png`: grey images, one pixel a column of blocks, its brightness the height
//! of the ground. The image's x runs along x, and its y along z.

#[cfg(feature = "png")]
mod read;

#[cfg(feature = "png")]
pub use read::read;

/// The mapping of brightness to blocks.
///
/// ```
/// use wayfare_formats::heightmap::HeightmapOptions;
///
/// let lakes = HeightmapOptions { water: 12, ..HeightmapOptions::default() };
/// assert_eq!(lakes.height, 64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeightmapOptions {
    /// The height of the world in blocks, 2 to 4,096; default 64. White ground is one block lower,
    /// black ground one block high.
    pub height: u32,
    /// The height in blocks below which water fills the air. Default 0: no water.
    pub water: u32,
    /// The most stretches of equal ground along x, layer by layer; at most
    /// [`MAX_VOXEL_RUNS`](crate::limits::MAX_VOXEL_RUNS). Default
    /// [`ALWAYS_VOXEL_RUNS`](crate::limits::ALWAYS_VOXEL_RUNS), and
    /// [`VOXEL_RUNS_PER_BYTE`](crate::limits::VOXEL_RUNS_PER_BYTE) for each byte of the file.
    /// Memory and time grow with them: raising it lets a small file take more, up to 4 GB.
    pub pieces: Option<u32>,
}

impl Default for HeightmapOptions {
    fn default() -> Self {
        Self { height: 64, water: 0, pieces: None }
    }
}
