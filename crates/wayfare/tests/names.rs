//! House rules of the source: no two public types of a crate have the same name, and comments fit
//! into 100 columns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Crates and the names that stand for two types in them. The list may only become shorter.
const EXCEPTIONS: [(&str, &str); 0] = [];

/// The source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The name that a line declares, if it declares a public type at the level of its module.
fn declared(line: &str) -> Option<&str> {
    let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "type", "union"].contains(&kind);
    is_type.then(|| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())?
}

#[test]
fn a_line_declares_a_public_type_or_none() {
    assert_eq!(declared("pub struct Grid<C = u32> {"), Some("Grid"));
    assert_eq!(declared("pub type PathOf<S> = Path<S>;"), Some("PathOf"));
    for line in
        ["    pub struct Inner;", "pub(crate) enum Private {", "pub fn grid() {", "// pub enum A"]
    {
        assert_eq!(declared(line), None);
    }
}

#[test]
fn no_public_type_has_the_name_of_another_in_its_crate() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut seen, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let mut files = Vec::new();
        if folder.join("src").is_dir() {
            sources(&folder.join("src"), &mut files);
        }
        files.sort_unstable();
        let name_of = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let krate = name_of(&folder);
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in &files {
            let text = std::fs::read_to_string(file).unwrap();
            for name in text.lines().filter_map(declared) {
                places.entry(name.to_owned()).or_default().push(file.display().to_string());
                seen += 1;
            }
        }
        for (name, places) in &places {
            let is_excepted = EXCEPTIONS.contains(&(&krate, name));
            match places.len() {
                1 if is_excepted => wrong.push(format!("{krate}: {name} is no exception any more")),
                1 => {}
                _ if is_excepted => {}
                _ => wrong.push(format!("{krate}: {name} in {}", places.join(" and "))),
            }
        }
    }
    assert!(seen > 200, "only {seen} types were seen: has the source moved?");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Comments of one file that are wider than 100 columns. Tables, link targets and examples may be.
fn wide_comments(text: &str) -> Vec<usize> {
    let (mut wide, mut in_example) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            in_example = false;
            continue;
        };
        let comment = comment.trim_start_matches(['/', '!']).trim_start();
        in_example ^= comment.starts_with("```");
        let may_be_wide = in_example || comment.starts_with(['|', '[']);
        if !may_be_wide && line.chars().count() > 100 {
            wide.push(number);
        }
    }
    wide
}

#[test]
fn comments_fit_into_100_columns() {
    let long = "x".repeat(100);
    let text = format!("// {long}\n/// | {long} |\n/// ```\n/// {long}\n/// ```\n    /// {long}\n");
    assert_eq!(wide_comments(&text), [1, 6]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["crates", "bench"] {
        sources(&root.join(folder), &mut files);
    }
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        wrong.extend(wide_comments(&text).iter().map(|line| format!("{}:{line}", file.display())));
    }
    assert!(wrong.is_empty(), "wider than 100 columns:\n{}", wrong.join("\n"));
}
