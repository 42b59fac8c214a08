//! Tiles that are loaded, stitched to each other.

use std::collections::BTreeMap;

use super::seam::Stitched;
use super::{BakedTile, TileId, Tiling};
use crate::bake::{Bake, Baked};
use crate::progress::Stage;
use crate::{BakeError, CellSide, HeightMesh, LatticePoint, PolygonMesh, RegionId};

/// The tiles of a level that are loaded: they come and go, and make one mesh.
///
/// The mesh is a function of the tiles in the set, whatever their order and whatever was loaded
/// before. With all tiles of a level it equals the mesh of [`Bake::run`].
///
/// Inserting or removing a tile stitches it and its four neighbours:
/// O(n log n) for the n vertices of these. [`polygons`](Self::polygons) then copies all tiles.
///
/// ```
/// use wayfare_bake::{BakeSettings, LevelGeometry, WalkerShape};
/// use wayfare_bake::{TileId, TileSet, TiledLevel, Tiling};
///
/// // A floor of 12 m by 4 m, in tiles of 4 m.
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [12.0, 0.0, 4.0], [12.0, 0.0, 0.0]];
/// let floor =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let settings = BakeSettings::new(WalkerShape::default());
/// let settings = BakeSettings { tile_side: Some(20), ..settings };
/// let tiling = Tiling::over([[0.0; 3].into(), [12.0, 2.0, 4.0].into()], settings)?;
/// let mut level = TiledLevel::new(tiling);
/// level.insert(floor)?;
/// let mut loaded = TileSet::new(tiling);
/// for column in 0..3 {
///     loaded.insert(level.bake(TileId { row: 0, column })?)?;
/// }
/// let islands = |loaded: &TileSet| {
///     loaded.polygons().nav_mesh().map(|mesh| mesh.space().count_islands().islands)
/// };
/// assert_eq!(islands(&loaded).ok(), Some(1));
/// loaded.remove(TileId { row: 0, column: 1 });
/// assert_eq!(islands(&loaded).ok(), Some(2));
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TileSet {
    tiling: Tiling,
    tiles: BTreeMap<TileId, Loaded>,
}

#[derive(Debug, Clone)]
struct Loaded {
    tile: BakedTile,
    stitched: Stitched,
}

impl TileSet {
    /// Returns a set without tiles.
    #[must_use]
    pub fn new(tiling: Tiling) -> Self {
        Self { tiling, tiles: BTreeMap::new() }
    }

    /// Returns the tiling of all tiles in the set.
    #[must_use]
    pub fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    /// Loads a tile, or replaces it by one that was baked again. Returns the former tile.
    ///
    /// # Errors
    /// [`BakeError::OtherTiling`], and the set stays as it is.
    pub fn insert(&mut self, tile: BakedTile) -> Result<Option<BakedTile>, BakeError> {
        if !self.tiling.fits(&tile.tiling) {
            return Err(BakeError::OtherTiling);
        }
        let id = tile.id;
        let loaded = Loaded { tile, stitched: Stitched::default() };
        let before = self.tiles.insert(id, loaded);
        self.stitch_around(id);
        Ok(before.map(|before| before.tile))
    }

    /// Unloads a tile and returns it; `None` if it was not loaded.
    pub fn remove(&mut self, id: TileId) -> Option<BakedTile> {
        let removed = self.tiles.remove(&id)?;
        self.stitch_around(id);
        Some(removed.tile)
    }

    /// Returns a tile, if it is loaded.
    #[must_use]
    pub fn tile(&self, id: TileId) -> Option<&BakedTile> {
        self.tiles.get(&id).map(|loaded| &loaded.tile)
    }

