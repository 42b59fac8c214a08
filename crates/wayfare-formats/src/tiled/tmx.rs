//! Tiled's XML format.

use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::file::{Folder, path_beside, read_capped};
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_TILED_DEPTH};
use crate::open::World;
use crate::text::{location, utf8};
use crate::tile_map::TileMap;
use crate::tiled::data::{Encoding, wrong_count};
use crate::tiled::document::{Chunk, TileLayer, TiledDocument, Tileset, is_json};
use crate::tiled::guess;
use crate::tiled::kind::TileKind;
use crate::tiled::object::{Object, ObjectLayer, Shape};
use crate::tiled::orientation::Orientation;
use crate::tiled::tmj::{read_tileset_json, wrong_size};

/// Reads a `.tmx` map; tilesets in files are looked for from `folder`.
///
/// # Errors
/// With line and column: malformed XML, attributes that are missing or no numbers, sizes that
/// disagree, bad properties, a tileset that is missing.
pub fn read_tmx(bytes: &[u8], name: &str, folder: &Path) -> Result<TileMap, WorldError> {
    read_document(bytes, Folder::on_disk(folder))?.into_map(name)
}

/// Like [`read_tmx`], with tilesets from any files, and maps of hexagons.
pub(crate) fn read_tmx_in(
    bytes: &[u8],
    name: &str,
    folder: Folder<'_>,
) -> Result<World, WorldError> {
    read_document(bytes, folder)?.into_world(name)
}

fn read_document(bytes: &[u8], folder: Folder<'_>) -> Result<TiledDocument, WorldError> {
    let mut parser = Parser { folder: Some(folder), ..Parser::default() };
    parser.run(utf8(bytes)?, "map")?;
    Ok(parser.document)
}

/// Reads a `.tsx` tileset.
pub(super) fn read_tileset_xml(bytes: &[u8]) -> Result<Tileset, WorldError> {
    let mut parser = Parser::default();
    parser.run(utf8(bytes)?, "tileset")?;
    parser
        .document
        .tilesets
        .pop()
        .ok_or_else(|| WorldError::new(WorldErrorKind::Syntax, "the file holds no tileset"))
}

/// The content parsed until now. No recursion: a stack of names is the position in the tree.
#[derive(Default)]
struct Parser<'a> {
    /// Where tilesets in files are; a tileset itself has none.
    folder: Option<Folder<'a>>,
    stack: Vec<String>,
    document: TiledDocument,
    tile: Option<(u32, TileKind)>,
    /// A property whose value is the element's text.
    property: Option<String>,
    layer_size: (u32, u32),
    encoding: Option<Encoding>,
    /// The rectangle whose tiles come next.
    area: Option<(i32, i32, u32, u32)>,
    /// Its tiles, where each is an element.
    gids: Vec<u32>,
    object: Option<Object>,
    text: String,
}

