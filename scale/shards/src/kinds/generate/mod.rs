//! Datasets: worlds from a seed with queries, or queries on maps that are there.

mod citation;
mod dataset;
mod drawn;
mod made;

use arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use wayfare_generate::{Kinds, Lineup, Parameter, QuerySpread, Scenario, Seed, WorldForm};

use super::Kind;
use crate::plan::{Items, Planning, Slice};
use crate::shard::Solving;
use crate::{BatchError, Plan, Results};

/// Seconds of generating and proving a world for each of its cells, and of a query's two searches
/// for each of them. Not measured where the plan is made: a plan is the same everywhere.
const SECONDS_OF_A_CELL: f64 = 1e-6;
const SECONDS_OF_A_QUERY_CELL: f64 = 60e-9;
/// The most worlds of a shard: what a worker holds at a time.
const MOST_WORLDS: u64 = 1000;

/// Datasets: `[generate]`.
///
/// With `kinds` and `count`: worlds from the job's seed, the same ones as `wayfare generate` makes,
/// each with its queries and their optimal lengths. A row is a world. Once all are there they
/// become files: `maps/*.map` and `*.3dmap` with their scenarios, and `queries.parquet`.
///
/// With `maps`: queries on maps that are there, their ends drawn by lot in the largest region. A
/// row is a query, as `[queries]` reads them: the shards themselves are the dataset.
///
/// Both write `dataset.json`, which a paper can cite.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Generate {
    /// Kinds and families of worlds, of tiles or blocks, in turn. Default: all kinds of tiles.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// The file with the ranges of their parameters, as `wayfare generate --params` reads it.
    #[serde(default)]
    pub params: Option<String>,
    /// The number of worlds.
    #[serde(default)]
    pub count: Option<u64>,
    /// The queries of each world or map.
    pub queries: u64,
    /// How the queries of a world are spread. Default: `lengths`.
    #[serde(default)]
    pub spread: Option<Spread>,
    /// Whether each query has its path. Default: no.
    #[serde(default)]
    pub paths: bool,
    /// Maps that are there, instead of worlds; patterns may be used.
    #[serde(default)]
    pub maps: Vec<String>,
    /// How the agent moves on these maps: "neighbours=4 width=2". Default: as the map says.
    #[serde(default)]
    pub agent: String,
    /// Whether queries on these maps are solved. Without, they cost next to nothing. Default: yes.
    #[serde(default)]
    pub lengths: Option<bool>,
    /// The licence of the dataset, for `dataset.json`: "CC-BY-4.0".
    #[serde(default)]
    pub licence: Option<String>,
    /// Its authors, for `dataset.json`.
    #[serde(default)]
    pub authors: Vec<String>,
    /// Its year, for `dataset.json`.
    #[serde(default)]
    pub year: Option<u32>,
    /// Where it is found, for `dataset.json`.
    #[serde(default)]
    pub url: Option<String>,
}

/// How the queries of a world are spread.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Evenly over buckets of length, from the shortest to the longest query of the world.
    #[default]
    Lengths,
    /// Start and goal are any two places: queries of middling length are the most frequent.
    Places,
}

impl From<Spread> for QuerySpread {
    fn from(spread: Spread) -> Self {
        match spread {
            Spread::Lengths => Self::Lengths,
            Spread::Places => Self::Places,
        }
    }
}

impl Generate {
    /// Returns the job of a shard: what changes no row of it is left out.
    pub(crate) fn of_a_shard(&self) -> Self {
        Self {
            maps: Vec::new(),
            licence: None,
            authors: Vec::new(),
            year: None,
            url: None,
            ..self.clone()
        }
    }

    fn is_drawn(&self) -> bool {
        !self.maps.is_empty()
    }

    fn spread(&self) -> QuerySpread {
        self.spread.unwrap_or_default().into()
    }

    fn is_solved(&self) -> bool {
        self.lengths.unwrap_or(true)
    }

    /// Refuses what is of the other form of the job.
    fn check(&self) -> Result<(), BatchError> {
        let refuse =
            |key: &str, problem: &str| Err(BatchError::faulty(format!("`{key}`"), problem));
        if self.is_drawn() {
            let of_worlds = "it is for worlds that are generated; leave it out, or `maps`";
            return match self {
                _ if !self.kinds.is_empty() => refuse("kinds", of_worlds),
                _ if self.count.is_some() => refuse("count", of_worlds),
                _ if self.params.is_some() => refuse("params", of_worlds),
                _ if self.spread == Some(Spread::Lengths) => {
                    refuse("spread", "on maps that are there the ends are any two places")
                }
                _ if self.paths && !self.is_solved() => {
                    refuse("paths", "only queries that are solved have them; lengths = true")
                }
                _ if self.queries == 0 => refuse("queries", "it is 1 at least"),
                _ => Ok(()),
            };
        }
        match self {
            _ if self.lengths == Some(false) => {
                refuse("lengths", "the queries of worlds always have theirs; leave it out")
            }
            _ if !self.agent.is_empty() => {
                refuse("agent", "worlds are walked in eight directions, or flown through")
            }
            _ if self.count.unwrap_or_default() == 0 => {
                refuse("count", "the number of worlds is missing, or `maps` with queries on them")
            }
            _ => Ok(()),
        }
    }

