//! Sponge schematics `.schem`, versions 2 and 3: a box of blocks of a block game, as gzipped NBT,
//! through the crate `fastnbt`.
//!
//! What a block is to a body goes by its name: [`kind_of`] knows air, fluids, ladders and vines,
//! doors, and what grows without being in the way; all else is solid. Blocks that are solid in part
//! (slabs, stairs, fences) count as full ones. Entities and biomes are not read.
//!
//! Written is version 2, which more programs read. Every block keeps its place and what it is to a
//! body. It keeps its name too where that is one of the game's, such as `minecraft:oak_log`; else
//! the block that stands for it is `water`, `lava`, `ladder`, `oak_door` (its halves told apart),
//! `scaffolding` for walls to climb, and for solid ones what their name suggests, or concrete of
//! about their colour. Own names, colours, costs, routes and unloaded boxes are lost.

mod blocks;
mod nbt;
mod read;
mod write;

pub use blocks::kind_of;
pub(crate) use blocks::stand_in;
pub use read::read;
pub use write::write;
