//! `batch`: hands over to `wayfare-batch`, a program of its own.

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use crate::args::BatchArgs;
use crate::exit::Exit;
use crate::failure::Failure;

const PROGRAM: &str = "wayfare-batch";

const MISSING: &str = "batches are run by wayfare-batch, a program of its own, which is neither beside wayfare nor on \
    the PATH; in the repository, build it by `cargo install --locked --path scale/batch`";

pub(super) fn run(args: &BatchArgs) -> Result<Exit, Failure> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let own = env::current_exe().ok();
    let beside = own.and_then(|own| Some(own.parent()?.join(&name))).filter(|path| path.is_file());
    let program = beside.unwrap_or_else(|| PathBuf::from(&name));
    match become_it(Command::new(&program).args(&args.arguments)) {
        Ok(code) => std::process::exit(code),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Failure::Usage(MISSING.to_owned()))
        }
        Err(error) => Err(Failure::Usage(format!("{}: {error}", program.display()))),
    }
}

/// Replaces this program by another one, so that signals and the terminal are the other's.
#[cfg(unix)]
fn become_it(program: &mut Command) -> io::Result<i32> {
    use std::os::unix::process::CommandExt as _;
    Err(program.exec())
}

/// Runs another program, and returns its exit code.
#[cfg(not(unix))]
fn become_it(program: &mut Command) -> io::Result<i32> {
    Ok(program.status()?.code().unwrap_or(Exit::Stopped as i32))
}
