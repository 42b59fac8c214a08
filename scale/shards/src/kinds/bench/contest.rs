//! An engine that answers the queries of a scenario, kept by the thread that runs it.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use wayfare::search::AlgorithmId;
use wayfare_site::{Clock, Ending, EngineName, Preparation, SearchReport, SearchRequest, Searcher};

use super::trial::{Case, Listed, Trial};
use super::{is_exact, meter};
use crate::plan::Planned;
use crate::{BatchError, Plan, Shard};

thread_local! {
    /// Of the last shard: the next one is most often of the same scenario and engine, and an index
    /// takes longer to build than to ask.
    static KEPT: RefCell<Option<Contest>> = const { RefCell::new(None) };
}

/// An engine on a scenario.
pub(super) struct Contest {
    /// The hashes of scenario and map, and the engine.
    name: String,
    trial: Rc<Trial>,
    engine: EngineName,
    searcher: Box<dyn Searcher>,
    /// Why the engine could not be prepared.
    refusal: Option<String>,
}

/// An answer, judged.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) status: &'static str,
    pub(super) reason: Option<String>,
    pub(super) is_right: Option<bool>,
    pub(super) cost: Option<u64>,
    pub(super) length: Option<f64>,
    pub(super) optimal_length: f64,
    pub(super) loss: Option<f64>,
    pub(super) expanded: u64,
    pub(super) ns: Option<u64>,
    pub(super) instructions: Option<u64>,
}

impl Contest {
    /// Takes the contest of a shard: the thread's last one, or a new one on the same world, or on a
    /// world that is opened.
    pub(super) fn take(plan: &Plan, shard: &Shard, engine: EngineName) -> Result<Self, BatchError> {
        let inputs = || shard.inputs.iter().map(|&input| plan.inputs[input].hash.as_str());
        let world = inputs().collect::<Vec<_>>().join(" ");
        let name = format!("{world} {engine}");
        let kept = KEPT.take();
        let trial = match kept {
            Some(kept) if kept.name == name => return Ok(kept),
            Some(kept) if kept.name.starts_with(&world) => kept.trial,
            _ => Rc::new(opened(plan, shard)?),
        };
        Ok(Self::new(name, trial, engine))
    }

    /// Prepares an engine, for the first query of the scenario that has a path, whatever the shard.
    /// The first search pays for the memory of all: it is not counted.
    fn new(name: String, trial: Rc<Trial>, engine: EngineName) -> Self {
        let mut contest =
            Self { name, searcher: trial.site.searcher(), trial, engine, refusal: None };
        let cases = &contest.trial.cases;
        let first = cases.iter().find(|case| case.optimal_length > 0.0).or(cases.first());
        let Some(&first) = first else { return contest };
        if let Some(preparation) = Preparation::usual(engine, first.ends)
            && let Err(error) = contest.searcher.prepare(preparation, Clock::NONE)
        {
            contest.refusal = Some(error.to_string());
        } else {
            contest.run(first, Some(100_000), Clock::NONE);
        }
        contest
    }

    /// Keeps the contest for the thread's next shard.
    pub(super) fn keep(self) {
        KEPT.set(Some(self));
    }

    /// Returns the number of queries in the scenario.
    pub(super) fn queries(&self) -> u64 {
        self.trial.cases.len() as u64
    }

    fn run(&mut self, case: Case, max_expansions: Option<u64>, clock: Clock) -> SearchReport {
        let mut request = SearchRequest::new(self.engine, case.ends);
        (request.max_expansions, request.clock) = (max_expansions, clock);
        self.searcher.run(&request, &mut |_| ())
    }

    /// Answers a query `repeat` times, and once more to count its instructions.
    pub(super) fn answer(&mut self, query: usize, repeat: u32, most: Option<u64>) -> Answer {
        let case = self.trial.cases[query];
        let optimal_length = case.optimal_length;
        if let Some(refusal) = &self.refusal {
            let reason = Some(refusal.clone());
            return Answer { status: "refused", reason, optimal_length, ..Answer::default() };
        }
        let report = self.run(case, most, meter::thread_time());
        let mut least = report.elapsed;
        for _ in 1..repeat {
            least = least.min(self.run(case, most, meter::thread_time()).elapsed);
        }
        let instructions = meter::instructions().map(|clock| self.run(case, most, clock).elapsed);
        let answer = self.judge(&report, case);
        // The time of another engine is none of this one's.
        let is_own = answer.status != "refused";
        Answer {
            expanded: report.stats.expanded,
            ns: is_own.then_some(least.as_nanos() as u64),
            instructions: instructions.filter(|_| is_own).map(|count| count.as_nanos() as u64),
            optimal_length,
            ..answer
        }
    }

