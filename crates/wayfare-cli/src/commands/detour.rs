//! The cost of a route over sectors beside a cheapest path, and the time before one can set out on
//! it.

use serde::Serialize;
use wayfare::hierarchy::HierarchySettings;
use wayfare_site::{RouteOverSectors, SearchReport, Site};

use super::shared::{memory, time};
use crate::failure::Failure;
use crate::report::{Printer, counted, decimals, grouped, micros, rounded, tidy};

/// A route over sectors, and a cheapest path to measure it by.
pub(super) struct Detour {
    pub(super) legs: RouteOverSectors,
    pub(super) settings: HierarchySettings,
    pub(super) best: SearchReport,
}

/// The same as JSON.
#[derive(Serialize)]
pub(super) struct Sectors {
    sector_side: u32,
    lookahead: u32,
    sectors: usize,
    transitions: usize,
    bytes: usize,
    build_us: f64,
    /// The route costs at most that, as is known with the first leg.
    promised_cost: f64,
    route_cost: f64,
    optimal_cost: f64,
    /// How much more expensive the route is than a cheapest path: 0.01 for 1 %.
    loss: f64,
    legs: usize,
    first_leg_moves: usize,
    /// From the question to the first leg, and to the last.
    first_leg_us: f64,
    all_legs_us: f64,
    /// For the cheapest path instead; null without --exact.
    exact_us: Option<f64>,
}

impl Detour {
    /// Returns how much more expensive a cost is than a cheapest path's, as a share of that.
    fn loss(&self, cost: u64) -> f64 {
        match self.best.cost() {
            0 => 0.0,
            best => cost as f64 / best as f64 - 1.0,
        }
    }

    pub(super) fn document(&self, site: &dyn Site) -> Sectors {
        let cost = |cost: u64| rounded(cost as f64 / site.about().unit_cost);
        let Self { legs, settings, best } = self;
        Sectors {
            sector_side: settings.sector_side.cells(),
            lookahead: settings.lookahead,
            sectors: legs.size.sectors,
            transitions: legs.size.transitions,
            bytes: legs.size.bytes,
            build_us: micros(legs.size.built),
            promised_cost: cost(legs.promised),
            route_cost: cost(legs.cost),
            optimal_cost: cost(best.cost()),
            loss: rounded(self.loss(legs.cost)),
            legs: legs.legs,
            first_leg_moves: legs.first_moves,
            first_leg_us: micros(legs.first),
            all_legs_us: micros(legs.whole),
            exact_us: legs.exact.map(micros),
        }
    }

    pub(super) fn print(&self, site: &dyn Site, printer: &mut Printer) -> Result<(), Failure> {
        let Self { legs, settings, best } = self;
        let cost = |cost: u64| tidy(cost as f64 / site.about().unit_cost);
        let percent = |cost: u64| format!("{} %", decimals(self.loss(cost) * 100.0, 2));
        let (promised, route, optimum) = (cost(legs.promised), cost(legs.cost), cost(best.cost()));
        printer.field(
            "promised",
            format!("{promised} at most, {} above the optimum", percent(legs.promised)),
        )?;
        let found = format!("{optimum} by {}, in {}", best.method, time(micros(best.elapsed)));
        printer.field(
            "loss",
            format!("{}: the route costs {route}, a cheapest path {found}", percent(legs.cost)),
        )?;
        let first = counted(legs.first_moves as u64, "move");
        printer.field("first leg", format!("{first}, after {}", time(micros(legs.first))))?;
        let whole =
            format!("{}, after {}", counted(legs.legs as u64, "leg"), time(micros(legs.whole)));
        printer.field("whole route", whole)?;
        if let Some(exact) = legs.exact {
            printer
                .field("refined", format!("into a cheapest path, in {}", time(micros(exact))))?;
        }
        let size = legs.size;
        let side = settings.sector_side;
        printer.field(
            "sectors",
            format!(
                "{} of {side} × {side} cells with {}, {}, built in {}",
                grouped(size.sectors as u64),
                counted(size.transitions as u64, "transition"),
                memory(size.bytes),
                time(micros(size.built))
            ),
        )
    }
}
