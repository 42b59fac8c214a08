//! Pictures in a terminal.
//!
//! With colours a character shows two pixels, one above the other (▀). Without colours every
//! character is plain ASCII:
//!
//! | character | meaning |
//! |---|---|
//! | `S` `G` | start and goal |
//! | `*` | path |
//! | `o` | open |
//! | `x` | expanded |
//! | `#` | blocked |
//! | `.` | free cell |
//! | `+` | waypoint |

use std::fmt::Write;
use std::ops::Range;

use glam::Vec2;

use crate::view::{Stage, path_colours};
use crate::{Area, Canvas, Colour, DrawError, Lattice, Panel, Picture, Status, Theme, Viewport};

/// The colours of a terminal.
///
/// ```
/// use wayfare_draw::terminal::{Colours, render};
/// use wayfare_draw::{GridScenery, Panel, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let world = GridScenery::new(3, 1, vec![Terrain::floor(&theme)], &[0; 3])?;
/// let panel = Panel::new(&world).path_states([0, 1, 2]);
/// assert_eq!(render(&panel, &theme, 40, Colours::None)?, "S*G\n");
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// Plain ASCII.
    None,
    /// The 256 colours of xterm.
    Palette,
    /// 24-bit colours.
    Full,
}

/// The least and the greatest number of columns used, whatever `columns` says.
const COLUMNS: std::ops::RangeInclusive<u32> = 8..=1000;

/// The largest size of a cell in pixels.
const LARGEST_CELL: u32 = 4;

/// Returns a panel as lines of at most `columns` characters (8 to 1000; other values are clamped):
/// its title, the world with search and path, and its figures. Larger worlds are scaled down.
///
/// ```
/// use wayfare_draw::{GridScenery, Panel, Terrain, Theme, terminal};
///
/// let theme = Theme::DARK;
/// let terrains = vec![Terrain::floor(&theme), Terrain::wall(&theme)];
/// let world = GridScenery::new(3, 2, terrains, &[0, 1, 0, 0, 0, 0])?;
/// let panel = Panel::new(&world).path_states([0, 3, 4, 5, 2]);
/// assert_eq!(terminal::render(&panel, &theme, 80, terminal::Colours::None)?, "S#G\n***\n");
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
///
/// # Errors
/// [`DrawError::PictureSize`] if the world has no extent.
pub fn render(
    panel: &Panel<'_>,
    theme: &Theme,
    columns: u32,
    colours: Colours,
) -> Result<String, DrawError> {
    let columns = columns.clamp(*COLUMNS.start(), *COLUMNS.end());
    let view = panel.view();
    let mut text = String::new();
    let header = [panel.title.as_str(), panel.caption.as_str()];
    let header: Vec<&str> = header.into_iter().filter(|part| !part.is_empty()).collect();
    if !header.is_empty() {
        text.extend(header.join("  ").chars().filter(|character| !character.is_control()));
        text.push('\n');
    }
    if colours == Colours::None {
        plain(panel, theme, columns, &mut text);
    } else {
        let (canvas, viewport) = pixels(panel, theme, columns)?;
        for (title, rows) in bands(panel, &viewport) {
            text.push_str(&title);
            half_blocks(&canvas, rows, colours, &mut text);
        }
    }
    let figures = panel.all_figures(view.as_ref(), true);
    let figures: Vec<String> =
        figures.into_iter().map(|[name, value]| format!("{name} {value}")).collect();
    if !figures.is_empty() {
        text.push_str(&figures.join("   "));
        text.push('\n');
    }
    Ok(text)
}

