//! Moving AI `.map`: four header lines, then one character a tile.
//!
//! Format and terrain rules: N. Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012.
//!
//! ```text
//! type octile
//! height 2
//! width 3
//! map
//! .T.
//! @.W
//! ```
//!
//! `.` and `G` are ground, `S` is swamp (same medium as ground), `T` trees and `W` water are media
//! of their own, `@` and `O` are closed. Line ends may be LF or CRLF; blank lines may follow the
//! last row.

use wayfare_core::space::{Medium, TerrainId};
use wayfare_grid::grid::MAX_SIDE;

use crate::error::{WorldError, WorldErrorKind, count};
use crate::palette;
use crate::terrain::Terrain;
use crate::text::{Line, Lines, show_byte};
use crate::tile_map::TileMap;

/// The name of the terrain of tiles that are not part of the map.
pub const OUT_OF_BOUNDS: &str = "out of bounds";

/// Returns the terrains of the format, in the order of their ids.
pub fn terrains() -> Vec<Terrain> {
    vec![
        Terrain::new("ground", '.', palette::GROUND),
        Terrain::new(OUT_OF_BOUNDS, '@', palette::BLOCKED).blocked(),
        Terrain::new("trees", 'T', palette::TREES).in_medium(Medium(1)),
        Terrain::new("water", 'W', palette::WATER).in_medium(Medium(2)),
        Terrain::new("swamp", 'S', palette::SWAMP),
    ]
}

/// No terrain: the byte is not a tile.
const UNKNOWN: u8 = u8::MAX;

/// Terrain id of each byte.
const GLYPHS: [u8; 256] = {
    let mut glyphs = [UNKNOWN; 256];
    glyphs[b'.' as usize] = 0;
    glyphs[b'G' as usize] = 0;
    glyphs[b'@' as usize] = 1;
    glyphs[b'O' as usize] = 1;
    glyphs[b'T' as usize] = 2;
    glyphs[b'W' as usize] = 3;
    glyphs[b'S' as usize] = 4;
    glyphs
};

/// Reads a map; `name` becomes its name.
///
/// Memory is one byte a tile that is really there, whatever the header claims.
///
/// # Errors
/// With line and column: a header line that is missing, given twice or no number; a row that is not
/// as wide as the header says; too few or too many rows; a character that is no tile.
pub fn read(bytes: &[u8], name: &str) -> Result<TileMap, WorldError> {
    let mut lines = Lines::new(bytes);
    let (width, height) = read_header(&mut lines)?;
    // The header is believed only as far as the file can back it.
    let claimed = u64::from(width) * u64::from(height);
    let mut tiles: Vec<TerrainId> =
        Vec::with_capacity(lines.bytes_left().min(usize::try_from(claimed).unwrap_or(usize::MAX)));
    for row in 0..height {
        let line = match lines.next() {
            Some(line) if !line.is_blank() => line,
            other => return Err(too_few_rows(other, lines.number(), row, height)),
        };
        check_width(line, width)?;
        let start = tiles.len();
        tiles.extend(line.bytes.iter().map(|&byte| TerrainId(GLYPHS[usize::from(byte)])));
        // `max` vectorises, where a test in the loop above would not.
        if tiles[start..].iter().max() == Some(&TerrainId(UNKNOWN)) {
            return Err(unknown_tile(line));
        }
    }
    for line in lines {
        if !line.is_blank() {
            return Err(line
                .error(
                    WorldErrorKind::Dimensions,
                    format!(
                        "there is a row after the {} that the header promises",
                        count(height as usize, "row")
                    ),
                )
                .advise("remove it or fix the height in the header"));
        }
    }
    TileMap::new(name, width, height, terrains(), tiles)
}

/// Writes a map in this format.
///
/// # Errors
/// If the map has a terrain that is none of [`terrains`] (by medium, cost and whether it is
/// walkable; names and colours may differ and are lost).
pub fn write(map: &TileMap) -> Result<Vec<u8>, WorldError> {
    let known = terrains();
    let glyphs = map
        .terrains()
        .iter()
        .zip(map.histogram())
        .map(|(terrain, used)| {
            // Swamp costs the same as ground here: only its glyph or name tells it apart.
            let same = |other: &&Terrain| {
                other.walkable == terrain.walkable
                    && (!terrain.walkable || other.medium == terrain.medium)
                    && other.multiplier == terrain.multiplier
                    && other.penalty == terrain.penalty
            };
            let glyph = known
                .iter()
                .filter(same)
                .find(|other| other.glyph == terrain.glyph || other.name == terrain.name)
                .or_else(|| known.iter().find(same))
                .map(|other| other.glyph as u8);
            match glyph {
                Some(glyph) => Ok(glyph),
                None if used == 0 => Ok(b'.'),
                None => Err(WorldError::new(
                    WorldErrorKind::NotRepresentable,
                    format!("a .map file cannot say what terrain '{}' costs", terrain.name),
                )
                .advise("write the map as .txt, .tmj or .png, which keep costs")),
            }
        })
        .collect::<Result<Vec<u8>, WorldError>>()?;
    let header = format!("type octile\nheight {}\nwidth {}\nmap\n", map.height(), map.width());
    let mut bytes = header.into_bytes();
    bytes.reserve(map.tiles().len() + map.height() as usize);
    for row in map.rows() {
        bytes.extend(row.iter().map(|tile| glyphs[usize::from(tile.0)]));
        bytes.push(b'\n');
    }
    Ok(bytes)
}

