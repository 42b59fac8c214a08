//! Text maps: rows of characters, with an optional legend above.
//!
//! Without a legend:
//!
//! | character | is |
//! |---|---|
//! | `.` | free ground |
//! | `#` | blocked |
//! | `1` … `9` | ground of that weight: a step onto it costs that many steps (`1` is as cheap as `.`) |
//! | `S` | the start, on free ground; at most once |
//! | `G` | the goal, on free ground; at most once |
//!
//! With a legend, which starts with the line `legend` and ends with the line `map`, only characters
//! of the legend are known. An entry is a character, a name without spaces, and any of
//! `multiplier=`, `penalty=`, `walkable=true|false`, `medium=` and `color=#rrggbb`. The entries
//! `start` and `goal` are marks and name their terrain by `on`. Lines that start with `;` are
//! remarks.
//!
//! ```text
//! legend
//! ; a ford one may wade through
//! . grass color=#b9cb9a
//! ~ water walkable=false medium=2
//! = ford penalty=3
//! A start on grass
//! B goal on grass
//! map
//! A.~..
//! ..=.B
//! ```
//!
//! All rows are equally wide, counted in characters; blank lines may follow the last. The text is
//! UTF-8, line ends are LF or CRLF.

use std::fmt::Write as _;

use wayfare_core::space::{Medium, TerrainId};

use crate::error::{WorldError, WorldErrorKind, count};
use crate::palette;
use crate::terrain::{Terrain, parse_color, show_color, terrain_id};
use crate::text::{Line, Lines};
use crate::tile_map::{Marks, TileMap, TilePosition};

/// The meaning of one character.
#[derive(Clone, Copy)]
enum Meaning {
    Terrain(TerrainId),
    Start(TerrainId),
    Goal(TerrainId),
}

/// Characters and their meanings, in order of appearance; at most a few hundred.
struct Legend {
    terrains: Vec<Terrain>,
    meanings: Vec<(char, Meaning)>,
    keeps_all: bool,
}

/// Reads a text map; `name` becomes its name.
///
/// ```
/// use wayfare_formats::ascii;
///
/// let map = ascii::read(b"S.#\n.3G\n", "tiny")?;
/// assert_eq!((map.width(), map.height()), (3, 2));
/// assert_eq!(map.terrain_at(1, 1).map(|terrain| terrain.multiplier), Some(3.0));
/// assert_eq!(map.marks().goal.map(|goal| (goal.x, goal.y)), Some((2, 1)));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// With line and column: bytes that are no text, rows of different widths, a character without a
/// meaning, a mark that appears twice, a legend entry with a bad key or value.
pub fn read(bytes: &[u8], name: &str) -> Result<TileMap, WorldError> {
    let mut lines = Lines::new(bytes).skip_while(Line::is_blank).peekable();
    let legend = match lines.peek() {
        Some(line) if line.bytes.trim_ascii() == b"legend" => {
            lines.next();
            read_legend(&mut lines)?
        }
        Some(_) => Legend::default_legend(),
        None => {
            return Err(WorldError::new(WorldErrorKind::Dimensions, "the map has no rows")
                .at_line(1)
                .advise("write one character a tile: . is free, # is blocked"));
        }
    };
    read_rows(lines, legend, name)
}

/// Reads the rows of a text map whose characters a table of terrains explains; `.` and `#` are free
/// and blocked ground unless it says otherwise. Without a table, as [`read`]. With `keeps_all` the
/// map keeps terrains that do not occur.
#[doc(hidden)]
pub fn read_with(
    bytes: &[u8],
    name: &str,
    terrains: &[Terrain],
    keeps_all: bool,
) -> Result<TileMap, WorldError> {
    if terrains.is_empty() {
        return read(bytes, name);
    }
    let usual = Legend::default_legend().terrains.into_iter().take(2);
    let lacks = |usual: &Terrain| {
        terrains.iter().all(|known| known.glyph != usual.glyph && known.name != usual.name)
    };
    let mut table = terrains.to_vec();
    table.extend(usual.filter(lacks));
    let meanings = (0..table.len())
        .filter_map(|place| Some((table[place].glyph, Meaning::Terrain(terrain_id(place)?))))
        .collect();
    let legend = Legend { terrains: table, meanings, keeps_all };
    read_rows(Lines::new(bytes).skip_while(Line::is_blank).peekable(), legend, name)
}

