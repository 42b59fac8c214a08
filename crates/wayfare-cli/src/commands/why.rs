use crate::{args::WhyArgs, exit::Exit, failure::Failure, report::Printer};
pub(super) fn run(_args: &WhyArgs, _printer: &mut Printer) -> Result<Exit, Failure> { Ok(Exit::Done) }
