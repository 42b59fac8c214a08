//! Regions by runs, against a flood.

use wayfare_generate::inside::runs::Runs;
use wayfare_generate::{Ground, Seed, TileDraft};

#[test]
fn regions_are_those_of_a_flood() {
    for seed in 0..300 {
        let mut dice = Seed(seed).dice();
        let (width, height) = (dice.between(1, 20), dice.between(1, 20));
        let mut draft = TileDraft::new(width, height, Ground::Wall);
        for tile in draft.tiles_mut() {
            if dice.happens(0.55) {
                *tile = Ground::Floor;
            }
        }
        let (labels, sizes) = wayfare_generate::inside::tools::regions(&draft);
        let mut runs = Runs::of(&draft);
        assert_eq!(runs.regions(), sizes.len());
        let at = |tile: usize| draft.position(tile);
        for (tile, label) in labels.iter().enumerate() {
            let region = runs.region(at(tile).x, at(tile).y);
            assert_eq!(region.is_some(), label.is_some());
            for (other, known) in labels.iter().enumerate().filter(|(_, known)| known.is_some()) {
                let same = runs.region(at(other).x, at(other).y) == region;
                assert_eq!(same, known == label, "seed {seed}");
            }
        }
    }
}
