//! Exit codes of the command.

/// An exit code. The codes are documented and stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// There is no path, or a limit was reached first.
    NoPath = 1,
    /// The arguments contradict each other, or are out of range.
    Usage = 2,
    /// A file cannot be read, or its content is not valid.
    Input = 3,
    /// A cost is not optimal though the algorithm promises it, or a path is not valid.
    Wrong = 4,
    /// The output cannot be written.
    Output = 5,
    /// Ctrl-C, or a request to stop: a shell's code for a program that the signal ends.
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
  0  done; for solve, compare and why: there is a path
  1  there is no path, or a limit was reached first
  2  the arguments contradict each other, or are out of range
  3  a file cannot be read, or its content is not valid
  4  a cost is not optimal though the algorithm promises it, or a path is not valid
  5  the output cannot be written
130  stopped by Ctrl-C or a signal; nothing is left half-written";
