//! The common content of both Tiled formats, and the tile map made of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use wayfare_core::space::TerrainId;

use crate::conventions;
use crate::error::{WorldError, WorldErrorKind};
use crate::hexagon_map::HexagonMap;
use crate::limits::MAX_TILED_TILES;
use crate::open::World;
use crate::palette;
use crate::terrain::Terrain;
use crate::tile_map::{Marks, TileMap, TilePosition};
use crate::tiled::furnish::Furniture;
use crate::tiled::guess::Guesses;
use crate::tiled::kind::{Terrains, TileKind, guess_terrains};
use crate::tiled::object::{Extent, ObjectLayer};
use crate::tiled::orientation::{Orientation, TurnedTiles};

/// A Tiled map, before its tiles are terrain.
#[derive(Debug, Default)]
pub(super) struct TiledDocument {
    pub(super) size: (u32, u32),
    pub(super) infinite: bool,
    pub(super) orientation: Orientation,
    /// Width and height of a tile in pixels.
    pub(super) tile_pixels: [u32; 2],
    pub(super) tilesets: Vec<Tileset>,
    /// From the bottom up.
    pub(super) layers: Vec<TileLayer>,
    pub(super) objects: Vec<ObjectLayer>,
    /// Tiles in all chunks so far.
    given: usize,
}

/// A layer of tiles.
#[derive(Debug, Default)]
pub(super) struct TileLayer {
    pub(super) name: String,
    /// The layer's declaration.
    pub(super) walkable: Option<bool>,
    pub(super) chunks: Vec<Chunk>,
}

#[derive(Debug, Default)]
pub(super) struct Tileset {
    pub(super) first_gid: u32,
    /// Tiles that say something about their terrain.
    pub(super) tiles: BTreeMap<u32, TileKind>,
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
    /// Returns how many tiles so large a layer or chunk has, if it may be read at all.
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

    /// Returns a document of that size without anything in it.
    pub(super) fn new(size: (u32, u32), infinite: bool) -> Self {
        TiledDocument { size, infinite, ..TiledDocument::default() }
    }

    /// Adds tiles to the topmost layer.
    pub(super) fn push(&mut self, chunk: Chunk) {
        self.given += chunk.gids.len();
        if let Some(layer) = self.layers.last_mut() {
            layer.chunks.push(chunk);
        }
    }

    /// Returns the document as a tile map.
    pub(super) fn into_map(self, name: &str) -> Result<TileMap, WorldError> {
        if let Orientation::Hexagonal(_) = self.orientation {
            let message = "the map is of hexagons, which a tile map does not have";
            return Err(WorldError::new(WorldErrorKind::NotRepresentable, message)
                .advise("read it with read_path, as a scene of waypoints"));
        }
        self.build(name).map(|(map, _)| map)
    }

    /// Returns the document as a world: a tile map, or a map of hexagons.
    pub(super) fn into_world(self, name: &str) -> Result<World, WorldError> {
        let orientation = self.orientation;
        let (map, origin) = self.build(name)?;
        match orientation {
            Orientation::Hexagonal(stagger) => {
                Ok(World::Hexagons(HexagonMap::new(map, stagger.rows, stagger.moves_first(origin))))
            }
            _ => Ok(World::TileMap(map)),
        }
    }

    /// Returns the tile map, and the column and row at which it begins.
    fn build(mut self, name: &str) -> Result<(TileMap, [i64; 2]), WorldError> {
        let bounds = self.bounds()?;
        self.tilesets.sort_by_key(|tileset| tileset.first_gid);
        let mut kinds = self.merged_kinds()?;
        let declares = self.declares();
        let mut guesses = Guesses::default();
        if !declares {
            guess_terrains(&mut kinds, &mut guesses);
        }
        let mut ground = self.lay_tiles(&bounds, &kinds, declares, &mut guesses)?;
        self.lay_objects(&bounds, declares, &mut ground.blocked, &mut guesses)?;
        let has_costs = |kind: &TileKind| {
            kind.multiplier.is_some() || kind.penalty.is_some() || kind.medium.is_some()
        };
        guesses.nothing =
            !declares && guesses.remarks().is_empty() && !kinds.values().any(has_costs);
        if guesses.nothing {
            self.tell_tiles_apart(&bounds, &mut ground)?;
        }
        let marks = self.marks(&bounds);
        let (mut width, mut height) = (bounds.width, bounds.height);
        let (mut tiles, mut terrains) = ground.finish()?;
        if let Orientation::Staggered(stagger) = self.orientation {
            let outside = terrains.empty()?;
            let turned = stagger.turned(&tiles, width, [bounds.left, bounds.top], outside)?;
            TurnedTiles { width, height, tiles } = turned;
        }
        let map = TileMap::new(name, width, height, terrains.list, tiles)?.with_marks(marks)?;
        let mut remarks = guesses.remarks();
        let map = match self.extent(&bounds) {
            None => map,
            Some(extent) => {
                let furniture = self.furniture(&extent, declares, &map);
                remarks.extend(furniture.remarks);
                map.with_places(furniture.places, furniture.links)
            }
        };
        Ok((map.with_remarks(remarks), [bounds.left, bounds.top]))
    }

