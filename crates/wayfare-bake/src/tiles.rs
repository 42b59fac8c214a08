//! Baking by tiles: bounded memory, and tiles side by side on several threads.
//!
//! A tile is baked with a border of cells around it, wide enough that its own cells come out as
//! they would in the whole level. So two tiles see the same floors and links where they meet, and
//! their outlines end in the same corners there.
//!
//! # Why there are no gaps
//!
//! The border between two tiles is straight. Each tile keeps the corners where one of its own
//! regions or a wall ends at the border; the other may have none there. When all tiles are done,
//! each edge on a border gets the corners of the other side that lie on it. They lie exactly on
//! it, so polygons stay convex. Of several floors the one is meant whose height is nearer than a
//! step and a cell to the edge: along borders, outlines keep every corner at which the ground
//! leaves the straight line by more than a step.

use crate::bake::{Bake, Baked};
use crate::progress::Stage;
use crate::spans::Prepared;
use crate::{
    BakeError, Contours, HeightMesh, Lattice, LatticePoint, PolygonMesh, RegionId, Regions, Window,
};

/// The tiles of a lattice, row by row.
pub(crate) struct Tiling {
    side: u32,
    border: u32,
    columns: u32,
    rows: u32,
    whole: Window,
}

impl Tiling {
    pub(crate) fn new(lattice: &Lattice, side: u32, radius: u32) -> Self {
        let whole = lattice.whole();
        // A cell for ledges, one for links, one for corners.
        let border = radius + 3;
        let [columns, rows] = [whole.width, whole.depth].map(|cells| cells.div_ceil(side));
        Self { side, border, columns, rows, whole }
    }

    fn len(&self) -> usize {
        self.columns as usize * self.rows as usize
    }

    /// The tile of a place in plan, in cells; of one beyond the lattice, the nearest.
    pub(crate) fn tile_of(&self, x: f64, z: f64) -> usize {
        let [x, z] = [x, z].map(|at| at.max(0.0) as u32 / self.side);
        let (column, row) = (x.min(self.columns - 1), z.min(self.rows - 1));
        row as usize * self.columns as usize + column as usize
    }

    /// The cells of a tile.
    fn inner(&self, tile: usize) -> Window {
        let columns = self.columns as usize;
        let x = (tile % columns) as u32 * self.side;
        let z = (tile / columns) as u32 * self.side;
        let width = self.side.min(self.whole.width - x);
        let depth = self.side.min(self.whole.depth - z);
        Window { x, z, width, depth }
    }

    /// The cells that are baked for a tile.
    pub(crate) fn outer(&self, tile: usize) -> Window {
        let Window { x, z, width, depth } = self.inner(tile);
        let grown = |start: u32, length: u32, all: u32| {
            let low = start.saturating_sub(self.border);
            (low, (start + length + self.border).min(all) - low)
        };
        let (left, width) = grown(x, width, self.whole.width);
        let (top, depth) = grown(z, depth, self.whole.depth);
        Window { x: left, z: top, width, depth }
    }

    /// The triangles of each tile with its border: the first of each tile, and all.
    pub(crate) fn bins(&self, bake: &Bake<'_>, prepared: &Prepared) -> (Vec<u32>, Vec<u32>) {
        let tiles = |index: u32| {
            let [[x0, x1], [z0, z1]] = prepared.reach(bake.level(), index);
            let (side, border) = (self.side as i32, self.border as i32);
            let range = |low: i32, high: i32, count: u32| {
                let last = count as i32 - 1;
                let from = (low - border).div_euclid(side).clamp(0, last);
                from..=(high + border).div_euclid(side).clamp(0, last)
            };
            let columns = range(x0, x1, self.columns);
            range(z0, z1, self.rows).flat_map(move |row| {
                columns
                    .clone()
                    .map(move |column| row as usize * self.columns as usize + column as usize)
            })
        };
        let count = bake.level().triangles().len() as u32;
        let mut first = vec![0_u32; self.len() + 1];
        for tile in (0..count).flat_map(tiles) {
            first[tile + 1] += 1;
        }
        for tile in 0..self.len() {
            first[tile + 1] += first[tile];
        }
        let mut next = first.clone();
        let mut filled = vec![0; first[self.len()] as usize];
        for index in 0..count {
            for tile in tiles(index) {
                filled[next[tile] as usize] = index;
                next[tile] += 1;
            }
        }
        (first, filled)
    }
}

/// Bakes all tiles and joins them.
pub(crate) fn run(bake: &Bake<'_>, side: u32) -> Result<Baked, BakeError> {
    let prepared = bake.prepared()?;
    let tiling = Tiling::new(bake.lattice(), side, bake.settings().radius_cells());
    let (first, triangles) = tiling.bins(bake, &prepared);
    let done = std::sync::atomic::AtomicUsize::new(0);
    let one = |tile: usize| {
        let own = &triangles[first[tile] as usize..first[tile + 1] as usize];
        let baked = run_tile(bake, &prepared, own, tiling.outer(tile), tiling.inner(tile))?;
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        bake.progress().at(Stage::Polygons, done, tiling.len())?;
        Ok(baked)
    };
    #[cfg(feature = "rayon")]
    let tiles: Vec<Baked> = {
        use rayon::prelude::*;
        (0..tiling.len()).into_par_iter().map(one).collect::<Result<_, BakeError>>()?
    };
    #[cfg(not(feature = "rayon"))]
    let tiles: Vec<Baked> = (0..tiling.len()).map(one).collect::<Result<_, BakeError>>()?;
    Ok(stitch(bake, tiles, side as i32))
}

