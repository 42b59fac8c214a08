//! Open swaths against the sweeps that they prove, and segments against their reverse.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_core::space::{CostTable, LineOfSight, OpenSwath, Sweep, TerrainId};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};

const WIDTH: u64 = 40;
const HEIGHT: u64 = 20;

/// Whether there is a wall in a cell: in one of `one_in`.
fn is_wall(seed: u64, one_in: u64, cell: u64) -> bool {
    let mixed = (seed ^ cell).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    mixed.is_multiple_of(one_in)
}

/// The ground of a grid with a wall in one cell of `one_in`.
fn mesh(seed: u64, one_in: u64) -> NavMesh {
    let terrain = |cell: u64| match is_wall(seed, one_in, cell) {
        true => TerrainId::BLOCKED,
        false => TerrainId::GROUND,
    };
    let terrain: Vec<TerrainId> = (0..WIDTH * HEIGHT).map(terrain).collect();
    let size = [WIDTH, HEIGHT].map(|side| side as u32);
    let grid = Grid::new(size[0], size[1], &terrain, GridProfile::default()).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

/// The distance from a segment to the nearest wall, by all walls: at points 1 mm apart or less.
fn gap(seed: u64, one_in: u64, [from, to]: [Vec3; 2]) -> f32 {
    let walls: Vec<[f32; 2]> = (0..WIDTH * HEIGHT)
        .filter(|&cell| is_wall(seed, one_in, cell))
        .map(|cell| [(cell % WIDTH) as f32, (cell / WIDTH) as f32])
        .collect();
    let gap_at = |at: Vec3| {
        let [x, z] = [at.x, at.z];
        let border = x.min(z).min(WIDTH as f32 - x).min(HEIGHT as f32 - z);
        let gap = |&[left, top]: &[f32; 2]| {
            Vec2::new(x - x.clamp(left, left + 1.0), z - z.clamp(top, top + 1.0)).length()
        };
        walls.iter().map(gap).fold(border, f32::min)
    };
    let count = (from.distance(to) * 1000.0).ceil().max(1.0);
    let at = |step: u32| from.lerp(to, step as f32 / count);
    (0..=count as u32).map(|step| gap_at(at(step))).fold(f32::INFINITY, f32::min)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_open_swath_proves_the_sweeps_within_it(
        seed: u64,
        one_in in 20u64..400,
        from in (0.0f32..40.0, 0.0f32..20.0),
        to in (0.0f32..40.0, 0.0f32..20.0),
        aside in (-1.0f32..1.0, -1.0f32..1.0),
        part in 0.0f32..1.0,
        radius in 0.02f32..2.0,
        kept in 0.0f32..2.0,
    ) {
        let mesh = mesh(seed, one_in).with_body_radius(kept);
        let space = mesh.space();
        let from = Vec3::new(from.0, 0.0, from.1);
        let to = from.lerp(Vec3::new(to.0, 0.0, to.1), part);
        let aside = Vec3::new(aside.0, 0.0, aside.1).clamp_length_max(0.98) * radius;
        if let Some(OpenSwath { is_level, .. }) = space.open_swath(from, to, 2.0 * radius) {
            let near = from.lerp(to, part) + aside * (1.0 - part);
            prop_assert!(is_level);
            prop_assert!(space.sweep_is_clear(near, to, radius));
            let mut ground = Vec::new();
            space.follow_ground(near, to, &mut |point| ground.push(point));
            prop_assert_eq!(ground, [to]);
        }
    }

    #[test]
    fn a_sweep_is_clear_where_no_wall_is_near(
        seed: u64,
        one_in in 8u64..100,
        from in (0.0f32..40.0, 0.0f32..20.0),
        way in (-3.0f32..3.0, -3.0f32..3.0),
        radius in 0.01f32..1.5,
    ) {
        let (mesh, from) = (mesh(seed, one_in), Vec3::new(from.0, 0.0, from.1));
        let to = from + Vec3::new(way.0, 0.0, way.1);
        let spare = gap(seed, one_in, [from, to]) - radius;
        // Bodies may touch walls by a millimetre.
        prop_assume!(!(-4e-3..2e-3).contains(&spare));
        let sweep = mesh.space().sweep(from, to, radius);
        prop_assert_eq!(matches!(sweep, Sweep::Clear { is_level: true }), spare > 0.0);
        prop_assert_eq!(mesh.space().sweep_is_clear(from, to, radius), spare > 0.0);
    }

    #[test]
    fn what_bars_a_sweep_bars_those_from_beside_it(
        seed: u64,
        one_in in 8u64..100,
        from in (0.0f32..40.0, 0.0f32..20.0),
        way in (-9.0f32..9.0, -9.0f32..9.0),
        aside in (-1.0f32..1.0, -1.0f32..1.0),
        radius in 0.02f32..2.0,
    ) {
        let (mesh, from) = (mesh(seed, one_in), Vec3::new(from.0, 0.0, from.1));
        let to = from + Vec3::new(way.0, 0.0, way.1);
        let beside = from + Vec3::new(aside.0, 0.0, aside.1);
        if let Sweep::Barred(Some(bar)) = mesh.space().sweep(from, to, radius) {
            // Sweeps that are clear keep away from it.
            let is_clear = mesh.space().sweep_is_clear(beside, to, radius);
            prop_assert!(!(is_clear && bar.is_near(beside, to)));
        }
    }

    #[test]
    fn segments_are_clear_both_ways(
        seed: u64,
        one_in in 3u64..100,
        from in (0.0f32..40.0, 0.0f32..20.0),
        way in (-9.0f32..9.0, -9.0f32..9.0),
    ) {
        let (mesh, from) = (mesh(seed, one_in), Vec3::new(from.0, 0.0, from.1));
        let to = from + Vec3::new(way.0, 0.0, way.1);
        let space = mesh.space();
        prop_assert_eq!(space.segment_is_clear(from, to), space.segment_is_clear(to, from));
    }
}
