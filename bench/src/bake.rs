//! Baking navigation meshes, stage by stage, beside the crate `rerecast`.
//!
//! Both take the settings that Recast's demo begins with. Stages are timed apart; each time is the
//! least of several runs.

use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use glam::{UVec3, Vec3, Vec3A};
use rerecast::{AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, TriMesh};
use wayfare_bake::{Bake, BakeSettings, LevelGeometry, Stage, WalkerShape, filters};
use wayfare_formats::obj;

use crate::clock;

/// Runs of each level; the time of each stage is its least.
const ROUNDS: usize = 5;

/// The settings of Recast's demo.
pub(crate) fn settings() -> BakeSettings {
    let walker = WalkerShape { radius: 0.6, height: 2.0, step: 0.9, slope: 45.0 };
    BakeSettings {
        cell_size: 0.3,
        cell_height: 0.2,
        max_corners: 6,
        max_edge: Some(40),
        tile_side: None,
        ..BakeSettings::new(walker)
    }
}

/// The times of the stages in milliseconds, and what came out.
struct Measured {
    stages: Vec<(Stage, f64)>,
    polygons: usize,
    area: f64,
    floors: usize,
}

impl Measured {
    fn total(&self) -> f64 {
        self.stages.iter().map(|(_, time)| time).sum()
    }
}

/// Bakes all levels found whose name contains a word.
pub(crate) fn run(filter: &str) -> Result<bool, String> {
    println!("milliseconds of one thread, the least of {ROUNDS} runs; area in m² of plan");
    let mut sound = true;
    for path in levels(filter)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mesh = obj::read(&bytes).map_err(|error| error.to_string())?;
        let vertices: Vec<Vec3> = mesh.vertices().iter().map(|&at| at.into()).collect();
        let level = LevelGeometry::new(vertices, mesh.triangles().to_vec())
            .map_err(|error| error.to_string())?;
        let ours = least((0..ROUNDS).map(|_| ours(&level)).collect::<Result<_, _>>()?);
        let peer = least((0..ROUNDS).map(|_| theirs(&level)).collect::<Result<_, _>>()?);
        println!("\n{name}: {} triangles", level.triangles().len());
        println!("{:<10} {:>9} {:>9} {:>7}", "stage", "ours", "rerecast", "ratio");
        for ((stage, own), (_, other)) in ours.stages.iter().zip(&peer.stages) {
            println!("{:<10} {own:>9.2} {other:>9.2} {:>7.2}", stage.name(), own / other);
        }
        let (own, other) = (ours.total(), peer.total());
        println!("{:<10} {own:>9.2} {other:>9.2} {:>7.2}", "all", own / other);
        println!("{:<10} {:>9} {:>9}", "floors", ours.floors, peer.floors);
        println!("{:<10} {:>9} {:>9}", "polygons", ours.polygons, peer.polygons);
        let ratio = ours.area / peer.area;
        println!("{:<10} {:>9.0} {:>9.0} {ratio:>7.3}", "area", ours.area, peer.area);
        sound &= (0.99..=1.01).contains(&ratio);
    }
    Ok(sound)
}

pub(crate) fn levels(filter: &str) -> Result<Vec<PathBuf>, String> {
    let folder = std::env::var("WAYFARE_DATA").map_or_else(
        |_| Path::new("worlds").to_path_buf(),
        |data| Path::new(&data).join("navmesh"),
    );
    let entries =
        std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "obj"))
        .filter(|path| path.to_string_lossy().contains(filter))
        .collect();
    found.sort();
    if found.is_empty() { Err(format!("no .obj level in {}", folder.display())) } else { Ok(found) }
}

/// The run with the least times: stage by stage.
fn least(runs: Vec<Measured>) -> Measured {
    let mut runs = runs.into_iter();
    let mut best =
        runs.next().unwrap_or(Measured { stages: Vec::new(), polygons: 0, area: 0.0, floors: 0 });
    for run in runs {
        for ((_, kept), (_, time)) in best.stages.iter_mut().zip(run.stages) {
            *kept = kept.min(time);
        }
    }
    best
}

/// Times the stages one after the other.
struct Laps {
    begun: ThreadTime,
    stages: Vec<(Stage, f64)>,
}

impl Laps {
    fn new() -> Self {
        Self { begun: ThreadTime::now(), stages: Vec::new() }
    }

    fn ends(&mut self, stage: Stage) {
        self.stages.push((stage, clock::micros(self.begun) / 1000.0));
        self.begun = ThreadTime::now();
    }
}

