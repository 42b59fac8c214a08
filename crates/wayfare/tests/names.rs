//! House rules of the source: no two public types of a crate have the same name, public functions
//! return no tuples, and types that users meet have examples.

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

/// The crates of the engine.
const ENGINE: [&str; 8] = ["core", "crowd", "grid", "index", "mesh", "puzzle", "sim", "voxel"];

/// The source files of a crate of the engine, sorted.
fn sources_of(name: &str) -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&crates.join(format!("wayfare-{name}/src")), &mut files);
    files.sort_unstable();
    files
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
    let mut found = Vec::new();
    for file in ENGINE.into_iter().flat_map(sources_of) {
        let name = file.display().to_string();
        let text = std::fs::read_to_string(&file).unwrap();
        let (mut is_public, mut is_hidden) = (false, false);
        for line in text.lines() {
            if line.trim_start().starts_with("fn ") || line.trim_start().starts_with("pub") {
                is_public = line.trim_start().starts_with("pub fn ") && !is_hidden;
            }
            is_hidden = line.trim_start() == "#[doc(hidden)]";
            found.extend(
                returns_tuple(line).filter(|_| is_public).map(|it| format!("{name}: {it}")),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Public types that have neither an example nor a link to one. The list may only become shorter.
const WITHOUT_EXAMPLES: [&str; 0] = [];

/// A public type or function of the engine with its documentation.
struct Documented<'t> {
    name: &'t str,
    is_alias: bool,
    is_error: bool,
    /// The lines of its doc comment, without the slashes.
    docs: Vec<&'t str>,
    /// Whether it is a type at the level of its module.
    is_type: bool,
}

impl Documented<'_> {
    /// The code of its examples.
    fn examples(&self) -> String {
        let (mut code, mut is_code) = (String::new(), false);
        for line in &self.docs {
            if line.starts_with("```") {
                is_code ^= true;
            } else if is_code {
                code.push_str(line);
                code.push('\n');
            }
        }
        code
    }

    /// The item that the line `` Example: [`item`](path). `` names, or `` Example: `item`. `` for
    /// an item of a crate above: its last part.
    fn link(&self) -> Option<&str> {
        let mut links = self.docs.iter().filter_map(|line| {
            line.strip_prefix("Example: [`").or_else(|| line.strip_prefix("Example: `"))
        });
        let (path, _) = links.next()?.split_once('`')?;
        path.rsplit("::").next()
    }

    /// The type whose search under way this is.
    fn search_of(&self) -> Option<&str> {
        let (first, rest) = self.docs.first()?.split_once("] search under way")?;
        (rest == ".").then(|| first.split_once("[`")?.1.strip_suffix('`'))?
    }
}

/// The documented types and functions of a file.
fn documented(text: &str) -> Vec<Documented<'_>> {
    let (mut found, mut docs, mut is_error) = (Vec::new(), Vec::new(), false);
    for line in text.lines() {
        let bare = line.trim_start();
        if let Some(doc) = bare.strip_prefix("///") {
            docs.push(doc.strip_prefix(' ').unwrap_or(doc));
        } else if bare.starts_with("#[derive") {
            is_error = bare.contains("Error");
        } else if bare.starts_with("pub ") {
            let function = bare.strip_prefix("pub fn ").or(bare.strip_prefix("pub const fn "));
            let end = |c: char| !c.is_alphanumeric() && c != '_';
            let name = declared(line).or(function.and_then(|rest| rest.split(end).next()));
            let docs = std::mem::take(&mut docs);
            found.extend(name.map(|name| Documented {
                name,
                is_alias: bare.starts_with("pub type"),
                is_error: std::mem::take(&mut is_error),
                docs,
                is_type: declared(line).is_some(),
            }));
        } else if bare.is_empty() || bare == "}" {
            docs.clear();
            is_error = false;
        }
    }
    found
}

/// The names in the `pub use` lines of a module.
fn exported(text: &str) -> Vec<&str> {
    let statements = text.split(';').filter_map(|one| one.split_once("pub use "));
    let names = statements.flat_map(|(_, names)| names.split(|c: char| !c.is_alphanumeric()));
    names.filter(|name| name.starts_with(char::is_uppercase)).collect()
}

/// Whether a text has a word.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|one| one == word)
}

/// A type that users meet is one that a module of the engine exports; the module `expert` does not
/// count, which is for authors of spaces and searches. Each has an example in its documentation, or
/// a line `` Example: [`item`](path). `` for a type or a function with an example that names the
/// type. Three kinds need neither: aliases, errors (their message says what they mean), and
/// searches under way of an algorithm that has an example.
#[test]
fn types_that_users_meet_have_an_example() {
    let crates = ENGINE.map(|name| {
        let files = sources_of(name);
        let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
        let is_for_users =
            |file: &&PathBuf| !file.ends_with("expert.rs") && !file.ends_with("inside.rs");
        let exports: String = files.iter().filter(is_for_users).map(read).collect();
        (exports, files.iter().map(read).collect::<String>())
    });
    let all: Vec<(usize, Documented<'_>)> = (0..)
        .zip(&crates)
        .flat_map(|(rank, (_, text))| documented(text).into_iter().map(move |one| (rank, one)))
        .collect();
    let exports = crates.each_ref().map(|(text, _)| exported(text));
    let has_example = |item: &str, of: &str| {
        let mut items = all.iter().filter(|(_, one)| one.name == item);
        items.any(|(_, one)| has_word(&one.examples(), of))
    };
    let (mut seen, mut without) = (0, Vec::new());
    let is_met =
        |(rank, one): &&(usize, Documented<'_>)| one.is_type && exports[*rank].contains(&one.name);
    for (_, one) in all.iter().filter(is_met) {
        seen += 1;
        let is_shown = !one.examples().is_empty()
            || one.link().is_some_and(|item| has_example(item, one.name))
            || one.search_of().is_some_and(|algorithm| has_example(algorithm, algorithm));
        if !(one.is_alias || one.is_error || is_shown) {
            without.push(one.name);
        }
    }
    assert!(seen > 300, "only {seen} types were seen: has the source moved?");
    without.sort_unstable();
    assert_eq!(without, WITHOUT_EXAMPLES);
}

#[test]
fn an_example_is_found_or_missed() {
    let text = "\
/// A house.
///
/// ```
/// let house: House = House(Door);
/// ```
#[derive(Debug)]
pub struct House(Door);

/// A door.
///
/// Example: [`House`](super::House).
pub struct Door;

impl House {
    /// ```
    /// let roof = house.roof();
    /// ```
    pub fn roof(&self) {}
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum HouseFault {}

/// A [`House`] search under way.
pub struct HouseSearch;
";
    let items = documented(text);
    let names: Vec<&str> = items.iter().map(|one| one.name).collect();
    assert_eq!(names, ["House", "Door", "roof", "HouseFault", "HouseSearch"]);
    assert!(has_word(&items[0].examples(), "Door") && !has_word(&items[0].examples(), "Doo"));
    assert_eq!((items[1].link(), items[1].examples().as_str()), (Some("House"), ""));
    assert!(!items[2].is_type && items[2].examples().contains("roof()"));
    assert!(items[3].is_error && !items[4].is_error);
    assert_eq!((items[4].search_of(), items[1].search_of()), (Some("House"), None));
    assert_eq!(exported("pub use a::{B, c, D};\nmod e;\npub(crate) use f::G;"), ["B", "D"]);
}
