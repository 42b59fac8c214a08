//! The course of a search over many steps: fresh, under way, ended.
//!
//! The order of calls is checked by types without size, at no cost at run time:
//!
//! ```text
//! enter ─┬─ Entry::Begins(Beginning) ── begun ─┐
//!        ├─ Entry::Resumes(Active) ────────────┴─ Active ─┬─ pause ── Progress::Working
//!        └─ Entry::Ended ── Progress::Done                └─ end ──── Progress::Done
//! ```
//!
//! Only [`Course::enter`] makes the tokens. None can be copied, and ending a search takes its token
//! away.

use super::scratch::Ticket;
use super::{Interruption, Progress, Scratch, ScratchOf};
use crate::space::{Cost, Expander, Revision, Space, StateId};

/// The state of a search between steps: the revision at its start, and its lease of the scratch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lease {
    ticket: Ticket,
    revision: Revision,
    stamp: u64,
}

impl Lease {
    /// Starts a search: clears the scratch.
    pub(super) fn begin<S: Space>(space: &S, scratch: &mut ScratchOf<S>) -> Self {
        Self {
            ticket: scratch.begin(space.state_bound()),
            revision: space.revision(),
            stamp: S::Expander::stamp(space),
        }
    }

    /// Carries the search into an edited space if the edit touched no state of its forward table.
    /// Returns whether it did.
    ///
    /// # Why the search then answers like a fresh one
    ///
    /// A search knows of a space the moves out of the states in its table, the estimates and the
    /// pruning rules. `affected` lists all states whose moves the edit changed, and none is in the
    /// table. The stamp covers estimates and rules. So each step so far would come out the same in
    /// the edited space.
    pub(super) fn renew<S: Space>(
        &mut self,
        space: &S,
        scratch: &ScratchOf<S>,
        affected: &[S::State],
    ) -> bool {
        let bound = space.state_bound();
        let is_reached = |state: &S::State| {
            (state.index() as usize) < bound && scratch.forward.g(state.index()).is_some()
        };
        let is_untouched = scratch.serves(self.ticket, bound)
            && self.stamp == S::Expander::stamp(space)
            && !affected.iter().any(is_reached);
        if is_untouched {
            self.revision = space.revision();
        }
        is_untouched
    }

    /// Carries a search into an edited space without another look: its table is repaired.
    pub(super) fn follow<S: Space>(&mut self, space: &S) {
        (self.revision, self.stamp) = (space.revision(), S::Expander::stamp(space));
    }

    /// Returns whether the scratch still holds the tables of this search, and they are of the right
    /// size.
    pub(super) fn is_held<S: Space>(self, space: &S, scratch: &ScratchOf<S>) -> bool {
        scratch.serves(self.ticket, space.state_bound())
    }

    /// Returns the revision of the space that the search began with.
    pub(super) fn revision(self) -> Revision {
        self.revision
    }

    /// Why the search cannot go on, if it cannot.
    pub(super) fn interruption<S: Space>(
        self,
        space: &S,
        scratch: &ScratchOf<S>,
    ) -> Option<Interruption> {
        if self.revision != space.revision() {
            Some(Interruption::SpaceEdited)
        } else if !scratch.serves(self.ticket, space.state_bound()) {
            Some(Interruption::ScratchReused)
        } else {
            None
        }
    }
}

/// How a search of some kind ends.
pub(super) trait Ends: Copy {
    /// Returns the end of a search that could not go on.
    fn interrupted(interruption: Interruption) -> Self;
}

/// Proof that a search begins in this step: nothing is on its open list yet.
#[must_use]
#[derive(Debug)]
pub(super) struct Beginning(());

impl Beginning {
    /// The start is on the open list.
    #[inline(always)]
    pub(super) fn begun(self) -> Active {
        Active(())
    }
}

/// Proof that a search has been entered in this step, and has not ended.
#[must_use]
#[derive(Debug)]
pub(super) struct Active(());

impl Active {
    /// Leaves the rest to a later step.
    #[inline(always)]
    pub(super) fn pause(self) -> Progress {
        Progress::Working
    }
}

/// The result of [`Course::enter`].
#[derive(Debug)]
pub(super) enum Entry {
    /// The first step: put the start on the open list.
    Begins(Beginning),
    /// A later step: go on.
    Resumes(Active),
    /// There is nothing left to do.
    Ended,
}

/// How far a search has come; `E` says how it ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<E> {
    lease: Option<Lease>,
    ended: Option<E>,
}

impl<E> Default for Course<E> {
    fn default() -> Self {
        Self { lease: None, ended: None }
    }
}

impl<E: Ends> Course<E> {
    /// To be called at the beginning of every step.
    pub(super) fn enter<State: StateId, C: Cost>(
        &mut self,
        space: &impl Space<State = State, Cost = C>,
        scratch: &mut Scratch<State, C>,
    ) -> Entry {
        match (self.ended, self.lease) {
            (Some(_), _) => Entry::Ended,
            (None, None) => {
                self.lease = Some(Lease::begin(space, scratch));
                Entry::Begins(Beginning(()))
            }
            (None, Some(lease)) => match lease.interruption(space, scratch) {
                None => Entry::Resumes(Active(())),
                Some(interruption) => {
                    self.ended = Some(E::interrupted(interruption));
                    Entry::Ended
                }
            },
        }
    }

    /// Returns whether the first step is still to come.
    pub(super) fn is_fresh(&self) -> bool {
        self.lease.is_none() && self.ended.is_none()
    }

    /// Ends a search that has nothing to begin with, without touching the scratch.
    pub(super) fn end_at_once(&mut self, end: E) {
        self.ended = Some(end);
    }

    /// Ends the search.
    #[inline]
    pub(super) fn end(&mut self, _active: Active, end: E) -> Progress {
        self.ended = Some(end);
        Progress::Done
    }

    /// Returns how the search ended, if it has.
    pub(super) fn ended(&self) -> Option<E> {
        self.ended
    }

    /// Returns the lease, once the search has started.
    pub(super) fn lease(&mut self) -> Option<&mut Lease> {
        self.lease.as_mut()
    }

    /// Returns the reason if the tables of the scratch are not this search's.
    pub(super) fn interruption<S: Space>(
        &self,
        space: &S,
        scratch: &ScratchOf<S>,
    ) -> Option<Interruption> {
        self.lease.and_then(|lease| lease.interruption(space, scratch))
    }

    /// Returns how the search ends if it is given up now, and the revision it saw. `None`: in the
    /// middle.
    ///
    /// # Errors
    /// Why the tables of the scratch are not those of this search.
    pub(super) fn conclude<S: Space>(
        self,
        space: &S,
        scratch: &mut ScratchOf<S>,
    ) -> Result<(Option<E>, Revision), Interruption> {
        let lease = self.lease.unwrap_or_else(|| Lease::begin(space, scratch));
        match lease.interruption(space, scratch) {
            Some(interruption) => Err(interruption),
            None => Ok((self.ended, lease.revision())),
        }
    }
}
