//! A filter for states without links, asked for every expanded state.

/// A few bits that rule out links at most states. It never misses a state with a link, and takes at
/// most one in sixteen others for one. Its size does not depend on the space, so it stays in the
/// cache.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    bits: Vec<u64>,
    /// The shift that turns a hash into the number of a bit.
    shift: u32,
}

impl Filter {
    /// Returns a filter over the given states.
    pub(super) fn over(states: impl ExactSizeIterator<Item = u32>) -> Self {
        let bits = (states.len() * 16).next_power_of_two().max(512);
        let mut filter = Self { bits: vec![0; bits / 64], shift: 32 - bits.trailing_zeros() };
        for state in states {
            let bit = filter.bit(state);
            filter.bits[bit / 64] |= 1 << (bit % 64);
        }
        filter
    }

    /// Returns whether the state may have links.
    #[inline]
    pub(super) fn may_hold(&self, state: u32) -> bool {
        let bit = self.bit(state);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Multiplicative hashing by the golden ratio, which scatters neighbouring states.
    #[inline]
    fn bit(&self, state: u32) -> usize {
        (state.wrapping_mul(0x9E37_79B1) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_state_with_a_link_is_missed_and_few_others_are_suspected() {
        for count in [0, 1, 40, 3000] {
            let states: Vec<u32> = (0..count).map(|n| n * n * 7 + 13).collect();
            let filter = Filter::over(states.iter().copied());
            assert!(states.iter().all(|&state| filter.may_hold(state)));
            let suspects = (0..100_000).filter(|&state| filter.may_hold(state)).count();
            assert!(suspects <= 100_000 / 14, "{suspects} of 100000 with {count} links");
        }
    }
}
