//! Hills with a road: a scene to sample a grid from.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::random;
use crate::error::{WorldError, WorldErrorKind};
use crate::obj::TriangleMesh;
use crate::palette;
use crate::scene::{MeshSource, QueryPlace, Scene, SceneGrid, SceneObstacle, SceneQuery, Surface};
use crate::terrain::Terrain;

/// Metres between heights.
const SPACING: f32 = 2.0;
/// How far the road lies above the ground: enough that a ray from above meets it first, though the
/// ground is triangles and bulges between its heights.
const ROAD_LIFT: f32 = 0.3;
/// Half the road's width in metres.
const ROAD_HALF_WIDTH: f32 = 2.0;

/// Rolling grassland, `size` metres a side (32 to 512), with a winding road from west to east,
/// boulders, pillars and huts beside it, a grid to sample it by, and two queries across: one near
/// the road, one too far away for it to be worth the way.
///
/// # Errors
/// When the size is out of range.
pub fn hills(size: u32, seed: u64) -> Result<Scene, WorldError> {
    if !(32..=512).contains(&size) {
        return Err(WorldError::new(
            WorldErrorKind::Value,
            format!("hills are 32 to 512 metres a side, not {size}"),
        ));
    }
    let mut random = random(seed);
    let land = Land::new(size, &mut random);
    let extent = land.extent();
    let mut scene = Scene::new("hills");
    scene.scene.description =
        "Rolling grassland with a winding road; sampled as a grid.".to_string();
    scene.terrains = vec![
        Terrain::new("grass", '.', palette::GRASS).with_penalty(2.0),
        Terrain::new("road", '=', palette::ROAD),
    ];
    scene.surfaces = vec![
        Surface::Heightfield {
            layer: "grass".to_string(),
            origin: [0.0, 0.0],
            spacing: SPACING,
            heights: land.heights.clone(),
        },
        Surface::Mesh {
            layer: "road".to_string(),
            mesh: MeshSource::inline(&land.road_mesh()?),
            offset: [0.0; 3],
        },
    ];
    for _ in 0..size {
        let x = random.random_range(3.0..extent - 3.0);
        let z = random.random_range(3.0..extent - 3.0);
        let kind = random.random_range(0..3u32);
        let scale: f32 = centimetres(random.random_range(0.8..2.2));
        let (x, z) = (centimetres(x), centimetres(z));
        // Nothing stands on the road, nor where the query ends.
        let near_end = !(8.0..=extent - 8.0).contains(&x);
        if (land.road(x) - z).abs() < ROAD_HALF_WIDTH + scale + 1.0 || near_end {
            continue;
        }
        let y = centimetres(land.height(x, z));
        scene.obstacles.push(match kind {
            0 => SceneObstacle::Sphere { center: [x, y, z], radius: scale },
            1 => SceneObstacle::Cylinder {
                center: [x, y + 1.0, z],
                radius: scale / 2.0,
                half_height: 3.0,
            },
            _ => SceneObstacle::Box {
                center: [x, y + 0.5, z],
                half_extents: [scale, 2.0, centimetres(scale * 0.75)],
                yaw: f32::from(random.random_range(0..12u8)) * 15.0,
            },
        });
    }
    scene.grid = Some(SceneGrid {
        min: [0.0, 0.0],
        max: [extent, extent],
        node_radius: 0.5,
        layers: vec!["grass".to_string(), "road".to_string()],
        agent_height: 1.8,
        max_slope: None,
        max_step: None,
        slope_cost: 0.0,
        blur: 2,
    });
    let point = |x: f32, z: f32| QueryPlace::Point([x, centimetres(land.height(x, z)), z]);
    // A short way off the road at either end.
    let beside = |x: f32| point(x, centimetres(land.road(x) - 3.0 * ROAD_HALF_WIDTH));
    scene.queries = vec![
        SceneQuery {
            name: "west to east".to_string(),
            from: beside(3.5),
            to: beside(extent - 3.5),
        },
        SceneQuery {
            name: "along the north".to_string(),
            from: point(3.5, 3.5),
            to: point(extent - 3.5, 3.5),
        },
    ];
    scene.validate()?;
    Ok(scene)
}

