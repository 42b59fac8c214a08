//! Nodes: the costs and parents of generated states.

use super::StateCost;
use super::node_list::NodeList;
use crate::space::Cost;

/// A node: 8 bytes with `u32` costs, 16 with `u64`, in one piece, so that each takes one memory
/// access.
#[derive(Clone, Copy, Default, Debug)]
pub struct Node<C> {
    g: C,
    /// From the top: the node's epoch, whether it is closed, and the parent.
    word: u32,
}

impl<C: Cost> Node<C> {
    /// An unreached state in a dense table, and in pages.
    ///
    /// In pages all words are in use: the last of 2³¹ states is a parent too, and a closed node
    /// with that parent has the word `u32::MAX`. Its cost is finite, as searches close no node of
    /// infinite cost; the unreached state's is infinite.
    const UNREACHED: Self = Self { g: C::INFINITY, word: 0 };
    const UNREACHED_IN_PAGE: Self = Self { g: C::INFINITY, word: u32::MAX };

    /// Returns whether the node belongs to an epoch, given shifted to its bits.
    #[inline(always)]
    fn is_reached<const PARENT_BITS: u32>(self, epoch: u32) -> bool {
        if PARENT_BITS == BITS_IN_PAGES {
            // Pages are wiped when they are taken.
            self.word != u32::MAX || self.g != C::INFINITY
        } else {
            (self.word ^ epoch) >> PARENT_BITS <= 1
        }
    }

    #[inline(always)]
    fn is_closed<const PARENT_BITS: u32>(self, epoch: u32) -> bool {
        (self.word ^ epoch) >> PARENT_BITS == 1 && self.is_reached::<PARENT_BITS>(epoch)
    }

    /// See [`Nodes::relax`].
    #[inline(always)]
    fn relax<const PARENT_BITS: u32>(
        &mut self,
        (epoch, replace): (u32, bool),
        g: C,
        parent: u32,
    ) -> Relaxed {
        let relaxed = if !self.is_reached::<PARENT_BITS>(epoch) {
            Relaxed::First
        } else if !replace || self.g <= g {
            return Relaxed::No;
        } else if self.word >> PARENT_BITS & 1 == 1 {
            Relaxed::Reopened
        } else {
            Relaxed::Cheaper
        };
        *self = Self { g, word: epoch | parent };
        relaxed
    }

    /// See [`Nodes::close`].
    #[inline(always)]
    fn close<const PARENT_BITS: u32>(&mut self, epoch: u32, g: C) -> bool {
        let is_current = (self.word ^ epoch) >> PARENT_BITS == 0 && self.g == g;
        if is_current {
            self.word |= 1 << PARENT_BITS;
        }
        is_current
    }

    #[inline(always)]
    fn parent<const PARENT_BITS: u32>(self) -> u32 {
        self.word & ((1 << PARENT_BITS) - 1)
    }
}

/// The effect of a new path to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relaxed {
    /// None: a path at least as cheap is known.
    No,
    /// It is the first path.
    First,
    /// It is cheaper than the known one.
    Cheaper,
    /// It is cheaper than the one that the state was expanded with.
    Reopened,
}

/// The bits of a parent in a table of one piece, which limits its number of states. Slightly faster
/// than pages.
const BITS: u32 = 21;
/// The largest number of states of such a table.
pub const MOST_DENSE: usize = 1 << BITS;
/// The number of epochs of such a table, without 0, which belongs to no search.
pub const EPOCHS: u32 = (1 << (31 - BITS)) - 1;
/// The bits of a parent in pages, which have no epochs.
const BITS_IN_PAGES: u32 = 31;
const NO_EPOCH: u32 = 0;
/// The states of a page, as a power of two.
pub const PAGE_LOG2: u32 = 9;
/// The states of a page.
pub const PAGE: usize = 1 << PAGE_LOG2;
/// The page of unreached states: the first one, which is never written.
const UNTOUCHED: u32 = 0;

