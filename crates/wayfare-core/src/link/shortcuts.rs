//! Shortcuts: links that are faster than the space's estimate allows, and an estimate that knows
//! them.

use super::NavLinks;
use super::nav_links::Arc;
use crate::space::{Cost, Space, StateId};

/// The largest number of directions of shortcuts that each estimate considers. If there are more,
/// all count as being everywhere.
const MOST_KNOWN: usize = 16;

/// The shortcuts among the links of a set.
///
/// A link is a shortcut, and has its least cost, whatever its gate and wait. So estimates stay the
/// same under a running search when a door closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortcuts<C> {
    /// Their positions among all directions.
    known: [u32; MOST_KNOWN],
    count: usize,
    /// The cost of the cheapest one.
    least: C,
}

impl<C: Cost> Shortcuts<C> {
    /// Returns the shortcuts among all links. `price` returns the cost of a direction without any
    /// wait.
    pub(super) fn among<S: Space<Cost = C>>(
        links: &NavLinks<S::State>,
        space: &S,
        price: impl Fn(&Arc<S::State>) -> C,
    ) -> Self {
        let mut shortcuts = Self { known: [0; MOST_KNOWN], count: 0, least: C::INFINITY };
        for (number, arc) in links.all_out().iter().enumerate() {
            let cost = price(arc);
            if cost > space.estimate(arc.here, arc.there) {
                continue;
            }
            if let Some(slot) = shortcuts.known.get_mut(shortcuts.count) {
                *slot = number as u32;
            }
            shortcuts.count += 1;
            shortcuts.least = shortcuts.least.min(cost);
        }
        shortcuts
    }

    /// Returns the least of the estimate over ground and the estimates through one shortcut:
    ///
    /// ```text
    /// min(e(a, b), min over shortcuts of e(a, entry) + least + e(exit, b))
    /// ```
    ///
    /// It never overestimates. It is consistent if `e` obeys the triangle inequality up to one unit
    /// of rounding:
    ///
    /// * A move over ground changes each part by at most its cost.
    /// * A shortcut costs at least `least`, and joins an entry and an exit.
    /// * Any other link costs more than `e` between its ends.
    #[inline]
    pub(super) fn estimate<State: StateId>(
        &self,
        links: &NavLinks<State>,
        from: State,
        to: State,
        estimate: impl Fn(State, State) -> C,
    ) -> C {
        let along_the_ground = estimate(from, to);
        if self.count == 0 || along_the_ground <= self.least {
            return along_the_ground;
        }
        if self.count > MOST_KNOWN {
            return self.least;
        }
        let (mut entry, mut exit) = (C::INFINITY, C::INFINITY);
        for &number in &self.known[..self.count] {
            let arc = &links.all_out()[number as usize];
            entry = entry.min(estimate(from, arc.here));
            exit = exit.min(estimate(arc.there, to));
        }
        along_the_ground.min(entry.plus(self.least).plus(exit))
    }
}
