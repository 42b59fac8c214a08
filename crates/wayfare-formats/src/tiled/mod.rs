//! Tiled maps: `.tmx` (XML) and `.tmj` (JSON), finite or infinite.
//!
//! Orthogonal and isometric maps are grids. A staggered map becomes the isometric one that it is
//! cut out of: it is turned by an eighth, and cells outside are closed. A hexagonal map is a
//! [`HexagonMap`](crate::HexagonMap), which [`read_path`](crate::read_path) gives; the crate
//! `wayfare-scene` makes it a scene of waypoints, each linked to its six neighbours.
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
//! Of all tile layers (in groups too, hidden or not), the topmost tile that has any of these
//! properties or a class counts, so that decoration may lie on top; if all tiles are without, the
//! ground is plain. A cell without a tile in any layer is closed, and called `empty`.
//!
//! # What blocks
//!
//! Beside `walkable`, the properties `passable`, `collides`, `collidable`, `collision`, `solid`,
//! `blocked`, `impassable` and `obstacle` (true or false) declare it, of a tile or of a whole layer
//! of tiles or objects. If no tile and no layer declares anything, it is guessed:
//!
//! * A layer blocks that is named after walls (`Walls`, `collision_layer`, `SolidTiles`): each cell
//!   where it has a tile, or that one of its objects covers.
//! * A tile with a collision shape blocks, in any layer.
//! * A tile or an object whose class is named after walls blocks.
//! * If all tiles lie in layers that block, cells without a tile are open.
//! * If nothing of all this is found, each cell with a tile is open. Then each kind of tile is a
//!   terrain of its own where it is the topmost one (`Trees, tile 5`; with more than 200 kinds each
//!   layer is), so that those that block can be shut.
//!
//! [`TileMap::remarks`](crate::TileMap::remarks) reports the guess. A rectangle covers the tiles
//! whose middle half it meets, an ellipse or a polygon the tiles with their middle in it.
//!
//! The first objects named or classed `start` (or `spawn`, `player`, `entry`) and `goal` (or `end`,
//! `exit`, `finish`, `target`, `destination`) are the map's route.
//!
//! # Places and links
//!
//! An object that has a name and does not block is a place: the tile at its middle (of a polygon,
//! of the rectangle around it). The first of a name counts. An object of one of these classes that
//! has two ends is a link as well:
//!
//! | class | link |
//! |---|---|
//! | `link`, `passage`, `bridge`, `tunnel`, `stairs` | a passage |
//! | `door`, `gate`; `ladder`; `lift`, `elevator` | a door; a ladder; a lift |
//! | `teleport`, `teleporter`, `portal`, `warp` | a teleport |
//!
//! A polyline joins its first to its last point; any other object joins its middle to the object
//! that its property `target` names: an object property, or a text with a name. Further properties
//! are those of a scene's links: `seconds` or `speed` (default: the usual walking speed, and a
//! second in a teleport) or `cost` in metres walked, `capacity`, `gate`, `key` (which locks the
//! link unless `gate` says otherwise) and `one_way`. A link with a blocked end is left out, with a
//! remark.
//!
//! Objects of staggered and hexagonal maps, other objects, image layers, flips and animations are
//! ignored.
//!
//! Tilesets are embedded, or `.tsx`, `.tsj` or `.json` files named relative to the map. Layer data
//! may be an element a tile, CSV, or base64 that is plain, zlib or gzip. An infinite map spans from
//! its first to its last chunk.
//!
//! A reader of our own, on general XML and JSON readers. The `tiled` crate (which the tests compare
//! it with) reserves memory by the counts that a file claims, decompresses without a bound and
//! panics on layers shorter than they say, which a library that opens files from anywhere cannot.

mod data;
mod document;
mod furnish;
pub(crate) mod guess;
mod kind;
pub(crate) mod object;
pub(crate) mod orientation;
mod tmj;
mod tmj_lists;
mod tmx;
mod write;

pub use tmj::read_tmj;
pub(crate) use tmj::read_tmj_in;
pub use tmx::read_tmx;
pub(crate) use tmx::read_tmx_in;
pub use write::write_tmj;
