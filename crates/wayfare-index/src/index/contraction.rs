//! Contraction: the arcs of each corner to more important corners.
//!
//! A *route* between two nodes passes
//! only less important nodes in between. The contraction joins `v` to each more important `x` to
//! which it has a route, at the cost `d(v, x)` of a cheapest path. Two more important neighbours of
//! a node have a route through it, so they are joined too: all of this needs triangles of three
//! joined nodes alone.
//!
//! 1. [`Joined::join`] finds the pairs.
//! 2. [`Joined::descend`] computes the cost of a cheapest route between each pair, from the least
//!    important node up: a route consists of an edge, or of two routes that meet at its most
//!    important inner node.
//! 3. [`Joined::ascend`] computes `d(v, x)`, from the most important node down, and drops arcs.
//!
//! # Why an edit changes few of them
//!
//! Each step computes the list of one node from those of nodes that came before. It is skipped
//! where none of these changed in a way that matters:
//!
//! * Routes cost the least of a few sums, of an edge and of two routes each. A sum that changes
//!   leaves that cost and the middle, unless it belongs to the middle, or it is less than the cost
//!   now, or it equals the cost and belongs to a more important node than the middle.
//! * Costs of paths are such minima too, and an arc is dropped where a sum of two costs equals its
//!   cost. A sum that changes leaves both, unless it was equal to the cost, or is at most that now.
//!
//! # Why cheapest paths can be taken to climb, then descend
//!
//! Let an inner node of a cheapest path be less important than both its neighbours on the path. The
//! two are joined, so an arc replaces the steps through it at no greater cost. Repeating this ends,
//! as paths get shorter: the path then climbs to its most important node and descends from there.
//!
//! # Why step 3 finds `d(v, x)`
//!
//! A cheapest path from `v` to `x` as above begins with an arc up, to `y`, at the cost of a
//! cheapest route. Then `d(v, x)` is the sum of that cost and `d(y, x)`. The nodes `y` and `x` are
//! joined, and `d(y, x)` is known, as both are more important than `v`.
//!
//! # Why arcs may be dropped
//!
//! The arc from `v` to `x` is dropped if `d(v, y) + d(y, x) = d(v, x)` for another `y` joined to
//! `v`. The claim: arcs that are kept form a path from `v` to `x` at the cost `d(v, x)` whose
//! nodes, `v` aside, are more important than `v`. By induction over `v`, most important first, and
//! `d(v, x)`, cheapest first, they form such paths from `v` to `y` and from `y` to `x`. Removing
//! the nodes less important than both their neighbours, as above, leaves a path that climbs, then
//! descends.
//!
//! # Why an arc that is kept has a middle
//!
//! Let the arc from `v` to `x` be kept and be no edge. A cheapest path from `v` to `x` passes no
//! node more important than `v`: the first arc up to it would lead to a `y` as above. Let `u` be
//! the most important inner node of all such paths. Then `u` has routes to `v` and `x`. An arc from
//! `u` to `v` would be dropped only for a more important node than `u` on a cheapest path from `v`
//! to `x`. So both are kept, and `u` is the *middle* of the arc: the two arcs from `u` cost as much
//! as the arc. Step 2 finds it: of the nodes whose two routes cost as much as the arc, each of
//! which lies on a cheapest path, it notes the most important one.
//!
//! Sources: J. Dibbelt, B. Strasser, D. Wagner, "Customizable contraction hierarchies", 2016.
//! R. Geisberger, P. Sanders, D. Schultes, D. Delling, "Contraction hierarchies", 2008.

use std::ops::ControlFlow;

use super::arcs::Arcs;
use super::order::Order;

/// Why no arcs were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stopped {
    /// The progress callback stopped the work.
    Cancelled,
    /// There are more arcs than the limit.
    TooMany,
    /// A path costs [`u32::MAX`] or more.
    CostRange,
}

/// No slot.
const NONE: u32 = u32::MAX;
/// The bits of a rank below the cost of a route.
const RANK_BITS: u32 = 31;
/// The bit below the cost of a path that says that the arc is kept.
const KEPT: u64 = 1;
/// In place of the cost of a path, for nodes that are not in the list: more than any sum of two.
const FREE: u64 = 1 << 62;

/// A more important node that a node is joined to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Up {
    pub(super) to: u32,
    /// The cost of a cheapest route.
    route: u32,
    /// The most important inner node of the cheapest routes; [`Arcs::EDGE`] if an edge is one.
    pub(super) middle: u32,
    /// The cost of a cheapest path.
    pub(super) cost: u32,
    pub(super) is_kept: bool,
}

