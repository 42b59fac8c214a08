//! Stage 1, solid spans: which parts of each column of cells are filled by triangles.
//!
//! # Rasterising
//!
//! A triangle is cut into rows of cells. Its part in a row is convex, and its height is linear
//! along each of its edges. So the lowest and the highest point over a cell lie on an edge: at a
//! corner, or where an edge enters or leaves the cell. Walking along the edges of each row, with
//! one interpolation a cell, finds both. All positions are computed from the whole triangle and the
//! number of the row or cell, never from a neighbour: two windows that share a cell agree.
//!
//! # Layout
//!
//! Rows are taken in bands of about 2¹⁶ columns. The fragments of a band are sorted by column
//! (counting, prefix sum, filling), each column is merged, and its spans are appended to one list.
//! A band's working memory stays in the cache, and no column owns memory of its own.
//!
//! Source: the method of solid height fields is that of Recast (Mononen, 2009).

use glam::Vec3;
use wayfare_core::ops;

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
    let first = min.floor() as i32;
    [first, (max.ceil() as i32 - 1).max(first)]
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
        band.start = window.z as i32 + index as i32 * rows as i32;
        band.end = (band.start + rows as i32).min((window.z + window.depth) as i32);
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

/// A part of a triangle over one cell, packed so that numbers sort by column, bottom, top, area.
#[derive(Clone, Copy)]
struct Fragment(u64);

impl Fragment {
    fn new(column: usize, bottom: u16, top: u16, ground: Ground) -> Self {
        let heights = u64::from(bottom) << 24 | u64::from(top) << 8;
        Self((column as u64) << 40 | heights | u64::from(ground.0))
    }

    fn column(self) -> usize {
        (self.0 >> 40) as usize
    }

    fn bottom(self) -> u16 {
        (self.0 >> 24) as u16
    }

    fn top(self) -> u16 {
        (self.0 >> 8) as u16
    }

    fn ground(self) -> Ground {
        Ground(self.0 as u8)
    }
}

/// Fragments of one band that are merged before all others are known: bounds the memory of levels
/// that fill the same columns again and again.
const MOST_FRAGMENTS: usize = 1 << 23;

/// The rows that are being rasterised.
struct Band {
    window: Window,
    /// Rows, in cells of the lattice: from `start` to before `end`.
    start: i32,
    end: i32,
    /// Heights up to this apart count as one surface when areas are merged.
    step: u16,
    fragments: Vec<Fragment>,
    sorted: Vec<Fragment>,
    first: Vec<u32>,
    /// The lowest and highest point over each cell of the row, from the triangle's first cell on.
    row: Vec<[f32; 2]>,
}

impl Band {
    fn new(window: Window, step: u16) -> Self {
        Self {
            window,
            start: 0,
            end: 0,
            step,
            fragments: Vec::new(),
            sorted: Vec::new(),
            first: Vec::new(),
            row: vec![[f32::INFINITY, f32::NEG_INFINITY]; window.width as usize],
        }
    }

    /// Cuts a triangle into fragments.
    fn add(&mut self, mut corners: [Vec3; 3], ground: Ground) {
        corners.sort_by(|a, b| a.z.total_cmp(&b.z));
        let [low, middle, high] = corners;
        let [z0, z1] = cells_between(low.z, high.z);
        for row in z0.max(self.start)..=z1.min(self.end - 1) {
            self.add_row(row, [low, middle, high], ground);
        }
        if self.fragments.len() > MOST_FRAGMENTS {
            self.compact();
        }
    }

    /// The fragments of a triangle, its corners sorted by z, in one row.
    fn add_row(&mut self, row: i32, [low, middle, high]: [Vec3; 3], ground: Ground) {
        let (near, far) = (row as f32, (row + 1) as f32);
        // The edges of the triangle's part in the row: at most three, and two cuts.
        let mut edges = [[Vec3::ZERO; 2]; 5];
        let mut count = 0;
        for [from, to] in [[low, high], [low, middle], [middle, high]] {
            if from.z <= far && to.z >= near {
                let start = if from.z < near { cut_at_z(from, to, near) } else { from };
                let end = if to.z > far { cut_at_z(from, to, far) } else { to };
                edges[count] = [start, end];
                count += 1;
            }
        }
        for z in [near, far] {
            if low.z < z && z < high.z {
                let [from, to] = if z < middle.z { [low, middle] } else { [middle, high] };
                edges[count] = [cut_at_z(low, high, z), cut_at_z(from, to, z)];
                count += 1;
            }
        }
        let edges = &edges[..count];
        let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
        for end in edges.iter().flatten() {
            (min, max) = (min.min(end.x), max.max(end.x));
        }
        if count == 0 {
            return;
        }
        let [x0, x1] = cells_between(min, max);
        let left = self.window.x as i32;
        let (from, to) = (x0.max(left), x1.min(left + self.window.width as i32 - 1));
        if from > to {
            return;
        }
        for &[start, end] in edges {
            walk_edge(start, end, [from, to], left, &mut self.row);
        }
        let base = (row - self.start) as usize * self.window.width as usize;
        for x in (from - left) as usize..=(to - left) as usize {
            let [low, high] =
                std::mem::replace(&mut self.row[x], [f32::INFINITY, f32::NEG_INFINITY]);
            if low <= high {
                // Conversions saturate, which keeps rounding at the level's bounds in range.
                let bottom = (low.floor() as u16).min(u16::MAX - 2);
                let top = (high.ceil() as u16).clamp(bottom + 1, u16::MAX - 1);
                self.fragments.push(Fragment::new(base + x, bottom, top, ground));
            }
        }
    }

