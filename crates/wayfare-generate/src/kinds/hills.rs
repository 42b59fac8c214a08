//! Hills: rolling grassland with a winding road, and boulders, pillars and huts beside it, as a
//! scene that is sampled as a grid.
//!
//! # Why the exit can be reached
//!
//! Nothing stands on the road, nor within eight metres of the western and the eastern border. Both
//! ends of the path lie there, and the road joins the two strips. Any slope can be walked.
//!
//! # Why the road does not fold
//!
//! Between two bends, L ≥ 16 metres apart, the road swings aside by at most 0.8 L along the curve
//! s²(3 - 2s). The second derivative of that is at most 6 · 0.8 L / L² ≤ 0.3, so the radius of a
//! curve is more than three metres: more than half the road's width.

use wayfare_formats::obj::TriangleMesh;
use wayfare_formats::{Terrain, palette};
use wayfare_scene::scene::{
    MeshSource, QueryPlace, Scene, SceneGrid, SceneObstacle, SceneQuery, Surface,
};

use super::tools::{Noise, centimetres, metres};
use crate::{
    Dice, GenerateError, Parameter, Promise, Range, SampledScene, Scenario, Seed, Statistic,
    Values, WorldDraft, WorldForm,
};

pub(crate) struct Hills;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("size", "both sides of the land", "metres", 32, 512).by_default(56.0, 80.0),
    metres("relief", "height of the hills", 2.0, 40.0).by_default(12.0, 20.0),
    metres("hill", "width of the hills", 16.0, 128.0).by_default(16.0, 28.0),
    Parameter::share(
        "bends",
        "how far the road swings aside from bend to bend, by the length between them",
        0.0,
        0.8,
    )
    .by_default(0.4, 0.8),
    Parameter {
        name: "obstacles",
        about: "boulders, pillars and huts that are tried",
        unit: "by 100 square metres",
        whole: false,
        limits: Range::new(0.0, 2.0),
        default: Range::new(0.8, 1.6),
    },
];

/// Metres between heights.
const SPACING: f32 = 2.0;
/// How far the road lies above the ground: enough that a ray from above meets it first, though the
/// ground is triangles and bulges between its heights.
const ROAD_LIFT: f32 = 0.3;
/// Half the road's width in metres.
const ROAD_HALF_WIDTH: f32 = 2.0;
/// The shortest distance between two bends of the road.
const BEND: u32 = 16;
/// The width of the strips at the western and eastern border where nothing stands.
const ENDS: f32 = 8.0;

impl Scenario for Hills {
    fn name(&self) -> &'static str {
        "hills"
    }

    fn about(&self) -> &'static str {
        "heights with a winding road, to be sampled as a grid"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor"]
    }

    fn form(&self) -> WorldForm {
        WorldForm::Sampled
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let land = Land::new(values, seed);
        let extent = land.extent();
        let mut scene = Scene::new(self.name());
        scene.terrains = vec![
            Terrain::new("grass", '.', palette::GRASS).with_penalty(2.0),
            Terrain::new("road", '=', palette::ROAD),
        ];
        scene.surfaces = vec![
            Surface::Heightfield {
                layer: "grass".to_owned(),
                origin: [0.0, 0.0],
                spacing: SPACING,
                heights: land.heights.clone(),
            },
            Surface::Mesh {
                layer: "road".to_owned(),
                mesh: MeshSource::inline(&land.road_mesh()?),
                offset: [0.0; 3],
            },
        ];
        let tried = (values.get("obstacles") * extent * extent / 100.0) as u64;
        scene.obstacles = (0..tried)
            .filter_map(|number| land.obstacle(&mut seed.child("obstacle", number).dice()))
            .collect();
        scene.grid = Some(SceneGrid {
            min: [0.0, 0.0],
            max: [extent, extent],
            node_radius: 0.5,
            layers: vec!["grass".to_owned(), "road".to_owned()],
            agent_height: 1.8,
            // Any slope can be walked.
            max_slope: Some(90.0),
            max_step: None,
            slope_cost: 0.0,
            blur: 2,
        });
        let point = |x: f32, z: f32| QueryPlace::Point([x, centimetres(land.height(x, z)), z]);
        // Points just off the road at either end.
        let beside = |x: f32| point(x, centimetres(land.road(x) - 3.0 * ROAD_HALF_WIDTH));
        let [west, east] = [ENDS / 2.0, extent - ENDS / 2.0];
        let query = |name: &str, from, to| SceneQuery { name: name.to_owned(), from, to };
        scene.queries = vec![
            query("west to east", beside(west), beside(east)),
            query("along the north", point(west, 2.5), point(east, 2.5)),
        ];
        scene.validate()?;
        Ok(WorldDraft::Sampled(Box::new(SampledScene { scene })))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        // An obstacle of 2.2 metres and the rims of cells cover 27 square metres at most.
        let least = 1.0 - 0.27 * values.get("obstacles");
        vec![Promise::at_least(Statistic::FreeShare, least)]
    }
}

/// The ground, and where the road runs on it.
struct Land {
    heights: Vec<Vec<f32>>,
    /// Where the road crosses evenly spaced x, in metres.
    bends: Vec<f32>,
}

