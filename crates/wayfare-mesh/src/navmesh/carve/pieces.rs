//! Cutting.

use glam::DVec2;

use super::merge;

/// A corner of a piece, and the line along which the piece's side leaves it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PieceCorner {
    /// Where it is.
    pub at: DVec2,
    /// The line of the side from this corner to the next one: first the sides of the polygon have
    /// indices, then the sides of the holes in turn.
    pub line: u32,
}

/// A convex area that is cut out. Its corners run counter-clockwise.
#[derive(Clone, PartialEq, Debug)]
pub struct Hole {
    corners: Vec<DVec2>,
    /// The sides as lines.
    lines: Vec<Line>,
}

/// A convex part of a polygon. Its corners run counter-clockwise.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Piece {
    /// The corners; at least three.
    pub corners: Vec<PieceCorner>,
    /// The last of the kept holes that it lies in, by its index in the list.
    pub within: Option<u32>,
}

/// A hole, and the treatment of its inside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cutting<'a> {
    /// The hole.
    pub hole: &'a Hole,
    /// Whether the part inside is kept as a piece; else it is dropped.
    pub keeps: bool,
}

/// A directed line; its left side is inside.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Line {
    from: DVec2,
    to: DVec2,
    /// The unit normal that points inside.
    normal: DVec2,
}

impl Line {
    fn new(from: DVec2, to: DVec2) -> Self {
        Self { from, to, normal: (to - from).perp().normalize_or_zero() }
    }

    /// Returns how far inside the point lies; negative outside.
    fn depth(&self, point: DVec2) -> f64 {
        (point - self.from).dot(self.normal)
    }

    /// Returns where two lines cross; the two are always given in the same order, so that both
    /// sides of a border find the same bits.
    fn crossing(&self, other: &Self) -> Option<DVec2> {
        let (along, across) = (self.to - self.from, other.to - other.from);
        let slope = along.perp_dot(across);
        let t = (other.from - self.from).perp_dot(across) / slope;
        t.is_finite().then(|| self.from + along * t)
    }
}

impl Hole {
    /// Returns a hole with these corners, counter-clockwise.
    pub fn new(corners: Vec<DVec2>) -> Self {
        let lines = (0..corners.len())
            .map(|index| Line::new(corners[index], corners[(index + 1) % corners.len()]))
            .collect();
        Self { corners, lines }
    }

    /// Returns the corners of the common ground of the hole and a convex outline, by Sutherland and
    /// Hodgman, "Reentrant Polygon Clipping" (1974).
    pub(in crate::navmesh) fn common(&self, outline: &[DVec2]) -> Vec<DVec2> {
        let mut rest = outline.to_vec();
        let mut inside = Vec::with_capacity(outline.len() + self.lines.len());
        for line in &self.lines {
            let Some(&last) = rest.last() else { break };
            let (mut corner, mut here) = (last, line.depth(last));
            for &next in &rest {
                let there = line.depth(next);
                if here * there < 0.0 {
                    inside.push(corner.lerp(next, here / (here - there)));
                }
                if there >= 0.0 {
                    inside.push(next);
                }
                (corner, here) = (next, there);
            }
            std::mem::swap(&mut rest, &mut inside);
            inside.clear();
        }
        rest
    }

    /// Returns whether more than the tolerance of a segment lies inside.
    pub(in crate::navmesh) fn overlaps(&self, from: DVec2, to: DVec2, tolerance: f64) -> bool {
        // The part of the segment inside all sides, as shares of its length.
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for line in &self.lines {
            let (a, b) = (line.depth(from), line.depth(to));
            if a <= tolerance && b <= tolerance {
                return false;
            }
            if a < 0.0 {
                enter = enter.max(a / (a - b));
            } else if b < 0.0 {
                leave = leave.min(a / (a - b));
            }
        }
        (leave - enter) * from.distance(to) > tolerance
    }

    /// Returns the count of its sides.
    pub(in crate::navmesh) fn sides(&self) -> usize {
        self.lines.len()
    }
}

/// Returns the parts of the convex `polygon` outside all holes, and the parts inside kept holes. Of
/// overlapping kept holes the later one wins; dropped ground stays dropped. A corner nearer than
/// `tolerance` to a cutting line counts as on it. Lines are numbered: first the polygon's sides,
/// then the sides of each hole.
///
/// Time: O(pieces × sides of the holes that touch them).
pub fn carve(polygon: &[DVec2], cuttings: &[Cutting<'_>], tolerance: f64) -> Vec<Piece> {
    let mut lines: Vec<Line> = (0..polygon.len())
        .map(|index| Line::new(polygon[index], polygon[(index + 1) % polygon.len()]))
        .collect();
    // Neighbours see a shared side in opposite directions; both measure it in the same one.
    for line in &mut lines {
        if (line.to.x, line.to.y) < (line.from.x, line.from.y) {
            (line.from, line.to) = (line.to, line.from);
        }
    }
    let corners = polygon.iter().enumerate();
    let corners = corners.map(|(index, &at)| PieceCorner { at, line: index as u32 }).collect();
    let mut pieces = vec![Piece { corners, within: None }];
    let mut next = Vec::new();
    for (number, &Cutting { hole, keeps }) in (0..).zip(cuttings) {
        let first = lines.len();
        lines.extend(&hole.lines);
        for piece in pieces.drain(..) {
            if piece.touches(hole, tolerance) {
                let kept = Cut { lines: &lines, first, tolerance }.subtract(piece, hole, &mut next);
                if let (Some(kept), true) = (kept, keeps) {
                    next.push(Piece { within: Some(number), ..kept });
                }
            } else {
                next.push(piece);
            }
        }
        std::mem::swap(&mut pieces, &mut next);
    }
    merge::merge(&mut pieces, tolerance);
    pieces
}

impl Piece {
    /// Whether the two have more in common than a strip as wide as the tolerance. Two convex areas
    /// without common ground are parted by a side of one of them.
    fn touches(&self, hole: &Hole, tolerance: f64) -> bool {
        let parted_by_hole = hole
            .lines
            .iter()
            .any(|line| self.corners.iter().all(|corner| line.depth(corner.at) <= tolerance));
        let parted_by_self = || {
            let ahead = self.corners.iter().skip(1).chain(&self.corners);
            self.corners.iter().zip(ahead).any(|(corner, next)| {
                let line = Line::new(corner.at, next.at);
                hole.corners.iter().all(|&corner| line.depth(corner) <= tolerance)
            })
        };
        !parted_by_hole && !parted_by_self()
    }
}

/// Memory for the part of a piece beyond a line.
#[derive(Default)]
struct Beyond {
    /// The depth of each corner of the piece.
    depths: Vec<f64>,
    /// The corners of the part.
    corners: Vec<DVec2>,
}

/// One hole cut out of one piece.
struct Cut<'a> {
    lines: &'a [Line],
    /// The index of the hole's first side.
    first: usize,
    tolerance: f64,
}

