//! Lines of sight, against a walk from cell to cell.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::inside::disc_sweep_is_clear;
use wayfare_core::space::{LineOfSight, TerrainId};
use wayfare_grid::grid::{Grid, GridProfile};

/// A map with a wall in one cell of `one_in`, drawn from a seed.
fn map(seed: u64, one_in: u64) -> Grid {
    let mut dice = seed | 1;
    let terrain: Vec<TerrainId> = (0..70 * 20)
        .map(|_| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let is_wall = (dice >> 33).is_multiple_of(one_in);
            if is_wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(70, 20, &terrain, GridProfile::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn swaths_say_what_walks_say(
        seed: u64,
        one_in in 3u64..300,
        ends in (-2.0f32..72.0, -2.0f32..22.0, -2.0f32..72.0, -2.0f32..22.0),
        is_short: bool,
        on_centres: bool,
        radius in 0.0f32..3.0,
    ) {
        let grid = map(seed, one_in);
        let space = grid.space();
        let mut ends = [Vec3::new(ends.0, 0.0, ends.1), Vec3::new(ends.2, 0.0, ends.3)];
        if is_short {
            ends[1] = ends[0].lerp(ends[1], 0.1);
        }
        if on_centres {
            ends = ends.map(|end| end.floor() + 0.5);
        }
        let [a, b] = ends.map(|end| grid.frame().to_cells(end));
        let walks = space.segment_is_clear_by_walk(a, b);
        prop_assert_eq!(space.segment_is_clear(ends[0], ends[1]), walks);
        let reach = f64::from(radius);
        let sweeps = walks && disc_sweep_is_clear(a, b, reach, |_, _| true, |x, y| space.is_wall(x, y));
        prop_assert_eq!(space.sweep_is_clear(ends[0], ends[1], radius), sweeps);
        let cells = ends.map(|end| grid.nearest_cell(end));
        let places = cells.map(|cell| {
            let (x, y) = grid.coordinates(cell).into();
            (i64::from(x), i64::from(y))
        });
        let cost = space.line_cost_by_walk(places[0], places[1]);
        prop_assert_eq!(space.line_cost(cells[0], cells[1]), cost);
    }

    #[test]
    fn a_clear_sweep_proves_the_sweeps_within_it(
        seed: u64,
        one_in in 20u64..300,
        ends in (0.0f32..70.0, 0.0f32..20.0, 0.0f32..70.0, 0.0f32..20.0),
        aside in (-1.0f32..1.0, -1.0f32..1.0),
        part in 0.0f32..1.0,
        radius in 0.02f32..2.0,
    ) {
        let grid = map(seed, one_in);
        let space = grid.space();
        let [from, to] = [Vec3::new(ends.0, 0.0, ends.1), Vec3::new(ends.2, 0.0, ends.3)];
        let to = from.lerp(to, 0.2);
        let is_open = space.open_swath(from, to, 2.0 * radius).is_some();
        prop_assert_eq!(is_open, space.sweep_is_clear(from, to, 2.0 * radius));
        prop_assume!(is_open);
        let aside = Vec3::new(aside.0, 0.0, aside.1).clamp_length_max(0.98) * radius;
        let near = from.lerp(to, part) + aside;
        prop_assert!(space.sweep_is_clear(near, to, radius));
    }
}
