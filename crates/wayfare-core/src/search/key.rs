//! The packed key of the open list.

use std::cmp::Ordering;

/// A priority, a cost `g` and a state in 128 bits. Lower keys are expanded first.
///
/// From the top: 48 bits of priority (`f` in A*), 48 bits of *inverted* `g`, 32 bits of state.
/// Comparing keys as integers breaks ties by low `f`, then high `g` (nearer to the goal), then low
/// state id: a total order, the same on every target.
///
/// The key is stored as two halves, each read and written whole. Reading a `g` that lies across
/// both halves of one 128-bit integer stalls until both are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The priority, and the upper 16 bits of the inverted `g`.
    upper: u64,
    /// The lower 32 bits of the inverted `g`, and the state.
    lower: u64,
}

const MASK_48: u64 = (1 << 48) - 1;

impl Key {
    /// Beyond the keys of all states.
    pub(crate) const LAST: Self = Self { upper: u64::MAX, lower: u64::MAX };

    /// Packs a key. `priority` saturates at 2⁴⁸ − 1. `g` is at most 2⁴⁷, as
    /// [`Cost`](crate::space::Cost) promises.
    #[inline]
    #[must_use]
    pub fn new(priority: u64, g: u64, state: u32) -> Self {
        let inverted = MASK_48 - g;
        Self {
            upper: priority.min(MASK_48) << 16 | inverted >> 32,
            lower: inverted << 32 | u64::from(state),
        }
    }

    /// Returns the priority.
    #[inline]
    #[must_use]
    pub fn priority(self) -> u64 {
        self.upper >> 16
    }

    /// Returns the cost from the start.
    #[inline]
    #[must_use]
    pub fn g(self) -> u64 {
        MASK_48 - ((self.upper & 0xFFFF) << 32 | self.lower >> 32)
    }

    /// Returns the state's index.
    #[inline]
    #[must_use]
    pub fn state(self) -> u32 {
        self.lower as u32
    }

    /// Returns both halves as one number, for comparison without a branch.
    #[inline]
    fn whole(self) -> u128 {
        u128::from(self.upper) << 64 | u128::from(self.lower)
    }
}

impl Ord for Key {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.whole().cmp(&other.whole())
    }
}

impl PartialOrd for Key {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline]
    fn lt(&self, other: &Self) -> bool {
        self.whole() < other.whole()
    }

    #[inline]
    fn le(&self, other: &Self) -> bool {
        self.whole() <= other.whole()
    }
}
