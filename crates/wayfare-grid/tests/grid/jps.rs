//! Jump point search on grids large enough for its words, against Dijkstra's algorithm.

use proptest::prelude::*;
use wayfare_core::path::validate;
use wayfare_core::search::{
    AStar, Algorithm, Dijkstra, Goal, Jps, JumpPoints, Limit, NoPath, Outcome, Progress, Query,
    Scratch, Search, Solver,
};
use wayfare_core::space::{Cost, CostTable, Medium, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, GridSpace, Neighbours};

/// A grid of one cost with single walls, blocks and open ground, some of it water that only
/// swimmers enter.
fn uniform_grid() -> impl Strategy<Value = Grid> {
    let blocks =
        prop::collection::vec((0u32..150, 0u32..90, 1u32..40, 1u32..30, any::<bool>()), 0..12);
    let dots = prop::collection::vec((0u32..150, 0u32..90, 0u8..5), 0..300);
    (1u32..150, 1u32..90, blocks, dots, profile()).prop_map(
        |(width, height, blocks, dots, profile)| {
            let mut terrain = vec![TerrainId::GROUND; (width * height) as usize];
            let mut set = |x: u32, y: u32, to: TerrainId| {
                if x < width && y < height {
                    terrain[(y * width + x) as usize] = to;
                }
            };
            for (x, y, wide, high, is_wall) in blocks {
                for dy in 0..high {
                    for dx in 0..wide {
                        set(
                            x + dx,
                            y + dy,
                            if is_wall { TerrainId::BLOCKED } else { TerrainId(0) },
                        );
                    }
                }
            }
            for (x, y, kind) in dots {
                let kind = match kind {
                    0 => TerrainId(0),
                    1 => TerrainId(7),
                    _ => TerrainId::BLOCKED,
                };
                set(x % width, y % height, kind);
            }
            Grid::new(width, height, &terrain, profile).unwrap()
        },
    )
}

fn profile() -> impl Strategy<Value = GridProfile> {
    let rules = prop::sample::select(vec![
        (Neighbours::Eight, CornerRule::BothFree),
        (Neighbours::Eight, CornerRule::BothFree),
        (Neighbours::Eight, CornerRule::OneFree),
        (Neighbours::Eight, CornerRule::Always),
        (Neighbours::Four, CornerRule::BothFree),
    ]);
    (rules, 1u8..4, any::<bool>()).prop_map(|((neighbours, corners), width, swims)| {
        let water = TerrainCost::default().in_medium(Medium(1));
        let costs =
            if swims { CostTable::new().with(TerrainId(7), water) } else { CostTable::new() };
        GridProfile { neighbours, corners, width, costs, ..GridProfile::default() }
    })
}

/// A grid of regions and dots of terrains that cost 1, 1½, 2 and 4 times their length, or a little
/// more for each cell.
fn terrain_grid() -> impl Strategy<Value = Grid> {
    let areas = prop::collection::vec((0u32..90, 0u32..90, 1u32..60, 1u32..60, 0u8..6), 0..14);
    let dots = prop::collection::vec((0u32..90, 0u32..90, 0u8..6), 0..250);
    (1u32..90, 1u32..60, areas, dots, profile()).prop_map(
        |(width, height, areas, dots, profile)| {
            let mut terrain = vec![TerrainId::GROUND; (width * height) as usize];
            let dots = dots.into_iter().map(|(x, y, kind)| (x, y, 1, 1, kind));
            for (x, y, wide, high, kind) in areas.into_iter().chain(dots) {
                let kind = if kind == 5 { TerrainId::BLOCKED } else { TerrainId(kind) };
                for (x, y) in (0..wide * high).map(|at| (x + at % wide, y + at / wide)) {
                    if x < width && y < height {
                        terrain[(y * width + x) as usize] = kind;
                    }
                }
            }
            let costs = [(1, 1.5), (2, 2.0), (3, 4.0)]
                .into_iter()
                .fold(profile.costs, |table, (kind, factor)| {
                    table.with(TerrainId(kind), TerrainCost::multiplied(factor))
                })
                .with(TerrainId(4), TerrainCost::penalised(0.5));
            Grid::new(width, height, &terrain, GridProfile { costs, ..profile }).unwrap()
        },
    )
}

/// The free cell that comes first from a random one on.
fn free_cell<C: Cost>(space: &GridSpace<'_, C>, seed: u32) -> Option<Cell> {
    let cells: Vec<Cell> = space.grid().cells().filter(|&cell| space.is_free(cell)).collect();
    cells.get(seed as usize % cells.len().max(1)).copied()
}

