//! Text voxel worlds (`.voxels`): layers of characters, to be read and written by people.
//!
//! ```text
//! voxels 6 3 4
//! ; a pool beside a step
//! ~ water
//! g grass kind=solid color=#6f9e4f
//! H ladder
//! route 0,1,0 5,2,3 over the step
//! layer 0
//! gggggg
//! g~~ggg
//! g~~ggg
//! gggggg
//! layer 1
//! ......
//! ......
//! .....#
//! .....#
//! ```
//!
//! The header gives the extent along x, y (up) and z. Before the first layer come these lines, in
//! any order:
//!
//! - A block: a character, a name without spaces, and any of `kind=`, `multiplier=`, `penalty=` and
//!   `color=#rrggbb`. The kinds are `air`, `solid`, `water`, `lava`, `ladder`, `door`, `climbable`,
//!   `half`, and `stairs-east` (walked up towards larger x), `stairs-south` (towards larger z),
//!   `stairs-west` and `stairs-north`. A block whose name is a kind has that kind by default. `.`
//!   is air and `#` plain stone without a line.
//! - A route: `route`, two positions and a name.
//! - `unloaded 16,0,0 31,15,47`: two corners of a box. The chunks of 16³ blocks that it touches are
//!   missing, whatever the layers contain.
//! - A remark: begins with `;`.
//!
//! `layer N` is followed by one row along x for each z, the first at z = 0. Layers come once each,
//! in any order; missing layers are air. Blank lines may stand between
//! layers. The text is UTF-8, line ends are LF or CRLF.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wayfare_voxel::{Ascent, Block, BlockCost, BlockKind, BlockPosition, VoxelSize};

use crate::error::{WorldError, WorldErrorKind, count};
use crate::limits::MAX_MAP_BYTES;
use crate::terrain::{parse_color, show_color};
use crate::text::{Line, Lines};
use crate::voxel_block::{BlockType, usual_color};
use crate::voxel_rows::MOST_SIDE;
use crate::voxel_scene::{VoxelBox, VoxelRoute, VoxelScene};

const HEADER: &str = "a .voxels file starts with 'voxels', the width, the height and the depth";

/// Names of kinds in files.
const KINDS: [(&str, BlockKind); 12] = [
    ("air", BlockKind::Air),
    ("solid", BlockKind::Solid),
    ("water", BlockKind::Water),
    ("lava", BlockKind::Lava),
    ("ladder", BlockKind::Ladder),
    ("door", BlockKind::Door),
    ("climbable", BlockKind::Climbable),
    ("half", BlockKind::Half),
    ("stairs-east", BlockKind::Stairs(Ascent::East)),
    ("stairs-south", BlockKind::Stairs(Ascent::South)),
    ("stairs-west", BlockKind::Stairs(Ascent::West)),
    ("stairs-north", BlockKind::Stairs(Ascent::North)),
];

fn kind_named(name: &str) -> Option<BlockKind> {
    KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

/// Reads a text voxel world; `name` becomes its name. Takes memory in proportion to the file,
/// whatever the header claims.
///
/// # Errors
/// With line and column: a missing header, a damaged legend entry or route, rows of the wrong width
/// or count, a character without a meaning, a layer that is given twice.
pub fn read(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank() && !is_remark(line));
    let header = lines.next().ok_or_else(|| {
        WorldError::new(WorldErrorKind::Syntax, "the file is empty").at_line(1).advise(HEADER)
    })?;
    let mut world = read_header(header, name)?;
    let mut next_layer = None;
    for line in lines.by_ref() {
        let words: Vec<&str> = line.text()?.split_whitespace().collect();
        match words[..] {
            ["layer", number] => {
                next_layer = Some((line, number.to_owned()));
                break;
            }
            ["route", from, to, ..] => {
                let name = words[3..].join(" ");
                let (start, goal) = (place(line, from)?, place(line, to)?);
                world
                    .add_route(VoxelRoute { name, start, goal })
                    .map_err(|error| error.at_line(line.number))?;
            }
            ["unloaded", from, to] => {
                let missing = VoxelBox { from: place(line, from)?, to: place(line, to)? };
                world.add_unloaded(missing).map_err(|error| error.at_line(line.number))?;
            }
            [glyph, name, ..] if glyph.chars().count() == 1 => {
                let block = read_block(line, glyph, name, &words[2..])?;
                world.add_block(block).map_err(|error| error.at_line(line.number))?;
            }
            _ => {
                return Err(line
                    .error(WorldErrorKind::Syntax, "this is no block, route, unloaded box or layer")
                    .advise("write for example '~ water', 'route 0,1,0 5,1,5 home' or 'layer 0'"));
            }
        }
    }
    let numbers: BTreeMap<char, u16> =
        (0..).zip(world.palette()).map(|(number, kind)| (kind.glyph, number)).collect();
    let mut given = BTreeSet::new();
    while let Some((line, number)) = next_layer.take() {
        let y = read_layer_number(line, &number, &world)?;
        if !given.insert(y) {
            return Err(line.error(WorldErrorKind::Duplicate, format!("layer {y} is given twice")));
        }
        let depth = world.size().depth;
        let mut last = line.number;
        let mut rows = 0;
        for line in lines.by_ref().take(depth as usize) {
            last = line.number;
            let blocks = read_row(line, &world, &numbers)?;
            world.rows.set_row(y, rows, blocks.into_iter());
            rows += 1;
        }
        if rows < depth {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the file ends after {} of layer {y}", count(rows as usize, "row")),
            )
            .at_line(last)
            .advise(format!("a layer of this world has {depth} rows")));
        }
        if let Some(line) = lines.next() {
            let words: Vec<&str> = line.text()?.split_whitespace().collect();
            let ["layer", number] = words[..] else {
                return Err(line
                    .error(WorldErrorKind::Dimensions, "a layer was expected here")
                    .advise(format!("layer {y} has all its {depth} rows; go on with 'layer N'")));
            };
            next_layer = Some((line, number.to_owned()));
        }
    }
    Ok(world)
}

