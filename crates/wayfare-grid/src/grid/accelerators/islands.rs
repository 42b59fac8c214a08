//! Islands: component labels of the free cells.
//!
//! # Which islands a blocked cell can divide
//!
//! Let `c` be a cell that is blocked, and `R` the cells of its component among the eight around it.
//! All moves that vanish lead from `c` to `R` or past `c` between two cells of `R`. If moves within
//! the ring still connect `R`, then any former path through `c` has a detour along the ring, and
//! nothing falls apart. A table of the 256 patterns answers that. Cells of a batch are taken out
//! one after another, as if edited singly, so that a wall needs a flood only where it closes.
//!
//! Otherwise `c` is a *cut*, and the cells of `R` are a set of suspects. So is a cell that touches
//! a cut, whose suspects join that set: a suspect that is taken out hands over to its own ring.
//! After the batch, floods run from the suspects of each set in lockstep until one is left (see
//! [`Components`]). They nearly always meet around the next obstacle.
//!
//! The sets link all pieces that a component falls into, at any time: a removal that cuts one in
//! several makes or extends a set with a cell in each, all others leave suspects in their pieces,
//! and a piece that vanishes does so with a cell whose sets are joined. So each piece, if there are
//! several, contains a suspect of a set whose suspects did not all meet. Of its pieces such a set
//! leaves one at most under the former label. Let two pieces be left under it. The sets that link
//! them do so by others between, of a new label and with suspects of two sets. A last flood from
//! the suspects of all sets of that kind together tells all pieces apart.
//!
//! Floods that meet late, or of very many cells, cost more than labelling the map by its runs. They
//! stop at a fixed number of cells in favour of labelling, so an edit costs O(runs) at most.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use wayfare_core::inside::{Adjacency, Components};

use super::accelerator::{Accelerator, Edit, Flip, MoveRule, Stage};
use super::runs::{Joined, Runs, reach};
use super::standing::Standing;
use crate::grid::layout::Layout;
use crate::grid::moves::{MoveTable, move_table};
use crate::grid::{Cell, CornerRule, Neighbours};

/// Islands are labelled anew once more than about `1 / CELLS_A_FLIP` of all cells changed.
const CELLS_A_FLIP: usize = 64;
/// Floods give way to labelling by runs after `1 / CELLS_TO_FLOODED` of the map's cells.
const CELLS_TO_FLOODED: usize = 8;
/// And when more suspects than that would flood at once.
const MOST_SUSPECTS: usize = 256;

/// For each pattern of free cells around a blocked one, whether moves among them connect them all.
pub(super) type RingTable = [bool; 256];

static FOUR: LazyLock<RingTable> = LazyLock::new(|| rings(Neighbours::Four, CornerRule::Always));
static BOTH_FREE: LazyLock<RingTable> =
    LazyLock::new(|| rings(Neighbours::Eight, CornerRule::BothFree));
static ONE_FREE: LazyLock<RingTable> =
    LazyLock::new(|| rings(Neighbours::Eight, CornerRule::OneFree));
static ALWAYS: LazyLock<RingTable> = LazyLock::new(|| rings(Neighbours::Eight, CornerRule::Always));

/// Returns the rings where runs of rows are joined if they are at most `reach` columns apart: where
/// only straight steps join cells, or all eight.
pub(super) fn rings_within_reach(reach: u32) -> &'static RingTable {
    if reach == 0 { &FOUR } else { &ALWAYS }
}