/// Checks one query's answer.
fn check<C: Cost>(space: &GridSpace<'_, C>, query: &Query<Cell, C>) -> Result<(), TestCaseError> {
    let mut solver = Solver::new();
    let truth = solver.solve(space, &Dijkstra, query.clone());
    let answer = solver.solve(space, &Jps, query.clone());
    match (&truth.outcome, &answer.outcome) {
        (Outcome::Found(best), Outcome::Found(path)) => {
            let end = path.end().unwrap();
            prop_assert!(query.goal.accepts(end));
            prop_assert_eq!(validate(space, path, query.start, end), Ok(()));
            prop_assert_eq!(path.cost(), best.cost());
        }
        (truth, found) => prop_assert_eq!(truth, found),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_costs_what_dijkstra_says_with_edits_in_between(
        mut grid in prop_oneof![uniform_grid(), terrain_grid()],
        rounds in prop::collection::vec((any::<u32>(), prop::collection::vec(any::<u32>(), 1..5), any::<bool>()), 1..8),
    ) {
        for (start, goals, blocks) in rounds {
            let space = grid.space();
            let (Some(start), Some(first)) = (free_cell(&space, start), free_cell(&space, goals[0])) else { break };
            check(&space, &Query::new(start, first))?;
            let several = Goal::any_of(goals.iter().filter_map(|&goal| free_cell(&space, goal)));
            check(&space, &Query::to(start, several.clone()))?;
            check(&grid.space_for::<u64>(grid.profiles().next().unwrap()), &Query::to(start, several))?;
            let edits: Vec<_> = goals.iter().filter_map(|&goal| free_cell(&space, goal.rotate_left(9))).collect();
            let open = TerrainId((goals[0] % 5) as u8); // which on ground of one cost is all the same
            let terrain = if blocks { TerrainId::BLOCKED } else { open };
            // Short walls, so that cells change in several words.
            let at = |cell, step| {
                let (x, y) = grid.coordinates(cell).into();
                grid.cell(x + step, y + step % 2)
            };
            let cells: Vec<Cell> =
                edits.iter().flat_map(|&cell| (0..7).filter_map(move |step| at(cell, step))).collect();
            grid.set_terrains(cells.into_iter().map(|cell| (cell, terrain)));
        }
    }

    #[test]
    fn jump_points_lie_on_the_path_and_limits_keep_what_was_found(
        grid in uniform_grid(),
        start: u32,
        goal: u32,
        most in 0u64..30,
    ) {
        let space = grid.space();
        let (Some(start), Some(goal)) = (free_cell(&space, start), free_cell(&space, goal)) else { return Ok(()) };
        let mut scratch = Scratch::new();
        let mut search = Jps.search(Query::new(start, goal).max_expansions(most));
        while search.step(&space, &mut scratch, &mut (), 3) == Progress::Working {}
        let answer = search.answer(&space, &mut scratch);
        let JumpPoints { path: points, stats } = search.jump_points(&space, &mut scratch);
        prop_assert_eq!(stats, answer.stats);
        prop_assert!(stats.expanded <= most);
        match &answer.outcome {
            Outcome::Found(path) => {
                let points = points.unwrap();
                prop_assert_eq!((points.start(), points.end(), points.cost()), (path.start(), path.end(), path.cost()));
                let strays = points.steps.iter().find(|step| !path.steps.contains(step));
                prop_assert_eq!(strays, None);
            }
            Outcome::LimitReached { limit: Limit::Expansions, nearest } => {
                prop_assert!(points.is_none());
                let end = nearest.end().unwrap();
                prop_assert_eq!(validate(&space, nearest, start, end), Ok(()));
            }
            Outcome::Unreachable { reason: NoPath::DifferentIslands { .. }, .. } => {}
            other => prop_assert!(false, "{other}"),
        }
    }
}

/// A look from the start finds a way with at most one turn, whichever of both orders is free, under
/// every rule; the path costs what A* says, and walls on both ways leave it to the search.
#[test]
fn a_free_way_with_one_turn_is_found_by_looking() {
    for (neighbours, corners) in [
        (Neighbours::Eight, CornerRule::BothFree),
        (Neighbours::Eight, CornerRule::OneFree),
        (Neighbours::Eight, CornerRule::Always),
        (Neighbours::Four, CornerRule::BothFree),
    ] {
        let profile = GridProfile { neighbours, corners, ..GridProfile::default() };
        let mut grid = Grid::new(100, 80, &[TerrainId::GROUND; 8000], profile).unwrap();
        let expanded = |grid: &Grid, from: (u32, u32), to: (u32, u32)| {
            let [from, to] = [from, to].map(|(x, y)| grid.cell(x, y).unwrap());
            let space = grid.space();
            let mut solver = Solver::new();
            let [found, expected] = [
                solver.solve(&space, &Jps, Query::new(from, to)),
                solver.solve(&space, &AStar::new(), Query::new(from, to)),
            ];
            let (path, best) = (found.outcome.into_path(), expected.outcome.into_path());
            assert_eq!(path.cost(), best.cost());
            assert_eq!(validate(&space, &path, from, to), Ok(()));
            found.stats.expanded
        };
        let ends =
            [((10, 10), (90, 40)), ((90, 40), (10, 10)), ((10, 70), (40, 5)), ((3, 9), (80, 9))];
        for (from, to) in ends {
            assert_eq!(expanded(&grid, from, to), 1, "{corners:?}");
        }
        // On the first way of either of the first two: each has the other left.
        let walls = if neighbours == Neighbours::Four {
            [(50, 10), (50, 40)]
        } else {
            [(60, 40), (20, 10)]
        };
        grid.set_terrain(grid.cell(walls[0].0, walls[0].1).unwrap(), TerrainId::BLOCKED);
        assert_eq!(expanded(&grid, (10, 10), (90, 40)), 2, "{corners:?}");
        grid.set_terrain(grid.cell(walls[1].0, walls[1].1).unwrap(), TerrainId::BLOCKED);
        assert!(expanded(&grid, (10, 10), (90, 40)) > 1, "{corners:?}");
        assert!(expanded(&grid, (90, 40), (10, 10)) > 1, "{corners:?}");
    }
}

#[test]
fn where_there_are_no_jumps_it_is_a_star() {
    let rows = ["......", ".#1##.", "..1...", ".##.#."];
    let terrain = |glyph| match glyph {
        b'#' => TerrainId::BLOCKED,
        b'1' => TerrainId(1),
        _ => TerrainId::GROUND,
    };
    let cells: Vec<TerrainId> = rows.iter().flat_map(|row| row.bytes().map(terrain)).collect();
    let weighted = CostTable::new().with(TerrainId(1), TerrainCost::multiplied(3.0));
    let same = |grid: &Grid, query: &Query<Cell, u32>| {
        let mut solver = Solver::new();
        let star = solver.solve(&grid.space(), &AStar::new(), query.clone());
        assert_eq!(solver.solve(&grid.space(), &Jps, query.clone()), star);
    };
    let (uniform, weighted) = (
        GridProfile::default(),
        GridProfile { costs: weighted, blur: 1, ..GridProfile::default() },
    );
    let grid = Grid::new(6, 4, &cells, weighted).unwrap();
    let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(5, 3).unwrap());
    same(&grid, &Query::new(a, b));
    let grid = Grid::new(6, 4, &cells, uniform).unwrap();
    same(&grid, &Query::to(a, Goal::when(move |cell| cell == b)));
}

#[test]
fn a_multiplier_that_rounds_away_on_straight_steps_alone_still_counts_on_diagonals() {
    // 1.00007 × 5741 rounds to 5741, but 1.00007 × 8119 to 8120.
    let costs = CostTable::new().with(TerrainId(1), TerrainCost::multiplied(1.000_07));
    for terrain in [vec![TerrainId(1); 64], [TerrainId(0), TerrainId(1)].repeat(32)] {
        let profile = GridProfile { costs: costs.clone(), ..GridProfile::default() };
        let grid = Grid::new(8, 8, &terrain, profile).unwrap();
        let space = grid.space();
        let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(7, 5).unwrap());
        let mut solver = Solver::new();
        let dijkstra = solver.solve(&space, &Dijkstra, Query::new(start, goal)).outcome;
        let astar = solver.solve(&space, &AStar::new(), Query::new(start, goal)).outcome;
        let jps = solver.solve(&space, &Jps, Query::new(start, goal)).outcome;
        let best = dijkstra.path().unwrap().cost();
        for outcome in [dijkstra, astar, jps] {
            let path = outcome.path().unwrap();
            assert_eq!(validate(&space, path, start, goal), Ok(()));
            assert_eq!(path.cost(), best);
        }
    }
}
