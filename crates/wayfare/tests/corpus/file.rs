//! The file of cases, and the worlds that it describes.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Deserialize;
use wayfare::link::{Crossing, Gate, Keys, NavLink, NavLinks};
use wayfare::search::{Corridor, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare::space::navmesh::{
    AreaCosts, AreaId, HeightReach, MESH_COST_PER_METRE, MeshDraft, MeshProfile, NavMesh,
    NavMeshSpace,
};
use wayfare::space::voxel::{
    Abilities, Block, BlockId, BlockKind, BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize,
};
use wayfare::space::{
    Cell, CornerRule, CostTable, DIAGONAL, Grid, GridProfile, GridSpace, NegativeCosts, Neighbours,
    PolygonId, ProfileId, STRAIGHT, StateId, TerrainCost, TerrainId, VOXEL_DIAGONAL,
    VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT, Waypoint, WaypointGraph, WaypointId, WaypointLink,
};

use crate::ends;
use crate::runner::Ends;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Corpus {
    pub(crate) case: Vec<Case>,
    #[serde(default)]
    pub(crate) excluded: Vec<Exclusion>,
}

/// An engine that does not run some cases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Exclusion {
    pub(crate) engine: String,
    pub(crate) cases: Vec<String>,
    pub(crate) reason: String,
}

/// A world, a query and the answer. The fields are described in `testdata/README.md`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Case {
    pub(crate) name: String,
    rows: Vec<String>,
    layers: Vec<Vec<String>>,
    waypoints: Vec<PointLine>,
    polygons: Vec<PolygonLine>,
    points: Vec<[f32; 3]>,
    line: Option<f64>,
    corridor: Option<f64>,
    neighbours: Option<u8>,
    corners: Option<String>,
    width: Option<u8>,
    height: Option<u8>,
    multipliers: BTreeMap<String, f32>,
    penalties: BTreeMap<String, f32>,
    abilities: Vec<String>,
    jump_height: Option<u8>,
    jump_distance: Option<u8>,
    max_fall: Option<u16>,
    start: Option<[u32; 3]>,
    goal: Option<[u32; 3]>,
    links: Vec<LinkLine>,
    keys: u32,
    pub(crate) cost: Option<Vec<f64>>,
    pub(crate) moves: Option<usize>,
    pub(crate) no_path: Option<String>,
}

/// A waypoint.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointLine {
    at: [f32; 3],
    #[serde(default)]
    cost: f32,
    #[serde(default)]
    blocked: bool,
}

/// A polygon of a mesh, counter-clockwise from above.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolygonLine {
    corners: Vec<[f32; 3]>,
    #[serde(default)]
    area: u8,
}

/// A link between two cells or two waypoints.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkLine {
    from: Vec<u32>,
    to: Vec<u32>,
    seconds: Option<f32>,
    #[serde(default)]
    one_way: bool,
    gate: Option<String>,
    key: Option<u32>,
    #[serde(default)]
    surcharge: f32,
}

/// The world of a case, and the ends of its query.
pub(crate) enum World {
    Grid(Box<Grid>, Ends<Cell>),
    Waypoints(Box<WaypointGraph>, Ends<WaypointId>),
    Voxels(Box<VoxelGrid>, Ends<Voxel>),
    Mesh(Box<NavMesh>, ProfileId, Ends<PolygonId>),
}

