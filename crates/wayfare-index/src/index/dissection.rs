//! Nested dissection: orders the nodes of a graph by importance.
//!
//! A few nodes, the *cut*, divide the graph into two sides without an edge between them. The nodes
//! of the cut are more important than both sides, which are divided in the same way. A path from
//! one side to the other passes the cut, so a contraction in this order adds few shortcuts.
//!
//! A cut is a smallest one between the first and the last nodes along a line, a fifth or a third of
//! all: by Menger's theorem it has as many nodes as there are paths between the two sets that share
//! no node. The best of four lines is taken. Fifths leave more choice, and take longer.
//!
//! Any order gives correct indexes. This one depends on the map alone.
//!
//! Sources: A. Schild, C. Sommer, "On balanced separators in road networks", 2015 (inertial flow).
//! E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power
//! estimation", 1970.

use std::ops::ControlFlow;

use super::graph::Graph;
use super::parallel;

/// Sets of at most this many nodes are not divided.
const SMALLEST: usize = 4;

/// Graphs of at most this many nodes are cut between fifths.
const FIFTHS: usize = 1 << 15;

/// No node, or no level.
const NONE: u32 = u32::MAX;
/// Before the first node of a path.
const END: u32 = u32::MAX - 1;

/// Returns the rank of each node by importance: 0 is the most important. `at` returns the
/// coordinates of a node.
///
/// `on_progress` receives the number of nodes that are ordered and may stop the work. About O(n ·
/// c) time for cuts of c nodes.
pub(super) fn ranks(
    graph: &Graph,
    at: impl Fn(u32) -> [i32; 2] + Sync + Send,
    on_progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> ControlFlow<(), Vec<u32>> {
    let count = graph.len();
    // The least important first.
    let mut order: Vec<u32> = (0..count as u32).collect();
    let outer = if count <= FIFTHS { 5 } else { 3 };
    let mut left = vec![(0, count)];
    let mut done = 0;
    while !left.is_empty() {
        on_progress(done)?;
        let divided = parallel::map(
            left.len(),
            || (Part::default(), vec![NONE; count]),
            |(part, places), range| {
                let nodes = &order[left[range].0..left[range].1];
                part.load(graph, nodes, places);
                part.divide(nodes, outer, &at)
            },
        );
        let mut next = Vec::new();
        for ((begin, end), sides) in left.into_iter().zip(divided) {
            done += end - begin;
            let Some(sides) = sides else { continue };
            let mut of_side: [Vec<u32>; 3] = Default::default();
            for (&node, &side) in order[begin..end].iter().zip(&sides) {
                of_side[side as usize].push(node);
            }
            // More cheapest paths pass a node of the cut with more neighbours: labels are shorter
            // by up to a tenth.
            of_side[Side::Cut as usize].sort_by_key(|&node| graph.of(node).len());
            order[begin..end].copy_from_slice(&of_side.concat());
            let middle = begin + of_side[0].len();
            for side in [(begin, middle), (middle, middle + of_side[1].len())] {
                if side.1 - side.0 > SMALLEST {
                    done -= side.1 - side.0;
                    next.push(side);
                }
            }
        }
        left = next;
    }
    let mut ranks = vec![0; count];
    for (rank, &node) in order.iter().rev().enumerate() {
        ranks[node as usize] = rank as u32;
    }
    ControlFlow::Continue(ranks)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Last,
    Cut,
}

/// A part of a graph, and paths through it that share no node.
///
/// A node is entered and left: its *doors* are `2 * node` and `2 * node + 1`. A path that enters a
/// node of another path cannot leave it, but may take that path's place: then the other one turns
/// off before.
#[derive(Default)]
struct Part {
    first: Vec<u32>,
    targets: Vec<u32>,
    /// The node before each node on its path; [`NONE`] for nodes on no path, [`END`] for the first.
    before: Vec<u32>,
    /// The least number of steps to each door.
    level: Vec<u32>,
    /// The number of neighbours that the search has tried from each node.
    tried: Vec<u32>,
    trail: Vec<u32>,
    is_source: Vec<bool>,
    is_sink: Vec<bool>,
}

impl Part {
    /// Loads the edges among `nodes`. `places` holds [`NONE`] for each node of the graph, and is
    /// left so.
    fn load(&mut self, graph: &Graph, nodes: &[u32], places: &mut [u32]) {
        for (place, &node) in nodes.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        self.first.clear();
        self.targets.clear();
        self.first.push(0);
        for &node in nodes {
            let near = graph.of(node).iter().map(|&near| places[near as usize]);
            self.targets.extend(near.filter(|&place| place != NONE));
            self.first.push(self.targets.len() as u32);
        }
        nodes.iter().for_each(|&node| places[node as usize] = NONE);
    }

    /// Returns the side of each node; `None` if no cut leaves nodes on both sides. The first and
    /// the last `1 / outer` of the nodes along a line are not to be on one side.
    fn divide(
        &mut self,
        nodes: &[u32],
        outer: usize,
        at: &impl Fn(u32) -> [i32; 2],
    ) -> Option<Vec<Side>> {
        let count = nodes.len();
        let outer = count.div_ceil(outer);
        let mut best: Option<(u64, u64, Vec<Side>)> = None;
        let mut along: Vec<u32> = (0..count as u32).collect();
        for line in [[1, 0], [0, 1], [1, 1], [1, -1]] {
            along.sort_unstable_by_key(|&place| {
                let [x, y] = at(nodes[place as usize]);
                (line[0] * x + line[1] * y, place)
            });
            let is_worse = |cut: usize| {
                let best = best.as_ref();
                best.is_some_and(|best| cut as u64 * best.1 >= best.0 * (count / 2) as u64)
            };
            if !self.connect(&along[..outer], &along[count - outer..], is_worse) {
                continue;
            }
            let sides: Vec<Side> = (0..count).map(|node| self.side(node)).collect();
            let size = |of: Side| sides.iter().filter(|&&side| side == of).count() as u64;
            let (cut, smaller) = (size(Side::Cut), size(Side::First).min(size(Side::Last)));
            // The fewer nodes of the cut for each one of the smaller side the better.
            let is_better = best.as_ref().is_none_or(|best| cut * best.1 < best.0 * smaller);
            if smaller > 0 && is_better {
                best = Some((cut, smaller, sides));
            }
        }
        best.map(|(_, _, sides)| sides)
    }

    /// Finds as many paths from `sources` to `sinks` as there are. Returns `false`, and gives up,
    /// if `is_enough` says so of their number.
    fn connect(
        &mut self,
        sources: &[u32],
        sinks: &[u32],
        is_enough: impl Fn(usize) -> bool,
    ) -> bool {
        let count = self.first.len() - 1;
        self.before.clear();
        self.before.resize(count, NONE);
        for (list, ends) in [(&mut self.is_source, sources), (&mut self.is_sink, sinks)] {
            list.clear();
            list.resize(count, false);
            ends.iter().for_each(|&end| list[end as usize] = true);
        }
        // The last source of a path has a neighbour that is none. Paths may as well begin there.
        let is_last = |&source: &u32| {
            let near = &self.targets[self.range(source)];
            near.iter().any(|&near| !self.is_source[near as usize])
        };
        let sources: Vec<u32> = sources.iter().copied().filter(is_last).collect();
        let mut paths = 0;
        while self.measure(&sources) {
            self.tried.clear();
            self.tried.resize(count, 0);
            for &source in &sources {
                if self.search(2 * source) {
                    paths += 1;
                    if is_enough(paths) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Returns the side of a node, after a search that found no further path.
    fn side(&self, node: usize) -> Side {
        match [2 * node, 2 * node + 1].map(|door| self.level[door] != NONE) {
            [true, false] => Side::Cut,
            [false, false] if !self.is_source[node] => Side::Last,
            _ => Side::First,
        }
    }

    /// Returns the door that follows from the entry of a node: its exit, or where it lies on a path
    /// already the exit of the node before.
    fn beyond(&self, node: u32) -> Option<u32> {
        match self.before[node as usize] {
            NONE => Some(2 * node + 1),
            END => None,
            before => Some(2 * before + 1),
        }
    }

    /// Returns the entry of a node that lies on a path, which follows from its exit: the node gives
    /// up its place on that path.
    fn gives_up(&self, node: u32) -> Option<u32> {
        (self.before[node as usize] != NONE).then_some(2 * node)
    }

    /// Returns the entry that follows from the exit of a node, for each number up to the count of
    /// its neighbours.
    fn next(&self, node: u32, number: u32) -> Option<u32> {
        let range = self.range(node);
        if number as usize == range.len() {
            return self.gives_up(node);
        }
        self.targets[range].get(number as usize).map(|&near| 2 * near)
    }

    fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// Computes the levels, but not beyond sinks. Returns whether a sink is reached.
    fn measure(&mut self, sources: &[u32]) -> bool {
        self.level.clear();
        self.level.resize(2 * (self.first.len() - 1), NONE);
        self.trail.clear();
        for &source in sources {
            self.level[2 * source as usize] = 0;
            self.trail.push(2 * source);
        }
        let (mut at, mut is_reached) = (0, false);
        while let Some(&door) = self.trail.get(at) {
            at += 1;
            let (node, level) = (door / 2, self.level[door as usize] + 1);
            if door % 2 == 1 && self.is_sink[node as usize] {
                is_reached = true;
                continue;
            }
            let follows = if door % 2 == 0 { self.beyond(node) } else { self.gives_up(node) };
            let exits = if door % 2 == 0 { 0..0 } else { self.range(node) };
            let entries =
                self.targets[exits].iter().filter(|&&near| !self.is_source[near as usize]);
            for next in entries.map(|near| 2 * near).chain(follows) {
                if self.level[next as usize] == NONE {
                    self.level[next as usize] = level;
                    self.trail.push(next);
                }
            }
        }
        is_reached
    }

    /// Searches a path from a door to a sink, along rising levels, and adds it.
    fn search(&mut self, door: u32) -> bool {
        self.trail.clear();
        self.trail.push(door);
        while let Some(&door) = self.trail.last() {
            let node = door / 2;
            let next = if door % 2 == 0 {
                self.beyond(node)
            } else if self.is_sink[node as usize] {
                self.add();
                return true;
            } else {
                let number = self.tried[node as usize];
                self.next(node, number)
            };
            let level = self.level[door as usize] + 1;
            match next {
                Some(next) if self.level[next as usize] == level => {
                    self.trail.push(next);
                    continue;
                }
                Some(_) if door % 2 == 1 => {
                    self.tried[node as usize] += 1;
                    continue;
                }
                _ => {}
            }
            // A dead end.
            self.trail.pop();
            if let Some(&exit) = self.trail.last()
                && exit % 2 == 1
            {
                self.tried[exit as usize / 2] += 1;
            }
            self.level[door as usize] = NONE - 1;
        }
        false
    }

    /// Adds the path of the trail.
    fn add(&mut self) {
        let mut before = END;
        for &door in &self.trail {
            let node = door / 2;
            if door % 2 == 1 {
                before = node;
            } else if before == node {
                // Gives up its path: the node before it goes another way.
                self.before[node as usize] = NONE;
            } else {
                self.before[node as usize] = before;
            }
        }
    }
}
