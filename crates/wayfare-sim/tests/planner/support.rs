//! Requests, maps and judges of the planner's tests.

use crate::grids::pick;
use proptest::prelude::*;
use wayfare_core::navigate::Answered;
use wayfare_core::path::validate;
use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_sim::plan::{ClassId, Planner, PlannerSettings, Priority, Request, Ticket};

pub(crate) const ONLY: ClassId = ClassId(0);

/// A map of rooms with doors.
pub(crate) fn rooms(side: u32) -> Grid {
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| {
            let (x, y) = (at % side, at / side);
            let wall =
                (x % 16 == 0 && (y * 7 + x) % 11 != 3) || (y % 16 == 0 && (x * 5 + y) % 13 != 4);
            if wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(side, side, &terrain, GridProfile::default()).unwrap()
}

pub(crate) fn far_query(grid: &Grid, seed: u32) -> Query<Cell, u32> {
    let side = grid.width();
    let cell = |seed: u32| grid.cell(seed * 37 % side, seed * 101 % side).unwrap();
    Query::new(cell(seed + 1), cell(5 * seed + 19))
}

pub(crate) fn run_dry(
    planner: &mut Planner<Cell, u32, AStar>,
    grid: &Grid,
    budget: u64,
) -> Vec<(Ticket, Answered<Cell, u32>)> {
    let mut answers = Vec::new();
    for _ in 0..100_000 {
        let report = planner.tick_with(
            |_| grid.space(),
            budget,
            |ticket, answer| {
                answers.push((ticket, answer));
            },
        );
        assert!(report.expansions <= budget);
        if report.queued + report.running == 0 {
            return answers;
        }
    }
    panic!("the planner does not come to an end");
}

/// A request before it is known in which grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draft {
    pub(crate) start: u32,
    pub(crate) goal: u32,
    pub(crate) priority: u8,
    pub(crate) is_local: bool,
    pub(crate) approach: bool,
}

pub(crate) fn any_drafts() -> impl Strategy<Value = Vec<Draft>> {
    let draft = (any::<u32>(), 0u32..9, any::<u8>(), any::<bool>(), prop::bool::weighted(0.1));
    let draft = draft.prop_map(|(start, goal, priority, is_local, approach)| Draft {
        start,
        goal: goal * 31,
        priority,
        is_local,
        approach,
    });
    prop::collection::vec(draft, 1..40)
}

pub(crate) fn any_settings() -> impl Strategy<Value = PlannerSettings> {
    let fields = (0usize..4, 0usize..3, prop::sample::select(vec![0u64, 30, 20_000]));
    (1usize..5, 0u8..=100, 0u64..20, fields, 0u64..40).prop_map(
        |(slots, local_percent, local_work, fields, negative_states)| {
            let (coalesce_from, kept_fields, repair_work) = fields;
            PlannerSettings {
                slots,
                local_percent,
                local_work,
                coalesce_from,
                kept_fields,
                repair_work,
                negative_states,
                ..PlannerSettings::default()
            }
        },
    )
}

pub(crate) fn request(grid: &Grid, draft: Draft) -> Request<Cell, u32, AStar> {
    let query = Query::new(pick(grid, draft.start), pick(grid, draft.goal));
    let query = if draft.approach { query.approach() } else { query };
    let request = Request::new(ONLY, query).priority(Priority(draft.priority));
    if draft.is_local { request.local() } else { request }
}

/// Whether the planner answered as a separate search would. Another path of the same cost is right
/// too, and the path to the nearest state is not compared.
pub(crate) fn is_right(
    grid: &Grid,
    query: &Query<Cell, u32>,
    answer: &Answered<Cell, u32>,
) -> bool {
    let goal = query.goal.states()[0];
    let alone = solve(&grid.space(), &AStar::new(), query.clone()).outcome;
    match (&answer.outcome, &alone) {
        (Outcome::Found(path), Outcome::Found(own)) => {
            validate(&grid.space(), path, query.start, goal) == Ok(()) && path.cost() == own.cost()
        }
        (Outcome::Unreachable { reason, .. }, Outcome::Unreachable { reason: own, .. }) => {
            reason == own
        }
        _ => false,
    }
}

/// Everything that can be told of a planner from outside.
pub(crate) fn print_of(planner: &Planner<Cell, u32, AStar>) -> String {
    format!("{:?}", planner.save())
}

/// Blocks or frees a cell; returns every cell whose moves that may have changed.
pub(crate) fn flip(grid: &mut Grid, seed: u32) -> Vec<Cell> {
    let cell = pick(grid, seed);
    let blocked = grid.terrain(cell) == TerrainId::BLOCKED;
    grid.set_terrain(cell, if blocked { TerrainId::GROUND } else { TerrainId::BLOCKED });
    let (x, y) = (seed % grid.width(), seed / grid.width() % grid.height());
    let profile = grid.space().profile();
    let reach = u32::from(profile.width) + u32::from(profile.blur) + 1;
    let near = |at: u32| at.saturating_sub(reach)..=at + reach;
    near(y)
        .flat_map(|y| near(x).map(move |x| (x, y)))
        .filter_map(|(x, y)| grid.cell(x, y))
        .collect()
}
