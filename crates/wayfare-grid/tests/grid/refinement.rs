//! Refined paths on random grids: the ends stay, nothing gets longer that should not, and nothing
//! runs into anything.

use crate::grids::{any_grid, pick};
use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::path::{
    Path, Polyline, Rounding, round_corners, shorten, shorten_path, simplify, simplify_path,
    smooth, validate_any_angle,
};
use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::{CostTable, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Frame, Grid, GridProfile, GridSpace, Neighbours};

/// Points a hundredth of a cell apart along every leg, each of them on a free cell of one medium or
/// within the tolerance of one. Knows nothing of how the engine follows a line.
fn hits_nothing(grid: &Grid, space: &GridSpace<'_>, line: &Polyline) -> bool {
    let cell_size = grid.frame().cell_size;
    let medium = |point: Vec3| {
        let cell = grid.cell_at(point).filter(|&cell| space.is_free(cell))?;
        space.profile().costs.get(grid.terrain(cell)).map(|cost| cost.medium)
    };
    let begun_in = line.points.first().and_then(|&point| medium(point));
    let is_free = |point: Vec3| {
        [(0.0, 0.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].iter().any(|&(x, z)| {
            let beside = point + Vec3::new(x, 0.0, z) * (cell_size * 2e-3);
            medium(beside).is_some() && medium(beside) == begun_in
        })
    };
    line.points.windows(2).all(|leg| {
        let samples = (leg[0].distance(leg[1]) / cell_size * 100.0).ceil() as u32 + 1;
        (0..=samples).all(|i| is_free(leg[0].lerp(leg[1], i as f32 / samples as f32)))
    })
}

fn any_frame() -> impl Strategy<Value = Frame> {
    prop_oneof![
        Just(Frame::default()),
        Just(Frame { origin: Vec3::new(-31.7, 2.0, 113.3), cell_size: 0.3 }),
        Just(Frame { origin: Vec3::new(0.1, 0.0, -7.0), cell_size: 7.1 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refinement_never_runs_into_anything(
        grid in any_grid(),
        frame in any_frame(),
        start: u32,
        goal: u32,
        radius in 0.1f32..4.0,
        spacing in 0.05f32..1.0,
    ) {
        let grid = grid.with_frame(frame).unwrap();
        let (space, start, goal) = (grid.space(), pick(&grid, start % 997), pick(&grid, goal % 991));
        let outcome = solve(&space, &AStar::new(), Query::new(start, goal)).outcome;
        let Some(path) = outcome.path() else { return Ok(()) };
        let line = Polyline::from_path(&space, path);
        prop_assert!(line.is_clear(&space) && hits_nothing(&grid, &space, &line));
        let ends = |line: &Polyline| (line.points[0], line.points[line.points.len() - 1]);
        // Coordinates are rounded, and so are the lengths.
        let slack = 1e-5 * line.length() + 1e-4;

        let turns = simplify_path(&space, path);
        prop_assert_eq!((turns.start(), turns.end(), turns.cost()), (path.start(), path.end(), path.cost()));
        let simple = Polyline::from_path(&space, &turns);
        prop_assert_eq!(&simple, &simplify(&line));
        prop_assert!(simple.is_clear(&space) && hits_nothing(&grid, &space, &simple));
        prop_assert!((simple.length() - line.length()).abs() <= slack);
        for corner in simple.points.windows(3) {
            let turn = (corner[1] - corner[0]).normalize().dot((corner[2] - corner[1]).normalize());
            prop_assert!(turn < 0.99, "a point that is no turn");
        }

        let short = shorten_path(&space, path);
        prop_assert!(short.len() <= turns.len() || !space.profile().costs.eq(&CostTable::new()));
        prop_assert_eq!(validate_any_angle(&space, &short, start, goal), Ok(()));
        prop_assert!(short.cost() <= path.cost());
        let short = Polyline::from_path(&space, &short);
        prop_assert!(short.length() <= line.length() + slack);
        prop_assert!(short.is_clear(&space) && hits_nothing(&grid, &space, &short));

        let pulled = shorten(&space, &line);
        prop_assert!(pulled.length() <= line.length() + slack);
        for refined in [&simple, &short, &pulled] {
            prop_assert_eq!(ends(refined), ends(&line));
            let rounding = Rounding::new(radius * frame.cell_size);
            let round = round_corners(&space, refined, rounding);
            prop_assert_eq!(ends(&round), ends(&line));
            prop_assert!(round.length() <= refined.length() + slack);
            prop_assert!(round.is_clear(&space) && hits_nothing(&grid, &space, &round));
            let curve = smooth(&space, refined, spacing * frame.cell_size);
            prop_assert_eq!(ends(&curve), ends(&line));
            prop_assert!(refined.points.iter().all(|point| curve.points.contains(point)));
            prop_assert!(curve.is_clear(&space) && hits_nothing(&grid, &space, &curve));
        }
    }
}

fn path_on(grid: &Grid, from: (u32, u32), to: (u32, u32)) -> Path<Cell, u32> {
    let query = Query::new(grid.cell(from.0, from.1).unwrap(), grid.cell(to.0, to.1).unwrap());
    solve(&grid.space(), &AStar::new(), query).outcome.into_path()
}

#[test]
fn shortening_keeps_to_the_road() {
    // The straight line would cross the marsh, which costs four times as much.
    let marsh = TerrainId(1);
    let costs = CostTable::new().with(marsh, TerrainCost::multiplied(4.0));
    let terrain: Vec<TerrainId> = "....mmm.mmm.mmm."
        .chars()
        .map(|c| if c == 'm' { marsh } else { TerrainId::GROUND })
        .collect();
    let grid = Grid::new(4, 4, &terrain, GridProfile { costs, ..Default::default() }).unwrap();
    let path = path_on(&grid, (0, 0), (3, 3));
    assert!(path.states().all(|cell| grid.terrain(cell) != marsh));
    let short = shorten_path(&grid.space(), &path);
    assert!(short.cost() <= path.cost());
    assert!(short.states().all(|cell| grid.terrain(cell) != marsh), "{path:?} {short:?}");
    assert!((2..path.len()).contains(&short.len()));
}

#[test]
fn the_turn_radius_is_kept_where_there_is_room() {
    let grid = Grid::from_rows(&["........"; 8]).unwrap();
    let line: Polyline = [(0.5, 0.5), (6.5, 0.5), (6.5, 7.5)]
        .map(|(x, z)| Vec3::new(x, 0.0, z))
        .into_iter()
        .collect();
    let round =
        round_corners(&grid.space(), &line, Rounding { angle_step: 0.1, ..Rounding::new(3.0) });
    let center = Vec3::new(3.5, 0.0, 3.5);
    let on_arc = round.points.iter().filter(|point| (point.distance(center) - 3.0).abs() < 1e-4);
    assert_eq!(on_arc.count(), 17);
    for nothing in [0.0, -1.0, f32::NAN] {
        assert_eq!(round_corners(&grid.space(), &line, Rounding::new(nothing)), line);
        assert_eq!(smooth(&grid.space(), &line, nothing), line);
    }
}

#[test]
fn a_corner_without_room_stays_sharp() {
    for (neighbours, corners) in
        [(Neighbours::Four, CornerRule::BothFree), (Neighbours::Eight, CornerRule::BothFree)]
    {
        let terrain: Vec<TerrainId> = "...##.##."
            .chars()
            .map(|c| if c == '#' { TerrainId::BLOCKED } else { TerrainId::GROUND })
            .collect();
        let profile = GridProfile { neighbours, corners, ..Default::default() };
        let grid = Grid::new(3, 3, &terrain, profile).unwrap();
        let line = Polyline::from_path(&grid.space(), &path_on(&grid, (0, 0), (2, 2)));
        let round = round_corners(&grid.space(), &simplify(&line), Rounding::new(5.0));
        assert!(hits_nothing(&grid, &grid.space(), &round));
        assert!(round.points.len() > 3, "half a cell of radius fits into the corner");
    }
}

#[test]
fn lines_without_legs_are_left_alone() {
    let grid = Grid::from_rows(&["..."]).unwrap();
    for line in [Polyline::default(), [Vec3::ONE * 0.5].into_iter().collect()] {
        assert_eq!(simplify(&line), line);
        assert_eq!(shorten(&grid.space(), &line), line);
        assert_eq!(round_corners(&grid.space(), &line, Rounding::new(1.0)), line);
        assert_eq!(smooth(&grid.space(), &line, 0.1), line);
    }
}
