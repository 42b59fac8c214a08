//! Grids sampled from obstacles, and resampled after edits.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_core::plane::Rectangle;
use wayfare_core::space::{ProfileId, TerrainId};
use wayfare_grid::geometry::{Obstacle, ObstacleKind, Obstacles, SurfaceLayer};
use wayfare_grid::grid::{Grid, GridProfile, GridSampling, SampledBody};

fn area(x: f32, z: f32) -> Rectangle {
    Rectangle::new(Vec2::ZERO, Vec2::new(x, z))
}

fn rows(grid: &Grid) -> Vec<String> {
    let glyph = |x, y| match grid.terrain(grid.cell(x, y).unwrap()) {
        TerrainId::BLOCKED => '#',
        TerrainId(layer) => char::from(b'0' + layer),
    };
    (0..grid.height()).map(|y| (0..grid.width()).map(|x| glyph(x, y)).collect()).collect()
}

fn surface(points: [(f32, f32, f32); 4], layer: u8) -> Obstacle {
    let points = points.map(|(x, y, z)| Vec3::new(x, y, z)).to_vec();
    Obstacle::mesh(points, vec![[0, 2, 1], [0, 3, 2]])
        .with_kind(ObstacleKind::Surface(SurfaceLayer(layer)))
}

#[test]
fn walls_along_the_grid_block_their_own_cells_only() {
    let wall = Obstacle::cuboid(Vec3::new(2.5, 1.0, 1.0), Vec3::new(0.5, 1.0, 1.0));
    let obstacles = Obstacles::new([wall]).unwrap();
    let sampling = GridSampling::new(area(4.0, 3.0), 0.5);
    let grid = Grid::sampled(&obstacles, &sampling, GridProfile::default()).unwrap();
    assert_eq!(rows(&grid), ["00#0", "00#0", "0000"]);
    // Smaller cells, and a wall that a tall body meets and a low one does not.
    let bar = Obstacle::cuboid(Vec3::new(1.0, 1.5, 1.0), Vec3::new(1.0, 0.1, 0.2));
    let obstacles = Obstacles::new([bar]).unwrap();
    let sampling = GridSampling::new(area(2.0, 2.0), 0.25);
    let with = |to| {
        let sampling = sampling.with_body(SampledBody::Box { from: 0.1, to });
        rows(&Grid::sampled(&obstacles, &sampling, GridProfile::default()).unwrap())
    };
    assert_eq!(with(1.8), ["0000", "####", "####", "0000"]);
    assert_eq!(with(1.2), ["0000"; 4]);
}

#[test]
fn surfaces_give_terrain_and_height_and_no_surface_blocks() {
    let flat = surface([(0.0, 1.0, 0.0), (2.0, 1.0, 0.0), (2.0, 1.0, 3.0), (0.0, 1.0, 3.0)], 1);
    let slope = surface([(2.0, 1.0, 0.0), (4.0, 2.0, 0.0), (4.0, 2.0, 3.0), (2.0, 1.0, 3.0)], 2);
    let obstacles = Obstacles::new([flat, slope]).unwrap();
    let sampling = GridSampling::new(area(5.0, 3.0), 0.5);
    let grid = Grid::sampled(&obstacles, &sampling, GridProfile::default()).unwrap();
    assert_eq!(rows(&grid), ["1122#"; 3]);
    let heights: Vec<f32> = (0..5).map(|x| grid.centre(grid.cell(x, 1).unwrap()).y).collect();
    assert_eq!(heights, [1.0, 1.0, 1.25, 1.75, 0.0]);
    let steep = |slope| {
        let sampling = sampling.with_max_slope(slope);
        rows(&Grid::sampled(&obstacles, &sampling, GridProfile::default()).unwrap())
    };
    assert_eq!(steep(0.51), ["1122#"; 3]);
    assert_eq!(steep(0.3), ["11###"; 3]);
    // The length follows the slope; so does the cost, where it is asked for.
    let cell = |grid: &Grid, x| grid.cell(x, 1).unwrap();
    let (along, flat) = ([cell(&grid, 2), cell(&grid, 3)], [cell(&grid, 0), cell(&grid, 1)]);
    assert_eq!(grid.space().length(flat), 1.0);
    assert!((grid.space().length(along) - 1.25f64.sqrt()).abs() < 1e-6);
    let profile = GridProfile { slope_cost: 4.0, ..GridProfile::default() };
    let hilly = Grid::sampled(&obstacles, &sampling, profile).unwrap();
    let penalty = |x| hilly.penalty(cell(&hilly, x), ProfileId::default());
    assert_eq!([penalty(0), penalty(1), penalty(2), penalty(3)], [0.0, 1.0, 2.0, 2.0]);
}

