//! `dataset.json`: what a paper has to say of a dataset, and how to cite it.

use std::collections::BTreeMap;

use serde::Serialize;
use wayfare_generate::{Kinds, Lineup, Parameter};

use super::{Generate, Spread};
use crate::shard::solved;
use crate::{BatchError, Plan, Results};

/// The whole document.
#[derive(Serialize)]
pub(super) struct Dataset {
    name: String,
    licence: Option<String>,
    authors: Vec<String>,
    year: Option<u32>,
    url: Option<String>,
    generator: &'static str,
    engine: String,
    seed: u64,
    pub(super) counts: Counts,
    /// How queries are spread, or drawn.
    spread: &'static str,
    /// How lengths were proven.
    lengths: &'static str,
    /// The moves that lengths are of.
    moves: BTreeMap<&'static str, String>,
    pub(super) kinds: Vec<KindEntry>,
    pub(super) maps: Vec<MapEntry>,
    pub(super) files: Vec<FileEntry>,
    /// The hash over the digests of all rows, as in `manifest.json`.
    rows_hash: String,
    bibtex: String,
}

#[derive(Serialize, Default)]
pub(super) struct Counts {
    pub(super) maps: u64,
    pub(super) queries: u64,
    /// Worlds that break a promise of their kind: they have no map.
    pub(super) broken: u64,
}

/// A kind in one of its versions, with the ranges that its parameters were drawn from.
#[derive(Serialize)]
pub(super) struct KindEntry {
    kind: String,
    version: u32,
    about: &'static str,
    worlds: u64,
    parameters: BTreeMap<&'static str, RangeEntry>,
}

#[derive(Serialize)]
struct RangeEntry {
    from: f64,
    to: f64,
    unit: &'static str,
}

/// A map with its queries.
#[derive(Serialize)]
pub(super) struct MapEntry {
    pub(super) file: String,
    /// BLAKE3.
    pub(super) hash: String,
    pub(super) queries: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) world: Option<WorldEntry>,
}

/// Where a generated map comes from.
#[derive(Serialize)]
pub(super) struct WorldEntry {
    pub(super) scenario: String,
    pub(super) kind: String,
    pub(super) version: u32,
    pub(super) seed: u64,
    /// The length of the way through that was proven to be there.
    pub(super) proof_length: f64,
}

/// A file with queries.
#[derive(Serialize)]
pub(super) struct FileEntry {
    pub(super) file: String,
    pub(super) hash: String,
}

impl KindEntry {
    /// Returns a kind that has that many worlds.
    pub(super) fn of(
        (kind, version): (&str, u32),
        worlds: u64,
        kinds: &Kinds,
        lineup: &Lineup,
    ) -> Result<Self, BatchError> {
        let unknown = |error| BatchError::faulty(kind, error);
        let scenario = kinds.get(kind).and_then(|known| known.in_version(version));
        let scenario = scenario.map_err(unknown)?;
        let range = |parameter: &Parameter| {
            let range = lineup.settings.range(kind, parameter);
            // To the short form of a single float: 0.38, not 0.3799999952316284.
            let [from, to] = [range.low, range.high].map(|it| (f64::from(it) * 1e4).round() / 1e4);
            (parameter.name, RangeEntry { from, to, unit: parameter.unit })
        };
        Ok(Self {
            kind: kind.to_owned(),
            version,
            about: scenario.about(),
            worlds,
            parameters: scenario.parameters().iter().map(range).collect(),
        })
    }
}

/// Returns the hash over the digests of all shards, as the manifest has it.
fn rows_hash(results: &Results<'_>) -> Result<String, BatchError> {
    let mut hasher = blake3::Hasher::new();
    for shard in 0..results.plan.shards.len() {
        if let Some(solved) = solved(results.plan, shard, results.store)? {
            hasher.update(solved.digest.as_bytes());
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}

impl Generate {
    /// Returns the document of a dataset, without its maps and files.
    pub(super) fn dataset(
        &self,
        results: &Results<'_>,
        counts: Counts,
    ) -> Result<Dataset, BatchError> {
        let Results { plan, .. } = *results;
        let rows_hash = rows_hash(results)?;
        Ok(Dataset {
            name: plan.job.name.clone(),
            licence: self.licence.clone(),
            authors: self.authors.clone(),
            year: self.year,
            url: self.url.clone(),
            generator: "Wayfare",
            engine: plan.engine.clone(),
            seed: plan.job.seed,
            bibtex: self.bibtex(plan, &counts, &rows_hash),
            counts,
            spread: self.spread_in_words(),
            lengths: self.lengths_in_words(),
            moves: self.moves(),
            kinds: Vec::new(),
            maps: Vec::new(),
            files: Vec::new(),
            rows_hash,
        })
    }

    fn spread_in_words(&self) -> &'static str {
        match self.spread.unwrap_or_default() {
            _ if self.is_drawn() => {
                "start and goal are two different places of the largest region, all equally likely"
            }
            Spread::Places => {
                "start and goal are any two different places of the largest region of each map"
            }
            Spread::Lengths => {
                "evenly over buckets of four straight steps, from the shortest to the longest query \
                 of each map"
            }
        }
    }

    fn lengths_in_words(&self) -> &'static str {
        match (self.is_drawn(), self.is_solved()) {
            (false, _) => {
                "each length is that of two independent searches that agree: by buckets over exact \
                 lengths (Denardo and Fox, 1979) without the engine, and by the engine's jump point \
                 search on the map as its file has it"
            }
            (true, true) => {
                "each length is that of the engine's path, walked again move by move by its validator"
            }
            (true, false) => "the queries are not solved",
        }
    }

    fn moves(&self) -> BTreeMap<&'static str, String> {
        if self.is_drawn() {
            let agent = if self.agent.is_empty() { "as each map says" } else { &self.agent };
            return [("agent", agent.to_owned())].into();
        }
        let tiles = "eight directions, 1 or the square root of 2 long; a diagonal needs both straight \
                     neighbours free";
        let blocks = "26 directions, 1 or the square roots of 2 and 3 long; all blocks of a move's \
                      bounding box are free; in [queries]: abilities=fly";
        [("map", tiles.to_owned()), ("3dmap", blocks.to_owned())].into()
    }

    fn bibtex(&self, plan: &Plan, counts: &Counts, rows_hash: &str) -> String {
        let name = &plan.job.name;
        let key: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let year = self.year.map_or(String::new(), |year| year.to_string());
        let mut lines = vec![format!("@misc{{{key}{year},")];
        let mut field = |key: &str, value: String| lines.push(format!("  {key} = {{{value}}},"));
        let Counts { maps, queries, .. } = counts;
        field("title", format!("{name}: {maps} maps with {queries} pathfinding queries"));
        if !self.authors.is_empty() {
            field("author", self.authors.join(" and "));
        }
        if self.year.is_some() {
            field("year", year);
        }
        if let Some(url) = &self.url {
            field("url", url.clone());
        }
        let licence = self.licence.as_ref().map_or(String::new(), |it| format!(", licence {it}"));
        let seed = plan.job.seed;
        let engine = plan.engine.split(' ').next().unwrap_or_default();
        let note =
            format!("Wayfare {engine}, seed {seed}{licence}, BLAKE3 of all rows {rows_hash}");
        field("note", note);
        lines.push("}\n".to_owned());
        lines.join("\n")
    }
}
