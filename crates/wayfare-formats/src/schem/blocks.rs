//! Blocks of the game that schematics are made for: their effect on a body, their look, and their
//! choice for a block of ours.

use wayfare_voxel::{Ascent, BlockKind};

use crate::voxel_block::{BlockType, usual_color};

/// The block for plain stone.
pub(super) const STONE: &str = "minecraft:stone";

/// The sixteen dyes, in the colour of their concrete.
const DYES: [(&str, [u8; 3]); 16] = [
    ("white", [0xCF, 0xD5, 0xD6]),
    ("orange", [0xE0, 0x61, 0x01]),
    ("magenta", [0xA9, 0x30, 0x9F]),
    ("light_blue", [0x24, 0x89, 0xC7]),
    ("yellow", [0xF1, 0xAF, 0x15]),
    ("lime", [0x5E, 0xA9, 0x19]),
    ("pink", [0xD6, 0x65, 0x8F]),
    ("gray", [0x37, 0x3A, 0x3E]),
    ("light_gray", [0x7D, 0x7D, 0x73]),
    ("cyan", [0x15, 0x77, 0x88]),
    ("purple", [0x64, 0x20, 0x9C]),
    ("blue", [0x2D, 0x2F, 0x8F]),
    ("brown", [0x60, 0x3C, 0x20]),
    ("green", [0x49, 0x5B, 0x24]),
    ("red", [0x8E, 0x21, 0x21]),
    ("black", [0x08, 0x0A, 0x0F]),
];

/// Common solid blocks by their English names.
const SOLIDS: [(&str, &str, [u8; 3]); 26] = [
    ("grass", "grass_block", [0x7F, 0xA2, 0x4C]),
    ("dirt", "dirt", [0x86, 0x60, 0x43]),
    ("earth", "dirt", [0x86, 0x60, 0x43]),
    ("sand", "sand", [0xDB, 0xCF, 0xA3]),
    ("gravel", "gravel", [0x83, 0x7F, 0x7E]),
    ("clay", "clay", [0xA0, 0xA6, 0xB3]),
    ("rock", "stone", [0x9A, 0x95, 0x8C]),
    ("cobblestone", "cobblestone", [0x7F, 0x7F, 0x7F]),
    ("sandstone", "sandstone", [0xD8, 0xCB, 0x9B]),
    ("brick", "bricks", [0x96, 0x61, 0x53]),
    ("bricks", "bricks", [0x96, 0x61, 0x53]),
    ("roof", "bricks", [0x96, 0x61, 0x53]),
    ("plaster", "smooth_quartz", [0xEC, 0xE6, 0xDF]),
    ("wall", "stone_bricks", [0x7A, 0x79, 0x7A]),
    ("planks", "oak_planks", [0xA2, 0x82, 0x4E]),
    ("wood", "oak_planks", [0xA2, 0x82, 0x4E]),
    ("log", "oak_log", [0x6D, 0x55, 0x32]),
    ("trunk", "oak_log", [0x6D, 0x55, 0x32]),
    ("leaves", "oak_leaves", [0x5D, 0x8A, 0x4C]),
    ("snow", "snow_block", [0xF9, 0xFE, 0xFE]),
    ("ice", "packed_ice", [0x8D, 0xB4, 0xFA]),
    ("glass", "glass", [0xC8, 0xE0, 0xE4]),
    ("moss", "moss_block", [0x59, 0x6D, 0x2D]),
    ("mud", "mud", [0x3C, 0x39, 0x3C]),
    ("path", "dirt_path", [0x94, 0x7A, 0x41]),
    ("obsidian", "obsidian", [0x0F, 0x0B, 0x19]),
];

/// Returns the name without namespace and state.
fn base_of(name: &str) -> &str {
    let base = name.split('[').next().unwrap_or(name);
    base.rsplit(':').next().unwrap_or(base)
}

