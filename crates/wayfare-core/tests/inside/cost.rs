//! The cost of a diagonal, and sums that saturate.

use wayfare_core::space::{Cost, DIAGONAL, STRAIGHT};

#[test]
fn the_diagonal_orders_as_the_square_root_of_two_up_to_5740() {
    // For every difference of d diagonals, the number of straight steps that balances it is the
    // same under both. Exact: s < d√2 ⟺ s² < 2d².
    for d in 1u64..=5740 {
        let s = (2 * d * d).isqrt();
        assert!(s * u64::from(STRAIGHT) < d * u64::from(DIAGONAL), "{d}");
        assert!((s + 1) * u64::from(STRAIGHT) > d * u64::from(DIAGONAL), "{d}");
    }
}

#[test]
fn sums_saturate_instead_of_wrapping() {
    assert_eq!(u32::INFINITY.plus(u32::INFINITY), u32::INFINITY);
    assert_eq!(u64::INFINITY.plus(u64::INFINITY), u64::INFINITY);
    assert_eq!(u32::from_u64(u64::MAX), u32::INFINITY);
    assert_eq!(3u32.scaled(5, 2), 7);
}
