//! Parameters of kinds: ranges with units, limits and defaults, and the values drawn from them.

use std::collections::BTreeMap;

use crate::Dice;

/// Numbers from `low` to `high`, both included.
///
/// ```
/// use wayfare_generate::{Range, Seed};
///
/// let sides = Range::new(20.0, 30.0);
/// assert!(sides.contains(sides.draw(true, &mut Seed(1).dice())));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lowest number.
    pub low: f32,
    /// The highest number, at least `low`.
    pub high: f32,
}

impl Range {
    /// Returns the range from `low` to `high`.
    #[must_use]
    pub const fn new(low: f32, high: f32) -> Self {
        Range { low, high }
    }

    /// Returns a single number.
    #[must_use]
    pub const fn only(value: f32) -> Self {
        Range { low: value, high: value }
    }

    /// Returns whether the number is in the range.
    #[must_use]
    pub fn contains(self, value: f32) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns a number of the range, all equally likely; `whole` for whole ones, both ends
    /// included.
    #[must_use]
    pub fn draw(self, whole: bool, dice: &mut Dice) -> f32 {
        if whole {
            // Limits of whole parameters are small and not negative.
            dice.between(self.low as u32, self.high as u32) as f32
        } else {
            (self.low + (self.high - self.low) * dice.share()).clamp(self.low, self.high)
        }
    }
}

/// A parameter of a kind. Each scenario draws a value of its own from the range that is set, or
/// from the default.
///
/// ```
/// use wayfare_generate::{Parameter, Range};
///
/// const TREES: Parameter = Parameter::share("trees", "share of the ground under trees", 0.0, 0.5)
///     .by_default(0.1, 0.2);
/// assert_eq!(TREES.limits, Range::new(0.0, 0.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// The key in settings.
    pub name: &'static str,
    /// The meaning of the parameter, and the effect of raising it.
    pub about: &'static str,
    /// The unit: "tiles", "blocks", "metres", "of 1", or "" for a plain number.
    pub unit: &'static str,
    /// Whether values are whole numbers.
    pub whole: bool,
    /// The allowed range.
    pub limits: Range,
    /// The range if none is set.
    pub default: Range,
}

impl Parameter {
    /// Returns a parameter in whole `unit`s, from `low` to `high`, which are also its default.
    #[must_use]
    pub const fn whole(
        name: &'static str,
        about: &'static str,
        unit: &'static str,
        low: u32,
        high: u32,
    ) -> Self {
        // Limits are far below 2²⁴, up to which `f32` represents all integers.
        let limits = Range::new(low as f32, high as f32);
        Parameter { name, about, unit, whole: true, limits, default: limits }
    }

    /// Returns a share from `low` to `high`, within 0 to 1, which are also its default.
    #[must_use]
    pub const fn share(name: &'static str, about: &'static str, low: f32, high: f32) -> Self {
        let limits = Range::new(low, high);
        Parameter { name, about, unit: "of 1", whole: false, limits, default: limits }
    }

    /// Returns the same with a default within the limits.
    #[must_use]
    pub const fn by_default(mut self, low: f32, high: f32) -> Self {
        self.default = Range::new(low, high);
        self
    }
}

/// The values of a scenario: one for each parameter of its kind.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings};
///
/// let kinds = Kinds::standard();
/// let settings = Settings::read("[caves]\nwidth = 64\n", &kinds)?;
/// let values = settings.draw(kinds.get("caves")?, Seed(7));
/// assert_eq!(values.whole("width"), 64);
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Values(BTreeMap<&'static str, f32>);

impl Values {
    pub(crate) fn insert(&mut self, name: &'static str, value: f32) {
        self.0.insert(name, value);
    }

    /// Returns the value of a parameter; 0 if the kind has no such parameter.
    #[must_use]
    pub fn get(&self, name: &str) -> f32 {
        self.0.get(name).copied().unwrap_or(0.0)
    }

    /// Returns the value of a whole parameter.
    #[must_use]
    pub fn whole(&self, name: &str) -> u32 {
        // Drawn as an integer that is not negative.
        self.get(name) as u32
    }

    /// Returns all values, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f32)> {
        self.0.iter().map(|(name, value)| (*name, *value))
    }
}