/// Returns a remark: `;` is no block's character, so no row starts with it.
fn is_remark(line: &Line<'_>) -> bool {
    line.bytes.trim_ascii_start().starts_with(b";")
}

fn read_header(line: Line<'_>, name: &str) -> Result<VoxelScene, WorldError> {
    let words: Vec<&str> = line.text()?.split_whitespace().take(5).collect();
    let ["voxels", width, height, depth] = words[..] else {
        return Err(line
            .error(WorldErrorKind::Syntax, "this is not the header of a text voxel world")
            .advise(HEADER));
    };
    let side = |text: &str| {
        text.parse::<u32>().map_err(|_| {
            line.error(WorldErrorKind::Value, format!("'{text}' is not a whole number"))
                .advise(format!("a side is a whole number from 1 to {MOST_SIDE}"))
        })
    };
    let size = VoxelSize { width: side(width)?, height: side(height)?, depth: side(depth)? };
    VoxelScene::new(name, size).map_err(|error| error.at_line(line.number))
}

fn place(line: Line<'_>, text: &str) -> Result<BlockPosition, WorldError> {
    let numbers: Vec<u32> = text.split(',').map_while(|part| part.parse().ok()).take(4).collect();
    match numbers[..] {
        [x, y, z] if text.split(',').count() == 3 => Ok(BlockPosition::new(x, y, z)),
        _ => Err(line
            .error(WorldErrorKind::Value, format!("'{text}' is not a place"))
            .advise("write x,y,z in whole numbers from 0, y up")),
    }
}

fn read_block(
    line: Line<'_>,
    glyph: &str,
    name: &str,
    settings: &[&str],
) -> Result<BlockType, WorldError> {
    const KNOWN: &str = "known are kind=air|solid|water|lava|ladder|door|climbable|half|stairs-east|stairs-south|stairs-west|stairs-north, multiplier=N, penalty=N and color=#rrggbb";
    let mut kind = kind_named(name);
    let mut color = None;
    let mut cost = BlockCost::default();
    for setting in settings {
        let bad = |why: &str| {
            line.error(WorldErrorKind::Value, format!("'{setting}' {why}")).advise(KNOWN)
        };
        let (key, value) =
            setting.split_once('=').ok_or_else(|| bad("is not of the form key=value"))?;
        match key {
            "kind" => kind = Some(kind_named(value).ok_or_else(|| bad("is not a kind of block"))?),
            "multiplier" => cost.multiplier = value.parse().map_err(|_| bad("is not a number"))?,
            "penalty" => cost.penalty = value.parse().map_err(|_| bad("is not a number"))?,
            "color" => color = Some(parse_color(value).ok_or_else(|| bad("is not a colour"))?),
            _ => return Err(bad("is not a known setting")),
        }
    }
    let kind = kind.ok_or_else(|| {
        line.error(WorldErrorKind::Value, format!("the block '{name}' does not say its kind"))
            .advise(KNOWN)
    })?;
    let glyph = glyph.chars().next().unwrap_or_default();
    let color = color.unwrap_or_else(|| usual_color(kind));
    Ok(BlockType { glyph, name: name.to_owned(), color, block: Block { kind, cost } })
}

