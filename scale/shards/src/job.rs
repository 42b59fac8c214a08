//! The file of a job.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::BatchError;
use crate::kinds::{Bench, Generate, Kind, Queries, Simulations, Tables, TiledBake};
use crate::store::is_url;

/// A job: what to compute, from which files, and where the results go.
///
/// ```toml
/// name = "paths"
///
/// [queries]
/// from = ["*.scen"]
/// ```
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Job {
    /// Its name.
    pub name: String,
    /// The folder or bucket of the results, a path seen from the job's file or a URL. Default:
    /// `results/NAME` beside the job's file.
    pub output: Option<String>,
    /// The seed of everything that is drawn by lot. Default: 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// About how many seconds of one core a shard takes. Default: 60.
    #[serde(default = "sixty")]
    pub shard_seconds: f64,
    /// Paths between places that are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<Queries>,
    /// Travel times from many places to many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
    /// One navigation mesh of a level, by tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bake: Option<TiledBake>,
    /// A scene with agents, played with many seeds and parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulate: Option<Simulations>,
    /// Engines on the queries of benchmarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<Bench>,
    /// Datasets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate: Option<Generate>,
}

fn one() -> u64 {
    1
}

fn sixty() -> f64 {
    60.0
}

impl Job {
    /// Reads a job.
    ///
    /// # Errors
    /// With line and column where it is no TOML of this form; when it has no kind of work or two.
    pub fn parse(text: &str, file: &Path) -> Result<Self, BatchError> {
        let place = file.display();
        let job: Self = toml::from_str(text)
            .map_err(|error| BatchError::faulty(place, error.to_string().trim_end()))?;
        let bad = |problem: &str| Err(BatchError::faulty(file.display(), problem));
        if job.name.is_empty() || job.name.contains(['/', '\\']) {
            return bad("`name` is empty or has a slash; it becomes the name of a folder");
        }
        if !(job.shard_seconds > 0.0 && job.shard_seconds <= 86_400.0) {
            return bad("`shard-seconds` is above 0, and a day at most; 30 to 120 is usual");
        }
        match job.kinds().len() {
            1 => Ok(job),
            0 => bad(&format!("the kind of work is missing: one of the tables {KINDS}")),
            _ => bad(&format!("a job has one kind of work; leave one of the tables {KINDS}")),
        }
    }

    /// Returns the kinds of work that it names: one, once it is read.
    fn kinds(&self) -> Vec<&dyn Kind> {
        let kinds: [Option<&dyn Kind>; 6] = [
            self.queries.as_ref().map(|kind| kind as _),
            self.tables.as_ref().map(|kind| kind as _),
            self.bake.as_ref().map(|kind| kind as _),
            self.simulate.as_ref().map(|kind| kind as _),
            self.bench.as_ref().map(|kind| kind as _),
            self.generate.as_ref().map(|kind| kind as _),
        ];
        kinds.into_iter().flatten().collect()
    }

    /// Returns its kind of work.
    pub(crate) fn kind(&self) -> &dyn Kind {
        self.kinds()[0]
    }

    /// Returns the address of the results of a job's file: `output`, seen from the file, unless the
    /// job says nothing.
    #[must_use]
    pub fn output(&self, file: &Path) -> String {
        let folder = file.parent().unwrap_or(Path::new(""));
        match &self.output {
            Some(output) if is_url(output) => output.clone(),
            Some(output) => folder.join(output).display().to_string(),
            None => folder.join("results").join(&self.name).display().to_string(),
        }
    }

    /// Returns the noun for what shards are cut from, in the plural: "queries", "destinations".
    #[must_use]
    pub fn items(&self) -> &'static str {
        self.kind().items()
    }

    /// Returns a question in SQL to the table `results` of all rows, whose answer sums the job up.
    #[must_use]
    pub fn summary(&self) -> Option<&'static str> {
        self.kind().summary()
    }

    /// Returns a question in SQL to the same table for the number of rows that show a defect of an
    /// engine.
    #[must_use]
    pub fn wrong(&self) -> Option<&'static str> {
        self.kind().wrong()
    }

    /// Returns the name of its kind of work: "queries", "tables".
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        self.kind().name()
    }
}

const KINDS: &str = "[queries], [tables], [bench], [bake], [simulate] and [generate]";
