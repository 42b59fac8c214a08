//! PNG images: one pixel a tile, its colour the terrain.
//!
//! Which colour is which terrain says a [`Legend`]: by default white is free and black is blocked.
//! A file `cave.png` may have a sidecar `cave.png.toml` with a legend of its own:
//!
//! ```toml
//! [[terrain]]
//! name = "road"
//! color = "#cfcbc4"
//! multiplier = 0.5
//!
//! [[terrain]]
//! name = "house"
//! color = "#2b2d33"
//! walkable = false
//! ```
//!
//! The keys of a terrain are those of [`Terrain`]; all but `name` have defaults. Transparency is
//! ignored. Any PNG is read: grey, palette, RGB, with or without alpha, 16 bits cut to 8.

use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageFormat, ImageReader, Limits};
use serde::{Deserialize, Serialize};
use wayfare::space::TerrainId;

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::limits::{MAX_IMAGE_BYTES, MAX_IMAGE_SIDE};
use crate::terrain::{Terrain, check_table, show_color};
use crate::text::{location, utf8};
use crate::tile_map::TileMap;

/// Which colour stands for which terrain.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    terrains: Vec<Terrain>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LegendFile {
    terrain: Vec<Terrain>,
}

impl Default for Legend {
    /// White is free, black is blocked.
    fn default() -> Self {
        Legend {
            terrains: vec![
                Terrain::new("free", '.', [255; 3]),
                Terrain::new("blocked", '#', [0; 3]).blocked(),
            ],
        }
    }
}

impl Legend {
    /// A legend of these terrains.
    ///
    /// # Errors
    /// When two share a colour or a name, a cost is not a number, or there are none or over 255.
    pub fn new(terrains: Vec<Terrain>) -> Result<Self, WorldError> {
        check_table(&terrains).map_err(|(_, _, error)| error)?;
        if terrains.is_empty() {
            return Err(WorldError::new(WorldErrorKind::Value, "the legend has no terrain"));
        }
        for (index, terrain) in terrains.iter().enumerate() {
            if let Some(other) = terrains[..index].iter().find(|other| other.color == terrain.color)
            {
                return Err(WorldError::new(
                    WorldErrorKind::Duplicate,
                    format!(
                        "terrains '{}' and '{}' have the same colour {}",
                        other.name,
                        terrain.name,
                        show_color(terrain.color)
                    ),
                )
                .advise("give each terrain a colour of its own"));
            }
        }
        Ok(Legend { terrains })
    }

    /// Reads a sidecar file.
    ///
    /// # Errors
    /// With line and column where the TOML is malformed or a key unknown; else as [`Legend::new`].
    pub fn read(bytes: &[u8]) -> Result<Self, WorldError> {
        let text = utf8(bytes)?;
        let file: LegendFile = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(Location::File, |span| location(text, span.start));
            WorldError::new(WorldErrorKind::Syntax, error.message().trim()).at(at)
        })?;
        Legend::new(file.terrain)
    }

    /// Writes a sidecar file.
    ///
    /// # Errors
    /// Never for a legend that [`Legend::new`] accepts.
    pub fn write(&self) -> Result<String, WorldError> {
        toml::to_string(&LegendFile { terrain: self.terrains.clone() })
            .map_err(|error| WorldError::new(WorldErrorKind::NotRepresentable, error.to_string()))
    }

    /// The terrains in order.
    pub fn terrains(&self) -> &[Terrain] {
        &self.terrains
    }
}

