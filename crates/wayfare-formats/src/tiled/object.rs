//! Objects of a Tiled map: the cells that they cover or mark.

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_TILED_TESTS;
use crate::tile_map::TilePosition;

/// An object, in the pixels of its map.
#[derive(Debug, Default, Clone)]
pub struct Object {
    /// The name.
    pub name: String,
    /// The class, or the type as older maps call it.
    pub class: String,
    /// The position along x.
    pub x: f64,
    /// The position along y, downwards.
    pub y: f64,
    /// The extent along x.
    pub width: f64,
    /// The extent along y.
    pub height: f64,
    /// The shape.
    pub shape: Shape,
    /// The id by which others refer to it.
    pub id: u32,
    /// Properties that say something of a link, by their names in the list `FACTS`.
    pub facts: Vec<(&'static str, String)>,
}

/// The properties of objects that say something of a link.
const FACTS: [&str; 8] =
    ["target", "seconds", "speed", "cost", "capacity", "gate", "key", "one_way"];

/// The shape of an object.
#[derive(Debug, Default, Clone, PartialEq)]
pub enum Shape {
    /// A rectangle.
    #[default]
    Rectangle,
    /// An ellipse.
    Ellipse,
    /// Corners beside `x` and `y`.
    Polygon(Vec<[f64; 2]>),
    /// A point.
    Point,
    /// A picture of a tile: its corner at the lower left.
    Tile,
    /// A line from its first to its last point, in the pixels of the map. Covers nothing.
    Line([[f64; 2]; 2]),
    /// A text, which covers nothing.
    Other,
}

/// A layer of objects.
#[derive(Debug, Default)]
pub(super) struct ObjectLayer {
    pub(super) name: String,
    /// The layer's declaration.
    pub(super) walkable: Option<bool>,
    pub(super) objects: Vec<Object>,
}

/// The tiles that are asked about: from the first to the one after the last.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// The first column.
    pub left: i64,
    /// The first row.
    pub top: i64,
    /// The columns.
    pub width: u32,
    /// The rows.
    pub height: u32,
    /// Size of a tile in the pixels of objects.
    pub tile: [f64; 2],
}

impl Extent {
    /// Returns the tile at a point of the map, if it is one.
    pub(super) fn tile_at(&self, point: [f64; 2]) -> Option<TilePosition> {
        let place = |axis: usize, first: i64, length: u32| {
            let at = (point[axis] / self.tile[axis]).floor() - first as f64;
            (0.0..f64::from(length)).contains(&at).then_some(at as u32)
        };
        Some(TilePosition {
            x: place(0, self.left, self.width)?,
            y: place(1, self.top, self.height)?,
        })
    }
}

impl Object {
    /// Takes a property, if it says something of a link.
    pub(super) fn learn(&mut self, key: &str, value: &str) {
        let known = FACTS.iter().find(|known| known.eq_ignore_ascii_case(key));
        self.facts.extend(known.map(|known| (*known, value.to_owned())));
    }

    /// Returns the value of a property that says something of a link.
    pub(super) fn fact(&self, key: &str) -> Option<&str> {
        self.facts.iter().rev().find(|fact| fact.0 == key).map(|fact| fact.1.as_str())
    }

    /// Returns the line through points beside `x` and `y`.
    pub(super) fn line(&self, points: &[[f64; 2]]) -> Shape {
        let at = |point: &[f64; 2]| [self.x + point[0], self.y + point[1]];
        match points {
            [first, .., last] => Shape::Line([at(first), at(last)]),
            _ => Shape::Other,
        }
    }

    /// Returns its middle; of a polygon, that of the rectangle around it.
    pub(super) fn middle(&self) -> [f64; 2] {
        let half = [self.width / 2.0, self.height / 2.0];
        match &self.shape {
            Shape::Tile => [self.x + half[0], self.y - half[1]],
            Shape::Polygon(corners) => [0, 1].map(|axis| {
                let along = corners.iter().map(|corner| corner[axis]);
                let low = along.clone().fold(f64::INFINITY, f64::min);
                let high = along.fold(f64::NEG_INFINITY, f64::max);
                [self.x, self.y][axis] + (low + high) / 2.0
            }),
            _ => [self.x + half[0], self.y + half[1]],
        }
    }

    /// Calls `visit` with the column and row of each tile that it covers: a rectangle, the tiles
    /// whose middle half by half tile it meets; other shapes, the tiles with their middle inside.
    ///
    /// # Errors
    /// When `tests` would pass [`MAX_TILED_TESTS`]: huge objects again and again, of many corners.
    pub fn cover(
        &self,
        extent: &Extent,
        tests: &mut usize,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), WorldError> {
        let (low, high, corners) = match &self.shape {
            Shape::Rectangle | Shape::Ellipse => {
                let far = [self.x + self.width, self.y + self.height];
                ([self.x, self.y], far, 1)
            }
            Shape::Polygon(corners) => {
                let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
                for [x, y] in corners {
                    low = [low[0].min(self.x + x), low[1].min(self.y + y)];
                    high = [high[0].max(self.x + x), high[1].max(self.y + y)];
                }
                (low, high, corners.len())
            }
            Shape::Point | Shape::Tile | Shape::Line(_) | Shape::Other => return Ok(()),
        };
        // In tiles from the first column and row.
        let span = |axis: usize, first: i64, length: u32| {
            let place = |at: f64| at / extent.tile[axis] - first as f64;
            let within = |at: f64| at.clamp(0.0, f64::from(length));
            // NaN becomes 0.
            let from = within(place(low[axis]).floor()) as u32;
            from..within(place(high[axis]).ceil()) as u32
        };
        let columns = span(0, extent.left, extent.width);
        let rows = span(1, extent.top, extent.height);
        *tests =
            tests.saturating_add(columns.len().saturating_mul(rows.len()).saturating_mul(corners));
        if *tests > MAX_TILED_TESTS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("its objects cover tiles more than {MAX_TILED_TESTS} times in all"),
            )
            .advise("remove objects, or corners of polygons"));
        }
        for row in rows {
            for column in columns.clone() {
                let middle = [
                    (extent.left as f64 + f64::from(column) + 0.5) * extent.tile[0],
                    (extent.top as f64 + f64::from(row) + 0.5) * extent.tile[1],
                ];
                if self.covers(middle, extent.tile) {
                    visit(column, row);
                }
            }
        }
        Ok(())
    }

    fn covers(&self, [x, y]: [f64; 2], tile: [f64; 2]) -> bool {
        match &self.shape {
            Shape::Rectangle => {
                let (wide, high) = (tile[0] / 4.0, tile[1] / 4.0);
                self.x < x + wide
                    && x - wide < self.x + self.width
                    && self.y < y + high
                    && y - high < self.y + self.height
            }
            Shape::Ellipse => {
                let [middle_x, middle_y] = self.middle();
                let dx = (x - middle_x) / (self.width / 2.0);
                let dy = (y - middle_y) / (self.height / 2.0);
                dx * dx + dy * dy <= 1.0
            }
            Shape::Polygon(corners) => is_inside(corners, [x - self.x, y - self.y]),
            Shape::Point | Shape::Tile | Shape::Line(_) | Shape::Other => false,
        }
    }
}

/// Returns whether a ray from the point to the right crosses an odd number of sides.
fn is_inside(corners: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let nexts = corners.iter().skip(1).chain(corners.first());
    corners
        .iter()
        .zip(nexts)
        .filter(|([ax, ay], [bx, by])| {
            (*ay > y) != (*by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
        })
        .count()
        % 2
        == 1
}
