//! Houses: two storeys with stairs in a garden, as triangles to bake a navigation mesh from.
//! Without a roof, so that pictures show the rooms.
//!
//! On the ground are hall, study, kitchen and parlour; upstairs are landing, loft, and a room
//! behind a shut door, with a ladder to its window: scenes join it by links.
//!
//! # Why every open room can be reached
//!
//! The front door opens from the garden into the hall. A corridor along the northern wall joins
//! hall, study and kitchen: their walls end before it, and furniture leaves half of it free. A door
//! joins kitchen and parlour. The stairs begin in the corridor and end on the landing, of which the
//! loft is a part.
//!
//! A house may be mirrored, east for west. Comments describe unmirrored ones.

use wayfare_bake::WalkerShape;
use wayfare_formats::obj::TriangleMesh;

use super::tools::{Turned, centimetres, metres};
use crate::parts::LevelBuilder;
use crate::{
    GenerateError, LevelScene, Parameter, Promise, Scenario, Seed, Statistic, Values, WorldDraft,
    WorldForm,
};

pub(crate) struct House;

const PARAMETERS: &[Parameter] = &[
    metres("width", "the house along x", 12.0, 18.0).by_default(12.0, 14.0),
    metres("depth", "the house along z", 10.0, 15.0).by_default(10.0, 12.0),
    metres("hall", "from the western wall of the house to the kitchen's", 6.8, 8.0)
        .by_default(6.8, 7.6),
    metres(
        "study",
        "from the western wall of the house to the wall between study and hall",
        3.2,
        3.6,
    ),
    metres("parlour", "from the northern wall of the house to the parlour's", 5.5, 6.2),
    metres("door", "width of doors", 1.3, 1.6),
    metres("garden", "width of the garden around the house", 5.0, 12.0).by_default(5.5, 8.0),
    metres("mud", "length of a muddy bed in the garden; 0 for none", 0.0, 6.0),
    Parameter::share("furniture", "share of the furniture that is there", 0.0, 1.0)
        .by_default(0.5, 1.0),
    Parameter::whole("turned", "1 for a house that is turned over, east for west", "", 0, 1),
];

/// The heights of both floors, and of the upper walls.
const FLOOR: f32 = 0.15;
const UPPER: f32 = 3.0;
const TOP: f32 = 5.2;
/// The thickness of outer walls, and of inner ones.
const OUTER: f32 = 0.25;
const INNER: f32 = 0.2;
/// Where walls end that leave room for the corridor.
const CORRIDOR: f32 = 3.2;
/// Where the stairs begin along x, the length of a step, and how far they reach along z.
const STAIRS: [f32; 3] = [1.8, 0.3, 1.75];
const STEPS: u8 = 16;
/// The wall of the room behind the shut door.
const SHUT: f32 = 4.4;

impl Scenario for House {
    fn name(&self) -> &'static str {
        "house"
    }

    fn about(&self) -> &'static str {
        "a house of two storeys in a garden, as triangles"
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
        let plan = Plan::new(values);
        let mesh = plan.raised(values.get("mud"), values.get("furniture"), seed)?;
        let Plan { width, depth, hall, garden, .. } = plan;
        let at = |x: f32, y: f32, z: f32| [plan.across(x), y, z];
        let [front, ..] = plan.front();
        let entry = at(front + 0.8, 0.0, depth + garden - 1.0);
        let loft = at(width - 2.0, UPPER, depth - 3.2);
        let rooms = vec![
            at(hall - 1.8, FLOOR, depth - 2.8),
            at(1.6, FLOOR, 5.2),
            at(width - 2.4, FLOOR, 3.6),
            at(width - 0.8, FLOOR, depth - 2.1),
            at(hall + 1.6, UPPER, 1.2),
            loft,
        ];
        Ok(WorldDraft::Level(LevelScene {
            mesh,
            walker: WalkerShape { radius: 0.3, height: 1.7, ..WalkerShape::default() },
            entry,
            exit: loft,
            rooms,
        }))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let [width, depth, garden] = ["width", "depth", "garden"].map(|name| values.get(name));
        // The garden beyond the plinth, less a body's radius at its border and along the ladder.
        let whole = (width + 2.0 * garden - 0.8) * (depth + 2.0 * garden - 0.8);
        let least = whole - (width + 2.6) * (depth + 2.6);
        vec![
            Promise::exactly(Statistic::Rooms, 6.0),
            Promise::exactly(Statistic::Storeys, 2.0),
            Promise::at_least(Statistic::Area, least),
        ]
    }
}

