//! Cutting.

use glam::DVec2;

use super::merge::Merger;

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

/// A convex part of a polygon. Its corners run counter-clockwise; there are at least three.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Piece {
    /// Where its corners begin and end among those of all pieces.
    begin: u32,
    end: u32,
    /// The last of the kept holes that it lies in, by its index in the list.
    pub within: Option<u32>,
}

/// Pieces with their corners in one list.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pieces {
    pieces: Vec<Piece>,
    corners: Vec<PieceCorner>,
}

impl Pieces {
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.corners.clear();
    }

    /// Adds a piece with these corners.
    pub(super) fn push(
        &mut self,
        corners: impl IntoIterator<Item = PieceCorner>,
        within: Option<u32>,
    ) {
        let begin = self.corners.len() as u32;
        self.corners.extend(corners);
        self.pieces.push(Piece { begin, end: self.corners.len() as u32, within });
    }

    /// Returns the pieces.
    pub fn list(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the corners of a piece of this list.
    pub fn corners(&self, piece: Piece) -> &[PieceCorner] {
        &self.corners[piece.begin as usize..piece.end as usize]
    }
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

    /// Leaves of a convex outline the corners of its common ground with the hole, by Sutherland and
    /// Hodgman, "Reentrant Polygon Clipping" (1974). `memory` is overwritten.
    pub(in crate::navmesh) fn clip(&self, outline: &mut Vec<DVec2>, memory: &mut Vec<DVec2>) {
        for line in &self.lines {
            let Some(&last) = outline.last() else { break };
            let (mut corner, mut here) = (last, line.depth(last));
            memory.clear();
            for &next in outline.iter() {
                let there = line.depth(next);
                if here * there < 0.0 {
                    memory.push(corner.lerp(next, here / (here - there)));
                }
                if there >= 0.0 {
                    memory.push(next);
                }
                (corner, here) = (next, there);
            }
            std::mem::swap(outline, memory);
        }
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

/// Cuts holes out of polygons. Allocates nothing once its memory is as large as the largest cut.
#[derive(Clone, Debug, Default)]
pub struct Carver {
    /// The lines of the polygon's sides, then these of the holes' sides.
    lines: Vec<Line>,
    pieces: Pieces,
    /// The pieces after the present hole.
    next: Pieces,
    rest: Rest,
    merger: Merger,
}

impl Carver {
    /// Returns the parts of the convex `polygon` outside all holes, and the parts inside kept
    /// holes. Of overlapping kept holes the later one wins; dropped ground stays dropped. A corner
    /// nearer than `tolerance` to a cutting line counts as on it. Lines are numbered: first the
    /// polygon's sides, then the sides of each hole.
    ///
    /// Time: O(pieces × sides of the holes that touch them).
    pub fn carve<'h>(
        &mut self,
        polygon: &[DVec2],
        cuttings: impl Iterator<Item = Cutting<'h>>,
        tolerance: f64,
    ) -> &Pieces {
        let Self { lines, pieces, next, rest, merger } = self;
        lines.clear();
        let ahead = polygon.iter().skip(1).chain(polygon);
        // Neighbours see a shared side in opposite directions; both measure it in the same one.
        lines.extend(polygon.iter().zip(ahead).map(|(&a, &b)| match (b.x, b.y) < (a.x, a.y) {
            true => Line::new(b, a),
            false => Line::new(a, b),
        }));
        pieces.clear();
        let corners = (0..).zip(polygon);
        pieces.push(corners.map(|(line, &at)| PieceCorner { at, line }), None);
        for (number, Cutting { hole, keeps }) in (0..).zip(cuttings) {
            let first = lines.len() as u32;
            lines.extend(&hole.lines);
            next.clear();
            let cut = Cut { lines, first, tolerance };
            for &piece in pieces.list() {
                let corners = pieces.corners(piece);
                rest.begin(&cut, corners);
                if !rest.touches(hole, corners, tolerance) {
                    next.push(corners.iter().copied(), piece.within);
                } else if cut.subtract(rest, piece.within, next) && keeps {
                    next.push(rest.corners.iter().map(|known| known.corner), Some(number));
                }
            }
            std::mem::swap(pieces, next);
        }
        merger.merge(pieces, lines.len(), tolerance);
        pieces
    }
}

/// A corner of the part of a piece that is still to be cut, and the row of its depths.
#[derive(Clone, Copy, Debug)]
struct RestCorner {
    corner: PieceCorner,
    row: u32,
}

/// A side of the hole that has ground of the rest beyond it.
#[derive(Clone, Copy, Debug)]
struct Facing {
    side: u32,
    /// Twice the area of the rest beyond the side.
    area: f64,
    /// Whether the area has to be found again.
    is_stale: bool,
}

/// The part of a piece that is still to be cut.
#[derive(Clone, Debug, Default)]
struct Rest {
    corners: Vec<RestCorner>,
    /// The corners after a cut.
    inside: Vec<RestCorner>,
    /// How far each corner lies inside each side of the hole: a row for each corner.
    depths: Vec<f64>,
    sides: usize,
    facing: Vec<Facing>,
    /// The part beyond a side.
    beyond: Vec<DVec2>,
}

impl Rest {
    /// Begins with a whole piece.
    fn begin(&mut self, cut: &Cut<'_>, corners: &[PieceCorner]) {
        self.sides = cut.lines.len() - cut.first as usize;
        self.depths.clear();
        self.corners.clear();
        for &corner in corners {
            let row = self.measure(cut, corner.at);
            self.corners.push(RestCorner { corner, row });
        }
    }

    /// Adds a row for a point.
    fn measure(&mut self, cut: &Cut<'_>, at: DVec2) -> u32 {
        let row = self.depths.len() / self.sides;
        self.depths.extend(cut.lines[cut.first as usize..].iter().map(|line| {
            let depth = line.depth(at);
            if depth.abs() <= cut.tolerance { 0.0 } else { depth }
        }));
        row as u32
    }

    /// Returns how far inside a side of the hole a corner lies; 0 within the tolerance.
    fn depth(&self, row: u32, side: u32) -> f64 {
        self.depths[row as usize * self.sides + side as usize]
    }

    /// Says that a corner was added or removed. A side keeps its area unless some such corner lies
    /// beyond it or on it: what is split off or cut short is then inside of it.
    fn mark_stale(&mut self, row: u32) {
        let depths = &self.depths[row as usize * self.sides..];
        for one in &mut self.facing {
            one.is_stale |= depths[one.side as usize] <= 0.0;
        }
    }

    /// Returns whether the whole piece and the hole have more in common than a strip as wide as the
    /// tolerance. Two convex areas without common ground are parted by a side of one of them.
    fn touches(&self, hole: &Hole, corners: &[PieceCorner], tolerance: f64) -> bool {
        let parted_by_hole = (0..self.sides).any(|side| {
            self.depths.iter().skip(side).step_by(self.sides).all(|&depth| depth <= 0.0)
        });
        let parted_by_self = || {
            let ahead = corners.iter().skip(1).chain(corners);
            corners.iter().zip(ahead).any(|(corner, next)| {
                let line = Line::new(corner.at, next.at);
                hole.corners.iter().all(|&corner| line.depth(corner) <= tolerance)
            })
        };
        !parted_by_hole && !parted_by_self()
    }
}

/// One hole to cut out.
struct Cut<'a> {
    lines: &'a [Line],
    /// The line of the hole's first side.
    first: u32,
    tolerance: f64,
}

