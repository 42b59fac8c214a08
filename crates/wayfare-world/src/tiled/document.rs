//! What both Tiled formats say, and the tile map it makes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use wayfare::space::{Medium, TerrainId};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_TILED_TILES;
use crate::palette;
use crate::terrain::{Terrain, parse_color, terrain_id};
use crate::tile_map::TileMap;

/// A Tiled map, before its tiles are terrain.
#[derive(Debug, Default)]
pub(super) struct TiledDocument {
    pub(super) size: (u32, u32),
    pub(super) infinite: bool,
    pub(super) tilesets: Vec<Tileset>,
    /// From the bottom up.
    pub(super) layers: Vec<Vec<Chunk>>,
    /// Tiles in all chunks so far.
    given: usize,
}

#[derive(Debug, Default)]
pub(super) struct Tileset {
    pub(super) first_gid: u32,
    /// Tiles that say something about their terrain.
    pub(super) tiles: BTreeMap<u32, TileKind>,
}

/// What a tile says about its terrain; nothing is a default yet.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct TileKind {
    name: Option<String>,
    multiplier: Option<f32>,
    penalty: Option<f32>,
    walkable: Option<bool>,
    medium: Option<u8>,
    glyph: Option<char>,
    color: Option<[u8; 3]>,
}

/// A rectangle of global tile ids; the whole layer if the map is finite.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) gids: Vec<u32>,
}

/// First column and row of the tiles, and how many there are.
struct Bounds {
    left: i64,
    top: i64,
    width: u32,
    height: u32,
}

/// The upper bits of a global tile id say how the tile is flipped.
const FLIPS: u32 = 0xF000_0000;

impl TiledDocument {
    /// How many tiles so large a layer or chunk has, if it may be read at all.
    pub(super) fn checked_area(&self, width: u32, height: u32) -> Result<usize, WorldError> {
        let area = u64::from(width) * u64::from(height);
        if area > MAX_TILED_TILES.saturating_sub(self.given) as u64 {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "a layer of {width} × {height} tiles: all layers together may have at most \
                     {MAX_TILED_TILES}"
                ),
            ));
        }
        Ok(area as usize)
    }

    /// A document of that size without anything in it.
    pub(super) fn new(size: (u32, u32), infinite: bool) -> Self {
        TiledDocument { size, infinite, ..TiledDocument::default() }
    }

    /// Adds tiles to the topmost layer.
    pub(super) fn push(&mut self, chunk: Chunk) {
        self.given += chunk.gids.len();
        if let Some(layer) = self.layers.last_mut() {
            layer.push(chunk);
        }
    }

    /// The document as a tile map.
    pub(super) fn into_map(mut self, name: &str) -> Result<TileMap, WorldError> {
        let Bounds { left, top, width, height } = self.bounds()?;
        let mut terrains = Terrains::default();
        self.tilesets.sort_by_key(|tileset| tileset.first_gid);
        let kinds = self.merged_kinds()?;
        // Neighbours are mostly alike: remember the last number.
        let mut last: Option<(u32, u16)> = None;
        // 0 is "nothing yet", so that lower layers show through.
        let mut tiles: Vec<u16> = vec![0; width as usize * height as usize];
        for chunk in self.layers.iter().rev().flatten() {
            for (index, gid) in chunk.gids.iter().map(|gid| gid & !FLIPS).enumerate() {
                if gid == 0 {
                    continue;
                }
                let (dx, dy) = (index % chunk.width as usize, index / chunk.width as usize);
                let x = (i64::from(chunk.x) - left) as usize + dx;
                let y = (i64::from(chunk.y) - top) as usize + dy;
                let tile = &mut tiles[y * width as usize + x];
                if *tile > PLAIN {
                    continue;
                }
                *tile = match last {
                    Some((same, kind)) if same == gid => kind,
                    _ => {
                        let Some((set, local)) = self.resolve(gid) else {
                            return Err(no_tileset(gid, x, y));
                        };
                        match kinds.get(&(set, local)) {
                            Some(kind) => FIRST + u16::from(terrains.id(kind, local)?.0),
                            None => PLAIN,
                        }
                    }
                };
                last = Some((gid, *tile));
            }
        }
        let mut plain = None;
        let mut empty = None;
        let mut ids = Vec::with_capacity(tiles.len());
        for tile in tiles {
            ids.push(match tile {
                0 => terrains.special(&mut empty, || {
                    Terrain::new("empty", ' ', palette::BLOCKED).blocked()
                })?,
                PLAIN => {
                    terrains.special(&mut plain, || Terrain::new("plain", '.', palette::GROUND))?
                }
                // Below 255 by construction.
                kind => TerrainId((kind - FIRST) as u8),
            });
        }
        TileMap::new(name, width, height, terrains.list, ids)
    }

    fn bounds(&self) -> Result<Bounds, WorldError> {
        if !self.infinite {
            let (width, height) = self.size;
            // A layer with all its tiles is what backs the size that the map claims.
            if self.layers.iter().flatten().all(|layer| layer.gids.is_empty()) {
                return Err(no_tiles());
            }
            return Ok(Bounds { left: 0, top: 0, width, height });
        }
        let mut chunks = self.layers.iter().flatten().filter(|chunk| !chunk.gids.is_empty());
        let span = |chunk: &Chunk| {
            let (x, y) = (i64::from(chunk.x), i64::from(chunk.y));
            (x, y, x + i64::from(chunk.width), y + i64::from(chunk.height))
        };
        let Some(first) = chunks.next().map(span) else {
            return Err(no_tiles());
        };
        let mut given = 0;
        let (left, top, right, bottom) = self
            .layers
            .iter()
            .flatten()
            .filter(|chunk| !chunk.gids.is_empty())
            .inspect(|chunk| given += chunk.gids.len() as u64)
            .map(span)
            .fold(first, |a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)));
        let (width, height) = ((right - left) as u64, (bottom - top) as u64);
        // Two chunks in far corners must not make a huge empty map.
        if width.saturating_mul(height) > given * 16 + 65536 {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "the chunks lie scattered over {width} × {height} tiles, though only {given} \
                     are given"
                ),
            )
            .advise("remove the chunks that lie far off"));
        }
        // Small enough, as the product is.
        Ok(Bounds { left, top, width: width as u32, height: height as u32 })
    }

    fn resolve(&self, gid: u32) -> Option<(usize, u32)> {
        let after = self.tilesets.partition_point(|tileset| tileset.first_gid <= gid);
        let set = after.checked_sub(1)?;
        Some((set, gid - self.tilesets[set].first_gid))
    }

    /// What each tile says, with what other tiles say about the terrain of the same name.
    fn merged_kinds(&self) -> Result<BTreeMap<(usize, u32), TileKind>, WorldError> {
        let mut named: BTreeMap<&str, TileKind> = BTreeMap::new();
        for kind in self.tilesets.iter().flat_map(|tileset| tileset.tiles.values()) {
            if let Some(name) = &kind.name {
                named.entry(name).or_default().merge(kind).map_err(|key| {
                    WorldError::new(
                        WorldErrorKind::Duplicate,
                        format!("two tiles of the terrain '{name}' differ in '{key}'"),
                    )
                    .advise("make them alike, or rename one terrain")
                })?;
            }
        }
        let all = self.tilesets.iter().enumerate().flat_map(|(set, tileset)| {
            tileset.tiles.iter().map(move |(local, kind)| ((set, *local), kind))
        });
        Ok(all
            .map(|(key, kind)| {
                let merged = kind.name.as_deref().and_then(|name| named.get(name));
                (key, merged.unwrap_or(kind).clone())
            })
            .collect())
    }
}

