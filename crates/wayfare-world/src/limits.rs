//! How large a file may be. Readers grow with the bytes they have read, never with what a header
//! claims; these caps bound the bytes.

/// Largest text map (`.map`, `.txt`) and mesh (`.obj`) file, in bytes: 1 GiB, a map of 32768².
pub const MAX_MAP_BYTES: u64 = 1 << 30;

/// Largest scene, scenario, legend, Tiled or image file, in bytes: 128 MiB.
pub const MAX_DOCUMENT_BYTES: u64 = 128 << 20;

/// Widest and highest image that is read, in pixels.
pub const MAX_IMAGE_SIDE: u32 = 16384;

/// Most bytes that decoding one image may take: 1 GiB, which holds 16384² RGBA pixels.
pub const MAX_IMAGE_BYTES: u64 = 1 << 30;

/// Most tiles in all layers of a Tiled map together: 16 Mi, one layer of 4096².
pub const MAX_TILED_TILES: usize = 16 << 20;

/// Deepest nesting of elements in a Tiled file.
pub const MAX_TILED_DEPTH: usize = 32;

/// Most waypoints, links, obstacles, surfaces or queries in a scene: 1 Mi of each.
pub const MAX_SCENE_ITEMS: usize = 1 << 20;
