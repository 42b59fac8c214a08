//! Where the tiles of a lattice are, and the cells and triangles that each of them needs.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use glam::Vec3;

use crate::spans::Prepared;
use crate::{BakeError, BakeSettings, Lattice, LevelGeometry, Window, spans};

/// The position of a tile: its column along x and its row along z, from 0. Tiles are ordered row by
/// row.
///
/// ```
/// use wayfare_bake::TileId;
///
/// assert!(TileId { row: 0, column: 7 } < TileId { row: 1, column: 0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId {
    /// The row, along z.
    pub row: u32,
    /// The column, along x.
    pub column: u32,
}

/// The windows of square tiles over all cells of a lattice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TileWindows {
    side: u32,
    /// Cells around a tile that are baked with it.
    border: u32,
    columns: u32,
    rows: u32,
    whole: Window,
}

impl TileWindows {
    pub(crate) fn new(lattice: &Lattice, side: u32, radius: u32) -> Self {
        let whole = lattice.whole();
        // A cell for ledges, one for links, one for corners.
        let border = radius + 3;
        let [columns, rows] = [whole.width, whole.depth].map(|cells| cells.div_ceil(side));
        Self { side, border, columns, rows, whole }
    }

    /// Returns the tile of a point in plan, in cells; for a point beyond the lattice, the nearest
    /// tile.
    pub(crate) fn tile_of(&self, x: f64, z: f64) -> TileId {
        let [x, z] = [x, z].map(|at| at.max(0.0) as u32 / self.side);
        TileId { row: z.min(self.rows - 1), column: x.min(self.columns - 1) }
    }

    /// Returns the cells of a tile.
    pub(crate) fn inner(&self, TileId { row, column }: TileId) -> Window {
        let (x, z) = (column * self.side, row * self.side);
        let width = self.side.min(self.whole.width - x);
        let depth = self.side.min(self.whole.depth - z);
        Window { x, z, width, depth }
    }

    /// Returns the cells that are baked for a tile.
    pub(crate) fn outer(&self, tile: TileId) -> Window {
        let Window { x, z, width, depth } = self.inner(tile);
        let grown = |start: u32, length: u32, all: u32| {
            let low = start.saturating_sub(self.border);
            (low, (start + length + self.border).min(all) - low)
        };
        let (left, width) = grown(x, width, self.whole.width);
        let (top, depth) = grown(z, depth, self.whole.depth);
        Window { x: left, z: top, width, depth }
    }

    /// Returns the tiles that need what reaches from one cell to another along x, then z.
    fn near(&self, [[x0, x1], [z0, z1]]: [[i32; 2]; 2]) -> [RangeInclusive<u32>; 2] {
        let (side, border) = (self.side as i32, self.border as i32);
        let range = |low: i32, high: i32, count: u32| {
            let last = count as i32 - 1;
            let from = (low - border).div_euclid(side).clamp(0, last);
            from as u32..=(high + border).div_euclid(side).clamp(0, last) as u32
        };
        [range(x0, x1, self.columns), range(z0, z1, self.rows)]
    }

    /// Returns the triangles that each tile needs, in order; of tiles that need some.
    pub(crate) fn bins(
        &self,
        level: &LevelGeometry,
        prepared: &Prepared,
        settings: &BakeSettings,
    ) -> Result<BTreeMap<TileId, Vec<u32>>, BakeError> {
        let near = |index: u32| self.near(prepared.reach(level, index));
        let triangles = 0..level.triangles().len() as u32;
        let length = |range: &RangeInclusive<u32>| u64::from(range.end() - range.start() + 1);
        let pairs = triangles.clone().map(|index| {
            let [columns, rows] = near(index);
            length(&columns) * length(&rows)
        });
        settings.allow("the triangles of the tiles", pairs.fold(0, u64::saturating_add) * 4)?;
        let mut bins: BTreeMap<TileId, Vec<u32>> = BTreeMap::new();
        for index in triangles {
            let [columns, rows] = near(index);
            for row in rows {
                for column in columns.clone() {
                    bins.entry(TileId { row, column }).or_default().push(index);
                }
            }
        }
        Ok(bins)
    }
}

/// A lattice cut into square tiles that are baked apart: where they are, and which of them a change
/// of the level touches.
///
/// Tiles fit together if their tilings have the same lattice and the same settings. Only the memory
/// limit may differ.
///
/// ```
/// use wayfare_bake::{BakeSettings, TileId, Tiling, WalkerShape};
///
/// let settings = BakeSettings::new(WalkerShape::default());
/// let settings = BakeSettings { tile_side: Some(64), ..settings };
/// let bounds = [[0.0, -10.0, 0.0].into(), [200.0, 40.0, 100.0].into()];
/// let tiling = Tiling::over(bounds, settings)?;
/// assert_eq!((tiling.columns(), tiling.rows()), (16, 8)); // of 64 cells of 0.2 m
/// let tile = tiling.tile_at([14.0, 0.0, 3.0].into());
/// assert_eq!(tile, TileId { row: 0, column: 1 });
/// // A piece at the border of two tiles changes both.
/// let piece = [[12.0, 0.0, 3.0].into(), [12.7, 0.5, 4.0].into()];
/// assert_eq!(tiling.touched(piece), [TileId { row: 0, column: 0 }, tile]);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tiling {
    lattice: Lattice,
    settings: BakeSettings,
    side: u32,
    windows: TileWindows,
}

