//! A grid as one profile sees it: the space that searches run on.

use std::marker::PhantomData;

use glam::Vec3;
use wayfare_core::inside::{Gateway, Steps};
use wayfare_core::space::{
    Action, Cost, DIAGONAL, Edge, EdgeOf, Measure, Metric, Obstruction, Reachability, ReverseSpace,
    Revision, STRAIGHT, Space,
};

use super::accelerators::{LeastStep, Rooms};
use super::expander::GridExpander;
use super::layer::Layer;
use super::layout::Layout;
use super::moves::DIAGONALS;
use super::{BitMap, Cell, Grid, GridProfile};

/// A [`Grid`] bound to one of its profiles. Cheap to make and to copy.
///
/// ```
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..#", "..."])?;
/// let space = grid.space();
/// assert!(space.is_free(grid.cell(0, 0).unwrap()) && !space.is_free(grid.cell(2, 0).unwrap()));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Debug)]
pub struct GridSpace<'g, C = u32> {
    pub(super) grid: &'g Grid,
    pub(super) layer: &'g Layer,
    /// Whether the profile that was asked for is one of the grid.
    pub(super) has_profile: bool,
    _cost: PhantomData<fn() -> C>,
}

/// A gateway of a grid: see [`GridSpace::gateways`].
///
/// ```
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&[".....#.....", "...........", ".....#....."])?;
/// let door = grid.space().gateways().find(|gateway| gateway.first == gateway.last);
/// assert_eq!(door.map(|door| door.first), grid.cell(5, 1));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GatewayEnds {
    /// Its westernmost or northernmost cell.
    pub first: Cell,
    /// The cell at its other end.
    pub last: Cell,
}

impl<C> Clone for GridSpace<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for GridSpace<'_, C> {}

impl<'g, C: Cost> GridSpace<'g, C> {
    pub(super) fn new(grid: &'g Grid, layer: &'g Layer, has_profile: bool) -> Self {
        Self { grid, layer, has_profile, _cost: PhantomData }
    }

