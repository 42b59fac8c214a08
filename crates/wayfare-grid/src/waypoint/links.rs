//! The links of a graph: as described, and as searches follow them.

use wayfare_core::inside::Adjacency;
use wayfare_core::space::Action;

use super::parts::{COST_PER_UNIT, MAX_COST, WaypointLinkCost, WaypointLinkFault};
use super::spans::Spans;

/// A move as searches follow it: 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Hop {
    /// The waypoint at the other end.
    pub(super) other: u32,
    /// Link cost, surcharge and own cost of the target together.
    pub(super) cost: u32,
    pub(super) action: Action,
}

/// One direction of a link as described.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Record {
    pub(super) target: u32,
    pub(super) cost: WaypointLinkCost,
    pub(super) surcharge: f32,
    pub(super) action: Action,
}

impl Record {
    /// Returns the cost of the move without the target's own cost, for a link of the given length.
    pub(super) fn base_cost(&self, length: f64) -> Result<u32, WaypointLinkFault> {
        let check = |field, value: f32| match value {
            value if value.is_finite() && value >= 0.0 => Ok(f64::from(value)),
            value => Err(WaypointLinkFault::Number { field, value }),
        };
        let per_unit = f64::from(COST_PER_UNIT);
        let walk = match self.cost {
            WaypointLinkCost::Length { multiplier } => {
                (length * check("multiplier", multiplier)? * per_unit).ceil()
            }
            WaypointLinkCost::Fixed(cost) => (check("cost", cost)? * per_unit).round(),
        };
        let sum = walk + (check("surcharge", self.surcharge)? * per_unit).round();
        if sum <= f64::from(MAX_COST) * per_unit {
            Ok(sum as u32)
        } else {
            Err(WaypointLinkFault::TooExpensive(sum / per_unit))
        }
    }
}

/// All links, by the waypoint that they leave and by the one that they enter. Lists are sorted by
/// the other end.
///
/// `records` and `sources` hold every link. `out` and `back` hold the links between free waypoints,
/// so that a search has nothing to check.
#[derive(Clone, Debug, Default)]
pub(super) struct Links {
    pub(super) records: Spans<Record>,
    pub(super) sources: Spans<u32>,
    pub(super) out: Spans<Hop>,
    pub(super) back: Spans<Hop>,
}

impl Links {
    pub(super) fn push_waypoint(&mut self) {
        self.records.push_list();
        self.sources.push_list();
        self.out.push_list();
        self.back.push_list();
    }

    pub(super) fn record(&self, from: u32, to: u32) -> Option<&Record> {
        let records = self.records.get(from);
        records.binary_search_by_key(&to, |record| record.target).ok().map(|at| &records[at])
    }

    pub(super) fn set_record(&mut self, from: u32, record: Record) {
        match self.records.get(from).binary_search_by_key(&record.target, |r| r.target) {
            Ok(at) => self.records.get_mut(from)[at] = record,
            Err(at) => {
                self.records.insert(from, at, record);
                if let Err(at) = self.sources.get(record.target).binary_search(&from) {
                    self.sources.insert(record.target, at, from);
                }
            }
        }
    }

    /// Removes a link. Returns whether there was one.
    pub(super) fn remove(&mut self, from: u32, to: u32) -> bool {
        let Ok(at) = self.records.get(from).binary_search_by_key(&to, |record| record.target)
        else {
            return false;
        };
        self.records.remove(from, at);
        if let Ok(at) = self.sources.get(to).binary_search(&from) {
            self.sources.remove(to, at);
        }
        self.close(from, to);
        true
    }

    /// Opens a link to searches at a cost.
    pub(super) fn open(&mut self, from: u32, to: u32, cost: u32, action: Action) {
        set_hop(&mut self.out, from, Hop { other: to, cost, action });
        set_hop(&mut self.back, to, Hop { other: from, cost, action });
    }

    /// Hides a link from searches.
    pub(super) fn close(&mut self, from: u32, to: u32) {
        remove_hop(&mut self.out, from, to);
        remove_hop(&mut self.back, to, from);
    }

    /// Returns whether searches can follow a link in either direction.
    pub(super) fn are_joined(&self, a: u32, b: u32) -> bool {
        [(a, b), (b, a)].iter().any(|&(from, to)| find_hop(&self.out, from, to).is_ok())
    }
}

impl Adjacency for Links {
    fn neighbours(&self, state: u32, mut visit: impl FnMut(u32)) {
        self.out.get(state).iter().for_each(|hop| visit(hop.other));
        self.back.get(state).iter().for_each(|hop| visit(hop.other));
    }
}

fn find_hop(spans: &Spans<Hop>, list: u32, other: u32) -> Result<usize, usize> {
    spans.get(list).binary_search_by_key(&other, |hop| hop.other)
}

fn set_hop(spans: &mut Spans<Hop>, list: u32, hop: Hop) {
    match find_hop(spans, list, hop.other) {
        Ok(at) => spans.get_mut(list)[at] = hop,
        Err(at) => spans.insert(list, at, hop),
    }
}

fn remove_hop(spans: &mut Spans<Hop>, list: u32, other: u32) {
    if let Ok(at) = find_hop(spans, list, other) {
        spans.remove(list, at);
    }
}