/// The house from above. Its north-western corner is at 0, 0.
struct Plan {
    width: f32,
    depth: f32,
    hall: f32,
    study: f32,
    parlour: f32,
    door: f32,
    garden: f32,
    side: Turned,
}

impl Plan {
    fn new(values: &Values) -> Self {
        let get = |name| centimetres(values.get(name));
        Plan {
            width: get("width"),
            depth: get("depth"),
            hall: get("hall"),
            study: get("study"),
            parlour: get("parlour"),
            door: get("door"),
            garden: get("garden"),
            side: Turned { width: get("width"), is_turned: values.whole("turned") == 1 },
        }
    }

    /// Returns the position of `x` in the house as it stands.
    fn across(&self, x: f32) -> f32 {
        self.side.across(x)
    }

    /// Builds a box; see [`Turned::block`].
    fn block(&self, level: &mut LevelBuilder, area: [f32; 4], up: [f32; 2]) {
        self.side.block(level, area, up);
    }

    /// Returns the sides of the front door, which is wider than others.
    fn front(&self) -> [f32; 2] {
        let right = self.hall - 0.4;
        [right - self.door - 0.2, right]
    }

    fn raised(&self, mud: f32, furniture: f32, seed: Seed) -> Result<TriangleMesh, GenerateError> {
        let mut level = LevelBuilder::default();
        self.outside(&mut level, mud);
        level.material("wall");
        self.walls_below(&mut level);
        self.stairs(&mut level);
        level.material("floor");
        let [start, step, edge] = STAIRS;
        let head = start + step * f32::from(STEPS);
        // Open above the stairs.
        let slab = [UPPER - INNER, UPPER];
        self.block(&mut level, [0.0, edge, self.width, self.depth], slab);
        self.block(&mut level, [head, 0.0, self.width, edge], slab);
        self.block(&mut level, [0.0, 0.0, 0.6, edge], slab);
        level.material("wall");
        self.walls_above(&mut level);
        // The rail beside the stairs.
        self.block(&mut level, [0.6, edge, head, edge + 0.1], [UPPER, UPPER + 0.9]);
        self.furnish(&mut level, furniture, seed);
        // The shut door, and the ladder to the western window of the room behind it.
        level.material("door");
        let [left, right] = self.shut_door();
        self.block(&mut level, [left, SHUT + 0.05, right, SHUT + 0.15], [UPPER, UPPER + 1.9]);
        level.material("wood");
        for z in [SHUT + 1.1, SHUT + 1.6] {
            self.block(&mut level, [-0.12, z, -0.04, z + 0.1], [0.1, UPPER + 0.5]);
        }
        for rung in 0..11_u8 {
            let y = 0.35 + 0.3 * f32::from(rung);
            self.block(&mut level, [-0.1, SHUT + 1.2, -0.05, SHUT + 1.6], [y, y + 0.05]);
        }
        level.finish()
    }

    /// Builds the garden with its path and its bed, and the plinth of the house.
    fn outside(&self, level: &mut LevelBuilder, mud: f32) {
        let Plan { width, depth, garden, .. } = *self;
        let [front, back] = self.front();
        let (west, east, south) = (-garden, width + garden, depth + garden);
        // The sides of the plinth.
        let [left, right, head, foot] = [-1.0, width + 1.0, -0.9, depth + 0.9];
        level.material("grass");
        for lawn in [
            [west, -garden, east, head],
            [west, head, left, south],
            [right, head, east, south],
            [left, foot, front, south],
            [back, foot, right, south],
        ] {
            self.block(level, lawn, [-0.5, 0.0]);
        }
        level.material("path");
        self.block(level, [front, foot, back, south], [-0.5, 0.02]);
        level.material("mud");
        self.block(level, [width + 2.0, 2.0, east - 1.0, 2.0 + mud], [-0.4, 0.1]);
        level.material("floor");
        self.block(level, [left, head, right, foot], [-0.5, FLOOR]);
    }

