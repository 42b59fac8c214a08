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
    /// The sides as functions of points, by eights.
    depths: Vec<Depths>,
    /// The lower and the upper corner of the box around it.
    bounds: (DVec2, DVec2),
    /// The middle of its corners.
    middle: DVec2,
}

/// The sides of a hole that are measured together: a loop over them becomes vector instructions.
const LANES: usize = 8;

/// The depths of a point inside eight sides of a hole; 0 beyond the last side.
type Row = [f64; LANES];

/// Eight sides of a hole as functions of points: the inner normals, and the depths of the origin.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Depths {
    x: Row,
    y: Row,
    origin: Row,
}

impl Depths {
    /// Takes up to eight sides.
    fn new(lines: &[Line]) -> Self {
        let row = |value: fn(&Line) -> f64| {
            std::array::from_fn(|lane| lines.get(lane).map_or(0.0, value))
        };
        Self {
            x: row(|line| line.normal.x),
            y: row(|line| line.normal.y),
            origin: row(|line| line.depth(DVec2::ZERO)),
        }
    }

    /// Returns how far inside each side a point lies; 0 within the tolerance.
    #[inline]
    fn at(&self, at: DVec2, tolerance: f64) -> Row {
        let mut row = self.origin;
        for (depth, (x, y)) in row.iter_mut().zip(self.x.iter().zip(&self.y)) {
            let here = at.x * x + at.y * y + *depth;
            *depth = if here.abs() <= tolerance { 0.0 } else { here };
        }
        row
    }
}

/// Returns the lower and the upper corner of the box around points.
fn bounds(points: &[DVec2]) -> (DVec2, DVec2) {
    let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    points.iter().fold(nothing, |(low, high), &at| (low.min(at), high.max(at)))
}

/// A convex part of a polygon. Its corners run counter-clockwise; there are at least three.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Piece {
    /// Where its corners begin and end among those of all pieces.
    pub(in crate::navmesh) begin: u32,
    pub(in crate::navmesh) end: u32,
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

    /// Returns the corners of all pieces.
    pub(in crate::navmesh) fn all_corners(&self) -> &[PieceCorner] {
        &self.corners
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
        let lines: Vec<Line> = (0..corners.len())
            .map(|index| Line::new(corners[index], corners[(index + 1) % corners.len()]))
            .collect();
        let depths = lines.chunks(LANES).map(Depths::new).collect();
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        Self { bounds: bounds(&corners), middle, corners, lines, depths }
    }

    /// Returns whether the boxes around the hole and an outline have points in common.
    pub(in crate::navmesh) fn may_reach(&self, outline: &[DVec2]) -> bool {
        let (low, high) = bounds(outline);
        low.cmple(self.bounds.1).all() && high.cmpge(self.bounds.0).all()
    }

    /// Returns whether the middle of the hole's corners lies inside a convex outline, by at least a
    /// millimetre. `false` only means that a closer look is needed.
    pub(in crate::navmesh) fn is_centred_in(&self, outline: &[DVec2]) -> bool {
        let ahead = outline.iter().skip(1).chain(outline);
        outline.iter().zip(ahead).all(|(&from, &to)| {
            let along = to - from;
            along.perp_dot(self.middle - from) >= 1e-3 * (along.x.abs() + along.y.abs())
        })
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
        // See below.
        let (mut cuts, mut is_minimal) = (0, true);
        for (number, Cutting { hole, keeps }) in (0..).zip(cuttings) {
            let first = lines.len() as u32;
            lines.extend(&hole.lines);
            next.clear();
            let cut = Cut { lines, first, hole, tolerance };
            for &piece in pieces.list() {
                let corners = pieces.corners(piece);
                rest.begin(&cut, corners);
                if !cut.touches(rest) {
                    next.push(corners.iter().copied(), piece.within);
                    continue;
                }
                let before = next.list().len();
                let is_inside = cut.subtract(rest, piece.within, next);
                cuts += 1;
                let sides = rest.corners.iter().filter(|known| known.corner.line >= first);
                is_minimal &= is_inside && sides.count() == next.list().len() - before;
                if is_inside && keeps {
                    next.push(rest.corners.iter().map(|known| known.corner), Some(number));
                }
            }
            std::mem::swap(pieces, next);
        }
        // A piece shares the whole side along its cut only with one that is cut off the whole side
        // of the rest. If each cut of a single hole has left a side of it, there is no such piece.
        if cuts > 1 || !is_minimal {
            merger.merge(pieces, lines.len(), tolerance);
        }
        pieces
    }
}

/// A corner of the part of a piece that is still to be cut, and where its depths begin.
#[derive(Clone, Copy, Debug)]
struct RestCorner {
    corner: PieceCorner,
    row: u32,
}

/// The part of a piece that is still to be cut.
#[derive(Clone, Debug, Default)]
struct Rest {
    corners: Vec<RestCorner>,
    /// The corners after a cut.
    inside: Vec<RestCorner>,
    /// How far each corner lies inside each side of the hole: rows one after the other, each of as
    /// many eights as the hole has.
    depths: Vec<Row>,
    eights: usize,
}