    /// Returns the grid.
    #[must_use]
    pub fn grid(&self) -> &'g Grid {
        self.grid
    }

    /// Returns the profile.
    #[must_use]
    pub fn profile(&self) -> &'g GridProfile {
        &self.layer.profile
    }

    /// Returns whether an agent can stand on the cell.
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.has_profile && self.grid.layout.contains(cell) && self.layer.is_free(cell)
    }

    /// Returns the connected component that a cell lies in, by the index of its least cell; `None`
    /// where nobody can stand.
    #[must_use]
    pub fn component(&self, cell: Cell) -> Option<u32> {
        self.layer.components().name(cell.0).filter(|_| self.has_profile)
    }

    /// Returns the gateways of the map on uniform-cost terrain: straight lines of cells, from
    /// obstacle to obstacle, each of which separates its two sides. None on other terrain.
    ///
    /// Guided searches skip the rooms off the route to the goal (`Guidance`). Not every separating
    /// line is a gateway: only one of at most 64 cells; of lines beside each other the narrower, of
    /// crossing lines the column. They depend on the terrain alone.
    ///
    /// O(gateways · log gateways). Searches do without rooms on a map with an obstacle to 128
    /// cells, and on a small one that is mostly free. There the first call finds the gateways:
    /// O(cells).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let grid = Grid::from_rows(&[".....#.....", "...........", ".....#....."])?;
    /// let door = grid.cell(5, 1).unwrap();
    /// assert!(grid.space().gateways().any(|gateway| gateway.first == door && gateway.last == door));
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn gateways(&self) -> impl Iterator<Item = GatewayEnds> + 'g {
        let layout = &self.grid.layout;
        self.layer.accelerators.all_rooms(layout).flat_map(Rooms::gateways).map(
            |Gateway { is_column, line, first, last }| {
                let cell = |place: u16| {
                    let (x, y) = if is_column { (line, place) } else { (place, line) };
                    layout.cell(x.into(), y.into())
                };
                GatewayEnds { first: cell(first), last: cell(last) }
            },
        )
    }

    /// Returns the length of the line through some cells in world units, such as `path.states()`;
    /// straight lines of any angle count as they are.
    ///
    /// On level ground it comes from the exact counts of straight and diagonal steps. On a grid
    /// with heights it is the length over the ground: the distances between the middles of the
    /// cells.
    #[must_use]
    pub fn length(&self, cells: impl IntoIterator<Item = Cell>) -> f64 {
        let (mut straight, mut diagonal, mut other) = (0u64, 0u64, 0.0f64);
        let mut cells = cells.into_iter();
        let mut before = cells.next();
        let size = f64::from(self.grid.frame.cell_size);
        for cell in cells {
            let from = before.replace(cell).unwrap_or(cell);
            let rise = f64::from(self.grid.height_of(cell) - self.grid.height_of(from)) / size;
            match self.offset(from, cell) {
                (dx, 0) | (0, dx) if rise == 0.0 => straight += u64::from(dx),
                (dx, dy) if rise == 0.0 && dx == dy => diagonal += u64::from(dx),
                (dx, dy) => {
                    let (dx, dy) = (f64::from(dx), f64::from(dy));
                    other += (dx * dx + dy * dy + rise * rise).sqrt();
                }
            }
        }
        (straight as f64 + diagonal as f64 * std::f64::consts::SQRT_2 + other) * size
    }

    /// Returns where the cells lie in memory.
    #[doc(hidden)]
    pub fn layout(&self) -> &'g Layout {
        &self.grid.layout
    }

    /// Returns whether every step costs its length alone: the profile tells no terrain apart on
    /// this map, and nothing is penalised. Jump point search is fastest there.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.layer.is_uniform()
    }

    /// Returns the cells that an agent can stand on, row by row, a map a medium: nearly always one.
    #[doc(hidden)]
    pub fn free_cells(&self) -> impl ExactSizeIterator<Item = &'g BitMap> {
        self.layer.accelerators.free_cells()
    }

    /// Returns the moves out of a free cell, as bits.
    #[inline]
    #[doc(hidden)]
    pub fn moves_from(&self, cell: Cell) -> u8 {
        self.layer.moves_from(cell)
    }

    /// Which of the cells around a free one are free too, as bits.
    #[inline]
    #[doc(hidden)]
    pub fn around(&self, cell: Cell) -> u8 {
        self.layer.around(cell)
    }

    /// Returns the moves to follow on uniform-cost terrain, as bits.
    ///
    /// `around`: the free neighbours of the cell. `entered`: the direction of entry; `None` at the
    /// start.
    #[inline]
    #[doc(hidden)]
    pub fn moves_among(&self, around: u8, entered: Option<u8>) -> u8 {
        let table = entered.map_or(self.layer.moves, |direction| {
            &self.layer.canonical()[usize::from(direction & 7)]
        });
        table[usize::from(around)]
    }

    /// Returns the rooms of the medium that an agent on a cell is in, for a search that a guide was
    /// prepared for.
    #[inline(always)]
    pub(super) fn rooms(&self, cell: Cell) -> Option<&'g Rooms> {
        self.layer.accelerators.found_rooms(cell)
    }

    /// Returns the same to prepare a guide, which finds them after an edit.
    pub(super) fn find_rooms(&self, cell: Cell) -> Option<&'g Rooms> {
        self.layer.accelerators.find_rooms(cell, self.layout())
    }

    /// Returns the costs of steps on uniform-cost terrain.
    pub(super) fn steps(&self) -> Steps {
        let more_for_diagonal =
            if self.layer.has_diagonals() { DIAGONAL - STRAIGHT } else { STRAIGHT };
        Steps { straight: STRAIGHT, more_for_diagonal }
    }

    #[inline]
    pub(super) fn offset(&self, a: Cell, b: Cell) -> (u32, u32) {
        let ((ax, ay), (bx, by)) =
            (self.grid.layout.coordinates(a), self.grid.layout.coordinates(b));
        (ax.abs_diff(bx), ay.abs_diff(by))
    }

    /// Returns the cost of a step into a cell.
    #[inline]
    #[doc(hidden)]
    pub fn step_cost(&self, into: Cell, is_diagonal: bool) -> C {
        let cost = if self.layer.is_uniform() {
            if is_diagonal { DIAGONAL } else { STRAIGHT }
        } else {
            match self.layer.costs.get(self.grid.terrain[into.0 as usize]) {
                Some(cost) => {
                    (if is_diagonal { cost.diagonal } else { cost.straight })
                        + self.layer.penalty(into)
                }
                None => return C::INFINITY,
            }
        };
        C::from_u64(u64::from(cost))
    }

    #[inline]
    pub(super) fn visit_moves(&self, state: Cell, moves: u8, mut visit: impl FnMut(EdgeOf<Self>)) {
        for (direction, is_diagonal) in directions(moves) {
            let target = self.target(state, direction);
            visit(Edge { target, cost: self.step_cost(target, is_diagonal), action: Action::Walk });
        }
    }

    #[inline]
    fn target(&self, cell: Cell, direction: u32) -> Cell {
        Cell(cell.0.wrapping_add_signed(self.layer.offsets[direction as usize & 7]))
    }
}