    /// Sorts the fragments by column and within it.
    fn sort(&mut self) {
        let columns = (self.end - self.start) as usize * self.window.width as usize;
        self.first.clear();
        self.first.resize(columns + 1, 0);
        for fragment in &self.fragments {
            self.first[fragment.column() + 1] += 1;
        }
        for column in 0..columns {
            self.first[column + 1] += self.first[column];
        }
        self.sorted.clear();
        self.sorted.resize(self.fragments.len(), Fragment(0));
        // Filling moves the start of each column to its end, which is the start of the next one.
        for &fragment in &self.fragments {
            let next = &mut self.first[fragment.column()];
            self.sorted[*next as usize] = fragment;
            *next += 1;
        }
        let mut from = 0;
        for &to in &self.first[..columns] {
            let column = &mut self.sorted[from..to as usize];
            match column {
                [] | [_] => {}
                [a, b] => {
                    if a.0 > b.0 {
                        std::mem::swap(a, b);
                    }
                }
                _ => column.sort_unstable_by_key(|fragment| fragment.0),
            }
            from = to as usize;
        }
    }

    /// Merges the additions so far, so that they take no more memory than the spans.
    fn compact(&mut self) {
        self.sort();
        self.fragments.clear();
        let mut rest = &self.sorted[..];
        while let Some(&fragment) = rest.first() {
            let column = fragment.column();
            let count = rest.iter().take_while(|other| other.column() == column).count();
            merge(&rest[..count], self.step, |span| {
                self.fragments.push(Fragment::new(column, span.bottom, span.top, span.ground));
            });
            rest = &rest[count..];
        }
    }

    /// Appends the spans of the band to the field.
    fn finish(&mut self, field: &mut SpanField) {
        self.sort();
        let columns = (self.end - self.start) as usize * self.window.width as usize;
        let mut from = 0;
        for &to in &self.first[..columns] {
            let to = to as usize;
            match self.sorted[from..to] {
                [] => {}
                [one] => field.spans.push(SolidSpan {
                    bottom: one.bottom(),
                    top: one.top(),
                    ground: one.ground(),
                }),
                ref several => merge(several, self.step, |span| field.spans.push(span)),
            }
            field.first.push(field.spans.len() as u32);
            from = to;
        }
        self.fragments.clear();
    }
}

/// Joins fragments of a column, in ascending order, that overlap or touch.
///
/// The area of a joined span is that of its highest walkable fragment no more than a step below the
/// top; of equally high ones the largest id. Which triangle came first does not matter.
fn merge(fragments: &[Fragment], step: u16, mut push: impl FnMut(SolidSpan)) {
    let mut rest = fragments;
    while let Some(first) = rest.first() {
        let mut top = first.top();
        let count = rest
            .iter()
            .take_while(|fragment| {
                let joins = fragment.bottom() <= top;
                if joins {
                    top = top.max(fragment.top());
                }
                joins
            })
            .count();
        let (joined, others) = rest.split_at(count);
        let ground = joined
            .iter()
            .filter(|fragment| fragment.ground().is_walkable() && top - fragment.top() <= step)
            .max_by_key(|fragment| (fragment.top(), fragment.ground()))
            .map_or(Ground::BLOCKED, |fragment| fragment.ground());
        push(SolidSpan { bottom: first.bottom(), top, ground });
        rest = others;
    }
}

/// Returns the point of an edge at a given z, with `from.z < z < to.z` or at an end.
fn cut_at_z(from: Vec3, to: Vec3, z: f32) -> Vec3 {
    let depth = to.z - from.z;
    if depth <= 0.0 {
        return from;
    }
    let share = (z - from.z) / depth;
    let at = from + (to - from) * share;
    let (min, max) = (from.min(to), from.max(to));
    Vec3::new(at.x.clamp(min.x, max.x), at.y.clamp(min.y, max.y), z)
}

/// Widens the heights of the cells that an edge passes over, from cell `within[0]` to `within[1]`.
fn walk_edge(start: Vec3, end: Vec3, within: [i32; 2], left: i32, row: &mut [[f32; 2]]) {
    let (from, to) = if start.x <= end.x { (start, end) } else { (end, start) };
    let [first, last] = cells_between(from.x, to.x);
    let (first, last) = (first.min(within[1]), last.min(within[1]));
    if last < within[0] {
        return;
    }
    let mut widen = |cell: i32, y: f32| {
        let heights = &mut row[(cell - left) as usize];
        *heights = [heights[0].min(y), heights[1].max(y)];
    };
    let slope = (to.y - from.y) / (to.x - from.x);
    let (lowest, highest) = (from.y.min(to.y), from.y.max(to.y));
    let height_at = |x: i32| (from.y + (x as f32 - from.x) * slope).clamp(lowest, highest);
    let mut y = from.y;
    let mut cell = first;
    if cell < within[0] {
        cell = within[0];
        y = height_at(cell);
    }
    while cell < last {
        let next = height_at(cell + 1);
        widen(cell, y);
        widen(cell, next);
        (cell, y) = (cell + 1, next);
    }
    widen(last, y);
    // An edge that goes on beyond the window ends at its last cell.
    let beyond = to.x > (last + 1) as f32;
    widen(last, if beyond { height_at(last + 1) } else { to.y });
}