/// Returns the value of a property of a block's state, as in `[half=bottom,facing=east]`.
fn property<'n>(name: &'n str, wanted: &str) -> Option<&'n str> {
    let state = name.split_once('[')?.1.strip_suffix(']')?;
    let mut properties = state.split(',').filter_map(|property| property.split_once('='));
    properties.find(|(key, _)| *key == wanted).map(|(_, value)| value)
}

/// Slabs and stairs. Upper slabs, and double slabs, are as high as full blocks.
fn half_kind_of(name: &str) -> Option<BlockKind> {
    let base = base_of(name);
    let is_low = |part: &str| property(name, part).is_none_or(|value| value == "bottom");
    if base.ends_with("_slab") {
        return Some(if is_low("type") { BlockKind::Half } else { BlockKind::Solid });
    }
    if !base.ends_with("_stairs") {
        return None;
    }
    let ascent = match property(name, "facing") {
        Some("east") => Ascent::East,
        Some("south") => Ascent::South,
        Some("west") => Ascent::West,
        _ => Ascent::North,
    };
    Some(if is_low("half") { BlockKind::Stairs(ascent) } else { BlockKind::Solid })
}

/// Returns whether it is air, rather than a thing that does not block.
pub(super) fn is_air(name: &str) -> bool {
    matches!(base_of(name), "air" | "cave_air" | "void_air")
}

/// Returns the kind of a block of that name: `minecraft:oak_door[half=upper]` is a door.
///
/// ```
/// use wayfare::space::voxel::BlockKind;
/// use wayfare_formats::schem::kind_of;
/// assert_eq!(kind_of("minecraft:water[level=0]"), BlockKind::Water);
/// assert_eq!(kind_of("minecraft:stone"), BlockKind::Solid);
/// assert_eq!(kind_of("minecraft:oak_slab[type=bottom]"), BlockKind::Half);
/// ```
pub fn kind_of(name: &str) -> BlockKind {
    /// Blocks that do not block a body, by whole name.
    const OPEN: [&str; 45] = [
        "short_grass",
        "grass",
        "tall_grass",
        "fern",
        "large_fern",
        "dead_bush",
        "dandelion",
        "poppy",
        "blue_orchid",
        "allium",
        "azure_bluet",
        "oxeye_daisy",
        "cornflower",
        "lily_of_the_valley",
        "sunflower",
        "lilac",
        "rose_bush",
        "peony",
        "brown_mushroom",
        "red_mushroom",
        "sugar_cane",
        "wheat",
        "carrots",
        "potatoes",
        "beetroots",
        "melon_stem",
        "pumpkin_stem",
        "nether_wart",
        "sweet_berry_bush",
        "cobweb",
        "fire",
        "soul_fire",
        "torch",
        "redstone_wire",
        "repeater",
        "comparator",
        "tripwire",
        "tripwire_hook",
        "snow",
        "rail",
        "lever",
        "nether_portal",
        "end_portal",
        "structure_void",
        "light",
    ];
    /// Blocks that do not block a body, by the end of its name.
    const OPEN_ENDS: [&str; 9] = [
        "_button",
        "_sapling",
        "_tulip",
        "_carpet",
        "_sign",
        "_banner",
        "_pressure_plate",
        "_torch",
        "_rail",
    ];
    let base = base_of(name);
    match base {
        _ if is_air(name) => BlockKind::Air,
        "water" | "bubble_column" | "kelp" | "kelp_plant" | "seagrass" | "tall_seagrass" => {
            BlockKind::Water
        }
        "lava" => BlockKind::Lava,
        "ladder" | "vine" => BlockKind::Ladder,
        // One stands on it, and gets up and down by it.
        "scaffolding" => BlockKind::Climbable,
        _ if base.ends_with("_vines") || base.ends_with("_vines_plant") => BlockKind::Ladder,
        _ if base.ends_with("_door") || base.ends_with("_fence_gate") => BlockKind::Door,
        _ if OPEN.contains(&base) || OPEN_ENDS.iter().any(|end| base.ends_with(end)) => {
            BlockKind::Air
        }
        _ => half_kind_of(name).unwrap_or(BlockKind::Solid),
    }
}