/// Writes a text map: without a legend if the default one says it all.
///
/// # Errors
/// If two terrains have the same glyph, or a glyph or a name is blank or contains a space.
pub fn write(map: &TileMap) -> Result<String, WorldError> {
    let marks = map.marks();
    if marks.start.is_some() && marks.start == marks.goal {
        return Err(unwritable("start and goal are marked on the same tile"));
    }
    let legend = Legend::default_legend();
    let on_free = |mark: Option<TilePosition>| {
        let free = |at: TilePosition| map.terrain_at(at.x, at.y) == legend.terrains.first();
        mark.is_none_or(free)
    };
    let plain = map.terrains().iter().all(|terrain| legend.terrains.contains(terrain))
        && on_free(marks.start)
        && on_free(marks.goal);
    let mut text = String::new();
    let (start_glyph, goal_glyph) = if plain { ('S', 'G') } else { write_legend(map, &mut text)? };
    for (y, row) in (0..).zip(map.rows()) {
        for (x, tile) in (0..).zip(row) {
            let here = Some(TilePosition { x, y });
            text.push(if here == marks.start {
                start_glyph
            } else if here == marks.goal {
                goal_glyph
            } else {
                map.terrain(*tile).glyph
            });
        }
        text.push('\n');
    }
    Ok(text)
}

impl Legend {
    fn default_legend() -> Self {
        let mut terrains = vec![
            Terrain::new("free", '.', palette::GROUND),
            Terrain::new("blocked", '#', palette::BLOCKED).blocked(),
        ];
        terrains.extend((1..=9u8).map(|weight| {
            Terrain::new(
                format!("weight {weight}"),
                char::from(b'0' + weight),
                palette::weight(weight),
            )
            .with_multiplier(f32::from(weight))
        }));
        let mut meanings: Vec<_> = (0..)
            .zip(&terrains)
            .map(|(id, terrain)| (terrain.glyph, Meaning::Terrain(TerrainId(id))))
            .collect();
        meanings.push(('S', Meaning::Start(TerrainId(0))));
        meanings.push(('G', Meaning::Goal(TerrainId(0))));
        Legend { terrains, meanings, keeps_all: false }
    }

    fn meaning(&self, glyph: char) -> Option<Meaning> {
        self.meanings.iter().find(|(known, _)| *known == glyph).map(|(_, meaning)| *meaning)
    }

    /// Returns the characters that may be used, for advice.
    fn glyphs(&self) -> String {
        let glyphs: Vec<_> = self.meanings.iter().map(|(glyph, _)| glyph.to_string()).collect();
        glyphs.join(" ")
    }
}

fn read_legend<'a>(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<Legend, WorldError> {
    let mut legend = Legend { terrains: Vec::new(), meanings: Vec::new(), keeps_all: true };
    // Marks may name terrains that come after them.
    let mut marks: Vec<(Line<'a>, char, bool, &'a str)> = Vec::new();
    let mut last = 1;
    for line in lines {
        last = line.number;
        let text = line.text()?;
        let mut words = text.split_whitespace();
        let Some(glyph_word) = words.next() else { continue };
        if glyph_word.starts_with(';') {
            continue;
        }
        let Some(name) = words.next() else {
            if glyph_word == "map" {
                for (line, glyph, is_start, name) in marks {
                    let found = legend.terrains.iter().position(|terrain| terrain.name == name);
                    let on = match found.and_then(|index| u8::try_from(index).ok()) {
                        Some(index) => TerrainId(index),
                        None => {
                            return Err(line.error(
                                WorldErrorKind::Dangling,
                                format!(
                                    "the legend has no terrain '{name}' for this mark to stand on"
                                ),
                            ));
                        }
                    };
                    let meaning = if is_start { Meaning::Start(on) } else { Meaning::Goal(on) };
                    legend.meanings.push((glyph, meaning));
                }
                return Ok(legend);
            }
            return Err(line
                .error(WorldErrorKind::Syntax, "a legend entry needs a character and a name")
                .advise("write for example '. grass', or 'map' to end the legend"));
        };
        let mut glyphs = glyph_word.chars();
        let glyph = match (glyphs.next(), glyphs.next()) {
            (Some(glyph), None) => glyph,
            _ => {
                return Err(line
                    .error(
                        WorldErrorKind::Syntax,
                        format!("'{glyph_word}' is not a single character"),
                    )
                    .advise("write for example '. grass', or 'map' to end the legend"));
            }
        };
        let taken = |(known, ..): &(char, Meaning)| *known == glyph;
        if legend.meanings.iter().any(taken) || marks.iter().any(|mark| mark.1 == glyph) {
            return Err(line.error(
                WorldErrorKind::Duplicate,
                format!("the legend gives '{glyph}' two meanings"),
            ));
        }
        if matches!(name, "start" | "goal") {
            let ("on", on) = (words.next().unwrap_or_default(), words.next().unwrap_or_default())
            else {
                return Err(line
                    .error(WorldErrorKind::Syntax, "a mark must say what it stands on")
                    .advise(format!("write for example '{glyph} {name} on grass'")));
            };
            let is_start = name == "start";
            if marks.iter().any(|mark| mark.2 == is_start) {
                return Err(line.error(
                    WorldErrorKind::Duplicate,
                    format!("the legend has two characters for the {name}"),
                ));
            }
            marks.push((line, glyph, is_start, on));
        } else {
            let terrain = read_terrain(line, glyph, name, words)?;
            if legend.terrains.iter().any(|known| known.name == terrain.name) {
                return Err(line.error(
                    WorldErrorKind::Duplicate,
                    format!("the legend has two terrains named '{name}'"),
                ));
            }
            let id = terrain_id(legend.terrains.len()).ok_or_else(|| {
                line.error(WorldErrorKind::Limit, "a legend has at most 255 terrains")
            })?;
            legend.terrains.push(terrain);
            legend.meanings.push((glyph, Meaning::Terrain(id)));
        }
    }
    Err(WorldError::new(WorldErrorKind::Syntax, "the file ends inside the legend")
        .at_line(last)
        .advise("end the legend with a line 'map', then write the rows"))
}

