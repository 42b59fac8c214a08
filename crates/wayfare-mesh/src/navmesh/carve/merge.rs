//! Joining pieces again where the cuts between them were not needed.

use glam::DVec2;

use super::pieces::{Piece, PieceCorner};

/// A side of a piece.
#[derive(Clone, Copy)]
struct Side {
    line: u32,
    piece: usize,
    index: usize,
    from: DVec2,
    to: DVec2,
}

/// Joins pairs of pieces that share a whole side and whose union is convex: longest side first,
/// until no pair is left.
///
/// Time: O(rounds × n log n) for n sides; each round at least halves a pair.
pub(super) fn merge(pieces: &mut Vec<Piece>, tolerance: f64) {
    let count = pieces.iter().map(|piece| piece.corners.len()).sum();
    let mut memory = Memory { sides: Vec::with_capacity(count), ..Memory::default() };
    while merge_once(pieces, tolerance, &mut memory) {
        pieces.retain(|piece| !piece.corners.is_empty());
    }
}

/// The memory of a round, used again by the next one.
#[derive(Default)]
struct Memory {
    sides: Vec<Side>,
    /// Pairs of sides that may be taken away, each with its squared length.
    pairs: Vec<(f64, Side, Side)>,
    changed: Vec<bool>,
}

fn merge_once(pieces: &mut [Piece], tolerance: f64, memory: &mut Memory) -> bool {
    let Memory { sides, pairs, changed } = memory;
    sides.clear();
    for (piece, Piece { corners, .. }) in pieces.iter().enumerate() {
        let ahead = corners.iter().skip(1).chain(corners);
        sides.extend(corners.iter().zip(ahead).enumerate().map(|(index, (corner, next))| Side {
            line: corner.line,
            piece,
            index,
            from: corner.at,
            to: next.at,
        }));
    }
    sides.sort_unstable_by_key(|side| (side.line, side.piece, side.index));
    pairs.clear();
    for group in sides.chunk_by(|a, b| a.line == b.line) {
        for (index, &a) in group.iter().enumerate() {
            for &b in &group[index + 1..] {
                let same = a.from.distance(b.to) <= tolerance && a.to.distance(b.from) <= tolerance;
                let is_one_ground = pieces[a.piece].within == pieces[b.piece].within;
                if same && a.piece != b.piece && is_one_ground {
                    pairs.push((a.from.distance_squared(a.to), a, b));
                }
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    changed.clear();
    changed.resize(pieces.len(), false);
    let mut any = false;
    for (_, a, b) in pairs.iter() {
        if changed[a.piece] || changed[b.piece] {
            continue;
        }
        if let Some(joined) = joined(&pieces[a.piece], a.index, &pieces[b.piece], b.index) {
            (changed[a.piece], changed[b.piece], any) = (true, true, true);
            pieces[a.piece] = joined;
            pieces[b.piece].corners.clear();
        }
    }
    any
}

/// Returns the union of two pieces that share side `i` of `a` and side `k` of `b`, if it is convex.
fn joined(a: &Piece, i: usize, b: &Piece, k: usize) -> Option<Piece> {
    let (n, m) = (a.corners.len(), b.corners.len());
    let mut corners: Vec<PieceCorner> = Vec::with_capacity(n + m - 2);
    corners.extend((1..n).map(|step| a.corners[(i + step) % n]));
    corners.extend((1..m).map(|step| b.corners[(k + step) % m]));
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
        } else if turn(&corners, at) <= 0.0 {
            return None;
        }
    }
    (corners.len() >= 3).then_some(Piece { corners, within: a.within })
}