fn ours(level: &LevelGeometry) -> Result<Measured, String> {
    let settings = settings();
    let say = |error: wayfare_bake::BakeError| error.to_string();
    let mut laps = Laps::new();
    let bake = Bake::new(level, settings).map_err(say)?;
    let mut spans = bake.spans().map_err(say)?;
    laps.ends(Stage::Spans);
    filters::low_obstacles(&mut spans, settings.step_cells());
    filters::head_room(&mut spans, settings.height_cells());
    filters::ledges(&mut spans, settings.height_cells(), settings.step_cells());
    laps.ends(Stage::Filters);
    let field = bake.field_of(spans).map_err(say)?;
    laps.ends(Stage::Field);
    let regions = bake.regions(&field).map_err(say)?;
    laps.ends(Stage::Regions);
    let contours = bake.contours(&field, &regions).map_err(say)?;
    laps.ends(Stage::Contours);
    let mesh = bake.polygons(&contours).map_err(say)?;
    laps.ends(Stage::Polygons);
    let heights = bake.heights(&field, &regions, &mesh).map_err(say)?;
    laps.ends(Stage::Heights);
    drop(heights);
    if let Some(fault) = mesh.fault() {
        return Err(fault);
    }
    Ok(Measured {
        stages: laps.stages,
        polygons: mesh.len(),
        area: mesh.area_in_plan(),
        floors: field.len(),
    })
}

fn theirs(level: &LevelGeometry) -> Result<Measured, String> {
    let settings = settings();
    let [height, step, radius] =
        [settings.height_cells(), settings.step_cells(), settings.radius_cells() as u16];
    let mut mesh = TriMesh {
        vertices: level.vertices().iter().map(|&at| Vec3A::from(at)).collect(),
        indices: level.triangles().iter().map(|&corners| UVec3::from(corners)).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; level.triangles().len()],
    };
    let mut laps = Laps::new();
    mesh.mark_walkable_triangles(settings.walker.slope.to_radians());
    let aabb = mesh.compute_aabb().ok_or("the level is empty")?;
    let [cell_size, cell_height] = [settings.cell_size, settings.cell_height];
    let builder = HeightfieldBuilder { aabb, cell_size, cell_height };
    let mut field = builder.build().map_err(|error| error.to_string())?;
    field.rasterize_triangles(&mesh, step).map_err(|error| error.to_string())?;
    laps.ends(Stage::Spans);
    field.filter_low_hanging_walkable_obstacles(step);
    field.filter_ledge_spans(height, step);
    field.filter_walkable_low_height_spans(height);
    laps.ends(Stage::Filters);
    let mut field = field.into_compact(height, step).map_err(|error| error.to_string())?;
    field.erode_walkable_area(radius);
    laps.ends(Stage::Field);
    field.build_distance_field();
    let (island, merge) = (settings.min_island as u16, settings.merge_below as u16);
    field.build_regions(0, island, merge).map_err(|error| error.to_string())?;
    laps.ends(Stage::Regions);
    let edge = settings.max_edge.unwrap_or(0) as u16;
    let error = settings.max_outline_error;
    let contours = field.build_contours(error, edge, BuildContoursFlags::DEFAULT);
    laps.ends(Stage::Contours);
    let polygons = contours
        .into_polygon_mesh(settings.max_corners as u16)
        .map_err(|error| error.to_string())?;
    laps.ends(Stage::Polygons);
    let heights = settings.heights.unwrap_or_default();
    let spacing = heights.spacing as f32 * settings.cell_size;
    let error = heights.max_error * settings.cell_height;
    let detail = DetailNavmesh::new(&polygons, &field, spacing, error);
    laps.ends(Stage::Heights);
    drop(detail);
    let most = usize::from(polygons.max_vertices_per_polygon);
    let mut doubled = 0_i64;
    for corners in polygons.polygons.chunks_exact(most).take(polygons.polygon_count()) {
        let at = |index: usize| {
            let vertex = polygons.vertices[usize::from(corners[index])];
            [i64::from(vertex.x), i64::from(vertex.z)]
        };
        let count = corners.iter().take_while(|&&corner| corner != u16::MAX).count();
        for index in 1..count.saturating_sub(1) {
            let ([ax, az], [bx, bz], [cx, cz]) = (at(0), at(index), at(index + 1));
            doubled += ((bz - az) * (cx - ax) - (bx - ax) * (cz - az)).abs();
        }
    }
    let cell = f64::from(settings.cell_size);
    let floors = field.areas.iter().filter(|area| **area != AreaType::NOT_WALKABLE).count();
    let area = doubled as f64 * 0.5 * cell * cell;
    Ok(Measured { stages: laps.stages, polygons: polygons.polygon_count(), area, floors })
}
