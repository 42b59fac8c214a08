//! The same worlds on every machine and in every version: hashes in `golden.txt`.
//!
//! A change that is meant raises the version of the kind and writes the list anew:
//! `WAYFARE_BLESS=1 cargo test -p wayfare-generate --test golden`. From the first release on, the
//! old rules stay as `Scenario::earlier`, with hashes of their own.

use std::fmt::Write as _;
use std::path::Path;

use wayfare_generate::{
    Arrangement, Kinds, Lineup, Manager, QuerySpread, Seed, Settings, WorldDraft, generate,
};
use wayfare_scene::scene;

/// Enough for each variation of a kind: platforms with a timetable begin with seed 5.
const SEEDS: std::ops::Range<u64> = 0..6;

/// FNV-1a.
fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, fold)
}

/// Refuses a world that changed within its version.
fn check_versions(before: &str, now: &str) {
    let is_world = |row: &&str| {
        let version = row.split(' ').nth(1).and_then(|word| word.strip_prefix('v'));
        version.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    for row in before.lines().filter(is_world) {
        let (world, _) = row.rsplit_once(' ').unwrap();
        let same = now.lines().find(|other| other.starts_with(&format!("{world} ")));
        assert!(same.is_none_or(|other| other == row), "{world} changed: raise the version");
    }
}

fn draft_hash(draft: &WorldDraft) -> u64 {
    let text = match draft {
        // As a file: keys that the format gains later are not in it.
        WorldDraft::Sampled(sampled) => scene::write(&sampled.scene).unwrap(),
        // The derived text has every field. One that came later is left out where it changes
        // nothing.
        draft => format!("{draft:?}").replace(" times: None,", ""),
    };
    hash(text.into_bytes())
}

#[test]
fn worlds_are_what_they_were() {
    let kinds = Kinds::standard();
    let mut dice = Seed(1).dice();
    let numbers: Vec<String> = (0..8).map(|_| dice.below(1_000_000).to_string()).collect();
    let mut list = format!("dice {} child {}\n", numbers.join(" "), Seed(1).child("a", 2).0);
    for kind in kinds.iter() {
        for seed in SEEDS {
            let world = generate(kind, &Settings::default(), Seed(seed)).unwrap();
            let (name, version) = (kind.name(), kind.version());
            writeln!(list, "{name} v{version} {seed} {:016x}", draft_hash(&world.draft)).unwrap();
        }
    }
    for kind in ["caves", "voxel-village"] {
        let world = generate(kinds.get(kind).unwrap(), &Settings::default(), Seed(0)).unwrap();
        let queries = world.queries("a", 40, QuerySpread::Lengths).unwrap();
        writeln!(list, "queries {kind} {:016x}", hash(format!("{queries:?}").into_bytes()))
            .unwrap();
    }
    let lineup = Lineup { count: 5, seed: Seed(3), ..Lineup::default() };
    let worlds: Vec<_> = (0..5).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
    let row = Arrangement::new(&worlds, &lineup).unwrap();
    writeln!(list, "row of 5 {:016x}", hash(format!("{:?}", row.scene).into_bytes())).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        check_versions(&std::fs::read_to_string(&file).unwrap(), &list);
        std::fs::write(&file, &list).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), list, "see the head of this file");
}

/// Settings know the parameters and the versions of their kind.
#[test]
fn settings_are_those_of_a_version() {
    let kinds = Kinds::standard();
    let error = |text: &str| Settings::read(text, &kinds).unwrap_err().to_string();
    assert!(Settings::read("[city]\nversion = 2\nopen = 0.5\n", &kinds).is_ok());
    assert!(error("[city]\nyards = 0\n").starts_with("2:1: city has no parameter 'yards'"));
    assert_eq!(error("[city]\nversion = 7\n"), "2:11: city has no version 7; it has 2");
    assert_eq!(error("[maze]\nversion = 'x'\n"), "2:11: maze.version is a whole number from 1");
    assert_eq!(error("[all]\nversion = 1\n"), "2:1: no kind has a parameter 'version'");
}
