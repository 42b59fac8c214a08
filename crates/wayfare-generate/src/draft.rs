//! Drafts of tile worlds, and plots: the part of a draft that a creator may build on.

use wayfare_formats::{TileMap, TilePosition, WorldError};

use crate::Ground;

/// A rectangle of tiles.
///
/// ```
/// use wayfare_generate::Area;
///
/// let hall = Area::new(2, 3, 10, 4);
/// assert_eq!((hall.right(), hall.bottom()), (12, 7));
/// assert_eq!(hall.shrunk(1), Area::new(3, 4, 8, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Area {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Area {
    /// Returns a rectangle from its first tile and its size.
    #[must_use]
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Self {
        Area { x, y, width, height }
    }

    /// Returns the column after the last.
    #[must_use]
    pub fn right(self) -> u32 {
        self.x + self.width
    }

    /// Returns the row after the last.
    #[must_use]
    pub fn bottom(self) -> u32 {
        self.y + self.height
    }

    /// Returns the tile in the middle.
    #[must_use]
    pub fn middle(self) -> TilePosition {
        TilePosition { x: self.x + self.width / 2, y: self.y + self.height / 2 }
    }

    /// Returns the area without a rim `by` tiles wide; empty where nothing is left.
    #[must_use]
    pub fn shrunk(self, by: u32) -> Self {
        let side = |side: u32| side.saturating_sub(2 * by);
        Area::new(self.x + by, self.y + by, side(self.width), side(self.height))
    }

    /// Returns whether the two have a tile in common, were this one larger by a rim `gap` tiles
    /// wide.
    #[must_use]
    pub fn is_near(self, other: Area, gap: u32) -> bool {
        self.x < other.right() + gap
            && other.x < self.right() + gap
            && self.y < other.bottom() + gap
            && other.y < self.bottom() + gap
    }

    /// Returns its tiles, row by row.
    pub fn tiles(self) -> impl Iterator<Item = TilePosition> {
        (self.y..self.bottom())
            .flat_map(move |y| (self.x..self.right()).map(move |x| TilePosition { x, y }))
    }
}

/// A tile world in the making: a rectangle of [`Ground`].
///
/// ```
/// use wayfare_generate::{Area, Ground, TileDraft};
///
/// let mut draft = TileDraft::new(8, 6, Ground::Wall);
/// draft.whole().fill(Area::new(1, 1, 6, 4), Ground::Floor);
/// assert_eq!(draft.at(7, 5), Ground::Wall);
/// assert_eq!(draft.free(), 24);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileDraft {
    width: u32,
    height: u32,
    tiles: Vec<Ground>,
}

impl TileDraft {
    /// Returns a rectangle of one ground.
    #[must_use]
    pub fn new(width: u32, height: u32, ground: Ground) -> Self {
        TileDraft { width, height, tiles: vec![ground; width as usize * height as usize] }
    }

    /// Returns the count of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the count of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns all tiles, row by row.
    #[must_use]
    pub fn tiles(&self) -> &[Ground] {
        &self.tiles
    }

    #[doc(hidden)]
    pub fn tiles_mut(&mut self) -> &mut [Ground] {
        &mut self.tiles
    }

