//! Places as people and programs know them.

use glam::Vec3;
use serde::Serialize;
use wayfare_scene::scene::NamedPlace;

use crate::SiteError;

/// The most names of places that an error lists.
const MOST_KNOWN: usize = 12;

/// Returns the place of a scene with that name. `None` where the text is no name.
///
/// # Errors
/// When the text is a name, and the scene has other ones only.
pub(crate) fn named<'p>(
    places: &'p [NamedPlace],
    text: &str,
) -> Result<Option<&'p NamedPlace>, SiteError> {
    let found = places.iter().find(|place| place.name == text);
    if found.is_some() || !text.contains(char::is_alphabetic) || places.is_empty() {
        return Ok(found);
    }
    let mut known: Vec<&str> =
        places.iter().take(MOST_KNOWN).map(|place| place.name.as_str()).collect();
    if places.len() > MOST_KNOWN {
        known.push("more");
    }
    Err(SiteError::NoNamedPlace { text: text.to_owned(), known: known.join(", ") })
}

/// The state of a place off the map. No space has it, and each says so if asked.
pub const OFF_MAP: u32 = u32::MAX;

/// A place in a world.
///
/// ```
/// use wayfare_site::Place;
///
/// assert_eq!(Place::Cell { x: 3, y: 4 }.to_string(), "3,4");
/// ```
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum Place {
    /// A cell of a tile map.
    Cell {
        /// Column, from 0 at the left.
        x: u32,
        /// Row, from 0 at the top.
        y: u32,
    },
    /// A block of a voxel world.
    Block {
        /// From 0.
        x: u32,
        /// Upwards, from 0.
        y: u32,
        /// From 0.
        z: u32,
    },
    /// A point of a scene.
    Point {
        /// In metres: x, height, z.
        position: [f32; 3],
    },
    /// A waypoint.
    Waypoint {
        /// Its name.
        waypoint: String,
        /// In metres: x, height, z.
        position: [f32; 3],
    },
    /// Off the map.
    OffMap {
        /// In words.
        off_map: String,
    },
}

impl Place {
    pub(crate) fn off_map() -> Self {
        Self::OffMap { off_map: "off the map".to_owned() }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cell { x, y } => write!(f, "{x},{y}"),
            Self::Block { x, y, z } => write!(f, "{x},{y},{z}"),
            Self::Point { position: [x, _, z] } => {
                write!(f, "{},{}", to_millimetre(*x), to_millimetre(*z))
            }
            Self::Waypoint { waypoint, .. } => f.write_str(waypoint),
            Self::OffMap { off_map } => f.write_str(off_map),
        }
    }
}

/// Returns a length to the nearest millimetre.
pub(crate) fn to_millimetre(length: f32) -> f64 {
    // Adding zero turns the negative zero into the positive one.
    (f64::from(length) * 1000.0).round() / 1000.0 + 0.0
}

/// Returns a point as people write it: x,z on the ground, or x,y,z.
pub(crate) fn point(text: &str) -> Option<Vec3> {
    let numbers: Result<Vec<f32>, _> =
        text.split(',').map(|part| part.trim().parse::<f32>()).collect();
    let point = match numbers.ok()?[..] {
        [x, z] => Vec3::new(x, 0.0, z),
        [x, y, z] => Vec3::new(x, y, z),
        _ => return None,
    };
    point.is_finite().then_some(point)
}
