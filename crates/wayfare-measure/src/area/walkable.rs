//! Ground in convex pieces, with the openings between them.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};

use super::mosaic::{Mosaic, around};
use super::outline::{Outline, outlines, wkt};
use crate::convex::{Convex, NotConvex};

/// Pieces that are no ground.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum AreaError {
    /// A piece is no convex polygon.
    #[error("piece {number}, seen from above: {fault}")]
    Piece {
        /// The number of the piece, from 0.
        number: u32,
        /// What is wrong with it.
        fault: NotConvex,
    },
    /// A piece lies on another one.
    #[error("piece {number} lies on the same side of an edge as another piece")]
    Overlap {
        /// The number of the piece, from 0.
        number: u32,
    },
}

/// A part of the ground, convex.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Piece {
    pub(crate) shape: Convex,
    /// Where it is left to other pieces.
    pub(crate) openings: Vec<Opening>,
    island: u32,
}

/// The side that two pieces have in common. It is straight, since both are convex.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Opening {
    /// The number of the other piece.
    pub(crate) to: u32,
    pub(crate) ends: [DVec2; 2],
}

/// The ground that people walk on, seen from above.
///
/// Pieces that have a side between the same two corners are one piece of ground. Their union is
/// exact: no coordinate is computed.
///
/// ```
/// use glam::Vec3;
/// use wayfare_measure::WalkableArea;
///
/// // Eight cells around a pillar.
/// let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
/// let cell = |x, z| [at(x, z), at(x + 1.0, z), at(x + 1.0, z + 1.0), at(x, z + 1.0)];
/// let places = [0, 1, 2, 3, 5, 6, 7, 8].map(|n| cell((n % 3) as f32, (n / 3) as f32));
/// let area = WalkableArea::new(places)?;
/// assert_eq!((area.size(), area.outlines().len()), (8.0, 1));
/// assert_eq!(area.wkt(), "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))");
/// # Ok::<(), wayfare_measure::AreaError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct WalkableArea {
    pieces: Vec<Piece>,
    outlines: Vec<Outline>,
    bins: Bins,
}

impl WalkableArea {
    /// Returns the ground of these convex pieces, each given by its corners in either order. Only x
    /// and z count, except that corners at different heights are different corners.
    ///
    /// Rectangles along the axes are joined into larger ones. O(n log n) in the corners.
    ///
    /// # Errors
    /// When a piece is not convex, or two lie on each other.
    pub fn new<P: AsRef<[Vec3]>>(pieces: impl IntoIterator<Item = P>) -> Result<Self, AreaError> {
        let mosaic = Mosaic::new(pieces)?;
        let islands = mosaic.islands();
        let outlines = outlines(&mosaic, &islands);
        let groups = Groups::of(&mosaic);
        let pieces = groups.pieces(&mosaic, &islands);
        let bins = Bins::of(&pieces);
        Ok(Self { pieces, outlines, bins })
    }

    /// Returns its size in square metres.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.shape.area()).sum()
    }

    /// Returns the outlines of its islands: of parts that do not touch, or at single points only.
    #[must_use]
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// Returns the outlines of the islands that have one of these points.
    #[must_use]
    pub fn outlines_around(&self, points: impl IntoIterator<Item = DVec2>) -> Vec<&Outline> {
        let pieces = points.into_iter().filter_map(|point| self.piece_at(point));
        let mut islands: Vec<u32> =
            pieces.map(|number| self.pieces[number as usize].island).collect();
        islands.sort_unstable();
        islands.dedup();
        let is_wanted = |outline: &&Outline| islands.binary_search(&outline.island).is_ok();
        self.outlines.iter().filter(is_wanted).collect()
    }

    /// Returns all outlines as well-known text, with z as the second coordinate.
    #[must_use]
    pub fn wkt(&self) -> String {
        wkt(&self.outlines)
    }

    /// Returns the part of a polygon's area that is ground, in square metres.
    #[must_use]
    pub fn size_within(&self, polygon: &Convex) -> f64 {
        self.pieces.iter().map(|piece| piece.shape.common(polygon).area()).sum()
    }

    /// Returns the smallest rectangle along the axes around it; `None` if there is no ground.
    #[must_use]
    pub fn bounding_box(&self) -> Option<Convex> {
        self.bounds().map(|[low, high]| Convex::rectangle(low, high))
    }

    /// Returns the length of a straight line that is on ground, in metres.
    #[must_use]
    pub fn length_within(&self, from: DVec2, to: DVec2) -> f64 {
        let [from, to] = aside(from, to);
        self.pieces.iter().map(|piece| piece.shape.length_within(from, to)).sum()
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the lowest and the highest corner of a box around it; `None` if there is no ground.
    pub(crate) fn bounds(&self) -> Option<[DVec2; 2]> {
        let corners = self.pieces.iter().flat_map(|piece| piece.shape.corners());
        corners.fold(None, |bounds, &corner| match bounds {
            None => Some([corner, corner]),
            Some([min, max]) => Some([corner.min(min), corner.max(max)]),
        })
    }

    /// Returns the piece with a point in it, or at most a millimetre away: bodies stand on borders
    /// too, and their positions are rounded.
    pub(crate) fn piece_at(&self, point: DVec2) -> Option<u32> {
        const SLACK: f64 = 1e-3;
        let near = self.bins.near(point).iter();
        let inside =
            near.map(|&number| (self.pieces[number as usize].shape.inside_by(point), number));
        let deepest = inside.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        deepest.filter(|(inside, _)| *inside >= -SLACK).map(|(_, number)| number)
    }
}

