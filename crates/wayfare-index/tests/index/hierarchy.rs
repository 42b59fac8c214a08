//! Hierarchies of random grids, with edits in between, against Dijkstra's algorithm and against
//! hierarchies built anew.

use proptest::prelude::*;
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{Dijkstra, Limit, NoPath, Outcome, Query, Solver};
use wayfare_core::space::{
    Cost, CostTable, InfluenceRule, ProfileId, Space, TerrainCost, TerrainId,
};
use wayfare_core::trace::{Trace, TraceEventKind};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, GridSpace, Neighbours};
use wayfare_index::hierarchy::{
    Hierarchy, HierarchyError, HierarchyScratch, HierarchySettings, RouteOutcome, SectorSide,
};

use crate::grids::{any_grid, any_profile, pick};

/// A grid of many sectors of side 8 with terrains 0 to 3, scattered walls and rooms with doors.
fn any_map() -> impl Strategy<Value = Grid> {
    let density = prop::sample::select(vec![0u8, 5, 30, 50, 55]);
    let rooms = prop::option::of((5u32..14, any::<u32>()));
    (2u32..140, 2u32..70, density, rooms, any::<u64>(), any_profile()).prop_map(
        |(width, height, density, rooms, seed, profile)| {
            let terrain = |at: u32| {
                let (x, y) = (at % width, at / width);
                if let Some((side, doors)) = rooms {
                    let is_wall = x % side == 0 || y % side == 0;
                    if is_wall && (x.wrapping_mul(7) ^ y.wrapping_mul(13) ^ doors) % 5 != 0 {
                        return TerrainId::BLOCKED;
                    }
                }
                let noise = (seed ^ u64::from(at).wrapping_mul(0x9E37_79B9_7F4A_7C15))
                    .wrapping_mul(0xBF58_476D_1CE4_E5B9)
                    >> 40;
                if noise % 100 < u64::from(density) {
                    TerrainId::BLOCKED
                } else {
                    // Patches of terrain rather than noise alone.
                    TerrainId(
                        [0, 0, 0, 1, 2, 3][((x / 5 + y / 3) as usize + (noise % 2) as usize) % 6],
                    )
                }
            };
            let terrain: Vec<TerrainId> = (0..width * height).map(terrain).collect();
            Grid::new(width, height, &terrain, profile).unwrap()
        },
    )
}

/// The side of a sector and the look-ahead.
const SETTINGS: [(u32, u32); 5] = [(8, 0), (8, 2), (11, 4), (50, 2), (9, 1)];

fn settings((side, lookahead): (u32, u32)) -> HierarchySettings {
    HierarchySettings { sector_side: SectorSide::new(side).unwrap(), lookahead }
}

/// Walks the route leg by leg.
fn by_legs<C: Cost>(
    hierarchy: &Hierarchy<C>,
    space: &GridSpace<'_, C>,
    scratch: &mut HierarchyScratch<C>,
    (start, goal): (Cell, Cell),
) -> Path<Cell, C> {
    let mut route = hierarchy.route(space, scratch, start, goal).unwrap().found().unwrap();
    let mut path = Path { steps: route.leg().to_vec(), revision: space.revision() };
    while !route.is_last_leg() {
        assert!(route.next_leg(hierarchy, space, scratch).unwrap());
        assert_eq!(path.steps.pop(), route.leg().first().copied());
        path.steps.extend_from_slice(route.leg());
    }
    assert!(!route.next_leg(hierarchy, space, scratch).unwrap());
    path
}

