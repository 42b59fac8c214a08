//! Whatever the bytes, a reader answers: no panic, no memory beyond what the bytes back.

use std::path::Path;

use proptest::prelude::*;
use wayfare_world::{ascii, generate, movingai_map, movingai_scen, obj, png, scene, tiled};

/// Feeds every reader; the results do not matter, that they come does.
fn read_all(bytes: &[u8]) {
    let _ = movingai_map::read(bytes, "x");
    let _ = movingai_scen::read(bytes);
    let _ = ascii::read(bytes, "x");
    let _ = obj::read(bytes);
    let _ = png::read(bytes, "x", &png::Legend::default());
    let _ = png::Legend::read(bytes);
    let _ = scene::read(bytes);
    let _ = tiled::read_tmj(bytes, "x", Path::new("nowhere"));
    let _ = tiled::read_tmx(bytes, "x", Path::new("nowhere"));
}

/// One sound file of each format.
fn samples() -> Vec<Vec<u8>> {
    let map = ascii::read(
        b"legend\n. a\n# b walkable=false color=#000000\n: c penalty=2 color=#804020\nS start on a\nmap\nS.#\n:..\n",
        "x",
    )
    .expect("sound");
    let plain = generate::noise(9, 7, 0.3, 1).expect("in range");
    vec![
        movingai_map::write(&plain).expect("its terrains"),
        b"version 1\n0\tm.map\t9\t7\t0\t0\t8\t6\t9.5\n3 m.map 9 7 1 1 2 2 1.4\n".to_vec(),
        ascii::write(&map).expect("its glyphs").into_bytes(),
        b"# mesh\nv 0 0 0\nv 1 0 0.5 1\nv 0 1e3 0\nv 1 1 1\nf 1 2/3 3//1 -1\n".to_vec(),
        png::write(&map).map(|(bytes, _)| bytes).expect("its colours"),
        include_bytes!("../../../worlds/obstacles.toml").to_vec(),
        tiled::write_tmj(&map).expect("json").into_bytes(),
        include_bytes!("data/decorated.tmx").to_vec(),
        include_bytes!("data/endless.tmx").to_vec(),
    ]
}

/// A change to a file: overwrite, insert, remove or double a piece, or claim a huge number.
#[derive(Debug, Clone)]
enum Change {
    Overwrite(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
    Double(prop::sample::Index, usize),
    Huge(prop::sample::Index),
    Cut(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Overwrite(at, byte)),
        (at(), prop::collection::vec(any::<u8>(), 1..6))
            .prop_map(|(at, new)| Change::Insert(at, new)),
        (at(), 1usize..20).prop_map(|(at, length)| Change::Remove(at, length)),
        (at(), 1usize..40).prop_map(|(at, length)| Change::Double(at, length)),
        at().prop_map(Change::Huge),
        at().prop_map(Change::Cut),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    if bytes.is_empty() {
        return;
    }
    let piece = |at: usize, length: usize, end: usize| at..(at + length).min(end);
    let end = bytes.len();
    match change {
        Change::Overwrite(at, byte) => bytes[at.index(end)] = *byte,
        Change::Insert(at, new) => {
            let at = at.index(end);
            bytes.splice(at..at, new.iter().copied());
        }
        Change::Remove(at, length) => {
            bytes.drain(piece(at.index(end), *length, end));
        }
        Change::Double(at, length) => {
            let piece = piece(at.index(end), *length, end);
            let copy = bytes[piece.clone()].to_vec();
            bytes.splice(piece.start..piece.start, copy);
        }
        Change::Huge(at) => {
            // The digits at or after the place become the largest u32.
            let from = at.index(end);
            if let Some(digit) = bytes[from..].iter().position(u8::is_ascii_digit) {
                let start = from + digit;
                let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                bytes.splice(start..start + length, *b"4294967295");
            }
        }
        Change::Cut(at) => bytes.truncate(at.index(end)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    #[test]
    fn random_text_does_no_harm(text in "[ -~\n\t\r.#@\\[\\]{}=\"<>/]{0,300}") {
        read_all(text.as_bytes());
    }

    #[test]
    fn damaged_files_do_no_harm(
        sample in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..5),
    ) {
        let samples = samples();
        let mut bytes = samples[sample.index(samples.len())].clone();
        for change in &changes {
            apply(&mut bytes, change);
        }
        read_all(&bytes);
    }
}