/// Returns the directions whose bits are set, lowest first.
#[inline]
fn directions(mut moves: u8) -> impl Iterator<Item = (u32, bool)> {
    std::iter::from_fn(move || {
        if moves == 0 {
            return None;
        }
        let direction = moves.trailing_zeros();
        moves &= moves - 1;
        Some((direction, DIAGONALS >> direction & 1 == 1))
    })
}

impl<C: Cost> Space for GridSpace<'_, C> {
    type State = Cell;
    type Cost = C;
    type Expander = GridExpander;

    fn state_bound(&self) -> usize {
        self.grid.layout.bound()
    }

    fn revision(&self) -> Revision {
        self.grid.revision()
    }

    /// By tiles of 32² cells.
    fn last_edit(&self, from: Cell, to: Cell) -> Revision {
        self.grid.last_edit_along(from, to)
    }

    fn check(&self, state: Cell) -> Result<(), Obstruction> {
        if !self.grid.layout.contains(state) {
            return Err(Obstruction::OffMap);
        }
        if !self.has_profile {
            return Err(Obstruction::NoSuchProfile);
        }
        if self.layer.is_free(state) {
            return Ok(());
        }
        let terrain = self.grid.terrain(state);
        match self.layer.costs.get(terrain) {
            None => Err(Obstruction::Terrain { terrain: terrain.0 }),
            Some(_) => Err(Obstruction::TooNarrow { needed: self.layer.profile.width }),
        }
    }

    #[inline]
    fn successors(&self, state: Cell, visit: impl FnMut(EdgeOf<Self>)) {
        self.visit_moves(state, self.layer.moves_from(state), visit);
    }

    fn action(&self, _from: Cell, _to: Cell) -> Action {
        Action::Walk
    }

    #[inline]
    fn estimate(&self, from: Cell, to: Cell) -> C {
        let measure = if self.layer.has_diagonals() { Measure::Octile } else { Measure::Manhattan };
        self.distance(measure, from, to)
    }

    fn reachability(&self, from: Cell, to: Cell) -> Reachability {
        self.layer.components().reachability(from.0, to.0)
    }

    fn position(&self, state: Cell) -> Vec3 {
        self.grid.centre(state)
    }

    fn cost_per_unit(&self) -> f64 {
        f64::from(STRAIGHT) / f64::from(self.grid.frame.cell_size)
    }
}

impl<C: Cost> ReverseSpace for GridSpace<'_, C> {
    #[inline]
    fn predecessors(&self, state: Cell, mut visit: impl FnMut(EdgeOf<Self>)) {
        // Whether a step is allowed does not depend on its direction. Its cost depends on the cell
        // entered, which is the same for all of them.
        let (straight, diagonal) = (self.step_cost(state, false), self.step_cost(state, true));
        for (direction, is_diagonal) in directions(self.layer.moves_from(state)) {
            let target = self.target(state, direction);
            let cost = if is_diagonal { diagonal } else { straight };
            visit(Edge { target, cost, action: Action::Walk });
        }
    }
}

/// Returns the cost of a straight line. The integer diagonal is shorter than √2 straight steps by
/// 7.6 parts in 10⁹: the line is shortened by 10, so that it never costs more than the steps.
pub(super) fn straight_line(dx: u64, dy: u64, straight: u64) -> u64 {
    (((dx * dx + dy * dy) as f64).sqrt() * straight as f64 * (1.0 - 1e-8)) as u64
}

impl<C: Cost> Metric for GridSpace<'_, C> {
    #[inline]
    fn distance(&self, measure: Measure, from: Cell, to: Cell) -> C {
        let (dx, dy) = self.offset(from, to);
        let LeastStep { straight, diagonal } = self.layer.least_step();
        let (straight, diagonal) = (u64::from(straight), u64::from(diagonal));
        let (long, short) = (u64::from(dx.max(dy)), u64::from(dx.min(dy)));
        C::from_u64(match measure {
            Measure::Octile => (long - short) * straight + short * diagonal,
            Measure::Manhattan => (long + short) * straight,
            Measure::Chebyshev => long * straight,
            Measure::Euclidean => straight_line(long, short, straight),
        })
    }

    fn own_cost(&self, state: Cell) -> C {
        C::from_u64(u64::from(self.layer.penalty(state)))
    }
}

wayfare_core::inside::fast_space!(GridSpace);
