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
//! The header gives the extent along x, y (up) and z. Then come, in any order but before the first layer, blocks, routes and
//! remarks (which start with `;`). A block is a character, a name without spaces, and any of `kind=`, `multiplier=`, `penalty=` and
//! `color=#rrggbb`. The kinds are `air`, `solid`, `water`, `lava`, `ladder`, `door` and `climbable`; a block that is called by a
//! kind need not say it. `.` is air and `#` plain stone without being named. A route is two places and what it is called.
//!
//! `layer N` is followed by as many rows as the world is deep, each a row along x, the first at z = 0. Layers come once each, in
//! any order; what is not given is air. Blank lines may stand between layers. The text is UTF-8, line ends are LF or CRLF.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use wayfare::space::voxel::{
    Block, BlockCost, BlockId, BlockKind, BlockPosition, VoxelError, VoxelGrid, VoxelProfile,
    VoxelSize,
};

use crate::error::{WorldError, WorldErrorKind, count};
use crate::palette;
use crate::terrain::{parse_color, show_color};
use crate::text::{Line, Lines};

/// The longest side of a world.
const MOST_SIDE: u32 = 65_536;

/// The most blocks of a layer.
const MOST_IN_LAYER: u64 = 1 << 24;

/// The most kinds of block, air and stone among them.
const MOST_BLOCKS: usize = 256;

const HEADER: &str = "a .voxels file starts with 'voxels', the width, the height and the depth";

/// A kind of block as a file names it.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockType {
    /// Its character in text worlds: neither blank nor `;`.
    pub glyph: char,
    /// Unique in its world, without spaces.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// What it is to a body, and what it costs everyone.
    pub block: Block,
}

impl BlockType {
    /// A block of that name that costs nothing extra, in the usual colour of its kind.
    pub fn new(glyph: char, name: impl Into<String>, kind: BlockKind) -> Self {
        Self { glyph, name: name.into(), color: usual_color(kind), block: kind.into() }
    }

    /// The same in another colour.
    #[must_use]
    pub fn colored(mut self, color: [u8; 3]) -> Self {
        self.color = color;
        self
    }
}

/// A route that a world asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoxelRoute {
    /// What it is called; may be empty.
    pub name: String,
    /// Where it begins.
    pub start: BlockPosition,
    /// Where it ends.
    pub goal: BlockPosition,
}

/// A voxel world as a document: blocks in layers, and routes. Takes memory for the layers that are not all air.
///
/// ```
/// use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize};
/// use wayfare_world::voxel_text::{self, BlockType, VoxelScene};
///
/// let size = VoxelSize { width: 4, height: 3, depth: 4 };
/// let mut model = VoxelScene::new("pond", size)?;
/// let water = model.add_block(BlockType::new('~', "water", BlockKind::Water))?;
/// model.fill([0, 0, 0], [3, 0, 3], BlockId::SOLID)?;
/// model.fill([1, 0, 1], [2, 0, 2], water)?;
/// let text = voxel_text::write(&model)?;
/// assert_eq!(voxel_text::read(text.as_bytes(), "pond")?, model);
/// let grid = model.to_grid(VoxelProfile::default()).expect("small enough");
/// assert_eq!(grid.block(BlockPosition::new(1, 0, 1)), Some(water));
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelScene {
    name: String,
    size: VoxelSize,
    blocks: Vec<BlockType>,
    /// The layers that are not all air: block numbers along x, then z.
    layers: BTreeMap<u32, Vec<u8>>,
    routes: Vec<VoxelRoute>,
}

