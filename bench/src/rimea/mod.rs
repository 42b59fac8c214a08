//! The tests of RiMEA's guideline for simulations of evacuation, as far as the engine can express
//! them, and two measured bottlenecks.
//!
//! People are agents of simulations on grids that avoid each other by the collision-free speed
//! model with its defaults. Bounds are those of the guideline, of Weidmann (1993), or of what other
//! programs report where the guideline names none: the last column says so.
//!
//! Source: RiMEA, Guideline for microscopic evacuation analysis, version 3.0, 2016.

mod crowds;
mod hall;
mod measure;
mod ring;
mod single;

use measure::Measure;

/// What became of a test.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Verdict {
    Pass,
    Fail,
}

impl Verdict {
    fn of(is_within: bool) -> Self {
        if is_within { Self::Pass } else { Self::Fail }
    }
}

/// A line of the table.
struct Finding {
    test: &'static str,
    measured: String,
    bound: &'static str,
    verdict: Verdict,
    remark: &'static str,
}

impl Finding {
    fn new(test: &'static str, measured: String, bound: &'static str, is_within: bool) -> Self {
        Self { test, measured, bound, verdict: Verdict::of(is_within), remark: "" }
    }

    fn remark(self, remark: &'static str) -> Self {
        Self { remark, ..self }
    }
}

/// Findings and what was measured on the way.
struct Report {
    findings: Vec<Finding>,
    measures: Vec<(&'static str, Measure)>,
    only: String,
}

impl Report {
    fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    fn keep(&mut self, test: &'static str, measures: impl IntoIterator<Item = Measure>) {
        self.measures.extend(measures.into_iter().map(|measure| (test, measure)));
    }

    /// Whether a test was asked for.
    fn wants(&self, test: &str) -> bool {
        self.only.is_empty() || self.only == test
    }
}

/// Runs the tests, or the one of that number or name, and prints the table; with `csv` what was
/// measured instead, with `fine` on cells of half the side. Says whether all passed that can be
/// expressed.
pub(crate) fn run(only: &str, format: &str) -> Result<bool, String> {
    let is_format = matches!(only, "csv" | "fine");
    let (only, format) = if is_format { ("", only) } else { (only, format) };
    if format == "fine" {
        hall::use_fine_cells();
    }
    let mut report = Report { findings: Vec::new(), measures: Vec::new(), only: only.to_owned() };
    single::run(&mut report)?;
    ring::run(&mut report)?;
    crowds::run(&mut report)?;
    if format == "csv" {
        println!("test,place,second,density,speed,flow,voronoi_density,voronoi_speed,voronoi_flow");
        report.measures.iter().for_each(|(test, measure)| measure.print(test));
        return Ok(true);
    }
    println!("| test | measured | bound | | |\n|---|---|---|---|---|");
    for Finding { test, measured, bound, verdict, remark } in &report.findings {
        let verdict = match verdict {
            Verdict::Pass => "pass",
            Verdict::Fail => "FAIL",
        };
        println!("| {test} | {measured} | {bound} | {verdict} | {remark} |");
    }
    Ok(report.findings.iter().all(|finding| finding.verdict != Verdict::Fail))
}
