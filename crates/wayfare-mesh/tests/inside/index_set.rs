//! Sets of indices beside a tree.

use std::collections::BTreeSet;

use proptest::prelude::*;
use wayfare_mesh::inside::tested::IndexSet;

/// Indices of few words and of several levels of them; `None` takes the least one.
fn steps() -> impl Strategy<Value = Vec<Option<u32>>> {
    let index = prop_oneof![0..70_u32, 0..5_000_u32, 0..600_000_u32];
    prop::collection::vec(prop_oneof![3 => index.prop_map(Some), 2 => Just(None)], 0..300)
}

proptest! {
    #[test]
    fn the_least_index_is_taken(steps in steps()) {
        let (mut set, mut tree) = (IndexSet::default(), BTreeSet::new());
        for step in steps {
            match step {
                Some(index) => {
                    set.insert(index);
                    tree.insert(index);
                }
                None => prop_assert_eq!(set.take_first(), tree.pop_first()),
            }
            prop_assert_eq!(set.is_empty(), tree.is_empty());
        }
        let left: Vec<u32> = std::iter::from_fn(|| set.take_first()).collect();
        prop_assert_eq!(left, tree.into_iter().collect::<Vec<_>>());
    }
}
