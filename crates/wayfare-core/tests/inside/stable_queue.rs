//! The stable queue, against a stable sort.

use proptest::prelude::*;
use wayfare_core::expert::{Key, OpenList};
use wayfare_core::inside::tested::stable_queue::StableQueue;

proptest! {
    #[test]
    fn pops_what_a_stable_sort_puts_first(
        operations in prop::collection::vec(prop::option::of((0u64..5, 0u64..5, 0u32..99)), 0..200),
    ) {
        let (mut queue, mut list) = (StableQueue::default(), Vec::new());
        for operation in operations {
            if let Some((priority, g, state)) = operation {
                let key = Key::new(priority, g, state);
                queue.push(key);
                list.push(key);
                list.sort_by_key(|key| key.priority());
            } else {
                let first = (!list.is_empty()).then(|| list.remove(0));
                prop_assert_eq!(queue.pop(), first);
            }
            prop_assert_eq!(queue.len(), list.len());
        }
    }
}
