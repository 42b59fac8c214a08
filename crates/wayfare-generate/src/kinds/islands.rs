//! Islands with bridges: land in the water, each island joined to others by straight bridges.
//!
//! Islands are discs whose shores noise pushes in and out. Bridges follow a minimum spanning tree
//! over the islands, with further ones for loops.

use wayfare_formats::TilePosition;

use super::tools::{self, Dug, Noise, corridor, height, spanning_tree, width};
use crate::{
    GenerateError, Ground, Parameter, Promise, Range, Scenario, Seed, Statistic, TileDraft,
    TileScene, Values, WorldDraft,
};

pub(crate) struct Islands;

const PARAMETERS: &[Parameter] = &[
    width(40, 80, 112),
    height(40, 64, 88),
    Parameter::whole("islands", "islands that are tried; crowded seas hold fewer", "", 2, 2000)
        .by_default(9.0, 16.0),
    Parameter::whole("radius", "radius of the largest islands", "tiles", 3, 64)
        .by_default(8.0, 12.0),
    Parameter::share("woods", "share of the land under trees", 0.0, 0.8).by_default(0.15, 0.35),
    Parameter::share("loops", "bridges beyond those that join all, by islands", 0.0, 1.0)
        .by_default(0.1, 0.4),
    Parameter::whole("bridge", "width of bridges", "tiles", 1, 4).by_default(1.0, 2.0),
];

const PLANKS: Dug = |_| Ground::Bridge;

struct Island {
    middle: TilePosition,
    radius: u32,
}

impl Scenario for Islands {
    fn name(&self) -> &'static str {
        "islands"
    }

    fn about(&self) -> &'static str {
        "islands with beaches and woods, joined by bridges"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let bridge = values.whole("bridge");
        let mut draft =
            TileDraft::new(values.whole("width"), values.whole("height"), Ground::Water);
        let islands = place(values, &draft, seed);
        let shore = Noise::new(seed.child("shore", 0), 9.0, 3);
        let trees = Noise::new(seed.child("trees", 0), 7.0, 2);
        let woods: Vec<f32> = (0..2000u32)
            .map(|place| trees.at((place % 50) as f32 * 3.7, (place / 50) as f32 * 3.7))
            .collect();
        let wooded = tools::quantile(&woods, 1.0 - values.get("woods"));
        for Island { middle, radius } in &islands {
            let (x0, y0) = (middle.x.saturating_sub(*radius), middle.y.saturating_sub(*radius));
            for y in y0.max(2)..(middle.y + radius + 1).min(draft.height() - 2) {
                for x in x0.max(2)..(middle.x + radius + 1).min(draft.width() - 2) {
                    let (dx, dy) = (x.abs_diff(middle.x), y.abs_diff(middle.y));
                    // 0 in the middle, 1 at the radius: squared, so without a root.
                    let away = (dx * dx + dy * dy) as f32 / (radius * radius) as f32;
                    let land = away + 0.9 * (shore.at(x as f32, y as f32) - 0.5);
                    let ground = match land {
                        land if land > 0.85 => continue,
                        land if land > 0.55 => Ground::Sand,
                        _ if trees.at(x as f32, y as f32) > wooded => Ground::Woods,
                        _ => Ground::Grass,
                    };
                    draft.set(x, y, ground);
                }
            }
            draft.set(middle.x, middle.y, Ground::Grass);
        }
        tools::drop_small_regions(&mut draft, 6, Ground::Water);
        let middles: Vec<TilePosition> = islands.iter().map(|island| island.middle).collect();
        for island in &middles {
            tools::dig(&mut draft, *island, bridge.max(2), |_| Ground::Grass);
        }
        let mut pairs = spanning_tree(&middles);
        let mut dice = seed.child("bridges", 0).dice();
        for one in 0..middles.len() {
            if dice.happens(values.get("loops")) {
                let distance = |other: &usize| {
                    middles[one].x.abs_diff(middles[*other].x)
                        + middles[one].y.abs_diff(middles[*other].y)
                };
                let mut others: Vec<usize> =
                    (0..middles.len()).filter(|other| *other != one).collect();
                others.sort_by_key(distance);
                others.truncate(3);
                pairs.extend(dice.pick(&others).map(|other| (one, *other)));
            }
        }
        for (one, other) in pairs {
            let sideways = dice.happens(0.5);
            corridor(&mut draft, middles[one], middles[other], bridge, sideways, PLANKS);
        }
        // Skerries that no bridge touches are under water again.
        let (labels, sizes) = tools::regions(&draft);
        let largest = (0..sizes.len()).max_by_key(|region| sizes[*region]);
        for (ground, label) in draft.tiles_mut().iter_mut().zip(labels) {
            if label.is_some() && label.map(|label| label as usize) != largest {
                *ground = Ground::Water;
            }
        }
        let ends = [false, true].map(|east| tools::outermost(&middles, east));
        let rows = ends.map(|at| at.y);
        let price = |ground: Ground| Some(if ground.is_walkable() { 1.0 } else { 1.5 });
        let [entry, exit] = tools::dig_through(&mut draft, ends, rows, bridge, PLANKS, price)?;
        let mut scene = TileScene::new(draft, entry, exit);
        for (x, gap) in [(0, entry), (scene.draft.width() - 1, exit)] {
            for y in gap.rows() {
                scene.draft.set(x, y, Ground::Bridge);
            }
        }
        scene.rooms = islands.len() as u32;
        Ok(WorldDraft::Tiles(scene))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::between(Statistic::Rooms, Range::new(1.0, values.get("islands"))),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("bridge")),
        ]
    }
}

/// Islands at random, the large ones first, with water between any two.
fn place(values: &Values, draft: &TileDraft, seed: Seed) -> Vec<Island> {
    const TRIES: u32 = 40;
    let mut dice = seed.child("islands", 0).dice();
    let count = values.whole("islands");
    let mut islands: Vec<Island> = Vec::new();
    for number in 0..count {
        // From the largest radius down to half of it.
        let largest = values.whole("radius").min(draft.height() / 3);
        let radius = (largest - (largest / 2) * number / count).max(3);
        for _ in 0..TRIES {
            let rim = radius / 2 + 3;
            let middle = TilePosition {
                x: dice.between(rim, draft.width() - 1 - rim),
                y: dice.between(rim, draft.height() - 1 - rim),
            };
            let is_apart = |other: &Island| {
                let (dx, dy) =
                    (middle.x.abs_diff(other.middle.x), middle.y.abs_diff(other.middle.y));
                dx * dx + dy * dy > (radius + other.radius).pow(2)
            };
            if islands.iter().all(is_apart) {
                islands.push(Island { middle, radius });
                break;
            }
        }
    }
    islands
}
