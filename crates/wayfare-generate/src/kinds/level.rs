//! Levels: rooms on storeys, with stairs and ramps, as triangles to bake a navigation mesh from.
//!
//! # Why every room can be reached
//!
//! A storey is a connected set of squares. Doors follow a spanning tree over it. Each storey but
//! the first has exactly one flight that arrives on it, in the middle of a square where no other
//! flight begins, with a walkable ring around it. So all squares of all storeys are connected.

use wayfare_bake::WalkerShape;

use crate::parts::LevelBuilder;
use crate::runs::Sets;
use crate::{
    Dice, GenerateError, LevelScene, Parameter, Promise, Range, Scenario, Seed, Statistic, Values,
    WorldDraft, WorldForm,
};

pub(crate) struct Level;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("columns", "rooms along x", "", 2, 8).by_default(3.0, 4.0),
    Parameter::whole("rows", "rooms along z", "", 1, 8).by_default(2.0, 3.0),
    Parameter::whole("storeys", "storeys at most", "", 1, 4).by_default(2.0, 3.0),
    Parameter::whole("side", "side of a room", "metres", 8, 14).by_default(8.0, 9.0),
    Parameter {
        name: "door",
        about: "width of doors",
        unit: "metres",
        whole: false,
        limits: Range::new(1.3, 3.0),
        default: Range::new(1.4, 1.8),
    },
    Parameter::share("ramps", "share of flights that are ramps, not stairs", 0.0, 1.0)
        .by_default(0.4, 0.6),
    Parameter::share("terraces", "share of a storey's rooms with none above", 0.0, 0.7)
        .by_default(0.2, 0.45),
    Parameter::share("loops", "share of walls beyond the spanning tree that have a door", 0.0, 1.0)
        .by_default(0.2, 0.5),
    Parameter::share("furniture", "share of the corners with furniture", 0.0, 1.0)
        .by_default(0.3, 0.6),
];

/// From floor to floor.
const STOREY: f32 = 3.2;
/// The thickness of floors.
const SLAB: f32 = 0.3;
/// Half the thickness of walls.
const HALF_WALL: f32 = 0.125;
/// Head room of doors.
const LINTEL: f32 = 2.2;
/// The length of a flight along x, and half its width.
const FLIGHT: [f32; 2] = [4.6, 0.9];
/// The side of the corners of a room that may have furniture.
const CORNER: f32 = 2.0;
/// The width of the yard around the house.
const YARD: f32 = 5.0;

impl Scenario for Level {
    fn name(&self) -> &'static str {
        "level"
    }

    fn about(&self) -> &'static str {
        "rooms on storeys with stairs and ramps, as triangles"
    }

    fn families(&self) -> &'static [&'static str] {
        &["indoor", "meshes"]
    }

    fn form(&self) -> WorldForm {
        WorldForm::Level
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let house = House::new(values, seed);
        let mesh = house.raised(values, seed)?;
        let rooms: Vec<[f32; 3]> = house.rooms().collect();
        let row = seed.child("entry", 0).dice().below(house.rows);
        let entry = [-0.6 * YARD, 0.0, (row as f32 + 0.5) * house.side];
        // The furthest room of the uppermost storey.
        let exit = rooms.last().copied().unwrap_or(entry);
        Ok(WorldDraft::Level(LevelScene {
            mesh,
            walker: WalkerShape::default(),
            entry,
            exit,
            rooms,
        }))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let ground = values.get("columns") * values.get("rows");
        vec![
            Promise::between(Statistic::Rooms, Range::new(ground, ground * values.get("storeys"))),
            Promise::at_most(Statistic::Storeys, values.get("storeys")),
        ]
    }
}

/// A storey: squares in rows.
struct Storey {
    /// The squares that have a floor. Above the ground they are the rooms of the storey below.
    floors: Vec<bool>,
    /// The squares with walls; the others are terraces. A subset of the floors.
    rooms: Vec<bool>,
    /// The walls with a door, by the indices of their squares, and the position of the door along
    /// the wall: a share of its free length.
    doors: Vec<((usize, usize), f32)>,
    /// The square where a flight goes up, if there is a storey above; and its form.
    flight: Option<(usize, bool)>,
}

struct House {
    columns: u32,
    rows: u32,
    side: f32,
    door: f32,
    storeys: Vec<Storey>,
}