/// Returns how a block of that name looks.
pub(super) fn color_of(name: &str) -> [u8; 3] {
    let kind = kind_of(name);
    if kind != BlockKind::Solid && !kind.is_half() {
        return usual_color(kind);
    }
    let base = base_of(name);
    // Slabs and stairs look as the blocks that they are cut from: brick_slab as bricks.
    let stem = base.strip_suffix("_slab").or_else(|| base.strip_suffix("_stairs"));
    let is_of = |id: &str| {
        let cut = |stem: &str| {
            id.strip_prefix(stem).is_some_and(|end| matches!(end, "" | "s" | "_planks"))
        };
        id == base || stem.is_some_and(cut)
    };
    let known = SOLIDS.iter().find(|(_, id, _)| is_of(id)).map(|(.., color)| *color);
    let dyed = || {
        let of = |dye: &str| base.strip_prefix(dye).is_some_and(|rest| rest.starts_with('_'));
        DYES.iter().find(|(dye, _)| of(dye)).map(|(_, color)| *color)
    };
    known.or_else(dyed).unwrap_or_else(|| usual_color(kind))
}

/// Returns the block that stands for a kind of ours: itself, if it is one of the game's; else the
/// usual one of its kind. Solid blocks go by their name, then by the concrete of the nearest
/// colour.
pub(crate) fn stand_in(kind: &BlockType) -> String {
    let name = kind.name.as_str();
    if is_of_the_game(name) && kind_of(name) == kind.block.kind {
        return name.to_owned();
    }
    let solid = || {
        let named = SOLIDS.iter().find(|(called, id, _)| *called == name || *id == name);
        match named {
            Some((_, id, _)) => (*id).to_owned(),
            None if name == "stone" => "stone".to_owned(),
            None => format!("{}_concrete", nearest_dye(kind.color)),
        }
    };
    let base = match kind.block.kind {
        BlockKind::Air => "structure_void".to_owned(),
        BlockKind::Water => "water".to_owned(),
        BlockKind::Lava => "lava".to_owned(),
        BlockKind::Ladder => "ladder".to_owned(),
        BlockKind::Door => "oak_door".to_owned(),
        BlockKind::Climbable => "scaffolding".to_owned(),
        BlockKind::Half => "smooth_stone_slab[type=bottom]".to_owned(),
        BlockKind::Stairs(ascent) => {
            let facing = match ascent {
                Ascent::East => "east",
                Ascent::South => "south",
                Ascent::West => "west",
                Ascent::North => "north",
            };
            format!("stone_stairs[facing={facing},half=bottom]")
        }
        _ => solid(),
    };
    format!("minecraft:{base}")
}

/// Returns whether it is where a block comes from and its name there, perhaps with its state:
/// `minecraft:oak_door[half=upper]`.
fn is_of_the_game(name: &str) -> bool {
    const MOST: usize = 1024;
    let (id, state) = name.split_once('[').unwrap_or((name, "]"));
    let sound = |text: &str, others: &[u8]| {
        let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        text.bytes().all(|byte| known(byte) || others.contains(&byte))
    };
    name.len() <= MOST
        && id.split_once(':').is_some_and(|(from, own)| {
            sound(from, b"_-.") && sound(own, b"_-./") && !own.is_empty()
        })
        && state.strip_suffix(']').is_some_and(|state| sound(state, b"_=,"))
}

fn nearest_dye(color: [u8; 3]) -> &'static str {
    let distance = |other: [u8; 3]| -> u32 {
        color.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    DYES.iter().min_by_key(|(_, dye)| distance(*dye)).map_or("white", |(name, _)| *name)
}
