//! The results for people.

use wayfare_site::EngineName;

use super::results::Entry;
use crate::failure::Failure;
use crate::report::{Align, Printer, Table, decimals, grouped};

pub(super) fn print_table(
    entries: &[Entry],
    baseline: Option<EngineName>,
    printer: &mut Printer,
) -> Result<(), Failure> {
    type Column = (&'static str, fn(&Entry) -> String);
    let mut columns: Vec<Column> = vec![
        ("algorithm", |entry| entry.algorithm.to_owned()),
        ("solved", |entry| grouped(entry.solved as u64)),
        ("optimal", |entry| grouped(entry.optimal as u64)),
        ("mean loss %", |entry| decimals(entry.loss_mean * 100.0, 2)),
        ("worst loss %", |entry| decimals(entry.loss_worst * 100.0, 2)),
        ("mean µs", |entry| decimals(entry.mean_us, 1)),
        ("p50 µs", |entry| decimals(entry.p50_us, 1)),
        ("p99 µs", |entry| decimals(entry.p99_us, 1)),
        ("turns µs", |entry| decimals(entry.turns_mean_us, 1)),
        ("first leg µs", |entry| or_dash(entry.first_leg_mean_us)),
        ("speedup", |entry| or_dash(entry.speedup)),
        ("expanded", |entry| decimals(entry.expanded_mean, 1)),
        ("scratch KiB", |entry| grouped(entry.scratch_bytes as u64 / 1024)),
        ("built KiB", |entry| grouped(entry.index_bytes as u64 / 1024)),
        ("built s", |entry| decimals(entry.index_seconds, 1)),
    ];
    // Columns that are empty for all are left out.
    columns.retain(|(name, _)| match *name {
        "mean loss %" | "worst loss %" => entries.iter().any(|entry| entry.optimal < entry.solved),
        "first leg µs" => entries.iter().any(|entry| entry.first_leg_mean_us.is_some()),
        _ => true,
    });
    let align = |name: &str| if name == "algorithm" { Align::Left } else { Align::Right };
    let headings: Vec<_> = columns.iter().map(|(name, _)| (*name, align(name))).collect();
    let mut table = Table::new(&headings);
    for entry in entries {
        table.row(columns.iter().map(|(_, cell)| cell(entry)));
    }
    printer.text(&table.render(printer.is_styled()))?;
    match baseline {
        Some(baseline) if entries.len() > 1 => printer
            .line(format!("\nspeedup: the mean time of {baseline}, divided by the algorithm's")),
        _ => Ok(()),
    }
}

fn or_dash(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| decimals(figure, 1))
}

pub(super) fn conclusion(entries: &[Entry], wrong: bool) -> String {
    let capped: usize = entries.iter().map(|entry| entry.capped).sum();
    let unreachable = entries.iter().map(|entry| entry.unreachable).max().unwrap_or(0);
    let mut text = match wrong {
        true => "Not every answer agrees with the file and the other algorithms; see the warnings."
            .to_owned(),
        false => {
            "Every path is valid, and every cost that was promised to be optimal is.".to_owned()
        }
    };
    if !wrong && entries.iter().any(|entry| entry.first_leg_mean_us.is_some()) {
        text.push_str(" No route over sectors costs more than was promised with its first leg.");
    }
    if unreachable > 0 {
        text.push_str(&format!(" No path, as the file says: {unreachable}."));
    }
    if capped > 0 {
        text.push_str(&format!(" Given up at the limit of expansions: {capped}."));
    }
    text
}
