//! What guides say of the way between two cells, on random grids with edits in between, against the
//! true costs of all ways.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wayfare_core::expert::{Guidance, GuidanceMemoryOf, GuidanceOf};
use wayfare_core::path::validate;
use wayfare_core::search::{
    AStar, Algorithm, Dijkstra, Jps, Limit, Outcome, Progress, Query, Scratch, Search, Solver,
};
use wayfare_core::space::{Cost, ProfileId, Space, StateId, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, GridSpace, Neighbours};

type Guide<'g> = GuidanceOf<GridSpace<'g>>;

/// Caves, corridors and rooms with doors: maps with many gates.
fn any_map() -> impl Strategy<Value = Grid> {
    let kind = (0u32..4, 3u32..9, any::<u64>());
    let rules = (0usize..4, 1u8..3);
    (3u32..40, 3u32..40, kind, rules).prop_map(
        |(width, height, (kind, side, seed), (rule, size))| {
            let noise = |x: u32, y: u32| {
                let mixed = (u64::from(x) << 32 | u64::from(y)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                ((mixed ^ seed).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) % 100
            };
            let is_wall = |x: u32, y: u32| match kind {
                0 => noise(x, y) < 30,
                1 => noise(x / 3, y / 2) < 35,
                // Walls with few doors.
                2 => (x.is_multiple_of(side) || y.is_multiple_of(side)) && noise(x, y) < 85,
                // A maze of corridors.
                _ => match (x & 1, y & 1) {
                    (0, 0) => true,
                    (1, 1) => false,
                    _ => noise(x, y) < 45,
                },
            };
            let terrain: Vec<TerrainId> = (0..width * height)
                .map(|at| {
                    if is_wall(at % width, at / width) {
                        TerrainId::BLOCKED
                    } else {
                        TerrainId::GROUND
                    }
                })
                .collect();
            let (neighbours, corners) = [
                (Neighbours::Four, CornerRule::BothFree),
                (Neighbours::Eight, CornerRule::BothFree),
                (Neighbours::Eight, CornerRule::OneFree),
                (Neighbours::Eight, CornerRule::Always),
            ][rule];
            let profile =
                GridProfile { width: size, neighbours, corners, ..GridProfile::default() };
            Grid::new(width, height, &terrain, profile).unwrap()
        },
    )
}

/// One of the grid's cells.
fn pick(grid: &Grid, seed: u32) -> Cell {
    grid.cell(seed % grid.width(), seed / grid.width() % grid.height()).unwrap()
}

/// The costs from a cell to all that can be reached from it.
fn costs_from(space: &GridSpace<'_>, start: Cell) -> BTreeMap<u32, u32> {
    let mut costs = BTreeMap::from([(start.index(), 0)]);
    let mut open = BTreeSet::from([(0, start)]);
    while let Some((cost, cell)) = open.pop_first() {
        space.successors(cell, |edge| {
            let through = cost + edge.cost;
            let best = costs.entry(edge.target.index()).or_insert(u32::MAX);
            if through < *best {
                *best = through;
                open.insert((through, edge.target));
            }
        });
    }
    costs
}

fn check(grid: &Grid, start: Cell, goal: Cell) -> Result<(), TestCaseError> {
    let space = grid.space();
    if !space.is_free(start) || !space.is_free(goal) {
        return Ok(());
    }
    let (from, to) = (costs_from(&space, start), costs_from(&space, goal));
    let Some(&best) = from.get(&goal.index()) else { return Ok(()) };
    let mut memory = GuidanceMemoryOf::<GridSpace<'_>>::default();
    Guide::prepare(&space, start, goal, &mut memory);
    let estimate = |cell: Cell| Guide::estimate(&space, &memory, cell);
    // A small map that is mostly free has no rooms.
    let guided = from.iter().filter(|_| estimate(goal) < Cost::INFINITY);
    for (&id, &g) in guided {
        let (cell, h, rest) = (Cell::from_index(id), estimate(Cell::from_index(id)), to[&id]);
        let at =
            || format!("{:?}: g {g}, guided {h}, true {rest} of {best}", grid.coordinates(cell));
        prop_assert!(h >= space.estimate(cell, goal), "weaker than the estimate at {}", at());
        if g + rest == best || h < Cost::INFINITY {
            prop_assert!(h <= rest, "too much at {}", at());
        }
        let mut rough = None;
        space.successors(cell, |edge| {
            if h < Cost::INFINITY
                && estimate(edge.target) < Cost::INFINITY
                && h > edge.cost + estimate(edge.target)
            {
                rough = Some(edge.target);
            }
        });
        prop_assert!(
            rough.is_none(),
            "inconsistent with {:?} at {}",
            rough.map(|to| grid.coordinates(to)),
            at()
        );
    }
    let mut solver = Solver::new();
    let jps = solver.solve(&space, &Jps, Query::new(start, goal)).outcome;
    let astar = solver.solve(&space, &AStar::new(), Query::new(start, goal)).outcome;
    let dijkstra = solver.solve(&space, &Dijkstra, Query::new(start, goal)).outcome;
    for outcome in [jps, astar, dijkstra] {
        let path = outcome.path().unwrap();
        prop_assert_eq!(validate(&space, path, start, goal), Ok(()));
        prop_assert_eq!(path.cost(), best);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn guides_never_say_too_much(grid in any_map(), ends in prop::collection::vec(any::<(u32, u32)>(), 6)) {
        for (start, goal) in ends {
            check(&grid, pick(&grid, start), pick(&grid, goal))?;
        }
    }

    #[test]
    fn guides_stay_right_under_edits(
        grid in any_map(),
        rounds in prop::collection::vec((prop::collection::vec(any::<u32>(), 1..4), any::<(u32, u32)>()), 1..12),
    ) {
        let mut grid = grid;
        for (edits, (start, goal)) in rounds {
            grid.set_terrains(edits.into_iter().map(|at| {
                let blocked = at % 3 > 0;
                // Over one place again and again, as a door would be.
                let cell = if at % 2 == 0 { pick(&grid, at) } else { pick(&grid, at % 5) };
                (cell, if blocked { TerrainId::BLOCKED } else { TerrainId::GROUND })
            }).collect::<Vec<_>>());
            check(&grid, pick(&grid, start), pick(&grid, goal))?;
        }
    }

    #[test]
    fn searches_go_on_after_edits_as_if_begun_anew(
        grid in any_map(),
        edits in prop::collection::vec(any::<u32>(), 1..6),
        (start, goal) in any::<(u32, u32)>(),
        expansions in 1u64..30,
    ) {
        let mut grid = grid;
        let (start, goal) = (pick(&grid, start), pick(&grid, goal));
        let mut scratch = Scratch::new();
        let mut search = AStar::new().search(Query::new(start, goal));
        let _ = search.step(&grid.space(), &mut scratch, &mut (), expansions);
        for at in edits {
            let cell = pick(&grid, at);
            let is_blocked = grid.terrain(cell) == TerrainId::BLOCKED;
            grid.set_terrain(cell, if is_blocked { TerrainId::GROUND } else { TerrainId::BLOCKED });
            let (x, y) = grid.coordinates(cell).into();
            let near = |at: u32| at.saturating_sub(2)..=at + 2;
            let affected: Vec<Cell> =
                near(y).flat_map(|y| near(x).map(move |x| (x, y))).filter_map(|(x, y)| grid.cell(x, y)).collect();
            let space = grid.space();
            if !search.adopt(&space, &mut scratch, &affected) {
                search = AStar::new().search(Query::new(start, goal));
            }
            let _ = search.step(&space, &mut scratch, &mut (), 3);
        }
        let space = grid.space();
        while search.step(&space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
        let anew = Solver::new().solve(&space, &AStar::new(), Query::new(start, goal));
        prop_assert_eq!(search.answer(&space, &mut scratch), anew);
    }
}

#[test]
fn more_islands_and_gates_than_have_numbers_are_no_trouble() {
    // Two chambers and a door between, 77,000 times.
    let island = ["...#...#", ".......#", "...#...#", "########"];
    let rows: Vec<String> = (0..4 * 300).map(|y| island[y % 4].repeat(256)).collect();
    let grid = Grid::from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let space = grid.space();
    let (start, goal) = (grid.cell(16, 800).unwrap(), grid.cell(22, 802).unwrap());
    let answer = Solver::new().solve(&space, &Jps, Query::new(start, goal));
    assert_eq!(answer.outcome.path().unwrap().len(), 6);
}

#[test]
fn a_way_longer_than_the_cost_type_holds_is_still_said_to_be_that() {
    // One corridor, to and fro.
    let (width, corridors) = (1_501, 260);
    let rows: Vec<String> = (0..2 * corridors - 1)
        .map(|y| match y % 4 {
            0 | 2 => ".".repeat(width),
            1 => "#".repeat(width - 1) + ".",
            _ => ".".to_owned() + &"#".repeat(width - 1),
        })
        .collect();
    let grid = Grid::from_rows(&rows.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let ends = (grid.cell(0, 0).unwrap(), grid.cell(0, grid.height() - 1).unwrap());
    let narrow = Solver::new().solve(&grid.space(), &AStar::new(), Query::new(ends.0, ends.1));
    assert!(
        matches!(narrow.outcome, Outcome::LimitReached { limit: Limit::CostRange, .. }),
        "{}",
        narrow.outcome
    );
    let wide = grid.space_for::<u64>(ProfileId::default());
    let jps = Solver::new().solve(&wide, &Jps, Query::new(ends.0, ends.1));
    assert_eq!(jps.outcome.path().unwrap().cost(), (1_500 * 260 + 259 * 2) * 5_741);
}

#[test]
fn there_is_no_guide_from_or_to_where_nobody_can_stand() {
    let grid = Grid::from_rows(&["..#..", ".....", "..#..", "#####", "....."]).unwrap();
    let space = grid.space();
    let at = |x, y| grid.cell(x, y).unwrap();
    let mut memory = GuidanceMemoryOf::<GridSpace<'_>>::default();
    for (start, goal) in [
        (at(0, 3), at(0, 0)),
        (at(0, 0), at(0, 3)),
        (at(0, 0), at(0, 4)),
        (Cell::from_index(u32::MAX), at(0, 0)),
    ] {
        assert!(!Guide::prepare(&space, start, goal, &mut memory));
    }
    // One that was never prepared, and places off the map.
    assert_eq!(
        Guide::estimate(&space, &GuidanceMemoryOf::<GridSpace<'_>>::default(), at(0, 0)),
        Cost::INFINITY
    );
}
