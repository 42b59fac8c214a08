//! The `wayfare` command: solve, compare, explain and benchmark routes.
//!
//! `args` parses arguments, `commands` runs them, `report` prints and draws. Worlds and their
//! searches are in `wayfare_site`.

mod args;
mod commands;
mod exit;
mod failure;
mod report;
mod stopwatch;

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use exit::Exit;
use failure::Failure;

fn main() -> ExitCode {
    leave_nothing_when_stopped();
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(answer) => return say(&answer),
    };
    let mut printer = report::Printer::new(cli.format);
    let ended = commands::run(&cli, &mut printer).and_then(|exit| {
        printer.finish()?;
        Ok(exit)
    });
    match ended {
        Ok(exit) => exit.into(),
        Err(failure) => fail(&mut printer, &failure),
    }
}

/// Removes temporary files before the program ends, on Ctrl-C and if the system asks to stop.
fn leave_nothing_when_stopped() {
    // Without a handler the signal still ends the program, and the next run removes the remains.
    let _ = ctrlc::set_handler(|| {
        wayfare_file::remove_unfinished();
        std::process::exit(Exit::Stopped as i32);
    });
}

fn fail(printer: &mut report::Printer, failure: &Failure) -> ExitCode {
    printer.complain(failure);
    failure.exit().into()
}

/// Prints the answer to arguments that are no command: help, the version, or an error.
fn say(answer: &clap::Error) -> ExitCode {
    let mut printer = report::Printer::new(Default::default());
    let failure = match answer.kind() {
        ErrorKind::InvalidUtf8 => not_utf8(),
        // Help that cannot be written is no success.
        _ => match answer.print().and_then(|()| std::io::stdout().flush()) {
            Err(error) if !answer.use_stderr() => Failure::Stdout(error),
            _ => return ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(u8::MAX)),
        },
    };
    fail(&mut printer, &failure)
}

/// Returns the failure for arguments that are not UTF-8. Only names of files may be so.
fn not_utf8() -> Failure {
    let arguments = std::env::args_os().skip(1).filter(|argument| argument.to_str().is_none());
    let named: Vec<String> =
        arguments.map(|argument| format!("'{}'", argument.to_string_lossy())).collect();
    let which = named.join(" and ");
    Failure::Usage(format!("{which}: not UTF-8, which only the names of files may be"))
}
