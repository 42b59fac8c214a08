//! The lines of faults in the text of a scene.

use toml::de::{DeTable, DeValue};
use wayfare_formats::inside::{KeyPath, Step, location};
use wayfare_formats::{Location, WorldError};

/// Finds the line of an error in the text that the document was read from.
pub(crate) trait Found {
    /// Finds the line of the value at fault.
    fn found_in(self, text: &str) -> Self;

    /// Returns the same for a value that has lines of its own: the position in it becomes one in
    /// the text.
    fn found_within(self, text: &str) -> Self;
}

impl Found for WorldError {
    fn found_in(self, text: &str) -> Self {
        if self.location() != Location::File || self.key_path().is_empty() {
            return self;
        }
        let location = locate(self.key_path(), text);
        self.at(location)
    }

    fn found_within(self, text: &str) -> Self {
        let (line, column) = match self.location() {
            Location::Line(line) => (line, None),
            Location::LineColumn { line, column } => (line, Some(column)),
            _ => return self.found_in(text),
        };
        let Location::LineColumn { line: first, column: from } = locate(self.key_path(), text)
        else {
            return self;
        };
        // The line break right after three quotation marks does not count as one.
        let opening = text.lines().nth(first - 1).unwrap_or_default();
        let opening: String = opening.chars().skip(from - 1).collect();
        let before = match opening.as_str() {
            "\"\"\"" | "'''" => first,
            _ => first - 1,
        };
        self.at(match column {
            None => Location::Line(before + line),
            Some(column) => Location::LineColumn { line: before + line, column },
        })
    }
}

/// Returns the position of the value, or of the innermost value around it that the text has: the
/// position of a default is that of the table that lacks it.
fn locate(path: &KeyPath, text: &str) -> Location {
    let Ok(root) = DeTable::parse(text) else { return Location::File };
    let mut at = Location::File;
    let mut value: Option<&DeValue<'_>> = None;
    for step in path.steps() {
        let next = match (step, value) {
            (Step::Key(key), None) => root.get_ref().get(*key),
            (Step::Key(key), Some(DeValue::Table(table))) => table.get(*key),
            (Step::Index(index), Some(DeValue::Array(array))) => array.get(*index),
            _ => None,
        };
        let Some(next) = next else { break };
        at = location(text, next.span().start);
        value = Some(next.get_ref());
    }
    at
}
