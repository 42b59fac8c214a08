//! Costs of groups in 16 bits.

use wayfare_core::space::Cost;
use wayfare_index::inside::tested::groups::Rounded;

#[test]
fn costs_are_rounded_up_by_a_2048th_at_most_and_keep_their_order() {
    let none = Rounded::new(i32::MAX / 2);
    assert_eq!(none.get::<u64>(), u64::INFINITY);
    let small = 0..40_000;
    let powers = (16..30).flat_map(|power| (-70..70).map(move |beside| (1 << power) + beside * 61));
    let mut before = 0;
    for cost in small.chain(powers).chain([i32::MAX / 2 - 1]) {
        let rounded = Rounded::new(cost);
        let (cost, read) = (cost as u64, rounded.get::<u64>());
        assert!((cost..=cost + cost / 2048).contains(&read), "{cost} as {read}");
        assert!(read >= before, "{cost} as {read} after {before}");
        // What is compared by the search is the cost, but for zero.
        assert_eq!(rounded.to_f32().floor() as u64, read);
        assert!(rounded.to_f32() < none.to_f32());
        before = read;
    }
}
