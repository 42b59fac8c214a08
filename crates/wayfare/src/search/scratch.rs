//! The memory that a search works in.

use super::reachable::Label;
use super::{BucketQueue, Fifo, Key, OpenList, PlainList};
use crate::path::{Path, Step};
use crate::space::{Cost, Guide, Space, StateId};

/// How a state was reached: 12 bytes with `u32` costs, 16 with `u64`, in one piece, so that each costs one look at memory.
#[derive(Clone, Copy, Default, Debug)]
struct Node<C> {
    g: C,
    /// Twice the epoch that the node belongs to, plus one when it is closed. Any other value: not reached.
    stamp: u32,
    /// The state that the best path comes from.
    parent: u32,
}

/// What a new path to a state was worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relaxed {
    /// Nothing: one at least as cheap is known.
    No,
    /// It is the first.
    First,
    /// It is cheaper than the one known.
    Cheaper,
    /// It is cheaper than the one that the state was expanded with.
    Reopened,
}

/// The states of a page, as a power of two.
const PAGE_LOG2: u32 = 9;
const PAGE: usize = 1 << PAGE_LOG2;
/// Up to this many states the table is one piece, which is a little faster; beyond, pages are taken as states are reached.
const MOST_DENSE: usize = 1 << 21;

/// A table of nodes, by the index of their states, that forgets everything at once.
///
/// Spaces of up to two million states have their nodes in one piece. In larger ones memory is taken in pages of 512 states as the
/// search reaches them, so that it grows with what is visited and not with the world.
#[derive(Clone, Default, Debug)]
pub struct Nodes<C> {
    nodes: Vec<Node<C>>,
    /// The stamp of open nodes: even, and not zero once begun.
    open_stamp: u32,
    /// Where each page of states begins among the nodes, or [`UNTOUCHED`]; empty for spaces in one piece.
    pages: Vec<u32>,
    /// The pages that are in use, in the order in which they were taken.
    touched: Vec<u32>,
}

/// A page without a state that was reached: the first one, in which nothing is ever written.
const UNTOUCHED: u32 = 0;

impl<C: Cost> Nodes<C> {
    /// Forgets all nodes and makes room for `bound` states. O(pages in use); allocates only when `bound` grows.
    pub fn reset(&mut self, bound: usize) {
        if self.open_stamp >= u32::MAX - 3 {
            self.nodes.fill(Node::default());
            self.open_stamp = 0;
        }
        self.open_stamp += 2;
        for page in self.touched.drain(..) {
            self.pages[page as usize] = UNTOUCHED;
        }
        if bound <= MOST_DENSE {
            self.pages.clear();
            self.make_room(bound);
        } else {
            // What an earlier, smaller space left in the first page is of an earlier epoch, and stays so.
            self.pages.resize(bound.div_ceil(PAGE), UNTOUCHED);
            self.make_room(PAGE);
        }
    }

    fn make_room(&mut self, nodes: usize) {
        if self.nodes.len() < nodes {
            self.nodes.resize(nodes, Node::default());
        }
    }

    /// Where the node of a state is, for reading.
    #[inline]
    fn place(&self, state: u32) -> usize {
        if self.pages.is_empty() {
            state as usize
        } else {
            (self.pages[(state >> PAGE_LOG2) as usize] | state & (PAGE as u32 - 1)) as usize
        }
    }

    /// Where the node of a state is, for writing.
    #[inline]
    fn place_to_write(&mut self, state: u32) -> usize {
        if self.pages.is_empty() {
            return state as usize;
        }
        if self.pages[(state >> PAGE_LOG2) as usize] == UNTOUCHED {
            self.take_page(state >> PAGE_LOG2);
        }
        self.place(state)
    }

    #[cold]
    fn take_page(&mut self, page: u32) {
        self.touched.push(page);
        let first = self.touched.len() << PAGE_LOG2;
        self.make_room(first + PAGE);
        self.pages[page as usize] = first as u32;
    }

    /// The cost of the best path to the state, or `None` where none is known.
    #[inline]
    #[must_use]
    pub fn g(&self, state: u32) -> Option<C> {
        let node = &self.nodes[self.place(state)];
        (node.stamp | 1 == self.open_stamp | 1).then_some(node.g)
    }

    /// Records a path to the state if it is the first or, with `replace`, cheaper than the one known; the state is open from
    /// then on. Says which it was.
    #[inline]
    pub fn relax(&mut self, state: u32, g: C, parent: u32, replace: bool) -> Relaxed {
        let place = self.place_to_write(state);
        let node = &mut self.nodes[place];
        let relaxed = if node.stamp | 1 != self.open_stamp | 1 {
            Relaxed::First
        } else if !replace || node.g <= g {
            return Relaxed::No;
        } else if node.stamp & 1 == 1 {
            Relaxed::Reopened
        } else {
            Relaxed::Cheaper
        };
        *node = Node { g, stamp: self.open_stamp, parent };
        relaxed
    }

    /// Whether the state has been expanded, and not reopened since.
    #[inline]
    #[must_use]
    pub fn is_closed(&self, state: u32) -> bool {
        self.nodes[self.place(state)].stamp == self.open_stamp | 1
    }

    /// The state that the best path comes from. Meaningful only for a state that has been reached.
    #[inline]
    #[must_use]
    pub fn parent(&self, state: u32) -> u32 {
        self.nodes[self.place(state)].parent
    }

    /// Records a path to the state, which is open from now on.
    #[inline]
    pub fn open(&mut self, state: u32, g: C, parent: u32) {
        let place = self.place_to_write(state);
        self.nodes[place] = Node { g, stamp: self.open_stamp, parent };
    }

