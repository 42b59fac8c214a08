//! The values of hashes.

use glam::Vec3;
use wayfare_core::hash::{Fnv1a, WordHash, WordSum};

/// Saved files hold these values: they must not change.
#[test]
fn values_stay() {
    let mut fnv = Fnv1a::default();
    fnv.word(0x0123_4567_89ab_cdef);
    let mut hash = WordHash(7);
    hash.point(Vec3::new(1.0, -2.0, 0.5));
    let mut sum = WordSum::default();
    sum.word(1);
    sum.word(u64::MAX);
    assert_eq!(
        [fnv.value(), hash.0, sum.0],
        [0x37eb_3f33_4776_1c55, 0x0f68_d637_7a86_33ce, 0x4e1d_197e_5b71_4bfc],
    );
}
