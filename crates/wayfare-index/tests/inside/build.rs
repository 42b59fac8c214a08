//! The costs of a hierarchy after edits, against searches within each sector.

use wayfare_core::search::{Dijkstra, Query, Solver};
use wayfare_core::space::{Cost, CostTable, TerrainCost, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, Neighbours};
use wayfare_index::hierarchy::{Hierarchy, HierarchySettings, SectorSide};
use wayfare_index::inside::tested::build::sectors_of;
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
