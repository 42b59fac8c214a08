//! The lengths of moves and the estimates that go with them.

use wayfare_voxel::inside::tested::cost::{ground_length, volume_length};
use wayfare_voxel::{VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT};

/// Decides `a + b√2 + c√3 > 0` exactly, for coefficients up to 1,000.
fn is_positive(a: i128, b: i128, c: i128) -> bool {
    // The product with the three conjugates is an integer other than 0, so the sum is at least
    // 1 / 5,000³. Roots to 2⁻⁵⁰ are far closer.
    let unit = 1i128 << 50;
    let root = |n: u128| (n << 100).isqrt() as i128;
    a * unit + b * root(2) + c * root(3) > 0
}

#[test]
fn sums_order_as_lengths_do_up_to_34_diagonals_and_no_further() {
    let sum = |a: i128, b: i128, c: i128| {
        a * i128::from(VOXEL_STRAIGHT)
            + b * i128::from(VOXEL_DIAGONAL)
            + c * i128::from(VOXEL_SPACE_DIAGONAL)
    };
    let agree = |b: i128, c: i128| {
        let balance = -(b * 5811 + c * 7117) / 4109;
        (balance - 3..=balance + 3).all(|a| {
            (a, b, c) == (0, 0, 0)
                || (sum(a, b, c) > 0) == is_positive(a, b, c) && sum(a, b, c) != 0
        })
    };
    for b in -34..=34 {
        for c in -34..=34 {
            assert!(agree(b, c), "{b} {c}");
        }
    }
    assert!(!agree(35, -28));
}

#[test]
fn no_smaller_triple_is_as_exact() {
    let error = |n: u64, straight: u64| {
        let exact = ((u128::from(n) * u128::from(straight) * u128::from(straight)) << 60).isqrt();
        let rounded = (exact + (1 << 29)) >> 30;
        (rounded << 30).abs_diff(exact)
    };
    let worst = |straight: u64| error(2, straight).max(error(3, straight));
    let ours = worst(u64::from(VOXEL_STRAIGHT));
    assert!(
        (100..16_000).filter(|&straight| straight != 4109).all(|straight| worst(straight) > ours)
    );
}

#[test]
fn both_lengths_obey_the_triangle_inequality_over_every_move() {
    let moves = (0..27).map(|code| [code % 3, code / 3 % 3, code / 9].map(|part: i32| part - 1));
    for step in moves {
        for code in 0..512 {
            let from = [code % 8, code / 8 % 8, code / 64];
            let to = [0, 1, 2].map(|axis| from[axis] + step[axis]);
            let (a, b) = (from.map(i32::unsigned_abs), to.map(i32::unsigned_abs));
            let (volume, ground) = (step.map(i32::unsigned_abs), step.map(i32::unsigned_abs));
            assert!(volume_length(a) <= volume_length(volume) + volume_length(b));
            assert!(ground_length(a) <= ground_length(ground) + ground_length(b));
            assert!(volume_length(a) <= ground_length(a));
        }
    }
}
