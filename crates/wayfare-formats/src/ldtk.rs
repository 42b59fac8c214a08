//! LDtk projects (`.ldtk`): the IntGrid layers of a world's levels, as a tile map.
//!
//! Each value of an IntGrid is a terrain, named after its identifier. Where the topmost IntGrid has
//! no value, the next one below counts, and a cell without any is open ground. Levels lie where
//! they do in the world; between them all is closed. Of a world in a line only the first level is
//! read. Levels in files of their own are read too.
//!
//! The format has no field for values that block, so these are guessed by names. A value blocks if
//! its identifier is named after walls (`wall`, `Solid`, `obstacles`); in a layer named after walls
//! (`Collisions`), also every value without an identifier. If no value and no layer has such a
//! name, all values without an identifier block. [`TileMap::remarks`] reports the guess.
//!
//! The first entities named `start` (or `spawn`, `player`, `entry`) and `goal` (or `end`, `exit`,
//! `finish`, `target`, `destination`) are the map's route. Tile layers, other entities and
//! fields are ignored. Source: <https://ldtk.io/json/>, versions 0.8 to 1.5.

use std::collections::BTreeMap;

use serde::Deserialize;
use wayfare_core::space::TerrainId;

use crate::conventions::{is_goal, is_start, is_wall};
use crate::error::{WorldError, WorldErrorKind};
use crate::file::{Folder, path_beside, read_capped};
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_TILED_TILES};
use crate::palette;
use crate::terrain::{Terrain, parse_color, terrain_id};
use crate::text::utf8;
use crate::tile_map::{Marks, TileMap, TilePosition};

#[derive(Deserialize)]
struct Project {
    #[serde(rename = "worldLayout")]
    layout: Option<String>,
    #[serde(default)]
    levels: Vec<Level>,
    /// Several worlds in a project, instead of the two keys before.
    #[serde(default)]
    worlds: Vec<LdtkWorld>,
    #[serde(default)]
    defs: Definitions,
}

#[derive(Deserialize)]
struct LdtkWorld {
    #[serde(rename = "worldLayout")]
    layout: Option<String>,
    #[serde(default)]
    levels: Vec<Level>,
}

#[derive(Deserialize, Default)]
struct Definitions {
    #[serde(default)]
    layers: Vec<LayerDefinition>,
}

#[derive(Deserialize)]
struct LayerDefinition {
    uid: i64,
    #[serde(default, rename = "intGridValues")]
    values: Vec<Value>,
}

#[derive(Deserialize)]
struct Value {
    value: u32,
    identifier: Option<String>,
    #[serde(default)]
    color: String,
}

#[derive(Deserialize)]
struct Level {
    #[serde(default)]
    identifier: String,
    #[serde(default, rename = "worldX")]
    x: i64,
    #[serde(default, rename = "worldY")]
    y: i64,
    /// `None` where the level is in a file of its own. The topmost comes first.
    #[serde(rename = "layerInstances")]
    layers: Option<Vec<Layer>>,
    #[serde(rename = "externalRelPath")]
    file: Option<String>,
}

#[derive(Deserialize)]
struct Layer {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__type")]
    kind: String,
    #[serde(rename = "__cWid")]
    width: u32,
    #[serde(rename = "__cHei")]
    height: u32,
    #[serde(rename = "__gridSize")]
    cell: u32,
    #[serde(rename = "layerDefUid")]
    definition: i64,
    #[serde(default, rename = "intGridCsv")]
    values: Vec<u32>,
    #[serde(default, rename = "entityInstances")]
    entities: Vec<Entity>,
}

#[derive(Deserialize)]
struct Entity {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__grid")]
    at: [i64; 2],
}

impl Layer {
    fn is_of_values(&self) -> bool {
        self.kind == "IntGrid"
    }
}