impl Case {
    /// `"grid"`, `"links"`, `"waypoints"`, `"voxels"` or `"mesh"`.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self { polygons, .. } if !polygons.is_empty() => "mesh",
            Self { layers, .. } if !layers.is_empty() => "voxels",
            Self { waypoints, .. } if !waypoints.is_empty() => "waypoints",
            Self { links, .. } if !links.is_empty() => "links",
            _ => "grid",
        }
    }

    pub(crate) fn world(&self) -> World {
        match self.kind() {
            "mesh" => self.mesh(),
            "voxels" => self.voxels(),
            "waypoints" => self.graph(),
            _ => {
                let grid = Box::new(self.grid(self.grid_profile()));
                let end = |given: Option<[u32; 3]>, glyph| {
                    let [x, y, _] = given.unwrap_or_else(|| self.find(&self.rows, glyph));
                    grid.cell(x, y).unwrap()
                };
                let ends = ends(end(self.start, b'S'), end(self.goal, b'G'));
                World::Grid(grid, ends)
            }
        }
    }

    /// The cost of the cheapest path, in the units of the space.
    pub(crate) fn optimum(&self) -> Option<u64> {
        let units = match self.kind() {
            "voxels" => [VOXEL_STRAIGHT, VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL],
            "waypoints" => [1000, 0, 0],
            "mesh" => [MESH_COST_PER_METRE as u32, 0, 0],
            _ => [STRAIGHT, DIAGONAL, STRAIGHT],
        };
        let parts = self.cost.as_ref()?.iter().zip(units);
        Some(parts.map(|(part, unit)| part * f64::from(unit)).sum::<f64>().round() as u64)
    }

    fn grid_profile(&self) -> GridProfile {
        let mut costs = CostTable::new();
        for number in 0..=9u8 {
            let key = number.to_string();
            costs = costs.with(
                TerrainId(number),
                TerrainCost {
                    multiplier: self.multipliers.get(&key).copied().unwrap_or(1.0),
                    penalty: self.penalties.get(&key).copied().unwrap_or(0.0),
                    ..TerrainCost::default()
                },
            );
        }
        GridProfile {
            neighbours: match self.neighbours {
                None | Some(8) => Neighbours::Eight,
                Some(4) => Neighbours::Four,
                Some(other) => panic!("\"{}\": {other} neighbours", self.name),
            },
            corners: match self.corners.as_deref() {
                None | Some("both") => CornerRule::BothFree,
                Some("one") => CornerRule::OneFree,
                Some("always") => CornerRule::Always,
                Some(other) => panic!("\"{}\": unknown corner rule {other}", self.name),
            },
            width: self.width.unwrap_or(1),
            costs,
            ..GridProfile::default()
        }
    }

    fn grid(&self, profile: GridProfile) -> Grid {
        let glyphs = self.rows.iter().flat_map(|row| row.bytes());
        let terrain: Vec<TerrainId> = glyphs
            .map(|glyph| match glyph {
                b'#' => TerrainId::BLOCKED,
                b'0'..=b'9' => TerrainId(glyph - b'0'),
                b'.' | b'S' | b'G' => TerrainId::GROUND,
                other => panic!("\"{}\": unknown glyph {:?}", self.name, char::from(other)),
            })
            .collect();
        Grid::new(self.rows[0].len() as u32, self.rows.len() as u32, &terrain, profile).unwrap()
    }

    /// The grid with a wide agent's profile first, and the case's second.
    pub(crate) fn second_profile(&self) -> (Grid, ProfileId) {
        let mut grid = self.grid(GridProfile { width: 2, ..GridProfile::default() });
        let profile = grid.add_profile(self.grid_profile()).unwrap();
        (grid, profile)
    }

    /// The links of the case over its grid, at 1 m/s: a second costs a straight step.
    pub(crate) fn links(&self, space: &GridSpace<'_>) -> (NavLinks<Cell>, Keys) {
        let mut links = NavLinks::new(1.0);
        for line in &self.links {
            let cell = |at: &[u32]| space.grid().cell(at[0], at[1]).unwrap();
            let crossing = Crossing::Seconds(line.seconds.unwrap_or(0.0));
            let mut link = NavLink::new(cell(&line.from), cell(&line.to), crossing);
            if line.one_way {
                link = link.one_way();
            }
            if let Some(key) = line.key {
                link = link.locked(Keys(key));
            }
            link = match line.gate.as_deref() {
                None => link,
                Some("open") => link.gate(Gate::Open),
                Some("closed") => link.gate(Gate::Closed),
                Some(other) => panic!("\"{}\": unknown gate {other}", self.name),
            };
            links.add(space, link).unwrap();
        }
        (links, Keys(self.keys))
    }

    fn graph(&self) -> World {
        let waypoints = self.waypoints.iter().map(|line| Waypoint {
            blocked: line.blocked,
            ..Waypoint::at(Vec3::from(line.at)).with_cost(line.cost)
        });
        let id = WaypointId::from_index;
        let links = self.links.iter().map(|line| {
            let (from, to) = (id(line.from[0]), id(line.to[0]));
            let one_way = WaypointLink::one_way;
            let link = if line.one_way { one_way(from, to) } else { WaypointLink::new(from, to) };
            link.with_surcharge(line.surcharge)
        });
        let graph = WaypointGraph::new(waypoints.collect::<Vec<_>>(), links, NegativeCosts::Reject)
            .unwrap();
        let last = graph.len() as u32 - 1;
        let end = |given: Option<[u32; 3]>, other| id(given.map_or(other, |[at, ..]| at));
        let ends = ends(end(self.start, 0), end(self.goal, last));
        World::Waypoints(Box::new(graph), ends)
    }

    fn mesh(&self) -> World {
        let mut vertices: Vec<Vec3> = Vec::new();
        let mut vertex = |corner: &[f32; 3]| {
            let place = Vec3::from(*corner);
            let known = vertices.iter().position(|&known| known == place);
            known.unwrap_or_else(|| {
                vertices.push(place);
                vertices.len() - 1
            }) as u32
        };
        let outlines: Vec<Vec<u32>> = self
            .polygons
            .iter()
            .map(|line| line.corners.iter().map(&mut vertex).collect())
            .collect();
        let mut areas = AreaCosts::new();
        for (area, &multiplier) in &self.multipliers {
            areas = areas.with(AreaId(area.parse().unwrap()), multiplier).unwrap();
        }
        for line in self.polygons.iter().filter(|line| line.area == 9) {
            areas = areas.without(AreaId(line.area));
        }
        let mut draft = MeshDraft::new(vertices);
        for (line, outline) in self.polygons.iter().zip(&outlines) {
            draft.push(outline, AreaId(line.area));
        }
        let mut mesh = Box::new(NavMesh::new(draft).unwrap());
        let profile = mesh.add_profile(MeshProfile { areas }).unwrap();
        let id = PolygonId::from_index;
        let last = mesh.len() as u32 - 1;
        let end = |given: Option<[u32; 3]>, other| id(given.map_or(other, |[at, ..]| at));
        let ends = ends(end(self.start, 0), end(self.goal, last));
        World::Mesh(mesh, profile, ends)
    }

    /// Asserts that searches between the points of the case find lines of the lengths in the file.
    pub(crate) fn judge_lines(&self, space: &NavMeshSpace<'_>) {
        let [start, goal] = self.points[..] else { return };
        let name = &self.name;
        let at = |point: [f32; 3]| space.locate(Vec3::from(point), HeightReach::default()).unwrap();
        let (query, mut scratch) = (MeshQuery::new(at(start), at(goal)), MeshScratch::new());
        let by_polyanya = Polyanya.search(query).finish(space, &mut scratch, &mut ());
        let by_corridor = Corridor.search(query).finish(space, &mut scratch, &mut ());
        let known =
            [("Polyanya", self.line, by_polyanya), ("corridor", self.corridor, by_corridor)];
        for (engine, length, answer) in known {
            let found = answer.outcome.path().map(|path| path.length);
            let is_right = match (length, found) {
                (Some(length), Some(found)) => (length - found).abs() < 1e-6,
                (None, None) => true,
                _ => false,
            };
            assert!(is_right, "{engine} on \"{name}\": {found:?} instead of {length:?}");
        }
    }

    fn voxels(&self) -> World {
        let mut abilities = Abilities::NONE;
        for ability in &self.abilities {
            match ability.as_str() {
                "walk" => abilities.walk = true,
                "jump" => abilities.jump = true,
                "fall" => abilities.fall = true,
                "swim" => abilities.swim = true,
                "climb" => abilities.climb = true,
                "fly" => abilities.fly = true,
                other => panic!("\"{}\": unknown ability {other}", self.name),
            }
        }
        let default = VoxelProfile::default();
        let profile = VoxelProfile {
            abilities,
            jump_height: self.jump_height.unwrap_or(default.jump_height),
            jump_distance: self.jump_distance.unwrap_or(default.jump_distance),
            max_fall_distance: self.max_fall.unwrap_or(default.max_fall_distance),
            width: self.width.unwrap_or(default.width),
            height: self.height.unwrap_or(default.height),
            ..default
        };
        let size = VoxelSize {
            width: self.layers[0][0].len() as u32,
            height: self.layers.len() as u32,
            depth: self.layers[0].len() as u32,
        };
        let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water, BlockKind::Ladder];
        let world = VoxelGrid::from_fn(size, &palette.map(Block::from), profile, |at| {
            match self.layers[at.y as usize][at.z as usize].as_bytes()[at.x as usize] {
                b'.' | b'S' | b'G' => BlockId(0),
                b'#' => BlockId(1),
                b'~' => BlockId(2),
                b'H' => BlockId(3),
                other => panic!("\"{}\": unknown glyph {:?}", self.name, char::from(other)),
            }
        })
        .unwrap();
        let end = |given: Option<[u32; 3]>, glyph| {
            let [x, y, z] = given.unwrap_or_else(|| {
                let places = self.layers.iter().enumerate();
                let has = |rows: &&[String]| rows.iter().any(|row| row.as_bytes().contains(&glyph));
                let mut layers = places.map(|(y, rows)| (y, rows.as_slice()));
                let (y, rows) = layers.find(|(_, rows)| has(rows)).unwrap();
                let [x, z, _] = self.find(rows, glyph);
                [x, y as u32, z]
            });
            world.voxel(BlockPosition::new(x, y, z)).unwrap()
        };
        let ends = ends(end(self.start, b'S'), end(self.goal, b'G'));
        World::Voxels(Box::new(world), ends)
    }

    /// Column and row of a glyph.
    fn find(&self, rows: &[String], glyph: u8) -> [u32; 3] {
        let mut places = rows.iter().enumerate().filter_map(|(row, glyphs)| {
            let column = glyphs.bytes().position(|known| known == glyph)?;
            Some([column as u32, row as u32, 0])
        });
        places.next().unwrap_or_else(|| panic!("\"{}\" has no {:?}", self.name, char::from(glyph)))
    }
}
