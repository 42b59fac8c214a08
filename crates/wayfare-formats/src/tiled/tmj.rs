//! Tiled's JSON format.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use crate::error::{WorldError, WorldErrorKind};
use crate::file::{Folder, path_beside, read_capped};
use crate::limits::MAX_DOCUMENT_BYTES;
use crate::open::World;
use crate::text::utf8;
use crate::tile_map::TileMap;
use crate::tiled::data::{Encoding, wrong_count};
use crate::tiled::document::{Chunk, TileLayer, TiledDocument, Tileset, is_json};
use crate::tiled::guess;
use crate::tiled::kind::TileKind;
use crate::tiled::object::{Object, ObjectLayer, Shape};
use crate::tiled::orientation::Orientation;
use crate::tiled::tmj_lists::{Keyed, KeyedList};
use crate::tiled::tmx::read_tileset_xml;

/// Reads a `.tmj` map; tilesets in files are looked for from `folder`.
///
/// # Errors
/// With line and column where the JSON is malformed; otherwise naming the layer or tile: sizes that
/// disagree, bad properties, a tileset that is missing.
pub fn read_tmj(bytes: &[u8], name: &str, folder: &Path) -> Result<TileMap, WorldError> {
    read_document(bytes, Folder::on_disk(folder))?.into_map(name)
}

/// Like [`read_tmj`], with tilesets from any files, and maps of hexagons.
pub(crate) fn read_tmj_in(
    bytes: &[u8],
    name: &str,
    folder: Folder<'_>,
) -> Result<World, WorldError> {
    read_document(bytes, folder)?.into_world(name)
}

fn read_document(bytes: &[u8], folder: Folder<'_>) -> Result<TiledDocument, WorldError> {
    let map: JsonMap = parse(bytes)?;
    let mut document = TiledDocument::new((map.width, map.height), map.infinite);
    document.orientation =
        Orientation::from_names(&map.orientation, &map.staggeraxis, &map.staggerindex)?;
    document.tile_pixels = [map.tilewidth, map.tileheight];
    for tileset in map.tilesets {
        document.tilesets.push(match &tileset.source {
            None => tileset.into_tileset()?,
            Some(source) => {
                let path = path_beside(folder.path, "tileset", source)?;
                let bytes = read_capped(folder.files, &path, MAX_DOCUMENT_BYTES)?;
                let mut found = if is_json(&path) {
                    read_tileset_json(&bytes)
                } else {
                    read_tileset_xml(&bytes)
                }
                .map_err(|error| error.in_file(&path))?;
                found.first_gid = tileset.firstgid;
                found
            }
        });
    }
    read_layers(map.layers, &mut document)?;
    Ok(document)
}

/// Reads a `.tsj` tileset.
pub(super) fn read_tileset_json(bytes: &[u8]) -> Result<Tileset, WorldError> {
    parse::<JsonTileset>(bytes)?.into_tileset()
}

fn parse<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, WorldError> {
    serde_json::from_str(utf8(bytes)?).map_err(|error| {
        let text = error.to_string();
        // The message ends with the position, which we say in front.
        let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
        WorldError::new(WorldErrorKind::Syntax, message)
            .at_column(error.line(), error.column())
            .advise("files of this kind are read as maps and tilesets that Tiled has saved as JSON")
    })
}

