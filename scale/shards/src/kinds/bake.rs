//! One navigation mesh of a level, baked by tiles.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{
    AsArray, BinaryBuilder, Float64Builder, StringBuilder, UInt32Array, UInt32Builder,
};
use arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use wayfare_bake::{
    BakeError, BakeSettings, BakedTile, Ground, LevelGeometry, Partition, TileId, TileSet,
    TiledLevel, Tiling, WalkerShape,
};
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::{Files, LinkedMesh, navmesh_file};
use wayfare_scene::{World, level_geometry, read_from};

use super::{Kind, level_picture};
use crate::plan::{Items, Planned, Planning, Slice};
use crate::rows::rows;
use crate::shard::Solving;
use crate::{BatchError, Plan, Results};

/// Seconds of a cell of a tile, its border counted. Not measured where the plan is made: a plan is
/// the same everywhere.
const SECONDS_OF_A_CELL: f64 = 0.6e-6;
/// The most tiles of a shard: what a worker holds at a time, with some 100 kB each.
const MOST: u64 = 1024;
/// The side of a tile where neither the job nor the size of the level gives one, in cells.
const TILE_SIDE: u32 = 256;

/// One navigation mesh of a level, baked by tiles: `[bake]`. A row is a tile; `level.navmesh` has
/// all of them, and `level.png` shows them. Settings and defaults are those of `wayfare bake`, but
/// for tiles: there are always some. All materials are plain ground, and links are not looked for.
///
/// | column | |
/// |---|---|
/// | `tile_row`, `tile_column` | its place in the level |
/// | `status` | `baked`; `empty`, without walkable ground; `fault` |
/// | `reason` | why it is a fault |
/// | `polygons`, `area` | their number, and their area in plan in m² |
/// | `tile` | the tile, as `BakedTile::encode` writes it |
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TiledBake {
    /// The level: .obj, .glb or .gltf.
    pub level: String,
    /// Radius of the agent in metres, at least 0. Default: 0.4.
    pub radius: Option<f32>,
    /// Height of the agent in metres, above 0. Default: 1.8.
    pub height: Option<f32>,
    /// Highest step in metres, at least 0. Default: 0.5.
    pub step: Option<f32>,
    /// Steepest slope in degrees, below 90. Default: 45.
    pub slope: Option<f32>,
    /// Side of a cell in plan, in metres. Default: half the radius, more in very large levels.
    pub cell_size: Option<f32>,
    /// Height of a cell in metres. Default: two thirds of the cell size.
    pub cell_height: Option<f32>,
    /// Side of a tile in cells, at least 16. Default: 256.
    pub tile_side: Option<u32>,
    /// How walkable ground is cut into regions. Default: `watershed`.
    #[serde(default)]
    pub partition: TilePartition,
    /// Most corners of a polygon, 3 to 255. Default: 12.
    pub max_corners: Option<u32>,
    /// Largest distance of the outline from the cells, in cells. Default: 1.3.
    pub outline_error: Option<f32>,
    /// Drop islands of fewer cells. Default: 64.
    pub min_island: Option<u32>,
    /// Most memory for the fields of a tile, in megabytes. Default: 2000.
    pub memory_limit: Option<u64>,
    /// Whether all triangles are turned over. Default: no.
    #[serde(default)]
    pub flip: bool,
}

/// How a [`TiledBake`] cuts walkable ground into regions.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum TilePartition {
    /// Compact regions that meet at narrow passages.
    #[default]
    Watershed,
    /// Strips along x: fast, thin polygons.
    Monotone,
    /// As few regions as possible.
    Layers,
}

impl TilePartition {
    fn partition(self) -> Partition {
        match self {
            Self::Watershed => Partition::Watershed,
            Self::Monotone => Partition::Monotone,
            Self::Layers => Partition::Layers,
        }
    }
}

thread_local! {
    /// The level of the last shard, by the key of [`TiledBake::opened`].
    static OPEN: RefCell<Option<(String, Rc<TiledLevel>)>> = const { RefCell::new(None) };
}

