//! The working memory of searches.

use super::label::Label;
use super::memories::Memories;
use super::{BucketQueue, Fifo, Key, Nodes, OpenList, PlainList, StableQueue};
use crate::path::{Path, Step};
use crate::space::{Cost, Space, StateId};

/// The working memory of searches: owned by the caller, reused from query to query, reset in O(1).
///
/// Make one per thread and keep it: after the first few queries a search allocates nothing.
///
/// It grows to [`Space::state_bound`](crate::space::Space::state_bound) nodes of 8 bytes (16 with
/// `u64` costs). In spaces of more than two million states it grows by pages of 512 nodes as
/// searches reach them. Jumps over up to two million states take 2 bytes a state instead, and 12
/// (16) for each that they reach. The largest open list is kept too. Bidirectional search uses a
/// second table.
///
/// A scratch serves any number of spaces with one cost type in turn. A new search ends an
/// unfinished one in the same scratch: stepping that one returns
/// [`Outcome::Interrupted`](super::Outcome::Interrupted).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["...", ".#.", "..."])?;
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(2, 2).unwrap());
/// let mut scratch = Scratch::new();
/// for (start, goal) in [(a, b), (b, a)] {
///     let mut search = AStar::new().search(Query::new(start, goal));
///     let answer = search.finish(&grid.space(), &mut scratch, &mut ());
///     scratch.recycle(answer.outcome.into_path());
/// }
/// # Ok::<(), GridError>(())
/// ```
#[derive(Debug)]
pub struct Scratch<State, C> {
    pub(crate) forward: Nodes<C>,
    pub(crate) backward: Nodes<C>,
    pub(crate) heap: BucketQueue,
    pub(crate) backward_heap: BucketQueue,
    pub(crate) list: PlainList,
    pub(crate) fifo: Fifo,
    pub(crate) stable: StableQueue,
    pub(crate) stack: Vec<Key>,
    pub(super) labels: Vec<Label<C>>,
    /// The memories of the expanders.
    pub(super) expanders: Memories,
    spare: Path<State, C>,
    serial: u64,
}

/// The scratch type of a space.
pub type ScratchOf<S> = Scratch<<S as Space>::State, <S as Space>::Cost>;

/// The proof of a search that the scratch works for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticket {
    serial: u64,
    bound: usize,
}

impl<State: StateId, C: Cost> Default for Scratch<State, C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<State: StateId, C: Cost> Scratch<State, C> {
    /// Returns a scratch without any memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self {
            forward: Nodes::default(),
            backward: Nodes::default(),
            heap: BucketQueue::default(),
            backward_heap: BucketQueue::default(),
            list: PlainList::default(),
            fifo: Fifo::default(),
            stable: StableQueue::default(),
            stack: Vec::new(),
            labels: Vec::new(),
            expanders: Memories::default(),
            spare: Path::default(),
            serial: 0,
        }
    }

    /// Returns a scratch that takes memory by pages in spaces of any size: for a search that is
    /// kept, and reaches a part.
    pub(super) fn in_pages() -> Self {
        Self { forward: Nodes::in_pages(), ..Self::new() }
    }

    /// Begins a search over `bound` states and forgets the previous one.
    #[doc(hidden)]
    pub fn begin(&mut self, bound: usize) -> Ticket {
        self.serial += 1;
        self.forward.reset(bound);
        self.heap.clear();
        self.backward_heap.clear();
        self.list.clear();
        self.fifo.clear();
        self.stable.clear();
        self.stack.clear();
        self.labels.clear();
        Ticket { serial: self.serial, bound }
    }

    /// Returns whether the search with this ticket is the present one.
    pub(crate) fn serves(&self, ticket: Ticket, bound: usize) -> bool {
        self.serial == ticket.serial && ticket.bound == bound
    }

    /// Exchanges the forward table. Its search is over.
    pub(crate) fn exchange_forward(&mut self, table: &mut Nodes<C>) {
        self.serial += 1;
        std::mem::swap(&mut self.forward, table);
    }

    /// Exchanges the labels. Their search is over.
    pub(super) fn exchange_labels(&mut self, labels: &mut Vec<Label<C>>) {
        self.serial += 1;
        std::mem::swap(&mut self.labels, labels);
    }

    /// Lends this memory to a search that knows states by another type.
    pub(super) fn lend<To: StateId, T>(
        &mut self,
        work: impl FnOnce(&mut Scratch<To, C>) -> T,
    ) -> T {
        let mut lent = std::mem::take(self).with_states();
        let result = work(&mut lent);
        *self = lent.with_states();
        result
    }

    /// Returns the same memory for states of another type. The tables know states by index.
    fn with_states<To: StateId>(self) -> Scratch<To, C> {
        let Self {
            forward,
            backward,
            heap,
            backward_heap,
            list,
            fifo,
            stable,
            stack,
            labels,
            expanders,
            spare,
            serial,
        } = self;
        Scratch {
            forward,
            backward,
            heap,
            backward_heap,
            list,
            fifo,
            stable,
            stack,
            labels,
            expanders,
            spare: spare.with_states(),
            serial,
        }
    }

    /// Takes back a path that is no longer needed. The next one reuses its memory.
    pub fn recycle(&mut self, mut path: Path<State, C>) {
        if path.steps.capacity() > self.spare.steps.capacity() {
            path.steps.clear();
            self.spare = path;
        }
    }

    /// Returns an empty path with the memory of the last recycled one.
    pub fn spare_path(&mut self) -> Path<State, C> {
        std::mem::take(&mut self.spare)
    }

    /// Returns the memory of nodes and open lists, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.forward.bytes()
            + self.backward.bytes()
            + self.heap.bytes()
            + self.backward_heap.bytes()
            + self.list.bytes()
            + self.fifo.bytes()
            + self.stable.bytes()
            + self.stack.capacity() * size_of::<Key>()
            + self.labels.capacity() * size_of::<Label<C>>()
            + self.expanders.bytes()
            + self.spare.steps.capacity() * size_of::<Step<State, C>>()
    }
}
