use crate::{args::ConvertArgs, exit::Exit, failure::Failure, report::Printer};
pub(super) fn run(_args: &ConvertArgs, _printer: &mut Printer) -> Result<Exit, Failure> { Ok(Exit::Done) }
