//! Standing: bit maps of the cells that an agent can stand on, a pair a medium.
//!
//! A cell is free in a medium if all cells under the agent's footprint belong to it. The footprint
//! is a square, so it is found in two passes. `h(x, y)` is the medium that the `width` cells around
//! `x` of row `y` have in common, if they do. A cell is free in `m` if `h = m` on the `width` rows
//! around it. Both passes count how many equal values precede, so that a rectangle of cells costs
//! its area, whatever the width.
//!
//! Memory: 2 bits a cell and medium.

use wayfare_core::inside::StepCosts;
use wayfare_core::space::{Medium, TerrainId};

use super::accelerator::{Accelerator, Edit, Flip, Ground, MoveRule, Stage};
use super::bits::BitMap;
use super::clutter::Clutter;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// The class of terrain that cannot be entered. Others are one more than the number of their
/// medium.
const CLOSED: u8 = 0;
/// Side of the squares of cells whose changes are followed together by wide agents.
const TILE: u32 = 32;

/// Which cells are free in one medium, twice: by rows, and transposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FreeCells {
    pub(super) rows: BitMap,
    pub(super) columns: BitMap,
    pub(super) clutter: Clutter,
}

/// The cells that an agent of one width can stand on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::grid) struct Standing {
    /// By number of the medium. Nearly always there is just one.
    media: Vec<FreeCells>,
    /// The class of each terrain.
    classes: Vec<u8>,
    /// Width of the agent in cells.
    width: u32,
    /// Cells from one column to the next in the transposed maps.
    pub(in crate::grid) column_stride: u32,
}

/// A rectangle of cells; both ends belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) x: (u32, u32),
    pub(super) y: (u32, u32),
}

impl Region {
    /// Returns all cells of the map.
    pub(super) fn everywhere(layout: &Layout) -> Self {
        Self { x: (0, layout.width - 1), y: (0, layout.height - 1) }
    }

    pub(super) fn of(x: u32, y: u32) -> Self {
        Self { x: (x, x), y: (y, y) }
    }

    /// Grown by `before` cells to the west and north, by `after` to the east and south.
    pub(super) fn grown(self, before: u32, after: u32, layout: &Layout) -> Self {
        let grow = |(first, last): (u32, u32), bound| {
            (first.saturating_sub(before), (last + after).min(bound - 1))
        };
        Self { x: grow(self.x, layout.width), y: grow(self.y, layout.height) }
    }

    /// Returns the smallest region around both.
    pub(super) fn with(self, other: Self) -> Self {
        let both = |(a, b): (u32, u32), (c, d): (u32, u32)| (a.min(c), b.max(d));
        Self { x: both(self.x, other.x), y: both(self.y, other.y) }
    }

    pub(super) fn area(self) -> u64 {
        u64::from(self.x.1 - self.x.0 + 1) * u64::from(self.y.1 - self.y.0 + 1)
    }

    /// Returns its cells, row by row.
    pub(super) fn cells(self, layout: &Layout) -> impl Iterator<Item = Cell> + use<> {
        let layout = *layout;
        (self.y.0..=self.y.1)
            .flat_map(move |y| (self.x.0..=self.x.1).map(move |x| layout.cell(x, y)))
    }
}

impl Standing {
    /// Returns the free cells of a ground. O(cells).
    pub(super) fn new(costs: &StepCosts, width: u8, ground: Ground<'_>) -> Self {
        let mut media: Vec<Medium> = costs.media().collect();
        media.sort_unstable();
        media.dedup();
        let class = |terrain: u8| {
            let medium = costs.get(TerrainId(terrain))?.medium;
            media.binary_search(&medium).ok().map(|number| number as u8 + 1)
        };
        let transposed = Layout::new(ground.layout.height, ground.layout.width);
        let no_cells = FreeCells {
            rows: BitMap::new(ground.layout),
            columns: BitMap::new(&transposed),
            clutter: Clutter::default(),
        };
        let mut standing = Self {
            classes: (0..=u8::MAX).map(|terrain| class(terrain).unwrap_or(CLOSED)).collect(),
            media: vec![no_cells; media.len()],
            width: width.into(),
            column_stride: transposed.stride,
        };
        let mut free = Vec::new();
        standing.visit(Region::everywhere(ground.layout), ground, |cell, medium| {
            free.extend(medium.map(|medium| (cell, medium)));
        });
        for (cell, medium) in free {
            standing.set(ground.layout, cell, medium, true);
        }
        for maps in &mut standing.media {
            maps.clutter = Clutter::of(&maps.rows, ground.layout);
        }
        standing
    }

    /// Returns the free cells of each medium.
    pub(super) fn media(&self) -> &[FreeCells] {
        &self.media
    }

    /// Returns the number of the medium in which an agent can stand on a cell.
    #[inline]
    pub(in crate::grid) fn medium_of(&self, cell: Cell) -> Option<usize> {
        self.media.iter().position(|free| free.rows.get(cell))
    }

    /// Returns the free cells of the medium that an agent on a free cell is in.
    #[inline]
    pub(super) fn maps_of(&self, cell: Cell) -> Option<&FreeCells> {
        match &self.media[..] {
            [only] => Some(only),
            media => media.iter().find(|free| free.rows.get(cell)),
        }
    }

