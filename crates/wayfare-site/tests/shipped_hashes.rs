//! Golden hashes of searches and simulations on the shipped worlds: `testdata/traces.txt` and
//! `testdata/simulations.txt` hold them, these tests compare them, and the test of `bindings/web`
//! computes them in WebAssembly.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use wayfare::search::{AlgorithmId, NamedAlgorithm, Progress};
use wayfare_site::{
    EndpointTexts, OpenOptions, SearchRequest, choose_ends, open, open_simulation, trace_hash,
};

/// Searches are stopped here: the hash of a part of a search is one, too.
const MOST_EXPANDED: u64 = 20_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The worlds of the list, each by itself readable without other files.
const WORLDS: [&str; 10] = [
    "cave.map",
    "city.map",
    "courtyard.obj",
    "floating-islands.voxels",
    "hills.toml",
    "maze.txt",
    "obstacles.toml",
    "village.tmj",
    "village.toml",
    "voxel-cave.voxels",
];

/// The scenes of the list, of every kind of world, and their ticks.
const SCENES: [(&str, u64); 12] = [
    ("adders.toml", 200),
    ("drawbridge.toml", 200),
    ("errands.toml", 200),
    ("footpaths.toml", 400),
    ("guards.toml", 400),
    ("house.toml", 400),
    ("market.toml", 500),
    ("roadworks.toml", 200),
    ("squad.toml", 500),
    ("square.toml", 100),
    ("voxel-errands.toml", 200),
    ("voxel-flock.toml", 200),
];

fn simulations() -> String {
    let mut lines = String::new();
    for (name, ticks) in SCENES {
        let path = root().join("worlds").join(name);
        let mut played = open_simulation(&path, None).expect("a shipped scene");
        for _ in 0..ticks {
            played.tick();
        }
        writeln!(lines, "{:016x} {name} {ticks}", played.hash()).expect("memory");
    }
    lines
}

fn searches() -> String {
    let mut lines = String::new();
    for name in WORLDS {
        let path = root().join("worlds").join(name);
        let site = open(&path, &OpenOptions::default()).expect("a shipped world");
        let ends = choose_ends(site.as_ref(), EndpointTexts::default()).expect("ends").ends;
        let states = usize::try_from(site.about().states).expect("a small world");
        for &id in AlgorithmId::ALL {
            if NamedAlgorithm::from(id).check(states).is_err() {
                continue;
            }
            let mut request = SearchRequest::new(id, ends);
            request.max_expansions = Some(MOST_EXPANDED);
            let mut session = site.session(&request);
            while session.step(1000) == Progress::Working {}
            let hash = trace_hash(session.events());
            writeln!(lines, "{hash:016x} {name} {id}").expect("memory");
        }
    }
    lines
}

/// Compares hashes with those of a file. After a change of behaviour that is meant,
/// `WAYFARE_BLESS=1` writes the file anew.
fn compare(file: &str, now: &str) {
    let path = root().join("testdata").join(file);
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        std::fs::write(&path, now).expect("the file can be written");
    }
    let known = std::fs::read_to_string(&path).expect(file);
    let changed: Vec<&str> =
        now.lines().filter(|line| !known.lines().any(|old| old == *line)).collect();
    assert!(
        changed.is_empty() && now.lines().count() == known.lines().count(),
        "these hashes are not those of testdata/{file}; where the change is meant, write them \
         anew (WAYFARE_BLESS=1) and say why in the commit:\n{}",
        changed.join("\n")
    );
}

#[test]
fn searches_on_the_shipped_worlds_do_what_they_did() {
    compare("traces.txt", &searches());
}

#[test]
fn shipped_scenes_play_as_they_did() {
    compare("simulations.txt", &simulations());
}