fn read_layer_number(line: Line<'_>, text: &str, world: &VoxelScene) -> Result<u32, WorldError> {
    let height = world.size().height;
    text.parse::<u32>().ok().filter(|y| *y < height).ok_or_else(|| {
        line.error(
            WorldErrorKind::Value,
            format!("'{text}' is not the number of a layer: from 0 to {}", height - 1),
        )
    })
}

fn read_row(
    line: Line<'_>,
    world: &VoxelScene,
    numbers: &BTreeMap<char, u16>,
) -> Result<Vec<u16>, WorldError> {
    let width = world.size().width as usize;
    let mut blocks = Vec::new();
    let mut columns = 0;
    for glyph in line.text()?.trim_end().chars() {
        columns += 1;
        if columns > width {
            continue;
        }
        let number = numbers.get(&glyph).ok_or_else(|| {
            let known: Vec<String> = numbers.keys().map(char::to_string).collect();
            WorldError::new(WorldErrorKind::UnknownTerrain, format!("{glyph:?} is no block"))
                .at_column(line.number, columns)
                .advise(format!("the blocks of this world are {}", known.join(" ")))
        })?;
        blocks.push(*number);
    }
    if columns == width {
        return Ok(blocks);
    }
    Err(WorldError::new(
        WorldErrorKind::Dimensions,
        format!("this row has {}, but the world is {width} wide", count(columns, "block")),
    )
    .at_column(line.number, columns.min(width) + 1))
}

/// Writes a text voxel world; reading it back gives the same one.
///
/// # Errors
/// When there would be more text than is read.
pub fn write(world: &VoxelScene) -> Result<String, WorldError> {
    let VoxelSize { width, height, depth } = world.size();
    let rows = world.rows.layers().count() as u64 * u64::from(depth);
    if rows * u64::from(width) > MAX_MAP_BYTES {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!(
                "as text this world takes more than {} MiB, the most that is read",
                MAX_MAP_BYTES >> 20
            ),
        ));
    }
    let place = |at: &BlockPosition| format!("{},{},{}", at.x, at.y, at.z);
    let mut text = format!("voxels {width} {height} {depth}\n");
    for kind in world.palette().iter().skip(2) {
        text.push_str(&write_block(kind)?);
        text.push('\n');
    }
    // Writing to a String cannot fail.
    for VoxelRoute { name, start, goal } in world.routes() {
        let line = format!("route {} {} {name}", place(start), place(goal));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for VoxelBox { from, to } in world.unloaded() {
        let _ = writeln!(text, "unloaded {} {}", place(from), place(to));
    }
    let mut row = Vec::new();
    for y in world.rows.layers() {
        let _ = writeln!(text, "layer {y}");
        for z in 0..depth {
            row.clear();
            row.resize(width as usize, 0);
            for stretch in world.rows.row(y, z) {
                row[stretch.first.into()..=stretch.last.into()].fill(stretch.block);
            }
            text.extend(row.iter().map(|&block| world.palette()[usize::from(block)].glyph));
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns the line that makes a kind of block known.
pub(crate) fn write_block(kind: &BlockType) -> Result<String, WorldError> {
    let BlockType { glyph, name, color, block: Block { kind, cost } } = kind;
    let mut text = format!("{glyph} {name}");
    if kind_named(name) != Some(*kind) {
        let known = KINDS.iter().find(|(_, known)| known == kind).ok_or_else(|| {
            WorldError::new(
                WorldErrorKind::NotRepresentable,
                format!("the kind of the block '{name}' has no name in text worlds"),
            )
        })?;
        let _ = write!(text, " kind={}", known.0);
    }
    if cost.multiplier != 1.0 {
        let _ = write!(text, " multiplier={}", cost.multiplier);
    }
    if cost.penalty != 0.0 {
        let _ = write!(text, " penalty={}", cost.penalty);
    }
    if *color != usual_color(*kind) {
        let _ = write!(text, " color={}", show_color(*color));
    }
    Ok(text)
}

/// Returns the kind of block that such a line makes known.
#[cfg(feature = "vox")]
pub(crate) fn parse_block(text: &str) -> Result<BlockType, WorldError> {
    let line = Line { number: 1, bytes: text.as_bytes() };
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [glyph, name, ..] if glyph.chars().count() == 1 => {
            read_block(line, glyph, name, &words[2..])
        }
        _ => Err(line.error(WorldErrorKind::Syntax, format!("'{text}' is no kind of block"))),
    }
}
