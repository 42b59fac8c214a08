//! Who answers, and their turns.

use wayfare::hierarchy::HierarchySettings;
use wayfare::search::{AlgorithmId, Guarantee};
use wayfare_site::{HIERARCHY, HierarchySearcher, INDEX, SearchRequest, Searcher, Site};

use super::results::{Prepared, Results, Sample, judge, loss};
use super::trial::{Case, Trial};
use crate::args::BenchArgs;
use crate::commands::shared::{LoadedIndex, request};
use crate::failure::Failure;
use crate::report::micros;
use crate::stopwatch::clock;

/// IDA* on a wrong-footed query may go on for as long as one cares to wait.
const IDASTAR_EXPANSIONS: u64 = 2_000_000;

/// Who answers queries.
pub(super) struct Contestant<'a> {
    pub(super) algorithm: AlgorithmId,
    pub(super) method: &'static str,
    pub(super) guarantee: Guarantee,
    pub(super) prepared: Option<Prepared>,
    pub(super) searcher: Box<dyn Searcher + 'a>,
}

impl<'a> Contestant<'a> {
    pub(super) fn searching(algorithm: AlgorithmId, site: &'a dyn Site) -> Self {
        let info = algorithm.info();
        let (method, guarantee) = (info.name, info.guarantee);
        Self { algorithm, method, guarantee, prepared: None, searcher: site.searcher() }
    }

    pub(super) fn indexed(index: &'a LoadedIndex, site: &'a dyn Site) -> Result<Self, Failure> {
        let size = Prepared { bytes: index.index.inner().size_in_bytes(), seconds: index.seconds };
        Ok(Self::ready(INDEX, Guarantee::Optimal, size, index.index.searcher(site)?))
    }

    pub(super) fn over_sectors(
        settings: HierarchySettings,
        site: &'a dyn Site,
    ) -> Result<Self, Failure> {
        let searcher = HierarchySearcher::build(site, settings, clock())?;
        let size = searcher.size();
        let size = Prepared { bytes: size.bytes, seconds: size.built.as_secs_f64() };
        Ok(Self::ready(HIERARCHY, Guarantee::Bounded, size, Box::new(searcher)))
    }

    fn ready(
        method: &'static str,
        guarantee: Guarantee,
        size: Prepared,
        searcher: Box<dyn Searcher + 'a>,
    ) -> Self {
        Self { algorithm: AlgorithmId::Auto, method, guarantee, prepared: Some(size), searcher }
    }
}

pub(super) fn ask(algorithm: AlgorithmId, query: &Case, args: &BenchArgs) -> SearchRequest {
    let mut ask = request(algorithm, query.ends);
    let cap = (algorithm == AlgorithmId::IdaStar).then_some(IDASTAR_EXPANSIONS);
    ask.max_expansions = args.max_expansions.or(cap);
    ask
}

/// Lets every algorithm answer one query after the other, in turns.
pub(super) fn measure(
    trial: &Trial,
    mut contestants: Vec<Contestant<'_>>,
    queries: &[&Case],
    args: &BenchArgs,
    progress: &mut dyn FnMut(usize),
) -> Vec<Results> {
    let results = |contestant: &Contestant<'_>| Results {
        method: contestant.method,
        guarantee: contestant.guarantee,
        prepared: contestant.prepared,
        samples: Vec::with_capacity(queries.len()),
        scratch_bytes: 0,
        verdicts: Vec::with_capacity(queries.len()),
    };
    let mut all: Vec<Results> = contestants.iter().map(results).collect();
    // The first search pays for the memory of all: it is not counted.
    for contestant in &mut contestants {
        if let Some(first) = queries.first() {
            contestant.searcher.run(&ask(contestant.algorithm, first, args), &mut |_| ());
        }
    }
    for (number, query) in queries.iter().enumerate() {
        // Each goes first in its turn: what one leaves in the caches is not always the same other's.
        for turn in 0..contestants.len() {
            let place = (number + turn) % contestants.len();
            let Contestant { algorithm, searcher, .. } = &mut contestants[place];
            let ask = ask(*algorithm, query, args);
            let mut run = searcher.run(&ask, &mut |_| ());
            for _ in 1..args.repeat {
                let again = searcher.run(&ask, &mut |_| ());
                run.elapsed = run.elapsed.min(again.elapsed);
                run.turns_elapsed = run.turns_elapsed.min(again.turns_elapsed);
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
                turns_us: micros(run.turns_elapsed),
                expanded: run.stats.expanded,
                first_leg_us: run.sectors.map(|legs| micros(legs.first)),
            });
            results.scratch_bytes = results.scratch_bytes.max(run.scratch_bytes);
            results.verdicts.push(judge(&run, query, trial.tolerance));
        }
        progress(number + 1);
    }
    all
}
