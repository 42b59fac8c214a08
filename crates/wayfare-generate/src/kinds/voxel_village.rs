//! Voxel villages: houses on hills by a river.
//!
//! # Why the exit and every house can be reached
//!
//! Heights of neighbouring columns differ by one block at most, except at the river, so a walker
//! who jumps one block crosses all open ground. Houses and trees keep at least a ring of open
//! columns around them, which no other of them touches: a path around each is open. The ring of a
//! house is level, and its door opens to it. Bridges join the two banks.

use wayfare_formats::{BlockType, TilePosition, palette};
use wayfare_voxel::{Abilities, BlockKind, VoxelProfile, VoxelSize};

use super::tools::{self, Noise};
use crate::{
    Area, BlockDraft, BlockScene, Dice, GenerateError, Ground, Parameter, Promise, Scenario, Seed,
    Statistic, TileDraft, Values, WorldDraft, WorldForm,
};

pub(crate) struct VoxelVillage;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("width", "extent along x", "blocks", 40, 512).by_default(56.0, 72.0),
    Parameter::whole("depth", "extent along z", "blocks", 32, 512).by_default(44.0, 56.0),
    Parameter::whole("houses", "houses that are tried; full villages hold fewer", "", 0, 500)
        .by_default(8.0, 14.0),
    Parameter::whole("storeys", "storeys of the highest houses", "", 1, 4).by_default(2.0, 2.0),
    Parameter::whole("relief", "height of the hills above the river", "blocks", 0, 16)
        .by_default(5.0, 8.0),
    Parameter::whole("river", "width of the river; 0 for none", "blocks", 0, 12)
        .by_default(3.0, 5.0),
    Parameter::whole("bridges", "bridges over the river", "", 1, 6).by_default(1.0, 2.0),
    Parameter::share("trees", "trees by columns of open ground", 0.0, 0.1).by_default(0.02, 0.04),
    Parameter::whole("fields", "fields of corn that are tried", "", 0, 100).by_default(2.0, 5.0),
];

/// The height of the water's surface, and of its banks.
const WATERLINE: u32 = 3;
/// The height of a storey with its floor.
const STOREY: u32 = 4;
/// Ids of blocks in the palette.
const GRASS: u8 = 2;
const DIRT: u8 = 3;
const SAND: u8 = 4;
const WATER: u8 = 5;
const PLANKS: u8 = 6;
const PLASTER: u8 = 7;
const BRICK: u8 = 8;
const ROOF: u8 = 9;
const GLASS: u8 = 10;
const DOOR: u8 = 11;
const LADDER: u8 = 12;
const LOG: u8 = 13;
const LEAVES: u8 = 14;
const PATH: u8 = 15;
const CORN: u8 = 16;

fn blocks() -> Vec<BlockType> {
    let solid =
        |glyph, name: &str, color| BlockType::new(glyph, name, BlockKind::Solid).colored(color);
    vec![
        solid('g', "grass", palette::GRASS),
        solid('e', "dirt", [0x8d, 0x6f, 0x52]),
        solid('s', "sand", palette::SAND),
        BlockType::new('~', "water", BlockKind::Water),
        solid('=', "planks", [0xb5, 0x8a, 0x58]),
        solid('P', "plaster", [0xe3, 0xd8, 0xc0]),
        solid('B', "brick", [0xbc, 0x8f, 0x79]),
        solid('r', "roof", [0xb0, 0x5a, 0x46]),
        solid('o', "glass", [0x9f, 0xc4, 0xd4]),
        BlockType::new('D', "door", BlockKind::Door),
        BlockType::new('H', "ladder", BlockKind::Ladder),
        solid('l', "log", [0x86, 0x63, 0x3f]),
        solid('v', "leaves", [0x5d, 0x8a, 0x4c]),
        solid(':', "path", [0xc9, 0xb5, 0x8f]),
        solid('c', "corn", [0xd9, 0xbf, 0x62]),
    ]
}

impl Scenario for VoxelVillage {
    fn name(&self) -> &'static str {
        "voxel-village"
    }

    fn about(&self) -> &'static str {
        "houses with doors and ladders on hills by a river"
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
        let mut plan = Plan::new(values, seed);
        plan.place_houses(values, seed);
        plan.level();
        let ends = plan.pave(seed)?;
        plan.plant(values, seed);
        let draft = plan.raised();
        let place = |at: TilePosition| [at.x, plan.height(at) + 1, at.y];
        let [entry, exit] = ends.map(place);
        let mut routes = vec![("through the village".to_owned(), entry, exit)];
        for (number, house) in (1..).zip(&plan.houses) {
            let inside = [house.area.middle().x, house.floor + 1, house.area.middle().y];
            routes.push((format!("house {number}"), entry, inside));
        }
        let scene = draft.to_scene(self.name(), &routes)?;
        let abilities = Abilities { climb: true, ..Abilities::default() };
        let profile = VoxelProfile { abilities, height: 2, ..VoxelProfile::default() };
        let rooms = plan.houses.len() as u32;
        Ok(WorldDraft::Blocks(BlockScene { scene, profile, rooms }))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![Promise::at_most(Statistic::Rooms, values.get("houses"))]
    }
}

