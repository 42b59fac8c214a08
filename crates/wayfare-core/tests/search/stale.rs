//! A path tells whether an edit touched it, and an edit what it touched: by tiles, chunks and
//! links.

use proptest::prelude::*;
use wayfare_core::link::{Crossing, Gate, Keys, NavLink, NavLinks};
use wayfare_core::path::{Path, validate, validate_any_angle};
use wayfare_core::search::{AStar, LazyThetaStar, Query, solve};
use wayfare_core::space::{CostTable, InfluenceRule, Space, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_voxel::{
    Abilities, BlockId, BlockKind, BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize,
};

/// A field with scattered pillars, several tiles wide.
fn field(width: u32, height: u32, seed: u64, profile: GridProfile) -> Grid {
    let terrain: Vec<TerrainId> = (0..u64::from(width * height))
        .map(|at| match (at ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 59 {
            0 | 1 => TerrainId::BLOCKED,
            2 => TerrainId(1),
            _ => TerrainId::GROUND,
        })
        .collect();
    Grid::new(width, height, &terrain, profile).unwrap()
}

fn any_profile() -> impl Strategy<Value = GridProfile> {
    (1u8..4, 0u8..4, any::<bool>()).prop_map(|(width, blur, is_plain)| {
        let costs = CostTable::new();
        let costs =
            if is_plain { costs } else { costs.with(TerrainId(1), TerrainCost::penalised(2.0)) };
        GridProfile { width, blur, costs, influence: vec![1.0], ..GridProfile::default() }
    })
}

fn free(grid: &Grid, seed: u32) -> Option<Cell> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.space().is_free(cell)).collect();
    free.get(seed as usize % free.len().max(1)).copied()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_path_over_a_grid_that_no_edit_touched_is_as_good_as_before(
        (width, height) in (40u32..110, 3u32..50),
        seed: u64,
        profile in any_profile(),
        ends: (u32, u32),
        edits in prop::collection::vec((any::<u32>(), any::<u32>(), 0u8..3, any::<bool>()), 1..4),
    ) {
        let mut grid = field(width, height, seed, profile);
        let danger = grid.add_influence(InfluenceRule::default()).unwrap();
        let (Some(start), Some(goal)) = (free(&grid, ends.0), free(&grid, ends.1)) else { return Ok(()) };
        let step_by_step = solve(&grid.space(), &AStar::new(), Query::new(start, goal)).outcome.into_path();
        let any_angle = solve(&grid.space(), &LazyThetaStar, Query::new(start, goal)).outcome.into_path();
        prop_assert!(!step_by_step.is_stale(&grid.space()) && !any_angle.is_stale(&grid.space()));
        for (x, y, terrain, is_influence) in edits {
            let cell = grid.cell(x % width, y % height).unwrap();
            let before = successors(&grid, grid.cells());
            let changed = if is_influence {
                grid.add_influence_at(danger, cell, 3.0);
                vec![cell]
            } else {
                let terrain = [TerrainId::GROUND, TerrainId(1), TerrainId::BLOCKED][usize::from(terrain)];
                grid.set_terrain(cell, terrain).cells
            };
            let affected = grid.affected_by(&changed);
            for (cell, (old, new)) in grid.cells().zip(before.into_iter().zip(successors(&grid, grid.cells()))) {
                prop_assert!(old == new || affected.binary_search(&cell).is_ok());
            }
        }
        let space = grid.space();
        if !step_by_step.is_stale(&space) && !step_by_step.steps.is_empty() {
            let end = step_by_step.end().unwrap();
            prop_assert_eq!(validate(&space, &step_by_step, start, end), Ok(()));
        }
        if !any_angle.is_stale(&space) && !any_angle.steps.is_empty() {
            let end = any_angle.end().unwrap();
            prop_assert_eq!(validate_any_angle(&space, &any_angle, start, end), Ok(()));
        }
    }

    #[test]
    fn a_path_through_blocks_that_no_edit_touched_is_as_good_as_before(
        seed: u64,
        ends: (u32, u32),
        abilities in (any::<bool>(), any::<bool>(), any::<bool>()),
        body in (1u8..3, 1u8..3, 0u8..3, 0u16..4),
        edits in prop::collection::vec((0u32..50, 0u32..9, 0u32..18, any::<bool>()), 1..4),
    ) {
        let size = VoxelSize { width: 50, height: 9, depth: 18 };
        let (swim, climb, fly) = abilities;
        let (width, height, jump_distance, max_fall_distance) = body;
        let profile = VoxelProfile {
            abilities: Abilities { swim, climb, fly, ..Abilities::default() },
            width, height, jump_distance, max_fall_distance,
            ..VoxelProfile::default()
        };
        let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water, BlockKind::Climbable].map(Into::into);
        let mut world = VoxelGrid::from_fn(size, &palette, profile, |at| {
            let place = u64::from(at.x) << 40 | u64::from(at.y) << 20 | u64::from(at.z);
            let noise = (place ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
            match (at.y, noise) {
                (0, 0..8) => BlockId(2),
                (0, _) | (1, 8..20) | (_, 0..2) => BlockId::SOLID,
                (_, 2) => BlockId(3),
                _ => BlockId::AIR,
            }
        }).unwrap();
        let states: Vec<Voxel> = (0..50 * 18 * 9)
            .filter_map(|at| world.voxel(BlockPosition::new(at % 50, at / 900, at / 50 % 18)))
            .collect();
        let stands: Vec<Voxel> = states.iter().copied().filter(|&state| world.space().check(state).is_ok()).collect();
        prop_assume!(!stands.is_empty());
        let pick = |seed: u32| stands[seed as usize % stands.len()];
        let (start, goal) = (pick(ends.0), pick(ends.1));
        let path = solve(&world.space(), &AStar::new(), Query::new(start, goal)).outcome.into_path();
        let line = solve(&world.space(), &LazyThetaStar, Query::new(start, goal)).outcome.into_path();
        for (x, y, z, is_solid) in edits {
            let block = if is_solid { BlockId::SOLID } else { BlockId::AIR };
            let before = moves(&world, &states);
            let edit = world.set_block(BlockPosition::new(x, y, z), block).unwrap();
            let affected = world.affected_by(&edit);
            for (state, (old, new)) in states.iter().zip(before.into_iter().zip(moves(&world, &states))) {
                prop_assert!(old == new || affected.binary_search(state).is_ok(), "{}", world.position_of(*state));
            }
        }
        let space = world.space();
        if !path.is_stale(&space) && !path.steps.is_empty() {
            prop_assert_eq!(validate(&space, &path, start, path.end().unwrap()), Ok(()));
        }
        if !line.is_stale(&space) && !line.steps.is_empty() {
            prop_assert_eq!(validate_any_angle(&space, &line, start, line.end().unwrap()), Ok(()));
        }
    }
}