/// Floods every pattern from its first free cell.
fn rings(neighbours: Neighbours, corners: CornerRule) -> RingTable {
    const AROUND: [(i32, i32); 8] =
        [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let place = |at: (i32, i32)| AROUND.iter().position(|&offset| offset == at);
    let moves = move_table(neighbours, corners);
    let mut table = [true; 256];
    for free in 1..=u8::MAX {
        let mut reached = 1u8 << free.trailing_zeros();
        loop {
            let mut more = reached;
            for (cell, &(x, y)) in AROUND.iter().enumerate() {
                if reached >> cell & 1 == 0 {
                    continue;
                }
                // Cells beyond the ring count as blocked: they may be, and then open no corner.
                let beside = AROUND.map(|(dx, dy)| place((x + dx, y + dy)));
                let around = (0..8).fold(0u8, |around, bit| {
                    let is_free = beside[bit].is_some_and(|place| free >> place & 1 == 1);
                    around | u8::from(is_free) << bit
                });
                for (bit, next) in beside.into_iter().enumerate() {
                    if let (1, Some(next)) = (moves[usize::from(around)] >> bit & 1, next) {
                        more |= 1 << next;
                    }
                }
            }
            if more == reached {
                break;
            }
            reached = more;
        }
        table[usize::from(free)] = reached == free;
    }
    table
}

/// The component labels of one profile.
#[derive(Clone, Debug)]
pub(in crate::grid) struct Islands {
    components: Components,
    rings: &'static RingTable,
    /// How far two runs of rows that follow each other may be apart and yet be joined by a move.
    reach: u32,
}

impl Islands {
    /// Labels the free cells. O(cells).
    pub(super) fn new(rule: MoveRule, standing: &Standing, layout: &Layout) -> Self {
        let rings = match (rule.neighbours, rule.corners) {
            (Neighbours::Four, _) => &FOUR,
            (Neighbours::Eight, CornerRule::BothFree) => &BOTH_FREE,
            (Neighbours::Eight, CornerRule::OneFree) => &ONE_FREE,
            (Neighbours::Eight, CornerRule::Always) => &ALWAYS,
        };
        let reach = reach(rule.neighbours, rule.corners);
        let mut islands = Self { components: Components::default(), rings, reach };
        islands.label_by_runs(standing, layout);
        islands
    }

    /// Returns the component labels.
    pub(in crate::grid) fn components(&self) -> &Components {
        &self.components
    }

    /// Labels the pieces that components fell into, from suspects by set. Returns the number of
    /// cells flooded; `None` if they are more than `most`.
    fn split(
        &mut self,
        mut suspects: Vec<(u32, u32)>,
        moves: &Moves<'_>,
        most: usize,
    ) -> Option<usize> {
        let components = &mut self.components;
        let (mut flooded, mut apart) = (0, Vec::new());
        let mut split = |components: &mut Components, cells: &[u32]| {
            if cells.len() > MOST_SUSPECTS {
                return None;
            }
            flooded += components.split_within(cells, moves, most.checked_sub(flooded)?)?;
            Some(())
        };
        // Those that were taken out themselves handed over.
        suspects.retain(|&(_, cell)| components.label(cell).is_some());
        let first_new = components.parents.len() as u32;
        for set in suspects.chunk_by(|a, b| a.0 == b.0) {
            let cells: Vec<u32> = set.iter().map(|&(_, cell)| cell).collect();
            split(components, &cells)?;
            let label = components.label(cells[0]);
            if cells.iter().any(|&cell| components.label(cell) != label) {
                apart.extend(set);
            }
        }
        let linked = linked_sets(components, &apart, first_new);
        apart.retain(|(set, _)| linked.contains(set));
        if !apart.is_empty() {
            let cells: Vec<u32> = apart.iter().map(|&(_, cell)| cell).collect();
            split(components, &cells)?;
        }
        Some(flooded)
    }

    /// Labels all cells again. O(cells / 64 + runs) and writing the labels.
    ///
    /// Runs of free cells of two rows are joined if a move joins some of their cells. Under all
    /// rules but [`CornerRule::Always`] a diagonal move has a free cell beside it, so that runs
    /// joined by it overlap or are joined through that cell. Under that rule runs a column apart
    /// are joined too.
    fn label_by_runs(&mut self, standing: &Standing, layout: &Layout) -> u64 {
        let mut labels = Components::unlabelled(layout.bound());
        let mut work = 0;
        for free in standing.media() {
            let runs = Runs::of_rows(&free.rows, layout);
            work += runs.len() as u64;
            let mut joined = Joined::new(runs.len());
            runs.visit_joined(self.reach, |above, below| joined.join(above, below));
            // Roots have the least numbers of their islands, and come first.
            let mut label_of = vec![0; runs.len()];
            for (number, run) in (0u32..).zip(runs.iter()) {
                let of = joined.root(number);
                if of == number {
                    label_of[number as usize] = labels.fresh_label();
                }
                let first = layout.cell(run.first.into(), run.line.into());
                labels.fill(first.0, run.cells(), label_of[of as usize]);
            }
        }
        labels.plan_compaction();
        self.components = labels;
        work + layout.bound() as u64 / 64
    }
}

/// Returns the sets with suspects in a piece of a new label that has suspects of another set too.
fn linked_sets(components: &Components, suspects: &[(u32, u32)], first_new: u32) -> BTreeSet<u32> {
    let label = |&(set, cell): &(u32, u32)| Some((components.label(cell)?, set));
    let is_new = |&(label, _): &(u32, u32)| label >= first_new;
    let mut places: Vec<(u32, u32)> = suspects.iter().filter_map(label).filter(is_new).collect();
    places.sort_unstable();
    places.dedup();
    let shared = places.chunk_by(|a, b| a.0 == b.0).filter(|sets| sets.len() > 1);
    shared.flatten().map(|&(_, set)| set).collect()
}

/// The cells of an edit that may have cut their components, in sets.
struct Cuts<'e> {
    /// By id.
    flips: &'e [Flip],
    /// For each flip that cut, the number of its set, and which cells around it were in its
    /// component, as bits.
    of_flips: Vec<Option<(u32, u8)>>,
    joined: Joined,
}

