//! The costs of a hierarchy after edits, against searches within each sector, and of its plans,
//! against cheapest ones.

use std::collections::BTreeMap;

use wayfare_core::path::Step;
use wayfare_core::search::{Dijkstra, Query, Solver};
use wayfare_core::space::{Cost, CostTable, DIAGONAL, STRAIGHT, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, Neighbours};
use wayfare_index::hierarchy::{Hierarchy, HierarchyScratch, HierarchySettings, SectorSide};
use wayfare_index::inside::tested::build::{Crossing, sectors_of};
use wayfare_index::inside::tested::flood::Flood;
use wayfare_index::inside::tested::sectors::Bounds;

const SWAMP: TerrainId = TerrainId(1);

/// The least cost between two cells of a sector, by a search over a map of that sector alone.
fn cost_within(grid: &Grid, bounds: Bounds, ends: [Cell; 2]) -> u32 {
    let cells = (0..bounds.height)
        .flat_map(|y| (0..bounds.width).map(move |x| (bounds.x + x, bounds.y + y)));
    let terrain: Vec<TerrainId> =
        cells.map(|(x, y)| grid.terrain(grid.cell(x, y).unwrap())).collect();
    let profile = grid.space().profile().clone();
    let alone = Grid::new(bounds.width, bounds.height, &terrain, profile).unwrap();
    let [start, goal] = ends.map(|cell| {
        let (x, y) = grid.coordinates(cell).into();
        alone.cell(x - bounds.x, y - bounds.y).unwrap()
    });
    let found = Solver::new().solve(&alone.space(), &Dijkstra, Query::new(start, goal));
    found.outcome.path().map_or(u32::INFINITY, wayfare_core::path::Path::cost)
}