/// Returns the world with its search and path, one pixel for each half character.
fn pixels(panel: &Panel<'_>, theme: &Theme, columns: u32) -> Result<(Canvas, Viewport), DrawError> {
    let longest = match panel.scenery.lattice() {
        Some(lattice) => fitting(panel, lattice, columns, LARGEST_CELL),
        None => columns,
    };
    let stage = Stage::bare(panel, theme, longest);
    let viewport = *stage.viewport();
    let [width, height] = viewport.size();
    let mut picture = Picture::new(width, height, theme.floor)?;
    panel.scenery.draw_base(&viewport, theme, &mut picture);
    stage.draw_search(panel.view().as_ref(), &mut picture);
    let mut canvas = picture.to_canvas()?;
    let wide = (viewport.tile() / 2).max(1);
    let [path, _] =
        path_colours(theme.search_look.unwrap_or_else(|| panel.scenery.search_look()), theme);
    let mut dot = |at: Vec2, side: u32, colour: Colour| {
        let corner = (at - side as f32 / 2.0).round();
        canvas.fill_pixels(corner.x as i64, corner.y as i64, side, side, colour);
    };
    trail(panel, &viewport, Vec2::ONE, &mut |at| dot(at, wide, path));
    for (end, colour) in [(panel.start_point(), theme.start), (panel.goal_point(), theme.goal)] {
        if let Some(end) = end {
            dot(viewport.pixel(end), (wide + 1).min(viewport.tile()), colour);
        }
    }
    Ok((canvas, viewport))
}

/// Returns the longer side of a lattice in pixels, with cells at most `cell` wide. A lattice of
/// bands may be as long as it needs; others are at most as long as wide.
fn fitting(panel: &Panel<'_>, lattice: Lattice, columns: u32, cell: u32) -> u32 {
    let most = lattice.columns.max(lattice.rows).max(1);
    if panel.scenery.bands().is_empty() {
        return columns.min(most.saturating_mul(cell));
    }
    let wide = lattice.columns.max(1);
    match (columns / wide).min(cell) {
        0 => most.div_ceil(wide.div_ceil(columns)),
        side => most.saturating_mul(side),
    }
}

/// Returns the parts of a panel below each other, with the lines above them and their rows of
/// pixels.
fn bands(panel: &Panel<'_>, viewport: &Viewport) -> Vec<(String, Range<u32>)> {
    let height = viewport.size()[1];
    let bands = panel.scenery.bands();
    if bands.is_empty() {
        return vec![(String::new(), 0..height)];
    }
    let pixel = |row: u32| (row / viewport.block() * viewport.tile()).min(height);
    let end = |row: u32| (row.div_ceil(viewport.block()) * viewport.tile()).min(height);
    bands
        .into_iter()
        .map(|band| (format!("{}\n", band.title), pixel(band.rows.start)..end(band.rows.end)))
        .collect()
}

/// Visits points along the path, at most `grain` pixels apart.
fn trail(panel: &Panel<'_>, viewport: &Viewport, grain: Vec2, visit: &mut dyn FnMut(Vec2)) {
    let [width, height] = viewport.size().map(|side| side as f32);
    // A segment that leaves the picture by more than its size is not followed.
    let near = |point: Vec2| {
        point.cmpge(Vec2::new(-width, -height)).all()
            && point.cmple(Vec2::new(2.0 * width, 2.0 * height)).all()
    };
    let legs = panel.trail().legs;
    for ends in legs.iter().flat_map(|leg| leg.points.windows(2)) {
        let (from, to) = (viewport.pixel(ends[0]), viewport.pixel(ends[1]));
        if !near(from) || !near(to) {
            continue;
        }
        let steps = ((to - from) / grain).abs().max_element().ceil().max(1.0) as u32;
        for step in 0..=steps {
            visit(from.lerp(to, step as f32 / steps as f32));
        }
    }
}

/// Writes two rows of pixels a line.
fn half_blocks(canvas: &Canvas, rows: Range<u32>, colours: Colours, text: &mut String) {
    // Writing to a `String` cannot fail.
    let paint = |text: &mut String, layer: u8, colour: Colour| {
        let Colour { red, green, blue, .. } = colour;
        let _ = match colours {
            Colours::Palette => write!(text, "\x1b[{layer};5;{}m", nearest(colour)),
            _ => write!(text, "\x1b[{layer};2;{red};{green};{blue}m"),
        };
    };
    for y in rows.clone().step_by(2) {
        let (mut ink, mut paper) = (None, None);
        for x in 0..canvas.width() {
            let upper = canvas.pixel(x, y);
            let lower = canvas.pixel(x, y + 1).filter(|_| y + 1 < rows.end);
            if let Some(colour) = upper.filter(|_| upper != ink) {
                paint(text, 38, colour);
                ink = upper;
            }
            if let Some(colour) = lower.filter(|_| lower != paper) {
                paint(text, 48, colour);
                paper = lower;
            } else if lower.is_none() && paper.is_some() {
                text.push_str("\x1b[49m");
                paper = None;
            }
            text.push('▀');
        }
        text.push_str("\x1b[0m\n");
    }
}

