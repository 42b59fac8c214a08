//! Golden hashes of searches on the shipped worlds: `testdata/traces.txt` holds them, this test
//! compares them, and the test of `bindings/web` computes them in WebAssembly.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use wayfare::search::{AlgorithmId, NamedAlgorithm, Progress};
use wayfare_site::{EndpointTexts, OpenOptions, SearchRequest, choose_ends, open, trace_hash};

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

fn hashes() -> String {
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

/// After a change of behaviour that is meant, `WAYFARE_BLESS=1` writes the file anew.
#[test]
fn searches_on_the_shipped_worlds_do_what_they_did() {
    let file = root().join("testdata/traces.txt");
    let now = hashes();
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        std::fs::write(&file, &now).expect("the file can be written");
    }
    let known = std::fs::read_to_string(&file).expect("testdata/traces.txt");
    let changed: Vec<&str> =
        now.lines().filter(|line| !known.lines().any(|old| old == *line)).collect();
    assert!(
        changed.is_empty() && now.lines().count() == known.lines().count(),
        "these hashes are not those of testdata/traces.txt; where the change is meant, write them \
         anew (WAYFARE_BLESS=1) and say why in the commit:\n{}",
        changed.join("\n")
    );
}
