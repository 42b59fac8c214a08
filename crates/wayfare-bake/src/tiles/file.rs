//! Baked tiles as bytes, each for itself.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `WAYFTIL` and a line feed |
//! | 4 | the version: 1 |
//! | 8 | the hash of the tiling: lattice and settings |
//! | 4, 4 | row and column |
//! | 4, 4, 4 | the number `v` of vertices, `p` of polygons and `c` of corners |
//! | 4, 4 | the number `i` of inner points and `t` of triangles; 0 without heights |
//! | 12 v | each vertex: x, y (up), z as corners of the lattice |
//! | 4 p | the number of corners of each polygon |
//! | p | the area of each polygon |
//! | 4 p | the region of each polygon |
//! | 4 c | the vertex of each corner, polygon by polygon |
//! | 4 p | with heights: the number of triangles of each polygon |
//! | 12 i | each inner point: x, y, z as 32-bit floats |
//! | 12 t | each triangle: vertices, or above them inner points |
//! | 8 | the checksum of everything before: FNV-1a of 64 bits |

use glam::Vec3;
use wayfare_core::hash::Fnv1a;
use wayfare_mesh::navmesh::AreaId;

use super::{BakedTile, TileId, Tiling};
use crate::bake::Baked;
use crate::{
    BakeError, BakeSettings, HeightMesh, HeightSettings, LatticePoint, Partition, PolygonMesh,
    RegionId, WalkerShape, Window,
};

const MAGIC: &[u8; 8] = b"WAYFTIL\n";
const VERSION: u32 = 1;
const SUM: usize = 8;
/// A region has a floor at least, and a tile fewer floors.
const MOST_REGIONS: u32 = 1 << 30;

impl Tiling {
    /// Returns a hash of the lattice and of all settings but the memory limit.
    fn hash(&self) -> u64 {
        let lattice = self.lattice();
        let BakeSettings {
            walker: WalkerShape { radius, height, step, slope },
            cell_size,
            cell_height,
            partition,
            min_island,
            merge_below,
            max_outline_error,
            max_edge,
            max_corners,
            heights,
            tile_side,
            memory_limit: _,
        } = *self.settings();
        let (spacing, max_error) = match heights {
            Some(HeightSettings { spacing, max_error }) => (spacing, max_error),
            None => (0, 0.0),
        };
        let partition = match partition {
            Partition::Watershed => 0,
            Partition::Monotone => 1,
            Partition::Layers => 2,
        };
        let mut hash = Fnv1a::default();
        for part in lattice.origin().to_array() {
            hash.word(part.to_bits());
        }
        let sizes = [lattice.width(), lattice.depth(), lattice.height()];
        let counts = [partition, min_island, merge_below, max_corners, spacing];
        // None of both can be 0.
        let options = [max_edge, tile_side].map(Option::unwrap_or_default);
        for word in sizes.into_iter().chain(counts).chain(options) {
            hash.word(word.into());
        }
        let floats = [radius, height, step, slope, cell_size, cell_height, max_outline_error];
        for float in floats.into_iter().chain([max_error]) {
            hash.word(float.to_bits().into());
        }
        hash.value()
    }
}