fn successors(grid: &Grid, cells: impl Iterator<Item = Cell>) -> Vec<Vec<(Cell, u32)>> {
    let space = grid.space();
    let of = |cell: Cell| {
        let mut moves = Vec::new();
        if space.is_free(cell) {
            space.successors(cell, |edge| moves.push((edge.target, edge.cost)));
        }
        moves
    };
    cells.map(of).collect()
}

fn moves(world: &VoxelGrid, states: &[Voxel]) -> Vec<Vec<(Voxel, u32)>> {
    let space = world.space();
    let of = |&state: &Voxel| {
        let mut moves = Vec::new();
        if space.check(state).is_ok() {
            space.successors(state, |edge| moves.push((edge.target, edge.cost)));
        }
        moves
    };
    states.iter().map(of).collect()
}

#[test]
fn an_edit_far_from_a_path_leaves_it_fresh() {
    let mut grid = Grid::new(256, 3, &[TerrainId::GROUND; 768], GridProfile::default()).unwrap();
    let at = |grid: &Grid, x| grid.cell(x, 1).unwrap();
    let query = Query::new(at(&grid, 0), at(&grid, 40));
    let path = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
    grid.set_terrain(at(&grid, 200), TerrainId::BLOCKED);
    assert!(!path.is_stale(&grid.space()), "tiles away");
    let later = Path { revision: grid.revision(), ..path.clone() };
    assert!(later.is_stale(&Grid::from_rows(&["."]).unwrap().space()), "of another grid");
    grid.set_terrain(at(&grid, 20), TerrainId::BLOCKED);
    assert!(path.is_stale(&grid.space()));

    let size = VoxelSize { width: 256, height: 3, depth: 3 };
    let mut world = VoxelGrid::new(size, VoxelProfile::flyer()).unwrap();
    let at = |world: &VoxelGrid, x| world.voxel(BlockPosition::new(x, 1, 1)).unwrap();
    let query = Query::new(at(&world, 0), at(&world, 40));
    let path = solve(&world.space(), &AStar::new(), query).outcome.into_path();
    let far = [(BlockPosition::new(200, 1, 1), BlockId::SOLID)];
    world.set_blocks(far).unwrap();
    assert!(!path.is_stale(&world.space()), "chunks away");
    let near = [(BlockPosition::new(20, 1, 1), BlockId::SOLID)];
    world.try_out(near, |world, _| assert!(path.is_stale(&world.space()))).unwrap();
    assert!(!path.is_stale(&world.space()), "as it was");
    world.set_blocks(near).unwrap();
    assert!(path.is_stale(&world.space()));
}

