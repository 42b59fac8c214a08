//! A space of your own: `cargo run -p wayfare --example hexagons`. `tests/own_space.rs` runs
//! every search, the planner and a simulation on it.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::space::{Cell as Hex, *}; // any dense id will do: hexagons are numbered row by row

/// Rows of hexagons, odd ones half a hexagon further east. 1 to 9: the cost of entering; `#`: a
/// wall.
#[derive(Clone, Debug)]
pub(crate) struct HexGrid {
    width: i32,
    costs: Vec<u32>,
}

impl HexGrid {
    pub(crate) fn new(width: i32, hexagons: &str) -> Self {
        Self { width, costs: hexagons.chars().map(|cost| cost.to_digit(10).unwrap_or(0)).collect() }
    }
    /// Steps to the east and to the south-east from the first hexagon.
    fn axial(&self, hex: Hex) -> (i32, i32) {
        let (x, y) = (hex.index() as i32 % self.width, hex.index() as i32 / self.width);
        (x - y / 2, y)
    }
    fn neighbours(&self, hex: Hex) -> impl Iterator<Item = Hex> {
        let (q, r) = self.axial(hex);
        let around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)].into_iter();
        around.map(move |(east, south)| (q + east, r + south)).filter_map(|(q, r)| {
            let x = q + r.div_euclid(2);
            let next = Hex::from_index(u32::try_from(r * self.width + x).ok()?);
            ((0..self.width).contains(&x) && self.check(next).is_ok()).then_some(next)
        })
    }
    fn step(&self, target: Hex, entered: Hex) -> EdgeOf<Self> {
        Edge { target, cost: self.costs[entered.index() as usize], action: Action::Walk }
    }
}

impl Space for HexGrid {
    type State = Hex;
    type Cost = u32;
    type Expander = Plain; // searches leave out nothing
    fn state_bound(&self) -> usize {
        self.costs.len()
    }
    fn revision(&self) -> Revision {
        Revision::default() // it never changes
    }
    fn check(&self, hex: Hex) -> Result<(), Obstruction> {
        let cost = self.costs.get(hex.index() as usize).ok_or(Obstruction::OffMap)?;
        if *cost > 0 { Ok(()) } else { Err(Obstruction::Blocked) }
    }
    fn successors(&self, hex: Hex, visit: impl FnMut(EdgeOf<Self>)) {
        self.neighbours(hex).map(|to| self.step(to, to)).for_each(visit);
    }
    fn estimate(&self, from: Hex, to: Hex) -> u32 {
        let ((q, r), (to_q, to_r)) = (self.axial(from), self.axial(to));
        let (east, south) = (to_q - q, to_r - r);
        east.abs().max(south.abs()).max((east + south).abs()) as u32 // the steps; each costs 1 or more
    }
    fn position(&self, hex: Hex) -> Vec3 {
        let (q, r) = self.axial(hex);
        Vec3::new(q as f32 + r as f32 / 2.0, 0.0, r as f32 * 0.866)
    }
}
impl ReverseSpace for HexGrid {
    fn predecessors(&self, hex: Hex, visit: impl FnMut(EdgeOf<Self>)) {
        self.neighbours(hex).map(|from| self.step(from, hex)).for_each(visit);
    }
}
impl Metric for HexGrid {}
impl LineOfSight for HexGrid {}
impl MoveRules for HexGrid {}

pub(crate) fn main() {
    let grid = HexGrid::new(6, "111#1119##11111111");
    let query = Query::new(Hex::from_index(0), Hex::from_index(5));
    let path = solve(&grid, &AStar::new(), query).outcome.into_path();
    assert_eq!((path.cost(), path.len()), (7, 7));
}
