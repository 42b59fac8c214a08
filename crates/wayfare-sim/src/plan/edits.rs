//! Edits: what of the work under way still holds.
//!
//! # Why a search may be adopted
//!
//! A search has looked at the moves of the states that it has reached, and at no others. If no
//! state whose moves an edit changed is among them, then the same search in the new space would
//! have done the same steps so far: it goes on as if it had begun after the edit. Otherwise it is
//! restarted in its slot. A request that waits has looked at nothing.
//!
//! Fields are repaired where the edit touched them
//! ([`DistanceFieldSearch::repair`](wayfare_core::search::DistanceFieldSearch::repair)), at once:
//! between ticks a field is always one that a fresh search could have left, so that a snapshot need
//! only say how far it has come. The work is owed, and later ticks pay it.

use wayfare_core::search::{Algorithm, DistanceFieldSearch, FieldQuery, Scratch, Search};
use wayfare_core::space::{Cost, ReverseSpace, Space, StateId};

use super::field_cache::Repairs;
use super::planner::Planner;
use super::request_table::Place;
use super::slot::{FieldWork, Job, Slot, Work};
use super::{ClassId, View};

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    /// To be called after an edit and before the next tick, with the views as they are now and all
    /// states whose moves in or out it changed for any class. Several edits may be told together.
    /// (A link that opens or shuts changes the moves of its two ends. An edit at one end of a link
    /// changes the moves of the other end too: see
    /// [`NavLinks::with_far_ends`](wayfare_core::link::NavLinks::with_far_ends).)
    ///
    /// Searches, fields and regions that the edit did not touch go on. Fields that it touched are
    /// repaired within [`PlannerSettings::repair_work`](super::PlannerSettings::repair_work).
    /// Others begin anew in their slots, or are dropped. What waits in the queue waits on. Answers
    /// that were given are the caller's to look through.
    pub fn world_changed<V>(&mut self, views: impl Fn(ClassId) -> V, affected: &[State])
    where
        V: View<State, C>,
        A::Search<State, C>: Search<V::Space>,
    {
        let spaces = |class| views(class).into_space();
        let most = self.settings.repair_work.saturating_sub(self.owed);
        let mut repairs = Repairs::within(most);
        self.fields.world_changed(&spaces, Some(affected), &mut repairs);
        self.negative.world_changed(Some(affected), |class| spaces(class).revision());
        self.renew(&spaces, |space, scratch, job| match &mut job.work {
            Work::Search { search, .. } => search.adopt(space, scratch, affected),
            Work::Led { search, .. } => search.adopt(space, scratch, affected),
            Work::ByEngine { search, .. } => views(job.class).adopt_engine(search, affected),
            Work::Field(field) => {
                let FieldWork { search, .. } = field;
                let is_kept = search.adopt(space, scratch, affected)
                    || repairs.repair(space, search, scratch, affected);
                if is_kept {
                    (field.is_whole, job.expanded) = (search.is_whole(), search.settled_states());
                }
                is_kept
            }
            Work::RegionProbe { search, .. } => search.adopt(space, scratch, affected),
        });
        self.owed += repairs.work;
        self.requests.stats.repaired += repairs.done;
    }

    /// Restarts or drops jobs whose space was edited without a call to [`Planner::world_changed`].
    pub(super) fn restart_stale<S>(&mut self, spaces: &impl Fn(ClassId) -> S)
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        self.fields.world_changed(spaces, None, &mut Repairs::within(0));
        self.negative.world_changed(None, |class| spaces(class).revision());
        self.renew(spaces, |_, _, _| false);
    }

    /// Goes through the work of all slots that was begun in another revision: it goes on if `adopt`
    /// says so.
    fn renew<S>(
        &mut self,
        spaces: &impl Fn(ClassId) -> S,
        mut adopt: impl FnMut(
            &S,
            &mut Scratch<State, C>,
            &mut Job<State, C, A::Search<State, C>>,
        ) -> bool,
    ) where
        S: ReverseSpace<State = State, Cost = C>,
    {
        for slot in self.slots.iter_mut().chain([&mut self.local]) {
            let Slot { job: held, scratch, .. } = slot;
            let Some(job) = held else { continue };
            let space = spaces(job.class);
            if job.revision == space.revision() {
                continue;
            }
            job.revision = space.revision();
            if adopt(&space, scratch, job) {
                self.requests.stats.adopted += 1;
                continue;
            }
            self.requests.stats.restarted += 1;
            (job.expanded, job.spent, job.scanned) = (0, 0, 0);
            match &mut job.work {
                // A bound holds in one revision only: the search goes on without it.
                Work::Search { index, .. } | Work::Led { index, .. } => {
                    let index = *index;
                    if let Some(request) = &self.requests.entry(index).request {
                        job.work = Work::by(&self.algorithm, index, request);
                    }
                }
                Work::RegionProbe { goal, search, region } => {
                    region.clear();
                    *search = DistanceFieldSearch::new(FieldQuery::inward([*goal]));
                }
                // Its engine is asked again, as soon as it is its turn.
                Work::ByEngine { index, .. } => {
                    let index = *index;
                    let entry = self.requests.entry_mut(index);
                    entry.place = Place::Arrived;
                    self.arrivals.push((index, entry.serial));
                    *held = None;
                }
                // Those who waited are looked at again: the goal itself may be gone.
                Work::Field(field) => {
                    for one in &field.waiting {
                        let entry = self.requests.entry_mut(one.index);
                        entry.place = Place::Arrived;
                        self.arrivals.push((one.index, entry.serial));
                    }
                    *held = None;
                }
            }
        }
    }
}