#[test]
fn after_edits_of_many_cells_costs_are_those_of_searches_within_the_sector() {
    let (width, height) = (40, 33);
    let settings = HierarchySettings { sector_side: SectorSide::new(16).unwrap(), lookahead: 2 };
    let mut seed = 1u64;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32 % below
    };
    let mut even = [0; 2];
    for corners in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always] {
        for (neighbours, swamp) in
            [(Neighbours::Four, 1.0), (Neighbours::Eight, 1.0), (Neighbours::Eight, 2.5)]
        {
            let costs = CostTable::new().with(SWAMP, TerrainCost::multiplied(swamp));
            let profile = GridProfile { costs, corners, neighbours, ..GridProfile::default() };
            // Sectors of swamp, sectors of ground, and a column of sectors with both.
            let terrain: Vec<TerrainId> = (0..width * height)
                .map(|at| if at % width < 20 { SWAMP } else { TerrainId::GROUND })
                .collect();
            let mut grid = Grid::new(width, height, &terrain, profile).unwrap();
            let mut hierarchy = Hierarchy::<u32>::build(&grid.space(), settings);
            for count in [20, 400, 700] {
                let cells: Vec<Cell> = (0..count).map(|_| Cell(random(width * height))).collect();
                let before: Vec<(Cell, TerrainId)> =
                    cells.iter().map(|&cell| (cell, grid.terrain(cell))).collect();
                for is_undone in [false, true] {
                    match is_undone {
                        false => {
                            grid.set_terrains(cells.iter().map(|&cell| (cell, TerrainId::BLOCKED)))
                        }
                        true => grid.set_terrains(before.iter().copied()),
                    };
                    hierarchy.repair(&grid.space(), cells.iter().copied()).unwrap();
                    assert!(hierarchy == Hierarchy::build(&grid.space(), settings));
                    for (bounds, sector) in sectors_of(&hierarchy) {
                        let mut flood = Flood::default();
                        flood.load(&grid.space(), bounds);
                        even[usize::from(flood.is_even())] += 1;
                        for (row, from) in sector.transitions.iter().enumerate() {
                            let costs = sector.costs_of(row);
                            for (to, &cost) in sector.transitions.iter().zip(costs) {
                                let least = cost_within(&grid, bounds, [from.cell, to.cell]);
                                assert_eq!(cost, least, "{:?} to {:?}", from.cell, to.cell);
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(even.iter().all(|&sectors| sectors > 10), "{even:?}");
}

/// The least cost of a plan: over transitions, by relaxing all moves until nothing changes.
fn cheapest_plan(grid: &Grid, hierarchy: &Hierarchy<u32>, [start, goal]: [Cell; 2]) -> u32 {
    let sectors: Vec<_> = sectors_of(hierarchy).collect();
    let place = |cell: Cell| <(u32, u32)>::from(grid.coordinates(cell));
    let is_in = |bounds: Bounds, cell: Cell| {
        let (x, y) = place(cell);
        x.wrapping_sub(bounds.x) < bounds.width && y.wrapping_sub(bounds.y) < bounds.height
    };
    let mut costs = BTreeMap::new();
    for (number, (bounds, sector)) in (0u32..).zip(&sectors) {
        for (row, transition) in sector.transitions.iter().enumerate() {
            if is_in(*bounds, start) {
                let cost = cost_within(grid, *bounds, [start, transition.cell]);
                costs.insert((number, row), cost);
            }
        }
    }
    loop {
        let before = costs.clone();
        for (&(number, row), &cost) in &before {
            let (_, sector) = sectors[number as usize];
            let mut relax = |to: (u32, usize), step: u32| {
                let known = costs.entry(to).or_insert(u32::INFINITY);
                *known = (*known).min(cost.plus(step));
            };
            for (to, &step) in sector.costs_of(row).iter().enumerate() {
                relax((number, to), step);
            }
            let from = sector.transitions[row];
            for Crossing { link, .. } in sector.crossings(&from) {
                let to = link.row().unwrap();
                let ((x, y), beyond) =
                    (place(from.cell), place(sectors[link.sector as usize].1.transitions[to].cell));
                let is_diagonal = x != beyond.0 && y != beyond.1;
                relax((link.sector, to), if is_diagonal { DIAGONAL } else { STRAIGHT });
            }
        }
        if costs == before {
            break;
        }
    }
    let mut least = u32::INFINITY;
    for (number, (bounds, sector)) in (0u32..).zip(&sectors) {
        if is_in(*bounds, goal) {
            for (row, transition) in sector.transitions.iter().enumerate() {
                let to_goal = cost_within(grid, *bounds, [transition.cell, goal]);
                if let Some(cost) = costs.get(&(number, row)) {
                    least = least.min(cost.plus(to_goal));
                }
            }
            if is_in(*bounds, start) {
                least = least.min(cost_within(grid, *bounds, [start, goal]));
            }
        }
    }
    least
}

#[test]
fn plans_cost_at_most_a_twentieth_more_than_cheapest_ones() {
    let settings = HierarchySettings { sector_side: SectorSide::new(8).unwrap(), lookahead: 0 };
    let (width, height) = (130, 70);
    let mut seed = 7u64;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32 % below
    };
    let (mut plans, mut dearer, mut crossed) = (0, 0, 0);
    for blocked in [0, 10, 25, 35] {
        let terrain = |is_blocked| if is_blocked { TerrainId::BLOCKED } else { TerrainId::GROUND };
        let terrain: Vec<TerrainId> =
            (0..width * height).map(|_| terrain(random(100) < blocked)).collect();
        let grid = Grid::new(width, height, &terrain, GridProfile::default()).unwrap();
        let space = grid.space();
        let hierarchies = [false, true]
            .map(|is_grouped| Hierarchy::<u32>::build_with(&space, settings, is_grouped));
        let mut scratch = HierarchyScratch::new();
        for turn in 0..24 {
            let hierarchy = &hierarchies[turn % 2];
            let ends = [(); 2].map(|()| grid.cell(random(width), random(height)).unwrap());
            let answer = hierarchy.route(&space, &mut scratch, ends[0], ends[1]).unwrap();
            let Some(route) = answer.found() else { continue };
            let least = cheapest_plan(&grid, hierarchy, ends);
            assert!(route.cost() >= least, "{} is less than {least}", route.cost());
            assert!(route.cost() - least <= least / 20, "{} for {least}", route.cost());
            plans += 1;
            // Two waypoints more than a sector apart lie on both sides of a group.
            let is_leap = |pair: &[Step<Cell, u32>]| {
                let [from, to] =
                    [0, 1].map(|at| <(u32, u32)>::from(grid.coordinates(pair[at].state)));
                from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)) > 8
            };
            crossed += usize::from(route.waypoints().windows(2).any(is_leap));
            dearer += u32::from(route.cost() > least);
        }
    }
    assert!(plans > 20 && dearer > 0, "{dearer} of {plans} plans are dearer");
    assert!(crossed > 5, "{crossed} plans cross a group");
}