impl Cut<'_> {
    /// Puts the parts of the rest outside the hole into `out`; the part inside is left. Returns
    /// whether there is one.
    fn subtract(&self, rest: &mut Rest, within: Option<u32>, out: &mut Pieces) -> bool {
        rest.facing.clear();
        let sides = 0..rest.sides as u32;
        rest.facing.extend(sides.map(|side| Facing { side, area: 0.0, is_stale: true }));
        loop {
            // The side that splits off the largest piece comes next: large pieces make fast
            // searches. The first of equals.
            let mut best: Option<Facing> = None;
            let mut is_outside = false;
            let mut facing = std::mem::take(&mut rest.facing);
            facing.retain_mut(|one| {
                if one.is_stale {
                    let depths = rest.corners.iter().map(|known| rest.depth(known.row, one.side));
                    let (low, high) = depths.fold((0.0_f64, 0.0_f64), |(low, high), depth| {
                        (low.min(depth), high.max(depth))
                    });
                    // A side that all of the rest lies inside of stays so, since it only shrinks.
                    if low >= 0.0 {
                        return false;
                    }
                    // Thinner than the tolerance: nothing to cut.
                    is_outside |= high <= 0.0;
                    one.area = self.area_beyond(rest, one.side);
                    one.is_stale = false;
                }
                if best.is_none_or(|best| one.area > best.area) {
                    best = Some(*one);
                }
                true
            });
            rest.facing = facing;
            if is_outside {
                out.push(rest.corners.iter().map(|known| known.corner), within);
                return false;
            }
            let Some(best) = best else { return true };
            self.split(rest, best.side, within, out);
        }
    }

    /// Returns where a side of a piece from one point to another crosses a side of the hole.
    fn crossing(&self, line: u32, side: u32, from: DVec2, to: DVec2) -> DVec2 {
        let (low, high) = (from.min(to), from.max(to));
        let at = self.lines[line as usize].crossing(&self.lines[(self.first + side) as usize]);
        at.map_or(from, |at| at.clamp(low, high))
    }

    /// Returns twice the area of the part of the rest outside a side of the hole.
    fn area_beyond(&self, rest: &mut Rest, side: u32) -> f64 {
        rest.beyond.clear();
        for (index, &RestCorner { corner, row }) in rest.corners.iter().enumerate() {
            let ahead = rest.corners[if index + 1 == rest.corners.len() { 0 } else { index + 1 }];
            let (here, next) = (rest.depth(row, side), rest.depth(ahead.row, side));
            if here <= 0.0 {
                rest.beyond.push(corner.at);
            }
            if here * next < 0.0 {
                let crossing = self.crossing(corner.line, side, corner.at, ahead.corner.at);
                rest.beyond.push(crossing);
            }
        }
        let Some(&origin) = rest.beyond.first() else { return 0.0 };
        let pairs = rest.beyond.windows(2);
        pairs.map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin)).sum()
    }

    /// Splits the part outside a side off the rest, which has corners on both sides of it.
    fn split(&self, rest: &mut Rest, side: u32, within: Option<u32>, out: &mut Pieces) {
        let line = self.first + side;
        let begin = out.corners.len() as u32;
        let mut inside = std::mem::take(&mut rest.inside);
        inside.clear();
        let count = rest.corners.len();
        let rows = rest.depths.len();
        for index in 0..count {
            let known = rest.corners[index];
            let ahead = rest.corners[if index + 1 == count { 0 } else { index + 1 }];
            let corner = known.corner;
            let (here, next) = (rest.depth(known.row, side), rest.depth(ahead.row, side));
            // The part that the next side leaves goes on along the line.
            if here >= 0.0 {
                let along = if here == 0.0 && next < 0.0 { line } else { corner.line };
                let corner = PieceCorner { line: along, ..corner };
                inside.push(RestCorner { corner, row: known.row });
            } else {
                rest.mark_stale(known.row);
            }
            if here <= 0.0 {
                let along = if here == 0.0 && next > 0.0 { line } else { corner.line };
                out.corners.push(PieceCorner { line: along, ..corner });
            }
            if here * next < 0.0 {
                let at = self.crossing(corner.line, side, corner.at, ahead.corner.at);
                let row = rest.measure(self, at);
                rest.mark_stale(row);
                let [along, on] = [line, corner.line].map(|line| PieceCorner { at, line });
                let (within, outside) = if here > 0.0 { (along, on) } else { (on, along) };
                inside.push(RestCorner { corner: within, row });
                out.corners.push(outside);
            }
        }
        out.pieces.push(Piece { begin, end: out.corners.len() as u32, within });
        rest.inside = std::mem::replace(&mut rest.corners, inside);
        if rest.depths.len() == rows {
            // Whether all of the rest is beyond another side may have changed as well.
            rest.facing.iter_mut().for_each(|one| one.is_stale = true);
        }
    }
}
