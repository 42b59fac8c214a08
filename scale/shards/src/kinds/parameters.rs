//! Parameters of a scene: parts of its file by their path, each with a list of values.
//!
//! | path | part of the file |
//! |---|---|
//! | `simulation.jam_gain` | a key of a table; it may be missing from the file |
//! | `agents.guest.count` | a key of the element whose `name` or `id` is `guest` |
//! | `agents.0.count` | a key of the first element |
//! | `agents.*.count` | a key of every element |

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use toml::{Table, Value};
use wayfare_formats::Files;

/// The most combinations of values.
const MOST: usize = 100_000;

/// The values of all parameters in a run.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct ParameterSet(Table);

impl ParameterSet {
    /// Returns all combinations of values, those of the last path varying fastest. An error says
    /// what is wrong.
    pub(super) fn all(lists: &BTreeMap<String, Vec<Value>>) -> Result<Vec<Self>, String> {
        let count = lists.values().try_fold(1usize, |all, list| all.checked_mul(list.len()));
        match count {
            Some(0) => return Err("a list of values is empty".to_owned()),
            Some(count) if count <= MOST => {}
            _ => return Err(format!("there are more than {MOST} combinations of values")),
        }
        let mut sets = vec![Self::default()];
        for (path, values) in lists {
            let with = |set: &Self, value: &Value| {
                let mut set = set.clone();
                set.0.insert(path.clone(), value.clone());
                set
            };
            sets = sets.iter().flat_map(|set| values.iter().map(|it| with(set, it))).collect();
        }
        Ok(sets)
    }

    /// Returns the values as TOML, to be read by [`parse`](Self::parse); empty without parameters.
    pub(super) fn to_toml(&self) -> String {
        if self.0.is_empty() { String::new() } else { Value::Table(self.0.clone()).to_string() }
    }

    /// Reads the values from TOML.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let table: Table = toml::from_str(&format!("set = {text}")).map_err(|e| e.to_string())?;
        match table.get("set") {
            Some(Value::Table(set)) => Ok(Self(set.clone())),
            _ => Err("it is no table".to_owned()),
        }
    }

    /// Returns the values in words: `agents.*.count=30, simulation.jams=true`.
    pub(super) fn words(&self) -> String {
        let each = |(path, value): (&String, &Value)| format!("{path}={value}");
        self.0.iter().map(each).collect::<Vec<_>>().join(", ")
    }

    /// Returns a fault of a scene with these values: with the values in place of the line, which
    /// would be that of a text that nobody has seen.
    pub(super) fn fault(&self, scene: &Path, fault: &str) -> String {
        if self.0.is_empty() {
            return fault.to_owned();
        }
        let located = fault.strip_prefix(&format!("{}:", scene.display()));
        let is_of_location = |byte: char| byte.is_ascii_digit() || matches!(byte, ':' | ' ');
        let fault = located.map_or(fault, |rest| rest.trim_start_matches(is_of_location));
        format!("with {}: {fault}", self.words())
    }

    /// Returns the text of a scene with these values. Without parameters that is the text itself.
    fn edited<'t>(&self, text: Cow<'t, [u8]>) -> Result<Cow<'t, [u8]>, String> {
        if self.0.is_empty() {
            return Ok(text);
        }
        let text = std::str::from_utf8(&text).map_err(|error| error.to_string())?;
        let scene: Table = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut scene = Value::Table(scene);
        for (path, value) in &self.0 {
            let parts: Vec<&str> = path.split('.').collect();
            set(&mut scene, &parts, value).map_err(|why| format!("`{path}`: {why}"))?;
        }
        let text = toml::to_string(&scene).map_err(|error| error.to_string())?;
        Ok(Cow::Owned(text.into_bytes()))
    }
}

/// Sets a part of a document.
fn set(document: &mut Value, path: &[&str], value: &Value) -> Result<(), String> {
    let Some((&part, rest)) = path.split_first() else {
        *document = value.clone();
        return Ok(());
    };
    match document {
        // The schema of scenes knows the keys that may be new.
        Value::Table(table) if rest.is_empty() => _ = table.insert(part.to_owned(), value.clone()),
        Value::Table(table) => {
            let inner = table.entry(part).or_insert_with(|| Value::Table(Table::new()));
            set(inner, rest, value)?;
        }
        Value::Array(elements) if part == "*" => {
            elements.iter_mut().try_for_each(|element| set(element, rest, value))?;
        }
        Value::Array(elements) => {
            let at = position(elements, part)?;
            set(&mut elements[at], rest, value)?;
        }
        other => return Err(format!("'{part}' is no part of the value {other}")),
    }
    Ok(())
}

