//! The arcs that queries climb: of each node to more important ones.

use std::ops::Range;

use super::contraction::Joined;
use super::graph::Graph;
use super::order::Order;

/// An arc to a more important node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    pub(super) to: u32,
    pub(super) cost: u32,
}

/// The middle of an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Middle {
    /// A node less important than both ends, or [`Arcs::EDGE`].
    node: u32,
    /// Where the arcs from it to both ends are in its list. After an edit they may be elsewhere.
    places: [u16; 2],
}

/// An arc as a part of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The less important end.
    from: u32,
    /// The position of the arc among all.
    slot: u32,
    /// Whether the path goes to the more important end.
    is_up: bool,
}

/// The arcs of all nodes to more important nodes. Each list begins with the least important one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Arcs {
    /// Where the list of each node begins and ends.
    spans: Vec<[u32; 2]>,
    arcs: Vec<Arc>,
    middles: Vec<Middle>,
    /// The number of arcs in lists.
    used: usize,
}

impl Arcs {
    /// In place of the middle of an arc along an edge of the graph.
    pub(super) const EDGE: u32 = u32::MAX;
    /// The memory of an arc, in bytes.
    pub(super) const BYTES: usize = size_of::<Arc>() + size_of::<Middle>();

    /// Returns no arcs, with room for those of `nodes` nodes.
    pub(super) fn with_capacity(nodes: usize, arcs: usize) -> Self {
        let (arcs, middles) = (Vec::with_capacity(arcs), Vec::with_capacity(arcs));
        Self { spans: Vec::with_capacity(nodes), arcs, middles, used: 0 }
    }

    /// Returns the arcs of a contraction that are kept.
    pub(super) fn kept(joined: &Joined) -> Self {
        let kept = joined.lists().flatten().filter(|up| up.is_kept).count();
        let mut arcs = Self::with_capacity(joined.len(), kept);
        arcs.update(joined, &vec![true; joined.len()]);
        arcs
    }

    /// Takes the arcs of the nodes in `computed` from a contraction. Returns whether those of each
    /// node changed.
    pub(super) fn update(&mut self, joined: &Joined, computed: &[bool]) -> Vec<bool> {
        self.spans.resize(joined.len(), [0; 2]);
        let mut changed = vec![false; joined.len()];
        for node in (0..joined.len() as u32).filter(|&node| computed[node as usize]) {
            let (before, begin) = (self.range(node), self.arcs.len());
            for up in joined.of(node).iter().filter(|up| up.is_kept) {
                self.put(Arc { to: up.to, cost: up.cost }, up.middle);
            }
            let made = begin..self.arcs.len();
            let is_other = self.arcs[before.clone()] != self.arcs[made.clone()];
            changed[node as usize] = is_other;
            let middles =
                |range: Range<usize>| self.middles[range].iter().map(|middle| middle.node);
            if is_other || middles(before.clone()).ne(middles(made.clone())) {
                self.used = self.used + made.len() - before.len();
                self.spans[node as usize] = [made.start as u32, made.end as u32];
            } else {
                self.arcs.truncate(begin);
                self.middles.truncate(begin);
            }
        }
        if self.arcs.len() > 2 * self.used {
            self.pack();
        }
        self.find_halves(computed);
        changed
    }

    /// Finds the two arcs of each middle, where the lists of an arc or of its middle are `new`.
    pub(super) fn find_halves(&mut self, new: &[bool]) {
        for node in 0..self.spans.len() as u32 {
            for slot in self.range(node) {
                let middle = self.middles[slot].node;
                if middle == Self::EDGE || !new[node as usize] && !new[middle as usize] {
                    continue;
                }
                let list = self.of(middle);
                let place = |to| list.iter().position(|arc| arc.to == to);
                self.middles[slot].places = [node, self.arcs[slot].to].map(|to| {
                    place(to).and_then(|place| place.try_into().ok()).unwrap_or(u16::MAX)
                });
            }
        }
    }

    /// Drops lists that were replaced.
    fn pack(&mut self) {
        let mut packed = Self::with_capacity(self.spans.len(), self.used);
        for node in 0..self.spans.len() as u32 {
            packed.push(self.of(node).iter().copied().zip(self.middles_of(node)));
            let range = packed.range(node);
            packed.middles[range].copy_from_slice(&self.middles[self.range(node)]);
        }
        *self = packed;
    }