impl House {
    fn new(values: &Values, seed: Seed) -> Self {
        let [columns, rows] = ["columns", "rows"].map(|name| values.whole(name));
        let mut house = House {
            columns,
            rows,
            side: values.get("side"),
            door: values.get("door"),
            storeys: Vec::new(),
        };
        let count = (columns * rows) as usize;
        let mut floors = vec![true; count];
        let mut arrived = None;
        for number in 0..values.whole("storeys") {
            let seed = seed.child("storey", number.into());
            let mut rooms = floors.clone();
            if number > 0 {
                house.open_terraces(
                    &mut rooms,
                    values.get("terraces"),
                    &mut seed.child("terraces", 0).dice(),
                );
            }
            let mut dice = seed.child("doors", 0).dice();
            let doors = house.doors(&floors, values.get("loops"), &mut dice);
            let mut dice = seed.child("flight", 0).dice();
            // A flight goes up to a room's own ceiling, and not where another arrives.
            let places: Vec<usize> =
                (0..count).filter(|square| rooms[*square] && arrived != Some(*square)).collect();
            let is_last = number + 1 == values.whole("storeys");
            let flight =
                dice.pick(&places).map(|square| (*square, dice.happens(values.get("ramps"))));
            let flight = flight.filter(|_| !is_last);
            house.storeys.push(Storey { floors, rooms: rooms.clone(), doors, flight });
            let Some((square, _)) = flight else { break };
            arrived = Some(square);
            floors = rooms;
        }
        house
    }

    /// Takes rooms away as long as the others hang together, and two are left.
    fn open_terraces(&self, rooms: &mut [bool], share: f32, dice: &mut Dice) {
        let mut order: Vec<usize> = (0..rooms.len()).filter(|square| rooms[*square]).collect();
        let most = (order.len() as f32 * share) as usize;
        dice.shuffle(&mut order);
        let mut taken = 0;
        for square in order.iter().copied() {
            if taken == most || order.len() - taken <= 2 {
                break;
            }
            rooms[square] = false;
            taken += 1;
            let mut sets = Sets::new(rooms.len());
            let joins = self.walls().filter(|(one, other)| rooms[*one] && rooms[*other]);
            let joined = joins.filter(|(one, other)| sets.join(*one, *other)).count();
            if joined + 1 < order.len() - taken {
                rooms[square] = true;
                taken -= 1;
            }
        }
    }

    /// Doors of a spanning tree over the floors (Kruskal, 1956, in random order), and further ones.
    fn doors(&self, floors: &[bool], loops: f32, dice: &mut Dice) -> Vec<((usize, usize), f32)> {
        let mut walls: Vec<(usize, usize)> =
            self.walls().filter(|(one, other)| floors[*one] && floors[*other]).collect();
        dice.shuffle(&mut walls);
        let mut sets = Sets::new(floors.len());
        walls.retain(|(one, other)| sets.join(*one, *other) || dice.happens(loops));
        walls.into_iter().map(|wall| (wall, dice.share())).collect()
    }

    /// Returns the walls between two squares.
    fn walls(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (columns, rows) = (self.columns as usize, self.rows as usize);
        (0..columns * rows).flat_map(move |square| {
            let east = (square % columns + 1 < columns).then_some((square, square + 1));
            let south = (square / columns + 1 < rows).then_some((square, square + columns));
            [east, south].into_iter().flatten()
        })
    }

    /// Returns the corner of a square with the lowest x and z.
    fn corner(&self, square: usize) -> [f32; 2] {
        let columns = self.columns as usize;
        [square % columns, square / columns].map(|place| place as f32 * self.side)
    }

