//! `completions`: scripts for shells.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;

pub(super) fn run(args: &CompletionsArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "wayfare", &mut script);
    printer.text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
