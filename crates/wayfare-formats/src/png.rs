//! PNG images: one pixel a tile, its colour the terrain.
//!
//! A [`Legend`] assigns a terrain to each colour: by default white is free and black is blocked.
//! Without a legend other colours are read [by brightness](read_by_brightness).
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

use png::{
    BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, EncodingError, Filter,
    Limits, Transformations,
};
use serde::{Deserialize, Serialize};
use wayfare_core::space::TerrainId;

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::limits::{
    ALWAYS_PIXELS, LARGE_IMAGE_PIXELS, LARGE_IMAGE_PIXELS_PER_BYTE, MAX_IMAGE_BYTES,
    MAX_IMAGE_SIDE, PIXELS_PER_BYTE,
};
use crate::terrain::{Terrain, check_table, show_color};
use crate::text::{location, utf8};
use crate::tile_map::TileMap;
use crate::toml_reader;

/// The terrain of each colour.
///
/// ```
/// use wayfare_formats::png::Legend;
///
/// let legend = Legend::default();
/// let names: Vec<&str> = legend.terrains().iter().map(|terrain| terrain.name.as_str()).collect();
/// assert_eq!(names, ["free", "blocked"]);
/// ```
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
    /// Returns white as free, black as blocked.
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
    /// Returns a legend of these terrains.
    ///
    /// # Errors
    /// If two share a colour or a name, a cost is not a number, or there are none or over 255.
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
        let file: LegendFile = toml_reader::read(text).map_err(|fault| {
            let at = fault.span.map_or(Location::File, |span| location(text, span.start));
            WorldError::new(WorldErrorKind::Syntax, fault.message.trim()).at(at)
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

    /// Returns the terrains in order.
    pub fn terrains(&self) -> &[Terrain] {
        &self.terrains
    }
}

/// Reads an image; `name` becomes the map's name.
///
/// # Errors
/// If the image is damaged, larger than [`MAX_IMAGE_SIDE`] a side or [`MAX_IMAGE_BYTES`] when
/// decoded, has more pixels than [`PIXELS_PER_BYTE`] or [`LARGE_IMAGE_PIXELS_PER_BYTE`] allow, or
/// contains a colour that the legend does not know: the pixel and the colour are named.
pub fn read(bytes: &[u8], name: &str, legend: &Legend) -> Result<TileMap, WorldError> {
    let image = decode(bytes, MAX_IMAGE_SIDE, Transformations::normalize_to_color8())?;
    let (width, height) = (image.width, image.height);
    let mut tiles = Vec::with_capacity(image.bytes.len() / image.channels());
    let mut by_color: Vec<([u8; 3], TerrainId)> =
        (0..).zip(&legend.terrains).map(|(id, terrain)| (terrain.color, TerrainId(id))).collect();
    by_color.sort_unstable();
    // Neighbours are mostly alike: remember the last colour.
    let mut last: Option<([u8; 3], TerrainId)> = None;
    for (index, samples) in image.bytes.chunks_exact(image.channels()).enumerate() {
        let pixel = match *samples {
            [red, green, blue] | [red, green, blue, _] => [red, green, blue],
            _ => [samples[0]; 3],
        };
        let tile = match last {
            Some((color, tile)) if color == pixel => tile,
            _ => match by_color.binary_search_by_key(&pixel, |(color, _)| *color) {
                Ok(found) => by_color[found].1,
                Err(_) => return Err(unknown_color(legend, pixel, index, width)),
            },
        };
        last = Some((pixel, tile));
        tiles.push(tile);
    }
    TileMap::new(name, width, height, legend.terrains.clone(), tiles)
}

/// Reads an image without a legend: white is free and black is blocked. If it has other colours,
/// the light ones are free and the dark ones blocked, and a [remark](TileMap::remarks) says so:
/// images that were scaled or smoothed have greys at the edges of walls.
///
/// ```
/// use wayfare_formats::{Terrain, TerrainId, TileMap, png};
///
/// let shades = [[250, 250, 240], [30, 20, 20]];
/// let terrains = (0..).zip(shades);
/// let terrains = terrains.map(|(id, colour)| Terrain::new(format!("shade {id}"), '.', colour));
/// let tiles = [0, 1, 1].map(TerrainId).to_vec();
/// let (image, _) = png::write(&TileMap::new("shades", 3, 1, terrains.collect(), tiles)?)?;
/// let map = png::read_by_brightness(&image, "shades")?;
/// let free: Vec<bool> = (0..3).map(|x| map.terrain_at(x, 0).unwrap().walkable).collect();
/// assert_eq!(free, [true, false, false]);
/// assert!(map.remarks()[0].contains("by brightness"));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// As [`read`]. No colour is unknown.
pub fn read_by_brightness(bytes: &[u8], name: &str) -> Result<TileMap, WorldError> {
    match read(bytes, name, &Legend::default()) {
        Err(error) if error.kind() == WorldErrorKind::UnknownTerrain => {}
        known => return known,
    }
    let image = decode(bytes, MAX_IMAGE_SIDE, Transformations::normalize_to_color8())?;
    let tiles = image.bytes.chunks_exact(image.channels()).map(|samples| {
        let [red, green, blue] = match *samples {
            [red, green, blue] | [red, green, blue, _] => [red, green, blue].map(u32::from),
            _ => [u32::from(samples[0]); 3],
        };
        // Rec. 601, in thousandths.
        let brightness = red * 299 + green * 587 + blue * 114;
        TerrainId(u8::from(brightness < 128 * 1000))
    });
    let tiles = tiles.collect();
    let map = TileMap::new(name, image.width, image.height, Legend::default().terrains, tiles)?;
    Ok(map.with_remarks(vec![
        "The image has colours of its own and no legend, so it is read by brightness: light is free, \
         dark is blocked. A file beside it, named as it is with .toml added, can give each colour \
         its terrain."
            .to_owned(),
    ]))
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
    let encode = || -> Result<Vec<u8>, EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, map.width(), map.height());
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&pixels)?;
        writer.finish()?;
        Ok(bytes)
    };
    let bytes = encode()
        .map_err(|error| WorldError::new(WorldErrorKind::NotRepresentable, error.to_string()))?;
    Ok((bytes, legend))
}

