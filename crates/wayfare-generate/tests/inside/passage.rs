//! The widths of passages, against searches.

use wayfare_core::search::{AStar, Query, solve};
use wayfare_generate::inside::passage::widest;
use wayfare_generate::{Ground, Opening, Seed, Statistic, TileDraft, TileScene};
use wayfare_grid::grid::GridProfile;

/// By the engine's search for a body of that width.
fn passes(scene: &TileScene, width: u8) -> bool {
    let map = scene.draft.to_map("test").unwrap();
    let profile = GridProfile { costs: map.cost_table(), width, ..GridProfile::default() };
    let grid = map.to_grid(profile).unwrap();
    let (left, right) = (u32::from(width - 1) / 2, u32::from(width) / 2);
    if scene.draft.width() <= right || scene.draft.height() <= right {
        return false;
    }
    let find = |x: u32, rows: std::ops::Range<u32>| {
        let mut cells = rows.filter_map(|row| grid.cell(x, row));
        cells.find(|cell| grid.space().is_free(*cell))
    };
    let start = find(left, scene.entry.rows());
    let goal = find(scene.draft.width() - 1 - right, scene.exit.rows());
    let Some((start, goal)) = start.zip(goal) else { return false };
    solve(&grid.space(), &AStar::new(), Query::new(start, goal)).outcome.is_found()
}

#[test]
fn the_engine_finds_the_same_widths() {
    let mut seen = [0; 10];
    for seed in 0..600 {
        let mut dice = Seed(seed).dice();
        let (width, height) = (dice.between(1, 24), dice.between(4, 24));
        let mut draft = TileDraft::new(width, height, Ground::Floor);
        let walls = dice.below(4) as f32 * 0.02;
        for tile in draft.tiles_mut() {
            if dice.happens(walls) {
                *tile = Ground::Wall;
            }
        }
        let mut opening = || Opening::new(dice.below(height / 2), dice.between(1, height / 2));
        let (entry, exit) = (opening(), opening());
        let scene = TileScene::new(draft, entry, exit);
        let widest = widest(&scene, 1);
        seen[usize::from(widest)] += 1;
        for width in 1..=Statistic::WIDEST {
            // Openings may let a wide body through where they stop a narrower one.
            let next = width == widest + 1;
            assert!(passes(&scene, width) || width > widest, "seed {seed}, width {width}");
            assert!(!(next && passes(&scene, width)), "seed {seed}, width {width}");
        }
    }
    assert!(seen.iter().filter(|count| **count > 0).count() > 6, "{seen:?}");
}