/// A house: its walls in plan, its floor's height, its storeys, and where its door opens.
struct House {
    area: Area,
    floor: u32,
    storeys: u32,
    door: TilePosition,
    /// The column before the door.
    step: TilePosition,
    brick: bool,
}

/// The village from above.
struct Plan {
    /// The cover of each column: trees are rock, fields sand.
    cover: TileDraft,
    /// The height of the uppermost block of the ground, row by row.
    heights: Vec<u32>,
    houses: Vec<House>,
    relief: u32,
    storeys: u32,
}

impl Plan {
    /// Returns hills, a river and its bridges.
    fn new(values: &Values, seed: Seed) -> Self {
        let [width, depth, river] = ["width", "depth", "river"].map(|name| values.whole(name));
        let relief = values.whole("relief");
        let mut cover = TileDraft::new(width, depth, Ground::Grass);
        let hills = Noise::new(seed.child("hills", 0), 24.0, 2);
        let mut heights = vec![WATERLINE; cover.tiles().len()];
        for (column, height) in heights.iter_mut().enumerate() {
            let at = cover.position(column);
            // Most noise is near the middle: twice its distance from there, for low and high land.
            let noise = 2.0 * hills.at(at.x as f32, at.y as f32) - 0.5;
            *height += (relief as f32 * noise.clamp(0.0, 1.0) + 0.5) as u32;
        }
        let bends = Noise::new(seed.child("river", 0), 20.0, 1);
        let middle = width as f32 * (0.35 + 0.3 * seed.child("river", 1).dice().share());
        for z in 0..depth {
            let bend = (bends.at(0.0, z as f32) - 0.5) * width as f32 * 0.35;
            let left = ((middle + bend).max(0.0) as u32).clamp(6, width - 7 - river);
            cover.whole().fill(Area::new(left, z, river, 1), Ground::Water);
        }
        let mut dice = seed.child("bridges", 0).dice();
        let count = if river == 0 { 0 } else { values.whole("bridges") };
        let bridges = (0..count).map(|_| dice.between(3, depth - 4)).collect::<Vec<_>>();
        for bridge in &bridges {
            for at in Area::new(0, bridge - 1, width, 3).tiles() {
                if cover.at(at.x, at.y) == Ground::Water {
                    cover.set(at.x, at.y, Ground::Bridge);
                }
            }
        }
        let storeys = values.whole("storeys");
        let mut plan = Plan { cover, heights, houses: Vec::new(), relief, storeys };
        plan.relax();
        plan
    }

    fn height(&self, at: TilePosition) -> u32 {
        self.heights[self.cover.index(at.x, at.y)]
    }

    /// Lowers columns until neighbours differ by one block at most, and the banks of the river are
    /// at the waterline. The result is the largest such field below the old one: for each column
    /// the least of all heights plus their distances, found by a pass from either end.
    fn relax(&mut self) {
        let width = self.cover.width() as usize;
        for (column, height) in self.heights.iter_mut().enumerate() {
            if matches!(self.cover.tiles()[column], Ground::Water | Ground::Bridge) {
                *height = WATERLINE - 1;
            }
        }
        let heights = &mut self.heights;
        let mut lower = |column: usize, by: Option<usize>| {
            if let Some(by) = by {
                heights[column] = heights[column].min(heights[by] + 1);
            }
        };
        let count = self.cover.tiles().len();
        for column in 0..count {
            lower(column, (column % width > 0).then(|| column - 1));
            lower(column, column.checked_sub(width));
        }
        for column in (0..count).rev() {
            lower(column, (column % width + 1 < width).then_some(column + 1));
            lower(column, (column + width < count).then_some(column + width));
        }
    }