/// Checks one query's answers.
fn check<C: Cost>(
    hierarchy: &Hierarchy<C>,
    space: &GridSpace<'_, C>,
    (start, goal): (Cell, Cell),
) -> Result<(), TestCaseError> {
    let mut scratch = HierarchyScratch::new();
    let truth = Solver::new().solve(space, &Dijkstra, Query::new(start, goal)).outcome;
    match (truth, hierarchy.route(space, &mut scratch, start, goal).unwrap()) {
        (Outcome::Found(best), RouteOutcome::Found(route)) => {
            prop_assert!(route.cost() >= best.cost());
            if hierarchy.sectors() == 1 {
                prop_assert_eq!(route.cost(), best.cost());
            }
            let path = route.refine_all(hierarchy, space, &mut scratch).unwrap();
            prop_assert_eq!(validate(space, &path, start, goal), Ok(()));
            prop_assert!(best.cost() <= path.cost() && path.cost() <= route.cost());
            prop_assert_eq!(&path, &by_legs(hierarchy, space, &mut scratch, (start, goal)));
            let exact = route.exact(hierarchy, space, &mut scratch).unwrap();
            prop_assert_eq!(validate(space, &exact, start, goal), Ok(()));
            prop_assert_eq!(exact.cost(), best.cost());
        }
        (Outcome::Unreachable { reason, .. }, RouteOutcome::Unreachable(found)) => {
            prop_assert_eq!(reason, found);
        }
        (truth, found) => prop_assert!(false, "{truth} but {found:?}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn routes_exist_where_paths_do_and_repairs_leave_what_building_would(
        mut grid in prop_oneof![5 => any_map(), 1 => any_grid()],
        settings in prop::sample::select(SETTINGS.to_vec()).prop_map(settings),
        rounds in prop::collection::vec((any::<u32>(), any::<u32>(), prop::collection::vec(any::<u32>(), 0..4), 0u8..6), 1..6),
    ) {
        let profile = ProfileId::default();
        let mut hierarchies =
            [false, true].map(|is_grouped| Hierarchy::build_with(&grid.space(), settings, is_grouped));
        for (start, goal, edits, kind) in rounds {
            for turn in 0..6 {
                let ends = (pick(&grid, start.rotate_left(5 * turn)), pick(&grid, goal.rotate_left(3 * turn)));
                for hierarchy in &hierarchies {
                    check(hierarchy, &grid.space(), ends)?;
                }
            }
            let wide = grid.space_for::<u64>(profile);
            for is_grouped in [false, true] {
                let hierarchy = Hierarchy::build_with(&wide, settings, is_grouped);
                check(&hierarchy, &wide, (pick(&grid, goal), pick(&grid, start)))?;
            }
            // Short walls or patches, some across borders.
            let cells: Vec<Cell> = edits
                .iter()
                .flat_map(|&edit| (0..edit % 7 + 1).map(move |n| edit.wrapping_add(n)))
                .map(|edit| pick(&grid, edit))
                .collect();
            let terrain = if kind > 3 { TerrainId::BLOCKED } else { TerrainId(kind) };
            grid.set_terrains(cells.iter().map(|&cell| (cell, terrain)));
            for (hierarchy, is_grouped) in hierarchies.iter_mut().zip([false, true]) {
                hierarchy.repair(&grid.space(), cells.iter().copied()).unwrap();
                prop_assert!(*hierarchy == Hierarchy::build_with(&grid.space(), settings, is_grouped));
            }
        }
    }
}

/// Open ground with a wall that has one door.
fn halves() -> Grid {
    let side = 96;
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| {
            let is_wall = at % side == 50 && at / side != 70;
            if is_wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(side, side, &terrain, GridProfile::default()).unwrap()
}

#[test]
fn what_is_stale_or_of_another_grid_is_refused() {
    let mut grid = halves();
    let mut scratch = HierarchyScratch::new();
    let (start, goal) = (grid.cell(2, 2).unwrap(), grid.cell(90, 5).unwrap());
    let mut hierarchy = Hierarchy::build(&grid.space(), HierarchySettings::default());
    let mut route =
        hierarchy.route(&grid.space(), &mut scratch, start, goal).unwrap().found().unwrap();
    let door = grid.cell(50, 70).unwrap();
    grid.set_terrain(door, TerrainId::BLOCKED);
    let is_stale = |error| matches!(error, HierarchyError::Stale { .. });
    assert!(is_stale(hierarchy.route(&grid.space(), &mut scratch, start, goal).unwrap_err()));
    assert_eq!(hierarchy.repair(&grid.space(), [door]), Ok(1));
    assert!(is_stale(route.next_leg(&hierarchy, &grid.space(), &mut scratch).unwrap_err()));
    assert!(is_stale(route.exact(&hierarchy, &grid.space(), &mut scratch).unwrap_err()));
    let closed = hierarchy.route(&grid.space(), &mut scratch, start, goal).unwrap();
    assert!(
        matches!(closed, RouteOutcome::Unreachable(NoPath::DifferentIslands { .. })),
        "{closed:?}"
    );
    let other = Grid::from_rows(&["..."]).unwrap();
    let refused = hierarchy.route(&other.space(), &mut scratch, start, goal);
    assert_eq!(refused, Err(HierarchyError::OtherSpace));
    let four = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
    let four = grid.add_profile(four).unwrap();
    assert_eq!(hierarchy.repair(&grid.space_for(four), []), Err(HierarchyError::OtherSpace));
}

#[test]
fn a_repair_that_was_told_too_little_is_found_out() {
    let mut grid = halves();
    let mut hierarchy = Hierarchy::build(&grid.space(), HierarchySettings::default());
    let (door, other) = (grid.cell(50, 70).unwrap(), grid.cell(50, 20).unwrap());
    grid.set_terrains([(door, TerrainId::BLOCKED), (other, TerrainId::GROUND)]);
    hierarchy.repair(&grid.space(), [door]).unwrap();
    let (start, goal) = (grid.cell(2, 2).unwrap(), grid.cell(90, 5).unwrap());
    let answer = hierarchy.route(&grid.space(), &mut HierarchyScratch::new(), start, goal);
    assert_eq!(answer, Err(HierarchyError::Mismatch));
}

#[test]
fn nothing_is_allocated_once_warm() {
    nothing_is_allocated_in(&Hierarchy::build(&halves().space(), HierarchySettings::default()));
    // Three groups in a row, so that one is crossed.
    nothing_is_allocated_in(&Hierarchy::build_with(&halves().space(), settings((8, 2)), true));
}

fn nothing_is_allocated_in(hierarchy: &Hierarchy) {
    let grid = halves();
    let space = grid.space();
    let mut scratch = HierarchyScratch::new();
    let at = |x, y| grid.cell(x, y).unwrap();
    let mut round = || {
        for (start, goal) in [(at(1, 1), at(90, 90)), (at(90, 3), at(4, 80)), (at(7, 7), at(9, 12))]
        {
            let route = hierarchy.route(&space, &mut scratch, start, goal).unwrap();
            let mut route = route.found().unwrap();
            while route.next_leg(hierarchy, &space, &mut scratch).unwrap() {}
            let path = route.exact(hierarchy, &space, &mut scratch).unwrap();
            scratch.recycle_path(path);
            scratch.recycle(route);
        }
    };
    round();
    round();
    assert_eq!(allocation_counter::measure(round).count_total, 0);
}

#[test]
fn a_thread_of_diagonal_cells_is_followed_across_borders_and_corners() {
    let side = 32;
    let profile = GridProfile { corners: CornerRule::Always, ..GridProfile::default() };
    for shift in 0..9 {
        for falls in [false, true] {
            let place = |x: u32, y: u32| (x, if falls { y } else { side - 1 - y });
            let mut terrain = vec![TerrainId::BLOCKED; (side * side) as usize];
            for at in 0..side - shift {
                let (x, y) = place(at + shift, at);
                terrain[(y * side + x) as usize] = TerrainId::GROUND;
            }
            let grid = Grid::new(side, side, &terrain, profile.clone()).unwrap();
            let cell = |(x, y)| grid.cell(x, y).unwrap();
            let ends = (cell(place(shift, 0)), cell(place(side - 1, side - 1 - shift)));
            let hierarchy = Hierarchy::build(&grid.space(), settings(SETTINGS[1]));
            check(&hierarchy, &grid.space(), ends).unwrap();
        }
    }
}

#[test]
fn a_route_that_the_narrow_cost_cannot_hold_is_said_to_be_so_and_the_wide_one_finds_it() {
    let costs = CostTable::new().with(TerrainId::GROUND, TerrainCost::penalised(20_000.0));
    let profile = GridProfile { costs, ..GridProfile::default() };
    let grid = Grid::new(64, 1, &[TerrainId::GROUND; 64], profile).unwrap();
    let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(63, 0).unwrap());
    for sector_side in [8, 32, 64] {
        let settings = HierarchySettings {
            sector_side: SectorSide::new(sector_side).unwrap(),
            ..HierarchySettings::default()
        };
        let narrow = Hierarchy::build(&grid.space(), settings);
        let answer = narrow.route(&grid.space(), &mut HierarchyScratch::new(), start, goal);
        assert_eq!(answer, Ok(RouteOutcome::LimitReached(Limit::CostRange)));
        let wide = grid.space_for::<u64>(ProfileId::default());
        let hierarchy = Hierarchy::build(&wide, settings);
        let route = hierarchy.route(&wide, &mut HierarchyScratch::new(), start, goal).unwrap();
        assert_eq!(route.found().map(|route| route.cost()), Some(63 * 5741 * 20_001));
    }
}

#[test]
fn from_a_cell_to_itself_there_is_nothing_to_walk() {
    let grid = halves();
    let space = grid.space();
    let hierarchy = Hierarchy::build(&space, HierarchySettings::default());
    let mut scratch = HierarchyScratch::new();
    let cell = grid.cell(31, 31).unwrap();
    let mut route = hierarchy.route(&space, &mut scratch, cell, cell).unwrap().found().unwrap();
    assert_eq!((route.cost(), route.leg().len(), route.is_last_leg()), (0, 1, true));
    assert_eq!(route.next_leg(&hierarchy, &space, &mut scratch), Ok(false));
    assert_eq!(route.refine_all(&hierarchy, &space, &mut scratch).unwrap().len(), 0);
    assert_eq!(route.exact(&hierarchy, &space, &mut scratch).unwrap().len(), 0);
}

#[test]
fn influence_is_repaired_as_terrain_is() {
    let side = 40;
    let profile = GridProfile { influence: vec![2.0], ..GridProfile::default() };
    let ground = vec![TerrainId::GROUND; (side * side) as usize];
    let mut grid = Grid::new(side, side, &ground, profile).unwrap();
    let layer = grid.add_influence(InfluenceRule::default()).unwrap();
    let mut hierarchy = Hierarchy::build(&grid.space(), settings(SETTINGS[1]));
    for round in 0..6 {
        let hurt: Vec<Cell> =
            (0..30).map(|at| grid.cell(at, 6 * round + at % 3).unwrap()).collect();
        hurt.iter().for_each(|&cell| grid.add_influence_at(layer, cell, 1.5));
        hierarchy.repair(&grid.space(), hurt).unwrap();
        assert!(hierarchy == Hierarchy::build(&grid.space(), settings(SETTINGS[1])));
        let ends = (grid.cell(3, 0).unwrap(), grid.cell(20 + round, side - 1).unwrap());
        check(&hierarchy, &grid.space(), ends).unwrap();
    }
}

#[test]
fn an_observer_hears_of_the_transitions_and_changes_nothing() {
    let grid = halves();
    hears_of_the_transitions(&Hierarchy::build(&grid.space(), HierarchySettings::default()));
    hears_of_the_transitions(&Hierarchy::build_with(&grid.space(), settings((8, 0)), true));
}

fn hears_of_the_transitions(hierarchy: &Hierarchy) {
    let grid = halves();
    let space = grid.space();
    let (start, goal) = (grid.cell(2, 2).unwrap(), grid.cell(90, 5).unwrap());
    let mut scratch = HierarchyScratch::new();
    let unseen = hierarchy.route(&space, &mut scratch, start, goal).unwrap();
    let planned = scratch.stats();
    let mut trace = Trace::new();
    let seen = hierarchy.route_observed(&space, &mut scratch, start, goal, &mut trace).unwrap();
    assert_eq!((seen, scratch.stats()), (unseen.clone(), planned));

    let route = unseen.found().unwrap();
    let last = trace.events.last().unwrap();
    assert_eq!((last.kind, last.state, last.g), (TraceEventKind::Goal, goal, route.cost()));
    // Back from the goal, along the waypoints of the route: from each transition that it leaves a
    // sector by to the one before.
    let mut waypoints = route.waypoints().iter().rev();
    let mut event = *last;
    while event.state != start {
        let parent = event.parent;
        event = *trace.events.iter().rfind(|event| event.state == parent).unwrap();
        let waypoint = waypoints.find(|waypoint| waypoint.state == parent).unwrap();
        assert_eq!((event.kind, event.g), (TraceEventKind::Expand, waypoint.cost));
    }
    assert!(waypoints.next().is_none());
    // The first leg was searched for too.
    assert!(planned.expanded > trace.expansions() as u64);
    route.refine_all(hierarchy, &space, &mut scratch).unwrap();
    assert!(scratch.stats().expanded > planned.expanded);
}