#[test]
fn nobody_climbs_a_wall_by_default_and_everybody_a_step() {
    let ground = |height: f32| {
        let low = surface([(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 3.0), (0.0, 0.0, 3.0)], 1);
        let high = surface(
            [(2.0, height, 0.0), (5.0, height, 0.0), (5.0, height, 3.0), (2.0, height, 3.0)],
            1,
        );
        Obstacles::new([low, high]).unwrap()
    };
    let sampling = GridSampling::new(area(5.0, 3.0), 0.25);
    let joins = |height: f32, sampling: &GridSampling| {
        let grid = Grid::sampled(&ground(height), sampling, GridProfile::default()).unwrap();
        let [west, east] = [0, 9].map(|x| grid.space().component(grid.cell(x, 2).unwrap()));
        assert!(west.is_some() && east.is_some());
        west == east
    };
    assert!(!joins(17.6, &sampling) && !joins(0.6, &sampling), "steeper than 45° and no step");
    assert!(joins(0.4, &sampling), "a ramp of a cell's length");
    assert!(joins(0.6, &sampling.with_max_step(0.7)));
    assert!(joins(0.6, &sampling.with_body(SampledBody::Box { from: 0.7, to: 1.8 })));
    assert!(joins(17.6, &GridSampling { max_slope: None, ..sampling }));
}

#[test]
fn bad_samplings_are_told() {
    let obstacles = Obstacles::default();
    let fault = |sampling: GridSampling| {
        Grid::sampled(&obstacles, &sampling, GridProfile::default()).unwrap_err().to_string()
    };
    let good = GridSampling::new(area(4.0, 3.0), 0.5);
    assert_eq!(
        fault(GridSampling::new(area(f32::NAN, 3.0), 0.5)),
        "the greatest x is NaN; it must be finite"
    );
    assert_eq!(
        fault(GridSampling::new(area(4.0, 0.0), 0.5)),
        "the area's extent along z is 0; it must be a finite number above zero"
    );
    assert_eq!(
        fault(GridSampling { node_radius: 0.0, ..good }),
        "the node radius is 0; it must be a finite number above zero"
    );
    assert_eq!(
        fault(good.with_body(SampledBody::Box { from: 2.0, to: 1.0 })),
        "the body's height is -1; it must be a finite number above zero"
    );
    assert_eq!(
        fault(GridSampling { node_radius: 1e-4, ..good }),
        "a grid of 20000 x 15000 cells: each side must be from 1 to 16384"
    );
    assert!(fault(GridSampling::new(area(3e38, 3e38), 1e-30)).starts_with("a grid of"));
    let reach = Rectangle::new(Vec2::splat(-3e38), Vec2::splat(3e38));
    assert!(fault(GridSampling::new(reach, 1.0)).starts_with("the area's extent along x is inf"));
}

fn any_box() -> impl Strategy<Value = (Vec3, Vec3, u8)> {
    let center = (-1.0f32..9.0, 0.0f32..2.0, -1.0f32..9.0);
    let half = (0.1f32..2.0, 0.1f32..1.0, 0.1f32..2.0);
    (center, half, 0u8..4).prop_map(|(center, half, layer)| (center.into(), half.into(), layer))
}

fn obstacle((center, half, layer): (Vec3, Vec3, u8)) -> Obstacle {
    let kind = match layer {
        0 | 1 => ObstacleKind::Blocking,
        _ => ObstacleKind::Platform(SurfaceLayer(layer)),
    };
    Obstacle::cuboid(center, half).with_kind(kind)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn resampling_leaves_what_sampling_anew_would(
        boxes in prop::collection::vec(any_box(), 1..6),
        new in any_box(),
        has_floor: bool,
        max_slope in prop::option::of(0.2f32..2.0),
        slope_cost in prop::sample::select(vec![0.0f32, 3.0]),
        is_ball: bool,
    ) {
        let floor = surface([(0.0, 0.0, 0.0), (8.0, 0.5, 0.0), (8.0, 0.5, 7.0), (0.0, 0.0, 7.0)], 0);
        let all = boxes.iter().map(|&part| obstacle(part)).chain(has_floor.then_some(floor));
        let mut obstacles = Obstacles::new(all).unwrap();
        let mut sampling = GridSampling::new(area(8.0, 8.0), 0.35);
        sampling.max_slope = max_slope;
        if !is_ball {
            sampling = sampling.with_body(SampledBody::Box { from: 0.2, to: 1.5 });
        }
        let profile = || GridProfile { slope_cost, ..GridProfile::default() };
        let mut grid = Grid::sampled(&obstacles, &sampling, profile()).unwrap();
        let had_surfaces = obstacles.surface_heights().is_some();
        let first = obstacles.iter().next().unwrap().id;
        let removed = obstacles.bounds(first).unwrap();
        obstacles.remove(first);
        obstacles.add(obstacle(new)).unwrap();
        if had_surfaces != obstacles.surface_heights().is_some() {
            return Ok(()); // the ground itself came or went, everywhere
        }
        let mut changed = 0;
        let before = grid.revision();
        for (low, high) in [(removed.min, removed.max), (new.0 - new.1, new.0 + new.1)] {
            let region = Rectangle::new(Vec2::new(low.x, low.z), Vec2::new(high.x, high.z));
            changed += grid.resample(&obstacles, &sampling, region).unwrap();
        }
        prop_assert_eq!(changed > 0, grid.revision() > before);
        let anew = Grid::sampled(&obstacles, &sampling, profile()).unwrap();
        prop_assert_eq!(rows(&grid), rows(&anew));
        for cell in grid.cells() {
            prop_assert_eq!(grid.centre(cell), anew.centre(cell));
            let penalty = |grid: &Grid| grid.penalty(cell, ProfileId::default());
            prop_assert_eq!(penalty(&grid), penalty(&anew));
        }
    }
}
