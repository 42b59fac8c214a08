//! Maps of hexagons.

use crate::tile_map::{TileMap, TilePosition};

/// A map of hexagons: every second row, or every second column, is moved by half a tile.
///
/// ```
/// use wayfare_formats::heightmap::HeightmapOptions;
/// use wayfare_formats::{MemoryFiles, TilePosition, World, read_from};
///
/// # #[cfg(feature = "tiled")] {
/// let map = r#"
///     <map orientation="hexagonal" staggeraxis="y" staggerindex="odd" width="2" height="2">
///         <tileset firstgid="1"/>
///         <layer width="2" height="2"><data encoding="csv">1,1,1,1</data></layer>
///     </map>"#;
/// let files = MemoryFiles::new().with("comb.tmx", map);
/// let world = read_from("comb.tmx", &files, HeightmapOptions::default())?;
/// let World::Hexagons(comb) = world else { panic!("hexagons") };
/// // The second row is moved by half a hexagon to the right.
/// assert_eq!(comb.middle(TilePosition { x: 0, y: 1 })[0], 0.5);
/// assert_eq!(comb.tiles().height(), 2);
/// # }
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HexagonMap {
    tiles: TileMap,
    /// Whether rows are moved, along x; otherwise columns, along y.
    moves_rows: bool,
    /// Whether the first of them is moved.
    moves_first: bool,
}

impl HexagonMap {
    #[cfg(feature = "tiled")]
    pub(crate) fn new(tiles: TileMap, moves_rows: bool, moves_first: bool) -> Self {
        Self { tiles, moves_rows, moves_first }
    }

    /// Returns the hexagons in rows and columns, as if they were square.
    #[must_use]
    pub fn tiles(&self) -> &TileMap {
        &self.tiles
    }

    /// Returns 1 in a row or column that is moved, else 0.
    fn shift(&self, at: TilePosition) -> u32 {
        let number = if self.moves_rows { at.y } else { at.x };
        u32::from((number % 2 == 1) != self.moves_first)
    }

    /// Returns the middle of a hexagon, along x and along the columns. The middles of neighbours
    /// are 1 apart.
    #[must_use]
    pub fn middle(&self, at: TilePosition) -> [f32; 2] {
        // The height of a triangle of side 1.
        const APART: f32 = 0.866_025_4;
        let along = |number: u32| number as f32 + self.shift(at) as f32 / 2.0;
        match self.moves_rows {
            true => [along(at.x), at.y as f32 * APART],
            false => [at.x as f32 * APART, along(at.y)],
        }
    }

    /// Returns the three later ones of the six neighbours of a hexagon, where the map has them. The
    /// other three count it among their later ones.
    pub fn neighbours_after(&self, at: TilePosition) -> impl Iterator<Item = TilePosition> {
        let (x, y, shift) = (i64::from(at.x), i64::from(at.y), i64::from(self.shift(at)));
        let after = if self.moves_rows {
            [[x + 1, y], [x + shift - 1, y + 1], [x + shift, y + 1]]
        } else {
            [[x, y + 1], [x + 1, y + shift - 1], [x + 1, y + shift]]
        };
        let within = |number: i64, end: u32| u32::try_from(number).ok().filter(|it| *it < end);
        let [width, height] = [self.tiles.width(), self.tiles.height()];
        after.into_iter().filter_map(move |[x, y]| {
            Some(TilePosition { x: within(x, width)?, y: within(y, height)? })
        })
    }
}
