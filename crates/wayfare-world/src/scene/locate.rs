//! Where in the text of a scene a key is: errors about meaning name lines too.

use toml::de::{DeTable, DeValue};

use crate::error::Location;
use crate::text::location;

/// A step from a table or array to a value in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(&'static str),
    Index(usize),
}

/// A way to a value, such as `links`, 3, `to`.
pub(super) type KeyPath = Vec<Step>;

/// The place of the value, or of the innermost value around it that the text has: the place of a
/// default is that of the table that lacks it.
pub(super) fn locate(text: &str, path: &[Step]) -> Location {
    let Ok(root) = DeTable::parse(text) else { return Location::File };
    let mut at = Location::File;
    let mut value: Option<&DeValue<'_>> = None;
    for step in path {
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
