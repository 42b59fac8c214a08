//! How the command ends.

use wayfare_shards::BatchError;

/// An exit code, as `wayfare` has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Shards are missing: the job is not complete.
    Incomplete = 1,
    /// A job, an input or a result is faulty.
    Input = 3,
    /// Rows are not what the same shard gives again, or show a defect of an engine.
    Wrong = 4,
    /// A store failed, or the cluster did.
    Store = 5,
    /// Ctrl-C, or a request to stop.
    Stopped = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The codes as `--help` lists them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  shards are missing: the job is not complete
  2  the arguments contradict each other, or are out of range
  3  a job, an input or a result is faulty
  4  rows are not what the same shard gives again, or show a defect of an engine
  5  a store or the cluster failed; the same command goes on from there
130  stopped by Ctrl-C or a signal; the same command goes on from there";

/// Why the command failed.
#[derive(thiserror::Error, Debug)]
pub(crate) enum Failure {
    /// Of a job or a store.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// Of the cluster.
    #[error("the cluster at {address}: {problem}")]
    Cluster {
        /// The address.
        address: String,
        /// The problem.
        problem: String,
    },
    /// Of a summary.
    #[error("the summary: {0}")]
    Summary(#[from] datafusion::error::DataFusionError),
    /// Of standard output.
    #[error("standard output: {0}")]
    Stdout(#[from] std::io::Error),
}

impl Failure {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "texts and errors, named where they are made"
    )]
    pub(crate) fn cluster(address: impl ToString, problem: impl ToString) -> Self {
        Self::Cluster { address: address.to_string(), problem: problem.to_string() }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Batch(BatchError::Faulty { .. }) => Exit::Input,
            Self::Batch(BatchError::Stopped) => Exit::Stopped,
            Self::Batch(BatchError::Store { .. }) | Self::Cluster { .. } => Exit::Store,
            Self::Summary(_) | Self::Stdout(_) => Exit::Store,
        }
    }
}