/// Bakes one tile. Its stages report no progress of their own.
fn run_tile(
    bake: &Bake<'_>,
    prepared: &Prepared,
    triangles: &[u32],
    outer: Window,
    inner: Window,
) -> Result<Baked, BakeError> {
    let quiet = bake.quiet();
    let settings = bake.settings();
    if triangles.is_empty() {
        let polygons = PolygonMesh::empty(bake.lattice());
        return Ok(Baked { polygons, heights: settings.heights.map(|_| HeightMesh::default()) });
    }
    let mut spans = quiet.spans_of(prepared, triangles, outer)?;
    quiet.filter(&mut spans)?;
    let field = quiet.field_of(spans)?;
    let regions = Regions::new(&field, inner, settings, &quiet.progress())?;
    let contours = Contours::new(&field, &regions, settings, &quiet.progress())?;
    let polygons = PolygonMesh::new(&contours, settings, &quiet.progress())?;
    let heights = match settings.heights {
        Some(_) => Some(quiet.heights(&field, &regions, &polygons)?),
        None => None,
    };
    Ok(Baked { polygons, heights })
}

/// Joins tiles: common corners become one vertex, and edges on borders get the corners of the other
/// side.
fn stitch(bake: &Bake<'_>, tiles: Vec<Baked>, side: i32) -> Baked {
    let mut mesh = PolygonMesh::empty(bake.lattice());
    let mut heights = bake.settings().heights.map(|_| HeightMesh::default());
    let on_border = |at: LatticePoint| at.x % side == 0 || at.z % side == 0;
    let mut shared = std::collections::BTreeMap::new();
    let mut inner_points = Vec::new();
    let mut regions = 0;
    for Baked { polygons: tile, heights: tile_heights } in tiles {
        let names: Vec<u32> = tile
            .vertices
            .iter()
            .map(|&at| {
                let next = mesh.vertices.len() as u32;
                let name = match on_border(at) {
                    true => *shared.entry(at).or_insert(next),
                    false => next,
                };
                if name == next {
                    mesh.vertices.push(at);
                }
                name
            })
            .collect();
        for polygon in 0..tile.len() {
            mesh.corners.extend(tile.polygon(polygon).iter().map(|&v| names[v as usize]));
            mesh.first.push(mesh.corners.len() as u32);
            mesh.areas.push(tile.areas[polygon]);
            mesh.regions.push(RegionId(tile.regions[polygon].0 + regions));
        }
        regions += tile.regions.iter().map(|region| region.0).max().unwrap_or(0);
        mesh.forced += tile.forced;
        if let (Some(heights), Some(tile_heights)) = (&mut heights, tile_heights) {
            heights.append(&tile_heights, &names, &mut inner_points);
        }
    }
    if let Some(heights) = &mut heights {
        heights.finish(&mesh, &inner_points);
    }
    let step = i32::from(bake.settings().step_cells()) + 1;
    add_border_corners(&mut mesh, side, step);
    Baked { polygons: mesh, heights }
}

/// Gives each edge on a border the vertices that lie on it.
fn add_border_corners(mesh: &mut PolygonMesh, side: i32, step: i32) {
    // Vertices on borders: by line along z (with its x), by line along x (with its z), in order.
    let mut lines: [Vec<([i32; 2], u32)>; 2] = [Vec::new(), Vec::new()];
    for (vertex, at) in (0..).zip(&mesh.vertices) {
        if at.x % side == 0 {
            lines[0].push(([at.x, at.z], vertex));
        }
        if at.z % side == 0 {
            lines[1].push(([at.z, at.x], vertex));
        }
    }
    lines.iter_mut().for_each(|line| line.sort_unstable());
    let mut corners = Vec::with_capacity(mesh.corners.len());
    let mut first = vec![0];
    for polygon in mesh.polygons() {
        for (index, &from) in polygon.iter().enumerate() {
            corners.push(from);
            let to = polygon[(index + 1) % polygon.len()];
            let (a, b) = (mesh.vertices[from as usize], mesh.vertices[to as usize]);
            let line = match () {
                () if a.x == b.x && a.x % side == 0 => &lines[0],
                () if a.z == b.z && a.z % side == 0 => &lines[1],
                () => continue,
            };
            let across = a.x == b.x && a.x % side == 0;
            let place = |at: LatticePoint| if across { [at.x, at.z] } else { [at.z, at.x] };
            let (low, high) = (place(a).min(place(b)), place(a).max(place(b)));
            let start = line.partition_point(|(at, _)| *at <= low);
            let end = line.partition_point(|(at, _)| *at < high);
            let between = line[start..end.max(start)].iter().filter(|(at, vertex)| {
                let share = f64::from(at[1] - place(a)[1]) / f64::from(place(b)[1] - place(a)[1]);
                let edge = f64::from(a.y) + share * f64::from(b.y - a.y);
                let height = f64::from(mesh.vertices[*vertex as usize].y);
                (height - edge).abs() <= f64::from(step)
            });
            let mut added: Vec<u32> = between.map(|(_, vertex)| *vertex).collect();
            // Of two at one place, the lower one: they are the ends of a wall between them.
            added.dedup_by_key(|vertex| mesh.vertices[*vertex as usize].plan());
            if place(a) > place(b) {
                added.reverse();
            }
            corners.extend(added);
        }
        first.push(corners.len() as u32);
    }
    (mesh.corners, mesh.first) = (corners, first);
}
