//! The sides of walls that worlds show, beside their proofs of moves.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::inside::nearest_on_segment;
use wayfare_core::ops::{SinCos, sin_cos};
use wayfare_core::space::{ProfileId, Space};
use wayfare_sim::simulation::Environment;

use crate::anything::{any_blocks, any_cells, any_mesh, cases};
use crate::dice::Dice;
use crate::grids::any_grid;

const PROFILE: ProfileId = ProfileId(0);

/// Looks for walls from points beside states, and moves from there towards all sides by nearly as
/// much as no side shown bars. Each such move has to be clear where the world says that no other
/// walls are there. Returns how many were looked at.
fn free_moves<W: Environment>(
    world: &W,
    states: &[W::State],
    dice: &mut Dice,
) -> Result<u32, TestCaseError> {
    let mut count = 0;
    for _ in 0..12 {
        let state = states[dice.roll(states.len() as u32) as usize];
        let beside = Vec3::new(dice.share() - 0.5, 0.0, dice.share() - 0.5);
        let at = world.space(PROFILE).position(state) + beside;
        let (radius, range) = (0.05 + dice.share() * 0.45, 0.6 + dice.share() * 3.0);
        let mut nearest = range;
        let are_all = world.wall_sides(PROFILE, at, radius, range, &mut |side| {
            let [from, to] = [side.from, side.to].map(|end| end.with_y(at.y));
            nearest = nearest.min(nearest_on_segment(at, from, to).distance(at));
        });
        // The ground is at most a metre above or below a move; slopes rise by 0.6 at most.
        let free = (nearest - radius - 0.01).min(1.0);
        if !are_all || free <= 0.0 {
            continue;
        }
        for turn in 0..8 {
            let turned = (turn as f32 + dice.share()) * std::f32::consts::FRAC_PI_4;
            let SinCos { sin, cos } = sin_cos(turned);
            let to = at + Vec3::new(cos, 0.0, sin) * free;
            let is_clear = world.move_is_clear(PROFILE, at, to, radius);
            prop_assert!(is_clear, "{at} to {to}, radius {radius}");
            count += 1;
        }
    }
    Ok(count)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn moves_that_keep_away_from_all_sides_are_clear(grid in any_grid(), seed: u64) {
        let mut dice = Dice(seed);
        let cells = any_cells(&grid);
        prop_assume!(!cells.is_empty());
        free_moves(&grid, &cells, &mut dice)?;
        let (mesh, polygons) = any_mesh(&grid, &mut dice);
        prop_assume!(!polygons.is_empty());
        free_moves(&mesh, &polygons, &mut dice)?;
        let (blocks, voxels) = any_blocks(&mut dice);
        prop_assume!(!voxels.is_empty());
        free_moves(&blocks, &voxels, &mut dice)?;
    }
}

/// The property above looks at something in each kind of world.
#[test]
fn open_ground_has_free_moves() {
    let grid = wayfare_grid::grid::Grid::from_rows(&["........"; 8]).unwrap();
    let mut dice = Dice(5);
    let cells = any_cells(&grid);
    assert!(free_moves(&grid, &cells, &mut dice).unwrap() > 40);
    let (mut on_meshes, mut among_blocks) = (0, 0);
    for _ in 0..20 {
        let (mesh, polygons) = any_mesh(&grid, &mut dice);
        on_meshes += free_moves(&mesh, &polygons, &mut dice).unwrap();
        let (blocks, voxels) = any_blocks(&mut dice);
        among_blocks += free_moves(&blocks, &voxels, &mut dice).unwrap();
    }
    assert!(on_meshes > 40 && among_blocks > 40, "{on_meshes}, {among_blocks}");
}
