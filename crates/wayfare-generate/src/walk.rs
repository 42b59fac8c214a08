//! A draft as a space: for a single search between two changes of its ground.

use glam::Vec3;
use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::{
    Action, DIAGONAL, Edge, EdgeOf, Obstruction, Plain, Revision, STRAIGHT, Space, StateId,
};
use wayfare_formats::TilePosition;
use wayfare_grid::grid::{Cell, Neighbours};

use crate::{Ground, TileDraft};

/// Beside the draft, on all sides.
const OUTSIDE: u8 = Ground::ALL.len() as u8;

/// The tiles of a draft with a price for each ground.
///
/// A [`Grid`](wayfare_grid::grid::Grid) prepares data for thousands of searches, and that takes
/// longer than one search. A walk prepares a copy of the tiles. Its moves have the costs and the
/// order of the moves of a grid whose corners must be free, and its states the order of a grid's
/// cells. A* breaks ties by them alone. On ground of several prices, where a grid has no rooms and
/// prunes no moves, it hence finds the same path over both. On ground of one price paths over a
/// grid are as cheap, but may be others.
pub struct Walk {
    width: u32,
    height: u32,
    /// From one row to the next: a tile of `OUTSIDE` follows each row, a row of them lies above
    /// the first and below the last.
    stride: u32,
    /// The ids of the grounds.
    tiles: Vec<u8>,
    /// The cost of a step onto a ground, straight and diagonally; `None` if it cannot be entered.
    steps: [Option<[u32; 2]>; Ground::ALL.len() + 1],
    /// The cheapest step onto ground that occurs.
    least: [u32; 2],
    neighbours: Neighbours,
}

impl Walk {
    /// `price`: the factor on the length of a step onto the ground, `None` where it cannot be
    /// entered.
    pub fn new(
        draft: &TileDraft,
        neighbours: Neighbours,
        price: impl Fn(Ground) -> Option<f32>,
    ) -> Self {
        let (width, height) = (draft.width(), draft.height());
        let stride = width + 1;
        let mut tiles = vec![OUTSIDE; stride as usize * (height as usize + 2) + 1];
        let mut occurs = [false; Ground::ALL.len()];
        let rows = tiles[stride as usize + 1..].chunks_exact_mut(stride as usize);
        for (row, grounds) in rows.zip(draft.tiles().chunks_exact(width.max(1) as usize)) {
            for (tile, ground) in row.iter_mut().zip(grounds) {
                *tile = *ground as u8;
                occurs[*ground as usize] = true;
            }
        }
        let mut steps = [None; Ground::ALL.len() + 1];
        for ground in Ground::ALL {
            steps[ground as usize] = price(ground).map(|factor| {
                let cost = |length: u32| (f64::from(length) * f64::from(factor)).round() as u32;
                [STRAIGHT, DIAGONAL].map(cost)
            });
        }
        let used = Ground::ALL.into_iter().filter(|ground| occurs[*ground as usize]);
        let least = used.filter_map(|ground| steps[ground as usize]).min();
        let least = least.unwrap_or([STRAIGHT, DIAGONAL]);
        Walk { width, height, stride, tiles, steps, least, neighbours }
    }

    /// Returns a walk of agents over a finished world: in eight directions, at the costs of its
    /// terrains.
    pub(crate) fn of_agents(draft: &TileDraft) -> Self {
        Walk::new(draft, Neighbours::Eight, |ground| {
            ground.is_walkable().then(|| ground.described().multiplier)
        })
    }

    /// Returns whether all steps onto ground that occurs cost their length.
    pub fn is_uniform(&self) -> bool {
        let known = |tile: &u8| self.steps[usize::from(*tile)];
        self.tiles.iter().filter_map(known).all(|step| step == [STRAIGHT, DIAGONAL])
    }

    pub(crate) fn state(&self, at: TilePosition) -> Option<Cell> {
        let is_inside = at.x < self.width && at.y < self.height;
        is_inside.then(|| Cell::from_index((at.y + 1) * self.stride + at.x + 1))
    }

    pub(crate) fn tile(&self, state: Cell) -> TilePosition {
        let place = state.index() - 1;
        TilePosition { x: place % self.stride, y: (place / self.stride).wrapping_sub(1) }
    }

    /// Returns a cheapest path by A*; the reason if there is none.
    pub fn cheapest(
        &self,
        from: TilePosition,
        to: TilePosition,
    ) -> Result<Vec<TilePosition>, String> {
        let ends = self.state(from).zip(self.state(to));
        let (start, goal) = ends.ok_or("one end lies off the map")?;
        match solve(self, &AStar::new(), Query::new(start, goal)).outcome {
            Outcome::Found(path) => Ok(path.states().map(|state| self.tile(state)).collect()),
            other => Err(other.to_string()),
        }
    }

    fn step(&self, tile: u32) -> Option<[u32; 2]> {
        self.steps[usize::from(self.tiles[tile as usize])]
    }
}

impl Space for Walk {
    type State = Cell;
    type Cost = u32;
    type Expander = Plain;

    fn state_bound(&self) -> usize {
        self.tiles.len()
    }

    fn revision(&self) -> Revision {
        Revision::default()
    }

    fn check(&self, state: Cell) -> Result<(), Obstruction> {
        let tile = self.tiles.get(state.index() as usize).copied().unwrap_or(OUTSIDE);
        match self.steps[usize::from(tile)] {
            Some(_) => Ok(()),
            None if tile == OUTSIDE => Err(Obstruction::OffMap),
            None => Err(Obstruction::Terrain { terrain: tile }),
        }
    }

    /// Visits neighbours from north-west to south-east, row by row.
    fn successors(&self, state: Cell, mut visit: impl FnMut(EdgeOf<Self>)) {
        let (at, stride) = (state.index(), self.stride);
        let mut straight = |tile: u32, step: Option<[u32; 2]>| {
            if let Some([cost, _]) = step {
                visit(Edge { target: Cell::from_index(tile), cost, action: Action::Walk });
            }
        };
        let [north, west, east, south] = [at - stride, at - 1, at + 1, at + stride];
        let steps = [north, west, east, south].map(|tile| self.step(tile));
        if self.neighbours == Neighbours::Four {
            straight(north, steps[0]);
            straight(west, steps[1]);
            straight(east, steps[2]);
            straight(south, steps[3]);
            return;
        }
        let free = steps.map(|step| step.is_some());
        let diagonal = |tile: u32, corners_are_free: bool| {
            let step = if corners_are_free { self.step(tile) } else { None };
            step.map(|[_, cost]| [cost, cost])
        };
        straight(north - 1, diagonal(north - 1, free[0] && free[1]));
        straight(north, steps[0]);
        straight(north + 1, diagonal(north + 1, free[0] && free[2]));
        straight(west, steps[1]);
        straight(east, steps[2]);
        straight(south - 1, diagonal(south - 1, free[3] && free[1]));
        straight(south, steps[3]);
        straight(south + 1, diagonal(south + 1, free[3] && free[2]));
    }

    fn estimate(&self, from: Cell, to: Cell) -> u32 {
        let (from, to) = (self.tile(from), self.tile(to));
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let [straight, diagonal] = self.least;
        match self.neighbours {
            Neighbours::Four => (dx + dy) * straight,
            Neighbours::Eight => dx.abs_diff(dy) * straight + dx.min(dy) * diagonal,
        }
    }

    fn position(&self, state: Cell) -> Vec3 {
        let TilePosition { x, y } = self.tile(state);
        Vec3::new(x as f32, 0.0, y as f32)
    }

    fn cost_per_unit(&self) -> f64 {
        f64::from(STRAIGHT)
    }
}
