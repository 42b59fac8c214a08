//! A filter for states without links, asked for every expanded state.

/// A few bits that rule out links at most states. It never misses a state with a link, and takes at
/// most one in sixteen others for one. Its size does not depend on the space, so it stays in the
/// cache.
#[derive(Clone, Debug)]
pub struct Filter {
    bits: Vec<u64>,
    /// The shift that turns a hash into the number of a bit.
    shift: u32,
}

impl Filter {
    /// Returns a filter over the given states.
    pub fn over(states: impl ExactSizeIterator<Item = u32>) -> Self {
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
    pub fn may_hold(&self, state: u32) -> bool {
        let bit = self.bit(state);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Multiplicative hashing by the golden ratio, which scatters neighbouring states.
    #[inline]
    fn bit(&self, state: u32) -> usize {
        (state.wrapping_mul(0x9E37_79B1) >> self.shift) as usize
    }
}
