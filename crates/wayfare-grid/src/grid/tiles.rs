//! The reach of edits of a grid: cells, and tiles of 32² cells with their last edit.

use wayfare_core::inside::EditLog;
use wayfare_core::space::{Revision, TerrainId};

use super::{Cell, Grid, GridEditReport};

/// The side of a tile is two to this power.
const TILE_LOG2: u32 = 5;

impl Grid {
    fn tiles_across(&self) -> u32 {
        ((self.layout.width - 1) >> TILE_LOG2) + 1
    }

    fn tile(&self, x: u32, y: u32) -> usize {
        ((y >> TILE_LOG2) * self.tiles_across() + (x >> TILE_LOG2)) as usize
    }

    /// Returns how far from a changed cell a move may change, in columns and rows.
    ///
    /// A body of width `w` that covers the cell stands at most `w - 1` away, and is entered from
    /// one cell further. A blur spreads the cell's penalty that far, again with one more for the
    /// move.
    pub(super) fn reach(&self) -> u32 {
        let profiles = self.profiles().filter_map(|profile| self.profile(profile));
        let reach = profiles.map(|profile| {
            let slope = u8::from(profile.slope_cost > 0.0);
            u32::from(profile.width.saturating_sub(1).max(profile.blur + slope)) + 1
        });
        reach.max().unwrap_or(1)
    }

    /// Returns the columns and rows at most `reach` away from a cell of the map, ends included.
    fn square(&self, cell: Cell, reach: u32) -> [(u32, u32); 2] {
        let (x, y) = self.layout.coordinates(cell);
        let span = |at: u32, bound: u32| (at.saturating_sub(reach), (at + reach).min(bound - 1));
        [span(x, self.layout.width), span(y, self.layout.height)]
    }

    /// Notes the present revision at the tiles within `reach` of some cells of the map.
    pub(super) fn note_edit(&mut self, cells: impl Iterator<Item = Cell>, reach: u32) {
        let last = self.tile(self.layout.width - 1, self.layout.height - 1);
        for cell in cells {
            let [(left, right), (top, bottom)] = self.square(cell, reach);
            for row in top >> TILE_LOG2..=bottom >> TILE_LOG2 {
                for column in left >> TILE_LOG2..=right >> TILE_LOG2 {
                    let tile = (row * self.tiles_across() + column) as usize;
                    self.edits.touch(tile, last + 1, self.revision);
                }
            }
        }
    }

    /// Returns the revision after the last edit of a tile that the line between two cells passes.
    ///
    /// [`Grid::note_edit`] notes the tiles of all cells whose moves change. A step is a move of its
    /// two ends. A longer line is cut into pieces of at most half a tile; each lies within the
    /// rectangle of its ends, widened by a cell for their rounding. For ids off
    /// the map, returns the present revision.
    pub(super) fn last_edit_along(&self, from: Cell, to: Cell) -> Revision {
        if !self.layout.contains(from) || !self.layout.contains(to) {
            return self.revision;
        }
        let ((ax, ay), (bx, by)) = (self.layout.coordinates(from), self.layout.coordinates(to));
        let long = ax.abs_diff(bx).max(ay.abs_diff(by));
        if long <= 1 {
            return self.edits.last(self.tile(ax, ay)).or_later(self.edits.last(self.tile(bx, by)));
        }
        let pieces = (long >> (TILE_LOG2 - 1)) + 1;
        let point = |piece: u32| {
            let between = |a: u32, b: u32| {
                let away = (i64::from(b) - i64::from(a)) * i64::from(piece) / i64::from(pieces);
                (i64::from(a) + away) as u32
            };
            (between(ax, bx), between(ay, by))
        };
        let mut last = Revision::default();
        for piece in 0..pieces {
            let ((ax, ay), (bx, by)) = (point(piece), point(piece + 1));
            let span = |a: u32, b: u32, bound: u32| {
                (a.min(b).saturating_sub(1) >> TILE_LOG2)
                    ..=((a.max(b) + 1).min(bound - 1) >> TILE_LOG2)
            };
            for row in span(ay, by, self.layout.height) {
                for column in span(ax, bx, self.layout.width) {
                    let tile = (row * self.tiles_across() + column) as usize;
                    last = last.or_later(self.edits.last(tile));
                }
            }
        }
        last
    }

    /// Makes an edit of terrain, runs `ask` on the edited grid, and reverts the edit and the
    /// revision, also if `ask` panics. Costs two calls of [`Grid::set_terrains`].
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let mut grid = Grid::from_rows(&["..."])?;
    /// let wall = [(grid.cell(1, 0).unwrap(), TerrainId::BLOCKED)];
    /// let ends = [0, 2].map(|x| grid.cell(x, 0).unwrap());
    /// let islands = |grid: &Grid| ends.map(|end| grid.space().component(end));
    /// let [west, east] = grid.try_out(wall, |grid, _| islands(grid));
    /// assert_ne!(west, east);
    /// assert_eq!(islands(&grid)[0], islands(&grid)[1]); // as before
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn try_out<R>(
        &mut self,
        edits: impl IntoIterator<Item = (Cell, TerrainId)>,
        ask: impl FnOnce(&Self, &GridEditReport) -> R,
    ) -> R {
        let (revision, log) = (self.revision, self.edits.clone());
        let edits: Vec<(Cell, TerrainId)> = edits.into_iter().collect();
        let before = edits.iter().map(|&(cell, _)| (cell, self.terrain(cell))).collect();
        let report = self.set_terrains(edits);
        let trial = Trial { grid: self, before, revision, log };
        ask(trial.grid, &report)
    }