fn read_terrain<'a>(
    line: Line<'_>,
    glyph: char,
    name: &str,
    settings: impl Iterator<Item = &'a str>,
) -> Result<Terrain, WorldError> {
    let mut terrain = Terrain::new(name, glyph, palette::GROUND);
    for setting in settings {
        let bad = |why: &str| {
            line.error(WorldErrorKind::Value, format!("'{setting}' {why}")).advise(
                "known are multiplier=N, penalty=N, walkable=true|false, medium=N, color=#rrggbb",
            )
        };
        let (key, value) =
            setting.split_once('=').ok_or_else(|| bad("is not of the form key=value"))?;
        match key {
            "multiplier" => {
                terrain.multiplier = value.parse().map_err(|_| bad("is not a number"))?;
            }
            "penalty" => terrain.penalty = value.parse().map_err(|_| bad("is not a number"))?,
            "walkable" => {
                terrain.walkable = value.parse().map_err(|_| bad("is not true or false"))?;
            }
            "medium" => {
                let medium = value.parse().map_err(|_| bad("is not a number from 0 to 255"))?;
                terrain.medium = Medium(medium);
            }
            "color" => {
                terrain.color = parse_color(value).ok_or_else(|| bad("is not a colour"))?;
            }
            _ => return Err(bad("is not a known setting")),
        }
    }
    match terrain.problem() {
        Some((_, message)) => Err(line.error(WorldErrorKind::Value, message)),
        None => Ok(terrain),
    }
}

fn read_rows<'a>(
    lines: impl Iterator<Item = Line<'a>>,
    legend: Legend,
    name: &str,
) -> Result<TileMap, WorldError> {
    let mut tiles: Vec<TerrainId> = Vec::new();
    let (mut width, mut height): (Option<u32>, u32) = (None, 0);
    let mut marks = Marks::default();
    let mut ended = false;
    let mut last = 1;
    for line in lines {
        last = line.number;
        if line.is_blank() {
            ended = height > 0;
            continue;
        }
        if ended {
            return Err(line
                .error(WorldErrorKind::Dimensions, "there is a row after a blank line")
                .advise("remove the blank line: blank lines may only follow the last row"));
        }
        let text = line.text()?;
        let mut x = 0u32;
        for glyph in text.chars() {
            let here = TilePosition { x, y: height };
            let twice = |what: &str, first: TilePosition| {
                WorldError::new(
                    WorldErrorKind::Duplicate,
                    format!("a second {what} '{glyph}': the first is at {},{}", first.x, first.y),
                )
                .at_column(line.number, x as usize + 1)
                .advise("a map has one start and one goal")
            };
            let terrain = match legend.meaning(glyph) {
                Some(Meaning::Terrain(terrain)) => terrain,
                Some(Meaning::Start(terrain)) => {
                    if let Some(first) = marks.start.replace(here) {
                        return Err(twice("start", first));
                    }
                    terrain
                }
                Some(Meaning::Goal(terrain)) => {
                    if let Some(first) = marks.goal.replace(here) {
                        return Err(twice("goal", first));
                    }
                    terrain
                }
                None => {
                    let what = if legend.keeps_all { "in the legend" } else { "a tile" };
                    return Err(WorldError::new(
                        WorldErrorKind::UnknownTerrain,
                        format!("{glyph:?} is not {what}"),
                    )
                    .at_column(line.number, x as usize + 1)
                    .advise(format!("known are {}", legend.glyphs())));
                }
            };
            tiles.push(terrain);
            // Files are capped far below 2³² characters.
            x += 1;
        }
        let wide = *width.get_or_insert(x);
        if x != wide {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("this row has {}, but the first has {wide}", count(x as usize, "tile")),
            )
            .at_column(line.number, x.min(wide) as usize + 1)
            .advise("make all rows equally wide"));
        }
        height += 1;
    }
    let Some(width) = width else {
        return Err(
            WorldError::new(WorldErrorKind::Dimensions, "the map has no rows").at_line(last)
        );
    };
    let (terrains, tiles) =
        if legend.keeps_all { (legend.terrains, tiles) } else { used(legend.terrains, tiles) };
    TileMap::new(name, width, height, terrains, tiles)?.with_marks(marks)
}

