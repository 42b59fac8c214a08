//! Sweeps along level ground and through the air, against a walk from voxel to voxel.

use glam::{Vec3, Vec3Swizzles};
use proptest::prelude::*;
use wayfare_core::inside::disc_sweep_is_clear;
use wayfare_core::space::LineOfSight;
use wayfare_voxel::inside::tested::ball::ball_sweep_is_clear;
use wayfare_voxel::{BlockId, BlockKind, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};

const KINDS: [BlockKind; 3] = [BlockKind::Air, BlockKind::Solid, BlockKind::Half];

/// A floor of slabs or of whole blocks, with walls and pits in one column of `one_in` each.
fn floor(seed: u64, one_in: u64, slabs: bool) -> VoxelGrid {
    let size = VoxelSize { width: 40, height: 6, depth: 20 };
    let surface = if slabs { 2 } else { 0 };
    VoxelGrid::from_fn(size, &KINDS.map(Into::into), VoxelProfile::default(), |at| {
        let number = u64::from(at.x + at.z * size.width);
        let mixed = (seed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let (is_wall, is_pit) = (mixed.is_multiple_of(one_in), mixed % one_in == 1);
        BlockId(match at.y {
            0 => u16::from(!is_pit),
            1 => {
                if is_wall {
                    1
                } else if is_pit {
                    0
                } else {
                    surface
                }
            }
            _ => u16::from(is_wall && at.y == 2),
        })
    })
    .unwrap()
}

/// Points above the floor, on the map and beside it.
fn any_ends() -> impl Strategy<Value = [Vec3; 2]> {
    let point = || (-1.0f32..41.0, -1.0f32..21.0).prop_map(|(x, z)| Vec3::new(x, 1.4, z));
    (point(), point(), 0.0f32..1.0).prop_map(|(from, to, part)| [from, from.lerp(to, part * part)])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sweeps_say_what_walks_say(
        seed: u64,
        one_in in 3u64..300,
        slabs: bool,
        [from, to] in any_ends(),
        radius in 0.0f32..3.0,
    ) {
        let world = floor(seed, one_in, slabs);
        let space = world.space();
        let place = |x: i64, z: i64| {
            let on_map = (0..40).contains(&x) && (0..20).contains(&z);
            on_map.then(|| BlockPosition::new(x as u32, 1, z as u32))
        };
        let own = place(from.x.floor() as i64, from.z.floor() as i64);
        let is_wall = |x, z| !own.zip(place(x, z)).is_some_and(|(own, at)| space.fits_at(at, own));
        let [a, b] = [from, to].map(|end| end.xz().as_dvec2());
        let expected = space.segment_is_clear(from, to)
            && disc_sweep_is_clear(a, b, f64::from(radius), |_, _| true, is_wall);
        prop_assert_eq!(space.sweep_is_clear(from, to, radius), expected);
    }

    #[test]
    fn an_open_swath_proves_the_sweeps_within_it(
        seed: u64,
        one_in in 20u64..300,
        slabs: bool,
        [from, to] in any_ends(),
        aside in (-1.0f32..1.0, -1.0f32..1.0),
        part in 0.0f32..1.0,
        radius in 0.02f32..2.0,
    ) {
        let world = floor(seed, one_in, slabs);
        let space = world.space();
        if space.open_swath(from, to, 2.0 * radius).is_some() {
            let aside = Vec3::new(aside.0, 0.0, aside.1).clamp_length_max(0.98) * radius;
            let near = from.lerp(to, part) + aside;
            prop_assert!(space.sweep_is_clear(near, to, radius));
        }
    }

    #[test]
    fn balls_are_swept_as_far_as_walks_say(
        seed: u64,
        one_in in 3u64..2_000,
        from in (-1.0f32..25.0, -1.0f32..25.0, -1.0f32..25.0),
        way in (-8.0f32..8.0, -8.0f32..8.0, -8.0f32..8.0),
        radius in 0.0f32..3.0,
        aside in (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0),
        part in 0.0f32..1.0,
    ) {
        let size = VoxelSize { width: 24, height: 24, depth: 24 };
        let world = VoxelGrid::from_fn(size, &KINDS.map(Into::into), VoxelProfile::flyer(), |at| {
            let number = u64::from(at.x + 24 * (at.y + 24 * at.z));
            let mixed = (seed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            BlockId(u16::from(mixed.is_multiple_of(one_in)))
        }).unwrap();
        let space = world.space().for_bodies();
        let (from, to) = (Vec3::from(from), Vec3::from(from) + Vec3::from(way));
        let is_wall = |at: [i32; 3]| {
            let on_map = at.iter().all(|part| (0..24).contains(part));
            let [x, y, z] = at.map(|part| part as u32);
            let at = BlockPosition { x, y, z };
            !on_map || !space.fits_at(at, at)
        };
        let [a, b] = [from, to].map(Vec3::as_dvec3);
        let expected = space.segment_is_clear(from, to)
            && ball_sweep_is_clear(a, b, f64::from(radius), |_, _| true, is_wall);
        prop_assert_eq!(space.sweep_is_clear(from, to, radius), expected);
        if space.open_swath(from, to, radius).is_some() {
            let aside = Vec3::from(aside).clamp_length_max(0.98) * radius * 0.5;
            let near = from.lerp(to, part) + aside;
            prop_assert!(space.sweep_is_clear(near, to, 0.5 * radius));
        }
    }
}

#[test]
fn a_pit_ends_a_swath_and_bars_no_sweep_beside_it() {
    let size = VoxelSize { width: 9, height: 5, depth: 7 };
    let world = VoxelGrid::from_fn(size, &KINDS.map(Into::into), VoxelProfile::default(), |at| {
        BlockId(u16::from(at.y == 0 && (at.x, at.z) != (4, 5)))
    })
    .unwrap();
    let space = world.space();
    let [from, to] = [Vec3::new(2.5, 1.5, 3.5), Vec3::new(6.5, 1.5, 3.5)];
    assert!(space.sweep_is_clear(from, to, 1.6), "a pit is no wall");
    assert!(space.open_swath(from, to, 1.6).is_none(), "a line through the pit is not clear");
    assert!(space.open_swath(from, to, 1.4).is_some(), "the pit is farther away");
}
