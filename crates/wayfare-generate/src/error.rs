//! The error of this crate.

use wayfare_formats::WorldError;

/// Why no world was generated.
///
/// ```
/// use wayfare_generate::{Kinds, Settings};
///
/// let error = Settings::read("[caves]\nwidth = 2\n", &Kinds::standard()).unwrap_err();
/// assert_eq!(error.to_string(), "2:9: caves.width is 2, but must be from 24 to 4096 tiles");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A settings file with a fault.
    #[error("{line}:{column}: {problem}")]
    Settings {
        /// Line, from 1.
        line: usize,
        /// Column, from 1, in characters.
        column: usize,
        /// The fault, and the allowed values.
        problem: String,
    },
    /// A request that cannot be met: an unknown kind, a count of 0, kinds that do not mix.
    #[error("{0}")]
    Request(String),
    /// A world that breaks a promise of its kind: a defect of the kind.
    #[error("{kind} of seed {seed}: {broken}")]
    Broken {
        /// The kind.
        kind: String,
        /// The seed of the scenario.
        seed: u64,
        /// The promise that is broken.
        broken: String,
    },
    /// The built world is no possible document.
    #[error(transparent)]
    World(#[from] WorldError),
}

impl GenerateError {
    pub(crate) fn request(problem: impl Into<String>) -> Self {
        GenerateError::Request(problem.into())
    }
}