/// The pairs of nodes that are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Joined {
    /// The neighbours of each node in the graph, in ascending order.
    near: Vec<Vec<u32>>,
    /// The more important nodes that each is joined to, the least important first.
    up: Vec<Vec<Up>>,
    /// The less important nodes that each is joined to.
    lower: Vec<Vec<u32>>,
    /// The number of pairs.
    pairs: usize,
    slots: Vec<u32>,
    /// The least cost known to each node of the list that is computed, with [`RANK_BITS`] for the
    /// middle, or with [`KEPT`]; [`FREE`] for other nodes.
    least: Vec<u64>,
}

impl Joined {
    /// Returns a graph, with no pairs joined. `near` lists the neighbours of each node in ascending
    /// order.
    pub(super) fn new(near: Vec<Vec<u32>>) -> Self {
        let mut joined = Self { near, ..Self::default() };
        joined.resize(joined.near.len());
        joined
    }

    /// Adds nodes without neighbours.
    pub(super) fn resize(&mut self, count: usize) {
        self.near.resize(count, Vec::new());
        self.up.resize(count, Vec::new());
        self.lower.resize(count, Vec::new());
        self.slots.resize(count, NONE);
        self.least.resize(count, FREE);
    }

    /// Parts all pairs.
    pub(super) fn part(&mut self) {
        self.up.iter_mut().for_each(Vec::clear);
        self.lower.iter_mut().for_each(Vec::clear);
        self.pairs = 0;
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.near.len()
    }

