//! Limits of file sizes. Readers grow with the bytes they have read, never with the counts that a
//! header claims; these caps bound the bytes.
//!
//! A byte of a file takes at most 128 bytes of memory while it is read as TOML or JSON, 64 as text
//! voxels, and 48 in other formats that are not packed; a text map of tiles takes 4.
//! Packed formats (images, heightmaps, schematics) have limits of their own below.

/// Largest text map (`.map`, `.txt`) and mesh (`.obj`) file, in bytes: 1 GiB, a map of 32768².
pub const MAX_MAP_BYTES: u64 = 1 << 30;

/// Largest scene, scenario, legend, Tiled or image file, in bytes: 128 MiB.
pub const MAX_DOCUMENT_BYTES: u64 = 128 << 20;

/// Widest and highest image that is read, in pixels.
pub const MAX_IMAGE_SIDE: u32 = 16384;

/// Most bytes that decoding one image may take: 1 GiB, enough for 16384² RGBA pixels.
pub const MAX_IMAGE_BYTES: u64 = 1 << 30;

/// Pixels that an image may have whatever the size of its file: 1 Mi, 1024².
pub const ALWAYS_PIXELS: u64 = 1 << 20;

/// Further pixels that an image may have for each byte of its file. The best compression of a PNG
/// turns 1032 bytes into one, so that every image of 8 bits a pixel or more is read. One of 1 bit a
/// pixel may be refused; saved with 8 bits a pixel it is read.
pub const PIXELS_PER_BYTE: u64 = 1032;

/// Pixels of an image beyond which its file has to be large as well: 16 Mi, 4096².
pub const LARGE_IMAGE_PIXELS: u64 = 16 << 20;

/// Pixels beyond [`LARGE_IMAGE_PIXELS`] that an image may have for each byte of its file: 32, a
/// fraction of the best compression. An image of 16384² takes 7.5 MB then.
pub const LARGE_IMAGE_PIXELS_PER_BYTE: u64 = 32;

/// Most tiles in all layers of a Tiled map together: 16 Mi, one layer of 4096².
pub const MAX_TILED_TILES: usize = 16 << 20;

/// Deepest nesting of elements in a Tiled file.
pub const MAX_TILED_DEPTH: usize = 32;

/// Most tests of whether an object of a Tiled map covers a tile, each times the corners of the
/// object: 64 Mi.
pub const MAX_TILED_TESTS: usize = 64 << 20;

/// Most places, and most links, that objects of a Tiled map make: 1 Mi of each.
pub const MAX_MAP_OBJECTS: usize = 1 << 20;

/// Most bytes that a `.schem` file may unpack to: 128 MiB.
pub const MAX_SCHEM_BYTES: u64 = 128 << 20;

/// Most stretches of equal blocks along x in a world from a file that is packed, a `.schem` or a
/// heightmap: 32 Mi.
pub const MAX_VOXEL_RUNS: usize = 32 << 20;

/// Stretches of ground that a heightmap may have whatever the size of its file: 2 Mi.
pub const ALWAYS_VOXEL_RUNS: usize = 2 << 20;

/// Further stretches of ground that a heightmap may have for each byte of its file, unless
/// [`HeightmapOptions::pieces`](crate::heightmap::HeightmapOptions::pieces) says otherwise. Relief
/// takes about one; a pattern of few bytes that repeats takes thousands.
pub const VOXEL_RUNS_PER_BYTE: usize = 64;

/// Voxels, air included, that a world of blocks may have however little its file says: 2²⁸, some
/// 7 MB of chunks.
pub const ALWAYS_VOXELS: u64 = 1 << 28;

/// Further voxels for each stretch of equal blocks along x: 2²⁰.
pub const VOXELS_PER_RUN: u64 = 1 << 20;

/// Most voxels that the scene of a `.vox` file may show, counted each time it shows a model: 32 Mi,
/// as many as the largest file contains.
pub const MAX_VOX_VOXELS: usize = 32 << 20;

/// Deepest nesting of values in a `.schem` file.
pub const MAX_NBT_DEPTH: usize = 64;

/// Widest and highest heightmap that is read, in pixels.
pub const MAX_HEIGHTMAP_SIDE: u32 = 4096;

/// Rows along x that a `rev_voxel` map may have however few free voxels it lists: 256².
pub const ALWAYS_ROWS: u64 = 1 << 16;

/// Further rows along x that a `rev_voxel` map may have for each free voxel that it lists.
pub const ROWS_PER_VOXEL: u64 = 4;

/// Most triangles that a glTF scene may place, counted each time they are shown: 16 Mi.
pub const MAX_GLTF_TRIANGLES: usize = 16 << 20;

/// Deepest nesting of nodes in a glTF scene.
pub const MAX_GLTF_DEPTH: usize = 256;
