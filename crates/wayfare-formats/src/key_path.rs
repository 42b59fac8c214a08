//! Ways to values in a document with keys, and where in its text they are.

use std::fmt;

use toml::de::{DeTable, DeValue};

use crate::error::Location;
use crate::text::location;

/// A step from a table or array to a value in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Key(&'static str),
    Index(usize),
}

/// A way to a value, such as `links[3].to`. The empty one leads to the whole document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct KeyPath(Vec<Step>);

impl KeyPath {
    /// The way to a key of the document.
    pub(crate) fn key(key: &'static str) -> Self {
        Self::default().then(key)
    }

    /// The way to an item of a list of the document.
    pub(crate) fn item(key: &'static str, index: usize) -> Self {
        Self::key(key).at(index)
    }

    /// One key further; an empty key leads nowhere.
    pub(crate) fn then(mut self, key: &'static str) -> Self {
        if !key.is_empty() {
            self.0.push(Step::Key(key));
        }
        self
    }

    /// To an item of a list.
    pub(crate) fn at(mut self, index: usize) -> Self {
        self.0.push(Step::Index(index));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The place of the value, or of the innermost value around it that the text has: the place of
    /// a default is that of the table that lacks it.
    pub(crate) fn locate(&self, text: &str) -> Location {
        let Ok(root) = DeTable::parse(text) else { return Location::File };
        let mut at = Location::File;
        let mut value: Option<&DeValue<'_>> = None;
        for step in &self.0 {
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
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) if number == 0 => f.write_str(key)?,
                Step::Key(key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}