impl<'e> Cuts<'e> {
    fn new(flips: &'e [Flip]) -> Self {
        Self { flips, of_flips: Vec::with_capacity(flips.len()), joined: Joined::default() }
    }

    /// Adds the next flip. It cuts if it touches one that did, or if moves among the cells around
    /// it do not connect them.
    fn add(&mut self, cell: u32, ring: u8, is_connected: bool, offsets: &[i32; 8]) {
        let mut set = (!is_connected).then(|| self.joined.add());
        // Those with lower ids were taken out before it.
        for offset in &offsets[..4] {
            let beside = cell.wrapping_add_signed(*offset);
            let before = &self.flips[..self.of_flips.len()];
            if let Ok(found) = before.binary_search_by_key(&beside, |flip| flip.cell.0)
                && let Some((other, _)) = self.of_flips[found]
            {
                self.joined.join(*set.get_or_insert(other), other);
            }
        }
        self.of_flips.push(set.map(|set| (set, ring)));
    }

    /// Returns the cells around the cuts of each set.
    fn suspects(mut self, offsets: &[i32; 8]) -> Vec<(u32, u32)> {
        let mut suspects = Vec::new();
        for (flip, cut) in self.flips.iter().zip(&self.of_flips) {
            let &Some((set, ring)) = cut else { continue };
            let set = self.joined.root(set);
            let around = (0..8usize).filter(|bit| ring >> bit & 1 == 1);
            suspects.extend(around.map(|bit| (set, flip.cell.0.wrapping_add_signed(offsets[bit]))));
        }
        suspects.sort_unstable();
        suspects.dedup();
        suspects
    }
}

impl Accelerator for Islands {
    const STAGE: Stage = Stage::Islands;
    const READS: &'static [Stage] = &[Stage::Standing];
    type Input<'a> = (&'a Standing, MoveRule);

    /// O(flips) where nothing falls apart; then also the cells of all pieces but the largest. At
    /// most O(runs).
    fn follow(&mut self, (standing, rule): Self::Input<'_>, edit: &mut Edit<'_>) -> u64 {
        let layout = edit.ground.layout;
        let offsets = layout.offsets();
        let mut work = edit.flips.len() as u64;
        if edit.flips.len() > layout.bound() / CELLS_A_FLIP + 64 {
            return work + self.label_by_runs(standing, layout);
        }
        let mut cuts = Cuts::new(&edit.flips);
        for flip in &edit.flips {
            let cell = flip.cell.0;
            if flip.before.is_none() {
                cuts.of_flips.push(None);
                continue;
            }
            let ring = self.components.joined_with(cell, &offsets);
            self.components.vacate(cell);
            cuts.add(cell, ring, self.rings[usize::from(ring)], &offsets);
        }
        let moves = Moves { standing, moves: rule.moves, offsets };
        let suspects = cuts.suspects(&offsets);
        match self.split(suspects, &moves, layout.bound() / CELLS_TO_FLOODED + 1024) {
            Some(flooded) => work += flooded as u64,
            None => return work + self.label_by_runs(standing, layout),
        }
        self.components.mend_names();
        for flip in &edit.flips {
            if flip.after.is_some() {
                let mut neighbours = Vec::with_capacity(8);
                moves.neighbours(flip.cell.0, |next| neighbours.push(next));
                self.components.insert(flip.cell.0, neighbours);
            }
        }
        work
    }
}

/// The moves of a profile without their costs. On a grid every move can be made backwards.
struct Moves<'s> {
    standing: &'s Standing,
    moves: &'static MoveTable,
    offsets: [i32; 8],
}

impl Adjacency for Moves<'_> {
    fn neighbours(&self, state: u32, mut visit: impl FnMut(u32)) {
        let mut moves = self.moves[usize::from(self.standing.around(Cell(state)))];
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            visit(state.wrapping_add_signed(self.offsets[direction]));
        }
    }
}
