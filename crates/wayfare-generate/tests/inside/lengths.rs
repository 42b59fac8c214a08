//! Shortest lengths in a box, against Bellman and Ford.

use wayfare_generate::Seed;
use wayfare_generate::inside::lengths::{FAR, FreeBox, length_of};

/// By Bellman and Ford: all moves again and again, by the rule as it is written.
fn slowly(size: [u32; 3], free: &[bool], from: [u32; 3]) -> Vec<f64> {
    let index = |[x, y, z]: [u32; 3]| ((y * size[2] + z) * size[0] + x) as usize;
    let places: Vec<[u32; 3]> = (0..size[1])
        .flat_map(|y| (0..size[2]).map(move |z| (y, z)))
        .flat_map(|(y, z)| (0..size[0]).map(move |x| [x, y, z]))
        .collect();
    let mut lengths = vec![f64::INFINITY; free.len()];
    lengths[index(from)] = 0.0;
    loop {
        let before = lengths.clone();
        for a in &places {
            for b in &places {
                let apart = [0, 1, 2].map(|axis| a[axis].abs_diff(b[axis]));
                if apart.iter().any(|by| *by > 1) || a == b {
                    continue;
                }
                let is_in_box = |place: &&[u32; 3]| {
                    (0..3).all(|axis| place[axis] == a[axis] || place[axis] == b[axis])
                };
                let is_allowed = places.iter().filter(is_in_box).all(|at| free[index(*at)]);
                let length = f64::from(apart.iter().sum::<u32>()).sqrt();
                if is_allowed {
                    let by = lengths[index(*a)] + length;
                    lengths[index(*b)] = lengths[index(*b)].min(by);
                }
            }
        }
        if lengths == before {
            return lengths;
        }
    }
}

#[test]
fn lengths_are_the_shortest() {
    for seed in 0..60 {
        let mut dice = Seed(seed).dice();
        let layers = dice.between(1, 3);
        let size = [dice.between(1, 6), layers, dice.between(1, 6)];
        let free: Vec<bool> =
            (0..size.iter().product::<u32>()).map(|_| dice.happens(0.75)).collect();
        let index = |[x, y, z]: [u32; 3]| ((y * size[2] + z) * size[0] + x) as usize;
        let space = FreeBox::new(size, |at| free[index(at)]);
        let from = [0, 1, 2].map(|axis| dice.below(size[axis]));
        if !free[index(from)] {
            continue;
        }
        let lengths = space.lengths(space.place(from));
        let truth = slowly(size, &free, from);
        for (place, length) in truth.iter().enumerate() {
            let place = place as u32;
            let (layer, inner) = (size[0] * size[2], place % (size[0] * size[2]));
            let at = [inner % size[0], place / layer, inner / size[0]];
            let found = space.place(at);
            assert_eq!(space.at(found), at);
            assert_eq!(lengths[found] == FAR, length.is_infinite(), "seed {seed}");
            if length.is_finite() {
                let by_moves = length_of(space.moves_to(found, &lengths));
                assert!((by_moves - length).abs() < 1e-9, "seed {seed}: {by_moves} {length}");
            }
        }
    }
}
