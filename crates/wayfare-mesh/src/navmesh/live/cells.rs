//! The pieces of each polygon of the base.

use glam::DVec2;

use super::super::carve::{Cutting, PieceCorner, carve};
use super::super::plan::plan;
use super::super::{AreaId, CarvedGround, NavMesh, PolygonId};
use super::carvings::{CarvingId, Carvings};

/// No polygon.
pub(super) const NONE: u32 = u32::MAX;

/// A piece of a polygon of the base.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its corners as cut, without the corners at ends of neighbours.
    pub(super) corners: Vec<PieceCorner>,
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
}

/// Returns the pieces that carvings leave of a polygon of the base, not numbered yet.
pub(super) fn pieces(
    base: &NavMesh,
    polygon: PolygonId,
    area: AreaId,
    own: &[CarvingId],
    carvings: &Carvings,
    tolerance: f64,
) -> Vec<Piece> {
    let outline: Vec<DVec2> = base.outline(polygon).map(plan).collect();
    let entries: Vec<_> = own.iter().filter_map(|&id| carvings.get(id).ok()).collect();
    let cuttings: Vec<Cutting<'_>> = entries
        .iter()
        .map(|entry| Cutting {
            hole: &entry.hole,
            keeps: entry.carving.ground != CarvedGround::Blocked,
        })
        .collect();
    let pieces = carve(&outline, &cuttings, tolerance).into_iter();
    pieces
        .map(|piece| {
            let within = piece.within.map(|hole| entries[hole as usize].carving.ground);
            let area = match within {
                Some(CarvedGround::Area(area)) => area,
                _ => area,
            };
            Piece { corners: piece.corners, area, number: NONE }
        })
        .collect()
}
