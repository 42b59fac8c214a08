//! Random numbers from a seed.

/// Draws numbers from a seed: the same on every machine.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// Returns a number below `sides`.
    pub(crate) fn roll(&mut self, sides: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % sides
    }
}
