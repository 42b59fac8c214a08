//! Terrains: the name, the cost and the appearance of a kind of ground.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use wayfare_core::space::{Medium, TerrainId};

use crate::error::{WorldError, WorldErrorKind};

/// The largest factor on the length of a step.
const MAX_MULTIPLIER: f32 = 1000.0;

/// The largest penalty, in straight steps.
const MAX_PENALTY: f32 = 100_000.0;

/// A kind of ground.
///
/// The cost of entering a cell is `step × multiplier + penalty`: `multiplier` is relative (1 plain
/// ground, 2 twice as slow, from 0), `penalty` is absolute, in straight steps, and may be negative
/// in a document. The space that is built from it rejects or shifts negative ones.
///
/// ```
/// use wayfare_formats::{Terrain, palette};
///
/// let grass = Terrain::new("grass", '.', palette::GRASS);
/// let mud = Terrain { multiplier: 2.5, ..Terrain::new("mud", 'm', [90, 70, 40]) };
/// assert!(grass.is_plain() && !mud.is_plain() && mud.walkable);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(deny_unknown_fields))]
pub struct Terrain {
    /// Unique in its table, not empty.
    pub name: String,
    /// The character for it in text maps and terminals.
    #[cfg_attr(feature = "serde", serde(default = "default_glyph"))]
    pub glyph: char,
    /// Red, green, blue. In files, `"#rrggbb"`.
    #[cfg_attr(feature = "serde", serde(default = "default_color", with = "hex_color"))]
    pub color: [u8; 3],
    /// Factor on the length of a step, 0 to 1000; default 1.
    #[cfg_attr(
        feature = "serde",
        serde(default = "default_multiplier", skip_serializing_if = "is_plain_multiplier")
    )]
    pub multiplier: f32,
    /// Added on entering, in straight steps, −100,000 to 100,000; default 0.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub penalty: f32,
    /// Whether the default walker may enter; a profile may think otherwise. Default true.
    #[cfg_attr(
        feature = "serde",
        serde(default = "default_walkable", skip_serializing_if = "is_walkable")
    )]
    pub walkable: bool,
    /// The medium to move through here, as movement is only within one medium; default ground. A
    /// Moving AI map puts trees and water in media of their own, so that a unit that starts in the
    /// water stays in the water.
    #[cfg_attr(
        feature = "serde",
        serde(default, with = "medium_number", skip_serializing_if = "is_default")
    )]
    pub medium: Medium,
}

impl Terrain {
    /// Returns whether a step onto it costs no more and no less than its length, for any walker.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.walkable && is_plain_multiplier(&self.multiplier) && self.penalty == 0.0
    }

    /// Returns plain ground of that name: multiplier 1, no penalty, walkable.
    pub fn new(name: impl Into<String>, glyph: char, color: [u8; 3]) -> Self {
        Terrain {
            name: name.into(),
            glyph,
            color,
            multiplier: default_multiplier(),
            penalty: 0.0,
            walkable: true,
            medium: Medium::GROUND,
        }
    }

    /// Returns the same with a factor on the length of a step.
    #[must_use]
    pub fn with_multiplier(mut self, multiplier: f32) -> Self {
        self.multiplier = multiplier;
        self
    }

    /// Returns the same with a cost, in straight steps, added on entering.
    #[must_use]
    pub fn with_penalty(mut self, penalty: f32) -> Self {
        self.penalty = penalty;
        self
    }

    /// Returns the same, closed to the default walker.
    #[must_use]
    pub fn blocked(mut self) -> Self {
        self.walkable = false;
        self
    }

    /// Returns the same in a medium of its own.
    #[must_use]
    pub fn in_medium(mut self, medium: Medium) -> Self {
        self.medium = medium;
        self
    }

    /// Returns the fault of the values, if any: the field, and a sentence.
    #[doc(hidden)]
    #[must_use]
    pub fn problem(&self) -> Option<(&'static str, String)> {
        if self.name.is_empty() {
            Some(("name", "a terrain needs a name".into()))
        } else if !(0.0..=MAX_MULTIPLIER).contains(&self.multiplier) {
            Some((
                "multiplier",
                format!(
                    "the multiplier of terrain '{}' is {}, but must be a finite number from 0 to \
                     {MAX_MULTIPLIER}",
                    self.name, self.multiplier
                ),
            ))
        } else if !(-MAX_PENALTY..=MAX_PENALTY).contains(&self.penalty) {
            Some((
                "penalty",
                format!(
                    "the penalty of terrain '{}' is {}, but must be a finite number within \
                     ±{MAX_PENALTY}",
                    self.name, self.penalty
                ),
            ))
        } else {
            None
        }
    }
}

/// Returns the id of the terrain at that index in its table; the highest means blocked.
#[must_use]
pub fn terrain_id(place: usize) -> Option<TerrainId> {
    let id = TerrainId(u8::try_from(place).ok()?);
    (id != TerrainId::BLOCKED).then_some(id)
}

/// Checks the values and that names differ.
///
/// # Errors
/// With the index and field at fault.
pub fn check_table(terrains: &[Terrain]) -> Result<(), (usize, &'static str, WorldError)> {
    let most = usize::from(TerrainId::BLOCKED.0);
    if terrains.len() > most {
        let error = WorldError::new(
            WorldErrorKind::Limit,
            format!("there are {} terrains, but at most {most} fit", terrains.len()),
        );
        return Err((most, "name", error));
    }
    let mut names = std::collections::BTreeSet::new();
    for (index, terrain) in terrains.iter().enumerate() {
        if let Some((field, message)) = terrain.problem() {
            return Err((index, field, WorldError::new(WorldErrorKind::Value, message)));
        }
        if !names.insert(terrain.name.as_str()) {
            let error = WorldError::new(
                WorldErrorKind::Duplicate,
                format!("there are two terrains named '{}'", terrain.name),
            );
            return Err((index, "name", error.advise("rename one of them")));
        }
    }
    Ok(())
}

/// Reads `#rrggbb`.
pub(crate) fn parse_color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

/// Writes `#rrggbb`.
pub(crate) fn show_color([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(feature = "serde")]
fn default_glyph() -> char {
    '.'
}

#[cfg(feature = "serde")]
fn default_color() -> [u8; 3] {
    crate::palette::GROUND
}

fn default_multiplier() -> f32 {
    1.0
}

#[cfg(feature = "serde")]
fn default_walkable() -> bool {
    true
}

#[cfg(feature = "serde")]
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn is_plain_multiplier(multiplier: &f32) -> bool {
    *multiplier == default_multiplier()
}

#[cfg(feature = "serde")]
fn is_walkable(walkable: &bool) -> bool {
    *walkable
}

#[cfg(feature = "serde")]
mod medium_number {
    use serde::{Deserialize, Deserializer, Serializer};
    use wayfare_core::space::Medium;

    pub(super) fn serialize<S: Serializer>(medium: &Medium, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(medium.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Medium, D::Error> {
        u8::deserialize(from).map(Medium)
    }
}

#[cfg(feature = "serde")]
mod hex_color {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(color: &[u8; 3], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::show_color(*color))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<[u8; 3], D::Error> {
        let text = String::deserialize(from)?;
        super::parse_color(&text).ok_or_else(|| {
            D::Error::custom(format!("'{text}' is not a colour, write it as \"#rrggbb\""))
        })
    }
}
