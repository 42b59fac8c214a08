//! Voxel caves: halls at different heights in the rock, joined by stairs.
//!
//! # Why every hall can be reached
//!
//! The halls form a tree with the first at its root: each further one is joined by a tunnel to the
//! nearest hall before it. A tunnel is level within both halls and around its bend; in between it
//! rises or falls by one block at a time, and it has head room for a jump. A hall or tunnel is dug
//! only if it neither cuts the floor of an older one nor has an older one's cavity for a floor. So
//! all floors that were ever laid stay, with the room above them. Pools and pillars keep away from
//! the floors of tunnels, also within halls.

use wayfare_formats::BlockType;
use wayfare_voxel::{BlockKind, VoxelProfile, VoxelSize};

use super::tools::Noise;
use crate::{
    BlockDraft, BlockScene, Dice, GenerateError, Parameter, Promise, Range, Scenario, Seed,
    Statistic, Values, WorldDraft, WorldForm,
};

pub(crate) struct VoxelCaves;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("width", "extent along x", "blocks", 24, 512).by_default(48.0, 64.0),
    Parameter::whole("depth", "extent along z", "blocks", 24, 512).by_default(40.0, 52.0),
    Parameter::whole("height", "extent along y", "blocks", 14, 64).by_default(22.0, 28.0),
    Parameter::whole("halls", "halls that are tried; full rock holds fewer", "", 1, 1000)
        .by_default(9.0, 14.0),
    Parameter::whole("radius", "radius of the largest halls", "blocks", 3, 24).by_default(6.0, 8.0),
    Parameter::whole("passage", "width of the widest body that gets everywhere", "blocks", 1, 3)
        .by_default(1.0, 2.0),
    Parameter::share("pools", "share of the halls with water or lava", 0.0, 1.0)
        .by_default(0.3, 0.6),
];

/// Ids of blocks in the palette.
const GRAVEL: u8 = 2;
const MOSS: u8 = 3;
const SLATE: u8 = 4;
const CRYSTAL: u8 = 5;
const WATER: u8 = 6;
const LAVA: u8 = 7;

fn blocks() -> Vec<BlockType> {
    let solid =
        |glyph, name: &str, color| BlockType::new(glyph, name, BlockKind::Solid).colored(color);
    vec![
        solid('g', "gravel", [0xc4, 0xb7, 0x9f]),
        solid('m', "moss", [0x8d, 0xa3, 0x6a]),
        solid('s', "slate", [0x7d, 0x7b, 0x82]),
        solid('c', "crystal", [0xb0, 0x8f, 0xc9]),
        BlockType::new('~', "water", BlockKind::Water),
        BlockType::new('L', "lava", BlockKind::Lava),
    ]
}

/// A column of a cavity: its position in plan, its floor, and the blocks of air above.
#[derive(Clone, Copy)]
struct Column {
    at: [u32; 2],
    floor: u32,
    room: u32,
}

#[derive(Clone, Copy)]
struct Hall {
    middle: [u32; 2],
    floor: u32,
    radius: u32,
}

impl Scenario for VoxelCaves {
    fn name(&self) -> &'static str {
        "voxel-caves"
    }

    fn about(&self) -> &'static str {
        "halls in the rock with pools, joined by stairs"
    }

    fn families(&self) -> &'static [&'static str] {
        &["underground", "blocks"]
    }

    fn form(&self) -> WorldForm {
        WorldForm::Blocks
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        // If the entrances and exits do not fit between the halls, fewer halls are tried. A single
        // one has only rock around it.
        let mut halls = values.whole("halls");
        for attempt in 0.. {
            let seed = seed.child("attempt", attempt);
            if let Some((rock, ends)) = Rock::hollowed(values, halls, seed) {
                let scene =
                    rock.finished(values, seed).to_scene(self.name(), &routes(&rock, ends))?;
                let width = values.whole("passage") as u8;
                let profile = VoxelProfile { height: 2, width, ..VoxelProfile::default() };
                let rooms = rock.halls.len() as u32;
                return Ok(WorldDraft::Blocks(BlockScene { scene, profile, rooms }));
            }
            halls = (halls * 3 / 4).max(1);
        }
        Err(GenerateError::request("no hall fits into the rock"))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::between(Statistic::Rooms, Range::new(1.0, values.get("halls"))),
            Promise::at_least(Statistic::Passage, values.get("passage")),
        ]
    }
}

