//! Open swaths against the sweeps that they prove, and segments against their reverse.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::space::{CostTable, LineOfSight, OpenSwath, TerrainId};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};

/// The ground of a grid with a wall in one cell of `one_in`.
fn mesh(seed: u64, one_in: u64) -> NavMesh {
    let wall = |number: u64| {
        let mixed = (seed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if mixed.is_multiple_of(one_in) { TerrainId::BLOCKED } else { TerrainId::GROUND }
    };
    let terrain: Vec<TerrainId> = (0..40 * 20).map(wall).collect();
    let grid = Grid::new(40, 20, &terrain, GridProfile::default()).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
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
        let mesh = mesh(seed, one_in);
        let space = mesh.space().made_for(kept);
        let from = Vec3::new(from.0, 0.0, from.1);
        let to = from.lerp(Vec3::new(to.0, 0.0, to.1), part);
        let aside = Vec3::new(aside.0, 0.0, aside.1).clamp_length_max(0.98) * radius;
        if let Some(OpenSwath { is_level, .. }) = space.open_swath(from, to, 2.0 * radius) {
            let near = from.lerp(to, part) + aside;
            prop_assert!(is_level);
            prop_assert!(space.sweep_is_clear(near, to, radius));
            let mut ground = Vec::new();
            space.follow_ground(near, to, &mut |point| ground.push(point));
            prop_assert_eq!(ground, [to]);
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
