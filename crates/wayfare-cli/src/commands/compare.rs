use crate::{args::CompareArgs, exit::Exit, failure::Failure, report::Printer};
pub(super) fn run(_args: &CompareArgs, _printer: &mut Printer) -> Result<Exit, Failure> { Ok(Exit::Done) }
