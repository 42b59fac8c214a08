//! Pieces of ground side by side: which sides they share.
//!
//! Corners are the same if all their coordinates are, bit by bit. A side belongs to two pieces if
//! they have it between the same corners, in opposite directions. Heights count: floors of a
//! building lie above each other and share nothing.

use std::collections::BTreeMap;

use glam::{DVec2, Vec3};

use super::AreaError;
use crate::convex::Convex;

/// The number of a corner.
pub(super) type Corner = u32;

/// Pieces with their corners by number.
pub(super) struct Mosaic {
    /// The positions of the corners, seen from above.
    pub(super) corners: Vec<DVec2>,
    /// The corners of each piece, in order around it, turning from x towards z.
    pub(super) pieces: Vec<Vec<Corner>>,
    /// To each side, from corner to corner, the piece that it belongs to.
    pub(super) sides: BTreeMap<[Corner; 2], u32>,
}

impl Mosaic {
    pub(super) fn new<P: AsRef<[Vec3]>>(
        outlines: impl IntoIterator<Item = P>,
    ) -> Result<Self, AreaError> {
        let mut known: BTreeMap<[u32; 3], Corner> = BTreeMap::new();
        let (mut corners, mut pieces): (Vec<DVec2>, Vec<Vec<Corner>>) = (Vec::new(), Vec::new());
        let mut sides = BTreeMap::new();
        for (number, outline) in (0u32..).zip(outlines) {
            let outline = outline.as_ref();
            let flat = |corner: &Vec3| DVec2::new(f64::from(corner.x), f64::from(corner.z));
            let whole = Convex::new(outline.iter().map(flat))
                .map_err(|fault| AreaError::Piece { number, fault })?;
            let mut piece: Vec<Corner> = Vec::with_capacity(outline.len());
            for corner in outline {
                // Adding zero turns the negative zero into the positive one.
                let bits = (*corner + Vec3::ZERO).to_array().map(f32::to_bits);
                let id = *known.entry(bits).or_insert_with(|| {
                    corners.push(flat(corner));
                    corners.len() as Corner - 1
                });
                piece.push(id);
            }
            // As the polygon has been turned, so are its corners.
            if outline.first().map(flat).as_ref() != whole.corners().first() {
                piece.reverse();
            }
            piece.dedup();
            if piece.len() > 1 && piece.first() == piece.last() {
                piece.pop();
            }
            for side in around(&piece) {
                if sides.insert(side, number).is_some() {
                    return Err(AreaError::Overlap { number });
                }
            }
            pieces.push(piece);
        }
        Ok(Self { corners, pieces, sides })
    }

    /// Returns the piece on the other side of a side.
    pub(super) fn across(&self, [from, to]: [Corner; 2]) -> Option<u32> {
        self.sides.get(&[to, from]).copied()
    }

    pub(super) fn at(&self, corner: Corner) -> DVec2 {
        self.corners[corner as usize]
    }

    /// Returns the number of the island of each piece: pieces with a side in common are on one.
    pub(super) fn islands(&self) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let mut islands = vec![NONE; self.pieces.len()];
        let mut next = 0;
        for first in 0..self.pieces.len() {
            if islands[first] != NONE {
                continue;
            }
            let mut open = vec![first];
            islands[first] = next;
            while let Some(piece) = open.pop() {
                for side in around(&self.pieces[piece]) {
                    let Some(other) = self.across(side) else { continue };
                    if islands[other as usize] == NONE {
                        islands[other as usize] = next;
                        open.push(other as usize);
                    }
                }
            }
            next += 1;
        }
        islands
    }
}

/// Returns the sides of a piece, from corner to corner.
pub(super) fn around(piece: &[Corner]) -> impl Iterator<Item = [Corner; 2]> + '_ {
    (0..piece.len()).map(|at| [piece[at], piece[(at + 1) % piece.len()]])
}
