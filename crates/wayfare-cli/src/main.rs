//! The `wayfare` command: solve, compare, explain and benchmark routes.
//!
//! `args` is what can be typed, `commands` what is done about it, `report` what
//! is printed and drawn. Worlds and their searches are in `wayfare_site`.

mod args;
mod commands;
mod exit;
mod failure;
mod report;
mod stopwatch;

use clap::Parser;

fn main() -> std::process::ExitCode {
    let cli = args::Cli::parse();
    let mut printer = report::Printer::new(cli.format);
    let ended = commands::run(&cli, &mut printer).and_then(|exit| {
        printer.finish()?;
        Ok(exit)
    });
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => {
            printer.complain(&failure);
            failure.exit().into()
        }
    }
}
