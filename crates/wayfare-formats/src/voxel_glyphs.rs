//! Characters for blocks of formats that have none.

use wayfare_voxel::{Ascent, BlockId, BlockKind};

use crate::error::{WorldError, WorldErrorKind};
use crate::voxel_block::BlockType;
use crate::voxel_scene::VoxelScene;

impl VoxelScene {
    /// Adds a kind of block of a format that has no characters.
    pub(crate) fn add_named(
        &mut self,
        name: impl Into<String>,
        kind: BlockKind,
        color: [u8; 3],
    ) -> Result<BlockId, WorldError> {
        // If all kinds are handled here, the first or second tried character is free.
        let others = glyphs().skip(self.palette.len() - 2);
        let free = usual_glyph(kind)
            .into_iter()
            .chain(others)
            .find(|glyph| self.palette.iter().all(|known| known.glyph != *glyph));
        let glyph = free.ok_or_else(|| {
            WorldError::new(WorldErrorKind::Limit, "there are not enough characters for its blocks")
        })?;
        self.add_block(BlockType::new(glyph, name, kind).colored(color))
    }
}

/// Returns the character that people would give the first block of a kind, in formats that have
/// none.
fn usual_glyph(kind: BlockKind) -> Option<char> {
    match kind {
        BlockKind::Water => Some('~'),
        BlockKind::Lava => Some('!'),
        BlockKind::Ladder => Some('H'),
        BlockKind::Door => Some('D'),
        BlockKind::Climbable => Some('%'),
        BlockKind::Half => Some('_'),
        BlockKind::Stairs(Ascent::East) => Some('>'),
        BlockKind::Stairs(Ascent::South) => Some('v'),
        BlockKind::Stairs(Ascent::West) => Some('<'),
        BlockKind::Stairs(Ascent::North) => Some('^'),
        _ => None,
    }
}

/// Returns characters for blocks of formats that have none, the most readable first. There are more
/// than there can be kinds.
fn glyphs() -> impl Iterator<Item = char> {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    letters.chain('\u{c0}'..='\u{24f}').chain('\u{4e00}'..='\u{9fff}')
}
