use std::io;

/// What went wrong, where, and whether another attempt may help.
#[derive(thiserror::Error, Debug)]
pub enum BatchError {
    /// A fault of the job, of a file that it names, or of a result: it stays until somebody mends
    /// it.
    #[error("{place}: {problem}")]
    Faulty {
        /// The file, or the part of the job.
        place: String,
        /// The problem, and what to do.
        problem: String,
    },
    /// A store that failed: worth another attempt.
    #[error("{place}: {source}")]
    Store {
        /// The file.
        place: String,
        /// The error of the store.
        source: io::Error,
    },
    /// The work was asked to stop. What is written stays.
    #[error("stopped; the same command goes on from here")]
    Stopped,
}

impl BatchError {
    /// Returns a fault that stays until somebody mends it.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "texts and errors, named where they are made"
    )]
    pub fn faulty(place: impl ToString, problem: impl ToString) -> Self {
        Self::Faulty { place: place.to_string(), problem: problem.to_string() }
    }

    /// Returns a fault of a file, whose name the error may begin with already: "city.map:3:1: …".
    pub(crate) fn of_file(name: &str, error: &dyn std::fmt::Display) -> Self {
        let text = error.to_string();
        match text.split_once(": ") {
            Some((place, problem)) if place.starts_with(name) => Self::faulty(place, problem),
            _ => Self::faulty(name, text),
        }
    }

    /// Returns the failure of a store.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "texts and errors, named where they are made"
    )]
    pub fn store(place: impl ToString, source: impl Into<io::Error>) -> Self {
        Self::Store { place: place.to_string(), source: source.into() }
    }

    /// Returns whether another attempt may help.
    #[must_use]
    pub fn is_worth_a_retry(&self) -> bool {
        matches!(self, Self::Store { .. })
    }
}