    /// Returns the ground of a tile; a wall outside.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> Ground {
        if x < self.width && y < self.height { self.tiles[self.index(x, y)] } else { Ground::Wall }
    }

    /// Returns whether the tile is on the draft and walkable.
    #[must_use]
    pub fn is_free(&self, x: u32, y: u32) -> bool {
        self.at(x, y).is_walkable()
    }

    /// Returns the number of walkable tiles.
    #[must_use]
    pub fn free(&self) -> usize {
        self.tiles.iter().filter(|ground| ground.is_walkable()).count()
    }

    /// Changes a tile; outside the draft nothing happens.
    pub fn set(&mut self, x: u32, y: u32, ground: Ground) {
        if x < self.width && y < self.height {
            let index = self.index(x, y);
            self.tiles[index] = ground;
        }
    }

    /// Returns a plot that is the whole draft.
    pub fn whole(&mut self) -> TilePlot<'_> {
        let area = Area::new(0, 0, self.width, self.height);
        TilePlot { draft: self, area }
    }

    /// Returns a plot of the draft: the part of `area` that lies on it.
    pub fn plot(&mut self, area: Area) -> TilePlot<'_> {
        let x = area.x.min(self.width);
        let y = area.y.min(self.height);
        let area =
            Area::new(x, y, area.width.min(self.width - x), area.height.min(self.height - y));
        TilePlot { draft: self, area }
    }

    /// Returns the same, turned over from left to right.
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        for row in self.tiles.chunks_exact_mut(self.width as usize) {
            row.reverse();
        }
        self
    }

    /// Returns the draft as a map.
    ///
    /// # Errors
    /// When the draft has no tiles.
    pub fn to_map(&self, name: &str) -> Result<TileMap, WorldError> {
        let tiles = self.tiles.iter().map(|ground| ground.terrain()).collect();
        TileMap::new(name, self.width, self.height, Ground::terrains(), tiles)
    }

    pub(crate) fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Returns the neighbours by sides of a tile, by index.
    pub(crate) fn around(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let width = self.width as usize;
        let (x, length) = (index % width, self.tiles.len());
        let neighbours = [
            (x > 0).then(|| index - 1),
            (x + 1 < width).then(|| index + 1),
            index.checked_sub(width),
            (index + width < length).then(|| index + width),
        ];
        neighbours.into_iter().flatten()
    }

    #[doc(hidden)]
    pub fn position(&self, index: usize) -> TilePosition {
        // Both are below the sides.
        let width = self.width as usize;
        TilePosition { x: (index % width) as u32, y: (index / width) as u32 }
    }
}

/// The part of a draft that a creator may build on. Coordinates count from its first tile. A tile
/// written beyond it changes nothing.
///
/// ```
/// use wayfare_generate::{Area, Ground, TileDraft};
///
/// let mut draft = TileDraft::new(8, 6, Ground::Floor);
/// let mut plot = draft.plot(Area::new(2, 2, 3, 3));
/// plot.set(0, 0, Ground::Wall);
/// plot.set(3, 0, Ground::Wall);
/// assert_eq!((draft.at(2, 2), draft.at(5, 2)), (Ground::Wall, Ground::Floor));
/// ```
#[derive(Debug)]
pub struct TilePlot<'d> {
    draft: &'d mut TileDraft,
    area: Area,
}

impl TilePlot<'_> {
    /// Returns the count of columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.area.width
    }

    /// Returns the count of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.area.height
    }

    /// Returns the whole plot.
    #[must_use]
    pub fn area(&self) -> Area {
        Area::new(0, 0, self.area.width, self.area.height)
    }

    /// Returns the ground of a tile of the plot; a wall beyond it.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> Ground {
        if x < self.area.width && y < self.area.height {
            self.draft.at(self.area.x + x, self.area.y + y)
        } else {
            Ground::Wall
        }
    }

    /// Changes a tile of the plot.
    pub fn set(&mut self, x: u32, y: u32, ground: Ground) {
        if x < self.area.width && y < self.area.height {
            self.draft.set(self.area.x + x, self.area.y + y, ground);
        }
    }

    /// Changes all tiles of an area of the plot.
    pub fn fill(&mut self, area: Area, ground: Ground) {
        for y in area.y..area.bottom().min(self.area.height) {
            for x in area.x..area.right().min(self.area.width) {
                self.set(x, y, ground);
            }
        }
    }

    /// Changes the outermost tiles of the plot.
    pub fn frame(&mut self, ground: Ground) {
        let Area { width, height, .. } = self.area();
        for x in 0..width {
            self.set(x, 0, ground);
            self.set(x, height.saturating_sub(1), ground);
        }
        for y in 0..height {
            self.set(0, y, ground);
            self.set(width.saturating_sub(1), y, ground);
        }
    }

    /// Returns a plot of the plot.
    pub fn plot(&mut self, area: Area) -> TilePlot<'_> {
        let x = area.x.min(self.area.width);
        let y = area.y.min(self.area.height);
        let (width, height) =
            (area.width.min(self.area.width - x), area.height.min(self.area.height - y));
        let area = Area::new(self.area.x + x, self.area.y + y, width, height);
        TilePlot { draft: self.draft, area }
    }
}