/// The nodes of large spaces, page by page as searches reach them.
#[derive(Clone, Default, Debug)]
struct Pages<C> {
    nodes: Vec<Node<C>>,
    /// The first node of each page of states, or [`UNTOUCHED`]; of pages beyond its end too. It
    /// grows to the last page in use, not to the size of the space: most of a huge space is never
    /// reached.
    begin: Vec<u32>,
    /// The pages in use, in the order in which they were taken.
    touched: Vec<u32>,
}

impl<C: Cost> Pages<C> {
    fn clear(&mut self) {
        for page in self.touched.drain(..) {
            self.begin[page as usize] = UNTOUCHED;
        }
    }

    fn make_room(&mut self) {
        if self.nodes.is_empty() {
            self.nodes.resize(PAGE, Node::UNREACHED_IN_PAGE);
        }
    }

    fn first(&self, page: u32) -> u32 {
        self.begin.get(page as usize).copied().unwrap_or(UNTOUCHED)
    }

    fn place(&self, state: u32) -> usize {
        (self.first(state >> PAGE_LOG2) | state & (PAGE as u32 - 1)) as usize
    }

    #[inline(never)]
    fn node(&self, state: u32) -> &Node<C> {
        &self.nodes[self.place(state)]
    }

    #[inline(never)]
    fn node_mut(&mut self, state: u32) -> &mut Node<C> {
        if self.first(state >> PAGE_LOG2) == UNTOUCHED {
            self.take(state >> PAGE_LOG2);
        }
        let place = self.place(state);
        &mut self.nodes[place]
    }

    /// See [`Nodes::close`]. Takes no page.
    #[inline(never)]
    fn close(&mut self, state: u32, g: C) -> bool {
        let place = self.place(state);
        place >= PAGE && self.nodes[place].close::<BITS_IN_PAGES>(NO_EPOCH, g)
    }

    #[cold]
    fn take(&mut self, page: u32) {
        self.touched.push(page);
        let first = self.touched.len() << PAGE_LOG2;
        match self.nodes.get_mut(first..first + PAGE) {
            Some(used_before) => used_before.fill(Node::UNREACHED_IN_PAGE),
            None => self.nodes.resize(first + PAGE, Node::UNREACHED_IN_PAGE),
        }
        let page = page as usize;
        if page >= self.begin.len() {
            self.begin.resize((page + 1).next_power_of_two(), UNTOUCHED);
        }
        self.begin[page] = first as u32;
    }

    /// Returns the states of all pages in use, in ascending order.
    fn states(&self) -> impl Iterator<Item = u32> + use<C> {
        let mut pages = self.touched.clone();
        pages.sort_unstable();
        pages.into_iter().flat_map(|page| page << PAGE_LOG2..(page + 1) << PAGE_LOG2)
    }
}

/// A table of nodes by state index that forgets everything at once.
///
/// Spaces of up to two million states have all nodes in one piece. Larger ones take pages of 512
/// states as a search reaches them, so memory grows with the visited states, not with the world.
/// Searches by jumps over the former list their nodes (`node_list.rs`).
///
/// # Why an epoch can return
///
/// A node belongs to one of 1,023 epochs, and each [`reset`](Self::reset) begins the next one. It
/// also wipes 1/1,023 of the table, a part that depends on the epoch alone. Between two uses of an
/// epoch every part is wiped once, so no node of the earlier use is left.
#[derive(Clone, Default, Debug)]
pub struct Nodes<C> {
    /// The nodes of a space in one piece. Empty while pages are in use, which the bounds check
    /// detects.
    dense: Vec<Node<C>>,
    /// The nodes in one piece while they are not in use.
    idle: Vec<Node<C>>,
    pages: Pages<C>,
    list: NodeList<C>,
    /// Whether the next search lists its nodes.
    lists_next: bool,
    /// Whether small spaces take pages too.
    is_paged: bool,
    /// The epoch, shifted to its bits in a node's word.
    epoch: u32,
}

