//! Landscapes: hills, lakes, rivers that flow downhill, and a road with bridges.
//!
//! Heights are noise. Hollows are filled up to their lowest outlet (R. Barnes, C. Lehman, D. Mulla,
//! "Priority-flood", 2014), so all water flows to the border or to a lake; rivers are where the
//! water of many tiles meets (J. O'Callaghan, D. Mark, "The extraction of drainage networks from
//! digital elevation data", 1984). The road is the engine's cheapest path, for which water and rock
//! are expensive.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfare_formats::TilePosition;

use super::tools::{self, Noise, height, passage, quantile, width};
use crate::{
    Area, Dice, GenerateError, Ground, Opening, Parameter, Promise, Range, Scenario, Seed,
    Statistic, TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct Landscape;

const PARAMETERS: &[Parameter] = &[
    width(32, 96, 128),
    height(32, 72, 104),
    Parameter::whole("hills", "width of hills", "tiles", 8, 512).by_default(28.0, 44.0),
    Parameter::share("lakes", "share of the land under lakes", 0.0, 0.3).by_default(0.06, 0.14),
    Parameter::share("rock", "share of the land that is steep or bare, snow included", 0.0, 0.3)
        .by_default(0.05, 0.12),
    Parameter::share("woods", "share of the land under trees", 0.0, 0.6).by_default(0.15, 0.3),
    Parameter::whole(
        "spring",
        "tiles whose water makes a river: fewer, more rivers",
        "tiles",
        40,
        100_000,
    )
    .by_default(220.0, 420.0),
    passage(4, 1, 2),
];

/// How much less ground may be free than lakes and rock leave, and more than lakes leave, roads not
/// counted: rivers take some, fords and paths give some back.
const TOLERANCE: f32 = 0.05;

impl Scenario for Landscape {
    fn name(&self) -> &'static str {
        "terrain"
    }

    fn version(&self) -> u32 {
        2
    }

    fn about(&self) -> &'static str {
        "hills, lakes and rivers, with a road and its bridges"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let (mut draft, [entry, exit]) = country(values, seed)?;
        let least = (least_free(values) * draft.tiles().len() as f32) as usize + 1;
        uncover(&mut draft, least, &mut seed.child("shores", 0).dice());
        Ok(WorldDraft::Tiles(TileScene::new(draft, entry, exit)))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let [width, height, passage] = ["width", "height", "passage"].map(|name| values.get(name));
        // Roads are built where all is water or rock.
        let roads = 1.5 * passage * (width + height) / (width * height);
        let most = 1.0 - values.get("lakes") + TOLERANCE + roads;
        vec![
            Promise::between(Statistic::FreeShare, Range::new(least_free(values), most)),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("passage")),
        ]
    }
}

/// Returns land, water and roads, with as much free ground as they leave; and the ends of the road.
pub(super) fn country(
    values: &Values,
    seed: Seed,
) -> Result<(TileDraft, [Opening; 2]), GenerateError> {
    let (width, height) = (values.whole("width"), values.whole("height"));
    let passage = values.whole("passage");
    let heights = heights(width, height, values.whole("hills") as f32, seed);
    let water = quantile(&heights, values.get("lakes"));
    let rock = quantile(&heights, 1.0 - values.get("rock"));
    let trees = Noise::new(seed.child("woods", 0), 12.0, 3);
    let wood: Vec<f32> = (0..heights.len() as u32)
        .map(|tile| trees.at((tile % width) as f32, (tile / width) as f32))
        .collect();
    let wooded = quantile(&wood, 1.0 - values.get("woods"));
    let mut draft = TileDraft::new(width, height, Ground::Grass);
    for (tile, ground) in draft.tiles_mut().iter_mut().enumerate() {
        let above = heights[tile] - water;
        *ground = match heights[tile] {
            height if height < water => Ground::Water,
            height if height >= rock + 0.05 => Ground::Snow,
            height if height >= rock => Ground::Rock,
            _ if wood[tile] >= wooded && above > 0.03 => Ground::Woods,
            _ if above < 0.02 => Ground::Sand,
            _ => Ground::Grass,
        };
    }
    for tile in rivers(&draft, &heights, values.whole("spring")) {
        draft.tiles_mut()[tile] = Ground::Water;
    }
    draft.whole().frame(Ground::Rock);
    let openings = road(&mut draft, passage, seed)?;
    // Small meadows among rock and water are rock; fords and trodden paths join larger ones.
    tools::drop_small_regions(&mut draft, 40, Ground::Rock);
    tools::join_regions(&mut draft, 1, |old| match old {
        Ground::Water => Ground::Shallows,
        _ => Ground::Sand,
    });
    Ok((draft, openings))
}

/// Returns the least share of free ground: the remainder of lakes and rock within the frame, less
/// the tolerance.
fn least_free(values: &Values) -> f32 {
    let [width, height] = ["width", "height"].map(|name| values.get(name));
    let inner = (width - 2.0) * (height - 2.0) / (width * height);
    inner * (1.0 - values.get("lakes") - values.get("rock")) - TOLERANCE
}

