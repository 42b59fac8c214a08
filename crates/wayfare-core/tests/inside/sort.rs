//! Sorting in descending order, against that of the standard library.

use wayfare_core::inside::tested::sort::{by_parts, sort_descending};

#[test]
fn all_orders_of_keys_are_sorted() {
    let mut seed = 1_u64;
    let mut mixed = move |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % most
    };
    for length in (0..70).chain([500, 3000]) {
        for most in [1, 2, 7, 1 << 30] {
            let random: Vec<u64> = (0..length).map(|_| mixed(most)).collect();
            let mut rising = random.clone();
            rising.sort_unstable();
            let organ = |place: u64| place.min(length - place);
            for keys in [random, rising.clone(), (0..length).map(organ).collect()] {
                let expected: Vec<u64> = {
                    let mut keys = keys.clone();
                    keys.sort_unstable();
                    keys.reverse();
                    keys
                };
                for depth in [0, 3, 40] {
                    let mut sorted = keys.clone();
                    by_parts(&mut sorted, depth);
                    assert_eq!(sorted, expected, "{length} keys below {most}");
                }
                let mut sorted = keys;
                sort_descending(&mut sorted);
                assert_eq!(sorted, expected);
            }
        }
    }
}