    /// Returns the rows of the tiles that were edited after revision `since`: the first cell of
    /// each, and the number of its cells, at most 32. O(tiles).
    #[doc(hidden)]
    pub fn rows_edited_since(&self, since: Revision) -> impl Iterator<Item = (Cell, u32)> + '_ {
        let last = self.tile(self.layout.width - 1, self.layout.height - 1);
        let edited = (0..=last).filter(move |&tile| self.edits.last(tile).is_after(since));
        edited.flat_map(|tile| self.rows_of_tile(tile as u32))
    }

    /// Returns the rows of a tile: the first cell of each, and the number of its cells.
    fn rows_of_tile(&self, tile: u32) -> impl Iterator<Item = (Cell, u32)> + '_ {
        let across = self.tiles_across();
        let span = |at: u32, bound: u32| at << TILE_LOG2..((at + 1) << TILE_LOG2).min(bound);
        let columns = span(tile % across, self.layout.width);
        let rows = span(tile / across, self.layout.height);
        rows.map(move |y| (self.layout.cell(columns.start, y), columns.end - columns.start))
    }

    /// Returns the cells of the tiles that were edited after revision `since` and that the cells in
    /// `named` do not account for, in order of their tiles.
    ///
    /// A cell accounts for the tiles within its reach ([`Grid::affected_by`]). An edit notes the
    /// tiles of all cells whose moves it changed. If `named` holds every cell whose terrain or
    /// influence changed after `since`, no tile is left. O(tiles + named cells).
    #[doc(hidden)]
    pub fn edited_tiles_without(&self, named: &[Cell], since: Revision) -> Vec<Cell> {
        let across = self.tiles_across();
        let last = self.tile(self.layout.width - 1, self.layout.height - 1);
        let mut is_edited: Vec<bool> =
            (0..=last).map(|tile| self.edits.last(tile).is_after(since)).collect();
        let reach = self.reach();
        for &cell in named.iter().filter(|&&cell| self.layout.contains(cell)) {
            let [(left, right), (top, bottom)] = self.square(cell, reach);
            for row in top >> TILE_LOG2..=bottom >> TILE_LOG2 {
                for column in left >> TILE_LOG2..=right >> TILE_LOG2 {
                    is_edited[(row * across + column) as usize] = false;
                }
            }
        }
        let tiles =
            (0u32..).zip(is_edited).filter_map(|(tile, is_edited)| is_edited.then_some(tile));
        tiles
            .flat_map(|tile| self.rows_of_tile(tile))
            .flat_map(|(first, cells)| (first.0..first.0 + cells).map(Cell))
            .collect()
    }

    /// Returns the cells whose moves in or out an edit of `changed` cells may have changed, for any
    /// profile; each once, by id.
    ///
    /// [`Search::adopt`](wayfare_core::search::Search::adopt) and
    /// `Planner::world_changed` ask for them.
    /// `changed`: [`GridEditReport::cells`](super::GridEditReport::cells), or the cells whose
    /// influence changed. Ids that are not of the map are skipped.
    ///
    /// O(changed cells · reach²), where the reach is the widest body or blur.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let mut grid = Grid::from_rows(&[".....", ".....", "....."])?;
    /// let edit = grid.set_terrain(grid.cell(0, 0).unwrap(), TerrainId::BLOCKED);
    /// let affected = grid.affected_by(&edit.cells);
    /// assert_eq!(affected.len(), 4); // the corner, and the three cells around it
    /// # Ok::<(), GridError>(())
    /// ```
    #[must_use]
    pub fn affected_by(&self, changed: &[Cell]) -> Vec<Cell> {
        let reach = self.reach();
        let mut affected = Vec::new();
        for &cell in changed.iter().filter(|&&cell| self.layout.contains(cell)) {
            let [(left, right), (top, bottom)] = self.square(cell, reach);
            for y in top..=bottom {
                affected.extend((left..=right).map(|x| self.layout.cell(x, y)));
            }
        }
        affected.sort_unstable();
        affected.dedup();
        affected
    }
}

/// An edit on trial: reverted when this is dropped.
struct Trial<'g> {
    grid: &'g mut Grid,
    /// The terrain of the edited cells before.
    before: Vec<(Cell, TerrainId)>,
    revision: Revision,
    log: EditLog,
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        self.grid.set_terrains(std::mem::take(&mut self.before));
        self.grid.revision = self.revision;
        self.grid.edits = std::mem::take(&mut self.log);
    }
}
