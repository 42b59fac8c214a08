//! Abilities of a body besides walking.

use crate::BakeError;

/// How far a body leaps, drops and climbs, and which links are worth having.
///
/// Lengths are measured along the path of the body's centre, from one end of a link to the other. A
/// mesh keeps the radius from edges and walls, and a cell from drops: the ends of a leap over a gap
/// of `w` metres are about `w + 2 · radius + 3 · cell size` apart.
///
/// ```
/// use wayfare_bake::JumpAbilities;
///
/// let cat = JumpAbilities { leap: 3.0, drop: 4.0, climb: 1.5, ..JumpAbilities::default() };
/// assert_eq!((cat.spacing, cat.detour), (2.0, 3.0));
/// assert!(!JumpAbilities::default().are_any());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JumpAbilities {
    /// Longest leap in plan in metres, 0 to 1000. Default 0: none. A leap rises by an eighth of its
    /// length above the higher one of its ends, and lands at most a step higher than it starts. It
    /// leads both ways if it lands at most a step lower; else down only, by at most `drop`.
    pub leap: f32,
    /// Greatest height of a drop off a ledge in metres, 0 to 1000. Default 0: none.
    pub drop: f32,
    /// Greatest height of a climb up a ledge in metres, 0 to 1000. Default 0: none.
    pub climb: f32,
    /// Distance between two links of a kind side by side in metres, 0.01 to 1000. Default 2.
    /// Raising it makes fewer links, and paths through them longer.
    pub spacing: f32,
    /// A link is left out where the walk between its ends is at most this many times as long as
    /// the link is in plan and in height together: 0 to 1000. Default 3. Raising it makes fewer
    /// links.
    pub detour: f32,
}

impl Default for JumpAbilities {
    fn default() -> Self {
        Self { leap: 0.0, drop: 0.0, climb: 0.0, spacing: 2.0, detour: 3.0 }
    }
}

impl JumpAbilities {
    /// Returns whether the body can do more than walk.
    #[must_use]
    pub fn are_any(&self) -> bool {
        self.leap > 0.0 || self.drop > 0.0 || self.climb > 0.0
    }

    /// Checks every value.
    ///
    /// # Errors
    /// [`BakeError::Setting`] for the first value outside its range.
    pub fn check(&self) -> Result<(), BakeError> {
        let from_zero = (0.0, "0 to 1000");
        let checks = [
            ("the longest leap", self.leap, from_zero),
            ("the greatest drop", self.drop, from_zero),
            ("the greatest climb", self.climb, from_zero),
            ("the spacing of links", self.spacing, (0.01, "0.01 to 1000 metres")),
            ("the detour", self.detour, from_zero),
        ];
        for (name, value, (least, range)) in checks {
            if !(least..=1000.0).contains(&value) {
                return Err(BakeError::Setting { name, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}