    /// Returns whether a tile or a layer says where one can walk.
    fn declares(&self) -> bool {
        let kinds = self.tilesets.iter().flat_map(|tileset| tileset.tiles.values());
        let mut declared = kinds.map(|kind| kind.walkable.or(kind.declared));
        declared.any(|it| it.is_some())
            || self.layers.iter().any(|layer| layer.walkable.is_some())
            || self.objects.iter().any(|layer| layer.walkable.is_some())
    }

    /// Returns the terrain of each cell, and the cells that a layer or a tile blocks.
    fn lay_tiles(
        &self,
        bounds: &Bounds,
        kinds: &BTreeMap<(usize, u32), TileKind>,
        declares: bool,
        guesses: &mut Guesses,
    ) -> Result<Ground, WorldError> {
        let Bounds { left, top, width, height } = *bounds;
        let area = width as usize * height as usize;
        let mut ground = Ground {
            tiles: vec![NOTHING; area],
            blocked: vec![false; area],
            terrains: Terrains::default(),
            open_where_empty: false,
        };
        // Neighbours are mostly alike: remember the last id.
        let mut last: Option<Seen<'_>> = None;
        // Whether all tiles lie in layers that block.
        let mut only_walls = true;
        for layer in self.layers.iter().rev() {
            let is_wall =
                layer.walkable.map_or(!declares && conventions::is_wall(&layer.name), |it| !it);
            let mut has_tiles = false;
            for chunk in &layer.chunks {
                for (index, gid) in chunk.gids.iter().map(|gid| gid & !FLIPS).enumerate() {
                    if gid == 0 {
                        continue;
                    }
                    has_tiles = true;
                    let (dx, dy) = (index % chunk.width as usize, index / chunk.width as usize);
                    let x = (i64::from(chunk.x) - left) as usize + dx;
                    let y = (i64::from(chunk.y) - top) as usize + dy;
                    let place = y * width as usize + x;
                    let mut seen = match last {
                        Some(seen) if seen.gid == gid => seen,
                        _ => {
                            let Some(key) = self.resolve(gid) else {
                                return Err(no_tileset(gid, x, y));
                            };
                            Seen { gid, local: key.1, kind: kinds.get(&key), tile: NOTHING }
                        }
                    };
                    if let Some(kind) = seen.kind {
                        let guessed = !declares && kind.has_shape;
                        ground.blocked[place] |= kind.declared == Some(false) || guessed;
                        guesses.shaped += usize::from(guessed);
                    }
                    ground.blocked[place] |= is_wall;
                    if ground.tiles[place] <= PLAIN {
                        if seen.tile == NOTHING {
                            seen.tile = match seen.kind {
                                Some(kind) if kind.is_terrain() => {
                                    FIRST + u16::from(ground.terrains.id(kind, seen.local)?.0)
                                }
                                _ => PLAIN,
                            };
                        }
                        ground.tiles[place] = seen.tile;
                    }
                    last = Some(seen);
                }
            }
            only_walls &= is_wall || !has_tiles;
            if is_wall && has_tiles && layer.walkable.is_none() {
                guesses.layers.push(layer.name.clone());
            }
        }
        ground.open_where_empty = only_walls;
        guesses.open_where_empty = only_walls && !declares;
        Ok(ground)
    }

