//! Open lists, against a plain list.

use proptest::prelude::*;
use wayfare_core::expert::{Key, OpenList};
use wayfare_core::inside::Buckets;
use wayfare_core::inside::tested::open::{BucketQueue, PlainList};

proptest! {
    #[test]
    fn the_queue_pops_as_a_plain_list_does(
        operations in prop::collection::vec(prop::option::of((0u64..50, 0u32..40, 0u64..9, 0u32..9)), 0..300),
    ) {
        let (mut queue, mut buckets, mut list) =
            (BucketQueue::default(), Buckets::default(), PlainList::default());
        for operation in operations {
            match operation {
                Some((mantissa, exponent, g, state)) => {
                    let key = Key::new(mantissa << exponent, g, state);
                    queue.push(key);
                    buckets.push(key);
                    list.push(key);
                }
                None => {
                    let key = list.pop();
                    prop_assert_eq!((queue.pop(), buckets.pop()), (key, key));
                }
            }
            prop_assert_eq!((queue.len(), buckets.len()), (list.len(), list.len()));
        }
        while let Some(key) = list.pop() {
            prop_assert_eq!((queue.pop(), buckets.pop()), (Some(key), Some(key)));
        }
        prop_assert_eq!((queue.pop(), buckets.pop()), (None, None));
        prop_assert!(queue.is_empty());
    }
}