/// Returns routes from the entry to the exit, and to each hall.
fn routes(rock: &Rock, [entry, exit]: [[u32; 3]; 2]) -> Vec<(String, [u32; 3], [u32; 3])> {
    let mut routes = vec![("through the caves".to_owned(), entry, exit)];
    routes.extend((1..).zip(&rock.halls).map(|(number, hall)| {
        let [x, z] = hall.middle;
        (format!("hall {number}"), entry, [x, hall.floor + 1, z])
    }));
    routes
}

/// The rock, its cavities and their floors.
struct Rock {
    /// Stone, air, and gravel for floors that stay.
    draft: BlockDraft,
    halls: Vec<Hall>,
    /// Columns in plan that tunnels run through.
    trodden: Vec<bool>,
    /// The width of the widest body.
    body: u32,
    shore: Noise,
}

impl Rock {
    /// Returns halls and tunnels, with the blocks at both ends; `None` if there is no room for
    /// them.
    fn hollowed(values: &Values, halls: u32, seed: Seed) -> Option<(Self, [[u32; 3]; 2])> {
        let [width, height, depth] = ["width", "height", "depth"].map(|name| values.whole(name));
        let mut draft = BlockDraft::new(VoxelSize { width, height, depth }, blocks());
        draft.fill([0; 3], [width - 1, height - 1, depth - 1], BlockDraft::STONE);
        let mut rock = Rock {
            draft,
            halls: Vec::new(),
            trodden: vec![false; (width * depth) as usize],
            body: values.whole("passage"),
            shore: Noise::new(seed.child("shore", 0), 5.0, 2),
        };
        for number in 0..halls {
            const TRIES: u32 = 40;
            let mut dice = seed.child("hall", number.into()).dice();
            let most = values.whole("radius").min(width.min(depth) / 2 - 5);
            let least = (most / 2).max(least_radius(rock.body)).min(most);
            for _ in 0..TRIES {
                if rock.add_hall(dice.between(least, most), &mut dice) {
                    break;
                }
            }
        }
        let ends = [rock.gallery(false)?, rock.gallery(true)?];
        Some((rock, ends))
    }

    /// Returns the head room of tunnels: for a body of two blocks that jumps, on stairs as wide as
    /// it.
    fn room(&self) -> u32 {
        2 + self.body
    }

    /// Tries to dig a hall somewhere, with a tunnel to the nearest one.
    fn add_hall(&mut self, radius: u32, dice: &mut Dice) -> bool {
        let VoxelSize { width, height, depth } = self.draft.size();
        let rim = radius + 2;
        let middle = [dice.between(rim, width - 1 - rim), dice.between(rim, depth - 1 - rim)];
        let distance =
            |hall: &Hall| hall.middle[0].abs_diff(middle[0]) + hall.middle[1].abs_diff(middle[1]);
        let nearest = self.halls.iter().min_by_key(|hall| distance(hall)).copied();
        let highest = height - 4 - self.room();
        let floor = match nearest {
            None => dice.between(3, highest),
            // No steeper than one block in two.
            Some(hall) => {
                let reach = distance(&hall).saturating_sub(radius + hall.radius) / 3;
                let low = hall.floor.saturating_sub(reach).max(3);
                dice.between(low, (hall.floor + reach).min(highest))
            }
        };
        let hall = Hall { middle, floor, radius };
        let cavity = self.cavity(hall);
        if !self.may_dig(&cavity) {
            return false;
        }
        let Some(nearest) = nearest else {
            self.dig(&cavity);
            self.halls.push(hall);
            return true;
        };
        let Some(tunnel) = self.tunnel(nearest, hall, dice.happens(0.5)) else { return false };
        if !self.may_dig(&tunnel) {
            return false;
        }
        self.dig(&cavity);
        self.tread(&tunnel);
        self.halls.push(hall);
        true
    }

