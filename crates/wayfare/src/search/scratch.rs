//! The memory that a search works in.

use super::label::Label;
use super::memories::Memories;
use super::{BucketQueue, Fifo, Key, Nodes, OpenList, PlainList};
use crate::path::{Path, Step};
use crate::space::{Cost, Space, StateId};

/// The memory that a search works in: owned by the caller, reused from query to query, reset in
/// O(1).
///
/// Make one per thread and keep it: after the first few queries a search allocates nothing. It
/// grows to [`Space::state_bound`](crate::space::Space::state_bound) nodes of 8 bytes (16 with
/// `u64` costs) or, in spaces of more than two million states, to the pages of 512 nodes that the
/// largest search has reached, and to the largest open list seen. Bidirectional search uses a
/// second table of the same size.
///
/// A scratch may serve any number of spaces of one cost type in turn. When it begins a new search,
/// any unfinished one that it held is over: stepping that one on answers
/// [`Outcome::Interrupted`](super::Outcome::Interrupted).
#[derive(Debug)]
pub struct Scratch<State, C> {
    pub(crate) forward: Nodes<C>,
    pub(crate) backward: Nodes<C>,
    pub(crate) heap: BucketQueue,
    pub(crate) backward_heap: BucketQueue,
    pub(crate) list: PlainList,
    pub(crate) fifo: Fifo,
    pub(crate) stack: Vec<Key>,
    pub(super) labels: Vec<Label<C>>,
    /// What expanders remember for guidance, and for jumping.
    pub(super) guidance: Memories,
    pub(super) jumping: Memories,
    spare: Path<State, C>,
    serial: u64,
}

/// The scratch type of a space.
pub type ScratchOf<S> = Scratch<<S as Space>::State, <S as Space>::Cost>;

/// Proof of being the search that a scratch works for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ticket {
    serial: u64,
    bound: usize,
}

impl<State: StateId, C: Cost> Default for Scratch<State, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<State: StateId, C: Cost> Scratch<State, C> {
    /// A scratch that has not allocated anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            forward: Nodes::default(),
            backward: Nodes::default(),
            heap: BucketQueue::default(),
            backward_heap: BucketQueue::default(),
            list: PlainList::default(),
            fifo: Fifo::default(),
            stack: Vec::new(),
            labels: Vec::new(),
            guidance: Memories::default(),
            jumping: Memories::default(),
            spare: Path::default(),
            serial: 0,
        }
    }

    /// Begins a search over `bound` states: forgets everything of the one before.
    pub(crate) fn begin(&mut self, bound: usize) -> Ticket {
        self.serial += 1;
        self.forward.reset(bound);
        self.heap.clear();
        self.backward_heap.clear();
        self.list.clear();
        self.fifo.clear();
        self.stack.clear();
        self.labels.clear();
        Ticket { serial: self.serial, bound }
    }

    /// Whether the search with that ticket is still the one that the scratch works for.
    pub(crate) fn serves(&self, ticket: Ticket, bound: usize) -> bool {
        self.serial == ticket.serial && ticket.bound == bound
    }

    /// Gives the forward table away in exchange for another. The search that it belonged to is
    /// over.
    pub(crate) fn exchange_forward(&mut self, table: &mut Nodes<C>) {
        self.serial += 1;
        std::mem::swap(&mut self.forward, table);
    }

    /// Gives the labels away in exchange for others. The search that they belonged to is over.
    pub(super) fn exchange_labels(&mut self, labels: &mut Vec<Label<C>>) {
        self.serial += 1;
        std::mem::swap(&mut self.labels, labels);
    }

    /// Takes back a path that is no longer needed, so that the next one reuses its memory.
    pub fn recycle(&mut self, mut path: Path<State, C>) {
        if path.steps.capacity() > self.spare.steps.capacity() {
            path.steps.clear();
            self.spare = path;
        }
    }

    /// An empty path, with the memory of the last recycled one.
    pub(crate) fn spare_path(&mut self) -> Path<State, C> {
        std::mem::take(&mut self.spare)
    }

    /// The memory it holds, in bytes: nodes and open lists.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.forward.bytes()
            + self.backward.bytes()
            + self.heap.bytes()
            + self.backward_heap.bytes()
            + self.list.bytes()
            + self.fifo.bytes()
            + self.stack.capacity() * size_of::<Key>()
            + self.labels.capacity() * size_of::<Label<C>>()
            + self.guidance.bytes()
            + self.jumping.bytes()
            + self.spare.steps.capacity() * size_of::<Step<State, C>>()
    }
}
