//! Tiles that come and go: what a tile costs to bake, to load, and to put under agents.

use cpu_time::ThreadTime;
use glam::Vec3;
use wayfare::space::navmesh::{LiveMesh, MeshDraft, NavMesh};
use wayfare_bake::{BakeSettings, BakedTile, LevelGeometry, TileId, TileSet, TiledLevel, Tiling};
use wayfare_formats::obj;

use crate::{bake, clock};

/// The side of a tile, in cells.
const SIDE: u32 = 256;

/// Times of one thing, in milliseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = ThreadTime::now();
        let made = work();
        self.0.push(clock::micros(begun) / 1000.0);
        made
    }

    fn print(mut self, name: &str) {
        self.0.sort_unstable_by(f64::total_cmp);
        let [Some(middle), Some(most)] = [self.0.get(self.0.len() / 2), self.0.last()] else {
            return;
        };
        println!("{name:<34} {middle:>9.3} {most:>9.3} {:>6}", self.0.len());
    }
}

/// Bakes, loads and unloads the tiles of all levels found whose name contains a word.
pub(crate) fn run(filter: &str) -> Result<bool, String> {
    println!("milliseconds of one thread: the median, the most, and the number of them");
    for path in bake::levels(filter)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mesh = obj::read(&bytes).map_err(|error| error.to_string())?;
        let vertices: Vec<Vec3> = mesh.vertices().iter().map(|&at| at.into()).collect();
        let level = LevelGeometry::new(vertices, mesh.triangles().to_vec())
            .map_err(|error| error.to_string())?;
        println!("\n{name}: {} triangles, tiles of {SIDE} cells", level.triangles().len());
        measure(level)?;
    }
    Ok(true)
}

fn measure(geometry: LevelGeometry) -> Result<(), String> {
    let say = |error: wayfare_bake::BakeError| error.to_string();
    let settings = BakeSettings { tile_side: Some(SIDE), ..bake::settings() };
    let bounds = geometry.bounds().ok_or("the level is empty")?;
    let tiling = Tiling::over(bounds, settings).map_err(say)?;
    let mut level = TiledLevel::new(tiling);
    let (mut inserting, mut baking) = (Times::default(), Times::default());
    inserting.of(|| level.insert(geometry)).map_err(say)?;
    inserting.print("level cut into tiles");
    let ids: Vec<TileId> = level.tiles().collect();
    let tiles: Vec<BakedTile> = ids
        .iter()
        .map(|&id| baking.of(|| level.bake(id)))
        .collect::<Result<_, _>>()
        .map_err(say)?;
    baking.print("tile baked");
    let (mut encoding, mut decoding) = (Times::default(), Times::default());
    for tile in &tiles {
        let bytes = encoding.of(|| tile.encode());
        decoding.of(|| BakedTile::decode(&bytes, &tiling)).map_err(say)?;
    }
    encoding.print("tile written");
    decoding.print("tile read");
    let middle = (bounds[0] + bounds[1]) * 0.5;
    let reach = SIDE as f32 * settings.cell_size * 1.5;
    for (name, around) in [("all tiles", f32::INFINITY), ("tiles around the middle", reach)] {
        let wanted = tiling.around(middle, around);
        load_in_turn(name, tiling, tiles.iter().filter(|tile| wanted.contains(&tile.id())))?;
    }
    Ok(())
}

/// Loads tiles, then unloads each of them and loads it again.
fn load_in_turn<'t>(
    name: &str,
    tiling: Tiling,
    tiles: impl Iterator<Item = &'t BakedTile>,
) -> Result<(), String> {
    let say = |error: wayfare_bake::BakeError| error.to_string();
    let mut loaded = TileSet::new(tiling);
    for tile in tiles {
        loaded.insert(tile.clone()).map_err(say)?;
    }
    let mut live =
        LiveMesh::new(NavMesh::new(MeshDraft::new(Vec::new())).map_err(|e| e.to_string())?);
    let [mut unloading, mut loading, mut joining, mut building, mut living] =
        std::array::from_fn(|_| Times::default());
    let ids: Vec<TileId> = loaded.tiles().map(BakedTile::id).collect();
    for &id in ids.iter().cycle().take(ids.len().max(20)) {
        let tile = unloading.of(|| loaded.remove(id)).ok_or("no such tile")?;
        loading.of(|| loaded.insert(tile)).map_err(say)?;
        let polygons = joining.of(|| loaded.polygons());
        let mesh = building.of(|| polygons.nav_mesh()).map_err(|error| error.to_string())?;
        living.of(|| live.set_base(mesh));
    }
    println!("{name}: {} tiles, {} polygons", loaded.len(), live.mesh().len());
    unloading.print("  tile unloaded");
    loading.print("  tile loaded");
    joining.print("  polygons of all loaded tiles");
    building.print("  navigation mesh of them");
    living.print("  put under agents");
    Ok(())
}
