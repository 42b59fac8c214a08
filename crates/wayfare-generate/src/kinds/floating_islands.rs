//! Floating islands: blocks of land in the sky, with gaps to jump, drops and ledges.
//!
//! # Why the exit and every island can be reached
//!
//! The islands form a chain. Each but the first faces the one before it over at least two columns,
//! and is joined to it in one of three ways, of which the promised agent is capable:
//!
//! - a gap that the agent jumps, at the same height;
//! - a drop: it adjoins the one before it, three blocks below;
//! - a ledge: it adjoins the one before it, two blocks above.
//!
//! All other islands are at least three columns away in plan, so nothing hangs over a join. Trees
//! stand in the middle of islands five columns wide or more: the rim has the open sky above.
//!
//! There is no path back up a drop.

use wayfare_formats::{BlockType, palette};
use wayfare_voxel::{BlockKind, VoxelProfile, VoxelSize};

use crate::{
    Area, BlockDraft, BlockScene, Dice, GenerateError, Parameter, Promise, Range, Scenario, Seed,
    Statistic, Values, WorldDraft, WorldForm,
};

pub(crate) struct FloatingIslands;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("width", "extent along x", "blocks", 24, 512).by_default(30.0, 44.0),
    Parameter::whole("depth", "extent along z", "blocks", 24, 512).by_default(28.0, 40.0),
    Parameter::whole("height", "extent along y", "blocks", 16, 64).by_default(18.0, 24.0),
    Parameter::whole("islands", "islands that are tried; a full sky holds fewer", "", 2, 1000)
        .by_default(7.0, 10.0),
    Parameter::whole("side", "longest side of islands", "blocks", 5, 24).by_default(6.0, 8.0),
    Parameter::whole("gap", "width of the gaps", "blocks", 1, 3).by_default(2.0, 2.0),
    Parameter::share("drops", "share of the joins that are drops", 0.0, 0.5).by_default(0.15, 0.3),
    Parameter::share("ledges", "share of the joins that are ledges", 0.0, 0.5)
        .by_default(0.15, 0.3),
    Parameter::share("trees", "share of the islands with a tree", 0.0, 1.0).by_default(0.4, 0.7),
];

/// By how much a drop falls, and a ledge rises.
const DROP: u32 = 3;
const LEDGE: u32 = 2;
/// The least side of an island.
const LEAST: u32 = 5;
/// Room above the ground for trees and jumps.
const ABOVE: u32 = 7;
/// Columns between islands that are not joined.
const APART: u32 = 3;
/// Ids of blocks in the palette.
const GRASS: u8 = 2;
const DIRT: u8 = 3;
const LOG: u8 = 4;
const LEAVES: u8 = 5;

fn blocks() -> Vec<BlockType> {
    let solid =
        |glyph, name: &str, color| BlockType::new(glyph, name, BlockKind::Solid).colored(color);
    vec![
        solid('g', "grass", palette::GRASS),
        solid('e', "dirt", [0x8d, 0x6f, 0x52]),
        solid('l', "log", [0x86, 0x63, 0x3f]),
        solid('v', "leaves", [0x5d, 0x8a, 0x4c]),
    ]
}

/// An island: its extent in plan, and the height of its grass.
#[derive(Clone, Copy)]
struct Island {
    area: Area,
    floor: u32,
}

impl Island {
    /// Returns the middle of its southern half, beside a tree.
    fn place(self) -> [u32; 3] {
        let middle = self.area.middle();
        [middle.x, self.floor + 1, self.area.bottom() - 1]
    }
}

impl Scenario for FloatingIslands {
    fn name(&self) -> &'static str {
        "floating-islands"
    }

    fn about(&self) -> &'static str {
        "land in the sky: gaps to jump, drops without a way back, ledges"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor", "blocks"]
    }

    fn form(&self) -> WorldForm {
        WorldForm::Blocks
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let islands = chain(values, seed);
        let [first, .., last] = islands[..] else {
            return Err(GenerateError::request("no second island fits into the sky"));
        };
        let entry = first.place();
        let mut routes = vec![("from end to end".to_owned(), entry, last.place())];
        let further = (2..).zip(&islands[1..]);
        routes.extend(
            further.map(|(number, island)| (format!("island {number}"), entry, island.place())),
        );
        let scene = raised(&islands, values, seed).to_scene(self.name(), &routes)?;
        let profile = VoxelProfile {
            height: 2,
            jump_height: LEDGE as u8,
            jump_distance: values.whole("gap") as u8,
            max_fall_distance: DROP as u16,
            ..VoxelProfile::default()
        };
        let rooms = islands.len() as u32;
        Ok(WorldDraft::Blocks(BlockScene { scene, profile, rooms }))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![Promise::between(Statistic::Rooms, Range::new(2.0, values.get("islands")))]
    }
}

