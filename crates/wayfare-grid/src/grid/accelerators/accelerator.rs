//! The contract of an accelerator: its inputs, and its repair after an edit.
//!
//! An accelerator holds nothing that the terrain does not determine. After any sequence of edits it
//! answers as one built from the terrain as it is. Two machines with the same terrain hence search
//! alike, and the order of past edits never shows in a path, a counter or a trace.

use wayfare_core::space::TerrainId;

use crate::grid::layout::Layout;
use crate::grid::moves::MoveTable;
use crate::grid::{Cell, CornerRule, InfluenceLayer, Neighbours};

/// The data that accelerators are derived from.
#[derive(Clone, Copy)]
pub(in crate::grid) struct Ground<'g> {
    pub(in crate::grid) layout: &'g Layout,
    pub(in crate::grid) terrain: &'g [TerrainId],
    pub(in crate::grid) influence: &'g [InfluenceLayer],
    /// Heights of the cells in world units; empty: all zero.
    pub(in crate::grid) heights: &'g [f32],
    /// The side of a cell in world units.
    pub(in crate::grid) cell_size: f32,
}

impl Ground<'_> {
    #[inline]
    pub(in crate::grid) fn terrain(&self, cell: Cell) -> TerrainId {
        self.terrain[cell.0 as usize]
    }

    /// Returns the steepest slope from a cell to one of the four beside it that is not blocked, as
    /// rise over run.
    pub(in crate::grid) fn slope(&self, cell: Cell) -> f32 {
        let Some(&height) = self.heights.get(cell.0 as usize) else { return 0.0 };
        let stride = self.layout.stride as i32;
        let beside =
            [-stride, -1, 1, stride].map(|offset| Cell(cell.0.wrapping_add_signed(offset)));
        // Beyond the map lies padding, which is blocked.
        let open = beside.into_iter().filter(|&cell| self.terrain(cell) != TerrainId::BLOCKED);
        let rises = open.map(|cell| (self.heights[cell.0 as usize] - height).abs());
        rises.fold(0.0, f32::max) / self.cell_size
    }
}

/// A cell whose terrain an edit changed.
#[derive(Clone, Copy, Debug)]
pub(in crate::grid) struct Change {
    pub(in crate::grid) cell: Cell,
    /// The terrain before the edit.
    pub(in crate::grid) before: TerrainId,
}

/// A cell where agents can stand in another medium than before the edit, or no longer, or now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flip {
    pub(super) cell: Cell,
    /// The index of the medium in the profile, before and after.
    pub(super) before: Option<u8>,
    pub(super) after: Option<u8>,
}

/// Rooms are found anew, not mended, once more than about `1 / CELLS_A_MENDED_FLIP` of all cells
/// changed.
pub(super) const CELLS_A_MENDED_FLIP: usize = 256;

/// One edit of any number of cells, as accelerators see it.
pub(super) struct Edit<'e> {
    /// The ground after the edit.
    pub(super) ground: Ground<'e>,
    /// Every cell whose terrain changed, once, by id.
    pub(super) changes: &'e [Change],
    /// Written by [`Stage::Standing`], by id.
    pub(super) flips: Vec<Flip>,
}

impl Edit<'_> {
    /// Returns the cells that became free or blocked in a medium, by id.
    pub(super) fn flips_of(&self, medium: usize) -> impl Iterator<Item = &Flip> {
        let is = move |number: Option<u8>| number.is_some_and(|of| usize::from(of) == medium);
        self.flips.iter().filter(move |flip| is(flip.before) || is(flip.after))
    }
}

/// How agents of a profile move.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveRule {
    pub(super) neighbours: Neighbours,
    pub(super) corners: CornerRule,
    /// The moves for each pattern of free neighbours.
    pub(super) moves: &'static MoveTable,
}

/// The accelerators of a layer, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Bit maps of the cells that agents can stand on.
    Standing,
    /// Penalties, blurred and with influence.
    Penalties,
    /// The cheapest step, and whether all steps cost their length.
    Steps,
    /// Component labels.
    Islands,
    /// Directions that lead to jump points.
    Signs,
    /// The tree of rooms and gateways.
    Rooms,
    /// Moves needed on terrain of different costs.
    TerrainMap,
}

impl Stage {
    pub(super) const COUNT: usize = 7;
}

/// A structure that is derived from the terrain to make searches fast.
pub(super) trait Accelerator {
    /// Its name.
    const STAGE: Stage;
    /// The accelerators that [`follow`](Self::follow) reads. They follow an edit first.
    const READS: &'static [Stage];
    /// These accelerators, and the parts of the profile that it reads.
    type Input<'a>;

    /// Makes the accelerator equal to one built from the ground after the edit, or answer like it.
    ///
    /// Returns the work: cells, lines or table entries looked at.
    fn follow(&mut self, input: Self::Input<'_>, edit: &mut Edit<'_>) -> u64;
}

/// Declares an accelerator's position in the order: its stage and the stages it reads.
pub(super) type Dependencies = (Stage, &'static [Stage]);

/// Returns the order in which accelerators follow an edit: each after all that it reads.
///
/// Of several that may come next, takes the first in the list. Evaluated at compile time, where a
/// cycle is an error.
pub const fn order(stages: [Dependencies; Stage::COUNT]) -> [Stage; Stage::COUNT] {
    let mut order = [Stage::Standing; Stage::COUNT];
    let mut is_done = [false; Stage::COUNT];
    let mut count = 0;
    while count < Stage::COUNT {
        let mut at = 0;
        while at < Stage::COUNT {
            let (stage, reads) = stages[at];
            let mut is_ready = !is_done[stage as usize];
            let mut read = 0;
            while read < reads.len() {
                is_ready = is_ready && is_done[reads[read] as usize];
                read += 1;
            }
            if is_ready {
                break;
            }
            at += 1;
        }
        assert!(at < Stage::COUNT, "accelerators read each other in a circle");
        order[count] = stages[at].0;
        is_done[stages[at].0 as usize] = true;
        count += 1;
    }
    order
}
