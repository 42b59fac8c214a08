//! The queue of the normal lane: in order of rank, and counted by goal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::marker::PhantomData;

use wayfare_core::space::{Cost, StateId};

use super::ClassId;
use super::request_table::{Entry, Place, RequestTable};

/// The order of the queue: rank, id of the request, index of its entry.
type Order = Reverse<(i64, u64, u32)>;

/// The queue of the normal lane.
///
/// Requests that are cancelled stay in the heap until they come up or outnumber the others.
#[derive(Clone, Debug)]
pub(super) struct Queue<State> {
    heap: BinaryHeap<Order>,
    waiting: usize,
    /// How many wait for each goal that can be shared. By the index of the state: one type of map
    /// for all types of states.
    groups: BTreeMap<(ClassId, u32), usize>,
    state: PhantomData<fn() -> State>,
}

impl<State: StateId> Default for Queue<State> {
    fn default() -> Self {
        Self { heap: BinaryHeap::new(), waiting: 0, groups: BTreeMap::new(), state: PhantomData }
    }
}

impl<State: StateId> Queue<State> {
    /// Returns the count of waiting requests.
    pub(super) fn len(&self) -> usize {
        self.waiting
    }

    /// Returns the count of requests that wait for a goal.
    pub(super) fn waiting_for(&self, goal: (ClassId, State)) -> usize {
        self.groups.get(&indexed(goal)).copied().unwrap_or(0)
    }

    /// Queues a request in its order.
    pub(super) fn push<C: Cost, A>(
        &mut self,
        requests: &mut RequestTable<State, C, A>,
        index: u32,
    ) {
        let entry = requests.entry_mut(index);
        entry.place = Place::Queued;
        self.waiting += 1;
        if let Some(goal) = goal_of(entry) {
            *self.groups.entry(indexed(goal)).or_default() += 1;
        }
        let order = Reverse((entry.rank, entry.serial, index));
        self.heap.push(order);
        if self.heap.len() > 2 * self.waiting + 64 {
            self.heap.retain(|&order| is_current(requests, order));
        }
    }

    /// Takes the first request out.
    pub(super) fn pop<C: Cost, A>(&mut self, requests: &RequestTable<State, C, A>) -> Option<u32> {
        loop {
            let order = self.heap.pop()?;
            if is_current(requests, order) {
                let Reverse((_, _, index)) = order;
                self.forget(requests.entry(index));
                return Some(index);
            }
        }
    }

    /// Takes a request out of turn. Call it before its state changes.
    pub(super) fn forget<C: Cost, A>(&mut self, entry: &Entry<State, C, A>) {
        self.waiting -= 1;
        let Some(goal) = goal_of(entry).map(indexed) else { return };
        if let Some(count) = self.groups.get_mut(&goal) {
            *count -= 1;
            if *count == 0 {
                self.groups.remove(&goal);
            }
        }
    }

    /// Takes out all that wait for a goal, in order.
    pub(super) fn gather<C: Cost, A>(
        &mut self,
        requests: &RequestTable<State, C, A>,
        goal: (ClassId, State),
    ) -> Vec<u32> {
        // Remove it from the heap as well: a request whose field is dropped comes back with the
        // same id.
        let mut orders: Vec<(i64, u64, u32)> = Vec::new();
        self.heap.retain(|&order| {
            let Reverse((_, _, index)) = order;
            let leaves =
                is_current(requests, order) && goal_of(requests.entry(index)) == Some(goal);
            if leaves {
                orders.push(order.0);
            }
            !leaves
        });
        orders.sort_unstable();
        orders
            .into_iter()
            .map(|(_, _, index)| {
                self.forget(requests.entry(index));
                index
            })
            .collect()
    }
}

fn indexed<State: StateId>((class, goal): (ClassId, State)) -> (ClassId, u32) {
    (class, goal.index())
}

fn goal_of<State: StateId, C: Cost, A>(entry: &Entry<State, C, A>) -> Option<(ClassId, State)> {
    entry.request.as_ref().and_then(super::Request::shared_goal)
}

fn is_current<State: StateId, C: Cost, A>(
    requests: &RequestTable<State, C, A>,
    order: Order,
) -> bool {
    let Reverse((_, serial, index)) = order;
    let entry = requests.entry(index);
    entry.serial == serial && entry.place == Place::Queued
}
