//! One tile, baked on its own.

use crate::bake::{Bake, Baked};
use crate::spans::Prepared;
use crate::tiles::{TileId, Tiling};
use crate::{BakeError, Contours, HeightMesh, PolygonMesh, Regions};

/// The ground of one tile, an element of a [`TileSet`](crate::TileSet).
///
/// Its polygons end at the border of the tile. Corners of neighbours are added where it is stitched
/// to them. Made by [`TiledLevel::bake`](crate::TiledLevel::bake), which has an example.
#[derive(Debug, Clone, PartialEq)]
pub struct BakedTile {
    pub(crate) id: TileId,
    pub(crate) tiling: Tiling,
    pub(crate) baked: Baked,
}

impl BakedTile {
    /// Returns a tile without ground.
    pub(crate) fn empty(id: TileId, tiling: Tiling) -> Self {
        let polygons = PolygonMesh::empty(tiling.lattice(), tiling.settings());
        let heights = tiling.settings().heights.map(|_| HeightMesh::default());
        Self { id, tiling, baked: Baked { polygons, heights } }
    }

    /// Bakes a tile of the triangles that it needs. Its stages report no progress of their own.
    pub(super) fn new(
        bake: &Bake<'_>,
        tiling: &Tiling,
        prepared: &Prepared,
        triangles: &[u32],
        id: TileId,
    ) -> Result<Self, BakeError> {
        if triangles.is_empty() {
            return Ok(Self::empty(id, *tiling));
        }
        let quiet = bake.quiet();
        let settings = bake.settings();
        let (outer, inner) = (tiling.windows().outer(id), tiling.windows().inner(id));
        let mut spans = quiet.spans_of(prepared, triangles, outer)?;
        quiet.filter(&mut spans)?;
        let field = quiet.field_of(spans)?;
        let regions = Regions::new(&field, inner, settings, &quiet.progress())?;
        let contours = Contours::new(&field, &regions, settings, &quiet.progress())?;
        let polygons = PolygonMesh::new(&contours, settings, &quiet.progress())?;
        if polygons.is_empty() {
            return Ok(Self::empty(id, *tiling));
        }
        let heights = match settings.heights {
            Some(_) => Some(quiet.heights(&field, &regions, &polygons)?),
            None => None,
        };
        Ok(Self { id, tiling: *tiling, baked: Baked { polygons, heights } })
    }

    /// Returns the position of the tile.
    #[must_use]
    pub fn id(&self) -> TileId {
        self.id
    }

    /// Returns the tiling that it is a tile of.
    #[must_use]
    pub fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    /// Returns its polygons, without corners of neighbours.
    #[must_use]
    pub fn polygons(&self) -> &PolygonMesh {
        &self.baked.polygons
    }

    /// Triangles that follow the ground, if the settings ask for them.
    #[must_use]
    pub fn heights(&self) -> Option<&HeightMesh> {
        self.baked.heights.as_ref()
    }

    /// Returns whether nothing in the tile is walkable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.baked.polygons.is_empty()
    }
}
