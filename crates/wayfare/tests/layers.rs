//! Layers import only downwards: modules of the engine, the accelerators within the grid, and
//! crates.

use std::path::{Path, PathBuf};

/// The modules of the engine; each uses only itself and those before it.
const LAYERS: [&str; 19] = [
    "ops",
    "hash",
    "plane",
    "geometry",
    "space",
    "path",
    "trace",
    "search",
    "index",
    "hierarchy",
    "explain",
    "link",
    "puzzle",
    "navigate",
    "plan",
    "crowd",
    "agent",
    "simulation",
    "expert",
];

/// The modules of the grid that its accelerators may use: tables of cells and moves, and the report
/// of an edit, which says what they mended. No space and no search.
const BELOW_ACCELERATORS: [&str; 6] =
    ["accelerators", "edit", "layout", "moves", "profile", "terrain"];

/// The crates; each depends only on those before it.
const CRATES: [&str; 12] = [
    "wayfare-file",
    "wayfare",
    "wayfare-bake",
    "wayfare-mapf",
    "wayfare-measure",
    "wayfare-searches",
    "wayfare-formats",
    "wayfare-scene",
    "wayfare-generate",
    "wayfare-draw",
    "wayfare-site",
    "wayfare-cli",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The modules that the code below a folder, or in a file, names after `prefix`, each with its
/// file.
fn imports(path: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            imports(&entry.unwrap().path(), prefix, found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        if path.ends_with("tests.rs") {
            return; // tests may look at everything
        }
        let text = std::fs::read_to_string(path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
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
    let source = source();
    let mut checked = 0;
    for (rank, layer) in LAYERS.iter().enumerate() {
        let mut found = Vec::new();
        let (folder, file) = (source.join(layer), source.join(layer).with_extension("rs"));
        assert!(folder.is_dir() != file.is_file(), "there is no module {layer}");
        imports(if folder.is_dir() { &folder } else { &file }, "crate::", &mut found);
        for (file, module) in found {
            let Some(used) = LAYERS.iter().position(|known| *known == module) else {
                panic!("{file} imports crate::{module}, which is not among the layers {LAYERS:?}");
            };
            assert!(
                used <= rank,
                "{file} is in layer {layer} and imports crate::{module}, a layer above it"
            );
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} imports were seen: has the source moved?");
}

#[test]
fn every_module_of_the_engine_is_a_layer() {
    let text = std::fs::read_to_string(source().join("lib.rs")).unwrap();
    let modules = text.lines().filter_map(|line| {
        let name = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "))?;
        name.strip_suffix(';')
    });
    let mut modules: Vec<&str> = modules.collect();
    let mut layers = LAYERS.to_vec();
    modules.sort_unstable();
    layers.sort_unstable();
    assert_eq!(modules, layers, "the modules of lib.rs and the layers of this test differ");
}

#[test]
fn accelerators_do_not_know_the_spaces_that_use_them() {
    let mut found = Vec::new();
    imports(&source().join("space/grid/accelerators"), "crate::space::grid::", &mut found);
    // Types that the grid re-exports have capital letters; braces begin a list of them.
    let is_module = |name: &str| name.starts_with(|c: char| c.is_ascii_lowercase());
    found.retain(|(_, name)| is_module(name));
    assert!(found.len() > 10, "only {} imports were seen: has the source moved?", found.len());
    for (file, module) in found {
        let is_below = BELOW_ACCELERATORS.contains(&module.as_str());
        assert!(is_below, "{file} imports space::grid::{module}");
    }
}

#[test]
fn crates_depend_only_on_those_before_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut members: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let mut known = CRATES.to_vec();
    members.sort_unstable();
    known.sort_unstable();
    assert_eq!(members, known, "the crates and the list of this test differ");
    let mut checked = 0;
    for (rank, name) in CRATES.iter().enumerate() {
        let text = std::fs::read_to_string(folder.join(name).join("Cargo.toml")).unwrap();
        let mut is_dependency = false;
        for line in text.lines() {
            if let Some(section) = line.strip_prefix('[') {
                // Tests may use any crate.
                is_dependency = section.contains("dependencies") && !section.contains("dev-");
            } else if is_dependency && line.starts_with("wayfare") {
                let used: String =
                    line.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
                let used_rank = CRATES.iter().position(|known| *known == used);
                assert!(used_rank.is_some_and(|used| used < rank), "{name} depends on {used}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 10, "only {checked} dependencies between crates were seen");
}