    /// Closes the state if it is open and its best path costs `g`; says whether it did.
    #[inline]
    pub fn close(&mut self, state: u32, g: C) -> bool {
        let place = self.place(state);
        let node = &mut self.nodes[place];
        let current = node.stamp == self.open_stamp && node.g == g;
        if current {
            node.stamp |= 1;
        }
        current
    }

    /// Every state reached so far with the cost of its best path, by id. Takes O(bound), or O(pages in use · log).
    pub fn reached(&self) -> impl Iterator<Item = (u32, C)> + '_ {
        let stamp = self.open_stamp | 1;
        let mut pages = self.touched.clone();
        pages.sort_unstable();
        let whole = if self.pages.is_empty() { self.nodes.len() } else { 0 };
        let of_pages =
            pages.into_iter().flat_map(|page| page << PAGE_LOG2..(page + 1) << PAGE_LOG2);
        (0..whole as u32).chain(of_pages).filter_map(move |state| {
            let node = &self.nodes[self.place(state)];
            (node.stamp | 1 == stamp).then_some((state, node.g))
        })
    }

    /// The memory it holds, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<C>>()
            + (self.pages.capacity() + self.touched.capacity()) * size_of::<u32>()
    }
}

/// The memory that a search works in: owned by the caller, reused from query to query, reset in O(1).
///
/// Make one per thread and keep it: after the first few queries a search allocates nothing. It grows to
/// [`Space::state_bound`](crate::space::Space::state_bound) nodes of 12 bytes (16 with `u64` costs) or, in spaces of more than
/// two million states, to the pages of 512 nodes that the largest search has reached, and to the largest open list seen.
/// Bidirectional search uses a second table of the same size.
///
/// A scratch may serve any number of spaces of one cost type in turn. When it begins a new search, any unfinished one that
/// it held is over: stepping that one on answers [`Outcome::Interrupted`](super::Outcome::Interrupted).
#[derive(Debug)]
pub struct Scratch<State, C> {
    pub(crate) forward: Nodes<C>,
    pub(crate) backward: Nodes<C>,
    pub(crate) heap: BucketQueue,
    pub(crate) backward_heap: BucketQueue,
    pub(crate) list: PlainList,
    pub(crate) fifo: Fifo,
    pub(crate) stack: Vec<Key>,
    pub(crate) labels: Vec<Label<C>>,
    /// Several goals in the second order of a space that jumps.
    pub(crate) across: Vec<State>,
    /// What the space knows of the way to the goal.
    pub(crate) guide: Guide,
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
            across: Vec::new(),
            guide: Guide::default(),
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

    /// Gives the forward table away in exchange for another. The search that it belonged to is over.
    pub(crate) fn exchange_forward(&mut self, table: &mut Nodes<C>) {
        self.serial += 1;
        std::mem::swap(&mut self.forward, table);
    }

    /// Gives the labels away in exchange for others. The search that they belonged to is over.
    pub(crate) fn exchange_labels(&mut self, labels: &mut Vec<Label<C>>) {
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
            + self.across.capacity() * size_of::<State>()
            + self.guide.bytes()
            + self.spare.steps.capacity() * size_of::<Step<State, C>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert_eq!(size_of::<Node<u32>>(), 12);
        assert_eq!(size_of::<Node<u64>>(), 16);
    }

    #[test]
    fn nodes_forget_when_the_stamp_wraps() {
        let mut nodes = Nodes::<u32>::default();
        nodes.reset(2);
        nodes.open(1, 5, 0);
        nodes.open_stamp = u32::MAX - 3;
        nodes.nodes[0].stamp = 2;
        nodes.reset(2);
        assert_eq!(
            nodes.g(0),
            None,
            "a stamp of the first epoch must not come alive in the next round"
        );
        assert_eq!(nodes.g(1), None);
    }

    #[test]
    fn a_large_table_takes_memory_as_it_is_reached_and_forgets_it_all() {
        let mut nodes = Nodes::<u32>::default();
        nodes.reset(100);
        nodes.open(7, 1, 3);
        let bound = MOST_DENSE * 64;
        for round in 0..3 {
            nodes.reset(bound);
            let last = bound as u32 - 1 - (round << PAGE_LOG2);
            assert_eq!((nodes.g(7), nodes.g(last), nodes.is_closed(last)), (None, None, false));
            assert!(!nodes.close(last, 0));
            assert_eq!(nodes.relax(last, 9, 4, true), Relaxed::First);
            assert_eq!(nodes.relax(5, 8, 2, true), Relaxed::First);
            assert_eq!(nodes.relax(last, 6, 1, true), Relaxed::Cheaper);
            assert!(nodes.close(last, 6));
            assert_eq!((nodes.g(last), nodes.parent(last), nodes.parent(5)), (Some(6), 1, 2));
            assert_eq!(nodes.reached().collect::<Vec<_>>(), [(5, 8), (last, 6)]);
            assert!(nodes.bytes() < bound / PAGE * 4 + 1_000_000);
        }
        nodes.reset(100);
        assert_eq!((nodes.g(5), nodes.g(7)), (None, None));
        nodes.open(7, 2, 7);
        assert_eq!(nodes.reached().collect::<Vec<_>>(), [(7, 2)]);
    }

    #[test]
    fn only_the_current_path_to_a_node_closes_it() {
        let mut nodes = Nodes::<u32>::default();
        nodes.reset(1);
        assert!(!nodes.close(0, 0));
        nodes.open(0, 7, 0);
        nodes.open(0, 5, 0);
        assert!(!nodes.close(0, 7));
        assert!(nodes.close(0, 5) && nodes.is_closed(0));
        assert!(!nodes.close(0, 5));
        nodes.open(0, 4, 0);
        assert!(!nodes.is_closed(0));
    }
}
