//! Stage 1, solid spans: which parts of each column of cells are filled by triangles.
//!
//! # Rasterising
//!
//! A triangle is cut into [rows](row) of cells, whose parts become fragments. All positions are
//! computed from the whole triangle and the number of the row or cell, never from a neighbour: two
//! windows that share a cell agree.
//!
//! # Layout
//!
//! Rows are taken in bands of about 2¹⁶ columns. A column keeps its first fragment in place; most
//! have no other, since an equal one adds nothing. The rest of a band is sorted by column
//! (counting, prefix sum, filling), each column is merged, and its spans are appended to one list.
//! A band's working memory stays in the cache, and no column owns memory of its own.
//!
//! Source: the method of solid height fields is that of Recast (Mononen, 2009).

mod band;
mod row;

use glam::Vec3;
use wayfare_core::ops;

use self::band::Band;
use crate::progress::{Progress, Stage};
use crate::{BakeError, BakeSettings, Ground, Lattice, LevelGeometry, Window};

/// A filled part of a column, in units of the cell height.
///
/// ```
/// use wayfare_bake::{Ground, SolidSpan};
///
/// let floor = SolidSpan { bottom: 0, top: 3, ground: Ground::PLAIN };
/// assert!(floor.ground.is_walkable());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolidSpan {
    /// The lower end.
    pub bottom: u16,
    /// The upper end, above `bottom`.
    pub top: u16,
    /// The ground of the upper end.
    pub ground: Ground,
}

/// The solid spans of a window: the output of the first stage, which filters change.
///
/// ```
/// use wayfare_bake::{BakeSettings, Bake, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// let level =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let bake = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?;
/// let spans = bake.spans()?;
/// assert_eq!(spans.column(0).len(), 1);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SpanField {
    pub(crate) lattice: Lattice,
    pub(crate) window: Window,
    /// The first span of each column, and the number of spans at the end.
    pub(crate) first: Vec<u32>,
    pub(crate) spans: Vec<SolidSpan>,
}

impl SpanField {
    /// Returns the lattice that cells are counted by.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the cells that are covered.
    #[must_use]
    pub fn window(&self) -> Window {
        self.window
    }