    /// Returns the number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.pairs
    }

    /// Returns the more important nodes that a node is joined to.
    pub(super) fn of(&self, node: u32) -> &[Up] {
        &self.up[node as usize]
    }

    /// Returns all lists of more important nodes.
    pub(super) fn lists(&self) -> impl Iterator<Item = &[Up]> {
        self.up.iter().map(Vec::as_slice)
    }

    /// Returns the neighbours of each node.
    pub(super) fn near(&self) -> &[Vec<u32>] {
        &self.near
    }

    /// Adds an edge, or removes it. Returns whether that is a change.
    pub(super) fn set_edge(&mut self, ends: [u32; 2], is_edge: bool) -> bool {
        let mut is_change = false;
        for [a, b] in [ends, [ends[1], ends[0]]] {
            let list = &mut self.near[a as usize];
            let place = list.binary_search(&b);
            is_change = place.is_ok() != is_edge;
            match place {
                Ok(place) if !is_edge => drop(list.remove(place)),
                Err(place) if is_edge => list.insert(place, b),
                _ => {}
            }
        }
        is_change
    }

    /// Contracts the graph after a change of the more important neighbours of `touched` nodes, or
    /// from the outset with all nodes touched. Returns the nodes whose lists were computed. Stops
    /// if more than `most` pairs are joined; then all pairs are to be parted.
    ///
    /// `on_progress` receives the number of finished nodes and may stop the work.
    pub(super) fn contract(
        &mut self,
        order: &Order,
        touched: Vec<bool>,
        cost: &dyn Fn(u32, u32) -> u32,
        most: usize,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<bool>, Stopped> {
        let is_whole = self.pairs == 0;
        let (mut routes, mut costs) = (touched.clone(), vec![false; self.len()]);
        if !self.join(order, touched, most, &mut routes, &mut costs) {
            return Err(Stopped::TooMany);
        }
        // Both steps count every node once, so each is half of the work.
        let half = &mut |done: usize| on_progress(done / 2);
        self.descend(order, &mut routes, &mut costs, is_whole, cost, half)
            .ok_or(Stopped::Cancelled)?;
        let half = &mut |done: usize| on_progress((order.nodes.len() + done) / 2);
        self.ascend(order, &mut costs, is_whole, half).ok_or(Stopped::Cancelled)?;
        for (node, is_computed) in costs.iter_mut().enumerate() {
            *is_computed |= routes[node];
            if *is_computed && self.up[node].iter().any(|up| up.cost == NONE) {
                return Err(Stopped::CostRange);
            }
        }
        on_progress(order.nodes.len()).is_continue().then_some(costs).ok_or(Stopped::Cancelled)
    }

    /// Finds the pairs of touched nodes; `false` if there are more than `most`. Marks the
    /// nodes whose routes, and whose costs, are to be computed.
    ///
    /// # Why a node passes its neighbours on to one of them alone
    ///
    /// All more important neighbours of a node are joined with each other. Its least important one,
    /// the *parent*, is the first to be contracted, and passes on those of the others that are
    /// left.
    fn join(
        &mut self,
        order: &Order,
        mut touched: Vec<bool>,
        most: usize,
        routes: &mut [bool],
        costs: &mut [bool],
    ) -> bool {
        let mut seen = vec![NONE; self.len()];
        for &node in order.nodes.iter().rev() {
            if !touched[node as usize] {
                continue;
            }
            let mut above = Vec::new();
            let mut add = |near: u32| {
                let is_above = order.rank(near) < order.rank(node);
                if is_above && std::mem::replace(&mut seen[near as usize], node) != node {
                    above.push(near);
                }
            };
            self.near[node as usize].iter().for_each(|&near| add(near));
            for &child in &self.lower[node as usize] {
                let up = &self.up[child as usize];
                if up[0].to == node {
                    up.iter().for_each(|up| add(up.to));
                }
            }
            above.sort_unstable_by_key(|&near| std::cmp::Reverse(order.rank(near)));
            let before = &self.up[node as usize];
            if before.len() == above.len() && before.iter().zip(&above).all(|(up, to)| up.to == *to)
            {
                continue;
            }
            let mut before = std::mem::take(&mut self.up[node as usize]);
            self.pairs = self.pairs + above.len() - before.len();
            if self.pairs > most {
                return false;
            }
            (routes[node as usize], costs[node as usize]) = (true, true);
            for parent in [before.first().map(|up| up.to), above.first().copied()] {
                parent.into_iter().for_each(|parent| touched[parent as usize] = true);
            }
            let was: Vec<u32> = before.iter().map(|up| up.route).collect();
            for (slot, up) in (0..).zip(&mut before) {
                self.slots[up.to as usize] = slot;
                if seen[up.to as usize] != node {
                    up.route = NONE;
                    self.lower[up.to as usize].retain(|&lower| lower != node);
                }
            }
            self.mark_others(order, node, &before, &was, routes);
            let after = above.into_iter().map(|to| {
                if let Some(&up) = before.get(self.slots[to as usize] as usize) {
                    return up;
                }
                self.lower[to as usize].push(node);
                Up { to, route: NONE, middle: Arcs::EDGE, cost: NONE, is_kept: false }
            });
            self.up[node as usize] = after.collect();
            before.iter().for_each(|up| self.slots[up.to as usize] = NONE);
        }
        true
    }

    /// Takes the list of a node, and notes where each of its nodes is in it.
    fn take(&mut self, node: u32) -> Vec<Up> {
        let list = std::mem::take(&mut self.up[node as usize]);
        for (slot, up) in (0..).zip(&list) {
            self.slots[up.to as usize] = slot;
        }
        list
    }

    /// Puts the list of a node back.
    fn put_back(&mut self, node: u32, list: Vec<Up>) {
        list.iter().for_each(|up| self.slots[up.to as usize] = NONE);
        self.up[node as usize] = list;
    }

    /// Marks nodes in the list of a node whose routes are others now: those over this node, and
    /// those that cost as much or more than a route over it. The routes of the node itself cost
    /// `before`, and change where that differs.
    fn mark_others(
        &self,
        order: &Order,
        node: u32,
        list: &[Up],
        before: &[u32],
        routes: &mut [bool],
    ) {
        for (at, low) in list.iter().enumerate() {
            if routes[low.to as usize] {
                continue;
            }
            let is_same = low.route == before[at];
            let mut pairs = list[at + 1..].iter().zip(&before[at + 1..]);
            // All of these are joined to `low`, in the same order.
            let mut joined = self.up[low.to as usize].iter();
            routes[low.to as usize] = pairs.any(|(high, &was)| {
                if is_same && high.route == was {
                    return false;
                }
                let sum = low.route.saturating_add(high.route);
                joined.find(|up| up.to == high.to).is_some_and(|known| match known.middle {
                    middle if middle == node => sum != known.route,
                    Arcs::EDGE => sum < known.route,
                    middle => {
                        sum < known.route
                            || sum == known.route && order.rank(node) < order.rank(middle)
                    }
                })
            });
        }
    }

    /// Computes the costs of cheapest routes of the nodes `routes`, and of those that depend on
    /// them. Marks the nodes whose routes change in `costs`. O(triangles).
    fn descend(
        &mut self,
        order: &Order,
        routes: &mut [bool],
        costs: &mut [bool],
        is_whole: bool,
        cost: &dyn Fn(u32, u32) -> u32,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut before = Vec::new();
        for (done, &node) in order.nodes.iter().rev().enumerate() {
            rest(order.nodes.len(), done, on_progress)?;
            if !routes[node as usize] {
                continue;
            }
            let mut list = std::mem::take(&mut self.up[node as usize]);
            before.clear();
            before.extend(list.iter().map(|up| up.route));
            for up in &list {
                let is_edge = self.near[node as usize].binary_search(&up.to).is_ok();
                let route = if is_edge { cost(node, up.to) } else { NONE };
                self.least[up.to as usize] = u64::from(route) << RANK_BITS;
            }
            for &lower in &self.lower[node as usize] {
                let from = &self.up[lower as usize];
                let at = place(order, from, node);
                let rank = u64::from(order.rank(lower)) + 1;
                let first = (u64::from(from[at].route) << RANK_BITS) + rank;
                for up in &from[at + 1..] {
                    let least = &mut self.least[up.to as usize];
                    *least = (*least).min(first + (u64::from(up.route) << RANK_BITS));
                }
            }
            for up in &mut list {
                let least = std::mem::replace(&mut self.least[up.to as usize], FREE);
                up.route = (least >> RANK_BITS).min(NONE.into()) as u32;
                up.middle = match least as usize & ((1 << RANK_BITS) - 1) {
                    0 => Arcs::EDGE,
                    rank => order.nodes[rank - 1],
                };
            }
            self.up[node as usize] = list;
            let list = &self.up[node as usize];
            if !is_whole && list.iter().zip(&before).any(|(up, &was)| up.route != was) {
                costs[node as usize] = true;
                self.mark_others(order, node, list, &before, routes);
            }
        }
        Some(())
    }

    /// Computes the costs of cheapest paths of the nodes `costs`, and of those that depend on them,
    /// and which arcs are kept. O(triangles).
    ///
    /// Each two arcs of a node are compared with the arc between their ends, whose cost is final.
    /// An arc is dropped also when the comparison comes before the other arc's cost is final: a
    /// cheaper way to `y` is a cheaper way to `x`. And an arc to be dropped is noticed: of all `y`
    /// take one whose arc is a cheapest path from the outset.
    fn ascend(
        &mut self,
        order: &Order,
        costs: &mut [bool],
        is_whole: bool,
        on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut before = Vec::new();
        for (done, &node) in order.nodes.iter().enumerate() {
            rest(order.nodes.len(), done, on_progress)?;
            if !costs[node as usize] {
                continue;
            }
            let mut list = self.take(node);
            before.clear();
            before.extend(list.iter().map(|up| up.cost));
            for up in &list {
                self.least[up.to as usize] = u64::from(up.route) << 1 | KEPT;
            }
            // The most important first.
            for up in list.iter().rev() {
                let between = &self.up[up.to as usize];
                let mut one = self.least[up.to as usize];
                for other in between {
                    let known = self.least[other.to as usize] & !KEPT;
                    one = one.min(known + (u64::from(other.cost) << 1));
                }
                self.least[up.to as usize] = one;
                let one = one & !KEPT;
                for other in between {
                    let known = &mut self.least[other.to as usize];
                    let least = (*known).min(one + (u64::from(other.cost) << 1));
                    *known = if *known == FREE { FREE } else { least };
                }
            }
            for up in &mut list {
                let least = std::mem::replace(&mut self.least[up.to as usize], FREE);
                (up.cost, up.is_kept) = ((least >> 1).min(NONE.into()) as u32, least & KEPT != 0);
            }
            if !is_whole && list.iter().zip(&before).any(|(up, &was)| up.cost != was) {
                for &lower in &self.lower[node as usize] {
                    if costs[lower as usize] {
                        continue;
                    }
                    let from = &self.up[lower as usize];
                    let at = place(order, from, node);
                    let one = from[at].cost;
                    costs[lower as usize] = from[at + 1..].iter().any(|other| {
                        let slot = self.slots[other.to as usize] as usize;
                        let [was, now] = [before[slot], list[slot].cost];
                        let [low, high] = [one.min(other.cost), one.max(other.cost)];
                        was != now
                            && (low.saturating_add(was) == high || low.saturating_add(now) <= high)
                    });
                }
            }
            self.put_back(node, list);
        }
        Some(())
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let lists = self.near.iter().chain(&self.lower).map(|list| 4 * list.capacity());
        let up = self.up.iter().map(|list| size_of::<Up>() * list.capacity());
        lists.chain(up).sum::<usize>() + 84 * self.slots.capacity()
    }
}

/// Returns the place of a node in a list that it is in.
fn place(order: &Order, list: &[Up], node: u32) -> usize {
    // Comparing ranks reads the rank of each, wherever it lies.
    if list.len() <= 64 {
        return list.iter().position(|up| up.to == node).unwrap_or(list.len());
    }
    let rank = order.rank(node);
    list.partition_point(|up| order.rank(up.to) > rank)
}

/// Reports progress at every 64th part of the nodes; `None` if it is to stop.
fn rest(
    count: usize,
    done: usize,
    on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let is_due = done.is_multiple_of(count / 64 + 1);
    (!is_due || on_progress(done).is_continue()).then_some(())
}