    /// Adds the arcs of the next node, each with its middle.
    pub(super) fn push(&mut self, arcs: impl IntoIterator<Item = (Arc, u32)>) {
        let begin = self.arcs.len();
        arcs.into_iter().for_each(|(arc, middle)| self.put(arc, middle));
        self.spans.push([begin as u32, self.arcs.len() as u32]);
        self.used += self.arcs.len() - begin;
    }

    fn put(&mut self, arc: Arc, middle: u32) {
        self.arcs.push(arc);
        self.middles.push(Middle { node: middle, places: [u16::MAX; 2] });
    }

    /// Returns whether each arc is an edge of the graph or has a middle, nodes being numbered by
    /// importance. `Err` names a node with an arc that is neither.
    ///
    /// A middle is less important than the arc's ends. So taking arcs apart ends, at edges that
    /// cost as much as the arc.
    pub(super) fn check(&self, graph: &Graph, cost: impl Fn(u32, u32) -> u32) -> Result<(), u32> {
        for node in 0..graph.len() as u32 {
            for slot in self.range(node) {
                let (Arc { to, cost: known }, middle) = (self.arcs[slot], self.middles[slot].node);
                let is_right = if middle == Self::EDGE {
                    graph.of(node).binary_search(&to).is_ok() && cost(node, to) == known
                } else {
                    let half = |to| Some(u64::from(self.arcs[self.slot(middle, to)?].cost));
                    middle > node
                        && (middle as usize) < graph.len()
                        && half(node).zip(half(to)).is_some_and(|(a, b)| a + b == u64::from(known))
                };
                if !is_right {
                    return Err(node);
                }
            }
        }
        Ok(())
    }

    /// Returns the arcs of a node.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[Arc] {
        &self.arcs[self.range(node)]
    }

    /// Returns the middles of the arcs of a node.
    pub(super) fn middles_of(&self, node: u32) -> impl Iterator<Item = u32> {
        self.middles[self.range(node)].iter().map(|middle| middle.node)
    }

    #[inline]
    fn range(&self, node: u32) -> Range<usize> {
        let [begin, end] = self.spans[node as usize];
        begin as usize..end as usize
    }

    fn slot(&self, from: u32, to: u32) -> Option<usize> {
        let place = self.of(from).iter().position(|arc| arc.to == to)?;
        Some(self.range(from).start + place)
    }

    /// Returns the arc at a place in the list of a node.
    #[inline]
    pub(super) fn part(&self, from: u32, place: usize, is_up: bool) -> Part {
        Part { from, slot: self.spans[from as usize][0] + place as u32, is_up }
    }

    /// Returns the arc from a node to another one; `None` if there is none.
    pub(super) fn part_between(&self, order: &Order, [a, b]: [u32; 2]) -> Option<Part> {
        let is_up = order.rank(a) > order.rank(b);
        let [from, to] = if is_up { [a, b] } else { [b, a] };
        Some(Part { from, slot: self.slot(from, to)? as u32, is_up })
    }

    /// Visits the nodes of the path along an arc, but the first one, each with the cost from the
    /// node before.
    #[inline]
    pub(super) fn take_apart(
        &self,
        part: Part,
        parts: &mut Vec<Part>,
        visit: &mut impl FnMut(u32, u32),
    ) {
        let mut next = Some(part);
        while let Some(Part { from, slot, is_up }) = next {
            let (Arc { to, cost }, middle) =
                (self.arcs[slot as usize], self.middles[slot as usize]);
            let [first, last] = if is_up { [from, to] } else { [to, from] };
            let [one, other] = [usize::from(!is_up), usize::from(is_up)];
            if middle.node != Self::EDGE
                && let Some(one) = self.half(middle, one, first)
                && let Some(other) = self.half(middle, other, last)
            {
                parts.push(Part { from: middle.node, slot: other, is_up: true });
                next = Some(Part { from: middle.node, slot: one, is_up: false });
            } else {
                visit(last, cost);
                next = parts.pop();
            }
        }
    }

    /// Returns the position of the arc from a middle to an end.
    #[inline]
    fn half(&self, middle: Middle, end: usize, to: u32) -> Option<u32> {
        let [begin, end_of_list] = self.spans[middle.node as usize];
        let slot = begin + u32::from(middle.places[end]);
        if slot < end_of_list && self.arcs[slot as usize].to == to {
            return Some(slot);
        }
        self.slot(middle.node, to).map(|slot| slot as u32)
    }

    /// Returns the number of arcs.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of::<Middle>() * self.middles.capacity()
            + 8 * self.spans.capacity()
            + size_of::<Arc>() * self.arcs.capacity()
    }
}