impl Rest {
    /// Begins with a whole piece.
    fn begin(&mut self, cut: &Cut<'_>, corners: &[PieceCorner]) {
        self.eights = cut.hole.depths.len();
        self.depths.clear();
        self.corners.clear();
        for &corner in corners {
            let row = self.measure(cut, corner.at);
            self.corners.push(RestCorner { corner, row });
        }
    }

    /// Adds the depths of a point, and returns where they begin.
    fn measure(&mut self, cut: &Cut<'_>, at: DVec2) -> u32 {
        let row = self.depths.len() as u32;
        self.depths.extend(cut.hole.depths.iter().map(|eight| eight.at(at, cut.tolerance)));
        row
    }

    /// Returns how far inside a side of the hole a corner lies; 0 within the tolerance.
    #[inline]
    fn depth(&self, known: &RestCorner, side: usize) -> f64 {
        self.depths[known.row as usize + side / LANES][side % LANES]
    }

    /// Returns the side of the hole that the rest reaches out of farthest, the first of equals.
    fn farthest(&self) -> Option<usize> {
        let mut best = (0.0, None);
        for eight in 0..self.eights {
            let mut lows = [0.0; LANES];
            for known in &self.corners {
                let depths = &self.depths[known.row as usize + eight];
                for (low, &depth) in lows.iter_mut().zip(depths) {
                    *low = if depth < *low { depth } else { *low };
                }
            }
            for (lane, &low) in lows.iter().enumerate() {
                if low < best.0 {
                    best = (low, Some(eight * LANES + lane));
                }
            }
        }
        best.1
    }
}

/// One hole to cut out.
struct Cut<'a> {
    lines: &'a [Line],
    /// The line of the hole's first side.
    first: u32,
    hole: &'a Hole,
    tolerance: f64,
}

impl Cut<'_> {
    /// Returns whether a whole piece and the hole have more in common than a strip as wide as the
    /// tolerance. Two convex areas without common ground are parted by a side of one of them.
    fn touches(&self, piece: &Rest) -> bool {
        let corners = &piece.corners;
        let parted_by_hole = (0..self.hole.sides())
            .any(|side| corners.iter().all(|known| piece.depth(known, side) <= 0.0));
        let parted_by_self = || {
            let ahead = corners.iter().skip(1).chain(corners);
            corners.iter().zip(ahead).any(|(known, next)| {
                let line = Line::new(known.corner.at, next.corner.at);
                self.hole.corners.iter().all(|&corner| line.depth(corner) <= self.tolerance)
            })
        };
        !parted_by_hole && !parted_by_self()
    }

    /// Puts the parts of the rest outside the hole into `out`; the part inside is left. Returns
    /// whether there is one.
    fn subtract(&self, rest: &mut Rest, within: Option<u32>, out: &mut Pieces) -> bool {
        // The side that the rest reaches out of farthest comes next: large pieces make fast
        // searches.
        while let Some(side) = rest.farthest() {
            // Thinner than the tolerance: nothing to cut.
            if rest.corners.iter().all(|known| rest.depth(known, side) <= 0.0) {
                out.push(rest.corners.iter().map(|known| known.corner), within);
                return false;
            }
            self.split(rest, side, within, out);
        }
        true
    }

    /// Returns where a side of a piece from one point to another crosses a side of the hole.
    fn crossing(&self, line: u32, side: usize, from: DVec2, to: DVec2) -> DVec2 {
        let (low, high) = (from.min(to), from.max(to));
        let at = self.lines[line as usize].crossing(&self.hole.lines[side]);
        at.map_or(from, |at| at.clamp(low, high))
    }

    /// Splits the part outside a side off the rest, which has corners on both sides of it.
    fn split(&self, rest: &mut Rest, side: usize, within: Option<u32>, out: &mut Pieces) {
        let line = self.first + side as u32;
        let begin = out.corners.len() as u32;
        let corners = std::mem::take(&mut rest.corners);
        let mut inside = std::mem::take(&mut rest.inside);
        inside.clear();
        let mut next = corners.first().map_or(0.0, |known| rest.depth(known, side));
        let ahead = corners.iter().skip(1).chain(&corners);
        for (known, known_ahead) in corners.iter().zip(ahead) {
            let corner = known.corner;
            let here = std::mem::replace(&mut next, rest.depth(known_ahead, side));
            // The part that the next side leaves goes on along the line.
            if here >= 0.0 {
                let along = if here == 0.0 && next < 0.0 { line } else { corner.line };
                let corner = PieceCorner { line: along, ..corner };
                inside.push(RestCorner { corner, row: known.row });
            }
            if here <= 0.0 {
                let along = if here == 0.0 && next > 0.0 { line } else { corner.line };
                out.corners.push(PieceCorner { line: along, ..corner });
            }
            if here * next < 0.0 {
                let at = self.crossing(corner.line, side, corner.at, known_ahead.corner.at);
                let row = rest.measure(self, at);
                let [along, on] = [line, corner.line].map(|line| PieceCorner { at, line });
                let (within, outside) = if here > 0.0 { (along, on) } else { (on, along) };
                inside.push(RestCorner { corner: within, row });
                out.corners.push(outside);
            }
        }
        out.pieces.push(Piece { begin, end: out.corners.len() as u32, within });
        (rest.corners, rest.inside) = (inside, corners);
    }
}
