//! Numbers for tests.

/// A stream of numbers, for what need not shrink.
#[derive(Clone, Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % sides.max(1)
    }

    pub(crate) fn share(&mut self) -> f32 {
        self.roll(1000) as f32 / 1000.0
    }
}
