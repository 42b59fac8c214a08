//! Who answers, and their turns.

use wayfare::search::AlgorithmId;
use wayfare_site::{EngineName, Preparation, SearchRequest, Searcher, Site};

use super::results::{Prepared, Results, Sample, judge, loss};
use super::trial::{Case, Trial};
use crate::args::BenchArgs;
use crate::commands::shared::{prepare, prepare_from, request};
use crate::failure::Failure;
use crate::report::micros;

/// IDA* on a wrong-footed query may go on for as long as one cares to wait.
const IDASTAR_EXPANSIONS: u64 = 2_000_000;

/// Who answers queries.
pub(super) struct Contestant {
    engine: EngineName,
    prepared: Option<Prepared>,
    searcher: Box<dyn Searcher>,
}

impl Contestant {
    /// Returns a search, or an engine prepared with default settings for the first of the queries.
    pub(super) fn new(
        engine: EngineName,
        site: &dyn Site,
        first: Option<&&Case>,
    ) -> Result<Self, Failure> {
        if engine == EngineName::Field {
            let problem = "a field answers for one goal, and bench asks for many";
            return Err(Failure::Usage(problem.to_owned()));
        }
        let mut searcher = site.searcher();
        let prepared = match first {
            Some(query) => prepare(site, searcher.as_mut(), engine, query.ends)?,
            None => None,
        };
        Ok(Self { engine, prepared: prepared.map(Prepared::of), searcher })
    }

    /// Returns an engine prepared from what was given.
    pub(super) fn prepared(site: &dyn Site, preparation: Preparation) -> Result<Self, Failure> {
        let (engine, mut searcher) = (preparation.engine(), site.searcher());
        let prepared = Prepared::of(prepare_from(site, searcher.as_mut(), preparation)?);
        Ok(Self { engine, prepared: Some(prepared), searcher })
    }

    /// Returns the same, which took that much longer to prepare.
    pub(super) fn after(mut self, seconds: f64) -> Self {
        if let Some(prepared) = &mut self.prepared {
            prepared.seconds += seconds;
        }
        self
    }
}

pub(super) fn ask(engine: EngineName, query: &Case, args: &BenchArgs) -> SearchRequest {
    let mut ask = request(engine, query.ends);
    let cap = (engine == AlgorithmId::IdaStar.into()).then_some(IDASTAR_EXPANSIONS);
    ask.max_expansions = args.max_expansions.or(cap);
    ask
}

/// Lets every algorithm answer one query after the other, in turns.
pub(super) fn measure(
    trial: &Trial,
    mut contestants: Vec<Contestant>,
    queries: &[&Case],
    args: &BenchArgs,
    progress: &mut dyn FnMut(usize),
) -> Vec<Results> {
    let results = |contestant: &Contestant| Results {
        method: contestant.engine.name(),
        guarantee: contestant.engine.guarantee(),
        prepared: contestant.prepared,
        samples: Vec::with_capacity(queries.len()),
        scratch_bytes: 0,
        verdicts: Vec::with_capacity(queries.len()),
    };
    let mut all: Vec<Results> = contestants.iter().map(results).collect();
    // The first search pays for the memory of all: it is not counted.
    for contestant in &mut contestants {
        if let Some(first) = queries.first() {
            contestant.searcher.run(&ask(contestant.engine, first, args), &mut |_| ());
        }
    }
    for (number, query) in queries.iter().enumerate() {
        // Each goes first in its turn: what one leaves in the caches is not always the same
        // other's.
        for turn in 0..contestants.len() {
            let place = (number + turn) % contestants.len();
            let Contestant { engine, searcher, .. } = &mut contestants[place];
            let ask = ask(*engine, query, args);
            let mut run = searcher.run(&ask, &mut |_| ());
            for _ in 1..args.repeat {
                let again = searcher.run(&ask, &mut |_| ());
                run.elapsed = run.elapsed.min(again.elapsed);
                if let (Some(legs), Some(again)) = (&mut run.sectors, &again.sectors) {
                    legs.first = legs.first.min(again.first);
                }
            }
            let results = &mut all[place];
            results.samples.push(Sample {
                query: query.number,
                optimal_length: query.optimal_length,
                loss: loss(&run, query, trial.tolerance),
                us: micros(run.elapsed),
                turns_us: micros(run.elapsed),
                expanded: run.stats.expanded,
                first_leg_us: run.sectors.map(|legs| micros(legs.first)),
            });
            results.scratch_bytes = results.scratch_bytes.max(run.scratch_bytes);
            results.verdicts.push(judge(&run, query, trial.tolerance));
        }
        progress(number + 1);
    }
    // Turning points in a second pass: right after the cells of the same query they would find the
    // caches full of it.
    for (number, query) in queries.iter().enumerate() {
        for (contestant, results) in contestants.iter_mut().zip(&mut all) {
            let ask = ask(contestant.engine, query, args);
            let times = (0..args.repeat).map_while(|_| contestant.searcher.time_turns(&ask));
            if let Some(least) = times.min() {
                results.samples[number].turns_us = micros(least);
            }
        }
    }
    all
}