/// Reads layers; nesting is bounded by the JSON reader.
fn read_layers(layers: Vec<JsonLayer>, document: &mut TiledDocument) -> Result<(), WorldError> {
    for layer in layers {
        let in_layer = |error: WorldError| {
            WorldError::new(error.kind(), format!("layer '{}': {}", layer.name, error.message()))
                .advise(error.advice().unwrap_or("save the map with Tiled again"))
        };
        let walkable = layer.walkable();
        match layer.kind.as_str() {
            "group" => read_layers(layer.layers, document)?,
            "tilelayer" => {
                let encoding = match layer.encoding.as_str() {
                    "" => "csv",
                    other => other,
                };
                let encoding =
                    Encoding::from_names(encoding, &layer.compression).map_err(in_layer)?;
                let name = layer.name.clone();
                document.layers.push(TileLayer { name, walkable, chunks: Vec::new() });
                let chunks = if document.infinite {
                    layer.chunks
                } else {
                    let (width, height) = (layer.width, layer.height);
                    if (width, height) != document.size {
                        return Err(in_layer(wrong_size((width, height), document.size)));
                    }
                    let data = layer.data.unwrap_or(JsonData::Numbers(Vec::new()));
                    vec![JsonChunk { x: 0, y: 0, width, height, data }]
                };
                for JsonChunk { x, y, width, height, data } in chunks {
                    let wanted = document.checked_area(width, height).map_err(in_layer)?;
                    let gids = match data {
                        JsonData::Numbers(gids) if gids.len() == wanted => gids,
                        JsonData::Numbers(gids) => {
                            return Err(in_layer(wrong_count(gids.len(), wanted)));
                        }
                        JsonData::Text(text) => encoding.decode(&text, wanted).map_err(in_layer)?,
                    };
                    document.push(Chunk { x, y, width, height, gids });
                }
            }
            "objectgroup" => {
                let objects = layer.objects.into_iter().map(JsonObject::into_object).collect();
                document.objects.push(ObjectLayer { name: layer.name, walkable, objects });
            }
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn wrong_size(layer: (u32, u32), map: (u32, u32)) -> WorldError {
    WorldError::new(
        WorldErrorKind::Dimensions,
        format!("the layer is {} × {}, but the map is {} × {}", layer.0, layer.1, map.0, map.1),
    )
}

#[derive(Deserialize)]
struct JsonMap {
    #[serde(default = "orthogonal")]
    orientation: String,
    width: u32,
    height: u32,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    staggeraxis: String,
    #[serde(default)]
    staggerindex: String,
    #[serde(default)]
    tilewidth: u32,
    #[serde(default)]
    tileheight: u32,
    #[serde(default)]
    tilesets: Vec<JsonTileset>,
    layers: Vec<JsonLayer>,
}

#[derive(Deserialize)]
struct JsonTileset {
    #[serde(default)]
    firstgid: u32,
    source: Option<String>,
    #[serde(default)]
    tiles: KeyedList<JsonTile>,
    /// The properties of the tiles, before version 1.2.
    #[serde(default)]
    tileproperties: KeyedList<OldProperties>,
}

/// The properties of one tile, before version 1.2.
struct OldProperties {
    tile: u32,
    properties: KeyedList<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonTile {
    /// Before version 1.2 it was the key.
    id: Option<u32>,
    #[serde(default, rename = "type", alias = "class")]
    class: String,
    #[serde(default)]
    properties: KeyedList<JsonProperty>,
    objectgroup: Option<JsonLayer>,
}

impl Keyed for JsonTile {
    type Content = Self;

    fn under(key: String, content: Self) -> Option<Self> {
        Some(Self { id: Some(key.parse().ok()?), ..content })
    }
}

impl Keyed for OldProperties {
    type Content = KeyedList<JsonProperty>;

    fn under(key: String, properties: Self::Content) -> Option<Self> {
        Some(Self { tile: key.parse().ok()?, properties })
    }
}

/// In lists they are never found.
impl<'de> Deserialize<'de> for OldProperties {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let properties = KeyedList::deserialize(from)?;
        Ok(Self { tile: 0, properties })
    }
}

impl Keyed for JsonProperty {
    type Content = serde_json::Value;

    fn under(name: String, value: serde_json::Value) -> Option<Self> {
        Some(Self { name, value })
    }
}

#[derive(Deserialize)]
struct JsonObject {
    #[serde(default)]
    name: String,
    #[serde(default, rename = "type", alias = "class")]
    class: String,
    #[serde(default)]
    x: f64,
    #[serde(default)]
    y: f64,
    #[serde(default)]
    width: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    ellipse: bool,
    #[serde(default)]
    point: bool,
    gid: Option<u32>,
    polygon: Option<Vec<JsonPoint>>,
    polyline: Option<Vec<JsonPoint>>,
    text: Option<IgnoredAny>,
    #[serde(default)]
    id: u32,
    #[serde(default)]
    properties: KeyedList<JsonProperty>,
}

#[derive(Deserialize)]
struct JsonPoint {
    x: f64,
    y: f64,
}

impl JsonObject {
    fn into_object(self) -> Object {
        let Self { name, class, x, y, width, height, id, .. } = self;
        let object = Object { name, class, x, y, width, height, id, ..Object::default() };
        let points = |list: Vec<JsonPoint>| -> Vec<[f64; 2]> {
            list.into_iter().map(|at| [at.x, at.y]).collect()
        };
        let shape = match (self.polygon, self.polyline) {
            (Some(corners), _) => Shape::Polygon(points(corners)),
            (None, Some(line)) => object.line(&points(line)),
            _ if self.point => Shape::Point,
            _ if self.ellipse => Shape::Ellipse,
            _ if self.gid.is_some() => Shape::Tile,
            _ if self.text.is_some() => Shape::Other,
            _ => Shape::Rectangle,
        };
        let mut object = Object { shape, ..object };
        for JsonProperty { name, value } in &self.properties.0 {
            match value {
                serde_json::Value::String(text) => object.learn(name, text),
                other => object.learn(name, &other.to_string()),
            }
        }
        object
    }
}

#[derive(Deserialize)]
struct JsonProperty {
    name: String,
    #[serde(default)]
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct JsonLayer {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    #[serde(default)]
    encoding: String,
    #[serde(default)]
    compression: String,
    data: Option<JsonData>,
    #[serde(default)]
    chunks: Vec<JsonChunk>,
    #[serde(default)]
    layers: Vec<JsonLayer>,
    #[serde(default)]
    objects: Vec<JsonObject>,
    #[serde(default)]
    properties: KeyedList<JsonProperty>,
}

impl JsonLayer {
    /// Returns its properties' declaration; the last one counts.
    fn walkable(&self) -> Option<bool> {
        let declared =
            |property: &JsonProperty| guess::declared(&property.name, &property.value.to_string());
        self.properties.0.iter().rev().find_map(declared)
    }
}

#[derive(Deserialize)]
struct JsonChunk {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    data: JsonData,
}

enum JsonData {
    Numbers(Vec<u32>),
    Text(String),
}

/// By hand: an untagged enum would keep all numbers in a general form first, at 48 bytes a byte of
/// the file.
impl<'de> Deserialize<'de> for JsonData {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = JsonData;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of tile numbers or a text")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<JsonData, E> {
                Ok(JsonData::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<JsonData, A::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = list.next_element()? {
                    numbers.push(number);
                }
                Ok(JsonData::Numbers(numbers))
            }
        }

        from.deserialize_any(Either)
    }
}

impl JsonTileset {
    fn into_tileset(self) -> Result<Tileset, WorldError> {
        let mut tileset = Tileset { first_gid: self.firstgid, ..Tileset::default() };
        let mut tiles = self.tiles.0;
        // A tile has its old properties there, and the rest of it where tiles are, or not at all.
        let mut old: BTreeMap<u32, Vec<JsonProperty>> = BTreeMap::new();
        for OldProperties { tile, properties } in self.tileproperties.0 {
            old.entry(tile).or_default().extend(properties.0);
        }
        for tile in &mut tiles {
            let own = tile.id.and_then(|id| old.remove(&id));
            tile.properties.0.extend(own.unwrap_or_default());
        }
        tiles.extend(old.into_iter().map(|(id, properties)| JsonTile {
            id: Some(id),
            class: String::new(),
            properties: KeyedList(properties),
            objectgroup: None,
        }));
        for tile in tiles {
            let Some(id) = tile.id else {
                let message = "a tile of a tileset has no id";
                return Err(WorldError::new(WorldErrorKind::Syntax, message));
            };
            let mut kind = TileKind::of_class(&tile.class);
            kind.has_shape = tile.objectgroup.is_some_and(|shapes| !shapes.objects.is_empty());
            for property in tile.properties.0 {
                let value = match property.value {
                    serde_json::Value::String(text) => text,
                    other => other.to_string(),
                };
                kind.set(&property.name, &value).map_err(|error| {
                    WorldError::new(error.kind(), format!("tile {id}: {}", error.message()))
                })?;
            }
            if kind.says_something() {
                tileset.tiles.insert(id, kind);
            }
        }
        Ok(tileset)
    }
}

fn orthogonal() -> String {
    "orthogonal".to_string()
}
