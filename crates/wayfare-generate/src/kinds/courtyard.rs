//! Courtyards: two terraces between walls, one up a ramp and one up stairs, and a bridge between
//! them with room to walk beneath, as triangles to bake a navigation mesh from.
//!
//! # Why everything can be reached
//!
//! The ramp ends on the western terrace, the stairs on the eastern one, both south of the bridge.
//! The bridge joins the terraces between its parapets. Its supports, the columns and the benches
//! stand apart, and the water of the pond is level with the paving: one wades through it.
//!
//! A courtyard may be mirrored, east for west. Comments describe unmirrored ones.

use wayfare_bake::WalkerShape;
use wayfare_formats::obj::TriangleMesh;

use super::tools::{Turned, centimetres, metres};
use crate::parts::LevelBuilder;
use crate::{
    GenerateError, LevelScene, Parameter, Promise, Scenario, Seed, Statistic, Values, WorldDraft,
    WorldForm,
};

pub(crate) struct Courtyard;

const PARAMETERS: &[Parameter] = &[
    metres("width", "the courtyard along x", 30.0, 48.0).by_default(30.0, 38.0),
    metres("depth", "the courtyard along z", 23.0, 40.0).by_default(23.0, 28.0),
    metres("terrace", "from the northern border to the southern edge of terraces", 9.0, 11.0),
    metres("height", "height of the terraces", 2.3, 3.0),
    metres("bridge", "width of the bridge with its parapets", 2.2, 3.4).by_default(2.4, 3.4),
    metres("pond", "length of the pond; 0 for none", 0.0, 14.0).by_default(5.0, 10.0),
    Parameter::share("columns", "share of the columns and benches that are there", 0.0, 1.0)
        .by_default(0.6, 1.0),
    Parameter::whole("turned", "1 for a courtyard that is turned over, east for west", "", 0, 1),
];

/// The thickness of the walls, and their height.
const WALL: [f32; 2] = [0.5, 3.4];
/// Where the terraces end along x, from the nearer border.
const TERRACE: f32 = 8.0;
/// The northern edge of the bridge, and its thickness.
const BRIDGE: [f32; 2] = [3.0, 0.3];
/// The length of the ramp and of the stairs along x by their height.
const RAMP: f32 = 40.0 / 13.0;
const STAIRS: f32 = 21.0 / 13.0;

impl Scenario for Courtyard {
    fn name(&self) -> &'static str {
        "courtyard"
    }

    fn about(&self) -> &'static str {
        "terraces, a ramp, stairs and a bridge, as triangles"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor", "meshes"]
    }

    fn form(&self) -> WorldForm {
        WorldForm::Level
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let plan = Plan::new(values);
        let Plan { width, depth, height, bridge, .. } = plan;
        let at = |x: f32, y: f32, z: f32| [plan.across(x), y, z];
        let middle = BRIDGE[0] + bridge / 2.0;
        let exit = at(width - 4.0, height, 4.0);
        Ok(WorldDraft::Level(LevelScene {
            mesh: plan.raised(values.get("columns"), seed)?,
            walker: WalkerShape::default(),
            entry: at(width / 2.0, 0.0, depth - 1.5),
            exit,
            // The terraces, on the bridge and under it.
            rooms: vec![
                exit,
                at(4.0, height, 4.0),
                at(width / 2.0, height, middle),
                at(width / 2.0, 0.0, middle),
            ],
        }))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let [width, depth, terrace] = ["width", "depth", "terrace"].map(|name| values.get(name));
        // South of the terraces, less a body's radius at the walls, and columns and benches.
        let court = (width - 2.0) * (depth - terrace - 2.0) - 40.0;
        vec![
            Promise::exactly(Statistic::Rooms, 4.0),
            Promise::exactly(Statistic::Storeys, 2.0),
            Promise::at_least(Statistic::Area, court),
        ]
    }
}

/// The courtyard from above. Its north-western corner is at 0, 0.
struct Plan {
    width: f32,
    depth: f32,
    terrace: f32,
    height: f32,
    bridge: f32,
    pond: f32,
    side: Turned,
}

