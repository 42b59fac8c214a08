//! Probes: stretches of lines whose runs are to be looked at.

use super::gateways::{Lines, Run};

/// Stretches of the lines of one direction.
pub(super) struct Probes(Vec<Probe>);

/// The places from one to another of a line, with the padding counted.
#[derive(Clone, Copy)]
struct Probe {
    line: u32,
    from: u32,
    to: u32,
}

impl Probes {
    /// The number of probes added last among which one that touches the next is noticed.
    const RECENT: usize = 6;

    /// Makes room for a number of stretches.
    pub(super) fn with_capacity(count: usize) -> Self {
        Self(Vec::with_capacity(count))
    }

    /// Adds the places from one to another.
    pub(super) fn add(&mut self, line: u32, [from, to]: [u32; 2]) {
        let touches =
            |probe: &&mut Probe| probe.line == line && probe.from <= to + 1 && from <= probe.to + 1;
        match self.0.iter_mut().rev().take(Self::RECENT).find(touches) {
            Some(probe) => (probe.from, probe.to) = (probe.from.min(from), probe.to.max(to)),
            None => self.0.push(Probe { line, from, to }),
        }
    }

    pub(super) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the runs with cells among the places, each once, line by line.
    pub(super) fn runs(&mut self, lines: Lines<'_>) -> Vec<Run> {
        self.0.sort_unstable_by_key(|probe| u64::from(probe.line) << 32 | u64::from(probe.from));
        let mut runs: Vec<Run> = Vec::with_capacity(2 * self.0.len());
        for &Probe { line, from, to } in &self.0 {
            let end = runs.last().filter(|run| run.line == line).map_or(0, |run| run.last + 1);
            runs.extend(lines.runs_among(line, [from.max(end), to]));
        }
        runs
    }

    /// Returns the probes of some runs and of those beside them.
    pub(super) fn around(lines: Lines<'_>, runs: &[Run]) -> Self {
        let mut probes = Self::with_capacity(3 * runs.len());
        for run in runs {
            let [before, after] = lines.beside(*run);
            for (line, places) in [before, (run.line, [run.first, run.last]), after] {
                probes.add(line, places);
            }
        }
        probes
    }
}