impl Parser<'_> {
    fn run(&mut self, text: &str, root: &str) -> Result<(), WorldError> {
        let mut reader = Reader::from_str(text);
        let mut seen_root = false;
        loop {
            // Within the text, which fits in memory.
            let offset = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|error| {
                WorldError::new(WorldErrorKind::Syntax, format!("not sound XML: {error}"))
                    .at(location(text, reader.error_position() as usize))
            })?;
            // Errors of an inner file keep their position; ours get that of the element.
            let place = |error: WorldError| {
                if error.path().is_none() && error.location() == Location::File {
                    error.at(location(text, offset))
                } else {
                    error
                }
            };
            match event {
                Event::Start(element) => {
                    self.start(&element, root).map_err(place)?;
                    seen_root = true;
                }
                Event::Empty(element) => {
                    self.start(&element, root).map_err(place)?;
                    seen_root = true;
                    self.end().map_err(place)?;
                }
                Event::End(_) => self.end().map_err(place)?,
                Event::Text(part) => self.text.push_str(&part),
                Event::GeneralRef(part) => {
                    let entity = format!("&{};", &*part);
                    // One that XML does not define has no meaning in these files.
                    if let Ok(character) = quick_xml::escape::unescape(&entity) {
                        self.text.push_str(&character);
                    }
                }
                Event::CData(part) => self.text.push_str(&part),
                Event::Eof if seen_root && self.stack.is_empty() => return Ok(()),
                Event::Eof => {
                    return Err(place(WorldError::new(
                        WorldErrorKind::Syntax,
                        match self.stack.last() {
                            Some(open) => format!("the file ends inside <{open}>"),
                            None => format!("the file holds no <{root}>"),
                        },
                    )));
                }
                _ => {}
            }
        }
    }

    fn start(&mut self, element: &BytesStart<'_>, root: &str) -> Result<(), WorldError> {
        let name = element.local_name().as_ref().to_string();
        if self.stack.is_empty() && name != root {
            return Err(WorldError::new(
                WorldErrorKind::Syntax,
                format!("the file starts with <{name}>, but should with <{root}>"),
            ));
        }
        if self.stack.len() == MAX_TILED_DEPTH {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("elements are nested more than {MAX_TILED_DEPTH} deep"),
            ));
        }
        self.text.clear();
        let attributes = Attributes::read(element)?;
        let parent = self.stack.last().map(String::as_str);
        match (parent, name.as_str()) {
            (None, "map") => self.start_map(&attributes)?,
            (None | Some("map"), "tileset") => self.start_tileset(&attributes)?,
            (Some("tileset"), "tile") => {
                let class = attributes.get("type").or(attributes.get("class"));
                let kind = TileKind::of_class(class.unwrap_or_default());
                self.tile = Some((attributes.number("id")?, kind));
            }
            (Some("properties"), "property") => {
                let key = attributes.get("name").unwrap_or_default();
                match attributes.get("value") {
                    Some(value) => self.set(key, value)?,
                    None => self.property = Some(key.to_string()),
                }
            }
            (Some("map" | "group"), "layer") => {
                self.layer_size = (attributes.number("width")?, attributes.number("height")?);
                if !self.document.infinite && self.layer_size != self.document.size {
                    return Err(wrong_size(self.layer_size, self.document.size));
                }
                let name = attributes.get("name").unwrap_or_default().to_string();
                self.document.layers.push(TileLayer { name, ..TileLayer::default() });
            }
            (Some("layer"), "data") => {
                let encoding = attributes.get("encoding").unwrap_or_default();
                let compression = attributes.get("compression").unwrap_or_default();
                self.encoding = match (encoding, compression) {
                    ("", "") => None,
                    _ => Some(Encoding::from_names(encoding, compression)?),
                };
                self.gids.clear();
                if !self.document.infinite {
                    let (width, height) = self.layer_size;
                    self.area = Some((0, 0, width, height));
                }
            }
            (Some("data"), "chunk") if self.document.infinite => {
                self.gids.clear();
                self.area = Some((
                    attributes.number("x")?,
                    attributes.number("y")?,
                    attributes.number("width")?,
                    attributes.number("height")?,
                ));
            }
            (Some("data" | "chunk"), "tile") => {
                let gid = attributes.get("gid").map(|_| attributes.number("gid")).transpose()?;
                self.gids.push(gid.unwrap_or(0));
            }
            (Some("map" | "group"), "objectgroup") => {
                let name = attributes.get("name").unwrap_or_default().to_string();
                self.document.objects.push(ObjectLayer { name, ..ObjectLayer::default() });
            }
            (Some("objectgroup"), "object") => self.start_object(&attributes)?,
            (Some("object"), shape) => {
                if let Some(object) = &mut self.object {
                    object.shape = match shape {
                        "ellipse" => Shape::Ellipse,
                        "point" => Shape::Point,
                        "polygon" => Shape::Polygon(points(&attributes)?),
                        "polyline" => object.line(&points(&attributes)?),
                        "properties" => std::mem::take(&mut object.shape),
                        _ => Shape::Other,
                    };
                }
            }
            _ => {}
        }
        self.stack.push(name);
        Ok(())
    }

    /// Returns the element around the innermost one, or the one around that, and so on.
    fn around(&self, steps: usize) -> Option<&str> {
        let place = self.stack.len().checked_sub(steps + 1)?;
        self.stack.get(place).map(String::as_str)
    }

    /// Takes a property of the element around the innermost one, which is `properties`.
    fn set(&mut self, key: &str, value: &str) -> Result<(), WorldError> {
        match (self.around(1), self.around(2)) {
            (Some("tile"), Some("tileset")) => {
                if let Some((_, kind)) = &mut self.tile {
                    kind.set(key, value)?;
                }
            }
            (Some("layer"), _) => {
                if let Some(layer) = self.document.layers.last_mut() {
                    layer.walkable = guess::declared(key, value).or(layer.walkable);
                }
            }
            (Some("object"), _) => {
                if let Some(object) = &mut self.object {
                    object.learn(key, value);
                }
            }
            (Some("objectgroup"), Some("map" | "group")) => {
                if let Some(layer) = self.document.objects.last_mut() {
                    layer.walkable = guess::declared(key, value).or(layer.walkable);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn start_object(&mut self, attributes: &Attributes) -> Result<(), WorldError> {
        if self.around(1) == Some("tile") {
            if let Some((_, kind)) = &mut self.tile {
                kind.has_shape = true;
            }
            return Ok(());
        }
        let number = |key: &str| match attributes.get(key) {
            Some(_) => attributes.number::<f64>(key),
            None => Ok(0.0),
        };
        let text = |key: &str| attributes.get(key).unwrap_or_default();
        let class = if text("type").is_empty() { text("class") } else { text("type") };
        self.object = Some(Object {
            name: text("name").to_string(),
            class: class.to_string(),
            x: number("x")?,
            y: number("y")?,
            width: number("width")?,
            height: number("height")?,
            shape: if text("gid").is_empty() { Shape::Rectangle } else { Shape::Tile },
            id: text("id").parse().unwrap_or(0),
            facts: Vec::new(),
        });
        Ok(())
    }

    fn end(&mut self) -> Result<(), WorldError> {
        match self.stack.pop().as_deref() {
            // Tiles of a layer are told apart by the element around them.
            Some("tile") if self.around(0) == Some("tileset") => {
                if let (Some((id, kind)), Some(tileset)) =
                    (self.tile.take(), self.document.tilesets.last_mut())
                    && kind.says_something()
                {
                    tileset.tiles.insert(id, kind);
                }
            }
            Some("property") => {
                if let Some(key) = self.property.take() {
                    let value = std::mem::take(&mut self.text);
                    self.set(&key, &value)?;
                }
            }
            Some("object") => {
                if let (Some(object), Some(layer)) =
                    (self.object.take(), self.document.objects.last_mut())
                {
                    layer.objects.push(object);
                }
            }
            Some("chunk" | "data") => {
                if let Some((x, y, width, height)) = self.area.take() {
                    let wanted = self.document.checked_area(width, height)?;
                    let gids = match self.encoding {
                        Some(encoding) => encoding.decode(&self.text, wanted)?,
                        None => std::mem::take(&mut self.gids),
                    };
                    if gids.len() != wanted {
                        return Err(wrong_count(gids.len(), wanted));
                    }
                    self.document.push(Chunk { x, y, width, height, gids });
                }
            }
            _ => {}
        }
        self.text.clear();
        Ok(())
    }

    fn start_map(&mut self, attributes: &Attributes) -> Result<(), WorldError> {
        let text = |key: &str| attributes.get(key).unwrap_or_default();
        self.document.orientation = Orientation::from_names(
            attributes.get("orientation").unwrap_or("orthogonal"),
            text("staggeraxis"),
            text("staggerindex"),
        )?;
        let pixels = |key: &str| text(key).parse().unwrap_or(0);
        self.document.tile_pixels = [pixels("tilewidth"), pixels("tileheight")];
        self.document.size = (attributes.number("width")?, attributes.number("height")?);
        self.document.infinite = attributes.get("infinite") == Some("1");
        Ok(())
    }

    fn start_tileset(&mut self, attributes: &Attributes) -> Result<(), WorldError> {
        let first_gid = match self.folder {
            Some(_) => attributes.number("firstgid")?,
            None => 0,
        };
        let mut tileset = Tileset { first_gid, ..Tileset::default() };
        if let (Some(folder), Some(source)) = (self.folder, attributes.get("source")) {
            let path = path_beside(folder.path, "tileset", source)?;
            let bytes = read_capped(folder.files, &path, MAX_DOCUMENT_BYTES)?;
            tileset =
                if is_json(&path) { read_tileset_json(&bytes) } else { read_tileset_xml(&bytes) }
                    .map_err(|error| error.in_file(&path))?;
            tileset.first_gid = first_gid;
        }
        self.document.tilesets.push(tileset);
        Ok(())
    }
}

/// Returns the points `x,y x,y …` of a polygon or a line.
fn points(attributes: &Attributes) -> Result<Vec<[f64; 2]>, WorldError> {
    let text = attributes.get("points").unwrap_or_default();
    let corner = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    text.split_whitespace().map(corner).collect::<Option<_>>().ok_or_else(|| {
        let message = format!("the points of a {} are not pairs of numbers", attributes.element);
        WorldError::new(WorldErrorKind::Value, message)
    })
}

/// More than Tiled gives any element.
const MAX_ATTRIBUTES: usize = 64;

/// The attributes of an element.
struct Attributes {
    element: String,
    list: Vec<(String, String)>,
}

impl Attributes {
    fn read(element: &BytesStart<'_>) -> Result<Self, WorldError> {
        let name = element.local_name().as_ref().to_string();
        let bad = |error: &dyn std::fmt::Display| {
            WorldError::new(WorldErrorKind::Syntax, format!("bad attribute of <{name}>: {error}"))
        };
        let mut list = Vec::new();
        // The check for twins would take time by the square of a hostile count of attributes.
        for attribute in element.attributes().with_checks(false) {
            if list.len() == MAX_ATTRIBUTES {
                return Err(WorldError::new(
                    WorldErrorKind::Limit,
                    format!("<{name}> has more than {MAX_ATTRIBUTES} attributes"),
                ));
            }
            let attribute = attribute.map_err(|error| bad(&error))?;
            let value =
                quick_xml::escape::unescape(&attribute.value).map_err(|error| bad(&error))?;
            let key = attribute.key.local_name().as_ref().to_string();
            list.push((key, value.into_owned()));
        }
        Ok(Attributes { element: name, list })
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.list.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> Result<T, WorldError> {
        let value = self.get(key).ok_or_else(|| {
            WorldError::new(
                WorldErrorKind::Syntax,
                format!("<{}> lacks the attribute '{key}'", self.element),
            )
        })?;
        value.parse().map_err(|_| {
            WorldError::new(
                WorldErrorKind::Value,
                format!("'{key}' of <{}> is '{value}', not a number in its range", self.element),
            )
        })
    }
}