fn read_header(lines: &mut Lines<'_>) -> Result<(u32, u32), WorldError> {
    let (mut width, mut height, mut kind) = (None, None, false);
    for line in lines.by_ref() {
        if line.is_blank() {
            continue;
        }
        let text = header_text(line)?;
        let mut words = text.split_ascii_whitespace();
        let slot = match words.next() {
            Some("type") => {
                let value = words.next().unwrap_or_default();
                if !matches!(value, "octile" | "tile" | "quad") {
                    return Err(line
                        .error(WorldErrorKind::Syntax, format!("'{value}' is not a known map type"))
                        .advise("write 'type octile'"));
                }
                kind = true;
                continue;
            }
            Some("map") => {
                return match (kind, width, height) {
                    (true, Some(width), Some(height)) => Ok((width, height)),
                    (false, ..) => Err(missing(line, "type", "'type octile'")),
                    (_, None, _) => Err(missing(line, "width", "a line such as 'width 512'")),
                    (_, _, None) => Err(missing(line, "height", "a line such as 'height 512'")),
                };
            }
            Some("width") => &mut width,
            Some("height") => &mut height,
            _ => {
                return Err(line
                    .error(WorldErrorKind::Syntax, "this is no header line of a Moving AI map")
                    .advise("the header is 'type octile', 'height N', 'width N', 'map'"));
            }
        };
        if slot.is_some() {
            return Err(line.error(WorldErrorKind::Duplicate, "the header gives this size twice"));
        }
        let value = words.next().unwrap_or_default();
        match value.parse::<u32>() {
            Ok(size) if size > 0 => *slot = Some(size),
            _ => {
                return Err(line.error(
                    WorldErrorKind::Value,
                    format!(
                        "'{value}' is not a size: a whole number from 1 to {MAX_SIDE} is needed"
                    ),
                ));
            }
        }
    }
    Err(WorldError::new(WorldErrorKind::Syntax, "the file ends inside the header")
        .at_line(lines.number().max(1))
        .advise("the header is 'type octile', 'height N', 'width N', 'map'"))
}

/// Returns a header line as text. A binary file can be one enormous "line": only a short one can be
/// right.
fn header_text<'a>(line: Line<'a>) -> Result<&'a str, WorldError> {
    if line.bytes.len() > 128 {
        return Err(line
            .error(WorldErrorKind::Syntax, "this is no header line of a Moving AI map")
            .advise("the header is 'type octile', 'height N', 'width N', 'map'"));
    }
    line.text()
}

fn missing(line: Line<'_>, what: &str, add: &str) -> WorldError {
    line.error(WorldErrorKind::Syntax, format!("the header ends without a {what}"))
        .advise(format!("add {add} above this line"))
}

fn too_few_rows(line: Option<Line<'_>>, last: usize, row: u32, height: u32) -> WorldError {
    let rows = count(row as usize, "row");
    let message = match line {
        Some(_) => {
            format!("a blank line after {rows}, but the header says the map is {height} high")
        }
        None => format!("the file ends after {rows}, but the header says the map is {height} high"),
    };
    WorldError::new(WorldErrorKind::Dimensions, message)
        .at_line(last)
        .advise(format!("add {} or fix the header", count((height - row) as usize, "row")))
}

fn check_width(line: Line<'_>, width: u32) -> Result<(), WorldError> {
    let (found, wanted) = (line.bytes.len(), width as usize);
    if found == wanted {
        return Ok(());
    }
    let difference = count(found.abs_diff(wanted), "tile");
    let verb = if found < wanted { "add" } else { "remove" };
    Err(WorldError::new(
        WorldErrorKind::Dimensions,
        format!(
            "this row has {}, but the header says the map is {width} wide",
            count(found, "tile")
        ),
    )
    .at_column(line.number, found.min(wanted) + 1)
    .advise(format!("{verb} {difference} or fix the header")))
}

fn unknown_tile(line: Line<'_>) -> WorldError {
    let bad = line.bytes.iter().position(|&byte| GLYPHS[usize::from(byte)] == UNKNOWN);
    let column = bad.unwrap_or_default();
    WorldError::new(
        WorldErrorKind::UnknownTerrain,
        format!("{} is not a tile", show_byte(line.bytes[column])),
    )
    .at_column(line.number, column + 1)
    .advise("tiles are . G S (ground), T (trees), W (water), @ O (closed)")
}
