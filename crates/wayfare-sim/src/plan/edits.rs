//! Edits: which work under way stays valid.
//!
//! # Why a search may be adopted
//!
//! A search has read only the moves of the states that it has reached. If an edit changed the moves
//! of none of them, the same search in the new space would have done the same steps. So it
//! continues as if it had begun after the edit. Otherwise it is restarted in its slot. A waiting
//! request has read nothing.
//!
//! Fields are repaired at once where the edit touched them
//! ([`DistanceFieldSearch::repair`](wayfare_core::search::DistanceFieldSearch::repair)). So between
//! ticks a fresh search could have left each field as it is, and a snapshot only says how far it
//! has come. The work is owed, and later ticks pay it.

use wayfare_core::search::{Algorithm, DistanceFieldSearch, FieldQuery, Scratch, Search};
use wayfare_core::space::{Cost, ReverseSpace, Space, StateId};

use super::field_cache::Repairs;
use super::planner::Planner;
use super::request_table::Place;
use super::slot::{FieldWork, Job, Slot, Work};
use super::{ClassId, View};

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    /// Call it after an edit and before the next tick. Takes the views after the edit, and all
    /// states whose moves in or out changed for any class. Several edits may be reported together.
    /// (A link that opens or shuts changes the moves of its two ends. An edit at one end of a link
    /// changes the moves of the other end too: see
    /// [`NavLinks::with_far_ends`](wayfare_core::link::NavLinks::with_far_ends).)
    ///
    /// Searches, fields and regions that the edit did not touch continue. Fields that it touched
    /// are repaired within [`PlannerSettings::repair_work`](super::PlannerSettings::repair_work).
    /// Other work is restarted in its slot, or dropped. Queued requests stay queued. Checking
    /// answers already given is up to the caller.
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

    /// Goes through the work in all slots that began in another revision: it continues if `adopt`
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
                // A bound is valid in one revision only: the search continues without it.
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
                // Waiting requests are checked again: the goal itself may be blocked now.
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