/// Reads a project; `name` becomes the map's name. Levels in files of their own are looked for
/// beside it.
///
/// # Errors
/// With line and column if the JSON is malformed; otherwise if there is no IntGrid layer, the
/// layers are of different cell sizes or lack values, there are more than 255 terrains or
/// [`MAX_TILED_TILES`], or a level is missing.
pub(crate) fn read_in(bytes: &[u8], name: &str, folder: Folder<'_>) -> Result<TileMap, WorldError> {
    let Project { layout, levels, worlds, defs } = parse(bytes)?;
    let first_world = worlds.into_iter().next();
    let (layout, mut levels) =
        first_world.map_or((layout, levels), |world| (world.layout, world.levels));
    let mut remarks = Vec::new();
    if layout.is_some_and(|layout| layout.starts_with("Linear")) && levels.len() > 1 {
        remarks.push(format!(
            "of {} levels in a line only the first one, '{}', was read",
            levels.len(),
            levels[0].identifier
        ));
        levels.truncate(1);
    }
    for level in &mut levels {
        if let (None, Some(file)) = (&level.layers, &level.file) {
            let path = path_beside(folder.path, "level", file)?;
            let bytes = read_capped(folder.files, &path, MAX_DOCUMENT_BYTES)?;
            let found: Level = parse(&bytes).map_err(|error| error.in_file(&path))?;
            level.layers = found.layers;
        }
    }
    let plan = Plan::of(&levels)?;
    let mut table = Table::of(&defs, &levels);
    let mut tiles = vec![None; plan.width as usize * plan.height as usize];
    let mut marks = Marks::default();
    let mut blocked = vec![false; tiles.len()];
    for level in &levels {
        let [left, top] = plan.corner(level);
        let place = |x: u32, y: u32| {
            // Within the plan, which spans all layers.
            (top + i64::from(y)) as usize * plan.width as usize + (left + i64::from(x)) as usize
        };
        for layer in level.layers.iter().flatten() {
            for (number, value) in layer.values.iter().enumerate() {
                if !layer.is_of_values() {
                    break;
                }
                let (x, y) = (number as u32 % layer.width, number as u32 / layer.width);
                let (place, ground) = (place(x, y), (layer.definition, *value));
                blocked[place] |= table.blocks.contains_key(&ground) && *value != 0;
                let tile: &mut Option<TerrainId> = &mut tiles[place];
                if tile.is_none_or(|tile| tile == Table::OPEN) {
                    *tile = Some(table.id(ground)?);
                }
            }
            for entity in &layer.entities {
                let at = [left.saturating_add(entity.at[0]), top.saturating_add(entity.at[1])];
                let inside = at[0] < i64::from(plan.width) && at[1] < i64::from(plan.height);
                let [Ok(x), Ok(y)] = at.map(u32::try_from) else { continue };
                let here = inside.then_some(TilePosition { x, y });
                if is_start(&entity.name) {
                    marks.start = marks.start.or(here);
                } else if is_goal(&entity.name) {
                    marks.goal = marks.goal.or(here);
                }
            }
        }
    }
    let mut ids = Vec::with_capacity(tiles.len());
    for (tile, blocked) in tiles.into_iter().zip(blocked) {
        ids.push(match tile {
            None => table.outside()?,
            // A wall in a layer below ground is a wall.
            Some(id) if blocked && table.terrains[usize::from(id.0)].walkable => table.wall()?,
            Some(id) => id,
        });
    }
    remarks.extend(table.remark());
    let map = TileMap::new(name, plan.width, plan.height, table.terrains, ids)?;
    Ok(map.with_marks(marks)?.with_remarks(remarks))
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, WorldError> {
    serde_json::from_str(utf8(bytes)?).map_err(|error| {
        let text = error.to_string();
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        WorldError::new(WorldErrorKind::Syntax, message).at_column(error.line(), error.column())
    })
}

/// The rectangle around all levels, in cells.
struct Plan {
    left: i64,
    top: i64,
    width: u32,
    height: u32,
    cell: i64,
}

impl Plan {
    fn of(levels: &[Level]) -> Result<Self, WorldError> {
        let layers = || {
            levels.iter().flat_map(|level| {
                level
                    .layers
                    .iter()
                    .flatten()
                    .filter(|it| it.is_of_values())
                    .map(move |it| (level, it))
            })
        };
        let Some(cell) = layers().map(|(_, layer)| layer.cell).find(|cell| *cell > 0) else {
            let message = "the project has no IntGrid layer, which would say what blocks";
            return Err(WorldError::new(WorldErrorKind::Dimensions, message)
                .advise("add one, and paint its values"));
        };
        let in_layer = |layer: &Layer, kind, message: String| {
            WorldError::new(kind, format!("layer '{}': {message}", layer.name))
        };
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        let mut given = 0u64;
        for (level, layer) in layers() {
            if layer.cell != cell {
                let message = format!("its cells are {} pixels wide, others {cell}", layer.cell);
                return Err(in_layer(layer, WorldErrorKind::Value, message)
                    .advise("give all IntGrid layers one grid size"));
            }
            let area = u64::from(layer.width) * u64::from(layer.height);
            if area != layer.values.len() as u64 {
                let count = layer.values.len();
                let message = format!("there are {count} values where its size asks for {area}");
                return Err(in_layer(layer, WorldErrorKind::Dimensions, message));
            }
            given += area;
            let corner = [level.x, level.y].map(|at| at.div_euclid(i64::from(cell)));
            let sides = [layer.width, layer.height].map(i64::from);
            low = [0, 1].map(|axis| low[axis].min(corner[axis]));
            high = [0, 1].map(|axis| high[axis].max(corner[axis].saturating_add(sides[axis])));
        }
        let sides = [0, 1].map(|axis| high[axis].saturating_sub(low[axis]));
        let area = sides[0].saturating_mul(sides[1]);
        // Two levels in far corners must not make a huge empty map.
        if area > MAX_TILED_TILES as i64 || area as u64 > given * 16 + 65536 {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "the levels lie over {} × {} cells, though only {given} are given",
                    sides[0], sides[1]
                ),
            )
            .advise("move the levels together, or split the world"));
        }
        // Small enough, as the product is.
        let [width, height] = sides.map(|side| side as u32);
        Ok(Self { left: low[0], top: low[1], width, height, cell: i64::from(cell) })
    }

    /// Returns the first column and row of a level.
    fn corner(&self, level: &Level) -> [i64; 2] {
        let at = [level.x, level.y].map(|at| at.div_euclid(self.cell));
        [at[0].saturating_sub(self.left), at[1].saturating_sub(self.top)]
    }
}