/// Makes closed tiles beside free ones passable until as many as that are free: fords in water,
/// sand on rock. Where rivers are many, or meadows among rock were closed, more ground is closed
/// than lakes and rock ask for.
///
/// Each of these tiles hangs together with the ground beside it, so no region is added.
fn uncover(draft: &mut TileDraft, least: usize, dice: &mut Dice) {
    let inner = Area::new(0, 0, draft.width(), draft.height()).shrunk(1);
    let is_inner = |at: TilePosition| {
        (inner.x..inner.right()).contains(&at.x) && (inner.y..inner.bottom()).contains(&at.y)
    };
    let is_free = |draft: &TileDraft, tile: usize| draft.tiles()[tile].is_walkable();
    let mut free = draft.free();
    let mut shore: Vec<usize> =
        (0..draft.tiles().len()).filter(|tile| is_free(draft, *tile)).collect();
    while free < least {
        let closed = |tile: &usize| !is_free(draft, *tile) && is_inner(draft.position(*tile));
        let mut next: Vec<usize> =
            shore.iter().flat_map(|tile| draft.around(*tile)).filter(closed).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return;
        }
        dice.shuffle(&mut next);
        for tile in next.iter().take(least - free) {
            let ground = &mut draft.tiles_mut()[*tile];
            *ground = if *ground == Ground::Water { Ground::Shallows } else { Ground::Sand };
        }
        free = draft.free();
        shore = next;
    }
}

/// Heights between 0 and 1.
fn heights(width: u32, height: u32, scale: f32, seed: Seed) -> Vec<f32> {
    let noise = Noise::new(seed.child("heights", 0), scale, 5);
    let tiles = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    tiles.map(|(x, y)| noise.at(x as f32, y as f32)).collect()
}

/// Returns the tiles of rivers: tiles through which the water of at least `spring` tiles flows, and
/// the banks of the large rivers.
///
/// The flood rises from the border and from lakes. A tile drains into the one from which the flood
/// came to it: the lowest outlet of its hollow. Tiles in the reverse order of the flood pass on
/// their water, so each has all of its own when its turn comes.
fn rivers(draft: &TileDraft, heights: &[f32], spring: u32) -> Vec<usize> {
    let tiles = draft.tiles();
    let is_mouth = |tile: usize| {
        let at = draft.position(tile);
        let on_border =
            at.x == 0 || at.y == 0 || at.x + 1 == draft.width() || at.y + 1 == draft.height();
        on_border || tiles[tile] == Ground::Water
    };
    // Heights are not negative: their bits are in the same order as they are.
    let level = |tile: usize| heights[tile].to_bits();
    let mut drains: Vec<Option<usize>> = vec![None; tiles.len()];
    let mut seen = vec![false; tiles.len()];
    let mut flood = BinaryHeap::new();
    for tile in (0..tiles.len()).filter(|tile| is_mouth(*tile)) {
        seen[tile] = true;
        flood.push(Reverse((level(tile), tile)));
    }
    let mut order = Vec::with_capacity(tiles.len());
    while let Some(Reverse((height, tile))) = flood.pop() {
        order.push(tile);
        for next in draft.around(tile) {
            if !seen[next] {
                seen[next] = true;
                drains[next] = Some(tile);
                flood.push(Reverse((level(next).max(height), next)));
            }
        }
    }
    let mut water = vec![1u32; tiles.len()];
    for tile in order.into_iter().rev() {
        if let Some(down) = drains[tile] {
            water[down] += water[tile];
        }
    }
    let mut rivers = Vec::new();
    for tile in (0..tiles.len()).filter(|tile| water[*tile] >= spring && !is_mouth(*tile)) {
        rivers.push(tile);
        if water[tile] / 5 >= spring {
            rivers.extend(draft.around(tile));
        }
    }
    rivers
}

/// Lays a road from west to east along the cheapest path, with bridges over water.
fn road(
    draft: &mut TileDraft,
    passage: u32,
    seed: Seed,
) -> Result<[crate::Opening; 2], GenerateError> {
    let mut dice = seed.child("road", 0).dice();
    let (width, height) = (draft.width(), draft.height());
    let mut row = || dice.between(height / 4, height - height / 4);
    let ends = [
        TilePosition { x: 2 + passage, y: row() },
        TilePosition { x: width - 3 - passage, y: row() },
    ];
    let price = |ground: Ground| {
        Some(match ground {
            Ground::Water => 5.0,
            Ground::Rock => 8.0,
            Ground::Snow => 4.0,
            Ground::Woods => 2.0,
            Ground::Sand => 1.3,
            _ => 1.0,
        })
    };
    let rows = ends.map(|at| at.y);
    let along = tools::way(draft, ends[0], ends[1], price)?;
    let pave: tools::Dug = |old| if old == Ground::Water { Ground::Bridge } else { Ground::Road };
    for at in along {
        tools::dig(draft, at, passage, pave);
        if draft.at(at.x, at.y) != Ground::Bridge {
            draft.set(at.x, at.y, Ground::Road);
        }
    }
    let openings = tools::dig_through(draft, ends, rows, passage, pave, |ground| {
        Some(if ground == Ground::Road || ground == Ground::Bridge { 0.5 } else { price(ground)? })
    })?;
    for x in [0, width - 1] {
        let gap = openings[usize::from(x > 0)];
        for y in gap.rows() {
            draft.set(x, y, Ground::Road);
        }
    }
    Ok(openings)
}
