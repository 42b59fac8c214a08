//! The pieces of each polygon of the base.

use glam::DVec2;

use super::super::carve::{Carver, Cutting, PieceCorner};
use super::super::plan::plan;
use super::super::{AreaId, CarvedGround, NavMesh, PolygonId};
use super::carvings::{CarvingId, Carvings};

/// No polygon.
pub(super) const NONE: u32 = u32::MAX;

/// A piece of a polygon of the base.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where its corners begin and end among those of the cell.
    begin: u32,
    end: u32,
    pub(super) area: AreaId,
    /// The index of the polygon; [`NONE`] if the piece shrank to a line when it was joined to its
    /// neighbours.
    pub(super) number: u32,
}

/// A polygon of the base: its carvings, and the remaining pieces.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// The carvings that take effect, in order.
    pub(super) carvings: Vec<CarvingId>,
    /// The pieces. Not filled in before the first cut.
    pub(super) pieces: Vec<Piece>,
    /// The corners of the pieces as cut, without these at ends of neighbours.
    corners: Vec<PieceCorner>,
    /// Whether the pieces are filled in.
    pub(super) is_cut: bool,
}

impl Cell {
    /// Adds or removes a carving.
    pub(super) fn set(&mut self, carving: CarvingId, takes_effect: bool) {
        match (self.carvings.binary_search(&carving), takes_effect) {
            (Err(at), true) => self.carvings.insert(at, carving),
            (Ok(at), false) => {
                self.carvings.remove(at);
            }
            _ => {}
        }
    }

    /// Returns the corners of a piece.
    pub(super) fn corners(&self, piece: Piece) -> &[PieceCorner] {
        &self.corners[piece.begin as usize..piece.end as usize]
    }

    /// Returns a bound above the lines that sides of pieces lie on.
    pub(super) fn line_bound(&self) -> u32 {
        self.corners.iter().map(|corner| corner.line + 1).max().unwrap_or(0)
    }
}

/// Cuts cells; its fields are memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Cutter {
    carver: Carver,
    outline: Vec<DVec2>,
}

impl Cutter {
    /// Cuts a polygon of the base again by its carvings. The pieces are not numbered yet.
    pub(super) fn cut(
        &mut self,
        base: &NavMesh,
        polygon: u32,
        cell: &mut Cell,
        carvings: &Carvings,
        tolerance: f64,
    ) {
        self.outline.clear();
        self.outline.extend(base.outline(PolygonId(polygon)).map(plan));
        let entries = cell.carvings.iter().filter_map(|&id| carvings.get(id).ok());
        let cuttings = entries.map(|entry| Cutting {
            hole: &entry.hole,
            keeps: entry.carving.ground != CarvedGround::Blocked,
        });
        let pieces = self.carver.carve(&self.outline, cuttings, tolerance);
        let area = base.area(PolygonId(polygon));
        cell.pieces.clear();
        cell.corners.clear();
        cell.corners.extend_from_slice(pieces.all_corners());
        for &piece in pieces.list() {
            let within = piece.within.and_then(|hole| cell.carvings.get(hole as usize));
            let ground = within.and_then(|&id| carvings.get(id).ok()).map(|of| of.carving.ground);
            let area = match ground {
                Some(CarvedGround::Area(area)) => area,
                _ => area,
            };
            let (begin, end) = (piece.begin, piece.end);
            cell.pieces.push(Piece { begin, end, area, number: NONE });
        }
        cell.is_cut = true;
    }
}
