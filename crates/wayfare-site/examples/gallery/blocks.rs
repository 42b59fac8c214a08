//! A village of blocks: two houses, stairs to a tower, a river and its bridge.

use std::collections::BTreeMap;
use std::path::Path;

use wayfare::space::{Action, StateId};
use wayfare::trace::{Side, Trace, TraceEvent, TraceEventKind};
use wayfare_draw::{
    Animation, BlockArt, Colour, CutAway, IsometricScenery, LayerScenery, Panel, Sheet, Theme,
    VoxelWorld, terminal,
};

use super::{Anything, write};

const SIZE: [u32; 3] = [36, 16, 32];
const NAMES: [&str; 10] =
    ["grass", "dirt", "stone", "plaster", "roof", "planks", "water", "sand", "wood", "leaves"];

/// The blocks of a world, by x, then z, then y.
struct Village {
    blocks: Vec<Option<u16>>,
}

fn index([x, y, z]: [u32; 3]) -> usize {
    ((y * SIZE[2] + z) * SIZE[0] + x) as usize
}

impl Village {
    fn fill(&mut self, from: [u32; 3], to: [u32; 3], name: Option<&str>) {
        let block = name.and_then(|name| NAMES.iter().position(|known| *known == name));
        for y in from[1]..=to[1] {
            for z in from[2]..=to[2] {
                for x in from[0]..=to[0] {
                    self.blocks[index([x, y, z])] = block.map(|block| block as u16);
                }
            }
        }
    }

    fn house(&mut self, x: u32, z: u32, wide: u32, deep: u32) {
        self.fill([x, 2, z], [x + wide, 2, z + deep], Some("planks"));
        self.fill([x, 3, z], [x + wide, 6, z + deep], Some("plaster"));
        self.fill([x + 1, 3, z + 1], [x + wide - 1, 6, z + deep - 1], None);
        for step in 0..=deep / 2 {
            let y = 7 + step;
            self.fill([x, y, z + step], [x + wide, y, z + deep - step], Some("roof"));
            if step > 0 {
                self.fill([x + 1, y - 1, z + step], [x + wide - 1, y - 1, z + deep - step], None);
            }
        }
    }

    fn tree(&mut self, x: u32, z: u32) {
        self.fill([x - 1, 5, z - 1], [x + 1, 7, z + 1], Some("leaves"));
        self.fill([x, 8, z], [x, 8, z], Some("leaves"));
        self.fill([x, 3, z], [x, 6, z], Some("wood"));
    }

    fn new() -> Self {
        let mut village = Self { blocks: vec![None; (SIZE[0] * SIZE[1] * SIZE[2]) as usize] };
        let [width, _, depth] = SIZE;
        village.fill([0, 0, 0], [width - 1, 1, depth - 1], Some("dirt"));
        village.fill([0, 2, 0], [width - 1, 2, depth - 1], Some("grass"));
        // The river, two deep, with sand on its banks.
        for z in 0..depth {
            let left = 16 + (z / 5) % 2;
            village.fill([left - 1, 2, z], [left + 5, 2, z], Some("sand"));
            village.fill([left, 1, z], [left + 4, 2, z], Some("water"));
        }
        village.house(3, 4, 8, 6);
        village.fill([11, 3, 7], [11, 4, 7], None);
        village.fill([6, 4, 10], [8, 4, 10], None);
        village.house(2, 19, 8, 8);
        village.fill([10, 3, 23], [10, 4, 23], None);
        village.fill([5, 3, 19], [5, 4, 19], None);
        village.fill([6, 3, 20], [6, 5, 23], Some("plaster"));
        // The bridge.
        village.fill([15, 3, 14], [22, 3, 15], Some("planks"));
        // The tower and the stairs around it.
        village.fill([26, 3, 8], [32, 11, 14], Some("stone"));
        village.fill([27, 4, 9], [31, 11, 13], None);
        village.fill([27, 7, 9], [31, 7, 13], Some("planks"));
        for x in [26, 28, 30, 32] {
            village.fill([x, 12, 8], [x, 12, 8], Some("stone"));
            village.fill([x, 12, 14], [x, 12, 14], Some("stone"));
        }
        for step in 0..5 {
            village.fill([26 + step, 3, 15], [26 + step, 3 + step, 16], Some("stone"));
        }
        village.fill([31, 3, 15], [33, 7, 16], Some("stone"));
        village.fill([31, 8, 14], [31, 9, 14], None);
        for [x, z] in [[13, 2], [30, 24], [25, 28], [33, 27]] {
            village.tree(x, z);
        }
        village
    }

    fn block(&self, at: [i32; 3]) -> Option<Option<u16>> {
        let at = at.map(|coordinate| coordinate as u32);
        (0..3).all(|axis| at[axis] < SIZE[axis]).then(|| self.blocks[index(at)])
    }

    fn is_free(&self, at: [i32; 3]) -> bool {
        self.block(at) == Some(None)
    }

    fn stands(&self, [x, y, z]: [i32; 3]) -> bool {
        let carries = self.block([x, y - 1, z]).flatten().is_some_and(|block| block != 6);
        carries && self.is_free([x, y, z]) && self.is_free([x, y + 1, z])
    }

    fn swims(&self, at: [i32; 3]) -> bool {
        self.block(at) == Some(Some(6)) && self.is_free([at[0], at[1] + 1, at[2]])
    }