impl Cut<'_> {
    /// Puts the parts outside the hole into `out`, and returns the part inside.
    fn subtract(&self, piece: Piece, hole: &Hole, out: &mut Vec<Piece>) -> Option<Piece> {
        let mut rest = piece;
        // A side that all of the rest lies inside of stays so, since the rest only shrinks.
        let mut sides: Vec<usize> = (self.first..self.first + hole.sides()).collect();
        let mut memory = Beyond::default();
        loop {
            // The side that splits off the largest piece comes next: large pieces make fast
            // searches. The first of equals.
            let mut best: Option<(f64, usize)> = None;
            let mut is_outside = false;
            sides.retain(|&side| {
                memory.depths.clear();
                let depths = rest.corners.iter().map(|corner| self.depth(side, corner.at));
                memory.depths.extend(depths);
                let (low, high) =
                    memory.depths.iter().fold((0.0_f64, 0.0_f64), |(low, high), &depth| {
                        (low.min(depth), high.max(depth))
                    });
                if low >= 0.0 {
                    return false;
                }
                // Thinner than the tolerance: nothing to cut.
                is_outside |= high <= 0.0;
                let area = self.area_beyond(&rest, side, &mut memory);
                if best.is_none_or(|(most, _)| area > most) {
                    best = Some((area, side));
                }
                true
            });
            if is_outside {
                out.push(rest);
                return None;
            }
            let Some((_, side)) = best else { return Some(rest) };
            let (outside, inside) = self.split(&rest, side);
            out.push(outside);
            rest = inside;
        }
    }

    /// Returns how far inside a line a point lies; 0 within the tolerance.
    fn depth(&self, line: usize, point: DVec2) -> f64 {
        let depth = self.lines[line].depth(point);
        if depth.abs() <= self.tolerance { 0.0 } else { depth }
    }

    /// Returns where a side of a piece from one point to another crosses a line.
    fn crossing(&self, side: u32, line: usize, from: DVec2, to: DVec2) -> DVec2 {
        let (low, high) = (from.min(to), from.max(to));
        let at = self.lines[side as usize].crossing(&self.lines[line]);
        at.map_or(from, |at| at.clamp(low, high))
    }

    /// Returns twice the area of the part of a piece outside a line, given the depths of its
    /// corners.
    fn area_beyond(&self, piece: &Piece, line: usize, memory: &mut Beyond) -> f64 {
        let Beyond { depths, corners } = memory;
        corners.clear();
        for (index, corner) in piece.corners.iter().enumerate() {
            let ahead = if index + 1 == piece.corners.len() { 0 } else { index + 1 };
            let (here, next) = (depths[index], depths[ahead]);
            if here <= 0.0 {
                corners.push(corner.at);
            }
            if here * next < 0.0 {
                let to = piece.corners[ahead].at;
                corners.push(self.crossing(corner.line, line, corner.at, to));
            }
        }
        let Some(&origin) = corners.first() else { return 0.0 };
        corners.windows(2).map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin)).sum()
    }

    /// Returns the parts of a piece outside and inside a line, which has corners on both sides.
    fn split(&self, piece: &Piece, line: usize) -> (Piece, Piece) {
        let id = line as u32;
        let count = piece.corners.len();
        let empty = || Piece { corners: Vec::with_capacity(count + 2), within: piece.within };
        let (mut outside, mut inside) = (empty(), empty());
        let ahead = piece.corners.iter().skip(1).chain(&piece.corners);
        let mut next = piece.corners.first().map_or(0.0, |first| self.depth(line, first.at));
        for (corner, next_corner) in piece.corners.iter().zip(ahead) {
            let here = std::mem::replace(&mut next, self.depth(line, next_corner.at));
            // The part that the next side leaves goes on along the line.
            if here >= 0.0 {
                let line = if here == 0.0 && next < 0.0 { id } else { corner.line };
                inside.corners.push(PieceCorner { line, ..*corner });
            }
            if here <= 0.0 {
                let line = if here == 0.0 && next > 0.0 { id } else { corner.line };
                outside.corners.push(PieceCorner { line, ..*corner });
            }
            if here * next < 0.0 {
                let at = self.crossing(corner.line, line, corner.at, next_corner.at);
                let parts = (&mut inside, &mut outside);
                let (left, entered) = if here > 0.0 { parts } else { (parts.1, parts.0) };
                left.corners.push(PieceCorner { at, line: id });
                entered.corners.push(PieceCorner { at, line: corner.line });
            }
        }
        (outside, inside)
    }
}