impl Plan {
    fn new(values: &Values) -> Self {
        let get = |name| centimetres(values.get(name));
        Plan {
            width: get("width"),
            depth: get("depth"),
            terrace: get("terrace"),
            height: get("height"),
            bridge: get("bridge"),
            pond: get("pond"),
            side: Turned { width: get("width"), is_turned: values.whole("turned") == 1 },
        }
    }

    /// Returns the position of `x` in the courtyard as it stands.
    fn across(&self, x: f32) -> f32 {
        self.side.across(x)
    }

    /// Builds a box; see [`Turned::block`].
    fn block(&self, level: &mut LevelBuilder, area: [f32; 4], up: [f32; 2]) {
        self.side.block(level, area, up);
    }

    fn raised(&self, columns: f32, seed: Seed) -> Result<TriangleMesh, GenerateError> {
        let Plan { width, depth, terrace, height, pond, .. } = *self;
        let middle = width / 2.0;
        let mut level = LevelBuilder::default();
        level.material("paving");
        self.block(&mut level, [0.0, 0.0, width, depth], [-0.5, 0.0]);
        level.material("water");
        let [west, east] = [-0.5, 0.5].map(|half| middle + half * pond);
        self.block(&mut level, [west, depth - 9.0, east, depth - 4.0], [-0.4, 0.04]);
        level.material("wall");
        let [thick, top] = WALL;
        for wall in [
            [0.0, 0.0, width, thick],
            // A gate in the south.
            [0.0, depth - thick, middle - 1.5, depth],
            [middle + 1.5, depth - thick, width, depth],
            [0.0, thick, thick, depth - thick],
            [width - thick, thick, width, depth - thick],
        ] {
            self.block(&mut level, wall, [-0.1, top]);
        }
        level.material("terrace");
        for [from, to] in [[thick, TERRACE], [width - TERRACE, width - thick]] {
            self.block(&mut level, [from, thick, to, terrace], [-0.1, height]);
        }
        self.bridge(&mut level);
        // A ramp up to the western terrace, stairs up to the eastern one.
        let [north, south] = [terrace - 2.4, terrace - 0.2].map(centimetres);
        let [ramp, stairs] = [TERRACE + RAMP * height, width - TERRACE - STAIRS * height];
        level.material("ramp");
        level.ramp([self.across(ramp), 0.0, north], [self.across(TERRACE), height, south]);
        level.material("stairs");
        level.stairs(
            [self.across(stairs), 0.0, north],
            [self.across(width - TERRACE), height, south],
        );
        self.furnish(&mut level, columns, seed);
        level.finish()
    }

    /// Builds the bridge with its parapets and supports.
    fn bridge(&self, level: &mut LevelBuilder) {
        let Plan { width, height, bridge, .. } = *self;
        let [north, thick] = BRIDGE;
        let south = north + bridge;
        let [west, east] = [TERRACE, width - TERRACE];
        level.material("bridge");
        self.block(level, [west, north, east, south], [height - thick, height]);
        for z in [north, south - 0.2] {
            self.block(level, [west, z, east, z + 0.2], [height, height + 0.9]);
        }
        for x in [width / 2.0 - 3.0, width / 2.0 + 2.6] {
            for z in [north + 0.2, south - 0.6] {
                self.block(level, [x, z, x + 0.4, z + 0.4], [-0.1, height - thick]);
            }
        }
    }

    fn furnish(&self, level: &mut LevelBuilder, share: f32, seed: Seed) {
        let Plan { width, depth, .. } = *self;
        let middle = width / 2.0;
        let mut dice = seed.child("columns", 0).dice();
        level.material("column");
        for [x, z] in [
            [4.0, depth - 11.0],
            [width - 4.6, depth - 11.0],
            [4.0, depth - 4.0],
            [width - 4.6, depth - 4.0],
            [middle - 6.6, depth - 11.8],
            [middle + 6.0, depth - 11.8],
        ] {
            if dice.happens(share) {
                self.block(level, [x, z, x + 0.6, z + 0.6], [-0.1, 3.2]);
            }
        }
        level.material("bench");
        for x in [middle - 3.0, middle + 0.6] {
            if dice.happens(share) {
                self.block(level, [x, depth - 11.4, x + 2.4, depth - 10.8], [-0.1, 0.45]);
            }
        }
    }
}