/// Returns a line a little to the left of another, where x turns left into z, so that a line along
/// the common side of two pieces is in one of them only.
pub(crate) fn aside(from: DVec2, to: DVec2) -> [DVec2; 2] {
    const BY: f64 = 1e-7;
    let aside = (to - from).normalize_or_zero().perp() * BY;
    [from + aside, to + aside]
}

/// Pieces that were joined into larger ones: for each piece the number of its larger one.
struct Groups {
    of: Vec<u32>,
    shapes: Vec<Convex>,
}

impl Groups {
    /// Joins rectangles along the axes in rows, and rows of the same extent in columns.
    fn of(mosaic: &Mosaic) -> Self {
        let shape = |piece: usize| Convex::new(mosaic.pieces[piece].iter().map(|c| mosaic.at(*c)));
        let boxes: Vec<Option<[DVec2; 2]>> =
            (0..mosaic.pieces.len()).map(|piece| box_of(mosaic, piece)).collect();
        let (mut of, mut shapes): (Vec<u32>, Vec<Convex>) = (vec![u32::MAX; boxes.len()], vec![]);
        for first in 0..boxes.len() {
            if of[first] != u32::MAX {
                continue;
            }
            let number = shapes.len() as u32;
            of[first] = number;
            let Some([min, mut max]) = boxes[first] else {
                // It was convex when the mosaic was made.
                shapes.push(shape(first).unwrap_or_default());
                continue;
            };
            // Each row of the group, from left to right.
            let free = |at: u32, of: &[u32]| of[at as usize] == u32::MAX;
            let beside = |at: u32, axis: usize| {
                let [low, high] = boxes[at as usize]?;
                neighbour(mosaic, &boxes, at, axis).filter(|&other| {
                    // Of the same extent across.
                    let side = |[low, high]: [DVec2; 2]| [low[1 - axis], high[1 - axis]];
                    boxes[other as usize].is_some_and(|other| side(other) == side([low, high]))
                })
            };
            let mut row = vec![first as u32];
            while let Some(next) = row.last().and_then(|&last| beside(last, 0)) {
                if !free(next, &of) {
                    break;
                }
                of[next as usize] = number;
                row.push(next);
            }
            if let Some([_, high]) = row.last().and_then(|&last| boxes[last as usize]) {
                max.x = high.x;
            }
            // The next row must have a free piece below each of this one.
            loop {
                let below: Option<Vec<u32>> =
                    row.iter().map(|&at| beside(at, 1).filter(|&at| free(at, &of))).collect();
                let Some(below) = below else { break };
                // All of one height, so that the whole is a rectangle.
                let ends = below.iter().map(|&at| boxes[at as usize].map(|[_, high]| high.y));
                let mut ends = ends.collect::<Vec<_>>();
                ends.dedup();
                let [Some(end)] = ends[..] else { break };
                max.y = end;
                below.iter().for_each(|&at| of[at as usize] = number);
                row = below;
            }
            shapes.push(Convex::rectangle(min, max));
        }
        Self { of, shapes }
    }

