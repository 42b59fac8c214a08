//! The bit map, bit by bit.

use proptest::prelude::*;
use wayfare_voxel::VoxelSize;
use wayfare_voxel::inside::tested::bits::{BitMap, Columns, LEVEL};
use wayfare_voxel::inside::tested::layout::{At, Layout};

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_view_shows_the_bits_that_were_set(
        size in (1u32..40, 1u32..40, 1u32..40),
        flips in prop::collection::vec((0u32..40, 0u32..40, 0u32..40, any::<bool>()), 1..200),
        full: bool,
    ) {
        let size = VoxelSize { width: size.0, height: size.1, depth: size.2 };
        let layout = Layout::new(size).unwrap();
        let bound = |side: u32| side as i32;
        let mut plain = vec![full; layout.bound()];
        let columns: Vec<Columns> = (0..layout.chunks()).map(|chunk| {
            let corner = layout.corner(chunk);
            let column = |at: usize| (0..16).fold(0u16, |bits, y| {
                let at = [corner[0] + (at % 16) as i32, corner[1] + y, corner[2] + (at / 16) as i32];
                bits | u16::from(full && layout.contains(at)) << y
            });
            Columns::Mixed(Box::new(std::array::from_fn(column)))
        }).collect();
        let mut map = BitMap::new(&layout, &columns);
        let mut replaced = BitMap::clear(&layout);
        for chunk in layout.chunks_on_map() {
            replaced.replace(&layout, chunk, &columns[chunk]);
        }
        for (x, y, z, bit) in flips {
            let at = [x as i32 % bound(size.width), y as i32 % bound(size.height), z as i32 % bound(size.depth)];
            map.set(&layout, at, bit);
            replaced.set(&layout, at, bit);
            plain[layout.voxel(at).0 as usize] = bit;
        }
        let expected = |at: At| layout.contains(at) && plain[layout.voxel(at).0 as usize];
        for z in 0..bound(size.depth) {
            for x in 0..bound(size.width) {
                for y in 0..bound(size.height) {
                    let at = [x, y, z];
                    prop_assert_eq!(map.get(&layout, at), expected(at));
                    prop_assert_eq!(replaced.get(&layout, at), expected(at));
                    let count = (7 * x + 3 * y + z).rem_euclid(45);
                    let row = (0..=count).map(|step| expected([x - 2 + step, y, z]));
                    let bits = map.bits_in_row(&layout, [x - 2, y, z], count as u32 + 1);
                    let all = map.all_in_box(&layout, [x - 2, y, z], [x - 2 + count, y, z]);
                    prop_assert_eq!(all, row.clone().all(|bit| bit));
                    for (step, bit) in row.enumerate() {
                        prop_assert_eq!(bits >> step & 1 == 1, bit);
                    }
                    let far = [x + count % 3, y + count % 8, z + count % 2];
                    let mut inside = (at[2]..=far[2]).flat_map(|z| {
                        (at[1]..=far[1]).flat_map(move |y| (at[0]..=far[0]).map(move |x| [x, y, z]))
                    });
                    prop_assert_eq!(map.all_in_box(&layout, at, far), inside.all(expected));
                    if !expected(at) {
                        continue;
                    }
                    let near = map.near(layout.voxel(at));
                    let cube = near.cube();
                    prop_assert_eq!(replaced.near(layout.voxel(at)).cube(), cube);
                    for (dx, dz) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz))) {
                        for dy in -8..=8 {
                            let bit = near.column(dx, dz) >> (LEVEL as i32 + dy) & 1 == 1;
                            prop_assert_eq!(bit, expected([x + dx, y + dy, z + dz]));
                            if dy.abs() <= 1 {
                                prop_assert_eq!(cube >> (9 * (dz + 1) + 3 * (dx + 1) + dy + 1) & 1 == 1, bit);
                            }
                        }
                    }
                }
            }
        }
    }
}
