//! The negative cache: regions that no state outside has a path into.
//!
//! # Why a region proves that there is no path
//!
//! Let `R` be all states that reach some goal `g`, found by a completed backward search from `g`.
//! Let `s` be a start outside `R` and `h` a goal in `R`. A path from `s` to `h` could be continued
//! to `g`, so `s` would be in `R`. Hence there is none.
//!
//! An edit that changes no move into a state of `R` preserves `R`: every move into `R` ends at one
//! of its states, and edits report both ends of a changed move.

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

    /// Returns whether every region is sorted and no move from outside enters it. A region read
    /// from a file may fail this.
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

    /// Returns whether the goal is in a region that no state outside has a path into.
    pub(super) fn holds(&self, class: ClassId, goal: State) -> bool {
        let mut regions = self.regions.iter();
        regions.any(|region| region.class == class && region.holds(goal))
    }

    /// Returns whether there is known to be no path. Each state of the goal's region reaches the
    /// goal `g` it was found from. A start outside that reached this goal would reach `g`, and so
    /// be inside.
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

    /// Remembers a region, in exchange for the one unused for the longest time.
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

    /// Forgets regions that an edit touched, or all older ones if its extent is unknown. The rest
    /// stays valid in the new revision of its class. A new move into a region changes the moves
    /// into one of its states.
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
