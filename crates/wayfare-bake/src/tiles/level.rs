//! A level that changes while the program runs, baked tile by tile.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};

use super::{BakedTile, TileId, Tiling};
use crate::bake::Bake;
use crate::{AreaVolume, BakeError, LevelGeometry};

/// A piece of a [`TiledLevel`].
///
/// Example: [`TiledLevel`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u32);

/// A piece that was inserted into a [`TiledLevel`].
///
/// Example: [`TiledLevel`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsertedPiece {
    /// The piece.
    pub piece: PieceId,
    /// The tiles that it changes, in order: to be baked again.
    pub tiles: Vec<TileId>,
}

/// A level in pieces that come and go, which knows the triangles near each tile. Baking a tile
/// takes time and memory in proportion to these.
///
/// A tile is the same to the last bit as in a [bake](Bake::within) of one level that has the
/// triangles and volumes of all pieces, in order of their ids.
///
/// ```
/// use wayfare_bake::{BakeSettings, LevelGeometry, TileId, TiledLevel, Tiling, WalkerShape};
///
/// /// A floor of 4 m by 4 m.
/// fn floor(x: f32) -> Result<LevelGeometry, wayfare_bake::BakeError> {
///     let corners = [[x, 0.0, 0.0], [x, 0.0, 4.0], [x + 4.0, 0.0, 4.0], [x + 4.0, 0.0, 0.0]];
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
/// }
///
/// let settings = BakeSettings::new(WalkerShape::default());
/// let settings = BakeSettings { tile_side: Some(20), ..settings };
/// let tiling = Tiling::over([[0.0; 3].into(), [12.0, 2.0, 4.0].into()], settings)?;
/// let mut level = TiledLevel::new(tiling);
/// let first = level.insert(floor(0.0)?)?;
/// assert_eq!(level.bake(TileId { row: 0, column: 0 })?.polygons().len(), 1);
///
/// // Another floor beside it: the edge of the first is no edge any more.
/// let second = level.insert(floor(4.0)?)?;
/// let columns: Vec<u32> = second.tiles.iter().map(|tile| tile.column).collect();
/// assert_eq!(columns, [0, 1, 2]);
/// let again: Result<Vec<_>, _> = second.tiles.iter().map(|tile| level.bake(*tile)).collect();
/// assert_eq!(again?.iter().filter(|tile| !tile.is_empty()).count(), 2);
///
/// assert_eq!(level.remove(first.piece)?, first.tiles);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TiledLevel {
    tiling: Tiling,
    pieces: BTreeMap<PieceId, Piece>,
    /// The number of pieces that there were.
    named: u32,
    /// The pieces that each tile needs triangles of.
    near: BTreeMap<TileId, Vec<PieceId>>,
}

#[derive(Debug, Clone)]
struct Piece {
    geometry: LevelGeometry,
    /// The triangles that each tile needs.
    triangles: BTreeMap<TileId, Vec<u32>>,
    /// All tiles that it changes, in order.
    tiles: Vec<TileId>,
}

impl TiledLevel {
    /// Returns a level without pieces.
    #[must_use]
    pub fn new(tiling: Tiling) -> Self {
        Self { tiling, pieces: BTreeMap::new(), named: 0, near: BTreeMap::new() }
    }

