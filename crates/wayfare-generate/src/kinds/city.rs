//! City blocks: streets, avenues, squares, and houses with yards.
//!
//! Streets and squares come first. Among the houses as much ground is left open as is missing to
//! the share that is asked for: each block has its part of that, and passes on the rest.

use super::tools::{height, width};
use crate::parts::{Buildings, Plaza};
use crate::{
    Area, Creator, Dice, GenerateError, Ground, Opening, Parameter, Promise, Range, Scenario, Seed,
    Statistic, TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct City;

const PARAMETERS: &[Parameter] = &[
    width(48, 88, 128),
    height(48, 72, 104),
    Parameter::whole("block", "shortest side of a block of houses", "tiles", 8, 64)
        .by_default(12.0, 16.0),
    Parameter::whole("street", "width of streets; avenues are twice as wide", "tiles", 1, 8)
        .by_default(2.0, 3.0),
    Parameter::share("plazas", "share of the ground of blocks under squares, at most", 0.0, 0.5)
        .by_default(0.08, 0.2),
    Parameter::share(
        "open",
        "share of the ground that is open: what streets and squares leave is alleys and yards",
        0.1,
        0.8,
    )
    .by_default(0.45, 0.58),
];

/// The largest deviation of the share of open ground from the requested one, within the limits of
/// streets and yards: less than the ground of one yard is left over.
const TOLERANCE: f32 = 0.03;

impl Scenario for City {
    fn name(&self) -> &'static str {
        "city"
    }

    fn version(&self) -> u32 {
        2
    }

    fn about(&self) -> &'static str {
        "streets, squares, houses with yards"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let (block, street) = (values.whole("block"), values.whole("street"));
        let mut draft = TileDraft::new(values.whole("width"), values.whole("height"), Ground::Road);
        let mut dice = seed.child("streets", 0).dice();
        let columns = blocks(draft.width(), block, street, &mut dice);
        let rows = blocks(draft.height(), block, street, &mut dice);
        let blocks: Vec<Area> = rows
            .iter()
            .flat_map(|(y, height)| columns.iter().map(move |column| (column, y, height)))
            .map(|((x, width), y, height)| Area::new(*x, *y, *width, *height))
            .collect();
        let block_dice = |number: usize| seed.child("block", number as u64).dice();
        let is_square = squares(&blocks, values.get("plazas"), &mut seed.child("plazas", 0).dice());
        for number in (0..blocks.len()).filter(|number| is_square[*number]) {
            Plaza.create(&mut draft.plot(blocks[number]), &mut block_dice(number));
        }
        draft.whole().frame(Ground::Wall);
        let mut scene = open_gates(draft, &rows, street, &mut seed.child("openings", 0).dice());
        let houses: Vec<usize> = (0..blocks.len()).filter(|number| !is_square[*number]).collect();
        let draft = &mut scene.draft;
        // The ground of houses that is not looked at yet, all of it open still, and as much of it
        // as is to stay so.
        let mut ground: usize = houses.iter().map(|number| tiles(blocks[*number])).sum();
        let share = values.get("open") * draft.tiles().len() as f32;
        let mut open = (share as usize).saturating_sub(draft.free() - ground);
        for number in houses {
            let block = blocks[number];
            let share = (open as f32 / ground as f32).min(1.0);
            let buildings = Buildings { open: share, alley: street.min(2) };
            buildings.create(&mut draft.plot(block), &mut block_dice(number));
            ground -= tiles(block);
            let free = block.tiles().filter(|at| draft.is_free(at.x, at.y)).count();
            open = open.saturating_sub(free);
        }
        Ok(WorldDraft::Tiles(scene))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let [width, height, block, street] =
            ["width", "height", "block", "street"].map(|name| values.whole(name));
        let all = width as f32 * height as f32;
        let [x, y] = [width, height].map(|side| built(side, block, street));
        let share = |place: usize| x[place] as f32 * y[place] as f32 / all;
        let frame = (2 * (width + height) - 4) as f32 / all;
        let gates = (2 * street) as f32 / all;
        // With no yard at all, the least of the blocks and the most squares.
        let most = 1.0 - frame + gates - share(0) * (1.0 - values.get("plazas"));
        // With all yards, the most of the blocks and no squares: of a lot of seven tiles a side,
        // the shortest, nine tiles are a yard, and of larger lots more.
        let least = 1.0 - frame + gates - share(1) * (1.0 - 9.0 / 49.0);
        let open = values.get("open");
        let range = Range::new(open.min(least) - TOLERANCE, open.max(most) + TOLERANCE);
        vec![
            Promise::between(Statistic::FreeShare, range),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("street")),
        ]
    }
}