    /// Returns the columns of a hall: a disc with a rough shore under a dome.
    fn cavity(&self, hall: Hall) -> Vec<Column> {
        let Hall { middle: [x0, z0], floor, radius } = hall;
        let top = self.draft.size().height - 2;
        let mut columns = Vec::new();
        for z in z0 - radius..=z0 + radius {
            for x in x0 - radius..=x0 + radius {
                let squared = (x.abs_diff(x0).pow(2) + z.abs_diff(z0).pow(2)) as f32;
                // 0 in the middle, 1 at the radius.
                let away = squared / (radius * radius) as f32;
                let edge = away + 0.7 * (self.shore.at(x as f32, z as f32) - 0.5);
                if edge > 0.85 && squared > 2.0 * self.body.pow(2) as f32 {
                    continue;
                }
                let dome = (1.0 - away).max(0.0) * radius as f32 * 0.8;
                let room = (self.room() + dome as u32).min(top - floor);
                columns.push(Column { at: [x, z], floor, room });
            }
        }
        columns
    }

    /// Returns a tunnel between the middles of two halls with one bend; `None` where its stairs do
    /// not fit.
    fn tunnel(&self, from: Hall, to: Hall, along_x_first: bool) -> Option<Vec<Column>> {
        let bend = if along_x_first {
            [to.middle[0], from.middle[1]]
        } else {
            [from.middle[0], to.middle[1]]
        };
        let mut places = line(from.middle, bend);
        let corner = places.len() - 1;
        places.extend(line(bend, to.middle).into_iter().skip(1));
        // Steps that the tunnel may make: both ends outside the halls and away from the bend, and
        // no step right after another.
        let is_outside = |at: [u32; 2]| {
            [from, to].iter().all(|hall| {
                let away =
                    hall.middle[0].abs_diff(at[0]).pow(2) + hall.middle[1].abs_diff(at[1]).pow(2);
                away > (hall.radius + 1 + self.body).pow(2)
            })
        };
        let steps: Vec<usize> = (1..places.len())
            .filter(|place| is_outside(places[*place]) && is_outside(places[place - 1]))
            .filter(|place| place.abs_diff(corner) > self.body as usize + 1)
            .step_by(2)
            .collect();
        let rise = from.floor.abs_diff(to.floor) as usize;
        if steps.len() < rise {
            return None;
        }
        let chosen: Vec<usize> = (0..rise).map(|step| steps[step * steps.len() / rise]).collect();
        let mut floor = from.floor;
        let mut columns = Vec::new();
        for (place, at) in places.iter().enumerate() {
            if chosen.contains(&place) {
                floor = if to.floor > from.floor { floor + 1 } else { floor - 1 };
            }
            let along_x = (place <= corner) == along_x_first;
            let is_level = place.abs_diff(corner) <= self.body as usize;
            columns.extend(self.across(*at, floor, along_x, is_level));
        }
        Some(columns)
    }

    /// Returns the columns of a tunnel at one point: a line across it, or a square around a bend.
    fn across(&self, [x, z]: [u32; 2], floor: u32, along_x: bool, square: bool) -> Vec<Column> {
        let span = |at: u32, wide: bool| {
            let (left, right) = if wide { ((self.body - 1) / 2, self.body / 2) } else { (0, 0) };
            at - left..=at + right
        };
        let column = |x, z| Column { at: [x, z], floor, room: self.room() };
        let xs = span(x, square || !along_x);
        xs.flat_map(|x| span(z, square || along_x).map(move |z| column(x, z))).collect()
    }

    /// Digs a level tunnel from the hall that is nearest to a side out of the rock. Returns the
    /// block at its end.
    fn gallery(&mut self, east: bool) -> Option<[u32; 3]> {
        let key = |hall: &&Hall| if east { u32::MAX - hall.middle[0] } else { hall.middle[0] };
        let hall = *self.halls.iter().min_by_key(key)?;
        let last = self.draft.size().width - 1;
        let end = [if east { last } else { 0 }, hall.middle[1]];
        let places = line(hall.middle, end);
        let columns: Vec<Column> =
            places.into_iter().flat_map(|at| self.across(at, hall.floor, true, false)).collect();
        if !self.may_dig(&columns) {
            return None;
        }
        self.tread(&columns);
        // In the middle of a body that stands at the very end.
        let (left, right) = ((self.body - 1) / 2, self.body / 2);
        let x = if east { last - right } else { left };
        Some([x, hall.floor + 1, end[1]])
    }