    /// Returns the tiling of the level.
    #[must_use]
    pub fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    /// Adds a piece: a whole level, or new floors, walls and volumes. Its positions are coordinates
    /// of the level. Volumes of later pieces count where two overlap.
    ///
    /// O(triangles), and O(log n) for each of the n tiles that a triangle is near.
    ///
    /// # Errors
    /// [`BakeError::Beyond`] if the piece reaches beyond the box of the tiling;
    /// [`BakeError::Volume`], [`BakeError::Work`], or [`BakeError::Memory`] if the lists of
    /// triangles were larger than the memory limit.
    pub fn insert(&mut self, geometry: LevelGeometry) -> Result<InsertedPiece, BakeError> {
        let (lattice, settings) = (*self.tiling.lattice(), *self.tiling.settings());
        if let Some(bounds) = geometry.bounds() {
            lattice.check_holds(bounds)?;
        }
        let bake = Bake::with_lattice(&geometry, settings, lattice)?;
        let prepared = bake.prepared()?;
        let triangles = self.tiling.windows().bins(&geometry, &prepared, &settings)?;
        let volumes = geometry.volumes().iter();
        let mut tiles: Vec<TileId> =
            volumes.flat_map(|volume| self.tiling.touched(bounds_of(volume))).collect();
        tiles.extend(triangles.keys());
        tiles.sort_unstable();
        tiles.dedup();
        let piece = PieceId(self.named);
        self.named += 1;
        for tile in &tiles {
            self.near.entry(*tile).or_default().push(piece);
        }
        let inserted = InsertedPiece { piece, tiles: tiles.clone() };
        self.pieces.insert(piece, Piece { geometry, triangles, tiles });
        Ok(inserted)
    }

    /// Takes a piece away. Returns the tiles that this changes, in order: to be baked again.
    ///
    /// # Errors
    /// [`BakeError::NoPiece`].
    pub fn remove(&mut self, piece: PieceId) -> Result<Vec<TileId>, BakeError> {
        let missing = BakeError::NoPiece { piece: piece.0 };
        let tiles = self.pieces.remove(&piece).ok_or(missing)?.tiles;
        for tile in &tiles {
            if let Some(near) = self.near.get_mut(tile) {
                near.retain(|other| *other != piece);
                if near.is_empty() {
                    self.near.remove(tile);
                }
            }
        }
        Ok(tiles)
    }

    /// Returns the tiles that a piece is near, in order. All others have no ground.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = TileId> {
        self.near.keys().copied()
    }

    /// Bakes a tile of the pieces that there are now. Several threads may do so at once.
    ///
    /// # Errors
    /// [`BakeError::NoTile`], or [`BakeError::Memory`] if the tile takes more than the memory
    /// limit.
    pub fn bake(&self, tile: TileId) -> Result<BakedTile, BakeError> {
        self.tiling.check(tile)?;
        let geometry = self.geometry_near(tile);
        if geometry.triangles().is_empty() {
            return Ok(BakedTile::empty(tile, self.tiling));
        }
        let lattice = *self.tiling.lattice();
        let bake = Bake::with_lattice(&geometry, *self.tiling.settings(), lattice)?;
        let prepared = bake.prepared()?;
        let triangles: Vec<u32> = (0..geometry.triangles().len() as u32).collect();
        BakedTile::new(&bake, &self.tiling, &prepared, &triangles, tile)
    }

    /// Returns the triangles and volumes of all pieces that a tile needs.
    fn geometry_near(&self, tile: TileId) -> LevelGeometry {
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        let (mut grounds, mut volumes) = (Vec::new(), Vec::new());
        let near = self.near.get(&tile).into_iter().flatten();
        for piece in near.filter_map(|piece| self.pieces.get(piece)) {
            let geometry = &piece.geometry;
            for &triangle in piece.triangles.get(&tile).into_iter().flatten() {
                let corners = geometry.triangles()[triangle as usize];
                triangles.push(corners.map(|vertex| {
                    vertices.push(geometry.vertices()[vertex as usize]);
                    vertices.len() as u32 - 1
                }));
                grounds.push(geometry.ground(triangle as usize));
            }
            let is_near = |volume: &&AreaVolume| {
                self.tiling.touched(bounds_of(volume)).binary_search(&tile).is_ok()
            };
            volumes.extend(geometry.volumes().iter().filter(is_near).cloned());
        }
        LevelGeometry::of_parts(vertices, triangles, grounds, volumes)
    }
}

/// Returns the box around a volume.
fn bounds_of(volume: &AreaVolume) -> [Vec3; 2] {
    let corners = volume.outline.iter();
    let low = corners.clone().fold(Vec2::INFINITY, |low, &corner| low.min(corner));
    let high = corners.fold(Vec2::NEG_INFINITY, |high, &corner| high.max(corner));
    [Vec3::new(low.x, volume.bottom, low.y), Vec3::new(high.x, volume.top, high.y)]
}
