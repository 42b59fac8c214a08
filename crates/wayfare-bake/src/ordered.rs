//! The smaller and the larger one of two numbers that are not NaN: one instruction each.

/// Returns the smaller of two numbers that are not NaN.
#[inline(always)]
pub(crate) fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Returns the larger of two numbers that are not NaN.
#[inline(always)]
pub(crate) fn most(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