    /// Returns a point in each square of each storey, east of the flights: the storeys from the
    /// ground up, the squares of each from west to east.
    fn rooms(&self) -> impl Iterator<Item = [f32; 3]> + use<'_> {
        let rows = self.rows as usize;
        (0..).zip(&self.storeys).flat_map(move |(number, storey)| {
            let mut squares: Vec<usize> =
                (0..storey.floors.len()).filter(|square| storey.floors[*square]).collect();
            squares.sort_by_key(|square| {
                (square % self.columns as usize) * rows + square / self.columns as usize
            });
            squares.into_iter().map(move |square| {
                let [x, z] = self.corner(square);
                [x + self.side - 0.9, number as f32 * STOREY, z + self.side / 2.0]
            })
        })
    }

    fn raised(
        &self,
        values: &Values,
        seed: Seed,
    ) -> Result<wayfare_formats::obj::TriangleMesh, GenerateError> {
        let mut level = LevelBuilder::default();
        let [along, across] = [self.columns, self.rows].map(|count| count as f32 * self.side);
        level.material("grass");
        level.block([-YARD, -SLAB, -YARD], [along + YARD, -0.02, -HALF_WALL]);
        level.block([-YARD, -SLAB, across + HALF_WALL], [along + YARD, -0.02, across + YARD]);
        level.block([-YARD, -SLAB, -HALF_WALL], [-HALF_WALL, -0.02, across + HALF_WALL]);
        level.block(
            [along + HALF_WALL, -SLAB, -HALF_WALL],
            [along + YARD, -0.02, across + HALF_WALL],
        );
        level.material("floor");
        level.block([-HALF_WALL, -SLAB, -HALF_WALL], [along + HALF_WALL, 0.0, across + HALF_WALL]);
        let mut below: Option<(usize, bool)> = None;
        for (number, storey) in (0..).zip(&self.storeys) {
            let y = number as f32 * STOREY;
            if number > 0 {
                self.slabs(&mut level, storey, below.map(|(square, _)| square), y);
            }
            self.walls_of(&mut level, storey, number == 0, y);
            if let Some((square, ramp)) = storey.flight {
                let [low, high] = self.flight(square, y);
                level.material(if ramp { "ramp" } else { "stairs" });
                if ramp { level.ramp(low, high) } else { level.stairs(low, high) }
            }
            let taken = [below, storey.flight].map(|flight| flight.map(|(square, _)| square));
            let mut dice = seed.child("furniture", number).dice();
            level.material("furniture");
            for square in (0..storey.rooms.len()).filter(|square| storey.rooms[*square]) {
                if !taken.contains(&Some(square)) {
                    self.furnish(&mut level, square, y, values.get("furniture"), &mut dice);
                }
            }
            below = storey.flight;
        }
        level.finish()
    }

    /// Returns the foot and the head of a flight in the middle of a square.
    fn flight(&self, square: usize, y: f32) -> [[f32; 3]; 2] {
        let [x, z] = self.corner(square).map(|corner| corner + self.side / 2.0);
        let [half, wide] = [FLIGHT[0] / 2.0, FLIGHT[1]];
        [[x - half, y, z - wide], [x + half, y + STOREY, z + wide]]
    }

    /// Builds the floors of a storey, with a hole where a flight arrives.
    fn slabs(&self, level: &mut LevelBuilder, storey: &Storey, hole: Option<usize>, y: f32) {
        for square in (0..storey.floors.len()).filter(|square| storey.floors[*square]) {
            level.material(if storey.rooms[square] { "floor" } else { "terrace" });
            let [x0, z0] = self.corner(square);
            let [x1, z1] = [x0, z0].map(|corner| corner + self.side);
            if hole != Some(square) {
                level.block([x0, y - SLAB, z0], [x1, y, z1]);
                continue;
            }
            let [low, high] = self.flight(square, y - STOREY);
            level.block([x0, y - SLAB, z0], [x1, y, low[2]]);
            level.block([x0, y - SLAB, high[2]], [x1, y, z1]);
            level.block([x0, y - SLAB, low[2]], [low[0], y, high[2]]);
            level.block([high[0], y - SLAB, low[2]], [x1, y, high[2]]);
        }
    }

    /// Builds the walls of a storey: between rooms, and around them; parapets around terraces.
    fn walls_of(&self, level: &mut LevelBuilder, storey: &Storey, is_ground: bool, y: f32) {
        let side = self.side;
        let is = |of: &[bool], x: i64, z: i64| {
            let inside =
                (0..i64::from(self.columns)).contains(&x) && (0..i64::from(self.rows)).contains(&z);
            let square = z * i64::from(self.columns) + x;
            (inside && of[square as usize]).then_some(square as usize)
        };
        for z in 0..=i64::from(self.rows) {
            for x in 0..=i64::from(self.columns) {
                // The wall west of the square, and the one north of it.
                for (along_x, other) in [(false, (x - 1, z)), (true, (x, z - 1))] {
                    let pair = [other, (x, z)];
                    let [one, two] = pair.map(|(x, z)| is(&storey.floors, x, z));
                    let rooms = pair.map(|(x, z)| is(&storey.rooms, x, z).is_some());
                    let wall = Wall { from: [x as f32 * side, y, z as f32 * side], along_x, side };
                    match (one, two) {
                        (None, None) => {}
                        (Some(one), Some(two)) => {
                            let door = storey.doors.iter().find(|(wall, _)| *wall == (one, two));
                            match (rooms.contains(&true), door) {
                                (true, Some((_, place))) => {
                                    wall.with_door(level, self.door, *place);
                                }
                                (true, None) => wall.plain(level),
                                (false, _) => {}
                            }
                        }
                        // The western side of the ground floor has the doors of the house.
                        _ if is_ground && !along_x && x == 0 => {
                            wall.with_door(level, self.door, 0.5);
                        }
                        _ if rooms.contains(&true) => wall.with_window(level),
                        _ => wall.parapet(level),
                    }
                }
            }
        }
    }

    /// Boxes in the corners of a room, where no doors are.
    fn furnish(
        &self,
        level: &mut LevelBuilder,
        square: usize,
        y: f32,
        share: f32,
        dice: &mut Dice,
    ) {
        let [x0, z0] = self.corner(square);
        for (east, south) in [(false, false), (true, false), (false, true), (true, true)] {
            // With the gap to the wall, less than the side of a corner.
            let wide = 0.5 + dice.share();
            let deep = 0.5 + dice.share();
            let high = 0.4 + 0.9 * dice.share();
            if !dice.happens(share) {
                continue;
            }
            let x = x0 + if east { self.side - 0.3 - wide } else { 0.3 };
            let z = z0 + if south { self.side - 0.3 - deep } else { 0.3 };
            level.block([x, y, z], [x + wide, y + high, z + deep]);
        }
    }
}

