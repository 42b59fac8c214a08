//! The states to expand next, in little memory.
//!
//! The table already has the waiting states and their costs. The frontier lists the most promising
//! of them. If it grows beyond a share of the table, the least promising are dropped. When it has
//! run empty, the table is scanned for the next ones. A scan costs O(states), and a fixed share of
//! all states is expanded in between.

use std::collections::BTreeMap;

use super::layout::Layout;
use super::table::StateTable;

/// One state in this many may be listed, and [`FEW`].
const SHARE: u64 = 32;
const FEW: u64 = 4096;
/// The count of sums that a scan of the table keeps apart.
const LEVELS: usize = 64;

/// States by the sum of cost and estimate.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    listed: BTreeMap<u32, Vec<u64>>,
    count: usize,
    /// All states that wait with sums up to this one are listed.
    horizon: u32,
    /// Whether a state may wait that is not listed.
    has_more: bool,
}

impl Frontier {
    pub(super) fn new() -> Self {
        Self { listed: BTreeMap::new(), count: 0, horizon: u32::MAX, has_more: false }
    }

    pub(super) fn bytes(&self) -> usize {
        self.count * 8
    }

    /// Adds a state. `states`: the count in the table.
    pub(super) fn push(&mut self, sum: u32, key: u64, states: u64) {
        if sum > self.horizon {
            self.has_more = true;
            return;
        }
        self.listed.entry(sum).or_default().push(key);
        self.count += 1;
        while self.count as u64 > FEW + states / SHARE {
            // Drops the last level, or the excess of the only one.
            let Some(mut last) = self.listed.last_entry() else { break };
            let level = *last.key();
            let most = (FEW + states / SHARE) as usize / 2;
            if self.count - last.get().len() >= most {
                self.count -= last.remove().len();
            } else {
                let kept = most - (self.count - last.get().len());
                self.count = most;
                last.get_mut().truncate(kept);
                last.get_mut().shrink_to_fit();
            }
            self.horizon = level.saturating_sub(1);
            self.has_more = true;
        }
    }

    /// Returns the next state. Of equal sums the one listed last comes first.
    pub(super) fn pop(
        &mut self,
        table: &StateTable,
        layout: &Layout,
        estimates: &[u32],
    ) -> Option<u64> {
        if self.count == 0 && self.has_more {
            self.look(table, layout, estimates);
        }
        let mut first = self.listed.first_entry()?;
        let key = first.get_mut().pop();
        if first.get().is_empty() {
            first.remove();
        }
        self.count -= 1;
        key
    }

    /// Lists the most promising states of the table.
    fn look(&mut self, table: &StateTable, layout: &Layout, estimates: &[u32]) {
        let sum = |key: u64, cost: u32| cost.saturating_add(estimates[layout.walker(key) as usize]);
        let mut levels: BTreeMap<u32, u64> = BTreeMap::new();
        let mut is_cut = false;
        table.for_each_waiting(|key, cost| {
            let sum = sum(key, cost);
            if levels.len() >= LEVELS && levels.last_key_value().is_some_and(|last| *last.0 < sum) {
                is_cut = true;
                return;
            }
            *levels.entry(sum).or_default() += 1;
            if levels.len() > LEVELS {
                levels.pop_last();
                is_cut = true;
            }
        });
        let most = (FEW + table.count() / SHARE) / 2;
        let (mut listed, mut upto, mut all) = (0, None, true);
        for (level, count) in &levels {
            all = listed + count <= most;
            if !all && upto.is_some() {
                break;
            }
            (listed, upto) = (listed + count, Some(*level));
            if !all {
                break;
            }
        }
        let Some(upto) = upto else {
            self.has_more = false;
            return;
        };
        // More than `most` only where a single level has more: then a part of that.
        let is_partial = listed > most;
        table.for_each_waiting(|key, cost| {
            let sum = sum(key, cost);
            if sum <= upto && (self.count as u64) < most {
                self.listed.entry(sum).or_default().push(key);
                self.count += 1;
            }
        });
        self.has_more = !all || is_cut;
        self.horizon = match (is_partial, self.has_more) {
            (true, _) => upto.saturating_sub(1),
            (false, true) => upto,
            (false, false) => u32::MAX,
        };
    }
}