    /// Houses at random, apart from each other, the river and the border.
    fn place_houses(&mut self, values: &Values, seed: Seed) {
        const TRIES: u32 = 30;
        let mut dice = seed.child("houses", 0).dice();
        let (width, depth) = (self.cover.width(), self.cover.height());
        for number in 0..values.whole("houses") {
            for _ in 0..TRIES {
                let [along, across] = [dice.between(5, 9), dice.between(5, 8)];
                let area = Area::new(
                    dice.between(4, width - 5 - along),
                    dice.between(4, depth - 5 - across),
                    along,
                    across,
                );
                let around = Area::new(area.x - 2, area.y - 2, along + 4, across + 4);
                let is_dry = around.tiles().all(|at| self.cover.at(at.x, at.y) == Ground::Grass);
                let is_apart = self.houses.iter().all(|other| !area.is_near(other.area, 4));
                if is_dry && is_apart {
                    let mut dice = seed.child("house", number.into()).dice();
                    let (door, step) = door(area, &mut dice);
                    let storeys = dice.between(1, self.storeys);
                    let brick = dice.happens(0.35);
                    self.houses.push(House { area, floor: 0, storeys, door, step, brick });
                    break;
                }
            }
        }
    }

    /// Makes the ground under and around each house level, at its lowest height there. That may
    /// steepen the ground around, which is lowered in turn, until nothing changes: heights only
    /// fall.
    fn level(&mut self) {
        loop {
            let mut changed = false;
            for number in 0..self.houses.len() {
                let area = self.houses[number].area;
                let yard = Area::new(area.x - 1, area.y - 1, area.width + 2, area.height + 2);
                let floor = yard.tiles().map(|at| self.height(at)).min().unwrap_or(WATERLINE);
                self.houses[number].floor = floor;
                for at in yard.tiles() {
                    let column = self.cover.index(at.x, at.y);
                    changed |= self.heights[column] != floor;
                    self.heights[column] = floor;
                }
            }
            if !changed {
                break;
            }
            self.relax();
        }
        for House { area, .. } in &self.houses {
            self.cover.whole().fill(*area, Ground::Building);
        }
    }

    /// Paths from end to end and to each door, and fields where there is room. Returns the ends.
    fn pave(&mut self, seed: Seed) -> Result<[TilePosition; 2], GenerateError> {
        let (width, depth) = (self.cover.width(), self.cover.height());
        let mut dice = seed.child("paths", 0).dice();
        let mut row = || dice.between(depth / 4, depth - 1 - depth / 4);
        let ends = [TilePosition { x: 0, y: row() }, TilePosition { x: width - 1, y: row() }];
        let price = |ground: Ground| match ground {
            Ground::Water | Ground::Building => None,
            Ground::Road | Ground::Bridge => Some(0.4),
            _ => Some(1.0),
        };
        let mut ways = vec![(ends[0], ends[1])];
        ways.extend(self.houses.iter().map(|house| (house.step, ends[0])));
        for (from, to) in ways {
            for at in tools::way(&self.cover, from, to, price)? {
                if self.cover.at(at.x, at.y) == Ground::Grass {
                    self.cover.set(at.x, at.y, Ground::Road);
                }
            }
        }
        Ok(ends)
    }

    /// Trees and fields on the grass that is left.
    fn plant(&mut self, values: &Values, seed: Seed) {
        let (width, depth) = (self.cover.width(), self.cover.height());
        let mut dice = seed.child("fields", 0).dice();
        for _ in 0..values.whole("fields") {
            let (along, across) = (dice.between(5, 10), dice.between(4, 8));
            let x = dice.between(1, width - 1 - along);
            let field = Area::new(x, dice.between(1, depth - 1 - across), along, across);
            if field.tiles().all(|at| self.cover.at(at.x, at.y) == Ground::Grass) {
                self.cover.whole().fill(field, Ground::Sand);
            }
        }
        let mut dice = seed.child("trees", 0).dice();
        let wanted = (values.get("trees") * (width * depth) as f32) as u32;
        for _ in 0..wanted {
            let at = TilePosition { x: dice.between(3, width - 4), y: dice.between(3, depth - 4) };
            // Open ground two columns wide around, so there is a path around each tree.
            let around = Area::new(at.x - 2, at.y - 2, 5, 5);
            let is_open = around
                .tiles()
                .all(|at| matches!(self.cover.at(at.x, at.y), Ground::Grass | Ground::Road));
            if is_open && self.cover.at(at.x, at.y) == Ground::Grass {
                self.cover.set(at.x, at.y, Ground::Rock);
            }
        }
    }

