//! Tiled's XML format.

use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::file::{Folder, read_capped};
use crate::limits::{MAX_DOCUMENT_BYTES, MAX_TILED_DEPTH};
use crate::text::{location, utf8};
use crate::tile_map::TileMap;
use crate::tiled::data::Encoding;
use crate::tiled::document::{Chunk, TileKind, TiledDocument, Tileset, is_json, tileset_path};
use crate::tiled::tmj::{read_tileset_json, wrong_size};

/// Reads a `.tmx` map; tilesets in files are looked for from `folder`.
///
/// # Errors
/// With line and column: malformed XML, attributes that are missing or no numbers, sizes that
/// disagree, bad properties, a tileset that is missing.
pub fn read_tmx(bytes: &[u8], name: &str, folder: &Path) -> Result<TileMap, WorldError> {
    read_tmx_in(bytes, name, Folder::on_disk(folder))
}

/// As [`read_tmx`], with tilesets from any files.
pub(crate) fn read_tmx_in(
    bytes: &[u8],
    name: &str,
    folder: Folder<'_>,
) -> Result<TileMap, WorldError> {
    let mut parser = Parser { folder: Some(folder), ..Parser::default() };
    parser.run(utf8(bytes)?, "map")?;
    parser.document.into_map(name)
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

/// What has been understood so far. No recursion: a stack of names says where we are.
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
            // Errors of an inner file keep their place; ours get that of the element.
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
                let of_tile = self.stack.len() >= 2
                    && self.stack.get(self.stack.len() - 2).is_some_and(|outer| outer == "tile");
                if let (true, Some((_, kind))) = (of_tile, &mut self.tile) {
                    let key = attributes.get("name").unwrap_or_default();
                    match attributes.get("value") {
                        Some(value) => kind.set(key, value)?,
                        None => self.property = Some(key.to_string()),
                    }
                }
            }
            (Some("map" | "group"), "layer") => {
                self.layer_size = (attributes.number("width")?, attributes.number("height")?);
                if !self.document.infinite && self.layer_size != self.document.size {
                    return Err(wrong_size(self.layer_size, self.document.size));
                }
                self.document.layers.push(Vec::new());
            }
            (Some("layer"), "data") => {
                let encoding = attributes.get("encoding").unwrap_or_default();
                let compression = attributes.get("compression").unwrap_or_default();
                self.encoding = Some(Encoding::from_names(encoding, compression)?);
                if !self.document.infinite {
                    let (width, height) = self.layer_size;
                    self.area = Some((0, 0, width, height));
                }
            }
            (Some("data"), "chunk") if self.document.infinite => {
                self.area = Some((
                    attributes.number("x")?,
                    attributes.number("y")?,
                    attributes.number("width")?,
                    attributes.number("height")?,
                ));
            }
            _ => {}
        }
        self.stack.push(name);
        Ok(())
    }

    fn end(&mut self) -> Result<(), WorldError> {
        match self.stack.pop().as_deref() {
            Some("tile") => {
                if let (Some((id, kind)), Some(tileset)) =
                    (self.tile.take(), self.document.tilesets.last_mut())
                    && kind.says_something()
                {
                    tileset.tiles.insert(id, kind);
                }
            }
            Some("property") => {
                if let (Some(key), Some((_, kind))) = (self.property.take(), &mut self.tile) {
                    kind.set(&key, &self.text)?;
                }
            }
            Some("chunk" | "data") => {
                if let (Some(area), Some(encoding)) = (self.area.take(), self.encoding) {
                    let (x, y, width, height) = area;
                    let wanted = self.document.checked_area(width, height)?;
                    let gids = encoding.decode(&self.text, wanted)?;
                    self.document.push(Chunk { x, y, width, height, gids });
                }
            }
            _ => {}
        }
        self.text.clear();
        Ok(())
    }

    fn start_map(&mut self, attributes: &Attributes) -> Result<(), WorldError> {
        let orientation = attributes.get("orientation").unwrap_or("orthogonal");
        if orientation != "orthogonal" {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!("the map is {orientation}, but only orthogonal maps are read"),
            ));
        }
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
            let path = tileset_path(folder.path, source)?;
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
        // The check for twins would take time by the square of a hostile number of attributes.
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
