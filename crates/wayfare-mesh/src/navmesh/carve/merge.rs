//! Joining pieces again where the cuts between them were not needed.

use glam::DVec2;

use super::pieces::{Piece, PieceCorner, Pieces};

/// A side of a piece.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    line: u32,
    piece: u32,
    index: u32,
    from: DVec2,
    to: DVec2,
}

/// Joins pieces; its fields are memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Merger {
    /// The sides of all pieces in order of their lines.
    sides: Vec<Side>,
    /// Where the sides of each line begin.
    begins: Vec<u32>,
    /// Pairs of sides that may be taken away, each with its squared length.
    pairs: Vec<(f64, Side, Side)>,
    /// The pieces as they are now, with the corners of joined pieces behind the others.
    pieces: Vec<Option<Piece>>,
    is_changed: Vec<bool>,
    joined: Vec<PieceCorner>,
    kept: Pieces,
}

impl Merger {
    /// Joins pairs of pieces that share a whole side and whose union is convex: longest side first,
    /// until no pair is left. Lines are below `lines`.
    ///
    /// Time: O(rounds × n) for n sides; each round at least halves a pair.
    pub(super) fn merge(&mut self, pieces: &mut Pieces, lines: usize, tolerance: f64) {
        while pieces.list().len() > 1 && self.merge_once(pieces, lines, tolerance) {
            self.kept.clear();
            for &piece in self.pieces.iter().flatten() {
                self.kept.push(pieces.corners(piece).iter().copied(), piece.within);
            }
            std::mem::swap(pieces, &mut self.kept);
        }
    }

    fn merge_once(&mut self, pieces: &mut Pieces, lines: usize, tolerance: f64) -> bool {
        self.sort_sides(pieces, lines);
        self.pairs.clear();
        for group in self.sides.chunk_by(|a, b| a.line == b.line) {
            for (index, &a) in group.iter().enumerate() {
                for &b in &group[index + 1..] {
                    let same =
                        a.from.distance(b.to) <= tolerance && a.to.distance(b.from) <= tolerance;
                    let of = |side: Side| pieces.list()[side.piece as usize].within;
                    if same && a.piece != b.piece && of(a) == of(b) {
                        self.pairs.push((a.from.distance_squared(a.to), a, b));
                    }
                }
            }
        }
        self.pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.pieces.clear();
        self.pieces.extend(pieces.list().iter().copied().map(Some));
        self.is_changed.clear();
        self.is_changed.resize(self.pieces.len(), false);
        let mut any = false;
        for &(_, a, b) in &self.pairs {
            let [one, other] = [a, b].map(|side| side.piece as usize);
            if self.is_changed[one] || self.is_changed[other] {
                continue;
            }
            let [first, second] = [one, other].map(|piece| pieces.list()[piece]);
            let rings =
                [(first, a), (second, b)].map(|(of, side)| (pieces.corners(of), side.index));
            if union(rings, &mut self.joined) {
                (self.is_changed[one], self.is_changed[other], any) = (true, true, true);
                pieces.push(self.joined.iter().copied(), first.within);
                self.pieces[one] = pieces.list().last().copied();
                self.pieces[other] = None;
            }
        }
        any
    }

    /// Sorts the sides by their lines, those of one line in order.
    fn sort_sides(&mut self, pieces: &Pieces, lines: usize) {
        self.begins.clear();
        self.begins.resize(lines + 1, 0);
        let mut count = 0;
        for &piece in pieces.list() {
            for corner in pieces.corners(piece) {
                self.begins[corner.line as usize + 1] += 1;
                count += 1;
            }
        }
        for line in 0..lines {
            self.begins[line + 1] += self.begins[line];
        }
        self.sides.clear();
        self.sides.resize(count, Side::default());
        for (piece, &of) in (0..).zip(pieces.list()) {
            let corners = pieces.corners(of);
            let ahead = corners.iter().skip(1).chain(corners);
            for (index, (corner, next)) in (0..).zip(corners.iter().zip(ahead)) {
                let at = &mut self.begins[corner.line as usize];
                let (line, from, to) = (corner.line, corner.at, next.at);
                self.sides[*at as usize] = Side { line, piece, index, from, to };
                *at += 1;
            }
        }
    }
}

/// Writes the union of two pieces that share side `i` of `a` and side `k` of `b`. Returns whether
/// it is convex.
fn union([(a, i), (b, k)]: [(&[PieceCorner], u32); 2], corners: &mut Vec<PieceCorner>) -> bool {
    let (n, m) = (a.len(), b.len());
    corners.clear();
    corners.extend((1..n).map(|step| a[(i as usize + step) % n]));
    corners.extend((1..m).map(|step| b[(k as usize + step) % m]));
    // Corner 0 is the end of the shared side in `a`; its side begins there. The last corner of `a`
    // before the shared side comes out at n - 1 as the first corner of `b`.
    let turn = |corners: &[PieceCorner], at: usize| {
        let count = corners.len();
        let before = corners[(at + count - 1) % count].at;
        let after = corners[(at + 1) % count].at;
        (corners[at].at - before).perp_dot(after - corners[at].at)
    };
    for at in [n - 1, 0] {
        let before = corners[(at + corners.len() - 1) % corners.len()].line;
        if before == corners[at].line {
            // One side goes on along the same line: no corner.
            corners.remove(at);
        } else if turn(corners, at) <= 0.0 {
            return false;
        }
    }
    corners.len() >= 3
}
