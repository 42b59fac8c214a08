//! The failures of commands, with their exit codes.

use std::path::{Path, PathBuf};

use wayfare_bake::BakeError;
use wayfare_draw::DrawError;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_generate::GenerateError;
use wayfare_site::SiteError;

use crate::exit::Exit;

/// Why a command failed. Each text gives the fault, its position and the remedy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Arguments that do not fit the world or each other.
    #[error("{0}")]
    Usage(String),
    /// A world that cannot be opened, or a question about it that cannot be asked.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// A world file that cannot be read.
    #[error(transparent)]
    World(#[from] WorldError),
    /// A level that cannot be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// Worlds that cannot be generated.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A world that can be read, but not searched.
    #[error("{}: {problem}", path.display())]
    Unsearchable {
        /// The file.
        path: PathBuf,
        /// The fault, and the remedy.
        problem: String,
    },
    /// Results that their format cannot represent.
    #[error("{}: {problem}", path.display())]
    Unencoded {
        /// Where they were to go.
        path: PathBuf,
        /// Why they did not.
        problem: String,
    },
    /// A world file that cannot be written.
    #[error(transparent)]
    Unwritten(WorldError),
    /// A picture that cannot be drawn or written.
    #[error("{}", picture_sentence(path, problem))]
    Picture {
        /// Where the picture was to go.
        path: PathBuf,
        /// Why it did not.
        problem: DrawError,
    },
    /// A path that breaks the rules of its world: a defect of an algorithm.
    #[error("{method} returned a path that is not valid: {fault}; please report this")]
    InvalidPath {
        /// The engine or algorithm that answered.
        method: &'static str,
        /// The fault that the validator found.
        fault: String,
    },
    /// Standard output that does not take any more.
    #[error("writing to standard output failed: {0}")]
    Stdout(std::io::Error),
}

impl Failure {
    /// Returns whether the reader of standard output has gone, as `head` does: no reason to
    /// complain.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Stdout(error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Site(error) if error.is_usage() => Exit::Usage,
            Self::Site(_) => Exit::Input,
            Self::Bake(BakeError::Setting { .. }) => Exit::Usage,
            Self::Generate(GenerateError::Broken { .. }) => Exit::Wrong,
            Self::Generate(_) => Exit::Usage,
            Self::Bake(_) | Self::World(_) | Self::Unsearchable { .. } => Exit::Input,
            // The file name asked for a document that the format cannot represent.
            Self::Unwritten(error) => match error.kind() {
                WorldErrorKind::Io => Exit::Output,
                _ => Exit::Usage,
            },
            Self::Picture { .. } | Self::Unencoded { .. } => Exit::Output,
            Self::InvalidPath { .. } => Exit::Wrong,
            Self::Stdout(_) if self.is_closed_pipe() => Exit::Done,
            Self::Stdout(_) => Exit::Output,
        }
    }
}

fn picture_sentence(path: &Path, problem: &DrawError) -> String {
    use std::error::Error;
    match (problem, problem.source()) {
        (DrawError::Write { path, source }, _) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            match folder.filter(|folder| !folder.is_dir()) {
                Some(folder) if source.kind() != std::io::ErrorKind::PermissionDenied => {
                    format!("{problem}: there is no folder {}", folder.display())
                }
                _ => format!("{problem}: {source}"),
            }
        }
        (_, Some(cause)) => format!("{}: {problem}: {cause}", path.display()),
        (_, None) => format!("{}: {problem}", path.display()),
    }
}