/// Returns the default legend without the weights that do not occur.
fn used(terrains: Vec<Terrain>, tiles: Vec<TerrainId>) -> (Vec<Terrain>, Vec<TerrainId>) {
    let mut occurs = [false; 256];
    for tile in &tiles {
        occurs[usize::from(tile.0)] = true;
    }
    let mut renumbered = [TerrainId(0); 256];
    let mut kept = Vec::new();
    for (index, terrain) in terrains.into_iter().enumerate() {
        if index < 2 || occurs[index] {
            renumbered[index] = TerrainId(kept.len() as u8);
            kept.push(terrain);
        }
    }
    let tiles = tiles.into_iter().map(|tile| renumbered[usize::from(tile.0)]).collect();
    (kept, tiles)
}

/// Writes the legend; returns the characters for start and goal.
fn write_legend(map: &TileMap, text: &mut String) -> Result<(char, char), WorldError> {
    text.push_str("legend\n");
    let mut glyphs = std::collections::BTreeSet::new();
    for terrain in map.terrains() {
        let Terrain { name, glyph, color, multiplier, penalty, walkable, medium } = terrain;
        if glyph.is_whitespace() || glyph.is_control() || *glyph == ';' {
            return Err(unwritable(format!("{glyph:?}, for terrain '{name}', is no usable glyph")));
        }
        if !glyphs.insert(*glyph) {
            return Err(unwritable(format!("two terrains have the glyph '{glyph}'")));
        }
        let name = name.split_whitespace().collect::<Vec<_>>().join("-");
        if matches!(name.as_str(), "" | "start" | "goal") {
            return Err(unwritable(format!("a terrain cannot be called '{name}' in a text map")));
        }
        // Writing to a String cannot fail.
        let _ = write!(text, "{glyph} {name} color={}", show_color(*color));
        if *multiplier != 1.0 {
            let _ = write!(text, " multiplier={multiplier}");
        }
        if *penalty != 0.0 {
            let _ = write!(text, " penalty={penalty}");
        }
        if !walkable {
            text.push_str(" walkable=false");
        }
        if *medium != Medium::GROUND {
            let _ = write!(text, " medium={}", medium.0);
        }
        text.push('\n');
    }
    let mut mark = |name: &str, at: Option<TilePosition>, wishes: &str| {
        let on = at.and_then(|at| map.terrain_at(at.x, at.y))?;
        let glyph = wishes.chars().find(|glyph| glyphs.insert(*glyph))?;
        let on = on.name.split_whitespace().collect::<Vec<_>>().join("-");
        let _ = writeln!(text, "{glyph} {name} on {on}");
        Some(glyph)
    };
    // A map without the mark never asks for its glyph.
    let start = mark("start", map.marks().start, "SA<(").unwrap_or('S');
    let goal = mark("goal", map.marks().goal, "GB>)").unwrap_or('G');
    text.push_str("map\n");
    Ok((start, goal))
}

fn unwritable(message: impl Into<String>) -> WorldError {
    WorldError::new(WorldErrorKind::NotRepresentable, message)
        .advise("change it, or write another format")
}