    /// Makes each kind of plain tile a terrain of its own where it is the topmost one, so that
    /// those that block can be told; each layer where there are too many kinds.
    fn tell_tiles_apart(&self, bounds: &Bounds, ground: &mut Ground) -> Result<(), WorldError> {
        // Kinds of tiles by number, from 1, and the topmost one of each cell.
        let mut numbers: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        let mut topmost = vec![0; ground.tiles.len()];
        for (layer, TileLayer { chunks, .. }) in self.layers.iter().enumerate() {
            for chunk in chunks {
                for (index, gid) in chunk.gids.iter().map(|gid| gid & !FLIPS).enumerate() {
                    if gid == 0 {
                        continue;
                    }
                    let (dx, dy) = (index % chunk.width as usize, index / chunk.width as usize);
                    let x = (i64::from(chunk.x) - bounds.left) as usize + dx;
                    let y = (i64::from(chunk.y) - bounds.top) as usize + dy;
                    let next = numbers.len() as u32 + 1;
                    topmost[y * bounds.width as usize + x] =
                        *numbers.entry((layer, gid)).or_insert(next);
                }
            }
        }
        let plain = topmost.iter().zip(&ground.tiles).filter(|(_, tile)| **tile == PLAIN);
        let seen: BTreeSet<u32> = plain.map(|(number, _)| *number).collect();
        numbers.retain(|_, number| seen.contains(number));
        let layers: BTreeSet<usize> = numbers.keys().map(|(layer, _)| *layer).collect();
        let room = MOST_TOLD.saturating_sub(ground.terrains.list.len());
        let by_kind = (2..=room).contains(&numbers.len());
        if !by_kind && !(2..=room).contains(&layers.len()) {
            return Ok(());
        }
        // By number, the terrain of a kind of tile or of its layer.
        let mut tiles: BTreeMap<u32, u16> = BTreeMap::new();
        let mut of_layers: BTreeMap<usize, u16> = BTreeMap::new();
        for ((layer, gid), number) in numbers {
            let known = of_layers.get(&layer).filter(|_| !by_kind);
            let tile = match known {
                Some(tile) => *tile,
                None => {
                    let name = self.name_of_tile(layer, by_kind.then_some(gid));
                    let made = Terrain::new(name, '.', palette::distinct(tiles.len()));
                    FIRST + u16::from(ground.terrains.special(None, made)?.0)
                }
            };
            of_layers.insert(layer, tile);
            tiles.insert(number, tile);
        }
        for (tile, top) in ground.tiles.iter_mut().zip(topmost).filter(|(tile, _)| **tile == PLAIN)
        {
            *tile = tiles.get(&top).copied().unwrap_or(PLAIN);
        }
        Ok(())
    }

    /// Returns the name of a layer, or of a tile in it.
    fn name_of_tile(&self, layer: usize, gid: Option<u32>) -> String {
        let name = match self.layers[layer].name.trim() {
            "" => format!("layer {}", layer + 1),
            name => name.to_owned(),
        };
        match gid.and_then(|gid| self.resolve(gid)) {
            None => name,
            Some((0, local)) => format!("{name}, tile {local}"),
            Some((set, local)) => format!("{name}, tile {local} of set {}", set + 1),
        }
    }

    /// Returns the tiles as objects see them. `None` if objects lie in the pixels of a picture and
    /// its tiles are in no rectangle.
    fn extent(&self, bounds: &Bounds) -> Option<Extent> {
        let Bounds { left, top, width, height } = *bounds;
        let [wide, high] = self.tile_pixels.map(f64::from);
        let tile = match self.orientation {
            Orientation::Orthogonal => [wide, high],
            // Both axes are measured by the height of a tile.
            Orientation::Isometric => [high, high],
            Orientation::Staggered(_) | Orientation::Hexagonal(_) => return None,
        };
        (tile[0] > 0.0 && tile[1] > 0.0).then_some(Extent { left, top, width, height, tile })
    }

    /// Blocks the cells under objects that block.
    fn lay_objects(
        &self,
        bounds: &Bounds,
        declares: bool,
        blocked: &mut [bool],
        guesses: &mut Guesses,
    ) -> Result<(), WorldError> {
        let Some(extent) = self.extent(bounds) else { return Ok(()) };
        let mut tests = 0;
        for layer in &self.objects {
            let all = self.layer_blocks(layer, declares);
            let mut any = false;
            for object in &layer.objects {
                if all || !declares && conventions::is_wall(&object.class) {
                    any = true;
                    object.cover(&extent, &mut tests, |x, y| {
                        blocked[y as usize * extent.width as usize + x as usize] = true;
                    })?;
                }
            }
            if any && layer.walkable.is_none() {
                guesses.layers.push(layer.name.clone());
            }
        }
        Ok(())
    }