    fn judge(&self, report: &SearchReport, case: Case) -> Answer {
        let is_found = report.is_found();
        let mut answer = Answer {
            cost: is_found.then(|| report.cost()),
            length: is_found.then_some(report.length),
            ..Answer::default()
        };
        let verdict = self.verdict(report, case);
        if let Verdict::Found { loss } | Verdict::Longer { loss } | Verdict::Shorter { loss } =
            verdict
        {
            answer.loss = Some(loss);
        }
        (answer.status, answer.is_right, answer.reason) = match verdict {
            Verdict::Found { .. } => ("found", Some(true), None),
            Verdict::Longer { .. } => ("longer", Some(true), None),
            Verdict::Shorter { .. } => ("shorter", Some(true), None),
            Verdict::NoPath(why) => ("no path", Some(true), Some(why)),
            Verdict::Limit(why) => ("limit", None, Some(why)),
            Verdict::Refused(why) => ("refused", None, Some(why)),
            Verdict::Wrong(why) => ("wrong", Some(false), Some(why)),
        };
        answer
    }

    fn verdict(&self, report: &SearchReport, case: Case) -> Verdict {
        match report.ending {
            Ending::Found => self.of_a_path(report, case),
            // A length of 0 between two different ends is a file's notation for no path.
            Ending::NoPath(why)
                if case.optimal_length == 0.0 && case.ends.start != case.ends.goal =>
            {
                Verdict::NoPath(why.to_string())
            }
            Ending::NoPath(why) => Verdict::Wrong(format!(
                "no path ({why}), but the optimal length is {:.5}",
                case.optimal_length
            )),
            Ending::Limit(limit) => Verdict::Limit(limit.to_string()),
            Ending::Interrupted(why) => Verdict::Limit(why.to_string()),
        }
    }

    fn of_a_path(&self, report: &SearchReport, case: Case) -> Verdict {
        let (length, optimal) = (report.length, case.optimal_length);
        if let Some(fault) = &report.fault {
            return Verdict::Wrong(format!("the path is not valid: {fault}"));
        }
        if let Some(why) = self.other_engine(report) {
            return Verdict::Refused(why);
        }
        let tolerance = self.trial.tolerance.of(optimal);
        if (length - optimal).abs() <= tolerance {
            return Verdict::Found { loss: 0.0 };
        }
        if length < optimal && self.engine == AlgorithmId::LazyThetaStar.into() {
            return Verdict::Shorter { loss: length / optimal - 1.0 };
        }
        if length < optimal {
            return Verdict::Wrong(format!(
                "length {length:.5}, less than the {optimal:.5} that the file calls optimal, on a \
                 valid path: the file does not fit this map or these rules"
            ));
        }
        let most = if is_exact(self.engine) { 1.0 } else { f64::from(report.took.loss_bound) };
        if length > optimal * most + tolerance {
            return Verdict::Wrong(format!("length {length:.5}, but the optimal is {optimal:.5}"));
        }
        Verdict::Longer { loss: length / optimal - 1.0 }
    }

    /// Returns which engine answered instead of the one that was asked.
    fn other_engine(&self, report: &SearchReport) -> Option<String> {
        let wanted = self.engine.name();
        let is_open = wanted == "auto" || report.method == wanted;
        (!is_open).then(|| {
            let why = report.refused.map_or(String::new(), |why| format!(": {why}"));
            format!("{} answered instead{why}", report.method)
        })
    }
}

/// The quality of an answer.
enum Verdict {
    Found { loss: f64 },
    Longer { loss: f64 },
    Shorter { loss: f64 },
    NoPath(String),
    Limit(String),
    Refused(String),
    Wrong(String),
}

fn opened(plan: &Plan, shard: &Shard) -> Result<Trial, BatchError> {
    let [scenario, map] = [0, 1].map(|at| &plan.inputs[shard.inputs[at]]);
    let listed = Listed::read(&scenario.read()?, &scenario.name)?;
    Trial::open(&listed, &scenario.name, Path::new(&map.name), &Planned(plan))
}