    fn pieces(self, mosaic: &Mosaic, islands: &[u32]) -> Vec<Piece> {
        let Self { of, shapes } = self;
        let mut pieces: Vec<Piece> = shapes
            .into_iter()
            .map(|shape| Piece { shape, openings: Vec::new(), island: 0 })
            .collect();
        // The ends of the common side of each two, as far apart as they were seen.
        let mut common: BTreeMap<[u32; 2], [DVec2; 2]> = BTreeMap::new();
        for (piece, corners) in mosaic.pieces.iter().enumerate() {
            let own = of[piece];
            pieces[own as usize].island = islands[piece];
            for side in around(corners) {
                let Some(other) = mosaic.across(side).map(|other| of[other as usize]) else {
                    continue;
                };
                if other != own {
                    let [a, b] = side.map(|corner| mosaic.at(corner));
                    let ends = common.entry([own, other]).or_insert([a, b]);
                    for point in [a, b] {
                        if point.distance(ends[0]) > ends[1].distance(ends[0]) {
                            ends[1] = point;
                        } else if point.distance(ends[1]) > ends[0].distance(ends[1]) {
                            ends[0] = point;
                        }
                    }
                }
            }
        }
        for ([own, to], ends) in common {
            pieces[own as usize].openings.push(Opening { to, ends });
        }
        pieces
    }
}

/// Returns the lower and the higher corner of a piece that is a rectangle along the axes.
fn box_of(mosaic: &Mosaic, piece: usize) -> Option<[DVec2; 2]> {
    let corners = &mosaic.pieces[piece];
    let places: Vec<DVec2> = corners.iter().map(|corner| mosaic.at(*corner)).collect();
    let is_along = |[from, to]: [DVec2; 2]| from.x == to.x || from.y == to.y;
    let is_box = places.len() == 4
        && (0..4).all(|at| is_along([places[at], places[(at + 1) % 4]]))
        && places[0].x != places[2].x
        && places[0].y != places[2].y;
    let (low, high) =
        (places.iter().copied().reduce(DVec2::min)?, places.into_iter().reduce(DVec2::max)?);
    is_box.then_some([low, high])
}

/// Returns the rectangle at the higher side of another along an axis.
fn neighbour(
    mosaic: &Mosaic,
    boxes: &[Option<[DVec2; 2]>],
    piece: u32,
    axis: usize,
) -> Option<u32> {
    let [_, high] = boxes[piece as usize]?;
    let at = |corner: u32| mosaic.at(corner)[axis];
    let mut sides = around(&mosaic.pieces[piece as usize]);
    let side = sides.find(|[from, to]| at(*from) == high[axis] && at(*to) == high[axis])?;
    mosaic.across(side).filter(|&other| boxes[other as usize].is_some())
}

/// The pieces near each point, by squares.
#[derive(Clone, PartialEq, Debug)]
struct Bins {
    origin: DVec2,
    side: f64,
    columns: usize,
    bins: Vec<Vec<u32>>,
}

impl Bins {
    fn of(pieces: &[Piece]) -> Self {
        let corners = || pieces.iter().flat_map(|piece| piece.shape.corners().iter().copied());
        let [Some(low), Some(high)] = [corners().reduce(DVec2::min), corners().reduce(DVec2::max)]
        else {
            return Self { origin: DVec2::ZERO, side: 1.0, columns: 0, bins: Vec::new() };
        };
        // As many squares as pieces, and no more of them in a line than that.
        let (size, count) = (high - low, pieces.len() as f64);
        let side = (size.x * size.y / count).sqrt().max(size.max_element() / count);
        let [columns, rows] = [size.x, size.y].map(|size| (size / side) as usize + 1);
        let mut bins = vec![Vec::new(); columns * rows];
        for (number, piece) in (0u32..).zip(pieces) {
            let corners = || piece.shape.corners().iter().map(|corner| (*corner - low) / side);
            let span = |axis: usize, most: usize| {
                let least = corners().map(|corner| corner[axis]).fold(f64::INFINITY, f64::min);
                let last = corners().map(|corner| corner[axis]).fold(0.0, f64::max);
                // A little further than the piece, for points just beside it.
                ((least - 0.01).max(0.0) as usize)..=((last + 0.01) as usize).min(most - 1)
            };
            for row in span(1, rows) {
                for column in span(0, columns) {
                    bins[row * columns + column].push(number);
                }
            }
        }
        Self { origin: low, side, columns, bins }
    }

    fn near(&self, point: DVec2) -> &[u32] {
        let place = ((point - self.origin) / self.side).max(DVec2::ZERO);
        let (column, row) = (place.x as usize, place.y as usize);
        let rows = self.bins.len().checked_div(self.columns).unwrap_or(0);
        let (last_column, last_row) = (self.columns.saturating_sub(1), rows.saturating_sub(1));
        let at = row.min(last_row) * self.columns + column.min(last_column);
        self.bins.get(at).map_or(&[], Vec::as_slice)
    }
}
