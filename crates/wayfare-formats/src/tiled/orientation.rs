//! The arrangement of the tiles of a map, and its space.

use wayfare_core::space::TerrainId;

use crate::error::{WorldError, WorldErrorKind};

/// Every second row or column is moved by half a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stagger {
    /// Whether rows are moved, along x; otherwise columns, along y.
    pub rows: bool,
    /// Whether the odd ones are moved.
    pub odd: bool,
}

/// The layout of a map's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Orientation {
    #[default]
    Orthogonal,
    /// Drawn at an angle; each tile has the neighbours that it has in an orthogonal map.
    Isometric,
    /// Isometric, with a rectangle cut out of the plane.
    Staggered(Stagger),
    /// Six neighbours.
    Hexagonal(Stagger),
}

impl Orientation {
    pub(super) fn from_names(name: &str, axis: &str, index: &str) -> Result<Self, WorldError> {
        let stagger = Stagger { rows: axis != "x", odd: index != "even" };
        Ok(match name {
            "orthogonal" => Self::Orthogonal,
            "isometric" => Self::Isometric,
            "staggered" => Self::Staggered(stagger),
            "hexagonal" => Self::Hexagonal(stagger),
            _ => {
                let message = format!("the orientation of the map, '{name}', is not known");
                return Err(WorldError::new(WorldErrorKind::Value, message)
                    .advise("orthogonal, isometric, staggered and hexagonal maps are read"));
            }
        })
    }
}

impl Stagger {
    /// Returns 1 for a row or column that is moved, else 0.
    pub fn of(self, number: i64) -> i64 {
        i64::from((number.rem_euclid(2) == 1) == self.odd)
    }

    /// Returns where the tile at a column and row lies among diamonds: along the sides of a tile to
    /// the lower right, and to the lower left.
    pub fn diamond(self, column: i64, row: i64) -> [i64; 2] {
        // In halves of a tile's width and height, with the first moved row or column at a
        // coordinate of its own: right - left is twice the column, right + left the row.
        let (across, down) = if self.rows {
            let shift = self.of(row);
            // Rows of the parity that is moved come with a half: their sum with it is even.
            (2 * column + shift, if self.odd { row } else { row + 1 })
        } else {
            let shift = self.of(column);
            (if self.odd { column } else { column + 1 }, 2 * row + shift)
        };
        [(across + down).div_euclid(2), (down - across).div_euclid(2)]
    }

    /// Returns a staggered map as a map of diamonds, turned by an eighth. Cells outside the
    /// rectangle are of the terrain `outside`. The map begins at column `left` and row `top`.
    pub(super) fn turned(
        self,
        tiles: &[TerrainId],
        width: u32,
        [left, top]: [i64; 2],
        outside: TerrainId,
    ) -> Result<TurnedTiles, WorldError> {
        let place = |number: usize| {
            let (column, row) = (number % width as usize, number / width as usize);
            self.diamond(left + column as i64, top + row as i64)
        };
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for number in 0..tiles.len() {
            let at = place(number);
            low = [low[0].min(at[0]), low[1].min(at[1])];
            high = [high[0].max(at[0]), high[1].max(at[1])];
        }
        let [width, height] = [0, 1].map(|axis| (high[axis] - low[axis] + 1) as u64);
        // A single row of tiles would span its square.
        let area = width.saturating_mul(height);
        if area > tiles.len() as u64 * 16 + 65536 {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("turned upright, the staggered map would have {width} × {height} tiles"),
            )
            .advise("use a map that is not so long and narrow"));
        }
        let mut turned = vec![outside; area as usize];
        for (number, tile) in tiles.iter().enumerate() {
            let at = place(number);
            let (x, y) = ((at[0] - low[0]) as usize, (at[1] - low[1]) as usize);
            turned[y * width as usize + x] = *tile;
        }
        // Small enough, as the product is.
        Ok(TurnedTiles { width: width as u32, height: height as u32, tiles: turned })
    }

    /// Returns whether the first row or column of a map is moved that begins at column `left` and
    /// row `top`.
    pub(super) fn moves_first(self, [left, top]: [i64; 2]) -> bool {
        self.of(if self.rows { top } else { left }) == 1
    }
}

/// A map after [`Stagger::turned`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TurnedTiles {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tiles: Vec<TerrainId>,
}
