//! Objects of a Tiled map: the cells that they cover or mark.

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_TILED_TESTS;
use crate::tile_map::TilePosition;

/// An object, in the pixels of its map.
#[derive(Debug, Default, Clone)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) class: String,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shape: Shape,
    /// The id by which others refer to it.
    pub(super) id: u32,
    /// Properties that say something of a link, by their names in [`FACTS`].
    pub(super) facts: Vec<(&'static str, String)>,
}

/// The properties of objects that say something of a link.
const FACTS: [&str; 8] =
    ["target", "seconds", "speed", "cost", "capacity", "gate", "key", "one_way"];

/// The shape of an object.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) enum Shape {
    #[default]
    Rectangle,
    Ellipse,
    /// Corners beside `x` and `y`.
    Polygon(Vec<[f64; 2]>),
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
pub(super) struct Extent {
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: u32,
    pub(super) height: u32,
    /// Size of a tile in the pixels of objects.
    pub(super) tile: [f64; 2],
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
    pub(super) fn cover(
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

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(object: &Object) -> Vec<(u32, u32)> {
        let extent = Extent { left: 0, top: 0, width: 4, height: 3, tile: [16.0, 16.0] };
        let mut tiles = Vec::new();
        object.cover(&extent, &mut 0, |x, y| tiles.push((x, y))).expect("few tests");
        tiles
    }

    #[test]
    fn tiles_under_shapes() {
        let object = |shape| Object {
            x: 16.0,
            y: 16.0,
            width: 32.0,
            height: 8.0,
            shape,
            ..Object::default()
        };
        assert_eq!(covered(&object(Shape::Rectangle)), [(1, 1), (2, 1)]);
        assert_eq!(covered(&object(Shape::Ellipse)), []);
        assert_eq!(
            covered(&Object { height: 32.0, ..object(Shape::Ellipse) }),
            [(1, 1), (2, 1), (1, 2), (2, 2)]
        );
        let triangle = Shape::Polygon(vec![[0.0, 0.0], [32.0, 0.0], [0.0, 32.0]]);
        assert_eq!(covered(&object(triangle)), [(1, 1)]);
        assert_eq!(covered(&object(Shape::Point)), []);
        // Beside the map, and without end.
        let far = Object { x: -1e300, width: f64::NAN, ..object(Shape::Rectangle) };
        assert_eq!(covered(&far), []);
        let all = Object { x: -1e9, y: -1e9, width: 1e300, height: 1e300, ..Object::default() };
        assert_eq!(covered(&all).len(), 12);
    }

    #[test]
    fn work_is_limited() {
        let extent = Extent { left: 0, top: 0, width: 4096, height: 4096, tile: [1.0, 1.0] };
        let all = Object { width: 4096.0, height: 4096.0, ..Object::default() };
        let mut tests = 0;
        let done = (0..).take_while(|_| all.cover(&extent, &mut tests, |_, _| ()).is_ok()).count();
        assert_eq!(done, 4);
    }
}
