//! Walks over drafts, against searches of their grids.

use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::{CostTable, TerrainCost};
use wayfare_formats::TilePosition;
use wayfare_generate::inside::walk::Walk;
use wayfare_generate::{Area, Ground, Seed, TileDraft};
use wayfare_grid::grid::{CornerRule, GridProfile, Neighbours};

/// Boulders, woods and sand.
fn wilderness(seed: u64) -> TileDraft {
    let mut dice = Seed(seed).dice();
    let (width, height) = (dice.between(1, 40), dice.between(1, 40));
    let mut draft = TileDraft::new(width, height, Ground::Floor);
    for at in Area::new(0, 0, width, height).tiles() {
        let grounds = [Ground::Wall, Ground::Woods, Ground::Sand, Ground::Floor];
        draft.set(at.x, at.y, *dice.pick(&grounds).unwrap());
    }
    draft
}

#[test]
fn ways_are_those_of_a_grid() {
    let mut found = 0;
    for seed in 0..400 {
        let draft = wilderness(seed);
        let price = |ground: Ground| match ground {
            Ground::Wall => (seed % 2 == 0).then_some(4.0),
            Ground::Sand => Some(1.3),
            Ground::Woods => Some(0.5),
            _ => Some(1.0),
        };
        let mut costs = CostTable::new();
        for ground in Ground::ALL {
            costs = match price(ground) {
                Some(factor) => costs.with(ground.terrain(), TerrainCost::multiplied(factor)),
                None => costs.without(ground.terrain()),
            };
        }
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            let corners = CornerRule::BothFree;
            let profile =
                GridProfile { neighbours, corners, costs: costs.clone(), ..Default::default() };
            let grid = draft.to_map("draft").unwrap().to_grid(profile).unwrap();
            let walk = Walk::new(&draft, neighbours, price);
            if walk.is_uniform() {
                continue;
            }
            assert!(!grid.space().is_uniform());
            let mut dice = Seed(seed).child("ends", 0).dice();
            let mut any =
                || TilePosition { x: dice.below(draft.width()), y: dice.below(draft.height()) };
            let (from, to) = (any(), any());
            let cell = |at: TilePosition| grid.cell(at.x, at.y).unwrap();
            let answer = solve(&grid.space(), &AStar::new(), Query::new(cell(from), cell(to)));
            let way = answer.outcome.path().map(|path| {
                let at = path.states().map(|cell| grid.coordinates(cell));
                at.map(|at| TilePosition { x: at.x, y: at.y }).collect::<Vec<_>>()
            });
            found += u32::from(way.as_ref().is_some_and(|way| way.len() > 3));
            assert_eq!(walk.cheapest(from, to).ok(), way, "seed {seed}");
        }
    }
    assert!(found > 300, "{found}");
}
