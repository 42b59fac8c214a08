//! Edits while searches are under way.

use std::collections::BTreeMap;

use crate::grids::{any_grid, pick};
use crate::support::*;
use proptest::prelude::*;
use wayfare_core::link::{Crossing, Gate, Keys, LinkId, NavLink, NavLinks};
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{
    AStar, Algorithm, DistanceFieldSearch, FieldQuery, Progress, Query, Scratch, Search, solve,
};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::plan::{ClassId, Finished, Planner, PlannerSettings, Request};

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_edit_under_way_leaves_every_answer_right(
        grid in any_grid(),
        drafts in any_drafts(),
        settings in any_settings(),
        budget in 1u64..30,
        edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..6),
    ) {
        let mut grid = grid;
        let mut planner = Planner::new(AStar::new(), settings);
        let mut asked = BTreeMap::new();
        for &draft in &drafts {
            let request = request(&grid, draft);
            asked.insert(planner.request(request.clone()), request.query);
        }
        for (edited, is_told) in edits {
            planner.tick(|_| grid.space(), budget);
            for Finished { ticket, answer } in planner.finished() {
                let query = asked.remove(&ticket).unwrap();
                prop_assert!(is_right(&grid, &query, &answer), "{query:?} {answer:?}");
            }
            let affected = flip(&mut grid, edited);
            if is_told {
                planner.world_changed(|_| grid.space(), &affected);
            }
        }
        for (ticket, answer) in run_dry(&mut planner, &grid, budget) {
            let query = asked.remove(&ticket).unwrap();
            prop_assert!(is_right(&grid, &query, &answer), "{query:?} {answer:?}");
        }
        prop_assert!(asked.is_empty());
    }

    #[test]
    fn an_adopted_search_answers_what_a_fresh_one_would(
        grid in any_grid(),
        start: u32,
        goal: u32,
        expanded in 0u64..20,
        edited: u32,
    ) {
        let mut grid = grid;
        let query = Query::new(pick(&grid, start), pick(&grid, goal));
        let mut scratches = [Scratch::new(), Scratch::new(), Scratch::new()];
        let [first, second, third] = &mut scratches;
        let mut search = AStar::new().search(query.clone());
        let _ = search.step(&grid.space(), first, &mut (), expanded);
        let mut field = DistanceFieldSearch::new(FieldQuery::inward([query.start]));
        let _ = field.step(&grid.space(), second, &mut (), expanded);
        let affected = flip(&mut grid, edited);
        if search.adopt(&grid.space(), first, &affected) {
            let answer = search.finish(&grid.space(), first, &mut ());
            prop_assert_eq!(answer, solve(&grid.space(), &AStar::new(), query.clone()));
        }
        if field.adopt(&grid.space(), second, &affected) {
            let mut fresh = DistanceFieldSearch::new(FieldQuery::inward([query.start]));
            while field.step(&grid.space(), second, &mut (), 7) == Progress::Working {}
            while fresh.step(&grid.space(), third, &mut (), 7) == Progress::Working {}
            for state in grid.cells() {
                let (ours, theirs) = (field.path(&grid.space(), second, state), fresh.path(&grid.space(), third, state));
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}

#[test]
fn an_edit_begins_only_those_searches_anew_that_reached_it() {
    let mut grid = rooms(128);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
    for (from, to) in [((2, 2), (120, 120)), ((120, 4), (5, 121))] {
        let query = Query::new(at(&grid, from.0, from.1), at(&grid, to.0, to.1));
        planner.request(Request::new(ONLY, query));
    }
    planner.tick(|_| grid.space(), 60);
    let spent = |planner: &Planner<Cell, u32, AStar>| planner.stats().expansions;
    assert_eq!(spent(&planner), 60);
    for (x, y, adopted, restarted) in [(60, 5, 2, 0), (3, 3, 3, 1)] {
        let seed = y * grid.width() + x;
        let affected = flip(&mut grid, seed);
        planner.world_changed(|_| grid.space(), &affected);
        assert_eq!((planner.stats().adopted, planner.stats().restarted), (adopted, restarted));
    }
    let answers = run_dry(&mut planner, &grid, 500);
    assert_eq!(answers.len(), 2);
    let each: u64 = answers.iter().map(|(_, answer)| answer.stats.expanded).sum();
    assert_eq!(spent(&planner), each + 30, "the one that began anew had spent half of sixty");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn doors_that_open_and_shut_under_way_leave_every_answer_right(
        doors in prop::collection::vec((any::<u32>(), any::<u32>(), 0u8..4), 1..5),
        drafts in any_drafts(),
        settings in any_settings(),
        changes in prop::collection::vec((any::<u32>(), 0u8..3, 0u8..4), 0..8),
        budget in 1u64..60,
    ) {
        let grid = rooms(34);
        let mut links = NavLinks::new(1.0);
        for (from, to, seconds) in doors {
            let crossing = Crossing::Seconds(f32::from(seconds));
            let link = NavLink::new(pick(&grid, from), pick(&grid, to), crossing);
            let _ = links.add(&grid.space(), link); // where nobody can stand there is no door
        }
        let mut planner = Planner::new(AStar::new(), settings);
        let mut asked = BTreeMap::new();
        for &draft in &drafts {
            let request = request(&grid, draft);
            asked.insert(planner.request(request.clone()), request.query);
        }
        for (link, gate, wait) in changes.into_iter().chain(std::iter::repeat((0, 3, 0))) {
            let report = planner.tick(|_| links.over(grid.space(), Keys::NONE), budget);
            prop_assert!(report.expansions <= budget);
            for Finished { ticket, answer } in planner.finished() {
                let query = asked.remove(&ticket).unwrap();
                let linked = links.over(grid.space(), Keys::NONE);
                let alone = solve(&linked, &AStar::new(), query.clone());
                let told = answer.outcome.path().map(Path::cost);
                prop_assert_eq!(told, alone.outcome.path().map(Path::cost), "{:?}", query);
                if let Some(path) = answer.outcome.path() {
                    let verdict = validate(&linked, path, query.start, query.goal.states()[0]);
                    prop_assert_eq!(verdict, Ok(()));
                }
            }
            if asked.is_empty() {
                break;
            }
            if links.is_empty() || gate == 3 {
                continue;
            }
            let link = LinkId(link % links.len() as u32);
            let gate = [Gate::Open, Gate::Closed, Gate::Locked][usize::from(gate)];
            if links.set_gate(link, gate) | links.post_wait(link, f32::from(wait)) {
                let ends = links.ends(link).unwrap();
                planner.world_changed(|_| links.over(grid.space(), Keys::NONE), &ends);
            }
        }
        prop_assert!(planner.stats().done == drafts.len() as u64);
    }
}

/// Only a link leads to the goal, and its entrance is blocked. Once the entrance is open, the moves
/// into the link's exit are others too, though the edit lies far away.
#[test]
fn an_edit_at_one_end_of_a_link_is_one_at_the_other() {
    let mut grid = Grid::from_rows(&["....#..", "....#..", "....#.."]).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let (start, goal, ends) = (at(0, 0), at(6, 0), [at(1, 2), at(5, 2)]);
    let mut links = NavLinks::new(3.0);
    links.add(&grid.space(), NavLink::new(ends[0], ends[1], Crossing::Seconds(1.0))).unwrap();
    grid.set_terrain(ends[0], TerrainId::BLOCKED);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let ask = |planner: &mut Planner<Cell, u32, AStar>, grid: &Grid| {
        let ticket = planner.request(Request::new(ClassId(0), Query::new(start, goal)));
        for _ in 0..10 {
            planner.tick(|_| links.over(grid.space(), Keys::NONE), 10_000);
        }
        planner.take(ticket).unwrap().outcome.is_found()
    };
    assert!(!ask(&mut planner, &grid));
    assert!(!ask(&mut planner, &grid), "the region of the goal is known by now");
    grid.set_terrain(ends[0], TerrainId::GROUND);
    let affected = grid.affected_by(&[ends[0]]);
    assert!(!affected.contains(&ends[1]));
    let affected = links.with_far_ends(&affected);
    planner.world_changed(|_| links.over(grid.space(), Keys::NONE), &affected);
    assert!(ask(&mut planner, &grid));
}

/// A field that many share follows an edit at a small part of its cost, and a flood of edits takes
/// no more than half of each tick.
#[test]
fn a_shared_field_is_repaired_across_edits() {
    let mut grid = rooms(128);
    let goal = grid.cell(64 + 3, 64 + 5).unwrap();
    let settings = PlannerSettings { slots: 1, ..PlannerSettings::default() };
    let mut planner = Planner::new(AStar::new(), settings);
    let ask = |planner: &mut Planner<Cell, u32, AStar>, grid: &Grid| {
        for seed in 0..40 {
            let start = far_query(grid, seed).start;
            if !grid.space().is_free(start) {
                continue;
            }
            planner.request(Request::new(ONLY, Query::new(start, goal)));
        }
        let before = planner.stats().work;
        for (_, answer) in run_dry(planner, grid, 1_000) {
            let path = answer.outcome.path().unwrap();
            let query = Query::new(path.states().next().unwrap(), goal);
            assert!(is_right(grid, &query, &answer));
        }
        planner.stats().work - before
    };
    let fresh = ask(&mut planner, &grid);
    let read = ask(&mut planner, &grid);
    for seed in 0..10 {
        let affected = flip(&mut grid, seed * 1_237 + 260);
        planner.world_changed(|_| grid.space(), &affected);
        assert_eq!(planner.stats().repaired, u64::from(seed) + 1);
        let again = ask(&mut planner, &grid);
        assert!(again < read + fresh / 4, "{again} units, {fresh} for a new field, {read} to read");
    }
    for tick in 0..20 {
        let affected = flip(&mut grid, tick * 911 + 260);
        planner.world_changed(|_| grid.space(), &affected);
        let report = planner.tick(|_| grid.space(), 50);
        assert!(report.work <= 25, "{report:?}");
    }
}
