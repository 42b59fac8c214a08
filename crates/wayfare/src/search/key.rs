//! The packed key of the open list.

/// A priority, the cost so far and a state in one integer: lower keys are expanded first.
///
/// From the top: 48 bits of priority (`f` in A*), 48 bits of *inverted* `g`, 32 bits of state. Comparing two keys as integers
/// therefore breaks ties as the contract says: low `f`, then high `g` (nearer the goal), then low state id. A total order,
/// the same everywhere, without a hand-written `Ord`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key(u128);

const MASK_48: u64 = (1 << 48) - 1;

impl Key {
    /// Packs a key. `priority` saturates at 2⁴⁸ − 1; `g` must be at most 2⁴⁷, which [`Cost`](crate::space::Cost) promises.
    #[inline]
    #[must_use]
    pub fn new(priority: u64, g: u64, state: u32) -> Self {
        let inverted = MASK_48 - g;
        Self(
            u128::from(priority.min(MASK_48)) << 80
                | u128::from(inverted) << 32
                | u128::from(state),
        )
    }

    /// The priority.
    #[inline]
    #[must_use]
    pub fn priority(self) -> u64 {
        (self.0 >> 80) as u64
    }

    /// The cost so far.
    #[inline]
    #[must_use]
    pub fn g(self) -> u64 {
        MASK_48 - ((self.0 >> 32) as u64 & MASK_48)
    }

    /// The state's index.
    #[inline]
    #[must_use]
    pub fn state(self) -> u32 {
        self.0 as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn orders_by_low_priority_then_high_g_then_low_state(
            a in (0u64..1 << 48, 0u64..=1 << 47, any::<u32>()),
            b in (0u64..1 << 48, 0u64..=1 << 47, any::<u32>()),
            same_priority: bool,
            same_g: bool,
        ) {
            let b = (if same_priority { a.0 } else { b.0 }, if same_g { a.1 } else { b.1 }, b.2);
            let (ka, kb) = (Key::new(a.0, a.1, a.2), Key::new(b.0, b.1, b.2));
            prop_assert_eq!((ka.priority(), ka.g(), ka.state()), a);
            prop_assert_eq!(ka.cmp(&kb), a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        }
    }
}