/// Reads an image; `name` becomes the map's name.
///
/// # Errors
/// When the image is damaged, larger than [`MAX_IMAGE_SIDE`] a side or [`MAX_IMAGE_BYTES`] when
/// decoded, or holds a colour that the legend does not know: the pixel and the colour are named.
pub fn read(bytes: &[u8], name: &str, legend: &Legend) -> Result<TileMap, WorldError> {
    check_claim(bytes)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_IMAGE_SIDE);
    limits.max_image_height = Some(MAX_IMAGE_SIDE);
    limits.max_alloc = Some(MAX_IMAGE_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    reader.limits(limits);
    let image = reader.decode().map_err(|error| match error {
        image::ImageError::Limits(error) => {
            WorldError::new(WorldErrorKind::Limit, format!("the image is too large: {error}"))
                .advise(format!("at most {MAX_IMAGE_SIDE} × {MAX_IMAGE_SIDE} pixels are read"))
        }
        error => WorldError::new(WorldErrorKind::Syntax, format!("not a sound PNG: {error}")),
    })?;
    // Without alpha and with 8 bits a channel: 3 bytes a tile, freed at the end.
    let image = image.into_rgb8();
    let (width, height) = image.dimensions();
    let mut tiles = Vec::with_capacity(image.as_raw().len() / 3);
    let mut by_color: Vec<([u8; 3], TerrainId)> =
        (0..).zip(&legend.terrains).map(|(id, terrain)| (terrain.color, TerrainId(id))).collect();
    by_color.sort_unstable();
    // Neighbours are mostly alike: remember the last colour.
    let mut last: Option<([u8; 3], TerrainId)> = None;
    for (index, pixel) in image.as_raw().as_chunks::<3>().0.iter().enumerate() {
        let tile = match last {
            Some((color, tile)) if color == *pixel => tile,
            _ => match by_color.binary_search_by_key(pixel, |(color, _)| *color) {
                Ok(found) => by_color[found].1,
                Err(_) => return Err(unknown_color(legend, *pixel, index, width)),
            },
        };
        last = Some((*pixel, tile));
        tiles.push(tile);
    }
    TileMap::new(name, width, height, legend.terrains.clone(), tiles)
}

/// Writes the map as an image; the legend to read it back with comes beside it.
///
/// # Errors
/// When two terrains share a colour.
pub fn write(map: &TileMap) -> Result<(Vec<u8>, Legend), WorldError> {
    let legend = Legend::new(map.terrains().to_vec())?;
    let mut pixels = Vec::with_capacity(map.tiles().len() * 3);
    for tile in map.tiles() {
        pixels.extend(map.terrain(*tile).color);
    }
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, FilterType::NoFilter)
        .write_image(&pixels, map.width(), map.height(), ExtendedColorType::Rgb8)
        .map_err(|error| WorldError::new(WorldErrorKind::NotRepresentable, error.to_string()))?;
    Ok((bytes, legend))
}

/// Whether the file is long enough for the pixels that its header claims: packed as well as can
/// be, a byte of a PNG holds no more than 1032 bytes of eight pixels each.
pub(crate) fn check_claim(bytes: &[u8]) -> Result<(), WorldError> {
    const PIXELS_PER_BYTE: u64 = 1032 * 8;
    let reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    // A header that does not read gets its error when the image is decoded.
    if let Ok((width, height)) = reader.into_dimensions()
        && u64::from(width) * u64::from(height) > bytes.len() as u64 * PIXELS_PER_BYTE
    {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!(
                "the header claims {width} × {height} pixels, more than {} bytes can hold",
                bytes.len()
            ),
        )
        .advise("the file is cut off or its header is damaged: save it again"));
    }
    Ok(())
}

fn unknown_color(legend: &Legend, color: [u8; 3], index: usize, width: u32) -> WorldError {
    let known: Vec<_> = legend
        .terrains
        .iter()
        .map(|terrain| format!("{} ({})", show_color(terrain.color), terrain.name))
        .collect();
    let (x, y) = (index % width as usize, index / width as usize);
    WorldError::new(
        WorldErrorKind::UnknownTerrain,
        format!("the colour {} is not in the legend", show_color(color)),
    )
    // Within MAX_IMAGE_SIDE.
    .at(Location::Pixel { x: x as u32, y: y as u32 })
    .advise(format!(
        "known are {}; others go into a file beside the image, named as it is with .toml added",
        known.join(", ")
    ))
}