    /// Returns the number of spans in all columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Returns whether there is no span.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Returns the spans of a column, in ascending order; none beyond the window.
    #[must_use]
    pub fn column(&self, column: usize) -> &[SolidSpan] {
        match (self.first.get(column), self.first.get(column + 1)) {
            (Some(&from), Some(&to)) => &self.spans[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// Triangles in units of cells, with the area of each by its slope.
pub(crate) struct Prepared {
    vertices: Vec<Vec3>,
    areas: Vec<Ground>,
}

/// The largest number of cells, each counted once a triangle, as a multiple of the columns; and the
/// number that is allowed in any case.
const MOST_COVERED: (u64, u64) = (4096, 1 << 32);

impl Prepared {
    /// Scales the vertices, and finds the walkable triangles.
    pub(crate) fn new(
        level: &LevelGeometry,
        settings: &BakeSettings,
        lattice: &Lattice,
    ) -> Result<Self, BakeError> {
        let vertices: Vec<Vec3> = level.vertices().iter().map(|&at| lattice.in_cells(at)).collect();
        let least = f64::from(ops::sin_cos(settings.walker.slope.to_radians()).cos);
        let (mut areas, mut covered) = (Vec::with_capacity(level.triangles().len()), 0_u64);
        for (index, &corners) in level.triangles().iter().enumerate() {
            let [a, b, c] = corners.map(|v| level.vertices()[v as usize].as_dvec3());
            let normal = (b - a).cross(c - a);
            let steep =
                normal.y <= 0.0 || normal.y * normal.y < least * least * normal.length_squared();
            areas.push(if steep { Ground::BLOCKED } else { level.ground(index) });
            let [a, b, c] = corners.map(|v| vertices[v as usize]);
            let size = a.max(b).max(c) - a.min(b).min(c);
            covered += (size.x as u64 + 1) * (size.z as u64 + 1);
        }
        let columns = u64::from(lattice.width()) * u64::from(lattice.depth());
        let limit = MOST_COVERED.1.max(columns.saturating_mul(MOST_COVERED.0));
        if covered > limit {
            return Err(BakeError::Work { covered, limit });
        }
        Ok(Self { vertices, areas })
    }

    /// Returns the corners and area of a triangle.
    fn triangle(&self, level: &LevelGeometry, index: u32) -> ([Vec3; 3], Ground) {
        let corners = level.triangles()[index as usize].map(|v| self.vertices[v as usize]);
        (corners, self.areas[index as usize])
    }

    /// Returns the rows and columns of cells that a triangle reaches: first and last of x, then of
    /// z.
    pub(crate) fn reach(&self, level: &LevelGeometry, index: u32) -> [[i32; 2]; 2] {
        let [a, b, c] = self.triangle(level, index).0;
        cells_around(a.min(b).min(c), a.max(b).max(c))
    }
}

/// Returns the rows and columns of cells between two corners, in cells: first and last of x, then
/// of z.
pub(crate) fn cells_around(min: Vec3, max: Vec3) -> [[i32; 2]; 2] {
    [cells_between(min.x, max.x), cells_between(min.z, max.z)]
}

/// Returns the first and the last cell of an interval. A cell that is only touched at its lower end
/// does not count, unless the interval is a point.
fn cells_between(min: f32, max: f32) -> [i32; 2] {
    let first = floor(min);
    [first, (ceiling(max) - 1).max(first)]
}

/// Returns the largest integer that is not above a coordinate of a cell, without a call of the
/// mathematical library.
#[inline(always)]
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_sub(i32::from(whole as f32 > value))
}

/// Rasterises the triangles with the given indices into a window.
pub(crate) fn rasterise(
    level: &LevelGeometry,
    prepared: &Prepared,
    triangles: &[u32],
    lattice: &Lattice,
    window: Window,
    settings: &BakeSettings,
    progress: &Progress<'_>,
) -> Result<SpanField, BakeError> {
    let columns = window.columns();
    let memory = |spans: usize| (columns as u64 + 1) * 4 + spans as u64 * 48;
    settings.allow("the field", memory(columns))?;
    let rows = (65_536 / window.width.max(1)).clamp(1, 64);
    let bands = window.depth.div_ceil(rows) as usize;
    let bins = Bins::new(level, prepared, triangles, window, rows, bands);

    let mut first = Vec::with_capacity(columns + 1);
    first.push(0);
    let mut field = SpanField { lattice: *lattice, window, first, spans: Vec::new() };
    let mut band = Band::new(window, settings.step_cells());
    for index in 0..bands {
        progress.at(Stage::Spans, index, bands)?;
        let start = window.z as i32 + index as i32 * rows as i32;
        band.begin(start, (start + rows as i32).min((window.z + window.depth) as i32));
        for &triangle in bins.of(index) {
            let (corners, ground) = prepared.triangle(level, triangle);
            band.add(corners, ground);
        }
        band.finish(&mut field);
        settings.allow("the spans", memory(field.spans.len()))?;
    }
    Ok(field)
}

/// The triangles of each band: counted, summed, filled.
struct Bins {
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl Bins {
    fn new(
        level: &LevelGeometry,
        prepared: &Prepared,
        triangles: &[u32],
        window: Window,
        rows: u32,
        bands: usize,
    ) -> Self {
        let (left, top) = (window.x as i32, window.z as i32);
        let (right, bottom) = (left + window.width as i32 - 1, top + window.depth as i32 - 1);
        let bands_of = |&index: &u32| {
            let [[x0, x1], [z0, z1]] = prepared.reach(level, index);
            if x1 < left || x0 > right || z1 < top || z0 > bottom {
                return 0..0;
            }
            let band = |z: i32| (z.clamp(top, bottom) - top) as usize / rows as usize;
            band(z0)..band(z1) + 1
        };
        let mut first = vec![0_u32; bands + 1];
        for band in triangles.iter().flat_map(bands_of) {
            first[band + 1] += 1;
        }
        for band in 0..bands {
            first[band + 1] += first[band];
        }
        let mut next = first.clone();
        let mut filled = vec![0; first[bands] as usize];
        for triangle in triangles {
            for band in bands_of(triangle) {
                filled[next[band] as usize] = *triangle;
                next[band] += 1;
            }
        }
        Self { first, triangles: filled }
    }

    fn of(&self, band: usize) -> &[u32] {
        &self.triangles[self.first[band] as usize..self.first[band + 1] as usize]
    }
}

/// Returns the smallest integer that is not below a coordinate of a cell.
#[inline(always)]
fn ceiling(value: f32) -> i32 {
    let whole = value as i32;
    whole.saturating_add(i32::from((whole as f32) < value))
}