/// A decoded image: samples of 1 or 2 bytes, big-endian, 1 to 4 of them a pixel.
pub(crate) struct Samples {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) color: ColorType,
    pub(crate) depth: BitDepth,
    pub(crate) bytes: Vec<u8>,
}

impl Samples {
    /// Returns the number of samples of a pixel.
    pub(crate) fn channels(&self) -> usize {
        self.color.samples()
    }
}

/// Decodes an image of at most `side` pixels a side, in memory in proportion to the file.
pub(crate) fn decode(
    bytes: &[u8],
    side: u32,
    transformations: Transformations,
) -> Result<Samples, WorldError> {
    let broken = |error: DecodingError| match error {
        DecodingError::LimitsExceeded => {
            let most = MAX_IMAGE_BYTES >> 20;
            WorldError::new(WorldErrorKind::Limit, "the image is too large")
                .advise(format!("it may take at most {most} MiB when it is decoded"))
        }
        error => WorldError::new(WorldErrorKind::Syntax, format!("not a sound PNG: {error}")),
    };
    let limits = Limits { bytes: usize::try_from(MAX_IMAGE_BYTES).unwrap_or(usize::MAX) };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(transformations);
    let mut reader = decoder.read_info().map_err(broken)?;
    let (width, height) = reader.info().size();
    check_claim(width, height, bytes.len())?;
    if width.max(height) > side {
        let message = format!("the image is too large: {width} × {height} pixels");
        return Err(WorldError::new(WorldErrorKind::Limit, message)
            .advise(format!("at most {side} × {side} pixels are read")));
    }
    let size = reader.output_buffer_size().filter(|size| *size as u64 <= MAX_IMAGE_BYTES);
    let size = size.ok_or_else(|| broken(DecodingError::LimitsExceeded))?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(broken)?;
    samples.truncate(frame.buffer_size());
    let (color, depth) = (frame.color_type, frame.bit_depth);
    Ok(Samples { width, height, color, depth, bytes: samples })
}

/// Fails unless the file is long enough for the pixels that its header claims.
fn check_claim(width: u32, height: u32, bytes: usize) -> Result<(), WorldError> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels <= ALWAYS_PIXELS + bytes as u64 * PIXELS_PER_BYTE {
        let most = LARGE_IMAGE_PIXELS + bytes as u64 * LARGE_IMAGE_PIXELS_PER_BYTE;
        if pixels <= most {
            return Ok(());
        }
        let message = format!(
            "the image has {width} × {height} pixels, and of {bytes} bytes at most {most} are read"
        );
        return Err(WorldError::new(WorldErrorKind::Limit, message)
            .advise("make it smaller, with fewer pixels a tile, or cut it into parts"));
    }
    let message =
        format!("the header claims {width} × {height} pixels, more than {bytes} bytes can hold");
    Err(WorldError::new(WorldErrorKind::Dimensions, message).advise(
        "the file is cut off or its header is damaged: save it again, with 8 bits a pixel or more",
    ))
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
