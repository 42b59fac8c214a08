//! The same worlds on every machine and in every version: hashes in `golden.txt`.
//!
//! A change that is meant raises the version of the kind and writes the list anew:
//! `WAYFARE_BLESS=1 cargo test -p wayfare-generate --test golden`. Rows of earlier versions, which
//! no code makes any more, stay in `golden-retired.txt`, so that no version ever names two worlds.

use std::fmt::Write as _;
use std::path::Path;

use wayfare_generate::{
    Arrangement, Kinds, Lineup, Manager, QuerySpread, Seed, Settings, WorldDraft, generate,
};

/// FNV-1a.
fn hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let fold = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    bytes.into_iter().fold(0xCBF2_9CE4_8422_2325, fold)
}

/// Keeps the rows of versions that are no more. A world that changed within its version is refused.
fn retire(before: &str, now: &str, retired: &Path) {
    let mut kept = std::fs::read_to_string(retired).unwrap();
    let is_world = |row: &&str| {
        let version = row.split(' ').nth(1).and_then(|word| word.strip_prefix('v'));
        version.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    for row in before.lines().filter(is_world) {
        let (world, _) = row.rsplit_once(' ').unwrap();
        let same = now.lines().find(|other| other.starts_with(&format!("{world} ")));
        assert!(same.is_none_or(|other| other == row), "{world} changed: raise the version");
        if same.is_none() {
            kept.push_str(row);
            kept.push('\n');
        }
    }
    std::fs::write(retired, kept).unwrap();
}

fn draft_hash(draft: &WorldDraft) -> u64 {
    // The derived text has every field.
    hash(format!("{draft:?}").into_bytes())
}

#[test]
fn worlds_are_what_they_were() {
    let kinds = Kinds::standard();
    let mut dice = Seed(1).dice();
    let numbers: Vec<String> = (0..8).map(|_| dice.below(1_000_000).to_string()).collect();
    let mut list = format!("dice {} child {}\n", numbers.join(" "), Seed(1).child("a", 2).0);
    for kind in kinds.iter() {
        for seed in 0..4 {
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
    let retired = file.with_file_name("golden-retired.txt");
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        retire(&std::fs::read_to_string(&file).unwrap(), &list, &retired);
        std::fs::write(&file, &list).unwrap();
    }
    for row in std::fs::read_to_string(&retired).unwrap().lines() {
        let (world, _) = row.rsplit_once(' ').unwrap();
        let name = format!("{world} ");
        assert!(!list.lines().any(|row| row.starts_with(&name)), "{world} was another world once");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), list, "see the head of this file");
}

#[test]
fn threads_change_nothing() {
    let kinds = Kinds::standard();
    let lineup = Lineup { count: 4, seed: Seed(8), ..Lineup::default() };
    let alone: Vec<_> = (0..4).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
    let (kinds, lineup) = (&kinds, &lineup);
    let together = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|number| scope.spawn(move || lineup.generate(number, kinds).unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(alone, together);
}
