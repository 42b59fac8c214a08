//! The sorted map, against a tree.

use std::collections::BTreeMap;

use wayfare_sim::inside::tested::sorted_map::SortedMap;

#[test]
fn it_is_the_map_that_a_tree_is() {
    let (mut list, mut tree, mut draw) = (SortedMap::default(), BTreeMap::new(), 1u32);
    for _ in 0..2_000 {
        draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (key, value) = (draw >> 16 & 31, draw >> 8 & 255);
        if draw >> 28 < 8 {
            list.insert(key, value);
            tree.insert(key, value);
        } else {
            assert_eq!(list.remove(&key), tree.remove(&key));
        }
        assert_eq!(list.get(&value), tree.get(&value));
        assert_eq!(list.get_mut(&key), tree.get_mut(&key));
        assert!(list.iter().eq(tree.iter()));
    }
}