/// Returns the city with an entry and an exit: streets run along the rows of blocks, and one goes
/// out at either end.
pub(super) fn open_gates(
    draft: TileDraft,
    rows: &[(u32, u32)],
    street: u32,
    dice: &mut Dice,
) -> TileScene {
    let after: Vec<u32> = rows.iter().map(|(y, height)| y + height).collect();
    let [entry, exit] =
        [(); 2].map(|()| Opening::new(dice.pick(&after).copied().unwrap_or(1), street));
    let mut scene = TileScene::new(draft, entry, exit);
    let right = scene.draft.width() - 1;
    for (x, gap) in [(0, entry), (right, exit)] {
        let mut gate = scene.draft.plot(Area::new(x, gap.row, 1, gap.width));
        gate.fill(gate.area(), Ground::Road);
    }
    scene
}

fn tiles(area: Area) -> usize {
    area.width as usize * area.height as usize
}

/// Returns the blocks that are squares: any, as long as their ground is at most that share of all.
fn squares(blocks: &[Area], share: f32, dice: &mut Dice) -> Vec<bool> {
    let ground: usize = blocks.iter().map(|block| tiles(*block)).sum();
    let mut left = (ground as f32 * share) as usize;
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    dice.shuffle(&mut order);
    let mut is_square = vec![false; blocks.len()];
    for number in order {
        let block = tiles(blocks[number]);
        if block <= left {
            is_square[number] = true;
            left -= block;
        }
    }
    is_square
}

/// Returns the least and the most tiles of a side that are blocks, whatever [`blocks`] draws.
fn built(side: u32, shortest: u32, street: u32) -> [u32; 2] {
    let inner = side.saturating_sub(2 * (1 + street));
    // By the tiles that are left, and by the rank of the next block among three.
    let mut sums: Vec<[[u32; 2]; 3]> = Vec::with_capacity(inner as usize + 1);
    for left in 0..=inner {
        let sum = [0, 1, 2].map(|place| {
            let gap = gap(place, street);
            let Some(longest) = longest(left, shortest, gap) else { return [left; 2] };
            let rest = |length: u32| sums[(left - length - gap) as usize][(place + 1) % 3];
            let both = (shortest..=longest).map(|length| rest(length).map(|rest| length + rest));
            both.fold([u32::MAX, 0], |[low, high], [least, most]| [low.min(least), high.max(most)])
        });
        sums.push(sum);
    }
    sums.last().map_or([0; 2], |sum| sum[0])
}

/// Returns the street after a block: every third is an avenue.
fn gap(place: usize, street: u32) -> u32 {
    if place % 3 == 2 { 2 * street } else { street }
}

/// Returns the longest block that leaves room for a street and another block on `left` tiles;
/// `None` if there is room for one block only.
fn longest(left: u32, shortest: u32, gap: u32) -> Option<u32> {
    let is_cut = left >= 2 * shortest + gap;
    is_cut.then(|| (left - shortest - gap).min(shortest + shortest / 2 + 4))
}

/// Blocks along a side, with a street before, between and after them.
pub(super) fn blocks(side: u32, shortest: u32, street: u32, dice: &mut Dice) -> Vec<(u32, u32)> {
    let mut spans = Vec::new();
    // Within the frame of the world.
    let (mut from, end) = (1 + street, side - 1 - street);
    loop {
        let left = end.saturating_sub(from);
        let gap = gap(spans.len(), street);
        let Some(longest) = longest(left, shortest, gap) else {
            spans.push((from, left));
            return spans;
        };
        let length = dice.between(shortest, longest);
        spans.push((from, length));
        from += length + gap;
    }
}
