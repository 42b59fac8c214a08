//! Documents stay short and true: the length of ARCHITECTURE.md, and the places that it names.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn architecture() -> String {
    std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap()
}

/// The names of the entries of a folder, sorted; folders end in a slash.
fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let name = |entry: std::fs::DirEntry| {
        let slash = if entry.path().is_dir() { "/" } else { "" };
        format!("{}{slash}", entry.file_name().to_string_lossy())
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort_unstable();
    names
}

/// The texts between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn architecture_has_at_most_1500_words() {
    let words = architecture().split_whitespace().count();
    assert!(words <= 1500, "ARCHITECTURE.md has {words} words, as `wc -w` counts them");
}

#[test]
fn architecture_names_every_crate_and_the_folders_of_the_engine() {
    let text = architecture();
    let (_, places) = text.split_once("## What is where").unwrap();
    let named: Vec<&str> = places.split_whitespace().collect();
    let crates = root().join("crates");
    let mut missing: Vec<String> = entries(&crates);
    for name in ["core", "grid", "index", "sim"] {
        let modules = entries(&crates.join(format!("wayfare-{name}/src"))).into_iter();
        missing.extend(modules.filter(|one| one.ends_with('/')));
    }
    assert!(missing.len() > 20, "the source has moved: {missing:?}");
    missing.retain(|place| !named.contains(&place.as_str()));
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}");
}

/// A check is a test of a crate of the engine, with a file or a folder of its name, or a path from
/// the root or from `crates`.
#[test]
fn architecture_names_checks_that_exist() {
    let text = architecture();
    let (_, promises) = text.split_once("| promise | check |").unwrap();
    let (root, mut seen) = (root(), 0);
    for row in promises.lines().filter(|line| line.starts_with("| ")) {
        let (_, check) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        for name in quoted(check).filter(|name| !name.contains(' ') && *name != "Audit") {
            let crates = root.join("crates");
            let mut places = vec![crates.join(name), root.join(name)];
            for entry in entries(&crates) {
                let tests = crates.join(entry).join("tests");
                places.extend([tests.join(format!("{name}.rs")), tests.join(name).join("main.rs")]);
            }
            assert!(places.iter().any(|place| place.exists()), "there is no {name}: {row}");
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} checks were seen");
}

#[test]
fn every_term_of_the_glossary_is_named_once() {
    let text = architecture();
    let (_, glossary) = text.split_once("| term | meaning |").unwrap();
    let (glossary, _) = glossary.split_once("\n## ").unwrap();
    let mut terms: Vec<&str> = glossary.split("**").skip(1).step_by(2).collect();
    assert!(terms.len() > 30, "{terms:?}");
    terms.sort_unstable();
    let twice = terms.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None);
}

#[test]
fn decisions_are_listed_once_and_numbered_without_gaps() {
    let folder = root().join("docs/decisions");
    let list = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut numbers = Vec::new();
    for name in entries(&folder).iter().filter(|name| *name != "README.md") {
        assert_eq!(list.matches(&format!("({name})")).count(), 1, "{name} in the list");
        numbers.push(name.split('-').next().and_then(|number| number.parse::<usize>().ok()));
    }
    assert!(numbers.len() > 40, "only {} decisions", numbers.len());
    assert!(numbers.iter().copied().eq((1..=numbers.len()).map(Some)), "{numbers:?}");
}