    /// The moves of an agent two blocks high: straight steps, one block up, three down, through
    /// water if it swims.
    fn moves(&self, [x, y, z]: [i32; 3], swim: bool) -> Vec<([i32; 3], Action)> {
        let mut moves = Vec::new();
        for [u, w] in [[1, 0], [0, 1], [-1, 0], [0, -1]] {
            let (x, z) = (x + u, z + w);
            let level = [x, y, z];
            if self.stands(level) {
                moves.push((level, Action::Walk));
            }
            if self.stands([x, y + 1, z]) && self.is_free([x - u, y + 2, z - w]) {
                moves.push(([x, y + 1, z], Action::Jump));
            }
            if swim && self.swims(level) {
                moves.push((level, Action::Swim));
            }
            let clear = self.is_free(level) && self.is_free([x, y + 1, z]);
            for down in (1..=3).filter(|_| clear) {
                let to = [x, y - down, z];
                if self.stands(to) || swim && self.swims(to) {
                    moves.push((to, Action::Fall));
                }
                if !self.is_free(to) {
                    break;
                }
            }
        }
        moves
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Block(u32);

impl StateId for Block {
    fn index(self) -> u32 {
        self.0
    }

    fn from_index(index: u32) -> Self {
        Self(index)
    }
}

fn state(at: [i32; 3]) -> u32 {
    index(at.map(|coordinate| coordinate as u32)) as u32
}

type Steps = Vec<(u32, Action)>;

/// A search by the distance to the goal and the way there, recorded.
fn search(
    village: &Village,
    start: [i32; 3],
    goal: [i32; 3],
    swim: bool,
) -> (Trace<Block, u32>, Steps) {
    let away = |at: [i32; 3]| (0..3).map(|axis| at[axis].abs_diff(goal[axis])).sum::<u32>();
    let mut trace = Trace::new();
    let mut record = |kind, at: [i32; 3], parent: [i32; 3], g, h| {
        let [state, parent] = [state(at), state(parent)].map(Block);
        trace.events.push(TraceEvent { kind, side: Side::Forward, state, parent, g, h });
    };
    let mut open = BTreeMap::from([((away(start), start), 0u32)]);
    let mut parents = BTreeMap::from([(start, (start, Action::Walk))]);
    record(TraceEventKind::Generate, start, start, 0, away(start));
    while let Some(((_, at), g)) = open.pop_first() {
        record(TraceEventKind::Expand, at, parents[&at].0, g, away(at));
        if at == goal {
            break;
        }
        for (to, action) in village.moves(at, swim) {
            if let std::collections::btree_map::Entry::Vacant(entry) = parents.entry(to) {
                entry.insert((at, action));
                open.insert((g + 1 + away(to), to), g + 1);
                record(TraceEventKind::Generate, to, at, g + 1, away(to));
            }
        }
    }
    let mut steps = Steps::new();
    let mut at = Some(goal).filter(|goal| parents.contains_key(goal));
    while let Some(here) = at {
        let (parent, action) = parents[&here];
        steps.push((state(here), action));
        at = (parent != here).then_some(parent);
    }
    steps.reverse();
    (trace, steps)
}

/// Pictures of the village: two profiles side by side, a film, the layers, and the layers as text.
pub(super) fn draw(theme: &Theme, folder: &Path, name: &str) -> Anything<()> {
    let village = Village::new();
    let arts = NAMES.map(|name| BlockArt::themed(name, Colour::hex(0x808080), theme));
    let world = VoxelWorld::new(SIZE, arts.to_vec(), |at| village.blocks[index(at)])?;
    let (start, goal) = ([4, 3, 24], [29, 8, 11]);
    let recorded = [false, true].map(|swim| search(&village, start, goal, swim));
    let ways: Vec<Vec<u32>> =
        recorded.iter().map(|(_, steps)| steps.iter().map(|(state, _)| *state).collect()).collect();
    let sceneries: Vec<IsometricScenery<'_>> =
        ways.iter().map(|way| IsometricScenery::new(&world).cut(CutAway::Path(way))).collect();
    let panels = sceneries.iter().zip(&recorded).zip(["walks and jumps", "swims as well"]);
    let panels: Vec<Panel<'_>> = panels
        .map(|((scenery, (trace, steps)), caption)| {
            let panel = Panel::new(scenery).title("The village").caption(caption);
            panel.search(trace).path_steps(steps.iter().copied())
        })
        .collect();
    let whole = IsometricScenery::new(&world).with_blocks_explained();
    let panel = Panel::new(&whole).title("The village").path_steps(recorded[0].1.iter().copied());
    write(&Sheet::new(vec![panel]).theme(*theme).draw()?, folder, &format!("{name}-whole"))?;
    let alone = Sheet::new(vec![panels[0].clone()]).theme(*theme);
    write(&alone.draw()?, folder, name)?;
    Animation::new(alone)
        .seconds(4.0)
        .write_gif(&folder.join(format!("{name}.gif")), &mut |_, _| ())?;
    let both = Sheet::new(panels).theme(*theme).world_pixels(640);
    write(&both.draw()?, folder, &format!("{name}-two"))?;

    let layers = LayerScenery::new(&world, 2..12)?.columns(4);
    let (trace, steps) = &recorded[1];
    let panel = Panel::new(&layers).title("The village, layer by layer").search(trace);
    let sheet = Sheet::new(vec![panel.path_steps(steps.iter().copied())]).theme(*theme);
    write(&sheet.world_pixels(1100).draw()?, folder, &format!("{name}-layers"))?;

    let layers = LayerScenery::new(&world, 3..9)?.columns(1);
    let panel = Panel::new(&layers).search(trace).path_steps(steps.iter().copied());
    let text = terminal::render(&panel, theme, 100, terminal::Colours::None)?;
    std::fs::write(folder.join(format!("{name}-layers.txt")), text)?;
    let text = terminal::render(&panel, theme, 100, terminal::Colours::Full)?;
    std::fs::write(folder.join(format!("{name}-layers.ansi")), text)?;
    Ok(())
}
