//! The terrain declarations of tiles, and the table of terrains made of them.

use std::collections::BTreeMap;

use wayfare_core::space::{Medium, TerrainId};

use crate::error::{WorldError, WorldErrorKind};
use crate::terrain::{Terrain, parse_color, terrain_id};
use crate::tiled::guess;
use crate::tiled::guess::Guesses;
use crate::{conventions, palette};

/// The terrain declarations of a tile, before any default.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct TileKind {
    pub(super) name: Option<String>,
    pub(super) multiplier: Option<f32>,
    pub(super) penalty: Option<f32>,
    pub(super) walkable: Option<bool>,
    pub(super) medium: Option<u8>,
    pub(super) glyph: Option<char>,
    pub(super) color: Option<[u8; 3]>,
    /// The declaration by a property in common use, if `walkable` is not given.
    pub(super) declared: Option<bool>,
    /// Whether the tile has a collision shape.
    pub(super) has_shape: bool,
}

impl TileKind {
    /// Returns a tile of a class, which names its terrain unless a property does; empty means none.
    pub(super) fn of_class(class: &str) -> Self {
        let name = Some(class.to_string()).filter(|class| !class.is_empty());
        TileKind { name, ..TileKind::default() }
    }

    pub(super) fn says_something(&self) -> bool {
        *self != TileKind::default()
    }

    /// Returns whether it says something about the terrain, and not only whether the tile blocks.
    pub(super) fn is_terrain(&self) -> bool {
        *self
            != TileKind {
                declared: self.declared,
                has_shape: self.has_shape,
                ..TileKind::default()
            }
    }

    /// Takes a custom property; others than ours are ignored.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), WorldError> {
        let bad = |what: &str| {
            let value: String = value.chars().take(40).collect();
            WorldError::new(
                WorldErrorKind::Value,
                format!("the tile property '{key}' is '{value}', which is not {what}"),
            )
        };
        let number = || match value.parse::<f32>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(bad("a finite number")),
        };
        match key {
            "terrain" if value.is_empty() => return Err(bad("a name")),
            "terrain" => self.name = Some(value.to_string()),
            "multiplier" => self.multiplier = Some(number()?),
            "penalty" | "cost" => {
                let twice = self.penalty.replace(number()?).is_some();
                if twice {
                    return Err(WorldError::new(
                        WorldErrorKind::Duplicate,
                        "a tile has both 'penalty' and 'cost', which mean the same",
                    ));
                }
            }
            "walkable" => self.walkable = Some(value.parse().map_err(|_| bad("true or false"))?),
            "medium" => self.medium = Some(value.parse().map_err(|_| bad("from 0 to 255"))?),
            "glyph" => {
                let mut glyphs = value.chars();
                match (glyphs.next(), glyphs.next()) {
                    (Some(glyph), None) => self.glyph = Some(glyph),
                    _ => return Err(bad("one character")),
                }
            }
            "color" => {
                // Tiled writes its own colours as #aarrggbb.
                let opaque = value
                    .strip_prefix('#')
                    .filter(|digits| digits.len() == 8)
                    .and_then(|digits| digits.get(2..))
                    .map(|digits| format!("#{digits}"));
                let color = parse_color(opaque.as_deref().unwrap_or(value));
                self.color = Some(color.ok_or_else(|| bad("a colour such as #5b84ae"))?);
            }
            _ => self.declared = guess::declared(key, value).or(self.declared),
        }
        Ok(())
    }

    /// Adds another tile's declarations; fails with the key in which they differ.
    pub(super) fn merge(&mut self, other: &TileKind) -> Result<(), &'static str> {
        fn join<T: PartialEq + Clone>(to: &mut Option<T>, from: &Option<T>) -> bool {
            if to.is_none() {
                to.clone_from(from);
            }
            from.is_none() || to == from
        }
        self.name.clone_from(&other.name);
        let joined = [
            ("multiplier", join(&mut self.multiplier, &other.multiplier)),
            ("penalty", join(&mut self.penalty, &other.penalty)),
            ("walkable", join(&mut self.walkable, &other.walkable)),
            ("medium", join(&mut self.medium, &other.medium)),
            ("glyph", join(&mut self.glyph, &other.glyph)),
            ("color", join(&mut self.color, &other.color)),
        ];
        joined.iter().find(|(_, same)| !same).map_or(Ok(()), |(key, _)| Err(key))
    }
}

