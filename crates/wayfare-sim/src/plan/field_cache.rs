//! Fields that are kept for later requests to the same goals, each in its own memory, so that it
//! can grow on.

use wayfare_core::path::Path;
use wayfare_core::search::{DistanceFieldSearch, FieldRepair, Scratch};
use wayfare_core::space::{Cost, ReverseSpace, Revision, Space, StateId};

use super::ClassId;

/// A field at rest.
#[derive(Debug)]
pub(super) struct KeptField<State, C> {
    pub(super) class: ClassId,
    pub(super) goal: State,
    pub(super) search: DistanceFieldSearch<State, C>,
    pub(super) scratch: Scratch<State, C>,
    pub(super) is_whole: bool,
    pub(super) expanded: u64,
    pub(super) revision: Revision,
    pub(super) last_used: u64,
}

/// The result of asking a kept field about a start.
pub(super) enum FromField<State, C> {
    /// A cheapest path to the goal.
    Path(Path<State, C>),
    /// That there is none.
    NoPath,
    /// Nothing: the field has not reached the start, or there is no such field.
    Unknown,
}

/// The kept fields, and memory that none of them uses any more.
#[derive(Debug)]
pub(super) struct FieldCache<State, C> {
    pub(super) fields: Vec<KeptField<State, C>>,
    most: usize,
    spare: Vec<Scratch<State, C>>,
}

impl<State: StateId, C: Cost> FieldCache<State, C> {
    pub(super) fn new(most: usize) -> Self {
        Self { fields: Vec::new(), most, spare: Vec::new() }
    }

    /// Returns memory for other work.
    pub(super) fn scratch(&mut self) -> Scratch<State, C> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes memory back that is not needed just now.
    pub(super) fn give_back(&mut self, scratch: Scratch<State, C>) {
        if self.spare.len() <= self.most {
            self.spare.push(scratch);
        }
    }

    /// Keeps a field, in exchange for the one unused for the longest time. A field without states
    /// (not begun, or its goal is blocked) is not kept.
    pub(super) fn keep(&mut self, field: KeptField<State, C>) {
        if self.most == 0 || field.expanded == 0 {
            return self.give_back(field.scratch);
        }
        if self.fields.len() >= self.most {
            let stalest = (0..self.fields.len()).min_by_key(|&at| self.fields[at].last_used);
            if let Some(stalest) = stalest {
                let stale = self.fields.remove(stalest);
                self.give_back(stale.scratch);
            }
        }
        self.fields.push(field);
    }

    /// Takes memory for as many fields as it may keep.
    pub(super) fn reserve(&mut self, states: usize) {
        let missing = self.most.saturating_sub(self.fields.len());
        self.spare.resize_with(missing.max(self.spare.len()), Scratch::new);
        for scratch in &mut self.spare {
            scratch.begin(states);
        }
    }

    fn place(&self, (class, goal): (ClassId, State), revision: Revision) -> Option<usize> {
        self.fields.iter().position(|field| {
            (field.class, field.goal) == (class, goal) && field.revision == revision
        })
    }

    /// Takes a field out of the cache, to let it grow on.
    pub(super) fn take(
        &mut self,
        goal: (ClassId, State),
        revision: Revision,
    ) -> Option<KeptField<State, C>> {
        self.place(goal, revision).map(|place| self.fields.remove(place))
    }

    /// Returns the field's result for a start. A path is written into the memory of `spare`.
    pub(super) fn ask<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        goal: (ClassId, State),
        start: State,
        now: u64,
        spare: impl FnOnce() -> Option<Path<State, C>>,
    ) -> FromField<State, C> {
        let Some(place) = self.place(goal, space.revision()) else { return FromField::Unknown };
        let field = &mut self.fields[place];
        if field.search.settled(space, &field.scratch, start).is_none() {
            return if field.is_whole { FromField::NoPath } else { FromField::Unknown };
        }
        field.last_used = now;
        if let Some(path) = spare() {
            field.scratch.recycle(path);
        }
        match field.search.path(space, &mut field.scratch, start) {
            Some(path) => FromField::Path(path),
            None => FromField::Unknown,
        }
    }

    /// Moves the fields into an edited world: unchanged where the edit did not touch them, else
    /// repaired. Drops fields that cannot be repaired, or all if the edit's extent is unknown.
    pub(super) fn world_changed<S: ReverseSpace<State = State, Cost = C>>(
        &mut self,
        spaces: &impl Fn(ClassId) -> S,
        affected: Option<&[State]>,
        repairs: &mut Repairs,
    ) {
        let mut place = 0;
        while let Some(field) = self.fields.get_mut(place) {
            let space = spaces(field.class);
            let revision = space.revision();
            let KeptField { search, scratch, .. } = field;
            let is_kept = field.revision == revision
                || affected.is_some_and(|affected| {
                    search.adopt(&space, scratch, affected)
                        || repairs.repair(&space, search, scratch, affected)
                });
            (field.is_whole, field.expanded) = (search.is_whole(), search.settled_states());
            if is_kept && field.expanded > 0 {
                field.revision = revision;
                place += 1;
            } else {
                let stale = self.fields.remove(place);
                self.give_back(stale.scratch);
            }
        }
    }
}

/// The repairs of fields after an edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repairs {
    /// The most work for all of them together.
    most: u64,
    pub(super) work: u64,
    /// The count of repaired fields.
    pub(super) done: u64,
}

impl Repairs {
    pub(super) fn within(most: u64) -> Self {
        Self { most, work: 0, done: 0 }
    }

    /// Repairs a field; returns whether it did.
    pub(super) fn repair<S: ReverseSpace>(
        &mut self,
        space: &S,
        search: &mut DistanceFieldSearch<S::State, S::Cost>,
        scratch: &mut Scratch<S::State, S::Cost>,
        affected: &[S::State],
    ) -> bool {
        if self.work >= self.most {
            return false;
        }
        let repair = search.repair(space, scratch, affected, self.most - self.work);
        let (FieldRepair::Done { work } | FieldRepair::GivenUp { work }) = repair;
        self.work += work;
        let is_done = matches!(repair, FieldRepair::Done { .. });
        self.done += u64::from(is_done);
        is_done
    }
}