impl<C: Cost> Nodes<C> {
    /// Returns a table that takes pages in spaces of any size.
    pub(super) fn in_pages() -> Self {
        Self { is_paged: true, ..Self::default() }
    }

    /// Says whether the next search reaches few states, and lists them.
    #[doc(hidden)]
    pub fn list_next(&mut self, lists: bool) {
        self.lists_next = lists;
    }

    /// Forgets all nodes and makes room for `bound` states. O(bound / 1,023), O(pages in use), or
    /// O(nodes in the list). Allocates only if `bound` grows.
    pub fn reset(&mut self, bound: usize) {
        self.pages.clear();
        self.list.end();
        if self.dense.is_empty() {
            std::mem::swap(&mut self.dense, &mut self.idle);
        }
        if self.lists_next && bound <= MOST_DENSE && !self.is_paged {
            std::mem::swap(&mut self.dense, &mut self.idle);
            self.list.begin(bound);
        } else {
            self.make_room(bound);
        }
    }

    /// Makes room for `bound` states in one piece, or in pages.
    fn make_room(&mut self, bound: usize) {
        if bound > MOST_DENSE || self.is_paged {
            std::mem::swap(&mut self.dense, &mut self.idle);
            self.pages.make_room();
            return;
        }
        if self.dense.len() < bound {
            self.dense.clear();
            self.dense.resize(bound, Node::UNREACHED);
        }
        // See "Why an epoch can return".
        let before = (self.epoch >> (BITS + 1)) % EPOCHS;
        let border = |epoch: u32| self.dense.len() * epoch as usize / EPOCHS as usize;
        let part = border(before)..border(before + 1);
        self.dense[part].fill(Node::UNREACHED);
        self.epoch = (before + 1) << (BITS + 1);
    }

    /// Goes on without the list, which is full.
    #[cold]
    #[inline(never)]
    fn end_list(&mut self) {
        let bound = self.list.bound();
        let nodes = self.list.take();
        std::mem::swap(&mut self.dense, &mut self.idle);
        self.make_room(bound);
        for node in nodes {
            self.open(node.state, node.g, node.parent());
            if node.is_closed() {
                self.close(node.state, node.g);
            }
        }
    }

    /// Adds a node to the list in use. Returns `false` if it is full, and ended.
    #[inline(always)]
    fn add_to_list(&mut self, state: u32, g: C, parent: u32) -> bool {
        let has_room = !self.list.is_full();
        if has_room {
            self.list.add(state, g, parent);
        } else {
            self.end_list();
        }
        has_room
    }

    /// Returns the cost of the best known path to the state; `None` without one.
    #[inline]
    #[must_use]
    pub fn g(&self, state: u32) -> Option<C> {
        if let Some(slot) = self.list.slot(state) {
            return self.list.node(slot).map(|node| node.g);
        }
        let (node, is_reached) = match self.dense.get(state as usize) {
            Some(node) => (node, node.is_reached::<BITS>(self.epoch)),
            None => {
                let node = self.pages.node(state);
                (node, node.is_reached::<BITS_IN_PAGES>(NO_EPOCH))
            }
        };
        is_reached.then_some(node.g)
    }

    /// Records a path to the state if it is the first or, with `replace`, cheaper than the known
    /// one. The state is then open. Returns the effect. The parent is a state index.
    #[inline]
    pub fn relax(&mut self, state: u32, g: C, parent: u32, replace: bool) -> Relaxed {
        if let Some(slot) = self.list.slot(state) {
            if let Some(node) = self.list.node_mut(slot) {
                return node.relax(g, parent, replace);
            }
            if self.add_to_list(state, g, parent) {
                return Relaxed::First;
            }
        }
        match self.dense.get_mut(state as usize) {
            Some(node) => node.relax::<BITS>((self.epoch, replace), g, parent),
            None => {
                self.pages.node_mut(state).relax::<BITS_IN_PAGES>((NO_EPOCH, replace), g, parent)
            }
        }
    }

