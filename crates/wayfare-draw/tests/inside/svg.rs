//! Tiles and numbers in SVG.

use std::collections::BTreeMap;

use glam::Vec2;
use wayfare_draw::inside::svg::{merge, short};
use wayfare_draw::{Colour, Tiles};

const A: Colour = Colour::hex(0x112233);
const B: Colour = Colour::hex(0x445566);

fn lattice(columns: u32, colours: Vec<Colour>) -> Tiles {
    Tiles { corner: Vec2::ZERO, side: 2, columns, inset: 0, colours }
}

#[test]
fn equal_cells_become_one_rectangle() {
    let merged = merge(&lattice(3, vec![A, A, B, A, A, Colour::CLEAR]));
    let expected = BTreeMap::from([(A, vec![[0, 0, 2, 2]]), (B, vec![[2, 0, 1, 1]])]);
    assert_eq!(merged, Some(expected));
}

#[test]
fn every_cell_is_covered_once() {
    let colours: Vec<Colour> = (0..400u32).map(|n| if n * 7919 % 5 < 3 { A } else { B }).collect();
    let merged = merge(&lattice(20, colours.clone())).unwrap_or_default();
    let mut covered = vec![None; 400];
    for (colour, rectangles) in merged {
        for [column, row, width, height] in rectangles {
            for cell in
                (row..row + height).flat_map(|y| (column..column + width).map(move |x| y * 20 + x))
            {
                assert_eq!(covered[cell as usize].replace(colour), None);
            }
        }
    }
    assert!(covered.into_iter().eq(colours.into_iter().map(Some)));
}

#[test]
fn numbers_are_short() {
    assert_eq!(short(-0.001), "0");
    assert_eq!(short(12.5), "12.5");
    assert_eq!(short(100.0), "100");
}
