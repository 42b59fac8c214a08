//! House rules of the source: no two public types of a crate have the same name, public functions
//! return no tuples, types that users meet have examples, and comments fit into 100 columns.

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

/// Public functions of the engine that return a tuple, or an iterator of tuples, by their files.
/// The list may only become shorter.
const TUPLES: [&str; 8] = [
    "agent/decide.rs: ",
    "crowd/solver.rs: agents",
    "link/danger.rs: iter",
    "search/jps.rs: ",
    "search/nodes.rs: reached",
    "space/navmesh/draft.rs: polygons",
    "space/navmesh/live/live_mesh.rs: carvings",
    "space/navmesh/space.rs: count_islands",
];

/// The name of a public function whose signature ends in that line and returns tuples; empty if
/// the name stands in an earlier line.
fn returns_tuple(line: &str) -> Option<&str> {
    let (head, back) = line.split_once("-> ")?;
    let head = head.trim_start();
    let is_tuple = back.starts_with('(') && !back.starts_with("()") || back.contains("Item = (");
    let name = match head.strip_prefix("pub fn ") {
        Some(rest) => rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?,
        None if head == ") " => "",
        None => return None,
    };
    is_tuple.then_some(name)
}

#[test]
fn no_public_function_returns_a_tuple() {
    assert_eq!(
        returns_tuple("    pub fn iter(&self) -> impl Iterator<Item = (A, B)> {"),
        Some("iter")
    );
    assert_eq!(returns_tuple("pub fn one() -> (A, B) {"), Some("one"));
    assert_eq!(returns_tuple("    ) -> (A, B) {"), Some(""));
    for line in
        ["    fn inner() -> (A, B) {", "pub fn none() -> Option<A> {", "pub fn at(a: (A, B)) {"]
    {
        assert_eq!(returns_tuple(line), None);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort_unstable();
    let mut found = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let mut is_public = false;
        for line in text.lines() {
            if line.trim_start().starts_with("fn ") || line.trim_start().starts_with("pub") {
                is_public = line.trim_start().starts_with("pub fn ");
            }
            found.extend(
                returns_tuple(line).filter(|_| is_public).map(|it| format!("{name}: {it}")),
            );
        }
    }
    found.dedup();
    assert_eq!(found, TUPLES);
}

/// Types that users of simulations and meshes meet; each has an example.
const WITH_EXAMPLES: [(&str, &[&str]); 13] = [
    ("agent/behaviour.rs", &["Order"]),
    ("geometry/obstacles.rs", &["KnownObstacle"]),
    ("link/nav_links.rs", &["KnownLink", "NavLinks"]),
    ("path/mesh_path.rs", &["MeshPath"]),
    ("plan/request.rs", &["Request"]),
    ("search/polyanya/corridor.rs", &["Corridor"]),
    ("search/polyanya/query.rs", &["MeshQuery"]),
    ("search/polyanya/scratch.rs", &["MeshScratch"]),
    ("simulation/audit.rs", &["Audit"]),
    ("simulation/event.rs", &["TickEvents"]),
    ("simulation/settings.rs", &["SimulationSettings", "AgentSpec"]),
    ("simulation/view.rs", &["AgentView", "LinkView"]),
    ("trace/mesh.rs", &["MeshTrace"]),
];

#[test]
fn types_that_users_meet_have_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (file, types) in WITH_EXAMPLES {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for name in types {
            let is_it = |line: &&str| declared(line) == Some(name);
            let at = lines.iter().position(is_it).unwrap_or_else(|| panic!("{file}: {name}"));
            let before = lines[..at].iter().rev();
            let mut docs =
                before.take_while(|line| line.starts_with("///") || line.starts_with('#'));
            assert!(docs.any(|line| line.contains("```")), "{file}: {name} has no example");
        }
    }
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