impl Tiling {
    /// Returns the tiles over a box, given by its lowest and its highest corner in metres. It
    /// should have room for all that the level may become: tiles without triangles cost nothing.
    ///
    /// # Errors
    /// As [`Lattice::over`]; [`BakeError::Setting`] without a
    /// [tile side](BakeSettings::tile_side).
    pub fn over(bounds: [Vec3; 2], settings: BakeSettings) -> Result<Self, BakeError> {
        Self::of(Lattice::over(bounds, &settings)?, settings)
    }

    /// Returns the tiles of a lattice.
    pub(crate) fn of(lattice: Lattice, settings: BakeSettings) -> Result<Self, BakeError> {
        let Some(side) = settings.tile_side else {
            let (name, value) = ("the tile side", "none".into());
            return Err(BakeError::Setting { name, value, range: "at least 16 cells" });
        };
        let windows = TileWindows::new(&lattice, side, settings.radius_cells());
        Ok(Self { lattice, settings, side, windows })
    }

    /// Returns the lattice that all tiles count cells by.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the settings that all tiles are baked with.
    #[must_use]
    pub fn settings(&self) -> &BakeSettings {
        &self.settings
    }

    /// Returns the number of tiles along x.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.windows.columns
    }

    /// Returns the number of tiles along z.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.windows.rows
    }

    /// Returns the tile of a position in metres; of one beside the lattice, the nearest.
    #[must_use]
    pub fn tile_at(&self, position: Vec3) -> TileId {
        let at = (position.as_dvec3() - self.lattice.origin()) / self.lattice.cell_size();
        self.windows.tile_of(at.x, at.z)
    }

    /// Returns the tiles within a distance of a position in plan, in metres, in order: to be loaded
    /// around an agent. A tile counts by its nearest point.
    #[must_use]
    pub fn around(&self, position: Vec3, distance: f32) -> Vec<TileId> {
        let cell = self.lattice.cell_size();
        let at = (position.as_dvec3() - self.lattice.origin()) / cell;
        let reach = f64::from(distance) / cell;
        let corner = |sign: f64| self.windows.tile_of(at.x + sign * reach, at.z + sign * reach);
        let (low, high) = (corner(-1.0), corner(1.0));
        let beyond = |at: f64, start: u32, length: u32| {
            let (start, length) = (f64::from(start), f64::from(length));
            (start - at).max(at - start - length).max(0.0)
        };
        let is_near = |tile: &TileId| {
            let Window { x, z, width, depth } = self.windows.inner(*tile);
            let (dx, dz) = (beyond(at.x, x, width), beyond(at.z, z, depth));
            dx * dx + dz * dz <= reach * reach
        };
        tiles_between(low, high).filter(is_near).collect()
    }

    /// Returns the tiles to bake again after a change of the level within a box, given by its
    /// lowest and its highest corner in metres, in order: its own tiles, and neighbours so near
    /// that walls or drops in the box may take ground from them.
    ///
    /// For a piece that was moved, the tiles of the box where it was and of the box where it is.
    /// Empty for a box that is beside the lattice or no box at all.
    #[must_use]
    pub fn touched(&self, [min, max]: [Vec3; 2]) -> Vec<TileId> {
        let within = |[low, high]: [i32; 2], cells: u32| {
            let border = self.windows.border as i32;
            high >= -border && low < cells as i32 + border
        };
        // Clamped, so that sums of cells do not overflow.
        let most = Vec3::splat(4_194_304.0);
        let [low, high] = [min, max].map(|at| self.lattice.in_cells(at).clamp(-most, most));
        let cells = spans::cells_around(low, high);
        let is_box = min.cmple(max).all();
        if !is_box
            || !within(cells[0], self.lattice.width())
            || !within(cells[1], self.lattice.depth())
        {
            return Vec::new();
        }
        let [columns, rows] = self.windows.near(cells);
        let first = TileId { row: *rows.start(), column: *columns.start() };
        tiles_between(first, TileId { row: *rows.end(), column: *columns.end() }).collect()
    }

    /// Returns the box of the level that a tile depends on, in metres: its lowest and its highest
    /// corner. Triangles beyond it change nothing.
    ///
    /// # Errors
    /// [`BakeError::NoTile`].
    pub fn reach(&self, tile: TileId) -> Result<[Vec3; 2], BakeError> {
        self.check(tile)?;
        let Window { x, z, width, depth } = self.windows.outer(tile);
        let at = |x: u32, y: u32, z: u32| {
            let [x, y, z] = [x, y, z].map(|cells| cells as i32);
            self.lattice.position(crate::LatticePoint { x, y, z })
        };
        Ok([at(x, 0, z), at(x + width, self.lattice.height(), z + depth)])
    }

    /// Refuses tiles that there are not.
    pub(crate) fn check(&self, TileId { row, column }: TileId) -> Result<(), BakeError> {
        let (columns, rows) = (self.columns(), self.rows());
        if column < columns && row < rows {
            return Ok(());
        }
        Err(BakeError::NoTile { column, row, columns, rows })
    }

    /// Returns whether tiles of another tiling fit beside tiles of this one.
    pub(crate) fn fits(&self, other: &Tiling) -> bool {
        let memory_limit = self.settings.memory_limit;
        let settings = BakeSettings { memory_limit, ..other.settings };
        self.lattice == other.lattice && self.settings == settings
    }

    /// Returns the side of a tile in cells.
    pub(crate) fn side(&self) -> i32 {
        self.side as i32
    }

    pub(crate) fn windows(&self) -> &TileWindows {
        &self.windows
    }
}

/// Returns the tiles of a rectangle, row by row.
fn tiles_between(first: TileId, last: TileId) -> impl Iterator<Item = TileId> {
    (first.row..=last.row)
        .flat_map(move |row| (first.column..=last.column).map(move |column| TileId { row, column }))
}
