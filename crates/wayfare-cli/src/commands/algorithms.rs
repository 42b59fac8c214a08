//! `algorithms`: the catalog of algorithms and engines.

use serde::Serialize;
use wayfare::search::AlgorithmId;
use wayfare_site::EngineName;

use super::shared;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Align, Printer, Table};

/// An algorithm in the array that `--format json` prints.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    guarantee: &'static str,
    summary: &'static str,
    /// The largest world, in states, that it is sensible on; null: any.
    sensible_states: Option<usize>,
}

pub(super) fn run(printer: &mut Printer) -> Result<Exit, Failure> {
    let searches = AlgorithmId::ALL.iter().map(|id| {
        let info = id.info();
        Entry {
            name: info.name,
            guarantee: shared::guarantee(info.guarantee),
            summary: info.summary,
            sensible_states: info.sensible_states,
        }
    });
    let others = EngineName::PREPARED.into_iter().chain(EngineName::ON_MESHES);
    let others = others.map(|(engine, summary)| Entry {
        name: engine.name(),
        guarantee: shared::guarantee(engine.guarantee()),
        summary,
        sensible_states: None,
    });
    let entries = searches.chain(others);
    if printer.is_json() {
        printer.json(&entries.collect::<Vec<_>>())?;
    } else {
        let columns =
            [("name", Align::Left), ("guarantee", Align::Left), ("what it does", Align::Left)];
        let mut table = Table::new(&columns);
        for entry in entries {
            table.row([entry.name, entry.guarantee, entry.summary].map(str::to_owned));
        }
        printer.text(&table.render(printer.is_styled()))?;
    }
    Ok(Exit::Done)
}