impl VoxelScene {
    /// A world of air.
    ///
    /// # Errors
    /// When a side is zero or above 65,536, or a layer has more than 2²⁴ blocks.
    pub fn new(name: impl Into<String>, size: VoxelSize) -> Result<Self, WorldError> {
        let sides = [size.width, size.height, size.depth];
        if let Some(side) = sides.into_iter().find(|side| !(1..=MOST_SIDE).contains(side)) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("a side of {side} blocks is not from 1 to {MOST_SIDE}"),
            ));
        }
        if u64::from(size.width) * u64::from(size.depth) > MOST_IN_LAYER {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "a layer of {} x {} blocks has more than {MOST_IN_LAYER}",
                    size.width, size.depth
                ),
            ));
        }
        let blocks = vec![
            BlockType::new('.', "air", BlockKind::Air),
            BlockType::new('#', "stone", BlockKind::Solid),
        ];
        let (layers, routes) = (BTreeMap::new(), Vec::new());
        Ok(Self { name: name.into(), size, blocks, layers, routes })
    }

    /// Adds a kind of block; its number is the one that it also has in the palette of [`VoxelScene::to_grid`].
    ///
    /// # Errors
    /// When its name or character is taken or cannot be written, a cost is out of range, or there are 256 kinds already.
    pub fn add_block(&mut self, block: BlockType) -> Result<BlockId, WorldError> {
        let fail = |kind, message: String| Err(WorldError::new(kind, message));
        let BlockType { glyph, name, .. } = &block;
        if glyph.is_whitespace() || glyph.is_control() || *glyph == ';' {
            return fail(WorldErrorKind::Value, format!("{glyph:?} cannot stand for a block"));
        }
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return fail(
                WorldErrorKind::Value,
                format!("{name:?} is not a name: it is empty or has spaces"),
            );
        }
        if let Some(known) = self.blocks.iter().find(|known| known.glyph == *glyph) {
            return fail(
                WorldErrorKind::Duplicate,
                format!("'{glyph}' already stands for {}", known.name),
            );
        }
        if self.blocks.iter().any(|known| known.name == *name) {
            return fail(WorldErrorKind::Duplicate, format!("there is a block '{name}' already"));
        }
        let BlockCost { multiplier, penalty } = block.block.cost;
        if !(0.0..=1000.0).contains(&multiplier) || !(0.0..=10_000.0).contains(&penalty) {
            return fail(
                WorldErrorKind::Value,
                "a multiplier is from 0 to 1000, a penalty from 0 to 10000".to_owned(),
            );
        }
        if self.blocks.len() == MOST_BLOCKS {
            return fail(
                WorldErrorKind::Limit,
                format!("a world has at most {MOST_BLOCKS} kinds of block"),
            );
        }
        self.blocks.push(block);
        Ok(BlockId((self.blocks.len() - 1) as u16))
    }

    /// Fills the box between two corners, both included.
    ///
    /// # Errors
    /// When the box does not lie in the world, or there is no such block.
    pub fn fill(&mut self, from: [u32; 3], to: [u32; 3], block: BlockId) -> Result<(), WorldError> {
        let VoxelSize { width, height, depth } = self.size;
        let inside = (0..3).all(|axis| from[axis] <= to[axis])
            && to[0] < width
            && to[1] < height
            && to[2] < depth;
        if !inside {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the box from {from:?} to {to:?} does not lie in the world"),
            ));
        }
        let number = match u8::try_from(block.0) {
            Ok(number) if usize::from(number) < self.blocks.len() => number,
            _ => {
                return Err(WorldError::new(
                    WorldErrorKind::Dangling,
                    format!("there is no block {}", block.0),
                ));
            }
        };
        for y in from[1]..=to[1] {
            let of_layer = (width * depth) as usize;
            let layer = self.layers.entry(y).or_insert_with(|| vec![0; of_layer]);
            for z in from[2]..=to[2] {
                let row = (z * width) as usize;
                layer[row + from[0] as usize..=row + to[0] as usize].fill(number);
            }
            if number == 0 && layer.iter().all(|&block| block == 0) {
                self.layers.remove(&y);
            }
        }
        Ok(())
    }

    /// Adds a route.
    ///
    /// # Errors
    /// When an end lies outside the world, or the name cannot be a part of a line.
    pub fn add_route(&mut self, route: VoxelRoute) -> Result<(), WorldError> {
        if let Some(end) = [route.start, route.goal].into_iter().find(|&end| !self.contains(end)) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the end {end} of a route lies outside the world"),
            ));
        }
        let words: Vec<&str> = route.name.split_whitespace().collect();
        if route.name != words.join(" ") || route.name.contains(char::is_control) {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!("the route's name {:?} cannot stand in a line", route.name),
            ));
        }
        self.routes.push(route);
        Ok(())
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The extent along x, y and z.
    pub fn size(&self) -> VoxelSize {
        self.size
    }

    /// The kinds of block, by their number: air, stone, then those of the file.
    pub fn blocks(&self) -> &[BlockType] {
        &self.blocks
    }

    /// The routes that the world asks for.
    pub fn routes(&self) -> &[VoxelRoute] {
        &self.routes
    }

    /// The block at a place; air outside.
    pub fn block(&self, at: BlockPosition) -> BlockId {
        let layer = self.layers.get(&at.y).filter(|_| self.contains(at));
        let number = layer.map_or(0, |layer| layer[(at.z * self.size.width + at.x) as usize]);
        BlockId(number.into())
    }

    /// How many blocks there are of each kind, by their number.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; self.blocks.len()];
        let VoxelSize { width, height, depth } = self.size;
        let mut air = u64::from(width) * u64::from(height) * u64::from(depth);
        for &block in self.layers.values().flatten() {
            counts[usize::from(block)] += 1;
            air -= 1;
        }
        counts[0] += air;
        counts
    }

    /// The world to search in.
    ///
    /// # Errors
    /// When there are more voxels than a grid can number, or the profile has an impossible value.
    pub fn to_grid(&self, profile: VoxelProfile) -> Result<VoxelGrid, VoxelError> {
        let palette: Vec<Block> = self.blocks.iter().map(|block| block.block).collect();
        let width = self.size.width;
        let given = self.layers.iter().flat_map(move |(&y, layer)| {
            (0..).zip(layer).filter(|(_, block)| **block != 0).map(move |(place, &block)| {
                (BlockPosition::new(place % width, y, place / width), BlockId(block.into()))
            })
        });
        VoxelGrid::from_blocks(self.size, &palette, profile, given)
    }

    fn contains(&self, at: BlockPosition) -> bool {
        let VoxelSize { width, height, depth } = self.size;
        at.x < width && at.y < height && at.z < depth
    }
}

