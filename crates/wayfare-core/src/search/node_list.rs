//! A list of nodes for searches that reach few states of many.
//!
//! Jumps reach a few hundred states far apart. In a table of nodes each of them lies on a cache
//! line of its own, cold after whatever else a game did in between. Here a table holds only the
//! place of each node, 2 bytes a state, and the nodes lie side by side in the order in which they
//! were reached.

use super::Relaxed;
use crate::space::Cost;

/// The most nodes of a list: places have 16 bits, and 0 belongs to no node.
const MOST_LISTED: usize = u16::MAX as usize;

/// The nodes that a search has reached.
#[derive(Clone, Default, Debug)]
pub(super) struct NodeList<C> {
    /// For each state one more than the place of its node; 0 without one. Empty while the list is
    /// not in use, which the bounds check detects.
    slots: Vec<u16>,
    /// The slots while the list is not in use, all 0.
    idle: Vec<u16>,
    nodes: Vec<ListedNode<C>>,
}

/// A node of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedNode<C> {
    pub(super) state: u32,
    pub(super) g: C,
    /// The parent, and [`CLOSED`].
    word: u32,
}

/// The bit of a closed node. States are below 2³¹.
const CLOSED: u32 = 1 << 31;

impl<C: Cost> ListedNode<C> {
    #[inline(always)]
    pub(super) fn is_closed(self) -> bool {
        self.word & CLOSED != 0
    }

    #[inline(always)]
    pub(super) fn parent(self) -> u32 {
        self.word & !CLOSED
    }

    pub(super) fn set_parent(&mut self, parent: u32) {
        self.word = self.word & CLOSED | parent;
    }

    /// See [`Nodes::relax`](super::Nodes::relax).
    #[inline(always)]
    pub(super) fn relax(&mut self, g: C, parent: u32, replace: bool) -> Relaxed {
        if !replace || self.g <= g {
            return Relaxed::No;
        }
        let relaxed = if self.is_closed() { Relaxed::Reopened } else { Relaxed::Cheaper };
        (self.g, self.word) = (g, parent);
        relaxed
    }

    #[inline(always)]
    pub(super) fn open(&mut self, g: C, parent: u32) {
        (self.g, self.word) = (g, parent);
    }

    /// See [`Nodes::close`](super::Nodes::close).
    #[inline(always)]
    pub(super) fn close(&mut self, g: C) -> bool {
        let is_current = self.g == g && !self.is_closed();
        if is_current {
            self.word |= CLOSED;
        }
        is_current
    }
}

impl<C: Cost> NodeList<C> {
    /// Begins a list for `bound` states. O(nodes of the last one); allocates only if `bound` grows.
    pub(super) fn begin(&mut self, bound: usize) {
        self.end();
        std::mem::swap(&mut self.slots, &mut self.idle);
        if self.slots.len() < bound {
            self.slots.resize(bound, 0);
        }
    }

    /// Ends the list, if it is in use, and forgets its nodes.
    pub(super) fn end(&mut self) {
        for node in self.nodes.drain(..) {
            self.slots[node.state as usize] = 0;
        }
        if !self.slots.is_empty() {
            std::mem::swap(&mut self.slots, &mut self.idle);
        }
    }

    /// Ends the list, and returns its nodes in the order in which they were reached.
    pub(super) fn take(&mut self) -> Vec<ListedNode<C>> {
        let nodes = self.nodes.clone();
        self.end();
        nodes
    }

    /// Returns the number of states that there is room for.
    pub(super) fn bound(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether there is no room for another node.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() == MOST_LISTED
    }

    /// Returns the slot of a state; `None` while the list is not in use.
    #[inline(always)]
    pub(super) fn slot(&self, state: u32) -> Option<u16> {
        self.slots.get(state as usize).copied()
    }

    /// Returns the node of a slot; `None` without one.
    #[inline(always)]
    pub(super) fn node(&self, slot: u16) -> Option<&ListedNode<C>> {
        self.nodes.get(usize::from(slot).wrapping_sub(1))
    }

    /// The same, to change it.
    #[inline(always)]
    pub(super) fn node_mut(&mut self, slot: u16) -> Option<&mut ListedNode<C>> {
        self.nodes.get_mut(usize::from(slot).wrapping_sub(1))
    }

    /// Adds the node of a state that has none, to a list in use that is not full.
    #[inline(always)]
    pub(super) fn add(&mut self, state: u32, g: C, parent: u32) {
        self.nodes.push(ListedNode { state, g, word: parent });
        self.slots[state as usize] = self.nodes.len() as u16;
    }

    /// Makes a state one that was never reached. The last node takes its place.
    pub(super) fn forget(&mut self, state: u32) {
        let slot = std::mem::take(&mut self.slots[state as usize]);
        if slot == 0 {
            return;
        }
        self.nodes.swap_remove(usize::from(slot) - 1);
        if let Some(moved) = self.nodes.get(usize::from(slot) - 1) {
            self.slots[moved.state as usize] = slot;
        }
    }

    /// Returns the states of all nodes, in ascending order.
    pub(super) fn states(&self) -> Vec<u32> {
        let mut states: Vec<u32> = self.nodes.iter().map(|node| node.state).collect();
        states.sort_unstable();
        states
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<ListedNode<C>>() * self.nodes.capacity()
            + 2 * (self.slots.capacity() + self.idle.capacity())
    }
}
