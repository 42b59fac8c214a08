//! Chooses the transitions of a sector: the cells where routes cross its borders.
//!
//! Along a border, neighbouring straight crossings form *runs*: both cells of a crossing can step
//! to the cells of the next. A run of up to [`MOST_WITH_ONE`] crossings gets one transition, a
//! longer one gets several, at most [`SPACING`] apart. Between groups a transition serves up to
//! [`GROUP_SPACING`] crossings around it: the legs of a route straighten the detour.
//!
//! # Why a route over transitions exists wherever a path does
//!
//! Every crossing of a border by a path can be replaced by a transition:
//!
//! * **A straight crossing** belongs to a run. A straight move joins any two free neighbours of one
//!   medium, so the run can be walked on either side of the border to a transition of the run and
//!   back. Both walks stay within their sector.
//! * **A diagonal crossing** with a straight crossing or a free cell beside it on the near side is
//!   the detour of a straight crossing: across and along, or along and across. Without either, it
//!   passes between two blocked cells, and it becomes a transition of its own.
//! * **A diagonal over the corner of four sectors** is a transition of its own.
//!
//! Both sectors of a border derive its transitions by the same rules, from the side above or to the
//! left, so they agree.

use wayfare_core::space::Cost;
use wayfare_grid::grid::{Cell, GridSpace};

use super::sectors::{
    EAST, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, Sectors, opposite,
};

/// The longest run with a single transition, in its middle. A longer run has one at both ends.
const MOST_WITH_ONE: u32 = 5;
/// The largest distance between two transitions of a run.
const SPACING: u32 = 16;
/// The most crossings between groups that share a transition.
const GROUP_SPACING: u32 = 24;

/// A cell of a sector with a move into another sector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transition {
    /// The cell.
    pub cell: Cell,
    /// The place of its first link among those of the sector: it has one for each crossing.
    pub(super) first_link: u16,
    /// The directions of the moves into other sectors, as bits.
    pub(super) crossings: u8,
}

/// A border, seen from the sector above or to the left of it.
#[derive(Clone, Copy)]
struct Border {
    /// The first cell on that side.
    first: (u32, u32),
    length: u32,
    /// The direction of the border: east or south.
    along: u8,
    /// The direction across the border: south or east.
    across: u8,
    /// The diagonal across the border and back along it.
    back: u8,
    is_between_groups: bool,
}

impl Border {
    fn at(self, place: u32) -> (u32, u32) {
        let (x, y) = self.first;
        if self.along == EAST { (x + place, y) } else { (x, y + place) }
    }

    /// Visits the position and the direction of every transition.
    fn transitions<C: Cost>(self, space: &GridSpace<'_, C>, mut visit: impl FnMut(u32, u8)) {
        let has = |moves: u8, direction: u8| moves >> direction & 1 == 1;
        let mut begun: Option<u32> = None;
        let mut before = 0;
        for place in 0..self.length {
            let moves = moves_at(space, self.at(place));
            let goes_on = begun.is_some() && has(before, self.along) && has(moves, self.across);
            if !goes_on {
                if let Some(first) = begun.take() {
                    self.spread(first, place - 1, |place| visit(place, self.across));
                }
                begun = has(moves, self.across).then_some(place);
            }
            if has(moves, SOUTH_EAST)
                && place + 1 < self.length
                && !has(moves, self.across)
                && !has(moves, self.along)
            {
                visit(place, SOUTH_EAST);
            }
            if has(moves, self.back)
                && place > 0
                && !has(moves, self.across)
                && !has(moves, opposite(self.along))
            {
                visit(place, self.back);
            }
            before = moves;
        }
        if let Some(first) = begun {
            self.spread(first, self.length - 1, |place| visit(place, self.across));
        }
    }

    /// Spreads transitions over the run from `first` to `last`, both included.
    fn spread(self, first: u32, last: u32, mut visit: impl FnMut(u32)) {
        let length = last - first + 1;
        if self.is_between_groups {
            let count = length.div_ceil(GROUP_SPACING);
            return (0..count)
                .for_each(|n| visit(first + ((2 * n + 1) * length - 1) / (2 * count)));
        }
        if length <= MOST_WITH_ONE {
            return visit(first + (length - 1) / 2);
        }
        let gaps = (length - 1).div_ceil(SPACING);
        (0..=gaps).for_each(|n| visit(first + (length - 1) * n / gaps));
    }
}

/// Returns the moves out of a cell, as bits; none from a blocked cell or off the map.
fn moves_at<C: Cost>(space: &GridSpace<'_, C>, (x, y): (u32, u32)) -> u8 {
    let cell = space.grid().cell(x, y).filter(|&cell| space.is_free(cell));
    cell.map_or(0, |cell| space.moves_from(cell))
}

/// Finds the transitions of a sector in order of their slots. `marks` is working memory. O(side).
pub(super) fn find<C: Cost>(
    space: &GridSpace<'_, C>,
    sectors: &Sectors,
    sector: u32,
    marks: &mut Vec<(u32, u32, u8)>,
    found: &mut Vec<Transition>,
) {
    let grid = space.grid();
    let bounds = sectors.bounds(sector);
    let (right, below) = (bounds.x + bounds.width, bounds.y + bounds.height);
    let vertical = |x| Border {
        first: (x, bounds.y),
        length: bounds.height,
        along: SOUTH,
        across: EAST,
        back: NORTH_EAST,
        is_between_groups: sectors.is_between_groups(x + 1),
    };
    let horizontal = |y| Border {
        first: (bounds.x, y),
        length: bounds.width,
        along: EAST,
        across: SOUTH,
        back: SOUTH_WEST,
        is_between_groups: sectors.is_between_groups(y + 1),
    };
    marks.clear();
    let own = |border: Border, marks: &mut Vec<(u32, u32, u8)>| {
        border.transitions(space, |place, direction| {
            let (x, y) = border.at(place);
            marks.push((x, y, direction));
        });
    };
    // From beyond the left or upper border: the far ends of its transitions lie in this sector.
    let others = |border: Border, marks: &mut Vec<(u32, u32, u8)>| {
        border.transitions(space, |place, direction| {
            if let Some(((x, y), _)) = sectors.step(grid, border.at(place), direction) {
                marks.push((x, y, opposite(direction)));
            }
        });
    };
    if right < sectors.width {
        own(vertical(right - 1), marks);
    }
    if below < sectors.height {
        own(horizontal(below - 1), marks);
    }
    if bounds.x > 0 {
        others(vertical(bounds.x - 1), marks);
    }
    if bounds.y > 0 {
        others(horizontal(bounds.y - 1), marks);
    }
    let corners = [
        ((bounds.x, bounds.y), NORTH_WEST),
        ((right - 1, bounds.y), NORTH_EAST),
        ((bounds.x, below - 1), SOUTH_WEST),
        ((right - 1, below - 1), SOUTH_EAST),
    ];
    for ((x, y), outwards) in corners {
        if moves_at(space, (x, y)) >> outwards & 1 == 1 {
            marks.push((x, y, outwards));
        }
    }
    marks.sort_unstable_by_key(|&(x, y, _)| sectors.slot_at((x, y)));
    found.clear();
    for &mut (x, y, direction) in marks {
        let Some(cell) = grid.cell(x, y) else { continue };
        match found.last_mut().filter(|last: &&mut Transition| last.cell == cell) {
            Some(last) => last.crossings |= 1 << direction,
            None => found.push(Transition { cell, first_link: 0, crossings: 1 << direction }),
        }
    }
    let mut links = 0;
    for transition in found {
        transition.first_link = links;
        links += transition.crossings.count_ones() as u16;
    }
}
