//! Schematics: boxes of blocks of a block game, as gzipped NBT, through the crate `fastnbt`.
//!
//! | file | of | read | written |
//! |---|---|---|---|
//! | `.schem` | Sponge, versions 2 and 3 | [`read()`] | [`write()`] |
//! | `.litematic` | Litematica | [`read_litematic`] | |
//! | `.schematic` | MCEdit | [`read_mcedit`] | |
//!
//! The kind of a block follows from its name: [`kind_of`] knows air, fluids, ladders, vines, doors,
//! slabs, stairs and plants without collision; all else is solid. Double slabs, fences, and slabs
//! and stairs in the upper half count as full blocks. The corners of stairs are as their straight
//! parts. Entities and biomes are not read.
//!
//! The writer uses version 2, which more programs read. Every block keeps its position and its
//! kind. A name of the game, such as `minecraft:oak_log`, is kept. Any other block is replaced:
//!
//! - by `water`, `lava`, `ladder`, or `oak_door` with its two halves;
//! - by `scaffolding` for walls to climb, `smooth_stone_slab` for half blocks, `stone_stairs`;
//! - if it is solid, by the block that its name suggests, or by concrete of a similar colour.
//!
//! Own names, colours, costs, routes and unloaded boxes are lost.

mod blocks;
mod litematic;
mod mcedit;
mod nbt;
mod numbers;
mod read;
mod write;

pub use blocks::kind_of;
pub(crate) use blocks::stand_in;
pub use litematic::read_litematic;
pub use mcedit::read_mcedit;
pub use read::read;
pub use write::write;