/// Names of kinds in files.
const KINDS: [(&str, BlockKind); 7] = [
    ("air", BlockKind::Air),
    ("solid", BlockKind::Solid),
    ("water", BlockKind::Water),
    ("lava", BlockKind::Lava),
    ("ladder", BlockKind::Ladder),
    ("door", BlockKind::Door),
    ("climbable", BlockKind::Climbable),
];

fn kind_named(name: &str) -> Option<BlockKind> {
    KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

fn usual_color(kind: BlockKind) -> [u8; 3] {
    match kind {
        BlockKind::Water => palette::WATER,
        BlockKind::Lava => [0xD9, 0x5B, 0x2B],
        BlockKind::Ladder => palette::BRIDGE,
        BlockKind::Door => [0x9A, 0x5F, 0x36],
        BlockKind::Climbable => palette::TREES,
        BlockKind::Air => palette::GROUND,
        _ => [0x9A, 0x95, 0x8C],
    }
}

/// Reads a text voxel world; `name` becomes its name. Takes memory in proportion to the file, whatever the header claims.
///
/// # Errors
/// With line and column: a missing header, a damaged legend entry or route, rows of the wrong width or number, a character
/// without a meaning, a layer that is given twice.
pub fn read(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank() && !is_remark(line));
    let header = lines.next().ok_or_else(|| {
        WorldError::new(WorldErrorKind::Syntax, "the file is empty").at_line(1).advise(HEADER)
    })?;
    let mut model = read_header(header, name)?;
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
                model
                    .add_route(VoxelRoute { name, start, goal })
                    .map_err(|error| error.at_line(line.number))?;
            }
            [glyph, name, ..] if glyph.chars().count() == 1 => {
                let block = read_block(line, glyph, name, &words[2..])?;
                model.add_block(block).map_err(|error| error.at_line(line.number))?;
            }
            _ => {
                return Err(line
                    .error(WorldErrorKind::Syntax, "this is neither a block, a route nor a layer")
                    .advise("write for example '~ water', 'route 0,1,0 5,1,5 home' or 'layer 0'"));
            }
        }
    }
    while let Some((line, number)) = next_layer.take() {
        let y = read_layer_number(line, &number, &model)?;
        let (width, depth) = (model.size.width as usize, model.size.depth as usize);
        let mut blocks = Vec::new();
        let mut last = line.number;
        for line in lines.by_ref().take(depth) {
            last = line.number;
            read_row(line, &model, &mut blocks)?;
        }
        let rows = blocks.len() / width;
        if rows < depth {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the file ends after {} of layer {y}", count(rows, "row")),
            )
            .at_line(last)
            .advise(format!("a layer of this world has {depth} rows")));
        }
        // Kept even when it is all air until the end, so that a second one is found out.
        model.layers.insert(y, blocks);
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
    model.layers.retain(|_, blocks| blocks.iter().any(|&block| block != 0));
    Ok(model)
}

/// A remark: `;` is no block's character, so no row starts with it.
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
    const KNOWN: &str = "known are kind=air|solid|water|lava|ladder|door|climbable, multiplier=N, penalty=N and color=#rrggbb";
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

fn read_layer_number(line: Line<'_>, text: &str, model: &VoxelScene) -> Result<u32, WorldError> {
    let height = model.size.height;
    let y = text.parse::<u32>().ok().filter(|y| *y < height).ok_or_else(|| {
        line.error(
            WorldErrorKind::Value,
            format!("'{text}' is not the number of a layer: from 0 to {}", height - 1),
        )
    })?;
    match model.layers.contains_key(&y) {
        true => Err(line.error(WorldErrorKind::Duplicate, format!("layer {y} is given twice"))),
        false => Ok(y),
    }
}