    /// Returns the places and links of objects that do not block.
    fn furniture(&self, extent: &Extent, declares: bool, map: &TileMap) -> Furniture {
        let blocks = |layer: &ObjectLayer| self.layer_blocks(layer, declares);
        let objects = self.objects.iter().filter(|layer| !blocks(layer));
        let objects = objects.flat_map(|layer| &layer.objects);
        let is_open =
            |at: TilePosition| map.terrain_at(at.x, at.y).is_some_and(|terrain| terrain.walkable);
        Furniture::of(
            objects.filter(|object| declares || !conventions::is_wall(&object.class)),
            extent,
            is_open,
        )
    }

    /// Returns whether all objects of a layer block.
    fn layer_blocks(&self, layer: &ObjectLayer, declares: bool) -> bool {
        layer.walkable.map_or(!declares && conventions::is_wall(&layer.name), |it| !it)
    }

    /// Returns the first objects that are named or classed as a start and as a goal.
    fn marks(&self, bounds: &Bounds) -> Marks {
        let Some(extent) = self.extent(bounds) else { return Marks::default() };
        let first = |is_meant: fn(&str) -> bool| {
            let mut objects = self.objects.iter().flat_map(|layer| &layer.objects);
            let object = objects.find(|it| is_meant(&it.name) || is_meant(&it.class))?;
            extent.tile_at(object.middle())
        };
        Marks { start: first(conventions::is_start), goal: first(conventions::is_goal) }
    }

    fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.layers.iter().flat_map(|layer| &layer.chunks)
    }

    fn bounds(&self) -> Result<Bounds, WorldError> {
        if !self.infinite {
            let (width, height) = self.size;
            // A layer with all its tiles backs the size that the map claims.
            if self.chunks().all(|chunk| chunk.gids.is_empty()) {
                return Err(no_tiles());
            }
            return Ok(Bounds { left: 0, top: 0, width, height });
        }
        let mut chunks = self.chunks().filter(|chunk| !chunk.gids.is_empty());
        let span = |chunk: &Chunk| {
            let (x, y) = (i64::from(chunk.x), i64::from(chunk.y));
            (x, y, x + i64::from(chunk.width), y + i64::from(chunk.height))
        };
        let Some(first) = chunks.next().map(span) else {
            return Err(no_tiles());
        };
        let mut given = 0;
        let (left, top, right, bottom) = self
            .chunks()
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

    /// Returns the declarations of each tile, completed by other tiles of the terrain of the same
    /// name.
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

/// The most terrains of a map whose tiles say nothing.
const MOST_TOLD: usize = 200;
/// No tile yet, so that lower layers show through.
const NOTHING: u16 = 0;
/// A tile that says nothing about its terrain.
const PLAIN: u16 = 1;
/// The first terrain of the table.
const FIRST: u16 = 2;

/// An id of a tile that was looked up.
#[derive(Clone, Copy)]
struct Seen<'k> {
    gid: u32,
    local: u32,
    kind: Option<&'k TileKind>,
    /// Its terrain; [`NOTHING`] while it has not been asked for.
    tile: u16,
}

/// Terrain by cell, in the making.
struct Ground {
    tiles: Vec<u16>,
    blocked: Vec<bool>,
    terrains: Terrains,
    open_where_empty: bool,
}

impl Ground {
    /// Returns the terrains of all cells. A blocked cell keeps its terrain if that is not walkable
    /// anyway.
    fn finish(self) -> Result<(Vec<TerrainId>, Terrains), WorldError> {
        let Self { tiles, blocked, mut terrains, open_where_empty } = self;
        let mut ids = Vec::with_capacity(tiles.len());
        for (tile, blocked) in tiles.into_iter().zip(blocked) {
            // Below 255 by construction.
            let known = tile.checked_sub(FIRST).map(|place| TerrainId(place as u8));
            let is_closed = |id: TerrainId| !terrains.list[usize::from(id.0)].walkable;
            ids.push(match known {
                Some(id) if !blocked || is_closed(id) => id,
                _ if blocked => terrains.blocked()?,
                None if tile == PLAIN || open_where_empty => terrains.plain()?,
                _ => terrains.empty()?,
            });
        }
        Ok((ids, terrains))
    }
}

/// Returns whether a tileset file is JSON; otherwise it is XML.
pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        extension.eq_ignore_ascii_case("tsj") || extension.eq_ignore_ascii_case("json")
    })
}
