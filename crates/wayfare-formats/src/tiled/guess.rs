//! Guesses of blocked cells in a map without declarations: by common conventions, reported in
//! sentences.
//!
//! Of maps made with Tiled, few declare walkable ground in a form that all programs read. Most have
//! a layer called *Walls* or *Collision*, tiles with collision shapes, or a layer of objects over
//! solid ground. A map in which any tile or layer declares it is taken at its word instead: see
//! [`DECLARATIONS`].

/// Properties of tiles and layers that declare whether one can walk there, and the value that means
/// yes. Our own is the first one; the others are in common use.
pub(super) const DECLARATIONS: [(&str, bool); 9] = [
    ("walkable", true),
    ("passable", true),
    ("collides", false),
    ("collidable", false),
    ("collision", false),
    ("solid", false),
    ("blocked", false),
    ("impassable", false),
    ("obstacle", false),
];

/// Returns a property's declaration about walking; `None` for other properties and other values.
pub fn declared(key: &str, value: &str) -> Option<bool> {
    let (_, yes) = DECLARATIONS.iter().find(|(known, _)| key.eq_ignore_ascii_case(known))?;
    let value: bool = value.parse().ok()?;
    Some(value == *yes)
}

/// The guesses that were made.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    /// Names of layers that block, of tiles and of objects.
    pub(super) layers: Vec<String>,
    /// Count of cells with a tile that has a collision shape.
    pub(super) shaped: usize,
    /// Names of terrains that block.
    pub(super) terrains: Vec<String>,
    /// Whether cells without a tile are open, since all layers block.
    pub(super) open_where_empty: bool,
    /// Whether there was nothing to go by.
    pub(super) nothing: bool,
}

/// The most names in a remark.
const MOST_NAMES: usize = 5;

impl Guesses {
    /// Returns the guesses in sentences; none where nothing was guessed.
    pub(super) fn remarks(&self) -> Vec<String> {
        let list = |names: &[String]| {
            let shown: Vec<_> =
                names.iter().take(MOST_NAMES).map(|name| format!("'{name}'")).collect();
            let more = if names.len() > MOST_NAMES { ", …" } else { "" };
            format!("{}{more}", shown.join(", "))
        };
        let mut guesses = Vec::new();
        if !self.layers.is_empty() {
            guesses.push(format!("the layers {} block, by their names", list(&self.layers)));
        }
        if self.shaped > 0 {
            let places = self.shaped;
            guesses.push(format!("tiles with collision shapes block ({places} places)"));
        }
        if !self.terrains.is_empty() {
            guesses.push(format!("the terrains {} block, by their names", list(&self.terrains)));
        }
        if self.open_where_empty {
            guesses.push("places without a tile are open".to_string());
        }
        if self.nothing {
            return vec![
                "every place with a tile is open, since the map does not say where one can walk; \
                 its kinds of tiles are terrains, to be shut one by one; in the map, tiles or \
                 layers say it by the property 'walkable' (true or false)"
                    .to_string(),
            ];
        }
        match guesses.is_empty() {
            true => Vec::new(),
            false => vec![format!(
                "the map does not say where one can walk, so this is a guess: {}; to say otherwise, \
                 give tiles or layers the property 'walkable' (true or false)",
                guesses.join("; ")
            )],
        }
    }
}