    /// Returns the tiles that are loaded, in order.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = &BakedTile> {
        self.tiles.values().map(|loaded| &loaded.tile)
    }

    /// Returns the number of tiles that are loaded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tiles.len()
    }

    /// Returns whether no tile is loaded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    fn stitch_around(&mut self, id: TileId) {
        let beside = CellSide::ALL.into_iter().filter_map(|side| beside(id, side));
        for id in std::iter::once(id).chain(beside) {
            self.stitch(id);
        }
    }

    /// Stitches a tile to the neighbours that are there.
    fn stitch(&mut self, id: TileId) {
        let Some(tile) = self.tile(id) else { return };
        let neighbour = |side: CellSide| beside(id, side).and_then(|id| self.tile(id));
        let stitched = Stitched::new(tile, CellSide::ALL.map(neighbour));
        if let Some(loaded) = self.tiles.get_mut(&id) {
            loaded.stitched = stitched;
        }
    }

    /// Returns the polygons of all loaded tiles, tile by tile in order. O(polygons).
    #[must_use]
    pub fn polygons(&self) -> PolygonMesh {
        self.joined(None)
    }

    /// Returns the polygons of all loaded tiles, and the triangles that follow their ground if the
    /// settings ask for them. O(polygons + triangles).
    #[must_use]
    pub fn baked(&self) -> Baked {
        let mut heights = self.tiling.settings().heights.map(|_| HeightMesh::default());
        let polygons = self.joined(heights.as_mut());
        Baked { polygons, heights }
    }

    /// Joins tiles: common corners become one vertex.
    fn joined(&self, mut heights: Option<&mut HeightMesh>) -> PolygonMesh {
        let mut mesh = PolygonMesh::empty(self.tiling.lattice(), self.tiling.settings());
        let side = self.tiling.side();
        let on_border = |at: LatticePoint| at.x % side == 0 || at.z % side == 0;
        let mut shared = BTreeMap::new();
        let mut inner_points = Vec::new();
        // The vertices of each tile in the mesh; these of foreign corners follow later.
        let mut names_of: Vec<Vec<u32>> = Vec::with_capacity(self.tiles.len());
        for Loaded { tile, stitched } in self.tiles.values() {
            let polygons = tile.polygons();
            let mut names = Vec::with_capacity(polygons.vertices.len() + stitched.foreign.len());
            for &at in &polygons.vertices {
                let next = mesh.vertices.len() as u32;
                let name = match on_border(at) {
                    true => *shared.entry(at).or_insert(next),
                    false => next,
                };
                if name == next {
                    mesh.vertices.push(at);
                }
                names.push(name);
            }
            if let (Some(heights), Some(own)) = (&mut heights, tile.heights()) {
                heights.append(own, &names, &mut inner_points);
            }
            names_of.push(names);
        }
        let mut regions = 0;
        for (Loaded { tile, stitched }, mut names) in self.tiles.values().zip(names_of) {
            let polygons = tile.polygons();
            // Each foreign corner is a vertex of a neighbour.
            names.extend(
                stitched.foreign.iter().map(|at| shared.get(at).copied().unwrap_or_default()),
            );
            let begun = mesh.corners.len() as u32;
            mesh.corners.extend(stitched.corners.iter().map(|&corner| names[corner as usize]));
            mesh.first.extend(stitched.first.iter().skip(1).map(|first| first + begun));
            mesh.areas.extend(&polygons.areas);
            mesh.regions
                .extend(polygons.regions.iter().map(|own| RegionId(own.0.saturating_add(regions))));
            let most = polygons.regions.iter().map(|region| region.0).max().unwrap_or(0);
            regions = regions.saturating_add(most);
            mesh.forced += polygons.forced;
        }
        if let Some(heights) = heights {
            heights.finish(&mesh, &inner_points);
        }
        mesh
    }

    /// Bakes all tiles of a level, on several threads with the feature `rayon`.
    pub(crate) fn of(bake: &Bake<'_>) -> Result<Self, BakeError> {
        let tiling = Tiling::of(*bake.lattice(), *bake.settings())?;
        let prepared = bake.prepared()?;
        let bins = tiling.windows().bins(bake.level(), &prepared, bake.settings())?;
        let bins: Vec<(TileId, Vec<u32>)> = bins.into_iter().collect();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let one = |(id, triangles): &(TileId, Vec<u32>)| {
            let tile = BakedTile::new(bake, &tiling, &prepared, triangles, *id)?;
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            bake.progress().at(Stage::Polygons, done, bins.len())?;
            Ok(tile)
        };
        #[cfg(feature = "rayon")]
        let tiles: Vec<BakedTile> = {
            use rayon::prelude::*;
            bins.par_iter().map(one).collect::<Result<_, BakeError>>()?
        };
        #[cfg(not(feature = "rayon"))]
        let tiles: Vec<BakedTile> = bins.iter().map(one).collect::<Result<_, BakeError>>()?;
        let loaded = |tile| Loaded { tile, stitched: Stitched::default() };
        let tiles = tiles.into_iter().map(|tile| (tile.id, loaded(tile))).collect();
        let mut set = Self { tiling, tiles };
        for (id, _) in bins {
            set.stitch(id);
        }
        Ok(set)
    }
}

/// Returns the position beyond a side of a tile; `None` beyond the first column or row.
fn beside(TileId { row, column }: TileId, side: CellSide) -> Option<TileId> {
    Some(match side {
        CellSide::West => TileId { row, column: column.checked_sub(1)? },
        CellSide::South => TileId { row: row + 1, column },
        CellSide::East => TileId { row, column: column + 1 },
        CellSide::North => TileId { row: row.checked_sub(1)?, column },
    })
}
