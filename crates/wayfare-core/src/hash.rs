//! Hashes that stay: the same on every target and in every version, since files and golden values
//! hold them.
//!
//! None of them withstands an adversary. They tell damaged files, foreign maps and diverging runs
//! apart.

use std::fmt::{self, Write};

use glam::Vec3;

/// FNV-1a of 64 bits over bytes. Source: Fowler, Noll and Vo, 1991.
///
/// ```
/// use wayfare::hash::Fnv1a;
///
/// let mut hash = Fnv1a::default();
/// hash.bytes(b"foobar");
/// assert_eq!(hash.value(), 0x8594_4171_f739_67e8);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv1a {
    /// Returns the hash of everything added so far.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }

    /// Adds bytes in order.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds the 8 bytes of a word, the lowest first.
    pub fn word(&mut self, word: u64) {
        self.bytes(&word.to_le_bytes());
    }
}

/// A hash of words in order: each is mixed in with the two multipliers of A. Appleby's finalizer
/// for MurmurHash3. Faster than [`Fnv1a`] by the word; the state of a simulation is hashed with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordHash(pub u64);

impl WordHash {
    #[doc(hidden)]
    pub fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        self.0 = (mixed ^ mixed >> 32).wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(29);
    }

    #[doc(hidden)]
    pub fn float(&mut self, value: f32) {
        self.word(u64::from(value.to_bits()));
    }

    #[doc(hidden)]
    pub fn point(&mut self, point: Vec3) {
        point.to_array().into_iter().for_each(|part| self.float(part));
    }
}

impl WordHash {
    /// Adds a text, without keeping it.
    #[doc(hidden)]
    pub fn text(&mut self, text: fmt::Arguments<'_>) {
        let mut bytes = Fnv1a::default();
        // Nothing fails: the bytes go into the hash.
        let _ = bytes.write_fmt(text);
        self.word(bytes.value());
    }
}

impl fmt::Write for Fnv1a {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

/// A checksum of words in order, for indexes: one multiplication a word.
///
/// Each step is invertible, so two files that differ in one word have different sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordSum(pub u64);

impl Default for WordSum {
    fn default() -> Self {
        Self(0x5741_5946_4152_4531)
    }
}

impl WordSum {
    #[inline]
    #[doc(hidden)]
    pub fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9FB2_1C65_1E98_DF25);
        self.0 = mixed ^ (mixed >> 29);
    }
}