/// Returns the index of an element by its name, its id or its index.
fn position(elements: &[Value], part: &str) -> Result<usize, String> {
    let name = |element: &Value| {
        let named = element.get("name").or_else(|| element.get("id"));
        named.and_then(Value::as_str).map(str::to_owned)
    };
    let named = elements.iter().position(|element| name(element).as_deref() == Some(part));
    let index = || part.parse().ok().filter(|&index: &usize| index < elements.len());
    named.or_else(index).ok_or_else(|| {
        let names: Vec<String> = elements.iter().filter_map(name).collect();
        let known = match names.is_empty() {
            true => String::new(),
            false => format!(", one of {}", names.join(", ")),
        };
        let count = elements.len();
        format!("there is no '{part}'; a part of a list is its index below {count}, `*`{known}")
    })
}

/// Files with a scene whose parameters are set.
pub(super) struct ParameterFiles<'f> {
    pub(super) scene: &'f Path,
    pub(super) set: &'f ParameterSet,
    pub(super) files: &'f dyn Files,
}

impl Files for ParameterFiles<'_> {
    fn read(&self, path: &Path, cap: u64) -> io::Result<Cow<'_, [u8]>> {
        let bytes = self.files.read(path, cap)?;
        if path != self.scene {
            return Ok(bytes);
        }
        self.set.edited(bytes).map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))
    }

    fn contains(&self, path: &Path) -> bool {
        self.files.contains(path)
    }

    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        self.files.beside(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "scene = { name = 's' }\n[[agents]]\nname = 'a'\nat = [0, 1]\n[[agents]]\nname = 'b'\ncount = 3\n";

    fn edited(path: &str, value: i64) -> Result<Table, String> {
        let set = ParameterSet(Table::from_iter([(path.to_owned(), Value::Integer(value))]));
        let text = set.edited(SCENE.as_bytes().into())?;
        toml::from_str(std::str::from_utf8(&text).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn parts_are_found_by_key_name_index_and_all() {
        let counts = |path: &str| -> Vec<Option<i64>> {
            let scene = edited(path, 7).unwrap();
            let agents = scene["agents"].as_array().unwrap().clone();
            agents.iter().map(|agent| agent.get("count")?.as_integer()).collect()
        };
        assert_eq!(counts("agents.b.count"), [None, Some(7)]);
        assert_eq!(counts("agents.0.count"), [Some(7), Some(3)]);
        assert_eq!(counts("agents.*.count"), [Some(7), Some(7)]);
        assert_eq!(
            edited("simulation.seed", 7).unwrap()["simulation"]["seed"].as_integer(),
            Some(7)
        );
        assert_eq!(edited("agents.a.at.1", 7).unwrap()["agents"][0]["at"][1].as_integer(), Some(7));
    }

    #[test]
    fn parts_that_are_not_there_are_refused() {
        let why = edited("agents.c.count", 7).unwrap_err();
        assert!(why.contains("there is no 'c'") && why.contains("one of a, b"), "{why}");
        assert!(edited("agents.2.count", 7).unwrap_err().contains("below 2"));
        assert!(edited("scene.name.first", 7).unwrap_err().contains("no part of the value"));
    }

    #[test]
    fn sets_are_the_product_and_are_read_as_written() {
        let list = |text: &str| toml::from_str::<BTreeMap<String, Vec<Value>>>(text).unwrap();
        let lists = list("\"a.*.b\" = [1, 2]\nc = [0.1, 'two, \"words\"', [1, true]]\n");
        let sets = ParameterSet::all(&lists).unwrap();
        assert_eq!(sets.len(), 6);
        assert_eq!(sets[2].words(), "a.*.b=1, c=[1, true]");
        for set in sets {
            assert_eq!(ParameterSet::parse(&set.to_toml()), Ok(set));
        }
        assert_eq!(ParameterSet::parse(""), Ok(ParameterSet::default()));
        assert!(ParameterSet::all(&list("a = []\n")).is_err());
    }
}
