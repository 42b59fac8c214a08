//! Flow fields: exact costs after any edits, and directions that lead to the goal.

use crate::grids::{any_grid, pick};
use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::path::validate;
use wayfare_core::search::{
    FieldQuery, FieldRepair, FlowField, NoFlow, NoPath, Progress, distance_field,
};
use wayfare_core::space::{LineOfSight, STRAIGHT, Space, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile};

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flows_cost_what_fresh_fields_do_after_any_edits(
        grid in any_grid(),
        goals in prop::collection::vec(any::<u32>(), 1..3),
        rounds in prop::collection::vec(
            (
                prop::collection::vec(any::<u32>(), 1..6),
                prop::collection::vec((any::<u32>(), prop::sample::select(vec![0u8, 1, 255])), 0..4),
                prop::sample::select(vec![0u64, 9, u64::MAX, u64::MAX]),
                any::<bool>(),
            ),
            1..6,
        ),
    ) {
        let mut grid = grid;
        let goals: Vec<Cell> = goals.iter().map(|&seed| pick(&grid, seed % 997)).collect();
        let mut field = FlowField::new(goals.clone());
        for (asked, edits, most, is_told) in rounds {
            let fresh = distance_field(&grid.space(), FieldQuery::inward(goals.clone()));
            for seed in asked {
                let (space, cell) = (grid.space(), pick(&grid, seed));
                let flow = field.ask(&space, cell, grid.centre(cell));
                let expected = fresh.as_ref().ok().and_then(|fresh| fresh.cost(cell));
                prop_assert_eq!(flow.ok().map(|flow| flow.remaining), expected);
                let Ok(flow) = flow else {
                    prop_assert!(!matches!(flow, Err(NoFlow::NotGrown)), "{flow:?}");
                    continue;
                };
                let path = field.path(&space, cell).unwrap();
                let end = path.states().last().unwrap();
                prop_assert!(goals.contains(&end));
                prop_assert_eq!(validate(&space, &path, cell, end), Ok(()));
                prop_assert_eq!(path.cost(), flow.remaining);
                // Nearer, by a straight line or the next step.
                let line = space.line_cost(cell, flow.towards);
                let left = field.cost(&space, flow.towards).unwrap();
                let is_next = path.states().nth(1) == Some(flow.towards);
                prop_assert!(is_next || line.is_some_and(|line| line + left <= flow.remaining));
                // A goal that is farther than the nearest one by moves need not be looked at.
                for &goal in goals.iter().filter(|goal| space.estimate(cell, **goal) <= flow.remaining) {
                    let line = space.line_cost(cell, goal).filter(|&line| line <= flow.remaining);
                    prop_assert!(line.is_none() || goals.contains(&flow.towards), "straight to the goal");
                }
            }
            let edits = edits.into_iter().map(|(seed, terrain)| (pick(&grid, seed), TerrainId(terrain)));
            let changed = grid.set_terrains(edits.collect::<Vec<_>>()).cells;
            if is_told {
                let affected = grid.affected_by(&changed);
                field.world_changed(&grid.space(), &affected, most);
            }
        }
    }
}

/// Pillars and walls, with ways around all of them.
fn pillars(side: u32) -> Grid {
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| {
            let (x, y) = (at % side, at / side);
            let wall = x % 9 == 4 && y % 7 != 2 && (x + y) % 23 > 3;
            if wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(side, side, &terrain, GridProfile::default()).unwrap()
}

/// Agents that follow the directions by short steps, from any points, arrive without touching a
/// wall, and go no farther than the path from cell to cell.
#[test]
fn who_follows_the_directions_arrives() {
    let grid = pillars(48);
    let space = grid.space();
    let goal = grid.cell(42, 24).unwrap();
    let mut field = FlowField::new([goal]);
    let free: Vec<Cell> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
    for (number, &start) in free.iter().enumerate().step_by(17) {
        let shift = |n: usize| (n % 10) as f32 * 0.08 - 0.36;
        let mut at = grid.centre(start) + Vec3::new(shift(number), 0.0, shift(number / 10));
        let whole = field.ask(&space, start, at).unwrap().remaining;
        let (mut walked, most) = (0.0, f64::from(whole) / f64::from(STRAIGHT) + 3.0);
        while (at - grid.centre(goal)).length() > 0.2 {
            let cell = grid.cell_at(at).unwrap();
            let flow = field.ask(&space, cell, at).unwrap();
            let next = at + flow.direction * 0.1;
            assert!(space.segment_is_clear(at, next), "from {at} to {next}: {flow:?}");
            assert!((flow.direction.length() - 1.0).abs() < 1e-4);
            walked += 0.1;
            assert!(walked < most, "{walked} of {most} from {start:?}");
            at = next;
        }
    }
}

#[test]
fn it_says_why_there_is_no_way_and_grows_by_slices() {
    let mut grid = Grid::from_rows(&["......", ".####.", "......"]).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let (start, goal, door, wall) = (at(0, 2), at(5, 0), at(0, 1), at(1, 1));
    let mut field = FlowField::new([goal]);
    let ask = |field: &mut FlowField<Cell, u32>, grid: &Grid, cell| {
        field.flow(&grid.space(), cell, grid.centre(cell)).map(|flow| flow.direction)
    };
    assert_eq!(ask(&mut field, &grid, start), Err(NoFlow::NotGrown));
    assert_eq!(field.grow(&grid.space(), start, 3), Progress::Working);
    assert_eq!((field.settled_states(), field.iter().count()), (3, 3));
    assert_eq!(ask(&mut field, &grid, start), Err(NoFlow::NotGrown));
    assert_eq!(field.grow(&grid.space(), start, 99), Progress::Done);
    assert!(ask(&mut field, &grid, start).is_ok());
    let blocked = ask(&mut field, &grid, wall);
    assert!(matches!(blocked, Err(NoFlow::NoPath(NoPath::Start(_)))), "{blocked:?}");
    assert_eq!(ask(&mut field, &grid, goal), Ok(Vec3::ZERO));

    for cell in [door, grid.cell(5, 1).unwrap()] {
        let edit = grid.set_terrain(cell, TerrainId::BLOCKED);
        let affected = grid.affected_by(&edit.cells);
        let repair = field.world_changed(&grid.space(), &affected, u64::MAX);
        assert!(matches!(repair, FieldRepair::Done { .. }));
    }
    let shut = ask(&mut field, &grid, start);
    assert!(matches!(shut, Err(NoFlow::NoPath(NoPath::DifferentIslands { .. }))), "{shut:?}");
    grid.set_terrain(goal, TerrainId::BLOCKED);
    assert_eq!(ask(&mut field, &grid, start), Err(NoFlow::NotGrown));
    let gone = field.ask(&grid.space(), start, grid.centre(start));
    assert!(matches!(gone, Err(NoFlow::NoPath(NoPath::Goal(_)))), "{gone:?}");
}

/// The memory is that of what was reached.
#[test]
fn a_field_takes_memory_where_it_has_grown() {
    let grid =
        Grid::new(1024, 1024, &vec![TerrainId::GROUND; 1 << 20], GridProfile::default()).unwrap();
    let (start, goal) = (grid.cell(540, 512).unwrap(), grid.cell(512, 512).unwrap());
    let mut field = FlowField::new([goal]);
    let flow = field.ask(&grid.space(), start, grid.space().position(start)).unwrap();
    assert_eq!((flow.direction, flow.towards), (Vec3::NEG_X, goal));
    assert!(field.settled_states() < 4_000, "{}", field.settled_states());
    assert!(field.bytes() < 1 << 20, "{} bytes", field.bytes());
}
