//! Tiled maps: `.tmx` (XML) and `.tmj` (JSON), orthogonal, finite or infinite.
//!
//! Terrain comes from custom properties of tiles in the tileset:
//!
//! | property | is | default |
//! |---|---|---|
//! | `terrain` | text: the terrain's name; tiles that share it share the terrain | the tile's class, else `tile N` |
//! | `multiplier` | factor on the length of a step, from 0 | 1 |
//! | `penalty` (or `cost`) | added on entering, may be negative | 0 |
//! | `walkable` | true or false | true |
//! | `medium` | 0 to 255; movement is only within one medium | 0 |
//! | `glyph`, `color` | one character; `#rrggbb` or `#aarrggbb` | `.`, paper |
//!
//! Of all tile layers (those in groups too, hidden or not), the topmost tile that has any of these
//! properties or a class counts, so that decoration may lie on top; where all tiles are without,
//! the ground is plain. A place without a tile in any layer is closed, and called `empty`. Object
//! and image layers, flips and animations are ignored. Tilesets are embedded, or `.tsx`, `.tsj` or
//! `.json` files named relative to the map. Layer data may be CSV, or base64 that is plain, zlib or
//! gzip. An infinite map spans from its first to its last chunk.
//!
//! A reader of our own, on general XML and JSON readers: the `tiled` crate (which the tests compare
//! it with) reserves memory by the counts that a file claims, decompresses without a bound and
//! panics on layers shorter than they say, which a library that opens files from anywhere cannot.

mod data;
mod document;
mod tmj;
mod tmx;
mod write;

pub use tmj::read_tmj;
pub(crate) use tmj::read_tmj_in;
pub use tmx::read_tmx;
pub(crate) use tmx::read_tmx_in;
pub use write::write_tmj;
