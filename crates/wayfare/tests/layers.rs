//! Modules import only downwards where Cargo cannot see it: within a crate.

use std::path::{Path, PathBuf};

/// The modules of the crates that have more than one storey; each uses only itself and those before
/// it.
const LAYERS: [(&str, &[&str]); 4] = [
    (
        "wayfare-core",
        &[
            "ops", "hash", "plane", "explain", "space", "walls", "path", "trace", "search", "link",
            "navigate",
        ],
    ),
    ("wayfare-grid", &["geometry", "grid", "waypoint", "explain", "grid_end"]),
    ("wayfare-index", &["index", "hierarchy", "engines"]),
    ("wayfare-sim", &["plan", "agent", "simulation"]),
];

/// The modules of a simulation that know only a part of it; each uses only itself and those before
/// it. The modules above them see all parts.
const PARTS: [&str; 18] = [
    "environment",
    "avoidance",
    "settings",
    "group_spec",
    "faults",
    "obstacle",
    "command",
    "event",
    "sorted_map",
    "clock",
    "schedule",
    "roster",
    "ground",
    "service",
    "traffic",
    "puzzles",
    "errands",
    "movement",
];

/// Modules that only name others, or instantiate their code.
const NAMES: [&str; 4] = ["lib", "inside", "instances", "expert"];

/// The modules of the grid that its accelerators may use: tables of cells and moves, and the report
/// of an edit. No space and no search.
const BELOW_ACCELERATORS: [&str; 5] = ["accelerators", "edit", "layout", "moves", "profile"];

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// The modules that the code below a folder, or in a file, names after `prefix`, each with its
/// file.
fn imports(path: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            imports(&entry.unwrap().path(), prefix, found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            // What a macro names after `$` is resolved where the macro is used.
            let line = line.replace(&format!("${prefix}"), "");
            for used in line.split(prefix).skip(1) {
                let module: String =
                    used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.push((path.display().to_string(), module));
            }
        }
    }
}

#[test]
fn modules_import_only_from_those_before_them() {
    let mut checked = 0;
    for (name, layers) in LAYERS {
        for (rank, layer) in layers.iter().enumerate() {
            let mut found = Vec::new();
            let (folder, file) =
                (source(name).join(layer), source(name).join(layer).with_extension("rs"));
            assert!(folder.is_dir() != file.is_file(), "{name} has no module {layer}");
            imports(if folder.is_dir() { &folder } else { &file }, "crate::", &mut found);
            // Macros lie at the root, whatever module they are written in.
            for (file, module) in found.into_iter().filter(|(_, module)| module != "state_id") {
                let Some(used) = layers.iter().position(|known| *known == module) else {
                    panic!("{file} imports crate::{module}, no layer of {layers:?}");
                };
                assert!(used <= rank, "{file} is in {layer} and imports crate::{module} above it");
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "only {checked} imports were seen: has the source moved?");
}

#[test]
fn every_module_is_a_layer() {
    for (name, layers) in LAYERS {
        for entry in std::fs::read_dir(source(name)).unwrap() {
            let path = entry.unwrap().path();
            let module = path.file_stem().unwrap().to_str().unwrap();
            let is_known = layers.contains(&module) || NAMES.contains(&module);
            assert!(is_known, "the module {module} of {name} is no layer of this test");
        }
    }
}

#[test]
fn parts_of_a_simulation_import_only_from_those_before_them() {
    let mut checked = 0;
    let simulation = source("wayfare-sim").join("simulation");
    for (rank, part) in PARTS.iter().enumerate() {
        let mut found = Vec::new();
        let (folder, file) = (simulation.join(part), simulation.join(part).with_extension("rs"));
        assert!(folder.is_dir() != file.is_file(), "a simulation has no module {part}");
        imports(if folder.is_dir() { &folder } else { &file }, "crate::simulation::", &mut found);
        let head = if folder.is_dir() { folder.join("mod.rs") } else { file };
        imports(&head, " super::", &mut found);
        // Types that the simulation re-exports have capital letters; braces begin a list of them.
        for (file, module) in found {
            if module.starts_with(|c: char| c.is_ascii_lowercase()) {
                let used = PARTS.iter().position(|known| *known == module);
                assert!(used <= Some(rank), "{file} is in {part} and imports {module} above it");
                assert!(used.is_some(), "{file} is in {part} and imports {module}, which sees all");
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "only {checked} imports were seen: has the source moved?");
}

#[test]
fn accelerators_do_not_know_the_spaces_that_use_them() {
    let mut found = Vec::new();
    imports(&source("wayfare-grid").join("grid/accelerators"), "crate::grid::", &mut found);
    // Types that the grid re-exports have capital letters; braces begin a list of them.
    let is_module = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
    found.retain(|(_, name)| is_module(name));
    assert!(found.len() > 10, "only {} imports were seen: has the source moved?", found.len());
    for (file, module) in found {
        let is_below = BELOW_ACCELERATORS.contains(&module.as_str());
        assert!(is_below, "{file} imports grid::{module}");
    }
}
