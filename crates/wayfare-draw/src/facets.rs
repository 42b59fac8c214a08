//! Facets: the triangles of blocks seen from a corner.

use glam::Vec2;

use crate::{Area, Colour};

/// A lattice of coloured triangles: a world of blocks seen along the diagonal of a block.
///
/// All columns have one width. In each column the sides of the triangles are vertical, or rise or
/// fall by half a column. The middle of triangle `row` lies `row` half columns below the corner. It
/// points left if column and row are both even or both odd, else right. A face of a block is two
/// triangles. Triangles with alpha 0 are not drawn.
///
/// ```
/// use wayfare_draw::{Colour, Facets, Picture, Shape};
///
/// let (stone, clear) = (Colour::hex(0x9a968c), Colour::CLEAR);
/// let facets = Facets {
///     corner: [4.0, 4.0].into(),
///     side: 12.0,
///     rows: 2,
///     colours: vec![stone, clear, clear, stone],
///     tiles: Vec::new(),
/// };
/// let mut picture = Picture::new(32, 32, Colour::hex(0xffffff))?;
/// picture.push(Shape::Facets(facets));
/// assert!(picture.to_svg()?.contains("#9a968c"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Facets {
    /// The left end of the line through the middles of row 0, in pixels.
    pub corner: Vec2,
    /// The width of a column, in pixels, above 0.
    pub side: f32,
    /// The number of triangles in a column.
    pub rows: u32,
    /// The colours, column by column. Its length is a multiple of `rows`.
    pub colours: Vec<Colour>,
    /// The colours of tiles on the tops of blocks, in the same order. A tile leaves a margin. Empty
    /// without tiles.
    pub tiles: Vec<Colour>,
}

/// The share of a block's top around a tile, as a share of the distance from its middle to a
/// corner.
pub(crate) const MARGIN: f32 = 0.24;

impl Facets {
    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> u32 {
        (self.colours.len() / self.rows.max(1) as usize) as u32
    }

    /// Returns the part of the picture that the lattice can cover.
    #[must_use]
    pub fn area(&self) -> Area {
        let size = Vec2::new(self.columns() as f32, (self.rows + 1) as f32 / 2.0) * self.side;
        Area::sized(self.corner - Vec2::new(0.0, self.side / 2.0), size)
    }

    /// Returns the colour at a position in pixels; `None` if nothing is there.
    #[must_use]
    pub fn at(&self, pixel: Vec2) -> Option<Colour> {
        let point = (pixel - self.corner) / self.side;
        let (column, row) = triangle(point);
        if column < 0 || row < 0 || row >= i64::from(self.rows) {
            return None;
        }
        let number = column as usize * self.rows as usize + row as usize;
        let colour = *self.colours.get(number)?;
        if let Some(tile) = self.tiles.get(number).filter(|tile| tile.alpha > 0) {
            let across = point.x - column as f32;
            let across = if points_left(column, row) { 1.0 - across } else { across };
            if across + (2.0 * point.y - row as f32).abs() < 1.0 - MARGIN {
                return Some(*tile);
            }
        }
        (colour.alpha > 0).then_some(colour)
    }

    /// Returns the corners of a strip, the triangles `first` to `last` of a column: left upper,
    /// right upper, right lower, left lower, each as column and row.
    pub(crate) fn strip(column: u32, first: u32, last: u32) -> [[i64; 2]; 4] {
        let [column, first, last] = [column, first, last].map(i64::from);
        let [upper_left, upper_right] =
            if points_left(column, first) { [first, first - 1] } else { [first - 1, first] };
        let [lower_left, lower_right] =
            if points_left(column, last) { [last, last + 1] } else { [last + 1, last] };
        [
            [column, upper_left],
            [column + 1, upper_right],
            [column + 1, lower_right],
            [column, lower_left],
        ]
    }

    /// Returns the position of a corner of the lattice, in pixels.
    pub(crate) fn pixel(&self, [column, row]: [i64; 2]) -> Vec2 {
        self.corner + Vec2::new(column as f32, row as f32 / 2.0) * self.side
    }

    /// Returns whether a triangle is a left half, such as of a top.
    pub(crate) fn points_left(column: u32, row: u32) -> bool {
        points_left(i64::from(column), i64::from(row))
    }
}

/// Whether a triangle of the lattice is a left half.
pub fn points_left(column: i64, row: i64) -> bool {
    (column ^ row) & 1 == 0
}

/// Returns the column and row of the triangle around a point in units of a column's width.
pub fn triangle(point: Vec2) -> (i64, i64) {
    let column = point.x.floor();
    let (across, down) = (point.x - column, point.y * 2.0);
    let column = column as i64;
    // The nearest row of the triangles that point right.
    let parity = (column + 1) & 1;
    let right = ((down - parity as f32) / 2.0).round() as i64 * 2 + parity;
    if (down - right as f32).abs() <= 1.0 - across {
        return (column, right);
    }
    let parity = column & 1;
    (column, ((down - parity as f32) / 2.0).round() as i64 * 2 + parity)
}