impl BakedTile {
    /// Returns the tile as bytes of a file, to be read by [`decode`](Self::decode).
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mesh = self.polygons();
        let heights = self.heights();
        let inner = heights.map_or(&[][..], |heights| {
            heights.points().get(mesh.vertices.len()..).unwrap_or_default()
        });
        let triangles = heights.map_or(&[][..], HeightMesh::all_triangles);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.tiling.hash().to_le_bytes());
        let mut words = vec![self.id.row, self.id.column];
        let counts = [mesh.vertices.len(), mesh.len(), mesh.corners.len()];
        words.extend(counts.into_iter().chain([inner.len(), triangles.len()]).map(|n| n as u32));
        let vertices = mesh.vertices.iter().flat_map(|at| [at.x, at.y, at.z]);
        words.extend(vertices.map(|part| part as u32));
        words.extend(mesh.polygons().map(|polygon| polygon.len() as u32));
        bytes.extend(words.drain(..).flat_map(u32::to_le_bytes));
        bytes.extend(mesh.areas.iter().map(|area| area.0));
        words.extend(mesh.regions.iter().map(|region| region.0));
        words.extend(&mesh.corners);
        if let Some(heights) = heights {
            let own = |polygon| heights.triangles(polygon).len() as u32;
            words.extend((0..mesh.len()).map(own));
        }
        words.extend(inner.iter().flat_map(|at| at.to_array().map(f32::to_bits)));
        words.extend(triangles.iter().flatten());
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(sum_of(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a tile of a tiling. It is not known whether the level has changed since the tile was
    /// baked.
    ///
    /// O(n log n) for n corners; memory in proportion to the bytes.
    ///
    /// ```
    /// # use wayfare_bake::{BakeSettings, LevelGeometry, TileId, TiledLevel, Tiling, WalkerShape};
    /// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
    /// # let floor =
    /// #     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// # let settings =
    /// #     BakeSettings { tile_side: Some(20), ..BakeSettings::new(WalkerShape::default()) };
    /// use wayfare_bake::BakedTile;
    ///
    /// let tiling = Tiling::over([[0.0; 3].into(), [12.0, 2.0, 4.0].into()], settings)?;
    /// let mut level = TiledLevel::new(tiling);
    /// level.insert(floor)?;
    /// let tile = level.bake(TileId { row: 0, column: 0 })?;
    /// assert_eq!(BakedTile::decode(&tile.encode(), &tiling)?, tile);
    /// assert!(BakedTile::decode(b"something else", &tiling).is_err());
    /// # Ok::<(), wayfare_bake::BakeError>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::OtherTiling`] for a tile of another lattice or other settings,
    /// [`BakeError::NoTile`] for a position beyond the tiling, [`BakeError::Tile`] for bytes that
    /// are damaged, or no tile: also for one whose [polygons have a fault](PolygonMesh::fault).
    pub fn decode(bytes: &[u8], tiling: &Tiling) -> Result<Self, BakeError> {
        let bad = |problem| BakeError::Tile { problem };
        let Some(rest) = bytes.strip_prefix(MAGIC) else {
            return Err(bad("it does not begin with 'WAYFTIL'"));
        };
        let mut reader = Reader { rest };
        if reader.word()? != VERSION {
            return Err(bad("it has another version; bake it again"));
        }
        let Some((content, sum)) = bytes.split_last_chunk::<SUM>() else {
            return Err(bad("it ends too early"));
        };
        if u64::from_le_bytes(*sum) != sum_of(content) {
            return Err(bad("its checksum is not that of its contents"));
        }
        let hash = [reader.word()?, reader.word()?].map(u64::from);
        if hash[0] | hash[1] << 32 != tiling.hash() {
            return Err(BakeError::OtherTiling);
        }
        let id = TileId { row: reader.word()?, column: reader.word()? };
        tiling.check(id)?;
        let mut counts = [0; 5];
        for count in &mut counts {
            *count = reader.word()? as usize;
        }
        let [vertices, polygons, corners, inner, triangles] = counts;
        let with_heights = tiling.settings().heights.is_some();
        let parts = [
            (vertices, 12),
            (polygons, if with_heights { 13 } else { 9 }),
            (corners, 4),
            (inner, 12),
            (triangles, 12),
            (1, SUM),
        ];
        let sum =
            |sum: usize, &(count, each): &(usize, usize)| sum.checked_add(count.checked_mul(each)?);
        if parts.iter().try_fold(0, sum) != Some(reader.rest.len()) {
            return Err(bad("it has another length than its counts say"));
        }
        let mut mesh = PolygonMesh::empty(tiling.lattice(), tiling.settings());
        mesh.vertices = reader.vertices(vertices, tiling.windows().inner(id))?;
        mesh.first = reader.ends(polygons, corners)?;
        mesh.areas = reader.take(polygons)?.iter().map(|&area| AreaId(area)).collect();
        for _ in 0..polygons {
            let region = RegionId(reader.word()?);
            if region == RegionId::NOTHING || region.0 > MOST_REGIONS {
                return Err(bad("a polygon is of no region"));
            }
            mesh.regions.push(region);
        }
        mesh.corners = reader.words(corners)?;
        if mesh.corners.iter().any(|&vertex| vertex as usize >= vertices) {
            return Err(bad("a corner is no vertex"));
        }
        if mesh.fault().is_some() {
            return Err(bad("its polygons are not convex, or overlap"));
        }
        if polygons == 0 {
            return Ok(Self::empty(id, *tiling));
        }
        let heights = match with_heights {
            true => Some(reader.heights(&mesh, inner, triangles)?),
            false => None,
        };
        Ok(Self { id, tiling: *tiling, baked: Baked { polygons: mesh, heights } })
    }
}

fn sum_of(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::default();
    hash.bytes(bytes);
    hash.value()
}

/// Bytes that were not read yet.
struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], BakeError> {
        let early = BakeError::Tile { problem: "it ends too early" };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(early)?;
        self.rest = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, BakeError> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
    }

    fn words(&mut self, count: usize) -> Result<Vec<u32>, BakeError> {
        let bytes = self.take(count.saturating_mul(4))?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |w, &byte| w << 8 | u32::from(byte));
        Ok(bytes.chunks_exact(4).map(word).collect())
    }

    /// Vertices within a tile.
    fn vertices(&mut self, count: usize, tile: Window) -> Result<Vec<LatticePoint>, BakeError> {
        let words = self.words(count.saturating_mul(3))?;
        let [left, top] = [tile.x, tile.z].map(|cells| cells as i32);
        let (right, bottom) = (left + tile.width as i32, top + tile.depth as i32);
        let at = |words: &[u32]| LatticePoint {
            x: words[0] as i32,
            y: words[1] as i32,
            z: words[2] as i32,
        };
        let vertices: Vec<LatticePoint> = words.chunks_exact(3).map(at).collect();
        let is_within = |at: &LatticePoint| {
            (left..=right).contains(&at.x)
                && (top..=bottom).contains(&at.z)
                && (0..=i32::from(u16::MAX)).contains(&at.y)
        };
        match vertices.iter().all(is_within) {
            true => Ok(vertices),
            false => Err(BakeError::Tile { problem: "a vertex lies beyond the tile" }),
        }
    }

    /// Returns the sums of `count` numbers from 0 on, of which the last one is `all`.
    fn ends(&mut self, count: usize, all: usize) -> Result<Vec<u32>, BakeError> {
        let sizes = self.words(count)?;
        let mut ends = vec![0_u32];
        let mut end = 0_u64;
        for size in sizes {
            end += u64::from(size);
            ends.push(u32::try_from(end).unwrap_or(u32::MAX));
        }
        match end == all as u64 {
            true => Ok(ends),
            false => Err(BakeError::Tile { problem: "its polygons have more or fewer parts" }),
        }
    }

    /// Returns the triangles that follow the ground of a mesh.
    fn heights(
        &mut self,
        mesh: &PolygonMesh,
        inner: usize,
        triangles: usize,
    ) -> Result<HeightMesh, BakeError> {
        let first = self.ends(mesh.len(), triangles)?;
        let inner = self.words(inner.saturating_mul(3))?;
        let point = |words: &[u32]| Vec3::from_slice(&[0, 1, 2].map(|i| f32::from_bits(words[i])));
        let points: Vec<Vec3> = mesh.positions().chain(inner.chunks_exact(3).map(point)).collect();
        let triangles = self.words(triangles.saturating_mul(3))?;
        let are_points = triangles.iter().all(|&corner| (corner as usize) < points.len());
        if !are_points || points.iter().any(|at| !at.is_finite()) {
            return Err(BakeError::Tile { problem: "a triangle has a corner that is nowhere" });
        }
        let triangles = triangles.chunks_exact(3).map(|of| [of[0], of[1], of[2]]).collect();
        Ok(HeightMesh::of_parts(points, triangles, first))
    }
}
