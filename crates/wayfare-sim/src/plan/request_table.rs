//! The request table: every request by its ticket, from arrival until its answer is taken.

use std::collections::VecDeque;

use wayfare_core::navigate::Answered;
use wayfare_core::space::{Cost, StateId};

use super::{ClassId, Finished, PlannerStats, Request, Ticket};

/// Where a request is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Place {
    /// The entry is free.
    Free,
    /// It came in since the last tick.
    Arrived,
    /// In the queue of the normal lane.
    Queued,
    /// In the queue of the lane for short queries.
    QueuedLocal,
    /// In the slot with that index, alone or with others.
    Running(u32),
    /// In the slot of the lane for short queries.
    RunningLocal,
    /// Answered.
    Done,
}

/// A request in the table.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Entry<State: StateId, C, A> {
    salt: u32,
    pub(super) place: Place,
    pub(super) request: Option<Request<State, C, A>>,
    pub(super) answer: Option<Answered<State, C>>,
    /// The tick it came in after.
    since: u64,
    /// Its rank in the queue: low is first. Grows with the tick of arrival and falls with the
    /// priority, so the order of two waiting requests never changes.
    pub(super) rank: i64,
    /// The id of the request.
    pub(super) serial: u64,
}

/// Every request by its ticket.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct RequestTable<State: StateId, C, A> {
    entries: Vec<Entry<State, C, A>>,
    free: Vec<u32>,
    /// The answered requests in order, with some whose answer was taken since.
    finished: VecDeque<Ticket>,
    untaken: usize,
    pub(super) stats: PlannerStats,
}

impl<State: StateId, C: Cost, A> Default for RequestTable<State, C, A> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            free: Vec::new(),
            finished: VecDeque::new(),
            untaken: 0,
            stats: PlannerStats::default(),
        }
    }
}

impl<State: StateId, C: Cost, A> RequestTable<State, C, A> {
    /// Takes in a request, no later in the queue than at `rank`.
    pub(super) fn open(
        &mut self,
        request: Request<State, C, A>,
        ticks_per_priority: u32,
        rank: Option<i64>,
    ) -> Ticket {
        let since = self.stats.ticks;
        let lead = i64::from(request.priority.0) * i64::from(ticks_per_priority);
        let own = since as i64 - lead;
        let (rank, serial) = (rank.map_or(own, |rank| rank.min(own)), self.stats.requested);
        self.stats.requested += 1;
        let index = self.free.pop().unwrap_or(self.entries.len() as u32);
        let salt = self.entries.get(index as usize).map_or(0, |entry| entry.salt);
        let entry = Entry {
            salt,
            place: Place::Arrived,
            request: Some(request),
            answer: None,
            since,
            rank,
            serial,
        };
        match self.entries.get_mut(index as usize) {
            Some(slot) => *slot = entry,
            None => self.entries.push(entry),
        }
        Ticket { index, salt }
    }

    /// Returns the index of an entry, if the ticket is valid.
    pub(super) fn find(&self, ticket: Ticket) -> Option<u32> {
        let entry = self.entries.get(ticket.index as usize)?;
        (entry.salt == ticket.salt && entry.place != Place::Free).then_some(ticket.index)
    }

    pub(super) fn entry(&self, index: u32) -> &Entry<State, C, A> {
        &self.entries[index as usize]
    }

    pub(super) fn entry_mut(&mut self, index: u32) -> &mut Entry<State, C, A> {
        &mut self.entries[index as usize]
    }

    /// Returns the count of entries, free ones included.
    pub(super) fn len(&self) -> u32 {
        self.entries.len() as u32
    }

    /// Returns whether the lists agree with the entries. Lists read from a file may not.
    pub(super) fn is_sound(&self) -> bool {
        let mut free = self.free.clone();
        free.sort_unstable();
        let at = |place: Place| {
            (0u32..).zip(&self.entries).filter(move |(_, entry)| entry.place == place)
        };
        let answered = self.entries.iter().filter(|entry| entry.answer.is_some()).count();
        at(Place::Free).map(|(index, _)| index).eq(free)
            && at(Place::Done).count() == self.untaken
            && answered == self.untaken
            && at(Place::Done).all(|(_, entry)| entry.answer.is_some())
            && self.entries.iter().all(|entry| {
                let is_open = !matches!(entry.place, Place::Free | Place::Done);
                entry.request.is_some() == is_open && entry.since <= self.stats.ticks
            })
            && self.finished.iter().all(|ticket| ticket.index < self.len())
    }

    /// Returns whether requests and answers name only states that exist.
    pub(super) fn names_only(&self, exists: impl Fn(ClassId, &State) -> bool) -> bool {
        self.entries.iter().all(|entry| {
            let asked = entry.request.as_ref().is_none_or(|request| {
                let query = &request.query;
                exists(request.class, &query.start)
                    && query.goal.states().iter().all(|goal| exists(request.class, goal))
            });
            // The table does not know the class of an answer; the spaces of all classes have the
            // same states.
            let path = entry.answer.as_ref().and_then(|answer| answer.outcome.path());
            let steps = path.iter().flat_map(|path| &path.steps);
            asked && steps.into_iter().all(|step| exists(ClassId::default(), &step.state))
        })
    }

    /// Returns the count of requests without an answer.
    pub(super) fn pending(&self) -> usize {
        self.entries.len() - self.free.len() - self.untaken
    }

    /// Lays the answer ready.
    pub(super) fn finish(&mut self, index: u32, answer: Answered<State, C>) {
        let entry = &mut self.entries[index as usize];
        self.stats.done += 1;
        self.stats.failed += u64::from(!answer.outcome.is_found());
        self.stats.last_tick.finished += 1;
        self.stats.latency.record(self.stats.ticks - entry.since);
        entry.place = Place::Done;
        entry.request = None;
        entry.answer = Some(answer);
        self.finished.push_back(Ticket { index, salt: entry.salt });
        self.untaken += 1;
    }

    /// Frees an entry; its ticket is not valid any more.
    pub(super) fn close(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        entry.place = Place::Free;
        entry.request = None;
        entry.answer = None;
        entry.salt = entry.salt.wrapping_add(1);
        self.free.push(index);
    }

    /// Returns the answer, if there is one; the ticket is not valid any more.
    pub(super) fn take(&mut self, ticket: Ticket) -> Option<Answered<State, C>> {
        let index = self.find(ticket)?;
        let answer = self.entries[index as usize].answer.take()?;
        self.close(index);
        self.untaken -= 1;
        if self.finished.len() > 2 * self.untaken + 64 {
            let entries = &self.entries;
            self.finished.retain(|ticket| {
                let entry = &entries[ticket.index as usize];
                entry.salt == ticket.salt && entry.place == Place::Done
            });
        }
        Some(answer)
    }

    /// Returns the first answer that was not taken.
    pub(super) fn take_first(&mut self) -> Option<Finished<State, C>> {
        loop {
            let ticket = self.finished.pop_front()?;
            if let Some(answer) = self.take(ticket) {
                return Some(Finished { ticket, answer });
            }
        }
    }
}