/// The ground, and where the road runs on it.
struct Land {
    heights: Vec<Vec<f32>>,
    /// Where the road crosses evenly spaced x, as shares of the side.
    bends: Vec<f32>,
}

impl Land {
    fn new(size: u32, random: &mut Pcg64Mcg) -> Self {
        let count = (size as f32 / SPACING) as usize + 1;
        let mut heights = vec![vec![0.0; count]; count];
        // Octaves of value noise: hills tens of metres wide, with humps on them.
        for (cells, height) in [(4, 9.0f32), (9, 3.0), (20, 0.8)] {
            let lattice: Vec<Vec<f32>> = (0..=cells)
                .map(|_| (0..=cells).map(|_| random.random_range(0.0..height)).collect())
                .collect();
            for (row, line) in heights.iter_mut().enumerate() {
                for (column, value) in line.iter_mut().enumerate() {
                    let at = |index: usize| index as f32 / (count - 1) as f32 * cells as f32;
                    *value += sample(&lattice, at(column), at(row));
                }
            }
        }
        heights.iter_mut().flatten().for_each(|height| *height = centimetres(*height));
        let bends = (0..=5).map(|_| random.random_range(0.3..0.7)).collect();
        Land { heights, bends }
    }

    fn extent(&self) -> f32 {
        (self.heights.len() - 1) as f32 * SPACING
    }

    /// Height of the ground at a point of the land.
    fn height(&self, x: f32, z: f32) -> f32 {
        interpolate(&self.heights, x / SPACING, z / SPACING, |share| share)
    }

    /// z of the middle of the road at x.
    fn road(&self, x: f32) -> f32 {
        let at = x / self.extent() * (self.bends.len() - 1) as f32;
        let index = (at as usize).min(self.bends.len() - 2);
        let share = smooth(at - index as f32);
        (self.bends[index] * (1.0 - share) + self.bends[index + 1] * share) * self.extent()
    }

    /// A strip across the land, one metre a segment, five points wide to hug the ground.
    fn road_mesh(&self) -> Result<TriangleMesh, WorldError> {
        const ACROSS: u32 = 5;
        let mut vertices = Vec::new();
        let mut triangles = Vec::new();
        // The extent is a whole number of metres.
        let length = self.extent() as u32;
        for step in 0..=length {
            let x = step as f32;
            for side in 0..ACROSS {
                let across = ROAD_HALF_WIDTH * (side as f32 / 2.0 - 1.0);
                let z = (self.road(x) + across).clamp(0.0, self.extent());
                vertices.push([x, self.height(x, z) + ROAD_LIFT, z].map(centimetres));
                if step < length && side + 1 < ACROSS {
                    let corner = step * ACROSS + side;
                    let next = corner + ACROSS;
                    triangles.push([corner, corner + 1, next]);
                    triangles.push([corner + 1, next + 1, next]);
                }
            }
        }
        TriangleMesh::new(vertices, triangles)
    }
}

fn sample(lattice: &[Vec<f32>], x: f32, z: f32) -> f32 {
    interpolate(lattice, x, z, smooth)
}

/// Between the four values around a point of a raster with at least 2 × 2 values.
fn interpolate(raster: &[Vec<f32>], x: f32, z: f32, ease: fn(f32) -> f32) -> f32 {
    let (column, row) = ((x as usize).min(raster.len() - 2), (z as usize).min(raster.len() - 2));
    let (right, down) = (ease(x - column as f32), ease(z - row as f32));
    let line = |row: usize| raster[row][column] * (1.0 - right) + raster[row][column + 1] * right;
    line(row) * (1.0 - down) + line(row + 1) * down
}

/// From 0 to 1 with level ends.
fn smooth(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

/// Rounded to centimetres, which is how the file gives it.
fn centimetres(metres: f32) -> f32 {
    (metres * 100.0).round() / 100.0
}