/// Returns the number of the nearest of xterm's colours 16 to 255: a cube of 6 × 6 × 6 colours and
/// 24 greys.
pub fn nearest(colour: Colour) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |channel: u8| {
        (0..6u8).min_by_key(|level| LEVELS[usize::from(*level)].abs_diff(channel)).unwrap_or(0)
    };
    let channels = [colour.red, colour.green, colour.blue];
    let apart = |other: [u8; 3]| -> u32 {
        channels.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let cube = channels.map(level);
    let mean = (channels.iter().map(|channel| u32::from(*channel)).sum::<u32>() / 3) as u8;
    let grey = (mean.saturating_sub(3) / 10).min(23);
    if apart([8 + 10 * grey; 3]) < apart(cube.map(|level| LEVELS[usize::from(level)])) {
        232 + grey
    } else {
        16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }
}

/// Writes the world, a character for each part.
fn plain(panel: &Panel<'_>, theme: &Theme, columns: u32, text: &mut String) {
    let scenery = panel.scenery;
    let lattice = scenery.lattice();
    let viewport = match lattice {
        // A character shows one cell, or a block of cells.
        Some(lattice) => Viewport::fit(scenery, fitting(panel, lattice, columns, 1), Vec2::ZERO),
        None => Viewport::fit(scenery, columns, Vec2::ZERO),
    };
    // Characters are twice as high as wide. A cell with a character of its own keeps it
    // nevertheless.
    let tall = if lattice.is_some() && viewport.block() == 1 { 1 } else { 2 };
    let [width, height] = viewport.size();
    let lines = height.div_ceil(tall);
    let mut characters = vec![b' '; width as usize * lines as usize];
    for (number, character) in characters.iter_mut().enumerate() {
        let (x, y) = ((number as u32 % width) as f32, (number as u32 / width * tall) as f32);
        let unit = 1.0 / viewport.scale();
        let min = scenery.bounds().min + Vec2::new(x, y) * unit;
        let area = Area::sized(min, Vec2::new(1.0, tall as f32) * unit);
        let free = if lattice.is_some() { b'.' } else { b' ' };
        *character = if scenery.ground(area, theme).solid >= 0.5 { b'#' } else { free };
    }
    let mut put = |at: Vec2, character: u8, over: &[u8]| {
        let (x, y) = (at.x.floor(), (at.y / tall as f32).floor());
        if x < 0.0 || y < 0.0 || x >= width as f32 || y >= lines as f32 {
            return;
        }
        let place = &mut characters[y as usize * width as usize + x as usize];
        if !over.contains(place) {
            *place = character;
        }
    };
    let view = panel.view();
    for place in 0..scenery.places() {
        let at = || viewport.pixel(scenery.position(place));
        match view.as_ref().and_then(|view| view.mark(place)).map(|mark| mark.status) {
            Some(Status::Open) => put(at(), b'o', b""),
            Some(Status::Closed) => put(at(), b'x', b"o"),
            None if lattice.is_none() => put(at(), b'+', b"ox"),
            None => {}
        }
    }
    let grain = Vec2::new(1.0, tall as f32);
    trail(panel, &viewport, grain, &mut |at| put(at, b'*', b""));
    for (end, letter) in [(panel.start_point(), b'S'), (panel.goal_point(), b'G')] {
        if let Some(end) = end {
            put(viewport.pixel(end), letter, b"");
        }
    }
    let lines: Vec<&[u8]> = characters.chunks_exact(width as usize).collect();
    for (title, rows) in bands(panel, &viewport) {
        text.push_str(&title);
        let rows = (rows.start / tall) as usize..rows.end.div_ceil(tall) as usize;
        for line in lines.get(rows).unwrap_or_default() {
            text.extend(line.iter().map(|character| char::from(*character)));
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
    }
}
