use crate::{args::DemoArgs, exit::Exit, failure::Failure, report::Printer};
pub(super) fn run(_args: &DemoArgs, _printer: &mut Printer) -> Result<Exit, Failure> { Ok(Exit::Done) }
