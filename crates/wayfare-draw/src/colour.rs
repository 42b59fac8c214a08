//! Colours, and the colour ramps of costs.

/// A colour with 8 bits a channel and straight (not premultiplied) alpha, in sRGB.
///
/// ```
/// use wayfare_draw::Colour;
///
/// let (black, white) = (Colour::hex(0x000000), Colour::hex(0xffffff));
/// assert_eq!(black.mix(white, 0.5), Colour::hex(0x808080));
/// assert!(black.contrast(white) > 20.9);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
    /// Opacity: 0 is invisible, 255 opaque.
    pub alpha: u8,
}

impl Colour {
    /// Fully transparent.
    pub const CLEAR: Self = Self { red: 0, green: 0, blue: 0, alpha: 0 };

    /// Returns an opaque colour from six hexadecimal digits.
    ///
    /// ```
    /// # use wayfare_draw::Colour;
    /// assert_eq!(Colour::hex(0xff_80_00).green, 128);
    /// ```
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        Self { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8, alpha: 255 }
    }

    /// Returns the same colour with another opacity.
    #[must_use]
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { alpha, ..self }
    }

    /// Returns the mix of this colour and `other` by `share`: 0 is this one, 1 the other. Alpha is
    /// mixed too.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let channel =
            |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
        Self {
            red: channel(self.red, other.red),
            green: channel(self.green, other.green),
            blue: channel(self.blue, other.blue),
            alpha: channel(self.alpha, other.alpha),
        }
    }

    /// Returns this colour blended over an opaque `ground`.
    #[must_use]
    pub fn over(self, ground: Self) -> Self {
        ground.mix(self.with_alpha(ground.alpha), f32::from(self.alpha) / 255.0)
    }

    /// Returns the relative luminance (WCAG 2.2), 0 for black to 1 for white, with a square as
    /// gamma curve.
    #[must_use]
    pub fn luminance(self) -> f32 {
        let linear = |channel: u8| {
            let value = f32::from(channel) / 255.0;
            value * value
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// Returns the contrast ratio of two colours, 1 for none to 21 for black on white (WCAG 2.2).
    #[must_use]
    pub fn contrast(self, other: Self) -> f32 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}

/// A ramp of colours from low to high, ordered by luminance, so that it can be read without hue.
///
/// ```
/// use wayfare_draw::Ramp;
///
/// assert!(Ramp::Fire.at(0.0).luminance() > Ramp::Fire.at(1.0).luminance());
/// assert_eq!(Ramp::Ice.at(7.0), Ramp::Ice.at(1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ramp {
    /// Yellow, orange, red: the costs of a search from the start.
    Fire,
    /// Pale green, teal, blue: the costs of a search from the goal.
    Ice,
}

impl Ramp {
    /// The number of colours of a ramp: few enough for a GIF's 256 colours, enough to look smooth.
    pub const STEPS: u8 = 40;

    /// Returns the colour at `value` from 0 to 1; values outside are clamped.
    #[must_use]
    pub fn at(self, value: f32) -> Colour {
        let value = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
        let last = f32::from(Self::STEPS - 1);
        let value = f64::from((value * last).round() / last);
        let colour = match self {
            Self::Fire => colorous::YELLOW_ORANGE_RED.eval_continuous(0.17 + value * 0.69),
            Self::Ice => colorous::YELLOW_GREEN_BLUE.eval_continuous(0.22 + value * 0.50),
        };
        Colour { red: colour.r, green: colour.g, blue: colour.b, alpha: 255 }
    }
}