    /// Returns the worlds to make, in order. `params` is the text of that file.
    fn lineup(&self, seed: u64, kinds: &Kinds, params: Option<&str>) -> Result<Lineup, BatchError> {
        let lineup = Lineup {
            count: self.count.unwrap_or_default(),
            kinds: self.kinds.clone(),
            seed: Seed(seed),
            ..Lineup::default()
        };
        let unknown = |error| BatchError::faulty("`kinds`", error);
        lineup.chosen(kinds).map_err(unknown)?;
        let Some(text) = params else { return Ok(lineup) };
        let file = self.params.as_deref().unwrap_or_default();
        let read = lineup.with_settings(text, kinds);
        // Line and column come first in the message.
        read.map_err(|error| BatchError::faulty(file, error))
    }

    /// Returns the worlds of a plan. Its only input is the file of parameters.
    fn lineup_of(&self, plan: &Plan, kinds: &Kinds) -> Result<Lineup, BatchError> {
        let params = match (&self.params, plan.inputs.first()) {
            (Some(_), Some(input)) => Some(text_of(&input.read()?, &input.name)?),
            _ => None,
        };
        self.lineup(plan.job.seed, kinds, params.as_deref())
    }

    fn slices_of_worlds(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        let kinds = Kinds::standard();
        let mut inputs = Vec::new();
        let mut params = None;
        if let Some(file) = &self.params {
            let input = planning.input(file)?;
            params = Some(text_of(&planning.content(input)?, file)?);
            inputs.push(input);
        }
        let lineup = self.lineup(planning.seed, &kinds, params.as_deref())?;
        let chosen = lineup.chosen(&kinds).map_err(|error| BatchError::faulty("`kinds`", error))?;
        let chosen: Vec<&dyn Scenario> =
            kinds.iter().filter(|kind| chosen.contains(&kind.name())).collect();
        let is_served =
            |kind: &&&dyn Scenario| matches!(kind.form(), WorldForm::Tiles | WorldForm::Blocks);
        if let Some(kind) = chosen.iter().find(|kind| !is_served(kind)) {
            let problem =
                format!("{} has no queries; datasets are of tiles and of blocks", kind.name());
            return Err(BatchError::faulty("`kinds`", problem));
        }
        let cells: f64 = chosen.iter().map(|kind| cells_of(*kind, &lineup)).sum();
        let cells = cells / chosen.len().max(1) as f64;
        let seconds = cells * (SECONDS_OF_A_CELL + SECONDS_OF_A_QUERY_CELL * self.queries as f64);
        let items = Items { count: lineup.count, seconds, before: 0.0, most: MOST_WORLDS };
        Ok(planning.cut(&items, &inputs, ""))
    }
}

fn text_of(bytes: &[u8], name: &str) -> Result<String, BatchError> {
    let text = std::str::from_utf8(bytes).map_err(|error| BatchError::faulty(name, error))?;
    Ok(text.to_owned())
}

/// Returns about how many cells a world of a kind has.
fn cells_of(kind: &dyn Scenario, lineup: &Lineup) -> f64 {
    let is_side = |it: &&Parameter| ["width", "height", "depth"].contains(&it.name);
    let sides = kind.parameters().iter().filter(is_side).map(|side| {
        let range = lineup.settings.range(kind.name(), side);
        f64::from(range.low + range.high) / 2.0
    });
    sides.product()
}

impl Kind for Generate {
    fn name(&self) -> &'static str {
        "generate"
    }

    fn items(&self) -> &'static str {
        if self.is_drawn() { "queries" } else { "worlds" }
    }

    fn summary(&self) -> Option<&'static str> {
        Some(match (self.is_drawn(), self.is_solved()) {
            (false, _) => {
                "SELECT kind, version, status, count(*) AS worlds, \
                 sum(array_length(optimal_length)) AS queries, \
                 round(avg(proof_length), 1) AS mean_way_through \
                 FROM results GROUP BY kind, version, status ORDER BY kind, version, status"
            }
            (true, true) => {
                "SELECT map, status, count(*) AS queries, \
                 round(avg(optimal_length), 1) AS mean_length \
                 FROM results GROUP BY map, status ORDER BY map, status"
            }
            (true, false) => {
                "SELECT map, count(*) AS queries FROM results GROUP BY map ORDER BY map"
            }
        })
    }

    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        self.check()?;
        if self.is_drawn() {
            self.slices_of_maps(planning)
        } else {
            self.slices_of_worlds(planning)
        }
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        if self.is_drawn() { self.draw(solving) } else { self.make(solving) }
    }

    fn finish(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        if self.is_drawn() { self.finish_maps(results) } else { self.finish_worlds(results) }
    }
}