/// A layer definition and a value in it.
type Ground = (i64, u32);

/// The terrain table as it grows.
struct Table {
    terrains: Vec<Terrain>,
    ids: BTreeMap<Ground, TerrainId>,
    names: BTreeMap<Ground, (String, [u8; 3])>,
    /// The grounds that block, by a guess.
    blocks: BTreeMap<Ground, ()>,
    outside: Option<TerrainId>,
    wall: Option<TerrainId>,
}

impl Table {
    const OPEN: TerrainId = TerrainId(0);

    fn of(defs: &Definitions, levels: &[Level]) -> Self {
        let layers = || levels.iter().flat_map(|level| level.layers.iter().flatten());
        let layer_names: BTreeMap<i64, &str> =
            layers().map(|layer| (layer.definition, layer.name.as_str())).collect();
        let named = |layer: i64| layer_names.get(&layer).copied().unwrap_or_default();
        let mut names = BTreeMap::new();
        let mut blocks = BTreeMap::new();
        let values =
            || defs.layers.iter().flat_map(|layer| layer.values.iter().map(|it| (layer.uid, it)));
        let identifier =
            |value: &Value| value.identifier.clone().filter(|name| !name.trim().is_empty());
        let nothing_is_named = values().all(|(layer, value)| {
            !is_wall(named(layer)) && !identifier(value).is_some_and(|name| is_wall(&name))
        });
        for (layer, value) in values() {
            let ground = (layer, value.value);
            let blocking = match identifier(value) {
                Some(name) => is_wall(&name),
                None => nothing_is_named || is_wall(named(layer)),
            };
            if blocking {
                blocks.insert(ground, ());
            }
            let name =
                identifier(value).unwrap_or_else(|| format!("{} {}", named(layer), value.value));
            let color = parse_color(&value.color).unwrap_or(palette::GROUND);
            names.insert(ground, (name, color));
        }
        let terrains = vec![Terrain::new("open", '.', palette::GROUND)];
        Self { terrains, ids: BTreeMap::new(), names, blocks, outside: None, wall: None }
    }

    fn id(&mut self, ground: Ground) -> Result<TerrainId, WorldError> {
        if ground.1 == 0 {
            return Ok(Self::OPEN);
        }
        if let Some(id) = self.ids.get(&ground) {
            return Ok(*id);
        }
        let unnamed = || (format!("value {}", ground.1), palette::GROUND);
        let (name, color) = self.names.get(&ground).cloned().unwrap_or_else(unnamed);
        let made = match self.blocks.contains_key(&ground) {
            true => Terrain::new(name, '#', color).blocked(),
            false => Terrain::new(name, ',', color),
        };
        let id = self.push(made)?;
        self.ids.insert(ground, id);
        Ok(id)
    }

    /// Returns the terrain between the levels.
    fn outside(&mut self) -> Result<TerrainId, WorldError> {
        let made = Terrain::new("outside", ' ', palette::BLOCKED).blocked();
        let id = self.outside.map_or_else(|| self.push(made), Ok)?;
        Ok(*self.outside.insert(id))
    }

    /// Returns ground with a wall in a layer below.
    fn wall(&mut self) -> Result<TerrainId, WorldError> {
        let made = Terrain::new("blocked", '#', palette::BLOCKED).blocked();
        let id = self.wall.map_or_else(|| self.push(made), Ok)?;
        Ok(*self.wall.insert(id))
    }

    /// Adds a terrain, under a name that is free.
    fn push(&mut self, mut made: Terrain) -> Result<TerrainId, WorldError> {
        while self.terrains.iter().any(|known| known.name == made.name) {
            made.name.push('_');
        }
        let id = terrain_id(self.terrains.len()).ok_or_else(|| {
            WorldError::new(WorldErrorKind::Limit, "the world uses more than 255 terrains")
        })?;
        self.terrains.push(made);
        Ok(id)
    }

    fn remark(&self) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for ground in self.blocks.keys().filter(|ground| self.ids.contains_key(ground)) {
            names.push(format!("'{}'", self.names[ground].0));
        }
        names.truncate(6);
        Some(match names.is_empty() {
            true => "an LDtk project does not say where one can walk, and none of its values is \
                     named after walls: all is open; name those 'wall' that block"
                .to_string(),
            false => format!(
                "an LDtk project does not say where one can walk, so this is a guess by names: {} \
                 block; name values 'wall' that do",
                names.join(", ")
            ),
        })
    }
}