    /// Returns whether a cavity spares the floors that are there and rests on rock.
    fn may_dig(&self, columns: &[Column]) -> bool {
        columns.iter().all(|Column { at: [x, z], floor, room }| {
            let at = |y: u32| self.draft.at([*x, y, *z]);
            at(*floor) != BlockDraft::AIR && (1..=*room).all(|up| at(floor + up) != GRAVEL)
        })
    }

    fn dig(&mut self, columns: &[Column]) {
        for Column { at: [x, z], floor, room } in columns {
            self.draft.set([*x, *floor, *z], GRAVEL);
            self.draft.fill([*x, floor + 1, *z], [*x, floor + room, *z], BlockDraft::AIR);
        }
    }

    /// Digs a tunnel, and keeps pools and pillars away from it.
    fn tread(&mut self, columns: &[Column]) {
        self.dig(columns);
        let VoxelSize { width, depth, .. } = self.draft.size();
        for Column { at: [x, z], .. } in columns {
            for z in z.saturating_sub(1)..(z + 2).min(depth) {
                for x in x.saturating_sub(1)..(x + 2).min(width) {
                    self.trodden[(z * width + x) as usize] = true;
                }
            }
        }
    }

    /// Returns the caves with pools, pillars, moss and crystals.
    fn finished(&self, values: &Values, seed: Seed) -> BlockDraft {
        let mut draft = self.draft.clone();
        let VoxelSize { width, height, depth } = draft.size();
        let is_trodden = |x: u32, z: u32| self.trodden[(z * width + x) as usize];
        for (number, hall) in (0..).zip(&self.halls) {
            let mut dice = seed.child("pool", number).dice();
            let pool = dice.happens(values.get("pools"));
            let liquid = if dice.happens(0.7) { WATER } else { LAVA };
            let size = hall.radius / 2 + 1;
            let [x0, z0] =
                hall.middle.map(|middle| middle + dice.below(hall.radius + 1) - hall.radius / 2);
            for Column { at: [x, z], floor, room } in self.cavity(*hall) {
                let is_wet = x.abs_diff(x0).pow(2) + z.abs_diff(z0).pow(2) <= size * size;
                if is_trodden(x, z) || self.draft.at([x, floor, z]) != GRAVEL {
                    continue;
                }
                if is_wet && pool && self.draft.at([x, floor - 1, z]) != BlockDraft::AIR {
                    draft.set([x, floor, z], liquid);
                } else if dice.happens(0.02) {
                    let top = dice.between(1, room);
                    draft.fill([x, floor + 1, z], [x, floor + top, z], SLATE);
                }
            }
        }
        let growth = Noise::new(seed.child("moss", 0), 6.0, 2);
        let veins = Noise::new(seed.child("crystals", 0), 4.0, 1);
        for y in 0..height {
            for z in 0..depth {
                for x in 0..width {
                    let noise = growth.at(x as f32, (z + 7 * y) as f32);
                    let block = match draft.at([x, y, z]) {
                        GRAVEL if noise > 0.58 => MOSS,
                        BlockDraft::STONE if veins.at(x as f32, (z + 5 * y) as f32) > 0.93 => {
                            CRYSTAL
                        }
                        BlockDraft::STONE if noise > 0.62 => SLATE,
                        _ => continue,
                    };
                    draft.set([x, y, z], block);
                }
            }
        }
        draft
    }
}

/// Halls have room for a body to turn.
fn least_radius(body: u32) -> u32 {
    2 + body
}

/// Returns the columns from one to another along an axis that they share, both included.
fn line(from: [u32; 2], to: [u32; 2]) -> Vec<[u32; 2]> {
    let axis = usize::from(from[0] == to[0]);
    let length = from[axis].abs_diff(to[axis]);
    let place = |step: u32| {
        let mut at = from;
        at[axis] = if to[axis] > from[axis] { from[axis] + step } else { from[axis] - step };
        at
    };
    (0..=length).map(place).collect()
}
