//! Layers import only downwards: a module of the engine uses only those that come before it in this list.

use std::path::Path;

const LAYERS: [&str; 15] = [
    "ops",
    "hash",
    "geometry",
    "space",
    "path",
    "trace",
    "search",
    "index",
    "hierarchy",
    "explain",
    "link",
    "navigate",
    "plan",
    "agent",
    "simulation",
];

fn imports(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            imports(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            if path.ends_with("tests.rs") {
                continue; // tests may look at everything
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                for used in line.split("crate::").skip(1) {
                    let module: String =
                        used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    found.push((path.display().to_string(), module));
                }
            }
        }
    }
}

#[test]
fn modules_import_only_from_those_before_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for (rank, layer) in LAYERS.iter().enumerate() {
        let mut found = Vec::new();
        let folder = source.join(layer);
        if folder.is_dir() {
            imports(&folder, &mut found);
        }
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
