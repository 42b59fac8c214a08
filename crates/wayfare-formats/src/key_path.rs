//! Paths to values in a document with keys.

use std::fmt;

/// A step from a table or array to a value in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To a key of a table.
    Key(&'static str),
    /// To an item of a list.
    Index(usize),
}

/// A path to a value, such as `links[3].to`. The empty one is the whole document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeyPath(Vec<Step>);

impl KeyPath {
    /// Returns the path to a key of the document.
    #[must_use]
    pub fn key(key: &'static str) -> Self {
        Self::default().then(key)
    }

    /// Returns the path to an item of a list of the document.
    #[must_use]
    pub fn item(key: &'static str, index: usize) -> Self {
        Self::key(key).at(index)
    }

    /// Adds a key; an empty key adds nothing.
    #[must_use]
    pub fn then(mut self, key: &'static str) -> Self {
        if !key.is_empty() {
            self.0.push(Step::Key(key));
        }
        self
    }

    /// Adds the index of an item of a list.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        self.0.push(Step::Index(index));
        self
    }

    /// Returns whether it is the path of the whole document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the steps from the document to the value.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
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
