use crate::{args::InfoArgs, exit::Exit, failure::Failure, report::Printer};
pub(super) fn run(_args: &InfoArgs, _printer: &mut Printer) -> Result<Exit, Failure> { Ok(Exit::Done) }
