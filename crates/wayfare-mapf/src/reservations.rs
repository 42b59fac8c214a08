//! Which agent is where at which time, and the quickest path between the others.

use std::collections::BinaryHeap;

use crate::distances::Distances;
use crate::pibt::NONE;
use crate::roadmap::Roadmap;

/// The agent at each vertex after each step up to a last one, after which nobody moves.
#[derive(Clone, Debug)]
pub(crate) struct Reservations {
    vertices: usize,
    /// The number of steps that are told apart, the start among them.
    times: usize,
    agents: Vec<u32>,
    /// The visit of each vertex at each time: the number of the search that reached it, and the
    /// vertex it came from.
    visits: Vec<Visit>,
    searches: u32,
    heap: BinaryHeap<Open>,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    search: u32,
    from: u32,
}

/// A vertex at a time, the least estimate first, and of these the latest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Open {
    estimate: std::cmp::Reverse<u32>,
    time: u32,
    vertex: std::cmp::Reverse<u32>,
}

impl Reservations {
    /// Returns the memory of the reservations of `vertices` at `times`, in bytes.
    pub(crate) fn bytes(vertices: usize, times: usize) -> usize {
        vertices.saturating_mul(times).saturating_mul(size_of::<u32>() + size_of::<Visit>())
    }

    pub(crate) fn new(vertices: usize, times: usize) -> Self {
        let places = vertices * times;
        Self {
            vertices,
            times,
            agents: vec![NONE; places],
            visits: vec![Visit { search: 0, from: NONE }; places],
            searches: 0,
            heap: BinaryHeap::new(),
        }
    }

    #[inline]
    fn place(&self, time: usize, vertex: u32) -> usize {
        time * self.vertices + vertex as usize
    }

    pub(crate) fn agent(&self, time: usize, vertex: u32) -> u32 {
        self.agents[self.place(time, vertex)]
    }

    /// Reserves or frees the vertices of a path, whose last vertex lasts to the end.
    pub(crate) fn mark(&mut self, path: &[u32], agent: u32) {
        let Some(&last) = path.last() else { return };
        for time in 0..self.times {
            let vertex = path.get(time).copied().unwrap_or(last);
            let place = self.place(time, vertex);
            self.agents[place] = agent;
        }
    }

    /// Returns the quickest path from a start to the goal of `distances`, where it stays, between
    /// the paths that are marked. Counts expansions in `work`. `None` if there is none within the
    /// times, or none of at most `longest` steps.
    ///
    /// A* over vertex and time. A wait at the goal counts while the agent has to leave it again:
    /// the cost is the time after which it stays there for good.
    pub(crate) fn path(
        &mut self,
        roadmap: &Roadmap,
        distances: &mut Distances,
        (start, goal): (u32, u32),
        longest: u32,
        work: &mut u64,
    ) -> Option<Vec<u32>> {
        // After the last time that another agent passes the goal, it stays free.
        let last_passed = (0..self.times).rev().find(|&time| self.agent(time, goal) != NONE);
        if last_passed == Some(self.times - 1) {
            return None; // another one stays there
        }
        let free_from = last_passed.map_or(0, |time| time as u32 + 1);
        let longest = longest.min(self.times as u32 - 1);
        self.searches += 1;
        self.heap.clear();
        self.reach(0, start, NONE);
        let estimate = distances.get(roadmap, start).max(free_from);
        let open = Open {
            estimate: std::cmp::Reverse(estimate),
            time: 0,
            vertex: std::cmp::Reverse(start),
        };
        self.heap.push(open);
        while let Some(Open { time, vertex: std::cmp::Reverse(vertex), .. }) = self.heap.pop() {
            *work += 1;
            if vertex == goal && time >= free_from {
                return Some(self.walked(time, vertex));
            }
            if time == longest {
                continue;
            }
            let later = time as usize + 1;
            for &next in roadmap.beside(vertex).iter().chain([&vertex]) {
                let there = self.agent(later, next);
                let changes_places = || {
                    let before = self.agent(time as usize, next);
                    before != NONE && self.agent(later, vertex) == before
                };
                if there != NONE
                    || self.visits[self.place(later, next)].search == self.searches
                    || changes_places()
                {
                    continue;
                }
                let left = distances.get(roadmap, next);
                let estimate = (time + 1).saturating_add(left).max(free_from);
                if estimate > longest {
                    continue;
                }
                self.reach(later, next, vertex);
                self.heap.push(Open {
                    estimate: std::cmp::Reverse(estimate),
                    time: time + 1,
                    vertex: std::cmp::Reverse(next),
                });
            }
        }
        None
    }

    fn reach(&mut self, time: usize, vertex: u32, from: u32) {
        let place = self.place(time, vertex);
        self.visits[place] = Visit { search: self.searches, from };
    }

    fn walked(&self, time: u32, vertex: u32) -> Vec<u32> {
        let mut path = vec![vertex];
        let mut at = vertex;
        for time in (1..=time as usize).rev() {
            at = self.visits[self.place(time, at)].from;
            path.push(at);
        }
        path.reverse();
        path
    }
}
