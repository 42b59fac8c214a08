//! Shortcuts: the links that get there faster than the space's own estimate thinks possible, and an estimate that knows them.

use super::NavLinks;
use super::nav_links::Arc;
use crate::space::{Cost, Space, StateId};

/// Up to this many directions of shortcuts are looked at for every estimate; with more, all count as lying everywhere.
const MOST_KNOWN: usize = 16;

/// The shortcuts among some links.
///
/// Which links are shortcuts and what they cost at least depends neither on gates nor on waits, so that the estimates do not
/// change under a search when a door shuts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortcuts<C> {
    /// The numbers of the directions among all.
    known: [u32; MOST_KNOWN],
    count: usize,
    /// What the cheapest of them costs.
    least: C,
}

impl<C: Cost> Shortcuts<C> {
    /// The shortcuts among all links. `price` says what a direction costs when nobody waits.
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

    /// The least of the estimate along the ground and one that takes a shortcut on the way:
    /// `min(e(a, b), min e(a, entry) + least + min e(exit, b))`.
    ///
    /// It never overestimates, and it is consistent where `e` obeys the triangle inequality up to one unit of rounding. A move
    /// on the ground changes each part by at most its cost; a shortcut costs `least` or more, leaves from an entry and arrives at
    /// an exit; every other link costs more than `e` between its ends.
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
