//! Distance fields, reachable areas, the nearest of many goals and flight on random grids, against
//! an independent oracle.

use std::collections::BTreeMap;

use crate::grids::{any_grid, pick};
use crate::oracle::oracle;
use proptest::prelude::*;
use wayfare_core::path::validate;
use wayfare_core::search::{
    Direction, DistanceField, DistanceFieldSearch, FieldError, FieldQuery, FleeError, FleeQuery,
    FleeSearch, Interruption, Limit, NearestGoalSearch, Progress, Prospect, Reachable,
    ReachableQuery, ReachableSearch, Scratch, Search, StateCost, distance_field, flee,
    nearest_goal, nearest_reachable, reachable,
};
use wayfare_core::space::{MoveRules, STRAIGHT, StateId, TerrainId};
use wayfare_core::trace::Trace;
use wayfare_grid::grid::{Cell, Grid, GridSpace};

fn free_cells(space: &GridSpace<'_>) -> Vec<Cell> {
    space.grid().cells().filter(|&cell| space.is_free(cell)).collect()
}

/// The least of the oracle's costs from any of the sources to every state.
fn from_any(space: &GridSpace<'_>, free: &[Cell], sources: &[Cell]) -> BTreeMap<u32, u64> {
    let mut least = BTreeMap::new();
    for &source in sources.iter().filter(|&&source| space.is_free(source)) {
        for (state, cost) in oracle(space, free, source) {
            let known = least.entry(state).or_insert(cost);
            *known = cost.min(*known);
        }
    }
    least
}

