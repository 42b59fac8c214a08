//! The negative cache: regions that nothing outside leads into.
//!
//! # Why a region proves that there is no path
//!
//! Let `R` be all states from which some goal `g` can be reached, found by a search backwards from
//! `g` that ended. Let a request lead from a start outside of `R` to a goal `h` in `R`. If it had a
//! path, this would reach `h` and go on from there to `g`, so that its start lay in `R`. Hence it
//! has none.
//!
//! An edit that changes no move into a state of `R` leaves `R` as it is: every move into `R` ends
//! at one of its states, and edits report both ends of a changed move.

use wayfare_core::space::{ReverseSpace, Revision, StateId};

use super::ClassId;

/// For one class, all states that reach a certain goal. A start outside the set has no path to any
/// state in it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Region<State> {
    class: ClassId,
    /// Sorted.
    states: Vec<State>,
    revision: Revision,
    last_used: u64,
}

/// The regions that are remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Negative<State> {
    regions: Vec<Region<State>>,
    most: usize,
}

impl<State: StateId> Negative<State> {
    pub(super) fn new(most: usize) -> Self {
        Self { regions: Vec::new(), most }
    }

    /// Returns whether every region is sorted, and nothing outside leads into it. What comes from a
    /// file may not be so.
    pub(super) fn is_sound<S>(&self, spaces: &impl Fn(ClassId) -> S) -> bool
    where
        S: ReverseSpace<State = State>,
    {
        self.regions.iter().all(|region| {
            let space = spaces(region.class);
            let exists = |state: State| (state.index() as usize) < space.state_bound();
            region.states.is_sorted()
                && region.states.iter().all(|&state| exists(state))
                && region.states.iter().all(|&state| {
                    let mut is_closed = true;
                    space.predecessors(state, |edge| is_closed &= region.holds(edge.target));
                    is_closed
                })
        })
    }

    /// Returns whether the goal lies in a region that nothing outside leads into.
    pub(super) fn holds(&self, class: ClassId, goal: State) -> bool {
        let mut regions = self.regions.iter();
        regions.any(|region| region.class == class && region.holds(goal))
    }

    /// Returns whether there is known to be no way. The goal's region leads to the goal it was
    /// found from, so that a start outside it which reached this goal would lie inside it.
    pub(super) fn parts(
        &mut self,
        class: ClassId,
        (start, goal): (State, State),
        revision: Revision,
        now: u64,
    ) -> bool {
        let known = self.regions.iter_mut().find(|region| {
            region.class == class
                && region.revision == revision
                && region.holds(goal)
                && !region.holds(start)
        });
        if let Some(region) = known {
            region.last_used = now;
            return true;
        }
        false
    }

    /// Remembers a region in place of the one that was of no use for the longest time.
    pub(super) fn learn(
        &mut self,
        class: ClassId,
        mut states: Vec<State>,
        revision: Revision,
        now: u64,
    ) {
        states.sort_unstable();
        if self.regions.len() >= self.most {
            let stalest = (0..self.regions.len()).min_by_key(|&at| self.regions[at].last_used);
            let Some(stalest) = stalest else { return };
            self.regions.remove(stalest);
        }
        self.regions.push(Region { class, states, revision, last_used: now });
    }

    /// Forgets what an edit touched, or everything older if it is not known what it touched; the
    /// rest holds in the new revision of its class. A move into a region changes the moves into one
    /// of its states.
    pub(super) fn world_changed(
        &mut self,
        affected: Option<&[State]>,
        revision: impl Fn(ClassId) -> Revision,
    ) {
        self.regions.retain_mut(|region| {
            let now = revision(region.class);
            let is_valid = region.revision == now
                || affected.is_some_and(|states| !states.iter().any(|&state| region.holds(state)));
            region.revision = now;
            is_valid
        });
    }
}

impl<State: StateId> Region<State> {
    fn holds(&self, state: State) -> bool {
        self.states.binary_search(&state).is_ok()
    }
}
