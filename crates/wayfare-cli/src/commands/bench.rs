use crate::{args::BenchArgs, exit::Exit, failure::Failure, report::Printer};
pub(super) fn run(_args: &BenchArgs, _printer: &mut Printer) -> Result<Exit, Failure> { Ok(Exit::Done) }
