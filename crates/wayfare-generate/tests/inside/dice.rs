//! Ranges and shuffles.

use wayfare_generate::Seed;

#[test]
fn a_range_is_drawn_evenly_up_to_its_ends() {
    let mut dice = Seed(2).dice();
    let mut counts = [0; 5];
    for _ in 0..10_000 {
        counts[dice.between(3, 7) as usize - 3] += 1;
    }
    assert!(counts.iter().all(|count| (1850..2150).contains(count)), "{counts:?}");
    assert_eq!((dice.between(5, 5), dice.between(5, 2), dice.below(0)), (5, 5, 0));
    assert_eq!(dice.between(u32::MAX, u32::MAX), u32::MAX);
    dice.between(0, u32::MAX);
    assert!(!dice.happens(0.0) && dice.happens(1.0));
}

#[test]
fn shuffles_keep_all_items() {
    let mut items: Vec<u32> = (0..50).collect();
    Seed(3).dice().shuffle(&mut items);
    assert_ne!(items, (0..50).collect::<Vec<_>>());
    items.sort_unstable();
    assert_eq!(items, (0..50).collect::<Vec<_>>());
}