impl TiledBake {
    fn settings(&self, level: &LevelGeometry) -> BakeSettings {
        let usual = WalkerShape::default();
        let walker = WalkerShape {
            radius: self.radius.unwrap_or(usual.radius),
            height: self.height.unwrap_or(usual.height),
            step: self.step.unwrap_or(usual.step),
            slope: self.slope.unwrap_or(usual.slope),
        };
        let usual = BakeSettings::for_level(level, walker);
        let of_size = self.cell_size.map(|size| size * (2.0 / 3.0));
        BakeSettings {
            cell_size: self.cell_size.unwrap_or(usual.cell_size),
            cell_height: self.cell_height.or(of_size).unwrap_or(usual.cell_height),
            tile_side: self.tile_side.or(usual.tile_side).or(Some(TILE_SIDE)),
            partition: self.partition.partition(),
            max_corners: self.max_corners.unwrap_or(usual.max_corners),
            max_outline_error: self.outline_error.unwrap_or(usual.max_outline_error),
            min_island: self.min_island.unwrap_or(usual.min_island),
            memory_limit: self.memory_limit.unwrap_or(2000).saturating_mul(1_000_000),
            ..usual
        }
    }

    fn geometry(&self, path: &Path, files: &dyn Files) -> Result<LevelGeometry, String> {
        let world = read_from(path, files, HeightmapOptions::default());
        let World::Mesh(mesh) = world.map_err(|error| error.to_string())? else {
            return Err("this is no level of triangles; a level is .obj, .glb or .gltf".to_owned());
        };
        level_geometry(&mesh, |_| Ground::PLAIN, self.flip).map_err(|error| error.to_string())
    }

    /// Reads the level, and finds the triangles that each tile needs.
    fn open(&self, path: &Path, files: &dyn Files) -> Result<TiledLevel, String> {
        let geometry = self.geometry(path, files)?;
        let settings = self.settings(&geometry);
        let bounds = geometry.bounds().ok_or(BakeError::NoTriangles);
        let tiling = bounds.and_then(|bounds| Tiling::over(bounds, settings));
        let mut level = TiledLevel::new(tiling.map_err(|error| error.to_string())?);
        level.insert(geometry).map_err(|error| error.to_string())?;
        Ok(level)
    }

    /// Returns the level of a plan, kept by the thread that bakes it.
    fn opened(&self, plan: &Plan) -> Result<Rc<TiledLevel>, BatchError> {
        let hashes: Vec<&str> = plan.inputs.iter().map(|input| input.hash.as_str()).collect();
        let key = format!("{self:?} {hashes:?}");
        if let Some(level) = OPEN.with_borrow(|open| {
            open.as_ref().filter(|(known, _)| *known == key).map(|(_, level)| level.clone())
        }) {
            return Ok(level);
        }
        let level = self.open(Path::new(&self.level), &Planned(plan));
        let level = Rc::new(level.map_err(|why| BatchError::faulty(&self.level, why))?);
        OPEN.with_borrow_mut(|open| *open = Some((key, level.clone())));
        Ok(level)
    }
}