/// A wall along a side of a square.
struct Wall {
    /// Its end with the lower x and z, at the floor.
    from: [f32; 3],
    along_x: bool,
    side: f32,
}

impl Wall {
    /// Builds a part of it: from one point to another along it, from one height to another.
    fn part(&self, level: &mut LevelBuilder, along: [f32; 2], up: [f32; 2]) {
        let [x, y, z] = self.from;
        let (low, high) = if self.along_x {
            ([x + along[0], y + up[0], z - HALF_WALL], [x + along[1], y + up[1], z + HALF_WALL])
        } else {
            ([x - HALF_WALL, y + up[0], z + along[0]], [x + HALF_WALL, y + up[1], z + along[1]])
        };
        level.material("wall");
        level.block(low, high);
    }

    /// Returns where it begins and ends, corners included.
    fn ends(&self) -> [f32; 2] {
        [-HALF_WALL, self.side + HALF_WALL]
    }

    fn plain(&self, level: &mut LevelBuilder) {
        self.part(level, self.ends(), [0.0, STOREY - SLAB]);
    }

    fn parapet(&self, level: &mut LevelBuilder) {
        self.part(level, self.ends(), [0.0, 1.0]);
    }

    /// Builds a wall with a door between the corners with furniture: at 0 nearest to one, at 1 to
    /// the other.
    fn with_door(&self, level: &mut LevelBuilder, width: f32, place: f32) {
        let [from, to] = self.ends();
        let left = CORNER + (self.side - 2.0 * CORNER - width) * place;
        let right = left + width;
        self.part(level, [from, left], [0.0, STOREY - SLAB]);
        self.part(level, [right, to], [0.0, STOREY - SLAB]);
        self.part(level, [left, right], [LINTEL, STOREY - SLAB]);
    }

    fn with_window(&self, level: &mut LevelBuilder) {
        let [from, to] = self.ends();
        let [left, right] = [-1.0, 1.0].map(|half| self.side / 2.0 + half);
        self.part(level, [from, left], [0.0, STOREY - SLAB]);
        self.part(level, [right, to], [0.0, STOREY - SLAB]);
        self.part(level, [left, right], [0.0, 0.9]);
        self.part(level, [left, right], [2.1, STOREY - SLAB]);
    }
}
