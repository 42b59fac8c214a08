//! The `pathfinding` crate's side: its A* over the same moves, costs and estimate.

use pathfinding::directed::astar::astar;
use wayfare::space::{DIAGONAL, STRAIGHT};

use crate::maps::{BenchMap, BenchQuery};
use crate::ours::{Measured, Timed, is_optimal, measure_once};

/// The map as a program that uses the crate would hold it.
struct Map {
    width: i32,
    height: i32,
    free: Vec<bool>,
}

impl Map {
    fn is_free(&self, x: i32, y: i32) -> bool {
        x >= 0
            && y >= 0
            && x < self.width
            && y < self.height
            && self.free[(y * self.width + x) as usize]
    }

    fn successors(&self, (x, y): (i32, i32)) -> impl Iterator<Item = ((i32, i32), u32)> + '_ {
        const STEPS: [(i32, i32); 8] =
            [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        STEPS.into_iter().filter_map(move |(dx, dy)| {
            let allowed = self.is_free(x + dx, y + dy)
                && (dx == 0 || dy == 0 || self.is_free(x + dx, y) && self.is_free(x, y + dy));
            allowed
                .then_some(((x + dx, y + dy), if dx == 0 || dy == 0 { STRAIGHT } else { DIAGONAL }))
        })
    }
}

/// A* of the crate. Knows one medium: maps with several are measured on those queries that stay on
/// land.
pub(crate) fn measure(map: &BenchMap) -> Measured {
    let space = map.grid.space();
    let ground = |cell| {
        let cost = space.profile().costs.get(map.grid.terrain(cell));
        cost.is_some_and(|cost| cost.medium.0 == 0)
    };
    let crate_map = Map {
        width: map.grid.width() as i32,
        height: map.grid.height() as i32,
        free: map.grid.cells().map(ground).collect(),
    };
    let at = |cell| {
        let (x, y) = map.grid.coordinates(cell).into();
        (x as i32, y as i32)
    };
    let run = |query: &BenchQuery| {
        let (start, goal) = (at(query.start), at(query.goal));
        let octile = |&(x, y): &(i32, i32)| {
            let (dx, dy) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
            (dx.max(dy) - dx.min(dy)) * STRAIGHT + dx.min(dy) * DIAGONAL
        };
        let begun = crate::clock::begin();
        let found = astar(&start, |&at| crate_map.successors(at), octile, |&at| at == goal);
        let micros = crate::clock::micros(begun);
        let length = found.map_or(f64::INFINITY, |(path, _)| {
            let step = |pair: &[(i32, i32)]| {
                if pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1 {
                    1.0
                } else {
                    std::f64::consts::SQRT_2
                }
            };
            path.windows(2).map(step).sum()
        });
        Timed { micros, is_optimal: is_optimal(length, query.optimal) }
    };
    measure_once(&map.queries, run)
}
