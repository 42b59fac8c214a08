//! The commands: one file each.

mod algorithms;
mod bake;
mod batch;
mod bench;
mod compare;
mod completions;
mod convert;
mod demo;
mod detour;
mod generate;
mod index;
mod info;
mod man;
mod mapf;
mod page;
mod policies;
mod puzzles;
mod replay;
mod shared;
mod simulate;
mod solve;
mod studio;
mod why;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;

/// Runs the typed command.
pub(crate) fn run(cli: &Cli, printer: &mut Printer) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Solve(args) => solve::run(args, printer),
        Command::Replay(args) => replay::run(args, printer),
        Command::Compare(args) if args.policies => policies::run(args, printer),
        Command::Compare(args) => compare::run(args, printer),
        Command::Why(args) => why::run(args, printer),
        Command::Simulate(args) => simulate::run(args, printer),
        Command::Bench(args) => bench::run(args, printer),
        Command::Batch(args) => batch::run(args),
        Command::Bake(args) => bake::run(args, printer),
        Command::Generate(args) => generate::run(args, printer),
        Command::Mapf(args) => mapf::run(args, printer),
        Command::Index(args) => index::run(args, printer),
        Command::Info(args) => info::run(args, printer),
        Command::Convert(args) => convert::run(args, printer),
        Command::Studio(args) => studio::run(args, printer),
        Command::Demo(args) => demo::run(args, printer),
        Command::Algorithms => algorithms::run(printer),
        Command::Completions(args) => completions::run(args, printer),
        Command::Man(args) => man::run(args, printer),
    }
}