    /// Returns the map of a medium, with the rules of movement on it.
    #[inline]
    pub(super) fn map_of<'s>(
        &'s self,
        medium: usize,
        layout: &'s Layout,
        rule: MoveRule,
    ) -> Option<Signed<'s>> {
        let MoveRule { neighbours, corners, moves } = rule;
        self.media.get(medium).map(|FreeCells { rows, columns, .. }| Signed {
            layout,
            rows,
            columns,
            column_stride: self.column_stride,
            neighbours,
            corners,
            moves,
        })
    }

    /// Returns whether an agent can stand there.
    #[inline]
    pub(in crate::grid) fn is_free(&self, cell: Cell) -> bool {
        self.media.iter().any(|free| free.rows.get(cell))
    }

    /// Which of the cells around a free one are free in the same medium.
    #[inline]
    pub(in crate::grid) fn around(&self, cell: Cell) -> u8 {
        self.maps_of(cell).map_or(0, |free| free.rows.around(cell))
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let maps = |free: &FreeCells| free.rows.size_in_bytes() + free.columns.size_in_bytes();
        self.media.iter().map(maps).sum()
    }

    fn set(&mut self, layout: &Layout, cell: Cell, medium: u8, free: bool) {
        let (x, y) = layout.coordinates(cell);
        if let Some(maps) = self.media.get_mut(usize::from(medium)) {
            maps.rows.set(cell, free);
            maps.columns.set(Cell((x + 1) * self.column_stride + y + 1), free);
        }
    }

    /// Returns the class of the ground at a cell, which may lie off the map.
    #[inline]
    fn class(&self, ground: Ground<'_>, x: u32, y: u32) -> u8 {
        if x >= ground.layout.width || y >= ground.layout.height {
            return CLOSED;
        }
        self.classes[usize::from(ground.terrain(ground.layout.cell(x, y)).0)]
    }

    /// Visits all cells of a region with the medium in which an agent can stand there now.
    fn visit(&self, region: Region, ground: Ground<'_>, mut visit: impl FnMut(Cell, Option<u8>)) {
        let medium = |class: u8| class.checked_sub(1);
        if self.width == 1 {
            for cell in region.cells(ground.layout) {
                visit(cell, medium(self.classes[usize::from(ground.terrain(cell).0)]));
            }
            return;
        }
        let (before, after) = ((self.width - 1) / 2, self.width / 2);
        // For each column the class of the last rows, and how many had it. Coordinates before the
        // map's edge wrap around and count as off the map.
        let columns = (region.x.1 - region.x.0 + 1) as usize;
        let mut above = vec![(CLOSED, 0u32); columns];
        for step in 0..(region.y.1 - region.y.0) + self.width {
            let y = (region.y.0 + step).wrapping_sub(before);
            let mut beside = (CLOSED, 0u32);
            for step_x in 0..(region.x.1 - region.x.0) + self.width {
                let class = self.class(ground, (region.x.0 + step_x).wrapping_sub(before), y);
                beside = if class == beside.0 { (class, beside.1 + 1) } else { (class, 1) };
                let Some(column) = step_x.checked_sub(self.width - 1) else { continue };
                let row = if beside.1 >= self.width { class } else { CLOSED };
                let above = &mut above[column as usize];
                *above = if row == above.0 { (row, above.1 + 1) } else { (row, 1) };
                if step + 1 >= self.width {
                    let class = if above.1 >= self.width { row } else { CLOSED };
                    visit(ground.layout.cell(region.x.0 + column, y - after), medium(class));
                }
            }
        }
    }

    /// Returns the regions in which agents may stand differently after an edit: the cells whose
    /// footprint holds a changed cell, by tiles. They overlap where footprints cross the border of
    /// a tile.
    fn affected(&self, edit: &Edit<'_>) -> Vec<Region> {
        let layout = edit.ground.layout;
        let mut tiles: std::collections::BTreeMap<(u32, u32), Region> =
            std::collections::BTreeMap::new();
        for change in edit.changes {
            let (x, y) = layout.coordinates(change.cell);
            // The footprint mirrored.
            let region = Region::of(x, y).grown(self.width / 2, (self.width - 1) / 2, layout);
            let tile = tiles.entry((y / TILE, x / TILE)).or_insert(region);
            *tile = tile.with(region);
        }
        tiles.into_values().collect()
    }
}

impl Accelerator for Standing {
    const STAGE: Stage = Stage::Standing;
    const READS: &'static [Stage] = &[];
    type Input<'a> = ();

    /// O(area of the footprints that hold a changed cell).
    fn follow(&mut self, (): (), edit: &mut Edit<'_>) -> u64 {
        let ground = edit.ground;
        let mut flips = std::mem::take(&mut edit.flips);
        let mut work = 0;
        let mut note = |cell, after: Option<u8>| {
            let before = self.medium_of(cell).map(|medium| medium as u8);
            if before != after {
                flips.push(Flip { cell, before, after });
            }
        };
        if self.width == 1 {
            for change in edit.changes {
                let class = self.classes[usize::from(ground.terrain(change.cell).0)];
                note(change.cell, class.checked_sub(1));
            }
            work += edit.changes.len() as u64;
        } else {
            for region in self.affected(edit) {
                self.visit(region, ground, &mut note);
                work += region.area();
            }
            flips.sort_unstable_by_key(|flip| flip.cell);
            flips.dedup_by_key(|flip| flip.cell);
        }
        for &Flip { cell, before, after } in &flips {
            for (medium, is_free) in [(before, false), (after, true)] {
                let Some(medium) = medium else { continue };
                self.set(ground.layout, cell, medium, is_free);
                let maps = &mut self.media[usize::from(medium)];
                maps.clutter.follow(maps.rows.around(cell), is_free);
            }
        }
        edit.flips = flips;
        work
    }
}
