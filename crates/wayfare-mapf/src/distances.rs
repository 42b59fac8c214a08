//! Steps from everywhere to a goal, found when they are asked for.

use std::collections::VecDeque;

use crate::roadmap::Roadmap;

/// The number of steps from each vertex to one goal, as far as it is known.
///
/// A breadth-first search from the goal continues whenever an unreached vertex is asked for. Agents
/// ask near their paths, so much of a large map is never visited.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    known: Steps,
    open: VecDeque<u32>,
}

/// No path has more steps than there are vertices: where these are few, two bytes are enough.
#[derive(Clone, Debug)]
enum Steps {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Steps {
    #[inline]
    fn get(&self, vertex: u32) -> Option<u32> {
        match self {
            Self::Narrow(steps) => {
                let steps = steps[vertex as usize];
                (steps != u16::MAX).then_some(u32::from(steps))
            }
            Self::Wide(steps) => {
                let steps = steps[vertex as usize];
                (steps != u32::MAX).then_some(steps)
            }
        }
    }

    #[inline]
    fn set(&mut self, vertex: u32, to: u32) {
        match self {
            Self::Narrow(steps) => steps[vertex as usize] = to as u16,
            Self::Wide(steps) => steps[vertex as usize] = to,
        }
    }
}

impl Distances {
    /// Farther than any vertex: unreachable.
    const NO_WAY: u32 = u32::MAX;

    pub(crate) fn new(roadmap: &Roadmap, goal: u32) -> Self {
        let mut known = if roadmap.len() < usize::from(u16::MAX) {
            Steps::Narrow(vec![u16::MAX; roadmap.len()])
        } else {
            Steps::Wide(vec![u32::MAX; roadmap.len()])
        };
        known.set(goal, 0);
        Self { known, open: VecDeque::from([goal]) }
    }

    /// Returns the number of steps from a vertex. O(vertices nearer than it) the first time, then
    /// O(1).
    #[inline]
    pub(crate) fn get(&mut self, roadmap: &Roadmap, vertex: u32) -> u32 {
        match self.known.get(vertex) {
            Some(steps) => steps,
            None => self.search(roadmap, vertex),
        }
    }

    #[cold]
    fn search(&mut self, roadmap: &Roadmap, wanted: u32) -> u32 {
        while let Some(at) = self.open.pop_front() {
            let steps = self.known.get(at).unwrap_or(0) + 1;
            for &next in roadmap.beside(at) {
                if self.known.get(next).is_none() {
                    self.known.set(next, steps);
                    self.open.push_back(next);
                }
            }
            // The neighbours of the vertex were all taken in: it can be searched on from there.
            if let Some(found) = self.known.get(wanted) {
                return found;
            }
        }
        Self::NO_WAY
    }
}