fn read_row(line: Line<'_>, model: &VoxelScene, blocks: &mut Vec<u8>) -> Result<(), WorldError> {
    let width = model.size.width as usize;
    let mut columns = 0;
    for glyph in line.text()?.trim_end().chars() {
        columns += 1;
        if columns > width {
            continue;
        }
        let number = model.blocks.iter().position(|block| block.glyph == glyph);
        let number = number.and_then(|number| u8::try_from(number).ok()).ok_or_else(|| {
            let known: Vec<String> =
                model.blocks.iter().map(|block| block.glyph.to_string()).collect();
            WorldError::new(WorldErrorKind::UnknownTerrain, format!("{glyph:?} is no block"))
                .at_column(line.number, columns)
                .advise(format!("the blocks of this world are {}", known.join(" ")))
        })?;
        blocks.push(number);
    }
    if columns == width {
        return Ok(());
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
/// None for a model that was read or put together by its methods.
pub fn write(model: &VoxelScene) -> Result<String, WorldError> {
    let VoxelSize { width, height, depth } = model.size;
    let mut text = format!("voxels {width} {height} {depth}\n");
    // Writing to a String cannot fail.
    for block in model.blocks.iter().skip(2) {
        let Block { kind, cost } = block.block;
        let _ = write!(text, "{} {}", block.glyph, block.name);
        if kind_named(&block.name) != Some(kind) {
            let known = KINDS.iter().find(|(_, known)| *known == kind).ok_or_else(|| {
                WorldError::new(
                    WorldErrorKind::NotRepresentable,
                    format!("the kind of the block '{}' has no name in text worlds", block.name),
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
        if block.color != usual_color(kind) {
            let _ = write!(text, " color={}", show_color(block.color));
        }
        text.push('\n');
    }
    for VoxelRoute { name, start, goal } in &model.routes {
        let place = |at: &BlockPosition| format!("{},{},{}", at.x, at.y, at.z);
        let line = format!("route {} {} {name}", place(start), place(goal));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for (y, layer) in &model.layers {
        let _ = writeln!(text, "layer {y}");
        for row in layer.chunks(width as usize) {
            text.extend(row.iter().map(|&block| model.blocks[usize::from(block)].glyph));
            text.push('\n');
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "voxels 3 4 2\r\n; a pond\n~ water\nv vines kind=climbable penalty=0.5 color=#102030\n\
                         route 0,1,0 2,1,1 round the pond\nroute 0,1,0 2,3,1\nlayer 3\n..v\n...\n\nlayer 0\n#~#\n###\n";

    #[test]
    fn a_world_is_read_and_written_back() {
        let model = read(SMALL.as_bytes(), "pond").expect("sound");
        let size = VoxelSize { width: 3, height: 4, depth: 2 };
        assert_eq!((model.name(), model.size()), ("pond", size));
        assert_eq!(model.block(BlockPosition::new(1, 0, 0)), BlockId(2));
        assert_eq!(model.block(BlockPosition::new(2, 3, 0)), BlockId(3));
        assert_eq!(model.histogram(), [17, 5, 1, 1]);
        assert_eq!(model.routes()[0].name, "round the pond");
        let text = write(&model).expect("as it was read");
        assert_eq!(read(text.as_bytes(), "pond").expect("as written"), model);
        let grid = model.to_grid(VoxelProfile::default()).expect("small");
        assert_eq!(grid.palette()[3].kind, BlockKind::Climbable);
        assert_eq!(grid.block(BlockPosition::new(2, 3, 0)), Some(BlockId(3)));
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let case = |from: &str, to: &str, expected: &str| {
            let text = SMALL.replace(from, to);
            let error = read(text.as_bytes(), "pond").expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        };
        case("voxels 3", "voxels 0", "1: a side of 0 blocks");
        case("voxels 3 4 2", "voxels 3 4", "not the header");
        case("voxels 3 4 2", "voxels 65536 4 65536", "1: a layer of 65536 x 65536");
        case("~ water", "~ wet", "3: the block 'wet' does not say its kind");
        case("v vines", "~ vines", "4: '~' already stands for water");
        case("penalty=0.5", "penalty=-1", "4: a multiplier is from 0");
        case("2,1,1", "3,1,1", "5: the end (3, 1, 1) of a route");
        case("0,1,0 2,1,1", "0,1 2,1,1", "5: '0,1' is not a place");
        case("layer 0", "layer 3", "11: layer 3 is given twice");
        case("layer 0", "layer 4", "11: '4' is not the number of a layer");
        case("#~#", "#~", "12:3: this row has 2 blocks");
        case("#~#", "#~##", "12:4: this row has 4 blocks");
        case("#~#", "#?#", "12:2: '?' is no block");
        case("#~#\n###\n", "#~#\n", "12: the file ends after 1 row of layer 0");
        case("#~#\n###\n", "#~#\n###\n###\n", "14: a layer was expected here");
    }

    #[test]
    fn a_claim_of_gigantic_size_takes_no_memory() {
        let model = read(b"voxels 4096 65536 4096\n", "huge").expect("only air");
        assert_eq!(model.histogram()[0], 1 << 40);
        assert!(model.to_grid(VoxelProfile::default()).is_err());
    }
}