    /// Returns the blocks.
    fn raised(&self) -> BlockDraft {
        let (width, depth) = (self.cover.width(), self.cover.height());
        // Roofs are five layers high at most; the tallest trees are nine blocks.
        let above = (STOREY * self.storeys + 7).max(10);
        let height = WATERLINE + self.relief + 1 + above;
        let mut draft = BlockDraft::new(VoxelSize { width, height, depth }, blocks());
        for (column, cover) in self.cover.tiles().iter().enumerate() {
            let TilePosition { x, y: z } = self.cover.position(column);
            let top = self.heights[column];
            let under = top.saturating_sub(2);
            draft.fill([x, 0, z], [x, top, z], DIRT);
            draft.fill([x, 0, z], [x, under, z], BlockDraft::STONE);
            let by_water = self
                .cover
                .around(column)
                .any(|next| matches!(self.cover.tiles()[next], Ground::Water | Ground::Bridge));
            let block = match cover {
                Ground::Water | Ground::Bridge => SAND,
                Ground::Road => PATH,
                Ground::Sand if z % 2 == 0 => CORN,
                Ground::Sand => DIRT,
                _ if by_water => SAND,
                _ => GRASS,
            };
            draft.set([x, top, z], block);
            match cover {
                Ground::Water => {
                    draft.set([x, WATERLINE - 2, z], SAND);
                    draft.set([x, WATERLINE - 1, z], WATER);
                    draft.set([x, WATERLINE, z], WATER);
                }
                Ground::Bridge => {
                    draft.set([x, WATERLINE - 2, z], SAND);
                    draft.set([x, WATERLINE - 1, z], WATER);
                    draft.set([x, WATERLINE, z], PLANKS);
                }
                Ground::Rock => tree(&mut draft, [x, top, z]),
                _ => {}
            }
        }
        for house in &self.houses {
            house.build(&mut draft);
        }
        draft
    }
}

/// Builds a tree. Its leaves hang five blocks above its foot: as the ground rises by two blocks at
/// most to a corner of its crown, a body of two blocks passes beneath.
fn tree(draft: &mut BlockDraft, [x, y, z]: [u32; 3]) {
    draft.fill([x - 1, y + 5, z - 1], [x + 1, y + 6, z + 1], LEAVES);
    for [dx, dz] in [[0, 1], [1, 0], [1, 1], [1, 2], [2, 1]] {
        draft.set([x + dx - 1, y + 7, z + dz - 1], LEAVES);
    }
    draft.fill([x, y + 1, z], [x, y + 6, z], LOG);
}

/// Returns a door in a side of a house, no corner, and the column before it.
fn door(area: Area, dice: &mut Dice) -> (TilePosition, TilePosition) {
    let x = area.x + 1 + dice.below(area.width - 2);
    let y = area.y + 1 + dice.below(area.height - 2);
    let at = |x, y| TilePosition { x, y };
    match dice.below(4) {
        0 => (at(area.x, y), at(area.x - 1, y)),
        1 => (at(area.right() - 1, y), at(area.right(), y)),
        2 => (at(x, area.y), at(x, area.y - 1)),
        _ => (at(x, area.bottom() - 1), at(x, area.bottom())),
    }
}

impl House {
    fn build(&self, draft: &mut BlockDraft) {
        let House { area, floor, storeys, .. } = *self;
        let (left, back) = (area.x, area.y);
        let (right, front) = (area.right() - 1, area.bottom() - 1);
        let walls = if self.brick { BRICK } else { PLASTER };
        let eaves = floor + STOREY * storeys;
        draft.fill([left, floor, back], [right, floor, front], PLANKS);
        draft.fill([left, floor + 1, back], [right, eaves - 1, front], walls);
        for storey in 0..storeys {
            let low = floor + STOREY * storey;
            draft.fill([left + 1, low, back + 1], [right - 1, low, front - 1], PLANKS);
            let inner = [[left + 1, low + 1, back + 1], [right - 1, low + 3, front - 1]];
            draft.fill(inner[0], inner[1], BlockDraft::AIR);
            for x in (left + 2..right - 1).step_by(2) {
                draft.set([x, low + 2, back], GLASS);
                draft.set([x, low + 2, front], GLASS);
            }
            for z in (back + 2..front - 1).step_by(2) {
                draft.set([left, low + 2, z], GLASS);
                draft.set([right, low + 2, z], GLASS);
            }
        }
        for layer in 0.. {
            let roof = area.shrunk(layer);
            if roof.width == 0 || roof.height == 0 {
                break;
            }
            let y = eaves + layer;
            draft.fill([roof.x, y, roof.y], [roof.right() - 1, y, roof.bottom() - 1], ROOF);
        }
        if storeys > 1 {
            // Up to the floor of the last storey, in a corner.
            let top = floor + STOREY * (storeys - 1);
            draft.fill([left + 1, floor + 1, back + 1], [left + 1, top, back + 1], LADDER);
        }
        let TilePosition { x, y: z } = self.door;
        draft.fill([x, floor + 1, z], [x, floor + 2, z], DOOR);
    }
}