    /// Returns whether the state was expanded, and not reopened since.
    #[inline]
    #[must_use]
    pub fn is_closed(&self, state: u32) -> bool {
        if let Some(slot) = self.list.slot(state) {
            return self.list.node(slot).is_some_and(|node| node.is_closed());
        }
        match self.dense.get(state as usize) {
            Some(node) => node.is_closed::<BITS>(self.epoch),
            None => self.pages.node(state).is_closed::<BITS_IN_PAGES>(NO_EPOCH),
        }
    }

    /// Returns the parent on the best known path. Meaningful only for a generated state.
    #[inline]
    #[must_use]
    pub fn parent(&self, state: u32) -> u32 {
        if let Some(slot) = self.list.slot(state) {
            return self.list.node(slot).map_or(state, |node| node.parent());
        }
        match self.dense.get(state as usize) {
            Some(node) => node.parent::<BITS>(),
            None => self.pages.node(state).parent::<BITS_IN_PAGES>(),
        }
    }

    /// Records a path to the state and opens it. The parent is a state index.
    #[inline]
    pub fn open(&mut self, state: u32, g: C, parent: u32) {
        if let Some(slot) = self.list.slot(state) {
            if let Some(node) = self.list.node_mut(slot) {
                node.open(g, parent);
                return;
            }
            if self.add_to_list(state, g, parent) {
                return;
            }
        }
        match self.dense.get_mut(state as usize) {
            Some(node) => *node = Node { g, word: self.epoch | parent },
            None => *self.pages.node_mut(state) = Node { g, word: parent },
        }
    }

    /// Makes a generated state one that was never reached.
    pub fn forget(&mut self, state: u32) {
        if self.list.slot(state).is_some() {
            return self.list.forget(state);
        }
        match self.dense.get_mut(state as usize) {
            Some(node) => *node = Node::UNREACHED,
            None => *self.pages.node_mut(state) = Node::UNREACHED_IN_PAGE,
        }
    }

    /// Replaces the parent of a generated state; its cost stays, and whether it is closed.
    pub fn set_parent(&mut self, state: u32, parent: u32) {
        if let Some(node) = self.list.slot(state).and_then(|slot| self.list.node_mut(slot)) {
            return node.set_parent(parent);
        }
        let (node, bits) = match self.dense.get_mut(state as usize) {
            Some(node) => (node, BITS),
            None => (self.pages.node_mut(state), BITS_IN_PAGES),
        };
        node.word = node.word >> bits << bits | parent;
    }

    /// Closes the state if it is open and its best path costs `g`. Returns whether it did.
    #[inline]
    pub fn close(&mut self, state: u32, g: C) -> bool {
        if let Some(slot) = self.list.slot(state) {
            return self.list.node_mut(slot).is_some_and(|node| node.close(g));
        }
        match self.dense.get_mut(state as usize) {
            Some(node) => node.close::<BITS>(self.epoch, g),
            None => self.pages.close(state, g),
        }
    }

    /// Returns every generated state with its cost, in ascending order. O(bound), or O(pages in use
    /// · log).
    pub fn reached(&self) -> impl Iterator<Item = StateCost<u32, C>> + '_ {
        let states = (0..self.dense.len() as u32).chain(self.pages.states());
        let states = states.chain(self.list.states());
        states.filter_map(|state| self.g(state).map(|cost| StateCost { state, cost }))
    }

    /// Returns the memory of the table, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let Pages { nodes, begin, touched } = &self.pages;
        (self.dense.capacity() + self.idle.capacity() + nodes.capacity()) * size_of::<Node<C>>()
            + (begin.capacity() + touched.capacity()) * size_of::<u32>()
            + self.list.bytes()
    }
}
