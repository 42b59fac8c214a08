//! The seams of a tile: the corners that its polygons get from its neighbours.
//!
//! # Why there are no gaps
//!
//! The border between two tiles is straight. Each tile keeps the corners where one of its own
//! regions or a wall ends at the border; the other may have none there. So each edge on a border
//! gets the corners of the other side that lie on it. They lie exactly on it, so polygons stay
//! convex. Of several floors the one is meant whose height is nearer than a step and a cell to the
//! edge: along borders, outlines keep every corner at which the ground leaves the straight line by
//! more than a step.
//!
//! # Why a seam is a matter of two tiles
//!
//! An edge on a border lies within one side of its tile. Corners strictly between its ends belong
//! to that tile or to the one beyond the side. Of several at one point the first counts: corners of
//! the first tile in order, then of the other, each in the order of their tile. So the corners of
//! an edge depend on two tiles alone, not on the other tiles of a set.

use crate::tiles::BakedTile;
use crate::{CellSide, LatticePoint, PolygonMesh};

/// The corners of a tile's polygons together with its neighbours' corners.
#[derive(Debug, Clone, Default)]
pub(super) struct Stitched {
    /// Corners of neighbours.
    pub(super) foreign: Vec<LatticePoint>,
    /// The first corner of each polygon, and the number of corners at the end.
    pub(super) first: Vec<u32>,
    /// Numbers of the tile's vertices; above them, numbers of foreign corners.
    pub(super) corners: Vec<u32>,
}

/// A vertex on the border of two tiles.
#[derive(Clone, Copy)]
struct Candidate {
    at: LatticePoint,
    /// The rank of its tile, and its number there.
    rank: (bool, u32),
    /// Its number in the tile that is stitched, if it has it.
    own: Option<u32>,
}

impl Stitched {
    /// Returns the polygons of a tile with the corners of the present neighbours, which are given
    /// in the order of [`CellSide`]. O(n log n) for n vertices on the border.
    pub(super) fn new(tile: &BakedTile, neighbours: [Option<&BakedTile>; 4]) -> Self {
        let mesh = tile.polygons();
        let step = i32::from(tile.tiling.settings().step_cells()) + 1;
        let lines = CellSide::ALL.map(|side| line(tile, side, neighbours[side as usize]));
        let mut stitched = Stitched { first: vec![0], ..Self::default() };
        stitched.corners.reserve(mesh.corners.len());
        for polygon in mesh.polygons() {
            for (index, &from) in polygon.iter().enumerate() {
                stitched.corners.push(from);
                let to = polygon[(index + 1) % polygon.len()];
                let ends = [from, to].map(|vertex| mesh.vertices[vertex as usize]);
                let on = |side: &CellSide| ends.iter().all(|&at| is_on(tile, *side, at));
                if let Some(side) = CellSide::ALL.into_iter().find(on) {
                    let line = &lines[side as usize];
                    stitched.add(mesh, side, ends, line, step);
                }
            }
            stitched.first.push(stitched.corners.len() as u32);
        }
        stitched
    }

    /// Adds the candidates that lie on an edge, from its first end to its second.
    fn add(
        &mut self,
        mesh: &PolygonMesh,
        side: CellSide,
        [a, b]: [LatticePoint; 2],
        line: &[Candidate],
        step: i32,
    ) {
        let [from, to] = [a, b].map(|at| along(side, at));
        let (low, high) = (from.min(to), from.max(to));
        let start = line.partition_point(|found| along(side, found.at) <= low);
        let end = line.partition_point(|found| along(side, found.at) < high);
        let is_level = |found: &&Candidate| {
            let share = f64::from(along(side, found.at) - from) / f64::from(to - from);
            let edge = f64::from(a.y) + share * f64::from(b.y - a.y);
            (f64::from(found.at.y) - edge).abs() <= f64::from(step)
        };
        let mut added: Vec<Candidate> =
            line[start..end.max(start)].iter().filter(is_level).copied().collect();
        // Of two at one point the first: they are the ends of a wall between them.
        added.dedup_by_key(|found| found.at.plan());
        if from > to {
            added.reverse();
        }
        for found in added {
            let number = found.own.unwrap_or_else(|| {
                self.foreign.push(found.at);
                (mesh.vertices.len() + self.foreign.len() - 1) as u32
            });
            self.corners.push(number);
        }
    }
}

/// Returns the position along a side of a tile.
fn along(side: CellSide, at: LatticePoint) -> i32 {
    match side {
        CellSide::West | CellSide::East => at.z,
        CellSide::South | CellSide::North => at.x,
    }
}

/// Returns whether a corner lies on a side of a tile that another tile may be beyond.
fn is_on(tile: &BakedTile, side: CellSide, at: LatticePoint) -> bool {
    let (length, id) = (tile.tiling.side(), tile.id);
    let [column, row] = [id.column, id.row].map(|number| number as i32);
    match side {
        CellSide::West => at.x == column * length,
        CellSide::South => at.z == (row + 1) * length,
        CellSide::East => at.x == (column + 1) * length,
        CellSide::North => at.z == row * length,
    }
}

/// Returns the vertices on the border of a tile and its neighbour, in order; each lattice point
/// once.
fn line(tile: &BakedTile, side: CellSide, neighbour: Option<&BakedTile>) -> Vec<Candidate> {
    let own = (0..).zip(&tile.polygons().vertices).filter(|(_, at)| is_on(tile, side, **at));
    let is_second = neighbour.is_some_and(|other| other.id < tile.id);
    let mut found: Vec<Candidate> = own
        .map(|(number, &at)| Candidate { at, rank: (is_second, number), own: Some(number) })
        .collect();
    if let Some(other) = neighbour {
        let theirs = (0..).zip(&other.polygons().vertices);
        let theirs = theirs.filter(|(_, at)| is_on(tile, side, **at));
        found.extend(theirs.map(|(number, &at)| Candidate {
            at,
            rank: (!is_second, number),
            own: None,
        }));
    }
    found.sort_unstable_by_key(|candidate| (candidate.at, candidate.rank));
    let mut line: Vec<Candidate> = found
        .chunk_by(|a, b| a.at == b.at)
        .map(|same| Candidate { own: same.iter().find_map(|one| one.own), ..same[0] })
        .collect();
    line.sort_unstable_by_key(|candidate| (along(side, candidate.at), candidate.rank));
    line
}