impl Land {
    fn new(values: &Values, seed: Seed) -> Self {
        let size = values.whole("size");
        let count = (size as f32 / SPACING) as u32 + 1;
        let noise = Noise::new(seed.child("heights", 0), values.get("hill") / SPACING, 3);
        let height = |column: u32, row: u32| {
            centimetres(values.get("relief") * noise.at(column as f32, row as f32))
        };
        let row = |row| (0..count).map(|column| height(column, row)).collect();
        let heights: Vec<Vec<f32>> = (0..count).map(row).collect();
        let extent = (count - 1) as f32 * SPACING;
        let spans = size / BEND;
        let swing = values.get("bends") * extent / spans as f32;
        let mut dice = seed.child("road", 0).dice();
        let mut at = extent * (0.35 + 0.3 * dice.share());
        let mut bends = vec![at];
        for _ in 0..spans {
            let next = at + swing * (2.0 * dice.share() - 1.0);
            at = next.clamp(0.3 * extent, 0.7 * extent);
            bends.push(at);
        }
        Land { heights, bends }
    }

    fn extent(&self) -> f32 {
        (self.heights.len() - 1) as f32 * SPACING
    }

    /// Returns the height of the ground at a point of the land: between the four heights around it.
    fn height(&self, x: f32, z: f32) -> f32 {
        let [x, z] = [x / SPACING, z / SPACING];
        let least = self.heights.len() - 2;
        let (column, row) = ((x as usize).min(least), (z as usize).min(least));
        let (right, down) = (x - column as f32, z - row as f32);
        let line = |row: usize| {
            self.heights[row][column] * (1.0 - right) + self.heights[row][column + 1] * right
        };
        line(row) * (1.0 - down) + line(row + 1) * down
    }

    /// Returns z of the middle of the road at x.
    fn road(&self, x: f32) -> f32 {
        let at = x / self.extent() * (self.bends.len() - 1) as f32;
        let index = (at as usize).min(self.bends.len() - 2);
        let share = at - index as f32;
        let eased = share * share * (3.0 - 2.0 * share);
        self.bends[index] * (1.0 - eased) + self.bends[index + 1] * eased
    }

    /// Returns whether the middle of the road comes closer than that.
    fn is_near_road(&self, x: f32, z: f32, metres: f32) -> bool {
        let first = (x - metres).floor().max(0.0) as u32;
        let last = (x + metres).ceil().min(self.extent()) as u32;
        // Points a quarter of a metre apart: the road is no farther than that from one of them.
        (4 * first..=4 * last).map(|step| step as f32 / 4.0).any(|along| {
            let (dx, dz) = (along - x, self.road(along) - z);
            dx * dx + dz * dz < metres * metres
        })
    }

    /// Returns a boulder, a pillar or a hut, unless it would stand on the road or near its ends.
    fn obstacle(&self, dice: &mut Dice) -> Option<SceneObstacle> {
        let inner = self.extent() - 2.0 * ENDS;
        let x = centimetres(ENDS + 3.0 + (inner - 6.0) * dice.share());
        let z = centimetres(3.0 + (self.extent() - 6.0) * dice.share());
        let kind = dice.below(3);
        let size = centimetres(0.8 + 1.4 * dice.share());
        let turned = dice.below(12);
        // The corner of a hut is at 1.25 times its size; a cell's is less than a metre away.
        if self.is_near_road(x, z, ROAD_HALF_WIDTH + 1.25 * size + 1.0) {
            return None;
        }
        let y = centimetres(self.height(x, z));
        Some(match kind {
            0 => SceneObstacle::Sphere { center: [x, y, z], radius: size },
            1 => SceneObstacle::Cylinder {
                center: [x, y + 1.0, z],
                radius: size / 2.0,
                half_height: 3.0,
            },
            _ => SceneObstacle::Box {
                center: [x, y + 0.5, z],
                half_extents: [size, 2.0, centimetres(size * 0.75)],
                yaw: turned as f32 * 15.0,
            },
        })
    }

    /// Returns a strip across the land, one metre a segment, five points wide to hug the ground.
    fn road_mesh(&self) -> Result<TriangleMesh, GenerateError> {
        const ACROSS: u32 = 5;
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        // The extent is in whole metres.
        let length = self.extent() as u32;
        for step in 0..=length {
            let x = step as f32;
            let slope = self.road(x + 0.25) - self.road(x - 0.25);
            // Across the road, whose direction is 0.5 along x by the slope along z.
            let whole = (0.25 + slope * slope).sqrt();
            for side in 0..ACROSS {
                let across = ROAD_HALF_WIDTH * (side as f32 / 2.0 - 1.0);
                let x = (x - across * slope / whole).clamp(0.0, self.extent());
                let z = self.road(step as f32) + across * 0.5 / whole;
                vertices.push([x, self.height(x, z) + ROAD_LIFT, z].map(centimetres));
                if step < length && side + 1 < ACROSS {
                    let corner = step * ACROSS + side;
                    let next = corner + ACROSS;
                    triangles.push([corner, corner + 1, next]);
                    triangles.push([corner + 1, next + 1, next]);
                }
            }
        }
        Ok(TriangleMesh::new(vertices, triangles)?)
    }
}
