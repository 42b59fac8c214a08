//! Seeds and the random numbers drawn from them.
//!
//! A seed has any count of children, by a label and a number. The parts of a world draw from
//! children of its seed, so one part changes nothing in the others.
//!
//! The generator is PCG (M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically
//! Good Algorithms for Random Number Generation", 2014), whose sequence is fixed for good. Our own
//! code turns it into ranges and shares: the code of general crates changes between versions, and
//! worlds would change with it.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

/// The origin of all that is random in a world.
///
/// ```
/// use wayfare_generate::Seed;
///
/// let seed = Seed(7);
/// assert_eq!(seed.child("door", 3), Seed(7).child("door", 3));
/// assert_ne!(seed.child("door", 3), seed.child("door", 4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seed(pub u64);

impl Seed {
    /// Returns the seed of a part, by the part's label and number.
    #[must_use]
    pub fn child(self, label: &str, number: u64) -> Self {
        let named = label.bytes().fold(self.0, |seed, byte| mix(seed ^ u64::from(byte)));
        Seed(mix(named ^ mix(number)))
    }

    /// Returns a number for each `place`: noise needs many, in any order.
    pub(crate) fn hashed(self, place: u64) -> u64 {
        mix(self.0 ^ mix(place))
    }

    /// Returns the random numbers drawn from this seed.
    #[must_use]
    pub fn dice(self) -> Dice {
        let half = |number| u128::from(mix(self.0 ^ number));
        Dice(Pcg64Mcg::new(half(1) << 64 | half(2)))
    }
}

/// Returns the finaliser of SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
/// number generators", 2014. A bijection.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Random numbers: the same from the same seed on every machine and in every version.
///
/// ```
/// use wayfare_generate::Seed;
///
/// let mut dice = Seed(7).dice();
/// assert!((1..=6).contains(&dice.between(1, 6)));
/// assert_eq!(Seed(7).dice().below(1000), Seed(7).dice().below(1000));
/// ```
#[derive(Debug, Clone)]
pub struct Dice(Pcg64Mcg);

impl Dice {
    /// Returns a number from 0 up to, not including, `bound`; 0 if `bound` is 0. A number is at
    /// most one in 2³² more likely than another.
    pub fn below(&mut self, bound: u32) -> u32 {
        // Below `bound`, as the product is below `bound` · 2³².
        (((self.0.next_u64() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Returns a number from `low` to `high`, both included; `low` if `low` is above `high`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high.saturating_sub(low).saturating_add(1))
    }

    /// Returns a number from 0 up to, not including, 1, in steps of 2⁻²⁴.
    pub fn share(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// Returns whether something of that probability happens: 0 never, 1 always.
    pub fn happens(&mut self, probability: f32) -> bool {
        self.share() < probability
    }

    /// Returns one of the items; `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u32) as usize)
    }

    /// Brings the items into any order, all equally likely: the shuffle of Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}