    fn walls_below(&self, level: &mut LevelBuilder) {
        let Plan { width, depth, hall, study, parlour, door, .. } = *self;
        let [front, back] = self.front();
        let [south, east] = [depth - OUTER, width - OUTER];
        let side = parlour - 1.9;
        let kitchen = parlour - 0.9;
        // The door of the parlour is narrower than others.
        let [left, right] = [width - 3.0, width - 3.1 + door];
        let nook = depth - 3.8;
        for wall in [
            // Around, with a door in the south and one in the east.
            [0.0, 0.0, width, OUTER],
            [0.0, south, front, depth],
            [back, south, width, depth],
            [0.0, OUTER, OUTER, south],
            [east, OUTER, width, side],
            [east, side + door, width, south],
            // Between hall and kitchen, kitchen and parlour, study and hall, each with a door.
            [hall, CORRIDOR, hall + INNER, kitchen],
            [hall, kitchen + door, hall + INNER, south],
            [hall + INNER, parlour, left, parlour + INNER],
            [right, parlour, east, parlour + INNER],
            [study, CORRIDOR, study + INNER, nook],
            [study, nook + door, study + INNER, south],
        ] {
            self.block(level, wall, [0.1, UPPER]);
        }
    }

    /// Builds the stairs along the northern wall, eastwards.
    fn stairs(&self, level: &mut LevelBuilder) {
        level.material("stairs");
        let [start, length, edge] = STAIRS;
        for step in 0..STEPS {
            let x = start + length * f32::from(step);
            let top = FLOOR + (UPPER - FLOOR) / f32::from(STEPS) * f32::from(step + 1);
            self.block(level, [x, OUTER, x + length, edge], [(top - 0.5).max(0.1), top]);
        }
    }

    /// Returns the sides of the shut door.
    fn shut_door(&self) -> [f32; 2] {
        [self.study - 0.4, self.study - 0.4 + self.door]
    }

    fn walls_above(&self, level: &mut LevelBuilder) {
        let Plan { width, depth, hall, study, .. } = *self;
        let [south, east] = [depth - OUTER, width - OUTER];
        let [left, right] = self.shut_door();
        let inner = hall - 1.0;
        let window = SHUT + 1.0;
        for wall in [
            // Around, with a window in the south and one in the west.
            [0.0, 0.0, width, OUTER],
            [0.0, south, study, depth],
            [study + 1.0, south, width, depth],
            [0.0, OUTER, OUTER, window],
            [0.0, window + 0.8, OUTER, south],
            [east, OUTER, width, south],
            // Around the room behind the shut door.
            [inner, SHUT + INNER, inner + INNER, south],
            [OUTER, SHUT, left, SHUT + INNER],
            [right, SHUT, inner + INNER, SHUT + INNER],
        ] {
            self.block(level, wall, [UPPER, TOP]);
        }
        // Below the windows.
        self.block(level, [study, south, study + 1.0, depth], [UPPER, UPPER + 0.8]);
        self.block(level, [0.0, window, OUTER, window + 0.8], [UPPER, UPPER + 0.8]);
    }

    fn furnish(&self, level: &mut LevelBuilder, share: f32, seed: Seed) {
        let Plan { width, depth, .. } = *self;
        let mut dice = seed.child("furniture", 0).dice();
        level.material("furniture");
        for (place, up) in [
            // A table in the parlour, a bed in the study, a counter in the kitchen.
            ([width - 3.0, depth - 2.6, width - 1.4, depth - 1.6], [FLOOR, 0.9]),
            ([0.6, depth - 2.2, 2.2, depth - 0.6], [FLOOR, 0.65]),
            ([width - 3.6, 1.0, width - 0.8, 1.6], [FLOOR, 1.05]),
            // A bed upstairs, and a chest of drawers in the loft.
            ([0.6, depth - 2.8, 2.6, depth - 0.8], [UPPER, 3.5]),
            ([width - 3.0, depth - 1.4, width - 0.8, depth - 0.5], [UPPER, 3.8]),
        ] {
            if dice.happens(share) {
                self.block(level, place, up);
            }
        }
    }
}
