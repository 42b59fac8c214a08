//! Edges between polygons, exchanged for shorter ones.
//!
//! A path crosses an edge the more likely the longer it is. Where the removal of an edge leaves one
//! corner that is not convex, any other edge from that corner will do that makes both polygons
//! convex. Where the shorter one ends, another edge may have become needless.

use super::halves::{Half, Halves, NONE};

/// The most rounds over all edges; few of them change in the second one.
const ROUNDS: u32 = 4;

impl Halves {
    /// Exchanges edges for shorter ones, and removes edges that are not needed any more.
    pub(super) fn shorten(&mut self) {
        let mut memory = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            let mut any = false;
            for half in 0..self.halves.len() as u32 {
                if self.half(half).vertex != NONE && self.may_join(half) {
                    any |= self.shorten_edge(half, &mut memory);
                }
            }
            if !any {
                break;
            }
        }
    }

    /// Exchanges an edge if the corner where `half` begins needs it and the one where it ends does
    /// not. Returns whether it did. `memory` is overwritten.
    fn shorten_edge(&mut self, half: u32, [ring, memory]: &mut [Vec<u32>; 2]) -> bool {
        if !self.is_needed_at_begin_only(half) {
            return false;
        }
        let twin = self.half(half).twin;
        // Counter-clockwise around both polygons, from the corner on.
        ring.clear();
        for half in [twin, half] {
            ring.extend(self.around_from(self.half(half).next).filter(|&other| other != half));
        }
        let Some(at) = self.shorter(half, ring) else { return false };
        let slack = self.slack(half);
        let begin = |&half: &u32| self.half(half).vertex;
        memory.clear();
        memory.extend(ring[..=at].iter().map(begin));
        let mut is_flat = self.bend(memory) <= slack;
        memory.clear();
        memory.extend(ring[at..].iter().map(begin));
        memory.push(self.half(half).vertex);
        is_flat &= self.bend(memory) <= slack;
        if is_flat {
            self.exchange(half, ring[at - 1], ring[at], slack);
            self.spokes(half, memory);
            for &spoke in &memory[1..] {
                if self.half(spoke).vertex != NONE && self.may_join(spoke) {
                    self.unite_across(spoke, ring);
                }
            }
        }
        is_flat
    }

    /// Returns whether without an edge the corner where `half` begins would not be convex, and the
    /// one where it ends would be.
    fn is_needed_at_begin_only(&self, half: u32) -> bool {
        let Half { vertex, previous, next, twin, face } = self.half(half);
        let back = self.half(twin);
        let is_only_shared = self.half(previous).twin != back.next
            && self.half(next).twin != back.previous
            && face != back.face;
        let at_begin = [self.half(previous).vertex, vertex, self.end(back.next)];
        let at_end = [self.half(back.previous).vertex, back.vertex, self.end(next)];
        is_only_shared && !self.is_convex(at_begin) && self.is_convex(at_end)
    }

    /// Returns the corner of a ring that is nearest to its first one, if an edge between them is
    /// shorter than the one of `half` and makes two convex polygons.
    fn shorter(&self, half: u32, ring: &[u32]) -> Option<usize> {
        let vertex = |at: usize| self.half(ring[at % ring.len()]).vertex;
        let (from, after, before) = (vertex(0), vertex(1), vertex(ring.len() - 1));
        let length = |to: u32| self.place(from).distance_squared(self.place(to));
        let mut best = None;
        // By more than rounding, so that no edge comes back.
        let mut least = length(self.end(half)) * 0.999;
        for at in 2..ring.len() - 1 {
            let to = vertex(at);
            let corners = [
                [before, from, to],
                [to, from, after],
                [vertex(at - 1), to, from],
                [from, to, vertex(at + 1)],
            ];
            if length(to) < least && corners.into_iter().all(|corner| self.is_left(corner)) {
                (best, least) = (Some(at), length(to));
            }
        }
        best
    }

    /// Exchanges the edge of `half` for one from its first corner to the corner between two halves
    /// of the polygons beside it. Then `half` begins there.
    fn exchange(&mut self, half: u32, into: u32, to: u32, slack: f64) {
        let Half { vertex, previous, next, twin, face } = self.half(half);
        let back = self.half(twin);
        self.halves[half as usize].vertex = self.half(to).vertex;
        self.halves[twin as usize].vertex = vertex;
        self.link(back.previous, next);
        self.link(into, half);
        self.link(half, back.next);
        self.link(previous, twin);
        self.link(twin, to);
        for (half, face) in [(half, face), (twin, back.face)] {
            self.faces[face as usize].half = half;
            self.faces[face as usize].slack = slack;
            self.own(half, face);
        }
    }

    /// Finds the halves that begin where a half does, which comes first.
    fn spokes(&self, half: u32, spokes: &mut Vec<u32>) {
        spokes.clear();
        spokes.push(half);
        let mut at = self.half(self.half(half).previous).twin;
        while at != NONE && at != half {
            spokes.push(at);
            at = self.half(self.half(at).previous).twin;
        }
        if at == NONE {
            let mut twin = self.half(half).twin;
            while twin != NONE {
                at = self.half(twin).next;
                spokes.push(at);
                twin = self.half(at).twin;
            }
        }
    }
}