/// Terrains that block by their names.
pub(super) fn guess_terrains(kinds: &mut BTreeMap<(usize, u32), TileKind>, guesses: &mut Guesses) {
    for kind in kinds.values_mut() {
        let Some(name) = kind.name.as_deref().filter(|name| conventions::is_wall(name)) else {
            continue;
        };
        if !guesses.terrains.iter().any(|known| known == name) {
            guesses.terrains.push(name.to_owned());
        }
        kind.walkable = Some(false);
    }
}

/// The terrain table as it grows.
#[derive(Default)]
pub(super) struct Terrains {
    pub(super) list: Vec<Terrain>,
    ids: BTreeMap<String, TerrainId>,
    plain: Option<TerrainId>,
    empty: Option<TerrainId>,
    blocked: Option<TerrainId>,
}

impl Terrains {
    pub(super) fn id(&mut self, kind: &TileKind, local: u32) -> Result<TerrainId, WorldError> {
        let name = kind.name.clone().unwrap_or_else(|| format!("tile {local}"));
        if let Some(id) = self.ids.get(&name) {
            return Ok(*id);
        }
        let mut terrain = Terrain::new(
            name.clone(),
            kind.glyph.unwrap_or('.'),
            kind.color.unwrap_or(palette::GROUND),
        );
        terrain.multiplier = kind.multiplier.unwrap_or(1.0);
        terrain.penalty = kind.penalty.unwrap_or(0.0);
        terrain.walkable = kind.walkable.unwrap_or(true);
        terrain.medium = Medium(kind.medium.unwrap_or(0));
        let id = self.push(terrain)?;
        self.ids.insert(name, id);
        Ok(id)
    }

    /// Returns ground without declarations.
    pub(super) fn plain(&mut self) -> Result<TerrainId, WorldError> {
        let made = Terrain::new("plain", '.', palette::GROUND);
        self.special(self.plain, made).inspect(|id| self.plain = Some(*id))
    }

    /// Returns the terrain of a cell without a tile.
    pub(super) fn empty(&mut self) -> Result<TerrainId, WorldError> {
        let made = Terrain::new("empty", ' ', palette::BLOCKED).blocked();
        self.special(self.empty, made).inspect(|id| self.empty = Some(*id))
    }

    /// Returns the terrain of a cell that a layer, a shape or an object blocks.
    pub(super) fn blocked(&mut self) -> Result<TerrainId, WorldError> {
        let made = Terrain::new("blocked", '#', palette::BLOCKED).blocked();
        self.special(self.blocked, made).inspect(|id| self.blocked = Some(*id))
    }

    /// Returns a terrain that the file does not name, under a name that is free.
    pub(super) fn special(
        &mut self,
        known: Option<TerrainId>,
        mut made: Terrain,
    ) -> Result<TerrainId, WorldError> {
        if let Some(id) = known {
            return Ok(id);
        }
        while self.list.iter().any(|known| known.name == made.name) {
            made.name.push('_');
        }
        self.push(made)
    }

    fn push(&mut self, terrain: Terrain) -> Result<TerrainId, WorldError> {
        let id = terrain_id(self.list.len()).ok_or_else(|| {
            WorldError::new(WorldErrorKind::Limit, "the map uses more than 255 terrains")
                .advise("give tiles that are alike the same 'terrain' property")
        })?;
        self.list.push(terrain);
        Ok(id)
    }
}