/// Islands from the north-western corner on, each joined to the one before it. A second one always
/// fits east of the first: no side is longer than a third of the world.
fn chain(values: &Values, seed: Seed) -> Vec<Island> {
    const TRIES: u32 = 200;
    let [width, depth, height] = ["width", "depth", "height"].map(|name| values.whole(name));
    let most = values.whole("side").min(width.min(depth) / 3);
    let size = |dice: &mut Dice| [dice.between(LEAST, most), dice.between(LEAST, most)];
    let mut dice = seed.child("island", 0).dice();
    let [along, across] = size(&mut dice);
    let floor = dice.between(height / 3, height - ABOVE - LEDGE);
    let mut islands = vec![Island { area: Area::new(1, 1, along, across), floor }];
    for number in 1..values.whole("islands") {
        let mut dice = seed.child("island", number.into()).dice();
        let last = islands[islands.len() - 1];
        let next = (0..TRIES).find_map(|_| {
            let size = size(&mut dice);
            let next = joined(last, size, values, [width, height, depth], &mut dice)?;
            let others = &islands[..islands.len() - 1];
            let is_apart = others.iter().all(|other| !next.area.is_near(other.area, APART));
            is_apart.then_some(next)
        });
        let Some(next) = next else { break };
        islands.push(next);
    }
    islands
}

/// Returns an island beside another, joined to it; `None` if it would lie outside the world.
fn joined(
    last: Island,
    [along, across]: [u32; 2],
    values: &Values,
    [width, height, depth]: [u32; 3],
    dice: &mut Dice,
) -> Option<Island> {
    let (drops, ledges) = (values.get("drops"), values.get("ledges"));
    let kind = dice.share();
    let (floor, gap) = if kind < drops {
        (last.floor.checked_sub(DROP)?, 0)
    } else if kind < drops + ledges {
        (last.floor + LEDGE, 0)
    } else {
        (last.floor, values.whole("gap"))
    };
    // Room for the rock below, and for trees above.
    if floor < 3 || floor + ABOVE > height {
        return None;
    }
    let Area { x, y, .. } = last.area;
    // Corners are cut: two columns between them face each other.
    let beside = |from: u32, to: u32, side: u32, dice: &mut Dice| {
        let low = (from + 4).checked_sub(side)?;
        Some(dice.between(low, to - 4))
    };
    let [left, top] = match dice.below(4) {
        0 => [last.area.right() + gap, beside(y, last.area.bottom(), across, dice)?],
        1 => [x.checked_sub(gap + along)?, beside(y, last.area.bottom(), across, dice)?],
        2 => [beside(x, last.area.right(), along, dice)?, last.area.bottom() + gap],
        _ => [beside(x, last.area.right(), along, dice)?, y.checked_sub(gap + across)?],
    };
    let area = Area::new(left, top, along, across);
    let is_inside = left > 0 && top > 0 && area.right() < width && area.bottom() < depth;
    is_inside.then_some(Island { area, floor })
}

fn raised(islands: &[Island], values: &Values, seed: Seed) -> BlockDraft {
    let [width, height, depth] = ["width", "height", "depth"].map(|name| values.whole(name));
    let mut draft = BlockDraft::new(VoxelSize { width, height, depth }, blocks());
    for (number, Island { area, floor }) in (0..).zip(islands) {
        // Smaller from layer to layer.
        for (layer, y) in (0..=*floor).rev().enumerate() {
            let part = area.shrunk(layer as u32);
            if part.width == 0 || part.height == 0 {
                break;
            }
            let block = match layer {
                0 => GRASS,
                1 => DIRT,
                _ => BlockDraft::STONE,
            };
            let (right, bottom) = (part.right() - 1, part.bottom() - 1);
            draft.fill([part.x, y, part.y], [right, y, bottom], block);
            for corner in [[part.x, part.y], [right, part.y], [part.x, bottom], [right, bottom]] {
                draft.set([corner[0], y, corner[1]], BlockDraft::AIR);
            }
        }
        if seed.child("tree", number).dice().happens(values.get("trees")) {
            let middle = area.middle();
            let [x, y, z] = [middle.x, floor + 1, middle.y];
            draft.fill([x - 1, y + 2, z - 1], [x + 1, y + 3, z + 1], LEAVES);
            draft.fill([x, y, z], [x, y + 3, z], LOG);
            draft.set([x, y + 4, z], LEAVES);
        }
    }
    draft
}
