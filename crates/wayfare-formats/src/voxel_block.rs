//! Kinds of block in documents.

use wayfare_voxel::{Block, BlockKind};

use crate::palette;

/// A kind of block as a file names it.
///
/// ```
/// use wayfare::space::voxel::BlockKind;
/// use wayfare_formats::BlockType;
///
/// let slime = BlockType::new('s', "slime", BlockKind::Solid).colored([90, 200, 90]);
/// assert_eq!(slime.block.kind, BlockKind::Solid);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BlockType {
    /// Its character in text worlds: neither blank nor `;`.
    pub glyph: char,
    /// Unique in its world, without spaces.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Its kind, and its cost for all bodies.
    pub block: Block,
}

impl BlockType {
    /// Returns a block of that name that costs nothing extra, in the usual colour of its kind.
    pub fn new(glyph: char, name: impl Into<String>, kind: BlockKind) -> Self {
        Self { glyph, name: name.into(), color: usual_color(kind), block: kind.into() }
    }

    /// Returns the same in another colour.
    #[must_use]
    pub fn colored(mut self, color: [u8; 3]) -> Self {
        self.color = color;
        self
    }
}

/// Returns the colour of blocks that have none of their own.
pub(crate) fn usual_color(kind: BlockKind) -> [u8; 3] {
    match kind {
        BlockKind::Water => palette::WATER,
        BlockKind::Lava => [0xD9, 0x5B, 0x2B],
        BlockKind::Ladder => palette::BRIDGE,
        BlockKind::Door => [0x9A, 0x5F, 0x36],
        BlockKind::Climbable => palette::TREES,
        BlockKind::Air => palette::GROUND,
        _ => [0x9A, 0x95, 0x8C],
    }
}