/// Every state with its cost and the fewest moves at that cost, among paths within both limits; by
/// rounds of moves.
fn by_rounds(
    space: &GridSpace<'_>,
    free: &[Cell],
    start: Cell,
    max_cost: u64,
    max_moves: u32,
) -> BTreeMap<u32, (u64, u32)> {
    let mut best = BTreeMap::from([(start.index(), (0u64, 0u32))]);
    let mut round = BTreeMap::from([(start, 0u64)]);
    for moves in 1..=max_moves.min(free.len() as u32) {
        let mut next = BTreeMap::new();
        for (&from, &cost) in &round {
            for &to in free {
                let Ok(step) = space.check_move(from, to) else { continue };
                let reached = cost + u64::from(step);
                if reached <= max_cost {
                    let known = next.entry(to).or_insert(reached);
                    *known = reached.min(*known);
                }
            }
        }
        for (to, &cost) in &next {
            let known = best.entry(to.index()).or_insert((cost, moves));
            *known = (cost, moves).min(*known);
        }
        round = next;
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fields_hold_the_oracles_costs(
        grid in any_grid(),
        seeds in prop::collection::vec(any::<u32>(), 1..4),
        inward: bool,
        radius in prop::option::of(0u32..40_000),
        slice in 1u64..20,
    ) {
        let space = grid.space();
        let sources: Vec<Cell> = seeds.iter().map(|seed| pick(&grid, seed % 997)).collect();
        let mut query = if inward { FieldQuery::inward(sources.clone()) } else { FieldQuery::outward(sources.clone()) };
        if let Some(radius) = radius {
            query = query.max_cost(radius);
        }
        let field = match distance_field(&space, query.clone()) {
            Ok(field) => field,
            Err(fault) => {
                prop_assert!(matches!(fault, FieldError::Source(_)));
                prop_assert!(sources.iter().all(|&source| !space.is_free(source)));
                return Ok(());
            }
        };
        let free = free_cells(&space);
        let expected: BTreeMap<u32, u64> = if inward {
            let to_nearest = |from: Cell| {
                let costs = oracle(&space, &free, from);
                sources.iter().filter_map(|source| costs.get(&source.index()).copied()).min()
            };
            free.iter().filter_map(|&from| Some((from.index(), to_nearest(from)?))).collect()
        } else {
            from_any(&space, &free, &sources)
        };
        let within: BTreeMap<u32, u64> =
            expected.iter().map(|(&s, &c)| (s, c)).filter(|(_, c)| radius.is_none_or(|r| *c <= u64::from(r))).collect();
        let held: BTreeMap<u32, u64> = field.iter().map(|held| (held.state.index(), u64::from(held.cost))).collect();
        prop_assert_eq!(&held, &within);
        prop_assert_eq!(field.limit(), (within.len() < expected.len()).then_some(Limit::Cost));
        for StateCost { state, cost } in field.iter() {
            let source = field.source(state).unwrap();
            prop_assert!(sources.contains(&source));
            let path = field.path(&space, state).unwrap();
            let (start, goal) = if field.direction() == Direction::Inward { (state, source) } else { (source, state) };
            prop_assert_eq!(validate(&space, &path, start, goal), Ok(()));
            prop_assert_eq!(path.cost(), cost);
            prop_assert_eq!(field.next(state).is_none(), state == source);
        }

        // Sliced, in memory that was used before, with the same trace.
        let (mut scratch, mut sliced, mut trace) = (Scratch::new(), field.clone(), Trace::new());
        let mut search = DistanceFieldSearch::new(query.clone());
        while search.step(&space, &mut scratch, &mut trace, slice) == Progress::Working {
            // Given up at any time, the field is exact as far as it goes.
            let (mut given_up, mut scratch) = (DistanceField::default(), Scratch::new());
            let mut search = DistanceFieldSearch::new(query.clone());
            let _ = search.step(&space, &mut scratch, &mut (), slice);
            search.into_field(&space, &mut scratch, &mut given_up).unwrap();
            prop_assert!(given_up.iter().all(|held| field.cost(held.state) == Some(held.cost)));
            prop_assert_eq!(given_up.limit(), Some(Limit::Expansions));
        }
        search.into_field(&space, &mut scratch, &mut sliced).unwrap();
        prop_assert!(sliced.iter().eq(field.iter()));
        prop_assert_eq!((sliced.limit(), sliced.stats()), (field.limit(), field.stats()));
        prop_assert_eq!(trace.expansions() as u64, field.stats().expanded);
    }

    #[test]
    fn areas_hold_what_keeps_both_limits(
        grid in any_grid(),
        start: u32,
        max_cost in prop::option::of(0u32..60_000),
        max_moves in prop::option::of(0u32..8),
        slice in 1u64..20,
    ) {
        let (space, start) = (grid.space(), pick(&grid, start % 997));
        let mut query = ReachableQuery::new(start);
        query.max_cost = max_cost.unwrap_or(query.max_cost);
        query.max_moves = max_moves.unwrap_or(query.max_moves);
        let area = match reachable(&space, query) {
            Ok(area) => area,
            Err(fault) => {
                prop_assert!(matches!(fault, FieldError::Source(_)) && !space.is_free(start));
                return Ok(());
            }
        };
        let free = free_cells(&space);
        let expected = by_rounds(&space, &free, start, u64::from(query.max_cost), query.max_moves);
        let held: BTreeMap<u32, (u64, u32)> =
            area.reached().iter().map(|r| (r.state.index(), (u64::from(r.cost), r.moves))).collect();
        if max_moves.is_some() {
            prop_assert_eq!(&held, &expected);
        } else {
            let costs = |map: &BTreeMap<u32, (u64, u32)>| map.iter().map(|(&s, r)| (s, r.0)).collect::<Vec<_>>();
            prop_assert_eq!(costs(&held), costs(&expected));
        }
        prop_assert!(area.reached().is_sorted_by_key(|reached| (reached.cost, reached.state)));
        prop_assert_eq!(area.limit(), None);
        for &cell in &free {
            prop_assert_eq!(area.contains(cell), expected.contains_key(&cell.index()));
        }
        for reached in area.reached() {
            let path = area.path(&space, reached.state).unwrap();
            prop_assert_eq!(validate(&space, &path, start, reached.state), Ok(()));
            prop_assert_eq!((path.cost(), path.len()), (reached.cost, reached.moves as usize));
            let leads_out = free.iter().any(|&to| !area.contains(to) && space.check_move(reached.state, to).is_ok());
            prop_assert_eq!(area.frontier().contains(&reached.state), leads_out);
        }

        let (mut scratch, mut sliced) = (Scratch::new(), area.clone());
        let mut search = ReachableSearch::new(query);
        while search.step(&space, &mut scratch, &mut (), slice) == Progress::Working {}
        search.into_area(&space, &mut scratch, &mut sliced).unwrap();
        prop_assert_eq!(sliced.reached(), area.reached());
        prop_assert_eq!((sliced.frontier(), sliced.stats()), (area.frontier(), area.stats()));
    }

    #[test]
    fn the_nearest_goal_is_the_oracles(
        grid in any_grid(),
        start: u32,
        seeds in prop::collection::vec(any::<u32>(), 0..24),
        slice in 1u64..20,
    ) {
        let (space, start) = (grid.space(), pick(&grid, start % 997));
        let goals: Vec<Cell> = seeds.iter().map(|seed| pick(&grid, seed % 991)).collect();
        let nearest = nearest_goal(&space, start, &goals);
        let free = free_cells(&space);
        let costs = if space.is_free(start) { oracle(&space, &free, start) } else { BTreeMap::new() };
        let best = goals.iter().filter_map(|goal| costs.get(&goal.index())).min();
        prop_assert_eq!(nearest.answer.outcome.path().map(|path| u64::from(path.cost())), best.copied());
        if let Some(path) = nearest.answer.outcome.path() {
            let goal = goals[nearest.goal.unwrap()];
            prop_assert_eq!(validate(&space, path, start, goal), Ok(()));
        } else {
            prop_assert_eq!(nearest.goal, None);
        }
        let (mut search, mut scratch) = (NearestGoalSearch::new(start, &goals), Scratch::new());
        while search.step(&space, &mut scratch, &mut (), slice) == Progress::Working {}
        prop_assert_eq!(search.answer(&space, &mut scratch), nearest.answer);
    }

    #[test]
    fn flight_is_the_best_of_all_places(
        grid in any_grid(),
        start: u32,
        seeds in prop::collection::vec(any::<u32>(), 0..4),
        max_cost in 0u32..60_000,
        horizon in prop::option::of(0u32..60_000),
        slice in 1u64..20,
    ) {
        let (space, start) = (grid.space(), pick(&grid, start % 997));
        let threats: Vec<Cell> = seeds.iter().map(|seed| pick(&grid, seed % 991)).collect();
        let mut query = FleeQuery::new(start, threats.clone(), max_cost);
        query.horizon = horizon.unwrap_or(query.horizon);
        let flight = match flee(&space, query.clone()) {
            Ok(flight) => flight,
            Err(fault) => {
                prop_assert!(matches!(fault, FleeError::Field(FieldError::Source(_))) && !space.is_free(start));
                return Ok(());
            }
        };
        let free = free_cells(&space);
        let threatened: BTreeMap<u32, u64> = from_any(&space, &free, &threats)
            .into_iter()
            .filter(|(_, cost)| horizon.is_none_or(|horizon| *cost <= u64::from(horizon)))
            .collect();
        let threat = |state: u32| threatened.get(&state).copied().unwrap_or(u64::MAX);
        let own: BTreeMap<u32, u64> =
            oracle(&space, &free, start).into_iter().filter(|(_, cost)| *cost <= u64::from(max_cost)).collect();
        let worth = |state: u32| (own[&state] < threat(state), threat(state));
        let best = own.keys().map(|&state| worth(state)).max().unwrap();
        let here = worth(start.index());
        let end = flight.path.end().unwrap();
        prop_assert_eq!(validate(&space, &flight.path, start, end), Ok(()));
        prop_assert_eq!(worth(end.index()), best);
        prop_assert_eq!(flight.threat_cost.map_or(u64::MAX, u64::from), threat(end.index()));
        if best == here {
            prop_assert_eq!(end, start);
        } else {
            let first = own.iter().filter(|(state, _)| worth(**state) == best).map(|(&s, &c)| (c, s)).min();
            prop_assert_eq!(Some((u64::from(flight.path.cost()), end.index())), first);
        }
        let expected = match best {
            _ if here.1 == u64::MAX => Prospect::Unthreatened,
            (_, u64::MAX) => Prospect::OutOfReach,
            _ if best == here => Prospect::Cornered,
            (true, _) => Prospect::Ahead,
            (false, _) => Prospect::Exposed,
        };
        prop_assert_eq!(flight.prospect, expected);
        if flight.prospect == Prospect::Ahead {
            for step in &flight.path.steps {
                prop_assert!(u64::from(step.cost) < threat(step.state.index()), "cut off on the way");
            }
        }
        let (mut search, mut scratch) = (FleeSearch::new(query), Scratch::new());
        while search.step(&space, &mut scratch, &mut (), slice) == Progress::Working {
            prop_assert_eq!(search.answer(&space, &mut scratch), Err(FleeError::Unfinished));
        }
        prop_assert_eq!(search.answer(&space, &mut scratch), Ok(flight));
    }
}

#[test]
fn interruptions_are_told() {
    let mut grid = Grid::from_rows(&["....", "....", "...."]).unwrap();
    let (here, there) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
    let mut scratch = Scratch::new();
    let mut field = DistanceFieldSearch::new(FieldQuery::outward([here]));
    assert_eq!(field.step(&grid.space(), &mut scratch, &mut (), 2), Progress::Working);
    let mut area = ReachableSearch::new(ReachableQuery::new(here));
    assert_eq!(area.step(&grid.space(), &mut scratch, &mut (), 2), Progress::Working);
    assert_eq!(field.step(&grid.space(), &mut scratch, &mut (), 2), Progress::Done);
    let reused = FieldError::Interrupted(Interruption::ScratchReused);
    let taken = field.into_field(&grid.space(), &mut scratch, &mut DistanceField::default());
    assert_eq!(taken, Err(reused));

    let mut other = Scratch::new();
    let mut flight = FleeSearch::new(FleeQuery::new(here, [there], 4 * STRAIGHT));
    assert_eq!(flight.step(&grid.space(), &mut other, &mut (), 2), Progress::Working);
    grid.set_terrain(there, TerrainId::BLOCKED);
    let edited = FieldError::Interrupted(Interruption::SpaceEdited);
    assert_eq!(area.step(&grid.space(), &mut scratch, &mut (), 2), Progress::Done);
    let taken = area.into_area(&grid.space(), &mut scratch, &mut Reachable::default());
    assert_eq!(taken, Err(edited));
    assert_eq!(flight.answer(&grid.space(), &mut other), Err(FleeError::Field(edited)));
}

#[test]
fn a_narrow_cost_type_is_told() {
    let grid = Grid::new(16_000, 24, &serpent(16_000, 24), Default::default()).unwrap();
    let start = grid.cell(0, 0).unwrap();
    let field = distance_field(&grid.space(), FieldQuery::outward([start])).unwrap();
    assert_eq!(field.limit(), None);
    let grid = Grid::new(16_000, 60, &serpent(16_000, 60), Default::default()).unwrap();
    let field = distance_field(&grid.space(), FieldQuery::outward([start])).unwrap();
    assert_eq!(field.limit(), Some(Limit::CostRange));
    let area = reachable(&grid.space(), ReachableQuery::new(start)).unwrap();
    assert_eq!(area.limit(), Some(Limit::CostRange));
}

/// A corridor that winds back and forth through the map.
fn serpent(width: u32, height: u32) -> Vec<TerrainId> {
    let is_open =
        |x: u32, y: u32| y.is_multiple_of(2) || x == if y % 4 == 1 { width - 1 } else { 0 };
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| if is_open(x, y) { TerrainId::GROUND } else { TerrainId::BLOCKED })
        .collect()
}

#[test]
fn one_walks_up_to_what_cannot_be_reached() {
    let grid = Grid::from_rows(&["....#..", "....#..", "....#.."]).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let answer = nearest_reachable(&grid.space(), at(0, 0), at(6, 2));
    assert_eq!(answer.outcome.best_effort().unwrap().end(), Some(at(3, 2)));
}