fn no_tileset(gid: u32, x: usize, y: usize) -> WorldError {
    WorldError::new(
        WorldErrorKind::Dangling,
        format!("the tile at {x},{y} has the number {gid}, which is of no tileset"),
    )
    .advise("tile numbers start at the lowest firstgid of the tilesets")
}

fn no_tiles() -> WorldError {
    WorldError::new(WorldErrorKind::Dimensions, "the map has no tiles")
        .advise("paint at least one tile layer")
}

const PLAIN: u16 = 1;
const FIRST: u16 = 2;

impl TileKind {
    /// A tile of a class, which names its terrain unless a property does; empty means none.
    pub(super) fn of_class(class: &str) -> Self {
        let name = Some(class.to_string()).filter(|class| !class.is_empty());
        TileKind { name, ..TileKind::default() }
    }

    pub(super) fn says_something(&self) -> bool {
        *self != TileKind::default()
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
            _ => {}
        }
        Ok(())
    }

    /// Adds what the other says; fails with the key in which they differ.
    fn merge(&mut self, other: &TileKind) -> Result<(), &'static str> {
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

/// The terrain table as it grows.
#[derive(Default)]
struct Terrains {
    list: Vec<Terrain>,
    ids: BTreeMap<String, TerrainId>,
}

impl Terrains {
    fn id(&mut self, kind: &TileKind, local: u32) -> Result<TerrainId, WorldError> {
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

    /// A terrain that the file does not name, under a name that is free.
    fn special(
        &mut self,
        id: &mut Option<TerrainId>,
        make: impl FnOnce() -> Terrain,
    ) -> Result<TerrainId, WorldError> {
        if let Some(id) = id {
            return Ok(*id);
        }
        let mut terrain = make();
        while self.list.iter().any(|known| known.name == terrain.name) {
            terrain.name.push('_');
        }
        Ok(*id.insert(self.push(terrain)?))
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

/// The file that a map names, which must be relative.
pub(super) fn tileset_path(folder: &Path, source: &str) -> Result<PathBuf, WorldError> {
    let path = Path::new(source);
    if path.is_absolute() || path.has_root() || source.contains([':', '\\']) {
        return Err(WorldError::new(
            WorldErrorKind::Value,
            format!("the tileset '{source}' is not named relative to the map"),
        )
        .advise("put it in a folder near the map, and save the map again"));
    }
    Ok(folder.join(path))
}

/// Whether a tileset file is JSON; otherwise it is XML.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("tsj") || extension.eq_ignore_ascii_case("json")
    })
}
