//! How a search goes about it, and when it gives up.

use clap::Args;
use wayfare::search::{AlgorithmId, NamedHeuristic, Options, Weight};
use wayfare_site::{EngineName, SearchRequest, Site};

use super::names::{heuristics, whole};

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SearchArgs {
    /// The estimate of informed searches. `natural` is the world's own, and skips rooms off the
    /// route on uniform-cost ground (`--rooms` draws them); `octile` is that of the books.
    /// `manhattan` overestimates where diagonals are allowed: A* is then not optimal
    #[arg(long, value_name = "NAME", value_parser = heuristics(), default_value = "natural")]
    #[arg(help_heading = "Search")]
    heuristic: NamedHeuristic,

    /// The weight of weighted-astar, from 1: the path costs at most that many times the optimum
    #[arg(long, value_name = "W", value_parser = weight, allow_negative_numbers = true, default_value = "1.5")]
    #[arg(help_heading = "Search")]
    weight: Weight,

    /// Let the waypoint policies ignore the waypoints' own costs [default: as the scene says]
    #[arg(long, help_heading = "Search")]
    ignore_own_costs: bool,
}

impl SearchArgs {
    /// Returns the options of searches on a site.
    pub(crate) fn options(&self, site: &dyn Site) -> Options {
        Options {
            heuristic: self.heuristic,
            weight: self.weight,
            ignore_own_costs: self.ignore_own_costs || site.ignores_own_costs(),
        }
    }

    /// Returns the remark that a weight was given to an engine that has none.
    pub(crate) fn idle_weight(&self, engine: EngineName) -> Option<String> {
        let is_idle =
            self.weight != Weight::default() && engine != AlgorithmId::WeightedAStar.into();
        is_idle.then(|| format!("--weight is for weighted-astar; {} does without", engine.name()))
    }
}

#[derive(Args, Clone, Copy, Default, Debug)]
pub(crate) struct LimitArgs {
    /// Give up after N expansions
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Limits")]
    pub(crate) max_expansions: Option<u64>,

    /// Give up once N states were generated: a limit on memory
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Limits")]
    pub(crate) max_generated: Option<u64>,

    /// Give up once the open list holds N states
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true, help_heading = "Limits")]
    pub(crate) max_open: Option<u64>,

    /// Give up paths that must cost more than that, in straight steps (metres among waypoints)
    #[arg(long, value_name = "LENGTH", value_parser = positive, allow_negative_numbers = true, help_heading = "Limits")]
    pub(crate) max_cost: Option<f64>,
}

impl LimitArgs {
    /// Returns the request within these limits.
    pub(crate) fn limit(&self, request: SearchRequest) -> SearchRequest {
        let Self { max_expansions, max_generated, max_open, max_cost } = *self;
        SearchRequest { max_expansions, max_generated, max_open, max_cost, ..request }
    }
}

fn weight(text: &str) -> Result<Weight, String> {
    let weight = text.parse::<f32>().map_err(|_| "it is not a number".to_owned())?;
    Weight::new(weight).map_err(|_| "it must be a number from 1 to 65536".to_owned())
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number from 0 up".to_owned()),
    }
}
