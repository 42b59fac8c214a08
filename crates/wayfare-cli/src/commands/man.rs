//! `man`: the manual page of the program or of a command.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;

pub(super) fn run(args: &ManArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    // Gives each command its whole name, as the title of its page.
    program.build();
    let mut command = &program;
    for name in &args.command {
        command = command.find_subcommand(name).ok_or_else(|| {
            let asked = args.command.join(" ");
            Failure::Usage(format!("there is no command {asked}: wayfare --help lists them"))
        })?;
    }
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(Failure::Stdout)?;
    printer.text(&String::from_utf8_lossy(&page))?;
    Ok(Exit::Done)
}