#[test]
fn a_gate_makes_stale_the_paths_that_use_it() {
    let mut grid = Grid::from_rows(&["..#..", "..#..", "....."]).unwrap();
    let [a, b, c, d] = [(1, 0), (3, 0), (1, 2), (4, 2)].map(|(x, y)| grid.cell(x, y).unwrap());
    let mut links = NavLinks::new(10.0);
    let door = links.add(&grid.space(), NavLink::new(a, b, Crossing::Seconds(0.1))).unwrap();
    let way = |grid: &Grid, links: &NavLinks<Cell>, from, to| {
        let space = links.over(grid.space(), wayfare_core::link::Keys::NONE);
        solve(&space, &AStar::new(), Query::new(from, to)).outcome.into_path()
    };
    let (through, past) = (way(&grid, &links, a, b), way(&grid, &links, c, d));
    assert_eq!((through.len(), past.len()), (1, 3));
    links.set_gate(door, Gate::Closed);
    let is_stale = |grid: &Grid, links: &NavLinks<Cell>, path: &Path<Cell, u32>| {
        path.is_stale(&links.over(grid.space(), wayfare_core::link::Keys::NONE))
    };
    assert!(is_stale(&grid, &links, &through) && !is_stale(&grid, &links, &past));
    let shut = way(&grid, &links, a, b);
    grid.set_terrain(d, TerrainId::BLOCKED);
    assert!(is_stale(&grid, &links, &past) && is_stale(&grid, &links, &shut), "one tile");
}

#[test]
fn an_edit_on_trial_is_reverted_even_by_a_panic() {
    fn panics(ask: impl FnOnce()) {
        let ask = std::panic::AssertUnwindSafe(ask);
        // Unwinds without a message.
        assert!(std::panic::catch_unwind(ask).is_err());
    }
    let mut grid = Grid::from_rows(&["...", "...", "..."]).unwrap();
    let (before, cell) = (grid.revision(), grid.cell(1, 1).unwrap());
    panics(|| {
        grid.try_out([(cell, TerrainId::BLOCKED)], |grid, _| {
            assert!(!grid.space().is_free(cell));
            std::panic::resume_unwind(Box::new(()))
        });
    });
    assert!(grid.space().is_free(cell));
    assert_eq!(grid.revision(), before);

    let size = VoxelSize { width: 3, height: 3, depth: 3 };
    let mut world = VoxelGrid::new(size, VoxelProfile::flyer()).unwrap();
    let (before, at) = (world.revision(), BlockPosition::new(1, 1, 1));
    panics(|| {
        let _: Result<(), _> = world.try_out([(at, BlockId::SOLID)], |world, _| {
            assert_eq!(world.block(at), Some(BlockId::SOLID));
            std::panic::resume_unwind(Box::new(()))
        });
    });
    assert_eq!(world.block(at), Some(BlockId::AIR));
    assert_eq!(world.revision(), before);
}

/// A link from one end of a long map to the other, over a wall that fills all between.
#[test]
fn a_link_is_touched_at_its_ends_and_a_path_of_one_state_there() {
    let terrain: Vec<TerrainId> = (0..600)
        .map(|at| match at % 200 {
            10..=180 => TerrainId::BLOCKED,
            _ => TerrainId::GROUND,
        })
        .collect();
    let fresh = Grid::new(200, 3, &terrain, GridProfile::default()).unwrap();
    let at = |x| fresh.cell(x, 1).unwrap();
    let mut links = NavLinks::new(3.0);
    links.add(&fresh.space(), NavLink::new(at(5), at(190), Crossing::Seconds(2.0))).unwrap();
    let over = |grid: &Grid, from, to| {
        let space = links.over(grid.space(), Keys::NONE);
        solve(&space, &AStar::new(), Query::new(from, to)).outcome.into_path()
    };
    let through = over(&fresh, at(5), at(190));
    assert_eq!(through.len(), 1, "the link alone");
    let stays = over(&fresh, at(5), at(5));
    assert_eq!(stays.len(), 0);
    for (x, terrain, is_through_stale, is_stay_stale) in [
        (100, TerrainId::GROUND, false, false),
        (7, TerrainId::BLOCKED, true, true),
        (192, TerrainId::BLOCKED, true, false),
    ] {
        let mut grid = fresh.clone();
        grid.set_terrain(at(x), terrain);
        let space = links.over(grid.space(), Keys::NONE);
        assert_eq!(through.is_stale(&space), is_through_stale, "an edit at {x}");
        assert_eq!(stays.is_stale(&space), is_stay_stale, "an edit at {x}");
    }
}