impl Kind for TiledBake {
    fn name(&self) -> &'static str {
        "bake"
    }

    fn items(&self) -> &'static str {
        "tiles"
    }

    fn summary(&self) -> Option<&'static str> {
        Some(
            "SELECT status, reason, count(*) AS tiles, sum(polygons) AS polygons, \
             round(sum(area), 1) AS square_metres FROM results \
             GROUP BY status, reason ORDER BY status, reason",
        )
    }

    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        let (inputs, level) = planning.world(&self.level, |path, files| self.open(path, files))?;
        let tiles = level.tiles().len() as u64;
        let settings = level.tiling().settings();
        let side = settings.tile_side.unwrap_or(TILE_SIDE) + 2 * (settings.radius_cells() + 3);
        let seconds = SECONDS_OF_A_CELL * f64::from(side).powi(2);
        let items = Items { count: tiles, seconds, before: 0.0, most: MOST };
        Ok(planning.cut(&items, &inputs, ""))
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, progress, .. } = solving;
        let level = self.opened(plan)?;
        let some = level.tiles().skip(shard.first as usize).take(shard.count as usize);
        let mut table = TileRows::default();
        for tile in some {
            table.push(tile, level.bake(tile));
            progress.advance(1)?;
        }
        Ok(table.finish())
    }

    fn finish(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        let Results { plan, store } = results;
        let level = self.opened(plan)?;
        let set = self.loaded(results, level.tiling())?;
        let baked = set.baked();
        if baked.polygons.is_empty() {
            let problem = "nothing in this level is walkable: triangles that run clockwise seen \
                           from above are ceilings (`flip = true` turns them over), and lengths \
                           are metres";
            return Err(BatchError::faulty(&self.level, problem));
        }
        let mesh = baked.polygons.nav_mesh();
        let mesh = mesh.map_err(|error| BatchError::faulty(&self.level, error))?;
        store.write("level.navmesh", navmesh_file::write(&LinkedMesh::from(mesh)))?;
        let mut products = vec!["level.navmesh".to_owned()];
        let faulty = |why| BatchError::faulty(&self.level, why);
        let geometry = self.geometry(Path::new(&self.level), &Planned(plan)).map_err(faulty)?;
        if level_picture::is_drawn(&geometry, &baked) {
            let picture = level_picture::draw(&plan.job.name, &geometry, &set, &baked);
            let picture = picture.map_err(|error| BatchError::faulty("level.png", error))?;
            store.write("level.png", picture)?;
            products.push("level.png".to_owned());
        }
        Ok(products)
    }
}

impl TiledBake {
    /// Returns all tiles that were baked, stitched to each other.
    fn loaded(&self, results: &Results<'_>, tiling: &Tiling) -> Result<TileSet, BatchError> {
        let Results { plan, store } = results;
        let mut set = TileSet::new(*tiling);
        for shard in 0..plan.shards.len() {
            let name = plan.file_of(shard);
            let damaged = |error: BakeError| {
                let problem = format!("{error}; remove the file and run the job again");
                BatchError::faulty(store.address_of(&name), problem)
            };
            for batch in store.rows(&name, 0, u64::MAX >> 1)? {
                let Some(tiles) = batch.column_by_name("tile") else { continue };
                for bytes in tiles.as_binary::<i32>().iter().flatten() {
                    let tile = BakedTile::decode(bytes, tiling).map_err(damaged)?;
                    set.insert(tile).map_err(damaged)?;
                }
            }
        }
        Ok(set)
    }
}

/// The rows of tiles, column by column.
#[derive(Default)]
struct TileRows {
    ids: Vec<TileId>,
    status: StringBuilder,
    polygons: UInt32Builder,
    area: Float64Builder,
    tile: BinaryBuilder,
    reason: StringBuilder,
}

impl TileRows {
    fn push(&mut self, id: TileId, tile: Result<BakedTile, BakeError>) {
        self.ids.push(id);
        match tile {
            Ok(tile) => {
                self.status.append_value(if tile.is_empty() { "empty" } else { "baked" });
                self.polygons.append_value(tile.polygons().len() as u32);
                self.area.append_value(tile.polygons().area_in_plan());
                self.tile.append_value(tile.encode());
                self.reason.append_null();
            }
            Err(error) => {
                self.status.append_value("fault");
                self.polygons.append_null();
                self.area.append_null();
                self.tile.append_null();
                self.reason.append_value(error.to_string());
            }
        }
    }

    fn finish(mut self) -> RecordBatch {
        let of_ids = |part: fn(&TileId) -> u32| {
            Arc::new(UInt32Array::from_iter_values(self.ids.iter().map(part)))
        };
        rows(vec![
            ("tile_row", of_ids(|id| id.row)),
            ("tile_column", of_ids(|id| id.column)),
            ("status", Arc::new(self.status.finish())),
            ("polygons", Arc::new(self.polygons.finish())),
            ("area", Arc::new(self.area.finish())),
            ("tile", Arc::new(self.tile.finish())),
            ("reason", Arc::new(self.reason.finish())),
        ])
    }
}
