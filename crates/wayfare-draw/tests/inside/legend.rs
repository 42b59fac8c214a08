//! Legends: which entries, and whether they fit.

use wayfare_draw::Colour;
use wayfare_draw::inside::legend::{Entry, MOST_LINES, lines, terrains};

const GREY: Colour = Colour::hex(0x888888);

fn texts(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(Entry::text).collect()
}

#[test]
fn the_states_of_a_block_are_one_entry() {
    let names = ["stairs[facing=east]", "stairs[facing=west]", "minecraft:oak_log", "mud", "mud"];
    let colours = [GREY, Colour::hex(0x999999), GREY, GREY, Colour::hex(0x553311)];
    let entries = terrains(names.map(str::to_owned).into_iter().zip(colours));
    assert_eq!(texts(&entries), ["stairs", "oak log", "mud", "mud"]);
}

#[test]
fn a_legend_stays_within_the_picture() {
    let long = "x".repeat(500);
    let names = (0..200).map(|number| format!("{number} {}", &long[..number * 2]));
    let entries = names.map(|name| Entry::Terrain(name, GREY)).collect();
    let lines = lines(entries, 300.0);
    assert_eq!(lines.len(), MOST_LINES);
    for (x, entry) in lines.iter().flatten() {
        assert!(x + entry.width() <= 300.0, "{}", entry.text());
    }
    let shown = lines.iter().flatten().count() - 1;
    let last = lines.last().and_then(|line| line.last()).map(|(_, entry)| entry.text());
    assert_eq!(last, Some(format!("and {} more", 200 - shown).as_str()));
}
